"""The materials of a scene as flat arrays."""

import colorsys
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.render.noise import lattice
from situ.render.patterns import FEATURES, NAMES, ORGANIC, TILE, atlas
from situ.render.posters import PICTURE, pictures
from situ.worlds.scene import Material, Vec3

PLAIN, PATTERN, POSTER = range(3)


class Materials(NamedTuple):
    """One row per material; row 0 is the ground's. `atlas` and `pictures` hold the tiles they use."""

    style: NDArray[np.int64]
    slot: NDArray[np.int64]  # row of the atlas, or the seed of a poster
    texels_per_metre: NDArray[np.float64]
    offset: NDArray[np.float64]  # (m, 2) texels, from the seed
    organic: NDArray[np.bool_]
    palette: NDArray[np.float64]  # (m, 4, 3) linear: colour, second colour, two of a poster's own
    scale: NDArray[np.float64]
    gloss: NDArray[np.float64]
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
        return Materials(
            style=np.array([_style(m) for m in materials], dtype=np.int64),
            slot=np.array([used.index(m.texture) if m.texture in used else m.seed for m in materials]),
            texels_per_metre=np.array([_texels_per_metre(m) for m in materials]),
            offset=np.array([[lattice(m.seed, axis, 17) * TILE for axis in (0, 1)] for m in materials]),
            organic=np.array([m.texture in ORGANIC for m in materials]),
            palette=np.array([_palette(m) for m in materials], dtype=float),
            scale=np.array([m.scale for m in materials], dtype=float),
            gloss=np.array([m.gloss for m in materials], dtype=float),
            atlas=atlas(used),
            pictures=pictures() if has_poster else np.zeros((1, 1), dtype=np.uint64),
        )


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
