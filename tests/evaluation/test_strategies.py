import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluation.small_set import make_set
from situ.benchmarks.dataset import Dataset
from situ.errors import BadInput
from situ.evaluation.benchmark import protocol_of
from situ.evaluation.models.prompt import NO_PICTURES, Clip, Part, Template, Words
from situ.evaluation.models.strategies import find_strategy
from situ.evaluation.models.strategies_in_words import scene_part
from situ.evaluation.models.strategy import MODEL, PROXY, STRATEGIES, Case, Notes, Outcome
from situ.evaluation.records.frames import FramePolicy, PictureStore


class Listener:
    """Stands in for a model: remembers what it was asked and answers with the number of the call."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, list[str], int, int | None]] = []
        self.parts: list[list[Part]] = []
        self.rates: list[tuple[float | None, float | None]] = []

    async def __call__(
        self,
        system: str,
        parts: Sequence[Part],
        who: str = MODEL,
        max_tokens: int | None = None,
        temperature: float | None = None,
        fps: float | None = None,
    ) -> str:
        self.parts.append(list(parts))
        self.rates.append((temperature, fps))
        texts = [part for part in parts if isinstance(part, str)]
        self.calls.append((who, system, texts, len(parts) - len(texts), max_tokens))
        return f"reply {len(self.calls)}"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return make_set(tmp_path_factory.mktemp("strategies"), items=1)


def ask(
    dataset: Dataset, name: str, rows: int = 1, notes: Notes | None = None
) -> tuple[Listener, list[Outcome]]:
    """Put the first questions to a listener, all at once."""
    listener = Listener()
    store = PictureStore(dataset.recording)
    kept = notes or Notes()
    cases = [
        Case(row, protocol_of("saw"), store, FramePolicy(), notes=kept) for row in dataset.questions[:rows]
    ]

    async def all_of_them() -> list[Outcome]:
        return await asyncio.gather(*(find_strategy(name)(case, listener) for case in cases))

    return listener, asyncio.run(all_of_them())


def test_direct_sends_every_frame_and_then_the_question(dataset: Dataset) -> None:
    listener, (outcome,) = ask(dataset, "direct")
    ((who, system, texts, images, _),) = listener.calls
    assert (who, images, outcome.frames) == (MODEL, 6, 6)
    assert "6 pictures" in system
    assert dataset.questions[0].text in texts[-1]
    assert outcome.reply == "reply 1"


def test_blind_sends_no_frame(dataset: Dataset) -> None:
    listener, (outcome,) = ask(dataset, "blind")
    assert listener.calls[0][3] == 0
    assert (outcome.frames, outcome.frames_hash) == (0, "")


@pytest.mark.parametrize("name", ["socratic", "narrative"])
def test_words_about_a_recording_are_made_once_and_without_the_question(dataset: Dataset, name: str) -> None:
    listener, outcomes = ask(dataset, name, rows=2)
    made = [call for call in listener.calls if call[0] == MODEL]
    answered = [call for call in listener.calls if call[0] == PROXY]
    assert (len(made), len(answered)) == (1, 2)
    assert made[0][3] > 0
    assert not any(row.text in text for row in dataset.questions for text in made[0][2])
    assert all(call[3] == 0 and "reply 1" in call[2][0] for call in answered)
    assert outcomes[0].words.hash != outcomes[1].words.hash


def test_a_narrative_is_short_and_numbered(dataset: Dataset) -> None:
    listener, _ = ask(dataset, "narrative")
    assert listener.calls[0][4] == 300
    assert "Segment 1 (frames 1 to 6)" in listener.calls[-1][2][0]


def test_a_perfect_narrative_is_told_to_the_proxy_alone(dataset: Dataset) -> None:
    listener, (outcome,) = ask(dataset, "oracle-narrative")
    ((who, _, texts, images, _),) = listener.calls
    assert (who, images, outcome.frames) == (PROXY, 0, 6)
    assert "Segment 1 (frames 1 to 6)" in texts[0]
    assert "<camera>" in texts[0]
    assert dataset.questions[0].text in texts[0]


def test_a_narrative_from_a_file_is_told_as_it_is(dataset: Dataset) -> None:
    folder = dataset.folder / "narratives"
    with pytest.raises(BadInput, match="Write one file per item"):
        ask(dataset, "given-narrative")
    folder.mkdir()
    (folder / f"{dataset.questions[0].item}.txt").write_text("A red cone stands left of the start.\n")
    listener, (outcome,) = ask(dataset, "given-narrative")
    ((who, _, texts, images, _),) = listener.calls
    assert (who, images, outcome.frames) == (PROXY, 0, 0)
    assert "A red cone stands left of the start." in texts[0]


def test_captions_stand_beside_their_frames(dataset: Dataset) -> None:
    listener, _ = ask(dataset, "captions", rows=2)
    assert len(listener.calls) == 6 + 2
    assert [text.split(":")[0] for text in listener.calls[-1][2][:-1]] == [
        f"Picture {i}" for i in range(1, 7)
    ]


def test_memory_sends_what_is_remembered_and_the_frames_that_show_it(tmp_path: Path) -> None:
    """The annotations stand in for eyes; the question asks about the red and the blue cube."""
    dataset = make_set(tmp_path, items=1, benchmark="saw")
    listener, (_, outcome) = ask(dataset, "memory", rows=2)
    who, system, texts, images, _ = listener.calls[1]
    assert who == MODEL
    assert 0 < images == outcome.frames < 6
    assert f"{images} pictures" in system
    named = texts[-1].split("Other things")[0]
    assert "- red cube #1:" in named
    assert "- blue cube #2:" in named
    assert "- green cube #3:" not in named
    assert texts[-1].rstrip().endswith("one of A to C.")


def test_notes_outlive_the_process(dataset: Dataset, tmp_path: Path) -> None:
    ask(dataset, "narrative", notes=Notes(tmp_path))
    listener, _ = ask(dataset, "narrative", notes=Notes(tmp_path))
    assert [call[0] for call in listener.calls] == [PROXY]


def test_unknown_strategies_are_answered_with_the_known_ones() -> None:
    with pytest.raises(BadInput, match="direct"):
        find_strategy("clairvoyant")
    assert {"direct", "blind", "socratic", "captions", "narrative"} <= set(STRATEGIES)


def test_a_prompt_file_replaces_the_words(dataset: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "prompt.txt"
    path.write_text("Be brief.\n=====\nQ: {question}\n{options}Say it in one word. {contract}\n")
    template = Template.read(path)
    store = PictureStore(dataset.recording)
    case = Case(dataset.questions[1], protocol_of("saw"), store, FramePolicy(), template)
    words = case.words(case.shown)
    assert words.system == "Be brief."
    assert words.text.startswith(f"Q: {dataset.questions[1].text}\nA. before\n")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("Hello", "never uses"), ("{question} {answer}", "unknown field"), ("{question} {", "plain braces")],
)
def test_prompt_files_that_cannot_work_are_refused(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "prompt.txt"
    path.write_text(text)
    with pytest.raises(BadInput, match=complaint):
        Template.read(path)
    with pytest.raises(BadInput, match="cannot be read"):
        Template.read(tmp_path / "nothing.txt")


def test_a_map_is_no_camera_picture() -> None:
    words = Words("", "\0pictures\0Question")
    parts = words.parts([b"one", b"two"], extra=["from above", b"map"])
    assert parts == [b"one", b"two", "from above", b"map", "Question"]


def test_no_pictures_are_not_counted(dataset: Dataset) -> None:
    listener, _ = ask(dataset, "oracle-narrative")
    assert "0 pictures" not in listener.calls[0][1]
    store = PictureStore(dataset.recording)
    case = Case(dataset.questions[0], protocol_of("disjoint"), store, FramePolicy())
    assert case.words(()).system == NO_PICTURES
    assert "one picture," in case.words((0,)).system


@pytest.mark.parametrize(
    ("user", "order"),
    [
        ("{question} {actions}{pictures}", ["text", "picture", "picture"]),
        ("{pictures}{question}", ["picture", "picture", "text"]),
        ("{question}", ["picture", "picture", "text"]),
        ("Look. {pictures} {question}", ["text", "picture", "picture", "text"]),
        ("{pictures_with_positions}{question}", ["text", "picture", "text", "picture", "text"]),
        ("{question}{pictures_with_actions}", ["text", "text", "picture", "text", "picture"]),
        ("{question}{video}", ["text", "video"]),
    ],
)
def test_pictures_stand_where_the_template_says(dataset: Dataset, user: str, order: list[str]) -> None:
    template = Template.of("{scene}", user, "test")
    store = PictureStore(dataset.recording)
    row = dataset.questions[0]
    case = Case(row, protocol_of("rem"), store, FramePolicy.parse("uniform:2"), template)
    pictures = asyncio.run(case.pictures())
    parts = case.words(pictures.indices).parts(pictures.jpegs, case.fps(pictures.indices))
    kinds = {str: "text", bytes: "picture", Clip: "video"}
    assert [kinds[type(part)] for part in parts] == order
    assert sum(row.text in part for part in parts if isinstance(part, str)) == 1
    for part in parts:
        if isinstance(part, Clip):
            assert part.fps == pytest.approx(0.2)  # frames 0 and 5 of a walk at one a second


def test_the_true_rate_is_told(dataset: Dataset) -> None:
    listener, _ = ask(dataset, "direct")
    assert listener.rates == [(None, 1.0)]


def test_braces_in_a_question_are_words(dataset: Dataset) -> None:
    row = replace(dataset.questions[0], text="Is {pictures} a {video}? \0pictures\0")
    case = Case(row, protocol_of("rem"), PictureStore(dataset.recording), FramePolicy())
    parts = case.words(case.shown).parts(asyncio.run(case.pictures()).jpegs)
    assert len(parts) == 7
    assert "Is {pictures} a {video}?" in str(parts[-1])


def test_segments_of_any_length_and_without_the_camera(dataset: Dataset) -> None:
    listener, _ = ask(dataset, "narrative:2")
    assert [call[3] for call in listener.calls] == [2, 2, 2, 0]
    assert "Segment 3 (frames 5 to 6)" in listener.calls[-1][2][0]
    told = "Segment 1 (frames 1 to 2):\n<scene>A lamp.</scene> <camera>It pans left.</camera>"
    assert scene_part(told) == "Segment 1 (frames 1 to 2):\nA lamp."
    assert "pans" not in scene_part("Head\nA lamp. <camera>It pans left.")
    with pytest.raises(BadInput, match="narrative:N"):
        find_strategy("direct:3")
    with pytest.raises(BadInput, match="none"):
        find_strategy("narrative:zero")


def test_votes_are_counted_after_reading(dataset: Dataset) -> None:
    class Wavering(Listener):
        async def __call__(self, *args: Any, **options: Any) -> str:
            await super().__call__(*args, **options)
            return ("<answer>A</answer>", "no idea", "<answer>B</answer>", "B", "A?? B!!")[
                len(self.calls) - 1
            ]

    listener = Wavering()
    row = next(row for row in dataset.questions if row.options)
    case = Case(row, protocol_of("saw"), PictureStore(dataset.recording), FramePolicy())
    outcome: Any = asyncio.run(find_strategy("vote:5")(case, listener))
    assert outcome.reply == "<answer>B</answer>"
    assert all(temperature and temperature > 0 for temperature, _ in listener.rates)


def test_a_map_is_drawn_once_and_without_the_question(dataset: Dataset) -> None:
    listener, _ = ask(dataset, "map", rows=2)
    assert len(listener.calls) == 3
    assert not any(row.text in text for row in dataset.questions for text in listener.calls[0][2])
    assert all("reply 1" in call[2][-1] for call in listener.calls[1:])
