"""Routes for the protocol's video ids, with lengths that vary within each shape."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from situ.benchmarks.saw.protocol import FIRST_LEG_RIGHT_DEG, Video
from situ.geometry.heading import Heading
from situ.geometry.route import CIRCULAR, L_SHAPE, MANHATTAN, SQUARE, STRAIGHT, TRIANGLE, U_SHAPE, ZIGZAG
from situ.worlds.walks import NATURAL, Piece, Route, Style, bend, pause, polyline_route, straight, turn
from situ.worlds.walks.body import body_motion

ORIGIN = Heading(0.0, 0.0, 0.0, 0.0)
SHORTEST_S, LONGEST_S = 18.0, 28.0
SHORTEST_PAUSE_S = 0.6
LOOK_AROUND_DEG_PER_S = (30.0, 45.0)
MOST_SWEEPS = 6


def draw_style(rng: np.random.Generator) -> Style:
    """Somebody of some height who walks at some pace."""
    return Style(
        speed=float(rng.uniform(0.85, 1.45)),
        eye_height=float(rng.uniform(1.48, 1.74)),
        head=NATURAL,
        resting_pitch_deg=float(rng.uniform(-11.0, -5.0)),
    )


def draw_seconds(fps: float, rng: np.random.Generator) -> float:
    """How long a video is: drawn before it is known what it shows, and half a frame past a whole one."""
    return (int(rng.integers(round(SHORTEST_S * fps), round(LONGEST_S * fps) + 1)) + 0.5) / fps


def draw_route(
    video: Video, room_m: float, seconds: float, style: Style, rng: np.random.Generator
) -> tuple[Route, Style] | None:
    """A route of the video's shape, about `room_m` across, and the style with the gaze of that id.

    It takes as long as asked; None if the walk alone would take longer.
    """
    pieces = _shape_pieces(video, room_m, rng)
    if video.fixed_gaze:
        style = replace(style, look_aside_deg=FIRST_LEG_RIGHT_DEG[video.view])
    elif video.view != "ahead":
        pieces = [turn(_about(FIRST_LEG_RIGHT_DEG[video.view], rng), float(rng.uniform(50, 70))), *pieces]
    route = stretched(
        Route(ORIGIN, (pause(SHORTEST_PAUSE_S), *pieces, pause(SHORTEST_PAUSE_S))), seconds, style.speed, rng
    )
    return None if route is None else (route, style)


def look_around(seconds: float, style: Style, rng: np.random.Generator) -> Route:
    """Standing in one place: sweeps to one side and back, or all the way round, with rests between."""
    side = float(rng.choice([-1.0, 1.0]))
    whole = rng.random() < 0.5
    sweeps = [300.0] if whole else [80.0, -200.0]
    route = Route(ORIGIN, (pause(SHORTEST_PAUSE_S),))
    for place in range(MOST_SWEEPS):
        pace = float(rng.uniform(*LOOK_AROUND_DEG_PER_S))
        sweep = side * sweeps[place] * float(rng.uniform(1.0, 1.2)) if place < len(sweeps) else -side * 160.0
        parts = 1 + round(abs(sweep) / 120)
        pieces = [
            p for _ in range(parts) for p in (turn(sweep / parts, pace), pause(float(rng.uniform(0.2, 0.7))))
        ]
        longer = Route(ORIGIN, (*route.pieces, *pieces))
        if _seconds(longer, style.speed) > seconds - 2 * SHORTEST_PAUSE_S:
            break
        route, side = longer, side if place == 0 else -side
    stood = stretched(Route(ORIGIN, (*route.pieces, pause(SHORTEST_PAUSE_S))), seconds, style.speed, rng)
    assert stood is not None, "each sweep was checked"
    return stood


def zigzag_pieces(room_m: float, rng: np.random.Generator) -> list[Piece]:
    """Four or five legs to both sides of an axis; the wearer faces along the axis at both ends."""
    count, lean, side = int(rng.integers(4, 6)), float(rng.uniform(40, 48)), float(rng.choice([-1.0, 1.0]))
    leg = float(np.clip(room_m * rng.uniform(0.95, 1.05) / (count * math.cos(math.radians(lean))), 1.9, 3.2))
    lengths = [leg * float(rng.uniform(0.95, 1.05)) for _ in range(count)]
    turns = [side * 2 * lean * (-1) ** (i + 1) for i in range(count - 1)]
    legs = polyline_route(lengths, turns, radius=0.4)
    last = lean * side * (-1) ** (count - 1)
    return [turn(side * lean), *legs, turn(-last)]


def _shape_pieces(video: Video, room_m: float, rng: np.random.Generator) -> list[Piece]:
    corner = float(rng.uniform(0.35, 0.6))
    signs = [1.0 if side == "R" else -1.0 for side in video.turns]
    if video.shape == STRAIGHT:
        return [straight(float(np.clip(room_m * rng.uniform(0.9, 1.1), 6.0, 14.0)))]
    if video.shape == L_SHAPE:
        leg = float(np.clip(0.75 * room_m, 4.0, 9.0))
        return _legs([leg, leg], [signs[0] * 90], corner, 0.12, rng)
    if video.shape == MANHATTAN:
        outer = float(np.clip(0.42 * room_m * rng.uniform(0.85, 1.1), 2.2, 5.5))
        inner = outer * float(rng.uniform(1.7, 2.0))
        return _legs([outer, inner, outer], [90 * s for s in signs], corner, 0.06, rng)
    if video.shape == U_SHAPE:
        radius = float(np.clip(0.15 * room_m * rng.uniform(0.9, 1.1), 1.3, 2.2))
        side = radius * float(rng.uniform(3.8, 4.6))
        out, back = side, side + float(rng.uniform(-0.15, 0.15)) * radius
        return [straight(out), bend(radius, signs[0] * 180), straight(back)]
    if video.shape == CIRCULAR:
        radius = float(np.clip(0.3 * room_m * rng.uniform(0.85, 1.15), 1.5, 4.0))
        return [bend(radius, signs[0] * float(rng.uniform(354, 364)))]
    if video.shape == ZIGZAG:
        return zigzag_pieces(room_m, rng)
    sides, angle = (4, 90.0) if video.shape == SQUARE else (3, 120.0)
    assert video.shape in (SQUARE, TRIANGLE)
    leg = float(np.clip(0.55 * room_m * rng.uniform(0.9, 1.1), 3.0, 6.5))
    return _legs([leg] * sides, [signs[0] * angle] * (sides - 1), corner, 0.03, rng)


def _legs(
    lengths: Sequence[float], turns: Sequence[float], corner: float, vary: float, rng: np.random.Generator
) -> list[Piece]:
    lengths = [length * float(rng.uniform(1 - vary, 1 + vary)) for length in lengths]
    return polyline_route(lengths, [_about(t, rng) for t in turns], corner)


def _about(angle: float, rng: np.random.Generator) -> float:
    """Nobody turns by exactly ninety degrees."""
    return angle + float(rng.uniform(-3.0, 3.0))


def stretched(route: Route, seconds: float, speed: float, rng: np.random.Generator) -> Route | None:
    """The route with longer pauses, so that it takes so many seconds; None if it takes longer already."""
    missing = seconds - _seconds(route, speed)
    if missing < 0:
        return None
    rests = [i for i, piece in enumerate(route.pieces) if not (piece.length or piece.turn_right_deg)]
    shares = rng.dirichlet(np.full(len(rests), 2.0))
    pieces = list(route.pieces)
    for i, share in zip(rests, shares, strict=True):
        pieces[i] = pause(pieces[i].seconds + float(share) * missing)
    return Route(route.start, tuple(pieces))


def _seconds(route: Route, speed: float) -> float:
    return float(body_motion(route, speed).times[-1])
