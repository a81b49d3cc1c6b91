"""What a Prometheus server reads at /metrics. Nothing that anybody asked or saw is in it."""

from typing import Any

from situ.errors import MissingExtra

_BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        try:
            from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
        except ImportError as error:
            raise MissingExtra("serve", "`situ serve`") from error
        registry = CollectorRegistry()
        self.registry: Any = registry
        self.requests: Any = Counter(
            "situ_http_requests_total", "Requests", ("route", "method", "status"), registry=registry
        )
        self.ask_seconds: Any = Histogram(
            "situ_ask_seconds", "Seconds for an answer", ("memory", "kind", "abstained"),
            registry=registry, buckets=_BUCKETS,
        )  # fmt: skip
        self.mcp_seconds: Any = Histogram(
            "mcp_server_operation_duration_seconds", "Seconds for a tool call",
            ("mcp_method_name", "gen_ai_tool_name"), registry=registry, buckets=_BUCKETS,
        )  # fmt: skip
        self._asked: dict[tuple[str, str, bool], Any] = {}
        self.queue: Any = Gauge("situ_stream_queue", "Frames that wait", ("memory",), registry=registry)
        self.dropped: Any = Counter(
            "situ_stream_dropped_total", "Frames that were dropped", ("memory",), registry=registry
        )
        self.frames: Any = Gauge("situ_memory_frames", "Frames of a memory", ("memory",), registry=registry)

    def asked(self, memory: str, kind: str, abstained: bool, seconds: float) -> None:
        """An answer. What counts its like is found once: to find it costs more than to count."""
        like = (memory, kind, abstained)
        if like not in self._asked:
            self._asked[like] = self.ask_seconds.labels(memory, kind, str(abstained).lower())
        self._asked[like].observe(seconds)

    def page(self) -> tuple[bytes, str]:
        """The page and its content type."""
        from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

        return generate_latest(self.registry), CONTENT_TYPE_LATEST
