"""Queues as an application: pages and routes for people who annotate, behind the same guard as everything."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from situ.annotate.blind import model_guesser
from situ.serve.access import Access
from situ.serve.annotate_api import AnnotateApi
from situ.serve.annotate_media import AnnotateMedia
from situ.serve.annotate_queues import Queues
from situ.serve.api import failure_response
from situ.serve.failure import not_found
from situ.serve.guard import Guard, Hosts
from situ.serve.journal import Journal
from situ.serve.limits import Limits
from situ.serve.metrics import Metrics
from situ.serve.pages import routes_of
from situ.serve.workers import Workers

# A person who plays a stream and types asks for a few things a second; several may share an address.
LIMITS = Limits(rate=100.0, burst=400.0, max_body=256 * 1024, question_s=60.0)
_SHARED = ("style.css", "api.js", "drawing.js", "vendor/htm-preact.js")
_OWN = (
    "annotate.css", "annotate.js", "annotate_common.js", "annotate_edit.js", "annotate_fields.js",
    "annotate_merge.js",    "annotate_player.js", "annotate_timeline.js", "annotate_training.js", "refine.js",
)  # fmt: skip
_PAGES = {"/annotate/{q}": "annotate.html", "/refine/{q}": "refine.html"}


@dataclass(frozen=True)
class AnnotateSettings:
    """`model` takes the blind test; without one the built-in guesser does."""

    host: str = "127.0.0.1"
    allow_hosts: tuple[str, ...] = ()
    access: Access = field(default_factory=Access)
    limits: Limits = LIMITS
    journal: Journal = field(default_factory=Journal)
    model: str = ""


def build_annotate(queues: Queues, settings: AnnotateSettings) -> Guard:
    settings.access.check_address(settings.host)
    workers = Workers(settings.limits)
    ask = model_guesser(settings.model) if settings.model else None
    api = AnnotateApi(queues, workers, settings.model, ask)
    media = AnnotateMedia(api, workers)

    async def first(_: Request) -> Response:
        return RedirectResponse(f"/annotate/{next(iter(queues)).name}")

    async def nothing_here(_: Request, __: Exception) -> Response:
        return failure_response(not_found("there is nothing at this address"))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        workers.close()
        queues.close()

    pages = routes_of({**_PAGES, **{f"/{name}": name for name in (*_SHARED, *_OWN)}})
    inner = Starlette(
        routes=[Route("/", first), *pages, *api.routes(), *media.routes()],
        lifespan=lifespan,
        exception_handlers={404: nothing_here},
    )
    hosts = Hosts(settings.host, settings.allow_hosts)
    return Guard(inner, settings.access, hosts, settings.limits, Metrics(), settings.journal)
