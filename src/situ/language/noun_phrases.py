"""Noun phrases, read into sets of the algebra of questions.

One grammar for all that fills a hole of a frame: "the second nearest chair that is not brown", "cups or bowls
next to the sink", "everything in the kitchen except the red ones". Every span of a sentence is read once,
each reading has a cost, and the cheapest stands. What is said of things ("in the kitchen", "that I moved") is
a set too, one without `of`, which `meet` puts on the things that it is said of.
"""

from dataclasses import replace

from situ.language import lexicon as lx
from situ.language.lexicon import VERBS
from situ.language.names import Names
from situ.language.relations import POSTURES, RELATIONS, SIDES
from situ.language.sets import HOLE, SET_HOLE, Json, either, lacks_kind, meet, things, with_kind
from situ.language.spans import Phrase

_POINTING = lx.words("those these this that")
_NEVER_FIRST = (
    lx.BE | lx.HAVE | lx.DO | lx.MAY | lx.PREPOSITIONS - {"left", "right", "of"} | lx.NOT | {"and", "or", ","}
)
_NEVER_LAST = (
    lx.ARTICLES - _POINTING - {"her"} | lx.NOT
    | lx.words("on in at by to from of with without for and or nor but neither either")
    | lx.words("than as if when a an every the i we is are was were do does did can no 's ,")
)  # fmt: skip
_IT = Phrase({"op": SET_HOLE, "what": "it"})
_THOSE = Phrase({"op": SET_HOLE, "what": "those"}, plural=True)
_POINTS = {
    **dict.fromkeys(
        ("it", "that", "this", "that one", "this one", "that thing", "this thing", "him", "her"), _IT
    ),
    **dict.fromkeys(("they", "them", "those", "these", "of those", "of them", "of these"), _THOSE),
    **dict.fromkeys(("the two", "the three", "the four", "all three", "the lot"), _THOSE),
}
_BEHIND = (
    lx.words(
        "that which who i we you not n't with labelled labeled called named marked here there but"
        " without , my the"
        " more less within at neither visible reachable hidden untouched in far still of from he she"
        " they straight"
        " ahead out anywhere somewhere a others of color colour"
    )
    | lx.ANYONE | lx.SOME_THING | RELATIONS.keys() | SIDES.keys() | POSTURES
    | {said.split()[0] for said in lx.EXCEPTING}
)  # fmt: skip


class Grammar(Names):
    """The readings of the spans of one sentence."""

    def phrase(self, i: int, j: int) -> Phrase | None:
        """The span as a noun phrase."""
        if i < j and (self.tokens[i] in _NEVER_FIRST or (self.tokens[j - 1] in _NEVER_LAST)):
            return None
        return self.once("phrase", i, j, self._phrase)

    def _phrase(self, i: int, j: int) -> Phrase | None:
        if self.tokens[j - 1] == "only" and j - i > 2 and self.tokens[j - 2] in ("one", "ones"):
            return self.phrase(i, j - 1)  # "bottles, blue ones only"
        found = [self._core(i, j), self._described(i, j), self._coordinated(i, j), self._ordered(i, j)]
        return min((one for one in found if one is not None), key=lambda one: one.cost, default=None)

    def _ordered(self, i: int, j: int) -> Phrase | None:
        """ "The book I moved last": the order is that of what happened."""
        if j - i < 3 or self.tokens[j - 1] not in ("first", "last"):
            return None
        base = self.phrase(i, j - 1)
        act = base.set.get("act") if base is not None and base.set["op"] == "did" else None
        if base is None or act is None:
            return None
        last = self.tokens[j - 1] == "last"
        by = ("last_seen" if last else "first_seen") if act == "seen" else "moved_at"
        top: Json = {"op": "top", "by": by, "of": base.set, **({"least": False} if last else {})}
        return replace(base, set=top, plural=False, parts=())

    def _described(self, i: int, j: int) -> Phrase | None:
        """A noun phrase and what is said of it."""
        best: Phrase | None = None
        for k in range(i + 1, j):
            if not self._may_follow(k):
                continue
            base = self.phrase(i, k)
            said = self.behind(k, j) if base is not None else None
            if base is None or said is None or _called_and_moved(base.set, said.set):
                continue
            cost = base.cost + said.cost + 0.01 * base.said
            if base.joined and any(part.said for part in base.parts):
                cost += 1.0
            if said.verb and (said.verb == "are") != base.plural:
                cost += 0.6
            if said.excepts and not (base.plural or base.quantity):  # of one thing nothing is left out
                cost += 0.6
            of = with_kind(said.set, base.head) if base.head and lacks_kind(said.set) else said.set
            near = base.definite and not base.plural and of.get("rel") == "near" and of.get("to") != "me"
            if near and "m" not in of and "of" not in of:  # "the lamp by the door": the nearest to it
                of = {"op": "top", "by": {"measure": "distance", "to": of["to"]}}
            nearest = near and of["op"] == "top"
            one = replace(
                base, set={**of, "of": base.set} if nearest else _restricted(base.set, of), cost=cost,
                unknown=base.unknown + said.unknown, said=base.said + 1,
                parts=() if base.joined == "or" else tuple(
                    replace(part, set=_restricted(part.set, of), said=part.said + 1) for part in base.parts
                ),
            )  # fmt: skip
            if best is None or one.cost < best.cost:
                best = one
        return best

    def _may_follow(self, k: int) -> bool:
        word = self.tokens[k]
        return (
            word in _BEHIND or word in self.windows or (word,) in VERBS
            or word in lx.KIN or word in lx.MORE_OR_LESS or word in lx.LEAST_OR_MOST
        )  # fmt: skip

    def _coordinated(self, i: int, j: int) -> Phrase | None:
        best: Phrase | None = None
        for k in range(i + 1, j - 1):
            word = self.tokens[k]
            if word not in ("or", "and", ",", "nor"):
                continue
            after = k + 1 + (word == "," and self.tokens[k + 1] in ("or", "and"))
            joined = self.tokens[after - 1] if self.tokens[after - 1] != "," else ""
            left, right = self.phrase(i, k), self.phrase(after, j)
            if right in (_IT, _THOSE) and word == ",":  # "that cup, it is on the desk"
                continue
            if left is None or right is None or (left.quantity == "none") != (right.quantity == "none"):
                continue
            if (same := self._in_other_words(left, right, self.tokens[k:after])) is not None:
                if best is None or same.cost < best.cost:
                    best = same
                continue
            joined = joined or right.joined
            if not joined or (left.joined and left.joined != joined and word != ","):
                joined, extra = joined or "and", 0.2
            else:
                extra = 0.0
            if lacks_kind(right.set) and left.head is not None:
                right = replace(right, set=with_kind(right.set, left.head), head=left.head)
            if lacks_kind(left.set) and right.head is not None:
                left = replace(left, set=with_kind(left.set, right.head), head=right.head)
            extra += 0.6 if right.said and not left.said and left.quantity != "none" else 0.0
            parts = (*(left.parts or (left,)), *(right.parts or (right,)))
            one = Phrase(
                either([left.set, right.set]), left.cost + right.cost + extra + 0.02,
                left.quantity or right.quantity, True, left.head if left.head == right.head else None,
                left.unknown + right.unknown, parts, joined, max(left.said, right.said),
            )  # fmt: skip
            if best is None or one.cost < best.cost:
                best = one
        return best

    def _in_other_words(self, left: Phrase, right: Phrase, joint: list[str]) -> Phrase | None:
        """ "The camera, the silver one": one of those that were named, and no second thing."""
        if joint != [","] or left.joined or left.head is None or not lacks_kind(right.set):
            return None
        of = right.set
        if of["op"] == "top":
            return replace(left, set={**of, "of": left.set}, cost=left.cost + right.cost + 0.01)
        return replace(left, set=meet(left.set, _without_kind(of)), cost=left.cost + right.cost + 0.01)

    def _core(self, i: int, j: int) -> Phrase | None:
        if (whole := _POINTS.get(self.text(i, j))) is not None:
            return whole
        if self.tokens[i] in ("both", "either", "neither") and j - i > 2:
            quantity = "none" if self.tokens[i] == "neither" else ""
            pair = self.phrase(i + 1, j)
            if pair is not None and pair.joined:
                return replace(pair, quantity=quantity or pair.quantity)
        quantity, definite, number, k = self._determiner(i, j)
        if k >= j:
            return None
        if self.tokens[k] in ("other", "another") and k + 1 < j:
            return self._another(k, j, quantity)
        if (most := self._superlative(k, j, number)) is not None:
            return replace(most, quantity="" if quantity != "none" else quantity)
        if k > i and self.tokens[k] in ("those", "them", "these") and k + 1 == j:
            return replace(_THOSE, quantity=quantity)
        found = self._noun(k, j, definite)
        if found is None and (definite or k == i):
            found = self._sized(k, j)
        if found is None or (number is not None and not self.plural_at(j)):
            return None
        found = replace(found, definite=definite)
        if number is not None:  # what is counted out is not what is meant by a name alone
            found = replace(found, cost=found.cost + (0.3 if definite else 3.0))
        return replace(found, quantity=quantity or found.quantity)

    def _sized(self, k: int, j: int) -> Phrase | None:
        """ "The big box": the biggest, where no size of things is known."""
        if self.tokens[k] not in lx.SIZED or k + 1 >= j or self.plural_at(j):
            return None
        by, least = lx.SIZED[self.tokens[k]]
        base = self._noun(k + 1, j, False)
        if base is None or base.plural:
            return None
        top: Json = {"op": "top", "by": by, "of": base.set, **({} if least else {"least": False})}
        return replace(base, set=top, cost=base.cost + 0.2)

    def _another(self, k: int, j: int, quantity: str) -> Phrase | None:
        """ "another cup", "my other shoe": not the likeliest of them."""
        base = self.phrase(k + 1, j)
        if base is None or base.quantity or base.joined or base.head is None or base.head == things():
            return None
        of = {"op": "except", "of": base.set, "but": {"op": "the", "of": base.set}}
        some = "some" if self.tokens[k] == "another" else quantity
        return replace(base, set=of, quantity=some, parts=())

    def _determiner(self, i: int, j: int) -> tuple[str, bool, float | None, int]:
        """How many of what follows are meant, whether it is known which, a number, and where it ends."""
        quantity, definite, number, k = "", False, None, i
        for said in lx.AMOUNTS:
            if self.tokens[k : k + len(said)] == said and k + len(said) < j:
                k += len(said)
                break
        if self.tokens[k] in lx.QUANTIFIERS and k + 1 < j:
            quantity, k = lx.QUANTIFIERS[self.tokens[k]], k + 1
            if self.at(k) == "one" and k + 1 < j and self.at(k + 1) == "of":
                k += 1
        if k > i and self.at(k) == "of":
            k += 1
        while k < j and self.tokens[k] in lx.ARTICLES and (k + 1 < j):
            definite, k = True, k + 1
        for length in (1, 2):
            if k + length < j - 0 and self.at(k + length) == "'s" and k + length + 1 < j:
                definite, k = True, k + length + 1
                break
        counted = self.tokens[k].isdigit() or self.tokens[k] in lx.NUMBERS.keys() - {"one", "a", "an", "half"}
        if k + 1 < j and counted:
            number, k = self.number(k), k + 1
        return quantity, definite, number, k

    def _superlative(self, k: int, j: int, number: float | None) -> Phrase | None:
        """ "nearest chair", "second nearest chair", "three biggest things", "first cup that I moved"."""
        rank: int | None = None
        if self.tokens[k] in lx.ORDINALS and k + 1 < j:
            rank = lx.ORDINALS[self.tokens[k]]
            if self.tokens[k + 1] not in lx.LEAST_OR_MOST:
                return self._numbered(k, j, rank)
            k += 1
        if self.tokens[k] == "last" and k + 1 < j:
            return self._numbered(k, j, -1)
        if self.tokens[k] == "most" and k + 2 < j and self.tokens[k + 1] == "distant":
            by, least, k = "distance", False, k + 2
        elif self.tokens[k] in lx.MORE_OR_LESS and self.tokens[k + 1 : j] == ["one"]:  # "the closer one"
            (by, least), k = lx.MORE_OR_LESS[self.tokens[k]], k + 1
        elif self.tokens[k] in lx.LEAST_OR_MOST:
            (by, least), k = lx.LEAST_OR_MOST[self.tokens[k]], k + 1
        else:
            return None
        if self.at(k) == "of" and k + 2 < j and self.tokens[k + 1] in lx.ARTICLES:  # "… of the boxes"
            k += 2
        if k < j - 1 and number is None and self.number(k) and self.tokens[k] != "one":
            number, k = self.number(k), k + 1
        measure: Json | str = by
        base = self.phrase(k, j) if k < j else Phrase(things(HOLE))
        for cut in range(k + 1, j - 1):
            if self.tokens[cut] == "to" and by == "distance":
                of, to = self.phrase(k, cut), self.phrase(cut + 1, j)
                if of is not None and (to is not None or self.text(cut + 1, j) in ("me", "us", "here")):
                    base = of
                    measure = measure if to is None else {"measure": "distance", "to": to.set}
        if base is None or base.quantity:
            return None
        if base.set == things() and not lx.GENERIC & set(self.tokens[k:j]):
            return None
        top: Json = {"op": "top", "by": measure, "of": base.set}
        if not least:
            top["least"] = False
        if rank is not None:
            top["rank"] = rank
        if number is not None:
            top["n"] = int(number)
        return replace(base, set=top, plural=number is not None, parts=(), joined="")

    def _numbered(self, k: int, j: int, rank: int) -> Phrase | None:
        """ "the first thing I moved": the order is that of what happened; "the second chair" by distance."""
        base = self.phrase(k + 1, j)
        if base is None or base.quantity:
            return None
        act = base.set.get("act") if base.set["op"] == "did" else None
        if act is None and rank in (1, -1):
            return None  # the first of what order
        by = {None: "distance", "seen": "first_seen" if rank > 0 else "last_seen"}.get(act, "moved_at")
        top: Json = {"op": "top", "by": by, "of": base.set}
        if rank < 0:
            top["least"] = False
        elif rank > 1 or act is None:
            top["rank"] = rank
        return replace(
            base, set=top, plural=False, parts=(), joined="", cost=base.cost + (0.3 if act is None else 0)
        )


def _without_kind(of: Json) -> Json:
    """The looks of "the red ones"."""
    return {key: value for key, value in of.items() if key != "kind"} if of["op"] == "things" else of


def _called_and_moved(base: Json, said: Json) -> bool:
    """ "What has Tom moved": who is called so moves things, and is not a thing that is moved."""
    return said["op"] == "did" and base["op"] == "things" and "name" in base.get("with", {})


def _restricted(base: Json, said: Json) -> Json:
    """What is said behind a superlative says among what it chooses: "the biggest thing here"."""
    if base["op"] == "top":
        return {**base, "of": _restricted(base["of"], said)}
    if base["op"] == "or" and any(one["op"] == "top" for one in base["of"]):
        return {**base, "of": [_restricted(one, said) for one in base["of"]]}
    return meet(base, said)
