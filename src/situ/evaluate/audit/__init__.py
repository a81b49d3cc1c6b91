"""Answering without looking: what a question set gives away by anything but its pictures."""

from typing import TYPE_CHECKING

from situ.lazy import exports

if TYPE_CHECKING:
    from situ.evaluate.audit.result import AttackResult, chance
    from situ.evaluate.audit.run import audit, audit_rows

__all__ = ["AttackResult", "audit", "audit_rows", "chance"]

__getattr__ = exports(
    __name__,
    {
        "AttackResult": "situ.evaluate.audit.result",
        "audit": "situ.evaluate.audit.run",
        "audit_rows": "situ.evaluate.audit.run",
        "chance": "situ.evaluate.audit.result",
    },
)
