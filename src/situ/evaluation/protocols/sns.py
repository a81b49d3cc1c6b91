"""Spatial Narrative Score: multiple choice answered from a narrative alone; micro over questions."""

from situ.benchmarks.published import table
from situ.evaluation.protocols.base import Protocol, Published

SNS = Protocol(
    benchmark="sns",
    title="Spatial Narrative Score",
    scene="You are shown {shown}: frames of one video.",
    frames="fps:2",
    asks=lambda row: bool(row.options),  # the score is that of multiple choice
    published=Published.of(table("sns", "Table 1")),
    note="Compare with a direct run of the same questions under the same aggregation: `situ compare`.",
)
