"""Mutation operators, one module per family."""
