import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scenes import solid_record, standing_path
from situ.benchmarks.dataset import Dataset
from situ.benchmarks.make import make_dataset
from situ.benchmarks.rem.recipe import RemRecipe
from situ.errors import BadInput
from situ.geometry.heading import Heading
from situ.report.floor_map import FloorMap
from situ.report.item_page import MOST_FRAMES, shown_frames, write_item_page


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    recipe = RemRecipe("mini", scale=2 / 18, seed=2, width=120, height=80)
    return make_dataset(recipe, tmp_path_factory.mktemp("page") / "set")


def test_the_page_holds_everything_and_links_to_nothing(dataset: Dataset, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "page.html"
    assert write_item_page(dataset, "1", out) == dataset.items[1]
    page = out.read_text()
    assert "http" not in page.replace("http-equiv", "")
    data = json.loads(re.search(r'type="application/json">(.*?)</script>', page, re.S)[1])  # type: ignore[index]
    rows = [row for row in dataset.questions if row.item == dataset.items[1]]
    assert len(data["frames"]) == len(dataset.recording(dataset.items[1]))
    assert [q["evidence"] for q in data["questions"]] == [list(row.evidence) for row in rows]
    assert all(row.text in page for row in rows)


def test_an_unknown_item_is_named(dataset: Dataset, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no item 'x7'.*it has 2"):
        write_item_page(dataset, "x7", tmp_path / "p.html")


def test_the_map_puts_the_start_heading_up_and_right_on_the_right() -> None:
    for yaw in (0.0, 90.0, -130.0):
        start = Heading(0, 0, 0, yaw)
        ahead, right = start.moved(3.0), start.turned(90).moved(3.0)
        floor = FloorMap(standing_path(yaw_deg=yaw), [solid_record(1, "red", "cone", ahead.x, ahead.y)])
        x0, y0 = floor.pixel((0, 0))
        x1, y1 = floor.pixel((ahead.x, ahead.y))
        x2, y2 = floor.pixel((right.x, right.y))
        assert abs(x1 - x0) < 0.2
        assert y1 < y0 - 50
        assert x2 > x0 + 50
        assert abs(y2 - y0) < 0.2
        turn = float(floor.marker(start.turned(90)).split("rotate(")[1][:-1])
        assert np.isclose(turn % 360, 90.0)


def test_a_long_recording_is_shown_by_a_sample_that_holds_the_ends_of_all_evidence(dataset: Dataset) -> None:
    rows = [replace(row, evidence=(7 + k, 4001 + k)) for k, row in enumerate(dataset.questions[:3])]
    shown = shown_frames(7200, rows)
    assert len(shown) < 2 * MOST_FRAMES
    assert {0, 7199, *(frame for row in rows for frame in row.evidence)} <= set(shown)
    assert shown == sorted(set(shown))
    assert shown_frames(MOST_FRAMES, rows) == list(range(MOST_FRAMES))
