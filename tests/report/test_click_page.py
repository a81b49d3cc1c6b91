"""Things named on a page by a click or by keys, in the file that `watch --labels` reads."""

import json
import re
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from situ.cli.app import app
from situ.recording.formats.hand_labels import read_annotations
from situ.report.click_page import MOST_PICTURES, write_click_page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def clip(path: Path, frames: int, size: tuple[int, int] = (160, 120)) -> Path:
    out = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 2.0, size)
    noise = np.random.default_rng(0).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    for k in range(frames):
        out.write(np.roll(noise, k, axis=1))
    out.release()
    return path


def data_of(page: Path) -> dict[str, object]:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page.read_text())
    assert found is not None
    return dict(json.loads(found[1]))


def test_pictures_keep_the_numbers_and_pixels_of_the_file(tmp_path: Path) -> None:
    source = clip(tmp_path / "a<script>&b.mp4", 7)
    done = CliRunner().invoke(app, ["view", str(source), "--out", str(tmp_path / "p.html"), "--json"])
    assert json.loads(done.stdout)["pictures"] == 7
    data = data_of(tmp_path / "p.html")
    assert data["numbers"] == list(range(7))
    assert data["size"] == [160, 120]
    assert data["source"] == source.name
    assert write_click_page(clip(tmp_path / "long.mp4", 150), tmp_path / "long.html") <= MOST_PICTURES
    numbers = data_of(tmp_path / "long.html")["numbers"]
    assert isinstance(numbers, list)
    assert numbers[0] == 0
    assert numbers[-1] > 140


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
def test_clicks_and_keys_make_the_file_that_watch_reads(tmp_path: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    write_click_page(clip(tmp_path / "clip.mp4", 4), tmp_path / "p.html")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        page.goto((tmp_path / "p.html").as_uri())
        assert page.is_disabled("#save")
        box = page.locator("#shown").bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + 0.25 * box["width"], box["y"] + 0.5 * box["height"])
        page.keyboard.type('cup, "big"')
        page.keyboard.press("Enter")
        # Without a mouse: the picture has the focus again.
        page.keyboard.press("PageDown")
        for key in ("ArrowRight", "Shift+ArrowDown", "Enter"):
            page.keyboard.press(key)
        page.keyboard.type("a plant on a sill")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")  # thought better of it
        with page.expect_download() as saved:
            page.click("#save")
        saved.value.save_as(tmp_path / "labels.csv")
        assert page.locator("#rows tr").count() == 2
        page.get_by_role("button", name="remove a plant on a sill in frame 1").press("Enter")
        assert page.locator("#rows tr").count() == 1
        browser.close()
    cup, plant = read_annotations(tmp_path / "labels.csv")
    assert (cup.label, cup.frame) == ('cup, "big"', 0)
    assert abs(cup.x - 40) <= 1
    assert abs(cup.y - 60) <= 1
    assert (plant.label, plant.frame) == ("a plant on a sill", 1)
    assert plant.x > cup.x
    assert plant.y == cup.y + 1
