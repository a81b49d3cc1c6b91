"""The memory as tools: in this process, over a pipe and over HTTP, for new clients and old ones."""

import asyncio
import base64
import json
import os
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import settings as few
from hypothesis import strategies as st

from serve import served
from serve.served import Running, make_memory, running

for module in served.WANTED:
    pytest.importorskip(module, reason=served.REASON)

from mcp import Client, StdioServerParameters  # noqa: E402

from situ.errors import BadInput  # noqa: E402
from situ.serve.access import ANYBODY, Caller, new_token, read_access, scopes_of  # noqa: E402
from situ.serve.library import Library  # noqa: E402
from situ.serve.limits import Limits  # noqa: E402
from situ.serve.mcp_server import mcp_server  # noqa: E402
from situ.serve.mcp_tools import Tools  # noqa: E402
from situ.serve.stdio import OLDER, PRESENT, Protocol  # noqa: E402
from situ.serve.workers import Workers  # noqa: E402

TOOLS = {"ask", "look", "objects", "what_changed", "program", "verify"}


def _nested(inner: Any) -> Any:
    """Messages with parts that have the right names and anything for a value."""
    known = st.sampled_from(["tools/call", "tools/list", "initialize", "server/discover", "ping"])
    meta = st.fixed_dictionaries({"io.modelcontextprotocol/protocolVersion": inner})
    params = st.fixed_dictionaries({}, optional={"_meta": meta, "name": inner, "arguments": inner})
    return st.fixed_dictionaries(
        {}, optional={"id": inner, "method": known | inner, "params": params | inner}
    )


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_memory(tmp_path_factory.mktemp("mcp") / "walk.situ")


def talk(target: Any, act: Callable[[Any], Coroutine[Any, Any, Any]], **options: Any) -> Any:
    async def run() -> Any:
        async with Client(target, read_timeout_seconds=120, **options) as client:
            return await act(client)

    return asyncio.run(run())


def in_process(paths: list[Path], caller: Caller = ANYBODY) -> Any:
    return mcp_server(tools_of(paths, caller))


def tools_of(paths: list[Path], caller: Caller = ANYBODY) -> Tools:
    return Tools(Library(paths), Workers(Limits()), lambda: caller)


def test_every_tool_says_what_it_gives_and_gives_it(walk: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="comes with the extra 'eval'")

    async def act(client: Any) -> None:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(listed) == TOOLS
        certificate = (
            await client.call_tool("ask", {"question": "how far is the lamp?"})
        ).structured_content["certificate"]
        calls = {
            "ask": {"question": "where is the red cup?"},
            "look": {"frame": 0},
            "objects": {"near": [3.0, 0.5, 1.0]},
            "what_changed": {"since": 0.0},
            "program": {"program": {"ask": "count", "of": {"op": "things", "kind": "lamp"}}},
            "verify": {"certificate": certificate},
        }
        for name, arguments in calls.items():
            tool = listed[name]
            assert tool.annotations.read_only_hint
            assert tool.annotations.open_world_hint is False
            result = await client.call_tool(name, arguments)
            assert not result.is_error, (name, result)
            jsonschema.validate(result.structured_content, tool.output_schema)

    talk(in_process([walk]), act)


def test_an_answer_has_at_most_one_small_picture(walk: Path) -> None:
    async def act(client: Any) -> None:
        result = await client.call_tool("ask", {"question": "where is the lamp?"})
        kinds = [block.type for block in result.content]
        assert kinds == ["text", "image"]
        assert len(base64.b64decode(result.content[1].data)) < 30_000
        assert "lamp" in result.content[0].text

    talk(in_process([walk]), act)


def test_whoever_may_not_look_gets_no_picture(walk: Path) -> None:
    async def act(client: Any) -> None:
        result = await client.call_tool("ask", {"question": "where is the lamp?"})
        assert [block.type for block in result.content] == ["text"]
        assert (await client.call_tool("look", {"frame": 0})).is_error

    talk(in_process([walk], Caller("x", frozenset({"ask"}))), act)


def test_mistakes_are_told_in_words(walk: Path, tmp_path: Path) -> None:
    other = make_memory(tmp_path / "other.situ")

    async def act(client: Any) -> None:
        for name, arguments, said in (
            ("ask", {"question": "x" * 900, "memory": "walk"}, "500"),
            ("ask", {"question": "where is the lamp?"}, "which memory"),
            ("ask", {"question": "where is the lamp?", "memory": "../walk"}, "no such memory"),
            ("look", {"frame": 10_000, "memory": "walk"}, "no picture"),
            ("objects", {"near": [1.0], "memory": "walk"}, "3 numbers"),
            ("program", {"program": {"ask": "cuont"}, "memory": "walk"}, "at .ask: unknown ask 'cuont'"),
            ("verify", {"certificate": {"format": "made up"}, "memory": "walk"}, "certificate"),
        ):
            result = await client.call_tool(name, arguments)
            assert result.is_error
            assert said in result.content[0].text, (name, result.content[0].text)
            assert str(tmp_path) not in result.content[0].text

    talk(in_process([walk, other]), act)


def test_resources_and_prompt(walk: Path) -> None:
    async def act(client: Any) -> None:
        found = (await client.read_resource("situ://memories")).contents[0]
        assert json.loads(found.text)[0]["memory"] == "walk"
        lamps = (await client.read_resource("situ://walk/objects/lamp")).contents[0]
        assert json.loads(lamps.text)["total"] == 1
        prompt = await client.get_prompt("find", {"thing": "lamp"})
        assert "lamp" in prompt.messages[0].content.text

    talk(in_process([walk]), act)


ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": PRESENT[-1],
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
REQUESTS: dict[str, dict[str, Any]] = {
    "tools/list": {}, "resources/list": {}, "resources/templates/list": {}, "prompts/list": {},
    "tools/call": {"name": "ask", "arguments": {"question": "where is the lamp?"}},
    "resources/read": {"uri": "situ://walk/objects/lamp"},
    "prompts/get": {"name": "find", "arguments": {"thing": "lamp"}},
}  # fmt: skip


def said(protocol: Protocol, method: str, params: dict[str, Any], **more: Any) -> Any:
    line = json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params, **more})
    return json.loads(json.dumps(asyncio.run(protocol.answer(line))))


def test_what_is_said_over_a_pipe_is_what_the_protocol_says(walk: Path) -> None:
    """Held against the shapes of the protocol's library, of every version that we say we speak."""
    from mcp_types import methods
    from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

    assert set(OLDER) <= set(HANDSHAKE_PROTOCOL_VERSIONS)
    assert set(PRESENT) <= set(MODERN_PROTOCOL_VERSIONS)
    protocol = Protocol(tools_of([walk]))
    for version in (*OLDER, *PRESENT):
        meta = {"_meta": ENVELOPE} if version in PRESENT else {}
        first = {"server/discover": {}} if meta else {"initialize": {"protocolVersion": version}}
        for method, params in {**first, **REQUESTS}.items():
            result = said(protocol, method, {**params, **meta})["result"]
            shaped = methods.serialize_server_result(method, version, result)
            if version == OLDER[-1] or meta:  # older ones know fewer fields
                assert {**result, "_meta": 0} == {**shaped, "_meta": 0}, (version, method)
            if method == "initialize":
                assert result["protocolVersion"] == version


def test_a_pipe_and_http_say_the_same(walk: Path, server: Running) -> None:
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    protocol = Protocol(tools_of([walk]))
    for method, params in REQUESTS.items():
        body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
        assert said(protocol, method, params) == server.request("POST", "/mcp", body, headers).json, method


def test_mistakes_over_a_pipe_have_the_codes_of_the_protocol(walk: Path) -> None:
    protocol = Protocol(tools_of([walk]))
    newer = {**ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2999-01-01"}
    for method, params, code in (
        ("nonsense", {}, -32601),
        ("ping", {"_meta": ENVELOPE}, -32601),  # the present protocol has none
        ("tools/call", {}, -32602),
        ("tools/call", {"name": "ask", "arguments": []}, -32602),
        ("prompts/get", {"name": "nothing"}, -32602),
        ("resources/read", {"uri": "situ://../etc"}, -32602),
        ("tools/list", {"_meta": newer}, -32022),
        ("tools/list", {"_meta": {"io.modelcontextprotocol/protocolVersion": PRESENT[-1]}}, -32602),
        ("tools/list", [], -32600),
    ):
        assert said(protocol, method, params)["error"]["code"] == code, (method, params)  # type: ignore[arg-type]
    assert said(protocol, "ping", {}) == {"jsonrpc": "2.0", "id": 7, "result": {}}
    assert asyncio.run(protocol.answer("{"))["error"]["code"] == -32700  # type: ignore[index]
    assert asyncio.run(protocol.answer('{"method": "notifications/initialized"}')) is None


@few(max_examples=40)
@drawn(st.binary(max_size=60) | st.recursive(st.none() | st.booleans() | st.text(max_size=8), _nested))
def test_whatever_comes_over_a_pipe_is_answered_or_ignored(line: Any) -> None:
    """None of these reaches a memory; none may end the server."""
    protocol = Protocol(Tools(Library((), may_be_empty=True), Workers(Limits()), lambda: ANYBODY))
    told = asyncio.run(protocol.answer(line if isinstance(line, bytes) else json.dumps(line)))
    assert told is None or set(told) >= {"jsonrpc", "id"}
    json.dumps(told)


def test_over_a_pipe(walk: Path) -> None:
    run = "from situ.cli import main; main()"
    started = StdioServerParameters(
        command=sys.executable, args=["-c", run, "serve", "--mcp", str(walk)], env=dict(os.environ)
    )

    async def act(client: Any) -> str:
        result = await client.call_tool("ask", {"question": "where is the lamp?"})
        return str(result.content[0].text)

    assert "lamp" in talk(started, act)


@pytest.fixture(scope="module")
def server(walk: Path) -> Iterator[Running]:
    with running([walk]) as found:
        yield found


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_over_http_for_new_clients_and_old_ones(server: Running, mode: str) -> None:
    async def act(client: Any) -> str:
        assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
        result = await client.call_tool("ask", {"question": "where is the lamp?"})
        return str(result.content[0].text)

    assert "lamp" in talk(f"http://127.0.0.1:{server.port}/mcp", act, mode=mode)
    assert 'gen_ai_tool_name="ask"' in server.get("/metrics").body.decode()


def test_over_http_a_token_opens_its_own_memory_alone(walk: Path, tmp_path: Path) -> None:
    other = make_memory(tmp_path / "other.situ")
    token = new_token(tmp_path / "tokens.json", scopes_of("ask:walk"))
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}

    def call(server: Running, memory: str, **headers: str) -> Any:
        arguments = {"question": "where is the lamp?", "memory": memory}
        return server.request(
            "POST", "/mcp", {**body, "params": {"name": "ask", "arguments": arguments}},
            {"Accept": "application/json, text/event-stream", "Content-Type": "application/json", **headers},
        )  # fmt: skip

    with running([walk, other], access=read_access(tmp_path / "tokens.json", {})) as server:
        assert call(server, "walk").status == 401
        mine = call(server, "walk", Authorization=f"Bearer {token}").json["result"]
        not_mine = call(server, "other", Authorization=f"Bearer {token}").json["result"]
        assert not mine.get("isError")
        assert [block["type"] for block in mine["content"]] == ["text"]
        assert not_mine["isError"]
        assert "scope" in not_mine["content"][0]["text"]


@pytest.mark.parametrize("host", ["claude", "claude-code", "cursor", "vscode", "langgraph"])
def test_settings_for_a_host_name_the_memory_by_its_whole_path(walk: Path, host: str) -> None:
    from situ.serve.host_settings import config

    text = json.dumps(config(host, [walk], "http://127.0.0.1:8765", "/usr/bin/situ"))
    assert (str(walk) in text) != (host == "langgraph")
    assert "serve" in text or "/mcp" in text


def test_settings_for_a_memory_that_is_not_there_are_refused(tmp_path: Path) -> None:
    from situ.serve.host_settings import config

    with pytest.raises(BadInput, match="there is no memory at"):
        config("claude", [tmp_path / "none.situ"], "http://127.0.0.1:8765", "situ")
