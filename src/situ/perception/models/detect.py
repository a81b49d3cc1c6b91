"""Things by name, in any words: Grounding DINO, MM-Grounding-DINO, LLMDet and OWLv2 through transformers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.perception.detections import Detections
from situ.perception.models.ahead import Ahead
from situ.perception.models.prompts import Prompts
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
from situ.recording.codec import Rgb

SHORTEST_SIDE, LONGEST_SIDE = 480, 640
LEAST_SCORE = 0.3
_MOST_BOXES = 100  # of one picture; few have more things, and comparing them takes time
_AT_ONCE = 16  # pairs of a picture and a prompt; more of them take memory and bring no speed


class NamedThings:
    """A detector for a list of names. Boxes come back in the pixel grid of the pictures."""

    def __init__(
        self,
        name: str,
        vocabulary: Sequence[str],
        device: str = "auto",
        least_score: float = LEAST_SCORE,
        longest_side: int = LONGEST_SIDE,
    ) -> None:
        if not vocabulary:
            raise BadInput("a detector needs names to look for; give --vocabulary FILE")
        self.name, self._least, self._longest = name, least_score, longest_side
        self._words = tuple(vocabulary)
        self._place = Place.choose(device)
        with loading(name):
            auto = transformers().AutoModelForZeroShotObjectDetection
            self._model: Any = pretrained(auto, name, self._place)
            tokenizer = transformers().AutoTokenizer.from_pretrained(name)
            self._optics = optics(name)
        self._is_owl = self._model.config.model_type in ("owlv2", "owlvit")
        make = Prompts.each_name if self._is_owl else Prompts.sentences
        self._prompts = make(tokenizer, self._words, self._place.device)
        if not self._is_owl:
            self._prompts.read_once(self._model.model.text_backbone)
        self._ready: Ahead[Detections] = Ahead()

    def prepare(self, pictures: Sequence[Rgb]) -> None:
        """Look at several pictures at once; `detect` then only hands the results out."""
        if pictures:
            self._ready.put(pictures, self.detect_all(pictures))

    def detect(self, rgb: Rgb) -> Detections:
        ready = self._ready.get(rgb)
        return self.detect_all([rgb])[0] if ready is None else ready

    def detect_all(self, pictures: Sequence[Rgb]) -> list[Detections]:
        """What is in pictures of one size."""
        height, width = pictures[0].shape[:2]
        together = len(pictures) if self._is_owl else max(1, _AT_ONCE // self._prompts.count)
        found = []
        with running(self.name), torch().inference_mode():
            for start in range(0, len(pictures), together):
                pixels = self._pixels(pictures[start : start + together], height, width)
                ask = self._ask_owl if self._is_owl else self._ask_dino
                found += self._chosen(*ask(pixels), height, width)
        return found

    def _pixels(self, pictures: Sequence[Rgb], height: int, width: int) -> Any:
        raw = to_tensor(pictures, self._place)
        if self._is_owl:
            side = self._optics.height
            square = max(height, width)
            # OWLv2 sees a square: the picture in its upper left corner, grey elsewhere.
            padded = raw.new_full((len(pictures), 3, square, square), 0.5)
            padded[..., :height, :width] = raw
            raw = resized(padded, (side, side))
        else:
            scale = min(SHORTEST_SIDE / min(height, width), self._longest / max(height, width))
            raw = resized(raw, (max(32, round(height * scale)), max(32, round(width * scale))))
        return normalised(raw, self._optics.mean, self._optics.std, self._place)

    def _ask_dino(self, pixels: Any) -> tuple[Any, Any, Any]:
        """Scores, numbers of names and boxes of every picture: each prompt is asked of each of them."""
        t, count = torch(), len(pixels)
        pairs = pixels.repeat_interleave(self._prompts.count, dim=0)
        mask = t.ones((len(pairs), *pixels.shape[-2:]), dtype=t.long, device=self._place.device)
        out = self._model(pixel_values=pairs, pixel_mask=mask, **self._prompts.asked_of(count))
        scores, names = self._prompts.best_names(out.logits.float().sigmoid())
        return scores.view(count, -1), names.view(count, -1), out.pred_boxes.view(count, -1, 4)

    def _ask_owl(self, pixels: Any) -> tuple[Any, Any, Any]:
        out = self._model(pixel_values=pixels, **self._prompts.asked_of(len(pixels)))
        scores, names = out.logits.float().sigmoid().max(-1)
        return scores, names, out.pred_boxes

    def _chosen(self, scores: Any, names: Any, centred: Any, height: int, width: int) -> list[Detections]:
        """Boxes (centre, size, in shares) with a name that is likely enough, the surest of each picture."""
        size = (max(height, width),) * 2 if self._is_owl else (width, height)
        surest, rows = scores.topk(min(_MOST_BOXES, scores.shape[1]), dim=1)
        boxes = centred.gather(1, rows[..., None].expand(-1, -1, 4)).float().cpu().numpy().astype(float)
        labels, scores = names.gather(1, rows).cpu().numpy(), surest.cpu().numpy().astype(float)
        found = []
        for box, name, score in zip(boxes, labels, scores, strict=True):
            corners = np.concatenate([box[:, :2] - box[:, 2:] / 2, box[:, :2] + box[:, 2:] / 2], axis=1)
            corners = np.clip(np.clip(corners, 0, 1) * (*size, *size), 0, [width, height, width, height])
            keep = np.flatnonzero((score >= self._least) & (corners[:, 2:] - corners[:, :2] > 1).all(axis=1))
            kept = Detections(
                tuple(self._words[int(n)] for n in name[keep]), tuple(score[keep].tolist()), corners[keep]
            )
            found.append(without_doubles(kept))
        return found


def without_doubles(found: Detections, most: float = 0.6) -> Detections:
    """Of boxes that overlap much, the surest only, whatever their names."""
    order = np.argsort(-np.asarray(found.scores), kind="stable")
    alike = overlaps(found.boxes_xyxy, found.boxes_xyxy) >= most
    kept: list[int] = []
    for i in order:
        if not alike[i, kept].any():
            kept.append(int(i))
    rows = sorted(kept)
    return Detections(
        tuple(found.labels[i] for i in rows), tuple(found.scores[i] for i in rows), found.boxes_xyxy[rows]
    )


def overlaps(some: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shared area of each of some boxes with each of others, over the area of both together."""
    a, b = some[:, None], others[None]
    size = np.clip(np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2]), 0, None)
    shared = size.prod(axis=-1)
    areas = [(boxes[..., 2:] - boxes[..., :2]).prod(axis=-1) for boxes in (a, b)]
    return np.asarray(shared / np.maximum(areas[0] + areas[1] - shared, 1e-9), dtype=float)
