"""Attacks of the simplest kind, by code that shares nothing with `situ audit`.

    python -m benchmarks.shortcuts SET ...       # names, ids, order, lengths, sizes, sisters, repeats
    python -m benchmarks.shortcuts --plan 1 2 3  # SAW at full size for these seeds, without filming anything

Each attack learns from the questions of every other recording of the set and votes; a question with k options
counts 1 / k as chance. The last columns are the share right, its standard error over recordings, and chance.
"""

import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.benchmarks.saw import candidates as saw
from situ.benchmarks.saw.protocol import VIDEOS, expected_row
from situ.benchmarks.saw.recipe import SawRecipe
from situ.benchmarks.saw.routes import draw_seconds
from situ.geometry.route import plan_in_words

Clue = Callable[[QuestionRow], Any]


def votes(rows: Sequence[QuestionRow], clue: Clue) -> list[tuple[str, float, float]]:
    """(recording, credit, chance) of guessing what was right where the clue was the same."""
    table: dict[Any, Counter[str]] = defaultdict(Counter)
    own: dict[tuple[str, Any], Counter[str]] = defaultdict(Counter)
    for row in rows:
        table[clue(row)][row.answer] += 1
        own[row.item, clue(row)][row.answer] += 1
    found = []
    for row in rows:
        seen = table[clue(row)] - own[row.item, clue(row)]
        options = row.options or tuple(seen) or ("?",)
        best = max(seen[o] for o in options)
        picked = [o for o in options if seen[o] == best]
        chance = 1 / len(row.options) if row.options else usual(rows)
        found.append((row.item, picked.count(row.answer) / len(picked), chance))
    return found


def usual(rows: Sequence[QuestionRow]) -> float:
    return max(Counter(row.answer for row in rows).values()) / len(rows)


def clues(rows: Sequence[QuestionRow], frames: dict[str, int], sizes: dict[str, int]) -> dict[str, Clue]:
    place = {row.id: i for i, row in enumerate(rows)}
    by_item: dict[str, list[QuestionRow]] = defaultdict(list)
    for row in rows:
        by_item[row.item].append(row)
    spread = max(1, len(rows) // 20)

    def binned(values: dict[str, int]) -> Clue:
        cuts = np.quantile(list(values.values()), np.linspace(0, 1, 9)[1:-1]) if values else []
        return lambda row: int(np.searchsorted(cuts, values.get(row.item, 0)))

    return {
        "nothing": lambda row: 0,
        "end of the item's name": lambda row: re.split(r"\W|_", row.item)[-1][-1:],
        "item's number mod 6": lambda row: int("0" + "".join(re.findall(r"\d", row.item))[-6:]) % 6,
        "end of the id": lambda row: row.id[-1:],
        "id's number mod 6": lambda row: int("0" + "".join(re.findall(r"\d", row.id))[-6:]) % 6,
        "row order": lambda row: place[row.id] // spread,
        "place among the recording's rows": lambda row: by_item[row.item].index(row),
        "number of frames": binned(frames),
        "bytes": binned(sizes),
        "tasks asked of the recording": lambda row: tuple(sorted({r.task for r in by_item[row.item]})),
        "words of the sisters": lambda row: tuple(
            sorted({re.sub(r"\d+", "", r.text)[:24] for r in by_item[row.item] if r is not row})
        ),
    }


def sister_options(rows: Sequence[QuestionRow]) -> Iterator[tuple[str, float, float]]:
    """The option that other rows of the recording offer, or speak of, most."""
    by_item: dict[str, list[QuestionRow]] = defaultdict(list)
    for row in rows:
        by_item[row.item].append(row)
    for row in rows:
        others = [r for r in by_item[row.item] if r is not row]
        if not others or not row.options:
            continue
        said = " ".join(t for r in others for t in (r.text, *r.options))
        counts = [sum(said.count(w) for w in re.findall(r"\w{4,}", o)) for o in row.options]
        picked = [o for o, n in zip(row.options, counts, strict=True) if n == max(counts)]
        yield row.item, picked.count(row.answer) / len(picked), 1 / len(row.options)


def repeats(rows: Sequence[QuestionRow]) -> Iterator[tuple[str, float, float]]:
    """Any option but the one that was right the last time the same was asked, each equally often."""
    last: dict[tuple[str, str], QuestionRow] = {}
    for row in sorted(rows, key=lambda r: (r.item, r.time or 0.0)):
        before = last.get((row.item, row.text))
        last[row.item, row.text] = row
        if before is not None and row.time is not None and len(row.options) > 1:
            changed = before.answer != row.answer
            yield row.item, changed / (len(row.options) - 1), 1 / len(row.options)


def report(name: str, task: str, found: Sequence[tuple[str, float, float]]) -> None:
    if not found:
        print("-")
        return
    by_item: dict[str, list[float]] = defaultdict(list)
    for item, credit, chance in found:
        by_item[item].append(credit - chance)
    excess = float(np.mean([credit - chance for _, credit, chance in found]))
    error = math.sqrt(sum((sum(v) - excess * len(v)) ** 2 for v in by_item.values())) / len(found)
    share, chance = (float(np.mean([f[k] for f in found])) for k in (1, 2))
    z = excess / error if error else 0.0
    mark = "  <<<" if z > 3.5 and excess > 0.03 else ""
    print(
        f"{name:20} {task:24} {len(found):6} {100 * share:6.1f} {100 * error:5.1f} {100 * chance:6.1f}{mark}",
        flush=True,
    )


def attack(name: str, rows: Sequence[QuestionRow], frames: dict[str, int], sizes: dict[str, int]) -> None:
    every = clues(rows, frames, sizes)
    for task in sorted({row.task for row in rows}):
        mine = [row for row in rows if row.task == task]
        for clue_name, clue in every.items():
            print(f"{clue_name:34}", end="")
            report(name, task, votes(mine, clue))
    for clue_name, found in (
        ("options said by sisters", sister_options(rows)),
        ("not as last time", repeats(rows)),
    ):
        print(f"{clue_name:34}", end="")
        report(name, "all", list(found))


def planned_rows(recipe: SawRecipe) -> tuple[list[QuestionRow], dict[str, int]]:
    """The questions of a set's walks and standing videos as planned, and their numbers of frames."""
    rows, frames = [], {}
    names = recipe.item_names()
    for number, shot in enumerate(recipe.shots):
        if shot.task not in ("direction", "shape", "revplan", "localization"):
            continue
        recording = SimpleNamespace(meta={"place": shot.layout, "indoor": True}, objects={})
        rng = recipe._rng(number, "questions", 0)
        asking = saw.Asking(shot, names[number], recording, rng)  # type: ignore[arg-type]
        frames[names[number]] = (
            int(draw_seconds(recipe.fps, recipe._rng(number, "length", 0)) * recipe.fps) + 1
        )
        makers = {
            "direction": saw._direction_questions,
            "shape": saw._shape_questions,
            "revplan": saw._way_back_questions,
            "localization": saw._position_questions,
        }
        for proposal in makers[shot.task](asking):
            answer = planned_answer(shot.video_id, shot.task, proposal.stratum)
            text, options = proposal.question.text, proposal.options
            rows.append(QuestionRow("", names[number], shot.task, text, options, answer, {}, 1.0, ()))
    order = np.random.default_rng(recipe.seed).permutation(len(rows))
    return [replace(rows[int(k)], id=f"q{i:05d}") for i, k in enumerate(order)], frames


def planned_answer(video_id: int, task: str, origin: str) -> str:
    video = VIDEOS[video_id]
    if task == "localization":
        return str(video.spot)
    if task == "shape":
        return video.shape
    row = expected_row(video_id, video)
    if task == "revplan":
        return plan_in_words(("around", *("left" if side == "L" else "right" for side in row.way_back)))
    return row.start_to_end if origin == "start" else row.end_to_start


def attack_all(arguments: Sequence[str]) -> None:
    if arguments and arguments[0] == "--plan":
        for seed in map(int, arguments[1:]):
            rows, frames = planned_rows(SawRecipe(seed=seed, fps=2.0))
            attack(f"saw plan {seed}", rows, frames, {})
        return
    for folder in arguments:
        dataset = Dataset.open(folder)
        frames, sizes = {}, {}
        for item in dataset.items:
            recording = dataset.recording(item)
            frames[item] = len(recording)
            sizes[item] = sum(path.stat().st_size for path in recording.folder.iterdir())
        attack(dataset.folder.name, dataset.questions, frames, sizes)


if __name__ == "__main__":
    attack_all(sys.argv[1:])
