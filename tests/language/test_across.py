"""Questions that count or compare over the memories of one wearer."""

import itertools
import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

import situ
from situ.cli.app import app
from situ.language.across import Part, added, told_over
from situ.language.answering import Told
from situ.language.folder import ask_folder, memories_in
from situ.language.recordings import OverRecordings, over_recordings

Place = tuple[float, float, float]


def remember(
    path: Path, things: Sequence[tuple[str, Place]], walked: float = 0.0, start: float = 0.0
) -> None:
    with situ.Memory.create(path) as memory:
        for second in range(4):
            pose = situ.camera_pose((walked * second / 3, 0, 1.6), yaw_deg=0)
            seen = tuple(situ.Observation(name, place) for name, place in things)
            memory.observe(situ.ObservedFrame(start + second, pose, seen))


CHAIRS = [("chair", (6.0, y, 0.5)) for y in (-3.0, 0.0, 3.0)]


@pytest.fixture(scope="module")
def walks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Monday: 1 chair and a kettle near; tuesday, walked farthest: 3 chairs; wednesday: 2, a kettle far."""
    folder = tmp_path_factory.mktemp("walks")
    remember(folder / "monday.situ", [*CHAIRS[:1], ("kettle", (2.0, 0.0, 1.0))], 0.5)
    remember(folder / "tuesday.situ", CHAIRS, 3.0)
    remember(folder / "wednesday.situ", [*CHAIRS[:2], ("kettle", (5.0, 1.0, 1.0))], 1.0)
    return folder


def told(folder: Path, sentence: str) -> Told:
    together = ask_folder(memories_in(folder), sentence).together
    assert together is not None
    return together


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("In how many recordings did I see a kettle?", 2),
        ("how many recordings show chairs", 3),
        ("which walks have a kettle", "monday, wednesday"),
        ("In which recording did I first see the kettle?", "monday"),
        ("in which recording did i last see the kettle", "wednesday"),
        ("did I see a chair in every recording", "yes"),
        ("did I see a kettle in all recordings?", "no"),
        ("did I see a kettle in any of my recordings", "yes"),
        ("how many chairs have I seen in all recordings", 6),
        ("how far did I walk altogether", 4.5),
        ("which recording has the most chairs", "tuesday"),
        ("which recording shows the fewest chairs", "monday"),
        ("in which recording did I walk farthest", "tuesday"),
        ("did I see more chairs in monday or in tuesday?", "tuesday"),
        ("are there more chairs in monday than in wednesday", "no"),
        ("did I walk further in tuesday than in wednesday", "yes"),
        ("is the kettle closer in monday or wednesday", "monday"),
        ("what did I see in monday but not in tuesday", "kettle"),
        ("what did I see in tuesday but not in monday", "nothing"),
        ("which recordings show the most kettles", "monday and wednesday"),
    ],
)
def test_what_is_asked_over_recordings(walks: Path, sentence: str, value: object) -> None:
    answer = told(walks, sentence)
    assert answer.value == value, answer.text
    assert answer.confidence > 0.5


def test_what_only_some_can_tell_is_no_answer(walks: Path) -> None:
    missing = told(walks, "in which recording is the kettle nearest")
    assert missing.value is None
    assert "tuesday cannot tell" in missing.abstained
    assert told(walks, "in how many recordings did I see a trumpet").value is None
    assert told(walks, "on which days did I see a kettle").abstained.startswith("the day of")
    reach = told(walks, "in how many recordings can I reach the kettle")
    assert (reach.value, reach.text) == (0, "In none of 3.")
    kitchen = told(walks, "in how many recordings have I been in the kitchen")
    assert kitchen.value is None
    assert "name of any place" in kitchen.text


def test_a_sentence_about_one_world_stays_one() -> None:
    for sentence in ("where is the kettle", "how many chairs have I seen", "which room has the most chairs",
                     "did I see more chairs or kettles", "what day is it"):  # fmt: skip
        assert over_recordings(sentence, ["a", "b"]) is None


def test_names_are_literal_and_the_longest_is_meant() -> None:
    asked = over_recordings("did I see more cups in a.b or in a.b.c", ["a.b", "a.b.c", "axb"])
    assert asked is not None
    assert asked.named == ("a.b", "a.b.c")
    assert over_recordings("did I see more cups in axb or in zz", ["a.b", "zz"]) is None


def test_by_days(tmp_path: Path) -> None:
    for number, (day, chairs) in enumerate([(2, 2), (2, 2), (3, 3)]):
        path = tmp_path / f"{number}.situ"
        remember(path, CHAIRS[:chairs])
        with situ.Memory.open(path) as memory:
            memory.set_clock(datetime(2026, 3, day, 9 + number, 0))
    assert told(tmp_path, "on how many days did I see a chair").value == 2
    assert told(tmp_path, "on which day did I see the most chairs").value == "2026-03-02"
    assert told(tmp_path, "on which day did I first see a chair").value == "2026-03-02"
    assert told(tmp_path, "which recording has the most chairs").value == "2"


def test_doubt_is_that_of_all_worlds() -> None:
    """Against every combination, drawn out."""
    parts = [
        Part("a", 1.0, {1.0: 0.9, 0.0: 0.1}),
        Part("b", 0.0, {1.0: 0.2, 0.0: 0.8}),
        Part("c", 2.0, {2.0: 0.7, 1.0: 0.3}),
    ]
    worlds = [
        (dict(zip("abc", [v for v, _ in world], strict=True)), world[0][1] * world[1][1] * world[2][1])
        for world in itertools.product(*((part.shares or {}).items() for part in parts))
    ]

    def likely(holds: object) -> float:
        assert callable(holds)
        return sum(share for world, share in worlds if holds(world))

    def sure(how: str) -> float:
        return told_over(OverRecordings(how, "how many x"), "?", parts, 0.0).confidence  # type: ignore[arg-type]

    assert sure("count") == pytest.approx(likely(lambda w: sum(v > 0 for v in w.values()) == 2), abs=1e-3)
    assert sure("list") == pytest.approx(likely(lambda w: w["a"] > 0 and w["b"] == 0), abs=1e-3)
    assert sure("total") == pytest.approx(likely(lambda w: sum(w.values()) == 3), abs=1e-3)
    assert sure("most") == pytest.approx(likely(lambda w: w["c"] > max(w["a"], w["b"])), abs=1e-3)
    assert sure("every") == pytest.approx(likely(lambda w: min(w.values()) == 0), abs=1e-3)
    assert sure("any") == pytest.approx(1.0)
    assert sure("last") == pytest.approx(1.0)
    assert sum(added([part.shares or {} for part in parts]).values()) == pytest.approx(1.0)


def test_by_the_command_line(walks: Path) -> None:
    said = CliRunner().invoke(app, ["ask", str(walks), "which recording has the most chairs"])
    assert said.stdout.splitlines()[0] == "tuesday (monday 1, tuesday 3, wednesday 2)."
    data = json.loads(
        CliRunner().invoke(app, ["ask", str(walks), "how many recordings show a kettle", "--json"]).stdout
    )
    assert data["together"]["value"] == 2
    assert {one["memory"] for one in data["answers"]} == {"monday", "tuesday", "wednesday"}


def test_a_claim_that_is_doubted_is_as_sure_as_it_is_false() -> None:
    """A and b may well have the same number: that a has more is then false all the same."""
    a, b = Part("a", 2.0, {2.0: 1.0}), Part("b", 3.0, {3.0: 0.5, 2.0: 0.5})
    asked = OverRecordings("most", "how many chairs have i seen", ("a", "b"), "a")
    no = told_over(asked, "are there more chairs in a than in b", [a, b])
    assert (no.value, no.confidence) == ("no", 1.0)
