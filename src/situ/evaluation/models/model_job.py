"""A job for a model, apart from the engine that does it."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from situ.evaluation.models.prompt import Template
from situ.evaluation.models.stages import Prompts
from situ.evaluation.models.watchdog import Watchdog
from situ.evaluation.records.answer import AnswerRecord
from situ.evaluation.runs.run import Job


@dataclass(frozen=True)
class ModelJob:
    """How a model is asked, with which words, and who grades or reads its replies.

    `regraded` is the share of answers that the judge grades twice, which tells how stable its marks are.
    """

    job: Job
    strategy: str = "direct"
    template: Template = field(default_factory=Template)
    notes: Path | None = None
    judged: bool = False
    regraded: float = 0.0
    extracted: bool = False
    retries: int = 0  # of a question that failed, beside the engine's own
    records: dict[str, AnswerRecord] = field(default_factory=dict)  # of this process, as they come in
    keep: Callable[[AnswerRecord], None] | None = None  # told every answer as it comes
    progress: Callable[[int, int], None] | None = None
    watchdog: Watchdog = field(default_factory=Watchdog)
    prices: tuple[float | None, float | None] = (None, None)  # dollars for a million tokens in and out
    memories: Path | None = None
    prompts: Prompts = field(default_factory=Prompts)
    proxy_thinking: int = 0  # tokens that the proxy may think; 0 leaves it to the provider

    def grades_again(self, question_id: str) -> bool:
        """Whether an answer is graded twice: the same ones in every run."""
        digest = hashlib.sha256(f"grade {question_id}".encode()).digest()
        return int.from_bytes(digest[:4], "little") < self.regraded * 2**32
