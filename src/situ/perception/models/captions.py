"""A sentence for a picture, by a vision-language model of the Qwen-VL kind."""

from typing import Any

from situ.perception.models.runtime import Place, loading, pretrained, running, torch, transformers
from situ.recording.codec import Rgb

_PROMPT = "Say in one short sentence what the wearer of the camera sees and does."
_MOST_TOKENS = 40


class Captions:
    """A captioner; it needs torchvision, as the processors of these models do."""

    def __init__(self, name: str, device: str = "auto", most_tokens: int = _MOST_TOKENS) -> None:
        self.name, self._most = name, most_tokens
        self._place = Place.choose(device)
        with loading(name):
            auto = transformers().AutoModelForImageTextToText
            self._model: Any = pretrained(auto, name, self._place)
            self._processor = transformers().AutoProcessor.from_pretrained(name)

    def caption(self, rgb: Rgb) -> str:
        content = [{"type": "image"}, {"type": "text", "text": _PROMPT}]
        with running(self.name), torch().inference_mode():
            prompt = self._processor.apply_chat_template(
                [{"role": "user", "content": content}], tokenize=False, add_generation_prompt=True
            )
            inputs = self._processor(text=[prompt], images=[rgb], return_tensors="pt").to(self._place.device)
            known = inputs["input_ids"].shape[1]
            tokens = self._model.generate(**inputs, max_new_tokens=self._most, do_sample=False)[:, known:]
        return " ".join(str(self._processor.batch_decode(tokens, skip_special_tokens=True)[0]).split())
