"""`make bench`: every benchmark, or those named on the command line. Prints tables; asserts nothing."""

import importlib
import pkgutil
import sys
from pathlib import Path


def main() -> None:
    names = sorted(m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)]) if m.name != "__main__")
    wanted = sys.argv[1:]
    if unknown := set(wanted) - set(names):
        sys.exit(f"no benchmark named {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    for name in wanted or names:
        module = importlib.import_module(f"benchmarks.{name}")  # some need extras: only what is asked for
        if hasattr(module, "main"):
            print(f"\n=== {name}", flush=True)
            module.main()


if __name__ == "__main__":
    main()
