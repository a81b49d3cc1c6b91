"""The names of things with their adjectives and codes, read from spans of a sentence."""

from dataclasses import replace

from situ.language import lexicon as lx
from situ.language.english import COMMON
from situ.language.lexicon import CLOSED, CODE, VERBS, singular_head
from situ.language.relative_clauses import Clauses
from situ.language.sets import HOLE, either, meet, things
from situ.language.spans import Phrase
from situ.language.spelling import is_word
from situ.language.words import MASS, TITLES, same_thing, singular

_ANYTHING = lx.SOME_THING | lx.EVERY_THING | {"things"}
_STANDS = lx.words("stand stands stood lie lies rest rests live lives")
# Words that are nouns of no thing: what is asked for with them has frames of its own.
_NOUN = lx.words(
    "room rooms place places time times way colour color colours colors kind kinds sort sorts minute"
    " minutes hour hours"
    " second seconds metre metres meter meters left right song name today now far close many much long often"
    " distance location position bearing range size height width status count total time timestamp direction"
)


class Names(Clauses):
    """The names of things, people and codes."""

    def plural_at(self, j: int) -> bool:
        return singular(self.tokens[j - 1]) != self.tokens[j - 1]

    def _noun(self, k: int, j: int, definite: bool) -> Phrase | None:
        """Adjectives and a name, with its code."""
        if self.tokens[k] in ("object", "item") and k + 1 < j and self.tokens[k + 1] not in lx.PREPOSITIONS:
            k += 1  # "object 'beige basket'"
        found = [self._named(k, j)]
        for attributes, m, cost in self.adjectives(k, j):
            if m == j and definite:
                base: Phrase | None = Phrase(things(HOLE))
            else:
                base = self._named(m, j) if m < j else None
            if base is not None and not (base.unknown and cost > 0.2):
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
                if base is not None and base.head == things() and self.tokens[k] in _ANYTHING:
                    found.append(replace(base, set=meet(base.set, attributes), cost=base.cost + cost))
                elif base is not None and base.head is not None and base.head != things():
                    found.append(replace(base, set=meet(base.set, attributes), cost=base.cost + cost + 0.3))
        return min((one for one in found if one is not None), key=lambda one: one.cost, default=None)

    def _named(self, k: int, j: int) -> Phrase | None:
        """A name alone: of a kind, of anything, of people; with a code; or of what nobody has seen."""
        text = self.text(k, j)
        if j - k == 1:
            word = self.tokens[k]
            if word in _STANDS and (k == 0 or self.tokens[k - 1] not in lx.ARTICLES | {"a", "an"}):
                return None  # "what stands there" names no stand
            if word in lx.GENERIC or word in lx.SOME_THING or word in lx.EVERY_THING:
                quantity = "some" if word in lx.SOME_THING else "all" if word in lx.EVERY_THING else ""
                many = word in ("things", "objects", "items", "obstacles") or quantity == "all"
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
                if self.lexicon.has_people_without_a_role:
                    return self._people(word)
                return Phrase(things(word), 2.0, "", False, things(word), (word,))
        name = self.lexicon.name(text)
        if name is not None:
            kinds = [kind.lower() for kind in name.kinds]
            plural = self.plural_at(j) or singular_head(text) != text or text in MASS
            plural = plural and text not in same_thing(kinds[0])  # "chest of drawers"
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
        if len(parts) > 3 or own or parts[0] in lx.ORDINALS or not _NOUN.isdisjoint(parts):
            return None
        if (
            parts[-1] in lx.NUMBERS
            or parts[-1] in lx.METRES
            or (parts[-1] in COMMON and not (named and COMMON.isdisjoint(parts[:-1])))
        ):
            return None
        if self.lexicon.place(self.text(k, j)) or len(parts[-1]) < 3:
            return None
        *front, last = parts
        if self.lexicon.attribute(last) or self.lexicon.place(last):
            return None
        if self.lexicon.name(last) and not (front and all(map(is_word, front))):  # but a "pill box" is no box
            return None
        if any(
            self.lexicon.name(one) or self.lexicon.attribute(one) or self.lexicon.place(one) for one in front
        ):
            return None
        titled = parts[0] in TITLES  # "Mr Hughes" is no plural
        name = " ".join(parts) if titled else singular(" ".join(parts))
        of = things(name)
        return Phrase(of, 2.0 + len(parts), "", self.plural_at(j) and not titled, of, (name,))
