"""Measurements of redhanded itself; none of it is installed."""
