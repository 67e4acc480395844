"""One suite for each framework."""
