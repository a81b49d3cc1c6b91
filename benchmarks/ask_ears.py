"""Teach the ears of `situ ask` on sentences whose program is known, and measure them on a file left out.

Sentences: the frames' own patterns with noun phrases by lot, the files of wordings (each section's program is
the one that most of its sentences are read to ask), and what is outside (`ask_outside.txt`).

python -m benchmarks.ask_ears                    accuracy on each file when taught on the others
python -m benchmarks.ask_ears --write            teach on all and write `src/situ/language/ears.npz`
"""

import argparse
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.ask_corpus import wordings
from benchmarks.ask_sections import OUTSIDE, UNKNOWN
from situ.language import ears, reading, tokens
from situ.language.frames import index
from situ.language.lexicon import lexicon
from situ.language.times import Clock
from situ.language.vocabulary import Vocabulary

HERE = Path(__file__).parent
WEIGHTS = HERE.parent / "src" / "situ" / "language" / "ears.npz"
EPOCHS, BATCH, RATE = 12, 32, 0.3
PATTERNS, EACH = "patterns", 3
LEAST_ROWS = 4  # of a program, to be taught
LEAST_MOST = 0.55  # the share of a section that its program must have
KINDS = ("cup", "bowl", "lamp", "chair", "sofa", "table", "fridge", "book", "phone", "wallet")
THINGS = (*KINDS, "red cup", "blue vase")
ROOMS = ("kitchen", "bedroom", "hallway", "office")
COLOURS = ("red", "blue", "green", "white")
TIMES = ("5 minutes ago", "2 minutes ago", "10 minutes ago")
VOCABULARY = Vocabulary(
    frozenset({*KINDS, "vase", "person"}), frozenset(("color", one) for one in COLOURS), None,
    frozenset(ROOMS), "office",
)  # fmt: skip
CLOCK = Clock(0.0, 900.0, lambda name: 500.0)
_HOLE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Row:
    """A masked sentence, the file and the section that it is from, and the program that it is read to ask."""

    source: str
    section: str
    sentence: str
    words: tuple[str, ...]
    template: str | None


def row(source: str, section: str, sentence: str) -> Row | None:
    try:
        text, times = reading.windows(tokens.plain(sentence), CLOCK)
    except Exception:  # a time that cannot be
        return None
    words = lexicon(VOCABULARY)
    said_tokens = tokens.tokens_of(text)
    said_tokens = tokens.spelt(said_tokens, words) or said_tokens
    if not said_tokens:
        return None
    said = ears.masked(said_tokens, times, words)
    found = reading.read(sentence, VOCABULARY, CLOCK)
    sure = found is not None and not found.holes and not found.unknown and found.certainty >= 0.9
    template = ears.template_of(found.program, said.sets, said.places) if found is not None and sure else None
    return Row(source, section, sentence, said.words, template)


def of_files(chance: random.Random) -> Iterator[Row]:
    """The wordings of all files, filled by lot."""
    for path in sorted(HERE.glob("ask_*.txt")):
        if path.stem in ("ask_outside", "ask_people"):
            continue
        for section, lines in wordings(path).items():
            for line in lines:
                made = row(path.stem, section, _filled(line, chance))
                if made is not None:
                    yield made
    for line in (HERE / "ask_outside.txt").read_text("utf-8").splitlines():
        for _ in range(EACH):
            made = None if line.startswith("#") else row("ask_outside", OUTSIDE, _filled(line, chance))
            if made is not None:
                yield made


def _filled(line: str, chance: random.Random) -> str:
    things = chance.sample(THINGS, 4)

    def fill(hole: re.Match[str]) -> str:
        name = hole[1]
        if name.startswith(("room", "place")):
            return chance.choice(ROOMS)
        if name.startswith(("time", "ago", "when", "since")):
            return chance.choice(TIMES)
        if name in ("n", "m", "number"):
            return "2"
        several = name.endswith("s") and len(name) > 1
        one = things.pop() if things else "cup"
        return f"{one}s" if several else one

    return _HOLE.sub(fill, line)


def of_patterns(chance: random.Random) -> Iterator[Row]:
    """The patterns of the frames, with what may be left out and noun phrases by lot."""
    for frame, patterns in index().patterns.items():
        for pattern in patterns:
            for _ in range(EACH):
                made = row(PATTERNS, frame, _said(pattern, chance))
                if made is not None and made.template is not None:
                    yield made


def _said(pattern: str, chance: random.Random) -> str:
    """One sentence of a pattern."""
    text = re.sub(r"<(\w+)>", lambda name: index()._macros[name[1]], pattern)
    inner = re.compile(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]")
    while (found := inner.search(text)) is not None:
        choice = chance.choice((found[1] if found[1] is not None else found[2]).split("|"))
        keep = found[1] is not None or chance.random() < 0.5
        text = f"{text[: found.start()]}{choice if keep else ''}{text[found.end() :]}"
    kinds = {"set": THINGS, "place": ROOMS, "who": ("i",), "act": ("moved",), "more": ("closer", "taller"),
             "most": ("closest", "biggest"), "number": ("two",), "no": ("not",)}  # fmt: skip
    return _HOLE_OF.sub(lambda hole: _of_kind(hole, kinds, chance), text)


_HOLE_OF = re.compile(r"\{(\w+)(?::(\w+))?\}")


def _of_kind(hole: re.Match[str], kinds: dict[str, Sequence[str]], chance: random.Random) -> str:
    kind = hole[2] or hole[1]
    if kind == "set":
        return f"{chance.choice(('the ', 'my ', ''))}{chance.choice(THINGS)}"
    if kind == "place":
        return f"the {chance.choice(ROOMS)}"
    return chance.choice(kinds.get(kind, ("near the sofa",)))


def labelled(rows: Sequence[Row]) -> list[tuple[Row, str]]:
    """Rows with the program that they ask: their own reading, else that of most of their section."""
    most: dict[str, Counter[str]] = defaultdict(Counter)
    for one in rows:
        if one.template and one.source != PATTERNS:
            most[one.section][one.template] += 1
    found: list[tuple[Row, str]] = []
    for one in rows:
        if one.section in (OUTSIDE, UNKNOWN):
            found.append((one, ears.OUTSIDE))
        elif one.template is not None:
            found.append((one, one.template))
        elif (counts := most[one.section]) and one.section != "where_was_i":
            template, number = counts.most_common(1)[0]
            fits = sum(word == "*s" for word in one.words) == len(set(re.findall(r"\*s\d", template)))
            if number >= LEAST_MOST * counts.total() and fits:
                found.append((one, template))
    counts = Counter(label for _, label in found)
    return [(one, label) for one, label in found if counts[label] >= LEAST_ROWS]


def taught(rows: Sequence[tuple[Row, str]], seed: int = 1) -> ears.Taught:
    """The model of some rows: logistic regression, by gradient descent with steps that shrink (Adagrad)."""
    labels = sorted({label for _, label in rows})
    at = [ears.features(one.words) for one, _ in rows]
    meant = np.array([labels.index(label) for _, label in rows])
    rng = np.random.default_rng(seed)
    weights = np.zeros((ears.FEATURES, len(labels)), np.float32)
    bias = np.zeros(len(labels), np.float32)
    moved = np.full(weights.shape, 1e-6, np.float32)
    for _ in range(EPOCHS):
        for batch in np.array_split(rng.permutation(len(rows)), len(rows) // BATCH + 1):
            odds = np.stack([weights[at[k]].sum(axis=0) / np.sqrt(len(at[k])) for k in batch]) + bias
            odds = np.exp(odds - odds.max(axis=1, keepdims=True))
            odds /= odds.sum(axis=1, keepdims=True)
            odds[np.arange(len(batch)), meant[batch]] -= 1.0
            for k, gap in zip(batch, odds, strict=True):
                change = gap / np.sqrt(len(at[k]))
                moved[at[k]] += change**2
                weights[at[k]] -= RATE * change / np.sqrt(moved[at[k]])
            bias -= RATE * odds.mean(axis=0)
    unit = float(np.abs(weights).max() / 127)
    return ears.Taught(tuple(labels), np.round(weights / unit).astype(np.int8), unit, bias)


def measured(rows: Sequence[tuple[Row, str]], name: str) -> list[tuple[float, bool]]:
    """How likely the first guess at each sentence of a file was called, and whether it was right."""
    model = taught([pair for pair in rows if pair[0].source != name])
    found = []
    for one, label in rows:
        if one.source == name:
            template, share = model.hear(one.words)[0]
            found.append((share, template == label))
    return found


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true", help="teach on all files and write the weights")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(list(arguments))
    chance = random.Random(options.seed)
    rows = labelled([*of_files(chance), *of_patterns(chance)])
    print(f"{len(rows)} sentences, {len({label for _, label in rows})} programs")
    if options.write:
        model = taught(rows)
        text = np.frombuffer("\n".join(model.templates).encode("utf-8"), np.uint8)
        stored: dict[str, Any] = {"templates": text, "weights": model.weights, "bias": model.bias}
        np.savez_compressed(WEIGHTS, unit=np.float64(model.unit), **stored)
        print(f"{WEIGHTS.name}: {WEIGHTS.stat().st_size} bytes")
        return
    every: list[tuple[float, bool]] = []
    for name in sorted({one.source for one, _ in rows} - {PATTERNS, "ask_wordings", "ask_outside"}):
        found = measured(rows, name)
        every += found
        right = sum(ok for _, ok in found) / max(1, len(found))
        print(f"{name}: {len(found)} sentences, {100 * right:.1f} % right", flush=True)
    for low, high in ((0.9, 1.01), (0.7, 0.9), (0.5, 0.7), (0.3, 0.5), (0.0, 0.3)):
        some = [ok for share, ok in every if low <= share < high]
        right = 100 * sum(some) / max(1, len(some))
        print(f"  called {low:.1f} to {min(high, 1.0):.1f}: {len(some)}, {right:.1f} % right")


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
