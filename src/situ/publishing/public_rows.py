"""Public rows of a question set: text, options, and the images shown.

Nothing else is published: no program, margin, stratum, evidence, world, pose or seed, and without `keys` no
answer.
"""

import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from situ.benchmarks.dataset import Dataset
from situ.evaluation.benchmark import protocol_of
from situ.evaluation.models.prompt import Template, fill
from situ.evaluation.records.frames import FramePolicy, PictureStore

MAX_FRAMES = 32  # per question, to bound the size of a row
_PICTURE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
_TEXT = {"dtype": "string", "_type": "Value"}
# Type of each column, and its feature for Hugging Face `datasets`.
COLUMNS: dict[str, tuple[pa.DataType, dict[str, Any]]] = {
    "id": (pa.string(), _TEXT),
    "item": (pa.string(), _TEXT),
    "task": (pa.string(), _TEXT),
    "question": (pa.string(), _TEXT),
    "options": (pa.list_(pa.string()), {"feature": _TEXT, "_type": "Sequence"}),
    "prompt": (pa.string(), _TEXT),
    "time": (pa.float64(), {"dtype": "float64", "_type": "Value"}),
    "frames": (pa.list_(_PICTURE), {"feature": {"_type": "Image"}, "_type": "Sequence"}),
    "answer": (pa.string(), _TEXT),
}
KEYS = ("answer",)


def usual_frames(dataset: Dataset) -> str:
    """Frames that the benchmark shows, at most 32."""
    own = FramePolicy.parse(protocol_of(str(dataset.manifest["benchmark"])).frames)
    return str(own.then(f"uniform:{MAX_FRAMES}"))


def columns(keys: bool) -> list[str]:
    return [name for name in COLUMNS if keys or name not in KEYS]


def schema(keys: bool) -> pa.Schema:
    """Columns with the metadata that makes viewers show images."""
    names = columns(keys)
    about = {"info": {"features": {name: COLUMNS[name][1] for name in names}}}
    return pa.schema(
        [(name, COLUMNS[name][0]) for name in names], metadata={b"huggingface": json.dumps(about).encode()}
    )


def public_rows(dataset: Dataset, frames: str, keys: bool) -> Iterator[dict[str, Any]]:
    """Rows by recording, sorted by id within a recording, an order without information."""
    policy, protocol = FramePolicy.parse(frames), protocol_of(str(dataset.manifest["benchmark"]))
    store = PictureStore(dataset.recording)
    for row in sorted(dataset.questions, key=lambda row: (row.item, row.id)):
        if not protocol.asks(row):
            continue
        recording = store.recording(row.item)
        shown = policy.pick(recording, row)
        words = fill(Template(), protocol, row, recording, shown)
        pictures = store.pictures(row.item, shown, policy.size).jpegs if recording.has_images else ()
        found: dict[str, Any] = {
            "id": row.id,
            "item": row.item,
            "task": row.task,
            "question": row.text,
            "options": list(row.options),
            "prompt": f"{words.system}\n\n{words.text}",
            "time": row.time,
            "frames": [
                {"bytes": jpeg, "path": f"{row.item}-{place:03d}.jpg"} for place, jpeg in enumerate(pictures)
            ],
            "answer": row.answer,
        }
        yield {name: found[name] for name in columns(keys)}
