"""Captures of phones with depth sensors."""
