"""Noun phrases, read into sets of the algebra of questions.

One grammar for all that fills a hole of a frame: "the second nearest chair that is not brown", "cups or bowls
next to the sink", "everything in the kitchen except the red ones". Every span of a sentence is read once,
each reading has a cost, and the cheapest stands. What is said of things ("in the kitchen", "that I moved") is
a set too, one without `of`, which `meet` puts on the things that it is said of.
"""

from dataclasses import replace

from situ.language import lexicon as lx
from situ.language.lexicon import CLOSED, CODE, VERBS, singular_head
from situ.language.predicates import POSTURES, RELATIONS, SIDES
from situ.language.relative_clauses import Clauses
from situ.language.sets import HOLE, SET_HOLE, Json, either, lacks_kind, meet, things, with_kind
from situ.language.spans import Phrase
from situ.language.words import TITLES, same_thing, singular

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
}
_BEHIND = (
    lx.words(
        "that which who i we you not n't with labelled labeled called named marked here there but"
        " without , my the"
        " more less within at neither visible reachable hidden untouched in far still of from he she"
        " they straight"
        " ahead out anywhere somewhere a others of"
    )
    | lx.ANYONE | lx.SOME_THING | RELATIONS.keys() | SIDES.keys() | POSTURES
    | {said.split()[0] for said in lx.EXCEPTING}
)  # fmt: skip
# Words that are nouns of no thing: what is asked for with them has frames of its own.
_NOUN = lx.words(
    "room rooms place places time times way colour color colours colors kind kinds sort sorts minute"
    " minutes hour hours"
    " second seconds metre metres meter meters left right song name today now far close many much long often"
)


class Grammar(Clauses):
    """The readings of the spans of one sentence."""

    def phrase(self, i: int, j: int) -> Phrase | None:
        """The span as a noun phrase."""
        if i < j and (self.tokens[i] in _NEVER_FIRST or (self.tokens[j - 1] in _NEVER_LAST)):
            return None
        return self.once("phrase", i, j, self._phrase)

    def _phrase(self, i: int, j: int) -> Phrase | None:
        found = [self._core(i, j), self._described(i, j), self._coordinated(i, j)]
        return min((one for one in found if one is not None), key=lambda one: one.cost, default=None)

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
            one = replace(
                base, set=_restricted(base.set, of), cost=cost, unknown=base.unknown + said.unknown,
                said=base.said + 1,
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
        if found is None or (number is not None and not self.plural_at(j)):
            return None
        if number is not None:  # what is counted out is not what is meant by a name alone
            found = replace(found, cost=found.cost + 3.0)
        return replace(found, quantity=quantity or found.quantity)

    def _another(self, k: int, j: int, quantity: str) -> Phrase | None:
        """ "another cup", "my other shoe": not the likeliest of them."""
        base = self.phrase(k + 1, j)
        if base is None or base.quantity or base.joined or base.head is None or base.head == things():
            return None
        of = {"op": "except", "of": base.set, "but": {"op": "the", "of": base.set}}
        some = "some" if self.tokens[k] == "another" else quantity
        return replace(base, set=of, quantity=some, parts=())

    def plural_at(self, j: int) -> bool:
        return singular(self.tokens[j - 1]) != self.tokens[j - 1]

    def _determiner(self, i: int, j: int) -> tuple[str, bool, float | None, int]:
        """How many of what follows are meant, whether it is known which, a number, and where it ends."""
        quantity, definite, number, k = "", False, None, i
        if self.tokens[k] in lx.QUANTIFIERS and k + 1 < j:
            quantity, k = lx.QUANTIFIERS[self.tokens[k]], k + 1
            if self.at(k) == "one" and k + 1 < j and self.at(k + 1) == "of":
                k += 1
        if k > i and self.at(k) == "of":
            k += 1
        while k < j and self.tokens[k] in lx.ARTICLES and (k + 1 < j):
            definite, k = True, k + 1
        if self.at(k) in ("pair", "pairs") and self.at(k + 1) == "of" and k + 2 < j:
            k += 2
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

    def _noun(self, k: int, j: int, definite: bool) -> Phrase | None:
        """Adjectives and a name, with its code."""
        found = [self._named(k, j)]
        for attributes, m, cost in self.adjectives(k, j):
            if m == j and definite:
                base: Phrase | None = Phrase(things(HOLE))
            else:
                base = self._named(m, j) if m < j else None
            if base is not None:
                said = (
                    meet(base.set, attributes)
                    if attributes["op"] != "things" or "with" in attributes
                    else base.set
                )
                found.append(replace(base, set=said, cost=base.cost + cost))
        end = j - (self.tokens[j - 1] in ("one", "ones"))
        for m in range(
            max(k + 1, end - 2), end
        ):  # "helmet pink one", as it is heard and by who learnt English late
            for attributes, stop, cost in self.adjectives(m, end):
                base = self._named(k, m) if stop == end and "with" in attributes else None
                if base is not None and base.head is not None and base.head != things():
                    found.append(replace(base, set=meet(base.set, attributes), cost=base.cost + cost + 0.3))
        return min((one for one in found if one is not None), key=lambda one: one.cost, default=None)

    def _named(self, k: int, j: int) -> Phrase | None:
        """A name alone: of a kind, of anything, of people; with a code; or of what nobody has seen."""
        text = self.text(k, j)
        if j - k == 1:
            word = self.tokens[k]
            if word in lx.GENERIC or word in lx.SOME_THING or word in lx.EVERY_THING:
                quantity = "some" if word in lx.SOME_THING else "all" if word in lx.EVERY_THING else ""
                many = word in ("things", "objects", "items") or quantity == "all"
                return Phrase(things(), 0.0, quantity, many, things())
            if word in ("nothing",):
                return Phrase(things(), 0.0, "none", True)
            if word in ("one", "ones"):
                return Phrase(things(HOLE), 0.1, "", word == "ones")
            if (
                word in lx.SOME_BODY
                or singular(word) == "person"
                or word in ("everybody", "everyone", "nobody")
            ):
                return self._people(word)
            if word in lx.KIN and self.lexicon.name(word) is None:
                return self._people(word)
        name = self.lexicon.name(text)
        if name is not None:
            kinds = [kind.lower() for kind in name.kinds]
            plural = (self.plural_at(j) or singular_head(text) != text) and text not in same_thing(
                kinds[0]
            )  # "chest of drawers"
            of = either([things(kind) for kind in kinds])
            return Phrase(of, name.cost, "", plural, of)
        if j - k > 1 and CODE.fullmatch(self.tokens[k]):  # "the c303 crate" is crate C303
            turned = self.lexicon.name(f"{self.text(k + 1, j)} {self.tokens[k]}")
            if turned is not None:
                of = either([things(kind.lower()) for kind in turned.kinds])
                return Phrase(of, turned.cost, "", False, of)
        if (own := self.lexicon.proper(text)) is not None:
            return Phrase(things(**{own[0]: own[1]}))
        if self.tokens[j - 1] not in CLOSED and CODE.fullmatch(self.tokens[j - 1]):
            return self._coded(k, j)
        for cut in range(k + 1, j):  # "the kitchen lamp"
            place = self.lexicon.place(self.text(k, cut))
            thing = self.lexicon.name(self.text(cut, j)) if place else None
            if place and thing is not None:
                base = self._named(cut, j)
                return base and replace(base, set={"op": "in", "place": place, "of": base.set}, said=1)
        return self._stranger(k, j)

    def _people(self, word: str) -> Phrase:
        kinds = [things(kind.lower()) for kind in self.lexicon.people] or [things("person")]
        quantity = "some" if word in lx.SOME_BODY else "none" if word == "nobody" else ""
        return Phrase(either(kinds), 0.0, "all" if word.startswith("every") else quantity, word == "people")

    def _coded(self, k: int, j: int) -> Phrase | None:
        """ "crate c303", "box number 12", "c303"."""
        word = self.tokens[j - 1]
        known = self.lexicon.attribute(word)
        code = known or ("code", word)
        before = j - 1
        if before > k and self.tokens[before - 1] in lx.NUMBERED:
            before -= 1
        if before == k:
            kinds = [
                label for label in sorted(self.lexicon.vocabulary.labels) if word in label.lower().split()
            ]
            if kinds:
                return Phrase(either([things(kind.lower()) for kind in kinds]))
            return Phrase(
                things(**{code[0]: code[1]}), 0.0 if known else 1.0, unknown=() if known else (word,)
            )
        base = self._noun(k, before, False)
        if base is None or base.set["op"] != "things" or base.plural:
            return None
        return replace(base, set=meet(base.set, things(**{code[0]: code[1]})), cost=base.cost + 0.05)

    def _stranger(self, k: int, j: int) -> Phrase | None:
        """A name that nobody has heard: one or two words that are no words of the language's own."""
        parts = self.tokens[k:j]
        named = k > 0 and self.tokens[k - 1] in lx.ARTICLES | {"a", "an"}  # "the lift" is no verb
        own = any(part in CLOSED or not part.isalpha() or ((part,) in VERBS and not named) for part in parts)
        if len(parts) > 2 or own or parts[0] in lx.ORDINALS or not _NOUN.isdisjoint(parts):
            return None
        if self.lexicon.place(self.text(k, j)) or len(parts[-1]) < 3:
            return None
        if any(
            self.lexicon.name(part) or self.lexicon.attribute(part) or self.lexicon.place(part)
            for part in parts
        ):
            return None
        titled = parts[0] in TITLES  # "Mr Hughes" is no plural
        name = " ".join(parts) if titled else singular(" ".join(parts))
        of = things(name)
        return Phrase(of, 2.0 + len(parts), "", self.plural_at(j) and not titled, of, (name,))


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
