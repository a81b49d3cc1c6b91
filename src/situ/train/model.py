"""Preparation of a vision-language model for the recipe, and the loss of one packed batch.

Vocabulary scores are computed for labelled positions only, in chunks: a vocabulary of 151,936 tokens would
give 4 GB of scores for 7,000 positions.
"""

from collections.abc import Mapping
from functools import wraps
from pathlib import Path
from typing import Any

from situ.errors import BadInput, MissingExtra
from situ.train.attention import TEXT_ENDS, TEXT_LONGEST, use_packed_attention
from situ.train.families import Family, family_of
from situ.train.recipe import TrainRecipe
from situ.train.vision import normalised

WHOLE = 128  # multiples of this size run on the fastest kernels
LORA_TARGETS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
_LORA_WHERE = rf".*language_model\..*\.({'|'.join(LORA_TARGETS)})"


def load_tokenizer(name: str) -> Any:
    """Tokenizer of a model by hub id or folder."""
    try:
        from transformers import AutoTokenizer
    except ModuleNotFoundError as error:
        raise MissingExtra("train", "a tokenizer") from error
    try:
        return AutoTokenizer.from_pretrained(name)
    except (OSError, ValueError) as error:
        raise BadInput(f"no tokenizer was found at '{name}'. Give a model's folder or hub id") from error


def load_family(name: str) -> Family:
    """Family of a model by hub id or folder, from its configuration alone."""
    try:
        from transformers import AutoConfig
    except ModuleNotFoundError as error:
        raise MissingExtra("train", "fine-tuning") from error
    try:
        config = AutoConfig.from_pretrained(name)
    except (OSError, ValueError) as error:
        raise BadInput(
            f"no model was found at '{name}': {' '.join(str(error).split())[:200]}. Give a folder or a hub id"
        ) from error
    return family_of(config.model_type, name)


def load_model(name: str) -> tuple[Any, Any]:
    """Model and tokenizer by hub id or folder. Weights stay in 32 bits; the arithmetic may use fewer."""
    family = load_family(name)
    import torch
    import transformers

    kind = getattr(transformers, family.model_class)
    return kind.from_pretrained(name, dtype=torch.float32), load_tokenizer(name)


def prepare(model: Any, recipe: TrainRecipe, compiled: bool = False) -> Any:
    """Freeze the vision tower and projector, pack attention, and add adapters if the recipe says so."""
    import torch

    use_packed_attention(model)
    visual = model.model.visual
    visual.requires_grad_(False)
    if recipe.bf16:
        visual.to(torch.bfloat16)  # frozen weights need no 32 bits
        for block in visual.blocks:
            if hasattr(block.mlp, "gate_proj"):
                _widen(block.mlp)

        def narrow(module: Any, given: Any, embedded: Any) -> Any:
            return embedded.to(torch.bfloat16)  # keeps the residual stream in 16 bits, too

        model.get_input_embeddings().register_forward_hook(narrow)
    if recipe.checkpointing:
        model.model.language_model.gradient_checkpointing_enable({"use_reentrant": False})
        model.enable_input_require_grads()
    if compiled:
        for layer in model.model.language_model.layers:
            layer.compile(dynamic=True)
        for block in visual.blocks:
            block.compile(dynamic=True)
    return _with_adapters(model, recipe) if recipe.lora_rank else model


def _widen(mlp: Any) -> None:
    """Pad the inner size of a frozen layer with zeros: the same result on faster kernels.

    3,420 is no multiple of the tile size of tensor cores. The stored weights do not change.
    """
    import torch
    from torch.nn.functional import linear, pad

    inner = mlp.gate_proj.weight.shape[0]
    more = -inner % WHOLE
    if not more:
        return
    # Buffers, because a trainer moves the model later; not persistent, because nothing of it is saved.
    for name in ("gate_proj", "up_proj"):
        layer = getattr(mlp, name)
        mlp.register_buffer(f"wide_{name}", pad(layer.weight.detach(), (0, 0, 0, more)), persistent=False)
        mlp.register_buffer(f"wide_{name}_bias", pad(layer.bias.detach(), (0, more)), persistent=False)
    mlp.register_buffer("wide_down_proj", pad(mlp.down_proj.weight.detach(), (0, more)), persistent=False)

    def forward(states: Any) -> Any:
        with torch.autocast(states.device.type, enabled=False):
            narrow = states.to(mlp.wide_down_proj.dtype)
            gate = linear(narrow, mlp.wide_gate_proj, mlp.wide_gate_proj_bias)
            up = linear(narrow, mlp.wide_up_proj, mlp.wide_up_proj_bias)
            return linear(mlp.act_fn(gate) * up, mlp.wide_down_proj, mlp.down_proj.bias)

    mlp.forward = forward


def batch_loss(model: Any, batch: Mapping[str, Any], total: Any = None) -> Any:
    """Loss of a packed batch, from the last states directly to the scores of the answers."""
    states = last_states(model, batch)[0]
    return answer_loss(states, _inner(model).lm_head, batch["learnt_at"], batch["learnt"], total)


def last_states(model: Any, batch: Mapping[str, Any]) -> Any:
    """Last hidden states (1, n, size) of a packed batch, without synchronising with the GPU."""
    inner = _inner(model).model
    family = family_of(inner.config.model_type)
    embedded = inner.get_input_embeddings()(batch["input_ids"])
    if family.timed:
        return _states_by_layers(inner, batch, embedded, family)
    if "patches" in batch:
        seen = inner.visual(
            normalised(batch["patches"], inner.visual.dtype),
            grid_thw=None,
            position_ids=batch["vision_positions"],
            cu_seqlens=batch["frame_ends"],
            max_seqlen=batch["frame_longest"],
            window_index=batch["window_order"],
            cu_window_seqlens=batch["window_ends"],
            max_window_seqlen=batch["window_longest"],
        ).pooler_output
        embedded = embedded[0].index_copy(0, batch["media_at"], seen.to(embedded.dtype))[None]
    return inner.language_model(
        inputs_embeds=embedded,
        position_ids=batch["position_ids"],
        attention_mask={"full_attention": None, "sliding_attention": None},
        use_cache=False,
        **{name: batch[name] for name in (TEXT_ENDS, TEXT_LONGEST)},
    ).last_hidden_state


def _states_by_layers(inner: Any, batch: Mapping[str, Any], embedded: Any, family: Family) -> Any:
    """The same for Qwen3-VL, whose first layers receive features of the vision tower's middle layers.

    The model computes its patch positions itself.
    """
    import torch

    seen: dict[str, Any] = {}
    if "patches" in batch:
        found = inner.visual(
            normalised(batch["patches"], inner.visual.dtype, family), grid_thw=batch["grids"]
        )
        embedded = embedded[0].index_copy(0, batch["media_at"], found.pooler_output.to(embedded.dtype))[None]
        shown = torch.zeros(embedded.shape[:2], dtype=torch.bool, device=embedded.device)
        shown[0, batch["media_at"]] = True
        seen = {"visual_pos_masks": shown, "deepstack_visual_embeds": found.deepstack_features}
    return inner.language_model(
        inputs_embeds=embedded,
        position_ids=batch["position_ids"],
        use_cache=False,
        **seen,
        **{name: batch[name] for name in (TEXT_ENDS, TEXT_LONGEST)},
    ).last_hidden_state


def packed_forward(model: Any) -> None:
    """Make `model(**batch)` of a packed batch return its loss, for wrappers of the model."""
    inner = _inner(model)
    plain = inner.forward

    @wraps(plain)  # generation inspects the signature of forward
    def forward(*given: Any, **batch: Any) -> Any:
        if TEXT_ENDS not in batch:
            return plain(*given, **batch)
        return {"loss": batch_loss(inner, batch, batch.get("total"))}

    inner.forward = forward


def _inner(model: Any) -> Any:
    """The model without its adapters."""
    return model.get_base_model() if hasattr(model, "get_base_model") else model


def save(model: Any, tokenizer: Any, folder: Path) -> None:
    """Save the model (or its adapters alone) and the tokenizer for `from_pretrained`."""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _with_adapters(model: Any, recipe: TrainRecipe) -> Any:
    try:
        from peft import LoraConfig, get_peft_model
    except ModuleNotFoundError as error:
        raise MissingExtra("train", "LoRA") from error
    settings = LoraConfig(
        r=recipe.lora_rank, lora_alpha=2 * recipe.lora_rank, target_modules=_LORA_WHERE, task_type="CAUSAL_LM"
    )
    return get_peft_model(model, settings)


CHUNK = 2048  # positions whose scores are computed at once


def answer_loss(
    states: Any, head: Any, places: Any, targets: Any, total: Any = None, chunk: int = CHUNK
) -> Any:
    """Mean (or sum over `total`) cross entropy of `targets`, given the states (n, size) at `places`."""
    import torch
    from torch.nn.functional import cross_entropy
    from torch.utils.checkpoint import checkpoint

    states = states.index_select(0, places)

    def part(some: Any, right: Any) -> Any:
        return cross_entropy(head(some).float(), right, reduction="sum")

    summed = states.new_zeros((), dtype=torch.float32)
    for start in range(0, len(targets), chunk):
        # The scores of a chunk are discarded after use and recomputed for the gradient.
        summed = summed + checkpoint(
            part, states[start : start + chunk], targets[start : start + chunk], use_reentrant=False
        )
    return summed / (max(1, len(targets)) if total is None else total)
