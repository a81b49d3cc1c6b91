"""A tiny random Qwen2.5-VL behind the provider for local models: plumbing, not accuracy."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from evaluation.small_set import make_set
from situ.errors import BadInput, MissingExtra
from situ.evaluation.models.local_vlm import IMAGE_PAD, IMAGES, VIDEO, LocalVlm, Turn
from situ.evaluation.models.run_model import ModelSettings, run_model
from situ.evaluation.records.answer import Status
from situ.evaluation.runs.run import Settings

INSTALL = "install it with: pip install 'situ[local]'"
torch = pytest.importorskip("torch", reason=f"no torch; {INSTALL}")
transformers = pytest.importorskip("transformers", reason=f"no transformers; {INSTALL}")
random_model = pytest.importorskip("situ.train.random_model", reason="no maker of random models")
pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{% if m['content'] is string %}{{ m['content'] }}"
    "{% else %}{% for c in m['content'] %}{% if c['type'] == 'image' %}<|vision_start|><|image_pad|>"
    "<|vision_end|>{% elif c['type'] == 'video' %}<|vision_start|><|video_pad|><|vision_end|>{% else %}"
    "{{ c['text'] }}{% endif %}{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
HAS_TORCHVISION = transformers.utils.is_torchvision_available()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model with its tokenizer and picture processor, as `from_pretrained` expects them."""
    place: Path = tmp_path_factory.mktemp("local") / "qwen"
    random_model.write_random_model(place, "tiny", ["which way is the red cube, left or right?"] * 10)
    tokenizer = transformers.AutoTokenizer.from_pretrained(place)
    tokenizer.chat_template = TEMPLATE
    pictures = transformers.Qwen2VLImageProcessor(min_pixels=28 * 28, max_pixels=56 * 56)
    if HAS_TORCHVISION:
        videos = transformers.Qwen2VLVideoProcessor(min_pixels=28 * 28, max_pixels=56 * 56)
        whole = transformers.Qwen2_5_VLProcessor(pictures, tokenizer, videos, chat_template=TEMPLATE)
        whole.save_pretrained(place)
    else:
        tokenizer.save_pretrained(place)
        pictures.save_pretrained(place)
    return place


def jpeg(level: int) -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((48, 64, 3), level, np.uint8))[1].tobytes())


def asked(*levels: int) -> list[Turn]:
    return [Turn("system", ("Look.",)), Turn("user", (*map(jpeg, levels), "Which way?"))]


def test_every_picture_takes_its_tokens_and_reaches_the_model(folder: Path) -> None:
    model = LocalVlm.load(str(folder), device="cpu")
    inputs = model.inputs(asked(20, 120, 220))
    assert inputs["image_grid_thw"].shape == (3, 3)
    cells = int(inputs["image_grid_thw"].prod(dim=1).sum()) // 4
    pad = model.model.config.image_token_id
    assert model.processor.tokenizer.convert_tokens_to_ids(IMAGE_PAD) == pad
    assert int((inputs["input_ids"] == pad).sum()) == cells == int(inputs["mm_token_type_ids"].sum())
    with torch.inference_mode():
        one, other = (model.model(**model.inputs(asked(level))).logits[0, -1] for level in (20, 220))
    assert not torch.allclose(one, other), "a picture must change what is said"


def test_words_alone_need_no_picture(folder: Path) -> None:
    said = LocalVlm.load(str(folder), device="cpu").reply([Turn("user", ("Which way?",))], max_tokens=3)
    assert 0 < said.output_tokens <= 3
    assert said.input_tokens > 3


@pytest.mark.skipif(not HAS_TORCHVISION, reason="frames as a video need torchvision")
def test_frames_make_one_video(folder: Path) -> None:
    inputs = LocalVlm.load(str(folder), device="cpu", frames=VIDEO).inputs(asked(20, 120, 220))
    assert inputs["video_grid_thw"].shape == (1, 3)
    assert "pixel_values" not in inputs


@pytest.mark.skipif(HAS_TORCHVISION, reason="torchvision is there")
def test_a_video_without_torchvision_says_what_to_install(folder: Path) -> None:
    with pytest.raises(MissingExtra, match="local"):
        LocalVlm.load(str(folder), device="cpu", frames=VIDEO)


def test_a_run_goes_through_the_provider(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads: list[str] = []
    factory = transformers.AutoModelForImageTextToText
    load = factory.from_pretrained

    def counted(name: str, **settings: object) -> object:
        loads.append(name)
        return load(name, **settings)

    monkeypatch.setattr(factory, "from_pretrained", counted)
    dataset = make_set(tmp_path / "set", items=1)
    model = ModelSettings(f"situ-local/{folder}", model_args={"device": "cpu", "fps": 3}, max_tokens=3)
    run = run_model(dataset, model, Settings(), tmp_path / "run")
    assert len(loads) == 1, "weights are loaded once for a run"
    assert len(run.records) == 2
    for record in run.records:
        assert record.status in (Status.ANSWERED, Status.UNREADABLE)
        assert record.effort.output_tokens > 0
        assert record.frames == 6


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [({}, "no vision-language model"), ({"frames": "film"}, f"{IMAGES} or as {VIDEO}")],
)
def test_models_that_cannot_be_loaded_are_named(
    tmp_path: Path, arguments: dict[str, str], complaint: str
) -> None:
    dataset = make_set(tmp_path / "set", items=1)
    model = ModelSettings(f"situ-local/{tmp_path / 'nothing'}", model_args=arguments)
    with pytest.raises(BadInput, match=complaint):
        run_model(dataset, model, Settings(), tmp_path / "run")
