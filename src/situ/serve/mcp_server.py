"""The memory as tools of an assistant, over the Model Context Protocol: stdio and streamable HTTP.

Hosts give a server seconds to say hello, so the memory is loaded when a tool is called, not here.
"""

import base64
import time
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, Field

from situ import __version__
from situ.errors import MissingExtra, SituError
from situ.serve import tools
from situ.serve.access import Caller
from situ.serve.failure import failure_of
from situ.serve.library import Library, Served
from situ.serve.workers import Workers

try:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.types import CallToolResult, ImageContent, TextContent, ToolAnnotations
except ImportError as error:
    raise MissingExtra("serve", "the Model Context Protocol") from error

_PICTURE_WIDTH = 320
_MOST_ROWS = 200

Question = Annotated[str, Field(max_length=500, description="A question in plain English.")]
Time = Annotated[float | None, Field(description="Seconds on the memory's clock; leave out for now.")]
Which = Annotated[str | None, Field(max_length=64, description="Which memory, where there are several.")]


_Model = TypeVar("_Model", bound=BaseModel)


class Answer(BaseModel):
    """An answer, or in `abstained` why there is none."""

    text: str
    value: str | float | None
    abstained: str
    confidence: float
    probabilities: dict[str, float]
    distance_m: list[float] | None
    age_s: float | None
    evidence: list[int]
    certificate: dict[str, Any] | None


class Thing(BaseModel):
    """One thing that is remembered."""

    id: int
    name: str
    center: list[float]
    bearing_deg: float
    distance_m: float
    here: float
    held: bool
    last_seen: float
    last_frame: int | None


class Things(BaseModel):
    """Things, as of a time."""

    now: float
    total: int
    objects: list[Thing]


class Check(BaseModel):
    """Whether a certificate holds."""

    holds: bool
    value: str | float | None
    reason: str


class Observed(BaseModel):
    """Which frame a picture is of."""

    frame: int
    bytes: int


class Tools:
    """What an assistant can call. `caller` says who asks, `spent` is told how long each call took."""

    def __init__(
        self,
        library: Library,
        workers: Workers,
        caller: Callable[[], Caller],
        spent: Callable[[str, float], None],
    ) -> None:
        self._library, self._workers, self._caller, self._spent = library, workers, caller, spent

    async def ask(
        self, question: Question, at: Time = None, memory: Which = None
    ) -> Annotated[CallToolResult, Answer]:
        served = self._open(memory, "ask")
        data, _ = await self._run("ask", served, "ask", question, at)
        told = _picked(Answer, data)
        content = [TextContent(text=told.text)]
        picture = await self._picture(served, data["pictures"])
        return CallToolResult(content=content + picture, structuredContent=told.model_dump())

    async def look(
        self,
        frame: Annotated[int, Field(ge=0, le=1 << 40, description="Number of the frame.")],
        max_width: Annotated[int, Field(ge=16, le=1280)] = _PICTURE_WIDTH,
        memory: Which = None,
    ) -> Annotated[CallToolResult, Observed]:
        data = await self._run("look", self._open(memory, "look"), "picture", frame, max_width)
        seen = Observed(frame=frame, bytes=len(data))
        return CallToolResult(content=[_image(data)], structuredContent=seen.model_dump())

    async def objects(
        self,
        label: Annotated[str | None, Field(max_length=100, description="A kind, such as cup.")] = None,
        near: Annotated[list[float] | None, Field(description="x, y and radius, in metres.")] = None,
        limit: Annotated[int, Field(ge=1, le=_MOST_ROWS)] = 50,
        at: Time = None,
        memory: Which = None,
    ) -> Things:
        if near is not None and len(near) != 3:
            raise ToolError("near is three numbers: x, y and radius, in metres")
        served = self._open(memory, "ask")
        spot = None if near is None else tuple(near)
        data = await self._run("objects", served, "objects", at, None, label, spot, limit)
        return Things(
            now=data["now"], total=data["total"], objects=[_picked(Thing, row) for row in data["objects"]]
        )

    async def what_changed(
        self,
        since: Annotated[float, Field(description="Seconds on the memory's clock.")],
        until: Time = None,
        memory: Which = None,
    ) -> Answer:
        data = await self._run("what_changed", self._open(memory, "ask"), "what_changed", since, until)
        return _picked(Answer, data)

    async def verify(
        self,
        certificate: Annotated[dict[str, Any], Field(description="The certificate of an answer.")],
        memory: Which = None,
    ) -> Check:
        return _picked(Check, await self._run("verify", self._open(memory, "ask"), "verify", certificate))

    async def memories(self) -> list[dict[str, Any]]:
        mine = [m for m in self._library if self._caller().may("ask", m.name)]
        return [await self._run("memories", served, "facts") for served in mine]

    def _open(self, memory: str | None, scope: str) -> Served:
        try:
            only = self._library.only()
            if memory is None and only is None:
                names = ", ".join(m.name for m in self._library if self._caller().may("ask", m.name))
                raise ToolError(f"which memory? There are {names}")
            name = memory if memory is not None or only is None else only.name
            self._caller().need(scope, str(name))
            return self._library.get(str(name))
        except SituError as error:
            raise ToolError(str(error)) from error

    async def _run(self, tool: str, served: Served, query: str, *arguments: Any) -> Any:
        began = time.perf_counter()

        def call() -> Any:
            from situ.serve import queries

            return getattr(queries, query)(served, *arguments)

        try:
            return await self._workers.run(call)
        except SituError as error:
            raise ToolError(str(failure_of(error, served.hidden))) from error
        finally:
            self._spent(tool, time.perf_counter() - began)

    async def _picture(self, served: Served, frames: list[int]) -> list[Any]:
        """At most one small picture: hosts count every byte of a result."""
        if not frames or not self._caller().may("look", served.name):
            return []
        return [_image(await self._run("look", served, "picture", frames[0], _PICTURE_WIDTH))]


def mcp_server(
    library: Library,
    workers: Workers,
    caller: Callable[[], Caller],
    spent: Callable[[str, float], None] = lambda tool, seconds: None,
) -> Any:
    """A server with five tools, two resources and a prompt."""
    server = MCPServer(
        "situ", title="Spatial memory", instructions=tools.INSTRUCTIONS, version=__version__,
        log_level="WARNING",
    )  # fmt: skip
    does = Tools(library, workers, caller, spent)
    reads = ToolAnnotations(readOnlyHint=True, idempotentHint=True, openWorldHint=False)
    for tool, said in (
        (does.ask, tools.ASK),
        (does.look, tools.LOOK),
        (does.objects, tools.OBJECTS),
        (does.what_changed, tools.WHAT_CHANGED),
        (does.verify, tools.VERIFY),
    ):
        server.add_tool(tool, description=said, annotations=reads)

    async def list_memories() -> list[dict[str, Any]]:
        return await does.memories()

    async def list_objects(memory: str, label: str) -> Any:
        return (await does.objects(label=label, memory=memory)).model_dump()

    def find(thing: str) -> str:
        return f"Where is the {thing}? Ask the memory; say how sure it is and when that was."

    server.resource("situ://memories", mime_type="application/json")(list_memories)
    server.resource("situ://{memory}/objects/{label}", mime_type="application/json")(list_objects)
    server.prompt(description="Find a thing.")(find)
    return server


def _picked(model: type[_Model], data: dict[str, Any]) -> _Model:
    """The parts of an answer that a model is made of."""
    return model(**{name: data[name] for name in model.model_fields})


def _image(jpeg: bytes) -> Any:
    return ImageContent(data=base64.b64encode(jpeg).decode(), mimeType="image/jpeg")
