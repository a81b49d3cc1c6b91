"""The routes of `situ serve --runs`: tables, pairs, questions, frames and maps of runs, all read-only."""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from situ.report.explorer import Explorer
from situ.serve.api import Handler, json_reply, told
from situ.serve.body import Fields
from situ.serve.guard import CALLER
from situ.serve.pages import routes_of
from situ.serve.workers import Workers

PAGES = {"/runs": "explore.html", "/explore.js": "explore.js", "/explore.css": "explore.css"}
_MANY = 10**6


class ExploreApi:
    def __init__(self, explorer: Explorer, workers: Workers) -> None:
        self._explorer, self._workers = explorer, workers

    def routes(self) -> list[Route]:
        table: tuple[tuple[str, Handler], ...] = (
            ("/v1/runs", self.runs),
            ("/v1/runs/pairs", self.pairs),
            ("/v1/runs/questions", self.questions),
            ("/v1/runs/question", self.question),
            ("/v1/runs/frame.jpg", self.frame),
            ("/v1/runs/map.svg", self.map),
        )
        return [*routes_of(PAGES), *(Route(path, told(handler)) for path, handler in table)]

    async def runs(self, request: Request) -> Response:
        Fields(request.query_params).done()
        found = await self._run(
            "ask", lambda: {"groups": self._explorer.table, "board": self._explorer.board}
        )
        return json_reply(found)

    async def pairs(self, request: Request) -> Response:
        fields = Fields(request.query_params)
        group = fields.whole("group", 0, _MANY, 0)
        fields.done()
        return json_reply(await self._run("ask", lambda: {"pairs": self._explorer.pairs(group)}))

    async def questions(self, request: Request) -> Response:
        fields = Fields(request.query_params)
        group, a, b = (fields.whole(name, 0, _MANY, 0) for name in ("group", "a", "b"))
        only, task = fields.optional_text("only", 40) or "all", fields.optional_text("task", 100) or ""
        stratum, value = fields.optional_text("stratum", 100) or "", fields.optional_text("value", 200) or ""
        first = fields.whole("first", 0, _MANY, 0)
        fields.done()
        return json_reply(
            await self._run(
                "ask", lambda: self._explorer.questions(group, a, b, only, task, stratum, value, first)
            )
        )

    async def question(self, request: Request) -> Response:
        group, name, _ = _asked(request)
        return json_reply(await self._run("ask", lambda: self._explorer.question(group, name)))

    async def frame(self, request: Request) -> Response:
        group, name, frame = _asked(request)
        jpeg = await self._workers.run(lambda: self._look(self._explorer.frame, group, name, frame))
        return Response(jpeg, media_type="image/jpeg")

    async def map(self, request: Request) -> Response:
        group, name, _ = _asked(request)
        drawn = await self._workers.run(lambda: self._look(self._explorer.map, group, name))
        return Response(drawn, media_type="image/svg+xml")

    def _look(self, call: Callable[..., Any], *arguments: Any) -> Any:
        CALLER.get().need("look")
        return call(*arguments)

    async def _run(self, scope: str, call: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        CALLER.get().need(scope)
        return await self._workers.run(call)


def _asked(request: Request) -> tuple[int, str, int]:
    fields = Fields(request.query_params)
    group, name = fields.whole("group", 0, _MANY, 0), fields.text("id", 300)
    frame = fields.whole("frame", 0, _MANY, 0)
    fields.done()
    return group, name, frame
