"""What a detector found in one picture, from whichever library it comes, and its way into a memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.perception.freespace import FreeSpace
from situ.perception.lifting import lift_boxes, lift_masks
from situ.perception.observation import Observation, ObservedFrame
from situ.recording.codec import Depth

Boxes = NDArray[np.float64]  # (n, 4) left, top, right, bottom
Masks = NDArray[np.bool_]  # (n, height, width)
LEAST_SCORE = 0.05  # nobody believes less


@dataclass(frozen=True, eq=False)
class Detections:
    """Things found in one picture: labels, scores and boxes in pixels (left, top, right, bottom). Masks,
    track ids and embeddings are optional.

    >>> import situ
    >>> cup = {"bbox": [10, 20, 30, 40], "category_id": 47, "score": 0.9}
    >>> found = situ.Detections.from_coco([cup], {47: "cup"})
    >>> found.labels, found.boxes_xyxy.tolist()
    (('cup',), [[10.0, 20.0, 40.0, 60.0]])
    """

    labels: tuple[str, ...]
    scores: tuple[float, ...]
    boxes_xyxy: Boxes
    masks: Masks | None = None
    track_ids: tuple[int, ...] | None = None
    embeddings: NDArray[np.float32] | None = None

    def __post_init__(self) -> None:
        counts = {len(self.labels), len(self.scores), len(self.boxes_xyxy)}
        counts |= {len(extra) for extra in (self.masks, self.track_ids, self.embeddings) if extra is not None}
        if len(counts) != 1:
            raise BadInput(f"detections of one picture must have one length, got {sorted(counts)}")

    def __len__(self) -> int:
        return len(self.labels)

    @classmethod
    def none(cls) -> Self:
        return cls((), (), np.zeros((0, 4)))

    @classmethod
    def from_supervision(cls, found: Any, names: Sequence[str] | Mapping[int, str] | None = None) -> Self:
        """From `supervision.Detections`; `names` where its data has no class names."""
        said = found.data.get("class_name") if getattr(found, "data", None) else None
        if said is None and found.class_id is None and len(found.xyxy):
            raise BadInput("these detections have no classes; a memory needs to know what each thing is")
        labels = _labels(found.class_id, names) if said is None else tuple(map(str, said))
        return cls._of(labels, found.confidence, found.xyxy, found.mask, found.tracker_id)

    @classmethod
    def from_ultralytics(cls, result: Any) -> Self:
        """From one `ultralytics` result. Its masks are left out: they are in the network's grid, not the
        picture's."""
        boxes = result.boxes
        if boxes is None:
            raise BadInput("this ultralytics result holds no boxes; take one of detection or tracking")
        return cls._of(_labels(boxes.cls, result.names), boxes.conf, boxes.xyxy, None, boxes.id)

    @classmethod
    def from_transformers(cls, result: Mapping[str, Any], id2label: Mapping[int, str] | None = None) -> Self:
        """From one picture's entry of `post_process_object_detection` or of a grounded one; `id2label` is
        that of the model's configuration. Text labels are taken as they are: ask the model for "cup" rather
        than for "a photo of a cup"."""
        said = result.get("text_labels", result.get("labels"))
        in_words = said is not None and len(said) > 0 and isinstance(said[0], str)
        labels = tuple(map(str, said or ())) if in_words else _labels(result["labels"], id2label)
        return cls._of(labels, result["scores"], result["boxes"])

    @classmethod
    def from_coco(cls, annotations: Sequence[Mapping[str, Any]], categories: Mapping[int, str]) -> Self:
        """From results or annotations in COCO's form: `bbox` is left, top, width, height."""
        boxes = np.array([one["bbox"] for one in annotations], dtype=float).reshape(-1, 4)
        boxes[:, 2:] += boxes[:, :2]
        ids = [one["category_id"] for one in annotations]
        return cls._of(_labels(ids, categories), [one.get("score", 1.0) for one in annotations], boxes)

    @classmethod
    def _of(
        cls, labels: tuple[str, ...], scores: Any, boxes: Any, masks: Any = None, tracks: Any = None
    ) -> Self:
        return cls(
            labels,
            tuple(1.0 for _ in labels) if scores is None else tuple(map(float, _array(scores))),
            _array(boxes).astype(float).reshape(-1, 4),
            None if masks is None else _array(masks).astype(bool),
            None if tracks is None else tuple(map(int, _array(tracks))),
        )

    def only(self, wanted: NDArray[np.bool_]) -> Self:
        """Those of them that are wanted."""
        rows = np.flatnonzero(wanted)
        return replace(
            self,
            labels=tuple(self.labels[i] for i in rows),
            scores=tuple(self.scores[i] for i in rows),
            boxes_xyxy=self.boxes_xyxy[rows],
            masks=None if self.masks is None else self.masks[rows],
            track_ids=None if self.track_ids is None else tuple(self.track_ids[i] for i in rows),
            embeddings=None if self.embeddings is None else self.embeddings[rows],
        )

    def placed(self, depth: Depth, camera: Camera, T_world_camera: Matrix) -> tuple[Observation, ...]:
        """The things placed in the world by depth; those without depth, and those nobody believes, are left
        out."""
        things: list[Observation] = []
        for i, score in enumerate(self.scores):  # one by one: those left out must not shift the others
            if score < LEAST_SCORE:
                continue
            shape: Any = self.boxes_xyxy if self.masks is None else self.masks
            lift: Any = lift_boxes if self.masks is None else lift_masks
            tracks = None if self.track_ids is None else [self.track_ids[i]]
            seen: tuple[Observation, ...] = lift(
                [self.labels[i]], [min(1.0, score)], shape[i : i + 1], depth, camera, T_world_camera,
                track_ids=tracks,
            )  # fmt: skip
            vector = None if self.embeddings is None else self.embeddings[i]
            things += [thing if vector is None else replace(thing, embedding=vector) for thing in seen]
        return tuple(things)

    def frame(
        self,
        time: float,
        T_world_camera: Matrix,
        camera: Camera,
        depth: Depth,
        place: str | None = None,
    ) -> ObservedFrame:
        """What a memory observes: the things placed in the world by depth in metres along the optical axis.

        The pose is camera to world, with the camera's x right, y down, z forward, and the world's z up.
        """
        if len(getattr(depth, "shape", ())) != 2:
            raise BadInput(
                f"depth is a picture of {camera.width} x {camera.height} numbers, metres along the optical "
                f"axis; got {type(depth).__name__}. For one distance everywhere: "
                f"np.full(({camera.height}, {camera.width}), 3.0)"
            )
        if depth.shape != (camera.height, camera.width):
            raise BadInput(
                f"depth has {depth.shape[1]} x {depth.shape[0]} pixels, the camera "
                f"{camera.width} x {camera.height}; bring both to one grid, that of the boxes"
            )
        placed = self.placed(depth, camera, T_world_camera)
        return ObservedFrame(time, T_world_camera, placed, camera, FreeSpace.from_depth(depth), place)


def _labels(ids: Any, names: Sequence[str] | Mapping[int, str] | None) -> tuple[str, ...]:
    numbers = [] if ids is None else [int(one) for one in _array(ids)]
    if names is None and numbers:
        raise BadInput("the detections have class numbers only; give the names of the classes too")
    try:
        return tuple(str(names[number]) for number in numbers) if names is not None else ()
    except (KeyError, IndexError) as error:
        raise BadInput(f"class number {error} has no name among the names that were given") from error


def _array(values: Any) -> NDArray[Any]:
    """A numpy array of a tensor on any device, of an array or of a list."""
    for step in ("detach", "cpu", "numpy"):
        if hasattr(values, step):
            values = getattr(values, step)()
    return np.asarray(values)
