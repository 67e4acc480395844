"""Bridges to other tools."""
