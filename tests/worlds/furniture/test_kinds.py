import numpy as np
import pytest

from situ.worlds.furniture import KINDS
from situ.worlds.scene import SceneObject


def test_there_are_many_kinds_of_every_spot() -> None:
    assert len(KINDS) >= 50
    assert {kind.spot for kind in KINDS.values()} == {"wall", "floor", "top", "hung"}
    assert len({kind.use for kind in KINDS.values()}) == len(KINDS)  # what a thing is for tells kinds apart


@pytest.mark.parametrize("name", sorted(KINDS))
def test_each_kind_stands_on_the_floor_with_a_household_size(name) -> None:
    kind = KINDS[name]
    for seed in range(4):
        color, parts = kind.build(np.random.default_rng(seed))
        box = SceneObject(1, name, (0.0, 0.0, 0.0), parts).box
        assert box.bottom == pytest.approx(0.0, abs=1e-9)
        assert 0.05 < box.longest_side < 2.6
        assert color in kind.colors
        if kind.spot == "hung":
            assert box.corners()[:, 1].max() == pytest.approx(0.0, abs=1e-9)
        if kind.top is not None:
            top = parts[kind.top]
            assert top.size[0] > 0.25
            assert top.size[1] > 0.15


def test_sizes_vary_where_the_catalogue_says_so() -> None:
    sizes = [
        SceneObject(1, "ball", (0.0, 0.0, 0.0), KINDS["ball"].build(np.random.default_rng(s))[1]).box.size[0]
        for s in range(30)
    ]
    assert max(sizes) > 3 * min(sizes)
