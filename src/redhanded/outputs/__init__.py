"""Instrument 2: defects in model outputs, judged by the graders of an eval."""
