"""Runner on SLURM arrays: commands are written to a file, and each array task runs some of its lines.

FOLDER/tasks.txt        one command per line
FOLDER/array.sh         script with the given options
FOLDER/logs/JOB_TASK.log

Submission returns at once. Committed tasks are not submitted again, so repeating the command after a lost
node submits the rest.
"""

import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from situ.errors import BadInput, SituError
from situ.tasks import RUNNERS, Outcome, Progress, Runner, Task

SCRIPT = """\
#!/bin/bash
{options}
#SBATCH --output={logs}/%A_%a.log
#SBATCH --open-mode=append
first=$(( (${{SITU_OFFSET:-0}} + SLURM_ARRAY_TASK_ID) * {per_task} + 1 ))
failed=0
while IFS= read -r line; do
  for attempt in 1 2 3; do
    echo "$(date -Is) attempt $attempt on $(hostname): $line"
    if eval "$line" < /dev/null; then break; fi
    if [ "$attempt" = 3 ]; then echo "gave up: $line"; failed=1; fi
  done
done < <(sed -n "${{first}},$(( first + {per_task} - 1 ))p" {tasks})
exit $failed
"""
OURS = {"per-task", "folder"}  # options that are not passed to sbatch
USUAL_ARRAY = 1001  # default of MaxArraySize


class SlurmRunner:
    """`options` are passed to sbatch, except `per-task` (commands per array task) and `folder` (scripts and
    logs, on a disk that the nodes share)."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._options = dict(options)
        bad = [name for name in options if not re.fullmatch(r"[a-z][a-z-]*", name)]
        if bad or any("\n" in value for value in options.values()):
            raise BadInput(f"options of sbatch are written like partition=gpu or time=2:00:00, got {bad}")
        if not self._options.get("per-task", "1").isdigit() or self._options.get("per-task") == "0":
            raise BadInput(f"per-task must be a whole number from 1, got {options['per-task']}")

    def run(self, tasks: Sequence[Task], progress: Progress) -> Outcome:
        if not tasks:
            return Outcome()
        if shutil.which("sbatch") is None:
            raise BadInput("there is no sbatch here: run this on a machine that submits to SLURM")
        folder = Path(self._options.get("folder", "slurm")) / datetime.now().strftime("%Y%m%d-%H%M%S-%f")
        script, per_task = self._write(folder.absolute(), tasks)
        arrays, most = -(-len(tasks) // per_task), _max_array()
        submitted = []
        for offset in range(0, arrays, most):
            count = min(most, arrays - offset)
            submitted.append(_submit(script, offset, count))
            progress(min(len(tasks), (offset + count) * per_task), len(tasks))
        return Outcome(
            queued=len(tasks),
            note=f"submitted {arrays} array tasks of {per_task} as job {', '.join(submitted)}. "
            f"Watch: squeue -j {','.join(submitted)}; tail -f {script.parent / 'logs'}/{submitted[0]}_0.log",
        )

    def _write(self, folder: Path, tasks: Sequence[Task]) -> tuple[Path, int]:
        per_task = int(self._options.get("per-task", "1"))
        given = {name: value for name, value in self._options.items() if name not in OURS}
        lines = [f"#SBATCH --{name}={value}" for name, value in {"job-name": "situ", **given}.items()]
        (folder / "logs").mkdir(parents=True)
        listed = folder / "tasks.txt"
        listed.write_text("".join(shlex.join(task.command) + "\n" for task in tasks), encoding="utf-8")
        script = folder / "array.sh"
        script.write_text(
            SCRIPT.format(
                options="\n".join(lines),
                logs=folder / "logs",
                per_task=per_task,
                tasks=shlex.quote(str(listed)),
            ),
            encoding="utf-8",
        )
        return script, per_task


def _max_array() -> int:
    """Maximum number of tasks in one array: the highest index is MaxArraySize - 1."""
    try:
        said = subprocess.run(
            ["scontrol", "show", "config"], capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        said = ""
    found = re.search(r"MaxArraySize\s*=\s*(\d+)", said)
    return max(1, (int(found.group(1)) if found else USUAL_ARRAY) - 1)


def _submit(script: Path, offset: int, count: int) -> str:
    command = [
        "sbatch",
        "--parsable",
        f"--array=0-{count - 1}",
        f"--export=ALL,SITU_OFFSET={offset}",
        str(script),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    number = done.stdout.strip().partition(";")[0]
    if done.returncode or not number.isdigit():
        raise SituError(
            f"sbatch refused {script}: {done.stderr.strip() or done.stdout.strip()}. What was submitted "
            "before goes on; correct the options and run the same command again"
        )
    return number


@RUNNERS.register("slurm", "arrays of a SLURM cluster; options of sbatch as KEY=VALUE")
def slurm_runner(jobs: int, options: Mapping[str, str]) -> Runner:
    return SlurmRunner(options)
