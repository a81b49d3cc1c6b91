"""The Spatial Narrative Score with everything it has to be read beside, on one question set.

Narrators: a model, and the perfect one (the ceiling). Readers: a proxy model, and the built-in one. Segments
of 16, 24 and 32 frames; narratives without their camera part; the same model on the frames themselves and on
the question alone (the floor); and the narratives' camera parts as captions beside a constant one.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.benchmarks.official.names import safe_name
from situ.errors import BadInput, MissingExtra
from situ.evaluation.captions.scores import METRICS, CaptionScore, score_captions
from situ.evaluation.models.run_model import run_model
from situ.evaluation.models.settings import ModelSettings
from situ.evaluation.models.strategies_in_words import camera_part, segments_of
from situ.evaluation.runs.job import Job, Settings
from situ.evaluation.runs.run import run_participant
from situ.evaluation.runs.run_folder import NOTES, Run
from situ.narrate.oracle import SEGMENT, oracle_narrative

PARTICIPANTS = (
    "narrative", "narrative-24", "narrative-32", "scene-narrative", "truth", "random", "frequent",
)  # fmt: skip
STRATEGIES = (
    "narrative", "narrative:24", "narrative:32", "scene-narrative", "narrative-reasoner", "oracle-narrative",
    "direct", "blind",
)  # fmt: skip
Progress = Callable[[str, int, int], None]


def run_sns(
    dataset: Dataset,
    out: Path,
    settings: Settings,
    model: ModelSettings | None = None,
    progress: Progress | None = None,
) -> list[Run]:
    """All runs of the score, each in a folder of its own below `out`; what was answered is kept."""
    settings = replace(settings, protocol="sns")
    found = []

    def told(name: str) -> Callable[[int, int], None]:
        return lambda done, total: progress(name, done, total) if progress else None

    for name in PARTICIPANTS:
        found.append(run_participant(dataset, name, settings, out / name, told(name)))
    for strategy in STRATEGIES if model else ():
        assert model is not None
        asked = replace(model, strategy=strategy)
        folder = out / f"model-{safe_name(strategy)}"
        # A recording is narrated once, whoever reads it.
        found.append(run_model(dataset, asked, settings, folder, told(strategy), notes=out / NOTES))
    return found


def camera_captions(
    dataset: Dataset, out: Path, settings: Settings, model: ModelSettings | None
) -> list[CaptionScore]:
    """The camera part of every segment against the perfect narrator's, with the controls.

    Without a model the perfect captions are scored against themselves, for the controls' sake.
    """
    job = Job.of(dataset, replace(settings, protocol="sns"))
    references: list[str] = []
    captions: list[str] = []
    for row in _one_of_each(job.rows):
        recording = dataset.recording(row.item)
        perfect = oracle_narrative(recording, frames=job.frames.pick(recording, row)).segments
        said = [segment.camera for segment in perfect]
        references += said
        mark = model.prompts.mark("narrative") if model else ""
        captions += _said(out / NOTES, row, len(perfect), mark) if model else said
    if len(references) < 2:
        raise BadInput(f"captions need two segments of {SEGMENT} frames or more, {dataset.folder} has less")
    found = []
    for metric in METRICS:
        try:
            found += score_captions(references, captions, (metric,))
        except MissingExtra:
            continue
    return found


def _one_of_each(rows: tuple[QuestionRow, ...]) -> list[QuestionRow]:
    """A question of each narrated part of a recording."""
    return list({(row.item, row.time): row for row in rows}.values())


def _said(notes: Path, row: QuestionRow, count: int, mark: str) -> list[str]:
    """What a model said of the camera in each segment; nothing where it was not asked."""
    moment = "" if row.time is None else f"-{row.time:.3f}"
    file = notes / f"{safe_name(f'narrative-{row.item}{moment}{mark}')}.txt"
    told = segments_of(file.read_text(encoding="utf-8")) if file.is_file() else []
    return [camera_part(segment) for segment in [*told, *[""] * count][:count]]
