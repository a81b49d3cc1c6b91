"""Publication of question sets for hubs and other harnesses, with or without keys."""
