"""Narratives for training, in words that vary: the same motion and the same scene are told in many ways."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from situ.narrate.motion_words import amount_words, overlap
from situ.narrate.motions import STATIC, Motion
from situ.narrate.scene_words import clear_frames, names_for
from situ.questions.select import with_article
from situ.state.protocol import SpatialState
from situ.train.blank import BARE

_VERBS: dict[str, tuple[str, ...]] = {
    "pan": ("pans {way}", "pans to the {way}", "turns to the {way} in a pan"),
    "tilt": ("tilts {way}", "tilts its view {way}"),
    "roll": ("rolls {way}", "rolls about its axis, {way}"),
    "dolly": ("dollies {way}", "moves {way} in a dolly", "travels straight {way}, a dolly"),
    "truck": ("trucks {way}", "trucks to the {way}", "slides to the {way}, a truck"),
    "pedestal": ("pedestals {way}", "goes straight {way}, a pedestal move"),
    "arc": ("arcs {way} around what it looks at", "arcs around its subject to the {way}"),
    "tracking": ("tracks along a bend to the {way}", "tracks along a curve that bears {way}"),
    STATIC: ("holds still", "is static", "stays static where it is"),
}
_SUBJECTS = ("The camera", "Here the camera", "In this clip the camera")
_LINKS = (", then ", ", and then ", "; next it ")
_STEADY = {
    "perfectly steady": ("perfectly steady", "as if on a tripod"),
    "steady": ("steady", "held steadily"),
    "slightly unsteady": ("slightly unsteady", "with a little shake"),
    "unsteady": ("unsteady", "with clear shake"),
    "shaky": ("shaky", "with strong shake"),
}
MOST_THINGS = 6
_FAR_M, _NEAR_M, _ASIDE_DEG = 4.0, 1.8, 12.0


def camera_sentence(
    motions: Sequence[Motion], steadiness: str, rng: np.random.Generator, metric: bool = True
) -> str:
    """The motions in order, in one of many wordings; no metres are told where they are not known."""
    words = [_one(motions[0], rng, metric)]
    for before, motion in pairwise(motions):
        link = " while it " if overlap(before, motion) > 0.5 else str(rng.choice(_LINKS))
        words.append(link + _one(motion, rng, metric))
    how = _STEADY.get(steadiness)
    ending = f", {rng.choice(how)}" if how else ""
    return f"{rng.choice(_SUBJECTS)} {''.join(words)}{ending}."


def scene_sentences(state: SpatialState, frames: Sequence[int], rng: np.random.Generator) -> str:
    """What the frames show: things, where they first appear in the picture, what comes and goes."""
    names = names_for(state)
    seen = clear_frames(state, frames)
    views = {view.id: view for view in state.objects()}
    told = sorted(seen, key=lambda i: (seen[i][0], -len(seen[i]), i))[:MOST_THINGS]
    if not told:
        return str(rng.choice(list(BARE)))
    sentences = []
    for thing in told:
        heading = state.path.headings[frames[seen[thing][0]]]
        bearing = heading.bearing_deg(views[thing].box.center)
        distance = heading.ground_distance(views[thing].box.center)
        side = (
            "in the middle" if abs(bearing) < _ASIDE_DEG else "on the right" if bearing > 0 else "on the left"
        )
        depth = ", close by" if distance < _NEAR_M else ", far off" if distance > _FAR_M else ""
        verb = "is" if seen[thing][0] == 0 else "comes into view"
        sentences.append(f"{_capital(with_article(names[thing]))} {verb} {side}{depth}.")
    gone = [names[i] for i in told if seen[i][-1] < len(frames) - 1]
    if gone:
        sentences.append(f"Out of view in the end: {', '.join(gone)}.")
    return " ".join(sentences)


def _one(motion: Motion, rng: np.random.Generator, metric: bool) -> str:
    measured = metric or (motion.unit == "degrees" and not motion.travel_m)
    how = {"slow": "slowly ", "fast": "quickly ", "": ""}[motion.speed] if measured else ""
    said = how + str(rng.choice(_VERBS[motion.kind])).format(way=motion.direction)
    return said + (amount_words(motion) if rng.random() < 0.7 and measured else "")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
