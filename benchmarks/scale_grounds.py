"""Where sets are made while something is killed: processes, an S3 server, a Ray cluster, a SLURM cluster.

Each ground starts what it needs on loopback and knows what of it can be killed. Nothing else on the machine
is ever touched: what is killed descends from this process or carries its mark in the environment.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from situ.errors import BadInput

MARK = "SITU_KILLS_MARK"
STARTING_S = 60.0
STARTS = 5
Victims = dict[str, list[Callable[[], None]]]


def ours(wanted: Callable[[int, bytes], bool]) -> list[int]:
    """Processes of this benchmark whose parent and command line are wanted."""
    parents, words, marked = {}, {}, set()
    mark = f"{MARK}={os.environ.get(MARK, '')}".encode()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                number = int(folder.name)
                parents[number] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                words[number] = (folder / "cmdline").read_bytes()
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    marked.add(number)
            except OSError:
                continue

    def descends(number: int) -> bool:
        while number in parents and number != os.getpid():
            if number in marked:
                return True
            number = parents[number]
        return number == os.getpid()

    return [
        n for n in words if n != os.getpid() and n in parents and wanted(parents[n], words[n]) and descends(n)
    ]


def kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return


def free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


def until(ready: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + STARTING_S
    while not ready():
        if time.monotonic() > end:
            raise BadInput(f"{what} did not start within {STARTING_S:.0f} s")
        time.sleep(0.2)


class Local:
    """Processes of this machine, into a folder."""

    kinds: tuple[str, ...] = ("driver", "worker")
    runner = "local"

    def __init__(self, folder: Path) -> None:
        os.environ.setdefault(MARK, secrets.token_hex(8))
        self.place = str(folder)  # sets lie below it
        self.environment: dict[str, str] = {}

    def victims(self, driver: int) -> Victims:
        workers = ours(lambda parent, words: parent == driver and b"spawn_main" in words)
        return {"worker": [lambda p=p: kill(p) for p in workers]}  # type: ignore[misc]

    def busy(self) -> bool:
        """Whether something is still made after the driver has ended."""
        return False

    def close(self) -> None:
        return


class S3(Local):
    """Processes of this machine, into an S3 server of moto."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        import fsspec

        port = free_port()
        self._server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        known = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1"}
        os.environ |= known | dict.fromkeys(
            ("FSSPEC_S3_ENDPOINT_URL", "AWS_ENDPOINT_URL"), f"http://127.0.0.1:{port}"
        )
        until(lambda: _listens(port), "moto's server")
        fsspec.filesystem("s3").mkdir("kills")
        self.place = "s3://kills"

    def close(self) -> None:
        self._server.kill()


class Ray(Local):
    """A cluster of its own with two nodes, one of which is lost again and again."""

    kinds = ("driver", "worker", "node")
    runner = "ray"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")  # on a busy machine
        from ray.cluster_utils import Cluster

        self._cluster: Any = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
        )
        self._nodes = [self._new_node()]
        self.environment = {"RAY_ADDRESS": self._cluster.address}

    def victims(self, driver: int) -> Victims:
        workers = ours(lambda parent, words: words.startswith(b"ray::"))
        return {"worker": [lambda p=p: kill(p) for p in workers], "node": [self._lose_node]}  # type: ignore[misc]

    def _lose_node(self) -> None:
        self._cluster.remove_node(self._nodes.pop(), allow_graceful=False)
        self._nodes.append(self._new_node())

    def _new_node(self) -> Any:
        for _ in range(STARTS):  # a busy machine may be too slow for Ray's patience
            try:
                return self._cluster.add_node(num_cpus=1)
            except Exception as error:
                print(f"a node of Ray did not start: {error}", file=sys.stderr, flush=True)
        raise BadInput(f"no node of Ray started in {STARTS} attempts: is the machine too busy?")

    def close(self) -> None:
        self._cluster.shutdown()


_CONF = """\
ClusterName=situ
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={control}
SlurmdPort={node}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
MaxArraySize=9
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class Slurm(Local):
    """A cluster of its own with one node, from Debian's slurm-wlm and munge."""

    kinds = ("driver", "worker", "node")
    runner = "slurm"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        for program in ("munged", "slurmctld", "slurmd"):
            if shutil.which(program) is None:
                raise BadInput(f"there is no {program} here: install slurm-wlm")
        self._folder = folder / "slurm"
        for name in ("state", "spool"):
            (self._folder / name).mkdir(parents=True)
        key = self._folder / "munge.key"
        key.write_bytes(secrets.token_bytes(256))
        key.chmod(0o400)
        conf = self._folder / "slurm.conf"
        about: Mapping[str, Any] = {
            "host": socket.gethostname(), "user": os.environ.get("USER", "root"), "folder": self._folder,
            "control": free_port(), "node": free_port(),
        }  # fmt: skip
        conf.write_text(_CONF.format(**about))
        os.environ["SLURM_CONF"] = str(conf)
        at = self._folder
        files = {"key-file": key, "socket": at / "munge.socket", "pid-file": at / "munge.pid"}
        files |= {"log-file": at / "munge.log", "seed-file": at / "seed"}
        named = [f"--{name}={path}" for name, path in files.items()]
        self._running = [self._start("munged", "--foreground", "--force", *named)]
        until((at / "munge.socket").exists, "munged")
        self._running.append(self._start("slurmctld", "-D", "-f", str(conf)))
        self._node = self._start("slurmd", "-D", "-f", str(conf))
        until(lambda: "idle" in _said("sinfo", "-h"), "SLURM")

    def _start(self, *command: str) -> "subprocess.Popen[bytes]":
        log = (self._folder / "programs.log").open("ab")
        return subprocess.Popen(command, stdout=log, stderr=log)

    def victims(self, driver: int) -> Victims:
        workers = ours(lambda parent, words: b"--shard" in words.split(b"\0"))
        return {"worker": [lambda p=p: kill(p) for p in workers], "node": [self._lose_node]}  # type: ignore[misc]

    def _lose_node(self) -> None:
        """All at once: the daemon, its steps, and what they run."""
        self._node.kill()
        self._node.wait()
        for sign in (b"slurmstepd", b"slurm_script", b"--shard"):
            for process in ours(lambda parent, words, sign=sign: sign in words):  # type: ignore[misc]
                kill(process)
        self._node = self._start("slurmd", "-D", "-f", os.environ["SLURM_CONF"])

    def busy(self) -> bool:
        return bool(_said("squeue", "-h", "-n", "situ"))

    def close(self) -> None:
        for process in (self._node, *reversed(self._running)):
            process.terminate()
            process.wait()


GROUNDS: dict[str, type[Local]] = {"local": Local, "s3": S3, "ray": Ray, "slurm": Slurm}


def _listens(port: int) -> bool:
    with socket.socket() as opened:
        return opened.connect_ex(("127.0.0.1", port)) == 0


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()
