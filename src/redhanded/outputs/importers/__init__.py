"""Cases from elsewhere: one file per form in which evals are kept."""
