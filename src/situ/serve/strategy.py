"""`situ eval --strategy mcp`: a model that asks a spatial memory, through the same tools as any assistant."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from situ.evaluation.models.strategy import Ask, Case, Outcome, Tool, strategy
from situ.memory.memory import SpatialMemory
from situ.memory.reading.state import MemoryState
from situ.serve.access import ANYBODY
from situ.serve.library import Library, Served
from situ.serve.limits import Limits
from situ.serve.tools import INSTRUCTIONS

_GIVEN = ("ask", "objects", "what_changed")
_ONE_AT_A_TIME = threading.RLock()  # a memory in RAM has one connection


class AsOf:
    """A memory as it was at a time: nothing that was seen later can be asked for."""

    def __init__(self, memory: SpatialMemory, until: float | None) -> None:
        self._memory, self._until = memory, until

    def state(self, at: float | None = None, known_at: float | None = None) -> MemoryState:
        if self._until is None:
            return self._memory.state(at, known_at)
        moment = self._until if at is None else min(at, self._until)
        return self._memory.state(moment, moment if known_at is None else min(known_at, self._until))


class Held(Served):
    """An open memory, as of a time, served to nobody but the tools of one question."""

    def __init__(self, name: str, memory: SpatialMemory, until: float | None) -> None:
        super().__init__(name, Path(name))
        self._held = AsOf(memory, until)

    @contextmanager
    def reading(self) -> Iterator[Any]:
        with _ONE_AT_A_TIME:
            yield self._held


@strategy("mcp", "no frames: the model asks a spatial memory through tools, as often as it needs")
async def mcp(case: Case, ask: Ask) -> Outcome:
    """The tools are those of `situ serve --mcp`, called over the protocol; its memory ends there."""
    from mcp import Client

    from situ.serve.mcp_server import mcp_server
    from situ.serve.mcp_tools import Tools
    from situ.serve.workers import Workers

    words = case.words((), INSTRUCTIONS)
    workers = Workers(Limits())
    with case.memories.lent(case.recording, case.row.item) as memory:
        library = Library(served=[Held("memory", memory, case.row.time)])
        try:
            async with Client(mcp_server(Tools(library, workers, lambda: ANYBODY))) as client:
                listed = (await client.list_tools()).tools
                tools = [
                    Tool(t.name, t.description or "", t.input_schema, partial(_call, client, t.name))
                    for t in listed
                    if t.name in _GIVEN
                ]
                reply = await ask(words.system, words.parts(()), tools=tools)
        finally:
            workers.close()
    return Outcome(reply, words)


async def _call(client: Any, name: str, arguments: dict[str, Any]) -> str:
    """What a tool says, as text; a mistake is told to the model, not raised."""
    result = await client.call_tool(name, arguments)
    return "\n".join(block.text for block in result.content if block.type == "text")
