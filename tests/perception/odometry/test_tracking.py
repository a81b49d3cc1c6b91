"""Which of several guesses of a turn is taken, and how many are made."""

import cv2
import numpy as np

from perception.odometry.test_corners import texture
from situ.geometry.camera import Camera
from situ.perception.odometry import tracking
from situ.perception.odometry.corners import new_points
from situ.perception.odometry.images import bearings, pixels
from situ.perception.odometry.rotation import LEVEL, angle_deg, exp_rotation
from situ.perception.odometry.tracking import MotionPrediction, PreparedImage, TrackedPoints, track_landmarks

CAMERA = Camera.from_fov(320, 240, 80)
STILL = np.eye(3)


def turned(image, rotation):
    homography = CAMERA.matrix @ rotation @ np.linalg.inv(CAMERA.matrix)
    return cv2.warpPerspective(image, homography, (320, 240))


def views(first, second):
    return [
        PreparedImage.of(np.dstack([one] * 3), CAMERA).view(float(k), None)
        for k, one in enumerate((first, second))
    ]


def expected(count, turn=STILL, walked=None):
    return MotionPrediction(turn, LEVEL, np.zeros((count, 3)) if walked is None else walked)


def guessed(monkeypatch, first, *later):
    """Guesses that are made in turn instead of those from the pictures; the list is of those asked for."""
    asked = []

    def searched(*_):
        asked.append("searched")
        return later[0]

    def matched(*_):
        asked.append("matched")
        return later[1]

    monkeypatch.setattr(tracking, "coarse_turn", lambda *_: (first, 0.9))
    monkeypatch.setattr(tracking, "searched_turns", searched)
    monkeypatch.setattr(tracking, "matched_turn", matched)
    return asked


RIGHT, WRONG = (exp_rotation([0.0, np.radians(angle), 0.0]) for angle in (24.0, -20.0))


def test_a_guess_that_is_right_is_not_looked_into(monkeypatch):
    last, view = views(texture(), turned(texture(), RIGHT))
    points = new_points(last.grey, np.zeros((0, 2), np.float32))
    points = points[points[:, 0] < 150]  # which stay in view
    asked = guessed(monkeypatch, RIGHT, [WRONG], None)
    found = track_landmarks(CAMERA, points, last, view, expected(len(points)), False)
    assert isinstance(found, TrackedPoints)
    assert angle_deg(found.turn @ RIGHT.T) < 0.5
    assert asked == []


def test_where_few_points_agree_other_guesses_are_tried_until_one_is_right(monkeypatch):
    last, view = views(texture(), turned(texture(), RIGHT))
    points = new_points(last.grey, np.zeros((0, 2), np.float32))
    points = points[points[:, 0] < 150]
    asked = guessed(monkeypatch, WRONG, [STILL, RIGHT], None)
    found = track_landmarks(CAMERA, points, last, view, expected(len(points)), False)
    assert isinstance(found, TrackedPoints)
    assert angle_deg(found.turn @ RIGHT.T) < 0.5
    assert asked == ["searched"]


def test_a_guess_that_is_told_in_two_ways_is_not_looked_into_further(monkeypatch):
    last, view = views(texture(1), texture(2))  # nothing can be followed
    points = new_points(last.grey, np.zeros((0, 2), np.float32))
    asked = guessed(monkeypatch, RIGHT, [RIGHT], WRONG)
    assert isinstance(track_landmarks(CAMERA, points, last, view, expected(len(points)), False), str)
    assert asked == ["searched"]
    asked = guessed(monkeypatch, RIGHT, [WRONG], None)
    assert isinstance(track_landmarks(CAMERA, points, last, view, expected(len(points)), False), str)
    assert asked == ["searched", "matched"]


def test_points_are_sought_where_walking_takes_them(monkeypatch):
    """A wall at depth 1 that is passed sideways: the picture slides by more than can be followed blindly."""
    wall = cv2.GaussianBlur(np.random.default_rng(2).integers(0, 255, (240, 640), np.uint8), (0, 0), 1.2)
    wall = cv2.normalize(wall, None, 0, 255, cv2.NORM_MINMAX)
    slide = 90
    last, view = views(wall[:, 200:520], wall[:, 200 + slide : 520 + slide])
    points = new_points(last.grey, np.zeros((0, 2), np.float32))
    points = points[points[:, 0] > slide + 20]
    walked = np.tile([-slide / CAMERA.fx, 0.0, 0.0], (len(points), 1))
    asked = guessed(monkeypatch, STILL, [], None)
    found = track_landmarks(CAMERA, points, last, view, expected(len(points), walked=walked), False)
    assert asked == []
    assert isinstance(found, TrackedPoints)
    there = pixels(CAMERA, bearings(CAMERA, points) + walked[:, :2])
    right = np.linalg.norm(found.pixels - there, axis=1) < 1.0
    assert (right & found.good).mean() > 0.8
