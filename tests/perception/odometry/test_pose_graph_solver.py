"""Pose graphs: what was measured exactly comes out exactly, and what is mistaken is outvoted."""

import numpy as np
import pytest

from situ.geometry.pose import camera_pose, inverse
from situ.perception.odometry.pose_graph_solver import Edges, Nodes, Priors, optimise

NONE = 1e6


def ring(count=24, radius=2.0):
    """Once around a circle, looking ahead, and back to where it began."""
    angles = np.linspace(0, 2 * np.pi, count)
    return np.array(
        [
            camera_pose([radius * np.sin(a), radius - radius * np.cos(a), 1.6], np.degrees(a), -8)
            for a in angles
        ]
    )


def motion(poses, scales, i, j):
    moved = inverse(poses[i]) @ poses[j]
    moved[:3, 3] /= scales[i]
    return moved


def edges_of(poses, scales, loops, sigma=(0.01, 0.02, 0.03)):
    pairs = [(i, i + 1) for i in range(len(poses) - 1)] + loops
    first, second = np.array(pairs).T
    return Edges(
        first,
        second,
        np.array([motion(poses, scales, i, j) for i, j in pairs]),
        np.array([np.log(scales[j] / scales[i]) for i, j in pairs]),
        np.tile(sigma, (len(pairs), 1)),
        np.arange(len(pairs)) >= len(poses) - 1,
    )


def no_priors(poses):
    count = len(poses)
    nothing = np.full(count, NONE)
    return Priors(poses[:, 2, :3], nothing, np.zeros(count), nothing, nothing)


def drifted(poses, rng, turn_deg=1.5, shift=0.02, growth=1.0):
    """The same way with an error in every step, as odometry would have it."""
    made, scale = [poses[0]], 1.0
    for i in range(len(poses) - 1):
        step = inverse(poses[i]) @ poses[i + 1]
        scale *= growth
        step[:3, 3] = scale * step[:3, 3] + rng.normal(0, shift, 3)
        wrong = camera_pose([0, 0, 0], rng.normal(0.5, turn_deg), 0) @ inverse(camera_pose([0, 0, 0], 0, 0))
        here = made[-1] @ step
        here[:3, :3] = wrong[:3, :3] @ here[:3, :3]
        made.append(here)
    return np.array(made)


@pytest.mark.parametrize("seed", range(3))
def test_exact_motions_give_back_the_exact_way_from_anywhere(seed):
    true = ring()
    start = drifted(true, np.random.default_rng(seed))
    found = optimise(
        Nodes(start, np.ones(len(true))),
        edges_of(true, np.ones(len(true)), [(0, 23)]),
        no_priors(true),
        False,
    )
    assert np.allclose(found.poses, true, atol=1e-4)
    assert np.all(found.scales == 1.0)


def test_a_loop_brings_the_end_home_and_shares_the_drift():
    true, rng = ring(), np.random.default_rng(5)
    walked = drifted(true, rng)
    ones = np.ones(len(true))
    loop = edges_of(true, ones, [(0, 23)])
    followed = edges_of(walked, ones, [(0, 23)])
    followed.motion[-1] = loop.motion[-1]
    found = optimise(Nodes(walked, ones), followed, no_priors(true), False).poses
    before = np.linalg.norm(walked[:, :3, 3] - true[:, :3, 3], axis=1)
    after = np.linalg.norm(found[:, :3, 3] - true[:, :3, 3], axis=1)
    assert before[-1] > 0.3
    assert after[-1] < 0.05
    assert after.max() < 0.6 * before.max()


def test_a_mistaken_loop_hardly_moves_anything():
    true, ones = ring(), np.ones(24)
    edges = edges_of(true, ones, [(0, 23), (2, 22), (5, 15)])
    edges.motion[-1][:3, 3] += [3.0, 0.0, 1.0]
    found = optimise(Nodes(true, ones), edges, no_priors(true), False).poses
    assert np.linalg.norm(found[:, :3, 3] - true[:, :3, 3], axis=1).max() < 0.1


def test_floors_and_walls_take_the_tilt_out():
    true, ones = ring(), np.ones(24)
    tilted = true.copy()
    for i in range(24):
        tilted[i] = camera_pose([0, 0, 0], 0, 0.3 * i) @ inverse(camera_pose([0, 0, 0], 0, 0)) @ true[i]
    priors = Priors(true[:, 2, :3], np.full(24, 0.03), np.zeros(24), np.full(24, NONE), np.full(24, NONE))
    found = optimise(
        Nodes(tilted, ones), edges_of(tilted, ones, [], (0.006, 0.02, 0.03)), priors, False
    ).poses
    tilt = np.degrees(np.arccos(np.clip(np.sum(found[:, 2, :3] * true[:, 2, :3], axis=1), -1, 1)))
    before = np.degrees(np.arccos(np.clip(np.sum(tilted[:, 2, :3] * true[:, 2, :3], axis=1), -1, 1)))
    assert before.max() > 6
    assert tilt.max() < 2.0


def test_where_scale_is_free_a_loop_finds_how_it_drifted():
    """Every step is believed 3 % longer than the one before; the loop says by how much in all."""
    true, ones = ring(), np.ones(24)
    units = 1.03 ** np.arange(24)
    walked = drifted(true, np.random.default_rng(0), 0.0, 0.0, 1.03)
    edges = edges_of(walked, ones, [(0, 23)])
    edges.motion[-1] = motion(true, ones, 0, 23)
    edges.log_scale[-1] = -np.log(units[-1])
    edges.sigma[-1] = [0.002, 0.005, 0.01]
    found = optimise(Nodes(walked, ones), edges, no_priors(true), True)
    off = np.linalg.norm(found.poses[:, :3, 3] - true[:, :3, 3], axis=1).max()
    assert off < 0.3 * np.linalg.norm(walked[:, :3, 3] - true[:, :3, 3], axis=1).max()
    assert found.scales[-1] == pytest.approx(1 / units[-1], rel=0.05)
