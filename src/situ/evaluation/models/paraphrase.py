"""A question set in a language model's words: every rewording is checked to ask the same, or is not used."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from situ.benchmarks.dataset import (
    BUILT_IN_WORDS,
    Dataset,
    QuestionRow,
    link_files,
    write_manifest,
    write_rows,
)
from situ.errors import BadInput, Refused
from situ.evaluation.benchmark import BENCHMARKS, Rewording
from situ.evaluation.models.connect import open_model
from situ.evaluation.models.run_model import run_task
from situ.evaluation.models.settings import ModelSettings

LOGS = "paraphrase"


@dataclass(frozen=True)
class Paraphrased:
    """The new set, and why rewordings were refused (those questions keep their words)."""

    dataset: Dataset
    reworded: int
    refused: Mapping[str, int]


def paraphrase(dataset: Dataset, model: ModelSettings, out: Path) -> Paraphrased:
    """A copy of a set whose questions a model has reworded. Recordings are linked where possible.

    After a kill the same call goes on: replies that came are in the log.
    """
    name = str(dataset.manifest["benchmark"])
    benchmark = BENCHMARKS.get(name)
    rewording = benchmark.rewording if benchmark is not None else None
    if rewording is None:
        known = ", ".join(other for other, one in BENCHMARKS.items() if one.rewording)
        raise BadInput(f"{dataset.folder} is a {name} set; rewordings can be checked for {known} alone")
    if (out / "manifest.json").exists():
        raise Refused(f"{out} already holds a question set. Choose another --out.")
    replies = _ask(dataset, model, out / LOGS, rewording.request)
    rows, refused = [], Counter[str]()
    for row in dataset.questions:
        problems = problems_of(row, replies.get(row.id, ""), rewording)
        refused.update(problems[:1])
        rows.append(row if problems else _in_other_words(row, replies[row.id]))
    link_files(dataset.folder / "items", out / "items")
    content = write_rows(out / "questions.parquet", rows)
    manifest = {
        **dataset.manifest,
        "content_hash": content,
        "paraphrased_by": model.model,
        "paraphrase_of": dataset.manifest["content_hash"],
    }
    write_manifest(out, manifest)
    return Paraphrased(Dataset.open(out), len(rows) - refused.total(), dict(refused))


def problems_of(row: QuestionRow, reply: str, rewording: Rewording) -> list[str]:
    """Why a reply cannot stand in for a question; empty if it can."""
    text = reply.strip()
    if not text:
        return ["no reply"]
    if "\n" in text:
        return ["it is more than one line"]
    if not text.endswith("?"):
        return ["it is no question"]
    # The first problem without its objects, so that equal ones count together.
    return [problem.split(" the ")[0] for problem in rewording.problems(row.question, text)]


def _in_other_words(row: QuestionRow, reply: str) -> QuestionRow:
    before = str(row.strata.get(BUILT_IN_WORDS, row.text))
    return replace(row, text=reply.strip(), strata={**row.strata, BUILT_IN_WORDS: before})


def _ask(dataset: Dataset, model: ModelSettings, logs: Path, request: str) -> dict[str, str]:
    known = open_model(model)
    from inspect_ai import Task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.log import read_eval_log_samples
    from inspect_ai.solver import generate

    samples = [Sample(id=row.id, input=f"{request}\n\n{row.text}", target="") for row in dataset.questions]
    task = Task(dataset=MemoryDataset(samples), solver=generate(), name="situ_paraphrase")
    log = run_task(task, model, known, {}, logs, model.retries)
    bulky = {"messages", "events", "store", "attachments"}
    found = read_eval_log_samples(log.location, all_samples_required=False, exclude_fields=bulky)
    return {str(sample.id): sample.output.completion for sample in found if sample.error is None}
