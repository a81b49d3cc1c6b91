"""Small question sets for tests of the evaluation, made without rendering."""

from pathlib import Path

import numpy as np

from situ.benchmarks.dataset import Dataset, QuestionRow, write_manifest, write_rows
from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.questions import Count, FirstSeenOrder, Selector, to_program
from situ.recording import FrameRecord, ObjectRecord, RecordingWriter
from situ.recording.records import Visible

SIZE = (48, 32)
COLORS = ("red", "blue", "green", "yellow")


def write_recording(folder: Path, number: int, frames: int = 6, size: tuple[int, int] = SIZE) -> None:
    """A walk along x past coloured cubes; frame k shows cubes 1 to k + 1."""
    camera = Camera.from_fov(*size, 90.0)
    rng = np.random.default_rng(number)
    pixels = size[0] * size[1]
    with RecordingWriter(folder, camera, images="jpeg", fps=1.0) as writer:
        for i, color in enumerate(COLORS, 1):
            writer.add_object(ObjectRecord(i, "cube", Box((2.0 * i, 3.0, 0.5), (1, 1, 1)), {"color": color}))
        for index in range(frames):
            pose = camera_pose((float(index), 0.0, 1.5), 90.0)
            visible = tuple(
                Visible(i, pixels // 30, (pixels // 30) / pixels) for i in range(1, min(index + 1, 4) + 1)
            )
            coarse = rng.integers(0, 255, (size[1] // 8, size[0] // 8, 3), np.uint8)
            image = np.kron(coarse, np.ones((8, 8, 1), np.uint8))
            writer.add_frame(FrameRecord(index, float(index), pose, "move forward", visible), rgb=image)


def make_set(folder: Path, items: int = 3, copies: int = 1, benchmark: str = "rem") -> Dataset:
    """Per recording one counting and one ordering question, `copies` times with other words."""
    rows = []
    hashes = {}
    for number in range(items):
        name = f"{number:06d}"
        write_recording(folder / "items" / name, number)
        hashes[name] = f"hash-{number}"
        for copy in range(copies):
            rows += _questions(name, number, copy)
    content = write_rows(folder / "questions.parquet", rows)
    write_manifest(
        folder,
        {
            "benchmark": benchmark,
            "complete": True,
            "items": hashes,
            "questions": len(rows),
            "content_hash": content,
            "recipe": {"seed": 0},
        },
    )
    return Dataset.open(folder)


def _questions(item: str, number: int, copy: int) -> list[QuestionRow]:
    count = Count(Selector("cube"))
    first, second = (COLORS[(number + i) % 4] for i in range(2))
    order = FirstSeenOrder(Selector.make("cube", {"color": first}), Selector.make("cube", {"color": second}))
    right = "before" if COLORS.index(first) < COLORS.index(second) else "after"
    tail = f" (asked as number {copy} of item {item})"
    return [
        QuestionRow(
            f"{item}-{copy:04d}-a", item, "counting", count.text + tail, (), "4", to_program(count),
            1.0, (3,), strata={"frames": 6, "count": 4},
        ),
        QuestionRow(
            f"{item}-{copy:04d}-b", item, "ordering", order.text + tail, order.options, right,
            to_program(order), 1.0, (0, 1), strata={"frames": 6},
        ),
    ]  # fmt: skip
