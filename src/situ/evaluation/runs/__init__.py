"""Runs over question sets: who answered what, how it was read, and what it earned."""
