"""Instrument 2: defects in model outputs, judged by graders of an eval."""
