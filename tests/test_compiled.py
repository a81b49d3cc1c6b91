import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from situ.api.warming import compile_rare
from situ.kernels import _room_hash, njit
from situ.memory.tables.motion import hazard_of
from situ.memory.tracker.presence import doubt_of
from situ.memory.tracker.publish import out_of_date
from situ.perception.odometry.resection import normal_equations

# One small kernel, called once, by a script that sets no logging up.
CALL = """
import numpy as np
from situ.kernels import kernels_folder
from situ.memory.tracker.places import Places
places = Places(6.0)
for place in (np.zeros(3), np.ones(3)):
    places.visit(1, place, 1.0)
print(places.node(1).mean.tolist(), kernels_folder())
"""


def run(code: str, **environment: str | None) -> subprocess.CompletedProcess[str]:
    settings = {**os.environ, **environment}
    found = {key: value for key, value in settings.items() if value is not None}
    return subprocess.run([sys.executable, "-c", code], env=found, capture_output=True, text=True, check=True)


def test_importing_writes_nothing(tmp_path: Path) -> None:
    run("import situ.memory, situ.rendering", SITU_CACHE=str(tmp_path / "kernels"))
    assert not (tmp_path / "kernels").exists()


def test_kernels_are_compiled_once_and_it_is_said(tmp_path: Path) -> None:
    first, second = (run(CALL, SITU_CACHE=str(tmp_path)) for _ in range(2))
    assert first.stdout == second.stdout == f"[0.5, 0.5, 0.5] {tmp_path / 'kernels'}\n"
    assert first.stderr.count("compiling kernels") == 1
    assert "compiling" not in second.stderr


COUNTED = """
import sys
from numba.core import event
class Counter(event.Listener):
    def on_start(self, event): pass
    def on_end(self, event):
        function = event.data["dispatcher"].py_func
        if function.__module__.startswith("situ."):
            print("compiled", function.__qualname__, file=sys.stderr)
event.register("numba:compile", Counter())
"""


def test_of_processes_that_need_the_same_kernels_one_compiles_each_and_one_says_so(tmp_path: Path) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", COUNTED + CALL], env={**os.environ, "SITU_CACHE": str(tmp_path)},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    told = [process.communicate() for process in started]
    assert {out for out, _ in told} == {f"[0.5, 0.5, 0.5] {tmp_path / 'kernels'}\n"}
    lines = [line for _, err in told for line in err.splitlines()]
    compiled = [line for line in lines if line.startswith("compiled ")]
    assert len(compiled) == len(set(compiled)) > 0
    assert sum("compiling kernels" in line for line in lines) == 1


def test_on_a_terminal_the_count_stands_on_one_line(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    command = [sys.executable, "-c", CALL]
    subprocess.run(
        command, env={**os.environ, "SITU_CACHE": str(tmp_path)}, stdout=subprocess.DEVNULL, stderr=theirs,
        check=True,
    )  # fmt: skip
    os.close(theirs)
    said = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "\n" not in said
    counts = [int(part.split(": ")[-1].split()[0]) for part in said.split("\r") if "compiling" in part]
    assert counts[0] == 0
    assert counts == sorted(counts)
    assert said.endswith("\r\x1b[K")


def test_without_a_home_that_can_be_written_kernels_last_as_long_as_the_process() -> None:
    done = run(CALL, SITU_CACHE=None, XDG_CACHE_HOME=None, HOME="/dev/null")
    value, folder = done.stdout.rsplit(" ", 1)
    assert value == "[0.5, 0.5, 0.5]"
    assert not Path(folder.strip()).parent.exists()


@pytest.mark.parametrize(
    "import_", ["from house.room.called import b", "from house.room import (\n    called\n)"]
)
def test_any_change_of_what_kernels_are_made_of_makes_them_new(tmp_path: Path, import_: str) -> None:
    room = tmp_path / "house" / "room"
    room.mkdir(parents=True)
    caller, called, other = room / "caller.py", room / "called.py", room / "other.py"
    caller.write_text(f"from situ.compiled import njit\n{import_}\n")
    called.write_text("b = 2\n")
    other.write_text("from house.room import caller\n")
    before = _room_hash.__wrapped__(room)
    os.utime(called, (1, 1))
    assert _room_hash.__wrapped__(room) == before, "a new date is no new code"
    other.write_text("c = 3\n")
    assert _room_hash.__wrapped__(room) == before, "no kernel calls it"
    called.write_text("b = 3\n")
    changed = _room_hash.__wrapped__(room)
    caller.write_text(f"from situ.compiled import njit\n{import_}\nd = 4\n")
    assert len({before, changed, _room_hash.__wrapped__(room)}) == 3


@njit()
def _times(number: int, factor: int) -> int:
    return number * factor


@njit()
def _weighed(number: int) -> int:
    return _times(number, 2) + _times(number, 3) + _times(number, number)


def test_a_constant_argument_does_not_compile_a_function_anew() -> None:
    """Numba by itself compiles a version for the constant 2, one for 3, and one for any integer."""
    assert _weighed(5) == 2 * 5 + 3 * 5 + 25
    assert len(_times.signatures) == 1


def test_what_a_day_does_not_call_for_is_compiled_ahead_too() -> None:
    compile_rare()
    for kernel in (doubt_of, hazard_of, out_of_date, normal_equations):
        dispatcher: Any = getattr(kernel, "compiled", lambda kernel=kernel: kernel)()
        assert dispatcher.signatures, kernel


# Which kernels of the renderer have been compiled, or loaded, for which arguments.
KNOWN = """
import sys
import numpy as np
from situ.compiled import Kernel
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.rendering.renderer import Renderer
from situ.rendering.renderer import compile_kernels
from situ.worlds.homes import HomeSpec, build_home
from situ.worlds.places import LAYOUTS, make_place

def known():
    rooms = [module for name, module in sys.modules.items() if name.startswith("situ.rendering.")]
    found = [v._compiled if isinstance(v, Kernel) else v for room in rooms for v in vars(room).values()]
    return {(k.py_func.__qualname__, s) for k in found if hasattr(k, "py_func") for s in k.signatures}

compile_kernels()
ahead = known()
rng, camera = np.random.default_rng(3), Camera.from_fov(32, 24, 90)
for scene in (build_home(HomeSpec(4, 45), rng).scene, make_place(next(iter(LAYOUTS)), rng).scene):
    Renderer(scene, camera).render(camera_pose((0.0, 0.0, 1.6), 0.0))
print(len(ahead), known() - ahead)
"""


def test_workers_find_every_kernel_of_the_renderer_compiled() -> None:
    number, missing = run(KNOWN).stdout.split(maxsplit=1)
    assert int(number) > 5  # from the cache, only those that Python calls are loaded, not what they call
    assert missing == "set()\n"
