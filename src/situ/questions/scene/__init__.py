"""Questions about things as they are: where, how many, how far, how large, how they stand to each other."""
