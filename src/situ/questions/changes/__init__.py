"""Questions about what became of things: what changed, what was moved, by whom and when."""
