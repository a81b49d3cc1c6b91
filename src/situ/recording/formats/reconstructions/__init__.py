"""Importers of camera reconstructions: COLMAP, nerfstudio."""
