"""What notebooks show of memories, answers, recordings and scores: short, whole, and safe."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import situ
from situ import display

NAME = "<b>cup</b> & 'co'"


def elements(html: str) -> list[str]:
    """Names of all elements; a page that does not nest right raises."""
    return [element.tag for element in ElementTree.fromstring(html.replace("&nbsp;", " ")).iter()]


@pytest.fixture
def memory() -> situ.Memory:
    made = situ.Memory.create(":memory:")
    for second in range(3):
        cup = situ.Observation(NAME, (2.0, 1.0, 1.0))
        made.observe(situ.ObservedFrame(float(second), situ.camera_pose((second, 0, 1.6), 0), (cup,)))
    return made


def test_names_from_outside_are_words_and_never_markup(memory: situ.Memory) -> None:
    answer = memory.ask(f"where is the {NAME}")
    for thing in (memory, answer):
        assert "b" not in elements(thing._repr_html_())[2:]
    assert "&lt;b&gt;" in memory._repr_html_()


def test_an_empty_memory_is_shown_too() -> None:
    with situ.Memory.create(":memory:") as empty:
        assert "0 frames" in repr(empty)
        assert "empty" in empty._repr_html_()


def test_a_line_says_what_it_is(memory: situ.Memory, demo_walk: Path) -> None:
    rem = situ.Dataset.open(demo_walk / "demo" / "rem-mini-0")
    walk, score = rem.recording(rem.items[0]), situ.evaluate(rem, "random")
    assert repr(memory).startswith("<Memory :memory:: 3 frames, 1 object")
    assert f"{len(walk)} frames" in repr(walk)
    assert f"{100 * score.overall.value:.1f} %" in repr(score)
    assert repr(memory.ask("where am I")).startswith("<Answer ")
    assert elements(walk._repr_html_()).count("img") == min(4, len(walk))
    assert elements(score._repr_html_()).count("tr") == len(score.tasks) + 2


def test_a_map_holds_every_place_and_the_whole_way() -> None:
    places = [((-3.0, 4.0), "a"), ((5.0, -2.0), "b")]
    svg = ElementTree.fromstring(display.map_from_above([(0.0, 0.0), (1.0, 7.0)], places))
    width, height = float(svg.attrib["width"]), float(svg.attrib["height"])
    assert max(width, height) == pytest.approx(display.MAP_SIDE, abs=1)
    dots = [(float(dot.attrib["cx"]), float(dot.attrib["cy"])) for dot in svg.iter("circle")]
    assert len(dots) == 3
    assert all(0 <= x <= width and 0 <= y <= height for x, y in dots)
    assert display.map_from_above([], []) == ""
