"""Scores, statistics, checks and audits."""
