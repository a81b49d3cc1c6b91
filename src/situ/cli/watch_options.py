"""The options of `situ watch`."""

from pathlib import Path
from typing import Annotated

import typer

from situ.api.watching import Eyes
from situ.recording.formats.pose_files import FORMS

Source = Annotated[
    Path,
    typer.Argument(
        help="A video, a recording, or a folder that `situ import` knows, here or at s3://… hf://…; a live "
        "stream (rtsp://… http://…); or a list of recordings (.csv, .txt)."
    ),
]
Into = Annotated[
    Path, typer.Option("--into", help="Memory to write or to continue: NAME.situ; of a list: a folder.")
]
Poses = Annotated[Path | None, typer.Option(help=f"Your poses, camera to world: {FORMS}.")]
PosesUp = Annotated[str, typer.Option("--poses-up", help="Axis that points up in your poses: z, y, -y ...")]
EstimatePoses = Annotated[
    bool,
    typer.Option(
        "--estimate-poses", help="Estimate the poses from the pictures even if the recording has some."
    ),
]
Depth = Annotated[Path | None, typer.Option(help="Folder of depth pictures, named by frame number or time.")]
DepthUnits = Annotated[
    float, typer.Option("--depth-units", help="Units of a depth picture in a metre (mm: 1000).")
]
Imu = Annotated[Path | None, typer.Option(help="Accelerometer (and gyroscope) samples: CSV.")]
Fov = Annotated[
    float | None, typer.Option(help="Horizontal field of view of the upright picture, in degrees.")
]
EyeHeight = Annotated[
    float | None, typer.Option("--eye-height", help="Metres from floor to camera: gives RGB its scale.")
]
Labels = Annotated[
    Path | None, typer.Option(help="Objects that you named by a click: CSV with label,frame,x,y.")
]
Detections = Annotated[
    Path | None, typer.Option(help="Your detections: JSON lines with frame, label, score, box.")
]
Models = Annotated[
    str, typer.Option(help="Models by name, hub id or folder, with commas; see `situ doctor --models`.")
]
Vocabulary = Annotated[
    Path | None, typer.Option(help="What detectors look for: a text file, one name per line.")
]
Names = Annotated[
    Path | None,
    typer.Option(
        help="Alone: name objects with a small detector, downloaded once after a question. With a CSV of "
        "word,name,trust: your names for a detector's words."
    ),
]
Device = Annotated[str, typer.Option(help="Where models run: auto, cpu, cuda.")]
Fps = Annotated[float, typer.Option(help="Frames per second in which objects are detected and remembered.")]
PoseFps = Annotated[
    float,
    typer.Option(
        "--pose-fps", help="Frames per second for odometry; twice as many in fast turns of a video."
    ),
]
Width = Annotated[int, typer.Option(help="Videos are scaled to at most this width, once.")]
EyesName = Annotated[
    Eyes,
    typer.Option(
        help="pixels: what the pictures show; solids: coloured solids of REM; homes: a network for "
        "generated homes; truth: the recording's own annotations; auto: solids for REM, truth for "
        "annotated recordings, else pixels."
    ),
]
Network = Annotated[Path | None, typer.Option(help="With --eyes homes: a network of `situ train eyes`.")]
Append = Annotated[
    bool,
    typer.Option(
        "--append",
        help="Add this recording to the memory of another one if both show the same place; if not, write a "
        "memory of its own.",
    ),
]
Align = Annotated[
    str | None,
    typer.Option(
        help="With --append: where this recording begins in the memory: X,Y,YAW (metres, degrees), or same."
    ),
]
Keep = Annotated[
    str | None,
    typer.Option(help="How long details are kept: 30d, 12h, 90m. Older details are thinned out."),
]
Started = Annotated[
    str | None,
    typer.Option(help="Date and time of the first frame, so that you can ask 'since 3 pm'."),
]
Blur = Annotated[str, typer.Option(help="Blur these objects in stored pictures, with commas: person,face.")]
Only = Annotated[
    str, typer.Option(hidden=True, help="Watch this one of the list, in this process: for runners.")
]
