"""Compiling the renderer's kernels once, before several processes would each do it."""

from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.rendering.renderer import Renderer
from situ.worlds.scene import Scene


def compile_kernels() -> None:
    """Draw one tiny picture. Kernels that are compiled already are only loaded."""
    Renderer(Scene(()), Camera.from_fov(16, 12, 90)).render(camera_pose((0.0, 0.0, 1.6), 0.0))
