"""Tasks of a published set for lmms-eval and VLMEvalKit, with the pinned images."""

import base64
import csv
import json
from pathlib import Path

import pyarrow.parquet as pq

from situ.benchmarks.dataset import QuestionRow
from situ.errors import BadFormat
from situ.evaluation.benchmark import protocol_of
from situ.evaluation.runs.score import parser_name, read
from situ.publishing.card import About

_YAML = """\
task: {task}
dataset_path: parquet
dataset_kwargs:
  data_files:
    test: {table}
test_split: test
output_type: generate_until
doc_to_visual: !function utils.doc_to_visual
doc_to_text: !function utils.doc_to_text
doc_to_target: !function utils.doc_to_target
process_results: !function utils.process_results
generation_kwargs:
  max_new_tokens: 512
  temperature: 0
  do_sample: false
metric_list:
- metric: points
  aggregation: mean
  higher_is_better: true
lmms_eval_specific_kwargs:
  default:
    pre_prompt: ""
    post_prompt: ""
metadata:
- version: 1.0
"""
_UTILS = '''\
"""Functions of the task {task}. Replies are read and scored by situ: pip install situ."""

from situ.publishing.harnesses import points_of

BENCHMARK = "{benchmark}"


def doc_to_visual(doc):
    return [picture.convert("RGB") for picture in doc["frames"]]


def doc_to_text(doc, lmms_eval_specific_kwargs=None):
    said = lmms_eval_specific_kwargs or {{}}
    return said.get("pre_prompt", "") + doc["prompt"] + said.get("post_prompt", "")


def doc_to_target(doc):
    return doc.get("answer", "")


def process_results(doc, results):
    return {{"points": points_of(BENCHMARK, doc, results[0])}}
'''
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


HARNESSES = ("lmms_eval", "vlmevalkit")  # whose tasks stand in folders of these names


def write_lmms_eval(folder: Path, about: About) -> None:
    """A task folder of lmms-eval, for --include_path.

    lmms-eval must start in it, because the path of a table is relative to the working directory.
    """
    folder.mkdir()
    text = _YAML.format(task=about.task, table="../data/test.parquet")
    (folder / f"{about.task}.yaml").write_text(text, "utf-8")
    (folder / "utils.py").write_text(_UTILS.format(task=about.task, benchmark=about.benchmark), "utf-8")


def write_vlmevalkit(folder: Path, table: Path, about: About) -> None:
    """Write a TSV in VLMEvalKit's multiple-choice format: questions with options, images in base64."""
    folder.mkdir()
    answer = ["answer"] if about.keys else []
    with (folder / f"{about.name}.tsv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t")
        most = 8
        writer.writerow(["index", "id", "question", *LETTERS[:most], *answer, "category", "split", "image"])
        with pq.ParquetFile(table) as opened:
            index = 0
            for batch in opened.iter_batches(16):
                for row in batch.to_pylist():
                    options = row["options"]
                    if not 2 <= len(options) <= most:
                        continue
                    pictures = [base64.b64encode(frame["bytes"]).decode() for frame in row["frames"]]
                    image = pictures[0] if len(pictures) == 1 else json.dumps(pictures)
                    padded = [*options, *[""] * (most - len(options))]
                    key = [LETTERS[options.index(row["answer"])]] if about.keys else []
                    question = row["question"].replace("\t", " ")
                    writer.writerow([index, row["id"], question, *padded, *key, row["task"], "test", image])
                    index += 1


def points_of(benchmark: str, doc: dict[str, object], reply: str) -> float:
    """The points of a reply to a row of a published set, as the benchmark gives them."""
    if "answer" not in doc:
        raise BadFormat("the keys of this set are kept back: write the replies to a file and send them")
    protocol = protocol_of(benchmark)
    options = doc["options"]
    assert isinstance(options, (list, tuple))
    row = QuestionRow(
        str(doc["id"]), str(doc["item"]), str(doc["task"]), str(doc["question"]), tuple(options),
        str(doc["answer"]), {}, 0.0, (),
    )  # fmt: skip
    claim = read(protocol, parser_name(protocol), row, reply).claim
    return 0.0 if claim is None else float(protocol.points(row, claim))
