"""A model with the memory as its tools."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evaluation.small_set import make_set
from serve import served

for module in (*served.WANTED, "inspect_ai"):
    pytest.importorskip(module, reason=served.REASON)

from situ.benchmarks.dataset import Dataset  # noqa: E402
from situ.evaluation.benchmark import protocol_of  # noqa: E402
from situ.evaluation.models.strategy import Case, Tool  # noqa: E402
from situ.evaluation.records.frames import FramePolicy, PictureStore  # noqa: E402
from situ.memory import SpatialMemory  # noqa: E402
from situ.serve.strategy import AsOf, mcp  # noqa: E402


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return make_set(tmp_path_factory.mktemp("tools"), items=1)


def test_the_model_is_given_tools_that_answer_and_no_frames(dataset: Dataset) -> None:
    heard: dict[str, str] = {}

    async def ask(system: str, parts: Sequence[Any], tools: Sequence[Tool] = (), **_: Any) -> str:
        assert all(isinstance(part, str) for part in parts)
        by_name = {tool.name: tool for tool in tools}
        assert set(by_name) == {"ask", "objects", "what_changed"}
        assert "question" in by_name["ask"].parameters["properties"]
        heard["good"] = await by_name["ask"].call({"question": "how far did I walk?"})
        heard["bad"] = await by_name["ask"].call({"question": "x" * 900})
        return "B"

    case = Case(dataset.questions[0], protocol_of("saw"), PictureStore(dataset.recording), FramePolicy())
    outcome = asyncio.run(mcp(case, ask))
    assert (outcome.reply, outcome.frames) == ("B", 0)
    assert heard["good"]
    assert "500" in heard["bad"]


def test_nothing_from_after_the_question_is_known(tmp_path: Path) -> None:
    with SpatialMemory.open(served.make_memory(tmp_path / "walk.situ"), read_only=True) as memory:
        then = AsOf(memory, 3.0)
        for asked in (then.state(), then.state(9.0), then.state(9.0, 9.0), then.state(1.0, 9.0)):
            assert asked.now <= 3.0
            assert asked.known_at <= 3.0


def test_a_model_of_the_engine_calls_the_tools(dataset: Dataset, tmp_path: Path) -> None:
    from situ.evaluation.models.run_model import ModelSettings, run_model
    from situ.evaluation.runs.run import Settings

    model = ModelSettings("situ-canned/tool:ask", strategy="mcp")
    run = run_model(dataset, model, Settings(), tmp_path / "run")
    assert len(run.records) == len(dataset.questions)
    for record in run.records:
        assert record.effort.calls == 2  # the tool is called, then the answer is given
        assert record.frames == 0
        assert record.reply
