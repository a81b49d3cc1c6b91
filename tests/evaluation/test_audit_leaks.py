"""A leak of every kind, planted in a fair set, is found; the fair set itself is not accused."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.leaks import TASKS, accused

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.rem.names import BY_TYPE
from situ.evaluation.audit import AttackResult, audit_rows
from situ.evaluation.audit.boost import Boosted
from situ.evaluation.audit.exposure import Exposure, Media
from situ.questions import FirstSeenOrder, to_program

ANSWERS = ("north", "east", "south", "west")
ITEMS = 120  # enough for attacks that are right a little more often than chance
FEWER = 80  # enough for an attack that is always right, and for one that is never
Rng = np.random.Generator


def fair(seed: int, items: int = ITEMS) -> tuple[list[QuestionRow], dict[str, Media]]:
    """Two questions about each recording; nothing but chance settles names, order, options and answers."""
    rng = np.random.default_rng(seed)
    rows, media = [], {}
    numbers = rng.permutation(items)
    for place, number in enumerate(sorted(numbers)):
        item = f"{number:06d}"
        frames = int(rng.integers(40, 90))
        size = int(frames * rng.integers(800, 1200))
        media[item] = Media(place, frames, frames / 2, size, f"{int(rng.integers(16**6)):06x}")
        for thing in ("lamp", "clock"):
            options = tuple(ANSWERS[int(i)] for i in rng.permutation(4))
            text = f"Where from the door is the {rng.choice(['red', 'blue'])} {thing}?"
            answer = str(rng.choice(options))
            rows.append(QuestionRow("", item, thing, text, options, answer, {}, 1.0, (), 10.0))
    order = rng.permutation(len(rows))
    return [replace(rows[int(k)], id=f"q{i:05d}") for i, k in enumerate(order)], media


def code(row: QuestionRow) -> int:
    return ANSWERS.index(row.answer)


def in_item_name(row: QuestionRow, at: int, rng: Rng) -> QuestionRow:
    return replace(row, item=f"{row.item}_{code(row)}")


def in_id(row: QuestionRow, at: int, rng: Rng) -> QuestionRow:
    return replace(row, id=f"{row.id}-{code(row)}")


def in_option_place(row: QuestionRow, at: int, rng: Rng) -> QuestionRow:
    others = [option for option in row.options if option != row.answer]
    return replace(row, options=(others[0], row.answer, *others[1:]))


def in_option_length(row: QuestionRow, at: int, rng: Rng) -> QuestionRow:
    longer = tuple(f"{o} indeed" if o == row.answer else o for o in row.options)
    return replace(row, options=longer, answer=f"{row.answer} indeed")


def in_words(row: QuestionRow, at: int, rng: Rng) -> QuestionRow:
    return replace(row, text=row.text.replace("door", ("gate", "door", "sill", "arch")[code(row)]))


PLANTED: dict[str, Callable[[QuestionRow, int, Rng], QuestionRow]] = {
    "item name": in_item_name,
    "question id": in_id,
    "option place": in_option_place,
    "option length": in_option_length,
    "wording": in_words,
    "text classifier": in_words,
}


def found(rows: list[QuestionRow], media: dict[str, Media]) -> dict[str, AttackResult]:
    """What leaks about lamps, by attack."""
    results = audit_rows([row for row in rows if row.task == "lamp"], Exposure(tuple(rows), media))
    return {r.attack: r for r in results if r.leaks}


@pytest.mark.parametrize("seed", [1, 2])
def test_a_fair_set_is_not_accused(seed: int) -> None:
    rows, media = fair(seed, FEWER)
    assert [r for r in audit_rows(rows, Exposure(tuple(rows), media)) if r.leaks] == []


@pytest.mark.parametrize("attack", PLANTED)
def test_a_leak_in_the_row_itself_is_found_by_its_attack_and_by_the_trees(attack: str) -> None:
    rows, media = fair(3, FEWER)
    rng = np.random.default_rng(4)
    planted = [PLANTED[attack](row, i, rng) for i, row in enumerate(rows)]
    leaks = found(planted, media)
    assert attack in leaks
    assert "boosted trees" in leaks


@pytest.mark.parametrize(
    "attack", ["frames", "file size", "bytes a frame", "manifest order", "hash", "moment"]
)
def test_a_leak_in_the_measures_of_a_recording_is_found(attack: str) -> None:
    rows, media = fair(5)
    answer = {row.item: code(row) for row in rows if row.task == "lamp"}
    for item, old in media.items():
        k, more = answer[item], code_of_hash(answer[item])
        media[item] = {
            "frames": replace(old, frames=40 + 15 * k + old.frames % 12),
            "file size": replace(old, size=40000 + 20000 * k + old.size % 15000),
            "bytes a frame": replace(old, size=old.frames * (800 + 150 * k)),
            "manifest order": replace(old, place=100 * k + old.place // 4),
            "hash": replace(old, digest=more + old.digest),
            "moment": old,
        }[attack]
    if attack == "moment":
        rows = [replace(row, time=10.0 + 20 * code(row) + i % 15) for i, row in enumerate(rows)]
    assert attack in found(rows, media)


def code_of_hash(k: int) -> str:
    return "048c"[k]


def test_a_leak_in_the_order_of_rows_is_found() -> None:
    rows, media = fair(6)
    ordered = sorted(rows, key=lambda row: (code(row), row.id))
    assert "row order" in found(ordered, media)


def test_a_leak_in_the_order_of_ids_is_found() -> None:
    rows, media = fair(7)
    ranked = {row.id: i for i, row in enumerate(sorted(rows, key=lambda row: (code(row), row.id)))}
    assert "id number" in found([replace(row, id=f"q{ranked[row.id]:05d}") for row in rows], media)


def test_a_sister_that_offers_the_answer_is_found() -> None:
    rows, media = fair(8)
    lamp = {row.item: row for row in rows if row.task == "lamp"}
    told = []
    for row in rows:
        if row.task == "clock":
            shown = tuple(f"the lamp is {o}" if o == lamp[row.item].answer else o for o in row.options)
            row = replace(row, options=shown, answer=shown[row.options.index(row.answer)])
        told.append(row)
    leaks = found(told, media)
    assert {"sister bridge", "boosted trees"} & leaks.keys()


def test_a_sister_that_speaks_of_the_answer_is_found() -> None:
    rows, media = fair(9)
    lamp = {row.item: row for row in rows if row.task == "lamp"}
    told = [
        replace(row, text=f"Is the clock {lamp[row.item].answer}?") if row.task == "clock" else row
        for row in rows
    ]
    leaks = found(told, media)
    assert "sister echo" in leaks
    assert "boosted trees" in leaks


def test_sisters_that_are_only_asked_for_some_answers_are_found() -> None:
    rows, media = fair(10)
    lamp = {row.item: row for row in rows if row.task == "lamp"}
    kept = [row for row in rows if row.task == "lamp" or lamp[row.item].answer in ("north", "east")]
    assert "sister tasks" in found(kept, media)


def test_a_name_that_sisters_repeat_is_found() -> None:
    """The later of two things is named in more questions about the recording."""
    rng = np.random.default_rng(15)
    rows: list[QuestionRow] = []
    for item in range(FEWER):
        a, b, *others = (BY_TYPE[int(i)] for i in rng.permutation(len(BY_TYPE))[:4])
        first, second = (a, b) if rng.random() < 0.5 else (b, a)
        asked = [FirstSeenOrder(first, second), FirstSeenOrder(b, others[0]), FirstSeenOrder(others[1], b)]
        answers = ["after" if first == b else "before", str(rng.choice(["before", "after"])), "before"]
        for question, answer in zip(asked, answers, strict=True):
            task, sides = "lamp" if question is asked[0] else "clock", ("before", "after")
            program, name = to_program(question), f"{item:06d}"
            rows.append(
                QuestionRow(f"q{len(rows)}", name, task, question.text, sides, answer, program, 1.0, ())
            )
    assert "sister names" in found(rows, {})


def test_the_number_of_sisters_is_found() -> None:
    rows, media = fair(16)
    lamp = {row.item: row for row in rows if row.task == "lamp"}
    more = [
        replace(row, id=f"{row.id}-{k}")
        for row in rows
        if row.task == "clock"
        for k in range(code(lamp[row.item]))
    ]
    assert "number of sisters" in found([*rows, *more], media)


def test_answers_in_exact_balance_are_found_by_the_inverted_learner() -> None:
    """Each wording has each answer equally often: what is known of it leans away from the rest."""
    rows, media = fair(11)
    mine = [row for row in rows if row.task == "lamp"]
    twins = [
        replace(row, text=f"Where is lamp {i // 4}?", answer=ANSWERS[i % 4]) for i, row in enumerate(mine)
    ]
    assert "wording, inverted" in found(twins, media)


def test_repeats_that_never_keep_their_answer_are_found() -> None:
    rows, media = fair(12)
    mine = [row for row in rows if row.task == "lamp"]
    again = [
        replace(row, id=f"r{row.id}", time=20.0, answer=row.options[(row.options.index(row.answer) + 1) % 4])
        for row in mine
    ]
    assert "not the same as last time" in found([*mine, *again], media)
    rng = np.random.default_rng(1)
    fair_again = [replace(row, answer=str(rng.choice(row.options))) for row in again]
    assert (
        not {"not the same as last time", "the same as last time"} & found([*mine, *fair_again], media).keys()
    )


def test_repeats_that_all_have_one_answer_are_found() -> None:
    """As often the same as chance has it, so that the last answer tells nothing; the asking itself does."""
    rows, media = fair(15)
    mine = [row for row in rows if row.task == "lamp"]
    again = [replace(row, id=f"r{row.id}", time=20.0, answer=ANSWERS[0]) for row in mine]
    assert "times asked before" in found([*mine, *again], media)


def test_what_another_set_teaches_is_found() -> None:
    """Too few recordings to learn from, but a set of another seed has the same fault."""
    rows, media = fair(13)
    other, other_media = fair(14)
    sets = [
        ([PLANTED["wording"](row, 0, np.random.default_rng(0)) for row in some], about)
        for some, about in ((rows, media), (other, other_media))
    ]
    seen, taught = (Exposure(tuple(some), about) for some, about in sets)
    leaks = {r.attack for r in audit_rows(sets[0][0], seen, [taught]) if r.leaks}
    assert "text classifier, learnt on other sets" in leaks


def test_trees_find_what_needs_two_columns_at_once() -> None:
    rng = np.random.default_rng(0)
    features = rng.integers(0, 2, (600, 12)).astype(np.float32)
    right = (features[:, 3] * features[:, 7]).astype(float)
    log_odds = Boosted.fit(features[:400], right[:400])(features[400:])
    assert log_odds[right[400:] == 1].min() > log_odds[right[400:] == 0].max()


@pytest.mark.parametrize("kind", ["place", "a word of the question"])
def test_a_leak_of_ten_points_is_called(kind: str) -> None:
    leaks = accused(questions=800, name=kind, points=10.0, seed=2)
    assert leaks
    assert {leak.task for leak in leaks} & {TASKS[0], "overall"}


def test_what_could_be_seen_is_said_and_shrinks_with_the_set() -> None:
    sees = []
    for items in (40, 160):
        rows, media = fair(17, items)
        found = {r.attack: r for r in audit_rows(rows, Exposure(tuple(rows), media)) if r.task == "lamp"}
        sees.append(found["first option"].sees)
    assert sees[0] / sees[1] == pytest.approx(2.0, rel=0.25)  # four times the recordings, half the leak


def test_attacks_on_too_few_recordings_prove_nothing_and_are_not_listed() -> None:
    rows, media = fair(18, 5)
    assert audit_rows(rows, Exposure(tuple(rows), media)) == []
