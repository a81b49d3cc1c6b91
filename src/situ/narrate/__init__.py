"""A recording in words: how the camera moves, what is there, and what a reader can work out from it."""
