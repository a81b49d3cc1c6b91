"""Materials of a scene as flat arrays."""

import colorsys
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.rendering.noise import lattice
from situ.rendering.patterns import FEATURES, NAMES, ORGANIC, TILE, atlas
from situ.rendering.posters import PICTURE, pictures
from situ.worlds.scene import Material, Vec3

PLAIN, PATTERN, POSTER = range(3)


# Columns of `Materials.rows`.
STYLE, SLOT, DENSITY, OFFSET, ORGANIC_FLAG, SCALE, GLOSS, PALETTE, ROW_WIDTH = 0, 1, 2, 3, 5, 6, 7, 8, 20


class Materials(NamedTuple):
    """One row per material; row 0 is the ground's.

    A row holds the style, the atlas row (or the seed of a poster), texels per metre, an offset in texels from
    the seed, whether it is organic, scale, gloss, and four linear colours: the two of the material and two of
    a poster. `atlas` and `pictures` hold the tiles in use.
    """

    rows: NDArray[np.float64]
    atlas: NDArray[np.uint32]
    pictures: NDArray[np.uint64]


class MaterialTable:
    """Collects the distinct materials of a scene."""

    def __init__(self, ground: Material | None) -> None:
        self._rows: dict[Material, int] = {}
        self.index(ground or Material((0.0, 0.0, 0.0)))

    def index(self, material: Material) -> int:
        return self._rows.setdefault(material, len(self._rows))

    def arrays(self) -> Materials:
        materials = list(self._rows)
        used = tuple(name for name in NAMES if any(m.texture == name for m in materials))
        has_poster = any(m.texture == "poster" for m in materials)
        rows = np.empty((len(materials), ROW_WIDTH))
        for row, m in zip(rows, materials, strict=True):
            slot = used.index(m.texture) if m.texture in used else m.seed
            offset = [lattice(m.seed, axis, 17) * TILE for axis in (0, 1)]
            row[:PALETTE] = [
                _style(m),
                slot,
                _texels_per_metre(m),
                *offset,
                m.texture in ORGANIC,
                m.scale,
                m.gloss,
            ]
            row[PALETTE:] = np.ravel(_palette(m))
        no_pictures = np.zeros((1, 1), dtype=np.uint64)
        return Materials(rows, atlas(used), pictures() if has_poster else no_pictures)


def _style(material: Material) -> int:
    if material.texture == "poster":
        return POSTER
    return PATTERN if material.texture in FEATURES else PLAIN


def _texels_per_metre(material: Material) -> float:
    if material.texture == "poster":
        return PICTURE / material.scale
    return TILE / (FEATURES.get(material.texture, 1) * material.scale)


def _palette(material: Material) -> tuple[Vec3, Vec3, Vec3, Vec3]:
    hue = lattice(material.seed, 5, 23)
    accents = [
        colorsys.hsv_to_rgb((hue + turn) % 1.0, 0.75, value) for turn, value in ((0.0, 0.7), (0.42, 0.35))
    ]
    return material.color, material.second_color, accents[0], accents[1]
