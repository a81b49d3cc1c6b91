"""Scores of captions against references."""
