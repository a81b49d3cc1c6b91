"""Turning raw questions into fair ones: options, distractors, blind tests, review."""
