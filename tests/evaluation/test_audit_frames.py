"""Attacks that see a frame: a planted shortcut is found, and what geometry decides is no leak."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evaluation.small_set import SIZE, make_set, write_recording
from situ.benchmarks.dataset import Dataset, write_manifest, write_rows
from situ.evaluation.audit.frames import (
    AT_CHANCE,
    DECIDED,
    LEAK,
    NEEDS_ORDER,
    SAME,
    FrameAttack,
    audit_frames,
)
from situ.evaluation.audit.glimpse import Glimpse, picture_features
from situ.evaluation.stats.intervals import Interval
from situ.recording import FrameRecord, RecordingWriter


def lit_set(folder: Path, items: int, leak: bool) -> Dataset:
    """Ordering questions whose recordings begin bright or dark; in a leaky set by the answer."""
    dataset = make_set(folder, items=items)
    rng = np.random.default_rng(1)
    rows = []
    for row in dataset.questions:
        if row.task != "ordering":
            continue
        bright = bool(rng.integers(2))
        answer = ("before" if bright else "after") if leak else str(rng.choice(["before", "after"]))
        rows.append(replace(row, answer=answer))
        brighten(folder / "items" / row.item, bright)
    content = write_rows(folder / "questions.parquet", rows)
    write_manifest(folder, {**dataset.manifest, "questions": len(rows), "content_hash": content})
    return Dataset.open(folder)


def brighten(folder: Path, bright: bool) -> None:
    """The same recording with frames of one grey."""
    old = Dataset.open(folder.parents[1]).recording(folder.name)
    image = np.full((SIZE[1], SIZE[0], 3), 200 if bright else 50, np.uint8)
    new = folder.with_name(folder.name + "-lit")
    with RecordingWriter(new, old.camera, images="jpeg", fps=1.0) as writer:
        for record in old.objects.values():
            writer.add_object(record)
        for frame in old.frames:
            again = FrameRecord(frame.index, frame.time, frame.T_world_camera, frame.action, frame.visible)
            writer.add_frame(again, rgb=image)
    folder.rename(folder.with_name(folder.name + "-old"))
    new.rename(folder)


def by_attack(found: list[FrameAttack]) -> dict[str, FrameAttack]:
    return {attack.attack: attack for attack in found}


def test_a_picture_that_gives_the_answer_away_is_a_leak(tmp_path: Path) -> None:
    leaky = by_attack(audit_frames(lit_set(tmp_path / "leaky", 36, leak=True)))
    assert leaky["first"].accuracy == 1.0
    assert leaky["first"].verdict == leaky["last"].verdict == LEAK
    fair = by_attack(audit_frames(lit_set(tmp_path / "fair", 36, leak=False)))
    assert not any(attack.leaks for attack in fair.values())
    assert fair["first"].expected >= 1 / 3


def test_a_missing_recording_and_one_of_a_single_frame_are_no_obstacle(tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=4)
    shutil.rmtree(tmp_path / "set" / "items" / "000001")
    shutil.rmtree(tmp_path / "set" / "items" / "000002")
    write_recording(tmp_path / "set" / "items" / "000002", 2, frames=1)
    found = audit_frames(dataset)
    assert {attack.questions for attack in found} == {3}


def test_order_is_needed_and_a_repetition_is_not_noticed(tmp_path: Path) -> None:
    found = by_attack([a for a in audit_frames(make_set(tmp_path / "set", items=8)) if a.task == "ordering"])
    assert found["repeated"].verdict == SAME
    assert found["shuffled"].verdict == NEEDS_ORDER
    assert found["shuffled"].theory < 1.0
    assert found["shuffled"].accuracy is None


@pytest.mark.parametrize(
    ("theory", "p", "verdict"), [(0.25, 0.001, LEAK), (1.0, 0.001, DECIDED), (1.0, 0.3, AT_CHANCE)]
)
def test_the_verdict_weighs_the_learner_against_theory(theory: float, p: float, verdict: str) -> None:
    attack = FrameAttack("t", "ends", 99, 0.25, 0.25, theory, 0.6, Interval(0.5, 0.7), p)
    assert attack.verdict == verdict


def test_a_glimpse_learns_from_tiny_pictures_and_keeps_to_the_options() -> None:
    rng = np.random.default_rng(0)
    shots = [np.clip(rng.normal(level, 20, (24, 32, 3)), 0, 255).astype(np.uint8) for level in [60, 190] * 20]
    model = Glimpse.fit([picture_features(shot) for shot in shots], ["dark", "light"] * 20)
    seen = picture_features(np.full((24, 32, 3), 60, np.uint8))
    assert model.predict(seen, ()) == "dark"
    assert model.predict(seen, ("light", "blue")) == "light"
    assert model.predict(seen, ("blue",)) == "blue"


@pytest.mark.parametrize(("theory", "verdict"), [(0.6, "no change"), (0.5, "FAULT")])
def test_repeated_frames_are_compared_with_what_the_benchmark_shows(theory: float, verdict: str) -> None:
    """A benchmark that shows the latest minute of an hour hides much even from perfect eyes."""
    assert FrameAttack("t", "repeated", 99, 0.2, 0.2, theory, plain=0.6).verdict == verdict
