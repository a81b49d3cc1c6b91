"""Every preset is runnable as it stands: frames, strategy, parser, protocol, prompt."""

import json
import re
from dataclasses import replace
from pathlib import Path

import av
import pytest
from typer.testing import CliRunner

from evaluation.small_set import make_set
from situ.benchmarks.dataset import QuestionRow
from situ.cli.app import app
from situ.errors import BadFormat, BadInput
from situ.evaluation.benchmark import BENCHMARKS, protocol_of
from situ.evaluation.models.clip import encode_clip
from situ.evaluation.models.presets import Preset, find_preset, presets, with_preset
from situ.evaluation.models.prompt import Template
from situ.evaluation.models.run_model import ModelSettings
from situ.evaluation.models.strategies import find_strategy
from situ.evaluation.records.frames import FramePolicy
from situ.evaluation.runs.run import Settings
from situ.evaluation.runs.score import parser_name, read
from situ.recording.codec import encode_jpeg

runner = CliRunner()


@pytest.mark.parametrize("preset", presets().values(), ids=lambda p: p.name)
def test_every_part_of_a_preset_exists(preset: Preset) -> None:
    assert preset.benchmark in BENCHMARKS
    protocol = protocol_of(preset.protocol or preset.benchmark)
    assert parser_name(protocol, preset.parser) in protocol.parsers
    assert str(FramePolicy.parse(preset.frames)) == (preset.frames or "all")
    find_strategy(preset.strategy)
    assert preset.needs in ("", "judge", "proxy")
    assert preset.source


def test_what_is_said_wins_over_the_preset() -> None:
    preset = find_preset("saw-table2")
    settings, asked = with_preset(preset, Settings(frames="fps:4"), ModelSettings("m", strategy=""))
    assert (settings.frames, settings.parser, settings.preset) == ("fps:4", "official", "saw-table2")
    assert (asked.strategy, asked.temperature, asked.top_p) == ("direct", 0.0, 1.0)
    assert asked.template is not None
    assert '{{"answer"' in asked.template.user


def test_a_preset_like_another_differs_in_what_it_says_alone() -> None:
    low, base = find_preset("saw-table2-low"), find_preset("saw-table2")
    told = {"name": base.name, "about": base.about, "source": base.source, "reasoning_effort": ""}
    assert low.reasoning_effort == "low"
    assert replace(low, **told) == base
    _, asked = with_preset(low, Settings(), ModelSettings("m", reasoning_effort="high"))
    assert (asked.reasoning_effort, asked.max_tokens) == ("high", 16384)


def test_a_preset_runs_and_is_in_the_card(tmp_path: Path) -> None:
    make_set(tmp_path / "set", items=2)
    command = ["eval", tmp_path / "set", "--preset", "rem-table2", "-o", tmp_path / "run", "--json"]
    result = runner.invoke(app, [*map(str, command), "--model", "situ-canned/say:1"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    card = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (card["preset"], card["frames"], card["temperature"]) == ("rem-table2", "all@960x640", 0.0)
    assert card["prompt_text"]["user"].startswith("Question: {question}")


def test_presets_for_other_sets_and_without_their_judge_are_refused(tmp_path: Path) -> None:
    make_set(tmp_path / "set", items=1)
    command = ["eval", str(tmp_path / "set"), "-o", str(tmp_path / "run"), "--model", "situ-canned/say:1"]
    with pytest.raises(BadInput, match="for saw sets"):
        runner.invoke(app, [*command, "--preset", "saw-table2"], catch_exceptions=False)
    with pytest.raises(BadInput, match="--proxy"):
        runner.invoke(app, [*command, "--preset", "sns-table1"], catch_exceptions=False)
    with pytest.raises(BadInput, match="`situ lab presets` lists them"):
        find_preset("nothing")


def test_presets_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[presets.mine]\nbenchmark = "rem"\nabout = "x"\nsource = "ours"\nframes = "last"\n')
    assert find_preset(str(path)).frames == "last"
    path.write_text('[presets.mine]\nbenchmark = "rem"\nabout = "x"\nsource = "y"\nprompt = "gone"\n')
    with pytest.raises(BadFormat, match="gone"):
        find_preset(str(path))
    path.write_text('[presets.mine]\nlike = "gone"\n')
    with pytest.raises(BadFormat, match="like 'gone'"):
        find_preset(str(path))
    path.write_text("[presets")
    with pytest.raises(BadFormat, match="TOML"):
        find_preset(str(path))


def test_a_clip_has_its_frames_and_its_rate(tmp_path: Path) -> None:
    import numpy as np

    pictures = [encode_jpeg(np.full((33, 47, 3), 40 * i, np.uint8)) for i in range(5)]
    (tmp_path / "clip.mp4").write_bytes(encode_clip(pictures, 0.5))
    with av.open(str(tmp_path / "clip.mp4")) as container:
        assert float(container.streams.video[0].average_rate) == pytest.approx(0.5)
        shades = [frame.to_ndarray(format="rgb24").mean() for frame in container.decode(video=0)]
    assert shades == pytest.approx([0, 40, 80, 120, 160], abs=6)


def test_windows_and_sizes() -> None:
    assert str(FramePolicy.parse("fps:1,window:60@960x640")) == "fps:1,window:60@960x640"
    with pytest.raises(BadInput, match="WIDTHxHEIGHT"):
        FramePolicy.parse("all@1x2x3")


@pytest.mark.parametrize("preset", presets().values(), ids=lambda p: p.name)
def test_a_perfect_reply_in_the_form_asked_for_is_right(preset: Preset) -> None:
    """Whoever answers rightly, in the form that the preset's own words demand, is read rightly."""
    protocol = protocol_of(preset.protocol or preset.benchmark)
    user = (preset.template or Template()).user
    for place, letter in enumerate("ABC"):
        row = QuestionRow("q", "i", "relationship", "Where?", ("left", "right", "behind"), "", {}, 0.0, ())
        row = replace(row, answer=row.options[place])
        if preset.benchmark == "rem":
            row = replace(row, task="ordering", options=("before", "after", "same time"))
            row = replace(row, answer=row.options[place])
            reply = row.answer
        elif preset.benchmark == "openeqa":
            row = replace(row, options=(), answer="a red rug")
            reply = "A red rug."
        elif '"answer"' in user:
            reply = f'{{"answer": "{letter}", "reasoning": "the lamp was on my left, then I turned right"}}'
        elif "'Answer:'" in user:
            reply = f"Reason: the lamp is not ahead, and the door is to its side.\nAnswer: {row.answer}"
        elif preset.name == "vsi-table":
            reply = f"{letter}. {row.answer}"
        else:
            reply = f"The camera turned left, so it must be there.\n<answer>{letter}</answer>"
        reading = read(protocol, parser_name(protocol, preset.parser), row, reply)
        assert reading.claim is not None, reply
        assert protocol.points(row, reading.claim) == 1.0, (reply, reading)


def test_a_set_with_too_few_frames_a_second_is_refused() -> None:
    manifest = {"benchmark": "saw", "recipe": {"imported": "x", "fps": 2.0}}
    find_preset("saw-table2").check(manifest, {})
    with pytest.raises(BadInput, match="--fps 6"):
        find_preset("saw-fps-6").check(manifest, {})


PAPERS = Path(__file__).parents[2] / "docs" / "papers.md"


def test_the_page_of_rows_names_every_preset_and_no_other() -> None:
    text = PAPERS.read_text(encoding="utf-8")
    kinds = "|".join(sorted({name.split("-")[0] for name in presets()}))
    named = set(re.findall(rf"`(?:--preset )?((?:{kinds})-[\w-]+)", text))
    assert named == set(presets())
