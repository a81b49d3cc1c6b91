"""Association of detections, and what is believed of their objects afterwards."""

import math
from typing import NamedTuple


class _Matching(NamedTuple):
    # Squared Mahalanobis distance (3 degrees of freedom, 99.9 %), and what a detector's centre may be off
    # beyond its stated noise: a constant, and a share of the object's size (seen from two sides).
    gate: float = 16.3
    model_sigma_m: float = 0.04
    model_size_share: float = 0.15
    # Of boxes half a metre from each other so many are two of one object, for each in one place that is.
    doubled: float = 0.01
    # By how much the sides of two boxes of one object differ, as a share (in logarithms).
    size_sigma: float = 0.3
    # How far an object that is held may be off from where it was to the wearer.
    held_sigma_m: float = 0.25
    # What leaving an observation alone costs beyond a gate: odds of 7 to 1, as those against being carried
    # without a reason to think so.
    unmatched: float = 4.0
    # A cost of names beyond this is a disagreement; then it counts how well the place is known: twice the log
    # of a determinant, that of 15 cm along each axis.
    unlike: float = 2.0
    well_placed: float = 3.0 * math.log(0.15**2)
    # How far an agent walks at most out of view.
    farthest_walk_m: float = 5.0
    # The same number of the tracker speaks for a match by as much as odds of 20 to 1 (twice the log of it).
    same_track: float = 6.0


class _Belief(NamedTuple):
    # By how much likelier an object is a false detection if it is first seen where nothing was before. The
    # doubt is half as large if the place was seen empty so many seconds ago.
    appearance_doubt: float = 20.0
    appearance_s: float = 120.0
    # A false detection of the right kind, where the match allows that it has moved.
    false_hit_afar: float = 0.05
    # Of false detections, the share that comes again in its place, as a texture does that is taken for a
    # object; how often those come is learned for each (a Beta prior: times found, of so many looks).
    recurs_found: float = 1.0
    # Looks that the detection rate of the stream counts for beside those at the object itself: until that is
    # learned, at least, and at most; and from how many objects, with how many looks at each, it is.
    usual_looks: float = 5.0
    enough_things: int = 6
    enough_looks: float = 8.0
    # Doubt of what an object is up to which a move is taken for sure.
    sure: float = 0.03
    # Detections that what is usual counts for.
    usual_weight: float = 4.0
    # Detections over which the misfit of a place is averaged.
    misfits: float = 20.0
    # A place is never known better than to a centimetre: detectors err alike in all their looks.
    floor_variance: float = 0.01**2
    # A first detection is as uncertain as its observation, and half as much again for what is not modelled.
    first_variance: float = 1.5
    # 95 % of a chi-square with three degrees of freedom: beyond it, what was believed is loosened. Nobody
    # holds an object quite still for so long before it is carried off.
    surprise: float = 7.8
    unsteady_s: float = 6.0
    # What the look of a new detection counts for in the average of embeddings.
    new_look: float = 0.2
    # A false detection that was seen more than a few times is kept, so that it is known when it comes again;
    # nothing is doubted more.
    refuted: float = 0.998
    # Every so many frames the objects that were seen a few times only are judged anew.
    reconsider_every: int = 16


class _Learning(NamedTuple):
    # Old looks count less and less, those at first detections, which are rare, faster: the eyes may change.
    fade: float = 0.999
    fade_first: float = 0.99
    # Of objects that are found, the share that are false detections which come again, before this was learned
    # from so many objects: a second look bears them out.
    recurring: float = 0.04
    recurring_worth: float = 30.0
    # Moves of portable objects that are thought to have been seen before the stream began.
    least_moves: float = 0.5
    # What one detection teaches of errors that are not stated, and how much of one it may teach at most.
    learn_error: float = 0.01
    first_errors: float = 10.0  # detections that the belief in stated errors is worth
    most_error: float = 0.05
    # By what share of a range it errs beyond what is stated, before that was learned; without depth.
    range_share: float = 0.03
    blind_range_share: float = 0.08
    # Ranges are those at which an object of this size would look as small as the one looked for.
    usual_size_m: float = 0.3
    # Priors worth a few looks, by range: near objects are found in 95 %. How far a detector sees is not known
    # before it has found something there.
    found: tuple[float, ...] = (9.5, 9.5, 9.5, 9.5, 4.0, 2.0, 1.0, 1.0)
    missed: tuple[float, ...] = (0.5, 0.5, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0)
    # Depth passes through one object in seven, before it was seen how often it does (thin, shiny, misplaced).
    through: float = 0.6
    solid: float = 3.4
    # What the score says of a first detection counts for as much as so many first detections of that name.
    score_worth: float = 4.0
    # Of boxes in one place three in four are of one object, before the stream has taught how many.
    twice: float = 3.0
    second: float = 1.0
    # First detections are borne out in 85 %; half of the objects are seen again at once; 2 % are misnamed.
    confirmed: float = 8.5
    refuted: float = 1.5
    lone: float = 2.0
    followed: float = 2.0
    agreed: float = 49.0
    disagreed: float = 1.0


class _Pictures(NamedTuple):
    # Two best frames of an object are at least this far apart.
    apart_s: float = 5.0
    # A picture is kept this often while nothing is in view of which one would be kept.
    every_s: float = 4.0


MATCHING, BELIEF, LEARNING = _Matching(), _Belief(), _Learning()
PICTURES = _Pictures()
# Cosine of appearance embeddings from which on two objects look the same.
SAME_LOOK = 0.6
