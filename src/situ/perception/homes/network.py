"""The network on one CPU core: a picture in, names and numbers for every cell out. onnxruntime alone."""

import json
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadFormat, BadInput, MissingExtra
from situ.geometry.camera import Camera
from situ.perception.eyes_package import packaged_eyes
from situ.perception.homes.channels import slices
from situ.perception.onnx_options import session_options
from situ.recording.codec import Rgb

FILE = "homes.onnx"  # of the package `situ-eyes`
ANOTHER = "SITU_EYES"  # names a network to use instead
_OUTPUTS = ("label", "sure", "fields", "rooms")
_NEEDED = (
    "names",
    "shell",
    "colors",
    "colored",
    "materials",
    "surfaces",
    "fields",
    "rooms",
    "stride",
    "focal",
    "centre_px",
)


@dataclass(frozen=True, eq=False)
class Glance:
    """What the network says of one picture. `label` numbers `Network.names`; `points` are what cells show."""

    label: NDArray[np.int32]  # (rows, columns)
    sure: NDArray[np.float32]
    fields: dict[str, NDArray[np.float32]]  # (channels, rows, columns)
    metres: NDArray[np.float32]  # along the optical axis
    points: NDArray[np.float32]  # (rows, columns, 3) in camera axes
    middles: NDArray[np.float32]  # (rows, columns, 3) of the things that cells belong to
    pixel_m: NDArray[np.float32]  # metres across one pixel of the network's picture
    rooms: NDArray[np.float32]  # how likely the picture was taken in each of `Network.rooms`

    def chances_of_names(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """How likely some cells show each name, summed over the cells (names)."""
        return np.asarray(np.bincount(self.label[rows, columns], self.sure[rows, columns]), float)


class Network:
    """Any network that `situ train eyes` has written; what its numbers mean is in the file."""

    taught_by = "situ train eyes"
    outputs: tuple[str, ...] = _OUTPUTS

    def __init__(self, file: Path | None = None, threads: int = 1) -> None:
        self.file = file or _present()
        if not self.file.is_file():
            raise BadInput(
                f"there is no network {self.file}; train one with `{self.taught_by}` "
                f"and name it by --network or {ANOTHER}"
            )
        self._session = _session(self.file, self.file.stat().st_mtime_ns, threads)
        about = self._session.get_modelmeta().custom_metadata_map.get("situ")
        names = {entry.name for entry in self._session.get_outputs()}
        if about is None or not names.issuperset(self.outputs):
            raise BadFormat(f"{self.file} is no network of `{self.taught_by}`: nothing says what it means")
        meaning = json.loads(about)
        missing = [key for key in _NEEDED if key not in meaning]
        if missing:
            raise BadFormat(f"{self.file} does not say its {', '.join(missing)}; export it again")
        self.meaning: dict[str, Any] = meaning
        self.names: tuple[str, ...] = tuple(meaning["names"])
        self.shell = int(meaning["shell"])  # names below this are parts of buildings
        self.colors, self.materials = tuple(meaning["colors"]), tuple(meaning["materials"])
        self.surfaces = tuple(meaning["surfaces"])
        self.rooms: tuple[str, ...] = tuple(meaning["rooms"])  # the empty one stands for outdoors
        self.colored = frozenset(meaning["colored"])
        self._fields = slices(meaning["fields"])
        self._stride, self._focal = int(meaning["stride"]), float(meaning["focal"])
        self._centre_px = float(meaning["centre_px"])
        self._long = float(meaning.get("long", 0.0))
        _, self._height, self._width, _ = self._session.get_inputs()[0].shape

    def glance(self, rgb: Rgb, camera: Camera) -> Glance:
        """Look at a picture of any size; `camera` is that of the picture."""
        size = self.size_of(rgb)
        if rgb.shape[1::-1] != size:
            rgb = np.asarray(cv2.resize(rgb, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        return self._read(rgb, camera.resized(*size))

    def size_of(self, rgb: Rgb) -> tuple[int, int]:
        """Width and height at which a picture is looked at."""
        return int(self._width), int(self._height)

    def _read(self, rgb: Rgb, lens: Camera) -> Glance:
        label, sure, raw, rooms = self._session.run(self.outputs, {"rgb": np.ascontiguousarray(rgb)[None]})
        return self._glance(label, sure, raw, rooms, lens, lens.fx / self._focal)

    def _glance(
        self, label: Any, sure: Any, raw: Any, rooms: Any, lens: Camera, metres_of_one: float
    ) -> Glance:
        """`metres_of_one` is what a depth of one stands for through this lens."""
        fields = {name: raw[0, part] for name, part in self._fields.items()}
        metres = np.exp(np.clip(fields["depth"][0], -4.0, 5.0)) * np.float32(metres_of_one)
        rays = self._rays(lens, metres.shape)
        points = rays * metres[..., None]
        pixel_m = metres / np.float32(lens.fx)
        middles = points + fields["centre"].transpose(1, 2, 0) * (self._centre_px * pixel_m)[..., None]
        return Glance(label[0], sure[0], fields, metres, points, middles, pixel_m, rooms[0])

    def _rays(self, lens: Camera, shape: tuple[int, ...]) -> NDArray[np.float32]:
        middle = self._stride // 2 + 0.5
        x = (np.arange(shape[1]) * self._stride + middle - lens.cx) / lens.fx
        y = (np.arange(shape[0]) * self._stride + middle - lens.cy) / lens.fy
        rays = np.ones((*shape, 3), np.float32)
        rays[..., 0], rays[..., 1] = x[None], y[:, None]
        return rays


def _present() -> Path:
    """The network that the environment names, else that of the package `situ-eyes`."""
    if named := os.environ.get(ANOTHER):
        return Path(named)
    packaged = packaged_eyes(FILE)
    if packaged is None:
        raise MissingExtra("eyes", "looking at generated homes (the package situ-eyes)")
    return packaged


@lru_cache(maxsize=2)  # it keeps nothing between two pictures: a process needs one
def _session(file: Path, changed_ns: int, threads: int) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingExtra("eyes", "looking through the eyes for homes (onnxruntime)") from error
    options = session_options()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    try:
        return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises kinds of its own that say little
        raise BadFormat(f"{file} is no ONNX file that can be read: {str(error)[:160]}") from error
