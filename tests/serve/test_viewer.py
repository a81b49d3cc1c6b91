"""The pages in a real browser: asked, looked at, streamed into, by keyboard and by name."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from serve import served
from serve.served import Running, make_memory, running

for module in (*served.WANTED, "playwright"):
    pytest.importorskip(module, reason=f"{module} is not installed; `make test-browser` installs it")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

from situ.serve.limits import Limits  # noqa: E402

expect.set_options(timeout=60_000)  # whatever else the machine has to do
FAKE_CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *FAKE_CAMERA])
        yield found
        found.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running([make_memory(tmp_path / "walk.situ")], writable=True) as found:
        yield found


@pytest.fixture
def page(browser: Browser, server: Running) -> Iterator[Page]:
    """A page that may print nothing to its console."""
    said: list[str] = []
    found = browser.new_page(viewport={"width": 1400, "height": 900})
    found.set_default_timeout(60_000)
    found.on("console", lambda message: said.append(message.text))
    found.on("pageerror", lambda error: said.append(str(error)))
    found.goto(f"http://127.0.0.1:{server.port}/")
    yield found
    found.close()
    assert [
        line for line in said if "404" not in line
    ] == []  # a picture may be gone by the time it is asked for


def ask(page: Page, question: str) -> None:
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")


def answers(page: Page) -> Any:
    return page.get_by_role("log").get_by_role("article")


def test_asked_by_keyboard_with_evidence_and_a_proof(page: Page) -> None:
    expect(answers(page)).to_have_count(1)  # the page opens on an answer
    ask(page, "where is the red cup?")
    expect(answers(page).first).to_contain_text("The red cup is")
    expect(answers(page).first).to_contain_text("% sure")
    answers(page).first.get_by_role("button", name="Verify").click()
    expect(answers(page).first.get_by_role("status")).to_have_text("It holds.")
    ask(page, "how far is it?")
    expect(answers(page).first).to_contain_text("m")
    expect(answers(page)).to_have_count(3)
    answers(page).first.get_by_role("group", name="evidence").get_by_role("button").first.click()
    expect(page.get_by_role("slider", name="moment")).not_to_have_attribute("aria-valuenow", "11")


def test_time_travel_by_keyboard(page: Page) -> None:
    moment = page.get_by_role("slider", name="moment")
    expect(moment).to_have_attribute("aria-valuenow", "11")
    moment.focus()
    page.keyboard.press("Home")
    expect(moment).to_have_attribute("aria-valuenow", "0")
    page.keyboard.press("ArrowRight")
    expect(moment).to_have_attribute("aria-valuenow", "1")
    page.wait_for_url("**at=1.00**")
    ask(page, "how far is the red cup?")
    expect(answers(page).first).to_contain_text("as of 0:01")
    expect(answers(page).first).not_to_contain_text("known by")
    page.get_by_label("use later frames too").check()
    ask(page, "how far is the red cup?")
    expect(answers(page).first).to_contain_text("as of 0:01, known by 0:11")
    page.get_by_role("button", name="Latest").click()
    expect(moment).to_have_attribute("aria-valuenow", "11")


def test_a_thing_is_forgotten_after_two_clicks(page: Page) -> None:
    page.get_by_role("list", name="objects").get_by_role("button", name="lamp").click()
    page.get_by_role("button", name="Forget").click()
    page.get_by_role("button", name="Yes, delete for good").click()
    expect(page.get_by_text("Deleted for good: 1 objects")).to_be_visible()
    ask(page, "where is the lamp?")
    expect(answers(page).first).to_contain_text("deleted")


def test_a_span_is_chosen_and_forgotten_by_keyboard(page: Page) -> None:
    moment = page.get_by_role("slider", name="moment")
    expect(moment).to_have_attribute("aria-valuenow", "11")
    moment.focus()
    for key in ("Home", "ArrowRight", "i"):
        page.keyboard.press(key)
        page.wait_for_timeout(50)
    page.keyboard.press("Escape")
    forget = page.get_by_role("button", name="Forget")
    expect(forget).to_be_disabled()
    for key in ("i", "ArrowRight", "ArrowRight", "o"):
        page.keyboard.press(key)
        page.wait_for_timeout(50)
    expect(page.get_by_text("0:01 to 0:03")).to_be_visible()
    forget.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Yes, delete for good").press("Enter")
    expect(page.get_by_text("Deleted for good: 0 objects, 3 frames")).to_be_visible()


def test_evidence_without_a_picture_is_a_way_to_its_moment(browser: Browser, tmp_path: Path) -> None:
    with running([make_memory(tmp_path / "walk.situ", pictures=False)]) as server:
        found = browser.new_page()
        found.goto(f"http://127.0.0.1:{server.port}/#at=3")
        ask(found, "when did I first see the lamp?")
        answers(found).first.get_by_role("button", name="go to the moment of frame 0").click()
        expect(found.get_by_role("slider", name="moment")).to_have_attribute("aria-valuenow", "0")
        found.close()


@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1400, "light")])
def test_nothing_serious_for_those_who_cannot_see_it(
    browser: Browser, server: Running, width: int, scheme: Any
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed")
    found = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    for path in ("/", "/capture"):
        found.goto(f"http://127.0.0.1:{server.port}{path}")
        ask(found, "where is the red cup?")
        expect(answers(found).first).to_contain_text("red cup")
        wide = found.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, "it scrolls sideways"
        broken = axe.Axe().run(found).response["violations"]
        serious = [
            (v["id"], v["nodes"][0]["html"][:100]) for v in broken if v["impact"] in ("serious", "critical")
        ]
        assert serious == [], path
    found.close()


def test_the_pages_are_small_and_need_nothing_else(browser: Browser, server: Running) -> None:
    found = browser.new_page()
    fetched: dict[str, int] = {}
    found.on("response", lambda got: fetched.update({got.url: int(got.headers.get("content-length", 0))}))
    found.goto(f"http://127.0.0.1:{server.port}/")
    expect(found.get_by_role("list", name="objects")).to_contain_text("lamp")
    own = {url: size for url, size in fetched.items() if "/v1/" not in url}
    assert sum(own.values()) < 100_000
    own_page = f"http://127.0.0.1:{server.port}/"
    ours = (own_page, "data:", f"blob:{own_page}")  # small pictures are shown from memory
    assert [url for url in fetched if not url.startswith(ours)] == []
    found.close()


def test_the_camera_streams_into_the_memory_and_survives_a_restart(browser: Browser, tmp_path: Path) -> None:
    path = make_memory(tmp_path / "live.situ")
    limits = Limits(rate=1e6, burst=1e6)
    found = browser.new_page()
    found.set_default_timeout(60_000)
    with running([path], writable=True, limits=limits) as server:
        port = server.port
        found.goto(f"http://127.0.0.1:{port}/capture")
        found.get_by_role("button", name="Start").click()
        _watched(found, 4)
    expect(found.get_by_text("The line is broken")).to_be_visible()
    with running([path], writable=True, limits=limits, port=port) as server:
        _watched(found, 4)
        ask(found, "where is the lamp?")
        expect(answers(found).first).to_contain_text("lamp")
        found.get_by_role("button", name="Stop").click()
    found.close()


def _watched(page: Page, least: int) -> None:
    expect(page.get_by_role("status").first).to_contain_text("watched")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        words = page.get_by_role("status").first.inner_text().split()
        if words[0] == "watched" and int(words[1]) >= least:
            return
        time.sleep(0.1)
    pytest.fail(page.get_by_role("status").first.inner_text())


def test_a_token_is_asked_for_and_kept_in_the_tab(browser: Browser, tmp_path: Path) -> None:
    from situ.serve.access import new_token, read_access, scopes_of

    token = new_token(tmp_path / "tokens.json", scopes_of("ask,look"))
    access = read_access(tmp_path / "tokens.json", {})
    with running([make_memory(tmp_path / "walk.situ")], access=access) as server:
        found = browser.new_page()
        found.goto(f"http://127.0.0.1:{server.port}/")
        found.get_by_label("Token").fill(token)
        found.get_by_role("button", name="Enter").click()
        expect(found.get_by_role("list", name="objects")).to_contain_text("lamp")
        other = browser.new_page()
        other.goto(f"http://127.0.0.1:{server.port}/#token={token}")
        expect(other.get_by_role("list", name="objects")).to_contain_text("lamp")
        assert token not in other.url
        found.close()
        other.close()


def test_five_thousand_boxes_are_drawn_in_time(browser: Browser, server: Running) -> None:
    """How long a drawing takes by the browser's clock is printed; that all of them are there is asserted."""
    found = browser.new_page(viewport={"width": 1400, "height": 900})
    found.goto(f"http://127.0.0.1:{server.port}/")
    expect(found.get_by_role("list", name="objects")).to_contain_text("lamp")
    boxes = [
        {
            "id": i,
            "name": f"box {i}",
            "center": [x, y, 1.0],
            "size": [0.3, 0.3, 0.3],
            "attributes": {},
            "here": 1.0,
        }
        for i, (x, y) in enumerate(np.random.default_rng(1).uniform(-40, 40, (5000, 2)).tolist())
    ]
    spent = found.evaluate(DRAW, boxes)
    print(f"5,000 boxes: {spent:.1f} ms a drawing by the browser's clock")
    assert found.evaluate("window.situMap.scene.objects.length") == 5000
    found.close()


DRAW = """(objects) => {
  const map = window.situMap;
  map.view = null;
  map.show({ objects, points: [] });
  const began = performance.now();
  const pen = map.canvas.getContext('2d');
  for (let i = 0; i < 30; i++) { map.view.x += 0.01; map.draw(); pen.getImageData(0, 0, 1, 1); }
  return (performance.now() - began) / 30;
}"""
