"""`/v1`: what is answered, and that it is what the memory says."""

import json
import math
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
import pytest

from serve import served
from serve.served import Running, make_memory, running
from situ.language import ask
from situ.memory import SpatialMemory
from situ.questions.programs import Result, tried

for module in served.WANTED:
    pytest.importorskip(module, reason=served.REASON)


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_memory(tmp_path_factory.mktemp("serve") / "walk.situ")


@pytest.fixture(scope="module")
def server(walk: Path) -> Iterator[Running]:
    with running([walk]) as found:
        yield found


@pytest.mark.parametrize(
    "question",
    [
        "where is the red cup?",
        "how many lamps are there?",
        "how far is the lamp?",
        "where is a lift?",
        "??",
    ],
)
def test_an_answer_is_that_of_the_memory(server: Running, walk: Path, question: str) -> None:
    with SpatialMemory.open(walk, read_only=True) as memory:
        told = ask(memory.state(), question)
    got = server.ask(question, memory="walk").json
    assert (got["text"], got["value"], got["confidence"]) == (told.text, told.value, told.confidence)
    assert got["evidence"] == list(told.evidence)
    for url in got["evidence_urls"]:
        assert server.get(url).headers["content-type"] == "image/jpeg"


def test_a_program_is_run_and_its_faults_are_told_with_their_place(server: Running, walk: Path) -> None:
    program = [{"ask": "count", "of": {"op": "things", "kind": "lamp"}}, {"ask": "way", "place": "cellar"}]
    with SpatialMemory.open(walk, read_only=True) as memory:
        told = tried(program, memory.state())[0]
    assert isinstance(told, Result)
    got = server.request("POST", "/v1/program", {"program": program, "memory": "walk"}).json
    counted, refused = got["results"]
    assert (counted["value"], counted["confidence"]) == (told.value, round(told.confidence, 4))
    assert refused["value"] is None
    assert refused["abstained"]
    bad = server.request("POST", "/v1/program", {"program": {"ask": "count", "of": {"op": "thing"}}})
    assert bad.status == 400
    assert "at .of.op: unknown operator 'thing'" in bad.json["error"]["message"]
    assert server.get("/v1/program.json").json["$defs"]["set"]


def test_a_certificate_holds_until_it_is_changed(server: Running) -> None:
    certificate = server.ask("how far is the lamp?").json["certificate"]
    assert server.request("POST", "/v1/verify", {"certificate": certificate}).json["holds"] is True
    certificate["numbers"] = {name: value + 1.0 for name, value in certificate["numbers"].items()}
    found = server.request("POST", "/v1/verify", {"certificate": certificate}).json
    assert found["holds"] is False
    assert found["reason"]


def test_every_certificate_survives_the_wire(server: Running) -> None:
    for question in ("what is nearest to me?", "what is the nearest thing?", "what do I see?", "where am I?"):
        answer = server.ask(question)
        assert "Infinity" not in answer.body.decode().replace('"Infinity"', "")
        if answer.json["certificate"] is not None:
            claim = {"certificate": answer.json["certificate"]}
            assert server.request("POST", "/v1/verify", claim).json["holds"] is True, question


def test_a_conversation_is_carried_by_the_client(server: Running) -> None:
    first = server.ask("where is the red cup?").json
    second = server.ask("how far is it?", context=first["context"]).json
    assert second["text"] == server.ask("how far is the red cup?").json["text"]
    assert server.ask("how far is it?").json["text"] != second["text"]


def test_half_a_character_is_told_back_as_it_came(server: Running) -> None:
    answer = server.ask("where is the \ud800 cup?")
    assert (answer.status, answer.json["asked"]) == (200, "where is the \ud800 cup?")


def test_time_travel(server: Running) -> None:
    early = server.ask("how far is the red cup?", at=1.0).json
    late = server.ask("how far is the red cup?").json
    assert early["now"] == 1.0
    assert early["distance_m"][0] > late["distance_m"][0]  # the wearer walked towards it


def test_the_list_of_objects_states_the_distances_of_answers(server: Running) -> None:
    for row in server.get("/v1/memories/walk/objects").json["objects"]:
        low, high = server.ask(f"how far is the {row['name']}?").json["distance_m"]
        assert low <= row["distance_m"] <= high


def test_objects_are_filtered_and_bounded(server: Running) -> None:
    everything = server.get("/v1/memories/walk/objects").json
    assert {row["name"] for row in everything["objects"]} == {"red cup", "lamp"}
    one = server.get("/v1/memories/walk/objects?label=cup").json
    assert [row["category"] for row in one["objects"]] == ["cup"]
    assert len(server.get("/v1/memories/walk/objects?limit=1").json["objects"]) == 1
    near = server.get("/v1/memories/walk/objects?near=4,-1,0.5").json
    assert [row["category"] for row in near["objects"]] == ["lamp"]
    assert near["objects"][0]["bearing_deg"] > 0  # to the right of the wearer


def test_a_frame_is_a_picture_and_can_be_smaller(server: Running) -> None:
    listed = server.get("/v1/memories/walk/frames").json["frames"]
    assert listed
    address = f"/v1/memories/walk/frames/{listed[0][0]}.jpg"
    whole, small = server.get(address), server.get(f"{address}?width=32")
    assert whole.status == small.status == 200
    sizes = [cv2.imdecode(np.frombuffer(got.body, np.uint8), 1).shape[:2] for got in (whole, small)]
    assert sizes == [(48, 64), (24, 32)]
    assert whole.headers["content-type"] == "image/jpeg"


def test_a_path_is_thinned_and_keeps_its_end(server: Running) -> None:
    whole = server.get("/v1/memories/walk/path").json
    assert whole["total"] == len(whole["points"]) == 12
    few = server.get("/v1/memories/walk/path?most=3").json
    assert [row[0] for row in few["points"]] == [0, 5, 11]
    assert [row[1] for row in server.get("/v1/memories/walk/path?from=4&to=6").json["points"]] == [4, 5, 6]


def test_tools_are_strict(server: Running) -> None:
    for tool in server.get("/v1/tools.json").json:
        parameters = tool["function"]["parameters"]
        assert tool["function"]["strict"] is True
        assert set(parameters["required"]) == set(parameters["properties"])
        assert parameters["additionalProperties"] is False


def test_changes_health_and_metrics(server: Running) -> None:
    assert server.get("/v1/memories/walk/changes?since=0").json["text"]
    assert server.get("/v1/healthz").json["status"] == "ok"
    server.ask("where is the lamp?")
    page = server.get("/metrics").body.decode()
    for name in ("situ_ask_seconds_count", "situ_http_requests_total", "situ_memory_frames"):
        assert name in page


def test_the_log_has_a_line_for_each_request_and_no_question(server: Running) -> None:
    before = len(server.log.getvalue().splitlines())
    server.ask("where is my passport?")
    deadline = time.monotonic() + 20  # a line is written after its answer has gone out
    while len(server.log.getvalue().splitlines()) <= before and time.monotonic() < deadline:
        time.sleep(0.01)
    lines = [json.loads(line) for line in server.log.getvalue().splitlines()]
    assert lines[-1]["route"] == "/v1/ask"
    assert lines[-1]["status"] == 200
    assert "passport" not in server.log.getvalue()
    assert "passport" not in server.get("/metrics").body.decode()


def test_a_reader_sees_what_was_committed_since(tmp_path: Path) -> None:
    import desk

    path = make_memory(tmp_path / "live.situ")
    with running([path]) as server, SpatialMemory.open(path) as memory:
        assert "not" in server.ask("where is the vase?").json["text"]
        for i in range(12, 20):
            memory.observe(desk.frame(float(i), {"vase": [(3.0, 0.0, 1.0)]}, at=(1.1, 0.0, 1.5)))
        memory.commit()
        assert "vase is" in server.ask("where is the vase?").json["text"]


def test_a_request_is_a_span_where_somebody_collects_them(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = pytest.importorskip("opentelemetry.trace", reason="opentelemetry-api is not installed")
    from situ.serve.journal import span

    begun: list[str] = []

    class Tracer(trace.NoOpTracer):  # type: ignore[name-defined, misc]
        def start_as_current_span(self, name: str, *_: Any, **__: Any) -> Any:
            begun.append(name)
            return nullcontext()

    monkeypatch.setattr(trace, "get_tracer", lambda _: Tracer())
    for provider, found in ((trace.ProxyTracerProvider(), 0), (trace.NoOpTracerProvider(), 1)):
        monkeypatch.setattr(trace, "get_tracer_provider", lambda provider=provider: provider)
        with span("http /v1/ask"):
            assert len(begun) == found


def test_numbers_that_json_has_none_for_are_told_as_text() -> None:
    from situ.serve.api import encoded
    from situ.serve.plain import finite

    data = {
        "far": (math.inf, -math.inf), "none": math.nan, "numpy": [np.float32(0.5), np.int64(3), np.True_],
        "set": {1}, 7: MappingProxyType({"inner": np.float64(math.inf)}), "half": "\ud800", "plain": None,
    }  # fmt: skip
    told = json.loads(encoded(data))
    assert told == finite(data)
    assert told["far"] == ["Infinity", "-Infinity"]
    assert told["numpy"] == [0.5, 3, True]
    assert told["7"] == {"inner": "Infinity"}
    data.pop("half")  # by the other encoder
    assert json.loads(encoded(data)) == finite(data)
