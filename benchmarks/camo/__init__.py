"""Do camera-motion narratives teach spatial reasoning? The pre-registered experiment of docs/camo.md.

python -m benchmarks.camo.run --help        trains the arms (one GPU; a CPU with --tiny)
python -m benchmarks.camo.report FILES      the table with seeds and intervals, the verdicts, the curves
"""
