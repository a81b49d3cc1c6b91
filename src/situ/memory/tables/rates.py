"""What the memory learns about its own eyes and about the world: how often objects are missed, invented,
misnamed and moved. All start from a cautious prior and follow the stream."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.options.tracking import BELIEF, LEARNING
from situ.memory.options.visibility import HEALTH

SIX = ((0, 1, 2), (1, 3, 4), (2, 4, 5))  # where an entry of a symmetric 3x3 matrix is kept
SCORES = 4  # quarters of a detector's confidence
RANGES = 8  # one for each metre of `apparent_m`, the last for all beyond

RATES = np.dtype(
    [
        ("found", "f8", RANGES),  # looks at an object that is there, by how small it looks
        ("missed", "f8", RANGES),
        ("alike", "f8"),  # looks that the usual rate counts for: many, if all objects are found as often
        ("farthest", "f8"),  # metres at which a known object was found,
        ("most", "f8"),  # and how many were in one frame
        (
            "confirmed",
            "f8",
            SCORES,
        ),  # first detections that a second one bore out, or not, by score
        ("refuted", "f8", SCORES),
        ("lone", "f8"),  # real objects whose second detection came long after the first, or at once
        ("followed", "f8"),
        # Squared error of a place beyond what was stated, for each metre of distance squared: along the line
        # of sight, and across it.
        ("radial", "f8"),
        ("lateral", "f8"),
        ("errors", "f8"),  # how many taught it
        (
            "stepped",
            "f8",
        ),  # squares of the metres that the wearer was from where an object had been seen before,
        ("dragged", "f8"),  # and how far along them its place came with the wearer
        ("agreed", "f8"),  # labels that agree with what the object is, or not
        ("disagreed", "f8"),
        # Labels from so many metres away that agree with the label from nearest by, or do not.
        ("agreed_afar", "f8", RANGES),
        ("disagreed_afar", "f8", RANGES),
        ("moves", "f8"),  # of portable objects
        ("watched_s", "f8"),  # object-seconds between two looks
        ("through", "f8"),  # objects found where depth passed through them, or not
        ("solid", "f8"),
        ("recurring", "f8"),  # share of objects that are false detections which come again
        ("twice", "f8"),  # boxes inside another of their name that were no second object, or were one
        ("second", "f8"),
        ("working", "f8", len(HEALTH.shares)),  # how likely the detector finds these shares now
    ]
)
Rates = NDArray[np.void]


def fresh_rates(portable_stay_s: float) -> Rates:
    """Priors worth a few looks: near objects 95 % found, first detections 85 % confirmed, 2 % misnamed."""
    rates = np.zeros(1, RATES)
    rates["found"], rates["missed"] = LEARNING.found, LEARNING.missed
    rates["alike"] = BELIEF.usual_looks
    rates["farthest"] = SCALE.room_m
    rates["confirmed"], rates["refuted"] = LEARNING.confirmed, LEARNING.refuted
    rates["lone"], rates["followed"] = LEARNING.lone, LEARNING.followed
    rates["agreed"], rates["disagreed"] = LEARNING.agreed, LEARNING.disagreed
    worth = LEARNING.score_worth / (LEARNING.agreed + LEARNING.disagreed)
    rates["agreed_afar"], rates["disagreed_afar"] = LEARNING.agreed * worth, LEARNING.disagreed * worth
    rates["through"], rates["solid"] = LEARNING.through, LEARNING.solid
    rates["recurring"] = LEARNING.recurring
    rates["radial"] = LEARNING.range_share**2
    rates["twice"], rates["second"] = LEARNING.twice, LEARNING.second
    rates["working"] = HEALTH.prior
    rates["moves"], rates["watched_s"] = LEARNING.least_moves, LEARNING.least_moves * portable_stay_s
    return rates


@njit(cache=True)
def apparent_m(distance: float, size: NDArray[np.float64]) -> float:
    """How far away an object of usual size would look as small. A wardrobe is found across a hall; a cup is
    overlooked across a table: what counts is how much of the picture an object fills."""
    side = math.sqrt((size[0] * size[1] + size[1] * size[2] + size[2] * size[0]) / 3.0)
    return distance if side <= 0.0 else distance * LEARNING.usual_size_m / side


@njit(cache=True)
def range_bin(distance: float, size: NDArray[np.float64]) -> int:
    return int(min(apparent_m(distance, size), RANGES - 1.0))


@njit(cache=True)
def p_detect(rates, distance: float, size) -> float:  # type: ignore[no-untyped-def]
    """How likely an object in plain view is detected: hardly, farther away than any ever was."""
    if distance > rates.farthest:
        return CHANCE.hardly
    k = range_bin(distance, size)
    chance: float = min(max(rates.found[k] / (rates.found[k] + rates.missed[k]), CHANCE.hardly), 0.98)
    return chance


@njit(cache=True)
def p_found(rates, distance: float, row) -> float:  # type: ignore[no-untyped-def]
    """The same of a known object: some are found more often than others."""
    usual, own = p_detect(rates, distance, row.size), rates.alike
    chance: float = min((own * usual + row.found) / (own + row.looked - row.away), 0.98)
    return chance


@njit(cache=True)
def p_recurs(row) -> float:  # type: ignore[no-untyped-def]
    """How likely a false detection that comes again in its place does so in a look."""
    return float((BELIEF.recurs_found + row.found) / (SCALE.few + row.looked))


@njit(cache=True)
def p_through(rates) -> float:  # type: ignore[no-untyped-def]
    """How likely depth passes through an object that is there."""
    return float(rates.through / (rates.through + rates.solid))


@njit(cache=True)
def count_through(rates, passed: bool) -> None:  # type: ignore[no-untyped-def]
    rates.through = rates.through * LEARNING.fade + (1.0 if passed else 0.0)
    rates.solid = rates.solid * LEARNING.fade + (0.0 if passed else 1.0)


@njit(cache=True)
def p_detect_now(rates: NDArray[np.void], distance: float, size: NDArray[np.float64]) -> float:
    """The same, for Python: handing over a single record takes longer than all the rest."""
    chance: float = p_detect(rates[0], distance, size)
    return chance


@njit(cache=True)
def p_confusion(rates) -> float:  # type: ignore[no-untyped-def]
    """How likely a label or an attribute is misread."""
    chance: float = min(max(rates.disagreed / (rates.agreed + rates.disagreed), 0.002), 0.3)
    return chance


def p_confusion_before(rates: NDArray[np.void], times: int) -> float:
    """The same before it was seen the last so many times."""
    agreed, disagreed = float(rates["agreed"][0]), max(float(rates["disagreed"][0]) - times, 0.0)
    return min(max(disagreed / (agreed + disagreed), 0.002), 0.3)


@njit(cache=True)
def count_look(rates, distance: float, size, misses) -> None:  # type: ignore[no-untyped-def]
    """An object was found after looks that missed it, counted by range: it was there all along."""
    here = range_bin(distance, size)
    for k in range(RANGES):
        if k == here or misses[k] > 0:
            rates.found[k] *= LEARNING.fade
            rates.missed[k] = rates.missed[k] * LEARNING.fade + misses[k]
    rates.found[here] += 1.0


@njit(cache=True)
def count_label(rates, agrees: bool) -> None:  # type: ignore[no-untyped-def]
    rates.agreed = rates.agreed * LEARNING.fade + (1.0 if agrees else 0.0)
    rates.disagreed = rates.disagreed * LEARNING.fade + (0.0 if agrees else 1.0)


@njit(cache=True)
def count_label_afar(rates, metres: float, agrees: bool) -> None:  # type: ignore[no-untyped-def]
    """An object was called so from farther away than it had been seen before."""
    k = int(min(metres, RANGES - 1.0))
    rates.agreed_afar[k] = rates.agreed_afar[k] * LEARNING.fade + (1.0 if agrees else 0.0)
    rates.disagreed_afar[k] = rates.disagreed_afar[k] * LEARNING.fade + (0.0 if agrees else 1.0)


@njit(cache=True)
def p_label_afar(rates, metres: float) -> float:  # type: ignore[no-untyped-def]
    """How likely a label from so far away is the one that is given from nearby."""
    k = int(min(metres, RANGES - 1.0))
    chance: float = rates.agreed_afar[k] / (rates.agreed_afar[k] + rates.disagreed_afar[k])
    return chance


@njit(cache=True)
def score_bin(score: float) -> int:
    return int(min(max(score, 0.0) * SCORES, SCORES - 1.0))


@njit(cache=True)
def count_first_sighting(rates, name, score: float, borne_out: bool) -> None:  # type: ignore[no-untyped-def]
    fade, k = LEARNING.fade_first, score_bin(score)
    name.confirmed = name.confirmed * fade + (1.0 if borne_out else 0.0)
    name.refuted = name.refuted * fade + (0.0 if borne_out else 1.0)
    rates.confirmed[k] = rates.confirmed[k] * fade + (1.0 if borne_out else 0.0)
    rates.refuted[k] = rates.refuted[k] * fade + (0.0 if borne_out else 1.0)


@njit(cache=True)
def p_real(chance: float, doubt: float) -> float:
    """A chance that an object is real, where it is so many times likelier than usual that it is not."""
    return chance / (chance + doubt * (1.0 - chance))


@njit(cache=True)
def count_error(rates, error, ray, one, two) -> None:  # type: ignore[no-untyped-def]
    """A known object was seen so far from its place in a direction, where two covariances were stated. What
    they do not explain is learned: a range errs otherwise than a bearing."""
    trace, along = 0.0, 0.0
    for i in range(3):
        trace += one[SIX[i][i]] + two[SIX[i][i]]
        for j in range(3):
            along += ray[i] * ray[j] * (one[SIX[i][j]] + two[SIX[i][j]])
    far = math.sqrt(ray[0] ** 2 + ray[1] ** 2 + ray[2] ** 2 + 1e-12)
    along /= far**2
    off = (error[0] * ray[0] + error[1] * ray[1] + error[2] * ray[2]) / far
    squared = error[0] ** 2 + error[1] ** 2 + error[2] ** 2
    rates.errors += 1.0
    gain = max(LEARNING.learn_error, 1.0 / (LEARNING.first_errors + rates.errors))
    share2, most = max(far, 1.0) ** 2, LEARNING.most_error
    radial, lateral = (off**2 - along) / share2, 0.5 * (squared - off**2 - (trace - along)) / share2
    rates.radial += gain * (min(max(radial, -most), most) - rates.radial)
    rates.lateral += gain * (min(max(lateral, -most), most) - rates.lateral)


@njit(cache=True)
def count_scale(rates, stepped_m2: float, dragged_m2: float) -> None:  # type: ignore[no-untyped-def]
    """A known object was seen from elsewhere. If depth is too short by a share, its place seems to come along
    with the wearer by that share of the way; if it is too long, to draw back."""
    rates.stepped = rates.stepped * LEARNING.fade + stepped_m2
    rates.dragged = rates.dragged * LEARNING.fade + dragged_m2


@njit(cache=True)
def count_lone(rates, gap_s: float) -> None:  # type: ignore[no-untyped-def]
    """An object was seen for the second time, so long after the first."""
    if gap_s > SCALE.moment_s:
        rates.lone += 1.0
    else:
        rates.followed += 1.0
    rates.lone *= LEARNING.fade
    rates.followed *= LEARNING.fade


@njit(cache=True)
def p_lone(rates) -> float:  # type: ignore[no-untyped-def]
    """How likely a real object is seen in a single frame and then not for a while."""
    share: float = rates.lone / (rates.lone + rates.followed)
    return max(share, 0.05)


@njit(cache=True)
def p_first_sighting(rates: Rates, name, score: float) -> float:  # type: ignore[no-untyped-def]
    """How likely an object that has been seen once is real, by the confidence of the detector and by the name
    that it gives: what they mean is for the stream to teach. `name` is its row in the table of motion."""
    k, worth = score_bin(score), LEARNING.score_worth
    by_score = rates[0].confirmed[k] / (rates[0].confirmed[k] + rates[0].refuted[k])
    chance = (worth * by_score + name.confirmed) / (worth + name.confirmed + name.refuted)
    real: float = min(max(chance, 0.05), 0.99) * (1.0 - rates[0].recurring)
    return real


def p_stays(hazard_per_s: float, seconds: float) -> float:
    """How likely an object is still where it was after a time without a look."""
    return math.exp(-hazard_per_s * max(0.0, seconds))
