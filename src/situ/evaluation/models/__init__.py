"""Models that are asked: their settings, and the way to them."""
