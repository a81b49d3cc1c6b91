"""A plan among the options of a route question does not tell whether it is the correct one."""

from collections import Counter
from pathlib import Path

from scipy.stats import chi2

from situ.benchmarks.narratives.candidates import CHOICES, ROUTE
from situ.benchmarks.narratives.recipe import NarrativeRecipe
from situ.recording import Recording

HOMES = 8


def test_each_plan_is_correct_as_often_as_any_other_that_is_offered(tmp_path: Path) -> None:
    """Routes whose plans were right by their frequency in a home gave p = 0.0002 here."""
    recipe = NarrativeRecipe(scale=0.2, seed=5, width=96, height=72, pictures=False)
    offered, correct = Counter[str](), Counter[str]()
    for number in range(HOMES):
        recipe.make_item(number, tmp_path / str(number))
        for _, row in recipe.propose(number, Recording.open(tmp_path / str(number))):
            if row.task == ROUTE:
                offered.update(row.options)
                correct[row.answer] += 1
    share = 1 / CHOICES
    deviations = sum(
        (correct[plan] - times * share) ** 2 / (times * share * (1 - share))
        for plan, times in offered.items()
    )
    assert correct.total() > 100
    assert chi2.sf(deviations, len(offered)) > 0.01
