"""Holds the plugin; this folder, and nothing else of the oracle's, is on the subject's path."""
