"""Clauses about things that are left out of them ("did I move", "were on the table"); what follows nouns."""

from dataclasses import replace

from situ.language import lexicon as lx
from situ.language.lexicon import CODE, VERBS
from situ.language.predicates import Predicates
from situ.language.sets import Json, closed, either, every, lacks_kind, negated, things
from situ.language.spans import Said
from situ.language.times import Window
from situ.language.words import singular

_ADVERBS = lx.words(
    "yet ever already still also somewhere anywhere before away back together recently lately so"
)
_UNDER_WAY = lx.words("up away off down back out with")


_EXCEPT_STARTS = {said.split()[0] for said in lx.EXCEPTING} | {"without"}
_AFTER_COMMA = {"that", "which", "who", "not", "but", "color", "colour"} | {
    said.split()[0] for said in lx.EXCEPTING
}
_NO_PARTICIPLE = lx.words(
    "move take took bring put leave hold use see find go change reach pass have left store park"
)
_STANDS = lx.words("stand stands stood lie lies lay sit sits sat hang hangs hung rest rests")


class Clauses(Predicates):
    """Relative clauses and what else says more of a noun."""

    def gap(self, i: int, j: int) -> Said | None:
        """The span as a clause about things that are left out of it: "did I move", "were on the table"."""
        return self.once("gap", i, j, self._gap)

    def behind(self, i: int, j: int) -> Said | None:
        """The span as what follows a noun: "on the table", "that I moved", "except the red ones"."""
        return self.once("behind", i, j, self._behind)

    def participle(self, i: int, j: int) -> Said | None:
        return self._act(i, j, None, passive=True)

    def _behind(self, i: int, j: int) -> Said | None:
        for said in lx.EXCEPTING:
            parts = said.split()
            if self.tokens[i : i + len(parts)] == parts and i + len(parts) < j:
                but = self.phrase(i + len(parts), j)
                if but is None and (where := self.where(i + len(parts), j)) is not None:
                    return replace(where, set=negated(where.set), excepts=True)
                if but is None:
                    continue
                ones = lacks_kind(but.set) and but.said > 0
                return Said(negated(but.set), but.cost + (0.5 if ones else 0.0), but.unknown, excepts=True)
        word = self.tokens[i]
        if word == "but" and i + 1 < j and self._exhausts(i):
            but = self.phrase(i + 1, j)
            return None if but is None else Said(negated(but.set), but.cost, but.unknown, excepts=True)
        if word == "without":
            but = self.phrase(i + 1, j)
            return None if but is None else Said(negated(but.set), but.cost + 0.2, but.unknown, excepts=True)
        if word == ",":
            return self.behind(i + 1, j) if i + 1 < j and self.tokens[i + 1] in _AFTER_COMMA else None
        if (
            word == "of" and self.tokens[j - 1] in lx.KIN | {"mine", "ours"} and j - i < 4
        ):  # whose it is, is not known: announced
            return Said({"op": "and", "of": []}, 0.5)
        if word == "of" and j - i == 3 and self.tokens[j - 1] in ("color", "colour"):  # "of green colour"
            look = self.lexicon.attribute(self.tokens[i + 1])
            return None if look is None else Said(things(**{look[0]: look[1]}))
        if word in ("color", "colour") and j - i == 2:  # "bottle, colour green"
            return self.said(i, j)
        if word in ("of", "with") and j - i == 3 and self.tokens[i + 1] in ("color", "colour"):
            return self.said(i + 1, j)  # "of colour green"
        if word in ("that", "which", "who"):
            found = self.gap(i + 1, j)
            verb = self.at(i + 1)
            agrees = {"is": "is", "was": "is", "has": "is", "are": "are", "were": "are", "have": "are"}.get(
                verb, ""
            )
            return found and replace(found, verb=agrees)
        if word in ("with", "labelled", "labeled", "called", "named", "marked"):
            return self._labelled(i, j)
        if self.agent(i, j) is not None:
            return self.gap(i, j)
        found = self.said(i, j)
        if found is None or found.without_kind or (found.set["op"] == "things" and word not in lx.NOT):
            return found if found is not None and not found.without_kind and self._generic_before(i) else None
        return replace(found, cost=found.cost + (0.1 if word in lx.NOT else 0.01))

    def _generic_before(self, i: int) -> bool:
        """ "something red": what is said behind a word for anything."""
        return i > 0 and self.tokens[i - 1] in lx.SOME_THING | lx.EVERY_THING | lx.SOME_BODY | {
            "nothing",
            "things",
        }

    def _exhausts(self, i: int) -> bool:
        """ "everything but the cups", "all the chairs but the red ones"."""
        return any(
            word in ("everything", "all", "every", "anything", "nothing", "each") for word in self.tokens[:i]
        )

    def _labelled(self, i: int, j: int) -> Said | None:
        k = i + 1 + (self.at(i + 1) == "the")
        if self.tokens[i] == "with" and self.at(k) not in lx.NUMBERED:
            return None
        k += self.at(k) in lx.NUMBERED
        if k + 1 != j or not CODE.fullmatch(self.tokens[k]):
            return None
        key, value = self.lexicon.attribute(self.tokens[k]) or ("code", self.tokens[k])
        return Said(things(**{key: value}))

    def _gap(self, i: int, j: int) -> Said | None:
        found = [self._clause(i, j), self._clause_but(i, j), self._clauses(i, j), self._clause_that(i, j)]
        return min((one for one in found if one is not None), key=lambda one: one.cost, default=None)

    def _clauses(self, i: int, j: int) -> Said | None:
        """ "is not a bowl and is not a mug": two clauses about the same."""
        for k in range(i + 2, j - 1):
            if self.tokens[k] in ("and", "but") and self.tokens[k + 1] in lx.BE | lx.HAVE | lx.DO:
                left, right = self._clause(i, k), self.gap(k + 1, j)
                if left is not None and right is not None:
                    both = {"op": "and", "of": [closed(left.set), closed(right.set)]}
                    kinds = left.without_kind and right.without_kind
                    return Said(both, left.cost + right.cost + 0.02, left.unknown + right.unknown,
                                without_kind=kinds)  # fmt: skip
        return None

    def _clause_that(self, i: int, j: int) -> Said | None:
        """ "is on the table that is not a bowl": said of what lies there, not of the table."""
        for k in range(i + 2, j - 2):
            if self.tokens[k] == "that" and self.tokens[k + 1] in lx.BE:
                left, right = self._clause(i, k), self.gap(k + 1, j)
                if left is not None and right is not None and right.without_kind:
                    both = {"op": "and", "of": [closed(left.set), closed(right.set)]}
                    return Said(both, left.cost + right.cost - 0.35, left.unknown + right.unknown)
        return None

    def _clause_but(self, i: int, j: int) -> Said | None:
        """ "is on the table besides the lamp": what is left out of what the clause is about."""
        for k in range(i + 1, j - 1):
            if self.tokens[k] not in _EXCEPT_STARTS:
                continue
            clause, but = self._clause(i, k), self.behind(k, j)
            if clause is not None and but is not None and but.excepts:
                both = {"op": "and", "of": [clause.set, but.set]}
                return replace(
                    clause, set=both, cost=clause.cost + but.cost, unknown=clause.unknown + but.unknown
                )
        return None

    def _clause(self, i: int, j: int) -> Said | None:
        word = self.tokens[i]
        if word in ("is", "are", "was", "were", "am", "'s"):
            no, k = self._negation(i + 1, j)
            if no and self._denies_again(k, j) and (found := self.said(k - 1, j)) is not None:
                return replace(found, verb="is" if word in ("is", "was") else "are")
            if (who := self.agent(k, j)) is not None:  # "was I holding"
                again, k = self._negation(who[1], j)
                return self._not(self._act(k, j, who[0]), no or again)
            if self.at(k) == "there":  # "that are there": what is so
                return Said({"op": "and", "of": []}) if k + 1 == j else self._not(self.said(k + 1, j), no)
            found = self.said(k, j)
            return found and replace(
                self._not(found, no) or found, verb="is" if word in ("is", "was") else "are"
            )
        if word in _STANDS and i + 1 < j:  # "what stands on the table"
            return self.said(i + 1, j)
        if word in ("got", "get", "gets"):  # "what got moved"
            return self.participle(i + 1, j) if i + 1 < j else None
        if word in lx.HAVE | lx.DO | lx.MAY:
            no, k = self._negation(i + 1, j)
            if self.at(k) in ("been", "be"):
                return self._not(self.said(k + 1, j), no)
            if (who := self.agent(k, j)) is not None:
                again, k = self._negation(who[1], j)
                return self._not(self._act(k, j, who[0], word), no or again)
            return self._not(self._act(k, j, None), no)
        if (who := self.agent(i, j)) is not None:
            by, k = who
            helps = ""
            if self.at(k) in lx.HAVE | lx.DO | lx.MAY | {"was", "am", "were", "are"} and k + 1 < j:
                helps, k = self.tokens[k], k + 1
            no, k = self._negation(k, j)
            k += self.at(k) == "been"
            return self._not(self._act(k, j, by, helps), no)
        return self._act(i, j, None)

    def _denies_again(self, k: int, j: int) -> bool:
        """ "Not green and not in the kitchen": each is denied by itself."""
        return any(self.tokens[n] in ("and", "but") and self.tokens[n + 1] in lx.NOT for n in range(k, j - 1))

    def _not(self, said: Said | None, no: bool) -> Said | None:
        return (
            replace(said, set=negated(closed(said.set)) if said.set["op"] == "and" else negated(said.set))
            if (said is not None and no)
            else said
        )

    def _negation(self, k: int, j: int) -> tuple[bool, int]:
        """Whether what stands here says no, and where that ends; adverbs are passed over."""
        no = False
        while k < j and (
            self.tokens[k] in lx.NOT or self.tokens[k] in ("ever", "already", "also", "actually")
        ):
            no, k = no != (self.tokens[k] in lx.NOT), k + 1
        return no, k

    def subject(self, i: int, j: int) -> str | None:
        """Who does something: "me", "other", "any"; None if the span names nobody."""
        found = self.agent(i, j)
        return found[0] if found is not None and found[1] == j else None

    def agent(self, i: int, j: int) -> tuple[str, int] | None:
        word = self.at(i) if i < j else ""
        if word in ("i", "we", "you", "me", "us"):
            return "me", i + 1
        if self.text(i, min(i + 2, j)) in lx.OTHERS:
            return "other", i + 2
        if word in lx.ANYONE:
            return "any", i + 1
        k = i + (word in lx.ARTICLES or word in ("a", "an", "another", "any", "some"))
        if k < j and (self.tokens[k] in lx.KIN or (k > i and singular(self.tokens[k]) in lx.PEOPLE)):
            return "other", k + 1
        return ("other", i + 1) if word in ("others", "he", "she", "they") else None

    def verb(self, k: int, j: int) -> list[tuple[str, int]]:
        """What verbs begin here, the longest first."""
        return [
            (VERBS[form], k + length)
            for length in (3, 2, 1)
            if k + length <= j and (form := tuple(self.tokens[k : k + length])) in VERBS
        ]

    def _act(self, k: int, j: int, by: str | None, helps: str = "", passive: bool = False) -> Said | None:
        order = ""
        while k < j and self.tokens[k] in ("first", "last", "also", "already", "just"):
            order, k = self.tokens[k] if self.tokens[k] in ("first", "last") else order, k + 1
        for act, end in self.verb(k, j):
            if (by is None and not passive and act not in lx.ALONE) or (passive and act == "have"):
                continue
            if passive and self.tokens[k] in _NO_PARTICIPLE:
                continue
            if order and act != "seen":
                continue  # of what happens more than once, the first is a question of its own
            if act == "held" and helps in ("did", "have", "had", "has"):
                act = "moved"  # what was in hands, was moved by them
            if act == "seen" and order == "first":
                act = "first_seen"
            if act == "seen" and helps in ("can", "do", "am", "could"):
                act = "inview"
            found = self._rest(act, end, j, by)
            if found is not None:
                return found
        return None

    def _rest(self, act: str, k: int, j: int, by: str | None) -> Said | None:
        """What follows a verb: who did it, where, when."""
        did: Json = {"op": "did", "act": act}
        if by in ("me", "other") and act in ("moved", "taken", "brought", "held", "put"):
            did["by"] = by
        also: list[Json] = []
        cost, unknown = 0.0, tuple[str, ...]()
        while k < j:
            word = self.tokens[k]
            if word in self.windows:
                if not _within(did, self.windows[word]):
                    return None
                k += 1
            elif word in _ADVERBS or (
                word in _UNDER_WAY and k + 1 <= j and self.at(k + 1) not in lx.ARTICLES
            ):
                k += 1 + (word == "with" and self.at(k + 1) in ("me", "us", "them"))
            elif word == "by" and (who := self.agent(k + 1, j)) is not None and by is None:
                by, k = who
                if by in ("me", "other"):
                    did["by"] = by
            elif word == "out" and self.at(k + 1) == "of":
                k += 1
            else:
                where = self._span_of_where(k, j)
                if where is None:
                    return None
                said, k = where
                cost, unknown = cost + said.cost, unknown + said.unknown
                if act in ("taken", "brought") or (act in ("moved", "held") and said.set["op"] == "in"):
                    if "at" in did:
                        return None
                    did["at"] = said.set.get("place") or said.set.get("to")
                else:
                    also.append(said.set)
        return self._acted(act, did, also, cost, unknown)

    def _span_of_where(self, k: int, j: int) -> tuple[Said, int] | None:
        """The longest span from here that says where."""
        from_here = k + (self.tokens[k] == "from" and k + 1 < j)
        for end in range(j, from_here, -1):
            if self.tokens[end - 1] in self.windows:
                continue
            found = self.where(k, end)
            if found is None and from_here > k and (to := self.phrase(from_here, end)) is not None:
                found = Said({"op": "rel", "rel": "on", "to": to.set}, to.cost, to.unknown)
            if found is not None and found.cost < 2.5:
                return found, end
        return None

    def _acted(
        self, act: str, did: Json, also: list[Json], cost: float, unknown: tuple[str, ...]
    ) -> Said | None:
        if act in ("have", "left"):  # where it is, is asked; that somebody left it there, is taken for so
            if act == "left" and not also:
                return None
            found: Json = {"op": "and", "of": also} if len(also) != 1 else also[0]
            return Said(found, cost, unknown)
        if act == "reach":
            return Said(every([{"op": "rel", "rel": "reach", "to": "me"}, *also]), cost, unknown)
        if act == "changed":
            times = {key: did[key] for key in ("since", "until", "while") if key in did}
            changed = [{"op": "did", "act": one, **times} for one in ("moved", "gone", "brought")]
            return Said(every([either(changed), *also]), cost, unknown)
        if act == "put":
            if not also:
                return None
            did = {**did, "act": "moved"}
        return Said(every([did, *also]), cost, unknown)


def _within(did: Json, window: Window) -> bool:
    """Put a window of time on what happened; False if it has one already."""
    if any(key in did for key in ("since", "until", "while")):
        return False
    did.update(window.bounds())
    return True
