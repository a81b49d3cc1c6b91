"""The formats by name, and importing many sources at once."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from situ.errors import BadInput, SituError
from situ.recording.formats.annotate import annotate_recording
from situ.recording.formats.aria import TRAJECTORIES, import_aria
from situ.recording.formats.ase import import_ase
from situ.recording.formats.base import ImportReport
from situ.recording.formats.hololens import import_hololens
from situ.recording.formats.scannet import import_scannet
from situ.recording.formats.tum import import_tum
from situ.recording.formats.video import import_video
from situ.recording.reader import Recording
from situ.registry import Registry

VIDEO_SUFFIXES = (".mp4", ".mov", ".mkv", ".webm", ".avi", ".m4v")


@dataclass(frozen=True)
class Format:
    """A format: its reader, what it is, and the files by which a source is known (any one of a group)."""

    read: Callable[[Path, Path], ImportReport]
    about: str
    marks: tuple[tuple[str, ...], ...]

    def fits(self, source: Path) -> bool:
        """Whether a folder looks like a source of this format, complete or not."""
        if not self.marks:
            return source.suffix.lower() in VIDEO_SUFFIXES
        return all(any((source / name).exists() for name in group) for group in self.marks)


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
FORMATS.add("tum", Format(import_tum, "TUM RGB-D sequence", (("rgb.txt", "groundtruth.txt"),)))
FORMATS.add("video", Format(import_video, "a video file, poses unknown", ()))


@dataclass(frozen=True)
class BatchReport:
    """What came in, and which sources did not and why."""

    done: tuple[ImportReport, ...]
    failed: tuple[str, ...]


def import_batch(name: str, path: Path, out: Path) -> BatchReport:
    """Import one source into `out`, or every source below a folder into folders of `out`.

    A source that breaks a rule does not stop the others; it is listed with the rule.
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


def import_named(name: str, path: Path, things: Path, out: Path) -> BatchReport:
    """Import one source and add the things that a file names; nothing appears if either fails."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".import-", dir=out.parent) as staging:
        report = import_batch(name, path, Path(staging) / "plain")
        if report.failed or len(report.done) != 1:
            raise BadInput(f"--things names things of one source; {path} holds {len(report.done)} sources")
        named = annotate_recording(Recording.open(report.done[0].out), things, out)
    return BatchReport((replace(named, skipped=(*report.done[0].skipped, *named.skipped)),), ())
