"""Rewarding answers: what is drawn and right becomes likelier, and a tiny model is trained and comes back."""

from dataclasses import replace
from pathlib import Path

import pytest

from situ.train.recipe import TrainRecipe
from situ.train.rows import read_rows

pytestmark = pytest.mark.slow
torch = pytest.importorskip("torch", reason="fine-tuning needs PyTorch; install situ[train]")
pytest.importorskip("transformers", reason="fine-tuning needs transformers; install situ[train]")

from situ.train.grpo import group_loss, reward_tune  # noqa: E402
from situ.train.model import load_model  # noqa: E402
from situ.train.random_model import write_random_model  # noqa: E402


def test_the_right_letter_becomes_likelier() -> None:
    torch.manual_seed(0)
    scores = torch.zeros(4, requires_grad=True)
    optimizer = torch.optim.SGD([scores], 0.5)
    for _ in range(60):
        optimizer.zero_grad()
        loss, _ = group_loss(scores, 2)
        loss.backward()
        optimizer.step()
    assert float(torch.softmax(scores, -1)[2].detach()) > 0.9


def test_a_tiny_model_is_trained_by_reward_and_comes_back(training_set: Path, tmp_path: Path) -> None:
    texts = [f"{row.prompt} {row.answer}" for row in read_rows(training_set)]
    tiny = str(write_random_model(tmp_path / "model", "tiny", texts))
    recipe = TrainRecipe(
        bf16=False, batch=2, max_steps=3, learning_rate=3e-3, max_pixels=56 * 56, fps=2.0, loaders=0
    )
    result = reward_tune(training_set, tiny, tmp_path / "out", recipe)
    assert (result["steps"], result["arm"]) == (3, "grpo")
    assert all(0.0 <= reward <= 1.0 for reward in result["rewards"])
    before, after = load_model(tiny)[0], load_model(result["model"])[0]
    changed = [
        name
        for name, weight in before.named_parameters()
        if not torch.equal(weight, after.get_parameter(name))
    ]
    assert changed
    assert not [name for name in changed if "visual" in name]  # the tower is frozen
    assert reward_tune(training_set, tiny, tmp_path / "out", recipe)["finished_before"]
    with pytest.raises(Exception, match="learning_rate"):
        reward_tune(training_set, tiny, tmp_path / "out", replace(recipe, learning_rate=1e-3))
