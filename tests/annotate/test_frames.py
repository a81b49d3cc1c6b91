"""Frame numbers are exact: every picture that is asked for shows the number that was asked for."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from annotate.films import film, number_in, recording, uneven
from situ.annotate.make import make_queue
from situ.annotate.sources import Media
from situ.errors import BadInput, SituError
from situ.recording.formats.videos.video_stream import VideoStream

COUNT = 160
KINDS: dict[str, Callable[[Path], Path]] = {
    "all-intra": lambda p: film(p / "a.mp4", COUNT, keyint=1, bframes=0),
    "ordinary": lambda p: film(p / "b.mp4", COUNT),
    "open groups": lambda p: film(p / "c.mp4", COUNT, keyint=30, extra=":open-gop=1"),
    "mkv": lambda p: film(p / "d.mkv", COUNT, keyint=48),
    "varying rate": lambda p: film(p / "e.mp4", COUNT, uneven(COUNT)),
    "varying rate, all-intra": lambda p: film(p / "f.mp4", COUNT, uneven(COUNT, 2), keyint=1, bframes=0),
    "recording of JPEG": lambda p: recording(p / "g", COUNT),
    "recording of video": lambda p: recording(p / "h", COUNT, "video"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_fifty_random_seeks_find_the_frame(kind: str, tmp_path: Path) -> None:
    path = KINDS[kind](tmp_path)
    store, _ = make_queue([path], tmp_path / "q.annotate")
    media = Media(store)
    (name,) = media.sources
    assert len(media.times(name)) == COUNT
    pictures = media.pictures(name)
    rng = np.random.default_rng(20)
    wanted = [*rng.integers(0, COUNT, 50).tolist(), 0, COUNT - 1, COUNT - 2, 1]
    wrong = [n for n in wanted if number_in(next(iter(pictures.jpegs(n, 1, None)))) != n]
    assert wrong == []
    start = int(rng.integers(0, COUNT - 40))
    assert [number_in(j) for j in pictures.jpegs(start, 40, 96)] == list(range(start, start + 40))
    assert [number_in(j) for j in pictures.jpegs(COUNT - 3, 40, None)] == [COUNT - 3, COUNT - 2, COUNT - 1]


@pytest.mark.parametrize("kind", ["ordinary", "varying rate", "open groups"])
def test_times_are_those_that_imports_give(kind: str, tmp_path: Path) -> None:
    path = KINDS[kind](tmp_path)
    store, _ = make_queue([path], tmp_path / "q.annotate")
    media = Media(store)
    with VideoStream(path) as stream:
        told = [time for _, time, _ in stream]
    assert np.allclose(media.times(path.stem), told, rtol=0, atol=1e-9)


def test_several_people_at_different_places(tmp_path: Path) -> None:
    store, _ = make_queue([KINDS["ordinary"](tmp_path)], tmp_path / "q.annotate")
    pictures = Media(store).pictures("b")
    rng = np.random.default_rng(4)

    def one(n: int) -> bool:
        return [number_in(j) for j in pictures.jpegs(n, 5, None)] == list(range(n, n + 5))

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(one, rng.integers(0, COUNT - 5, 60).tolist()))


def test_another_file_under_the_same_name_is_noticed(tmp_path: Path) -> None:
    store, _ = make_queue([film(tmp_path / "a.mp4", 20)], tmp_path / "q.annotate")
    film(tmp_path / "a.mp4", 30)
    with pytest.raises(BadInput, match="another file"):
        Media(store).pictures("a")


def test_what_is_no_video_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_bytes(b"no video" * 100)
    with pytest.raises(SituError, match="cannot be decoded"):
        make_queue([tmp_path / "a.mp4"], tmp_path / "q.annotate")
    assert not (tmp_path / "q.annotate").exists()


def test_there_is_no_frame_beyond_the_last(tmp_path: Path) -> None:
    store, _ = make_queue([film(tmp_path / "a.mp4", 20)], tmp_path / "q.annotate")
    for n in (-1, 20, 10**9):
        with pytest.raises(BadInput, match="no frame"):
            list(Media(store).pictures("a").jpegs(n, 1, None))
