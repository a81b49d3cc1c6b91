"""The page of a study in a real browser: a whole way through, a reload, a lost line, an answer sent twice."""

import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from evaluation.small_set import make_set
from serve import served
from study.test_study import wide

for module in (*served.WANTED, "playwright"):
    pytest.importorskip(module, reason=f"{module} is not installed; `make test-browser` installs it")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

from situ.serve.journal import Journal  # noqa: E402
from situ.serve.run import bind, server_of  # noqa: E402
from situ.serve.study_api import Finish  # noqa: E402
from situ.serve.study_app import StudySettings, build_study  # noqa: E402
from situ.study.design import Study  # noqa: E402
from situ.study.make import Wanted, make_study  # noqa: E402
from situ.study.session import Session  # noqa: E402
from situ.study.store import Store  # noqa: E402

expect.set_options(timeout=60_000)
PROLIFIC = "https://app.prolific.com/submissions/complete?cc=TEST"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("page")
    wanted = Wanted("page", people=4, per_person=4, seed=1)
    return make_study(make_set(folder / "set", 4), folder / "study", wanted, wide(folder / "pool"))


@contextmanager
def serving(study: Study, port: int = 0) -> Iterator[int]:
    with open("/dev/null", "w", encoding="utf-8") as out:
        settings = StudySettings(finish=Finish(PROLIFIC, ""), journal=Journal(out))
        app = build_study(Session(study, Store(study.folder)), settings)
        listening = bind("127.0.0.1", port)
        server = server_of(app, settings.limits.max_body)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(timeout=20)
            listening.close()


@contextmanager
def opened(browser: Browser, url: str, **options: Any) -> Iterator[Page]:
    """A page that may print nothing to its console but that the line is broken."""
    said: list[str] = []
    context = browser.new_context(**{"viewport": {"width": 1400, "height": 900}, **options})
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(url)
    yield page
    context.close()
    assert [line for line in said if "ERR_" not in line] == []


def to_practice(page: Page) -> None:
    page.get_by_role("button", name="I agree").click()
    expect(page.get_by_text("The answer is").first).to_be_visible()
    page.get_by_role("button", name="To the practice").click()


def practise(page: Page, study: Study) -> None:
    """Practice with the keys at hand, until the questions come."""
    rows = {row.text: row.answer for row in study.rows.values()}
    for _ in range(2):
        expect(page.get_by_text("practice: not counted")).to_be_visible()
        respond(page, rows[page.locator(".asking").inner_text()])
        expect(page.get_by_text("Right.")).to_be_visible()
        expect(page.get_by_role("button", name="Go on")).to_be_focused()
        page.keyboard.press("Enter")


def respond(page: Page, words: str = "", sure: str = "") -> None:
    field = page.get_by_label("Your answer, a number")
    if field.count():
        field.fill(words or "4")
    elif words:
        page.get_by_role("group", name="answers").get_by_role("button", name=words).click()
    else:
        page.get_by_role("heading", level=2).click()  # nothing has the focus
        page.keyboard.press("2")
    if sure:
        page.get_by_role("button", name=sure, exact=True).click()
    page.get_by_role("button", name="Next").click()


def number(page: Page) -> int:
    return int(page.get_by_text("question ", exact=False).first.inner_text().split()[1])


def test_a_whole_way_with_a_reload_a_lost_line_and_an_answer_twice(browser: Browser, study: Study) -> None:
    with serving(study) as port:
        url = f"http://127.0.0.1:{port}/?PROLIFIC_PID=abc&STUDY_ID=s&SESSION_ID=t"
        with opened(browser, url) as page:
            to_practice(page)
            practise(page, study)
            expect(page.get_by_text("question 1 of")).to_be_visible()
            expect(page.get_by_role("img")).to_have_attribute("alt", "frame 1 of 6, as the wearer sees it")
            page.keyboard.press("ArrowRight")
            expect(page.get_by_role("img")).to_have_attribute("alt", "frame 2 of 6, as the wearer sees it")
            expect(page.get_by_role("button", name="Next")).to_be_disabled()  # nothing is answered yet
            respond(page, sure="fairly sure")
            expect(page.get_by_text("question 2 of")).to_be_visible()
            page.reload()
            expect(page.get_by_text("question 2 of")).to_be_visible()

            page.context.set_offline(True)
            respond(page, sure="sure")
            expect(page.get_by_role("alert")).to_contain_text("connection is lost")
            page.context.set_offline(False)
            expect(page.get_by_text("question 3 of")).to_be_visible()

            again = page.evaluate(TWICE)
            assert again == {"status": 200, "kept": False}
            page.get_by_role("button", name="I cannot tell").click()
            page.get_by_role("button", name="Next").click()
            expect(page.get_by_text("question 4 of")).to_be_visible()
            while page.get_by_text("That was the last question").count() == 0:
                before = number(page)
                respond(page, sure="a guess")
                expect(page.get_by_text(f"question {before} of")).to_be_hidden()
            link = page.get_by_role("link", name="Back to Prolific")
            expect(link).to_have_attribute("href", PROLIFIC)
    store = Store(study.folder)
    mine = [given for given in store.answers() if given.person == 1]
    assert [given.place for given in mine] == list(range(len(study.assignment.slots[0])))
    assert (mine[0].steps, mine[0].confidence, mine[2].cannot_tell) == (1, 2, True)
    assert mine[0].answer_ms > mine[0].first_frame_ms > 0
    store.close()


TWICE = """async () => {
  const headers = { Authorization: `Bearer ${sessionStorage.getItem("situ-token")}` };
  const body = JSON.stringify({ number: 0, cannot_tell: 1 });
  const reply = await fetch("/v1/study/answer", { method: "POST", headers, body });
  return { status: reply.status, kept: (await reply.json()).kept };
}"""


def test_two_people_at_once_and_a_server_that_is_started_again(browser: Browser, study: Study) -> None:
    with serving(study) as port:
        url = f"http://127.0.0.1:{port}/"
        with opened(browser, url) as ann, opened(browser, f"{url}?workerId=W1&assignmentId=A") as ben:
            ann.get_by_label("Your participant code").fill("ann")
            ann.keyboard.press("Enter")
            for page in (ann, ben):
                to_practice(page)
                practise(page, study)
                expect(page.get_by_text("question 1 of")).to_be_visible()
    store = Store(study.folder)
    assert len({person.slot for person in store.people()}) == len(store.people())
    store.close()


@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1400, "light")])
def test_nothing_serious_for_those_who_cannot_see_it(
    browser: Browser, study: Study, width: int, scheme: Any, tmp_path: Path
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed")

    def check(page: Page, name: str) -> None:
        expect(page.get_by_text("Loading…")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} scrolls sideways"
        page.screenshot(path=tmp_path / f"{name}-{width}.png", full_page=True)
        found = axe.Axe().run(page).response["violations"]
        assert [
            (v["id"], v["nodes"][0]["html"][:100]) for v in found if v["impact"] in ("serious", "critical")
        ] == []

    options = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme, "bypass_csp": True}
    with (
        serving(study) as port,
        opened(browser, f"http://127.0.0.1:{port}/?person=w{width}", **options) as page,
    ):
        expect(page.get_by_role("button", name="I agree")).to_be_visible()
        check(page, "consent")
        page.get_by_role("button", name="I agree").click()
        expect(page.get_by_role("img").first).to_be_visible()
        check(page, "examples")
        page.get_by_role("button", name="To the practice").click()
        practise(page, study)
        expect(page.get_by_role("img")).to_be_visible()
        check(page, "question")
