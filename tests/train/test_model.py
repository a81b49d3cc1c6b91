"""Tiny random models of both families through the real code: packing changes nothing but speed."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from situ.errors import BadInput
from situ.train.chat import prompt_markup, tokens_for
from situ.train.families import QWEN3
from situ.train.recipe import TrainRecipe
from situ.train.rows import TrainingRow, read_rows

pytestmark = pytest.mark.slow  # for the libraries that it loads
torch = pytest.importorskip("torch", reason="the models need PyTorch; install situ[train]")
pytest.importorskip("transformers", reason="the models need transformers; install situ[train]")

from situ.train.collate import Collator  # noqa: E402
from situ.train.flops import needed_flops  # noqa: E402
from situ.train.generation import next_scores  # noqa: E402
from situ.train.model import _widen, batch_loss, last_states, load_family, load_model, prepare  # noqa: E402
from situ.train.random_model import write_random_model  # noqa: E402
from situ.train.vision import normalised  # noqa: E402


def written(training_set: Path, folder: Path, size: str) -> Path:
    texts = [f"{row.prompt} {row.answer}" for row in read_rows(training_set)]
    return write_random_model(folder, size, texts)


@pytest.fixture(scope="module")
def tiny(training_set: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(training_set, tmp_path_factory.mktemp("model"), "tiny")


@pytest.fixture(scope="module", params=["tiny", "tiny3"])
def either(request: Any, training_set: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(training_set, tmp_path_factory.mktemp("model"), request.param)


def some_rows(folder: Path) -> list[TrainingRow]:
    rows = list(read_rows(folder))
    kinds = ("narrative", "image_qa", "views_qa")
    return [next(row for row in rows if row.kind == kind) for kind in kinds]


def plain_loss(model: Any, collator: Collator, rows: list[TrainingRow]) -> float:
    """The library's own loss, one example at a time."""
    summed, count = 0.0, 0
    for row in rows:
        media = collator.media(row)
        tokens = tokens_for(row, [grid for _, _, grid in media], collator.tokenizer, collator.family)
        given: dict[str, Any] = {}
        for kind, pixels, grids in (
            ("video", "pixel_values_videos", "video_grid_thw"),
            ("image", "pixel_values", "image_grid_thw"),
        ):
            some = [(patches, grid) for found, patches, grid in media if found == kind]
            if some:
                joined = torch.from_numpy(np.concatenate([patches for patches, _ in some]))
                given[pixels] = normalised(joined, torch.float32, collator.family)
                given[grids] = torch.tensor([grid for _, grid in some])
            if some and kind == "video" and not collator.family.timed:
                given["second_per_grid_ts"] = torch.tensor([2 / row.media[0].fps])
        out = model(
            input_ids=torch.tensor([tokens.ids]),
            attention_mask=torch.ones(1, len(tokens.ids), dtype=torch.long),
            mm_token_type_ids=torch.tensor([tokens.kinds]),
            labels=torch.tensor([tokens.labels]),
            **given,
        )
        learnt = sum(label != -100 for label in tokens.labels)
        summed, count = summed + float(out.loss.detach()) * learnt, count + learnt
    return summed / count


def test_a_packed_row_has_the_loss_of_its_examples(training_set: Path, either: Path) -> None:
    rows = some_rows(training_set)
    plain, tokenizer = load_model(str(either))
    collator = Collator(training_set, tokenizer, TrainRecipe(), 2.0, load_family(str(either)))
    expected = plain_loss(plain, collator, rows)
    packed = prepare(load_model(str(either))[0], TrainRecipe(bf16=False))
    found = batch_loss(packed, collator(rows))
    assert float(found.detach()) == pytest.approx(expected, rel=1e-5)
    found.backward()
    assert all(weight.grad is None for weight in packed.model.visual.parameters())
    assert packed.model.language_model.layers[0].mlp.up_proj.weight.grad.abs().sum() > 0


def test_a_model_is_asked_as_it_was_trained(training_set: Path, either: Path) -> None:
    """The scores of an answer's first word are the same when the model is asked and when it learns."""
    row = some_rows(training_set)[0]
    plain, tokenizer = load_model(str(either))
    collator = Collator(training_set, tokenizer, TrainRecipe(), 2.0, load_family(str(either)))
    packed = prepare(load_model(str(either))[0], TrainRecipe(bf16=False))
    batch = collator([row])
    words = ["<", "A", "B"]
    with torch.no_grad():
        state = last_states(packed, batch)[0, batch["learnt_at"][0]]
        ids = [tokenizer.encode(word, add_special_tokens=False)[0] for word in words]
        learnt = packed.lm_head(state)[ids]
        asked = next_scores(plain, tokenizer, row.prompt, collator.media(row), row.media[0].fps, words)
    assert torch.allclose(learnt, asked, atol=1e-4)


def test_steps_of_a_video_are_told_by_their_time() -> None:
    """As the library's own processor writes them: the middle of two frames, to a tenth of a second."""
    markup = prompt_markup("<video>Go.", ["video"], [(3, 4, 4)], [4.0], QWEN3)
    pads = "<|vision_start|>" + "<|video_pad|>" * 4 + "<|vision_end|>"
    assert f"<0.1 seconds>{pads}<0.6 seconds>{pads}<1.1 seconds>{pads}Go." in markup


def test_a_widened_layer_computes_the_same(tiny: Path) -> None:
    mlp = load_model(str(tiny))[0].model.visual.blocks[0].mlp.double()
    states = torch.randn(5, mlp.gate_proj.in_features, dtype=torch.float64)
    before, names = mlp(states), set(mlp.state_dict())
    _widen(mlp)
    assert torch.allclose(mlp(states), before, atol=1e-12)
    assert set(mlp.state_dict()) == names


def test_a_widened_layer_follows_its_model(tiny: Path) -> None:
    """A trainer moves the model after it was prepared; no weight stays behind. Widths move as devices do."""
    mlp = load_model(str(tiny))[0].model.visual.blocks[0].mlp
    states = torch.randn(5, mlp.gate_proj.in_features, dtype=torch.float64)
    _widen(mlp)
    mlp.double()
    found = mlp(states)
    del mlp.forward  # the layer's own again
    assert torch.allclose(found, mlp(states), atol=1e-12)


def test_an_example_over_the_budget_is_named(training_set: Path, tiny: Path) -> None:
    row = some_rows(training_set)[0]
    _, tokenizer = load_model(str(tiny))
    with pytest.raises(BadInput, match=f"example {row.id} has .* tokens, the recipe allows 64"):
        Collator(training_set, tokenizer, TrainRecipe(max_tokens=64), 2.0)([row])


def test_only_qwen_vl_models(tmp_path: Path) -> None:
    from transformers import BertConfig

    BertConfig(hidden_size=8, num_hidden_layers=1, num_attention_heads=1).save_pretrained(tmp_path)
    with pytest.raises(BadInput, match=r"is a bert model; supported are qwen2_5_vl .* and qwen3_vl"):
        load_model(str(tmp_path))
    with pytest.raises(BadInput, match="no model was found"):
        load_model(str(tmp_path / "nothing"))


def test_needed_operations_of_the_published_model() -> None:
    """About 6 operations per weight and token for what is trained."""
    from transformers import Qwen2_5_VLConfig

    config = Qwen2_5_VLConfig(
        text_config={
            "hidden_size": 2048, "intermediate_size": 11008, "num_hidden_layers": 36,
            "num_attention_heads": 16, "num_key_value_heads": 2, "vocab_size": 151_936,
        },
        vision_config={"hidden_size": 1280, "out_hidden_size": 2048},
    )  # fmt: skip
    per_token = needed_flops(config, [1] * 1000, 0, 0) / 1000
    assert per_token == pytest.approx(6 * 2.77e9, rel=0.01)
    assert needed_flops(config, [1000], 0, 0) > needed_flops(config, [500, 500], 0, 0)


def test_bad_recipes() -> None:
    with pytest.raises(BadInput, match="batch must be above 0"):
        TrainRecipe(batch=0)
    with pytest.raises(BadInput, match="lora_rank"):
        TrainRecipe(lora_rank=-1)
