"""OVO-S-Bench: questions during streams, each with its moments of asking and the spans that decide it."""
