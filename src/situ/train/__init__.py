"""Training sets in the manner of CaMo, and the fine-tuning recipe."""
