"""What Inspect AI finds of situ by entry point: one task per benchmark, a canned model and local ones.

inspect eval situ/rem -T dataset=DIR --model openai/gpt-4o
"""

from collections.abc import Callable
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.model import GenerateConfig

from situ.benchmarks.dataset import Dataset
from situ.errors import BadInput
from situ.evaluation.models.engine import build_task
from situ.evaluation.models.model_job import ModelJob
from situ.evaluation.models.presets import find_preset, with_preset
from situ.evaluation.models.prompt import Template
from situ.evaluation.models.providers import situ_canned as situ_canned
from situ.evaluation.models.providers import situ_local as situ_local
from situ.evaluation.models.settings import ModelSettings
from situ.evaluation.models.strategies import REMEMBERING
from situ.evaluation.participants.memory_cache import Memories
from situ.evaluation.runs.run import Job, Settings

_SHAPING = ("temperature", "top_p", "max_tokens")


def _registered(benchmark: str, about: str, strategy: str = "direct") -> Callable[..., Task]:
    usual = strategy

    def make(
        dataset: str,
        preset: str = "",
        strategy: str = "",
        frames: str = "",
        parser: str = "",
        prompt_file: str = "",
        memories: str = "",
    ) -> Task:
        opened = Dataset.open(dataset)
        found = opened.manifest["benchmark"]
        if benchmark not in (found, "sns"):
            raise BadInput(f"{dataset} is a {found} set, not {benchmark}; use situ/{found}")
        folder = Path(memories) if memories else None
        settings = Settings(frames=frames, protocol=benchmark, parser=parser, memories=folder)
        asked = ModelSettings("", strategy, prompt_file=Path(prompt_file) if prompt_file else None)
        return _task(opened, settings, asked, preset, usual)

    make.__name__, make.__doc__ = benchmark, about
    named: Callable[..., Task] = task(name=benchmark)(make)
    return named


def _task(dataset: Dataset, settings: Settings, asked: ModelSettings, preset: str, usual: str) -> Task:
    """The task as `situ eval` would run it; a judge or a proxy is given to Inspect as a model role."""
    if preset:
        chosen = find_preset(preset)
        chosen.check(dataset.manifest, {chosen.needs: "a role of the engine's"})
        settings, asked = with_preset(chosen, settings, asked)
    job = Job.of(dataset, settings)
    strategy = asked.strategy or usual
    if strategy in REMEMBERING:
        Memories(settings.memories).check(dataset, (row.item for row in job.rows))
    template = Template.read(asked.prompt_file) if asked.prompt_file else asked.template or Template()
    model_job = ModelJob(job, strategy, template, memories=settings.memories)
    task = build_task(model_job, name=job.protocol.benchmark)
    sampling = {name: value for name, value in asked.sampling().items() if name in _SHAPING}
    task.config = task.config.merge(GenerateConfig(**sampling))
    return task


rem = _registered("rem", "REM: walks through fields of coloured solids.")
saw = _registered("saw", "SAW-Bench: where am I, which way did I go, how do I get back.")
ucs = _registered("ucs", "UCS-Bench: questions of the wearer during a stream.")
vsi = _registered("vsi", "VSI-Bench kinds of question.")
disjoint = _registered("disjoint", "DISJOINT-3DQA: two things that are never in view together.")
sns = _registered("sns", "Spatial Narrative Score on any question set.", "narrative")
