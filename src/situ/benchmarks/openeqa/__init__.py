"""OpenEQA: open questions about episodes of homes, graded by a model."""
