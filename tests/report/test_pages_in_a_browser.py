"""Pages that stand alone fit a phone and a desk, in both schemes, and their rows are reached by keyboard."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from situ.cli.app import app

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PAGES = {
    "item": "view demo/rem-mini-0 0",
    "memory": "view walk.situ",
    "run": "report runs",
}
DARK, LIGHT = 100, 200  # the brightness of a background is below the one or above the other


def brightness(page: Any) -> int:
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return int(max(map(int, colour.removeprefix("rgb(").removesuffix(")").split(","))))


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
def test_pages_fit_and_are_used_without_a_mouse(
    demo_walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    shutil.copytree(demo_walk, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    made = ["eval demo/rem-mini-0 -p random --out runs"]
    for words in [*made, *(f"{words} --out {name}.html" for name, words in PAGES.items())]:
        done = CliRunner().invoke(app, words.split())
        assert done.exit_code == 0, done.output
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for width, scheme in ((400, "dark"), (1400, "light")):
            for name in PAGES:
                page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
                faults: list[str] = []
                page.on("pageerror", lambda error, faults=faults: faults.append(str(error)))
                page.goto((tmp_path / f"{name}.html").as_uri())
                wide = page.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, f"{name} scrolls sideways at {width}"
                assert brightness(page) < DARK if scheme == "dark" else brightness(page) > LIGHT
                assert faults == []
        page.goto((tmp_path / "item.html").as_uri())
        rows = page.locator("tr[tabindex]").count()
        reached = set()
        for _ in range(3 * rows + 20):
            page.keyboard.press("Tab")
            reached.add(page.evaluate("[...document.querySelectorAll('tr')].indexOf(document.activeElement)"))
        assert len(reached - {-1}) == rows > 0
        browser.close()
