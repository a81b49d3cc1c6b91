"""Group relative policy optimisation (GRPO) on the multiple-choice questions of a set.

A group of letters is sampled per question. A correct one earns a reward of 1; the probability of each sample
is raised in proportion to its reward minus the group mean, in standard deviations. The reply is a single
letter, so only the answer is rewarded. There is no KL penalty.
"""

from pathlib import Path
from typing import Any

import numpy as np

from situ.errors import BadInput
from situ.train.collate import Collator
from situ.train.evaluation import OPTION
from situ.train.families import family_of
from situ.train.generation import next_scores
from situ.train.model import load_model, prepare, save
from situ.train.recipe import TrainRecipe
from situ.train.rows import read_rows
from situ.train.run import MODEL, Look, begin, earlier_result, finish, settings_of

ARM = "grpo"
GROUP = 8  # letters sampled per question
STILL = 1e-6  # standard deviation of rewards below which a group gives no gradient


def reward_tune(
    data: Path, model: str, out: Path, recipe: TrainRecipe, look: Look | None = None
) -> dict[str, Any]:
    """Train `model` by reward and save it in `out`/model. An interrupted run starts again."""
    import torch

    rows = [row for row in read_rows(data) if row.letter]
    if not rows:
        raise BadInput(f"{data} holds no multiple choice")
    settings = settings_of(data, model, recipe, ARM)
    earlier = earlier_result(out, settings)
    if earlier is not None:
        return {**earlier, "model": str(out / MODEL), "finished_before": True}
    loaded, tokenizer = load_model(model)
    trained = prepare(loaded, recipe).to("cuda" if torch.cuda.is_available() else "cpu")
    before = look(trained, tokenizer) if look else None
    begin(out, settings)
    torch.manual_seed(recipe.seed)
    rng = np.random.default_rng([recipe.seed, 11])
    weights = [weight for weight in trained.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(weights, recipe.learning_rate, weight_decay=0.0)
    media_of = Collator(data, tokenizer, recipe, 1.0, family_of(trained.config.model_type)).media
    steps = recipe.max_steps if recipe.max_steps > 0 else round(recipe.epochs * len(rows) / recipe.batch)
    rewards: list[float] = []
    device = next(trained.parameters()).device.type
    for _ in range(max(1, steps)):
        optimizer.zero_grad()
        earned = []
        for number in rng.integers(len(rows), size=recipe.batch):
            row = rows[int(number)]
            letters = OPTION.findall(row.prompt)
            fps = row.media[0].at_most(recipe.fps).fps or 1.0
            with torch.autocast(device, dtype=torch.bfloat16, enabled=recipe.bf16):
                scores = next_scores(trained, tokenizer, row.prompt, media_of(row), fps, letters)
            loss, reward = group_loss(scores, letters.index(row.letter))
            (loss / recipe.batch).backward()
            earned.append(reward)
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        rewards.append(float(np.mean(earned)))
    save(trained, tokenizer, out / MODEL)
    result = {
        "model": str(out / MODEL), "arm": ARM, "examples": len(rows), "steps": len(rewards),
        "loss": 1.0 - float(np.mean(rewards)), "last_loss": 1.0 - rewards[-1], "rewards": rewards,
        "before": before, "after": look(trained, tokenizer) if look else None, "finished_before": False,
    }  # fmt: skip
    finish(out, result)
    return result


def group_loss(scores: Any, right: int) -> tuple[Any, float]:
    """Loss of one question from the scores of its letters, and the mean reward of the samples."""
    import torch

    likely = torch.log_softmax(scores, dim=-1)
    drawn = torch.multinomial(likely.detach().exp(), GROUP, replacement=True)
    reward = (drawn == right).float()
    gain = (reward - reward.mean()) / (reward.std(correction=0) + STILL)
    return -(gain * likely[drawn]).mean(), float(reward.mean())
