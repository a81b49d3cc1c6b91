"""What a sentence that no frame takes may have asked, heard by a network that was taught how people speak.

Ears know *intents*: each is a sentence with holes that the frames read ("how many {as} are in {p}"). They
hear which intent a sentence has and which of its words fill the holes; with these the intent's own sentence
is said again, and the frames read that. So there is one way from words to a program, and what fills a hole
is read by the grammar of noun phrases as always. A word that turns or bounds the meaning must stand in a
hole or be expressed by the intent; else what is heard is at most asked back. `benchmarks/teach_ears.py`
teaches them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from situ.language import lexicon as lx
from situ.language.filling import Reading
from situ.language.times import Window

Json = Any
Floats = NDArray[np.float32]
TIME = "*t"  # stands for a time in words, which is read before
OUTSIDE = "outside"  # the intent of what nothing answers
HOLES = "abpqrmxg"  # two things, two places, a relation, a comparative, a superlative, what is said
TAGS = ("O", *(f"{edge}{hole}" for hole in HOLES for edge in "BI"))
LEAST_ASKED = 0.3  # what is heard less surely is not worth a question back
MOST_DOUBTED = 0.65  # of what leaves a word of meaning unexpressed: it is asked back
CHOICES = 2
_TRIED = 6  # intents of a sentence, the likeliest first
_SAYS_MORE = lx.words("if unless until while besides because exactly simply than as times")
_NUMBERS = frozenset(lx.NUMBERS) - {"a", "an"}
_NEGATORS = lx.NOT | lx.words("no none nothing nobody neither nor without")
DETERMINERS = lx.ARTICLES | {"a", "an", "any", "some"}
_SPELT = {"colour": "color", "colours": "colors", "coloured": "colored", "metre": "meter", "metres": "meters"}


@dataclass(frozen=True)
class Hearing:
    """What was heard: how likely each intent is, and the log odds of each tag for each word."""

    shares: Floats
    tags: Floats


class Ears(Protocol):
    """What hears the words of a sentence. `said` has the sentence that the frames read for each intent;
    `licensed` which words of meaning people say with an intent that does not hold them ("I can't find"), and
    `nouns` what may stand behind an article without being asked about ("the way", "a list")."""

    said: Mapping[str, str]
    licensed: frozenset[tuple[str, str, str]]
    nouns: frozenset[str]

    def hear(self, words: Sequence[str]) -> Hearing: ...


@dataclass(frozen=True)
class Heard:
    """A reading that a sentence may have, and how likely."""

    reading: Reading
    share: float

    @property
    def program(self) -> Json:
        return self.reading.program


Read = Callable[[list[str]], Reading | None]
Names = Callable[[str], bool]  # whether a word names something of a memory


def heard_word(word: str) -> str:
    """A word as the ears know it."""
    return _SPELT.get(word, word)


def heard(
    tokens: Sequence[str], times: Mapping[str, Window], read: Read, ears: Ears, names: Names
) -> list[Heard]:
    """The readings that a sentence may have, the likeliest first; none where it asks what nothing answers."""
    words = [TIME if token in times else heard_word(token) for token in tokens]
    hearing = ears.hear(words)
    tags = hearing.tags[: len(words)]
    if len(tags) < len(words):  # too long to be heard whole
        return []
    found: list[Heard] = []
    intents = [*ears.said, OUTSIDE]
    for k in np.argsort(-hearing.shares)[:_TRIED]:
        name, share = intents[int(k)], float(hearing.shares[k])
        if share < LEAST_ASKED / 3 or (name == OUTSIDE and not found):
            break
        if name == OUTSIDE:
            continue
        one = _said_again(tokens, words, times, ears, name, share, tags, read, names)
        if one is not None:
            found.append(one)
    return _merged(found)


def _merged(found: Sequence[Heard]) -> list[Heard]:
    """Intents that come to the same program are one choice."""
    merged: list[Heard] = []
    for one in found:
        same = next((k for k, other in enumerate(merged) if other.program == one.program), None)
        if same is None:
            merged.append(one)
        else:
            share = min(1.0, merged[same].share + one.share)
            merged[same] = Heard(merged[same].reading, share)
    merged.sort(key=lambda one: -one.share)
    return merged[:CHOICES] if merged and merged[0].share >= LEAST_ASKED else []


def _said_again(
    tokens: Sequence[str], words: Sequence[str], times: Mapping[str, Window], ears: Ears, name: str,
    share: float, tags: Floats, read: Read, names: Names,
) -> Heard | None:  # fmt: skip
    """The reading of an intent's own sentence with the words of this one in its holes."""
    said = ears.said[name].split()
    holes = [part[1:-1] for part in said if part.startswith("{")]
    found = spans(tags, [hole[0] for hole in holes])
    if found is None:
        return None
    where, fit = found
    filled = {hole: list(tokens[slice(*where[hole[0]])]) for hole in holes}
    taken = {k for start, end in where.values() for k in range(start, end)}
    again = [word for part in said for word in (_put(part[1:-1], filled) if part.startswith("{") else [part])]
    again += [token for k, token in enumerate(tokens) if token in times and k not in taken]
    reading = read(again)
    if reading is None or reading.holes:
        return None
    share *= fit
    if not expressed(words, taken, name, said, ears.licensed) or _left_out(words, taken, said, ears, names):
        share = min(share, MOST_DOUBTED)
    return Heard(reading, share)


def _put(hole: str, filled: Mapping[str, Sequence[str]]) -> list[str]:
    """The words of a hole; the sentence of an intent has its own article where the hole wants none."""
    words = list(filled[hole])
    if hole in ("as", "bs", "a0", "b0"):
        while len(words) > 1 and words[0] in DETERMINERS:
            words = words[1:]
    return words


# ---------------------------------------------------------------------- which words fill which hole
def spans(tags: Floats, holes: Sequence[str]) -> tuple[dict[str, tuple[int, int]], float] | None:
    """One span for each hole, the likeliest ones together, and how well they fit what was heard at all: the
    least odds of a word's tag against the likeliest one."""
    best: tuple[float, list[int]] | None = None
    log = tags.tolist()
    for order in permutations(holes):
        way = _best_way(log, order)
        if way is not None and (best is None or way[0] > best[0]):
            best = way
    if best is None:
        return None
    where: dict[str, tuple[int, int]] = {}
    for k, tag in enumerate(best[1]):
        if tag:
            hole = TAGS[tag][1]
            where[hole] = (where.get(hole, (k, k))[0], k + 1)
    worst = min((log[k][tag] - max(log[k]) for k, tag in enumerate(best[1])), default=0.0)
    return where, float(np.exp(worst))


def _best_way(log: Sequence[Sequence[float]], order: Sequence[str]) -> tuple[float, list[int]] | None:
    """The likeliest tags that hold each hole once, in an order (Viterbi). States: outside before the first
    hole, then for each hole its begin, its inside and outside behind it."""
    states = [0]
    for hole in order:
        begin = TAGS.index(f"B{hole}")
        states += [begin, begin + 1, 0]
    low = -1e9
    scores = [low] * len(states)
    back: list[list[int]] = []
    for k, row in enumerate(log):
        after, came = [low] * len(states), [0] * len(states)
        for s, tag in enumerate(states):
            before = _before(s) if k else ()
            source = max(before, key=scores.__getitem__, default=-1)
            start = scores[source] if source >= 0 else 0.0 if not k and s in (0, 1) else low
            after[s], came[s] = start + row[tag], source
        scores = after
        back.append(came)
    last = len(states) - 1
    end = max((0,) if not last else (last, last - 1, last - 2), key=scores.__getitem__)
    if scores[end] <= low / 2:
        return None
    way, at = [], end
    for came in reversed(back):
        way.append(states[at])
        at = came[at]
    return scores[end], way[::-1]


def _before(state: int) -> tuple[int, ...]:
    """Which states may stand before one."""
    kind = state % 3  # 1 begin, 2 inside, 0 outside
    if kind == 2:
        return (state - 1, state)
    if kind == 0:
        return (state,) if not state else (state, state - 1, state - 2)
    return (0,) if state == 1 else (state - 1, state - 2, state - 3)


# ---------------------------------------------------------------------- what must not be left out
def expressed(
    words: Sequence[str],
    taken: set[int],
    name: str,
    said: Sequence[str],
    licensed: frozenset[tuple[str, str, str]],
) -> bool:
    """Whether an intent says all that turns or bounds the meaning outside the holes."""
    negative = any(word in _NEGATORS for word in said)
    for _, word, after in telling(words, taken):
        if word in said or (negative and word in _NEGATORS):
            continue
        if (name, word, after) not in licensed and ("", word, after) not in licensed:
            return False
    return True


def _left_out(words: Sequence[str], taken: set[int], said: Sequence[str], ears: Ears, names: Names) -> bool:
    """Whether a thing is named outside the holes: what this memory knows by the word, or what stands behind
    an article and is no noun that people say along the way."""
    for k, word in enumerate(words):
        if k in taken or word == TIME or word in said or word in ears.nouns:
            continue
        behind = k > 0 and k - 1 not in taken and words[k - 1] in DETERMINERS
        if names(word) or (behind and word.isalpha() and word not in lx.CLOSED):
            return True
    return False


def telling(words: Sequence[str], taken: set[int]) -> Iterator[tuple[int, str, str]]:
    """The words outside holes that turn or bound a meaning, each with the word behind it."""
    for k, word in enumerate(words):
        if k in taken or word == TIME:
            continue
        again = word == "and" and words[k + 1 : k + 2] and words[k + 1] in lx.ASKING  # a second question
        more = again and not lx.ASKING.isdisjoint(words[:k])
        bounds = word in lx.MEANINGFUL or word in _SAYS_MORE or word in _NUMBERS
        if more or bounds or any(map(str.isdigit, word)):
            yield k, word, "" if k + 1 == len(words) else "*" if k + 1 in taken else words[k + 1]
