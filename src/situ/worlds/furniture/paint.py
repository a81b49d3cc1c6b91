"""Named colours, and the materials of homes."""

import numpy as np

from situ.worlds.props.shapes import textured
from situ.worlds.scene import Material, Vec3

PAINTS: dict[str, Vec3] = {
    "red": (0.55, 0.03, 0.03),
    "orange": (0.80, 0.25, 0.02),
    "yellow": (0.80, 0.60, 0.04),
    "green": (0.05, 0.28, 0.07),
    "teal": (0.02, 0.28, 0.28),
    "blue": (0.03, 0.10, 0.48),
    "purple": (0.22, 0.05, 0.36),
    "pink": (0.80, 0.28, 0.40),
    "brown": (0.20, 0.09, 0.035),
    "beige": (0.58, 0.46, 0.30),
    "black": (0.018, 0.018, 0.02),
    "white": (0.78, 0.78, 0.75),
    "grey": (0.24, 0.25, 0.26),
}
BRIGHT = ("red", "orange", "yellow", "green", "teal", "blue", "purple", "pink")
CLOTH = (*BRIGHT, "beige", "grey", "brown", "black", "white")
TIMBER = ("brown", "beige", "black", "white")
APPLIANCE = ("white", "grey", "black", "red")


def cloth(color: Vec3, seed: int = 0) -> Material:
    return textured("fabric", color, scale=0.03, seed=seed)


def timber(color: Vec3, seed: int = 0) -> Material:
    """Wood in wide boards; black and white furniture is painted."""
    if max(color) < 0.05 or min(color) > 0.6:
        return Material(color, gloss=0.1)
    return textured("planks", color, shade(color, 0.7), 0.5, seed)


# Coverings of categories, which make any corner of an object recognisable. The second colour is a shaded
# version of the first, or a lighter one for black.
def grooved(color: Vec3, apart: float = 0.07, seed: int = 0) -> Material:
    """Vertical boards or slats of this width."""
    return textured("stripes", color, _beside(color), apart, seed)


def tiled(color: Vec3, side: float = 0.15, seed: int = 0) -> Material:
    """Squares with joints between them: tiles, or a mesh."""
    return textured("tiles", color, _beside(color), side, seed)


def chequered(color: Vec3, side: float = 0.06, seed: int = 0) -> Material:
    """Woven, stamped or quilted squares."""
    return textured("checker", color, _beside(color), side, seed)


def speckled(color: Vec3, size: float = 0.06, seed: int = 0) -> Material:
    """Blotches: enamel, fur."""
    return textured("noise", color, _beside(color), size, seed)


def figured(color: Vec3, size: float = 0.2, seed: int = 0) -> Material:
    """A pattern of paler diamonds."""
    return textured("carpet", color, shade(color, 2.2) if max(color) > 0.05 else _beside(color), size, seed)


def boards(color: Vec3, width: float, seed: int = 0) -> Material:
    """Planks with visible grain, even under paint."""
    return textured("planks", color, _beside(color), width, seed)


def _beside(color: Vec3) -> Vec3:
    return shade(color, 0.65) if max(color) > 0.05 else (0.036, 0.036, 0.039)


def shade(color: Vec3, factor: float) -> Vec3:
    """A lighter or darker colour."""
    r, g, b = (float(min(1.0, c * factor)) for c in color)
    return r, g, b


def seed_of(rng: np.random.Generator) -> int:
    return int(rng.integers(1000))
