"""Server and client killed in mid-stream: the memory must be that of a stream that nobody disturbed."""

import random
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.serve_footage import HELLO, sent
from benchmarks.serve_server import end, ended, forked, free_port, start_server, warm
from situ.memory import SpatialMemory, to_json
from situ.memory.upkeep.inspection import inspect

_FRAMES, _DEVICE_FPS, _PACE_S = 1500, 5.0, 0.05  # as many as fifty kills need


def kills(count: int, folder: Path, poses: bool, seed: int = 19) -> dict[str, Any]:
    """Kill one or the other `count` times while frames come in; compare what both memories say."""
    warm()
    hello = {**HELLO, "session": "benchmark-kills", "poses": HELLO["poses"] if poses else None}
    frames = [f if poses else _without_pose(f) for f in sent(_FRAMES, _DEVICE_FPS)]
    whole, broken = folder / "whole.situ", folder / "broken.situ"
    began = time.monotonic()
    for path in (whole, broken):
        SpatialMemory.create(path).close()
    _stream(whole, free_port(), hello, frames, 0, random.Random(seed))
    killed = _stream(broken, free_port(), hello, frames, count, random.Random(seed))
    told = [_contents(path) for path in (whole, broken)]
    with SpatialMemory.open(broken, read_only=True) as memory:
        faults = inspect(memory)
    return {
        "poses": "given" if poses else "odometry",
        **killed,
        "frames_sent": len(frames),
        "frames_remembered": told[1]["frames"],
        "differs": [name for name in told[0] if told[0][name] != told[1][name]],
        "faults": faults,
        "wall_s": round(time.monotonic() - began),
    }


def _stream(
    path: Path, port: int, hello: dict[str, Any], frames: list[Any], count: int, rng: random.Random
) -> dict[str, int]:
    """One stream to its end, with `count` kills on the way, of the server or the client by a coin."""
    done = {"kills_of_server": 0, "kills_of_client": 0, "clients_that_failed": 0}
    server = start_server(path, port)
    client = _start_client(path, port, hello, frames)
    try:
        while True:
            left = count - done["kills_of_server"] - done["kills_of_client"]
            deadline = time.monotonic() + (rng.uniform(0.1, 3.0) if left else 600.0)
            while time.monotonic() < deadline:
                status = ended(client)
                if status == 0:
                    return done
                if status is not None:  # it gave up by itself, which it should not
                    done["clients_that_failed"] += 1
                    client = _start_client(path, port, hello, frames)
                time.sleep(0.01)
            if not left:
                return done
            if rng.random() < 0.5:
                end(server)
                done["kills_of_server"] += 1
                server = start_server(path, port)
            else:
                end(client)
                done["kills_of_client"] += 1
                client = _start_client(path, port, hello, frames)
    finally:
        end(server, signal.SIGTERM)


def _start_client(path: Path, port: int, hello: dict[str, Any], frames: list[Any]) -> int:
    def act() -> None:
        from situ.serve.client import StreamClient

        client = StreamClient(f"ws://127.0.0.1:{port}/v1/memories/{path.stem}/stream", hello, patience_s=60.0)
        for frame in frames:
            if client.send(frame):
                time.sleep(_PACE_S)
        client.finish()

    return forked(act, quiet=False)


def _without_pose(frame: Any) -> Any:
    return replace(frame, T_world_camera=None)


def _contents(path: Path) -> dict[str, Any]:
    with SpatialMemory.open(path, read_only=True) as memory:
        middle = memory.history.end / 2
        return {
            "frames": memory.frames,
            "path": memory.state().path.poses.tolist(),
            "now": to_json(memory.state()),
            "then": to_json(memory.state(middle)),
        }
