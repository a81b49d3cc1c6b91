"""The routes of a study. A person is known by the ticket that entering gave them; no key is ever sent before
an answer, and no name of a file or a question."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from situ.errors import BadInput, Refused
from situ.serve.api import Handler, json_reply, told
from situ.serve.body import Fields, read_json
from situ.serve.failure import no_token
from situ.serve.workers import Workers
from situ.study.session import Session
from situ.study.store import Person

SOURCES = ("prolific", "mturk", "code")
MTURK = ("https://www.mturk.com", "https://workersandbox.mturk.com")
_LONGEST_MS = 7 * 24 * 3600 * 1000.0


@dataclass(frozen=True)
class Finish:
    """Where people go at the end: Prolific's page with its code, or a code that they hand in."""

    prolific_url: str = ""
    code: str = ""


class StudyApi:
    def __init__(self, session: Session, workers: Workers, finish: Finish) -> None:
        self._session, self._workers, self._finish = session, workers, finish

    def routes(self) -> list[Route]:
        table: tuple[tuple[str, str, Handler], ...] = (
            ("POST", "/v1/study/enter", self.enter),
            ("GET", "/v1/study/state", self.state),
            ("POST", "/v1/study/consent", self.consent),
            ("POST", "/v1/study/examples", self.examples),
            ("POST", "/v1/study/practice", self.practice),
            ("POST", "/v1/study/answer", self.answer),
            ("GET", "/v1/study/{part}/{number}/{frame}.jpg", self.frame),
        )
        return [Route(path, told(handler), methods=[method]) for method, path, handler in table]

    async def enter(self, request: Request) -> Response:
        fields = Fields(read_json(await request.body()))
        source, name = fields.text("source", 20), fields.text("id", 200).strip()
        screen = fields.optional_text("screen", 40) or ""
        fields.done()
        if source not in SOURCES or not name:
            raise BadInput(f"'source' is one of {', '.join(SOURCES)}, 'id' what that site calls the person")
        browser = request.headers.get("user-agent", "")
        person = await self._workers.run(self._session.enter, source, name, browser, screen)
        design = self._session.study.design
        return json_reply({"ticket": person.ticket, "study": design.name, "scratchpad": design.scratchpad})

    async def state(self, request: Request) -> Response:
        person = await self._person(request)
        return await self._state(person)

    async def consent(self, request: Request) -> Response:
        return await self._act(request, self._session.consent)

    async def examples(self, request: Request) -> Response:
        return await self._act(request, self._session.saw_examples)

    async def practice(self, request: Request) -> Response:
        person = await self._person(request)
        fields = Fields(read_json(await request.body()))
        number, choice, text = _answered(fields)
        fields.done()
        return json_reply(await self._workers.run(self._session.practise, person, number, choice, text))

    async def answer(self, request: Request) -> Response:
        person = await self._person(request)
        fields = Fields(read_json(await request.body()))
        number, choice, text = _answered(fields)
        with_it: dict[str, Any] = {
            "cannot_tell": bool(fields.whole("cannot_tell", 0, 1, 0)),
            "confidence": fields.whole("confidence", 0, 3, 0),
            "note": fields.optional_text("note", 2000) or "",
            "first_frame_ms": fields.number("first_frame_ms", 0.0, _LONGEST_MS) or 0.0,
            "answer_ms": fields.number("answer_ms", 0.0, _LONGEST_MS) or 0.0,
            "hidden_ms": fields.number("hidden_ms", 0.0, _LONGEST_MS) or 0.0,
            "steps": fields.whole("steps", 0, 10**6, 0),
            "replays": fields.whole("replays", 0, 10**6, 0),
        }
        fields.done()
        kept = await self._workers.run(self._session.answer, person, number, choice, text, with_it)
        return json_reply({"kept": kept, **(await self._read_state(person))})

    async def frame(self, request: Request) -> Response:
        person = await self._person(request)
        number, frame = (_number(request.path_params[name]) for name in ("number", "frame"))
        part = request.path_params["part"]
        jpeg = await self._workers.run(self._session.frame, person, part, number, frame)
        return Response(jpeg, media_type="image/jpeg")

    async def _act(self, request: Request, act: Callable[[Person], None]) -> Response:
        person = await self._person(request)
        await self._workers.run(act, person)
        return await self._state(person)

    async def _person(self, request: Request) -> Person:
        kind, _, ticket = request.headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer":
            raise no_token("enter the study first")
        try:
            return await self._workers.run(self._session.store.person, ticket.strip()[:100])
        except Refused as error:
            raise no_token(str(error)) from error

    async def _state(self, person: Person) -> Response:
        return json_reply(await self._read_state(person))

    async def _read_state(self, person: Person) -> dict[str, Any]:
        data: dict[str, Any] = await self._workers.run(self._session.state, person)
        if data["stage"] == "done":
            url = self._finish.prolific_url if person.source == "prolific" else ""
            data["finish"] = {"url": url, "code": self._finish.code}
        return data


def _answered(fields: Fields) -> tuple[int, int | None, str]:
    """Which question, which place on the screen, or what was typed."""
    choice = fields.number("choice", 0, 100)
    number = fields.whole("number", 0, 10**6, -1)
    return number, None if choice is None else int(choice), fields.optional_text("text", 40) or ""


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise BadInput("questions and frames are numbered")
    return int(text)
