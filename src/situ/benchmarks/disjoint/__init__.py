"""DISJOINT-3DQA: questions about pairs of objects that are never in view together."""
