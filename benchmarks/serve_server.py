"""A server in a process of its own, for benchmarks: forked from one that has everything loaded."""

import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def warm() -> None:
    """Load what a server and a client load, so that no child spends its time on that."""
    import situ.serve.app
    import situ.serve.client  # noqa: F401
    from situ.serve.warm import warm as load

    load()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def forked(act: Callable[[], None], quiet: bool = True) -> int:
    """A child that does something and ends; its number."""
    child = os.fork()
    if child:
        return child
    try:
        os.setpgid(0, 0)
        if quiet:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 2)
        act()
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        os._exit(1)
    os._exit(0)


def start_server(path: Path, port: int, log: Path | None = None, **limits: Any) -> int:
    """Serve one memory, which streams may write."""

    def act() -> None:
        from situ.serve.app import Settings, build
        from situ.serve.journal import Journal
        from situ.serve.library import Library
        from situ.serve.limits import Limits
        from situ.serve.run import bind, serve

        chosen = Limits(**{"rate": 1e9, "burst": 1e9, **limits})
        with open(log or os.devnull, "w", encoding="utf-8") as out:
            app = build(Library([path]), Settings(limits=chosen, journal=Journal(out), writable=True))
            serve(app, bind("127.0.0.1", port), chosen.max_body)

    child = forked(act)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return child
        except OSError:
            time.sleep(0.02)
    raise SystemExit("the server did not start")


def end(child: int, how: int = signal.SIGKILL) -> None:
    os.kill(child, how)
    os.waitpid(child, 0)


def alive(child: int) -> bool:
    return ended(child) is None


def ended(child: int) -> int | None:
    """The exit status of a child that has ended; None while it runs."""
    found, status = os.waitpid(child, os.WNOHANG)
    return None if found == 0 else status


def spent(child: int) -> tuple[float, float]:
    """CPU seconds and resident megabytes of a process."""
    fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
    ticks = os.sysconf("SC_CLK_TCK")
    resident = int(fields[21]) * resource.getpagesize() / 2**20
    return (int(fields[11]) + int(fields[12])) / ticks, resident
