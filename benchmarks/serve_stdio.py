"""How long an assistant waits for its first answer over stdio, from the start of the server's process.

`library_s` is how long `import mcp` alone takes, in turn: what a server of the protocol's own library
could not go below on this machine.
"""

import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.serve_load import live_memory

_HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}
_ASK = {"name": "ask", "arguments": {"question": "where is the red object?"}}


def stdio(count: int, folder: Path) -> dict[str, Any]:
    """Seconds to the hello and to the first answer, and CPU seconds of a whole session, of some sessions."""
    path = live_memory(folder)
    _session(path)  # caches are warm after one
    found = [(*_session(path), *_library()) for _ in range(count)]
    hello, answer, cpu, library, library_cpu = (sorted(column) for column in zip(*found, strict=True))
    return {
        "sessions": count,
        "hello_s": round(statistics.median(hello), 2),
        "answer_s": [round(answer[0], 2), round(statistics.median(answer), 2), round(answer[-1], 2)],
        "cpu_s": [round(cpu[0], 2), round(statistics.median(cpu), 2), round(cpu[-1], 2)],
        "library_s": round(statistics.median(library), 2),
        "library_cpu_s": round(statistics.median(library_cpu), 2),
    }


def _library() -> tuple[float, float]:
    before, began = _children(), time.perf_counter()
    subprocess.run([sys.executable, "-c", "import mcp"], check=True)
    return time.perf_counter() - began, _children() - before


def _session(path: Path) -> tuple[float, float, float]:
    before, began = _children(), time.perf_counter()
    command = [sys.executable, "-m", "situ", "serve", "--mcp", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None

        def say(**message: Any) -> None:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            server.stdin.flush()

        say(id=1, method="initialize", params=_HELLO)
        server.stdout.readline()
        hello = time.perf_counter() - began
        say(method="notifications/initialized")
        say(id=2, method="tools/call", params=_ASK)
        told = json.loads(server.stdout.readline())
        answer = time.perf_counter() - began
        if "result" not in told:
            raise SystemExit(f"no answer: {told}")
        server.stdin.close()
        server.wait()
    return hello, answer, _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
