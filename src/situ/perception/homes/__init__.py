"""Eyes for generated homes: one small network that names and places household things."""
