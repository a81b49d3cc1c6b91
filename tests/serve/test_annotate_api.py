"""Queues over HTTP: conflicts with both sides, requests that come twice, frames, security."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotate.films import film, number_in
from serve import served
from serve.served import Reply, Running

for module in served.WANTED:
    pytest.importorskip(module, reason=served.REASON)

from situ.annotate.annotation import Annotation  # noqa: E402
from situ.annotate.make import make_queue  # noqa: E402
from situ.annotate.store import Deed  # noqa: E402
from situ.serve import annotate_api  # noqa: E402
from situ.serve.access import Access, Token, hashed  # noqa: E402

GOOD = {
    "question": "Where is the cup now relative to you?", "answer": "behind you", "spans": [[0.5, 1.0]],
    "time": 2.0, "category": "Position & Orientation", "subcategory": "ego-centric position",
    "person": "second",
    "options": ["in front of you", "behind you", "to your left", "to your right", "above you"],
}  # fmt: skip


def annotating(*queues: Path, memories: tuple[Path, ...] = (), **settings: Any) -> Any:
    """A server of queues, and of memories beside them."""
    return served.running(list(memories), queues=queues, **settings)


def make(folder: Path, frames: int = 90) -> Path:
    store, _ = make_queue([film(folder / "walk.mp4", frames)], folder / "q.annotate")
    store.add(Annotation("q1", "walk"), Deed("Eve"))
    store.close()
    return folder / "q.annotate"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with annotating(make(tmp_path_factory.mktemp("queue"))) as found:
        yield found


ACCESS = Access(
    [
        Token("a", hashed("annotates"), frozenset({"annotate"})),
        Token("b", hashed("annotates and asks"), frozenset({"annotate", "ask:walk"})),
    ]
)


def post(server: Running, path: str, headers: dict[str, str] | None = None, **body: Any) -> Reply:
    return server.request("POST", f"/v1/queues/q/{path}", {"by": "Ada", **body}, headers)


def new(server: Running, **change: Any) -> dict[str, Any]:
    made: dict[str, Any] = post(server, "items", source="walk", change=change).json
    return made


def test_an_item_from_the_first_word_to_the_export(server: Running) -> None:
    item = new(server, time=2.0)
    path = f"items/{item['id']}"
    saved = post(server, path, version=1, change=GOOD).json
    assert [f["rule"] for f in saved["report"] if f["level"] == "bad"] == ["no blind test"]
    assert post(server, f"{path}/accept", label="good").status == 400
    tested = post(server, f"{path}/blind").json
    assert not tested["blind"]["seen_through"]
    done = post(server, f"{path}/accept", label="good").json
    assert done["status"] == "validated"
    packed = server.get("/v1/queues/q/export/public")
    (record,) = json.loads(zipfile.ZipFile(io.BytesIO(packed.body)).read("walk.json"))
    assert record["evidence"] == [["00:00:00.5", "00:00:01"]]
    assert record["answer_label"] == "B"
    lines = [json.loads(line) for line in server.get("/v1/queues/q/export/log").body.splitlines()]
    mine = [line["action"] for line in lines if line["item"] == item["id"]]
    assert mine == ["create", "edit", "blind", "accept"]
    again = post(server, f"{path}/again", time=2.5).json
    assert again["again_of"] == item["id"]
    assert again["near"][0]["id"] == item["id"]


def test_the_slower_of_two_gets_both_sides(server: Running) -> None:
    item = new(server, question="Where?")
    path = f"items/{item['id']}"
    assert post(server, path, version=1, change={"question": "Where is it?"}).status == 200
    late = post(server, path, by="Bob", version=1, change={"question": "Where was it?"})
    assert late.status == 409
    assert late.json["error"]["code"] == "conflict"
    assert late.json["current"]["question"] == "Where is it?"
    assert late.json["seen"]["question"] == "Where?"
    assert late.json["current"]["version"] == 2
    seen = server.get("/v1/queues/q/changes?after=0").json
    assert {row["id"] for row in seen["items"]} >= {item["id"]}


def test_no_change_is_lost_where_more_happened_than_one_answer_holds(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(annotate_api, "_MOST_LINES", 3)
    first = server.get("/v1/queues/q").json["seq"]
    made = [new(server, question=f"Where is {n}?")["id"] for n in range(8)]
    seen: list[str] = []
    after, answers, more = first, 0, True
    while more:
        found = server.get(f"/v1/queues/q/changes?after={after}").json
        seen += [row["id"] for row in found["items"]]
        after, more, answers = found["seq"], found["more"], answers + 1
    assert set(seen) == set(made)
    assert answers == 3
    assert server.get(f"/v1/queues/q/changes?after={after}").json["items"] == []


def test_a_request_sent_twice_is_done_once(server: Running) -> None:
    first = post(server, "items", source="walk", change={}, request="twice-1").json
    assert post(server, "items", source="walk", change={}, request="twice-1").json["id"] == first["id"]
    body = {"version": 1, "change": {"answer": "left"}, "request": "twice-2"}
    assert [post(server, f"items/{first['id']}", **body).json["version"] for _ in range(3)] == [2, 2, 2]


def test_frames_come_by_number_with_their_table(server: Running) -> None:
    table = np.frombuffer(server.get("/v1/queues/q/sources/walk/times").body, "<f8")
    assert np.allclose(table, np.arange(90) / 30)
    body = server.get("/v1/queues/q/sources/walk/frames?from=40&count=5").body
    shown = []
    while body:
        size = int.from_bytes(body[:4], "big")
        shown.append(number_in(body[4 : 4 + size]))
        body = body[4 + size :]
    assert shown == [40, 41, 42, 43, 44]
    assert server.get("/v1/queues/q/sources/walk/frames?from=90").status == 400
    assert server.get("/v1/queues/q/sources/walk/frames?from=0&count=65").status == 400


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/v1/queues/none", None),
        ("GET", "/v1/queues/q/sources/..%2F..%2Fetc%2Fpasswd/times", None),
        ("GET", "/v1/queues/..%2Fq", None),
        ("GET", "/v1/queues/q/items/none", None),
        ("POST", "/v1/queues/q/items/q1/dance", {"by": "Ada"}),
        ("GET", "/v1/queues/q/export/secrets", None),
        ("GET", "/annotate/../../etc/passwd", None),
    ],
)
def test_what_is_not_there_is_not_there(server: Running, method: str, path: str, body: Any) -> None:
    assert server.request(method, path, body).status == 404


def test_nonsense_is_refused_and_changes_nothing(server: Running) -> None:
    item = new(server)
    before = server.get(f"/v1/queues/q/items/{item['id']}").json["version"]
    nonsense: tuple[dict[str, object], ...] = (
        {"change": {"status": "validated"}}, {"change": {"id": "x"}}, {"change": []},
        {"change": {"time": "x"}}, {"by": ""}, {"by": 3}, {"change": {"spans": [[1]]}}, {"wrong": 1},
        {"version": "a"},
    )  # fmt: skip
    for body in nonsense:
        assert post(server, f"items/{item['id']}", **body).status == 400, body
    assert server.request("POST", f"/v1/queues/q/items/{item['id']}", b"[1").status == 400
    assert server.get(f"/v1/queues/q/items/{item['id']}").json["version"] == before


def test_other_sites_and_other_names_are_turned_away(server: Running) -> None:
    assert server.get("/v1/queues", Origin="http://evil.example").status == 403
    assert server.get("/v1/queues", Host="evil.example").status == 421
    assert server.get("/annotate/q").headers["x-frame-options"] == "DENY"


def test_errors_do_not_name_this_machines_folders(tmp_path: Path) -> None:
    path = make(tmp_path)
    (tmp_path / "walk.mp4").unlink()
    with annotating(path) as server:
        gone = server.get("/v1/queues/q/sources/walk/frames?from=0")
        assert gone.status == 400
        assert str(tmp_path) not in gone.body.decode()


def test_a_token_opens_its_queue_and_signs(tmp_path: Path) -> None:
    from situ.serve.access import new_token, read_access, scopes_of

    path = make(tmp_path)
    mine = new_token(tmp_path / "t.json", scopes_of("annotate:q"), "ada")
    other = new_token(tmp_path / "t.json", scopes_of("annotate:elsewhere,ask,look"), "bob")
    with annotating(path, access=read_access(tmp_path / "t.json", {})) as server:
        assert server.get("/v1/queues").status == 401
        assert server.get("/v1/queues/q", Authorization=f"Bearer {other}").status == 403
        assert server.get("/v1/queues", Authorization=f"Bearer {other}").json["queues"] == []
        body = {"by": "Ada", "change": {"answer": "left"}, "version": 1}
        headers = {"Authorization": f"Bearer {mine}"}
        done = server.request("POST", "/v1/queues/q/items/q1", body, headers).json
        assert done["history"][-1]["by"] == "Ada (ada)"
        assert mine not in server.log.getvalue()


def test_training_tells_the_truth_after_the_answer_and_never_before(tmp_path: Path) -> None:
    from ucs_set import small_set

    dataset = small_set()
    store, _ = make_queue([dataset.folder], tmp_path / "t.annotate", training=True)
    store.close()
    row = dataset.questions[0]
    with annotating(tmp_path / "t.annotate") as server:
        shown = server.get(f"/v1/queues/t/items/{row.id}").json
        assert (shown["answer"], shown["spans"]) == ("", [])
        changed = server.request("POST", f"/v1/queues/t/items/{row.id}", {"by": "Ada", "change": {}})
        assert changed.status == 409
        wrong = next(option for option in row.options if option != row.answer)
        told = server.request(
            "POST", f"/v1/queues/t/items/{row.id}/answer", {"by": "Ada", "answer": wrong, "spans": []}
        ).json
        assert not told["right"]
        assert told["answer"] == row.answer
        (score,) = server.get("/v1/queues/t/export/scores").json["people"]
        assert score["right"] == 0.0


def test_a_draft_of_the_memory_is_marked(tmp_path: Path) -> None:
    memory = served.make_memory(tmp_path / "walk.situ")
    store, _ = make_queue([film(tmp_path / "walk.mp4", 400)], tmp_path / "q.annotate", {"": memory})
    store.add(Annotation("q1", "walk", "Where is the red cup?", time=11.0), Deed("Ada"))
    store.close()
    with annotating(tmp_path / "q.annotate") as server:
        told = post(server, "items/q1/draft").json
        assert "red cup" in told["text"]
        assert told["answer"]
        assert all(end < 11.0 for _, end in told["spans"])
        change = {"answer": told["answer"], "draft": {"text": told["text"], "confidence": told["confidence"]}}
        assert post(server, "items/q1", change=change).json["draft"]["text"] == told["text"]


def test_a_memory_that_is_served_beside_the_queue_drafts_for_whoever_may_ask_it(tmp_path: Path) -> None:
    memory = served.make_memory(tmp_path / "walk.situ")
    make(tmp_path, 400)
    with annotating(tmp_path / "q.annotate", memories=(memory,), access=ACCESS) as server:

        def draft(token: str) -> Reply:
            headers = {"Authorization": f"Bearer {token}"}
            post(server, "items/q1", headers, change={"question": "Where is the red cup?", "time": 11.0})
            return post(server, "items/q1/draft", headers)

        assert draft("annotates").status == 403
        assert "red cup" in draft("annotates and asks").json["text"]
        both = {"Authorization": "Bearer annotates and asks"}
        (source,) = server.get("/v1/queues/q", **both).json["sources"]
        assert source["memory"]
        assert server.request("POST", "/v1/ask", {"question": "where is the lamp?"}, both).status == 200
        assert b"viewer.js" in server.get("/").body
    with annotating(tmp_path / "q.annotate") as server:
        assert server.get("/").headers["location"] == "/annotate/q"


def test_a_model_of_the_engine_takes_the_blind_test(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
    with annotating(make(tmp_path), blind_model="situ-canned/say:I cannot tell.") as server:
        assert post(server, "items/q1", change=GOOD).status == 200
        tested = post(server, "items/q1/blind").json["blind"]
        assert tested["guesser"].startswith("situ-canned")
        assert not tested["seen_through"]
    with annotating(tmp_path / "q.annotate", blind_model="situ-canned/say:behind you") as server:
        tested = post(server, "items/q1/blind").json
        assert tested["blind"]["seen_through"]
        assert "seen through" in [f["rule"] for f in tested["report"]]
