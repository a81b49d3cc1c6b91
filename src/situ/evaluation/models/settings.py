"""Who is asked and how."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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
    """Empty names mean none apart; None leaves a choice to the provider.

    `proxy` reads narratives and captions, `judge` grades and grades a share of the answers again, and
    `extractor` reads replies that no rule can read. `timeout` is how long one request may take, in seconds;
    `max_retries` how often one that failed on its way is sent again, `retries` how often a question that
    failed is asked again. Prices are in dollars for a million tokens. `proxy_thinking` is how many tokens
    the proxy may think before it answers, 0 leaves it to its provider.
    """

    model: str
    strategy: str = "direct"
    proxy: str = ""
    judge: str = ""
    regraded: float = 0.1
    extractor: str = ""
    prompt_file: Path | None = None
    base_url: str = ""
    model_args: Mapping[str, Any] = field(default_factory=dict)
    max_tokens: int = 0
    connections: int = 0
    retries: int = 2
    ask_failed_again: bool = False
    template: Template | None = None
    temperature: float | None = None
    top_p: float | None = None
    reasoning_effort: str = ""
    timeout: float = TIMEOUT_S
    max_retries: int = 5
    price_in: float | None = None
    price_out: float | None = None
    prompts: Prompts = field(default_factory=Prompts)
    proxy_thinking: int = 0

    def __post_init__(self) -> None:
        """A name of no provider is that of a model of the server whose address was given."""
        for role in ("model", "proxy", "judge", "extractor"):
            name = getattr(self, role)
            if self.base_url and name and "/" not in name:
                object.__setattr__(self, role, f"{OWN_SERVER}/{name}")
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
