"""Runs to click through: the data behind the page, and the page in a real browser."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from evaluation.small_set import make_set
from serve import served
from serve.served import running

for module in served.WANTED:
    pytest.importorskip(module, reason=served.REASON)

from situ.errors import BadInput  # noqa: E402
from situ.evaluation.runs.compare import compare_runs  # noqa: E402
from situ.evaluation.runs.run import Settings, run_participant  # noqa: E402
from situ.evaluation.runs.run_folder import Run  # noqa: E402
from situ.report.explorer import ONLY, Explorer  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    folder = tmp_path_factory.mktemp("runs")
    dataset = make_set(folder / "set", 6)
    return [run_participant(dataset, name, Settings(), folder / name) for name in ("truth", "random")]


def test_tables_and_pairs_are_those_of_the_report(runs: list[Run]) -> None:
    found = Explorer(runs)
    (group,) = found.table
    assert {row["name"]: row["score"] for row in group["runs"]}["truth"] == 1.0
    (pair,) = found.pairs(0)
    order = [row["name"] for row in group["runs"]]
    compared, _ = compare_runs(*[next(r for r in runs if r.name == name) for name in order])["overall"]
    assert (pair["difference"], pair["questions"]) == (compared.difference, compared.questions)
    assert {row["not_ranked"] for board in found.board["boards"] for row in board["rows"]} == {
        "a control, not a system"
    }


def test_questions_are_cut_down_without_losing_any(runs: list[Run]) -> None:
    found = Explorer(runs)
    names = [row["name"] for row in found.table[0]["runs"]]
    a, b = names.index("truth"), names.index("random")
    total = {only: found.questions(0, a, b, only)["total"] for only in ONLY}
    assert total["all"] == 12
    assert total["a wrong"] == total["a wrong, b right"] == 0
    assert total["a right, b wrong"] == found.questions(0, b, a, "a wrong")["total"] > 0
    by_task = sum(found.questions(0, a, b, task=task)["total"] for task in found.table[0]["tasks"])
    assert by_task == 12
    assert found.questions(0, a, b, stratum="count", value="4")["total"] == 6


def test_a_question_whole_with_frames_map_and_the_rule(runs: list[Run]) -> None:
    found = Explorer(runs)
    name = found.questions(0, 0, 1)["questions"][0]["id"]
    whole = found.question(0, name)
    assert len(whole["said"]) == 2
    assert all(said["rule"] for said in whole["said"] if said["claim"] is not None)
    assert whole["frames"] == list(range(6))
    assert found.frame(0, name, 5)[:2] == b"\xff\xd8"
    drawn = found.map(0, name)
    assert ElementTree.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"
    assert drawn.count('class="thing asked"') == 4  # all cubes are counted
    for wrong in (
        lambda: found.question(0, "../x"),
        lambda: found.frame(0, name, 99),
        lambda: found.pairs(7),
    ):
        with pytest.raises(BadInput):
            wrong()


def test_over_http_without_a_memory(runs: list[Run]) -> None:
    with running([], explorer=Explorer(runs)) as server:
        assert server.get("/runs").status == 200
        assert len(server.get("/v1/runs").json["groups"]) == 1
        name = server.get("/v1/runs/questions?group=0&a=0&b=1").json["questions"][0]["id"]
        assert (
            server.get(f"/v1/runs/frame.jpg?group=0&id={name}&frame=0").headers["content-type"]
            == "image/jpeg"
        )
        assert server.get("/v1/runs/question?id=..%2F..%2Fetc%2Fpasswd").status == 400
        assert server.get("/v1/runs/pairs?group=99").status == 400
        assert server.get("/v1/memories").json["memories"] == []


@pytest.fixture
def page(runs: list[Run]) -> Iterator[Any]:
    pytest.importorskip("playwright", reason="playwright is not installed; `make test-browser` installs it")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)
    said: list[str] = []
    with (
        sync_playwright() as playwright,
        running([], explorer=Explorer(runs)) as server,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        found = browser.new_page(viewport={"width": 1400, "height": 900}, bypass_csp=True)
        found.set_default_timeout(60_000)
        found.on("console", lambda message: said.append(message.text))
        found.on("pageerror", lambda error: said.append(str(error)))
        found.goto(f"http://127.0.0.1:{server.port}/runs")
        yield found
        browser.close()
    assert said == []


def test_from_a_pair_to_one_question(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed")
    table = page.get_by_role("region", name="table of runs")
    expect(table).to_contain_text("truth")
    table.get_by_role("button", name="run", exact=True).click()
    expect(table.get_by_role("row").nth(1)).to_contain_text("random")
    table.get_by_role("button", name="%").click()
    expect(table.get_by_role("row").nth(1)).to_contain_text("truth")
    page.get_by_role("region", name="matrix of pairs").get_by_role("button").first.click()
    questions = page.get_by_role("region", name="list of questions")
    page.get_by_label("Show").select_option("all")
    questions.get_by_role("button").nth(1).click()
    whole = page.get_by_role("region", name="one question")
    expect(whole.get_by_role("img", name="map from above")).to_be_visible()
    expect(whole.get_by_role("img", name="frame")).to_be_visible()
    expect(whole).to_contain_text("by the rule")
    assert "id=" in page.url
    page.reload()
    expect(whole.get_by_role("img", name="map from above")).to_be_visible()
    for width in (1400, 400):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, "it scrolls sideways"
        page.screenshot(path=tmp_path / f"runs-{width}.png", full_page=True)
        found = axe.Axe().run(page).response["violations"]
        assert [
            (v["id"], v["nodes"][0]["html"][:100]) for v in found if v["impact"] in ("serious", "critical")
        ] == []
