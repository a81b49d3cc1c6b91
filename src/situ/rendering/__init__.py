"""Rendering of colour, depth and instance ids from a scene and camera poses."""

from situ.rendering.renderer import Frame, Renderer

__all__ = ["Frame", "Renderer"]
