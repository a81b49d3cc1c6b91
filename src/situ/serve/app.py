"""The whole application: routes behind one guard."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from situ.serve.access import Access
from situ.serve.api import Api, failure_response
from situ.serve.failure import not_found
from situ.serve.guard import BODY, CALLER, App, Guard, Hosts, Receive, Scope, Send
from situ.serve.ingest import Ingest
from situ.serve.journal import Journal
from situ.serve.library import Library
from situ.serve.limits import Limits
from situ.serve.mcp_server import mcp_server
from situ.serve.mcp_tools import Tools
from situ.serve.metrics import Metrics
from situ.serve.pages import page_routes
from situ.serve.stream import Seeing
from situ.serve.workers import Workers

if TYPE_CHECKING:
    from situ.report.explorer import Explorer
    from situ.serve.annotate_queues import Queues


@dataclass(frozen=True)
class Settings:
    """How a server is to be run. `writable`: streams may be watched into memories, and things forgotten.
    `blind_model` takes the blind test of queues; without one the built-in guesser does."""

    host: str = "127.0.0.1"
    allow_hosts: tuple[str, ...] = ()
    access: Access = field(default_factory=Access)
    limits: Limits = field(default_factory=Limits)
    journal: Journal = field(default_factory=Journal)
    writable: bool = False
    seeing: Seeing = field(default_factory=Seeing)
    blind_model: str = ""


def build(
    library: Library, settings: Settings, explorer: "Explorer | None" = None, queues: "Queues | None" = None
) -> Guard:
    """An ASGI application over some memories, runs to explore and queues to annotate; refuses to be reachable
    by others without a token."""
    settings.access.check_address(settings.host)
    metrics, workers = Metrics(), Workers(settings.limits)
    api = Api(library, workers, settings.limits, metrics, settings.writable)

    ingest = Ingest(library, settings.limits, metrics, settings.seeing, settings.writable)

    def spent(tool: str, seconds: float) -> None:
        metrics.mcp_seconds.labels("tools/call", tool).observe(seconds)

    mcp = mcp_server(Tools(library, workers, CALLER.get, spent))
    # Host and origin are the guard's business.
    open_hosts = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    mcp_app = mcp.streamable_http_app(
        stateless_http=True, json_response=True, transport_security=open_hosts,
        max_request_body_size=settings.limits.max_body,
    )  # fmt: skip

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with mcp.session_manager.run():
            yield
        await ingest.close()
        workers.close()
        if queues is not None:
            queues.close()
        library.close()

    async def nothing_here(_: Request, __: Exception) -> Response:
        return failure_response(not_found("there is nothing at this address"))

    more: list[Route] = []
    if explorer is not None:
        from situ.serve.explore_api import ExploreApi

        more += ExploreApi(explorer, workers).routes()
    if queues is not None:
        from situ.serve.annotate_app import annotate_routes

        more += annotate_routes(queues, workers, settings.blind_model)
    if not len(library):
        more.insert(0, Route("/", _first_page(queues)))
    own = api.routes()
    inner = Starlette(
        routes=[*own, *more, *page_routes(), *ingest.routes(), *mcp_app.routes],
        lifespan=lifespan,
        exception_handlers={404: nothing_here},
    )
    hosts = Hosts(settings.host, settings.allow_hosts)
    door = Direct(own, inner)
    return Guard(door, settings.access, hosts, settings.limits, metrics, settings.journal)


class Direct:
    """Routes without a name in them are found by their path at once. Starlette goes through its list for each
    request, and through layers that catch what the guard and the handlers catch already."""

    def __init__(self, routes: Iterable[Route], rest: App) -> None:
        self._rest = rest
        self._found = {(method, r.path): r for r in routes if "{" not in r.path for method in r.methods or ()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = self._found.get((scope.get("method", ""), scope.get("path", "")))
        if route is None:
            await self._rest(scope, receive, send)
            return
        scope["route"] = route
        response: Response = await route.endpoint(_Read(scope, receive))
        await response(scope, receive, send)


class _Read(Request):  # type: ignore[misc, unused-ignore]
    """A request of which the guard has read the body."""

    async def body(self) -> bytes:
        found: bytes = self.scope[BODY]
        return found


def _first_page(queues: "Queues | None") -> Callable[[Request], Awaitable[Response]]:
    """Where there is no memory to look at, the first page is a queue or the runs."""
    queue = None if queues is None else next(iter(queues), None)
    to = "/runs" if queue is None else f"/annotate/{queue.name}"

    async def first(_: Request) -> Response:
        return RedirectResponse(to)

    return first
