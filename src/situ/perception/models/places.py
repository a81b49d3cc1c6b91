"""Kinds of place, and the looks of things, by SigLIP: a picture and a few words in one space."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.perception.detections import Boxes
from situ.perception.models.ahead import Ahead
from situ.perception.models.runtime import (
    Place,
    loading,
    normalised,
    optics,
    pretrained,
    resized,
    running,
    to_tensor,
    torch,
    transformers,
)
from situ.perception.models.vocabulary import PLACES
from situ.perception.stages import InputFrame
from situ.recording.codec import Rgb

_PROMPT = "This is a photo of a {}."
_LEAST_LEAD = 0.15  # the best place must be this much likelier than chance among those offered
_SMALLEST_CROP = 8
_CROPS_AT_ONCE = 256  # of 224 x 224 pixels: a GPU is busy with them, and they take a few hundred MB


class PictureWords:
    """Tags places and embeds crops with one SigLIP model."""

    def __init__(self, name: str, device: str = "auto", places: Sequence[str] = PLACES) -> None:
        self.name, self._places = name, tuple(places)
        self._tagged: Ahead[tuple[str | None]] = Ahead()
        self._place = Place.choose(device)
        with loading(name):
            auto = transformers().AutoModel
            self._model: Any = pretrained(auto, name, self._place)
            self._optics = optics(name)
            tokenizer = transformers().AutoTokenizer.from_pretrained(name)
        with running(name), torch().inference_mode():
            words = tokenizer(
                [_PROMPT.format(place) for place in self._places],
                padding="max_length",
                max_length=min(64, int(self._model.config.text_config.max_position_embeddings)),
                truncation=True,
                return_tensors="pt",
            )
            self._words = _unit(
                self._model.get_text_features(input_ids=words["input_ids"].to(self._place.device))
            )

    def prepare(self, frames: Sequence[InputFrame]) -> None:
        """Look at several frames at once; `tag` then only hands the results out."""
        pictures = [frame.rgb for frame in frames]
        if pictures:
            self._tagged.put(pictures, [(tag,) for tag in self.tag_all(pictures)])

    def tag(self, rgb: Rgb) -> str | None:
        """The likeliest kind of place, or None where none stands out."""
        ready = self._tagged.get(rgb)
        return self.tag_all([rgb])[0] if ready is None else ready[0]

    def tag_all(self, pictures: Sequence[Rgb]) -> list[str | None]:
        """The same of several pictures."""
        with running(self.name), torch().inference_mode():
            likeness = self._pictures([to_tensor([rgb], self._place) for rgb in pictures]) @ self._words.T
            shares = (likeness * self._model.logit_scale.float().exp()).softmax(-1).cpu().numpy()
        least = 1 / len(self._places) + _LEAST_LEAD
        return [self._places[int(np.argmax(row))] if row.max() > least else None for row in shares]

    def embed(self, rgb: Rgb, boxes_xyxy: Boxes) -> NDArray[np.float32]:
        """A unit vector for each box's crop."""
        return self.embed_all([rgb], [boxes_xyxy])[0]

    def embed_all(self, pictures: Sequence[Rgb], boxes_xyxy: Sequence[Boxes]) -> list[NDArray[np.float32]]:
        """A unit vector for each box's crop of several pictures: as many crops at once as memory bears."""
        found: list[NDArray[np.float32]] = []
        with running(self.name), torch().inference_mode():
            whole = [to_tensor([rgb], self._place) for rgb in pictures]
            crops = [_crop(seen, box) for seen, boxes in zip(whole, boxes_xyxy, strict=True) for box in boxes]
            for start in range(0, len(crops), _CROPS_AT_ONCE):
                made = self._pictures(crops[start : start + _CROPS_AT_ONCE])
                found.append(np.asarray(made.cpu().numpy(), dtype=np.float32))
        together = np.concatenate(found) if found else np.zeros((0, 0), np.float32)
        return np.split(together, np.cumsum([len(boxes) for boxes in boxes_xyxy])[:-1])

    def _pictures(self, pictures: Sequence[Any]) -> Any:
        side = self._optics.height
        small = [resized(picture, (side, side)) for picture in pictures]
        pixels = normalised(torch().cat(small), self._optics.mean, self._optics.std, self._place)
        return _unit(self._model.get_image_features(pixel_values=pixels))


def _unit(features: Any) -> Any:
    found = getattr(features, "pooler_output", features).float()
    return found / found.norm(dim=-1, keepdim=True).clamp_min(1e-9)


def _crop(picture: Any, box: NDArray[np.float64]) -> Any:
    height, width = picture.shape[-2:]
    left, top = (
        int(np.clip(v, 0, limit - _SMALLEST_CROP)) for v, limit in ((box[0], width), (box[1], height))
    )
    right = int(np.clip(box[2], left + _SMALLEST_CROP, width))
    bottom = int(np.clip(box[3], top + _SMALLEST_CROP, height))
    return picture[..., top:bottom, left:right]
