"""SAW-Bench: a filming protocol as generated first-person video, six tasks, and the official data."""
