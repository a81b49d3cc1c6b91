"""Models that need no network: for tests, for trying out a set-up, and for measuring the harness.

situ-canned/say:TEXT     always says TEXT
situ-canned/replies      looks its reply up: `file` is JSON that maps a part of the prompt to a reply
situ-canned/tool:NAME    puts the question to a tool of that name, and says what the tool says
"""

import asyncio
import json
from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage
from inspect_ai.tool import ToolChoice, ToolInfo

from situ.errors import BadInput

NO_REPLY = "I cannot tell."


class CannedModel(ModelAPI):
    """Replies from a table or with one text; counts a token per word."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),
        file: str = "",
        seconds: float = 0.0,
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self._seconds = float(seconds)
        self._replies: dict[str, str] = {}
        if model_name == "replies":
            self._replies = _read_replies(file)
        elif not model_name.startswith(("say:", "tool:")):
            raise BadInput(
                f"unknown canned model '{model_name}'; use say:TEXT, tool:NAME, or replies with a file"
            )

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        if self._seconds:
            await asyncio.sleep(self._seconds)
        asked = input[-1].text
        tool = self.model_name.removeprefix("tool:")
        if tool != self.model_name and input[-1].role != "tool":
            return ModelOutput.for_tool_call(self.model_name, tool, {"question": _question_in(asked)})
        output = ModelOutput.from_content(f"situ-canned/{self.model_name}", self._reply(asked))
        said = len(output.completion.split())
        output.usage = ModelUsage(
            input_tokens=len(asked.split()), output_tokens=said, total_tokens=len(asked.split()) + said
        )
        return output

    def max_connections(self) -> int:
        return 20

    def _reply(self, asked: str) -> str:
        if self.model_name.startswith("tool:"):
            return asked
        if self.model_name.startswith("say:"):
            return self.model_name.removeprefix("say:")
        return next((reply for part, reply in self._replies.items() if part in asked), NO_REPLY)


def _question_in(prompt: str) -> str:
    """The last sentence of a prompt that asks something."""
    asking = [line.strip() for line in prompt.splitlines() if "?" in line]
    return (asking[-1] if asking else prompt)[:300]


def _read_replies(file: str) -> dict[str, str]:
    try:
        data = json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"situ-canned/replies needs a JSON file of replies, got '{file}' ({error})") from error
    if not isinstance(data, dict):
        raise BadInput(f"{file} must map parts of prompts to replies")
    return {str(part): str(reply) for part, reply in data.items()}
