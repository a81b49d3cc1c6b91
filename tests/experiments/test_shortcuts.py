"""The plain attacks of `benchmarks.shortcuts` find a planted leak of every kind, and accuse no fair set."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.audits import planned, together
from benchmarks.saw_plan import planned_rows
from benchmarks.shortcuts import attack

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.saw.recipe import SawRecipe

SIDES = ("north", "east", "south", "west")
FATES = ("was moved", "was added", "was taken away", "stayed")
Rows = list[QuestionRow]
Measures = dict[str, int]


def fair(seed: int = 5, items: int = 90) -> tuple[Rows, Measures, Measures]:
    """Two questions about each recording, each asked again later; chance settles everything."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(items):
        for thing in ("lamp", "clock"):
            options = tuple(SIDES[int(i)] for i in rng.permutation(4))
            for time in (10.0, 20.0):
                text, answer = f"Where from the door is the {thing}?", str(rng.choice(options))
                rows.append(QuestionRow("", f"{number:06d}", thing, text, options, answer, {}, 1.0, (), time))
    named = [replace(rows[int(k)], id=f"q{i:05d}") for i, k in enumerate(rng.permutation(len(rows)))]
    frames, sizes = ({f"{i:06d}": int(rng.integers(40, 90)) for i in range(items)} for _ in range(2))
    return named, frames, sizes


def marked(rows: Rows, frames: Measures, sizes: Measures) -> set[str]:
    return {result.attack for result in attack(rows, frames, sizes) if result.marked}


@pytest.mark.parametrize("seed", range(4))
def test_a_fair_set_is_not_accused(seed: int) -> None:
    assert marked(*fair(seed)) == set()


def code(row: QuestionRow) -> int:
    return SIDES.index(row.answer)


IN_A_ROW: dict[str, Callable[[QuestionRow], QuestionRow]] = {
    "end of the item's name": lambda row: replace(row, item=f"{row.item}_{'abcd'[code(row)]}"),
    "item's number mod 6": lambda row: replace(row, item=f"{6 * int(row.item) + code(row):06d}"),
    "end of the id": lambda row: replace(row, id=f"{row.id}-{'abcd'[code(row)]}"),
    "id's number mod 6": lambda row: replace(row, id=f"q{6 * int(row.id[1:]) + code(row):06d}"),
}


@pytest.mark.parametrize("leak", IN_A_ROW)
def test_a_leak_in_a_name_is_found(leak: str) -> None:
    rows, frames, sizes = fair()
    assert leak in marked([IN_A_ROW[leak](row) for row in rows], frames, sizes)


def test_a_leak_in_the_order_of_rows_is_found() -> None:
    rows, frames, sizes = fair()
    assert "row order" in marked(sorted(rows, key=code), frames, sizes)


def test_a_leak_in_the_order_within_a_recording_is_found() -> None:
    rows, frames, sizes = fair()
    firsts = {(row.item, row.task): row for row in rows}
    one_each = sorted(firsts.values(), key=lambda row: (row.item, row.task))
    told = [replace(row, answer=SIDES[i % 2], id=f"r{i}") for i, row in enumerate(one_each)]
    alike = [replace(row, task="place", text=f"Where? {i}") for i, row in enumerate(told)]
    assert "place among the recording's rows" in marked(alike, frames, sizes)


@pytest.mark.parametrize("leak", ["number of frames", "bytes"])
def test_a_leak_in_lengths_and_sizes_is_found(leak: str) -> None:
    rows, frames, sizes = fair()
    rows = [replace(row, answer=SIDES[int(row.item) % 4]) for row in rows]
    measures = {item: 100 * (int(item) % 4) for item in frames}
    given = (measures, sizes) if leak == "number of frames" else (frames, measures)
    assert leak in marked(rows, *given)


def memory_rows(changes: int = 120, seed: int = 3) -> Rows:
    """Both questions about one change, as the original asks them: each answers the other."""
    rng = np.random.default_rng(seed)
    things, rows = ["mug", "book", "vase", "plant", "radio", "clock"], Rows()
    for n in range(changes):
        four = [things[int(i)] for i in rng.permutation(6)[:4]]
        claims = [f"the {thing} {FATES[k]}" for k, thing in enumerate(four)]
        options = tuple(claims[int(i)] for i in rng.permutation(4))
        kind = int(rng.integers(4))
        item, fates = f"{n:06d}", tuple(FATES[int(i)] for i in rng.permutation(4))
        rows += [
            QuestionRow(f"a{n}", item, "memory", "What changed?", options, claims[kind], {}, 1.0, ()),
            QuestionRow(
                f"b{n}",
                item,
                "memory",
                f"What happened to the {four[kind]}?",
                fates,
                FATES[kind],
                {},
                1.0,
                (),
            ),
        ]
    return rows


def test_sisters_that_answer_each_other_are_found() -> None:
    rows = memory_rows()
    assert "claims of sisters" in marked(rows, {}, {})
    changes = [row for row in rows if row.text == "What changed?"]
    told = {row.item: row.text for row in rows if row.text != "What changed?"}
    asked = [
        replace(row, text="Anything?", options=(told[row.item],), answer=told[row.item]) for row in changes
    ]
    assert "options said by sisters" in marked([*changes, *asked], {}, {})


@pytest.mark.parametrize(("kept", "leak"), [(False, "not as last time"), (True, "as last time")])
def test_repeats_that_tell_are_found(kept: bool, leak: str) -> None:
    rows, frames, sizes = fair()
    before: dict[tuple[str, str], str] = {}
    told = []
    for row in sorted(rows, key=lambda r: r.time or 0.0):
        last = before.get((row.item, row.task))
        if last is not None:
            others = [option for option in row.options if option != last]
            row = replace(row, answer=last if kept else others[0])
        before[row.item, row.task] = row.answer
        told.append(row)
    assert leak in marked(told, frames, sizes)


def test_repeats_that_all_have_one_answer_are_found() -> None:
    rows, frames, sizes = fair()
    told = [replace(row, answer="north") if row.time == 20.0 else row for row in rows]
    assert "times asked before" in marked(told, frames, sizes)


def test_tasks_that_are_only_asked_for_some_answers_are_found() -> None:
    rows, frames, sizes = fair()
    lamps = [row for row in rows if row.task == "lamp"]
    beside = {row.item for row in lamps if row.answer == "north"}
    clocks = [row for row in rows if row.task == "clock" and row.item in beside]
    assert "tasks asked of the recording" in marked([*lamps, *clocks], frames, sizes)


def test_a_planned_set_is_not_accused() -> None:
    rows, frames = planned_rows(SawRecipe(seed=917, scale=0.4, fps=2.0))
    assert len(rows) > 600
    assert marked(rows, frames, {}) == set()


def test_planned_sets_are_attacked_as_one() -> None:
    """Every recording of every seed keeps its questions and its length, in the order of its own set."""
    one, other = planned(3, 0.02), planned(4, 0.02)
    pooled = together([one, other])
    assert len(pooled.rows) == len({row.id for row in pooled.rows}) == len(one.rows) + len(other.rows)
    assert {row.item for row in pooled.rows} == set(pooled.media)
    assert len(pooled.media) == len(one.media) + len(other.media)
    first = [row.id.removeprefix("0-") for row in pooled.rows if row.id.startswith("0-")]
    assert first == [row.id for row in one.rows]
