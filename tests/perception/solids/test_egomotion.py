"""Actions in words to poses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.errors import BadInput
from situ.geometry.heading import Heading
from situ.perception.solids import after, walked
from situ.worlds.actions import ACTION_TEXT, ActionWalk

ACTIONS = st.lists(st.sampled_from(["forward", "left", "right"]), max_size=20)


@given(ACTIONS)
def test_words_lead_where_the_walk_went(actions: list[str]) -> None:
    path = ActionWalk(Heading(0.0, 0.0, 0.0, 0.0), tuple(actions)).path()  # type: ignore[arg-type]
    poses = walked(["start", *(ACTION_TEXT[action] for action in actions)], 1.25)
    np.testing.assert_allclose(poses, path.poses, atol=1e-9)


@pytest.mark.parametrize("action", ["jump", "turn left", "move forward", "turn around 5 degrees"])
def test_other_words_are_refused(action: str) -> None:
    with pytest.raises(BadInput, match="not understood"):
        after(Heading(0.0, 0.0, 0.0, 0.0), action)
