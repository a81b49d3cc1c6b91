"""What can be asked of a served memory, whichever way the request came. Plain data in, plain data out."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from situ.errors import BadFormat, BadInput, Unanswerable
from situ.language.answering import LEAST_CONFIDENCE, Told, refusal
from situ.language.certificate import Certificate
from situ.language.certificate import verify as run_again
from situ.language.dialogue import Conversation, Topic
from situ.language.naming import noun
from situ.language.reading import Reading
from situ.language.running import answered
from situ.memory.memory import SpatialMemory
from situ.memory.reading.state import MemoryState
from situ.questions.changes.since import Changes
from situ.questions.rules.landmarks import plain_name
from situ.questions.rules.wearer import full_name, gap_from
from situ.serve.failure import not_found
from situ.serve.library import Served
from situ.state.protocol import LIKELY

# What forgets, draws and watches is loaded when it is needed: the first answer should not wait for it.
if TYPE_CHECKING:
    from situ.memory.forgetting.erasure import Request

MOST_OBJECTS, MOST_POINTS = 5000, 5000
_QUALITY = 80
_MOST_PICTURES, _NEAR_S = 12, 10.0


@dataclass(frozen=True)
class Context:
    """What was talked about before, as `situ.language.dialogue.Topic` writes it; the names of the thing
    and the place are for whoever shows them. Clients hand it back, so that the server keeps no
    conversation."""

    program: Mapping[str, Any] | None = None
    thing: str = ""
    place: str = ""


def ask(
    served: Served,
    question: str,
    at: float | None = None,
    known_at: float | None = None,
    confidence: float = LEAST_CONFIDENCE,
    context: Context | None = None,
) -> tuple[dict[str, Any], str]:
    """An answer as plain data with the context for the next question, and which kind of question it was."""
    context = context or Context()
    topic = Topic() if context.program is None else _topic(context.program)
    with served.reading() as memory:
        state = memory.state(at, known_at)
        talk = Conversation(lambda: state, confidence, topic=topic)
        told = _answer(talk, question)
        data = _plain(told, served.name, state)
        data["now"], data["known_at"] = state.now, state.known_at
    thing = "" if talk.topic.it is None else noun(talk.topic.it)
    data["context"] = {"program": talk.topic.to_json() or None, "thing": thing, "place": talk.topic.place}
    made = [one.certificate for one in (told, *told.readings) if one.certificate is not None]
    kind = "" if not made else str(made[0].program.get("kind", made[0].program.get("ask", "")))
    return data, kind


def run(
    served: Served, program: Any, at: float | None = None, known_at: float | None = None
) -> dict[str, Any]:
    """What the asks of a program answer, each a result or in `abstained` why there is none."""
    from situ.questions.programs import parse, plain, tried

    read = parse(program)
    with served.reading() as memory:
        state = memory.state(at, known_at)
        rows = [plain(one) for one in tried(read, state)]
        return {"now": state.now, "known_at": state.known_at, "results": rows}


def what_changed(served: Served, since: float, until: float | None = None) -> dict[str, Any]:
    """Everything that was moved, taken or brought since a time, and the frames that show it."""
    with served.reading() as memory:
        state = memory.state(until)
        sentence = f"what has changed since {since:g} s"
        try:
            told = answered(state, sentence, Changes(since), Reading({}, 1.0, "changes"), LEAST_CONFIDENCE)
        except Unanswerable as error:
            told = refusal(sentence, error)
        return _plain(told, served.name, state)


_MADE_UP = (TypeError, ValueError, KeyError, AttributeError, IndexError, OverflowError, RecursionError)
_NOT_OURS = "the context is none that this server gave; leave it out"


def _topic(program: Mapping[str, Any]) -> Topic:
    try:
        return Topic.from_json(program)
    except _MADE_UP as error:
        raise BadFormat(_NOT_OURS) from error


def _answer(talk: Conversation, sentence: str) -> Told:
    """The context may have been made up by anybody; without one a mistake is our own."""
    if talk.topic.program is None:
        return talk.ask(sentence)
    try:
        return talk.ask(sentence)
    except _MADE_UP as error:
        raise BadFormat(_NOT_OURS) from error


def _plain(told: Told, name: str, state: MemoryState) -> dict[str, Any]:
    data = told.to_json()
    data["pictures"] = _pictures_near(told.evidence[:_MOST_PICTURES], state)
    data["evidence_urls"] = [frame_url(name, frame) for frame in data["pictures"]]
    return data


def _pictures_near(evidence: tuple[int, ...], state: MemoryState) -> list[int]:
    """Of frames that prove something not every one has a picture: those that do, nearest in time."""
    found: list[int] = []
    for frame, before, after in state.pictured_beside(evidence):
        others = [other for other in (before, after) if other is not None]
        near = frame if frame == before else _nearest_in_time(frame, others, state)
        if near is not None and near not in found:
            found.append(near)
    return found


def _nearest_in_time(frame: int, others: list[int], state: MemoryState) -> int | None:
    moment = state.path.time_of(frame)
    gaps = [(abs(state.path.time_of(other) - moment), other) for other in others]
    gap, near = min(gaps, default=(math.inf, -1))
    return near if gap <= _NEAR_S else None


def frame_url(name: str, frame: int) -> str:
    return f"/v1/memories/{name}/frames/{frame}.jpg"


def facts(served: Served) -> dict[str, Any]:
    """How much a memory holds, and up to when."""
    with served.reading() as memory:
        state = memory.state()
        frames = len(state.path)
        return {
            "memory": served.name,
            "frames": frames,
            "start_s": state.path.start if frames else 0.0,
            "end_s": state.now if frames else 0.0,
            "writing": served.writing,
        }


def objects(
    served: Served,
    at: float | None = None,
    known_at: float | None = None,
    label: str | None = None,
    near: tuple[float, float, float] | None = None,
    limit: int = 50,
) -> dict[str, Any]:
    """The things that are believed to exist, where they are, and which way that is for the wearer."""
    with served.reading() as memory:
        state = memory.state(at, known_at)
        views: Any = state.objects()
        if near is not None:
            views = state.near(near[:2], near[2])
        if label is not None:
            views = [v for v in views if label in (v.category, plain_name(v), full_name(v))]
        likely = [v for v in views if v.presence > LIKELY]
        rows = [_row(v, state) for v in likely[:limit]]
        return {"now": state.now, "known_at": state.known_at, "total": len(likely), "objects": rows}


def _row(view: Any, state: MemoryState) -> dict[str, Any]:
    heading = state.path.heading_at(state.now)
    last = next(reversed(state.sightings(view.id)), None)
    return {
        "id": view.id,
        "name": plain_name(view),
        "category": view.category,
        "attributes": dict(view.attributes),
        "center": [round(c, 3) for c in view.box.center],
        "size": [round(c, 3) for c in view.box.size],
        "presence": round(view.presence, 3),
        "here": round(view.here, 3),
        "held": view.held,
        "bearing_deg": round(heading.bearing_deg(view.box.center), 1),
        "distance_m": round(gap_from(heading, view.box), 2),  # as answers state it
        "first_seen": view.first_seen,
        "last_seen": view.last_seen if last is None else last.time,
        "last_frame": None if last is None else last.frame,
        "in_view": state.in_view(view.id),
    }


def path(served: Served, start: float | None, stop: float | None, most: int) -> dict[str, Any]:
    """Where the wearer went: at most so many points, evenly chosen, the last one among them."""
    with served.reading() as memory:
        state = memory.state(stop)
        walked = state.path
        if not len(walked):
            return {"now": state.now, "total": 0, "points": []}
        times = np.asarray(walked.times)
        first = 0 if start is None else int(np.searchsorted(times, start))
        count = len(times) - first
        chosen = np.linspace(first, len(times) - 1, max(0, min(most, count))).astype(int)
        rows = []
        for i in np.unique(chosen).tolist():
            heading = walked.headings[i]
            numbers = (float(times[i]), heading.x, heading.y, heading.z, heading.yaw_deg)
            rows.append([i, *(round(number, 3) for number in numbers)])
        columns = ["frame", "time", "x", "y", "z", "yaw_deg"]
        return {"now": state.now, "total": max(count, 0), "columns": columns, "points": rows}


def pictures(served: Served, start: float | None, stop: float | None, most: int) -> dict[str, Any]:
    """The frames that can be looked at, with their times: those that show some thing best."""
    with served.reading() as memory:
        state = memory.state(stop)
        walked = state.path
        if not len(walked):
            return {"frames": []}
        first = 0 if start is None else walked.index_at(start)
        found = state.pictured(first, most)
        return {"frames": [[frame, round(float(walked.times[frame]), 3)] for frame in found]}


def picture(served: Served, frame: int, width: int | None = None) -> bytes:
    """The picture that the memory keeps of a frame, as JPEG, made smaller if asked to."""
    with served.reading() as memory:
        found = memory.state().thumbnail(frame)
    if found is None:
        raise not_found(
            "there is no picture of this frame", "an answer's evidence_urls name frames to look at"
        )
    if width is None:
        return found
    import cv2

    image = cv2.imdecode(np.frombuffer(found, np.uint8), cv2.IMREAD_COLOR)
    if image is None or image.shape[1] <= width:
        return found
    height = max(1, round(image.shape[0] * width / image.shape[1]))
    small = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return data.tobytes() if done else found


def verify(served: Served, certificate: Mapping[str, Any]) -> dict[str, Any]:
    """Run a certificate again on the memory."""
    claim = Certificate.from_json(_restored(certificate))
    with served.reading() as memory:
        check = run_again(claim, memory.state(claim.at, claim.known_at))
    return {"holds": check.holds, "value": check.value, "reason": check.reason}


def forget(served: Served, request: "Request") -> dict[str, Any]:
    """Delete for good, as the one writer and with no reader."""
    with served.alone(), SpatialMemory.open(served.path) as memory:
        erased = memory.forget(**vars(request))
        from situ.perception.checkpoint import FileCheckpoints

        FileCheckpoints(served.path).clear()  # it may hold pictures
    return asdict(erased)


def _restored(certificate: Mapping[str, Any]) -> dict[str, Any]:
    """A certificate with its infinities as numbers again."""
    far = {"Infinity": math.inf, "-Infinity": -math.inf}

    def number(value: Any) -> Any:
        return far.get(value, value) if isinstance(value, str) else value

    if not isinstance(certificate, Mapping):
        raise BadInput("a certificate is an object, as an answer holds it")
    back = dict(certificate)
    back["margin"] = number(back.get("margin"))
    if isinstance(back.get("numbers"), Mapping):
        back["numbers"] = {name: number(value) for name, value in back["numbers"].items()}
    return back
