"""Tiny random instances of every architecture, saved to a folder as a hub repository would lie there."""

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="the extra [models] is not installed: pip install 'situ[models]'")
transformers = pytest.importorskip(
    "transformers", reason="the extra [models] is not installed: pip install 'situ[models]'"
)

needs_torchvision = pytest.mark.skipif(
    not transformers.utils.is_torchvision_available(),
    reason="this family's processor needs torchvision, of which there is no CPU build for this torch",
)
IMAGENET = {"image_mean": [0.485, 0.456, 0.406], "image_std": [0.229, 0.224, 0.225]}


def save(kind, config, folder: Path, change=None) -> Path:
    torch.manual_seed(0)
    model = kind(config).eval()
    if change is not None:
        change(model)
    model.save_pretrained(folder)
    return folder


def preprocessor(folder: Path, **entries) -> None:
    (folder / "preprocessor_config.json").write_text(json.dumps(entries))


def dinov2(size=28):
    return transformers.Dinov2Config(
        hidden_size=32,
        num_hidden_layers=4,
        num_attention_heads=2,
        image_size=size,
        patch_size=14,
        out_features=["stage1", "stage2", "stage3", "stage4"],
        reshape_hidden_states=False,
        apply_layernorm=True,
    )


def depth_anything(folder: Path, kind="metric") -> Path:
    config = transformers.DepthAnythingConfig(
        backbone_config=dinov2(),
        reassemble_hidden_size=32,
        neck_hidden_sizes=[8, 8, 16, 16],
        fusion_hidden_size=8,
        head_hidden_size=8,
        depth_estimation_type=kind,
        max_depth=20,
    )
    save(transformers.DepthAnythingForDepthEstimation, config, folder)
    preprocessor(
        folder,
        image_processor_type="DPTImageProcessor",
        do_resize=True,
        size={"height": 518, "width": 518},
        keep_aspect_ratio=True,
        ensure_multiple_of=14,
        **IMAGENET,
    )
    return folder


def depth_pro(folder: Path) -> Path:
    vit = {
        "model_type": "dinov2",
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "patch_size": 8,
        "image_size": 32,
        "mlp_ratio": 2,
        "use_mask_token": False,
    }
    config = transformers.DepthProConfig(
        fusion_hidden_size=16,
        patch_size=32,
        intermediate_hook_ids=[1, 0],
        intermediate_feature_dims=[8, 8],
        scaled_images_ratios=[0.5, 1.0],
        scaled_images_overlap_ratios=[0.0, 0.2],
        scaled_images_feature_dims=[12, 8],
        image_model_config=vit,
        patch_model_config=vit,
        fov_model_config=vit,
        use_fov_model=True,
        num_fov_head_layers=0,
    )

    def sees_something(model):
        for layer in model.head.modules():
            if isinstance(layer, torch.nn.Conv2d) and layer.bias is not None:
                torch.nn.init.constant_(layer.bias, 0.5)

    save(transformers.DepthProForDepthEstimation, config, folder, sees_something)
    preprocessor(
        folder,
        image_processor_type="DepthProImageProcessor",
        size={"height": 64, "width": 64},
        image_mean=[0.5] * 3,
        image_std=[0.5] * 3,
    )
    return folder


def bert_tokenizer(folder: Path, words) -> None:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "?", *sorted(set(words))]
    made = Tokenizer(models.WordPiece({w: i for i, w in enumerate(vocabulary)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    ).save_pretrained(folder)


def grounding_dino(folder: Path, words, family="grounding-dino") -> Path:
    swin = transformers.SwinConfig(
        image_size=64, embed_dim=16, depths=[1, 1, 1], num_heads=[2, 2, 2], window_size=4,
        out_features=["stage1", "stage2", "stage3"],
    )  # fmt: skip
    text = transformers.BertConfig(
        vocab_size=64, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    kinds = {
        "grounding-dino": (transformers.GroundingDinoConfig, transformers.GroundingDinoForObjectDetection),
        "mm-grounding-dino": (
            transformers.MMGroundingDinoConfig,
            transformers.MMGroundingDinoForObjectDetection,
        ),
    }
    config_kind, model_kind = kinds[family]
    config = config_kind(
        backbone_config=swin, text_config=text, d_model=32, encoder_layers=1, decoder_layers=2,
        encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16,
        num_queries=9, num_feature_levels=4,
    )  # fmt: skip
    save(model_kind, config, folder)
    bert_tokenizer(folder, words)
    preprocessor(
        folder,
        image_processor_type="GroundingDinoImageProcessor",
        size={"shortest_edge": 64, "longest_edge": 96},
        **IMAGENET,
    )
    return folder


def word_tokenizer(folder: Path, words, length=16) -> None:
    """Whole words only: enough to carry prompts through a text tower."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    vocabulary = ["<pad>", "<unk>", *sorted(set(words))]
    made = Tokenizer(models.WordLevel({w: i for i, w in enumerate(vocabulary)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, unk_token="<unk>", pad_token="<pad>", model_max_length=length
    ).save_pretrained(folder)


def owlv2(folder: Path, words) -> Path:
    config = transformers.Owlv2Config(
        text_config={
            "vocab_size": 128,
            "hidden_size": 16,
            "intermediate_size": 16,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "max_position_embeddings": 16,
        },
        vision_config={
            "hidden_size": 16,
            "intermediate_size": 16,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "image_size": 32,
            "patch_size": 8,
        },
        projection_dim=16,
    )

    def filled(model):  # some of its weights are left as memory was found
        for weights in model.parameters():
            torch.nn.init.normal_(weights, std=0.02)

    save(transformers.Owlv2ForObjectDetection, config, folder, filled)
    word_tokenizer(folder, words)
    preprocessor(
        folder, image_processor_type="Owlv2ImageProcessor", size={"height": 32, "width": 32}, **IMAGENET
    )
    return folder


def siglip(folder: Path, words) -> Path:
    config = transformers.SiglipConfig(
        text_config={
            "vocab_size": 128,
            "hidden_size": 16,
            "intermediate_size": 16,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "max_position_embeddings": 16,
            "projection_size": 16,
        },
        vision_config={
            "hidden_size": 16,
            "intermediate_size": 16,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "image_size": 32,
            "patch_size": 8,
        },
    )
    save(transformers.SiglipModel, config, folder)
    word_tokenizer(folder, words)
    preprocessor(
        folder,
        image_processor_type="SiglipImageProcessor",
        size={"height": 32, "width": 32},
        image_mean=[0.5] * 3,
        image_std=[0.5] * 3,
    )
    return folder


_CHAT = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{% for c in m['content'] %}"
    "{% if c['type'] == 'image' %}<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ c['text'] }}"
    "{% endif %}{% endfor %}<|im_end|>\n{% endfor %}<|im_start|>assistant\n"
)


def qwen_vl(folder: Path) -> Path:
    from situ.train.random_model import write_random_model

    write_random_model(folder, "tiny", ["the wearer sees a cup on a table"] * 4)
    transformers.Qwen2_5_VLProcessor(
        transformers.Qwen2VLImageProcessor(min_pixels=28 * 28, max_pixels=28 * 28 * 4),
        transformers.AutoTokenizer.from_pretrained(folder),
        transformers.Qwen2VLVideoProcessor(),
        chat_template=_CHAT,
    ).save_pretrained(folder)
    return folder


def qwen3_vl(folder: Path) -> Path:
    """The newer kind, with the words of the older one."""
    qwen_vl(folder)
    (folder / "model.safetensors").unlink()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    numbers = {
        f"{name}_token_id": tokenizer.convert_tokens_to_ids(f"<|{token}|>")
        for name, token in (
            ("image", "image_pad"), ("video", "video_pad"), ("vision_start", "vision_start"),
            ("vision_end", "vision_end"),
        )
    }  # fmt: skip
    text = {
        "vocab_size": len(tokenizer), "hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2,
        "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 16,
        "rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [4, 2, 2]},
    }  # fmt: skip
    vision = {
        "depth": 2, "hidden_size": 32, "intermediate_size": 32, "num_heads": 2, "patch_size": 14,
        "out_hidden_size": 32, "deepstack_visual_indexes": [0], "num_position_embeddings": 16,
    }  # fmt: skip
    config = transformers.Qwen3VLConfig(text_config=text, vision_config=vision, **numbers)
    save(transformers.Qwen3VLForConditionalGeneration, config, folder)
    transformers.Qwen3VLProcessor(
        transformers.Qwen2VLImageProcessor(min_pixels=28 * 28, max_pixels=28 * 28 * 4),
        tokenizer,
        transformers.Qwen3VLVideoProcessor(),
        chat_template=_CHAT,
    ).save_pretrained(folder)
    return folder
