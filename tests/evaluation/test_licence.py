"""A word that nobody knows from answers leaves a reply unreadable, whatever the word is."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from situ.evaluation.replies import licence
from situ.evaluation.replies.choice import read_choice

OPTIONS = ("straight line", "zigzag", "circle", "spiral")
CLAIMS = ("The answer is B.", "I choose B.", "So it is B.", "B is correct.", "Answer: B")
UNKNOWN = st.from_regex(r"\A[a-z]{4,12}\Z")


@settings(deadline=None)
@given(st.sampled_from(CLAIMS), UNKNOWN, st.booleans())
def test_an_unknown_word_beside_a_claim_is_never_passed_over(claim: str, word: str, before: bool) -> None:
    assume(word not in licence._BEFORE | licence._AFTER)
    assume(word not in OPTIONS and word + "s" not in OPTIONS)
    assert read_choice(claim, OPTIONS).claim == "zigzag"
    letter = claim.index("B")
    changed = (
        f"{claim[:letter]}{word} B{claim[letter + 1 :]}"
        if before
        else f"{claim[: letter + 1]} {word}{claim[letter + 1 :]}"
    )
    assert read_choice(changed, OPTIONS).claim in (None, *(["zigzag"] if _is_free(word) else []))


def _is_free(word: str) -> bool:
    """Words after which anything may stand, such as "because"."""
    return bool(licence._BECAUSE.search(word) or licence._TURN.search(word))
