"""Published layouts in small, with pictures of no meaning. Words are our own."""

import csv
import json
import zipfile
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

SIZE = (48, 32)


def picture(seed: int, size: tuple[int, int] = SIZE) -> np.ndarray:
    small = np.random.default_rng(seed).integers(0, 255, (4, 6, 3), np.uint8)
    return cv2.resize(small, size, interpolation=cv2.INTER_NEAREST)


def video(path: Path, seconds: float = 4.0, fps: int = 4, seed: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=fps)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for i in range(round(seconds * fps)):
            frame = av.VideoFrame.from_ndarray(picture(seed * 100 + i), format="rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def image(path: Path, seed: int = 0, size: tuple[int, int] = SIZE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), picture(seed, size))
    return path


def png_bytes(seed: int) -> bytes:
    return cv2.imencode(".png", picture(seed))[1].tobytes()


def saw(folder: Path) -> Path:
    records = []
    for scene in range(3):
        for number, task in enumerate(("localization", "shape")):
            options = ["Center", "Corner", "Side"] if number == 0 else ["Zigzag", "L-shape", "Straight"]
            right = (scene + number) % 3
            records.append({
                "question": "In which part of the lawn do you stand?" if number == 0 else "Which shape?",
                "options": options, "ground_truth": options[right], "answer": right,
                "key": f"{scene}_{18 + number}", "scene_category": ("indoor", "outdoor")[scene % 2],
                "task": task, "id": scene,
            })  # fmt: skip
            video(folder / "videos" / f"{scene}_{18 + number}.mp4", seed=scene)
    pq.write_table(pa.Table.from_pylist(records), folder / "test-00000-of-00001.parquet")
    (folder / "dataset_infos.json").write_text(json.dumps({"about": "not questions"}))
    return folder


def ucs(folder: Path) -> Path:
    """Both schemas, in files of their own."""
    for number in range(3):
        video(folder / "streams" / f"stream{number}.mp4", 6.0, 2, number)
    first = [
        {"qid": f"q{n}", "video_uid": f"stream{n}-mcq", "question": "Where is the cup?",
         "question_timestamps": f"00:00:0{3 + n}", "options": {"A": "left of me", "B": "behind me"},
         "answer_label": "AB"[n % 2], "qtype": "BINARY", "category": "Position & Orientation",
         "subcategory": "ego-centric position", "evidence": [[0.5, 1.5]]}
        for n in range(3)
    ]  # fmt: skip
    second = [
        {"video_uid": f"stream{n}", "query_timestamp": 5.0, "question": "How many are left?",
         "options": ["A. 2", "B. 3", "C. 4", "D. 5", "E. 6"], "answer_idx": n, "dimension": "quantity change"}
        for n in range(3)
    ]  # fmt: skip
    (folder / "annotations").mkdir(parents=True)
    (folder / "annotations" / "first.json").write_text(json.dumps(first))
    (folder / "annotations" / "second.jsonl").write_text("\n".join(map(json.dumps, second)))
    return folder


def rem(folder: Path) -> Path:
    """Two runs of four pictures; questions per run as CSV, and the aggregated table's columns."""
    names = ("init", "move_forward_1m", "rotate_left_15", "move_forward_1m")
    for run in range(2):
        home = folder / f"{run:04d}-run"
        for i, name in enumerate(names):
            image(home / "images" / f"image_{i:04d}_{name}.png", run * 10 + i, (96, 54))
        image(home / "scene_plot.png")
        (home / "images" / "annotations.csv").write_text("image_filename,annotation,visible_objects\n")
        rows = [
            ("How many blue objects are there?", "2"),
            ("Are there more red cones or spheres?", "spheres" if run else "equal"),
            ("Is the green sphere to the left of the blue cuboid?", "yes" if run else "no"),
            ("Was the black cone seen before, after, or at the same time as the red cuboid?", "before"),
        ]
        with (home / "questions.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("question", "ground_truth", "len_of_trajectory", "number_of_duplicates"))
            writer.writerows((*row, 4, 3 * run) for row in rows)
    return folder


def vsi(folder: Path) -> Path:
    """Questions as JSON lines, videos inside a ZIP file."""
    rows: list[dict[str, Any]] = []
    for n in range(3):
        where = {"dataset": "scannet", "scene_name": f"scene000{n}_00"}
        rows.append({"id": 10 * n, **where, "question_type": "object_counting", "ground_truth": str(2 + n),
                     "question": "How many chair(s) are in this room?", "options": None})  # fmt: skip
        rows.append({"id": 10 * n + 1, **where, "question_type": "object_rel_distance", "ground_truth": "B",
                     "question": "Which is nearest to the door?",
                     "options": ["A. bed", "B. lamp", "C. sofa", "D. desk"]})  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "test.jsonl").write_text("\n".join(map(json.dumps, rows)))
    with zipfile.ZipFile(folder / "scannet.zip", "w") as archive:
        for n in range(3):
            film = video(folder.parent / "film.mp4", seed=n)
            archive.write(film, f"scannet/scene000{n}_00.mp4")
            film.unlink()
    return folder


def openeqa(folder: Path) -> Path:
    rows = [
        {"question": "What colour is the rug?", "answer": ("Red", "Blue", "Red")[n], "category": "attribute",
         "question_id": f"id-{n}", "episode_history": f"hm3d-v0/00{n}-home", "extra_answers": ["Crimson"]}
        for n in range(3)
    ]  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "open-eqa-v0.json").write_text(json.dumps(rows))
    for n in range(3):
        for i in range(3):
            image(folder / "frames" / "hm3d-v0" / f"00{n}-home" / f"{i:05d}-rgb.png", n * 10 + i)
    return folder


def cvbench(folder: Path) -> Path:
    """Pictures stored in the table, keys as letters in brackets."""
    rows = [
        {"idx": n, "type": "2D", "task": ("Count", "Relation")[n % 2], "image": {"bytes": png_bytes(n),
         "path": None}, "question": "How many lamps are there?", "choices": ["1", "2", "3"],
         "answer": f"({'ABC'[n % 3]})", "source": "ADE20K"}
        for n in range(4)
    ]  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), folder / "test_2d.parquet")
    return folder


def spar(folder: Path) -> Path:
    """Pictures in the table, options in the question, a number, and a move from view to view."""
    asked = [
        ("obj_spatial_relation_oo", "Where is the sofa? Options: A. left B. right C. behind", "B"),
        ("position_matching", "Which box is it?\nA. (1,2)\nB. (3,4)", "A"),
        ("depth_prediction_oc", "How far away is the lamp, in metres?", "2.5"),
        ("view_change_infer", "How did the camera move?", "move_left:0.4,rotate_up:12"),
    ]
    rows = [
        {"id": f"s{n}", "task": task, "image": [{"bytes": png_bytes(n), "path": None}], "question": text,
         "answer": answer, "img_type": "single_view"}
        for n, (task, text, answer) in enumerate(asked)
    ]  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), folder / "test.parquet")
    return folder


def viewspatial(folder: Path) -> Path:
    """Several pictures of different sizes, options as lines of one text, key with its letter."""
    rows = [
        {"question_type": "Person perspective", "image_path": [f"pictures/a{n}.jpg", "pictures/b.jpg"],
         "question": "Where is the door for the person?", "choices": "A. left\nB. right\nC. front",
         "answer": "B. right"}
        for n in range(2)
    ]  # fmt: skip
    for n in range(2):
        image(folder / "pictures" / f"a{n}.jpg", n)
    image(folder / "pictures" / "b.jpg", 7, (36, 48))
    (folder / "ViewSpatial-Bench.json").write_text(json.dumps(rows))
    return folder


def spbench(folder: Path) -> Path:
    rows = [
        {"id": n, "dataset": "scannet", "scene_name": f"s{n}", "question_type": "object_abs_distance",
         "question": "How far is the lamp in metres?", "ground_truth": str(1.5 + n), "image": f"s{n}.jpg"}
        for n in range(3)
    ]  # fmt: skip
    for n in range(3):
        image(folder / "images" / f"s{n}.jpg", n)
    (folder / "SPBench-SI.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder


def camerabench(folder: Path) -> Path:
    with_header = [("id", "video_path", "question", "A", "B", "answer", "skill")]
    with_header += [
        (str(n), f"clips/{n}.mp4", "Does the camera pan left?", "yes", "no", "AB"[n % 2], "pan")
        for n in range(3)
    ]
    for n in range(3):
        video(folder / "clips" / f"{n}.mp4", 2.0, 8, n)
    with (folder / "test.csv").open("w", newline="") as file:
        csv.writer(file).writerows(with_header)
    return folder


LAYOUTS = {
    "saw": (saw, 6, 6), "ucs": (ucs, 6, 3), "rem": (rem, 8, 2), "vsi": (vsi, 6, 3),
    "openeqa": (openeqa, 3, 3), "cvbench": (cvbench, 4, 4), "spar": (spar, 4, 4),
    "viewspatial": (viewspatial, 2, 2),
    "spbench": (spbench, 3, 3), "camerabench": (camerabench, 3, 3),
}  # fmt: skip
