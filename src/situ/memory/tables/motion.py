"""How objects of a kind move: fixed (a fridge), portable (a cup) or an agent (a person, a pet, a robot).

The name gives a prior, the stream teaches the rest: for each label, how often objects that go by it have left
their place, and for how long they were watched.
"""

import tomllib
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options import MemoryOptions
from situ.memory.options.tracking import BELIEF, LEARNING
from situ.memory.tables.rates import Rates
from situ.memory.tables.tracks import SLOTS, add_vote
from situ.memory.tables.vocabulary import LABEL, Words

PORTABLE, FIXED, AGENT = 0, 1, 2  # as they are numbered in a file
NAMES = ("portable", "fixed", "agent")
MOTION = np.dtype(
    [
        ("kind", "u1"),
        (
            "prior_s",
            "f8",
        ),  # seconds that an object stays; 0: as long as portable objects do
        ("moves", "f8"),
        ("watched_s", "f8"),  # object-seconds between two looks
        ("confirmed", "f8"),  # first detections under this name that were borne out by a second look, or not
        ("refuted", "f8"),
        ("walks", "f8"),  # steps of objects under this name that moved on in view
        ("kept", "f8"),  # what lay in or on objects under this name and went along when they were moved,
        ("spilled", "f8"),  # or stayed behind
        ("called", "f8"),  # detections of objects that go by this name,
        ("aliases", "i4", SLOTS),  # and other names that these bore, with how often
        ("alias_weights", "f8", SLOTS),
    ]
)


@cache
def _lexicon() -> dict[str, frozenset[str]]:
    table = tomllib.loads(files(__package__).joinpath("lexicon.toml").read_text("utf-8"))
    return {name: frozenset(words.split()) for name, words in table.items()}


def kind_of(label: str) -> int:
    """What a name says of how an object moves, see lexicon.toml: the noun counts, which comes last."""
    words, lexicon = label.lower().replace("-", " ").replace("_", " ").split(), _lexicon()
    if not words or not lexicon["likenesses"].isdisjoint(words[:-1]):
        return PORTABLE
    noun = words[-1]
    if noun == "machine" and words[0] in lexicon["fixed_machines"]:
        return FIXED
    if words[0] == "robot":
        return AGENT
    for form in (noun, noun.removesuffix("s"), noun.removesuffix("es")):
        if form in lexicon["agents"]:
            return AGENT
        if form in lexicon["fixed"]:
            return FIXED
    return PORTABLE


class Motion:
    """One row for each label, by its number."""

    def __init__(self, options: MemoryOptions) -> None:
        self._stay_s = {PORTABLE: 0.0, FIXED: options.fixed_stay_s, AGENT: options.agent_stay_s}
        self.table: NDArray[np.void] = np.zeros(16, MOTION)
        self._known = 1  # number 0 is no label

    def cover(self, words: Words) -> None:
        """Rows for labels that are heard for the first time."""
        count = words.count(LABEL)
        while count > len(self.table):
            self.table = np.concatenate([self.table, np.zeros(len(self.table), MOTION)])
        for label in range(self._known, count):
            kind = kind_of(words.text(LABEL, label))
            self.table[label]["kind"], self.table[label]["prior_s"] = kind, self._stay_s[kind]
        self._known = count

    def to_bytes(self) -> bytes:
        return self.table[: self._known].tobytes()

    def restore(self, data: bytes) -> None:
        self.table = np.frombuffer(data, MOTION).copy()
        self._known = len(self.table)


@njit(cache=True)
def p_called(motion: NDArray[np.void], usual: float, name: int, word: int, but: float = 0.0) -> float:
    """How likely an object that goes by a name is called so, or by another word: as often as objects of that
    name have been, `but` for so many times, and as any are misread in this stream."""
    kind, weight = motion[name], BELIEF.usual_weight
    if name == word:
        others = kind.alias_weights.sum()
        same: float = 1.0 - (others + weight * usual) / (kind.called + weight)
        return max(same, 0.5)
    heard = 0.0
    for k in range(SLOTS):
        if kind.aliases[k] == word:
            heard = kind.alias_weights[k]
    other: float = max(heard - but, 0.0) / (kind.called + weight)
    return max(other, usual)


@njit(cache=True)
def count_called(motion: NDArray[np.void], name: int, word: int) -> None:
    """An object that goes by a name was called so, or by another name."""
    kind = motion[name]
    kind.called = kind.called * LEARNING.fade + 1.0
    kind.alias_weights[:] *= LEARNING.fade
    if name != word:
        add_vote(kind.aliases, kind.alias_weights, word, 1.0)


@njit(cache=True)
def hazard_of(motion: NDArray[np.void], rates: NDArray[np.void], label: int) -> float:
    """Moves for each second of an object that goes by a label: what was seen, and one move as a prior."""
    kind = motion[label]
    stay_s = kind.prior_s if kind.prior_s > 0.0 else rates[0].watched_s / rates[0].moves
    moves_per_s: float = (kind.moves + 1.0) / (kind.watched_s + stay_s)
    return moves_per_s


@njit(cache=True)
def watch(motion: NDArray[np.void], rates: NDArray[np.void], label: int, seconds: float) -> None:
    """An object that goes by a label was looked at again after a time."""
    kind = motion[label]
    kind.watched_s += seconds
    if kind.kind == PORTABLE:
        rates[0].watched_s += seconds


def count_move(motion: Motion, rates: Rates, label: int, moves: float = 1.0) -> None:
    """An object has left its place, or turns out not to have."""
    row = motion.table[label]
    row["moves"] = max(0.0, float(row["moves"]) + moves)
    if row["kind"] == PORTABLE:
        rates[0]["moves"] = max(LEARNING.least_moves, float(rates[0]["moves"]) + moves)
