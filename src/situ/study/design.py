"""Design of a study, written before the first answer and immutable.

STUDY/study.json        design: question set, condition, texts, and exclusion rule
STUDY/assignment.json   questions of each slot, in order
STUDY/salt              salt for hashes of participant ids; not published
STUDY/answers.sqlite    answers, append-only
"""

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from situ import __version__
from situ.benchmarks.dataset import Dataset, QuestionRow, write_atomically
from situ.errors import BadFormat, BadInput, Refused
from situ.evaluation.benchmark import protocol_of
from situ.evaluation.protocols.base import Protocol
from situ.evaluation.records.frames import FramePolicy
from situ.private_files import make_private_folder, open_new
from situ.text_files import read_text

FORMAT, VERSION = "situ-study", 1
CARD, ASSIGNMENT, SALT, ANSWERS = "study.json", "assignment.json", "salt", "answers.sqlite"
FREE = "free"  # all frames up to the time of the question, with playback controls
SET, POOL = "set", "pool"
SCORED, GOLD, REPEAT, INSTRUCTED = "scored", "gold", "repeat", "instructed"

CONSENT = (
    "You will watch short recordings from a camera that somebody wears, and answer questions about them. "
    "Taking part is voluntary; you can stop at any time by closing this page. We keep your answers, how long "
    "they took, whether this page was visible, the size of your screen and the name of your browser. We do "
    "not keep your name: an id that a recruiting site gives us is stored as a hash, which cannot be undone."
)
INSTRUCTIONS = (
    "Look through the frames as often as you like, then answer. Left, right, ahead and behind are as the "
    "wearer faces at the moment of asking. If the recording does not tell, say so."
)


@dataclass(frozen=True)
class Exclusion:
    """Exclusion rule: a person with at least `flags` flags is excluded.

    Flags: share of correct gold questions below a limit, and again far below it (careless answers at normal
    speed appear only there and in the instructed question); median time below a share of everybody's; the
    same screen position chosen too often; the page hidden too long; the instructed question not followed.
    """

    gold_below: float = 0.8
    gold_far_below: float = 0.5
    fast_below: float = 0.2
    same_place_above: float = 0.6
    hidden_above: float = 0.3
    flags: int = 2


@dataclass(frozen=True)
class Design:
    """A study. `people`: answers per question. `frames`: FREE, or a frame policy of models."""

    name: str
    set: str
    set_hash: str
    protocol: str
    seed: int
    people: int
    per_person: int
    frames: str = FREE
    pool: str = ""
    pool_hash: str = ""
    preset: str = ""
    scratchpad: bool = False
    gold_share: float = 0.05
    repeat_share: float = 0.05
    practice_right: int = 2
    hold_hours: float = 24.0
    consent: str = CONSENT
    instructions: str = INSTRUCTIONS
    note: str = ""
    exclusion: Exclusion = field(default_factory=Exclusion)

    def policy(self) -> FramePolicy:
        return FramePolicy.parse("all" if self.frames == FREE else self.frames)


@dataclass(frozen=True)
class Place:
    """One question in a person's list: its role, origin, and the order of its options.

    For the instructed question, `wanted` is the option that its text asks for.
    """

    role: str
    source: str
    question: str
    order: tuple[int, ...]
    wanted: str = ""


@dataclass(frozen=True)
class Assignment:
    """Questions of each slot (one person fills a slot), and what everybody sees first."""

    slots: tuple[tuple[Place, ...], ...]
    examples: tuple[str, ...] = ()
    practice: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Study:
    """A study on disk, with its questions."""

    folder: Path
    design: Design
    assignment: Assignment
    sets: Mapping[str, Dataset]
    rows: Mapping[tuple[str, str], QuestionRow]

    @property
    def protocol(self) -> Protocol:
        return protocol_of(self.design.protocol)

    def row(self, place: Place) -> QuestionRow:
        return self.rows[place.source, place.question]

    @classmethod
    def open(cls, folder: str | Path) -> "Study":
        folder = Path(folder)
        card = _read(folder / CARD)
        try:
            rule = Exclusion(**card.pop("exclusion"))
            expected = card.pop("assignment_hash")
            known = {k: v for k, v in card.items() if k not in ("format", "version", "situ")}
            design = Design(**known, exclusion=rule)
        except (TypeError, KeyError) as error:
            raise BadFormat(f"{folder / CARD} is not as `situ study make` writes it ({error})") from error
        text = _text(folder / ASSIGNMENT)
        if hashlib.sha256(text.encode()).hexdigest() != expected:
            raise BadFormat(f"{folder / ASSIGNMENT} was changed after the study was made; restore it")
        data = json.loads(text)
        assignment = Assignment(
            tuple(tuple(_place(p) for p in slot) for slot in data["slots"]),
            tuple(data["examples"]),
            tuple(_place(p) for p in data["practice"]),
        )
        sets = {SET: _same(Path(design.set), design.set_hash)}
        sets[POOL] = _same(Path(design.pool), design.pool_hash) if design.pool else sets[SET]
        rows = {(source, row.id): row for source, found in sets.items() for row in found.questions}
        return cls(folder, design, assignment, sets, rows)


def write_study(folder: Path, design: Design, assignment: Assignment) -> None:
    """Write a new study. An existing one raises Refused, because people may have answered it."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(f"{folder} is not empty; choose another --out")
    make_private_folder(folder)
    slots = {"slots": [[asdict(place) for place in slot] for slot in assignment.slots]}
    more = {"examples": assignment.examples, "practice": [asdict(p) for p in assignment.practice]}
    text = json.dumps({**slots, **more}, sort_keys=True) + "\n"
    write_atomically(folder / ASSIGNMENT, text.encode())
    with open_new(folder / SALT) as out:
        out.write(secrets.token_hex(32).encode())
    card = {
        "format": FORMAT,
        "version": VERSION,
        "situ": __version__,
        "assignment_hash": hashlib.sha256(text.encode()).hexdigest(),
        **asdict(design),
    }
    write_atomically(folder / CARD, (json.dumps(card, indent=1) + "\n").encode())


def _read(path: Path) -> dict[str, Any]:
    try:
        card = json.loads(_text(path))
    except ValueError as error:
        raise BadFormat(f"{path} is not JSON ({error})") from error
    if not isinstance(card, dict) or card.get("format") != FORMAT or card.get("version", 0) > VERSION:
        raise BadFormat(f"{path} does not describe a {FORMAT} of version {VERSION} or lower")
    return card


def _text(path: Path) -> str:
    if not path.is_file():
        raise BadInput(f"{path.parent} is no study (no {path.name}). Make one with `situ study make`.")
    return read_text(path)


def _same(folder: Path, wanted: str) -> Dataset:
    found = Dataset.open(folder)
    if found.manifest.get("content_hash", "") != wanted:
        raise BadInput(f"{folder} is not the set that the study was made of; its questions have changed")
    return found


def _place(data: Mapping[str, Any]) -> Place:
    return Place(**{**data, "order": tuple(data["order"])})
