"""Fine-tuning with TRL on images and video: it learns, resumes to the same loss, and comes back from disk."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from situ.errors import BadInput, Refused
from situ.train.recipe import TrainRecipe
from situ.train.rows import read_rows

pytestmark = pytest.mark.slow
torch = pytest.importorskip("torch", reason="fine-tuning needs PyTorch; install situ[train]")
pytest.importorskip("trl", reason="fine-tuning needs TRL; install situ[train]")

from situ.train import model as modelling  # noqa: E402
from situ.train.evaluation import Looker  # noqa: E402
from situ.train.model import load_model  # noqa: E402
from situ.train.random_model import write_random_model  # noqa: E402
from situ.train.run import fine_tune  # noqa: E402

QUICK = TrainRecipe(
    bf16=False, batch=2, accumulate=1, max_steps=4, save_every=2, loaders=0, learning_rate=3e-3,
    max_pixels=56 * 56, fps=2.0,
)  # fmt: skip


@pytest.fixture(scope="module")
def tiny(training_set: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    texts = [f"{row.prompt} {row.answer}" for row in read_rows(training_set)]
    return str(write_random_model(tmp_path_factory.mktemp("model"), "tiny", texts))


def losses(out: Path) -> dict[int, float]:
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    return {line["step"]: line["loss"] for line in lines if "loss" in line}


def test_it_trains_resumes_to_the_same_loss_and_reloads(
    training_set: Path, tiny: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    result = fine_tune(training_set, tiny, out, QUICK, Looker(training_set, QUICK, most=2))
    whole = losses(out)
    assert result["steps"] == 4
    assert whole[4] < whole[1]
    assert set(result["after"]) == {"direct_qa", "camera_words", "sns"}

    log = (out / "log.jsonl").read_bytes()
    assert fine_tune(training_set, tiny, out, QUICK) == {**result, "finished_before": True}
    assert (out / "log.jsonl").read_bytes() == log
    with pytest.raises(Refused, match=r"learning_rate 0.003 \(given: 0.001\)"):
        fine_tune(training_set, tiny, out, replace(QUICK, learning_rate=1e-3))

    shutil.rmtree(out / "checkpoints" / "checkpoint-4")  # as if the run had been stopped after step 2 or 3
    shutil.rmtree(out / "model")
    (out / "log.jsonl").unlink()
    fine_tune(training_set, tiny, out, QUICK)
    assert losses(out) == {step: whole[step] for step in (3, 4)}

    before, after = load_model(tiny)[0], load_model(str(out / "model"))[0]
    frozen = ("visual.patch_embed.proj.weight", "visual.merger.mlp.2.weight")
    for name in frozen:
        assert torch.equal(before.model.get_parameter(name), after.model.get_parameter(name))
    trained = "language_model.layers.0.mlp.up_proj.weight"
    assert not torch.equal(before.model.get_parameter(trained), after.model.get_parameter(trained))


def test_adapters_alone_are_trained(training_set: Path, tiny: str, tmp_path: Path) -> None:
    pytest.importorskip("peft", reason="LoRA needs peft; install situ[train]")
    recipe = TrainRecipe(**{**QUICK.__dict__, "lora_rank": 4, "max_steps": 2, "save_every": 100})
    fine_tune(training_set, tiny, tmp_path / "out", recipe)
    saved = tmp_path / "out" / "model"
    assert (saved / "adapter_config.json").is_file()
    assert not (saved / "model.safetensors").exists()
    # What is saved in the end is the model: the optimizer's state would be several times its size.
    assert not list((tmp_path / "out").rglob("checkpoint-*"))


def test_out_of_memory_names_the_knobs(
    training_set: Path, tiny: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(modelling, "batch_loss", full)
    with pytest.raises(BadInput, match=r"Lower --batch .* --checkpointing, or train adapters with --lora"):
        fine_tune(training_set, tiny, tmp_path / "out", QUICK)
