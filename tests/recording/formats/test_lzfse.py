"""What is packed by LZFSE never takes up more memory than it should."""

import ctypes
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from situ.errors import BadFormat
from situ.recording.formats.phones import captures

SIZE = 64


def filling(claimed: int, asked: list[int]) -> captures.Decode:
    """A decoder for what would unpack to so many bytes, which notes how much room it is given."""

    def decode(
        room: ctypes.Array[ctypes.c_char], size: int, packed: bytes, length: int, scratch: None
    ) -> int:
        asked.append(size)
        count = min(claimed, size)
        ctypes.memset(room, 7, count)
        return count

    return decode


@pytest.mark.parametrize("claimed", [0, 1, SIZE - 1, SIZE, SIZE + 1, 1 << 40])
def test_exactly_what_is_expected_is_taken_and_no_more_room_given(
    claimed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(captures, "_decoder", lambda feature: filling(claimed, asked))
    if claimed == SIZE:
        assert captures.unpacked("rgbd/0.depth", b"x", SIZE, "depth") == bytes([7]) * SIZE
    else:
        with pytest.raises(BadFormat, match=r"rgbd/0\.depth unpacks to .* 64 are expected"):
            captures.unpacked("rgbd/0.depth", b"x", SIZE, "depth")
    assert asked == [SIZE + 1]


@pytest.mark.parametrize("size", [(10**6, 10**6), (-4, 4), (0, 8), ("wide", 3), (None, 3)])
def test_a_size_that_no_phone_takes_is_refused_before_anything_is_unpacked(
    size: tuple[object, object], tmp_path: Path
) -> None:
    with zipfile.ZipFile(tmp_path / "x.r3d", "w") as archive:
        archive.writestr("rgbd/0.depth", b"x")
    with zipfile.ZipFile(tmp_path / "x.r3d") as archive, pytest.raises(BadFormat, match="metadata"):
        captures._lzfse_depth(archive, "rgbd/0.depth", {"dw": size[0], "dh": size[1]}, {"rgbd/0.depth"})


def test_depth_comes_back_and_a_bomb_does_not_go_off(tmp_path: Path) -> None:
    packer = pytest.importorskip("liblzfse")
    depth = np.random.default_rng(0).uniform(0.2, 5.0, (256, 192)).astype(np.float32)
    parts = {"good": packer.compress(depth.tobytes()), "bomb": packer.compress(bytes(1 << 20))}
    with zipfile.ZipFile(tmp_path / "x.r3d", "w") as archive:
        archive.writestr("metadata", json.dumps({}))
        for name, body in parts.items():
            archive.writestr(name, body)
    with zipfile.ZipFile(tmp_path / "x.r3d") as archive:
        found = captures._lzfse_depth(archive, "good", {}, set(parts))
        assert found is not None
        assert np.array_equal(found, depth)
        with pytest.raises(BadFormat, match="more than 196608 bytes"):
            captures._lzfse_depth(archive, "bomb", {}, set(parts))
