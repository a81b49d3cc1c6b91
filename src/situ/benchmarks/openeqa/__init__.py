"""OpenEQA: open questions about episodes of homes, graded by a model."""

ALSO = "extra_answers"  # stratum with other answers that are right, one per line
