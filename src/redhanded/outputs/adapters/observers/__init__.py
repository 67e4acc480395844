"""Helpers that run in a grader's own process; started as scripts, never imported."""
