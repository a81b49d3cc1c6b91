"""The same scenes with Blender's Cycles: slower by orders of magnitude, lit by traced light.

Works with the `bpy` module (the extra "blender") or with a `blender` program on PATH. Either runs as a
process of its own, so nothing of Blender is ever loaded into this one.
"""

import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from situ.errors import BadInput, MissingExtra, Refused, SituError
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.rendering.renderer import Frame
from situ.worlds.scene import Scene, part_transforms

_SCRIPT = Path(__file__).with_name("blender_script.py")


def render_with_blender(scene: Scene, camera: Camera, T_world_camera: Matrix, samples: int = 32) -> Frame:
    """One frame by Cycles, with `samples` light paths per pixel.

    Ids and depth come from a second pass of one unfiltered sample at each pixel's centre. Textures are
    Blender's own nearest to the names of ours, so they look alike but do not match.
    """
    command = _command()
    with tempfile.TemporaryDirectory(prefix="situ-blender-") as folder:
        job = Path(folder) / "job.json"
        job.write_text(json.dumps(_job(scene, camera, T_world_camera, samples)))
        done = subprocess.run([*command, str(job)], capture_output=True, text=True, check=False)
        result = Path(folder) / "frame.npz"
        if not result.exists():
            raise SituError(
                f"Blender gave no frame (exit code {done.returncode}); its last words were: "
                f"{(done.stderr or done.stdout)[-400:].strip()}"
            )
        with np.load(result) as arrays:
            return Frame(arrays["rgb"], arrays["depth"], arrays["ids"])


def export_for_blender(
    scene: Scene, camera: Camera, T_world_camera: Matrix, folder: Path, samples: int = 32
) -> str:
    """A folder that Blender draws on any machine, without situ; gives the command to run in it.

    It leaves color.png, and frame.npz with colours, depth and ids. A folder that holds anything is refused.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(f"{folder} exists and is not an empty folder; choose another one")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_SCRIPT, folder / _SCRIPT.name)
        (folder / "job.json").write_text(json.dumps(_job(scene, camera, T_world_camera, samples)))
    except OSError as error:
        raise BadInput(f"cannot write to {folder}: {error.strerror}. Choose another folder") from error
    return f"blender --background --factory-startup --python {_SCRIPT.name} -- job.json"


def _command() -> list[str]:
    """What runs the script: this Python if it has bpy, else Blender itself."""
    if importlib.util.find_spec("bpy") is not None:
        return [sys.executable, str(_SCRIPT), "--"]
    program = shutil.which("blender")
    if program is None:
        raise MissingExtra("blender", "rendering with Cycles (or a `blender` program on PATH)")
    return [program, "--background", "--factory-startup", "--python", str(_SCRIPT), "--"]


def _job(scene: Scene, camera: Camera, T_world_camera: Matrix, samples: int) -> dict[str, Any]:
    """All that the script needs, as plain numbers: it cannot import situ."""
    pairs = [(o, p) for o in scene.objects for p in o.parts]
    return {
        "parts": [
            {
                "id": o.id,
                "shape": p.shape,
                "size": p.size,
                "material": asdict(p.material),
                "pose": pose.tolist(),
            }
            for (o, p), pose in zip(pairs, part_transforms(pairs), strict=True)
        ],
        "ground": asdict(scene.ground) if scene.ground else None,
        "sky": scene.sky,
        "sun": asdict(scene.sun) if scene.sun else None,
        "ambient": scene.ambient,
        "camera": asdict(camera),
        "pose": np.asarray(T_world_camera, dtype=float).tolist(),
        "samples": samples,
    }
