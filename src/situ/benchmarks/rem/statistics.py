"""The sizes of REM's published sets."""

from collections.abc import Mapping
from typing import Any

from situ.benchmarks.rem.cells import SIZES
from situ.benchmarks.statistics import PublishedSizes


def published_sizes(recipe: Mapping[str, Any]) -> PublishedSizes:
    """Of the variant that a set was made as."""
    variant = str(recipe.get("variant", "baseline"))
    size = SIZES[variant]
    in_view = "17.3 (7 - 30)" if variant == "single" else ""
    return PublishedSizes(str(size.published), str(sum(size.questions.values())), in_view, size.questions)
