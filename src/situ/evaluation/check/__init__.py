"""Proving a question set: its files, its rows, its pictures, and every key by a path of its own."""

from situ.evaluation.check.run import CheckResult, check_dataset, checker_of

__all__ = ["CheckResult", "check_dataset", "checker_of"]
