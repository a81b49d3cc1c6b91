"""Importers of real data: each converts a folder or file of one format to a recording."""

from situ.recording.formats.base import ImportReport
from situ.recording.formats.depth_consistency import Agreement, depth_agreement
from situ.recording.formats.registry import FORMATS, BatchReport, Format, import_batch
from situ.recording.formats.research.aria import import_aria
from situ.recording.formats.research.ase import import_ase
from situ.recording.formats.research.hololens import import_hololens
from situ.recording.formats.research.scannet import import_scannet
from situ.recording.formats.research.tum import import_tum
from situ.recording.formats.videos.video_file import import_video

__all__ = [
    "FORMATS",
    "Agreement",
    "BatchReport",
    "Format",
    "ImportReport",
    "depth_agreement",
    "import_aria",
    "import_ase",
    "import_batch",
    "import_hololens",
    "import_scannet",
    "import_tum",
    "import_video",
]
