"""The other end of a stream, for programs: sends frames, holds back when told, sends again after a break."""

import json
import secrets
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from situ.errors import MissingExtra, SituError
from situ.serve.guard import PROTOCOL

_PATIENCE_S = 20.0
_FINAL = (401, 403, 404, 421)  # trying again does not help


def _breaks() -> tuple[type[Exception], ...]:
    """What a broken line looks like."""
    try:
        from websockets.exceptions import WebSocketException
    except ImportError as error:
        raise MissingExtra("serve", "streaming to a server") from error
    return OSError, EOFError, WebSocketException


class StreamFailed(SituError):
    """The server would not have the stream, or could not be reached."""


@dataclass(frozen=True, eq=False)
class SentFrame:
    """A picture to send: JPEG, its time, and if known the pose, which way is down, and depth."""

    time: float
    jpeg: bytes
    T_world_camera: Sequence[Sequence[float]] | None = None
    gravity: Sequence[float] | None = None
    depth: bytes | None = None

    def header(self, seq: int) -> str:
        parts: dict[str, Any] = {"t": self.time, "seq": seq}
        if self.T_world_camera is not None:
            parts["T"] = [float(value) for row in self.T_world_camera for value in row]
        if self.gravity is not None:
            parts["gravity"] = [float(value) for value in self.gravity]
        return json.dumps(parts)


class StreamClient:
    """One stream, over as many connections as it takes. Frames are held until the server has `kept` them, so
    that neither a broken line nor a killed server loses one."""

    def __init__(
        self, address: str, hello: Mapping[str, Any], token: str = "", patience_s: float = _PATIENCE_S
    ) -> None:
        self.address, self.progress = address, dict[str, Any]()
        self._hello = {"session": secrets.token_urlsafe(12), **hello}
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._patience_s = patience_s
        self._held: deque[tuple[int, SentFrame]] = deque()
        self._next, self._sent, self._window = 0, 0, 1
        self._kept: float | None = None
        self._socket: Any = None
        self._line = ExitStack()

    @property
    def held(self) -> int:
        """Frames that the server may still ask for again."""
        return len(self._held)

    def send_all(self, frames: Iterable[SentFrame]) -> None:
        for frame in frames:
            self.send(frame)

    def send(self, frame: SentFrame) -> bool:
        """Send one frame; waits while the server has enough to do, and comes back after a break. A frame that
        the server has kept from before is not sent; whether it was."""
        if self._kept is not None and frame.time <= self._kept:
            return False
        self._held.append((self._next, frame))
        self._next += 1
        try:
            self._put(self._next - 1, frame)
        except _breaks():
            self._recover()
        return True

    def finish(self) -> dict[str, Any]:
        """Say that the stream has ended, and wait until all of it is safe."""
        while not self.progress.get("ended"):
            try:
                self._connected().send('{"end":true}')
                while not self.progress.get("ended"):
                    self._hear(self._patience_s)
            except _breaks():
                self._recover()
        self.close()
        return self.progress

    def close(self) -> None:
        """Drop the line without an end; `send` would connect again."""
        self._socket = None
        self._line.close()

    def _recover(self) -> None:
        """Connect, as often as it takes, and send what the server has not kept."""
        deadline, pause = time.monotonic() + self._patience_s, 0.05
        while True:
            try:
                self.close()
                self._resume()
                return
            except _breaks() as error:
                status = getattr(getattr(error, "response", None), "status_code", 0)
                if status in _FINAL or time.monotonic() > deadline:
                    raise StreamFailed(f"{self.address} does not take the stream ({error})") from error
                time.sleep(pause)
                pause = min(2 * pause, 1.0)

    def _connected(self) -> Any:
        if self._socket is None:
            raise EOFError
        return self._socket

    def _resume(self) -> None:
        from websockets.sync.client import connect

        line = connect(
            self.address, subprotocols=[PROTOCOL], additional_headers=self._headers, compression=None,
            max_size=1 << 20, open_timeout=self._patience_s, ping_interval=None,
        )  # fmt: skip
        self._socket = self._line.enter_context(line)
        self._socket.send(json.dumps(self._hello))
        welcome = self._read(self._patience_s)
        self._window, self._sent, self.progress = welcome["queue"], 0, {}
        after = welcome["resume_after"]
        self._drop_kept(after)
        for seq, frame in list(self._held):
            self._put(seq, frame)

    def _put(self, seq: int, frame: SentFrame) -> None:
        while self._sent - self.progress.get("done", 0) >= self._window:
            self._hear(self._patience_s)
        socket = self._connected()
        socket.send(frame.header(seq))
        socket.send(frame.jpeg)
        if frame.depth is not None:
            socket.send(frame.depth)
        self._sent += 1
        while self._hear(0.0):
            pass

    def _hear(self, wait_s: float) -> bool:
        """One acknowledgement, if one comes in time."""
        try:
            self.progress = self._read(wait_s)
        except TimeoutError:
            if wait_s:
                raise
            return False
        self._drop_kept(self.progress.get("kept"))
        return True

    def _drop_kept(self, kept: float | None) -> None:
        self._kept = kept
        while kept is not None and self._held and self._held[0][1].time <= kept:
            self._held.popleft()

    def _read(self, wait_s: float) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._connected().recv(timeout=wait_s))
        if "error" in message:
            raise StreamFailed(str(message["error"].get("message", "the stream was refused")))
        return message
