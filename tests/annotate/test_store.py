"""The store: versions, conflicts, undo, requests that come twice, kills."""

import multiprocessing
import os
import signal
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situ.annotate.annotation import Annotation
from situ.annotate.store import Conflict, Deed, Store
from situ.errors import BadFormat, BadInput, Refused

Steps = list[tuple[str, str, str]]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    found = Store.create(tmp_path / "q.annotate", {"training": False})
    found.add_many([Annotation(f"q{i}", "walk") for i in range(3)], "")
    return found


def test_a_change_to_an_old_version_is_refused_with_both_sides(store: Store) -> None:
    store.change("q0", {"question": "Where is my cup?"}, Deed("Ada", version=1))
    with pytest.raises(Conflict) as caught:
        store.change("q0", {"question": "Where is my mug?", "answer": "left"}, Deed("Bob", version=1))
    assert caught.value.current.annotation.question == "Where is my cup?"
    assert caught.value.current.version == 2
    assert caught.value.seen is not None
    assert caught.value.seen.question == ""
    assert "Ada" in str(caught.value)
    assert store.get("q0").annotation.answer == ""


def test_a_request_that_comes_twice_is_done_once(store: Store) -> None:
    deed = Deed("Ada", version=1, request="r1")
    first = store.change("q0", {"answer": "left"}, deed)
    again = store.change("q0", {"answer": "left"}, deed)
    assert first == again
    assert again.version == 2
    made = store.add(Annotation("new", "walk"), Deed("Ada", request="r2"))
    assert store.add(Annotation("other", "walk"), Deed("Ada", request="r2")) == made
    assert len(store.all()) == 4


def test_undo_takes_back_ones_own_and_never_overwrites(store: Store) -> None:
    store.change("q0", {"answer": "left"}, Deed("Ada"))
    store.change("q0", {"question": "Where?"}, Deed("Bob"))
    assert store.undo("q0", Deed("Ada")).annotation.answer == ""
    assert store.get("q0").annotation.question == "Where?"
    with pytest.raises(BadInput, match="nothing"):
        store.undo("q0", Deed("Ada"))
    store.change("q0", {"answer": "right"}, Deed("Ada"))
    store.change("q0", {"answer": "behind"}, Deed("Bob"))
    with pytest.raises(Refused, match="answer"):
        store.undo("q0", Deed("Ada"))
    assert store.get("q0").annotation.answer == "behind"


@settings(max_examples=20, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Ada", "Bob"]),
            st.sampled_from(["question", "answer", "reason", "undo"]),
            st.text("ab", max_size=2),
        ),
        max_size=15,
    )
)
def test_the_log_gives_every_version_back(tmp_path_factory: pytest.TempPathFactory, steps: Steps) -> None:
    store = Store.create(tmp_path_factory.mktemp("q") / "q.annotate", {})
    store.add_many([Annotation("q", "walk")], "")
    history = {1: store.get("q").annotation}
    for by, what, text in steps:
        try:
            done = store.undo("q", Deed(by)) if what == "undo" else store.change("q", {what: text}, Deed(by))
        except (BadInput, Refused):
            continue
        history[done.version] = done.annotation
    now = store.get("q")
    assert history[now.version] == now.annotation
    for version, seen in history.items():
        if version < now.version:
            with pytest.raises(Conflict) as caught:
                store.change("q", {"answer": "x"}, Deed("Eve", version=version))
            assert caught.value.seen == seen
    again = Store.open(store.path)
    assert again.get("q") == now
    assert len(again.log()) == len(store.log())
    store.close()
    again.close()


def test_what_people_may_not_set_is_refused(store: Store) -> None:
    changes: tuple[dict[str, Any], ...] = (
        {"status": "validated"}, {"id": "x"}, {"blind": {}}, {"time": float("nan")}, {"time": -1.0},
        {"spans": [[2, 1]]}, {"options": ["a"] * 11}, {"qtype": "X"}, {"question": "x" * 501},
        {"question": "\x00"}, {"question": 3}, {"question": "\ud800"}, {"label": "best"},
    )  # fmt: skip
    for change in changes:
        with pytest.raises(BadInput):
            store.change("q0", change, Deed("Ada"))
    assert store.get("q0").version == 1


def test_two_connections_see_each_other(store: Store) -> None:
    other = Store.open(store.path)
    wins, losses = [], []

    def work(queue: Store, by: str) -> None:
        for _ in range(20):
            while True:
                seen = queue.get("q1")
                try:
                    wins.append(
                        queue.change("q1", {"answer": f"{by} {seen.version}"}, Deed(by, version=seen.version))
                    )
                    break
                except Conflict:
                    losses.append(by)

    people = [threading.Thread(target=work, args=pair) for pair in ((store, "Ada"), (other, "Bob"))]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert store.get("q1").version == 41 == other.get("q1").version
    assert sorted(w.version for w in wins) == list(range(2, 42))
    assert [line.version for line in store.log("q1")] == list(range(1, 42))
    other.close()


def _write_until_killed(path: Path) -> None:
    store = Store.open(path)
    for i in range(10**6):
        store.change("q2", {"answer": f"answer {i}", "question": f"question {i}"}, Deed("Ada"))


def test_kill_nine_leaves_whole_changes(store: Store) -> None:
    """Fields that are set together stay together; versions have no hole."""
    for turn in range(2):
        process = multiprocessing.get_context("spawn").Process(target=_write_until_killed, args=(store.path,))
        process.start()
        before = store.get("q2").version
        while store.get("q2").version < before + 5 + turn:
            time.sleep(0.01)
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        found = Store.open(store.path)
        item = found.get("q2")
        assert item.annotation.answer.split()[-1] == item.annotation.question.split()[-1]
        assert [line.version for line in found.log("q2")] == list(range(1, item.version + 1))
        found.close()


def test_what_is_no_queue_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 5000)
    with sqlite3.connect(tmp_path / "b") as other:
        other.execute("CREATE TABLE t (x)")
    for name in "ab":
        with pytest.raises(BadFormat, match="queue"):
            Store.open(tmp_path / name)
    with pytest.raises(BadInput, match="situ annotate make"):
        Store.open(tmp_path / "c")
