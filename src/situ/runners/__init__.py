"""Runners: local processes, SLURM, Ray."""
