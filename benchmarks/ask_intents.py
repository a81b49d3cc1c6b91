"""Learn what sentences ask from wordings, and write the weights that `situ.language.intents` reads.

python -m benchmarks.ask_intents            learn from all wordings and write the weights
python -m benchmarks.ask_intents --check    how well each file is read by what is learnt from the others
python -m benchmarks.ask_intents --shares   how often the likeliest intent is right, by its share

Each wording is filled with names by lot and read as any sentence is; what its names, places and times do not
say of the question is what the intent fixes. A wording whose names cannot be found in it teaches nothing. Of
the corpus that measures the grammar, wordings held back are left out.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import situ.language.intents as intents
from benchmarks.ask_corpus import WORDINGS, held_back, wordings
from benchmarks.ask_sections import OUTSIDE, SECTIONS, UNKNOWN, Slots, specific
from benchmarks.ask_slots import filled
from situ.errors import BadInput, Unanswerable
from situ.language.intents import Classifier, Intent, features_of
from situ.language.kind import KINDS
from situ.language.parse import NotUnderstood, heard, parse
from situ.language.reader import NoFit
from situ.language.slots import CLOSED, closed_words
from situ.language.times import Clock
from situ.language.vocabulary import Vocabulary
from situ.questions.base import Question
from situ.questions.select import Selector

FILES = tuple(
    WORDINGS.with_name(f"ask_{name}.txt")
    for name in ("wordings", "fresh", "second", "third", "fourth", "fifth", "sixth", "seventh")
)
THINGS = (
    "cup", "plate", "bottle", "globe", "guitar", "candle", "laptop", "kettle", "picture frame", "vase",
    "teddy bear", "alarm clock", "cutting board", "potted plant", "chair", "armchair", "stool", "pillow",
    "book", "keys", "phone", "suitcase", "remote", "basket", "lamp",
)  # fmt: skip
SUPPORTS = ("desk", "coffee table", "bookshelf", "nightstand", "dining table", "cabinet", "wall shelf")
COLOURS = ("red", "blue", "green", "white", "black", "yellow")
ROOMS = ("kitchen", "living room", "bathroom", "hallway", "bedroom", "study", "dining room")
NOW = 800.0
DRAWS, SAMPLES, LEAST_USES = 3, 3, 2
STEPS, RATE, MOMENTUM, SHRINK = 300, 30.0, 0.9, 3e-5


@dataclass(frozen=True)
class Example:
    """A sentence as the classifier sees it, and what it asks."""

    features: frozenset[str]
    intent: Intent


def vocabulary_of(here: str) -> Vocabulary:
    attributes = frozenset(("color", colour) for colour in COLOURS)
    return Vocabulary(frozenset(THINGS + SUPPORTS), attributes, places=frozenset(ROOMS), here=here)


def drawn(rng: np.random.Generator) -> Slots:
    """Names by lot, each another one."""
    a, b, many, many_b = (THINGS[int(i)] for i in rng.choice(len(THINGS), 4, replace=False))
    colours = [
        {"color": COLOURS[int(rng.integers(len(COLOURS)))]} if rng.random() < 0.4 else {} for _ in "ab"
    ]
    minutes = int(rng.integers(2, 6))
    return Slots(
        Selector.make(a, colours[0]), Selector.make(b, colours[1]), Selector.make(many),
        Selector.make(many_b), Selector.make(SUPPORTS[int(rng.integers(len(SUPPORTS)))]),
        ROOMS[int(rng.integers(len(ROOMS)))],
        60.0 * minutes, minutes, NOW,
    )  # fmt: skip


def asked(path: Path, seed: int = 0, draws: int = DRAWS) -> Iterator[tuple[str, str, Slots, Question | None]]:
    """Section, sentence, names and question of each wording of a file, some times over."""
    rng = np.random.default_rng([seed, *b"intents"])
    for section, lines in wordings(path).items():
        for line in lines:
            if section == UNKNOWN or (path == WORDINGS and held_back(line)) or "{clock}" in line:
                continue
            for _ in range(draws):
                slots = drawn(rng)
                question = (
                    None if section == OUTSIDE else specific(section, line, SECTIONS[section](slots), NOW)
                )
                yield section, filled(line, slots, rng), slots, question


def examples(path: Path) -> Iterator[Example]:
    for section, sentence, slots, question in asked(path):
        found = taught(section, sentence, slots, question)
        if found is not None:
            yield found


def taught(section: str, sentence: str, slots: Slots, question: Question | None) -> Example | None:
    """What a sentence teaches; nothing if its names do not make the question."""
    try:
        named, reader = heard(sentence, vocabulary_of(slots.p), Clock(0.0, NOW))
    except (Unanswerable, NoFit):
        return None
    said = features_of(named, reader.when)
    if question is None:
        return Example(said, Intent(intents.OUTSIDE))
    intent = Intent.make(question.kind, fixed_by_words(section, question, named))
    try:
        read = intent.question(named, reader)
    except (NoFit, BadInput):
        return None
    return Example(said, intent) if same(read, question) else None


def sampled(rng: np.random.Generator) -> Iterator[Example]:
    """Sentences of the grammar's own phrases, as it reads them itself."""
    for kind in list(KINDS.values()):
        for phrase in kind.phrases:
            if "options" in phrase.needs:
                continue
            for _ in range(SAMPLES):
                slots = drawn(rng)
                sentence = expanded(phrase.pattern.tokens(), slots, rng)
                if sentence is None:
                    continue
                sentence += " 4 minutes ago" if set(phrase.needs.split()) & {"time", "moment"} else ""
                sentence += " in the last 4 minutes" if "since" in phrase.needs else ""
                try:
                    question = parse(sentence, vocabulary_of(slots.p), Clock(0.0, NOW))
                except (Unanswerable, BadInput):
                    continue
                if question.certainty == 1.0 and (found := taught("", sentence, slots, question.question)):
                    yield found


def expanded(tokens: list[str], slots: Slots, rng: np.random.Generator) -> str | None:
    """One sentence of a pattern by lot, its tokens last first; None if a slot has no name to fill it."""
    ways: list[list[str] | None] = [[]]
    while tokens and tokens[-1] != ")":
        token = tokens.pop()
        if token == "|":
            ways.append([])
            continue
        if token == "(":
            piece = expanded(tokens, slots, rng)
            tokens.pop()
        elif token.startswith("{"):
            piece = _filling(token[1:-1], slots, rng)
        else:
            piece = token
        if tokens and tokens[-1] == "?":
            tokens.pop()
            if piece is None or rng.random() < 0.6:
                piece = ""
        way = ways[-1]
        if piece is None or way is None:
            ways[-1] = None
        else:
            way.append(piece)
    fit = [" ".join(" ".join(way).split()) for way in ways if way is not None]
    return fit[int(rng.integers(len(fit)))] if fit else None


def _filling(slot: str, slots: Slots, rng: np.random.Generator) -> str | None:
    if slot in CLOSED:
        known = sorted(closed_words(slot))
        return known[int(rng.integers(len(known)))]
    names = {
        "place": f"the {slots.p}", "goal": f"the {slots.p}", "room": f"the {slots.p}",
        "many": slots.many.plural, "first": f"the {slots.a.singular}", "second": f"the {slots.b.singular}",
        "anchor": f"the {slots.s.singular}", "target": f"the {slots.s.singular}", "bare": slots.a.singular,
        **dict.fromkeys(("about", "thing", "which"), f"the {slots.a.singular}"),
        "other": f"the {slots.b.singular}",
    }  # fmt: skip
    return names.get(slot)


def fixed_by_words(section: str, question: Question, named: Any) -> dict[str, Any]:
    """What is not a name, a place or a time of the sentence."""
    found: dict[str, Any] = {}
    for part in fields(question):  # type: ignore[arg-type]
        value = getattr(question, part.name)
        default = part.default if part.default is not MISSING else None
        if isinstance(value, bool | float | str) and value != default and part.name not in ("time", "since"):
            found[part.name] = value
    if named.directions:
        found.pop("direction", None)
    if named.relation:
        found.pop("relation", None)
    found.pop("place", None)
    if section == "here":
        found["place"] = "here"
    return found


def same(one: Question, two: Question) -> bool:
    """Whether two questions are one, moments but for a minute's rounding."""
    if one.kind != two.kind:
        return False
    for part in fields(one):  # type: ignore[arg-type]
        a, b = getattr(one, part.name), getattr(two, part.name)
        if isinstance(a, float) and isinstance(b, float):
            if abs(a - b) > 1.0:
                return False
        elif a != b:
            return False
    return True


def learnt(some: Sequence[Example]) -> Classifier:
    """Multinomial logistic regression by gradient descent: the same examples, the same weights."""
    uses: dict[str, int] = {}
    for example in some:
        for name in example.features:
            uses[name] = uses.get(name, 0) + 1
    rows = {name: i for i, name in enumerate(sorted(n for n, used in uses.items() if used >= LEAST_USES))}
    labels = sorted({example.intent for example in some}, key=repr)
    column = {intent: i for i, intent in enumerate(labels)}
    at = [(i, rows[n]) for i, e in enumerate(some) for n in e.features if n in rows]
    scale = np.array([len(e.features) ** -0.5 for e in some])
    i, j = np.array(at).T
    table = sp.csr_matrix((scale[i], (i, j)), (len(some), len(rows)))
    truth = np.zeros((len(some), len(labels)), "f4")
    truth[np.arange(len(some)), [column[e.intent] for e in some]] = 1.0
    weights = np.zeros((len(rows), len(labels)))
    speed = np.zeros_like(weights)
    for _ in range(STEPS):
        score = table @ weights
        score -= score.max(1, keepdims=True)
        share = np.exp(score)
        share /= share.sum(1, keepdims=True)
        speed = MOMENTUM * speed + table.T @ (share - truth) / len(some) + SHRINK * weights
        weights -= RATE * speed
    return Classifier(tuple(labels), rows, weights.astype("f4"))


def check(files: Sequence[Path], show: bool) -> None:
    """Read each file by what is learnt from the others."""
    known = {path: list(examples(path)) for path in files}
    grammar = list(sampled(np.random.default_rng([*b"phrases"])))
    print(f"{len(grammar)} sentences of phrases")
    for path in files:
        model = learnt(grammar + [e for other in files if other != path for e in known[other]])
        intents.classifier = lambda model=model: model  # type: ignore[assignment]
        first = [e.intent == model.ranked(e.features)[0][1] for e in known[path]]
        right, lost, number = 0, 0, 0
        for section, sentence, slots, question in asked(path, seed=1, draws=1):
            number += 1
            try:
                read: Question | None = parse(sentence, vocabulary_of(slots.p), Clock(0.0, NOW)).question
            except NotUnderstood:
                lost += 1
                read, fits = None, False
            except Unanswerable as error:
                read, fits = None, question is None and "outside" in str(error)
            else:
                fits = question is not None and same(read, question)
            right += fits
            if show and not fits:
                print(f"  {section:15}{sentence!r}: {read}")
        shares = f"{100 * right / number:5.1f} right, {100 * lost / number:4.1f} not understood"
        print(f"{path.stem:15}{number:5}: {shares}; the classifier alone {100 * np.mean(first):5.1f}")


def shares(path: Path) -> None:
    """What the weights say of a file that they were not learnt from: how sure, and how often right."""
    found: list[tuple[float, bool]] = []
    for _, sentence, slots, question in asked(path, seed=1):
        try:
            named, reader = heard(sentence, vocabulary_of(slots.p), Clock(0.0, NOW))
        except (Unanswerable, NoFit):
            continue
        if ranked := intents.readings(named, reader):
            share, _, read = ranked[0]
            right = question is None if read is None else question is not None and same(read, question)
            found.append((share, right))
    print(f"{path.stem}: {len(found)} sentences")
    for low, high in pairwise((0.0, *(n / 10 for n in range(4, 10)), 0.95, 1.01)):
        some = [one for one in found if low <= one[0] < high]
        if some:
            stated, true = np.mean(some, axis=0)
            print(f"  {low:.2f} to {high:.2f}: {len(some):4}, stated {stated:.2f}, right {true:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="learn from all files but one, read that one")
    parser.add_argument("--show", action="store_true", help="with --check: sentences that are not read right")
    parser.add_argument("--shares", action="store_true", help="the shares beside how many were right")
    options = parser.parse_args()
    if options.shares:
        shares(WORDINGS.with_name("ask_eighth.txt"))
        return
    if options.check:
        check(FILES, options.show)
        return
    some = list(sampled(np.random.default_rng([*b"phrases"])))
    some += [example for path in FILES for example in examples(path)]
    model = learnt(some)
    model.save(intents._FILE)
    print(f"{len(some)} examples, {len(model.rows)} features, {len(model.intents)} intents")


if __name__ == "__main__":
    assert KINDS
    main()
