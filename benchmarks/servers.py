"""How long `situ eval` takes to say that a server does not answer: dead, silent, resetting, never ending.

`python -m benchmarks.servers` prints wall and CPU seconds of each with `--timeout 5`. Asserts nothing.
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

from evaluation.small_set import make_set

TIMEOUT_S = 5
KINDS = ("dead", "silent", "resetting", "never ending", "silent to questions")
_NOBODY = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_held: list[socket.socket] = []


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        make_set(Path(place) / "set", items=4)
        for kind in KINDS:
            before, start = _cpu(), time.perf_counter()
            done = subprocess.run(_command(Path(place), _serve(kind)), capture_output=True, text=True)
            wall, cpu = time.perf_counter() - start, _cpu() - before
            said = " ".join(done.stderr.split())[-220:]
            print(f"{kind}: {wall:.1f} s, {cpu:.1f} CPU-s, exit code {done.returncode}: {said}", flush=True)


def _command(folder: Path, port: int) -> list[str]:
    return [
        sys.executable, "-m", "situ", "eval", str(folder / "set"), "--model", "openai-api/local/any",
        "--base-url", f"http://127.0.0.1:{port}/v1", "--timeout", str(TIMEOUT_S),
        "--out", str(folder / "run"),
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
    main()
