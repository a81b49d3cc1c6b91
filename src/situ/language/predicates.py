"""What may follow "is": qualities, places, relations, comparisons, what happened, what things are."""

from dataclasses import replace

from situ.language import lexicon as lx
from situ.language.english import COMMON
from situ.language.lexicon import CLOSED
from situ.language.relations import BARE_SIDES, OPPOSITE, POSTURES, RELATIONS, SIDES
from situ.language.sets import HOLE, Json, closed, either, every, negated, things
from situ.language.spans import Said, Spans
from situ.language.spelling import is_word
from situ.language.words import ATTRIBUTE_OF, IDLE

# Words that are nouns of no thing: what is asked for with them has frames of its own.
_NOUN = lx.words(
    "room rooms place places time times way colour color colours colors kind kinds sort sorts minute"
    " minutes hour hours"
    " second seconds metre metres meter meters left right song name today now far close many much long often"
)
_BOUNDS = (
    (("more", "than"), False), (("over",), False), (("at", "least"), False), (("farther", "than"), False),
    (("less", "than"), True), (("under",), True), (("at", "most"), True), (("within",), True),
    (("up", "to"), True),
)  # fmt: skip
# Bounds of any measure, and the cost of not saying which one: what was guessed is announced.
_OF_ANY_MEASURE, _UNSAID_MEASURE = (("more", "than"), ("at", "least"), ("less", "than"), ("at", "most")), 0.5
_COLOR = ("colour", "color")  # which a memory may call it
_DIMENSIONS = {
    "tall": "height", "high": "height", "wide": "width", "long": "size",
    "in height": "height", "in width": "width",
}  # fmt: skip
_ALIKE = {
    "colour": "color", "color": "color", "room": "place", "place": "place", "kind": "kind", "sort": "kind",
    "type": "kind",
}  # fmt: skip


class Predicates(Spans):
    """What is said of things, as sets without `of`."""

    def said(self, i: int, j: int) -> Said | None:
        """The span as what may follow "is"."""
        return self.once("said", i, j, self._said)

    def participle(self, i: int, j: int) -> Said | None:
        """The span as what happened to things: "moved by me"."""
        raise NotImplementedError

    def _said(self, i: int, j: int) -> Said | None:
        word = self.tokens[i]
        if word in lx.NOT:
            again = any(
                self.tokens[n] in ("and", "but") and self.tokens[n + 1] in lx.NOT for n in range(i, j - 1)
            )
            if again and (both := self._joined(i, j)) is not None:
                return both
            inner = self.said(i + 1, j)
            return inner and replace(inner, set=negated(inner.set))
        if word == "left" and self.at(i + 1) in lx.PREPOSITIONS - {"of", "from"}:  # "left in the lab"
            return self.said(i + 1, j)
        if word in POSTURES or word in (
            "stands",
            "stand",
            "still",
            "over",
            "currently",
            "really",
            "somewhere",
            "anywhere",
            "directly",
            "just",
        ):
            inner = self.said(i + 1, j) if i + 1 < j else None
            if inner is not None:
                return inner
        if word in ("either", "neither", "both"):
            inner = self.said(i + 1, j)
            return inner and (replace(inner, set=negated(inner.set)) if word == "neither" else inner)
        found = [
            self._joined(i, j), self._quality(i, j), self.where(i, j), self._compared(i, j),
            self.participle(i, j), self._timed(i, j), self._nominal(i, j), self._alike(i, j),
        ]  # fmt: skip
        return min((one for one in found if one is not None), key=lambda one: one.cost, default=None)

    def _joined(self, i: int, j: int) -> Said | None:
        best: Said | None = None
        for k in range(i + 1, j - 1):
            word = self.tokens[k]
            if word not in ("or", "and", "nor", ",", "but"):
                continue
            after = k + 1 + (word == "," and self.tokens[k + 1] in ("or", "and", "nor", "but"))
            left, right = self.said(i, k), self.said(after, j)
            left, right = self._sided((i, k), left, right), self._sided((after, j), right, left)
            if left is None or right is None or left.without_kind != right.without_kind:
                continue
            meets = self.tokens[after - 1] in ("and", "but")
            if (
                left.set["op"] == "not" and not meets and self.tokens[after] not in lx.NOT
            ):  # "not red or blue"
                both = negated(either([left.set["of"], right.set]))
            elif meets:
                both = {"op": "and", "of": [left.set, right.set]}
            else:
                both = either([left.set, right.set])
            one = Said(both, left.cost + right.cost + 0.02, left.unknown + right.unknown)
            if best is None or one.cost < best.cost:
                best = one
        return best

    def _sided(self, span: tuple[int, int], own: Said | None, other: Said | None) -> Said | None:
        """ "Left of the lamp or on the right": the other side is that of the lamp too."""
        side = BARE_SIDES.get(self.text(*span))
        if side is None or other is None or other.set["op"] != "rel" or other.set["rel"] != OPPOSITE[side]:
            return own
        return own if other.set["to"] == "me" else Said({**other.set, "rel": side}, other.cost)

    def _quality(self, i: int, j: int) -> Said | None:
        """ "red", "big and red", "colour green"."""
        look = self.lexicon.attribute(self.tokens[j - 1]) if j - i == 2 else None
        if look is not None and self.tokens[i] in (_COLOR if look[0] in _COLOR else look[:1]):
            return Said(things(**{look[0]: look[1]}))
        for said, k, cost in self.adjectives(i, j):
            if k == j and (said["op"] != "things" or "with" in said):
                return Said(said, cost)
        return None

    def where(self, i: int, j: int) -> Said | None:
        """A side, a place, or a relation to other things."""
        for end, meaning in self.longest(SIDES, i, j):
            if end == j and meaning == "outside":
                return self._outside(i, j)
            if end == j:
                return Said(side_of(meaning))
        if self.text(i, j) in ("on the floor", "on the ground"):  # which is no thing
            return Said(negated({"op": "rel", "rel": "on", "to": things()}))
        found: list[Said] = []
        k = i + 1 if self.tokens[i] in ("in", "inside", "at", "from", "of", "into", "to", "within") else i
        from_here = self.tokens[i] == "from" and self.text(k, j) == "here"
        if k > i and k < j and not from_here and (place := self.place(k, j)) is not None:
            found.append(Said({"op": "in", "place": place}))
        if self.tokens[i] in ("between", "in") and (between := self._between(i, j)) is not None:
            found.append(between)
        for end, relation in self.longest(RELATIONS, i, j):
            to = self.phrase(end, j)
            if to is None or to.quantity == "none" or to.set == things():
                continue
            if self.text(end, j) in ("me", "us", "here"):
                continue
            extra = 0.3 if relation == "near" and self.tokens[i] in ("at", "around") else 0.0
            found.append(Said({"op": "rel", "rel": relation, "to": to.set}, to.cost + extra, to.unknown))
            break
        if not found and k > i and (name := self.unknown_place(k, j)):
            found.append(Said({"op": "in", "place": name}, 3.0, (name,)))
        return min(found, key=lambda one: one.cost, default=None)

    def _outside(self, i: int, j: int) -> Said:
        """In the place that is called so, if there is one."""
        name = self.text(i, j)
        if place := self.lexicon.place(name):
            return Said({"op": "in", "place": place})
        return Said({"op": "in", "place": name}, 3.0, (name,))

    def _between(self, i: int, j: int) -> Said | None:
        """ "between the sofa and the door"."""
        k = i + 1 + (self.at(i + 1) == "between")
        if self.tokens[k - 1] != "between" or k >= j:
            return None
        pair = self.phrase(k, j)
        if pair is None or len(pair.parts) != 2:
            return None
        one, other = (part.set for part in pair.parts)
        return Said({"op": "between", "one": one, "other": other}, pair.cost, pair.unknown)

    def place(self, k: int, j: int) -> str | None:
        """The place that a span names."""
        if self.text(k, j) in (
            "here",
            "this room",
            "the room",
            "this place",
            "the same room",
            "the room i am in",
        ):
            return "here"
        if self.text(k, j) in ("there", "that room", "that place"):
            return HOLE
        while k < j and (self.tokens[k] in lx.ARTICLES or self.tokens[k] in ("whole", "entire")):
            k += 1
        if not k < j <= k + 5:
            return None
        if self.lexicon.vocabulary.kinds(self.text(k, j)) and not self.lexicon.vocabulary.is_place(
            self.text(k, j)
        ):
            return None
        return self.lexicon.place(self.text(k, j))

    def unknown_place(self, k: int, j: int) -> str:
        while k < j and self.tokens[k] in lx.ARTICLES:
            k += 1
        name = self.text(k, j)
        if k >= j or not CLOSED.isdisjoint(self.tokens[k:j]):
            return ""
        known = self.lexicon.names_a_place(name)
        return name if known and not {"same", "other", "whole"} & set(self.tokens[k:j]) else ""

    def _compared(self, i: int, j: int) -> Said | None:
        """ "taller than the fridge", "more than 2 metres away", "within 3 m of the sofa", "closest to"
        " the door"."""
        word = self.tokens[i]
        if word == "the":
            return self._compared(i + 1, j) if i + 1 < j and self.tokens[i + 1] in lx.LEAST_OR_MOST else None
        if word in lx.LEAST_OR_MOST:
            by, least = lx.LEAST_OR_MOST[word]
            measure = self._measured(by, i + 1, j) if i + 1 < j else by
            if measure is None:
                return None
            return Said({"op": "top", "by": measure, **({} if least else {"least": False})})
        if word in lx.MORE_OR_LESS:
            by, less = lx.MORE_OR_LESS[word]
            for k in range(i + 1, j - 1):
                if self.tokens[k] != "than":
                    continue
                near = k == i + 1 or (by == "distance" and self.text(i + 1, k) == "away")
                measure = by if near else self._measured(by, i + 1, k)
                than, unknown, cost = self._measure_of(k + 1, j)
                if measure is None or than is None:
                    return None
                found: Json = {"op": "compare", "by": measure, "than": than}
                return Said({**found, "less": True} if less else found, cost, unknown)
            return None
        return self._so_far(i, j)

    def _measured(self, by: str, k: int, j: int) -> Json | str | None:
        """A distance to something: "closer to the door"."""
        if self.tokens[k] in ("to", "from") and by == "distance":
            if self.text(k + 1, j) in ("me", "us", "here"):
                return by
            to = self.phrase(k + 1, j)
            return None if to is None else {"measure": by, "to": to.set}
        if by == "distance" and self.tokens[k] in lx.ARTICLES and (to := self.phrase(k, j)) is not None:
            return {"measure": by, "to": to.set}  # "nearest the sofa"
        return by if self.text(k, j) in ("of all", "of them all", "here", "of them") else None

    def _measure_of(self, k: int, j: int) -> tuple[Json | float | None, tuple[str, ...], float]:
        if j - k == 2 and self.tokens[j - 1] in lx.METRES and (number := self.number(k)) is not None:
            return round(number * lx.METRES[self.tokens[j - 1]], 4), (), 0.0
        to = self.phrase(k, j)
        return (None, (), 0.0) if to is None or to.quantity else (to.set, to.unknown, to.cost)

    def _so_far(self, i: int, j: int) -> Said | None:
        """Metres: "more than 2 metres away", "within 3 m of the sofa", "over 1 m tall"."""
        for words, less in _BOUNDS:
            k = i + len(words)
            if tuple(self.tokens[i:k]) != words or k + 1 >= j or self.tokens[k + 1] not in lx.METRES:
                continue
            number = self.number(k)
            if number is None:
                return None
            metres = round(number * lx.METRES[self.tokens[k + 1]], 4)
            rest = self.text(k + 2, j)
            if not rest and words in (("under",), ("over",)):  # "a ladder under two metres": most likely tall
                return Said(_than("height", metres, less), _UNSAID_MEASURE)
            unsaid = _UNSAID_MEASURE if not rest and words in _OF_ANY_MEASURE else 0.0
            if rest in _DIMENSIONS and words != ("within",):
                return Said(_than(_DIMENSIONS[rest], metres, less))
            if rest in (
                "",
                "away",
                "of me",
                "from me",
                "away from me",
                "off",
                "of here",
                "around me",
                "from here",
            ):
                return Said({"op": "rel", "rel": "near", "to": "me", "m": metres} if words == ("within",)
                            else _than("distance", metres, less), unsaid)  # fmt: skip
            start = k + 2 + (self.at(k + 2) == "away")
            to = self.phrase(start + 1, j) if self.at(start) in ("of", "from", "to") else None
            if to is None:
                return None
            if less:
                return Said({"op": "rel", "rel": "near", "to": to.set, "m": metres}, to.cost, to.unknown)
            return Said(_than({"measure": "distance", "to": to.set}, metres, less), to.cost, to.unknown)
        return None

    def _timed(self, i: int, j: int) -> Said | None:
        """What was so at a time."""
        if j - i < 2 or self.tokens[j - 1] not in self.windows:
            return None
        window, inner = self.windows[self.tokens[j - 1]], self.said(i, j - 1)
        if inner is None or window.at is None:
            return None
        return replace(inner, set={"op": "then", "at": window.at, "of": closed(inner.set)})

    def _nominal(self, i: int, j: int) -> Said | None:
        """ "a cup", "cups", "one of those": what they are."""
        if self.tokens[i] in ("the", "it", "that", "this"):
            return None
        found = self.phrase(i, j)
        if found is None or found.quantity in ("all", "none") or found.unknown or found.set == things():
            return None
        return Said(found.set, found.cost + 0.3, found.unknown, without_kind=True)

    def _alike(self, i: int, j: int) -> Said | None:
        """ "the same colour as the sofa", "in the same room as the cup", "as the kettle"."""
        k = i + (self.tokens[i] in ("on", "in", "of", "at"))
        k += self.at(k) == "the"
        if self.at(k) != "same" or k + 3 >= j + 0:
            return None
        what = _ALIKE.get(self.at(k + 1))
        if what is None or self.at(k + 2) != "as":
            return None
        to = self.phrase(k + 3, j)
        return None if to is None else Said({"op": "same", "as": to.set, "what": what}, to.cost, to.unknown)

    def _is_own_word(self, word: str) -> bool:
        """Whether a word is none of English and no name here: "that nespresso kettle"."""
        known = is_word(word) or word in self.lexicon.vocabulary.words or word in self.windows
        return word.isalpha() and len(word) > 3 and not known and word not in CLOSED

    def adjectives(self, k: int, j: int) -> list[tuple[Json, int, float]]:
        """What the adjectives at the start of a span say, for each place at which they may end."""
        found: list[tuple[Json, int, float]] = []
        said: list[Json] = []
        cost = 0.0
        while k < j:
            word = self.tokens[k]
            negative = word == "non" and k + 1 < j
            attribute = self.lexicon.attribute(self.tokens[k + 1] if negative else word)
            if attribute is None:
                if word in IDLE and word not in ("other", "same"):
                    k += 1
                    found.append((every(said), k, cost))
                    continue
                if word in _SEEN_SO:
                    said.append(side_of(_SEEN_SO[word]))
                    k += 1
                    found.append((every(said), k, cost))
                    continue
                if k + 1 < j and (_idle(word) or self._is_own_word(word)):  # "that strange cup": announced
                    k, cost = k + 1, cost + 0.8
                    found.append((every(said), k, cost))
                    continue
                break
            k += 1 + negative
            one = things(**{attribute[0]: attribute[1]})
            said.append(negated(one) if negative else one)
            while k + 1 < j and self.tokens[k] in ("or", "and", ","):
                after = k + 1 + (self.tokens[k + 1] in ("or", "and"))
                other = self.lexicon.attribute(self.at(after))
                if other is None or after >= j:
                    break
                said[-1] = either([said[-1], things(**{other[0]: other[1]})])
                k = after + 1
            found.append((every(said), k, cost + 0.05 * (said[-1]["op"] == "or")))
        return found


_SEEN_SO = {"visible": "inview", "nearby": "near", "reachable": "reach", "hidden": "not inview"}


def _idle(word: str) -> bool:
    """Whether a word is an adjective of which no memory knows anything."""
    known = word in CLOSED or (word,) in lx.VERBS or word in lx.SIZED or word in lx.MEANINGFUL
    ordered = word in lx.ORDINALS or word in lx.MORE_OR_LESS or word in lx.LEAST_OR_MOST or word in lx.METRES
    return word in COMMON and not known and not ordered and word not in _NOUN and word not in ATTRIBUTE_OF


def _than(by: Json | str, metres: float, less: bool) -> Json:
    return {"op": "compare", "by": by, "than": metres, **({"less": True} if less else {})}


def side_of(meaning: str) -> Json:
    side = meaning.removeprefix("not ")
    if meaning == "here":
        return {"op": "in", "place": "here"}
    if meaning == "there":
        return {"op": "in", "place": HOLE}
    if meaning == "all":
        return {"op": "and", "of": []}
    if meaning == "kept":
        return {"op": "not", "of": {"op": "did", "act": "moved"}}
    found: Json = (
        {"op": "did", "act": "inview"} if side == "inview" else {"op": "rel", "rel": side, "to": "me"}
    )
    return {"op": "not", "of": found} if meaning.startswith("not ") else found
