"""`situ lab narrate`, `sns` and `captions`: videos in words, and how good such words are."""

from collections.abc import Mapping
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.official.fields import first_of
from situ.benchmarks.official.records import read_records
from situ.cli.common import JsonFlag, between, console, model_arguments, percent, print_json, progress_bars
from situ.errors import BadInput
from situ.evaluation.captions.scores import METRICS, CaptionScore, score_captions
from situ.evaluation.models.settings import ModelSettings
from situ.evaluation.models.stages import Prompts
from situ.evaluation.models.strategy import STRATEGIES as WAYS
from situ.evaluation.participants.base import PARTICIPANTS as KINDS
from situ.evaluation.runs.job import Settings
from situ.evaluation.runs.summary import summarise
from situ.evaluation.sns import PARTICIPANTS, STRATEGIES, camera_captions, run_sns
from situ.memory import SpatialMemory
from situ.narrate.camera_words import read_motions
from situ.narrate.narrative import Narrative
from situ.narrate.oracle import FPS, SEGMENT, frames_at, narrate, oracle_narrative
from situ.narrate.scene_words import read_mentions
from situ.perception.odometry import estimate_path
from situ.recording import Recording
from situ.report.run_report import Panel, write_report
from situ.report.run_tables import Table as Cells
from situ.state import PathState


class Source(StrEnum):
    """Where the camera's motion is read from."""

    TRUTH = "truth"
    ODOMETRY = "odometry"


def narrate_source(
    source: Annotated[Path, typer.Argument(help="A recording, or a memory (NAME.situ).")],
    segment: Annotated[int, typer.Option(help="Frames in a segment.")] = SEGMENT,
    fps: Annotated[float, typer.Option(help="Frames a second that the narrator sees.")] = FPS,
    scene_only: Annotated[bool, typer.Option("--scene-only", help="Leave out how the camera moves.")] = False,
    poses: Annotated[
        Source, typer.Option(help="truth: the recording's own poses; odometry: from its pictures alone.")
    ] = Source.TRUTH,
    as_json: JsonFlag = False,
) -> None:
    """Describe a recording in words, segment by segment: the scene, and how the camera moves."""
    narrative = _narrative(source, segment, fps, poses)
    if scene_only:
        narrative = narrative.scene_only
    if as_json:
        print_json(_plain(source, narrative))
    else:
        console.print(narrative.text, soft_wrap=True)


def _narrative(source: Path, segment: int, fps: float, poses: Source) -> Narrative:
    if source.suffix == ".situ":
        if poses is Source.ODOMETRY:
            raise BadInput("a memory has its own poses; --poses odometry is for recordings")
        with SpatialMemory.open(source) as memory:
            state = memory.state()
            return narrate(state, frames_at(state.path.times.tolist(), fps), segment)
    recording = Recording.open(source)
    if poses is Source.TRUTH and recording.meta.get("poses") == "unknown":
        raise BadInput(f"{source} does not know where its camera was; use --poses odometry")
    if poses is Source.TRUTH:
        return oracle_narrative(recording, segment, fps)
    if not recording.has_images:
        raise BadInput(f"{source} has no pictures; use --poses truth")
    pictures = zip(recording.path.times.tolist(), recording.images(), strict=True)
    path = estimate_path(pictures, recording.camera).path
    return narrate(PathState(path), frames_at(path.times.tolist(), fps), segment)


def _plain(source: Path, narrative: Narrative) -> dict[str, Any]:
    segments = [
        {
            "number": part.number,
            "frames": [part.first, part.last],
            "scene": part.scene,
            "camera": part.camera,
            "motions": [motion._asdict() for motion in read_motions(part.camera)],
            "things": [mention._asdict() for mention in read_mentions(part.scene)],
        }
        for part in narrative.segments
    ]
    return {"source": str(source), "segments": segments, "text": narrative.text}


CAPTIONS = (
    "The camera part of every segment against that of a perfect narrator. A narrator that does not beat a "
    "constant caption and its own captions in another order has not looked."
)

ROWS = (
    "Rows without a model's name are a perfect narrator read by the built-in reader (the ceiling), the "
    "truth on all frames, and guessing."
)


def sns(
    dataset: Annotated[Path, typer.Argument(help="A question set, such as one of `situ make narratives`.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the runs and the report.")],
    model: Annotated[str, typer.Option("--model", "-m", help="The narrator, a model of Inspect AI.")] = "",
    proxy: Annotated[str, typer.Option(help="The reader (default: the narrator).")] = "",
    base_url: Annotated[str, typer.Option(help="Address of an OpenAI-compatible server.")] = "",
    model_arg: Annotated[list[str] | None, typer.Option(help="key=value for the model's provider.")] = None,
    prompt: Annotated[
        list[str] | None, typer.Option(help="STAGE=FILE: your own prompt for a stage, narrative or answer.")
    ] = None,
    proxy_thinking: Annotated[int, typer.Option(help="Thinking tokens of the reader.", min=0)] = 0,
    frames: Annotated[str, typer.Option(help="Frames shown (default: fps:2).")] = "",
    limit: Annotated[int, typer.Option(help="Only the first N questions; 0 means all.")] = 0,
    report: Annotated[Path | None, typer.Option(help="The report (default: OUT/report.html).")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Measure the Spatial Narrative Score beside its ceiling, its floor and its ablations.

    Without --model, only the built-in narrator and reader are scored.
    """
    questions = Dataset.open(dataset)
    settings = Settings(frames, limit=limit)
    prompts, answering = Prompts.read(prompt or ())
    asked = ModelSettings(
        model, proxy=proxy, prompt_file=answering, base_url=base_url,
        model_args=model_arguments(model_arg or []), prompts=prompts, proxy_thinking=proxy_thinking,
    )  # fmt: skip
    with progress_bars() as bars:
        runs = run_sns(questions, out, settings, asked if model else None, bars)
    captions = camera_captions(questions, out, settings, asked if model else None)
    page = report or out / "report.html"
    panels = [caption_panel(captions, model or "the perfect narrator"), meaning_panel(model, proxy)]
    write_report(runs, page, more=panels)
    scores = [(run.name, summarise(run.protocol, run.records, questions.questions).overall) for run in runs]
    if as_json:
        print_json(
            {
                "runs": [{**asdict(score), "name": name} for name, score in scores],
                "captions": [{**asdict(m), "beats": m.beats_controls} for m in captions],
                "report": str(page),
            }
        )
        return
    table = Table()
    for head in ("run", "right", "interval"):
        table.add_column(head, justify="left" if head == "run" else "right")
    for name, score in scores:
        table.add_row(name, percent(score.value), between(score.interval))
    console.print(table)
    console.print(f"report: {page}")


def meaning_panel(model: str, proxy: str) -> Panel:
    """What each row of the page is."""
    rows = [(name, KINDS.about(name)) for name in PARTICIPANTS]
    for strategy in STRATEGIES if model else ():
        name, _, frames = strategy.partition(":")
        longer = f", in segments of {frames} frames" if frames else ""
        rows.append((f"{model}, {strategy}", f"{WAYS.about(name)}{longer}"))
    who = f" Narrator: {model}. Reader: {proxy or model}." if model else ""
    return "What the rows are", Cells(("run", "what it is"), tuple(rows)), ROWS + who


def caption_panel(captions: list[CaptionScore], narrator: str) -> Panel:
    rows = tuple(
        (
            m.metric, f"{m.score:.3f}", f"{m.constant:.3f}", f"{m.shuffled:.3f}",
            "yes" if m.beats_controls else "no", m.formula,
        )
        for m in captions
    )  # fmt: skip
    head = ("metric", "score", "constant caption", "shuffled", "beats both", "formula")
    return f"Camera words as captions: {narrator}", Cells(head, rows), CAPTIONS


ID = ("id", "video", "video_name", "name", "path")
TEXT = ("caption", "text", "prediction", "reference", "answer")


def captions(
    references: Annotated[Path, typer.Argument(help="JSON, JSON lines, CSV or Parquet with id and caption.")],
    predictions: Annotated[Path, typer.Argument(help="The captions to score, by the same ids.")],
    metric: Annotated[
        list[str] | None, typer.Option(help=f"Any of {', '.join(METRICS)} (default: all).")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Score camera-motion captions against two controls: a constant caption and shuffled references.

    Exit code 1 if no metric beats both controls.
    """
    theirs, ours = read_texts(references), read_texts(predictions)
    missing = sorted(set(theirs) - set(ours))
    if missing:
        raise BadInput(
            f"{predictions} has no caption for {len(missing)} of {len(theirs)} references, the first: "
            f"{missing[0]}. Give an empty one where a system said nothing"
        )
    ids = sorted(theirs)
    found = score_captions([theirs[i] for i in ids], [ours[i] for i in ids], tuple(metric or METRICS))
    if as_json:
        print_json(
            {"captions": len(ids), "metrics": [{**asdict(m), "beats": m.beats_controls} for m in found]}
        )
    else:
        table = Table()
        for name in ("metric", "score", "constant caption", "shuffled", "beats both", "formula"):
            table.add_column(name, justify="right" if name not in ("metric", "formula") else "left")
        for m in found:
            figures = (f"{m.score:.3f}", f"{m.constant:.3f}", f"{m.shuffled:.3f}")
            table.add_row(m.metric, *figures, "yes" if m.beats_controls else "no", m.formula)
        console.print(table)
    if not any(m.beats_controls for m in found):
        raise typer.Exit(1)


def read_texts(path: Path) -> dict[str, str]:
    """Texts by id: records with an id and a text, or one object that maps ids to texts."""
    found: dict[str, str] = {}
    for number, record in enumerate(read_records(path), 1):
        if not isinstance(record, Mapping):
            raise BadInput(f"{path}, record {number} is no object with an id and a caption")
        name, text = first_of(record, ID), next((record[n] for n in TEXT if n in record), None)
        if name is not None and text is not None:
            pairs = {str(name): str(text or "")}
        elif all(isinstance(value, str) for value in record.values()):
            pairs = {str(key): str(value) for key, value in record.items()}
        else:
            raise BadInput(f"{path}, record {number} needs a field {'/'.join(ID)} and one {'/'.join(TEXT)}")
        repeated = set(pairs) & set(found)
        if repeated:
            raise BadInput(f"{path} has two captions for {sorted(repeated)[0]}")
        found |= pairs
    return found
