"""Names to followed masks in one model: SAM 3, for those whom its owner has given access."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from situ.errors import BadInput
from situ.perception.detections import Detections
from situ.perception.lifting import box_of
from situ.perception.models.runtime import Place, loading, pretrained, running, torch, transformers
from situ.recording.codec import Rgb

_SESSION_FRAMES = 120  # then the session starts anew: what it keeps grows with every frame
_NEW_SESSION_IDS = 100_000


class NamedMasks:
    """A detector whose detections carry masks and numbers. It needs torchvision, as its processor does."""

    def __init__(self, name: str, vocabulary: Sequence[str], device: str = "auto") -> None:
        if not vocabulary:
            raise BadInput("SAM 3 needs names to look for; give --vocabulary FILE")
        self.name, self._words = name, list(vocabulary)
        self._place = Place.choose(device)
        with loading(name):
            kind = transformers().Sam3VideoModel
            self._model: Any = pretrained(kind, name, self._place)
            self._processor = transformers().Sam3VideoProcessor.from_pretrained(name)
        self._session: Any = None
        self._frames = self._sessions = 0

    def detect(self, rgb: Rgb) -> Detections:
        with running(self.name), torch().inference_mode():
            if self._session is None or self._frames == _SESSION_FRAMES:
                self._start()
            self._frames += 1
            inputs = self._processor(images=rgb, device=self._place.device, return_tensors="pt")
            out = self._model(inference_session=self._session, frame=inputs.pixel_values[0])
            found = self._processor.postprocess_outputs(
                self._session, out, original_sizes=[[rgb.shape[0], rgb.shape[1]]]
            )
        names = {
            int(number): word for word, numbers in found["prompt_to_obj_ids"].items() for number in numbers
        }
        masks = found["masks"].cpu().numpy().astype(bool).reshape(-1, *rgb.shape[:2])
        ids = [int(n) for n in found["object_ids"]]
        seen = [i for i, number in enumerate(ids) if masks[i].any() and number in names]
        return Detections(
            tuple(names[ids[i]] for i in seen),
            tuple(float(np.clip(float(found["scores"][i]), 0.0, 1.0)) for i in seen),
            np.array([box_of(masks[i]) for i in seen]).reshape(-1, 4),
            masks[seen],
            tuple(ids[i] + _NEW_SESSION_IDS * self._sessions for i in seen),
        )

    def _start(self) -> None:
        self._session = self._processor.init_video_session(
            inference_device=self._place.device, dtype=self._place.dtype
        )
        self._processor.add_text_prompt(self._session, self._words)
        self._frames, self._sessions = 0, self._sessions + 1
