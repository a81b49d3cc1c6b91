import base64
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
from situ.geometry.camera import Camera
from situ.geometry.heading import Heading
from situ.recording import FrameRecord, Recording, RecordingWriter
from situ.report.floor_map import FloorMap, walls_of
from situ.report.item_page import MOST_FRAMES, shown_frames, write_item_page
from situ.report.pictures import data_urls
from situ.worlds.homes import HomeSpec, build_home


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


def test_a_quiz_shows_neither_key_nor_evidence_nor_map(dataset: Dataset, tmp_path: Path) -> None:
    out = tmp_path / "quiz.html"
    name = write_item_page(dataset, "0", out, quiz=True)
    page = out.read_text()
    rows = [row for row in dataset.questions if row.item == name]
    data = json.loads(re.search(r'type="application/json">(.*?)</script>', page, re.S)[1])  # type: ignore[index]
    assert "Evidence" not in page.split("<script")[0]
    assert 'class="map"' not in page
    assert all(q["evidence"] == [] for q in data["questions"])
    assert [q["id"] for q in data["quiz"]] == [row.id for row in rows]
    assert [base64.b64decode(q["key"]).decode() for q in data["quiz"]] == [row.answer for row in rows]
    body = page.split("<tbody>")[1].split("</tbody>")[0]
    fields = body.count('type="number"') + sum(body.count(f">{o}</button>") > 0 for o in rows[0].options)
    assert fields
    assert page.count('class="q"') == len(rows)


def test_the_map_of_a_home_has_walls_with_gaps(tmp_path: Path) -> None:
    home = build_home(HomeSpec(4, 20), np.random.default_rng(3))
    with RecordingWriter(
        tmp_path / "r", Camera.from_fov(64, 48, 80.0), images="none", scene=home.scene
    ) as writer:
        path = standing_path()
        writer.add_frame(FrameRecord(0, 0.0, path.poses[0], "", ()))
    recording = Recording.open(tmp_path / "r")
    walls = walls_of(recording)
    assert len(walls) > 12
    door = home.plan.doors[0]
    assert not any(wall.contains((door.x, door.y, 0.3)) for wall in walls)
    drawn = FloorMap(recording.path, [], walls).svg(80.0)
    assert drawn.count("<polygon") == len(walls)


def test_pictures_of_a_page_keep_to_their_budget() -> None:
    rng = np.random.default_rng(1)
    noise = [rng.integers(0, 255, (240, 320, 3), dtype=np.uint8) for _ in range(40)]
    urls = data_urls(noise, budget=1_000_000)
    sizes = [len(base64.b64decode(url.split(",")[1])) for url in urls]
    assert len(urls) == 40
    assert 400_000 < sum(sizes) < 1_200_000
    assert data_urls([]) == []


def test_the_things_that_a_question_speaks_of_are_marked(dataset: Dataset, tmp_path: Path) -> None:
    name = write_item_page(dataset, "0", tmp_path / "page.html")
    page, recording = (tmp_path / "page.html").read_text(), dataset.recording(name)
    data = json.loads(re.search(r'type="application/json">(.*?)</script>', page, re.S)[1])  # type: ignore[index]
    drawn = set(map(int, re.findall(r'data-thing="(\d+)"', page)))
    assert drawn == set(recording.objects)
    rows = [row for row in dataset.questions if row.item == name]
    for row, about in zip(rows, data["questions"], strict=True):
        words = row.text.replace("?", "")
        for number in drawn:
            kind = recording.objects[number]
            phrase = f"{kind.attributes['color']} {kind.category}"
            assert (number in about["asked"]) >= (phrase in words)
        assert about["asked"]
        assert set(about["asked"]) < drawn
    assert "asked about" in page


def test_a_name_on_the_map_cannot_break_the_page() -> None:
    record = replace(solid_record(1, "red", "cone"), category='</text><script>"')
    drawn = FloorMap(standing_path(), [record]).svg(80.0)
    assert "<script>" not in drawn
    assert "&lt;script&gt;" in drawn
