"""The routes of `/v1`: read the request, ask, answer in JSON."""

import json
import time
from collections.abc import Awaitable, Callable
from typing import Any

from pydantic_core import PydanticSerializationError, to_json
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from situ import __version__
from situ.errors import BadInput, SituError
from situ.memory.forgetting.erasure import Request as Erasure
from situ.serve import queries
from situ.serve.body import MOST_FRAMES, Fields, number_of, read_json
from situ.serve.failure import Failure, failure_of, forbidden, not_found
from situ.serve.guard import CALLER, QUESTION
from situ.serve.library import Library, Served
from situ.serve.limits import Limits
from situ.serve.metrics import Metrics
from situ.serve.plain import finite
from situ.serve.tools import openai_tools
from situ.serve.workers import Workers

Handler = Callable[[Request], Awaitable[Response]]


class Api:
    """Everything under `/v1` but the streams. `writable`: whether memories may be changed by requests."""

    def __init__(
        self, library: Library, workers: Workers, limits: Limits, metrics: Metrics, writable: bool
    ) -> None:
        self._library, self._workers, self._limits = library, workers, limits
        self._metrics, self._writable = metrics, writable

    def routes(self) -> list[Route]:
        one = "/v1/memories/{m}"
        table: tuple[tuple[str, str, Handler], ...] = (
            ("POST", "/v1/ask", self.ask),
            ("POST", "/v1/program", self.program),
            ("GET", "/v1/program.json", self.program_schema),
            ("POST", "/v1/verify", self.verify),
            ("GET", "/v1/memories", self.memories),
            ("GET", f"{one}/objects", self.objects),
            ("GET", f"{one}/frames", self.frames),
            ("GET", f"{one}/frames/{{n}}.jpg", self.frame),
            ("GET", f"{one}/live.jpg", self.live),
            ("GET", f"{one}/path", self.path),
            ("GET", f"{one}/changes", self.changes),
            ("POST", f"{one}/forget", self.forget),
            ("GET", "/v1/tools.json", self.tools),
            ("GET", "/v1/healthz", self.healthz),
            ("GET", "/metrics", self.metrics),
        )
        return [Route(path, told(handler), methods=[method]) for method, path, handler in table]

    def _open(self, name: str, scope: str) -> Served:
        """A memory that the caller may use so. Who may not is not told whether there is one."""
        CALLER.get().need(scope, name)
        return self._library.get(name)

    def _named(self, fields: Fields, scope: str) -> Served:
        """The memory that a body names; it need not where there is only one."""
        only = self._library.only()
        name = fields.text("memory", 64, only.name if only is not None else None)
        return self._open(name, scope)

    async def ask(self, request: Request) -> Response:
        fields = Fields(read_json(await request.body()))
        served = self._named(fields, "ask")
        question = fields.text("question", self._limits.question_chars)
        at, known_at = fields.number("at"), fields.number("known_at")
        confidence = fields.number("confidence", 0.0, 1.0)
        context = fields.object("context")
        fields.done()
        QUESTION.set(question)
        began = time.perf_counter()
        body, kind, abstained = await self._run(
            served, _asked, question, at, known_at, 0.5 if confidence is None else confidence,
            None if context is None else _context(context),
        )  # fmt: skip
        self._metrics.asked(served.name, kind, abstained, time.perf_counter() - began)
        return JsonReply(body)

    async def program(self, request: Request) -> Response:
        fields = Fields(read_json(await request.body()))
        served = self._named(fields, "ask")
        program = fields.any("program")
        at, known_at = fields.number("at"), fields.number("known_at")
        fields.done()
        return json_reply(await self._run(served, queries.run, program, at, known_at))

    async def program_schema(self, request: Request) -> Response:
        from situ.questions.programs import program_schema

        Fields(request.query_params).done()
        return json_reply(program_schema())

    async def verify(self, request: Request) -> Response:
        fields = Fields(read_json(await request.body()))
        served = self._named(fields, "ask")
        certificate = fields.object("certificate")
        fields.done()
        if certificate is None:
            raise BadInput("'certificate' is missing: the certificate of an answer")
        return json_reply(await self._run(served, queries.verify, certificate))

    async def memories(self, request: Request) -> Response:
        Fields(request.query_params).done()
        caller = CALLER.get()
        mine = [m for m in self._library if caller.may("ask", m.name) or caller.may("look", m.name)]
        rows = []
        for served in mine:
            try:
                found = await self._run(served, queries.facts)
                self._metrics.frames.labels(served.name).set(found["frames"])
            except SituError as error:
                found = {"memory": served.name, "error": str(failure_of(error, served.hidden))}
            rows.append(found)
        return json_reply({"memories": rows, "writable": self._writable, "version": __version__})

    async def objects(self, request: Request) -> Response:
        served = self._open(request.path_params["m"], "ask")
        fields = Fields(request.query_params)
        near: Any = fields.numbers("near", 3)
        found = await self._run(
            served, queries.objects, fields.number("at"), fields.number("known_at"),
            fields.optional_text("label", 100), near, fields.whole("limit", 1, queries.MOST_OBJECTS, 50),
        )  # fmt: skip
        fields.done()
        return json_reply(found)

    async def live(self, request: Request) -> Response:
        """The last picture of the stream that is being watched."""
        served = self._open(request.path_params["m"], "look")
        if served.live is None:
            raise not_found("no stream is being watched into this memory")
        return Response(served.live, media_type="image/jpeg")

    async def frames(self, request: Request) -> Response:
        return await self._span(request, "look", queries.pictures)

    async def path(self, request: Request) -> Response:
        return await self._span(request, "ask", queries.path)

    async def _span(self, request: Request, scope: str, query: Callable[..., Any]) -> Response:
        """What lies between two times, at most so many of it."""
        served = self._open(request.path_params["m"], scope)
        fields = Fields(request.query_params)
        start, stop = fields.number("from"), fields.number("to")
        most = fields.whole("most", 2, queries.MOST_POINTS, 1000)
        fields.done()
        return json_reply(await self._run(served, query, start, stop, most))

    async def frame(self, request: Request) -> Response:
        served = self._open(request.path_params["m"], "look")
        fields = Fields(request.query_params)
        width = fields.whole("width", 16, 4096, 0)
        fields.done()
        number = request.path_params["n"]
        if not (number.isascii() and number.isdigit() and len(number) < 13):
            raise not_found("a frame is named by its number")
        return Response(
            await self._run(served, queries.picture, min(int(number), MOST_FRAMES), width or None),
            media_type="image/jpeg",
        )

    async def changes(self, request: Request) -> Response:
        served = self._open(request.path_params["m"], "ask")
        fields = Fields(request.query_params)
        since, until = fields.number("since"), fields.number("until")
        fields.done()
        return json_reply(
            await self._run(served, queries.what_changed, number_of("since", since or 0.0), until)
        )

    async def forget(self, request: Request) -> Response:
        served = self._open(request.path_params["m"], "admin")
        if not self._writable:
            raise forbidden("this server only reads", "start it with --ingest to let requests write")
        fields = Fields(read_json(await request.body()))
        thing = fields.number("thing", 0, MOST_FRAMES)
        wanted = Erasure(
            None if thing is None else int(thing), fields.optional_text("kind", 100),
            fields.optional_text("person", 100), fields.optional_text("place", 100),
            fields.number("from"), fields.number("to"),
        )  # fmt: skip
        fields.done()
        return json_reply(await self._run(served, queries.forget, wanted))

    async def tools(self, _: Request) -> Response:
        return json_reply(openai_tools([m.name for m in self._library if CALLER.get().may("ask", m.name)]))

    async def healthz(self, _: Request) -> Response:
        return json_reply({"status": "ok", "version": __version__})

    async def metrics(self, _: Request) -> Response:
        CALLER.get().need("admin")
        page, kind = self._metrics.page()
        return Response(page, media_type=kind)

    async def _run(self, served: Served, call: Callable[..., Any], *arguments: Any) -> Any:
        """In a thread; errors leave without the names of this machine's files."""
        try:
            return await self._workers.run(call, served, *arguments)
        except SituError as error:
            raise failure_of(error, served.hidden) from error


def _asked(served: Served, *arguments: Any) -> tuple[bytes, str, bool]:
    """In a thread: the answer as it is sent, its kind, and whether there was none."""
    answer, kind = queries.ask(served, *arguments)
    return encoded(answer), kind, bool(answer["abstained"])


def _context(data: dict[str, Any]) -> queries.Context:
    fields = Fields(data)
    made = queries.Context(
        fields.object("program"), fields.text("thing", 200, ""), fields.text("place", 200, "")
    )
    fields.done()
    return made


def told(handler: Handler) -> Handler:
    """Failures become their answers here, where the route is still known."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except SituError as error:
            failure = failure_of(error)
            if failure.status == 500:
                raise
            return failure_response(failure)

    return answer


def failure_response(failure: Failure) -> Response:
    return Response(failure.body(), failure.status, failure.headers, "application/json")


def encoded(data: Any) -> bytes:
    """As JSON, by the encoder that the MCP library uses as well: four times as fast as Python's own."""
    try:
        return to_json(data, inf_nan_mode="strings", fallback=finite)
    except PydanticSerializationError:  # half a character of UTF-16 can be told by its number alone
        return json.dumps(finite(data), allow_nan=False).encode()


def json_reply(data: Any) -> Response:
    return JsonReply(encoded(data))


class JsonReply(Response):  # type: ignore[misc, unused-ignore]
    """JSON as bytes. Starlette would look through headers that nobody gave."""

    def __init__(self, body: bytes) -> None:
        self.status_code, self.body, self.background = 200, body, None
        self.raw_headers = [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
        ]
