"""Answering without looking: what a question set gives away by anything but its pictures."""

from situ.evaluate.audit.result import AttackResult, chance
from situ.evaluate.audit.run import audit, audit_rows

__all__ = ["AttackResult", "audit", "audit_rows", "chance"]
