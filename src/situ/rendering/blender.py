"""Rendering of the same scenes by Blender's Cycles: path-traced and orders of magnitude slower.

It needs a `blender` program on PATH, or SITU_BLENDER set to a `blender` program or to a Python with the `bpy`
module. That Python must be separate, because bpy requires NumPy 1 and situ NumPy 2. Either runs as its own
process, so no part of Blender is loaded into this one.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput, Refused, SituError
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.rendering.renderer import Frame
from situ.worlds.scene import Scene, part_transforms

NAMED_BY = "SITU_BLENDER"
_SCRIPT = Path(__file__).with_name("blender_script.py")


def render_with_blender(scene: Scene, camera: Camera, T_world_camera: Matrix, samples: int = 32) -> Frame:
    """One frame by Cycles, with `samples` light paths per pixel.

    Ids and depth come from a second pass with one unfiltered sample at each pixel centre. Textures are the
    nearest ones that Blender has: similar, but not identical.
    """
    (found,) = _run(_job([scene], camera, [(0, T_world_camera)], samples, passes=True), 1)
    return Frame(found["rgb"], found["depth"], found["ids"])


def colors_with_blender(
    scenes: Sequence[Scene], camera: Camera, views: Sequence[tuple[int, Matrix]], samples: int = 32
) -> Iterator[NDArray[np.uint8]]:
    """Colour images of views (scene number, pose), all rendered by one Blender process.

    Light and sky are those of the first scene.
    """
    for found in _run(_job(scenes, camera, views, samples, passes=False), len(views)):
        yield found["rgb"]


def export_for_blender(
    scene: Scene, camera: Camera, T_world_camera: Matrix, folder: Path, samples: int = 32
) -> str:
    """Write a folder that Blender renders on any machine without situ; returns the command to run in it.

    The result is color.png, and 0.npz with colours, depth and ids. The folder must be empty.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(f"{folder} exists and is not an empty folder; choose another one")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_SCRIPT, folder / _SCRIPT.name)
        job = _job([scene], camera, [(0, T_world_camera)], samples, passes=True)
        (folder / "job.json").write_text(json.dumps(job))
    except OSError as error:
        raise BadInput(f"cannot write to {folder}: {error.strerror}. Choose another folder") from error
    return f"blender --background --factory-startup --python {_SCRIPT.name} -- job.json"


def _run(job: dict[str, Any], count: int) -> Iterator[dict[str, Any]]:
    command = _command()
    with tempfile.TemporaryDirectory(prefix="situ-blender-") as folder:
        path = Path(folder) / "job.json"
        path.write_text(json.dumps(job))
        # The other Python must not find packages of this one.
        clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
        done = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False, env=clean)
        for number in range(count):
            result = Path(folder) / f"{number}.npz"
            if not result.exists():
                raise SituError(
                    f"Blender gave {number} of {count} frames (exit code {done.returncode}); its last words "
                    f"were: {(done.stderr or done.stdout)[-400:].strip()}"
                )
            with np.load(result) as arrays:
                yield {name: arrays[name] for name in arrays.files}


def need_blender() -> None:
    """Raise with install instructions if Blender is missing, before any work is done."""
    _command()


def _command() -> list[str]:
    """Command that runs the script: Blender itself, or a Python with bpy."""
    named = os.environ.get(NAMED_BY)
    program = shutil.which(named or "blender")
    if program is None:
        tried = f"{NAMED_BY}={named} is no program. " if named else ""
        raise BadInput(
            f"{tried}Drawing with Cycles needs Blender: put `blender` on PATH, or install bpy apart "
            "(python3.11 -m venv blender-env && blender-env/bin/pip install bpy; it cannot share NumPy with "
            f"situ) and set {NAMED_BY}=blender-env/bin/python"
        )
    if Path(program).name.startswith("python"):
        return [program, str(_SCRIPT), "--"]
    return [program, "--background", "--factory-startup", "--python", str(_SCRIPT), "--"]


def _job(
    scenes: Sequence[Scene],
    camera: Camera,
    views: Sequence[tuple[int, Matrix]],
    samples: int,
    passes: bool,
) -> dict[str, Any]:
    """The script's input as plain numbers, because it cannot import situ."""
    light = scenes[0]
    return {
        "scenes": [_parts(scene) for scene in scenes],
        "views": [{"scene": k, "pose": np.asarray(pose, dtype=float).tolist()} for k, pose in views],
        "ground": asdict(light.ground) if light.ground else None,
        "sky": light.sky,
        "sun": asdict(light.sun) if light.sun else None,
        "ambient": light.ambient,
        "camera": asdict(camera),
        "samples": samples,
        "passes": passes,
    }


def _parts(scene: Scene) -> list[dict[str, Any]]:
    pairs = [(o, p) for o in scene.objects for p in o.parts]
    return [
        {"id": o.id, "shape": p.shape, "size": p.size, "material": asdict(p.material), "pose": pose.tolist()}
        for (o, p), pose in zip(pairs, part_transforms(pairs), strict=True)
    ]
