"""A camera at an address: MJPEG over HTTP from this machine, with a line that breaks."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from situ.errors import BadFormat
from situ.recording.fingerprint import fingerprint
from situ.recording.formats.videos.live_stream import LiveStream, address_of

BURST = 6


@contextmanager
def camera(bursts: int) -> Iterator[str]:
    """Sends a few frames for each request and breaks off, so many times; then it is silent."""
    left = [bursts]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            left[0] -= 1
            for i in range(BURST if left[0] >= 0 else 0):
                picture = np.full((48, 64, 3), 40 * (i % 6), np.uint8)
                body = cv2.imencode(".jpg", picture)[1].tobytes()
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(body)}\r\n\r\n"
                self.wfile.write(head.encode() + body + b"\r\n")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/live.mjpg"
    finally:
        server.shutdown()
        server.server_close()


def test_frames_come_until_the_camera_is_silent_and_the_line_is_opened_again() -> None:
    with (
        camera(bursts=3) as address,
        LiveStream(address, width=32, pause_s=0.05) as stream,
    ):  # the first is looked at
        frames = list(stream)
    assert stream.native_size == (64, 48)
    assert len(frames) + stream.dropped >= BURST + 1  # of more than one connection
    assert all(frame.rgb.shape == (24, 32, 3) for frame in frames)
    assert all(a.time < b.time for a, b in pairwise(frames))
    assert any("nothing more" in note for note in stream.notes)


def test_what_is_no_camera_is_told_so() -> None:
    with camera(bursts=0) as address, pytest.raises(BadFormat):
        LiveStream(address)
    with pytest.raises(BadFormat, match="cannot be watched"):
        LiveStream("http://127.0.0.1:9/none.mjpg")


@pytest.mark.parametrize(
    "text", ["rtsp://10.0.0.5/live", "http://cam.local/a.mjpg?x=1", "rtsps://u:p@h:554/1"]
)
def test_an_address_survives_being_a_path(text: str) -> None:
    assert address_of(text) == address_of(Path(text)) == text
    assert fingerprint(Path(text)) != fingerprint(Path(text + "2"))


@pytest.mark.parametrize("text", ["walk.mp4", "/a/b", "http.mp4", "C:/clip.mp4", "rtsp"])
def test_a_file_is_no_address(text: str) -> None:
    assert address_of(Path(text)) is None
