"""Proof that a grader, and the library it wraps, was entered in a call."""
