"""Things to put into a place: each is a tuple of parts around the middle of its own footprint."""
