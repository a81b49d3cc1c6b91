"""Studies: who is asked what, what is kept, who is left out, and what that is worth."""

import json
import sqlite3
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from evaluation.small_set import make_set
from situ.benchmarks.dataset import Dataset, QuestionRow, read_rows, write_manifest, write_rows
from situ.errors import BadFormat, BadInput, Refused
from situ.evaluation.benchmark import protocol_of
from situ.evaluation.runs.run import Settings, run_participant
from situ.evaluation.runs.run_folder import Run
from situ.study.as_run import against, write_run
from situ.study.assign import assign
from situ.study.design import (
    ANSWERS,
    ASSIGNMENT,
    CARD,
    GOLD,
    INSTRUCTED,
    SCORED,
    SET,
    Design,
    Exclusion,
    Study,
)
from situ.study.exclusion import conduct
from situ.study.make import Wanted, make_study
from situ.study.score import agreement, cohen_kappa, fleiss_kappa, score
from situ.study.session import Session, Stage
from situ.study.store import Given, Person, Store


def wide(folder: Path, items: int = 6) -> Dataset:
    """A pool whose questions about order have wide margins."""
    found = make_set(folder, items)
    rows = [replace(row, margin=50.0) for row in read_rows(folder / "questions.parquet")]
    content = write_rows(folder / "questions.parquet", rows)
    write_manifest(folder, {**found.manifest, "content_hash": content})
    return Dataset.open(folder)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    wanted = Wanted("small", people=2, per_person=6, seed=3)
    return make_study(make_set(tmp_path / "set", 6), tmp_path / "study", wanted, wide(tmp_path / "pool"))


def answer(session: Session, person: Person, right: bool = True, **told: object) -> bool:
    """Whatever comes next, answered as the key says or not."""
    place = session._places(person)[session.stage(person).number]
    row = session.study.row(place)
    if not row.options:
        return session.answer(person, session.stage(person).number, None, row.answer if right else "99", told)
    wanted = place.wanted or row.answer
    order = [row.options[i] for i in place.order]
    pick = order.index(wanted) if right else (order.index(wanted) + 1) % len(order)
    return session.answer(person, session.stage(person).number, pick, "", told)


def to_questions(session: Session, person: Person) -> None:
    session.consent(person)
    session.saw_examples(person)
    while session.stage(person).name == "practice":
        number = session.stage(person).number
        place = session.study.assignment.practice[number]
        row = session.study.row(place)
        choice = place.order.index(row.options.index(row.answer)) if row.options else None
        session.practise(person, number, choice, row.answer)


# Who is asked what


def plain_rows(recordings: int, each: int) -> list[QuestionRow]:
    words = ("a", "b", "c")
    return [
        QuestionRow(f"{i}-{j}", str(i), f"task {j % 2}", "?", words, "a", {}, 1.0, ())
        for i in range(recordings)
        for j in range(1 + (i + each) % each)
    ]


@settings(deadline=None, max_examples=40)
@drawn(st.integers(3, 30), st.integers(1, 6), st.integers(1, 5), st.integers(5, 40), st.integers(0, 99))
def test_every_question_by_k_people_and_recordings_together(
    recordings: int, each: int, people: int, per_person: int, seed: int
) -> None:
    rows = plain_rows(recordings, each)
    design = Design("x", "", "", "ucs", seed, people, per_person)
    if round(len(rows) / per_person) > recordings:
        with pytest.raises(BadInput):
            assign(design, rows, [])
        return
    plan = assign(design, rows, [])
    scored = [[place.question for place in slot if place.role == SCORED] for slot in plan.slots]
    assert Counter(name for mine in scored for name in mine) == {row.id: people for row in rows}
    for mine in scored:
        assert len(set(mine)) == len(mine)
        items = [name.partition("-")[0] for name in mine]
        changes = sum(a != b for a, b in pairwise(items))
        assert changes == len(set(items)) - 1, "the questions of a recording come one after the other"
    assert assign(design, rows, []) == plan


def test_lists_are_even_in_size_and_in_tasks() -> None:
    rows = [
        QuestionRow(f"{i}-{j}", str(i), "ab"[i % 2], "?", ("x", "y"), "x", {}, 1.0, ())
        for i in range(40)
        for j in range(3)
    ]
    plan = assign(Design("x", "", "", "ucs", 1, 3, 30), rows, [])
    tasks = [
        Counter("ab"[int(p.question.partition("-")[0]) % 2] for p in slot if p.role == SCORED)
        for slot in plan.slots
    ]
    assert {sum(count.values()) for count in tasks} == {30}
    assert all(abs(count["a"] - count["b"]) <= 6 for count in tasks)


def test_what_holds_people_to_account_is_never_scored(study: Study) -> None:
    roles = Counter(place.role for slot in study.assignment.slots for place in slot)
    assert roles[GOLD] >= 4 * len(study.assignment.slots)
    assert roles[INSTRUCTED] == len(study.assignment.slots)
    scored = {p.question for slot in study.assignment.slots for p in slot if p.role == SCORED}
    assert len(scored) == 12
    assert all(
        p.source == "pool" for slot in study.assignment.slots for p in slot if p.role in (GOLD, INSTRUCTED)
    )


def test_without_a_pool_recordings_are_kept_back(tmp_path: Path) -> None:
    made = make_study(make_set(tmp_path / "set", 16), tmp_path / "s", Wanted("x", 2, 6))
    asked = {made.row(p).item for slot in made.assignment.slots for p in slot if p.role == SCORED}
    shown = {made.row(p).item for p in made.assignment.practice}
    shown |= {made.rows["pool", name].item for name in made.assignment.examples}
    assert asked
    assert shown
    assert not asked & shown


def test_a_pool_that_gives_no_examples_is_refused(tmp_path: Path) -> None:
    pool = wide(tmp_path / "pool", 1)
    with pytest.raises(BadInput, match=r"solved examples.*larger --pool"):
        make_study(make_set(tmp_path / "set", 6), tmp_path / "study", Wanted("small", per_person=6), pool)
    assert not (tmp_path / "study").exists()


def test_a_study_is_not_changed_afterwards(study: Study, tmp_path: Path) -> None:
    with pytest.raises(Refused):
        make_study(study.sets[SET], study.folder, Wanted("again"))
    assert json.loads((study.folder / CARD).read_text())["exclusion"]["flags"] == 2
    path = study.folder / ASSIGNMENT
    path.write_text(path.read_text().replace("scored", "gold", 1))
    with pytest.raises(BadFormat, match="changed after"):
        Study.open(study.folder)


def test_presets_are_those_of_the_papers(tmp_path: Path) -> None:
    found = make_set(tmp_path / "set", 6)
    made = make_study(found, tmp_path / "rem", Wanted("x", preset="rem"), wide(tmp_path / "pool"))
    assert (len(made.assignment.slots), made.design.frames, made.design.scratchpad) == (1, "all", True)
    with pytest.raises(BadInput, match="is about saw"):
        make_study(found, tmp_path / "saw", Wanted("x", preset="saw"))


# What is kept


def test_a_person_goes_from_consent_to_the_end_and_comes_back_anywhere(study: Study) -> None:
    session = Session(study, Store(study.folder))
    person = session.enter("prolific", "abc", "browser", "800x600")
    assert session.stage(person) == Stage("consent")
    with pytest.raises(Refused):
        session.frame(person, "question", 0, 0)
    session.consent(person)
    assert session.state(person)["stage"] == "examples"
    session.saw_examples(person)
    practice = session.state(person)
    assert practice["stage"] == "practice"
    to_questions(session, person)
    total = session.state(person)["total"]
    for number in range(total):
        back = Session(study, Store(study.folder))  # a server that was started again
        again = back.enter("prolific", "abc", "browser", "800x600")
        assert again == person
        assert back.stage(again) == Stage("question", number)
        assert answer(back, again)
    assert session.stage(person) == Stage("done")


def test_the_first_answer_stays_and_none_can_be_skipped(study: Study) -> None:
    store = Store(study.folder)
    session = Session(study, store)
    person = session.enter("code", "ann", "", "")
    to_questions(session, person)
    with pytest.raises(Refused):
        session.answer(person, 3, 0, "4", {})
    assert answer(session, person, answer_ms=5.0)
    assert not session.answer(person, 0, None, "", {"cannot_tell": True})
    assert [(g.place, g.cannot_tell) for g in store.answers()] == [(0, False)]
    for statement in ("UPDATE answers SET place = 7", "DELETE FROM answers", "DELETE FROM people"):
        with sqlite3.connect(study.folder / ANSWERS) as raw, pytest.raises(sqlite3.IntegrityError):
            raw.execute(statement)


def test_no_key_and_no_name_reaches_the_browser(study: Study) -> None:
    session = Session(study, Store(study.folder))
    person = session.enter("code", "ann", "", "")
    to_questions(session, person)
    row = study.row(session._places(person)[0])
    said = session.state(person)["question"]
    assert set(said) == {"text", "options", "frames", "times", "fps", "plays", "scratchpad", "new_recording"}
    assert sorted(said["options"]) == sorted(row.options)
    assert said["text"] == row.text
    assert not {row.id, row.item} & set(json.dumps(said).replace('"', " ").split())


def test_ids_are_hashed_and_slots_are_held(study: Study) -> None:
    store = Store(study.folder)
    slots = len(study.assignment.slots)
    for k in range(slots):
        store.enter("prolific", f"pid-{k}", slots, 3600.0, "", "", now=1000.0 + k)
    assert {p.slot for p in store.people()} == set(range(slots))
    with pytest.raises(Refused, match="full"):
        store.enter("prolific", "late", slots, 3600.0, "", "", now=2000.0)
    assert store.enter("prolific", "late", slots, 3600.0, "", "", now=1e6).slot == 0  # nobody came back
    assert b"pid-1" not in (study.folder / ANSWERS).read_bytes()
    assert (study.folder / "salt").stat().st_mode & 0o777 == 0o600


# Who is left out, and what the rest is worth


def some(
    person: int, n: int, right: int, ms: float = 9000.0, at: int | None = None, role: str = SCORED
) -> list[Given]:
    return [
        Given(
            person, k + (100 if role == GOLD else 0), role, SET, f"q{k}", (0, 1, 2),
            "a" if k < right else "b", (k % 3) if at is None else at, answer_ms=ms,
        )
        for k in range(n)
    ]  # fmt: skip


def test_careless_people_have_two_flags_and_careful_ones_one_at_most() -> None:
    answers = [
        *some(1, 20, 18), *some(1, 5, 5, role=GOLD),
        *some(2, 20, 18), *some(2, 5, 3, role=GOLD),  # one bad day
        *some(3, 20, 6, ms=900.0, at=0), *some(3, 5, 1, role=GOLD),
    ]  # fmt: skip
    found = conduct(answers, Exclusion(), lambda given: given.answer == "a")
    assert [found[k].excluded for k in (1, 2, 3)] == [False, False, True]
    assert found[2].flags == ("gold",)
    assert set(found[3].flags) == {"gold", "gold far below", "fast", "same place"}


def test_scores_of_answers_counted_by_hand() -> None:
    words = ("a", "b", "c")
    rows = {
        (SET, f"q{k}"): QuestionRow(f"q{k}", f"i{k % 5}", "t", "?", words, "a", {}, float(k), ())
        for k in range(20)
    }
    answers = [g for person, right in ((1, 20), (2, 15), (3, 10), (4, 15)) for g in some(person, 20, right)]
    found = score(rows, protocol_of("ucs"), answers, Exclusion())
    assert found.micro.value == pytest.approx(60 / 80)
    assert found.micro.interval is not None
    assert found.micro.interval.holds(0.75)
    assert [level.value for level in found.each] == [1.0, 0.75, 0.5, 0.75]
    assert found.ceiling.disputed == 10
    assert found.ceiling.undisputed == 1.0
    assert found.ceiling.majority == pytest.approx((15 + 0) / 20)
    assert found.agreement["all"].raw == pytest.approx((10 * 6 + 5 * 3 + 5 * 3) / 120)
    two = score(rows, protocol_of("ucs"), [g for g in answers if g.person < 3], Exclusion())
    assert "too few people" in two.micro.note
    assert two.agreement["all"].kappa_of == "Cohen"


def test_kappas() -> None:
    assert cohen_kappa(["x", "x", "y", "y"], ["x", "y", "y", "y"]) == pytest.approx(0.5)
    assert fleiss_kappa([["x", "x"], ["y", "y"]]) == pytest.approx(1.0)
    assert agreement({"q": {1: "x"}}).alpha is None


def test_people_are_a_participant_of_reports_and_compare_with_runs(study: Study, tmp_path: Path) -> None:
    session = Session(study, Store(study.folder))
    for k in range(len(study.assignment.slots)):
        person = session.enter("code", f"p{k}", "", "")
        to_questions(session, person)
        while session.stage(person).name == "question":
            answer(session, person, right=session.stage(person).number % 4 != 1, answer_ms=8000.0)
    found = score(
        study.rows, study.protocol, session.store.answers(), replace(study.design.exclusion, flags=9)
    )
    run = write_run(study, found, tmp_path / "run")
    assert run.name == "people (study small, n=4)"
    assert Run.open(tmp_path / "run").unfinished == ""
    assert len(run.records) == 12
    assert all(0 <= record.points <= 1 for record in run.records)
    truth = run_participant(study.sets[SET], "truth", Settings(), tmp_path / "truth")
    compared = against(found, truth)
    assert compared.questions == 12
    assert compared.score_b == 1.0
    assert compared.difference == pytest.approx(1 - compared.score_a)
