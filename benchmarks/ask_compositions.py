"""Sentences composed of frames, noun phrases, times and negations, each with the program that it asks.

How many are read, how many rightly, and how many wrongly without a word of doubt. What is asked is known by
construction; two programs are the same if they are so after set algebra. A part of the frames and phrases is
held out: nothing was written with them in view.

python -m benchmarks.ask_compositions [--held-out] [--number 300] [--seed 1] [--show]
"""

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from situ.language.reading import read
from situ.language.times import Clock
from situ.language.vocabulary import Vocabulary

Json = dict[str, Any]
KINDS = ("cup", "bowl", "chair", "lamp", "book", "box", "vase", "plate", "knife", "shelf", "alarm clock")
FURNITURE = ("table", "sofa", "desk", "fridge", "wardrobe")
COLORS = ("red", "blue", "white", "brown", "green", "black", "yellow")
MATERIALS = ("wooden", "plastic")
PLACES = ("kitchen", "bedroom", "office", "hallway")
PLURALS = {"box": "boxes", "knife": "knives", "shelf": "shelves"}
NOW = 3000.0
SURE = 0.9
VOCABULARY = Vocabulary(
    frozenset({*KINDS, *FURNITURE, "person"}),
    frozenset({*(("color", color) for color in COLORS), *(("material", one) for one in MATERIALS)}),
    None, frozenset(PLACES), "office",
)  # fmt: skip
CLOCK = Clock(0.0, NOW)


@dataclass(frozen=True)
class Words:
    """Words and the set, or the program, that they mean."""

    text: str
    means: Any


def plural(kind: str) -> str:
    return PLURALS.get(kind, f"{kind}s")


def things(kind: str | None = None, **attributes: str) -> Json:
    found: Json = {"op": "things"}
    if kind:
        found["kind"] = kind
    if attributes:
        found["with"] = attributes
    return found


# ---------------------------------------------------------------------- noun phrases
@dataclass(frozen=True)
class Maker:
    """Makes phrases from one source of chance; `held_out` makes those that were kept from development."""

    chance: random.Random
    held_out: bool = False

    def one(self, of: Sequence[Any]) -> Any:
        return of[self.chance.randrange(len(of))]

    def attribute(self) -> Words:
        color = self.one(COLORS)
        return Words(color, {"color": color})

    def plain(self, many: bool = True) -> Words:
        """ "red cups", "the lamp"."""
        kind = self.one(KINDS)
        name = plural(kind) if many else kind
        if self.chance.random() < 0.35:
            color = self.one(COLORS)
            return Words(f"{color} {name}", things(kind, color=color))
        if self.chance.random() < 0.1:
            material = self.one(MATERIALS)
            return Words(f"{material} {name}", things(kind, material=material))
        return Words(name, things(kind))

    def where(self) -> Words:
        """What may follow "is": a place, a relation, a side, a colour."""
        place, anchor, color = self.one(PLACES), self.one(FURNITURE), self.one(COLORS)
        relation, said = self.one(
            [("on", "on"), ("on", "on top of"), ("under", "under"), ("near", "next to"), ("near", "beside"),
             ("behind", "behind"), ("front", "in front of"), ("left", "left of"),
             ("right", "to the right of")]
            if not self.held_out else
            [("under", "underneath"), ("near", "close to"), ("left", "to the left of"), ("near", "by")]
        )  # fmt: skip
        side, named = self.one(
            [("behind", "behind me"), ("left", "on my left"), ("right", "to my right"),
             ("reach", "within reach")]
            if not self.held_out else
            [("front", "ahead of me"), ("left", "to the left of me"), ("reach", "in reach")]
        )  # fmt: skip
        return self.one(
            [
                Words(f"in the {place}", {"op": "in", "place": place}),
                Words(f"{said} the {anchor}", {"op": "rel", "rel": relation, "to": things(anchor)}),
                Words(named, {"op": "rel", "rel": side, "to": "me"}),
                Words(color, things(None, color=color)),
            ]
        )

    def clause(self) -> Words:
        """A relative clause for several things."""
        where, other = self.where(), self.where()
        height = self.one(FURNITURE)
        moved = {"op": "did", "act": "moved", "by": "me"}
        rows = [
            Words(f"that are {where.text}", where.means),
            Words(f"that are not {where.text}", {"op": "not", "of": where.means}),
            Words(f"that aren't {where.text}", {"op": "not", "of": where.means}),
            Words("that I moved", moved),
            Words("I moved in the last ten minutes", {**moved, "since": NOW - 600}),
            Words("that I haven't moved", {"op": "not", "of": moved}),
            Words(f"taller than the {height}", {"op": "compare", "by": "height", "than": things(height)}),
        ]
        kept = [
            Words(f"which are {where.text}", where.means),
            Words(f"that are neither {where.text} nor {other.text}",
                  {"op": "not", "of": {"op": "or", "of": [where.means, other.means]}}),
            Words("that have not been moved", {"op": "not", "of": {"op": "did", "act": "moved"}}),
            Words("that my housemate moved", {"op": "did", "act": "moved", "by": "other"}),
            Words(f"smaller than the {height}",
                  {"op": "compare", "by": "volume", "than": things(height), "less": True}),
        ]  # fmt: skip
        return self.one(kept if self.held_out else rows)

    def excepted(self) -> Words:
        base = self.plain()
        kind, color = base.means["kind"], self.one(COLORS)
        link = self.one(
            ["apart from", "not counting", "excluding"]
            if self.held_out
            else ["except", "other than", "besides"]
        )
        red = things(kind, color=color)
        return self.one(
            [
                Words(f"{base.text} {link} the {color} ones", except_(base.means, red)),
                Words(f"{base.text} {link} the {color} {plural(kind)}", except_(base.means, red)),
            ]
        )

    def either(self) -> Words:
        first, second = self.plain(), self.plain()
        return Words(f"{first.text} or {second.text}", {"op": "or", "of": [first.means, second.means]})

    def several(self) -> Words:
        """A noun phrase for several things."""
        kind = self.chance.randrange(5)
        if kind == 0:
            return self.plain()
        if kind == 1:
            base, where = self.plain(), self.where()
            if "color" in str(where.means):
                return base
            return Words(f"{base.text} {where.text}", both(base.means, where.means))
        if kind == 2:
            return self.excepted()
        if kind == 3:
            return self.either()
        base, clause = self.plain(), self.clause()
        return Words(f"{base.text} {clause.text}", both(base.means, clause.means))

    def meant(self) -> Words:
        """A noun phrase for the one thing that is meant."""
        base = self.plain(many=False)
        word, by, least = self.one(
            [("tallest", "height", False), ("farthest", "distance", False)] if self.held_out else
            [("nearest", "distance", True), ("biggest", "volume", False), ("smallest", "volume", True)]
        )  # fmt: skip
        kind = self.chance.randrange(4)
        if kind == 0:
            return Words(f"the {word} {base.text}", {"op": "top", "of": base.means, "by": by, "least": least})
        if kind == 1:
            rank = self.one([("second", 2), ("third", 3)])
            top = {"op": "top", "of": base.means, "by": by, "least": least, "rank": rank[1]}
            return Words(f"the {rank[0]} {word} {base.text}", top)
        if kind == 2:
            anchor = self.one(FURNITURE)
            on = {"op": "rel", "rel": "on", "to": things(anchor)}
            return Words(f"the {base.text} on the {anchor}", both(base.means, on))
        return Words(f"{self.one(['the', 'my'])} {base.text}", base.means)


def except_(of: Json, but: Json) -> Json:
    return {"op": "except", "of": of, "but": but}


def both(*of: Json) -> Json:
    return {"op": "and", "of": list(of)}


# ---------------------------------------------------------------------- frames
def _asked(ask: str, of: Any, **more: Any) -> Json:
    return {"ask": ask, "of": of, **more}


Frame = Callable[[Maker], Words]


def _counts(pattern: str) -> Frame:
    def make(maker: Maker) -> Words:
        many = maker.several()
        return Words(pattern.format(many.text), _asked("count", many.means))

    return make


def _counts_said(maker: Maker) -> Words:
    many, where = maker.plain(), maker.where()
    no = maker.chance.random() < 0.5
    text = f"how many {many.text} are {'not ' if no else ''}{where.text}"
    return Words(
        text, _asked("count", both(many.means, {"op": "not", "of": where.means} if no else where.means))
    )


def _exists(maker: Maker) -> Words:
    many = maker.several()
    return Words(f"are there any {many.text}", _asked("exists", many.means))


def _exists_one(maker: Maker) -> Words:
    first, second = maker.plain(False), maker.plain(False)
    return Words(f"is there a {first.text} or a {second.text}",
                 _asked("exists", {"op": "or", "of": [first.means, second.means]}))  # fmt: skip


def _is(maker: Maker) -> Words:
    one, where = maker.meant(), maker.where()
    no = maker.chance.random() < 0.4
    said = {"op": "not", "of": where.means} if no else where.means
    text = f"is {one.text} {'not ' if no else ''}{where.text}"
    return Words(text, {"ask": "is", "of": one.means, "in": said})


def _all(maker: Maker) -> Words:
    many, where = maker.plain(), maker.where()
    word, no = maker.one([("all the", False), ("all of the", False), ("none of the", True)])
    said = {"op": "not", "of": where.means} if no else where.means
    return Words(f"are {word} {many.text} {where.text}", {"ask": "all", "of": many.means, "are": said})


def _every(maker: Maker) -> Words:
    one, where = maker.plain(False), maker.where()
    return Words(f"is every {one.text} {where.text}", {"ask": "all", "of": one.means, "are": where.means})


def _lists(maker: Maker) -> Words:
    many, where = maker.plain(), maker.where()
    no = maker.chance.random() < 0.5
    said = {"op": "not", "of": where.means} if no else where.means
    return Words(f"which {many.text} {maker.one(['are not', 'are n’t']) if no else 'are'} {where.text}",
                 _asked("list", both(many.means, said)))  # fmt: skip


def _list_all(maker: Maker) -> Words:
    many = maker.several()
    return Words(
        f"{maker.one(['list all', 'show me the', 'name all'])} {many.text}", _asked("list", many.means)
    )


def _moved(maker: Maker) -> Words:
    no = maker.chance.random() < 0.4
    when, bounds = maker.one(
        [("", {}), ("in the last five minutes", {"since": NOW - 300}),
         ("between minute ten and twenty", {"since": 600.0, "until": 1200.0}),
         ("while I was in the bedroom", {"while": "bedroom"})]
    )  # fmt: skip
    did = {"op": "did", "act": "moved", "by": "me", **bounds}
    text = f"what {'did I not move' if no else 'did I move'} {when}".strip()
    return Words(text, _asked("list", {"op": "not", "of": did} if no else did))


def _reach(maker: Maker) -> Words:
    no = maker.chance.random() < 0.6
    reach: Json = {"op": "rel", "rel": "reach", "to": "me"}
    many = maker.plain()
    text = f"which {many.text} {maker.one(['can’t I', 'can I not']) if no else 'can I'} reach"
    return Words(text, _asked("list", both(many.means, {"op": "not", "of": reach} if no else reach)))


def _where(maker: Maker) -> Words:
    one = maker.meant()
    words, what = maker.one(
        [("where is {}", "way"), ("how far is {}", "distance"), ("what colour is {}", "color")]
    )
    return Words(words.format(one.text), _asked("get", one.means, what=what))


def _compare(maker: Maker) -> Words:
    first, second = maker.meant(), maker.meant()
    word, by, least = maker.one(
        [("closer", "distance", True), ("taller", "height", False), ("bigger", "volume", False)]
    )
    return Words(f"which is {word}, {first.text} or {second.text}",
                 {"ask": "compare", "of": [first.means, second.means], "by": by, "least": least})  # fmt: skip


def _rooms(maker: Maker) -> Words:
    many = maker.plain()
    words, want = maker.one(
        [
            ("which rooms have {}", "any"),
            ("which rooms have no {}", "none"),
            ("which room has the most {}", "most"),
        ]
    )
    return Words(words.format(many.text), _asked("per", many.means, per="place", want=want))


def _closest_to(maker: Maker) -> Words:
    many, anchor = maker.plain(), maker.one(FURNITURE)
    return Words(f"which of the {many.text} is closest to the {anchor}",
                 _asked("list", {"op": "top", "of": many.means,
                                 "by": {"measure": "distance", "to": things(anchor)}}))  # fmt: skip


def _more(maker: Maker) -> Words:
    first, second = maker.plain(), maker.plain()
    return Words(f"are there more {first.text} than {second.text}",
                 {"ask": "compare", "of": [first.means, second.means]})  # fmt: skip


def _not_there(maker: Maker) -> Words:
    one, where = maker.plain(False), maker.where()
    return Words(f"isn't there a {one.text} {where.text}", _asked("exists", both(one.means, where.means)))


FRAMES: tuple[Frame, ...] = (
    _counts("how many {} are there"), _counts("how many {} do I have"), _counts_said, _exists, _exists_one,
    _is, _all, _lists, _list_all, _moved, _reach, _where, _compare, _rooms,
)  # fmt: skip
HELD_OUT: tuple[Frame, ...] = (
    _counts("count the {}"), _every, _closest_to, _more, _not_there, _is, _lists, _counts_said, _list_all,
    _exists,
)  # fmt: skip


def composed(number: int, seed: int, held_out: bool = False) -> Iterator[Words]:
    """Sentences with the programs that they ask; the same for the same seed."""
    maker = Maker(random.Random(seed), held_out)
    frames = HELD_OUT if held_out else FRAMES
    for k in range(number):
        yield frames[k % len(frames)](maker)


# ---------------------------------------------------------------------- what is the same
def canonical(part: Any) -> Any:
    """A set or a program in a form in which what means the same is the same."""
    if isinstance(part, list):
        return tuple(canonical(one) for one in part)
    if not isinstance(part, dict):
        return part
    if "op" not in part:
        kept = {key: canonical(value) for key, value in part.items() if key != "names"}
        if part.get("ask") == "compare" and "by" in part:
            kept.setdefault("least", True)
        if isinstance(kept.get("by"), str):
            kept["by"] = (("measure", kept["by"]),)
        return tuple(sorted(kept.items(), key=str))
    return _conjunction(_parts(part))


def _parts(part: Json) -> frozenset[Any]:
    """What has to be true of a member."""
    op = part["op"]
    if op == "things":
        kind = [("kind", part["kind"])] if "kind" in part else []
        return frozenset([*kind, *(("with", *item) for item in part.get("with", {}).items())])
    if op == "and":
        return frozenset(one for inner in part["of"] for one in _parts(inner))
    if op == "except":
        base, but = _parts(part["of"]), _parts(part["but"])
        return base | _negated(but - base or but)
    if op == "not":
        return _negated(_parts(part["of"]))
    if op == "or":
        inner = [_parts(one) for one in part["of"]]
        shared = frozenset.intersection(*inner)
        left = frozenset(_conjunction(one - shared) for one in inner)
        return shared | (frozenset() if frozenset() in left else frozenset([("or", left)]))
    rest = {key: canonical(value) for key, value in part.items() if key not in ("of", "op")}
    if isinstance(rest.get("by"), str) and op in ("top", "compare"):
        rest["by"] = (("measure", rest["by"]),)
    if op == "top":
        rest = {"least": True, **rest, "of": canonical(part["of"])}
        return frozenset([(op, tuple(sorted(rest.items(), key=str)))])
    own = frozenset([(op, tuple(sorted(rest.items(), key=str)))])
    return own | _parts(part["of"]) if "of" in part else own


def _conjunction(parts: frozenset[Any]) -> Any:
    return next(iter(parts)) if len(parts) == 1 else parts


def _negated(parts: frozenset[Any]) -> frozenset[Any]:
    if len(parts) == 1:
        (only,) = parts
        if isinstance(only, tuple) and only[0] == "not":
            inner = only[1]
            return inner if isinstance(inner, frozenset) else frozenset([inner])
        if isinstance(only, tuple) and only[0] == "or":
            return frozenset(("not", one) for one in only[1])
    return frozenset([("not", _conjunction(parts))])


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--held-out", action="store_true", help="frames and phrases kept from development")
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="every sentence that is not read rightly")
    options = parser.parse_args(list(arguments))
    counts: Counter[str] = Counter()
    times = []
    for words in composed(options.number, options.seed, options.held_out):
        start = time.process_time()
        found = read(words.text, VOCABULARY, CLOCK)
        times.append(time.process_time() - start)
        if found is None:
            outcome = "not read"
        elif canonical(found.program) == canonical(words.means):
            outcome = "right"
        else:
            outcome = "wrong" if found.certainty >= SURE else "doubted and wrong"
        counts[outcome] += 1
        if options.show and outcome != "right":
            print(f"  {outcome}: {words.text}\n    asked {json.dumps(words.means)}")
            print(f"    read  {json.dumps(found.program) if found else ''}")
    told = ", ".join(f"{name} {100 * count / options.number:.1f} %" for name, count in counts.most_common())
    middle, late = sorted(times)[len(times) // 2], sorted(times)[int(0.95 * len(times))]
    print(f"{options.number} sentences: {told}; {1e3 * middle:.1f} ms, 95 % within {1e3 * late:.1f} ms")


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
