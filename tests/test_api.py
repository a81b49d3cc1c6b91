"""The front door: what `import situ` offers, and that every example in its documentation is true."""

import doctest
import inspect
import subprocess
import sys
from types import ModuleType

import pytest

import situ

# The surface as promised. Whoever changes it changes this list, the docs and the changelog.
SURFACE = {
    "Camera", "Dataset", "Detections", "Memory", "Observation", "ObservedFrame", "Recording", "SituError",
    "__version__", "ask", "camera_pose", "evaluate", "example", "home", "make", "plugins", "questions",
    "render", "watch",
}  # fmt: skip


def test_the_surface_is_as_promised() -> None:
    assert set(situ.__all__) == set(dir(situ)) == SURFACE
    assert all(getattr(situ, name) is not None for name in SURFACE)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        situ.nothing  # type: ignore[attr-defined]


def test_only_one_class_is_called_memory() -> None:
    from situ import memory

    assert not hasattr(memory, "Memory")
    assert issubclass(situ.Memory, memory.SpatialMemory)


@pytest.mark.parametrize("name", sorted(SURFACE - {"__version__", "plugins", "questions"}))
def test_examples_of_public_names_are_true(name: str) -> None:
    part = getattr(situ, name)
    assert inspect.getdoc(part), f"situ.{name} has no documentation"
    finder = doctest.DocTestFinder(recurse=True)
    module = sys.modules[part.__module__]
    tests = finder.find(part, f"situ.{name}", module=module, globs={})
    assert any(test.examples for test in tests), f"situ.{name} has no example"
    runner = doctest.DocTestRunner()
    for test in tests:
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_importing_loads_nothing_heavy() -> None:
    heavy = {"numpy", "numba", "cv2", "scipy", "pyarrow", "typer", "av"}
    code = "import sys, situ; dir(situ); print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not heavy & set(loaded.split())


def test_modules_of_the_surface_are_modules() -> None:
    assert isinstance(situ.questions, ModuleType)
    assert isinstance(situ.plugins, ModuleType)
