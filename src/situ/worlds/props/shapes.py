"""Constructors of parts and materials, and common colours."""

from situ.worlds.scene import Material, Part, Texture, Vec3

STONE, DARK_STONE = (0.52, 0.50, 0.46), (0.34, 0.33, 0.31)
CONCRETE = (0.48, 0.47, 0.45)
WOOD, DARK_WOOD, PALE_WOOD = (0.36, 0.20, 0.09), (0.16, 0.08, 0.04), (0.62, 0.44, 0.25)
METAL, DARK_METAL, WHITE = (0.45, 0.47, 0.50), (0.05, 0.055, 0.06), (0.82, 0.82, 0.80)
GLASS = (0.08, 0.13, 0.18)
LEAF, DARK_LEAF = (0.10, 0.26, 0.05), (0.03, 0.10, 0.02)

COLORS: dict[str, Vec3] = {
    "red": (0.60, 0.04, 0.03),
    "blue": (0.04, 0.13, 0.55),
    "green": (0.04, 0.33, 0.09),
    "yellow": (0.80, 0.58, 0.03),
    "orange": (0.80, 0.24, 0.02),
    "white": (0.80, 0.80, 0.78),
    "black": (0.02, 0.02, 0.022),
    "purple": (0.26, 0.05, 0.38),
}


def plain(color: Vec3, gloss: float = 0.0) -> Material:
    return Material(color, gloss=gloss)


def textured(
    texture: Texture, color: Vec3, second: Vec3 | None = None, scale: float = 0.3, seed: int = 0
) -> Material:
    """A textured material; the default second colour is a darker first one."""
    dark = (color[0] * 0.6, color[1] * 0.6, color[2] * 0.6)
    return Material(color, texture, second if second is not None else dark, scale, seed)


def wood(color: Vec3 = WOOD, seed: int = 0, scale: float = 0.12) -> Material:
    return textured("planks", color, scale=scale, seed=seed)


def box(size: Vec3, at: Vec3, material: Material, yaw_deg: float = 0.0, tilt_deg: float = 0.0) -> Part:
    """A box whose bottom centre is at `at`."""
    return Part("box", size, (at[0], at[1], at[2] + size[2] / 2), material, yaw_deg, tilt_deg)


def cylinder(diameter: float, height: float, at: Vec3, material: Material) -> Part:
    return Part("cylinder", (diameter, diameter, height), (at[0], at[1], at[2] + height / 2), material)


def cone(diameter: float, height: float, at: Vec3, material: Material) -> Part:
    return Part("cone", (diameter, diameter, height), (at[0], at[1], at[2] + height / 2), material)


def ball(size: Vec3, at: Vec3, material: Material) -> Part:
    """A ball or ellipsoid whose lowest point is at `at`."""
    return Part("sphere", size, (at[0], at[1], at[2] + size[2] / 2), material)


def legs(width: float, depth: float, height: float, thick: float, material: Material) -> tuple[Part, ...]:
    """Four legs below a table top."""
    x, y = width / 2 - thick, depth / 2 - thick
    return tuple(
        box((thick, thick, height), (sx * x, sy * y, 0.0), material) for sx in (-1, 1) for sy in (-1, 1)
    )
