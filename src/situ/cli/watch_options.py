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
    typer.Option("--estimate-poses", help="Find the poses from the pictures even if there are some."),
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
Labels = Annotated[Path | None, typer.Option(help="Things you name by a click: CSV with label,frame,x,y.")]
Detections = Annotated[
    Path | None, typer.Option(help="Your detections: JSON lines with frame, label, score, box.")
]
Models = Annotated[
    str, typer.Option(help="Models by name, hub id or folder, with commas; see `situ doctor --models`.")
]
Vocabulary = Annotated[
    Path | None, typer.Option(help="What detectors look for: a text file with a name in each line.")
]
Names = Annotated[
    Path | None,
    typer.Option(
        help="Alone: name things by a small detector, fetched once after asking. With a CSV of word,name "
        "(and trust): your names for a detector's words."
    ),
]
Device = Annotated[str, typer.Option(help="Where models run: auto, cpu, cuda.")]
Fps = Annotated[float, typer.Option(help="How many frames a second are looked at and remembered.")]
PoseFps = Annotated[
    float,
    typer.Option("--pose-fps", help="Frames a second for odometry; of videos up to twice in fast turns."),
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
        help="Join this recording to a memory of another one if the place is known again by its looks; "
        "if not, it is kept apart.",
    ),
]
Align = Annotated[
    str | None,
    typer.Option(
        help="With --append, if you know: where this recording's origin lies in the memory: X,Y,YAW, or same."
    ),
]
Keep = Annotated[
    str | None,
    typer.Option(help="How far back details are remembered: 30d, 12h, 90m. What is older is thinned out."),
]
Started = Annotated[
    str | None,
    typer.Option(help="Date and time of day of the first frame, so that 'since 3 pm' can be asked."),
]
Blur = Annotated[
    str, typer.Option(help="Blur what detectors call so in kept pictures, with commas: person,face.")
]
Only = Annotated[
    str, typer.Option(hidden=True, help="Watch this one of the list, in this process: for runners.")
]
