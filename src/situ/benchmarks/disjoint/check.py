"""A second opinion on DISJOINT keys: every answer derived anew from the words and the stored pictures.

Nothing here calls the question engine, the state, the geometry or the wordings that made the keys. The text
is read as a person would, objects are found in the instance masks, and positions come from plain numpy.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.benchmarks.dataset import BUILT_IN_WORDS, QuestionRow
from situ.benchmarks.second_look import compare_annotations, gap_m, mask_shares, names_in, visibility_rule
from situ.recording import Recording

_KINDS: tuple[tuple[str, str], ...] = (
    ("side", r"left or (?:to the|on (?:its|the)) right"),
    ("depth", r"in front of .*behind"),
    ("height", r"above.*below"),
    ("reach", r"arm's reach|arm's length|with one arm"),
    ("both", r"outstretched arms|with one hand"),
    ("stack", r"stacked"),
    ("stand", r"on top of"),
    ("larger", r"larger|takes up more room"),
    ("list", r"kinds of objects"),
    ("use", r"purposes|could you do with"),
    ("function", r"function of|in this scene for"),
)
# A wording that names the anchor before the thing.
_ANCHOR_FIRST = r"^(?:From the camera|When the camera|Looking at|Relative to)"
Facts = Mapping[str, Any]


def check_item(recording: Recording, rows: Sequence[QuestionRow]) -> list[str]:
    """What is wrong with an item's annotations and keys; empty if all is well."""
    masks = mask_shares(recording)
    problems = compare_annotations(recording, masks)
    for row in rows:
        frames = [int(frame) for frame in row.program["frames"]]
        facts = {"recording": recording, "masks": masks, "frames": frames, "row": row}
        # Free rewordings were checked against the built-in words; these are what is read here.
        derived = _derive(facts, str(row.strata.get(BUILT_IN_WORDS, row.text)))
        if derived != row.answer:
            problems.append(f"{row.id}: key says '{row.answer}', the pictures say '{derived}': {row.text}")
    return problems


def _derive(facts: Facts, text: str) -> str:
    kind = next((name for name, pattern in _KINDS if re.search(pattern, text)), "")
    if kind == "list":
        return _listed(facts)
    if kind == "use":
        return _use(facts)
    names = names_in(facts["recording"], facts["masks"], text)
    if kind == "function" and len(names) == 1:
        return str(facts["recording"].objects[names[0][1]].attributes.get("use", "(no function)"))
    if len(names) != 2:
        return f"(undecided: the words name {len(names)} objects)"
    if kind in ("side", "depth") and re.search(_ANCHOR_FIRST, text):
        names = names[::-1]
    a, b = (identity for _, identity in names)
    if any({a, b} <= facts["masks"][frame].keys() for frame in facts["frames"]):
        return "(the two objects share a frame)"
    for identity in (a, b):
        if not any(identity in facts["masks"][frame] for frame in facts["frames"]):
            return "(an object is in none of the frames)"
    if kind in ("stack", "stand", "larger"):
        for name, identity in names:
            if not _ever_whole(facts, identity):
                return f"(undecided: no frame shows the {name} from end to end)"
    solvers: dict[str, Callable[[Facts, int, int], str]] = {
        "side": _side,
        "depth": _depth,
        "height": _height,
        "reach": lambda f, x, y: _reach(f, x, y, 0.75),
        "both": lambda f, x, y: _reach(f, x, y, 1.6),
        "stack": lambda f, x, y: _fits(f, x, y, True),
        "stand": lambda f, x, y: _fits(f, x, y, False),
        "larger": lambda f, x, y: _larger(f, x, y, {i: n for n, i in names}),
    }
    return solvers[kind](facts, a, b) if kind in solvers else "(the words were not understood)"


def _ever_whole(facts: Facts, identity: int) -> bool:
    """Whether some given frame shows an object without cutting it off at the border."""
    recording = facts["recording"]
    if not recording.has_ids:
        return True  # published data without masks
    for frame in facts["frames"]:
        mask = recording.ids(frame) == identity
        if mask.any() and not (mask[0].any() or mask[-1].any() or mask[:, 0].any() or mask[:, -1].any()):
            return True
    return False


def _offsets(facts: Facts, a: int, b: int) -> list[NDArray[np.float64]]:
    """A's centre from B's in the axes of the camera, for each given frame that shows B."""
    objects = facts["recording"].objects
    apart = np.asarray(objects[a].box.center) - np.asarray(objects[b].box.center)
    shown = [
        f for f in facts["frames"] if facts["masks"][f].get(b, 0.0) >= visibility_rule(facts["recording"])[1]
    ]
    return [facts["recording"].frames[f].T_world_camera[:3, :3].T @ apart for f in shown]


def _one(words: set[str]) -> str:
    return words.pop() if len(words) == 1 else f"(undecided: {sorted(words)})"


def _side(facts: Facts, a: int, b: int) -> str:
    return _one({"right" if x > 0 else "left" for x, _, _ in _offsets(facts, a, b)})


def _depth(facts: Facts, a: int, b: int) -> str:
    return _one({"behind" if z > 0 else "in front" for _, _, z in _offsets(facts, a, b)})


def _height(facts: Facts, a: int, b: int) -> str:
    return _one({"below" if y > 0 else "above" for _, y, _ in _offsets(facts, a, b)})


def _reach(facts: Facts, a: int, b: int, reach: float) -> str:
    first, second = (facts["recording"].objects[i].box for i in (a, b))
    return "yes" if gap_m(first, second) <= reach else "no"


def _fits(facts: Facts, a: int, b: int, both_flat: bool) -> str:
    upper, lower = (facts["recording"].objects[i] for i in (a, b))
    needed = (upper, lower) if both_flat else (lower,)
    if any(thing.attributes["flat_top"] != "yes" for thing in needed):
        return "no"
    room = np.sort(lower.box.size[:2]) - np.sort(upper.box.size[:2])
    return "yes" if (room >= 0).all() else "no"


def _larger(facts: Facts, a: int, b: int, names: Mapping[int, str]) -> str:
    sizes = {i: np.asarray(facts["recording"].objects[i].box.size) for i in (a, b)}
    by_volume = max(sizes, key=lambda i: float(np.prod(sizes[i])))
    by_length = max(sizes, key=lambda i: float(sizes[i].max()))
    return names[by_volume] if by_volume == by_length else "(undecided: volume and length disagree)"


def _shown(facts: Facts, least: float) -> set[int]:
    return {i for f in facts["frames"] for i, share in facts["masks"][f].items() if share >= least}


def _listed(facts: Facts) -> str:
    clear, unseen = visibility_rule(facts["recording"])
    objects = facts["recording"].objects
    sure, maybe = ({objects[i].category for i in _shown(facts, least)} for least in (clear, unseen))
    return ", ".join(sorted(sure)) if sure == maybe else "(undecided: a kind was only glimpsed)"


def _use(facts: Facts) -> str:
    clear, unseen = visibility_rule(facts["recording"])
    objects = facts["recording"].objects
    sure, maybe = ({objects[i].attributes.get("use") for i in _shown(facts, v)} for v in (clear, unseen))
    fitting = [use for use in facts["row"].options if use in maybe]
    return fitting[0] if len(fitting) == 1 and fitting[0] in sure else f"(undecided: {fitting})"
