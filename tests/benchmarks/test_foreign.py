"""Streams of strangers: the same seed gives the same stream, and each box has its true object beside it."""

import numpy as np
import pytest
from benchmarks.foreign import FAMILIES, replies


def test_a_seed_is_one_stream_and_every_box_names_its_object():
    first, second = (FAMILIES["mirror and glass"].moments(5) for _ in range(2))
    assert [m.asked for m in first] == [m.asked for m in second]
    for one, two in zip(first, second, strict=True):
        assert len(one.identities) == len(one.frame.observations)
        assert np.array_equal(one.frame.T_world_camera, two.frame.T_world_camera)
        assert [o.position for o in one.frame.observations] == [o.position for o in two.frame.observations]
    shown = {number for m in first for number in m.identities}
    assert None in shown, "a mirror image shows no object at its place"
    assert 0 in shown


@pytest.mark.parametrize("depth", [True, False])
def test_truth_is_what_a_perfect_view_remembers(depth):
    moments = FAMILIES["monocular flat"].moments(5, depth=depth, exact=True)
    assert all((m.frame.free is not None) == depth for m in moments)
    rows = replies("monocular flat", 5, moments)
    assert len(rows) > 40
    assert [row for row in rows if not row.right] == []
