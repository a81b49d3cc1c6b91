"""The page of a watched video: its pictures, the doubt of its path, and when it was lost."""

import json

import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.path_uncertainty import PathUncertainty
from situ.geometry.pose import camera_pose
from situ.memory import SpatialMemory
from situ.memory.sink import MemorySink
from situ.perception.observation import Observation, ObservedFrame
from situ.report.memory_page import memory_page

PICTURES = [b"\xff\xd8\xff" + bytes([k]) * 40 for k in range(20)]
FACTS = {"source": "clip.mp4", "scale_from": "", "gravity_from": "floor", "names": ""}


def page_of(doubt: PathUncertainty | None, facts: dict[str, str] = FACTS) -> str:
    """A walk straight on, a frame each second, without a single thing."""
    with SpatialMemory.create(":memory:") as memory:
        sink = MemorySink(memory)
        for k, picture in enumerate(PICTURES):
            sink.observe(
                ObservedFrame(float(k), camera_pose((0.5 * k, 0.0, 1.6), 0.0), (), thumbnail=picture)
            )
        sink.keep(facts, doubt)
        return memory_page(memory, "clip")[0]


def data_of(page: str) -> dict:
    return json.loads(page.split('type="application/json">')[1].split("</script>")[0])


def doubt(metres: float, lost: tuple[tuple[float, float], ...] = ()) -> PathUncertainty:
    sigma = np.tile([0.0, metres, 0.0], (len(PICTURES), 1))
    ground = np.array([(0.5 * k, 0.0) for k in range(len(PICTURES))])
    return PathUncertainty.of(range(len(PICTURES)), ground, sigma, np.array(lost))


def test_what_was_seen_is_shown_though_nothing_was_found_in_it() -> None:
    data = data_of(page_of(None))
    assert 4 <= len(data["pictures"]) <= len(PICTURES)
    assert all(uri.startswith("data:image/jpeg;base64,") for uri in data["pictures"])
    shown = [step["picture"] for step in data["steps"]]
    assert shown[0] == 0
    assert shown == sorted(shown)
    assert shown[-1] == len(data["pictures"]) - 1


def test_a_path_in_doubt_is_drawn_so() -> None:
    assert 'class="doubt"' not in page_of(None)
    assert 'class="doubt"' not in page_of(doubt(0.001))
    assert 'class="doubt"' in page_of(doubt(0.2))


def test_when_it_was_lost_is_said_and_marked() -> None:
    page = page_of(doubt(0.001, ((5.0, 8.5), (19.0, 23.0))))
    assert "Tracking was lost for 7.5 s: 5.0 to 8.5 s, 19.0 to 23.0 s" in page
    assert page.count("<title>lost from") == 2
    assert page.count('<i style="left:') == 2
    assert "lost from" not in page_of(doubt(0.2))


def test_what_is_not_known_of_it_is_said() -> None:
    assert "scale is unknown" in page_of(None)
    assert "No object has a name" in page_of(None)
    known = page_of(None, {**FACTS, "scale_from": "depth", "names": "yes"})
    assert "scale is unknown" not in known
    assert "No object has a name" not in known


def test_the_page_opens_on_an_answer_and_points_at_its_object() -> None:
    camera = Camera.from_fov(640, 480, 90.0)
    with SpatialMemory.create(":memory:") as memory:
        for k in range(8):
            seen = (Observation("cup", (2.0, 0.3, 1.0)),) if k < 5 else ()
            pose = camera_pose((0.0, 0.0, 1.6), 0.0 if k < 5 else 120.0)
            memory.observe(ObservedFrame(float(k), pose, seen, camera))
        page = memory_page(memory, "hall")[0]
        (cup,) = memory.state().objects()
    assert "Where is the cup?" in page
    assert "The cup is" in page
    assert data_of(page)["followed"] == str(cup.id)
