"""Narratives as tokens: the words of `situ lab narrate`, cut into pieces that always go together.

A learnt tokenizer would merge the same words. Joined again, the pieces are a narrative that the built-in
reader understands.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.camo.clips import Clips
from benchmarks.camo.layouts import EYE_M, NAMES, THINGS
from benchmarks.camo.paths import CLASSES, FRAMES, KINDS, PARTS, polar, wrapped
from situ.english import with_article
from situ.geometry.heading import SECTORS
from situ.narrate.motion_words import phrase
from situ.narrate.motions import Motion

Ids = NDArray[np.int64]
MOST_THINGS = 5  # told of in a scene, the nearest in view
DISTANCE_M, BEARING_DEG, AMOUNT_DEG, AMOUNT_M, NET_M = 0.5, 5, 5, 0.2, 0.5
_SIZE = f"(0.9 x 0.9 x 0.9 m at 0 degrees, {EYE_M - 0.45:.1f} m below the eyes)"


def _side(value: float, positive: str, negative: str) -> str:
    return positive if value >= 0 else negative


def _bearing(step: int) -> str:
    turn = BEARING_DEG * step
    return (
        f"{abs(turn)} degrees {_side(turn, 'right', 'left')} {_SIZE}" if turn else f"straight ahead {_SIZE}"
    )


def _turned(step: int) -> str:
    turn = AMOUNT_DEG * step
    return f"turned {abs(turn)} degrees {_side(turn, 'right', 'left')}." if turn else "not turned."


def _motion(name: str) -> str:
    """The words of a class of motion up to its amount."""
    kind, sign = KINDS[CLASSES.index(name) // 2], 1.0 - 2.0 * (CLASSES.index(name) % 2)
    said = phrase(Motion(kind, sign, 0.0, 0.0), numbers=False).removeprefix("quickly ")
    return f"it {said} by about" if kind in ("pan", "arc", "tracking") else f"it {said} about"


GROUPS: dict[str, list[str]] = {
    "special": [
        "",
        "<end>",
        "where is",
        "the way back?",
        "tell:",
        "In all it ends",
        "Out of view in the end:",
    ],
    "sector": list(SECTORS),
    "name": [f"a {name}" for name in NAMES],
    "frame": [f"In frame {k}:" for k in range(1, FRAMES + 1)],
    "distance": [f"{DISTANCE_M * k:.1f} m away," for k in range(20)],
    "bearing": [_bearing(k) for k in range(-12, 13)],
    "frames": [f"Frames {a}-{b}:" for a in range(1, FRAMES + 1) for b in range(1, FRAMES + 1)],
    "motion": [_motion(name) for name in CLASSES],
    "degrees": [f"{AMOUNT_DEG * k} degrees" for k in range(40)],
    "metres": [f"{AMOUNT_M * k:.1f} metres" for k in range(20)],
    "travel": [f"over {AMOUNT_M * k:.1f} metres" for k in range(20)],
    "ahead": [f"{abs(NET_M * k):.1f} m {_side(k, 'ahead', 'back')} and" for k in range(-16, 17)],
    "right": [f"{abs(NET_M * k):.1f} m {_side(k, 'right', 'left')}," for k in range(-16, 17)],
    "turned": [_turned(k) for k in range(-36, 37)],
}
FIRST: dict[str, int] = {}
VOCABULARY: list[str] = []
for _group, _pieces in GROUPS.items():
    FIRST[_group] = len(VOCABULARY)
    VOCABULARY += _pieces
PAD, END, WHERE, BACK, TELL, NET, GONE = range(7)


def token(group: str, number: Ids) -> Ids:
    """The token of a group's piece; numbers out of its range are its ends."""
    return FIRST[group] + np.clip(number, 0, len(GROUPS[group]) - 1)


def steps(values: NDArray[np.float64], size: float, middle: int = 0) -> Ids:
    return np.round(values / size).astype(np.int64) + middle


class Narrated(NamedTuple):
    """Rows of tokens, PAD where there is none."""

    scene: Ids
    camera: Ids


def narrate(clips: Clips) -> Narrated:
    return Narrated(_scene(clips), _camera(clips))


def joined(scene: Ids, camera: Ids | None, width: int) -> Ids:
    """TELL, the scene, the camera if any, END; without gaps, cut to `width`."""
    n = len(scene)
    parts = [np.full((n, 1), TELL), scene, *([] if camera is None else [camera]), np.full((n, 1), END)]
    return _packed(np.concatenate(parts, axis=1), width)


def _packed(tokens: Ids, width: int) -> Ids:
    """Tokens moved to the left over PADs."""
    order = np.argsort(tokens == PAD, axis=1, kind="stable")
    packed = np.take_along_axis(tokens, order, axis=1)
    if packed.shape[1] < width:
        packed = np.pad(packed, ((0, 0), (0, width - packed.shape[1])))
    return packed[:, :width]


def _scene(clips: Clips) -> Ids:
    """The nearest things, each from the frame that first shows it; then which of them are out of view."""
    n = len(clips.thing)
    first = clips.seen.argmax(axis=1)  # n, 8
    ever = clips.seen.any(axis=1)
    row = np.arange(n)[:, None]
    distance = clips.distance[row, first, np.arange(THINGS)]
    bearing = clips.bearing[row, first, np.arange(THINGS)]
    rank = np.argsort(np.argsort(np.where(ever, distance, np.inf), axis=1), axis=1)
    told = ever & (rank < MOST_THINGS)
    order = np.argsort(np.where(told, first * THINGS + np.arange(THINGS), 10**6), axis=1)
    out = np.zeros((n, THINGS, 4), dtype=np.int64)
    names = token("name", clips.names)
    before = np.full(n, -1)
    for place in range(THINGS):
        slot = order[:, place]
        at = (np.arange(n), slot)
        new = first[at] != before
        before = np.where(told[at], first[at], before)
        pieces = (
            np.where(new, token("frame", first[at]), PAD),
            names[at],
            token("distance", steps(distance[at], DISTANCE_M)),
            token("bearing", steps(bearing[at], BEARING_DEG, 12)),
        )
        out[:, place] = np.where(told[at][:, None], np.stack(pieces, axis=1), PAD)
    gone = told & ~clips.seen[:, -1]
    listed = np.where(gone, names, PAD)[row, order]
    head = np.where(gone.any(axis=1), GONE, PAD)[:, None]
    return np.concatenate([out.reshape(n, -1), head, listed], axis=1)


def _camera(clips: Clips) -> Ids:
    """Each motion with its frames and amount, and the net change."""
    paths = clips.paths
    n = len(paths.x)
    ends = np.cumsum(paths.lengths, axis=1)
    begins = ends - paths.lengths
    turn, way = np.abs(paths.turns) * paths.lengths, paths.ways * paths.lengths
    turning = np.isin(paths.classes // 2, (0, 3, 4))
    going = np.isin(paths.classes // 2, (3, 4))
    pieces = (
        token("frames", begins * FRAMES + ends),  # frames count from 1, and a motion ends in its last frame
        token("motion", paths.classes),
        np.where(turning, token("degrees", steps(turn, AMOUNT_DEG)), token("metres", steps(way, AMOUNT_M))),
        np.where(going, token("travel", steps(way, AMOUNT_M)), PAD),
    )
    motions = np.stack(pieces, axis=2).reshape(n, 4 * PARTS)
    bearing, distance = polar(paths, 0, paths.x[:, -1:], paths.y[:, -1:])
    angle = np.radians(bearing[:, 0])
    turned = wrapped(paths.yaw[:, 0] - paths.yaw[:, -1])
    net = (
        np.full(n, NET),
        token("ahead", steps(distance[:, 0] * np.cos(angle), NET_M, 16)),
        token("right", steps(distance[:, 0] * np.sin(angle), NET_M, 16)),
        token("turned", steps(turned, AMOUNT_DEG, 36)),
    )
    return np.concatenate([motions, np.stack(net, axis=1)], axis=1)


def text_of(tokens: Sequence[int], names: Sequence[str] = NAMES) -> tuple[str, str]:
    """Scene and camera text of a row of tokens (from after TELL), as far as END. `names` are of things."""
    scene: list[str] = []
    camera: list[str] = []
    groups = np.searchsorted([*FIRST.values()], list(tokens), side="right") - 1
    kinds = list(FIRST)
    for t, g in zip(tokens, groups, strict=True):
        if t in (PAD, END):
            break
        kind = kinds[g]
        piece = with_article(names[t - FIRST["name"]]) if kind == "name" else VOCABULARY[t]
        told = camera if camera or kind == "frames" or t == NET else scene
        if told and (kind in ("frame", "frames") or t in (NET, GONE)):
            told[-1] = told[-1].rstrip(",.") + "."
        elif scene and told is scene and kind == "name" and scene[-1].endswith(")"):
            scene[-1] += ";"
        elif scene and told is scene and kind == "name" and scene[-1].startswith(("a ", "an ")):
            scene[-1] += ","
        told.append(piece)
    return tuple(_ended(" ".join(part)) for part in (scene, camera))  # type: ignore[return-value]


def _ended(text: str) -> str:
    return text if not text or text.endswith(".") else text + "."
