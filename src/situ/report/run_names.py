"""Names of runs that tell them apart."""

from collections.abc import Mapping, Sequence
from typing import Any

from situ.evaluation.runs.run_folder import Run

# What tells runs of one system apart, and what it is called in a name.
_TOLD_APART = {
    "preset": "preset", "temperature": "temperature", "top_p": "top-p", "max_tokens": "tokens",
    "reasoning_effort": "effort", "parser": "parser", "prompt": "prompt", "base_url": "server",
    "models": "with", "memories": "memories", "seed": "seed",
}  # fmt: skip
_HASHES = ("prompt", "memories")


def names_of(runs: Sequence[Run]) -> tuple[str, ...]:
    """A name per run. Runs of the same name say in what they differ; if in nothing, they are numbered."""
    names: list[str] = []
    for run in runs:
        alike = [other.card for other in runs if other.name == run.name]
        name = ", ".join([run.name, *_differences(run.card, alike)])
        number = 1 + sum(known == name or known.startswith(f"{name} (") for known in names)
        names.append(name if number == 1 else f"{name} ({number})")
    return tuple(names)


def _differences(card: Mapping[str, Any], alike: Sequence[Mapping[str, Any]]) -> list[str]:
    found = []
    for field, word in _TOLD_APART.items():
        value = card.get(field)
        if len({str(other.get(field) if other.get(field) is not None else "") for other in alike}) > 1:
            if isinstance(value, Mapping):
                value = " ".join(f"{role} {model}" for role, model in value.items())
            short = str(value)[:8] if field in _HASHES else str(value)
            found.append(f"no {word}" if value in (None, "") else f"{word} {short}")
    return found
