"""Local vision-language models as a provider of the engine: `situ-local/Qwen/Qwen2.5-VL-3B-Instruct`.

Options go by --model-arg: device=cuda, dtype=bfloat16, frames=video. A video is told at the rate at which its
frames were sampled; `fps` is for frames whose rate is not known.
"""

import asyncio
import base64
from functools import partial
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ContentImage,
    ContentText,
    ContentVideo,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from situ.errors import BadInput
from situ.evaluation.models.local_vlm import IMAGES, MOST_TOKENS, LocalVlm, Turn
from situ.evaluation.models.prompt import FPS


class LocalModel(ModelAPI):
    """One model in this process; requests wait for each other."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),
        device: str = "auto",
        dtype: str = "auto",
        frames: str = IMAGES,
        fps: float = 2.0,
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        # The engine makes more of these to look up facts: weights wait until one is ready to be asked.
        self._load = partial(LocalVlm.load, model_name, device, dtype, frames, float(fps))

    def ready(self) -> None:
        """Load the weights, if they are not there yet; BadInput where they cannot be."""
        self._load()

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        turns = [Turn(message.role, _parts(message), (message.metadata or {}).get(FPS)) for message in input]
        said = await asyncio.to_thread(
            self._load().reply, turns, config.max_tokens or MOST_TOKENS, config.temperature or 0.0
        )
        reason = "max_tokens" if said.cut_short else "stop"
        output = ModelOutput.from_content(f"situ-local/{self.model_name}", said.text, reason)  # type: ignore[arg-type]
        total = said.input_tokens + said.output_tokens
        output.usage = ModelUsage(
            input_tokens=said.input_tokens, output_tokens=said.output_tokens, total_tokens=total
        )
        return output

    def max_connections(self) -> int:
        return 1


def _parts(message: ChatMessage) -> tuple[str | bytes, ...]:
    if isinstance(message.content, str):
        return (message.content,)
    parts: list[str | bytes] = []
    for content in message.content:
        if isinstance(content, ContentText):
            parts.append(content.text)
        elif isinstance(content, ContentImage):
            parts.append(base64.b64decode(content.image.partition(",")[2]))
        elif isinstance(content, ContentVideo):
            raise BadInput(
                "a local model takes frames, not a video file: write {pictures} in place of {video}, and "
                "give --model-arg frames=video"
            )
    return tuple(parts)
