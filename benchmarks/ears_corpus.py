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
from situ.language import lexicon as lx
from situ.language import tokens
from situ.language.ears import FOREIGN as FOREIGN
from situ.language.ears import KINDS, OUTSIDE, SEVERAL, heard_word, telling
from situ.language.times import Clock, Stay, windows

FOLDER = Path(__file__).parent / "ears"
TIME = "*t"  # stands for a time in words, which is read before
HOLES = "abpqrmxg"
_KNOWN, _LONGEST_NAME = 0.75, 4  # of names, the share that a memory knows, and the words of the longest
_HOLE = re.compile(r"\{(\w+)\}")
_CHOICE = re.compile(r"\(([^()]*)\)")
_MARK = re.compile(r"zq([a-z]+)")
_SAID_AS = {"a": "a", "an": "a", "as": "a", "a0": "a", "b": "b", "bs": "b", "b0": "b"}


@dataclass(frozen=True)
class Pattern:
    """One way to say what an intent asks."""

    intent: str
    text: str
    kind: str = ""  # "~" a clause to embed, "." a fragment, "?" a fragment of a dialogue
    timed: bool = False
    source: str = "corpus"


@dataclass(frozen=True)
class Row:
    """A sentence's words with the tag and the kind of each, and what it asks."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    kinds: tuple[int, ...]
    intent: str
    pattern: Pattern


@cache
def intents() -> dict[str, str]:
    """The sentence that frames read, for each intent."""
    return {name: said for name, _, said, _ in _sections() if said}


@cache
def held(intent: str) -> frozenset[str]:
    """The holes of an intent's own sentence."""
    return frozenset(_SAID_AS.get(hole, hole) for hole in _HOLE.findall(intents().get(intent, "")))


def patterns() -> list[Pattern]:
    """All patterns, each hand-written line one of them."""
    return [
        Pattern(name, line.lstrip("~.? ").replace("colou?r", "color").replace("rooms?", "(room|rooms)")
                .replace(")?", "|)"), line[0] if line[0] in "~.?" else "", timed)
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
    return Clock(0.0, 90_000.0, lambda name: (Stay(500.0, 900.0),) if name in names else ())


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


_NAMED = {"p": "place", "q": "place", "r": "relation", "m": "more", "x": "most", "g": "said", "n": "number"}
_SAID_OF_IT = ("it", "that", "this", "it", "that one", "this one", "them", "those", "these", "that thing")
_MENDS = ("no wait", "i mean", "sorry", "no", "or rather", "wait no", "no sorry i meant", "not that")
_JOINTS = (",", "and", ", and", ", and", "and then", ", then", ", or", "but", ",", "and also")
_ASKS = lx.words("where what which who how when did is are has have can could do does was were")
_MISHEARD = {
    "where": ("wear", "were"), "to": ("two", "too"), "there": ("their",), "here": ("hear",), "see": ("sea",),
    "which": ("witch",), "far": ("fare",), "one": ("won",), "right": ("write",), "seen": ("scene",),
    "whole": ("hole",), "the": ("a", "de"), "is": ("his", "s"), "are": ("our", "is"), "has": ("as", "have"),
    "what": ("wot", "watt"), "how": ("who",), "did": ("do",), "than": ("then",), "by": ("buy",),
}  # fmt: skip


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
        if "a" in names and pattern.kind != "?":
            text = self._mended(text)
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
            for word in self._commas(self._slipped(list(said))):
                hole = _MARK.fullmatch(word)
                if hole is None or hole[1] == "t":
                    found.append(TIME if hole or word in times else heard_word(word))
                    tags.append("O")
                    continue
                inner = self._filler(names[hole[1]], pattern).split()
                found.extend(inner)
                if hole[1] in held(pattern.intent):
                    tags.extend([f"B{hole[1]}", *[f"I{hole[1]}"] * (len(inner) - 1)])
                else:  # said along the way
                    tags.extend("O" * len(inner))
            yield Row(tuple(found), tuple(tags), self._kinds(found), pattern.intent, pattern)

    def _around(self, text: str, pattern: Pattern) -> str:
        """With what people say before and behind."""
        lot = self.chance.random()
        if pattern.kind == "~":
            embed = self._of("embed")
            return f"{text} {self._of('behind')}" if lot < 0.15 else f"{embed} {text}"
        if pattern.kind in (".", "?") or lot < 0.66:
            return text
        if lot < 0.79:
            return f"{self._of('story')}{self.chance.choice((' , ', ' ', ' and ', ' so '))}{text}"
        if lot < 0.91:
            return f"{text}{self.chance.choice((' , ', ' '))}{self._of('behind')}"
        if lot < 0.95:
            return f"{self._of('embed')} {self.chance.choice((',', ''))} {text}"
        return f"{text} {self.chance.choice((' , ', ' ', ' because ', ' since '))} {self._of('story')}"

    def _mended(self, text: str) -> str:
        """What was said wrongly at first: "where is the cup no wait the bowl"."""
        lot = self.chance.random()
        if lot < 0.025:
            return text.replace("zqa", f"{self._phrase('the', True)} {self.chance.choice(_MENDS)} zqa")
        if lot < 0.032:
            return f"{text.replace('zqa', self._phrase('the', True))} zqa i mean"
        if lot < 0.037:
            return f"not {self._phrase('the', True)} , {text}"
        return text

    def _filler(self, name: str, pattern: Pattern) -> str:
        if name == "g" and pattern.intent.startswith("d_") and self.chance.random() < 0.5:
            return self._of("colour")
        if name == "p" and self.chance.random() < 0.04:
            places = [self._of("place") for _ in range(self.chance.choice((2, 2, 3)))]
            return f"{' , '.join(places[:-1])} {self.chance.choice(('and', 'or'))} {places[-1]}"
        if name in _NAMED:
            return self._of(_NAMED[name])
        edits = pattern.intent.startswith("d_")
        if name in ("a", "b") and not edits and self.chance.random() < (0.08 if name == "a" else 0.03):
            return self.chance.choice(_SAID_OF_IT)
        if edits and name in ("a", "an", "as", "a0") and self.chance.random() < 0.45:
            one = "ones" if name == "as" else "one"
            article = self.chance.choice(("the", "the", "a", "")) if name != "a0" else ""
            parts = (article, self._of("colour"), self.chance.choice((one, one, "")))
            return " ".join(part for part in parts if part)
        plain = pattern.intent.endswith(("_rel", "_in", "_like", "_said")) or name.startswith("b")
        simple = (plain or len(name) == 2) and self.chance.random() < 0.7
        return self._phrase(name.lstrip("ab") or "the", simple)

    def _phrase(self, form: str, simple: bool) -> str:
        """A noun phrase: with its article, a look, and what is said of it."""
        chance, noun = self.chance, self._of("noun")
        if chance.random() < 0.05:
            noun = f"{noun} {chance.choice('abcdk')}{chance.randint(1, 400)}"
        several = form == "s" or (form == "the" and chance.random() < 0.15)
        if several:
            noun = plural(noun)
        look = (
            self._of("colour")
            if chance.random() < 0.25
            else self._of("look")
            if chance.random() < 0.1
            else ""
        )
        text = " ".join(part for part in (self._article(form, several), look, noun) if part)
        return text if simple else self._said_more(text, form, several)

    def _article(self, form: str, several: bool) -> str:
        chance = self.chance
        if form == "the":
            owner = chance.choice(
                ("dad's", "mum's", "my sister's", "my housemate's", "grandma's", "the boy's")
            )
            many = ("both", "all the") if several else ("the", "the")
            usual = ("the", "the", "the", "my", "my", "our", "that", "this", "his", "her", "your", "")
            return chance.choice((*usual, owner, *many))
        if form == "n":
            return chance.choice(("a", "a", "any", "some", "another", "", "one"))
        return ""

    def _said_more(self, text: str, form: str, several: bool) -> str:
        """With what people say of a thing before and behind its name."""
        chance, lot = self.chance, self.chance.random()
        if lot < 0.14:
            clause = tokens.plain(self._of("clause").replace(TIME, "zqt")).replace("zqt", TIME)
            return f"{text} {clause}"
        if lot < 0.22:
            return f"{text} {self._of('relation')} the {self._of('noun')}"
        if lot < 0.27:
            return f"{text} in {self._of('place')}"
        if lot < 0.31 and form == "the":
            return f"{text} , the {self._of('colour')} one{'s' if several else ''}"
        if lot < 0.33 and form in ("s", "0", ""):
            return f"{text} , {self._of('colour')} ones only"
        if lot < 0.37 and form in ("the", "0"):
            order = chance.choice(("second", "third", "next", ""))
            noun = " ".join(part for part in (order, self._of("most"), self._of("noun")) if part)
            return f"the {noun}" if form == "the" else noun
        if several:
            if lot < 0.46:
                return f"{text} {chance.choice(('or', 'and'))} {plural(self._of('noun'))}"
            if lot < 0.50:
                but = chance.choice(("except", "besides", "other than", "but not", "not counting", "without"))
                return f"{text} {but} the {self._of('colour')} ones"
            if lot < 0.52:
                return f"{text} , {plural(self._of('noun'))} and {plural(self._of('noun'))}"
        elif lot < 0.42 and form in ("n", "the"):
            article = "a" if form == "n" else "the"
            return f"{text} {chance.choice(('or', 'or', 'and'))} {article} {self._of('noun')}"
        return text

    def _of(self, kind: str) -> str:
        return self.chance.choice(words()[kind])

    def _slipped(self, said: list[str]) -> list[str]:
        """With what gets lost in speech and on keyboards: articles, "is", letters; and what is misheard."""
        chance = self.chance
        lot = chance.random()
        if lot < 0.05:
            return [word for word in said if word not in ("is", "are", "am", "do", "does")] or said
        if lot < 0.08:
            return [word for word in said if word not in ("the", "a", "an", "my")] or said
        k = chance.randrange(len(said))
        if lot < 0.12 and len(said[k]) > 4 and said[k].isalpha() and not said[k].startswith("zq"):
            said[k] = misspelt(said[k], chance)
        elif lot < 0.16:
            heard_as = [k for k, word in enumerate(said) if word in _MISHEARD]
            if heard_as:
                k = chance.choice(heard_as)
                said[k] = chance.choice(_MISHEARD[said[k]])
        elif lot < 0.175:
            said.insert(k, said[k] if not said[k].startswith("zq") else "the")
        return said

    def _kinds(self, said: Sequence[str]) -> tuple[int, ...]:
        """What words name in some memory, which knows most of the names that people use."""
        found = [0] * len(said)
        k = 0
        while k < len(said):
            for end in range(min(len(said), k + _LONGEST_NAME), k, -1):
                kind = names().get(" ".join(said[k:end]))
                if kind is not None:
                    if self.chance.random() < _KNOWN:
                        found[k:end] = [kind] * (end - k)
                    k = end - 1
                    break
            k += 1
        return tuple(found)

    def _commas(self, said: list[str]) -> list[str]:
        """With a comma before what asks, as many write, or without any, as microphones do."""
        lot = self.chance.random()
        if lot < 0.1:
            return [word for word in said if word != ","]
        asks = [k for k, word in enumerate(said) if k > 1 and word in _ASKS and said[k - 1] != ","]
        if lot < 0.3 and asks:
            said.insert(self.chance.choice(asks), ",")
        return said

    def joined(self, first: Row, second: Row) -> Row:
        """Two questions in one sentence; the tag "N" stands where the second begins."""
        joint = self.chance.choice(_JOINTS).split()
        return Row(
            (*first.words, *joint, *second.words),
            (*first.tags, "N", *["O"] * (len(joint) - 1), *second.tags),
            (*first.kinds, *[0] * len(joint), *second.kinds),
            SEVERAL, first.pattern,
        )  # fmt: skip


@cache
def names() -> Mapping[str, int]:
    """What a memory may know words by, with the kind that each is of."""
    found = {
        name: KINDS.index("look") for name in [*words()["colour"], "wooden", "metal", "plastic", "glass"]
    }
    for name in words()["noun"]:
        person = name in lx.KIN or name in lx.PEOPLE
        found[name] = found[plural(name)] = KINDS.index("person" if person else "thing")
    for place in words()["place"]:
        found[place.removeprefix("the ")] = KINDS.index("place")
    return found


def misspelt(word: str, chance: random.Random) -> str:
    """A word with one letter left out, doubled or swapped."""
    at = chance.randrange(1, len(word) - 1)
    return chance.choice(
        (word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:],
         word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :])
    )  # fmt: skip


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
            found |= {(pattern.intent, word, after) for _, word, after, _ in telling(said, taken)}
    for text in [*words()["embed"], *words()["behind"]]:
        said = tokens.plain(text).split()
        found |= {("", word, after) for _, word, after, _ in telling(said, set()) if after}
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
    pattern's list of ways, the more often it is said. Of sentences with two questions there are a tenth."""
    sayer = Sayer(random.Random(seed))
    by_intent: dict[str, list[Pattern]] = defaultdict(list)
    for pattern in given:
        by_intent[pattern.intent].append(pattern)
    single: list[Row] = []
    for intent in sorted(by_intent):
        some = by_intent[intent]
        weights = [min(6.0, 1.0 + 0.5 * pattern.text.count("|")) for pattern in some]
        number = each * 12 if intent == OUTSIDE else round(each * min(2.0, max(0.5, (len(some) / 20) ** 0.5)))
        for pattern in sayer.chance.choices(some, weights, k=max(1, number // fillings)):
            for row in sayer.rows(pattern, fillings):
                single.append(row)
                yield row
    begins = [row for row in single if row.intent != OUTSIDE and row.pattern.kind != "?"]
    follows = [row for row in single if row.intent != OUTSIDE and not row.intent.startswith("d_same")]
    for _ in range(len(single) // 9):
        one = sayer.joined(sayer.chance.choice(begins), sayer.chance.choice(follows))
        yield sayer.joined(one, sayer.chance.choice(follows)) if sayer.chance.random() < 0.25 else one
