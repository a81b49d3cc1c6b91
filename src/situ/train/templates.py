"""How a narrative is asked for: prompts of many wordings, so that a model learns the task and not a phrase.

A prompt has one tag, `{video}`, where the video goes. Users may bring their own, one per line.
"""

import re
from pathlib import Path

from situ.errors import BadInput
from situ.train.rows import PLACEHOLDERS

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
    """A prompt from a template: the placeholder in its place, the form of the answer at the end."""
    tags = _TAG.findall(template)
    unknown = [tag for tag in tags if tag not in PLACEHOLDERS]
    if unknown:
        known = ", ".join(f"{{{tag}}}" for tag in PLACEHOLDERS)
        raise BadInput(f"unknown template tag '{{{unknown[0]}}}' in {template[:60]!r}; known are {known}")
    if tags != ["video"]:
        raise BadInput(f"a narrative template holds the tag {{video}} once, got {template[:60]!r}")
    return f"{_TAG.sub(lambda match: PLACEHOLDERS[match[1]], template)}\n{_FORM}"


def read_templates(path: Path) -> tuple[str, ...]:
    """Templates of a file, one per line; every one is tried."""
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
