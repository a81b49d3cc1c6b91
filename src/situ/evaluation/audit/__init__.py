"""Answering without looking: what a question set gives away by anything but its pictures."""

from typing import TYPE_CHECKING

from situ.lazy import exports

if TYPE_CHECKING:
    from situ.evaluation.audit.result import AttackResult, chance
    from situ.evaluation.audit.run import audit, audit_rows

__all__ = ["AttackResult", "audit", "audit_rows", "chance"]

__getattr__ = exports(
    __name__,
    {
        "AttackResult": "situ.evaluation.audit.result",
        "audit": "situ.evaluation.audit.run",
        "audit_rows": "situ.evaluation.audit.run",
        "chance": "situ.evaluation.audit.result",
    },
)
