"""Portable objects that people put down and take away."""

from collections.abc import Callable

from situ.worlds.props.shapes import (
    DARK_METAL,
    WHITE,
    ball,
    box,
    cone,
    cylinder,
    legs,
    plain,
    textured,
    wood,
)
from situ.worlds.scene import Part, Vec3

Parts = tuple[Part, ...]


def _darker(color: Vec3) -> Vec3:
    """A darker shade of the named colour for trimmings, so that the name fits the whole object."""
    return color[0] * 0.6, color[1] * 0.6, color[2] * 0.6


def backpack(color: Vec3) -> Parts:
    cloth = textured("fabric", color, scale=0.03)
    return (
        box((0.42, 0.26, 0.55), (0, 0, 0), cloth),
        box(
            (0.32, 0.1, 0.3),
            (0, -0.17, 0.05),
            textured("fabric", _darker(color), scale=0.03),
        ),
        box((0.14, 0.04, 0.08), (0, 0, 0.55), plain(DARK_METAL)),
    )


def suitcase(color: Vec3) -> Parts:
    return (
        box((0.5, 0.28, 0.7), (0, 0, 0.06), textured("stripes", color, scale=0.06)),
        *(cylinder(0.06, 0.06, (x, y, 0), plain(DARK_METAL)) for x in (-0.2, 0.2) for y in (-0.1, 0.1)),
        *(box((0.02, 0.02, 0.3), (x, 0, 0.76), plain(DARK_METAL)) for x in (-0.12, 0.12)),
        box((0.26, 0.03, 0.03), (0, 0, 1.05), plain(DARK_METAL)),
    )


def bucket(color: Vec3) -> Parts:
    return (
        cylinder(0.42, 0.45, (0, 0, 0), plain(color, 0.3)),
        cylinder(0.46, 0.04, (0, 0, 0.43), plain(WHITE)),
        cylinder(0.38, 0.01, (0, 0, 0.47), plain(_darker(color))),
    )


def ball_toy(color: Vec3) -> Parts:
    return (ball((0.5, 0.5, 0.5), (0, 0, 0), textured("stripes", color, _darker(color), 0.13)),)


def traffic_cone(color: Vec3) -> Parts:
    return (
        box((0.46, 0.46, 0.04), (0, 0, 0), plain(_darker(color))),
        cone(0.4, 0.85, (0, 0, 0.05), plain(color)),
        cylinder(0.25, 0.1, (0, 0, 0.38), plain(WHITE)),
    )


def stool(color: Vec3) -> Parts:
    return (
        *legs(0.42, 0.42, 0.5, 0.05, plain(_darker(color))),
        cylinder(0.46, 0.07, (0, 0, 0.5), plain(color)),
    )


def crate(color: Vec3) -> Parts:
    return (
        box((0.6, 0.45, 0.4), (0, 0, 0), wood(color, 5, 0.13)),
        *(box((0.06, 0.47, 0.42), (x, 0, 0), plain(_darker(color))) for x in (-0.28, 0.28)),
    )


def lantern(color: Vec3) -> Parts:
    return (
        box((0.3, 0.3, 0.06), (0, 0, 0), plain(color)),
        box((0.22, 0.22, 0.24), (0, 0, 0.16), plain((0.9, 0.82, 0.55))),
        *(box((0.26, 0.26, 0.1), (0, 0, z), plain(color)) for z in (0.06, 0.38)),
        *(box((0.04, 0.04, 0.4), (x, y, 0.06), plain(color)) for x in (-0.11, 0.11) for y in (-0.11, 0.11)),
        cone(0.4, 0.2, (0, 0, 0.46), plain(color)),
    )


ITEMS: dict[str, Callable[[Vec3], Parts]] = {
    "backpack": backpack,
    "suitcase": suitcase,
    "bucket": bucket,
    "ball": ball_toy,
    "cone": traffic_cone,
    "stool": stool,
    "crate": crate,
    "lantern": lantern,
}
