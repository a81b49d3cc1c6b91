"""Exports of a training set for other trainers: TRL, LLaMA-Factory (ShareGPT), ms-swift."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from situ.errors import BadInput
from situ.train.rows import TrainingRow, read_rows

Export = Callable[[Path, Iterable[TrainingRow]], Path]


def trl(folder: Path, rows: Iterable[TrainingRow]) -> Path:
    """TRL: messages with a list of parts; a video is a list of frames. `images` stays empty.

    Train with `remove_unused_columns=False` and a `max_length` of the recipe's tokens.
    """

    def plain(row: TrainingRow) -> dict[str, Any]:
        parts: list[dict[str, Any]] = []
        text = row.prompt
        for medium in row.media:
            before, _, text = text.partition(f"<{medium.kind}>")
            if before:
                parts.append({"type": "text", "text": before})
            frames = [str((folder / name).resolve()) for name in medium.frames]
            if medium.kind == "video":
                parts.append({"type": "video", "video": frames, "fps": medium.fps})
            else:
                parts.append({"type": "image", "image": frames[0]})
        parts.append({"type": "text", "text": text})
        answer = [{"type": "text", "text": row.answer}]
        messages = [{"role": "user", "content": parts}, {"role": "assistant", "content": answer}]
        return {"messages": messages, "images": []}

    return _lines(folder / "trl.jsonl", (plain(row) for row in rows))


def sharegpt(folder: Path, rows: Iterable[TrainingRow]) -> Path:
    """LLaMA-Factory: placeholders in the text and separate media, with an entry for dataset_info.json."""
    path = _lines(folder / "sharegpt.jsonl", (_with_media(row) for row in rows))
    info = {
        "situ_camo": {
            "file_name": path.name,
            "formatting": "sharegpt",
            "columns": {"messages": "messages", "images": "images", "videos": "videos"},
            "tags": {
                "role_tag": "role",
                "content_tag": "content",
                "user_tag": "user",
                "assistant_tag": "assistant",
            },
        }
    }
    (folder / "dataset_info.json").write_text(json.dumps(info, indent=1) + "\n", encoding="utf-8")
    return path


def swift(folder: Path, rows: Iterable[TrainingRow]) -> Path:
    """ms-swift: the same messages; media fields only if there are media."""

    def plain(row: TrainingRow) -> dict[str, Any]:
        data = _with_media(row)
        return {key: value for key, value in data.items() if value}

    return _lines(folder / "swift.jsonl", (plain(row) for row in rows))


EXPORTS: dict[str, Export] = {"trl": trl, "sharegpt": sharegpt, "swift": swift}


def export(folder: Path, names: Iterable[str]) -> list[Path]:
    """Write the named exports next to the rows of a set."""
    wanted = list(names)
    unknown = [name for name in wanted if name not in EXPORTS]
    if unknown:
        raise BadInput(f"unknown export '{unknown[0]}'; choose from {', '.join(EXPORTS)}")
    return [EXPORTS[name](folder, read_rows(folder)) for name in wanted]


def _with_media(row: TrainingRow) -> dict[str, Any]:
    return {
        "messages": [
            {"role": "user", "content": row.prompt},
            {"role": "assistant", "content": row.answer},
        ],
        "images": [medium.frames[0] for medium in row.media if medium.kind == "image"],
        "videos": [list(medium.frames) for medium in row.media if medium.kind == "video"],
        # Frames per second of each video. Trainers with one global rate must be given these.
        "fps": [medium.fps for medium in row.media if medium.kind == "video"],
    }


def _lines(path: Path, entries: Iterable[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8") as file:
        for entry in entries:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
    return path
