"""Cameras that reconstructions brought: COLMAP, nerfstudio."""
