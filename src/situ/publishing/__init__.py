"""Question sets for others: folders that hubs and other harnesses open, with or without the keys."""
