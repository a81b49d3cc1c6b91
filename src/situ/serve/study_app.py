"""A study as an application: its page and its routes, behind the same guard as everything else.

People who take part have no token: whoever has the address may enter. So a study is served by itself, without
memories, and must be opened to other machines on purpose.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from situ.errors import BadInput
from situ.serve.access import Access, is_loopback
from situ.serve.api import failure_response
from situ.serve.failure import not_found
from situ.serve.guard import Guard, Hosts
from situ.serve.journal import Journal
from situ.serve.limits import Limits
from situ.serve.metrics import Metrics
from situ.serve.pages import routes_of
from situ.serve.study_api import MTURK, Finish, StudyApi
from situ.serve.workers import Workers
from situ.study.session import Session

# Many people may sit behind one address, and each looks at many frames.
LIMITS = Limits(rate=200.0, burst=1000.0, max_body=64 * 1024)
_PAGES = {
    "/": "study.html",
    "/style.css": "style.css",
    "/study.css": "study.css",
    "/api.js": "api.js",
    "/study.js": "study.js",
    "/study_frames.js": "study_frames.js",
    "/vendor/htm-preact.js": "vendor/htm-preact.js",
}


@dataclass(frozen=True)
class StudySettings:
    """`anybody`: whoever has the address may take part, from any machine; `mturk`: its site may frame us."""

    host: str = "127.0.0.1"
    allow_hosts: tuple[str, ...] = ()
    anybody: bool = False
    mturk: bool = False
    finish: Finish = field(default_factory=Finish)
    limits: Limits = LIMITS
    journal: Journal = field(default_factory=Journal)


def build_study(session: Session, settings: StudySettings) -> Guard:
    if not settings.anybody and not is_loopback(settings.host):
        raise BadInput(
            f"{settings.host} can be reached from other machines, and people who take part need no token: "
            "add --anybody to let in whoever has the address"
        )
    workers = Workers(settings.limits)
    api = StudyApi(session, workers, settings.finish)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        workers.close()
        session.store.close()

    async def nothing_here(_: Request, __: Exception) -> Response:
        return failure_response(not_found("there is nothing at this address"))

    inner = Starlette(
        routes=[*routes_of(_PAGES), *api.routes()], lifespan=lifespan, exception_handlers={404: nothing_here}
    )
    return Guard(
        inner, Access(), Hosts(settings.host, settings.allow_hosts), settings.limits, Metrics(),
        settings.journal, MTURK if settings.mturk else (),
    )  # fmt: skip
