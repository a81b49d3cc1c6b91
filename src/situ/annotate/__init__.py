"""Annotation: questions that people write and refine while watching; store, rules, exports."""
