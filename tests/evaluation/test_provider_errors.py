"""What a provider sends in place of a reply never becomes one, and is said in one clear line."""

import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluation.loopback import Loopback, serving
from evaluation.small_set import make_set
from situ.benchmarks.dataset import Dataset
from situ.errors import BadInput
from situ.evaluation.records.answer import Status
from situ.evaluation.runs.run import Settings

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
from situ.evaluation.models.connect import Unreachable
from situ.evaluation.models.provider_errors import KeyRefused
from situ.evaluation.models.run_model import run_model
from situ.evaluation.models.settings import ModelSettings

KEY = "sk-0123456789abcdef"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return make_set(tmp_path_factory.mktemp("errors") / "set", items=6, copies=2)


def at(server: Loopback, **more: object) -> ModelSettings:
    settings = ModelSettings(
        "openai-api/loopback/any", "blind", base_url=server.url, connections=1, retries=1,
        max_retries=0, model_args={"api_key": KEY},
    )  # fmt: skip
    return replace(settings, **more)  # type: ignore[arg-type]


def completion(content: Any = "4", finish: Any = "stop") -> dict[str, Any]:
    message = {"role": "assistant", "content": content}
    choice = {"index": 0, "finish_reason": finish, "message": message}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "any", "choices": [choice]}


def complaint(text: str, code: str | None = None) -> dict[str, Any]:
    return {"error": {"message": text, "type": "invalid_request_error", "code": code}}


TOO_LONG = "This model's maximum context length is 8192 tokens. Your messages took 9000."


CASES: list[tuple[int, Any, str, int]] = [
    (400, complaint(TOO_LONG, "context_length_exceeded"), "does not fit into the model's context", 1),
    (400, complaint("no picture 4 can be read"), r"refuses the question \(400\): no picture 4", 1),
    (400, complaint("blocked by rule 5", "content_filter"), "filter stopped the reply", 1),
    (403, complaint(f"{KEY} may not use 4"), r"refuses the question \(403\): \[key\] may not use 4", 1),
    (404, complaint("there is no model 4"), r"\(404\): there is no model 4", 1),
    (413, complaint("at most 5 MB"), r"\(413\)", 1),
    (200, completion("4", "error"), "ended the reply with 'error'", 1),
    (200, completion("4", "content_filter"), "filter stopped the reply", 1),
    (200, {**completion(), "choices": []}, "sent no choices", 2),
    (200, complaint("out of credit: 4 left"), "no chat completion", 2),
    (200, {"choices": [{"text": "4", "finish_reason": "stop"}]}, "no chat completion", 2),
    (200, ["4"], "no chat completion", 2),
    (200, b"<html>Login 4</html>", "no chat completion", 2),
    (200, b'{"id": "4", "object": "chat.compl', "no chat completion", 2),
    (200, b"", "no chat completion", 2),
    (200, b"\xff\xfe4", "no chat completion", 2),
    (204, b"", "no chat completion", 2),
    (302, b"", "the provider failed: .*302", 2),
    (503, b"<html>4 upstream</html>", "the provider failed: .*503", 6),
    (200, completion([{"type": "text", "text": "4"}]), "no chat completion", 2),
    (200, completion("4", None), "", 1),
    (200, completion("4", "length"), "", 1),
]  # status, body, what is said of it ("" for a reply), how often it is asked for


def test_what_is_no_reply_is_one_clear_line(dataset: Dataset, tmp_path: Path) -> None:
    """Each question of one run meets another reply; a complaint is not asked again, a broken reply once."""
    rows = sorted(dataset.questions, key=lambda row: row.id)[: len(CASES)]
    cases = {row.id: case for row, case in zip(rows, CASES, strict=True)}
    server = Loopback(lambda text: "4")
    server.body = lambda text, key: next(cases[row.id][:2] for row in rows if row.text in text)
    with serving(server):
        run = run_model(dataset, at(server, connections=8), Settings(limit=len(CASES)), tmp_path / "run")
    asked = {row.id: times for row in rows for text, times in server.asked.items() if row.text in text}
    assert len(run.records) == len(rows)
    for record in run.records:
        _, _, reason, times = cases[record.id]
        if reason:
            status = Status.REFUSED if "filter" in reason else Status.ERROR
            assert (record.status, record.reply, record.claim) == (status, "", None)
            assert re.search(reason, record.reason), record.reason
            assert "\n" not in record.reason
            assert len(record.reason) < 320
            assert not re.search(r"\b(?:openai|inspect_ai)\.|Traceback", record.reason)
        else:
            assert record.reply == "4"
        assert asked[record.id] == times, record.reason


def test_a_refused_key_is_said_before_anything_is_asked(dataset: Dataset, tmp_path: Path) -> None:
    server = Loopback(lambda text: "4")
    with serving(server):
        server.refused_key = True
        with pytest.raises(KeyRefused, match="LOOPBACK_API_KEY") as said:
            run_model(dataset, at(server), Settings(), tmp_path / "run")
    assert KEY not in str(said.value)
    assert not (tmp_path / "run").exists()


def test_a_key_that_is_refused_on_the_way_ends_the_run_and_is_kept_nowhere(
    dataset: Dataset, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    server = Loopback(lambda text: "4")
    server.body = lambda text, key: (401, complaint(f"Incorrect API key provided: {key}", "invalid_api_key"))
    with serving(server), pytest.raises(Unreachable, match=r"refuses the key .* 0 of 24 .*go on") as said:
        run_model(dataset, at(server), Settings(), tmp_path / "run")
    assert sum(server.asked.values()) == 1
    printed = capfd.readouterr()
    assert KEY not in str(said.value) + printed.out + printed.err
    for path in filter(Path.is_file, (tmp_path / "run").rglob("*")):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                assert not any(KEY.encode() in archive.read(name) for name in archive.namelist())
        assert KEY.encode() not in path.read_bytes(), path


def test_a_model_of_an_own_server_needs_no_prefix_or_is_told_it(dataset: Dataset, tmp_path: Path) -> None:
    server = Loopback(lambda question: "4")
    with serving(server):
        asked = at(server, model="any")
        assert asked.model == "openai-api/local/any"
        run = run_model(dataset, asked, Settings(limit=1), tmp_path / "run")
        assert [record.status for record in run.records] == [Status.ANSWERED]
        with pytest.raises(BadInput, match=r"is called openai-api/local/Qwen/Qwen3-VL-8B"):
            run_model(dataset, at(server, model="Qwen/Qwen3-VL-8B"), Settings(limit=1), tmp_path / "other")
