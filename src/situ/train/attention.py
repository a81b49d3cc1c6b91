"""Attention over packed sequences: several examples in one row, each attending only to itself.

Packing avoids padding. On a GPU PyTorch's flash kernels process all examples in one call, for the text and
for the small windows of the vision tower; elsewhere each piece is computed separately, with the same result.
"""

import inspect
from collections.abc import Callable
from typing import Any

NAME = "situ_packed_flash"  # transformers passes window lengths to implementations named "flash"
TEXT_ENDS, TEXT_LONGEST = "pack_ends", "pack_longest"
_FLASH: dict[str, Any] = {}  # cached kernel of this PyTorch version and its options


def use_packed_attention(model: Any) -> None:
    """Make a loaded model's text and vision attention work on packed rows."""
    from transformers import AttentionInterface
    from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, flash_attention_mask

    _find_kernel()
    AttentionInterface.register(NAME, _attend)
    ALL_MASK_ATTENTION_FUNCTIONS.register(NAME, flash_attention_mask)
    # Set after loading: if requested by name while loading, transformers would require a flash package. Each
    # layer reads this setting at every call.
    for config in (model.config, model.config.text_config, model.config.vision_config):
        config._attn_implementation_internal = NAME


def _attend(
    module: Any,
    query: Any,
    key: Any,
    value: Any,
    attention_mask: Any,
    scaling: float | None = None,
    **said: Any,
) -> tuple[Any, None]:
    """Attention function for transformers: (batch, heads, tokens, size) to (batch, tokens, heads, size)."""
    import torch

    ends, longest = said.get("cu_seq_lens_q"), said.get("max_length_q")
    causal = False
    if ends is None:  # the language model
        ends, longest, causal = said.get(TEXT_ENDS), said.get(TEXT_LONGEST), True
    if ends is None or query.shape[0] != 1 or key.shape[2] != query.shape[2]:
        return _unpacked(query, key, value, attention_mask, scaling), None
    q, k, v = (part[0].transpose(0, 1) for part in (query, key, value))
    if q.is_cuda and v.dtype in (torch.bfloat16, torch.float16):
        # Rotary embeddings may have widened queries and keys; the kernel requires one dtype.
        q, k = q.to(v.dtype), k.to(v.dtype)
        ends = ends.to(torch.int32)
        longest = longest if longest is not None else int((ends[1:] - ends[:-1]).max())
        return _flash(q, k, v, ends, longest, causal, scaling).unsqueeze(0), None
    return _piecewise(q, k, v, ends, causal, scaling).unsqueeze(0), None


def _find_kernel() -> None:
    from torch.nn.attention.varlen import varlen_attn

    known = inspect.signature(varlen_attn).parameters
    kernel: Callable[..., Any] = varlen_attn
    _FLASH["kernel"] = kernel
    _FLASH["scale"] = "scale" in known
    _FLASH["causal"] = {"window_size": (-1, 0)} if "window_size" in known else {"is_causal": True}
    _FLASH["groups"] = {"enable_gqa": True} if "enable_gqa" in known else None


def _flash(q: Any, k: Any, v: Any, ends: Any, longest: int, causal: bool, scaling: float | None) -> Any:
    options: dict[str, Any] = {"scale": scaling} if _FLASH["scale"] else {}
    if causal:
        options |= _FLASH["causal"]
    groups = q.shape[1] // k.shape[1]
    if groups > 1 and _FLASH["groups"]:
        options |= _FLASH["groups"]
    elif groups > 1:
        k, v = (part.repeat_interleave(groups, dim=1) for part in (k, v))
    return _FLASH["kernel"](
        q.contiguous(), k.contiguous(), v.contiguous(), ends, ends, longest, longest, **options
    )


def _piecewise(q: Any, k: Any, v: Any, ends: Any, causal: bool, scaling: float | None) -> Any:
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    lengths = (ends[1:] - ends[:-1]).tolist()
    pieces = []
    for parts in zip(q.split(lengths), k.split(lengths), v.split(lengths), strict=True):
        one, two, three = (part.transpose(0, 1).unsqueeze(0) for part in parts)
        mixed = scaled_dot_product_attention(
            one, two, three, is_causal=causal, scale=scaling, enable_gqa=q.shape[1] != k.shape[1]
        )
        pieces.append(mixed[0].transpose(0, 1))
    return torch.cat(pieces)


def _unpacked(query: Any, key: Any, value: Any, mask: Any, scaling: float | None) -> Any:
    """Unpacked rows, as in generation: causal, with padding masked."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    asked, known = query.shape[2], key.shape[2]
    device = query.device
    allowed = torch.ones(asked, known, dtype=torch.bool, device=device).tril(known - asked)[None, None]
    if mask is not None:
        allowed = allowed & mask[:, None, None, -known:].bool()
        allowed = allowed | torch.eye(asked, known, dtype=torch.bool, device=device)[None, None]
    found = scaled_dot_product_attention(
        query, key, value, attn_mask=allowed, scale=scaling, enable_gqa=query.shape[1] != key.shape[1]
    )
    return found.transpose(1, 2)
