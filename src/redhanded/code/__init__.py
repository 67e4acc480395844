"""Instrument 1: mutants of Python source, judged by tests."""
