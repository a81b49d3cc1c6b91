"""`/v1/memories/{m}/stream`: frames come in over a WebSocket, acknowledgements go out."""

import asyncio
import json
import time
from typing import Any

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from situ.errors import BadInput, SituError
from situ.serve.failure import failure_of, forbidden, overloaded
from situ.serve.guard import CALLER, PROTOCOL
from situ.serve.hello import FrameHeader, Hello, RawFrame
from situ.serve.library import Library
from situ.serve.limits import Limits
from situ.serve.metrics import Metrics
from situ.serve.stream import QUEUE, Seeing, Stream

_HELLO_S, _ACK_S, _QUIET_S = 10.0, 0.5, 120.0
_LONGEST_TEXT = 8192
BAD_FRAME, ENDED = 4400, 1000


class Ingest:
    """Streams into memories; `writable` says whether there may be any."""

    def __init__(
        self, library: Library, limits: Limits, metrics: Metrics, seeing: Seeing, writable: bool
    ) -> None:
        self._library, self._limits, self._metrics = library, limits, metrics
        self._seeing, self._writable = seeing, writable
        self._open: dict[str, Stream] = {}  # by memory

    def routes(self) -> list[WebSocketRoute]:
        return [WebSocketRoute("/v1/memories/{m}/stream", self.stream)]

    async def close(self) -> None:
        """End all streams; what they have taken in is committed."""
        for stream in list(self._open.values()):
            stream.end(for_good=False)
            await asyncio.to_thread(stream.join)

    async def stream(self, socket: WebSocket) -> None:
        name = socket.path_params["m"]
        CALLER.get().need("ingest", name)
        if not self._writable:
            raise forbidden("this server only reads", "start it with --ingest to let streams write")
        served = self._library.get(name)
        if len(self._open) >= self._limits.streams:
            raise overloaded("there are too many streams")
        await socket.accept(PROTOCOL if PROTOCOL in socket.scope.get("subprotocols", ()) else None)
        try:
            await self._talk(socket, name)
        except (WebSocketDisconnect, RuntimeError):
            pass  # the client went away, or the socket was closed under us; all that came is kept
        except TimeoutError:
            await _say_and_close(socket, "too_slow", "nothing came for too long")
        except SituError as error:
            failure = failure_of(error, served.hidden)
            await _say_and_close(socket, failure.code, str(failure))

    async def _talk(self, socket: WebSocket, name: str) -> None:
        async with asyncio.timeout(_HELLO_S):
            hello = Hello.read(await _text(socket), self._limits.max_pixels)
        moved = asyncio.Event()
        loop = asyncio.get_running_loop()

        def tell() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(moved.set)

        served = self._library.get(name)
        await self._take_over(name, hello)
        stream = await asyncio.to_thread(Stream, served, hello, self._seeing, self._limits.max_pixels, tell)
        self._open[name] = stream
        ended = False
        try:
            await socket.send_text(json.dumps(self._welcome(stream)))
            acks = asyncio.create_task(self._acknowledge(socket, stream, moved))
            try:
                ended = await self._take_all(socket, stream)
            finally:
                acks.cancel()
        finally:
            stream.end(for_good=ended)
            await asyncio.shield(asyncio.to_thread(stream.join))
            if self._open.get(name) is stream:
                del self._open[name]
            self._count(stream)
        if stream.fault:
            failure = failure_of(BadInput(stream.fault), served.hidden)
            await _say_and_close(socket, "stream_ended", str(failure))
            return
        await socket.send_text(json.dumps({**stream.progress(), "ended": True}))
        await socket.close(ENDED)

    async def _take_over(self, name: str, hello: Hello) -> None:
        """A client that comes back before its broken line was noticed takes the place of its old self."""
        before = self._open.get(name)
        if before is not None and before.hello.session == hello.session:
            before.end(for_good=False)
            await asyncio.to_thread(before.join)

    def _welcome(self, stream: Stream) -> dict[str, Any]:
        return {
            "session": stream.hello.session,
            "resume_after": stream.resume_after,
            "max_fps": self._limits.max_fps,
            "max_bytes": self._limits.max_body,
            "queue": QUEUE,
        }

    async def _take_all(self, socket: WebSocket, stream: Stream) -> bool:
        """Frames until the client says that it has ended, or goes; whether it said so."""
        least_gap, last = 1.0 / self._limits.max_fps, 0.0
        while not stream.done:
            async with asyncio.timeout(_QUIET_S):
                text = await _text(socket)
                if text == '{"end":true}':
                    return True
                header = FrameHeader.read(text, stream.hello)
                jpeg = await _bytes(socket)
                depth = await _bytes(socket) if stream.hello.depth else None
            now = time.monotonic()
            if now - last < 0.5 * least_gap and len(stream.frames) >= QUEUE:
                stream.frames.dropped += 1
                continue
            last = now
            stream.put(RawFrame(header, jpeg, depth))
        return False

    async def _acknowledge(self, socket: WebSocket, stream: Stream, moved: asyncio.Event) -> None:
        """Say how far the stream got: when a frame was watched, and every half second, so that a client can
        tell a busy server from a dead one."""
        while True:
            try:
                async with asyncio.timeout(_ACK_S):
                    await moved.wait()
            except TimeoutError:
                pass
            moved.clear()
            self._count(stream)
            await socket.send_text(json.dumps(stream.progress()))
            if stream.done:
                if stream.fault:
                    failure = failure_of(BadInput(stream.fault), stream.served.hidden)
                    await _say_and_close(socket, "stream_ended", str(failure))
                return

    def _count(self, stream: Stream) -> None:
        name = stream.served.name
        self._metrics.queue.labels(name).set(len(stream.frames))
        new = stream.frames.dropped - stream.counted_drops
        if new:
            self._metrics.dropped.labels(name).inc(new)
            stream.counted_drops += new


async def _text(socket: WebSocket) -> str:
    message = await _message(socket)
    text = message.get("text")
    if not isinstance(text, str):
        raise BadInput("a text was expected: the header of a frame, as JSON")
    if len(text) > _LONGEST_TEXT:
        raise BadInput(f"a header may have {_LONGEST_TEXT} characters")
    return text


async def _bytes(socket: WebSocket) -> bytes:
    found = (await _message(socket)).get("bytes")
    if not isinstance(found, bytes):
        raise BadInput("bytes were expected: the picture that belongs to the header before")
    return found


async def _message(socket: WebSocket) -> dict[str, Any]:
    message: dict[str, Any] = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    return message


async def _say_and_close(socket: WebSocket, code: str, message: str) -> None:
    try:
        await socket.send_text(json.dumps({"error": {"code": code, "message": message}}))
        await socket.close(BAD_FRAME, message[:100])
    except (RuntimeError, WebSocketDisconnect):
        pass  # it is closed already
