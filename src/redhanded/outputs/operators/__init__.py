"""The defects and equivalents that are planted, one family per file."""
