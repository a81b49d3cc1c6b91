"""The tools over HTTP: the protocol's own library carries them, for its present version and older ones."""

from typing import Any

from situ import __version__
from situ.errors import MissingExtra, SituError
from situ.serve import mcp_wire as wire
from situ.serve.mcp_tools import Tools
from situ.serve.tools import INSTRUCTIONS, NAME, TITLE

try:
    from mcp.server.lowlevel import Server
    from mcp.shared.exceptions import MCPError
    from mcp.types import (
        CallToolResult,
        GetPromptResult,
        ListPromptsResult,
        ListResourcesResult,
        ListResourceTemplatesResult,
        ListToolsResult,
        ReadResourceResult,
    )
except ImportError as error:
    raise MissingExtra("serve", "the Model Context Protocol") from error

_INVALID_PARAMS = -32602


def mcp_server(tools: Tools) -> Any:
    """A server of the library over the tools, two resources and a prompt."""

    async def list_tools(*_: Any) -> Any:
        return ListToolsResult.model_validate({"tools": wire.TOOLS})

    async def call_tool(_: Any, params: Any) -> Any:
        return CallToolResult.model_validate(await tools.call(params.name, params.arguments or {}))

    async def list_resources(*_: Any) -> Any:
        return ListResourcesResult.model_validate({"resources": wire.RESOURCES})

    async def list_templates(*_: Any) -> Any:
        return ListResourceTemplatesResult.model_validate({"resourceTemplates": wire.TEMPLATES})

    async def read_resource(_: Any, params: Any) -> Any:
        try:
            return ReadResourceResult.model_validate(await tools.read(str(params.uri)))
        except SituError as error:
            raise MCPError(code=_INVALID_PARAMS, message=str(error)) from error

    async def list_prompts(*_: Any) -> Any:
        return ListPromptsResult.model_validate({"prompts": wire.PROMPTS})

    async def get_prompt(_: Any, params: Any) -> Any:
        try:
            return GetPromptResult.model_validate(tools.prompt(params.name, params.arguments or {}))
        except SituError as error:
            raise MCPError(code=_INVALID_PARAMS, message=str(error)) from error

    return Server(
        NAME, title=TITLE, version=__version__, instructions=INSTRUCTIONS, on_list_tools=list_tools,
        on_call_tool=call_tool, on_list_resources=list_resources, on_list_resource_templates=list_templates,
        on_read_resource=read_resource, on_list_prompts=list_prompts, on_get_prompt=get_prompt,
    )  # fmt: skip
