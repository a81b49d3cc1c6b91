"""What the ears of `situ ask` are taught on: many ways in which people say each thing that a frame can read.

`ears/*.txt` holds patterns by intent, with holes; `ears/words.txt` what fills them. Patterns, noun phrases,
stories, embeddings and slips are put together by lot, so that the same seed gives the same sentences.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.ask_corpus import wordings
from situ.english import plural
from situ.errors import Unanswerable
from situ.language import tokens
from situ.language.ears import heard_word, telling
from situ.language.times import Clock, windows

FOLDER = Path(__file__).parent / "ears"
OUTSIDE = "outside"
TIME = "*t"  # stands for a time in words, which is read before
HOLES = "abpqrmxg"
_HOLE = re.compile(r"\{(\w+)\}")
_CHOICE = re.compile(r"\(([^()]*)\)")
_MARK = re.compile(r"zq([a-z]+)")
_SAID_AS = {"a": "a", "an": "a", "as": "a", "a0": "a", "b": "b", "bs": "b", "b0": "b"}


@dataclass(frozen=True)
class Pattern:
    """One way to say what an intent asks."""

    intent: str
    text: str
    kind: str = ""  # "~" a clause to embed, "." a fragment
    timed: bool = False
    source: str = "corpus"


@dataclass(frozen=True)
class Row:
    """A sentence's words with the tag of each, and what it asks."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    intent: str
    pattern: Pattern


@cache
def intents() -> dict[str, str]:
    """The sentence that frames read, for each intent."""
    return {name: said for name, _, said, _ in _sections() if said}


def patterns() -> list[Pattern]:
    """All patterns, each hand-written line one of them."""
    return [
        Pattern(name, line.lstrip("~. ").replace("colou?r", "(color)").replace(")?", "|)"),
                line[0] if line[0] in "~." else "", timed)
        for name, timed, _, lines in _sections() for line in lines
    ]  # fmt: skip


def _sections() -> Iterator[tuple[str, bool, str, list[str]]]:
    for path in sorted(FOLDER.glob("*.txt")):
        if path.stem == "words":
            continue
        name, timed, said, lines = "", False, "", list[str]()
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("["):
                if name:
                    yield name, timed, said, lines
                head, said = (part.strip() for part in line[1:].split("]"))
                name, timed, lines = head.split(" ")[0], "+t" in head, []
            elif line and not line.startswith("#"):
                lines.append(line)
        yield name, timed, said, lines


@cache
def clock() -> Clock:
    """A day in which the wearer left each place once."""
    names = {place.removeprefix("the ") for place in words()["place"]}
    return Clock(0.0, 90_000.0, lambda name: 500.0 if name.removeprefix("the ") in names else None)


@cache
def words() -> Mapping[str, list[str]]:
    found, name = dict[str, list[str]](), ""
    for line in (FOLDER / "words.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif line and not line.startswith("#"):
            found[name] = [one.strip() for one in line.split(",")]
    return found


# ---------------------------------------------------------------------- the files of wordings
# What the sections of `ask_*.txt` ask, as intents; the first is taught, the others are right as well.
SECTIONS: dict[str, tuple[str, ...]] = {
    "where": ("where",), "far": ("distance",), "side": ("side", "hand"), "toward_back": ("behind_me",),
    "toward_front": ("front_me",), "toward_left": ("left_me",), "near": ("near",), "far_off": ("far_off",),
    "reach": ("reach",), "closer": ("closer", "compare_more"), "apart": ("apart",),
    "nearest": ("closest_one", "most_one", "exists_near"), "related": ("where", "is_rel"),
    "room_thing": ("room_of",), "all": ("list_all",), "around_back": ("around_back",),
    "around_front": ("around_front",), "around_left": ("around_left",), "around_right": ("around_right",),
    "around": ("around", "list_here"), "nearest_thing": ("nearest_thing",), "on": ("list_rel",),
    "beside": ("list_rel",), "is_on": ("is_rel",), "contents": ("list_in",),
    "here": ("list_here", "list_in"), "is_in": ("is_in", "exists_in"), "count_in": ("count_in",),
    "count": ("count",), "count_seen": ("count_seen",), "count_on": ("count_rel",), "more": ("more_of",),
    "exists": ("exists", "have_seen"), "colour": ("colour",), "size": ("size",), "tall": ("height",),
    "larger": ("bigger", "compare_more"), "last_seen": ("last_seen",), "first_seen": ("first_seen",),
    "seen_order": ("seen_order_first",), "in_view": ("in_view",), "has_moved": ("has_moved",),
    "happened": ("happened",), "still": ("still",), "gone": ("gone",), "who_moved": ("who_moved",),
    "when_moved": ("when_moved",), "before": ("came_from",), "from_to": ("from_to",),
    "last_moved": ("last_moved",), "moved": ("moved_list", "i_moved_list"), "taken": ("taken_from",),
    "changed": ("changed",), "changed_in": ("changed_in",), "changed_since": ("changed",),
    "how_long": ("time_in",), "how_often": ("times_in",), "been_to": ("been_to",), "last_in": ("last_in",),
    "where_was_i": ("where_was_i",), "place_before": ("place_before",), "places": ("places",),
    "been_here": ("been_here",), "walked": ("walked",), "where_am_i": ("where_am_i",),
    "way_place": ("way_place",), "way_back_place": ("way_back_place",), "way_back": ("way_back",),
    "where_was": ("where_was",), "seen_since": ("seen_since",), "rooms_with": ("rooms_with",),
    "sit": ("sit_on",), "fit": ("pass_between",), "outside": (OUTSIDE,),
}  # fmt: skip
_RELATED = frozenset({"on", "beside", "is_on", "count_on"})


def wording_patterns(path: Path) -> Iterator[Pattern]:
    """The lines of a file of wordings as patterns."""
    relation = re.compile(rf"\b(?:{'|'.join(sorted(words()['relation'], key=len, reverse=True))}) (?=\{{b)")
    for section, lines in wordings(path).items():
        meant = SECTIONS.get(section)
        for line in lines if meant else ():
            text = _as_pattern(line.lower())
            if section in _RELATED and (text := relation.sub("{r} ", text)).count("{r}") != 1:
                continue
            needs = set(_HOLE.findall(intents().get(meant[0], "")))
            if {_SAID_AS.get(hole, hole) for hole in needs} <= {
                _SAID_AS.get(hole, hole) for hole in _HOLE.findall(text)
            }:
                yield Pattern(meant[0], text, ".", False, path.stem)


def _as_pattern(line: str) -> str:
    """The blanks of a wording as the holes of a pattern, each with its article."""
    line = re.sub(
        r"\((.*?)\)", r"\1", line.replace("{s}", "{b}").replace("{n}", "{a}").replace("{room}", "{p}")
    )
    line = line.replace("{m}", "5").replace("{clock}", "14:20").replace("{t}", "5 minutes ago")
    line = re.sub(r"\b(?:the|my|our|that|this|your) \{(as|bs|a|b)\}", lambda m: f"{{{m[1]}}}|", line)
    line = re.sub(r"\b(?:an?|any|some|another) \{a\}", "{an}", line)
    line = re.sub(r"\{(a|b)\}(?!\|)", r"{\g<1>0}", line).replace("|", "")
    return re.sub(r"\b(?:the|my|our) \{p\}", "{p}", line)


# ---------------------------------------------------------------------- sentences by lot
def chosen(text: str, chance: random.Random) -> str:
    """One of the ways that a pattern stands for."""
    while (found := _CHOICE.search(text)) is not None:
        text = f"{text[: found.start()]}{chance.choice(found[1].split('|'))}{text[found.end() :]}"
    return text


@dataclass
class Sayer:
    """Puts patterns into sentences by lot."""

    chance: random.Random

    def row(self, pattern: Pattern) -> Row | None:
        """One sentence of a pattern; None where nothing is left of it."""
        return next(self.rows(pattern, 1), None)

    def rows(self, pattern: Pattern, fillings: int) -> Iterator[Row]:
        """One way to say a pattern, its holes filled some times."""
        names: dict[str, str] = {}

        def mark(hole: re.Match[str]) -> str:
            name = hole[1]
            if name == "t":
                return "zqt"
            if name in ("v", "V", "T"):
                return self._of({"v": "state", "V": "doing", "T": "topic"}[name])
            kind = _SAID_AS.get(name, name)
            names[kind] = name
            return f"zq{kind}"

        text = self._around(_HOLE.sub(mark, chosen(pattern.text, self.chance)), pattern)
        if pattern.timed and "zqt" not in text and self.chance.random() < 0.2:
            text = f"zqt {text}" if self.chance.random() < 0.25 else f"{text} zqt"
        try:
            text, times = windows(tokens.plain(text), clock())
        except Unanswerable:  # a time that cannot be
            return
        said = tokens.tokens_of(text)
        if sorted(word[2:] for word in said if _MARK.fullmatch(word) and word != "zqt") != sorted(names):
            return  # a time has swallowed what is asked about
        for _ in range(fillings if said else 0):
            found: list[str] = []
            tags: list[str] = []
            for word in self._slipped(list(said)):
                hole = _MARK.fullmatch(word)
                if hole is None or hole[1] == "t":
                    found.append(TIME if hole or word in times else heard_word(word))
                    tags.append("O")
                    continue
                inner = self._filler(names[hole[1]], pattern.intent).split()
                found.extend(inner)
                tags.extend([f"B{hole[1]}", *[f"I{hole[1]}"] * (len(inner) - 1)])
            yield Row(tuple(found), tuple(tags), pattern.intent, pattern)

    def _around(self, text: str, pattern: Pattern) -> str:
        """With what people say before and behind."""
        lot = self.chance.random()
        if pattern.kind == "~":
            embed = self._of("embed")
            return f"{text} {self._of('behind')}" if lot < 0.15 else f"{embed} {text}"
        if pattern.kind == "." or lot < 0.62:
            return text
        if lot < 0.78:
            return f"{self._of('story')}{self.chance.choice((' , ', ' ', ' and ', ' so '))}{text}"
        if lot < 0.90:
            return f"{text}{self.chance.choice((' , ', ' '))}{self._of('behind')}"
        return f"{text} {self.chance.choice((' , ', ' ', ' because ', ' since '))} {self._of('story')}"

    def _filler(self, name: str, intent: str) -> str:
        kinds = {"p": "place", "q": "place", "r": "relation", "m": "more", "x": "most", "g": "said"}
        if name in kinds:
            return self._of(kinds[name])
        plain = intent.endswith(("_rel", "_in", "_like", "_said")) or name.startswith("b") or len(name) == 2
        return self._phrase(name.lstrip("ab") or "the", simple=plain and self.chance.random() < 0.85)

    def _phrase(self, form: str, simple: bool) -> str:
        """A noun phrase: with its article, a look, and what is said of it."""
        chance, noun = self.chance, self._of("noun")
        if chance.random() < 0.06:
            noun = f"{noun} {chance.choice('abcdk')}{chance.randint(1, 400)}"
        several = form == "s" or (form == "the" and chance.random() < 0.2)
        if several:
            noun = plural(noun)
        look = (
            self._of("colour") if chance.random() < 0.2 else self._of("look") if chance.random() < 0.1 else ""
        )
        if form == "the":
            article = chance.choice(("the", "the", "my", "my", "our", "that", "this", "his", "your", ""))
        elif form == "n":
            article = chance.choice(("a", "a", "any", "some", "another", ""))
            noun = plural(noun) if article in ("any", "some") and chance.random() < 0.6 else noun
        else:
            article = ""
        text = " ".join(part for part in (article, look, noun) if part)
        if not simple and chance.random() < 0.2:
            clause = tokens.plain(self._of("clause").replace(TIME, "zqt")).replace("zqt", TIME)
            text = f"{text} {clause}"
        elif not simple and chance.random() < 0.12:
            text = f"{text} {self._of('relation')} the {self._of('noun')}"
        elif not simple and chance.random() < 0.06:
            text = f"{text} in {self._of('place')}"
        elif several and chance.random() < 0.1:
            text = f"{text} {chance.choice(('or', 'and'))} {plural(self._of('noun'))}"
        elif several and chance.random() < 0.06:
            but = chance.choice(("except", "besides", "other than", "but not"))
            text = f"{text} {but} the {self._of('colour')} ones"
        elif form == "n" and chance.random() < 0.1:
            text = f"{text} or a {self._of('noun')}"
        return text

    def _of(self, kind: str) -> str:
        return self.chance.choice(words()[kind])

    def _slipped(self, said: list[str]) -> list[str]:
        """With what gets lost in speech and on keyboards: articles, "is", letters."""
        chance = self.chance
        lot = chance.random()
        if lot < 0.06:
            return [word for word in said if word not in ("is", "are", "am", "do", "does")] or said
        if lot < 0.09 and len(said) > 3:
            k = chance.randrange(len(said))
            if len(said[k]) > 4 and said[k].isalpha() and not said[k].startswith("zq"):
                at = chance.randrange(1, len(said[k]) - 1)
                said[k] = said[k][:at] + said[k][at + 1 :]
        return said


def licences() -> set[tuple[str, str, str]]:
    """Words of meaning that people say with an intent outside its holes, each with the word behind it: "can
    n't find" with where. Those of embeddings ("I don't know …") go with any."""
    chance = random.Random(1)
    found: set[tuple[str, str, str]] = set()
    for pattern in patterns():
        if pattern.intent == OUTSIDE:
            continue
        ways = {chosen(pattern.text, chance) for _ in range(3 + 3 * pattern.text.count("|"))}
        for way in sorted(ways):
            said = tokens.plain(_HOLE.sub("zq", way)).split()
            taken = {k for k, word in enumerate(said) if word == "zq"}
            found |= {(pattern.intent, word, after) for _, word, after in telling(said, taken)}
    for text in [*words()["embed"], *words()["behind"]]:
        said = tokens.plain(text).split()
        found |= {("", word, after) for _, word, after in telling(said, set()) if after}
    return found


def nouns() -> set[str]:
    """What people say along the way without asking about it: "the way", "a list". No names of things."""
    texts = [_HOLE.sub(" ", pattern.text) for pattern in patterns() if pattern.intent != OUTSIDE]
    texts += [text for kind in ("embed", "behind", "story") for text in words()[kind]]
    named = {word for kind in ("noun", "place", "colour") for text in words()[kind] for word in text.split()}
    said = {word for text in texts for word in re.findall(r"[a-z]+", text) if len(word) > 2}
    return said - (
        named - {"thing", "object", "person", "room", "area", "hall", "shop", "clock", "light", "paper"}
    )


def rows(given: Sequence[Pattern], each: int, seed: int, fillings: int = 3) -> Iterator[Row]:
    """Sentences of patterns, by lot: as many of an intent as of another with as many patterns; the longer a
    pattern's list of ways, the more often it is said."""
    sayer = Sayer(random.Random(seed))
    by_intent: dict[str, list[Pattern]] = defaultdict(list)
    for pattern in given:
        by_intent[pattern.intent].append(pattern)
    for intent in sorted(by_intent):
        some = by_intent[intent]
        weights = [min(6.0, 1.0 + 0.5 * pattern.text.count("|")) for pattern in some]
        number = each * 12 if intent == OUTSIDE else round(each * min(2.0, max(0.5, (len(some) / 20) ** 0.5)))
        for pattern in sayer.chance.choices(some, weights, k=max(1, number // fillings)):
            yield from sayer.rows(pattern, fillings)
