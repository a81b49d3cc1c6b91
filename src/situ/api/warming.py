"""Compiling ahead of time what would be compiled when it is first used."""

import tempfile
from pathlib import Path

import numpy as np

from situ.api.evaluating import evaluate, make
from situ.geometry.camera import Camera
from situ.kernels import kernels_folder
from situ.memory.tables.motion import MOTION, hazard_of
from situ.memory.tracker.presence import doubt_of
from situ.memory.tracker.publish import out_of_date
from situ.memory.tracker.working_memory import WorkingMemory
from situ.perception.gravity import up_from_depth
from situ.perception.odometry.corners import new_points
from situ.perception.odometry.optical_flow import Pyramid, follow
from situ.perception.odometry.orb import cross_matched
from situ.perception.odometry.pose_graph_solver import Edges, Nodes, Priors, optimise
from situ.perception.odometry.ransac import ransac_p3p
from situ.perception.odometry.resection import Sightings, solve_pose
from situ.rendering.renderer import compile_kernels


def warm() -> Path:
    """Compile every kernel, by drawing and remembering a few minutes of a day; gives where they are kept."""
    compile_kernels()
    compile_rare()
    with tempfile.TemporaryDirectory(prefix="situ-warm-") as folder:
        day = make("ucs", Path(folder) / "day", scale=0.001, seed=1, hours=0.1, questions=8)
        evaluate(day, "memory-noisy")
    return kernels_folder()


def compile_rare() -> None:
    """What such a day does not call for: a thing found elsewhere, a memory that is asked
    while it watches, and a path from pictures."""
    memory = WorkingMemory()
    doubt_of(memory.rows, 0, memory.rates)
    out_of_date(memory.rows, memory.scratch())
    hazard_of(np.zeros(1, MOTION), memory.rates, 0)
    points = np.array([[-1.0, 0.0, 4.0], [1.0, 0.0, 4.0], [0.0, 1.0, 5.0], [0.0, -1.0, 3.0]])
    rays, depth = points / points[:, 2:], points[:, 2]
    seen = Sightings(rays, np.zeros((4, 3)), 1 / depth, np.full(4, 0.01), rays[:, :2])
    solve_pose(seen, np.eye(3), np.zeros(3), 500.0, 1.0, None)
    ransac_p3p(points, rays[:, :2].copy(), 0.01, 1)
    one, eye = np.ones(2), np.tile(np.eye(4), (2, 1, 1))
    edges = Edges(np.array([0]), np.array([1]), eye[:1], np.zeros(1), np.ones((1, 3)), np.array([True]))
    optimise(Nodes(eye, one), edges, Priors(np.tile([0.0, 0.0, 1.0], (2, 1)), one, one, one, one), False)
    grey, pixels = Pyramid.of(np.zeros((48, 64), np.uint8)), np.zeros((1, 2), np.float32)
    follow(grey, grey, pixels, pixels)
    new_points(np.zeros((48, 64), np.uint8), np.zeros((0, 2), np.float32))
    cross_matched(np.zeros((1, 32), np.uint8), np.zeros((1, 32), np.uint8))
    floor, up = np.full((480, 640), 2.0, np.float32), np.array([0.0, 0.0, -1.0])  # seen from above
    up_from_depth(floor, Camera.from_fov(640, 480, 75), up, np.random.default_rng(0))
