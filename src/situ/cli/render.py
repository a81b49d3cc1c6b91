"""`situ lab render`: a frame of a generated recording, drawn again from its world."""

from pathlib import Path
from typing import Annotated

import cv2
import typer

from situ.benchmarks.dataset import write_atomically
from situ.benchmarks.stage import Stage
from situ.cli.common import JsonFlag, console, print_json
from situ.errors import BadInput
from situ.recording import Recording
from situ.rendering.blender import export_for_blender, render_with_blender
from situ.rendering.renderer import Renderer
from situ.worlds.scene import Scene

PICTURES = (".png", ".jpg", ".jpeg")


def render(
    recording: Annotated[Path, typer.Argument(help="A generated recording, such as DIR/items/000000.")],
    frame: Annotated[int, typer.Option(help="Which frame; the first is 0.")] = 0,
    out: Annotated[Path, typer.Option("--out", "-o", help="Picture to write: .png or .jpg.")] = Path(
        "frame.png"
    ),
    width: Annotated[int, typer.Option(help="Width in pixels; 0 keeps the recording's.")] = 0,
    blender: Annotated[
        bool, typer.Option("--blender", help="Trace light with Blender's Cycles: slow, and closer to photos.")
    ] = False,
    samples: Annotated[int, typer.Option(help="With Blender: light paths per pixel.")] = 32,
    export: Annotated[
        Path | None,
        typer.Option(help="Write a folder that Blender can render on another machine, and draw nothing."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Draw one frame of a recording again, from its world as it was at that moment.

    `--blender` needs a `blender` program, or SITU_BLENDER (docs/formats.md). `--export DIR` needs neither.
    """
    if export is None and out.suffix.lower() not in PICTURES:
        raise BadInput(f"--out must end in {' or '.join(PICTURES)}, got '{out.name}'")
    if samples < 1:
        raise BadInput(f"--samples must be 1 or more, got {samples}")
    opened = Recording.open(recording)
    scene, pose = _world(opened, frame), opened.frames[frame].T_world_camera
    camera = opened.camera
    if width:
        camera = camera.resized(width, max(1, round(camera.height * width / camera.width)))
    if export is not None:
        command = export_for_blender(scene, camera, pose, export, samples)
        _say({"folder": str(export), "command": command}, f"{export}: run there: {command}", as_json)
        return
    if blender:
        rgb = render_with_blender(scene, camera, pose, samples).rgb
    else:
        rgb = Renderer(scene, camera).render(pose).rgb
    write_atomically(out, cv2.imencode(out.suffix.lower(), rgb[:, :, ::-1])[1].tobytes())
    size = f"{camera.width} x {camera.height}"
    _say({"picture": str(out), "frame": frame, "size": size}, f"frame {frame}, {size}: {out}", as_json)


def _world(recording: Recording, frame: int) -> Scene:
    """The world at the time of a frame, with what had been moved until then and the hand that holds."""
    if recording.scene is None:
        raise BadInput(f"{recording.folder} holds no world that could be drawn; only generated recordings do")
    if not 0 <= frame < len(recording):
        raise BadInput(f"there is no frame {frame}; frames go from 0 to {len(recording) - 1}")
    stage = Stage(recording.scene, recording.events, recording.camera)
    return recording.scene.with_objects(stage.drawn(recording.frames[frame].time))


def _say(facts: dict[str, object], line: str, as_json: bool) -> None:
    if as_json:
        print_json(facts)
    else:
        console.print(line)
