"""Where work runs: processes of this machine, SLURM, Ray."""
