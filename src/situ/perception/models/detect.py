"""Things by name, in any words: Grounding DINO, MM-Grounding-DINO, LLMDet and OWLv2 through transformers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.perception.models.runtime import (
    Place,
    loading,
    normalised,
    optics,
    resized,
    running,
    to_tensor,
    torch,
    transformers,
)
from situ.perception.models.track import overlap
from situ.perception.stages import Detections
from situ.recording.codec import Rgb

SHORTEST_SIDE, LONGEST_SIDE = 480, 640
LEAST_SCORE = 0.3
_MOST_BOXES = 100  # of one picture; comparing more with each other takes longer than finding them
_MOST_READY = 64  # pictures looked at ahead of time; some are never asked for, as tracking was lost
_NAMES_AT_ONCE = 40  # names in one prompt; text encoders end at 256 tokens


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
        self._place = Place.choose(device)
        with loading(name):
            auto = transformers().AutoModelForZeroShotObjectDetection
            self._model: Any = (
                auto.from_pretrained(name, dtype=self._place.dtype).to(self._place.device).eval()
            )
            self._tokenizer = transformers().AutoTokenizer.from_pretrained(name)
            self._optics = optics(name)
        self._is_owl = self._model.config.model_type in ("owlv2", "owlvit")
        at_once = len(vocabulary) if self._is_owl else _NAMES_AT_ONCE
        self._groups = [list(vocabulary[i : i + at_once]) for i in range(0, len(vocabulary), at_once)]
        self._ready: list[tuple[Rgb, Detections]] = []

    def prepare(self, pictures: Sequence[Rgb]) -> None:
        """Look at several pictures at once; `detect` then only hands the results out."""
        if pictures:
            found = self.detect_all(pictures)
            self._ready = [*self._ready, *zip(pictures, found, strict=True)][-_MOST_READY:]

    def detect(self, rgb: Rgb) -> Detections:
        for picture, found in self._ready:
            if picture is rgb:
                return found
        return self.detect_all([rgb])[0]

    def detect_all(self, pictures: Sequence[Rgb]) -> list[Detections]:
        """What is in pictures of one size."""
        height, width = pictures[0].shape[:2]
        with running(self.name), torch().inference_mode():
            pixels = self._pixels(pictures, height, width)
            parts = [self._ask(pixels, names, height, width) for names in self._groups]
        return [_joined([part[i] for part in parts]) for i in range(len(pictures))]

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

    def _ask(self, pixels: Any, names: list[str], height: int, width: int) -> list[Detections]:
        return (
            self._ask_owl(pixels, names, height, width)
            if self._is_owl
            else self._ask_dino(pixels, names, height, width)
        )

    def _ask_dino(self, pixels: Any, names: list[str], height: int, width: int) -> list[Detections]:
        """One prompt "cup. red chair." for all names; each box has a score for every token of it."""
        t, count = torch(), len(pixels)
        prompt = "".join(f"{name.lower()}. " for name in names).strip()
        text = self._tokenizer([prompt] * count, return_tensors="pt", truncation=True, max_length=256)
        text = {key: value.to(self._place.device) for key, value in text.items()}
        mask = t.ones((count, *pixels.shape[-2:]), dtype=t.long, device=self._place.device)
        out = self._model(pixel_values=pixels, pixel_mask=mask, **text)
        owners = token_owners(self._tokenizer, prompt, names)
        scores = out.logits.float().sigmoid()[..., : len(owners)]
        of_name = t.stack(
            [
                scores[..., [i for i, o in enumerate(owners) if o == n] or [0]].amax(-1)
                for n in range(len(names))
            ],
            dim=-1,
        )
        return _chosen(of_name, out.pred_boxes, names, self._least, (width, height))

    def _ask_owl(self, pixels: Any, names: list[str], height: int, width: int) -> list[Detections]:
        count = len(pixels)
        prompts = [f"a photo of a {name}" for name in names] * count
        text = self._tokenizer(
            prompts, return_tensors="pt", padding="max_length", truncation=True, max_length=16
        )
        text = {key: value.to(self._place.device) for key, value in text.items()}
        out = self._model(pixel_values=pixels, **text)
        square = max(height, width)
        found = _chosen(out.logits.float().sigmoid(), out.pred_boxes, names, self._least, (square, square))
        return [_within(one, width, height) for one in found]


def token_owners(tokenizer: Any, prompt: str, names: Sequence[str]) -> list[int]:
    """For each token of a prompt "a. b. c." the number of the name it belongs to; -1 for dots and frames."""
    encoded = tokenizer(prompt, truncation=True, max_length=256, return_offsets_mapping=True)
    ends, position = [], 0
    for name in names:
        ends.append((position, position + len(name)))
        position += len(name) + 2
    owners = []
    for start, stop in encoded["offset_mapping"]:
        owner = next((i for i, (a, b) in enumerate(ends) if stop > start and a <= start and stop <= b), -1)
        owners.append(owner)
    return owners


def _chosen(
    of_name: Any, centred: Any, names: Sequence[str], least: float, size: tuple[int, int]
) -> list[Detections]:
    """Boxes (centre, size, in shares) with a name that is likely enough."""
    found = []
    scores, best = of_name.max(-1)
    for score, name, box in zip(scores.cpu(), best.cpu(), centred.float().cpu(), strict=True):
        keep = score >= least
        x, y, w, h = box[keep].unbind(-1)
        corners = torch().stack([x - w / 2, y - h / 2, x + w / 2, y + h / 2], -1).numpy().astype(float)
        corners = np.clip(corners, 0.0, 1.0) * (size[0], size[1], size[0], size[1])
        kept = Detections(
            tuple(names[int(i)] for i in name[keep]),
            tuple(float(s) for s in score[keep]),
            corners.reshape(-1, 4),
        )
        found.append(without_doubles(kept))
    return found


def _within(found: Detections, width: int, height: int) -> Detections:
    boxes = np.clip(found.boxes_xyxy, 0, [width, height, width, height])
    keep = (boxes[:, 2] - boxes[:, 0] > 1) & (boxes[:, 3] - boxes[:, 1] > 1)
    return _only(Detections(found.labels, found.scores, boxes), np.flatnonzero(keep))


def without_doubles(found: Detections, most: float = 0.6) -> Detections:
    """Of boxes that overlap much, the surest only, whatever their names."""
    order = np.argsort(-np.asarray(found.scores), kind="stable")[:_MOST_BOXES]
    kept: list[int] = []
    for i in order:
        if all(overlap(found.boxes_xyxy[i], found.boxes_xyxy[j]) < most for j in kept):
            kept.append(int(i))
    return _only(found, np.array(sorted(kept), dtype=np.intp))


def _only(found: Detections, rows: NDArray[np.intp]) -> Detections:
    return Detections(
        tuple(found.labels[i] for i in rows), tuple(found.scores[i] for i in rows), found.boxes_xyxy[rows]
    )


def _joined(parts: Sequence[Detections]) -> Detections:
    if len(parts) == 1:
        return parts[0]
    whole = Detections(
        tuple(label for part in parts for label in part.labels),
        tuple(score for part in parts for score in part.scores),
        np.concatenate([part.boxes_xyxy for part in parts]),
    )
    return without_doubles(whole)
