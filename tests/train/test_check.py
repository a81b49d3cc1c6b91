"""The dry run finds every planted defect, and nothing in a good set."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from situ.train.frames import BARE
from situ.train.recipe import TrainRecipe
from situ.train.rows import TrainingRow, read_manifest, read_rows, write_rows
from situ.train.validation import check_training_set

Rows = list[TrainingRow]


def of(rows: Rows, kind: str) -> int:
    return next(i for i, row in enumerate(rows) if row.kind == kind)


def change(which: str, **values: object) -> Callable[[Rows, Path], None]:
    def plant(rows: Rows, folder: Path) -> None:
        i = of(rows, which)
        rows[i] = replace(rows[i], **values)  # type: ignore[arg-type]

    return plant


def drop_placeholder(rows: Rows, folder: Path) -> None:
    i = of(rows, "narrative")
    rows[i] = replace(rows[i], prompt=rows[i].prompt.replace("<video>", ""))


def lose_frame(rows: Rows, folder: Path) -> None:
    (folder / rows[of(rows, "narrative")].media[0].frames[3]).unlink()


def spoil_frame(rows: Rows, folder: Path) -> None:
    (folder / rows[of(rows, "narrative")].media[0].frames[0]).write_bytes(b"not a picture")


def resize_frame(rows: Rows, folder: Path) -> None:
    cv2.imwrite(str(folder / rows[of(rows, "narrative")].media[0].frames[0]), np.zeros((28, 28, 3), np.uint8))


def too_long(rows: Rows, folder: Path) -> None:
    i = of(rows, "narrative")
    rows[i] = replace(rows[i], answer=rows[i].answer.replace("</scene>", " far" * 5000 + "</scene>"))


def dominate(rows: Rows, folder: Path) -> None:
    i = of(rows, "narrative")
    rows[i] = replace(rows[i], motions=("pan left",) * 60)


def wrong_letter(rows: Rows, folder: Path) -> None:
    i = of(rows, "video_qa")
    rows[i] = replace(rows[i], answer="E", letter="E")


def repeat(rows: Rows, folder: Path) -> None:
    rows.append(rows[0])


def one_frame(rows: Rows, folder: Path) -> None:
    i = of(rows, "narrative")
    medium = rows[i].media[0]
    rows[i] = replace(rows[i], media=(replace(medium, frames=medium.frames[:1]),))


def no_rate(rows: Rows, folder: Path) -> None:
    i = of(rows, "narrative")
    rows[i] = replace(rows[i], media=(replace(rows[i].media[0], fps=0.0),))


def one_letter(rows: Rows, folder: Path) -> None:
    i = of(rows, "image_qa")
    rows += [
        replace(rows[i], id=f"more-{n}", prompt=f"{rows[i].prompt} {n}", answer="A", letter="A")
        for n in range(45)
    ]


def hide_thing(rows: Rows, folder: Path) -> None:
    """The frames that show a thing asked about are no longer among those shown."""
    i = of(rows, "video_qa")
    medium = rows[i].media[0]
    gone = set(next(iter(rows[i].about["shown"].values())))
    frames = tuple(name for name in medium.frames if name not in gone)
    rows[i] = replace(rows[i], media=(replace(medium, frames=frames),))


def bare_wall(rows: Rows, folder: Path) -> None:
    medium = rows[of(rows, "narrative")].media[0]
    for name in medium.frames:
        wall = np.full((medium.height, medium.width, 3), 180, np.uint8)
        wall[:, : medium.width // 2] -= np.arange(medium.width // 2, dtype=np.uint8)[None, :, None] // 3
        cv2.imwrite(str(folder / name), wall)


DEFECTS: dict[str, tuple[str, Callable[[Rows, Path], None]]] = {
    "a placeholder too few": ("placeholders", drop_placeholder),
    "a frame that is not there": ("missing frame", lose_frame),
    "a frame that is no picture": ("frame", spoil_frame),
    "a frame of another size": ("frame", resize_frame),
    "too many tokens": ("token budget", too_long),
    "one motion everywhere": ("motion balance", dominate),
    "a letter that is not offered": ("letter", wrong_letter),
    "one letter always right": ("letter balance", one_letter),
    "an example twice": ("same example", repeat),
    "a video of one frame": ("one-frame video", one_frame),
    "a video without a rate": ("frame rate", no_rate),
    "an empty answer": ("empty answer", change("narrative", answer=" ")),
    "an unknown tag": (
        "tags",
        change("narrative", answer="<scene>x</scene><camera>y</camera><mood>z"),
    ),
    "a tag left open": ("tags", change("narrative", answer="<scene>A room.<camera>It pans.</camera>")),
    "the camera in the scene": (
        "camera in scene",
        change("narrative", answer="<scene>The camera pans past a sofa.</scene><camera>It pans.</camera>"),
    ),
    "a key that the frames do not show": ("key not shown", hide_thing),
    "a key without proof": ("key not shown", change("video_qa", about={})),
    "a bare wall": ("blank clip", bare_wall),
    "a scene of nothing": (
        "blank clip",
        change("narrative", answer=f"<scene>{BARE[0]}</scene><camera>It pans left.</camera>"),
    ),
    "an unknown kind": ("kind", change("narrative", kind="poem", letter="")),
}


def test_a_good_set_has_no_problem(training_set: Path) -> None:
    assert check_training_set(training_set, TrainRecipe()) == []


@pytest.mark.parametrize("name", DEFECTS)
def test_each_planted_defect_is_found(name: str, training_set: Path, tmp_path: Path) -> None:
    rule, plant = DEFECTS[name]
    folder = tmp_path / "set"
    shutil.copytree(training_set, folder)
    rows = list(read_rows(folder))
    plant(rows, folder)
    write_rows(folder, rows)
    assert rule in {problem.rule for problem in check_training_set(folder, TrainRecipe())}


def test_a_test_world_is_found(training_set: Path) -> None:
    world = read_manifest(training_set)["worlds"][0]
    found = check_training_set(training_set, TrainRecipe(), [world])
    assert {problem.rule for problem in found} == {"test world"}


def test_fewer_pixels_and_frames_need_fewer_tokens(training_set: Path) -> None:
    tight = TrainRecipe(max_tokens=420)
    assert "token budget" in {p.rule for p in check_training_set(training_set, tight)}
    small = TrainRecipe(max_tokens=420, max_pixels=56 * 56, fps=2.0)
    assert check_training_set(training_set, small) == []
