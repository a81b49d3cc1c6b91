"""Pixels, depth and instance ids from a scene and poses."""

from situ.rendering.renderer import Frame, Renderer

__all__ = ["Frame", "Renderer"]
