"""Scores with intervals, paired tests, agreement and power."""
