"""The set as a whole: keys, times, repeats, and that nothing from the future takes part."""

import math
from collections import Counter

import numpy as np
import pytest

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import Dataset
from situ.benchmarks.drawn_recording import DrawnRecording, write_span
from situ.benchmarks.question_types import BINARY
from situ.benchmarks.ucs import now
from situ.benchmarks.ucs.asking import Asker
from situ.benchmarks.ucs.check import _Book, check_item
from situ.benchmarks.ucs.check_pixels import pixel_problems
from situ.benchmarks.ucs.choose import choose_groups
from situ.benchmarks.ucs.published import SHARES, SUBTASKS
from situ.benchmarks.ucs.recipe import UcsRecipe, _drawn_use
from situ.benchmarks.ucs.story import Story
from situ.errors import BadInput
from situ.recording import Recording
from situ.state import TruthState, Visibility
from situ.state.truth import ENTERED
from situ.worlds.days.events import OTHER, WEARER
from situ.worlds.homes.uses import PROGRAMMES

FORMS = {
    "where_from_here", "where_when_put", "where_when_first_seen", "where_when_entered", "turn_towards",
    "way_after",
    "closer_to_me", "nearest_to", "count_now", "times_put", "kinds_on", "count_related", "gone_since",
    "looks_like", "carried_from_to", "kept_where",
}  # fmt: skip


def _recipe(dataset: Dataset) -> UcsRecipe:
    return UcsRecipe(**{k: v for k, v in dataset.manifest["recipe"].items() if k != "benchmark"})


def _truth(recording: Recording) -> TruthState:
    return TruthState.of(recording, Visibility(**recording.meta["visibility"]))


def test_the_published_shares_add_up() -> None:
    assert sum(SHARES.values()) == pytest.approx(100.0)
    for category, share in SHARES.items():
        assert sum(s.share for s in SUBTASKS.values() if s.category == category) == pytest.approx(share)


def test_the_published_numbers_at_a_quarter_of_the_scale() -> None:
    assert len(UcsRecipe().item_names()) == 532
    recipe = UcsRecipe(scale=0.25)
    streams, questions = len(recipe.item_names()), 8114 / 4
    assert streams == 133
    asked = {name: about.share / 100 * 8114 / 532 for name, about in SUBTASKS.items()}  # in each stream
    offered = [name for name, wanted in asked.items() for _ in range(1 + math.ceil(wanted))]
    many = [
        Candidate(i, n, task, f"{n}|1|{n}", str(n % 5))
        for i in range(streams)
        for n, task in enumerate(offered)
    ]
    chosen = Counter(candidate.task for candidate in recipe.choose(many))
    assert sum(chosen.values()) == pytest.approx(questions, abs=4)
    for name, about in SUBTASKS.items():
        assert chosen[name] / questions == pytest.approx(about.share / 100, abs=0.001)


def test_evidence_of_a_rare_age_is_asked_about_more_often_than_by_lot() -> None:
    many = [Candidate(n % 20, n, "way", f"{n}|{n % 6}|{n}", str(n % 5)) for n in range(600)]
    offered = [c for c in many if c.number % 6 != 5 or c.number % 4 == 1]
    chosen = choose_groups(offered, {"way": 60}, np.random.default_rng(0))
    ages = Counter(c.stratum.split("|")[1] for c in chosen)
    by_lot = 60 * sum(c.number % 6 == 5 for c in offered) / len(offered)
    assert ages["5"] > 1.4 * by_lot


def test_no_option_is_right_much_more_often_than_it_is_offered() -> None:
    rng = np.random.default_rng(3)
    kinds = ["cup", "red pan", "hat", "radio", "vase", "pot", "globe"]
    offered = []
    for n in range(2000):
        options = [kinds[int(i)] for i in rng.permutation(len(kinds))[:5]]
        truth = "cup" if "cup" in options and rng.random() < 0.6 else options[int(rng.integers(5))]
        offered.append(Candidate(n % 20, n, "taken", "|".join([str(n), "1", "", *options]), truth))
    chosen = choose_groups(offered, {"taken": 400}, rng)
    for kind in kinds:
        shown = [c for c in chosen if kind in c.stratum.split("|")[3:]]
        assert sum(c.label == kind for c in shown) / len(shown) < 0.34


def test_every_kind_of_question_with_all_that_analyses_need(small: Dataset) -> None:
    recording = small.recording(small.items[0])
    rows = [row for _, row in _recipe(small).propose(0, recording)]
    assert {row.task for row in rows} == set(SUBTASKS)
    assert {row.strata["person"] for row in rows} == {"first", "second"}
    for row in rows:
        assert row.strata["category"] == SUBTASKS[row.task].category
        assert len(row.options) == (2 if SUBTASKS[row.task].qtype == BINARY else 5)
        assert {"evidence_age_s", "evidence_span_s", "since_start_s", "since_last_asked_s"} <= set(row.strata)


def test_every_event_says_what_from_where_to_where_by_whom_and_whether_it_was_seen(small: Dataset) -> None:
    every = small.recording(small.items[0]).events
    rooms = [event for event in every if event.kind == ENTERED]
    assert all(event.object_id is None and set(event.data) == {"place"} for event in rooms)
    assert len({event.data["place"] for event in rooms}) > 3
    events = [event for event in every if event.kind != ENTERED]
    acts = {event.data["act"] for event in events}
    assert {"taken", "put", "carried", "opened", "closed", "appeared", "removed"} <= acts
    assert {WEARER} <= {event.data["by"] for event in events} <= {WEARER, OTHER}
    for event in events:
        assert event.object_id is not None
        assert event.data["seen"] in (True, False)
        if event.data["act"] in ("taken", "put", "stowed"):
            assert "from" in event.data
            assert "to" in event.data


def test_moments_long_after_something_was_seen(small: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(now, "LONG_S", 240.0)
    asker = Asker(Story(small.recording(small.items[0])), np.random.default_rng(1))
    things = now._things(asker)
    moments = now._long_after(asker, things)
    assert moments
    for time in moments:
        seen = [[s.time for s in asker.story.truth.sightings(i) if s.time <= time] for i in things]
        assert any(times and time - times[-1] > 239.0 for times in seen)


def test_a_second_derivation_agrees_on_all_that_could_be_asked(small: Dataset) -> None:
    recording = small.recording(small.items[0])
    rows = [row for _, row in _recipe(small).propose(0, recording)]
    assert {row.strata["form"] for row in rows} >= FORMS
    assert check_item(recording, rows) == []


def test_buildings_are_of_every_use() -> None:
    recipe = UcsRecipe(seed=3)
    drawn = Counter(_drawn_use(np.random.default_rng(i)) for i in range(400))
    assert set(drawn) == set(PROGRAMMES)
    assert 150 < drawn["home"] < 250
    assert recipe.day(1).world.sites[0].name in PROGRAMMES


def test_the_check_notices_a_wrong_key(small: Dataset) -> None:
    from dataclasses import replace

    row = small.questions[0]
    wrong = next(option for option in row.options if option != row.answer)
    assert len(check_item(small.recording(row.item), [replace(row, answer=wrong)])) == 1


def test_the_log_is_held_against_the_pictures(small: Dataset) -> None:
    recording = small.recording(small.items[0])
    rows = list(small.questions)
    book = _Book(recording)
    assert list(pixel_problems(recording, rows, book.box)) == []

    def shifted(number: int, time: float) -> tuple[list[float], list[float], float]:
        (x, y, z), size, yaw = book.box(number, time)
        return [x + 0.5, y, z], size, yaw

    assert any("outside its place" in problem for problem in pixel_problems(recording, rows, shifted))


def test_evidence_ends_before_the_question(small: Dataset) -> None:
    times = small.recording(small.items[0]).path.times
    for row in small.questions:
        assert row.time is not None
        assert times[max(row.evidence)] < row.time
        assert row.strata["evidence_age_s"] > 0


def test_things_are_counted_only_while_the_wearer_knows_what_became_of_each(small: Dataset) -> None:
    recording = small.recording(small.items[0])
    truth = _truth(recording)
    counts = [row for row in small.questions if row.task == "quantity change"]
    assert counts
    for row in counts:
        assert row.time is not None
        which = getattr(
            row.question, "which", None
        )  # acts are counted, too: those are not of things that stay
        for view in which.select(truth.as_of(row.time)) if which is not None else ():
            changes = [e for e in recording.events if e.object_id == view.id and e.time <= row.time]
            last = max((e.time for e in changes if e.kind == "moved"), default=0.0)
            after = [s for s in truth.sightings(view.id) if last <= s.time <= row.time]
            assert after or any(e.kind == "removed" and e.data["seen"] for e in changes)


def test_the_same_words_come_again_at_another_time(small: Dataset) -> None:
    groups: dict[object, list[tuple[str, float]]] = {}
    for _, row in _recipe(small).propose(0, small.recording(small.items[0])):
        groups.setdefault(row.strata["group"], []).append((row.text, row.time or 0.0))
    repeated = [rows for rows in groups.values() if len(rows) > 1]
    assert repeated
    for rows in repeated:
        assert len({text for text, _ in rows}) == 1
        assert len({time for _, time in rows}) == len(rows)


def test_nothing_after_the_question_takes_part(small: Dataset) -> None:
    """Each key is computed again from a recording that ends when the question is asked."""
    recording = small.recording(small.items[0])
    for row in small.questions:
        assert row.time is not None
        whole = _truth(recording)
        seen = {i: [s for s in whole.sightings(i) if s.time <= row.time] for i in recording.objects}
        late = {e.object_id for e in recording.events if e.kind == "appeared" and e.time > row.time}
        cut = TruthState(
            recording.path.until(row.time),
            {i: thing for i, thing in recording.objects.items() if i not in late},
            seen,
            [event for event in recording.events if event.time <= row.time],
        )
        assert row.question.answer(cut).text == row.answer


def test_pictures_are_drawn_on_demand_and_agree_with_what_was_noted(small: Dataset) -> None:
    recording = small.recording(small.items[0])
    assert isinstance(recording, DrawnRecording)
    held = next(e for e in recording.events if e.data.get("act") == "carried")
    frame = recording.path.index_at(held.time)
    ids = recording.ids(frame)
    for seen in recording.frames[frame].visible:
        assert int((ids == seen.object_id).sum()) == seen.pixels
    assert recording.image(frame).shape == (120, 160, 3)
    assert np.array_equal(recording.image(frame), recording.image(frame))


def test_a_span_becomes_a_recording_with_pictures(small: Dataset, tmp_path) -> None:  # type: ignore[no-untyped-def]
    recording = small.recording(small.items[0])
    write_span(recording, [5, 6, 40], tmp_path / "span")
    span = Recording.open(tmp_path / "span")
    assert [frame.time for frame in span.frames] == [recording.frames[i].time for i in (5, 6, 40)]
    assert span.has_images
    assert span.meta["frames"] == [5, 6, 40]


@pytest.mark.parametrize("bad", [{"scale": 0.0}, {"hours": 40.0}, {"width": 10}, {"seed": -1}])
def test_bad_options_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(BadInput):
        UcsRecipe(**bad)  # type: ignore[arg-type]
