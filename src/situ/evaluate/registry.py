"""What Inspect AI finds of situ by entry point: one task per benchmark, a canned model and local ones.

inspect eval situ/rem -T dataset=DIR --model openai/gpt-4o
"""

from collections.abc import Callable
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.model import ModelAPI, modelapi

from situ.benchmarks.dataset import Dataset
from situ.errors import BadInput
from situ.evaluate.engine import build_task
from situ.evaluate.model_job import ModelJob
from situ.evaluate.prompt import Template
from situ.evaluate.run import Job, Settings


@modelapi(name="situ-canned")
def situ_canned() -> type[ModelAPI]:
    from situ.evaluate.canned import CannedModel

    return CannedModel


@modelapi(name="situ-local")
def situ_local() -> type[ModelAPI]:
    from situ.evaluate.local_model import LocalModel

    return LocalModel


def _registered(benchmark: str, about: str, strategy: str = "direct") -> Callable[..., Task]:
    def make(
        dataset: str, strategy: str = strategy, frames: str = "", parser: str = "", prompt_file: str = ""
    ) -> Task:
        return _task(benchmark, dataset, strategy, frames, parser, prompt_file)

    make.__name__, make.__doc__ = benchmark, about
    named: Callable[..., Task] = task(name=benchmark)(make)
    return named


def _task(name: str, folder: str, strategy: str, frames: str, parser: str, prompt_file: str) -> Task:
    dataset = Dataset.open(folder)
    benchmark = dataset.manifest["benchmark"]
    if name not in (benchmark, "sns"):
        raise BadInput(f"{folder} is a {benchmark} set, not {name}; use situ/{benchmark}")
    template = Template.read(Path(prompt_file)) if prompt_file else Template()
    job = Job.of(dataset, Settings(frames=frames, protocol=name, parser=parser))
    return build_task(ModelJob(job, strategy, template), name=name)


rem = _registered("rem", "REM: walks through fields of coloured solids.")
saw = _registered("saw", "SAW-Bench: where am I, which way did I go, how do I get back.")
ucs = _registered("ucs", "UCS-Bench: questions of the wearer during a stream.")
vsi = _registered("vsi", "VSI-Bench kinds of question.")
disjoint = _registered("disjoint", "DISJOINT-3DQA: two things that are never in view together.")
sns = _registered("sns", "Spatial Narrative Score on any question set.", "narrative")
