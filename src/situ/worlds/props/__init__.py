"""Objects of places: each is a tuple of parts around the middle of its footprint."""
