"""The models that situ knows by name: what each is for, where it comes from and under which licence.

Weights are never shipped: they are loaded by hub id or from a folder, on the user's machine.
"""

from dataclasses import dataclass
from typing import Literal

Role = Literal[
    "depth",
    "depth and pose",
    "objects",
    "tracks",
    "objects and tracks",
    "places",
    "captions",
    "looks",
    "signs",
    "eyes",
]


@dataclass(frozen=True)
class ModelCard:
    """One entry. `family` is the `model_type` of its configuration, which chooses the adapter."""

    name: str
    role: Role
    hub_id: str
    family: str
    licence: str
    commercial: bool
    about: str
    gated: bool = False
    megabytes: int = 0  # of what is fetched, where it matters before
    in_package: bool = False  # `tools/fetch_weights.py` brings it from a package, no hub is asked


CARDS: tuple[ModelCard, ...] = (
    ModelCard(
        "da2-indoor-small",
        "depth",
        "depth-anything/Depth-Anything-V2-Metric-Indoor-Small-hf",
        "depth_anything",
        "Apache-2.0 (V2-Small; the metric repository shows no tag of its own)",
        True,
        "metres indoors, 25 M parameters: the default",
    ),
    ModelCard(
        "da2-indoor-large",
        "depth",
        "depth-anything/Depth-Anything-V2-Metric-Indoor-Large-hf",
        "depth_anything",
        "CC BY-NC 4.0",
        False,
        "metres indoors, 335 M parameters",
    ),
    ModelCard(
        "da2-outdoor-small",
        "depth",
        "depth-anything/Depth-Anything-V2-Metric-Outdoor-Small-hf",
        "depth_anything",
        "Apache-2.0 (V2-Small; the metric repository shows no tag of its own)",
        True,
        "metres outdoors",
    ),
    ModelCard(
        "depth-pro",
        "depth",
        "apple/DepthPro-hf",
        "depth_pro",
        "Apple AMLR",
        False,
        "sharp metres, 1536 px, tells the field of view",
    ),
    ModelCard(
        "moge2-small",
        "depth",
        "Ruicheng/moge-2-vits-normal-onnx",
        "moge_onnx",
        "MIT",
        True,
        "metres and lens, ONNX: no torch needed",
    ),
    ModelCard(
        "moge2-large",
        "depth",
        "Ruicheng/moge-2-vitl-normal-onnx",
        "moge_onnx",
        "MIT",
        True,
        "metres and lens, ONNX: no torch needed",
    ),
    ModelCard(
        "da3-small",
        "depth and pose",
        "depth-anything/DA3-SMALL",
        "depth_anything_3",
        "Apache-2.0",
        True,
        "depth and poses of many views, scale-free",
    ),
    ModelCard(
        "da3-base",
        "depth and pose",
        "depth-anything/DA3-BASE",
        "depth_anything_3",
        "Apache-2.0",
        True,
        "depth and poses of many views, scale-free",
    ),
    ModelCard(
        "da3-large",
        "depth and pose",
        "depth-anything/DA3-LARGE-1.1",
        "depth_anything_3",
        "CC BY-NC 4.0",
        False,
        "depth and poses of many views, scale-free",
    ),
    ModelCard(
        "dfine-nano",
        "objects",
        "onnx-community/dfine-nano-coco-ONNX",
        "onnx_detector",
        "Apache-2.0",
        True,
        "80 everyday names, by onnxruntime alone: what a bare --names uses",
        megabytes=16,
    ),
    ModelCard(
        "yolox-nano",
        "objects",
        "yolox-nano",
        "yolox",
        "Apache-2.0",
        True,
        "80 everyday names in 21 ms on one core; what --names uses where it is here and dfine-nano is not",
        megabytes=4,
        in_package=True,
    ),
    ModelCard(
        "fastdepth",
        "depth",
        "fastdepth",
        "fastdepth",
        "MIT",
        True,
        "metres in rooms to some 15 %, 12 ms on one core",
        megabytes=6,
        in_package=True,
    ),
    ModelCard(
        "rapidocr",
        "signs",
        "rapidocr",
        "rapidocr",
        "Apache-2.0",
        True,
        "reads signs and door numbers beside any detector; its weights come with pip install 'situ[signs]'",
    ),
    ModelCard(
        "mm-gdino-tiny",
        "objects",
        "openmmlab-community/mm_grounding_dino_tiny_o365v1_goldg_v3det",
        "mm-grounding-dino",
        "Apache-2.0",
        True,
        "any names, LVIS minival 41.4: the default",
    ),
    ModelCard(
        "llmdet-tiny",
        "objects",
        "iSEE-Laboratory/llmdet_tiny",
        "mm-grounding-dino",
        "Apache-2.0",
        True,
        "any names; also _base and _large",
    ),
    ModelCard(
        "gdino-tiny",
        "objects",
        "IDEA-Research/grounding-dino-tiny",
        "grounding-dino",
        "Apache-2.0",
        True,
        "any names",
    ),
    ModelCard(
        "owlv2-base",
        "objects",
        "google/owlv2-base-patch16-ensemble",
        "owlv2",
        "Apache-2.0",
        True,
        "any names, 960 px",
    ),
    ModelCard(
        "sam2-tiny",
        "tracks",
        "facebook/sam2.1-hiera-tiny",
        "sam2_video",
        "Apache-2.0",
        True,
        "masks followed through the video",
    ),
    ModelCard(
        "sam2-large",
        "tracks",
        "facebook/sam2.1-hiera-large",
        "sam2_video",
        "Apache-2.0",
        True,
        "masks followed through the video",
    ),
    ModelCard(
        "edgetam",
        "tracks",
        "yonigozlan/EdgeTAM-hf",
        "edgetam_video",
        "Apache-2.0",
        True,
        "as SAM 2, much faster",
    ),
    ModelCard(
        "sam3",
        "objects and tracks",
        "facebook/sam3",
        "sam3_video",
        "SAM License",
        True,
        "names to followed masks in one model",
        gated=True,
    ),
    ModelCard(
        "siglip2-base",
        "places",
        "google/siglip2-base-patch16-224",
        "siglip",
        "Apache-2.0",
        True,
        "kinds of place and looks of things, no VLM needed",
    ),
    ModelCard(
        "qwen3-vl-2b",
        "captions",
        "Qwen/Qwen3-VL-2B-Instruct",
        "qwen3_vl",
        "Apache-2.0",
        True,
        "a sentence for each look",
    ),
    ModelCard(
        "qwen3.5-2b",
        "captions",
        "Qwen/Qwen3.5-2B",
        "qwen3_5",
        "Apache-2.0",
        True,
        "a sentence for each look",
    ),
    ModelCard(
        "qwen2.5-vl-3b",
        "captions",
        "Qwen/Qwen2.5-VL-3B-Instruct",
        "qwen2_5_vl",
        "Qwen Research",
        False,
        "a sentence for each look",
    ),
)

BY_NAME = {card.name: card for card in CARDS}
# What a family is for, so that a hub id or a folder that is not listed finds its adapter.
ROLE_OF_FAMILY: dict[str, Role] = {card.family: card.role for card in CARDS} | {
    "depth_anything": "depth",
    "siglip2": "places",
    "depth_anything_3": "depth and pose",
    "onnx_detector": "objects",
    "situ_photos": "eyes",  # a file of `situ train photos`
}
