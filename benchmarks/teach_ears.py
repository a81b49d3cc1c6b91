"""Teach the ears of `situ ask` on the corpus of `benchmarks/ears` and the files of wordings, and write them.

python -m benchmarks.teach_ears --base FOLDER --out ears.npz [--measure] [--device cuda]

FOLDER holds potion-base-8M (MIT), vectors of words: `tokenizer.json` and `model.safetensors`, as its makers
publish them. With the same seed the sentences are the same; weights differ in their last digits between
machines. Ten minutes on one core. Needs the extra `teach`. How sure the network may be is learned on patterns
that are left out and on the files of wordings (`--measure` stops there); what is written is taught on all.
"""

import argparse
import json
import random
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch

from benchmarks.ears_corpus import (
    FOREIGN,
    OUTSIDE,
    Pattern,
    Row,
    Sayer,
    intents,
    licences,
    nouns,
    patterns,
    rows,
    wording_patterns,
)
from benchmarks.ears_model import (
    UNTAUGHT,
    Network,
    Sentences,
    calm_of,
    heard,
    in_bytes,
    taught,
    vectors_of,
)
from situ.language.ears import KINDS, SPECIAL
from situ.language.ears_network import Pieces
from situ.language.tags import TAGS

HERE = Path(__file__).parent
LEFT_OUT = 8  # of so many patterns one, for how sure to be
LONGEST = 44  # pieces of a sentence that is taught
# Words and parts of words that are known though no sentence has them, the commonest.
COMMON, PARTS = 6500, 1200
CORPUS, KEPT, FILES = 0, 1, 10  # groups of sentences: taught always, left out first, by file
EPOCHS = 7.0


def labels() -> list[str]:
    return [*intents(), *SPECIAL]


def left_out(pattern: Pattern) -> bool:
    return zlib.crc32(f"{pattern.intent} {pattern.text}".encode()) % LEFT_OUT == 0


def sentences(each: int, seed: int) -> Iterator[tuple[int, Row]]:
    """All sentences with their groups."""
    for row in rows(patterns(), each, seed):
        yield KEPT if left_out(row.pattern) else CORPUS, row
    paths = [path for path in sorted(HERE.glob("ask_*.txt")) if path.stem != "ask_outside"]
    for number, path in enumerate(paths, FILES):
        sayer = Sayer(random.Random(seed + number))
        for pattern in wording_patterns(path):
            yield from ((number, row) for row in sayer.rows(pattern, 2))


def known_pieces(vocabulary: Sequence[str], some: Sequence[Row]) -> list[str]:
    """The pieces that are kept: what sentences use, and what English uses most."""
    full = Pieces(vocabulary)
    used = {piece for row in some for piece in full.coded(row.words)[0]}
    plain = [
        k for k, piece in enumerate(vocabulary) if piece.isascii() and piece.removeprefix("##").isalnum()
    ]
    letters = [k for k in plain if len(vocabulary[k].removeprefix("##")) == 1]
    parts = [k for k in plain if vocabulary[k].startswith("##")][:PARTS]
    common = [k for k in plain if vocabulary[k].isalpha() and not vocabulary[k].startswith("##")][:COMMON]
    first = [vocabulary.index(name) for name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")]
    return [vocabulary[k] for k in dict.fromkeys([*first, *sorted(used.union(letters, parts, common))])]


def numbered(some: Sequence[tuple[int, Row]], pieces: Pieces, device: str) -> Sentences:
    """Sentences as numbers; those that are too long are left out."""
    names, marks = {name: k for k, name in enumerate(labels())}, {tag: k for k, tag in enumerate(TAGS)}
    found: list[tuple[list[int], list[int], list[int], int, int]] = []
    for group, row in some:
        ids, starts = pieces.coded(row.words)
        if len(ids) > LONGEST:
            continue
        tags, kinds = [UNTAUGHT] * LONGEST, [0] * LONGEST
        for at, tag, kind in zip(starts, row.tags, row.kinds, strict=False):
            tags[at] = marks[tag] if row.intent not in (OUTSIDE, FOREIGN) else UNTAUGHT
            kinds[at] = kind
        found.append((ids + [0] * (LONGEST - len(ids)), kinds, tags, names[row.intent], group))
    columns = [torch.tensor(column, device=device) for column in zip(*found, strict=True)]
    return Sentences(columns[0].int(), columns[1].short(), columns[2].short(), columns[3], columns[4])


def told(model: Network, given: Sentences) -> None:
    """Print what the model hears of each group of sentences."""
    one = heard(model, given)
    meant, group = given.meant.cpu().numpy(), given.group.cpu().numpy()
    outside = labels().index(OUTSIDE)
    right, inside = one["choice"] == meant, meant != outside
    for number in np.unique(group):
        here = (group == number) & inside
        both, sure = right & one["tagged"], here & (one["share"] * one["doubt"] > 0.9)
        print(
            f"group {number}: {here.sum()} sentences, intent {100 * right[here].mean():.1f} %, tags "
            f"{100 * one['tagged'][here].mean():.1f} %, both {100 * both[here].mean():.1f} %; above 0.9: "
            f"{100 * sure.sum() / max(1, here.sum()):.0f} %, of them right "
            f"{100 * both[sure].sum() / max(1, sure.sum()):.1f} %",
            flush=True,
        )
    none = ~inside
    asked = (one["choice"] != outside) & (one["share"] > 0.7)
    print(f"outside: {none.sum()}, refused {100 * right[none].mean():.1f} %, taken for a question above 0.7: "
          f"{100 * asked[none].mean():.1f} %", flush=True)  # fmt: skip


def written(model: Network, pieces: Sequence[str], calm: float, path: Path) -> None:
    """Write a network with what goes with it: the intents, what people say with them, its pieces."""
    about = json.dumps({
        "tags": TAGS, "said": intents(), "licensed": sorted(licences()), "nouns": sorted(nouns()),
        "pieces": list(pieces), "calm": round(calm, 3),
    })  # fmt: skip
    np.savez_compressed(path, known=np.frombuffer(about.encode(), np.uint8), **in_bytes(model.state_dict()))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--each", type=int, default=300, help="sentences of an intent")
    parser.add_argument("--seed", type=int, default=49)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--epochs", type=float, default=EPOCHS)
    parser.add_argument("--calm", type=float, default=0.0, help="how sure to be, where that was measured")
    parser.add_argument("--measure", action="store_true", help="leave patterns out, and write nothing")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    began, calm = time.time(), options.calm
    some = list(sentences(options.each, options.seed))
    tokens = json.loads((options.base / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    pieces = known_pieces(sorted(tokens, key=tokens.__getitem__), [row for _, row in some])
    data = numbered(some, Pieces(pieces), options.device)
    vectors = vectors_of(options.base, pieces)
    print(f"{len(data.meant)} sentences, {len(pieces)} pieces, {time.time() - began:.0f} s", flush=True)

    def network() -> Network:
        torch.manual_seed(options.seed)
        return Network(vectors.clone(), len(KINDS), len(labels()), len(TAGS)).to(options.device)

    if options.measure or not calm:
        model = taught(network(), data.of(data.group == CORPUS), options.epochs, options.seed)
        rest = data.of(data.group != CORPUS)
        told(model, rest)
        found = heard(model, rest)
        calm = calm_of(found["share"], found["choice"] == rest.meant.cpu().numpy())
        print(f"odds divided by {calm:.2f}, {time.time() - began:.0f} s", flush=True)
    if not options.measure:
        written(taught(network(), data, options.epochs, options.seed), pieces, calm, options.out)
        print(f"written after {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
