"""A vision-language model of the hub or of a folder, run in this process by transformers.

For tests, for small models and for models that were just trained. A server such as vLLM answers many
requests at once and is the better choice for whole benchmarks; this one needs nothing but the weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from threading import Lock
from typing import Any, NamedTuple

from situ.errors import BadInput, MissingExtra

IMAGES, VIDEO = "images", "video"
IMAGE_PAD = "<|image_pad|>"
MOST_TOKENS = 512


class Turn(NamedTuple):
    """What one side says: texts, and pictures as JPEG bytes, in order; `fps` is the pictures' true rate."""

    role: str
    parts: tuple[str | bytes, ...]
    fps: float | None = None


class Said(NamedTuple):
    text: str
    input_tokens: int
    output_tokens: int
    cut_short: bool


@dataclass(frozen=True)
class LocalVlm:
    """`frames` says how pictures are put to the model: each on its own, or one after the other as a video."""

    model: Any
    processor: Any
    frames: str = IMAGES
    fps: float = 2.0
    lock: Any = None

    @classmethod
    @cache
    def load(
        cls, name: str, device: str = "auto", dtype: str = "auto", frames: str = IMAGES, fps: float = 2.0
    ) -> "LocalVlm":
        """A model by hub id or folder; `device` and `dtype` are torch's names, or auto."""
        if frames not in (IMAGES, VIDEO):
            raise BadInput(f"frames go to a local model as {IMAGES} or as {VIDEO}, got '{frames}'")
        try:
            import torch
            from transformers import AutoModelForImageTextToText
        except ModuleNotFoundError as error:
            raise MissingExtra("local", "a model that runs in this process") from error
        where = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
        try:
            model = AutoModelForImageTextToText.from_pretrained(name, dtype=dtype).to(where).eval()
            processor = _processor(name, frames)
        except (OSError, ValueError, RuntimeError) as error:
            words = " ".join(str(error).split())[:300]
            raise BadInput(
                f"no vision-language model could be loaded from '{name}' ({words}). "
                "Give a folder or a hub id such as Qwen/Qwen2.5-VL-3B-Instruct"
            ) from error
        return cls(model, processor, frames, fps, Lock())

    def reply(self, turns: Sequence[Turn], max_tokens: int = MOST_TOKENS, temperature: float = 0.0) -> Said:
        """What the model says next. One reply at a time."""
        import torch

        inputs = self.inputs(turns).to(self.model.device)
        known = inputs["input_ids"].shape[1]
        sampling = {"do_sample": True, "temperature": temperature} if temperature else {"do_sample": False}
        with self.lock, torch.inference_mode():
            tokens = self.model.generate(**inputs, max_new_tokens=max_tokens, **sampling)[0, known:]
        text = self.processor.batch_decode([tokens], skip_special_tokens=True)[0].strip()
        return Said(text, known, len(tokens), len(tokens) >= max_tokens)

    def inputs(self, turns: Sequence[Turn]) -> Any:
        """Tokens and pixels as the model's own processor makes them."""
        pictures = [[_picture(part) for part in turn.parts if isinstance(part, bytes)] for turn in turns]
        shown = [picture for group in pictures for picture in group]
        messages = [{"role": turn.role, "content": self._content(turn)} for turn in turns]
        prompt = self.processor.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        media: dict[str, Any] = {}
        if shown and self.frames == IMAGES:
            media["images"] = shown
        elif shown:
            videos = [group for group in pictures if group]
            rates = [turn.fps or self.fps for turn, group in zip(turns, pictures, strict=True) if group]
            media["videos"] = videos
            media["do_sample_frames"] = False
            media["video_metadata"] = [
                {"fps": fps, "total_num_frames": len(v), "frames_indices": list(range(len(v)))}
                for v, fps in zip(videos, rates, strict=True)
            ]
        return self.processor(text=[prompt], return_tensors="pt", **media)

    def _content(self, turn: Turn) -> list[dict[str, str]]:
        """Parts as the chat template knows them; the pictures of a turn make one video."""
        content: list[dict[str, str]] = []
        for part in turn.parts:
            if isinstance(part, str):
                content.append({"type": "text", "text": part})
            elif self.frames == IMAGES:
                content.append({"type": "image"})
            elif {"type": "video"} not in content:
                content.append({"type": "video"})
        return content


def _picture(jpeg: bytes) -> Any:
    from PIL import Image

    return Image.open(BytesIO(jpeg)).convert("RGB")


def _processor(name: str, frames: str) -> Any:
    """The model's own processor; without torchvision, one for pictures alone."""
    from transformers import AutoImageProcessor, AutoProcessor, AutoTokenizer
    from transformers.utils import is_torchvision_available

    if is_torchvision_available():
        return AutoProcessor.from_pretrained(name)
    if frames == VIDEO:
        raise MissingExtra("local", "frames as a video (torchvision)")
    return PictureProcessor(AutoTokenizer.from_pretrained(name), AutoImageProcessor.from_pretrained(name))


@dataclass(frozen=True)
class PictureProcessor:
    """Tokenizer and image processor of a Qwen-VL model, joined as its own processor joins them."""

    tokenizer: Any
    image_processor: Any

    def apply_chat_template(self, messages: Any, **options: Any) -> str:
        text: str = self.tokenizer.apply_chat_template(messages, **options)
        return text

    def batch_decode(self, tokens: Any, **options: Any) -> list[str]:
        texts: list[str] = self.tokenizer.batch_decode(tokens, **options)
        return texts

    def __call__(self, text: list[str], return_tensors: str, images: Any = None) -> Any:
        pixels = self.image_processor(images=images, return_tensors=return_tensors) if images else {}
        (prompt,) = text
        if images:
            merged = self.image_processor.merge_size**2
            counts = [int(grid.prod()) // merged for grid in pixels["image_grid_thw"]]
            before, *rest = prompt.split(IMAGE_PAD)
            prompt = before + "".join(
                IMAGE_PAD * count + after for count, after in zip(counts, rest, strict=True)
            )
        tokens = self.tokenizer([prompt], return_tensors=return_tensors)
        pad = self.tokenizer.convert_tokens_to_ids(IMAGE_PAD)
        tokens["mm_token_type_ids"] = (tokens["input_ids"] == pad).int()  # 1: a token of a picture
        tokens.update(pixels)
        return tokens
