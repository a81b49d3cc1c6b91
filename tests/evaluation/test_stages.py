"""Own words for every stage: what is sent, what is kept apart, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.small_set import make_set
from situ.errors import BadInput, Refused
from situ.evaluation.models.stages import STAGES, Prompts
from situ.evaluation.runs.run import Settings

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
from situ.evaluation.models.run_model import run_model
from situ.evaluation.models.settings import ModelSettings

OWN = {
    "narrative": ("narrative", "Tell me a story of this part."),
    "socratic": ("socratic", "What do these sheets show?"),
    "caption": ("captions", "Name what you see."),
    "map": ("map", 'Sketch it as JSON: {{"lamp": [1, 2]}}'),
}


def prompts(folder: Path, **texts: str) -> Prompts:
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text)
    return Prompts.read([f"{name}={folder / name}.txt" for name in texts])[0]


@pytest.mark.parametrize("stage", OWN)
def test_a_stage_is_asked_in_the_words_that_were_given(stage: str, tmp_path: Path) -> None:
    strategy, words = OWN[stage]
    dataset = make_set(tmp_path / "set", items=1)
    said = words.replace("{{", "{").replace("}}", "}")
    (tmp_path / "replies.json").write_text(json.dumps({said: "my own stage", "Question:": "4"}))
    model = ModelSettings(
        "situ-canned/replies", strategy, model_args={"file": str(tmp_path / "replies.json")},
        prompts=prompts(tmp_path, **{stage: words}),
    )  # fmt: skip
    run = run_model(dataset, model, Settings(frames="uniform:2", limit=1), tmp_path / "run")
    notes = [path.read_text() for path in (tmp_path / "run" / "notes").iterdir()]
    assert any("my own stage" in note for note in notes)
    assert run.card["stage_prompts"][stage]["user"] == said if "{" not in said else words
    usual = ModelSettings("situ-canned/replies", strategy, model_args=model.model_args)
    with pytest.raises(Refused, match="stage prompts"):
        run_model(dataset, usual, Settings(frames="uniform:2", limit=1), tmp_path / "run")


def test_judge_and_extractor_are_asked_in_the_words_that_were_given(tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=2)
    replies = {"MARK THIS:": "<answer>2</answer>", "READ THIS:": "<answer>A</answer>"}
    (tmp_path / "replies.json").write_text(json.dumps(replies))
    own = prompts(
        tmp_path, judge="A strict judge.\n===\nMARK THIS: {reply} (right: {answer})",
        extractor="READ THIS: {reply} of {options}",
    )  # fmt: skip
    model = ModelSettings(
        "situ-canned/say:hm", "blind", judge="situ-canned/replies", extractor="situ-canned/replies",
        model_args={"file": str(tmp_path / "replies.json")}, prompts=own,
    )  # fmt: skip
    run = run_model(dataset, model, Settings(), tmp_path / "run")
    assert {record.mark for record in run.records} == {2}
    choices = {row.id: row.options[0] for row in dataset.questions if row.options}
    assert choices
    assert {record.claim for record in run.records if record.id in choices} == set(choices.values())


def test_our_own_words_stand_for_what_was_not_given(tmp_path: Path) -> None:
    given = prompts(tmp_path, caption="Name what you see.")
    assert given.of("map") is STAGES["map"]
    assert (given.mark("map"), Prompts().identity()) == ("", {})
    assert given.mark("caption") not in ("", prompts(tmp_path, caption="Name it.").mark("caption"))
    assert Prompts.read(["answer=words.txt"]) == (Prompts(), Path("words.txt"))


@pytest.mark.parametrize(
    ("stage", "text", "complaint"),
    [
        ("judge", "Mark {answer}.", "never uses {reply}"),
        ("caption", "See {question}?", "unknown field {question}"),
        ("map", '{"lamp": 1}', "{{ and }}"),
        ("narrative", "  \n", "no request"),
    ],
)
def test_a_prompt_that_cannot_work_is_refused(stage: str, text: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refused:
        prompts(tmp_path, **{stage: text})
    assert complaint in str(refused.value)


@pytest.mark.parametrize("given", ["judge", "=x.txt", "jduge=x.txt", "judge=missing.txt"])
def test_a_stage_and_its_file_are_needed(given: str) -> None:
    with pytest.raises(BadInput):
        Prompts.read([given])


def test_a_proxy_that_takes_no_thinking_budget_is_not_given_one_in_silence(tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=1)
    model = ModelSettings("situ-canned/say:4", "narrative", proxy="situ-canned/say:4", proxy_thinking=1024)
    run = run_model(dataset, model, Settings(frames="first", limit=1), tmp_path / "run")
    assert run.card["proxy_thinking"] == 1024
    with pytest.raises(BadInput, match="do not take"):
        replace(model, proxy="openai-api/local/any")
