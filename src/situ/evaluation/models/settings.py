"""Which model is asked, and how."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from situ.errors import BadInput
from situ.evaluation.models.prompt import Template
from situ.evaluation.models.stages import Prompts

OPEN_SERVER = "openai-api"  # any server that speaks as OpenAI's does, to the engine
OWN_SERVER = f"{OPEN_SERVER}/local"
PROXY, JUDGE, EXTRACTOR = "proxy", "judge", "extractor"
TIMEOUT_S = 300.0
PROBE, PROBE_TOKENS = "Say yes.", 16  # the trial of a provider, and how long its reply may be
# Providers to which the engine hands on how many tokens a model may think.
THINKS_IN_TOKENS = ("anthropic", "bedrock", "google", "openrouter", "situ-canned")
_SECRET = ("key", "token", "secret", "password")


@dataclass(frozen=True)
class ModelSettings:
    """How a model is asked. The notes of the fields are the help of `situ eval`."""

    model: str
    strategy: str = "direct"
    proxy: Annotated[str, "Model that answers from narratives or captions."] = ""
    judge: Annotated[str, "Model that grades open answers from 1 to 5."] = ""
    regraded: Annotated[
        float, "--grade-again", "Share of answers that the judge grades twice, to measure how stable it is."
    ] = 0.1
    extractor: Annotated[str, "Model that finds the answer in replies that no rule can read."] = ""
    prompt_file: Path | None = None
    base_url: Annotated[str, "Address of an OpenAI-compatible server."] = ""
    model_args: Mapping[str, Any] = field(default_factory=dict)
    max_tokens: Annotated[int, "Longest reply; 0 leaves it to the provider."] = 0
    connections: Annotated[int, "Parallel requests; 0 leaves it to Inspect AI."] = 0
    retries: Annotated[int, "How often a question that failed is asked again."] = 2
    ask_failed_again: Annotated[
        bool, "--ask-failed-again", "Ask the failed questions of a finished run again."
    ] = False
    template: Template | None = None
    temperature: Annotated[float | None, "Sampling temperature of the model (default: 0)."] = None
    top_p: Annotated[float | None, "Nucleus sampling of the model (default: the provider's)."] = None
    reasoning_effort: Annotated[str, "How long a reasoning model thinks: low, medium, high."] = ""
    timeout: Annotated[float, "Seconds that one request may take."] = TIMEOUT_S
    max_retries: Annotated[int, "How often a failed request is sent again."] = 5
    price_in: Annotated[
        float | None, "Dollars per million input tokens, if the provider reports no cost."
    ] = None
    price_out: Annotated[float | None, "Dollars per million output tokens."] = None
    prompts: Prompts = field(default_factory=Prompts)
    proxy_thinking: Annotated[int, "Thinking tokens of the proxy; 0 leaves it to its provider."] = 0

    def __post_init__(self) -> None:
        """A name of no provider is that of a model of the server whose address was given."""
        for role in ("model", "proxy", "judge", "extractor"):
            name = getattr(self, role)
            if self.base_url and name and "/" not in name:
                object.__setattr__(self, role, f"{OWN_SERVER}/{name}")
        if self.top_p is not None and not 0.0 < self.top_p <= 1.0:
            raise BadInput(f"--top-p must lie above 0 and at most at 1, got {self.top_p:g}")
        if self.timeout < 1.0:
            raise BadInput(f"--timeout must be 1 second or more, got {self.timeout:g}")
        reader = (self.proxy or self.model).split("/")[0]
        if self.proxy_thinking and reader not in THINKS_IN_TOKENS:
            raise BadInput(
                f"--proxy-thinking is a number of tokens, which {reader} models do not take; "
                f"those of {', '.join(THINKS_IN_TOKENS)} do"
            )

    @property
    def roles(self) -> dict[str, str]:
        named = ((PROXY, self.proxy), (JUDGE, self.judge), (EXTRACTOR, self.extractor))
        return {role: name for role, name in named if name}

    def identity(self) -> dict[str, Any]:
        """What can change a score, for the run's card; keys and passwords are left out."""
        return {
            "models": self.roles,
            "regraded": self.regraded if self.judge else None,
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "reasoning_effort": self.reasoning_effort,
            "base_url": self.base_url,
            "stage_prompts": self.prompts.identity(),
            "proxy_thinking": self.proxy_thinking,
            "model_args": {
                name: str(value)
                for name, value in sorted(self.model_args.items())
                if not any(part in name.lower() for part in _SECRET)
            },
        }

    def sampling(self) -> dict[str, Any]:
        """Options of a request in the engine's words."""
        options = {
            "max_tokens": self.max_tokens or None,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "reasoning_effort": self.reasoning_effort or None,
            "max_connections": self.connections or None,
            "attempt_timeout": max(1, round(self.timeout)),
            "timeout": max(1, round(self.timeout)),
            "max_retries": self.max_retries,
        }
        return {name: value for name, value in options.items() if value is not None}


def key_of(service: str) -> str:
    """The key of a server; own servers want none."""
    return os.environ.get(key_variable(service), "none")


def key_variable(service: str) -> str:
    return f"{service.upper().replace('-', '_')}_API_KEY"
