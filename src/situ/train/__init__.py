"""Training: training sets after CaMo, the fine-tuning recipe, and training of the built-in detectors."""
