"""UCS-Bench: questions during a stream, answered from what came before; micro over questions."""

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.published import table
from situ.benchmarks.ucs.published import INTERVALS_S, SUBTASKS
from situ.benchmarks.ucs.windows import AFTER, BEFORE, INSIDE, RECALLS
from situ.evaluation.protocols.base import (
    Analysis,
    Protocol,
    Published,
    Tendency,
    binned,
    equal_to_key,
    stratum_value,
)
from situ.evaluation.protocols.openeqa import matches
from situ.evaluation.protocols.tables import contract_of_any, read_any


def _points(row: QuestionRow, claim: str) -> float:
    """A choice by its option, an open answer by its words; with a judge its mark is given beside them."""
    return equal_to_key(row, claim) if row.options else matches(row, claim)


UCS = Protocol(
    benchmark="ucs",
    title="UCS-Bench",
    scene="You are shown {shown}, from a camera that its wearer keeps on. "
    "The question is asked by the wearer at the moment of the last picture.",
    contract=contract_of_any,
    frames="fps:1,recent:64@512",
    parsers={"strict": read_any},
    points=_points,
    analyses=(
        Analysis("category", stratum_value("category")),
        Analysis("subcategory", stratum_value("subcategory")),
        Analysis("type", stratum_value("qtype"), ("BINARY", "COUNT", "OTHER", "OPEN")),
        Analysis("person", stratum_value("person")),
        Analysis("window", stratum_value("window"), (BEFORE, INSIDE, AFTER)),
        Analysis("recall", stratum_value("recall"), RECALLS),
        binned("evidence_age_s", INTERVALS_S, " s"),
        binned("evidence_span_s", INTERVALS_S, " s"),
        binned("since_start_s", INTERVALS_S, " s"),
        binned("since_last_asked_s", INTERVALS_S, " s"),
    ),
    tendencies=(
        Tendency(
            "the answer that held at another time",
            lambda record: record.strata.get("window") in (BEFORE, AFTER),
            lambda record: record.claim == record.strata.get("held"),
        ),
    ),
    published=Published.of(table("ucs", "Table 3"), SUBTASKS),
    note="Causal: no frame from after the moment of asking is shown. Unreadable "
    "answers stay in the denominator.",
)
