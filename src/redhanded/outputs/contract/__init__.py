"""The contracts: one room per kind of right output."""
