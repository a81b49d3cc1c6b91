"""How long each stage takes: calls, wall time and CPU time of its own thread."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class StageTime:
    calls: int = 0
    wall_s: float = 0.0
    cpu_s: float = 0.0


class Timings:
    """A stopwatch for each stage; threads may measure at the same time."""

    def __init__(self) -> None:
        self.stages: dict[str, StageTime] = {}
        self._lock = threading.Lock()

    @contextmanager
    def measured(self, stage: str) -> Iterator[None]:
        wall, cpu = time.perf_counter(), time.thread_time()
        try:
            yield
        finally:
            self.add(stage, time.perf_counter() - wall, time.thread_time() - cpu)

    def add(self, stage: str, wall_s: float, cpu_s: float) -> None:
        """A call that was measured elsewhere."""
        with self._lock:
            entry = self.stages.setdefault(stage, StageTime())
            entry.calls += 1
            entry.wall_s += wall_s
            entry.cpu_s += cpu_s

    def to_json(self) -> dict[str, dict[str, float]]:
        return {
            stage: {
                "calls": entry.calls,
                "wall_ms": round(1000 * entry.wall_s / max(1, entry.calls), 3),
                "cpu_ms": round(1000 * entry.cpu_s / max(1, entry.calls), 3),
            }
            for stage, entry in self.stages.items()
        }
