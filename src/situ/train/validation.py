"""Validation of a training set before training: errors, and content that would teach the wrong thing."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from situ.narrate.narrative import TAGS
from situ.train.chat import tokens_for
from situ.train.data_recipe import MAX_SHARE
from situ.train.families import QWEN25, Family
from situ.train.frames import BARE, decoded, is_blank, too_blank
from situ.train.recipe import TrainRecipe
from situ.train.rows import FROM_SET, KINDS, PLACEHOLDERS, SHOWN, TrainingRow, read_manifest, read_rows
from situ.train.vision import grid_of, tokens_of

CHARACTERS_PER_TOKEN = 3.2  # of English in a Qwen tokenizer, a conservative estimate
LETTER_SHARE = 0.6  # a letter that is correct more often gives the answer away
FEW = 40  # examples below which shares are not judged
_CAMERA_WORDS = re.compile(
    r"\b(?:pans|panning|tilts|tilting|doll(?:y|ies)|trucks|pedestals?|camera|zooms?)\b", re.IGNORECASE
)
_OPTION = re.compile(r"^([A-F])\. (.+)$", re.MULTILINE)
_MARKUP = re.compile(r"</?([a-z_]+)>")


@dataclass(frozen=True)
class Problem:
    """A problem: the broken `rule`, and the example or set (`where`)."""

    rule: str
    where: str
    what: str


class FrameState(NamedTuple):
    """Size of a frame as text, and whether it is blank."""

    size: str
    blank: bool = False


def check_training_set(
    folder: Path,
    recipe: TrainRecipe,
    test_worlds: Collection[str] = (),
    tokenizer: Any = None,
    family: Family = QWEN25,
) -> list[Problem]:
    """All problems of a set at the recipe's tokens, frame rate and resolution.

    Tokens are counted with a tokenizer, and estimated without one.
    """
    manifest = read_manifest(folder)
    rows = list(read_rows(folder))
    problems: list[Problem] = []
    seen_frames: dict[str, FrameState] = {}
    for row in rows:
        problems += [Problem(rule, row.id, what) for rule, what in _row_problems(row)]
        problems += [Problem(rule, row.id, what) for rule, what in _frame_problems(folder, row, seen_frames)]
        problems += [Problem(rule, row.id, what) for rule, what in _key_problems(row, recipe.fps)]
        problems += [Problem(rule, row.id, what) for rule, what in _blank_problems(row, seen_frames)]
        count = count_tokens(row, recipe, tokenizer, family)
        if count > recipe.max_tokens:
            what = f"{count} tokens at {recipe.max_pixels} pixels a frame, {recipe.max_tokens} are allowed"
            problems.append(Problem("token budget", row.id, what))
    forbidden = {*test_worlds, *manifest.get("excluded_worlds", ())}
    problems += [
        Problem("test world", row.id, f"shows the world {row.world[:12]} of a test set")
        for row in rows
        if row.world in forbidden
    ]
    return [*problems, *_set_problems(rows, manifest)]


def count_tokens(
    row: TrainingRow, recipe: TrainRecipe, tokenizer: Any = None, family: Family = QWEN25
) -> int:
    """Tokens of an example as the recipe shows it, with videos thinned to its frame rate."""
    shown = [(m.at_most(recipe.fps), m) for m in row.media]
    grids = [grid_of(len(some.frames), m.width, m.height, recipe.max_pixels, family) for some, m in shown]
    if tokenizer is not None and not _placeholder_problem(row):
        return len(tokens_for(row, grids, tokenizer, family, recipe.fps).ids)
    words = len(row.prompt) + len(row.answer)
    return sum(tokens_of(grid) + 2 for grid in grids) + round(words / CHARACTERS_PER_TOKEN) + 12


def _row_problems(row: TrainingRow) -> Iterator[tuple[str, str]]:
    if row.kind not in KINDS:
        yield "kind", f"unknown kind '{row.kind}'; known are {', '.join(KINDS)}"
    if not row.answer.strip():
        yield "empty answer", "there is nothing to learn"
    if what := _placeholder_problem(row):
        yield "placeholders", what
    for medium in row.media:
        if medium.kind == "video" and len(medium.frames) < 2:
            yield "one-frame video", "a video needs two frames; make it an image"
        if medium.kind == "video" and not medium.fps > 0:
            yield "frame rate", f"a video needs its frames per second, got {medium.fps:g}"
        if medium.kind == "image" and len(medium.frames) != 1:
            yield "image frames", f"an image is one picture, got {len(medium.frames)}"
    if row.kind == "narrative":
        yield from _narrative_problems(row.answer)
    elif row.answer != row.letter or f"\n{row.letter}. " not in row.prompt:
        yield "letter", f"the answer '{row.answer[:20]}' is not one of the options offered"


def _narrative_problems(answer: str) -> Iterator[tuple[str, str]]:
    unknown = sorted(set(_MARKUP.findall(answer)) - set(TAGS))
    if unknown:
        yield "tags", f"unknown tag <{unknown[0]}>; known are {', '.join(f'<{tag}>' for tag in TAGS)}"
    for tag in TAGS:
        if answer.count(f"<{tag}>") != 1 or answer.count(f"</{tag}>") != 1:
            yield "tags", f"<{tag}> must be opened and closed once"
    scene = answer.partition("</scene>")[0]
    if found := _CAMERA_WORDS.search(scene):
        yield "camera in scene", f"the scene part speaks of the camera: '{found[0]}'"


def _placeholder_problem(row: TrainingRow) -> str:
    found = re.findall("|".join(PLACEHOLDERS.values()), row.prompt)
    wanted = [PLACEHOLDERS.get(medium.kind, "?") for medium in row.media]
    return "" if found == wanted else f"the prompt has {found}, the media are {wanted}"


def _key_problems(row: TrainingRow, fps: float) -> Iterator[tuple[str, str]]:
    """Whether the key follows from the frames shown at the recipe's rate.

    Every object in question must be visible in one of them, and a requested order must be their order in
    them.
    """
    if row.kind == "narrative" or FROM_SET in row.about:
        return
    proof = row.about.get(SHOWN)
    if not isinstance(proof, dict) or not proof:
        yield "key not shown", "it does not say which frames show what it asks about"
        return
    order = [name for medium in row.media for name in medium.at_most(fps).frames]
    first = {
        obj: min((order.index(name) for name in names if name in order), default=-1)
        for obj, names in proof.items()
    }
    for obj, place in first.items():
        if place < 0:
            yield "key not shown", f"no frame that is shown shows the {obj}"
    options = dict(_OPTION.findall(row.prompt))
    key = [part.strip() for part in options.get(row.letter, "").split(",")]
    if len(key) > 1 and set(key) == set(first) and sorted(key, key=first.__getitem__) != key:
        yield "key not shown", f"the frames shown have another order than '{', '.join(key)}'"


def _blank_problems(row: TrainingRow, seen: dict[str, FrameState]) -> Iterator[tuple[str, str]]:
    """Problems of a clip of a bare wall, which shows no camera motion."""
    for medium in row.media:
        blank = [name in seen and seen[name].blank for name in medium.frames]
        if medium.kind == "video" and too_blank(blank):
            yield "blank clip", f"{sum(blank)} of {len(medium.frames)} frames show nothing but a bare surface"
    if row.kind == "narrative" and any(words in row.answer for words in BARE):
        yield "blank clip", "its scene names no object"


def _frame_problems(folder: Path, row: TrainingRow, seen: dict[str, FrameState]) -> Iterator[tuple[str, str]]:
    """Files that are missing, unreadable or of another size; each file is read once."""
    for medium in row.media:
        for name in medium.frames:
            if name not in seen:
                seen[name] = _frame_state(folder / name)
            state = seen[name].size
            if state != f"{medium.width}x{medium.height}":
                rule = "missing frame" if state == "missing" else "frame"
                yield rule, f"{name} is {state}, {medium.width}x{medium.height} is stated"
                break


def _frame_state(path: Path) -> FrameState:
    if not path.is_file():
        return FrameState("missing")
    picture = decoded(path.read_bytes())
    if picture is None:
        return FrameState("no readable picture")
    return FrameState(f"{picture.shape[1]}x{picture.shape[0]}", is_blank(picture))


def _set_problems(rows: Sequence[TrainingRow], manifest: dict[str, Any]) -> Iterator[Problem]:
    if manifest.get("rows") != len(rows):
        yield Problem("manifest", "set", f"says {manifest.get('rows')} examples, there are {len(rows)}")
    yield from _twice(rows, "example id", lambda row: row.id)
    yield from _twice(rows, "same example", _content)
    motions = Counter(name for row in rows for name in row.motions)
    for name, count in motions.items():
        share = count / motions.total()
        if motions.total() >= FEW and share > MAX_SHARE:
            yield Problem("motion balance", "set", f"'{name}' is {share:.0%} of all motions described")
    by_options: dict[int, Counter[str]] = {}
    for row in rows:
        if row.letter:
            options = len(re.findall(r"^[A-F]\. ", row.prompt, re.MULTILINE))
            by_options.setdefault(options, Counter())[row.letter] += 1
    for options, letters in by_options.items():
        letter, count = letters.most_common(1)[0]
        if letters.total() >= FEW and count > max(LETTER_SHARE, 1.5 / options) * letters.total():
            yield Problem("letter balance", "set", f"'{letter}' is right in {count / letters.total():.0%}")


def _twice(rows: Sequence[TrainingRow], rule: str, key: Callable[[TrainingRow], str]) -> Iterator[Problem]:
    for value, count in Counter(key(row) for row in rows).items():
        if count > 1:
            yield Problem(rule, value[:40], f"occurs {count} times")


def _content(row: TrainingRow) -> str:
    media = "|".join(name for medium in row.media for name in medium.frames)
    return hashlib.sha256(f"{row.prompt}|{row.answer}|{media}".encode()).hexdigest()
