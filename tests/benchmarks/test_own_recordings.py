"""REM's and UCS's questions about recordings that were not made for them."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from own_walk import KINDS, START_S, record_own_walk
from real_data import real_data
from situ.benchmarks.balance import Candidate
from situ.benchmarks.make import make_dataset
from situ.benchmarks.own_recordings import one_task_each
from situ.benchmarks.rem.check import check_item as check_rem
from situ.benchmarks.rem.real import TASKS, RealRemRecipe
from situ.benchmarks.ucs.check import check_item as check_ucs
from situ.benchmarks.ucs.real import RealUcsRecipe
from situ.errors import BadInput, Unanswerable
from situ.evaluation.audit import audit_rows
from situ.evaluation.check.rows import row_problems
from situ.evaluation.check.run import check_dataset
from situ.geometry.camera import Camera
from situ.recording import FrameRecord, Recording, RecordingWriter
from situ.recording.formats import import_aria

RECIPES: dict[str, Any] = {"rem": (RealRemRecipe, check_rem), "ucs": (RealUcsRecipe, check_ucs)}


@pytest.fixture(scope="module")
def walk(tmp_path_factory) -> Path:
    return record_own_walk(tmp_path_factory.mktemp("own") / "walk")


def offered(kind: str, walk: Path, seed: int = 0) -> list:
    recipe = RECIPES[kind][0]((walk,), seed=seed)
    return [row for _, row in recipe.propose(0, Recording.open(walk))]


@pytest.mark.parametrize("kind", RECIPES)
def test_every_key_is_derived_again(kind: str, walk: Path) -> None:
    recording, rows = Recording.open(walk), offered(kind, walk)
    assert RECIPES[kind][1](recording, rows) == []
    assert row_problems(recording, rows) == []


def test_kinds_of_questions(walk: Path) -> None:
    assert {row.task for row in offered("rem", walk)} == set(TASKS)
    forms = Counter(row.strata["form"] for row in offered("ucs", walk))
    assert set(forms) >= {"where_from_here", "closer_to_me", "can_reach", "turn_towards"}


def test_what_is_counted(walk: Path) -> None:
    counts = {row.text: row.answer for row in offered("rem", walk) if row.task == "counting"}
    assert counts["How many different chairs did we see in total?"] == str(KINDS.count("chair"))
    assert counts["How many different wardrobes did we see in total?"] == "0"
    assert counts["How many different knives did we see in total?"] == "1"


def test_nothing_is_asked_before_the_recording_begins(walk: Path) -> None:
    assert all(row.time is not None and row.time > START_S for row in offered("ucs", walk))


@pytest.mark.parametrize("kind", RECIPES)
def test_wrong_keys_are_found(kind: str, walk: Path) -> None:
    recording, rows = Recording.open(walk), offered(kind, walk)
    first = {row.program["kind"]: row for row in rows}
    for row in first.values():
        others = [option for option in row.options if option != row.answer] or [str(int(row.answer) + 1)]
        assert RECIPES[kind][1](recording, [replace(row, answer=others[0])]), row.text


def test_in_a_mirror_left_and_right_change_places(walk: Path, tmp_path: Path) -> None:
    other = record_own_walk(tmp_path / "walk", mirror=True)
    for kind, tasks in (("rem", {"left_right"}), ("ucs", {"ego-centric position"})):
        plain = {(r.text, r.time): r.answer for r in offered(kind, walk) if r.task in tasks}
        mirrored = {(r.text, r.time): r.answer for r in offered(kind, other) if r.task in tasks}
        shared = plain.keys() & mirrored.keys()
        assert shared
        for key in shared:
            swapped = plain[key].replace("left", "#").replace("right", "left").replace("#", "right")
            assert swapped == mirrored[key], key


@pytest.mark.parametrize("kind", RECIPES)
def test_a_set_is_made_checked_and_audited(kind: str, walk: Path, tmp_path: Path) -> None:
    dataset = make_dataset(RECIPES[kind][0]((walk,)), tmp_path / "set")
    assert dataset.questions
    assert check_dataset(dataset).disagreements == ()
    assert {found.task for found in audit_rows(dataset.questions)} >= {row.task for row in dataset.questions}
    if kind == "rem":
        assert len({row.task for row in dataset.questions}) == 1


def test_tasks_are_dealt_out_evenly() -> None:
    found = [Candidate(i, k, task, "", "") for i in range(8) for k, task in enumerate(TASKS)]
    found += [Candidate(8, 0, "ordering", "", "")]
    chosen = one_task_each(found, np.random.default_rng(0))
    assert len({candidate.item for candidate in chosen}) == len(chosen) == 9
    assert sorted(Counter(candidate.task for candidate in chosen).values()) == [2, 2, 2, 3]


@pytest.mark.parametrize("kind", RECIPES)
def test_a_recording_without_things_says_so(kind: str, tmp_path: Path) -> None:
    camera = Camera(64, 48, 50.0, 50.0, 32.0, 24.0)
    with RecordingWriter(tmp_path / "bare", camera, images="none") as writer:
        writer.add_frame(FrameRecord(0, 0.0, np.eye(4), "", ()))
    with pytest.raises(Unanswerable, match=r"bare.*name"):
        make_dataset(RECIPES[kind][0]((tmp_path / "bare",)), tmp_path / "set")
    with RecordingWriter(tmp_path / "lost", camera, images="none", meta={"poses": "unknown"}) as writer:
        writer.add_frame(FrameRecord(0, 0.0, np.eye(4), "", ()))
    with pytest.raises(BadInput, match="unknown poses"):
        make_dataset(RECIPES[kind][0]((tmp_path / "lost",)), tmp_path / "other")


@pytest.mark.real
def test_things_of_a_digital_twin_are_counted_and_told_apart(tmp_path: Path) -> None:
    """The head is bent there: what is left in the picture and right around the wearer is not asked."""
    import_aria(real_data("adt_apartment"), tmp_path / "adt", size=128)
    rows = offered("rem", tmp_path / "adt")
    assert {row.task for row in rows} >= {"counting", "left_right"}
    assert check_rem(Recording.open(tmp_path / "adt"), rows) == []
