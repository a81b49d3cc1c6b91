"""Random instances of perception models in a folder: the published sizes, or tiny ones to try things out."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "tests"))  # the tiny ones live beside the tests

IMAGENET = {"image_mean": [0.485, 0.456, 0.406], "image_std": [0.229, 0.224, 0.225]}
WORDS = ("a", "photo", "of", "this", "is", "cup", "red", "chair", "table", "kitchen", "street")


def depth(size: str) -> Callable[[Path, bool], Path]:
    shapes = {
        "small": (384, 12, 6, [3, 6, 9, 12], [48, 96, 192, 384], 64),
        "large": (1024, 24, 16, [5, 12, 18, 24], [256, 512, 1024, 1024], 256),
    }

    def make(folder: Path, tiny: bool) -> Path:
        import transformers

        if tiny:
            return _tiny().depth_anything(folder)
        hidden, layers, heads, outputs, necks, fusion = shapes[size]
        backbone = transformers.Dinov2Config(
            hidden_size=hidden, num_hidden_layers=layers, num_attention_heads=heads, image_size=518,
            patch_size=14, out_features=[f"stage{i}" for i in outputs], reshape_hidden_states=False,
            apply_layernorm=True,
        )  # fmt: skip
        config = transformers.DepthAnythingConfig(
            backbone_config=backbone, reassemble_hidden_size=hidden, neck_hidden_sizes=necks,
            fusion_hidden_size=fusion, head_hidden_size=32, depth_estimation_type="metric", max_depth=20,
        )  # fmt: skip
        _save(transformers.DepthAnythingForDepthEstimation(config), folder)
        return _looks(folder, "DPTImageProcessor", size={"height": 518, "width": 518}, **IMAGENET)

    return make


def detector(folder: Path, tiny: bool) -> Path:
    """MM-Grounding-DINO tiny: a Swin-T, a BERT base and six layers of each transformer."""
    import transformers

    from situ.perception.models.vocabulary import THINGS

    words = sorted({word for name in THINGS for word in name.split()} | set(WORDS))
    if tiny:
        from perception.models import tiny as made

        return made.grounding_dino(folder, words[:50], "mm-grounding-dino")
    config = transformers.MMGroundingDinoConfig(
        backbone_config=transformers.SwinConfig(
            image_size=384, embed_dim=96, depths=[2, 2, 6, 2], num_heads=[3, 6, 12, 24], window_size=7,
            out_features=["stage2", "stage3", "stage4"],
        ),
        text_config=transformers.BertConfig(vocab_size=30522),
    )  # fmt: skip
    _save(transformers.MMGroundingDinoForObjectDetection(config), folder)
    _tiny().bert_tokenizer(folder, words)
    size = {"shortest_edge": 800, "longest_edge": 1333}
    return _looks(folder, "GroundingDinoImageProcessor", size=size, **IMAGENET)


def tracker(size: str) -> Callable[[Path, bool], Path]:
    def make(folder: Path, tiny: bool) -> Path:
        import transformers

        if tiny:
            return (_followers().edgetam_video if size == "edge" else _followers().sam2_video)(folder)
        if size == "edge":
            config = transformers.EdgeTamVideoConfig(vision_config=_followers().edgetam_eye())
            return _save(transformers.EdgeTamVideoModel(config), folder, always_there)
        config = transformers.Sam2VideoConfig()
        if size == "large":
            hiera = transformers.Sam2HieraDetConfig(
                hidden_size=144, num_attention_heads=2, blocks_per_stage=[2, 6, 36, 4],
                embed_dim_per_stage=[144, 288, 576, 1152], num_attention_heads_per_stage=[2, 4, 8, 16],
                window_size_per_stage=[8, 4, 16, 8], global_attention_blocks=[23, 33, 43],
                window_positional_embedding_background_size=[7, 7],
            )  # fmt: skip
            config = transformers.Sam2VideoConfig(
                vision_config={"backbone_config": hiera, "backbone_channel_list": [1152, 576, 288, 144]}
            )
        return _save(transformers.Sam2VideoModel(config), folder, always_there)

    return make


def always_there(model: Any) -> None:
    """Random weights see nothing; these believe that their things are always there."""
    import torch

    torch.nn.init.constant_(model.mask_decoder.pred_obj_score_head.proj_out.bias, 10.0)


def places(folder: Path, tiny: bool) -> Path:
    """SigLIP base at 224 pixels, with the small vocabulary of its own prompts."""
    import transformers

    if tiny:
        return _tiny().siglip(folder, WORDS)
    config = transformers.SiglipConfig(
        text_config={"vocab_size": 32000, "projection_size": 768},
        vision_config={"image_size": 224, "patch_size": 16},
    )
    _save(transformers.SiglipModel(config), folder)
    _tiny().word_tokenizer(folder, WORDS, 64)
    half = {"image_mean": [0.5] * 3, "image_std": [0.5] * 3}
    return _looks(folder, "SiglipImageProcessor", size={"height": 224, "width": 224}, **half)


def _tiny() -> Any:
    from perception.models import tiny

    return tiny


def _followers() -> Any:
    from perception.models import tiny_followers

    return tiny_followers


def _save(model: Any, folder: Path, change: Callable[[Any], None] | None = None) -> Path:
    import torch

    # Some weights are left as memory was found; half precision on disk is half the time to write.
    for weights in model.parameters():
        if not torch.isfinite(weights).all() or weights.abs().max() > 1e3:
            torch.nn.init.normal_(weights, std=0.02)
    if change is not None:
        change(model)
    model.to(torch.bfloat16).save_pretrained(folder)
    return folder


def _looks(folder: Path, kind: str, **entries: Any) -> Path:
    (folder / "preprocessor_config.json").write_text(json.dumps({"image_processor_type": kind, **entries}))
    return folder


MAKERS: dict[str, Callable[[Path, bool], Path]] = {
    "depth-small": depth("small"),
    "depth-large": depth("large"),
    "detector": detector,
    "tracker": tracker("tiny"),
    "tracker-large": tracker("large"),
    "tracker-edge": tracker("edge"),
    "places": places,
}
