"""Tiny random instances of the architectures that follow masks through a video."""

from pathlib import Path

from perception.models.tiny import save, torch, transformers, word_tokenizer


def sam2_eye() -> dict:
    hiera = {
        "hidden_size": 32,
        "num_attention_heads": 1,
        "image_size": [128, 128],
        "blocks_per_stage": [1, 1, 2, 1],
        "embed_dim_per_stage": [32, 64, 96, 128],
        "num_attention_heads_per_stage": [1, 2, 2, 4],
        "window_size_per_stage": [4, 2, 2, 2],
        "global_attention_blocks": [3],
        "backbone_channel_list": [128, 96, 64, 32],
        "backbone_feature_sizes": [[32, 32], [16, 16], [8, 8]],
    }
    return {
        "backbone_config": transformers.Sam2HieraDetConfig(**hiera),
        "backbone_channel_list": [128, 96, 64, 32],
        "backbone_feature_sizes": [[32, 32], [16, 16], [8, 8]],
        "fpn_hidden_size": 128,
    }


def follower(vision_config, mask_decoder) -> dict:
    """What SAM 2 and EdgeTAM have in common: everything but the eye and the shape of memories."""
    return {
        "vision_config": vision_config,
        "prompt_encoder_config": {"hidden_size": 128, "image_size": 128},
        "mask_decoder_config": mask_decoder(
            hidden_size=128, mlp_dim=32, num_hidden_layers=2, num_attention_heads=2, iou_head_hidden_dim=32
        ),
        "image_size": 128,
        "memory_attention_hidden_size": 128,
        "memory_attention_num_layers": 1,
        "memory_attention_rope_feat_sizes": [8, 8],
        "memory_encoder_hidden_size": 128,
        "memory_fuser_embed_dim": 128,
        "memory_fuser_intermediate_dim": 64,
        "memory_fuser_num_layers": 1,
        "mask_downsampler_embed_dim": 128,
    }


def always_there(model) -> None:
    """Random weights see nothing; these are told that their things are always there."""
    decoder = model.mask_decoder
    torch.nn.init.constant_(decoder.pred_obj_score_head.proj_out.bias, 10.0)
    for head in decoder.output_hypernetworks_mlps:
        torch.nn.init.normal_(head.proj_out.weight, std=1.0)


def sam2_video(folder: Path) -> Path:
    shared = follower(sam2_eye(), transformers.Sam2VideoMaskDecoderConfig)
    shared["memory_attention_feed_forward_hidden_size"] = 64
    return save(transformers.Sam2VideoModel, transformers.Sam2VideoConfig(**shared), folder, always_there)


def repvit():
    """EdgeTAM's own eye, from timm."""
    return transformers.TimmWrapperConfig(
        architecture="repvit_m1",
        model_args={"in_chans": 3, "features_only": True, "out_indices": [0, 1, 2, 3]},
    )


def edgetam_eye(**given):
    """Some versions ask the hub for the default eye whenever a configuration is printed: it is here."""
    from transformers.models.edgetam import configuration_edgetam

    class Here:
        from_pretrained = staticmethod(lambda name, **more: repvit())

    configuration_edgetam.AutoConfig = Here
    return transformers.EdgeTamVisionConfig(backbone_config=repvit(), **given)


def edgetam_video(folder: Path, own_eye: bool = False) -> Path:
    """With SAM 2's kind of eye, or with its own, which needs timm."""
    eye = sam2_eye()
    if own_eye:
        eye = edgetam_eye(backbone_feature_sizes=eye["backbone_feature_sizes"], fpn_hidden_size=128)
    own = {
        "memory_attention_mlp_hidden_size": 64,
        "memory_attention_rope_k_sizes": [4, 4],
        "perceiver_resampler_num_latents": 16,
        "perceiver_resampler_num_latents_2d": 16,
        "perceiver_resampler_num_layers": 1,
    }
    config = transformers.EdgeTamVideoConfig(
        **(follower(eye, transformers.EdgeTamVideoMaskDecoderConfig) | own)
    )
    return save(transformers.EdgeTamVideoModel, config, folder, always_there)


def sam3_video(folder: Path, words) -> Path:
    """Whatever it finds counts as found: random weights are sure of nothing."""
    small = {"hidden_size": 128, "num_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}

    def eye():
        vit = transformers.Sam3ViTConfig(
            hidden_size=64, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2, image_size=112,
            patch_size=14, window_size=4, global_attn_indexes=[1], pretrain_image_size=112,
        )  # fmt: skip
        sizes = [[32, 32], [16, 16], [8, 8]]
        return transformers.Sam3VisionConfig(
            backbone_config=vit, fpn_hidden_size=128, backbone_feature_sizes=sizes
        )

    reader = transformers.CLIPTextConfig(
        vocab_size=128, hidden_size=64, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2,
        max_position_embeddings=32, projection_dim=64, eos_token_id=1,
    )  # fmt: skip
    detector = transformers.Sam3Config(
        vision_config=eye(),
        text_config=reader,
        geometry_encoder_config=transformers.Sam3GeometryEncoderConfig(**small),
        detr_encoder_config=transformers.Sam3DETREncoderConfig(**small),
        detr_decoder_config=transformers.Sam3DETRDecoderConfig(**small, num_queries=8),
        mask_decoder_config=transformers.Sam3MaskDecoderConfig(hidden_size=128, num_attention_heads=2),
    )
    shared = follower(eye(), transformers.Sam3TrackerVideoMaskDecoderConfig) | {"image_size": 112}
    shared["prompt_encoder_config"] = transformers.Sam3TrackerVideoPromptEncoderConfig(
        hidden_size=128, image_size=112, patch_size=14
    )
    shared["memory_attention_feed_forward_hidden_size"] = 64
    config = transformers.Sam3VideoConfig(
        detector_config=detector, tracker_config=transformers.Sam3TrackerVideoConfig(**shared),
        low_res_mask_size=32, new_det_thresh=0.0, score_threshold_detection=0.0,
        hotstart_delay=0, hotstart_unmatch_thresh=0, hotstart_dup_thresh=0,
    )  # fmt: skip
    save(transformers.Sam3VideoModel, config, folder)
    word_tokenizer(folder, words, 32)
    size = {"height": 112, "width": 112}
    transformers.Sam3VideoProcessor(
        transformers.Sam3ImageProcessor(size=size),
        transformers.Sam2VideoVideoProcessor(size=size),
        transformers.AutoTokenizer.from_pretrained(folder),
    ).save_pretrained(folder)
    return folder
