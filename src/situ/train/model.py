"""A vision-language model made ready for the recipe, and the loss of one packed batch."""

from collections.abc import Mapping
from functools import wraps
from pathlib import Path
from typing import Any

from situ.errors import BadInput, MissingExtra
from situ.train.attention import TEXT_ENDS, TEXT_LONGEST, use_packed_attention
from situ.train.families import Family, family_of
from situ.train.loss import answer_loss
from situ.train.recipe import TrainRecipe
from situ.train.vision import normalised

WHOLE = 128  # sizes that are multiples of this run on the fastest kernels
LORA_TARGETS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
_LORA_WHERE = rf".*language_model\..*\.({'|'.join(LORA_TARGETS)})"


def load_tokenizer(name: str) -> Any:
    """The tokenizer of a model by hub id or folder."""
    try:
        from transformers import AutoTokenizer
    except ModuleNotFoundError as error:
        raise MissingExtra("train", "a tokenizer") from error
    try:
        return AutoTokenizer.from_pretrained(name)
    except (OSError, ValueError) as error:
        raise BadInput(f"no tokenizer was found at '{name}'. Give a model's folder or hub id") from error


def load_family(name: str) -> Family:
    """The family of a model by hub id or folder, from its configuration alone."""
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
    """A model and its tokenizer by hub id or folder. Weights stay in 32 bits; the arithmetic need not."""
    family = load_family(name)
    import torch
    import transformers

    kind = getattr(transformers, family.model_class)
    return kind.from_pretrained(name, dtype=torch.float32), load_tokenizer(name)


def prepare(model: Any, recipe: TrainRecipe, compiled: bool = False) -> Any:
    """Freeze the vision tower with its projector, pack attention, add adapters where the recipe says so."""
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
            return embedded.to(torch.bfloat16)  # so that the sums along the layers stay narrow too

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
    """Let a frozen layer compute with its inner size padded by zeros: the same result on faster kernels.

    3,420 is no multiple of what tensor cores take at once. The weights themselves, and so what is saved,
    stay as they are.
    """
    import torch
    from torch.nn.functional import linear, pad

    inner = mlp.gate_proj.weight.shape[0]
    more = -inner % WHOLE
    if not more:
        return
    # Buffers, since a trainer moves the model after this; not persistent, since nothing of it is saved.
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
    """The loss of a packed batch, from the model's last states straight to the answers' scores."""
    states = last_states(model, batch)[0]
    return answer_loss(states, _inner(model).lm_head, batch["learnt_at"], batch["learnt"], total)


def last_states(model: Any, batch: Mapping[str, Any]) -> Any:
    """The last layer's states (1, n, size) of a packed batch. Nothing here waits for the GPU."""
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
    """The same for Qwen3-VL, whose first layers take in what the vision tower's middle layers saw.

    Its places of patches are worked out by the model itself.
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
    """Let `model(**batch)` of a packed batch give its loss, so that whatever wraps the model takes part."""
    inner = _inner(model)
    plain = inner.forward

    @wraps(plain)  # generation looks at what a forward takes
    def forward(*given: Any, **batch: Any) -> Any:
        if TEXT_ENDS not in batch:
            return plain(*given, **batch)
        return {"loss": batch_loss(inner, batch, batch.get("total"))}

    inner.forward = forward


def _inner(model: Any) -> Any:
    """The model itself, inside its adapters if it has any."""
    return model.get_base_model() if hasattr(model, "get_base_model") else model


def save(model: Any, tokenizer: Any, folder: Path) -> None:
    """The model (or its adapters alone) with the tokenizer, as `from_pretrained` expects them."""
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
