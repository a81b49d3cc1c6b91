"""Narratives: descriptions of camera motion and scene, and what can be inferred from them."""
