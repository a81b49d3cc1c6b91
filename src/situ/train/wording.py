"""Wording of narratives for training: the same motion and scene in many phrasings."""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from situ.errors import BadInput
from situ.narrate.motion_words import amount_words, overlap
from situ.narrate.motions import STATIC, Motion
from situ.narrate.scene_words import clear_frames, names_for
from situ.questions.select import with_article
from situ.state.protocol import SpatialState
from situ.train.frames import BARE
from situ.train.rows import PLACEHOLDERS

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
MAX_OBJECTS = 6  # named per scene
_FAR_M, _NEAR_M, _ASIDE_DEG = 4.0, 1.8, 12.0


def camera_sentence(
    motions: Sequence[Motion], steadiness: str, rng: np.random.Generator, metric: bool = True
) -> str:
    """The motions in order, in a random wording; without metres if the scale is unknown."""
    words = [_one(motions[0], rng, metric)]
    for before, motion in pairwise(motions):
        link = " while it " if overlap(before, motion) > 0.5 else str(rng.choice(_LINKS))
        words.append(link + _one(motion, rng, metric))
    how = _STEADY.get(steadiness)
    ending = f", {rng.choice(how)}" if how else ""
    return f"{rng.choice(_SUBJECTS)} {''.join(words)}{ending}."


def scene_sentences(state: SpatialState, frames: Sequence[int], rng: np.random.Generator) -> str:
    """What the frames show: objects, where they first appear in the image, and what enters and leaves."""
    names = names_for(state)
    seen = clear_frames(state, frames)
    views = {view.id: view for view in state.objects()}
    described = sorted(seen, key=lambda i: (seen[i][0], -len(seen[i]), i))[:MAX_OBJECTS]
    if not described:
        return str(rng.choice(list(BARE)))
    sentences = []
    for obj in described:
        heading = state.path.headings[frames[seen[obj][0]]]
        bearing = heading.bearing_deg(views[obj].box.center)
        distance = heading.ground_distance(views[obj].box.center)
        side = (
            "in the middle" if abs(bearing) < _ASIDE_DEG else "on the right" if bearing > 0 else "on the left"
        )
        depth = ", close by" if distance < _NEAR_M else ", far off" if distance > _FAR_M else ""
        verb = "is" if seen[obj][0] == 0 else "comes into view"
        sentences.append(f"{_capital(with_article(names[obj]))} {verb} {side}{depth}.")
    gone = [names[i] for i in described if seen[i][-1] < len(frames) - 1]
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


_FORM = (
    "Put what is there between <scene> and </scene>, and how the camera moves between <camera> and </camera>."
)
NARRATIVE_TEMPLATES = (
    "{video}Tell what this clip shows and how the camera moves in it.",
    "{video}Describe the surroundings first, then the motion of the camera.",
    "{video}You write for someone who cannot see this video. What is where, and how does the view change?",
    "Here is a short video. {video} Give an account of the place and of the camera's path through it.",
    "{video}Write two notes: one on the scene, one on the camera work.",
    "{video}What does the viewer see, and what does the person with the camera do?",
    "{video}Narrate this part of a longer recording: its things, their places, and each move of the camera.",
    "Look at the clip closely. {video} Report the layout and every turn, tilt or step of the camera.",
    "{video}Which things are in view here, and in which order does the camera move, turn or rest?",
    "{video}Summarise the scene; then list the camera's motions from the first to the last.",
    "A wearer of camera glasses recorded this: {video} What is around them, and how did they move?",
    "{video}Explain how the picture comes about: what stands where, and how the camera travels and turns.",
    "{video}Give a spatial description of this clip: its contents and its camera motion, kept apart.",
    "{video}If you had to film this again, what would you set up, and how would you move the camera?",
    "Watch this. {video} Then describe the room or place and the camera's behaviour.",
    "{video}State what enters and leaves the view, and what the camera does meanwhile.",
    "{video}Describe the clip as a film script would: the set, then the camera directions.",
    "{video}A blind colleague asks about this clip. Tell them what is there and how the view moved.",
    "{video}Name the objects with their positions; separately, the camera movements with their directions.",
    "Study the frames in order. {video} What do they show, and what motion of the camera connects them?",
    "{video}Make a record of this segment for a map maker: landmarks seen, and how the observer moved.",
    "{video}What can be seen, and is the camera still, panning, tilting, rolling, or travelling?",
    "{video}Describe both the visible world and the movement of the observer, without mixing the two.",
    "{video}Put this segment into words so that its layout and its camera path could be drawn from them.",
    "The following is one segment of a tour. {video} Narrate the scene and the camera.",
    "{video}How would a careful annotator label this clip? Cover the scene and the camera motion.",
    "{video}Recount what this camera saw and how it got from the first frame to the last.",
    "{video}Note the things around and the way the camera is handled: direction, amount, speed, steadiness.",
)
_TAG = re.compile(r"\{([^{}]*)\}")


def filled(template: str) -> str:
    """Prompt from a template, with the placeholder in place and the answer format at the end."""
    tags = _TAG.findall(template)
    unknown = [tag for tag in tags if tag not in PLACEHOLDERS]
    if unknown:
        known = ", ".join(f"{{{tag}}}" for tag in PLACEHOLDERS)
        raise BadInput(f"unknown template tag '{{{unknown[0]}}}' in {template[:60]!r}; known are {known}")
    if tags != ["video"]:
        raise BadInput(f"a narrative template holds the tag {{video}} once, got {template[:60]!r}")
    return f"{_TAG.sub(lambda match: PLACEHOLDERS[match[1]], template)}\n{_FORM}"


def read_templates(path: Path) -> tuple[str, ...]:
    """Templates from a file, one per line; each is validated."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    templates = tuple(line.strip() for line in lines if line.strip())
    if not templates:
        raise BadInput(f"{path} holds no template; write one prompt per line")
    for template in templates:
        filled(template)
    return templates
