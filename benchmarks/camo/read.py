"""The arms' own narratives read by the built-in reader: what their words are worth (Spatial Narrative Score).

    python -m benchmarks.camo.read DIR [DIR ...]

DIR is the folder of a run: its narratives and the clips they are of. A question is about a thing out of view
in the end, eight sectors to choose from, chance 12.5 %; a thing that the narrative does not tell of is
guessed. Beside them stand the perfect narratives of the same clips in the same words, with and without their
camera part.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.camo import words as W
from benchmarks.camo.layouts import NAMES
from benchmarks.camo.paths import FRAMES
from benchmarks.camo.report import Estimate
from benchmarks.camo.run import ASKED
from situ.geometry.heading import SECTORS
from situ.narrate.narrative import Narrative, Segment
from situ.narrate.reasoner import Reasoner
from situ.questions import Selector, WhereFromHere

TELLERS = ("camera", "scene", "shuffled")  # in the order of their narratives


def share_right(tokens: np.ndarray, name: np.ndarray, sector: np.ndarray, names: Sequence[str]) -> float:
    """The share of the clips whose question is answered rightly from their narrative's tokens."""
    right = [
        answer(W.text_of(row[1:].tolist(), names), names[n]) == SECTORS[s]
        for row, n, s in zip(tokens, name, sector, strict=True)
    ]
    return float(np.mean(right))


def answer(texts: tuple[str, str], name: str) -> str:
    """Names of solids are a colour and a shape, those of things in homes a kind."""
    color, _, shape = name.partition(" ")
    one = Selector.make(shape, {"color": color}) if name in NAMES else Selector.make(name)
    reader = Reasoner(Narrative((Segment(1, 1, FRAMES, *texts),)))
    return reader.answer(WhereFromHere(one), SECTORS)


def scores_of(folder: Path) -> list[str]:
    """Lines of a table: the perfect narratives, then each group's arms over their seeds."""
    asked = np.load(folder / ASKED)
    names = asked["names"].tolist() if "names" in asked else NAMES
    key = asked["name"], asked["sector"], names
    lines = [
        f"| {folder.name} | {label} | {100 * share_right(asked[kind], *key):.1f} |"
        for kind, label in (("perfect", "perfect"), ("perfect_scene", "perfect, scene only"))
    ]
    for file in sorted(folder.glob("said-*.npz")):
        said = np.load(file)["said"]
        eyes, count, numbers, arms = file.stem.removeprefix("said-").split("-")
        tellers = [arm for arm in TELLERS if arm in arms.split("_")]
        seeds = len(said) // len(tellers)
        group = f"{eyes}, {count} labels, seeds {numbers.replace('_', ' ')}"
        for place, arm in enumerate(tellers):
            shares = [share_right(said[place * seeds + i], *key) for i in range(seeds)]
            lines.append(f"| {group} | {arm} | {Estimate.of(shares)} |")
    return lines


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    print("| narratives | arm | right, % |\n|---|---|---|")
    for folder in parser.parse_args(given).folders:
        print("\n".join(scores_of(folder)), flush=True)


if __name__ == "__main__":
    main()
