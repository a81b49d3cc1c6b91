"""The pages: read once from the package, served from memory. No path of a request reaches the file system."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css"}
_PAGES = {"/": "index.html", "/capture": "capture.html"}
_FILES = (
    "style.css", "api.js", "capture.js", "drawing.js", "map.js", "space.js", "talk.js", "timeline.js",
    "viewer.js", "vendor/htm-preact.js",
)  # fmt: skip


def page_routes() -> list[Route]:
    """A route for each file, and no other."""
    return routes_of({**_PAGES, **{f"/{name}": name for name in _FILES}})


def routes_of(named: Mapping[str, str]) -> list[Route]:
    """Routes to files of the pages, by address."""
    folder = files("situ.serve") / "web"
    return [
        Route(path, _given(folder.joinpath(name).read_bytes(), _KINDS[name.rpartition(".")[2]]))
        for path, name in named.items()
    ]


def _given(body: bytes, kind: str) -> Callable[[Request], Awaitable[Response]]:
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'

    async def give(request: Request) -> Response:
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(body, media_type=kind, headers=headers)

    return give
