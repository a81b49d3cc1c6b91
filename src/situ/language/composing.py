"""Constituents composed into what a sentence asks: a clause of the table that takes all of them."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from situ.language import lexicon as lx
from situ.language.constituents import Constituent, Cut, explains, table
from situ.language.filling import Reading, filled_match, listed_programs
from situ.language.frames import Frame, Match
from situ.language.naming import noun
from situ.language.noun_phrases import Grammar
from situ.language.sets import SET_HOLE, either, with_kind
from situ.language.spans import Phrase
from situ.language.times import Window

Json = Any
_TURNED = 0.45  # the cost of an order of words that asks otherwise: what is read in it is announced
_NO_QUESTION = lx.words("what which")  # that a more telling word asks for as well
_ACTS = {
    "move": "moved",
    "take": "taken",
    "bring": "brought",
    "hold": "held",
    "see": "seen",
    "put": "moved",
    "lost": "gone",
}
_ASKED = lx.BE | lx.DO | lx.HAVE | lx.words("should must may might shall")
_CAN = lx.words("can could able")
_SHOULD = lx.words("should must shall")
_MODAL = lx.MAY
_LEADS = lx.PREPOSITIONS | {"here"}
_ORDERED = lx.words("put move take bring hold leave")
_DEEDS = lx.words("put see take move bring")
_HANDLED = lx.words("put take bring hold")
_LEADING = frozenset({"to", "there"})
_VALUES = ("set", "place", "said", "who", "more", "no", "time", "stand", "verb", "pair")
_WORDS = ("focus", "mark")  # roles of which a word counts once


@dataclass(frozen=True)
class Clause:
    """What a sentence asks that is made of certain constituents."""

    frame: Frame
    focus: frozenset[str]
    verbs: frozenset[str]
    needs: frozenset[str]
    marks: frozenset[frozenset[str]]
    sets: int
    places: int
    saids: int
    more: int
    who: str
    no: bool
    must_no: bool
    can: bool | None
    modal: bool
    asked: bool | None
    many: bool | None
    joined: bool
    it: bool  # whether "it" may stand in it for what is asked
    bare: bool  # whether no auxiliary may stand in it


@dataclass
class Made:
    """The constituents of a sentence by their roles."""

    parts: Sequence[Constituent]
    tokens: Sequence[str]
    words: dict[str, set[str]] = field(default_factory=dict)
    values: dict[str, list[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.words = {role: {one.value for one in self._all(role)} for role in _WORDS}
        self.values = {role: [one.value for one in self._all(role)] for role in _VALUES}
        telling = self.words["focus"] - _NO_QUESTION
        if telling:
            self.words["focus"] = telling - ({"where"} if len(telling) > 1 else set())
        self.values["place"] = list(dict.fromkeys(self.values["place"]))
        named = [one for one in self.values["set"] if one.set["op"] != SET_HOLE]
        if named:  # "the cup, where is it"
            self.values["set"] = named
        if len(named) == len(self.values["pair"]) == 1 and named[0].head is not None:
            self.values["set"] = [_of_kind(self.values["pair"].pop(), named[0])]

    def _all(self, role: str) -> Iterator[Constituent]:
        return (one for one in self.parts if one.role == role)

    def says(self, words: Container[str]) -> bool:
        """Whether one of some words stands outside asides."""
        asides = {
            k for one in self._all("idle") if one.end - one.start > 2 for k in range(one.start, one.end)
        }
        return any(word in words and k not in asides for k, word in enumerate(self.tokens))

    @property
    def bare_place(self) -> bool:
        """Whether a place is named as a thing is: "what does the kitchen hold"."""
        of = next(self._all("place"), None)
        before = self.tokens[of.start - 1] if of is not None and of.start else ""
        return of is not None and self.tokens[of.start] not in lx.PREPOSITIONS and before not in _LEADS

    @property
    def many(self) -> bool:
        """Whether things are asked for as such: "cups", "a cup"."""
        of = next(self._all("set"))
        named = self.tokens[of.start] in lx.ARTICLES
        return not named and (of.value.plural or of.value.quantity == "some")

    def _opens(self, one: Constituent) -> bool:
        aside = one.role == "idle" and self.tokens[one.start] not in _ASKED
        return one.role not in ("time", "place", "said", "loose") and not aside

    @property
    def plain(self) -> bool:
        """Whether what is asked for stands where English has it: in front, or an auxiliary does."""
        first = next((one for one in self.parts if self._opens(one)), None)
        if first is None:
            return False
        asks = bool(self.words["focus"])
        return (
            first.role == "focus"
            if asks
            else first.role == "idle" or any("want" in verb for verb in self.values["verb"])
        )

    @property
    def auxiliary(self) -> bool:
        return any(self.tokens[one.start] in _ASKED for one in self._all("idle"))

    @property
    def orders(self) -> bool:
        """Whether it tells to do something: "put the cup on the table"."""
        first = next((one for one in self.parts if one.role not in ("loose", "time")), None)
        return (
            first is not None
            and first.role == "verb"
            and not _ORDERED.isdisjoint(first.value)
            and "want" not in first.value
        )

    @property
    def next_to_what_it_asks(self) -> bool:
        """Whether "which" and "how many" stand beside the things that they ask for."""
        parts = [one for one in self.parts if one.role != "loose"]
        for k, one in enumerate(parts):
            if one.role == "focus" and one.value in self.words["focus"] & {"which", "count"}:
                after = parts[k + 1].role if k + 1 < len(parts) else ""
                before = one.value == "count" and any(part.role == "set" for part in parts[:k])
                if after not in ("set", "more") and not before:
                    return False
        return True

    @property
    def asked(self) -> bool:
        """Whether an auxiliary opens it: "do I need the cup" is no wish."""
        mine = self.tokens[0] in lx.MAY and self.tokens[1:2] in (["i"], ["we"])
        return mine or self.tokens[0] in _ASKED


def _of_kind(pair: Phrase, kind: Phrase) -> Phrase:
    """ "Which of the crates, the red one or the blue one": both are crates of those."""
    parts = tuple(replace(one, set=with_kind(one.set, kind.set)) for one in pair.parts)
    return replace(pair, parts=parts, head=kind.head, set=either([one.set for one in parts]))


@cache
def _clauses() -> tuple[Clause, ...]:
    found = []
    for row in table()["clause"]:
        frame = Frame(row["name"], row["program"], 0.0, bool(row.get("now", False)), row.get("then"))
        marks = frozenset(frozenset(one) for one in row.get("marks", [[]]))
        found.append(Clause(
            frame, frozenset(row["focus"]), frozenset(row["verb"]), frozenset(row.get("needs", ())), marks,
            row.get("sets", 0), row.get("places", 0), row.get("saids", 0), row.get("more", 0),
            row.get("who", "me"), bool(row.get("may_no", False)), bool(row.get("must_no", False)),
            row.get("can"), bool(row.get("modal", True)), row.get("asked"), row.get("many"),
            bool(row.get("joined", True)), bool(row.get("it", False)), bool(row.get("bare", False)),
        ))  # fmt: skip
    return tuple(found)


def composed(tokens: list[str], grammar: Grammar, times: Mapping[str, Window]) -> Reading | None:
    """What the constituents of a sentence ask together; None where no clause takes all of them."""
    if not explains(tokens, grammar):
        return None
    for _, parts in Cut(tokens, grammar).ways():
        made = Made(parts, tokens)
        for clause in _clauses():
            holes = _holes(clause, made)
            if holes is None:
                continue
            guessed = _guessed(parts) + (0.0 if made.plain else _TURNED)
            match = Match(clause.frame, holes, tuple(made.values["time"]), 0, guessed)
            reading = filled_match(match, times)
            if reading is not None:
                return _standing(reading, made.values["stand"])
    return None


def _standing(reading: Reading, stands: Sequence[tuple[str, Json]]) -> Reading | None:
    """The same seen by another observer: "from the sofa, where is the lamp"."""
    at = [of for what, of in stands if what == "at"]
    facing = [of for what, of in stands if what == "facing"]
    if not stands:
        return reading
    if len(at) != 1 or len(facing) > 1:
        return None
    looks = {"facing": facing[0]} if facing else {}
    program = [{"stand": at[0], **looks, "do": one} for one in listed_programs(reading.program)]
    return replace(reading, program=program if isinstance(reading.program, list) else program[0])


def _guessed(parts: Sequence[Constituent]) -> float:
    """The cost of what was read in the holes, and of words that nothing needs."""
    named = sum(one.cost - 0.1 for one in parts if one.role in ("set", "said"))
    return max(0.0, named) + 0.1 * sum(one.role == "loose" for one in parts)


def _holes(clause: Clause, made: Made) -> dict[str, Any] | None:
    """What a clause takes of a sentence's constituents; None where it does not take them all."""
    words, values = made.words, made.values
    asked = words["focus"] or {""}
    if not asked <= clause.focus or len(asked) > 1 or not _marked(clause, words["mark"]):
        return None
    meant = [verb & clause.verbs for verb in values["verb"]]
    if not all(meant) or not clause.needs <= frozenset().union(*meant):
        return None
    if not meant and "be" not in clause.verbs and not clause.bare:
        return None
    counts = (len(values["place"]), len(values["said"]), len(values["more"]))
    if (
        values["pair"]
        or counts != (clause.places, clause.saids, clause.more)
        or len(values["no"]) > int(clause.no or clause.must_no)
    ):
        return None
    if not _stands(clause, made):
        return None
    sets = _sets(clause, values["set"])
    if sets is None or (clause.many is not None and clause.many != made.many):
        return None
    holes = _who(clause, values["who"])
    if any("name" in one.set.get("with", {}) for one in sets) and any(_HANDLED & one for one in meant):
        return None  # who is called so puts and takes: nobody is put and taken
    if holes is None:
        return None
    holes |= dict(zip(("set",) if clause.sets == 1 else ("a", "b"), sets, strict=False))
    for role in ("place", "said"):
        if values[role]:
            holes[role] = values[role][0]
    if values["more"]:
        holes["by"] = holes["more"] = values["more"][0]
    if values["no"]:
        holes["no"] = True
    acts = [_ACTS[verb] for one in meant for verb in sorted(one) if verb in _ACTS]
    if acts:
        holes["act"] = _act(acts[0], made)
    return holes


def _marked(clause: Clause, marks: set[str]) -> bool:
    """Whether a clause takes words that turn what is asked; of these some only lead to a place."""
    return marks in clause.marks or marks - _LEADING in clause.marks


def _act(act: str, made: Made) -> str:
    if act == "held" and any(word in ("did", "have", "had", "has") for word in made.tokens):
        return "moved"  # what was in hands, was moved by them
    return "inview" if act == "seen" and made.says(_CAN) else act


def _stands(clause: Clause, made: Made) -> bool:
    """Whether a sentence's auxiliaries and the order of its words go with a clause."""
    no = bool(made.values["no"])
    if (clause.must_no and not no) or (clause.bare and (made.auxiliary or made.values["who"])):
        return False
    if clause.can is not None and clause.can != made.says(_CAN):
        return False
    if not clause.modal and made.says(_MODAL):
        return False
    if clause.asked is not None and clause.asked != made.asked:
        return False
    asks = bool(made.words["focus"] or clause.more)
    if made.orders or (not asks and (made.says(_SHOULD) or made.parts[0].role == "said")):
        return False
    if made.bare_place and not all(_DEEDS.isdisjoint(verb) for verb in made.values["verb"]):
        return False
    return made.next_to_what_it_asks


def _sets(clause: Clause, sets: Sequence[Phrase]) -> list[Phrase] | None:
    wanted = clause.sets
    if clause.it and not wanted and all(one.set["op"] == SET_HOLE for one in sets):
        return []
    if not clause.joined and any(one.joined for one in sets):
        return None
    if wanted == 2 and len(sets) == 1 and len(sets[0].parts) == 2:
        return [replace(one, words=one.words or noun(one.set)) for one in sets[0].parts]
    return list(sets) if len(sets) == wanted else None


def _who(clause: Clause, said: Sequence[str]) -> dict[str, Any] | None:
    """Whose doing it is, where the clause takes that."""
    other = {one for one in said if one != "me"}
    if clause.who == "required" and (not said or other):
        return None
    if clause.who in ("me", "optional", "required"):
        return None if other else {}
    if clause.who == "both":
        return {} if len(set(said)) == 2 else None
    if clause.who == "any":
        return {}
    if len(set(said)) > 1:
        return None
    return {"who": said[0]} if said else {}
