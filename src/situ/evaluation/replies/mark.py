"""The mark that a judge model gives to an open answer."""

import re

from situ.evaluation.replies.number import read_number
from situ.evaluation.stats.llm_match import HIGHEST, LOWEST, SENTINEL


def read_mark(reply: str) -> int:
    """The mark that a judge gives, or the sentinel where there is none."""
    claim = read_number(re.sub(rf"(?:/|\bout of)\s*{HIGHEST}\b", "", reply)).claim
    mark = float(claim) if claim is not None else float(SENTINEL)
    return int(mark) if LOWEST <= mark <= HIGHEST and mark == int(mark) else SENTINEL
