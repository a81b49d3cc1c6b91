"""Many clients ask while a stream comes in; and what a question costs over HTTP and without a server."""

import asyncio
import json
import os
import signal
import statistics
import time
from pathlib import Path
from typing import Any

from benchmarks.serve_footage import HELLO, sent
from benchmarks.serve_server import end, forked, free_port, spent, start_server, warm
from situ.memory import SpatialMemory

QUESTIONS = (
    "where is the red object?", "how many objects are there?", "how far is the blue object?",
    "what changed in the last minute?", "which way did I come?", "where is the green object?",
    "when did I last see the red object?", "what is behind me?",
)  # fmt: skip
_CLIENTS, _PAUSE_S, _FPS, _ROUND = 50, 2.0, 10.0, 40


def cost(count: int, folder: Path) -> dict[str, Any]:
    """CPU milliseconds of one question: in this process, and in a server that is asked over HTTP."""
    from situ.language import ask

    warm()
    path, port = live_memory(folder), free_port()
    alone, served = [], []
    server = start_server(path, port)
    try:
        with SpatialMemory.open(path, read_only=True) as memory:
            for _ in range(1 + max(1, count // _ROUND)):  # in turn: what else the machine does hits both
                began = time.process_time()
                for i in range(_ROUND):
                    ask(memory.state(), QUESTIONS[i % len(QUESTIONS)])
                alone.append(1000 * (time.process_time() - began) / _ROUND)
                before = spent(server)[0]
                asyncio.run(_ask_all(port, 1, _ROUND, 0.0))
                served.append(1000 * (spent(server)[0] - before) / _ROUND)
    finally:
        end(server, signal.SIGTERM)
    ratios = sorted(b / a for a, b in zip(alone[1:], served[1:], strict=True))  # the first round warms up
    return {
        "asks": _ROUND * len(ratios),
        "in_process_ms": round(statistics.median(alone[1:]), 2),
        "server_ms": round(statistics.median(served[1:]), 2),
        "ratio": round(sum(served[1:]) / sum(alone[1:]), 2),
        "ratios_of_rounds": [round(ratios[0], 2), round(statistics.median(ratios), 2), round(ratios[-1], 2)],
    }


def load(seconds: int, folder: Path) -> dict[str, Any]:
    """50 clients ask, each every two seconds, while 10 frames a second are streamed in."""
    warm()
    path, port = live_memory(folder), free_port()
    server = start_server(path, port, folder / "log.jsonl")
    said = folder / "stream.json"
    film = forked(lambda: _film(port, path, seconds, said))
    sizes, began = [], time.monotonic()

    async def watched() -> list[tuple[float, int]]:
        task = asyncio.create_task(_ask_all(port, _CLIENTS, 10**9, _PAUSE_S, began + seconds))
        while not task.done():
            sizes.append(spent(server)[1])
            await asyncio.sleep(5.0)
        return await task

    before = spent(server)[0]
    times = asyncio.run(watched())
    used = spent(server)[0] - before
    os.waitpid(film, 0)
    stream = json.loads(said.read_text())
    end(server, signal.SIGTERM)
    good = sorted(1000 * t for t, status in times if status == 200)
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return {
        "seconds": seconds, "clients": _CLIENTS, "asks": len(times), "errors": len(times) - len(good),
        "p50_ms": round(statistics.median(good), 1), "p95_ms": round(good[int(0.95 * len(good))], 1),
        "stream": stream, "lost": stream["sent"] - stream["done"],
        "server_errors": sum(line.get("status", 0) >= 500 or "error" in line for line in lines),
        "rss_mb": [round(sizes[len(sizes) * k // 5]) for k in range(5)] + [round(sizes[-1])],
        "server_cpu_share": round(used / seconds, 2),
    }  # fmt: skip


def live_memory(folder: Path) -> Path:
    """A memory of some minutes, to ask about."""
    from situ.serve.hello import FrameHeader, Hello, RawFrame
    from situ.serve.library import Served
    from situ.serve.stream import Seeing, Stream

    path = folder / "live.situ"
    SpatialMemory.create(path).close()
    hello = Hello.read(json.dumps({**HELLO, "session": "first-stream"}), 10**7)
    stream = Stream(Served("live", path), hello, Seeing(), 10**7, lambda: None)
    for i, frame in enumerate(sent(120)):
        stream.put(RawFrame(FrameHeader.read(frame.header(i), hello), frame.jpeg, frame.depth))
        while len(stream.frames) >= 8:
            time.sleep(0.002)
    stream.end(for_good=True)
    stream.join()
    return path


def _film(port: int, path: Path, seconds: int, said: Path) -> None:
    from situ.serve.client import StreamClient

    client = StreamClient(f"ws://127.0.0.1:{port}/v1/memories/{path.stem}/stream", HELLO, patience_s=60.0)
    frames = sent(200)
    began, count = time.monotonic(), 0
    while time.monotonic() < began + seconds:
        frame = frames[count % 200 if (count // 200) % 2 == 0 else 199 - count % 200]
        client.send(type(frame)(count / _FPS, frame.jpeg, frame.T_world_camera, None, frame.depth))
        count += 1
        time.sleep(max(0.0, began + count / _FPS - time.monotonic()))
    said.write_text(json.dumps({"sent": count, **client.finish()}))


async def _ask_all(
    port: int, clients: int, most: int, pause_s: float, until: float = float("inf")
) -> list[tuple[float, int]]:
    """Seconds and status of each question."""
    import httpx

    found: list[tuple[float, int]] = []

    async def one(number: int, client: Any) -> None:
        await asyncio.sleep(pause_s * number / clients)
        for i in range(most):
            if time.monotonic() > until:
                return
            began = time.perf_counter()
            try:
                body = {"question": QUESTIONS[(i + number) % len(QUESTIONS)]}
                status = (await client.post(f"http://127.0.0.1:{port}/v1/ask", json=body)).status_code
            except httpx.HTTPError:
                status = 0
            found.append((time.perf_counter() - began, status))
            await asyncio.sleep(pause_s)

    async with httpx.AsyncClient(timeout=60.0, limits=httpx.Limits(max_connections=clients)) as client:
        await asyncio.gather(*(one(i, client) for i in range(clients)))
    return found
