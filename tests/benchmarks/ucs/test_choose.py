"""Where the right option stands tells nothing."""

from collections import Counter

import numpy as np
import pytest

from situ.benchmarks.balance import Candidate
from situ.benchmarks.ucs.choose import choose_groups
from situ.questions.walk.turns import PAIRS

OPTIONS = ("at the sofa", "at the stove", "at the bed", "at the desk", "at the sink")


@pytest.mark.parametrize("seed", range(4))
def test_every_place_among_the_options_is_right_equally_often(seed: int) -> None:
    rng = np.random.default_rng(seed)
    candidates = []
    for item in range(300):
        options = tuple(OPTIONS[i] for i in rng.permutation(5))
        # Left alone, half of the right answers would stand first.
        right = options[0] if rng.random() < 0.4 else options[int(rng.integers(5))]
        candidates.append(Candidate(item, 0, "memory", "|".join(["0", "0", "", *options]), right))
    chosen = choose_groups(candidates, {"memory": 60}, rng)
    places = Counter(c.stratum.split("|")[3:].index(c.label) for c in chosen)
    assert len(chosen) == 60
    assert all(abs(places[place] - 12) < 13 for place in range(5))  # by lot: 12 give or take 3


@pytest.mark.parametrize("seed", range(4))
def test_every_rank_of_a_count_is_right_equally_often(seed: int) -> None:
    rng = np.random.default_rng(seed)
    candidates = []
    for item in range(300):
        low, rank = int(rng.integers(6)), 0 if rng.random() < 0.4 else int(rng.integers(5))
        candidates.append(
            Candidate(
                item, 0, "count", f"0|0|{item}|" + "|".join(str(low + k) for k in range(5)), f"{low}+{rank}"
            )
        )
    chosen = choose_groups(candidates, {"count": 60}, rng)
    ranks = Counter(c.label.split("+")[1] for c in chosen)
    assert all(abs(ranks[str(rank)] - 12) < 13 for rank in range(5))


def test_ranks_stay_even_where_more_counts_are_asked_for_than_there_are() -> None:
    """Large truths are rare: whoever takes what is left finds the truth among the first numbers."""
    ranks: Counter[int] = Counter()
    for seed in range(2):
        rng = np.random.default_rng(seed)
        candidates = []
        for item in range(150):
            truth = int(rng.geometric(0.3))
            for low in range(max(0, truth - 4), truth + 1):
                stratum = f"count_now {low}|0|0|" + "|".join(str(low + k) for k in range(5))
                candidates.append(Candidate(item, low, "count", stratum, f"{low}+{truth - low}"))
        chosen = choose_groups(candidates, {"count": 1000}, rng)
        ranks += Counter(int(c.label.split("+")[1]) for c in chosen)
    even = sum(ranks.values()) / 5
    assert even > 15  # of 60: balance costs number, but not most of it
    assert sum((ranks[rank] - even) ** 2 for rank in range(5)) / even < 18.5  # one in a thousand


def test_what_is_counted_tells_nothing_about_the_number() -> None:
    """Few plates and many cups: whoever reads the word must not know which number is right."""
    right = {"plate": Counter[int](), "cup": Counter[int]()}
    for seed in range(4):
        rng = np.random.default_rng(seed)
        candidates = []
        for item in range(400):
            name, usual = ("plate", 3.0) if item % 2 else ("cup", 5.0)
            truth = int(rng.poisson(usual))
            for low in range(max(0, truth - 4), truth + 1):
                stratum = f"count_now {low}|0|{item} {name}|" + "|".join(str(low + k) for k in range(5))
                candidates.append(Candidate(item, low, "count", stratum, f"{low}+{truth - low}"))
        for c in choose_groups(candidates, {"count": 150}, rng):
            right[c.stratum.split("|")[2].split()[1]][int(c.label.split("+")[1])] += 1
    for ranks in right.values():
        even = sum(ranks.values()) / 5
        assert even > 15
        assert sum((ranks[rank] - even) ** 2 for rank in range(5)) / even < 18.5  # one in a thousand


def test_the_same_question_is_asked_by_one_group_of_a_stream_only() -> None:
    """Within a group a lot rules how often the answer stays the same; between groups nothing would."""
    rng = np.random.default_rng(5)
    candidates = []
    for item in range(40):
        for group in range(4):  # two ask for cups and two for books, with other numbers on offer
            stratum = f"count_now {group}|0|{group % 2}|" + "|".join(str(group + k) for k in range(5))
            label = f"{group}+{int(rng.integers(5))}"
            candidates += [Candidate(item, 2 * group + k, "count", stratum, label) for k in range(2)]
    chosen = choose_groups(candidates, {"count": 400}, rng)
    asked = {(c.item, c.stratum.split("|")[2], c.stratum.split("|")[0]) for c in chosen}
    assert len(asked) > 40  # both questions of some stream
    assert len(asked) == len({(item, question) for item, question, _ in asked})


@pytest.mark.parametrize("options", [2, 5])
def test_repeats_keep_their_answer_as_often_as_by_chance(options: int) -> None:
    rng = np.random.default_rng(7)
    names = [f"thing{k}" for k in range(options)]
    candidates = []
    for item in range(400):
        first, *others = (int(i) for i in rng.permutation(options))
        labels = [names[first], names[first] if rng.random() < 0.05 else names[others[0]]]
        stratum = "|".join([str(item), "0", "", *names])
        candidates += [Candidate(item, k, "closer", stratum, label) for k, label in enumerate(labels)]
    chosen = choose_groups(candidates, {"closer": 400}, rng)
    groups: dict[int, list[str]] = {}
    for candidate in chosen:
        groups.setdefault(candidate.item, []).append(candidate.label)
    repeats = [labels for labels in groups.values() if len(labels) == 2]
    kept = sum(a == b for a, b in repeats)
    assert repeats
    assert abs(kept / len(repeats) - 1 / options) < 0.06


def test_the_form_of_a_question_tells_nothing() -> None:
    """Two forms of which one is mostly "yes" and the other mostly "no" when left alone."""
    rng = np.random.default_rng(5)
    candidates = []
    for item in range(600):
        form, lean = ("can_reach", 0.8) if item % 2 else ("within_reach", 0.2)
        label = "yes" if rng.random() < lean else "no"
        candidates.append(Candidate(item, 0, "reachability", f"{form} {item}|0||yes|no", label))
    chosen = choose_groups(candidates, {"reachability": 150}, rng)
    for form in ("can_reach", "within_reach"):
        answers = Counter(c.label for c in chosen if c.stratum.startswith(form))
        assert sum(answers.values()) > 40
        assert abs(answers["yes"] - answers["no"]) < 4 * np.sqrt(sum(answers.values()))


def test_yes_and_no_stay_even_where_more_is_asked_for_than_there_is() -> None:
    """Being within reach is rare: whoever takes what is left says "no" the first time."""
    candidates = [
        Candidate(i, 0, "reachability", f"can_reach {i}|0||yes|no", "yes" if i < 30 else "no")
        for i in range(150)
    ]
    answers = Counter(
        c.label for c in choose_groups(candidates, {"reachability": 150}, np.random.default_rng(2))
    )
    assert answers["yes"] > 20
    assert abs(answers["yes"] - answers["no"]) < 4 * np.sqrt(sum(answers.values()))


def test_a_form_of_which_one_answer_is_rare_ends_instead_of_giving_it_away() -> None:
    candidates = []
    for i in range(200):
        rare, common = "yes" if i < 10 else "no", "yes" if i % 2 else "no"
        candidates.append(Candidate(i, 0, "reachability", f"within_reach {i}|0||yes|no", rare))
        candidates.append(Candidate(i, 1, "reachability", f"can_reach {i}|0||yes|no", common))
    chosen = choose_groups(candidates, {"reachability": 100}, np.random.default_rng(1))
    rarely = [c for c in chosen if c.stratum.startswith("within_reach")]
    assert len(rarely) < 40
    assert len(chosen) == 100


def test_answers_that_few_streams_can_give_are_no_worse_a_guess_than_others() -> None:
    """Two turns in nine pairs, of which streams mostly offer two: who knows which guesses no better."""
    right, offered, asked = Counter[str](), Counter[str](), 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        shares = np.array([0.3, 0.2, *[0.5 / 7] * 7])
        candidates = []
        for item in range(400):
            truth = PAIRS[int(rng.choice(9, p=shares))]
            others = [pair for pair in PAIRS if pair != truth]
            options = [truth, *(others[int(i)] for i in rng.permutation(8)[:4])]
            shown = [options[int(i)] for i in rng.permutation(5)]
            candidates.append(
                Candidate(item, 0, "trajectory", "|".join([f"turns_after {item}", "0", "", *shown]), truth)
            )
        for chosen in choose_groups(candidates, {"trajectory": 400}, rng):
            right[chosen.label] += 1
            offered.update(chosen.stratum.split("|")[3:])
            asked += 1
    assert asked > 300
    for pair in PAIRS:  # always saying one pair, where it is offered, is right as often as any of five
        chance = 0.2
        assert abs(right[pair] / offered[pair] - chance) < 4 * np.sqrt(chance * (1 - chance) / offered[pair])


def test_a_form_of_which_an_answer_cannot_be_had_ends_early() -> None:
    """Were all asked of what is there, one pair would always be right."""
    candidates = [
        Candidate(i, 0, "trajectory", "|".join([f"turns_after {i}", "0", "", *PAIRS[:5]]), PAIRS[i % 2])
        for i in range(200)
    ]
    chosen = choose_groups(candidates, {"trajectory": 200}, np.random.default_rng(1))
    assert len(chosen) < 20
