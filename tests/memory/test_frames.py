"""A frame is taken in whole or not at all: whatever is wrong with it, the state stays the same to the bit."""

import math
import pickle
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desk import CAMERA, frame
from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.memory import ObservedFrame, SpatialMemory
from situ.memory.tracker.working_memory import WorkingMemory
from situ.perception import FreeSpace, Observation

ODD_NUMBERS: tuple[Any, ...] = (
    math.nan,
    math.inf,
    -math.inf,
    -1.0,
    1e300,
    None,
    "1",
    [1.0],
    10**400,
    True,
    object(),
    1e-300,
    1j,
)
ODD_TEXTS: tuple[Any, ...] = (
    "",
    "  ",
    "\ud800",
    "a\0b",
    "x" * 10**6,
    None,
    5,
    2.5,
    ["cup"],
    b"cup",
    "a\x1fb",
)
ODD: dict[str, tuple[Any, ...]] = {
    "label": ODD_TEXTS,
    "score": tuple(v for v in ODD_NUMBERS if v is not True and v != 1e-300),
    "clarity": tuple(v for v in ODD_NUMBERS if v is not True and v != 1e-300),
    "sigma_m": tuple(v for v in ODD_NUMBERS if v is not True),
    "position": (
        *((1.0, v, 1.0) for v in ODD_NUMBERS if v not in (-1.0, 1e-300, True)),
        None,
        (),
        (1.0,),
        "xyz",
    ),
    "size": (*((v, 0.1, 0.1) for v in ODD_NUMBERS if v not in (1e-300, True)), (), (1.0, 2.0), 5),
    "attributes": (
        None,
        5,
        {"colour": 3},
        {"": "x"},
        {"a": ""},
        {"a": "\udfff"},
        {3: "a"},
        {"a": "x" * 10**6},
        {str(k): "x" for k in range(9)},
        {"a": ["x"]},
        {"a": math.nan},
    ),
    "track_id": (-1, 2**63, 2**70, 1.5, math.nan, "7", True, [1]),
    "embedding": (
        np.array([math.nan] * 8, np.float32),
        np.array([math.inf]),
        np.zeros((2, 2), np.float32),
        [1.0],
        np.zeros(0, np.float32),
        np.array(["a"]),
        "x",
        np.array([1e300]),
    ),
    "covariance": (
        np.zeros((3, 3)),
        -np.eye(3),
        np.eye(2),
        np.full((3, 3), math.nan),
        "x",
        np.eye(3) * 1e300,
        np.array([[1.0, 5.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ),
    "box2d": ((1.0, 2.0), (0.0, 0.0, math.nan, 1.0), "abcd", 5),
}


def lens(**change: Any) -> Camera:
    return replace(CAMERA, **change)


def pose(row: int, column: int, value: float) -> np.ndarray:
    matrix = frame(0.0, {}).T_world_camera.copy()
    matrix[row, column] = value
    return matrix


ODD_FRAME: dict[str, tuple[Any, ...]] = {
    "time": (math.nan, math.inf, None, "3", 0.0, -1.0, 1e300, [1.0], True),
    "known_at": (math.nan, math.inf, 0.5, "3", [1.0]),
    "T_world_camera": (
        None,
        np.eye(3),
        np.eye(4).tolist(),
        pose(0, 0, math.nan),
        pose(0, 0, 7.0),
        pose(1, 3, math.inf),
        pose(3, 3, 2.0),
        pose(3, 0, 1.0),
        pose(0, 3, 1e9),
        np.full((4, 4), "a"),
        np.eye(4, dtype=object),
        -np.eye(4),
    ),
    "camera": (
        5,
        "x",
        lens(fx=math.nan),
        lens(fx=0.0),
        lens(fy=-1.0),
        lens(width=0),
        lens(height=-5),
        lens(cx=math.inf),
        lens(width=2.5),
        lens(width=10**9),
        lens(cy=None),
    ),
    "free": (
        5,
        np.zeros((2, 2), np.uint8),
        FreeSpace(np.zeros((2, 2))),
        FreeSpace(np.zeros(4, np.uint8)),
        FreeSpace(np.zeros((0, 0), np.uint8)),
        FreeSpace(None),
    ),
    "place": ("  ", "\ud800", 5, "x" * 10**6, b"hall", ["hall"]),
    "thumbnail": ("picture", 5, bytearray(b"x"), b"x" * ((1 << 24) + 1)),
    "observations": (None, 5, ["cup"], ("cup",), [Observation("cup", (1.0, 0.0, 1.0))], (None,)),
}


def bits(memory: SpatialMemory) -> bytes:
    """Everything that working memory holds."""
    mind = memory.working
    parts: list[Any] = [mind.rows.tobytes(), mind.rates.tobytes(), mind.drift.to_bytes(), vars(mind.words)]
    for part in fields(WorkingMemory):
        value = getattr(mind, part.name)
        if isinstance(value, (int, float, dict, set, list, type(None), np.ndarray)):
            parts.append((part.name, value))
    parts += [vars(mind.journal), vars(mind.views), mind.tracks.heads.tobytes(), mind.tracks.slot_of]
    parts += [[vars(node) for node in mind.places.nodes]]
    return pickle.dumps(parts)


def good(time: float = 2.0, **change: Any) -> ObservedFrame:
    fresh = Observation(f"thing {time}", (2.0, 0.3, 1.0), attributes={"colour": f"tint {time}"})
    cup = Observation("cup", (2.0, 0.0, 1.0))
    return replace(frame(time, [fresh, cup], place=f"room {time}"), **change)


@pytest.fixture(scope="module")
def memory() -> SpatialMemory:
    memory = SpatialMemory.create(":memory:")
    memory.observe(frame(0.0, {"cup": [(2.0, 0.0, 1.0)], "red lamp": [(3.0, 0.5, 1.0)]}))
    memory.observe(frame(1.0, {"cup": [(2.0, 0.0, 1.0)]}, place="hall"))
    return memory


def refused(memory: SpatialMemory, bad: ObservedFrame) -> None:
    before = bits(memory)
    with pytest.raises(BadInput) as caught:
        memory.observe(bad)
    assert len(str(caught.value)) < 400
    assert bits(memory) == before


@pytest.mark.parametrize("name", ODD_FRAME)
def test_a_frame_with_one_odd_part_is_refused(memory: SpatialMemory, name: str) -> None:
    for value in ODD_FRAME[name]:
        refused(memory, good(**{name: value}))


@pytest.mark.parametrize("name", ODD)
def test_an_observation_with_one_odd_part_is_refused(memory: SpatialMemory, name: str) -> None:
    for value in ODD[name]:
        odd = replace(Observation("cup", (2.0, 0.0, 1.0)), **{name: value})
        refused(memory, good(observations=(Observation("never heard of", (2.0, 0.3, 1.0)), odd)))


anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(st.characters(codec=None), max_size=5),
    st.binary(max_size=4),
    st.lists(st.floats(), max_size=4),
    st.tuples(st.floats(), st.floats(), st.floats()),
    st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=2),
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(part=st.sampled_from([f.name for f in fields(Observation)]), value=anything, whole=st.booleans())
def test_whatever_is_given_is_taken_in_or_changes_nothing(part: str, value: Any, whole: bool) -> None:
    memory = SpatialMemory.create(":memory:")
    memory.observe(frame(0.0, {"cup": [(2.0, 0.0, 1.0)]}))
    before = bits(memory)
    odd = replace(Observation("cup", (2.0, 0.0, 1.0)), **{part: value})
    seen = (Observation("new", (3.0, 1.0, 1.0)), odd) if whole else (odd,)
    try:
        memory.observe(replace(frame(1.0, {}), observations=seen))
    except BadInput:
        assert bits(memory) == before
    memory.observe(frame(2.0, {"cup": [(2.0, 0.0, 1.0)]}))
    for view in memory.state().objects():
        assert all(math.isfinite(v) for v in (*view.box.center, *view.box.size, view.presence, view.here))
    memory.commit()
    memory.close()


def test_a_pose_that_the_caller_uses_again_is_not_shared() -> None:
    memory, given_pose = SpatialMemory.create(":memory:"), frame(0.0, {}).T_world_camera.copy()
    for second in range(3):
        given_pose[0, 3] = second
        memory.observe(replace(frame(float(second), {}), T_world_camera=given_pose))
    assert [memory.state().path.pose_at(float(t))[0, 3] for t in range(3)] == [0.0, 1.0, 2.0]
