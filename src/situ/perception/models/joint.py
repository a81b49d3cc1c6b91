"""SAM 2's and EdgeTAM's step from one picture to the next, for all things at once.

transformers follows one thing after the other, since each may be prompted in a picture of its own. Here all
of them start from boxes in one picture, so that every layer sees them as one batch, and a step for many
things takes hardly longer than for one.
"""

import math
from functools import partial
from types import SimpleNamespace
from typing import Any

from situ.perception.models.runtime import torch

_ABSENT = -1024.0  # logit of a mask whose thing is not in the picture
_BOX_CORNERS = (2, 3)  # what SAM calls the two corners of a box among its points
_NO_POINT = -1


class Together:
    """Things that are followed as one: to the model's memory they are a single thing with many rows."""

    def __init__(self, model: Any, dtype: Any) -> None:
        self._model, self._dtype = model, dtype
        self._session: Any = None
        self._frame = 0
        self._count = 0
        # The attention over memories gives (1, things, pixels, channels); what reads it wants things first.
        model.memory_attention.register_forward_hook(lambda module, given, out: out[0])
        if hasattr(model, "spatial_perceiver"):
            model.spatial_perceiver._forward_2d = partial(_windows_summed_up, model.spatial_perceiver)

    def start(self, boxes: Any) -> Any:
        """Forget all; begin with boxes (n, 4), in pixels of the model's own picture."""
        self._frame, self._count = 0, len(boxes)
        seen: dict[str, dict[int, Any]] = {"cond_frame_outputs": {}, "non_cond_frame_outputs": {}}
        self._session = SimpleNamespace(output_dict_per_obj={0: seen}, dtype=self._dtype)
        self._boxes = boxes

    def step(self, features: list[Any], place: Any) -> Any:
        """Mask logits (n, height, width) in the next picture, from its features as the encoder gives them."""
        model, first = self._model, self._frame == 0
        features = [level.expand(-1, self._count, -1) for level in features]
        conditioned = model._prepare_memory_conditioned_features(
            inference_session=self._session,
            frame_idx=self._frame,
            obj_idx=0,
            is_initial_conditioning_frame=first,
            current_vision_features=features[-1],
            current_vision_positional_embeddings=place.expand(-1, self._count, -1),
            num_total_frames=self._frame + 1,
            streaming=True,
        )
        fine = [
            level.permute(1, 2, 0).view(self._count, level.shape[2], *size)
            for level, size in zip(features[:-1], model.backbone_feature_sizes[:-1], strict=True)
        ]
        masks, pointer, presence = self._masks(fine, conditioned, first)
        self._remember(features[-1], masks, pointer, presence, first)
        return masks

    def _masks(self, fine: list[Any], conditioned: Any, first: bool) -> tuple[Any, Any, Any]:
        """The best mask of each thing, the token that points to it, and how surely it is there."""
        t, model, count = torch(), self._model, self._count
        if first:
            points = self._boxes.reshape(count, 1, 2, 2)
            labels = t.tensor([[_BOX_CORNERS]], dtype=t.int32, device=points.device).expand(count, 1, 2)
        else:
            points = conditioned.new_zeros(count, 1, 1, 2)
            labels = t.full((count, 1, 1), _NO_POINT, dtype=t.int32, device=points.device)
        sparse, dense = model.prompt_encoder(
            input_points=points, input_labels=labels, input_boxes=None, input_masks=None
        )
        offered, quality, tokens, presence = model.mask_decoder(
            image_embeddings=conditioned,
            image_positional_embeddings=model.get_image_wide_positional_embeddings().repeat(count, 1, 1, 1),
            sparse_prompt_embeddings=sparse,
            dense_prompt_embeddings=dense,
            multimask_output=model._use_multimask(first, {"point_labels": labels} if first else None),
            high_resolution_features=fine,
        )
        rows = t.arange(count, device=offered.device)
        best = quality[:, 0].argmax(-1)
        there = presence > 0
        masks = t.where(there, offered[rows, 0, best], _ABSENT)
        weight = there.to(tokens.dtype)
        pointer = weight * model.object_pointer_proj(tokens[rows, :, best])
        return masks, pointer + (1 - weight) * model.no_object_pointer, presence

    def _remember(self, coarse: Any, masks: Any, pointer: Any, presence: Any, first: bool) -> None:
        model, side = self._model, self._model.image_size
        large = torch().nn.functional.interpolate(
            masks[:, None].float(), size=(side, side), mode="bilinear", align_corners=False
        )
        memory, where = model._encode_new_memory(
            current_vision_feats=coarse,
            pred_masks_high_res=large.to(masks.dtype),
            object_score_logits=presence,
            is_mask_from_pts=first,
        )
        seen = self._session.output_dict_per_obj[0]
        seen["cond_frame_outputs" if first else "non_cond_frame_outputs"][self._frame] = {
            "object_pointer": pointer,
            "maskmem_features": memory,
            "maskmem_pos_enc": where,
        }
        seen["non_cond_frame_outputs"].pop(self._frame - model.config.max_object_pointers_in_encoder, None)
        self._frame += 1


def _windows_summed_up(perceiver: Any, memory: Any) -> tuple[Any, Any]:
    """EdgeTAM's summary of a memory by windows, for any number of things (the library's takes one only)."""
    count, channels, height, _ = memory.shape
    side = math.isqrt(perceiver.num_latents_2d)
    cells = memory.unflatten(2, (side, height // side)).unflatten(4, (side, height // side))
    windows = cells.permute(0, 2, 4, 3, 5, 1).flatten(3, 4).flatten(0, 2)
    summary = perceiver.latents_2d.repeat(count, 1)[:, None]
    for layer in perceiver.layers:
        summary = layer(summary, windows, positional_encoding=None)
    where = perceiver.positional_encoding((count, channels, side, side), memory.device, memory.dtype)
    summary = perceiver.layer_norm(summary.view(count, side * side, channels))
    return summary, where.to(memory.dtype).flatten(2).transpose(1, 2)
