"""How long `situ eval` takes to say that a server does not answer: dead, silent, resetting, never ending.

`python -m benchmarks.servers` prints wall and CPU seconds of each with `--timeout 5`: of those that never
answer since the start, of those that die in the middle of 800 questions since their last reply (then the run
is gone on with, to the end). `python -m benchmarks.servers start|dying [DEATH ...]` runs a part. Asserts
nothing.
"""

import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))  # small sets

from evaluation.loopback import Loopback, by_hash, serving
from evaluation.small_set import make_set
from situ.evaluation.runs.run_folder import ANSWERS

TIMEOUT_S = 5
KINDS = ("dead", "silent", "resetting", "never ending", "silent to questions")
DEATHS = ("silent", "reset", "hanging", "gone", "closed")
CONNECTIONS = (1, 10, 32)
_NOBODY = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_held: list[socket.socket] = []


def main(part: str = "", *deaths: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        if part in ("", "start"):
            make_set(Path(place) / "set", items=4)
            for kind in KINDS:
                start = time.monotonic()
                done, cpu = _run(_command(Path(place), _serve(kind)))
                _tell(kind, time.monotonic() - start, cpu, done)
        if part in ("", "dying"):
            make_set(Path(place) / "large" / "set", items=10, copies=40)
            for death in deaths or DEATHS:
                for connections in CONNECTIONS:
                    _die(Path(place) / "large", death, connections)


def _die(folder: Path, death: str, connections: int) -> None:
    """Answer 100 questions and die; then come back and let the run go on."""
    out, more = folder / f"{death}-{connections}", ["--frames", "first", "--connections", str(connections)]
    with serving(Loopback(by_hash(("4", "5", "before", "after")), delay=0.01)) as server:
        server.death, server.dies_after = death, 100
        command = _command(folder, server.server_port, out) + more
        done, cpu = _run(command)
        _tell(f"{death}, {connections} at once", time.monotonic() - server.last_reply, cpu, done)
    if connections != CONNECTIONS[1]:
        return
    kept = len((out / ANSWERS).read_text().splitlines())
    with serving(Loopback(by_hash(("4", "5", "before", "after")), port=server.server_port)) as server:
        done, _ = _run(command)
        asked = sum(server.asked.values())
    print(f"  kept {kept}, gone on with {asked} more, exit code {done.returncode}", flush=True)


def _run(command: list[str]) -> tuple["subprocess.CompletedProcess[str]", float]:
    before = _cpu()
    done = subprocess.run(command, capture_output=True, text=True)
    return done, _cpu() - before


def _tell(kind: str, wall: float, cpu: float, done: "subprocess.CompletedProcess[str]") -> None:
    said = " ".join(done.stderr.split())[-220:]
    print(f"{kind}: {wall:.1f} s, {cpu:.1f} CPU-s, exit code {done.returncode}: {said}", flush=True)


def _command(folder: Path, port: int, out: Path | None = None) -> list[str]:
    return [
        sys.executable, "-m", "situ", "eval", str(folder / "set"), "--model", "openai-api/local/any",
        "--base-url", f"http://127.0.0.1:{port}/v1", "--timeout", str(TIMEOUT_S),
        "--out", str(out or folder / "run"),
    ]  # fmt: skip


def _serve(kind: str) -> int:
    """The port of a server of that kind."""
    server = socket.create_server(("127.0.0.1", 0))
    port = int(server.getsockname()[1])
    if kind == "dead":
        server.close()
        return port

    def take() -> None:
        while True:
            line, _ = server.accept()
            _held.append(line)
            threading.Thread(target=_misbehave, args=(kind, line), daemon=True).start()

    threading.Thread(target=take, daemon=True).start()
    return port


def _misbehave(kind: str, line: socket.socket) -> None:
    with suppress(OSError):
        asked = line.recv(65536)
        if kind == "resetting":
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            line.close()
        elif kind == "silent to questions" and asked.startswith(b"GET"):
            line.sendall(_NOBODY)
            line.close()
        elif kind == "never ending":
            line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while True:
                line.sendall(b" ")
                time.sleep(0.5)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(*sys.argv[1:])
