"""Verdicts by the rule that was written before the runs, on planted results."""

import json
from pathlib import Path
from xml.dom import minidom

import pytest
from benchmarks.camo.effect_plot import draw_effect
from benchmarks.camo.plot import draw
from benchmarks.camo.report import Estimate, Group, read_groups, tables

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"


def planted(camera: list[float], shuffled: float = 0.5, f1: float = 0.8, poses: float = 0.95) -> Group:
    """Scene is right half of the time; the others as given."""
    models = []
    for seed, right in enumerate(camera, 1):
        scores = {"camera": right, "scene": 0.5, "shuffled": shuffled, "questions": 0.45, "poses": poses}
        for arm, thing in scores.items():
            told = {"motion_f1": f1} if arm == "camera" else {}
            curve = [[1, 0.1, 0.1], [2, thing, 0.5]]
            models.append({"arm": arm, "seed": seed, "thing": thing, "start": 0.5, "curve": curve, **told})
    return Group("pixels", 8000, 1.0, models, 0.95)


@pytest.mark.parametrize(
    ("group", "verdict"),
    [
        (planted([0.56, 0.57, 0.55, 0.56]), "positive"),
        (planted([0.51, 0.505, 0.50, 0.49]), "negative"),
        (planted([0.53, 0.535, 0.525, 0.53]), "undecided"),  # an effect, but smaller than was asked for
        (planted([0.7, 0.3, 0.8, 0.5]), "undecided"),  # large, but not over seeds
        (planted([0.56, 0.57, 0.55, 0.56], shuffled=0.6), "undecided"),  # any words would have done
        (planted([0.56, 0.57, 0.55, 0.56], f1=0.5), "inconclusive: motion words F1 0.50"),
        (planted([0.56, 0.57, 0.55, 0.56], poses=0.8), "inconclusive: true poses 80.0 %"),
    ],
)
def test_verdicts(group: Group, verdict: str) -> None:
    assert group.verdict == verdict


def test_intervals_are_students() -> None:
    found = Estimate.of([1.0, 2.0, 3.0, 4.0])
    assert found.mean == 2.5
    assert found.high - found.mean == pytest.approx(3.1824 * 1.29099 / 2, abs=1e-3)


def shown_page() -> str:
    """The page of the experiment on one line, with plain minus signs."""
    page = (RESULTS.parents[1] / "docs" / "camo.md").read_text(encoding="utf-8")
    return " ".join(page.replace("−", "-").split())


def test_the_kept_results_give_the_page_and_the_drawings() -> None:
    groups = [g for eyes in ("symbols", "pixels") for g in read_groups(eyes, RESULTS / f"camo_{eyes}.jsonl")]
    page = shown_page()
    planned = [group for group in groups if group.planned]
    assert [(g.eyes, g.labels) for g in planned] == [
        (eyes, labels) for eyes in ("symbols", "pixels") for labels in (1_000, 8_000, 64_000)
    ]
    for group in groups:
        assert str(group.difference("camera", "scene", "thing")) in page
        assert len({m["seed"] for m in group.models}) == (4 if group.planned else 8)
    assert minidom.parseString(draw(planned)).toxml().count("<polyline") == 5 * len(planned)
    assert minidom.parseString(draw_effect(groups)).toxml().count("<title") == 2 * len(groups)
    assert "undecided" in tables(groups)


def test_seeds_beyond_the_plan_stand_apart(tmp_path: Path) -> None:
    few = [{**model, "labels": 8000} for model in planted([0.5, 0.5, 0.5, 0.5]).models]
    more = [{**model, "labels": 8000, "seed": model["seed"] + 4} for model in planted([0.9] * 4).models]
    file = tmp_path / "results.jsonl"
    lines = [{"group": name, "seconds": 1.0, "models": some} for name, some in (("b", more), ("a", few))]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    first, second = read_groups("symbols", file)
    assert (first.planned, first.difference("camera", "scene", "thing").mean) == (True, 0.0)
    assert (second.planned, second.name) == (False, "symbols, 8 seeds (exploratory)")
    assert second.difference("camera", "scene", "thing").mean == pytest.approx(0.2)


def test_no_measured_seed_is_a_pilot_seed() -> None:
    pilot = [json.loads(line) for line in (RESULTS / "camo_pilot.jsonl").read_text().splitlines()]
    assert {m["arm"] for group in pilot for m in group["models"]} == {"questions", "poses"}
    assert {m["seed"] for group in pilot for m in group["models"]} == {1000}


def test_the_kept_results_of_homes_give_the_page_and_the_drawings() -> None:
    groups = [
        g
        for eyes in ("symbols", "pixels")
        for g in read_groups(f"homes {eyes}", RESULTS / f"camo_homes_{eyes}.jsonl")
    ]
    page = shown_page()
    for group in groups:
        assert group.verdict.startswith("inconclusive: motion words F1")
        assert str(group.difference("camera", "scene", "thing")) in page
        assert str(group.difference("camera", "shuffled", "thing")) in page
    assert minidom.parseString(draw_effect(groups)).toxml().count("<title") == 2 * len(groups) == 4
