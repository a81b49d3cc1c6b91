"""`make bench`: every benchmark, or those named on the command line. Prints tables; asserts nothing."""

import importlib
import pkgutil
import sys
from pathlib import Path


def main() -> None:
    names = sorted(m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)]) if m.name != "__main__")
    modules = {name: importlib.import_module(f"benchmarks.{name}") for name in names}
    found = [name for name in names if hasattr(modules[name], "main")]
    wanted = sys.argv[1:] or found
    unknown = set(wanted) - set(found)
    if unknown:
        sys.exit(f"no benchmark named {', '.join(sorted(unknown))}; there are {', '.join(found)}")
    for name in wanted:
        print(f"\n=== {name}", flush=True)
        modules[name].main()


if __name__ == "__main__":
    main()
