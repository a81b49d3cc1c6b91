"""Stays that begin and part, and frames that are crowded."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import situ
from situ.memory import SpatialMemory
from situ.memory.tables.tracks import SLOTS, Tracks
from situ.memory.tracker.stays import begin_stay, split_stay

_SHARES = st.floats(0.01, 1.0)


@given(
    before=st.integers(1, 50),
    since=st.integers(1, 50),
    votes=st.lists(st.tuples(_SHARES, _SHARES), min_size=1, max_size=SLOTS),
    belief=st.tuples(_SHARES, _SHARES, _SHARES),
)
def test_a_move_that_never_was_leaves_each_its_own_sightings_and_votes(
    before: int, since: int, votes: list[tuple[float, float]], belief: tuple[float, float, float]
) -> None:
    tracks = Tracks()
    (slot,) = tracks.add(7)
    row = tracks.rows[slot]
    labels = range(1, len(votes) + 1)
    row["labels"][: len(votes)] = row["stay_labels"][: len(votes)] = labels
    row["label_weights"][: len(votes)] = [earlier + later for earlier, later in votes]
    row["hits"], row["stay"] = before + since, 2
    row["p_here"], row["p_gone"], row["stay_false"] = belief
    began = begin_stay(tracks.rows, slot, 5.0)
    assert began == (7, 2)
    row["stay_hits"] = before
    row["stay_labels"][: len(votes)] = labels
    row["stay_weights"][: len(votes)] = [later for _, later in votes]
    (other,) = tracks.add(8)
    assert split_stay(tracks.rows, slot, other, np.array([1.0, 2.0, 3.0])) == 5.0
    old, new = tracks.rows[slot], tracks.rows[other]
    assert (old["id"], new["id"], new["stay"], new["first_seen"]) == (7, 8, 0, 5.0)
    assert (old["hits"], new["hits"]) == (before, since)
    np.testing.assert_allclose(old["label_weights"][: len(votes)], [earlier for earlier, _ in votes])
    np.testing.assert_allclose(new["label_weights"][: len(votes)], [later for _, later in votes])
    np.testing.assert_allclose(new["p_here"] + new["p_gone"] + new["p_false"], 1.0)
    assert new["filed"] == 1 + int(np.argmax([later for _, later in votes]))
    assert old["position"].tolist() == [1.0, 2.0, 3.0]


@given(st.lists(st.integers(1, 90), min_size=1, max_size=4))
def test_rows_that_are_added_together_are_those_added_one_by_one(counts: list[int]) -> None:
    together, single, first = Tracks(), Tracks(), 1
    for count in counts:
        slots = together.add(first, count)
        assert slots == [slot for k in range(count) for slot in single.add(first + k)]
        first += count
    assert together.slot_of == single.slot_of
    assert together.rows["id"].tolist() == single.rows["id"].tolist()


def test_in_a_crowded_frame_every_pair_is_noted() -> None:
    """More pairs than there is room for at first."""
    books = tuple(situ.Observation("book", (2.0 + 0.03 * k, 0.0, 1.0)) for k in range(30))
    memory = SpatialMemory.create(":memory:")
    memory.observe(situ.ObservedFrame(0.0, situ.camera_pose((0, 0, 1.6), yaw_deg=0), books))
    memory.commit()
    pairs = memory.store.connection.execute("SELECT first, second FROM near_pair").fetchall()
    assert sorted(pairs) == list(itertools.combinations(range(1, 31), 2))
    memory.close()
