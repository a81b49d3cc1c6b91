"""The pages for people who annotate, in a real browser: by keyboard, by two at once, over a broken line."""

import io
import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotate.films import film, recording, uneven
from serve import served
from serve.served import Running

for module in (*served.WANTED, "playwright"):
    pytest.importorskip(module, reason=f"{module} is not installed; `make test-browser` installs it")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

from serve.test_annotate_api import GOOD, annotating  # noqa: E402
from situ.annotate.annotation import Annotation, changed  # noqa: E402
from situ.annotate.make import make_queue  # noqa: E402
from situ.annotate.sources import look_at, save  # noqa: E402
from situ.annotate.store import Deed, Store  # noqa: E402
from situ.annotate.training import Truth, keep_truth  # noqa: E402

expect.set_options(timeout=60_000)  # whatever else the machine has to do
FRAMES = 300


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def queue(tmp_path: Path) -> Path:
    memory = served.make_memory(tmp_path / "walk.situ")
    store, _ = make_queue([film(tmp_path / "walk.mp4", FRAMES)], tmp_path / "q.annotate", {"": memory})
    store.add(changed(Annotation("walk-0001", "walk"), GOOD), Deed("Eve"))
    store.close()
    return tmp_path / "q.annotate"


@pytest.fixture
def server(queue: Path) -> Iterator[Running]:
    with annotating(queue) as found:
        yield found


def enter(browser: Browser, server: Running, name: str, page: str = "annotate", **options: Any) -> Page:
    """A person of their own: another browser profile, no error on the console."""
    found = browser.new_context(viewport={"width": 1400, "height": 900}, **options).new_page()
    found.set_default_timeout(60_000)
    found.on("pageerror", lambda error: pytest.fail(str(error)))
    found.goto(f"http://127.0.0.1:{server.port}/{page}/q")
    found.get_by_label("Your name").fill(name)
    found.get_by_role("button", name="Begin").click()
    expect(found.get_by_role("heading", level=1)).to_contain_text(page.capitalize())
    return found


def choose(page: Page, text: str, which: str = "questions") -> None:
    page.get_by_role("list", name=which).get_by_role("button", name=text).first.click()
    expect(page.get_by_role("textbox", name="Question", exact=True)).not_to_have_value("")


def seek(page: Page, frame: int) -> None:
    page.locator("canvas.screen[data-frame]").wait_for()
    page.evaluate("(n) => window.situPlayer.show(n)", frame)
    expect(page.locator("canvas.screen")).to_have_attribute("data-frame", str(frame))


def saved(page: Page) -> None:
    expect(page.locator("#saved")).to_have_text("Saved.")


def stored(server: Running, item: str) -> dict[str, Any]:
    found: dict[str, Any] = server.get(f"/v1/queues/q/items/{item}").json
    return found


def test_from_the_first_word_to_a_validated_item_by_keyboard(browser: Browser, server: Running) -> None:
    page = enter(browser, server, "Ada")
    seek(page, 200)
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="walk-0002")).to_be_visible()
    page.keyboard.type("Where is my lamp now relative to me?")
    page.get_by_label("Answer", exact=True).fill("to my left")
    page.get_by_label("Task").select_option("ego-centric position")
    expect(page.get_by_label("Category")).to_have_value("Position & Orientation")
    page.keyboard.press("Escape")
    seek(page, 60)
    page.keyboard.press("i")
    for _ in range(3):
        page.keyboard.press(".")
    page.keyboard.press(">")  # a second on, from frame 63
    expect(page.locator("canvas.screen")).to_have_attribute("data-frame", "93")
    page.keyboard.press("o")
    expect(page.get_by_role("list", name="evidence")).to_contain_text("frame 60 to 93")
    seek(page, 90)
    page.keyboard.press("q")
    saved(page)
    expect(page.get_by_role("status", name="report")).to_contain_text("strictly after all its evidence")
    seek(page, 150)
    page.keyboard.press("q")
    page.keyboard.press("Control+s")
    saved(page)
    expect(page.get_by_role("status", name="report")).not_to_contain_text("strictly after")
    for i, text in enumerate(["behind me", "to my left", "in front of me", "to my right", "above me"]):
        page.get_by_role("button", name="Add an option").click()
        page.get_by_label(f"option {i + 1}", exact=True).fill(text)
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    expect(page.get_by_label("Answer", exact=True)).to_have_value("in front of me")
    page.keyboard.press("2")
    page.keyboard.press("Control+t")
    expect(page.get_by_label("Question", exact=True)).to_have_value("Where is your lamp now relative to you?")
    expect(page.get_by_label("option 2", exact=True)).to_have_value("to your left")
    saved(page)
    item = stored(server, "walk-0002")
    assert item["spans"] == [[pytest.approx(2.0), pytest.approx(3.1)]]
    assert item["time"] == pytest.approx(5.0)
    page.get_by_role("link", name="Refine").click()
    choose(page, "Where is your lamp", "items")
    page.keyboard.press("a")
    expect(page.get_by_text("it cannot be accepted yet")).to_be_visible()
    page.keyboard.press("b")
    expect(page.locator("#blind")).to_contain_text("Not seen through")
    page.get_by_label("Quality").select_option("good")
    saved(page)
    page.get_by_role("heading", name="Label").click()
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("heading", name="walk-0002: validated")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export validated").click()
    packed = io.BytesIO(Path(download.value.path()).read_bytes())
    (record,) = json.loads(zipfile.ZipFile(packed).read("walk.json"))
    assert record["question"] == "Where is your lamp now relative to you?"
    assert record["evidence"] == [["00:00:02", "00:00:03.1"]]
    page.keyboard.press("u")
    expect(page.get_by_role("heading", name="walk-0002: draft")).to_be_visible()
    page.context.close()


def test_two_people_on_one_item(browser: Browser, server: Running) -> None:
    ada, bob = enter(browser, server, "Ada"), enter(browser, server, "Bob")
    for page in (ada, bob):
        choose(page, "Where is the cup")
    # Different fields are put together by themselves.
    bob.context.set_offline(True)
    bob.get_by_label("Answer", exact=True).fill("to your left")
    ada.get_by_label("Question", exact=True).fill("Where is the red cup now relative to you?")
    saved(ada)
    bob.context.set_offline(False)
    saved(bob)
    expect(bob.get_by_label("Question", exact=True)).to_have_value(
        "Where is the red cup now relative to you?"
    )
    expect(ada.get_by_label("Answer", exact=True)).to_have_value("to your left")  # what others do comes in
    # The same field is asked about.
    bob.context.set_offline(True)
    bob.get_by_label("Question", exact=True).fill("Where is Bob's cup relative to you?")
    ada.get_by_label("Question", exact=True).fill("Where is Ada's cup relative to you?")
    saved(ada)
    bob.context.set_offline(False)
    dialog = bob.get_by_role("alertdialog")
    expect(dialog).to_contain_text("Where is Ada's cup relative to you?")
    expect(dialog).to_contain_text("Where is Bob's cup relative to you?")
    assert stored(server, "walk-0001")["question"] == "Where is Ada's cup relative to you?"
    dialog.get_by_role("radio", name="mine").check()
    dialog.get_by_role("button", name="Save this").click()
    saved(bob)
    expect(ada.get_by_label("Question", exact=True)).to_have_value("Where is Bob's cup relative to you?")
    by = [line["by"] for line in stored(server, "walk-0001")["history"]]
    assert by == ["Eve", "Ada", "Bob", "Ada", "Bob"]
    for page in (ada, bob):
        page.context.close()


def test_a_lost_line_and_a_reload_lose_nothing(browser: Browser, server: Running) -> None:
    page = enter(browser, server, "Ada")
    choose(page, "Where is the cup")
    page.on("dialog", lambda dialog: dialog.accept())

    def block(route: Any) -> None:
        route.abort() if route.request.method == "POST" else route.continue_()

    page.route("**/v1/queues/q/items/walk-0001", block)
    page.get_by_label("Answer", exact=True).fill("to your right")
    expect(page.locator("#saved")).to_contain_text("kept in this browser")
    assert stored(server, "walk-0001")["version"] == 1
    page.reload()
    expect(page.get_by_label("Answer", exact=True)).to_have_value("to your right")
    expect(page.locator("#saved")).to_contain_text("kept in this browser")
    page.unroute("**/v1/queues/q/items/walk-0001")
    saved(page)
    item = stored(server, "walk-0001")
    assert (item["answer"], item["version"]) == ("to your right", 2)
    page.context.close()


def test_an_answer_that_is_lost_on_the_way_back_is_not_done_twice(browser: Browser, server: Running) -> None:
    """The server does it and the page never hears of it: it sends the same request again."""
    page = enter(browser, server, "Ada")
    choose(page, "Where is the cup")
    lost: list[str] = []

    def lose(route: Any) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().text())
            route.abort()
        else:
            route.continue_()

    page.route("**/v1/queues/q/items/walk-0001", lose)
    page.get_by_label("Answer", exact=True).fill("above you")
    saved(page)
    assert len(lost) == 1
    assert [line["action"] for line in stored(server, "walk-0001")["history"]] == ["create", "edit"]
    page.context.close()


def test_ask_again_counts_in_a_batch_and_a_draft(browser: Browser, server: Running) -> None:
    page = enter(browser, server, "Ada")
    choose(page, "Where is the cup")
    seek(page, 250)
    page.get_by_role("button", name="Ask again here").click()
    expect(page.get_by_role("heading", name="walk-0002")).to_be_visible()
    expect(page.get_by_role("status", name="near-duplicates")).to_contain_text("another answer")
    expect(page.get_by_label("Answer", exact=True)).to_have_value("")
    page.get_by_label("Question", exact=True).fill("Where is the red cup?")
    saved(page)
    page.get_by_role("button", name="What would the memory say?").click()
    expect(page.get_by_text("Draft of the memory:")).to_be_visible()
    page.get_by_role("button", name="Take it, marked as a draft").click()
    expect(page.get_by_text("began as a draft of the memory")).to_be_visible()
    page.get_by_label("Question", exact=True).fill("How many cups did you leave on the table?")
    page.get_by_label("Answer", exact=True).fill("three")
    page.get_by_label("Type").select_option("COUNT")
    saved(page)
    page.get_by_role("button", name="Options for all counts").click()
    expect(page.get_by_text("made by a tool, not confirmed")).to_be_visible()
    page.get_by_role("button", name="Confirm these options").click()
    saved(page)
    item = stored(server, "walk-0002")
    assert item["confirmed"]
    assert "three" in item["options"]
    assert not any(option.isdigit() for option in item["options"])
    page.context.close()


KINDS: dict[str, Callable[[Path], Path]] = {
    "all-intra": lambda p: film(p / "s.mp4", FRAMES, keyint=1, bframes=0),
    "ordinary": lambda p: film(p / "s.mp4", FRAMES),
    "varying": lambda p: film(p / "s.mp4", FRAMES, uneven(FRAMES)),
    "jpeg": lambda p: recording(p / "s", FRAMES),
}
SHOWN = """async (wanted) => {
  const player = window.situPlayer, found = [];
  for (const n of wanted) {
    await player.show(n);
    const { width, height } = player.canvas, pen = player.canvas.getContext("2d");
    let number = 0;
    for (let bit = 0; bit < 12; bit++) {
      const x = (bit % 6 + 0.5) * width / 6, y = (Math.floor(bit / 6) + 0.5) * height / 2;
      if (pen.getImageData(x, y, 1, 1).data[0] > 125) number |= 1 << bit;
    }
    found.push([number, player.index]);
  }
  return found;
}"""


@pytest.mark.parametrize("kind", KINDS)
def test_fifty_seeks_show_the_frame_that_is_named(browser: Browser, tmp_path: Path, kind: str) -> None:
    store, _ = make_queue([KINDS[kind](tmp_path)], tmp_path / "q.annotate")
    store.close()
    wanted = np.random.default_rng([*kind.encode()]).integers(0, FRAMES, 50).tolist()
    with annotating(tmp_path / "q.annotate") as server:
        page = enter(browser, server, "Ada")
        page.locator("canvas.screen[data-frame]").wait_for()
        assert page.evaluate(SHOWN, wanted) == [[n, n] for n in wanted]
        page.get_by_role("button", name="Play").click()
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        page.get_by_role("button", name="Pause").click()
        page.context.close()


def test_training_tells_the_truth_and_the_first_answer_counts(browser: Browser, tmp_path: Path) -> None:
    store = Store.create(tmp_path / "q.annotate", {"training": True})
    save(store, [look_at(film(tmp_path / "walk.mp4", 120), tmp_path / "q.annotate")])
    store.add_many([changed(Annotation("q1", "walk"), {**GOOD, "time": 3.0, "answer": "", "spans": []})], "")
    keep_truth(store, [Truth("q1", "behind you", ((1.0, 1.5),))])
    store.close()
    with annotating(tmp_path / "q.annotate") as server:
        page = enter(browser, server, "Ada")
        page.get_by_role("list", name="questions").get_by_role("button").first.click()
        assert "behind you" in page.get_by_role("radio").nth(1).evaluate("e => e.parentElement.innerText")
        for frame, key in ((30, "i"), (44, "o")):
            seek(page, frame)
            page.keyboard.press(key)
        expect(page.get_by_role("list", name="evidence")).to_contain_text("frame 30 to 44")
        page.keyboard.press("2")
        expect(page.get_by_role("radio", name="behind you")).to_be_checked()
        for option, told in (
            ("above you", "Wrong: it is “behind you”."),
            ("behind you", "first answer counts"),
        ):
            page.get_by_role("radio", name=option).check()
            page.get_by_role("button", name="Answer", exact=True).click()
            expect(page.get_by_role("status", name="truth")).to_contain_text(told)
            expect(page.get_by_role("status", name="truth")).to_contain_text("You found what shows it.")
        (score,) = server.get("/v1/queues/q/export/scores").json["people"]
        assert (score["person"], score["answered"], score["right"]) == ("Ada", 1, 0.0)
        page.context.close()


@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1400, "light")])
def test_nothing_serious_for_those_who_cannot_see_it(
    browser: Browser, server: Running, width: int, scheme: Any
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed")
    for name, which in (("annotate", "questions"), ("refine", "items")):
        page = enter(browser, server, "Ada", name, color_scheme=scheme, bypass_csp=True)
        page.set_viewport_size({"width": width, "height": 900})
        choose(page, "Where is the cup", which)
        page.locator("canvas.screen[data-frame]").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, "it scrolls sideways"
        broken = axe.Axe().run(page).response["violations"]
        bad = [v for v in broken if v["impact"] in ("serious", "critical")]
        serious = [(v["id"], v["nodes"][0]["html"][:100]) for v in bad]
        assert serious == [], name
        page.context.close()


MARKS = """(count) => {
  const line = window.situMarks;
  const random = (seed) => { const x = Math.sin(seed) * 10000; return x - Math.floor(x); };
  const items = [];
  for (let i = 0; i < count / 2; i++) {
    const start = 10800 * random(i), status = ["draft", "validated", "rejected"][i % 3];
    items.push({ status, spans: [[start, start + 20 * random(i + 0.5)]], time: start + 30 });
  }
  line.show({ start: 0, end: 10830 });
  line.setMarks(items);
  const pen = line.canvas.getContext("2d"), began = performance.now();
  for (let i = 0; i < 30; i++) { line.show({ at: i }); pen.getImageData(0, 0, 1, 1); }
  return [(performance.now() - began) / 30, line.from.length];
}"""


def test_thirty_thousand_marks_are_on_one_timeline(browser: Browser, server: Running) -> None:
    """How long a drawing takes by the browser's clock is printed; that all of them are there is asserted."""
    page = enter(browser, server, "Ada")
    page.locator("canvas.screen[data-frame]").wait_for()
    spent, marks = page.evaluate(MARKS, 30_000)
    print(f"30,000 marks: {spent:.1f} ms a drawing by the browser's clock")
    assert marks == 30_000
    page.context.close()
