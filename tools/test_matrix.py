"""The numeric tests on other machines, as far as one machine can stand in for them: `make test-matrix`.

Other instruction sets of the linear algebra and of compiled code, other numbers of threads, another OpenCV.
A test that fails in one of them only stands on the edge of a threshold: give it room, or make the method
robust. Name variants to run these alone, and files after `--`:

    python tools/test_matrix.py plain opencv -- tests/geometry
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "matrix"
TESTS = ["tests/geometry", "tests/perception"]
OPENCV = "opencv-python-headless==4.12.0.88"
VARIANTS: dict[str, dict[str, str]] = {
    "plain": {},
    "one-thread": {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    "two-threads": {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"},
    "blas-haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "blas-prescott": {"OPENBLAS_CORETYPE": "Prescott"},  # SSE3 alone
    "numba-generic": {
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "SITU_CACHE": str(BUILD / "kernels"),
    },
    "opencv": {"PYTHONPATH": str(BUILD / "opencv")},
}


def run(name: str, tests: list[str]) -> bool:
    """Run the tests in one variant and print how that went."""
    if name == "opencv" and not (BUILD / "opencv").exists():
        install = ["install", "--quiet", "--no-deps", "--target", str(BUILD / "opencv"), OPENCV]
        subprocess.run([sys.executable, "-m", "pip", "--disable-pip-version-check", *install], check=True)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--tb", "line", *tests]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **VARIANTS[name]}, capture_output=True, text=True
    )
    failed = re.findall(r"^(?:FAILED|ERROR) .*", done.stdout, re.M)
    counts = re.findall(r"\d+ (?:passed|failed|errors?|skipped)", done.stdout)
    print(f"{name}: {', '.join(counts) or f'{len(failed)} failed, status {done.returncode}'}", flush=True)
    for line in failed:
        print(f"  {line}", flush=True)
    if done.returncode and not failed:
        print(done.stdout[-2000:] + done.stderr[-2000:])
    return done.returncode == 0


def main(words: list[str]) -> int:
    cut = words.index("--") if "--" in words else len(words)
    names, tests = words[:cut] or list(VARIANTS), words[cut + 1 :] or TESTS
    unknown = sorted(set(names) - set(VARIANTS))
    if unknown:
        print(f"no variant {', '.join(unknown)}; there are {', '.join(VARIANTS)}", file=sys.stderr)
        return 2
    BUILD.mkdir(parents=True, exist_ok=True)
    went_well = [run(name, tests) for name in names]
    return 0 if all(went_well) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
