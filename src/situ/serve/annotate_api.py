"""The routes of `/v1/queues`: items are read, changed, judged; conflicts come back with both sides."""

import io
import json
import zipfile
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from situ.annotate import refining, training
from situ.annotate.agreement import agreement
from situ.annotate.annotation import LABELS, TYPES, Annotation, changed
from situ.annotate.blind import Guesser
from situ.annotate.exporting import public_files
from situ.annotate.store import Conflict, Deed, Stored
from situ.benchmarks.ucs.published import SUBTASKS
from situ.errors import BadInput, Refused, SituError
from situ.serve.annotate_queues import Queue, Queues, plain
from situ.serve.api import failure_response
from situ.serve.body import Fields, read_json
from situ.serve.failure import Failure, failure_of, not_found
from situ.serve.guard import CALLER
from situ.serve.workers import Workers

Handler = Callable[[Request], Awaitable[Response]]
TASKS = {name: {"category": task.category, "qtype": task.qtype} for name, task in SUBTASKS.items()}
_LONG_REQUEST = 64
_MOST_LINES = 500  # of the log in one answer


class AnnotateApi:
    """`model` and `ask`: who takes the blind test; the built-in guesser where there is none."""

    def __init__(self, queues: Queues, workers: Workers, model: str = "", ask: Guesser | None = None) -> None:
        self._queues, self._workers, self._model, self._ask = queues, workers, model, ask

    def routes(self) -> list[Route]:
        one = "/v1/queues/{q}"
        table: tuple[tuple[str, str, Handler], ...] = (
            ("GET", "/v1/queues", self.queues),
            ("GET", one, self.queue),
            ("GET", f"{one}/items", self.items),
            ("POST", f"{one}/items", self.create),
            ("GET", f"{one}/items/{{i}}", self.item),
            ("POST", f"{one}/items/{{i}}", self.change),
            ("POST", f"{one}/items/{{i}}/{{act}}", self.act),
            ("GET", f"{one}/changes", self.changes),
            ("POST", f"{one}/counts", self.counts),
            ("GET", f"{one}/export/{{kind}}", self.export),
        )
        return [Route(path, self.told(handler), methods=[method]) for method, path, handler in table]

    def opened(self, request: Request) -> Queue:
        """The queue that a request names, if its caller may work on it."""
        name = request.path_params["q"]
        CALLER.get().need("annotate", name)
        return self._queues.get(name)

    async def queues(self, request: Request) -> Response:
        Fields(request.query_params).done()
        mine = [queue for queue in self._queues if CALLER.get().may("annotate", queue.name)]
        return reply({"queues": [{"name": q.name, "training": q.training} for q in mine]})

    async def queue(self, request: Request) -> Response:
        queue = self.opened(request)
        sources = [
            {"name": s.name, "kind": s.kind, "frames": s.frames, "start_s": s.start_s, "end_s": s.end_s,
             "memory": queue.memory(s.name) is not None}
            for s in queue.media.sources.values()
        ]  # fmt: skip
        return reply({
            "name": queue.name, "training": queue.training, "sources": sources, "tasks": TASKS,
            "types": TYPES, "labels": LABELS, "guesser": refining.guesser_name(self._model),
            "seq": queue.store.seq(),
        })  # fmt: skip

    async def items(self, request: Request) -> Response:
        queue = self.opened(request)
        fields = Fields(request.query_params)
        source = fields.optional_text("source", 200)
        fields.done()
        if source is not None:
            queue.source(source)

        def rows() -> str:
            seq = queue.store.seq()
            return _listed([queue.row(stored) for stored in queue.store.all(source)], seq=seq)

        return _json(await self._workers.run(rows))

    async def item(self, request: Request) -> Response:
        queue = self.opened(request)
        return reply(await self._workers.run(lambda: queue.whole(_get(queue, request))))

    async def create(self, request: Request) -> Response:
        queue = self.opened(request)
        _not_in_training(queue)
        fields = Fields(read_json(await request.body()))
        source, change = fields.text("source", 200), fields.object("change") or {}
        deed = _deed(fields)
        fields.done()
        queue.source(source)

        def add() -> Stored:
            new = changed(Annotation(refining.fresh_id(queue.store, source), source), change)
            return queue.store.add(new, deed)

        return reply(await self._workers.run(lambda: queue.whole(add())))

    async def change(self, request: Request) -> Response:
        queue = self.opened(request)
        _not_in_training(queue)
        fields = Fields(read_json(await request.body()))
        change, deed = fields.object("change") or {}, _deed(fields)
        fields.done()
        name = _get(queue, request).annotation.id
        return reply(await self._workers.run(lambda: queue.whole(queue.store.change(name, change, deed))))

    async def act(self, request: Request) -> Response:
        """One step of refinement, by its name in the address."""
        queue = self.opened(request)
        item, act = _get(queue, request), request.path_params["act"]
        fields = Fields(read_json(await request.body()))
        if act == "answer":
            by, given = _who(fields), {"answer": fields.text("answer", 300), "spans": fields.rows("spans")}
            fields.done()
            return reply(await self._workers.run(training.answer, queue.store, item.annotation.id, by, given))
        _not_in_training(queue)
        deed, time, label = _deed(fields), fields.number("time", 0), fields.optional_text("label", 10)
        fields.done()
        if act == "draft":
            return reply(await self._workers.run(queue.draft, item.annotation))
        return reply(
            await self._workers.run(lambda: queue.whole(self._done(queue, item, act, deed, time, label)))
        )

    def _done(
        self, queue: Queue, item: Stored, act: str, deed: Deed, time: float | None, label: str | None
    ) -> Stored:
        store, name = queue.store, item.annotation.id
        if act == "undo":
            return store.undo(name, deed)
        if act == "again":
            if time is None:
                raise BadInput("'time' is missing: when it is asked again")
            return refining.ask_again(store, name, time, deed)
        if act == "person":
            return store.change(name, refining.in_other_person(item.annotation), _named(deed, "person"))
        if act == "options":
            others = [stored.annotation for stored in store.all()]
            made = {"options": refining.made_options(item.annotation, others), "confirmed": False}
            return store.change(name, made, _named(deed, "options"))
        if act == "blind":
            return refining.blind_test(store, name, deed, self._model, self._ask)
        if act == "accept":
            return refining.accept(store, name, queue.source(item.annotation.source), deed, label)
        if act == "reject":
            return refining.reject(store, name, deed)
        raise not_found("there is no such step", "undo, again, person, options, blind, draft, accept, reject")

    async def changes(self, request: Request) -> Response:
        """What happened first after a line of the log, and up to which line that is; a page asks every few
        seconds, and at once again if there is more."""
        queue = self.opened(request)
        fields = Fields(request.query_params)
        after = fields.whole("after", 0, 1 << 50, 0)
        fields.done()

        def since() -> str:
            lines = queue.store.log(after=after, most=_MOST_LINES + 1)
            more, lines = len(lines) > _MOST_LINES, lines[:_MOST_LINES]
            rows = [queue.row(queue.store.get(name)) for name in dict.fromkeys(line.item for line in lines)]
            by = {line.item: line.by for line in lines}
            return _listed(rows, seq=max([after, *(line.seq for line in lines)]), by=by, more=more)

        return _json(await self._workers.run(since))

    async def counts(self, request: Request) -> Response:
        queue = self.opened(request)
        _not_in_training(queue)
        fields = Fields(read_json(await request.body()))
        by = _who(fields)
        fields.done()
        made, why = await self._workers.run(refining.batch_counts, queue.store, by)
        return reply({"made": made, "left_out": why})

    async def export(self, request: Request) -> Response:
        queue, kind = self.opened(request), request.path_params["kind"]
        if kind == "log":
            lines = await self._workers.run(queue.store.log)
            told = "".join(json.dumps(vars(line)) + "\n" for line in lines)
            return _file(told.encode(), "application/x-ndjson", f"{queue.name}-log.jsonl")
        if kind == "agreement":
            return reply(await self._workers.run(agreement, queue.store))
        if kind == "scores":
            return reply({"people": await self._workers.run(training.scores, queue.store)})
        if kind != "public":
            raise not_found("there is no such export", "public, log, agreement, scores")
        files = await self._workers.run(public_files, queue.store)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return _file(packed.getvalue(), "application/zip", f"{queue.name}.zip")

    def told(self, handler: Handler) -> Handler:
        """Failures become their answers here, where the queue is still known."""

        async def answer(request: Request) -> Response:
            try:
                return await handler(request)
            except Conflict as conflict:
                return _both(conflict)
            except SituError as error:
                hidden = next(
                    (q.hidden for q in self._queues if q.name == request.path_params.get("q")), None
                )
                failure = failure_of(error, hidden)
                if failure.status == 500:
                    raise
                return failure_response(failure)

        return answer


def reply(data: Any) -> Response:
    return _json(json.dumps(data, allow_nan=False))


def _json(text: str) -> Response:
    return Response(text, media_type="application/json")


def _listed(rows: list[str], **more: Any) -> str:
    """An object with `items`, which are JSON already."""
    return f'{json.dumps(more)[:-1]}, "items": [{", ".join(rows)}]}}'


def _both(conflict: Conflict) -> Response:
    said = json.loads(Failure(409, "conflict", str(conflict), "merge both and send it again").body())
    seen = None if conflict.seen is None else plain(Stored(conflict.seen, 0, 0))
    body = {**said, "current": plain(conflict.current), "seen": seen}
    return Response(json.dumps(body), 409, media_type="application/json")


def _get(queue: Queue, request: Request) -> Stored:
    try:
        return queue.store.get(request.path_params["i"])
    except BadInput as error:
        raise not_found("the queue holds no such question") from error


def _deed(fields: Fields) -> Deed:
    version = fields.whole("version", 0, 1 << 40, 0)
    request, reason = fields.optional_text("request", _LONG_REQUEST), fields.text("reason", 500, "")
    return Deed(_who(fields), "edit", version or None, reason, request)


def _named(deed: Deed, action: str) -> Deed:
    return Deed(deed.by, action, deed.version, deed.reason, deed.request)


def _who(fields: Fields) -> str:
    """The name that somebody gave, with the token's id where one was wanted: nobody signs as another."""
    name = fields.text("by", 60).strip()
    if not name:
        raise BadInput("say who you are first: 'by' is empty")
    token = CALLER.get().id
    return f"{name} ({token})" if token else name


def _not_in_training(queue: Queue) -> None:
    if queue.training:
        raise Refused("this queue is for training: its questions are answered, not changed")


def _file(content: bytes, kind: str, name: str) -> Response:
    return Response(
        content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
