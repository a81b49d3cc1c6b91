"""The review queue: decisions are only ever added, and every one can be taken back."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situ.authoring.items import Item
from situ.authoring.review import DECISIONS, ReviewQueue
from situ.errors import BadInput, Refused

ITEMS = [Item(f"q{i}", f"Where is thing {i}?", "left", "v", time=20.0, spans=((1.0, 4.0),)) for i in range(3)]


@pytest.fixture
def queue(tmp_path: Path) -> ReviewQueue:
    return ReviewQueue.create(tmp_path / "queue", ITEMS)


def test_decisions_survive_and_can_be_undone(queue: ReviewQueue) -> None:
    queue.accept("q0", by="me")
    queue.edit("q1", {"answer": "right"}, reason="it was on the other side")
    queue.reject("q2", "nobody can tell")
    again = ReviewQueue.open(queue.folder)
    assert [item.id for item in again.accepted()] == ["q0"]
    assert [item.answer for item in again.pending()] == ["right"]
    again.undo("q2")
    again.undo("q1")
    assert again.status("q2") == "pending"
    assert again.current("q1") == ITEMS[1]
    assert len(again.history("q1")) == 2


def test_an_edit_that_breaks_a_rule_changes_nothing(queue: ReviewQueue) -> None:
    for change in ({"time": 2.0}, {"answer": " "}, {"id": "other"}, {"options": ["a", "b"]}):
        with pytest.raises(BadInput):
            queue.edit("q0", change)
    assert not (queue.folder / DECISIONS).exists()


def test_a_rejection_needs_a_reason_and_an_undo_something_to_undo(queue: ReviewQueue) -> None:
    with pytest.raises(BadInput, match="why"):
        queue.reject("q0", " ")
    with pytest.raises(BadInput, match="nothing to undo"):
        queue.undo("q0")
    with pytest.raises(BadInput, match="no question"):
        queue.accept("q9")


def test_a_line_cut_short_loses_no_other(queue: ReviewQueue) -> None:
    queue.accept("q0")
    with (queue.folder / DECISIONS).open("a") as file:
        file.write('{"id": "q1", "act')
    after = ReviewQueue.open(queue.folder)
    after.accept("q2")
    final = ReviewQueue.open(queue.folder)
    assert [item.id for item in final.accepted()] == ["q0", "q2"]


def test_a_queue_is_never_overwritten(queue: ReviewQueue) -> None:
    with pytest.raises(Refused):
        ReviewQueue.create(queue.folder, ITEMS)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(["accept", "reject", "edit"]), min_size=1, max_size=6))
def test_undoing_everything_gives_back_the_beginning(tmp_path_factory, actions: list[str]) -> None:  # type: ignore[no-untyped-def]
    queue = ReviewQueue.create(tmp_path_factory.mktemp("queue") / "q", ITEMS)
    for number, action in enumerate(actions):
        if action == "accept":
            queue.accept("q0")
        elif action == "reject":
            queue.reject("q0", "because")
        else:
            queue.edit("q0", {"answer": f"answer {number}"})
    for _ in actions:
        queue.undo("q0")
    assert queue.current("q0") == ITEMS[0]
    assert queue.status("q0") == "pending"


def test_two_people_see_each_other_and_the_slower_one_is_told(queue: ReviewQueue) -> None:
    other = ReviewQueue.open(queue.folder)
    seen = other.version("q0")
    queue.edit("q0", {"answer": "right"}, by="Ada", seen=0)
    with pytest.raises(Refused, match="Ada"):
        other.edit("q0", {"answer": "behind"}, by="Bob", seen=seen)
    assert other.current("q0").answer == "right"  # it has read what Ada decided
    other.edit("q0", {"answer": "behind"}, by="Bob", seen=1)
    assert queue.undo("q0", seen=2).by == "Bob"
    queue.edit("q1", {"time": 5.0}, by="Ada")
    with pytest.raises(
        BadInput, match="before its evidence"
    ):  # by what Bob had, this edit would have been fine
        other.edit("q1", {"spans": [[1.0, 6.0]]})
