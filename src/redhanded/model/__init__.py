"""The vocabulary: outcomes, statuses, cohorts, matrices and their arithmetic. No I/O."""
