"""One file per grader framework: how to call it, and how to read its verdict."""
