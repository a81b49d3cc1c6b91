"""Registry of import formats, and import of many sources at once."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from situ.errors import BadInput, SituError
from situ.recording.formats.base import ImportReport
from situ.recording.formats.phones.captures import import_polycam, import_record3d, import_stray
from situ.recording.formats.reconstructions.colmap import MODELS, import_colmap
from situ.recording.formats.reconstructions.nerfstudio import FILE, import_nerfstudio
from situ.recording.formats.research.aria import TRAJECTORIES, import_aria
from situ.recording.formats.research.ase import import_ase
from situ.recording.formats.research.hololens import import_hololens
from situ.recording.formats.research.posed_sets import (
    import_arkitscenes,
    import_euroc,
    import_replica,
    import_seven_scenes,
)
from situ.recording.formats.research.scannet import import_scannet
from situ.recording.formats.research.scannetpp import TABLE as SCANNETPP_TABLE
from situ.recording.formats.research.scannetpp import import_scannetpp
from situ.recording.formats.research.sens import import_sens
from situ.recording.formats.research.tum import import_tum
from situ.recording.formats.robots.foxglove_log import import_mcap
from situ.recording.formats.robots.ros_bag import import_ros_bag
from situ.recording.formats.videos.image_folder import FOLDERS, PICTURES, import_image_folder
from situ.recording.formats.videos.narrated_video import (
    EGO4D_TABLE,
    EPIC_TABLE,
    VIDEOS,
    import_ego4d,
    import_epic,
)
from situ.recording.formats.videos.video_file import import_video
from situ.registry import Registry

VIDEO_SUFFIXES = (".mp4", ".mov", ".mkv", ".webm", ".avi", ".m4v")


@dataclass(frozen=True)
class Format:
    """A format: its importer, a description, and the files that identify a source (any one of a group)."""

    read: Callable[[Path, Path], ImportReport]
    about: str
    marks: tuple[tuple[str, ...], ...]
    suffixes: tuple[str, ...] = VIDEO_SUFFIXES  # of formats that consist of one file
    last: bool = False  # a fallback, tried only if no other format fits

    def fits(self, source: Path) -> bool:
        """Whether a folder looks like a source of this format, complete or not."""
        if not self.marks:
            return source.suffix.lower() in self.suffixes
        return all(any(any(source.glob(name)) for name in group) for group in self.marks)


FORMATS: Registry[Format] = Registry("format")
FORMATS.add(
    "aria",
    Format(
        import_aria, "Project Aria: MPS trajectory, calibration; ADT objects and 2D boxes", (TRAJECTORIES,)
    ),
)
FORMATS.add(
    "ase",
    Format(import_ase, "Aria Synthetic Environments scene", (("trajectory.csv",), ("rgb", "depth"))),
)
FORMATS.add(
    "hololens",
    Format(import_hololens, "images/, depth/, poses.txt, K.txt", (("images",), ("poses.txt", "K.txt"))),
)
FORMATS.add(
    "scannet",
    Format(
        import_scannet, "ScanNet export: color/, depth/, pose/, intrinsic/", (("color",), ("pose", "depth"))
    ),
)
FORMATS.add(
    "scannetpp",
    Format(import_scannetpp, "ScanNet++ scene: iphone/rgb, iphone/depth, its poses", ((SCANNETPP_TABLE,),)),
)
FORMATS.add("tum", Format(import_tum, "TUM RGB-D sequence", (("rgb.txt", "groundtruth.txt"),)))
FORMATS.add(
    "7scenes",
    Format(import_seven_scenes, "7-Scenes or 3DMatch sequence", (("frame-*.pose.txt",),)),
)
FORMATS.add(
    "arkitscenes",
    Format(import_arkitscenes, "ARKitScenes: lowres_wide/ and its .traj", (("lowres_wide.traj",),)),
)
FORMATS.add(
    "colmap",
    Format(
        import_colmap,
        "COLMAP model, text or binary, beside images/",
        (tuple(f"{folder}/cameras.{kind}" for folder in MODELS for kind in ("txt", "bin")),),
    ),
)
FORMATS.add(
    "ego4d",
    Format(import_ego4d, "a video of Ego4D beside its narrations", (VIDEOS, (EGO4D_TABLE,))),
)
FORMATS.add(
    "epic",
    Format(import_epic, "a video of EPIC-KITCHENS-100 beside its segments", (VIDEOS, (EPIC_TABLE,))),
)
FORMATS.add("euroc", Format(import_euroc, "EuRoC MAV: mav0/cam0 and ground truth", (("mav0",),)))
FORMATS.add("nerfstudio", Format(import_nerfstudio, "transforms.json and its pictures", ((FILE,),)))
FORMATS.add(
    "polycam",
    Format(
        import_polycam,
        "Polycam raw export: keyframes/",
        (("keyframes/cameras", "keyframes/corrected_cameras"),),
    ),
)
FORMATS.add("record3d", Format(import_record3d, "Record3D capture (.r3d)", (), (".r3d",)))
FORMATS.add(
    "replica",
    Format(import_replica, "Replica as rendered for SLAM: results/, traj.txt", (("traj.txt",), ("results",))),
)
FORMATS.add("stray", Format(import_stray, "Stray Scanner capture", (("odometry.csv",), ("rgb.mp4",))))
FORMATS.add("mcap", Format(import_mcap, "MCAP log: one camera, its lens and transforms", (), (".mcap",)))
FORMATS.add(
    "rosbag",
    Format(import_ros_bag, "ROS 1 bag: one camera, its lens and transforms", (), (".bag", ".db3")),
)
FORMATS.add(
    "rosbag2", Format(import_ros_bag, "ROS 2 bag: one camera, its lens and transforms", (("metadata.yaml",),))
)
FORMATS.add("sens", Format(import_sens, "ScanNet scan, one file", (), (".sens",)))
FORMATS.add("video", Format(import_video, "a video file, poses unknown", ()))
FORMATS.add(
    "images",
    Format(
        import_image_folder,
        "numbered pictures; poses, intrinsics and depth/ where they lie beside them",
        ((*PICTURES, *(f"{folder}/{name}" for folder in FOLDERS for name in PICTURES)),),
        last=True,
    ),
)


@dataclass(frozen=True)
class BatchReport:
    """Imported sources, and those that failed with the reason."""

    done: tuple[ImportReport, ...]
    failed: tuple[str, ...]


def format_of(source: Path) -> str:
    """Format of a source, from its files; BadInput if none or several fit."""
    fitting = [name for name, kind in FORMATS.items() if kind.fits(source)]
    fitting = [name for name in fitting if not FORMATS[name].last] or fitting
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise BadInput(f"{source} could be {' or '.join(fitting)}: say which instead of 'auto'")
    if source.is_file():
        known = sorted({suffix for kind in FORMATS.values() if not kind.marks for suffix in kind.suffixes})
        raise BadInput(f"{source} is no video file or capture that I know ({', '.join(known)})")
    raise BadInput(
        f"{source} looks like none of {', '.join(FORMATS)}. `situ import --list` says what each needs"
    )


def import_batch(name: str, path: Path, out: Path) -> BatchReport:
    """Import one source into `out`, or every source below a folder into folders of `out`.

    An invalid source does not stop the others; it is reported with the reason.
    """
    kind = FORMATS.find(name)
    if not path.exists():
        raise BadInput(f"{path} does not exist")
    inside = (
        sorted(p for p in path.iterdir() if kind.fits(p)) if path.is_dir() and not kind.fits(path) else []
    )
    if not inside:
        return BatchReport((kind.read(path, out),), ())
    done: list[ImportReport] = []
    failed: list[str] = []
    for source in inside:
        try:
            done.append(kind.read(source, out / source.stem))
        except SituError as error:
            failed.append(f"{source}: {error}")
    return BatchReport(tuple(done), tuple(failed))
