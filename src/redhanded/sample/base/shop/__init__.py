"""A small mail-order shop."""
