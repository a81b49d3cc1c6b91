from dataclasses import replace

import numpy as np
import pytest

from situ.errors import BadInput
from situ.geometry.pose import camera_pose
from situ.perception.odometry.result import (
    AMBIGUOUS_MOTION,
    POSITION_GUESSED,
    RELOCALIZED,
    OdometryStep,
    result_of,
)


def steps(count, status="ok", confidence=0.9, reason=""):
    return [
        OdometryStep(float(k), camera_pose([k, 0, 1.6], 0), np.eye(6), confidence, status, reason)
        for k in range(count)
    ]


def test_a_good_path_is_trusted():
    result = result_of(steps(20), True, True)
    assert result.trusted
    assert result.lost_share == 0.0
    assert result.path.length == pytest.approx(19.0)


def test_what_is_wrong_is_said():
    lost = [OdometryStep(20.0, np.eye(4), np.eye(6), 0.0, "lost", "black frame")]
    assert result_of(steps(20) + lost, True, True).problem == "lost at the end: black frame"
    assert "uncertain in 20 of 20" in result_of(steps(20, confidence=0.1), True, True).problem
    some = steps(20)
    some[4:8] = [
        OdometryStep(s.time, s.T_world_camera, np.eye(6), 0.0, "lost", "blurred frame") for s in some[4:8]
    ]
    assert result_of(some, True, True).problem == "lost in 4 of 20 frames: blurred frame"
    # Before the first frame that shows anything there is nothing to drop.
    assert result_of(some[4:], True, True).trusted


def with_reasons(count, reasons):
    return result_of(
        [replace(step, reason=reasons.get(k, "")) for k, step in enumerate(steps(count))], True, True
    )


def test_a_map_that_was_never_joined_is_a_guess_until_the_place_is_known_again():
    open_end = with_reasons(20, {12: POSITION_GUESSED})
    assert "from 12.0 s on the position is a guess" in open_end.problem
    assert np.flatnonzero(open_end.guessed).tolist() == list(range(12, 20))
    long = with_reasons(20, {5: POSITION_GUESSED, 9: RELOCALIZED})
    assert long.problem == f"lost in 4 of 20 frames: {POSITION_GUESSED}"
    short = with_reasons(20, {5: POSITION_GUESSED, 6: RELOCALIZED})
    assert short.trusted
    assert np.flatnonzero(~short.sure).tolist() == [5, 6]  # neither follows from the frame before
    twice = with_reasons(20, {5: POSITION_GUESSED, 6: RELOCALIZED, 15: POSITION_GUESSED})
    assert "from 15.0 s on" in twice.problem


def test_nothing_is_no_path():
    with pytest.raises(BadInput, match="no frames"):
        result_of([], True, True)


def test_many_frames_with_two_motions_are_said():
    assert with_reasons(100, dict.fromkeys(range(5), AMBIGUOUS_MOTION)).trusted
    assert "7 of 100 frames" in with_reasons(100, dict.fromkeys(range(7), AMBIGUOUS_MOTION)).problem
