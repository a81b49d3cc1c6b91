import json
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.small_set import make_set
from real_data import real_data
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.vsi.score import NUMBER_TYPES, overall, score
from situ.errors import BadInput
from situ.evaluation.benchmark import BENCHMARKS, protocol_of
from situ.evaluation.protocols.vsi import VSI
from situ.evaluation.records.answer import Reply, Status
from situ.evaluation.runs.score import scored


@pytest.fixture
def rows(tmp_path: Path) -> dict[str, QuestionRow]:
    return {row.task: row for row in make_set(tmp_path, items=1).questions}


@pytest.mark.parametrize("name", sorted(BENCHMARKS))
def test_every_protocol_reads_its_own_key_as_right(name: str, rows: dict[str, QuestionRow]) -> None:
    protocol = protocol_of(name)
    for row in rows.values():
        for parser in protocol.parsers:
            if parser == "official":
                continue
            record = scored(protocol, parser, row, Reply(row.answer))
            assert (record.points, record.status) == (1.0, Status.ANSWERED)


@pytest.mark.parametrize("name", sorted(BENCHMARKS))
def test_every_protocol_says_how_to_answer_and_how_it_scores(name: str, rows: dict[str, QuestionRow]) -> None:
    protocol = protocol_of(name)
    assert "score = " in protocol.formula
    assert all(len(protocol.contract(row)) > 10 for row in rows.values())


def test_rem_reads_free_text_and_tags(rows: dict[str, QuestionRow]) -> None:
    rem = protocol_of("rem")
    order = rows["ordering"]
    for reply, claim in (
        ("We saw it before, not after.", "before"),
        ("<think>after?</think>before", "before"),
        ("<answer>after</answer>", "after"),
        ("before or after", None),
        ("<think>before", None),
        ("", None),
    ):
        record = scored(rem, "rule", order, Reply(reply))
        assert record.claim == claim
        assert record.status is (Status.UNREADABLE if claim is None else Status.ANSWERED)


def test_saw_official_parser_gives_chance_credit_and_the_strict_one_does_not(
    rows: dict[str, QuestionRow],
) -> None:
    saw = protocol_of("saw")
    order = [replace(rows["ordering"], id=str(i)) for i in range(300)]
    lucky = sum(scored(saw, "official", row, Reply("no idea")).points for row in order)
    assert 70 <= lucky <= 130
    assert sum(scored(saw, "strict", row, Reply("no idea")).points for row in order) == 0
    again = sum(scored(saw, "official", row, Reply("no idea")).points for row in order)
    assert again == lucky


def test_vsi_numbers_earn_by_relative_error(rows: dict[str, QuestionRow]) -> None:
    number = replace(rows["counting"], answer="10")
    assert scored(VSI, "strict", number, Reply("12")).points == pytest.approx(0.6)
    assert scored(VSI, "official", number, Reply("12. I think")).points == pytest.approx(0.6)
    assert scored(VSI, "official", number, Reply("about 10")).points == 0
    assert scored(VSI, "strict", number, Reply("about 10")).points == 1


def test_unknown_benchmarks_are_named() -> None:
    with pytest.raises(BadInput, match=r"'chess'.*rem"):
        protocol_of("chess")


@pytest.mark.real
def test_published_answers_of_a_real_model_score_the_same_by_protocol_and_by_the_official_rule() -> None:
    path = real_data("vsi_bench") / "gemini3flash_scene0222_01.json"
    entries = json.loads(path.read_text(encoding="utf-8"))
    by_type: dict[str, list[float]] = {}
    records = []
    for entry in entries:
        kind, truth, said = entry["question_type"], str(entry["ground_truth"]), str(entry["prediction"])
        official = score(kind, said, truth)
        by_type.setdefault(kind, []).append(official)
        options = tuple(entry.get("options") or ())
        key = truth if kind in NUMBER_TYPES else options[ord(truth) - ord("A")]
        row = QuestionRow(
            str(entry["id"]), entry["scene_name"], kind, entry["question"], options, key, {}, 1.0, ()
        )
        records.append(scored(VSI, "official", row, Reply(said)))
        assert records[-1].points == pytest.approx(official), entry["id"]
    means = {kind: sum(points) / len(points) for kind, points in by_type.items()}
    assert len(records) == 47
    assert VSI.aggregate.score(records) == pytest.approx(overall(means))


@pytest.mark.parametrize(
    ("reply", "points"),
    [
        ("Reason: I saw them.\nAnswer: a vase, the chair and bed.", 1.0),
        ("bed, chair, vase", 1.0),
        ("Answer: bed, chair", 0.0),
        ("bed, chair, vase, lamp", 0.0),
    ],
)
def test_lists_are_verified_whatever_their_order(reply: str, points: float) -> None:
    row = QuestionRow("q", "i", "description_list", "Which kinds?", (), "bed, chair, vase", {}, 1.0, ())
    protocol = protocol_of("disjoint")
    claim = protocol.parsers["strict"](row, reply).claim
    assert claim is not None
    assert protocol.points(row, claim) == points
    assert protocol.parsers["strict"](row, " ").claim is None


@pytest.mark.parametrize(
    ("task", "options", "reply", "claim"),
    [
        ("counting", (), "I see 2 or 3.", "2"),
        ("counting", (), "two", None),
        ("ordering", ("before", "after", "same time"), "It came before.", "before"),
        ("ordering", ("before", "after", "same time"), "Before, not after.", None),
        ("ordering", ("before", "after", "same time"), "simultaneously", "same time"),
        ("left_right", ("left", "right"), "It is to the left.", "left"),
        ("left_right", ("left", "right"), "left of the right one", None),
        ("left_right", ("yes", "no"), "Yep.", "yes"),
        ("left_right", ("yes", "no"), "Yes, it is", None),
        ("comparison", ("red cones", "blue spheres", "equal"), "Red cones.", "red cones"),
        ("comparison", ("red cones", "blue spheres", "equal"), "red", "red cones"),
        ("comparison", ("red cones", "blue spheres", "equal"), "more spheres", "blue spheres"),
        ("comparison", ("red cones", "red objects", "equal"), "red", "red objects"),
        ("comparison", ("red cones", "blue spheres", "equal"), "equal", "equal"),
        ("comparison", ("red cones", "blue spheres", "equal"), "they are equal", None),
    ],
)
def test_rems_published_verifier(task: str, options: tuple[str, ...], reply: str, claim: str | None) -> None:
    row = QuestionRow("q", "i", task, "?", options, "2", {}, 1.0, ())
    assert protocol_of("rem").parsers["official"](row, reply).claim == claim


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ("B", Status.ANSWERED),
        ("I cannot see a door, so it is B.", Status.ANSWERED),
        ("Answer: B or C", Status.UNREADABLE),
        ("I'm sorry, I can't help with that.", Status.REFUSED),
        ("I would like to help, but I cannot tell from these frames.", Status.REFUSED),
        ("Hard to say, but it is on the far side, I think.", Status.UNREADABLE),
        ("<think>I cannot tell yet.</think>On the far side.", Status.UNREADABLE),
        ("This cannot be determined from the pictures.\n\nAnswer: N/A", Status.REFUSED),
    ],
)
def test_a_refusal_is_counted_apart_from_what_cannot_be_read(reply: str, status: Status) -> None:
    row = QuestionRow("q", "i", "direction", "Which way?", ("left", "right", "front"), "right", {}, 1.0, ())
    assert scored(protocol_of("saw"), "strict", row, Reply(reply)).status is status
    assert Status("failed") is Status.ERROR  # of an older version's records
