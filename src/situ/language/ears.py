"""What a sentence that no frame takes may have asked, heard by a network that was taught how people speak.

The network knows *intents*: each is a sentence with holes that the frames read ("how many {as} are in {p}").
It hears which intent a sentence has and which of its words fill the holes; with these the intent's own
sentence is said again, and the frames read that. So there is one way from words to a program, and what fills
a hole is read by the grammar of noun phrases as always. A word that turns or bounds the meaning must stand in
a hole or be expressed by the intent; else what is heard is at most asked back. `benchmarks/teach_ears.py`
teaches it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from situ.language import lexicon as lx
from situ.language.english import COMMON
from situ.language.filling import Reading, listed_programs
from situ.language.tags import NEXT, TAGS, Floats, spans
from situ.language.times import Window

Json = Any
TIME = "*t"  # stands for a time in words, which is read before
OUTSIDE = "outside"  # the intent of what nothing answers
FOREIGN = "foreign"  # of what is said in another language
SEVERAL = "several"  # of what has more than one question in it
SPECIAL = (OUTSIDE, FOREIGN, SEVERAL)  # intents without a sentence of their own, behind all others
EDIT = "d_"  # intents that begin so edit the question before
HELP = "help"  # the intent of who asks what may be asked
KINDS = ("", "thing", "place", "look", "person")  # what a word names in the memory that is asked
# What is heard less surely is not worth a question back: of what may be no question at all, and of others.
LEAST_ASKED, LEAST_OF_QUESTIONS = 0.2, 0.1
DOUBTED = 0.45  # of what leaves a negator, quantifier, `or`, number or time unexpressed: it is asked back
ASIDE = 0.65  # of what leaves another thing or a clause unexpressed: it is announced
CHOICES = 2
_TELLS_WHERE = "way"  # what is told with the room
_INTENTS = 6  # of a sentence that are tried, the likeliest first
_STARTS = 0.5  # odds from which a word begins another question
_DROPPED = 0.9  # of the share, for each word of a hole that is left out
_MAX_DROPPED = 3
_LEAST_NAME = 3  # letters of a name that nobody has seen
_FIT = 0.35  # the power of how well the holes fit, in how sure a reading is
_CLAUSES = lx.words("if unless until while because simply as")
_BOUNDS = lx.words("besides exactly than times once twice")
_NUMBERS = frozenset(lx.NUMBERS) - {"a", "an", "one"}
_NEGATORS = lx.NOT | lx.words("no none nothing nobody neither nor without")
_TIMES = lx.words(
    "yesterday morning afternoon evening tonight night ago week month monday tuesday wednesday thursday"
    " friday saturday sunday noon midnight lunch breakfast dinner"
)
_LOOSE = (
    (lx.CLOSED - lx.PRONOUNS - lx.words("that this those these")) | COMMON | {","}
)  # words that name no thing, which a hole may lose at its ends
DETERMINERS = lx.ARTICLES | {"a", "an", "any", "some"}
_SPELT = {"colour": "color", "colours": "colors", "coloured": "colored", "metre": "meter", "metres": "meters"}
_SPOKEN_OF = {
    "a": "it",
    "an": "one",
    "as": "of those",
    "a0": "one",
    "b": "it",
    "p": "there",
}  # where none is said


@dataclass(frozen=True)
class Hearing:
    """What was heard: how likely each intent is, and the log odds of each tag for each word."""

    shares: Floats
    tags: Floats


class Ears(Protocol):
    """What hears the words of a sentence. `said` has the sentence that the frames read for each intent;
    `licensed` which words of meaning people say with an intent that does not hold them ("I can't find"), and
    `nouns` what may stand behind an article without being asked about ("the way", "a list")."""

    @property
    def said(self) -> Mapping[str, str]: ...
    @property
    def licensed(self) -> frozenset[tuple[str, str, str]]: ...
    @property
    def nouns(self) -> frozenset[str]: ...
    def hear(self, words: Sequence[str], kinds: Sequence[int]) -> Hearing: ...


@dataclass(frozen=True)
class Heard:
    """An intent that a sentence may have, how likely, the words of its holes, and the reading of its own
    sentence with them; an edit of a dialogue has none."""

    intent: str
    share: float
    reading: Reading | None = None
    holes: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def program(self) -> Json:
        return None if self.reading is None else self.reading.program


@dataclass(frozen=True)
class Listened:
    """All that was heard: the likeliest intents, the parts of what asks several questions, and how likely it
    asks what nothing answers or is of another language."""

    heard: Sequence[Heard] = ()
    parts: Sequence[str] = ()
    outside: float = 0.0
    foreign: float = 0.0


Read = Callable[[list[str]], Reading | None]


def heard_word(word: str) -> str:
    """A word as the ears know it."""
    return _SPELT.get(word, word)


def listen(
    tokens: Sequence[str], times: Mapping[str, Window], kinds: Sequence[int], read: Read, ears: Ears,
    goes_on: bool = False,
) -> Listened:  # fmt: skip
    """What a sentence may ask. One that `goes_on` with a conversation may name what was spoken of by nothing
    at all, and edit the question before."""
    words = [TIME if token in times else heard_word(token) for token in tokens]
    hearing = ears.hear(words, kinds)
    tags = hearing.tags[: len(words)]
    if len(tags) < len(words):  # too long to be heard whole
        return Listened(outside=1.0)
    names = [*ears.said, *SPECIAL]
    share = dict(zip(names, hearing.shares.tolist(), strict=True))
    if not goes_on:
        heard_edits = sum(share[name] for name in names if name.startswith(EDIT))
        share = {
            name: 0.0 if name.startswith(EDIT) else one / max(1.0 - heard_edits, 0.1)
            for name, one in share.items()
        }
    sentence = _Sentence(tokens, words, times, kinds, tags, read, ears, goes_on)
    found: list[Heard] = []
    rest = 1.0 - share[SEVERAL]
    least = min(LEAST_ASKED, max(LEAST_OF_QUESTIONS, 2.0 * share[OUTSIDE]))
    for name in sorted(ears.said, key=lambda name: -share[name])[:_INTENTS]:
        if share[name] < least * rest / 2 or share[name] < share[OUTSIDE] * LEAST_ASKED:
            break
        if (goes_on or not name.startswith(EDIT)) and (one := sentence.said_again(name, share[name])):
            found.append(one)
    parts = _parts([times[token].said if token in times else token for token in tokens], tags)
    parts = parts if share[SEVERAL] > _STARTS else []
    return Listened(_merged(found, least), parts, share[OUTSIDE], share[FOREIGN])


def _parts(tokens: Sequence[str], tags: Floats) -> list[str]:
    """A sentence cut where other questions begin, without the words that join them."""
    starts = [k for k in np.flatnonzero(np.exp(tags[:, TAGS.index(NEXT)]) > _STARTS).tolist() if k]
    found = []
    for start, end in zip([0, *starts], [*starts, len(tokens)], strict=True):
        while start < end and tokens[start] in (",", "and", "or", "but", "then", "also"):
            start += 1
        if end > start:
            found.append(" ".join(tokens[start:end]))
    return found if len(found) > 1 else []


def _merged(found: Sequence[Heard], least: float) -> list[Heard]:
    """Intents that come to the same program are one choice."""
    merged: list[Heard] = []
    for one in found:
        same = (
            None if one.reading is None
            else next((k for k, other in enumerate(merged) if _answers(other.program, one.program)), None)
        )  # fmt: skip
        if same is None:
            merged.append(one)
        else:
            first = merged[same]
            share = min(1.0, first.share + one.share)
            full = one if _asked(one.program) == _TELLS_WHERE else first
            merged[same] = Heard(full.intent, share, full.reading, full.holes)
    merged.sort(key=lambda one: -one.share)
    return merged[:CHOICES] if merged and merged[0].share >= least else []


def _asked(program: Json) -> str:
    return (
        str(program.get("what", "")) if isinstance(program, Mapping) and program.get("ask") == "get" else ""
    )


def _answers(one: Json, other: Json) -> bool:
    """Whether the answer to one question answers another: where a thing is told with its room."""
    where = {_asked(one), _asked(other)} == {_TELLS_WHERE, "place"}
    return bool(one == other or (where and one["of"] == other["of"] and len(one) == len(other) == 3))


@dataclass(frozen=True)
class _Sentence:
    """A sentence as it was heard, to be said again in the words of an intent."""

    tokens: Sequence[str]
    words: Sequence[str]
    times: Mapping[str, Window]
    kinds: Sequence[int]
    tags: Floats
    read: Read
    ears: Ears
    goes_on: bool

    def said_again(self, name: str, share: float) -> Heard | None:
        """The reading of an intent's own sentence with the words of this one in its holes."""
        said = self.ears.said[name].split()
        holes = [part[1:-1] for part in said if part.startswith("{")]
        found = spans(self.tags, [hole[0] for hole in holes], self.goes_on)
        if found is None:
            return None
        where, fit = found
        taken = {k for start, end in where.values() for k in range(start, end)}
        filled = {hole: list(self.tokens[slice(*where[hole[0]])]) for hole in holes if hole[0] in where}
        share = self._expressed(share * fit**_FIT, name, said, taken)
        if name.startswith(EDIT) or name == HELP:
            when = [token for token in self.tokens if token in self.times]
            return Heard(name, share, None, {**filled, "t": when} if when else filled)
        when = [token for k, token in enumerate(self.tokens) if token in self.times and k not in taken]
        for again, dropped in _ways(said, filled):
            if dropped <= _MAX_DROPPED and (reading := self.read([*again, *when])) is not None:
                return Heard(name, share * _DROPPED**dropped, reading, filled)
        if (unknown := self._of_a_stranger(filled, where)) is not None:
            return Heard(name, share, unknown, filled)
        return self._in_each_place(name, said, filled, share, when)

    def _of_a_stranger(
        self, filled: Mapping[str, Sequence[str]], where: Mapping[str, tuple[int, int]]
    ) -> Reading | None:
        """The reading of a question about one thing by a name of which no word is known here."""
        if len(filled) != 1 or not set(filled) <= {"a", "an", "as", "a0"}:
            return None
        (words,), ((start, end),) = filled.values(), where.values()
        named = [word for word in words if word not in DETERMINERS]
        known = any(self.kinds[start:end]) or any(word in lx.CLOSED or not word.isalpha() for word in named)
        short = any(len(word) < _LEAST_NAME for word in named)
        return None if known or short or not named else Reading({}, 1.0, "ears", unknown=(" ".join(named),))

    def _in_each_place(
        self,
        name: str,
        said: Sequence[str],
        filled: Mapping[str, Sequence[str]],
        share: float,
        when: list[str],
    ) -> Heard | None:
        """The same of each of several places: "how many cups are in the kitchen and the office"."""
        places = _listed(filled.get("p", ()))
        readings = []
        for place in places if len(places) > 1 else ():
            again = next(_ways(said, {**filled, "p": place}))[0]
            readings.append(self.read([*again, *when]))
        if not readings or any(one is None or one.unknown for one in readings):
            return None
        found = [one for one in readings if one is not None]
        programs = [program for one in found for program in listed_programs(one.program)]
        return Heard(name, share, replace(found[0], program=programs), filled)

    def _expressed(self, share: float, name: str, said: Sequence[str], taken: set[int]) -> float:
        """The share, less where words of meaning stand outside the holes and the intent does not say them."""
        negative = not _NEGATORS.isdisjoint(said)
        for k, word, after, least in telling(self.words, taken):
            if word in said or (negative and word in _NEGATORS):
                continue
            if (name, word, after) not in self.ears.licensed and ("", word, after) not in self.ears.licensed:
                share = min(share, ASIDE if word == "or" and self._names_nothing(k + 1) else least)
        return min(share, ASIDE) if self._left_out(said, taken) else share

    def _names_nothing(self, start: int) -> bool:
        """Whether the end of a sentence brings no thing and no bound: "moved, or is it me"."""
        end = self.words[start:]
        return not any(self.kinds[start:]) and not any(bounds(one) or one in DETERMINERS for one in end)

    def _left_out(self, said: Sequence[str], taken: set[int]) -> bool:
        """Whether a thing is named outside the holes: what this memory knows by the word, or what stands
        behind an article and is no noun that people say along the way."""
        for k, word in enumerate(self.words):
            if k in taken or word == TIME or word in said or word in self.ears.nouns:
                continue
            behind = k > 0 and k - 1 not in taken and self.words[k - 1] in DETERMINERS
            if self.kinds[k] or (behind and word.isalpha() and word not in lx.CLOSED):
                return True
        return False


def _ways(said: Sequence[str], filled: Mapping[str, Sequence[str]]) -> Iterator[tuple[list[str], int]]:
    """The intent's sentence with its holes filled; then with fewer and fewer words at their ends, of which
    none may have a meaning."""
    for lead, end in ((0, 0), (0, 1), (1, 0), (0, 2), (1, 1), (0, 3), (2, 0)):
        again: list[str] = []
        dropped = 0
        for part in said:
            if not part.startswith("{"):
                again.append(part)
                continue
            words = _put(part[1:-1], filled)
            less = words[min(lead, len(words) - 1) : max(min(lead, len(words) - 1) + 1, len(words) - end)]
            gone = [word for word in words if word not in less]
            if any(bounds(word) or word not in _LOOSE for word in gone):
                less, gone = words, []
            dropped += len(words) - len(less)
            again += less
        if dropped or not lead + end:
            yield again, dropped


def _listed(words: Sequence[str]) -> list[list[str]]:
    """The parts of "the kitchen, the office and the hall"."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word in (",", "and", "or"):
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def _put(hole: str, filled: Mapping[str, Sequence[str]]) -> list[str]:
    """The words of a hole; the sentence of an intent has its own article where the hole wants none."""
    if hole not in filled:
        return _SPOKEN_OF.get(hole, "it").split()
    words = list(filled[hole])
    if hole in ("as", "bs", "a0", "b0"):
        while len(words) > 1 and words[0] in DETERMINERS:
            words = words[1:]
    return words


# ---------------------------------------------------------------------- what must not be left out
def bounds(word: str) -> bool:
    """Whether a word turns or bounds a meaning: a negator, a quantifier, `or`, a number, a time."""
    return (
        word in lx.MEANINGFUL or word in _BOUNDS or word in _NUMBERS or word in _TIMES
        or any(map(str.isdigit, word))
    )  # fmt: skip


def telling(words: Sequence[str], taken: set[int]) -> Iterator[tuple[int, str, str, float]]:
    """The words outside holes that turn or bound a meaning, each with the word behind it and the most that
    what leaves it out may be sure."""
    for k, word in enumerate(words):
        if k in taken or word == TIME:
            continue
        again = word == "and" and words[k + 1 : k + 2] and words[k + 1] in lx.ASKING  # a second question
        more = again and not lx.ASKING.isdisjoint(words[:k])
        if more or bounds(word) or word in _CLAUSES:
            after = "" if k + 1 == len(words) else "*" if k + 1 in taken else words[k + 1]
            yield k, word, after, ASIDE if word in _CLAUSES else DOUBTED
