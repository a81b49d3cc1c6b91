"""Sentences that speak of an option without claiming it: doubts, suppositions, what others say, refusals.

What is told here is where such a sentence reaches; a claim inside that reach is none.
"""

import re
from collections.abc import Iterator

from situ.evaluation.replies.marking import CANDIDATE
from situ.evaluation.replies.patterns import COUNTERFACTUAL, FILL, GROUP, SUPPOSED, any_of
from situ.lazy import pattern

_CHOOSE = any_of(
    "say saying choose choosing pick picking select selecting answer answering conclude concluding claim "
    "claiming go_with going_with go_for going_for assert asserting call calling declare declaring settle_on "
    "settling_on guess guessing"
)
_PEOPLE = any_of(
    "someone somebody anyone anybody everyone everybody nobody people person persons users? colleagues? "
    "friends? students? viewers? observers? readers? annotators? experts? guessers? humans? models? systems? "
    "baselines? prompts? instructions? questions? examples? authors? others? another teachers? tourists? "
    "child children man woman bystanders? witness(?:es)? passers?-?by amateurs? novices? beginners?"
)
_SEEN = any_of(
    "video videos frames? images? pictures? map clip clips footage camera evidence data scene path my what"
)
_REACHES = (
    # "I am not certain that it is B", "it is unclear whether B"
    r"(?:\bnot|n't|\bnever)\s+(?:(?:\w+ly|at all|so|quite|too|yet|exactly)\s+)*"
    r"(?:certain|sure|convinced|confident|clear|obvious|established|proven|persuaded)\s+"
    r"(?:that|if|whether|it is|it's)\b[^,;.]*",
    r"\b(?:uncertain|unclear|unsure|doubtful|debatable|questionable|open)\s+(?:that|if|whether)\b[^,;.]*",
    # "there is a chance that it is B"
    r"\b(?:an?|some|any|no|slight|small|slim|real|every|the)\s+(?:\w+\s+)?"
    r"(?:chance|possibility|risk|temptation|danger|suspicion)\s+(?:that|of|it|to|for)\b[^,;.]*",
    r"\b(?:tempt(?:ed|ing)|tempts|inclined at first|wrong|premature|rash|risky|unwise|a mistake|an error"
    r"|hasty|unjustified|unwarranted|misleading|pointless|dishonest|foolish)\s+to\b[^,;.]*",
    r"\b(?:refuse|decline|hesitate|unwilling|reluctant|unable|fail|failed)\s+to\b[^,;.]*",
    # "to say B would be a guess", "choosing B would be a mistake"
    rf"^\W*to\s+{_CHOOSE}\s+{FILL}{GROUP}",
    rf"\b{_CHOOSE}\s+{FILL}{GROUP}[^,;.]*\b(?:would|is not|isn't|was not|might|is (?:a|an|just|only|wrong"
    rf"|un))\b[^,;.]*",
    rf"^\W*(?:\w+ly\s+)?{_CHOOSE}\s+{FILL}{GROUP}\s+(?!because|since|as\b|for\b|here|now|then|over|instead"
    rf"|based|given"
    r"|due|with|by|it\b|on\b)\w+",
    rf"\b(?:before|until|till|unless)\s+(?:\w+\s+){{0,2}}{_CHOOSE}\s+{FILL}{GROUP}",
    # "my colleague says B", "according to the user it is B"
    rf"\baccording to (?!(?:the |these |those |all )?{_SEEN}\b)[^,;.]*[,;]?[^,;.]*",
    rf"\b(?:{_PEOPLE})\b(?:\s+(?:who|that|in the \w+|here|may|might|would|could|will|often|usually|only))*\s+"
    r"(?:say|says|said|pick|picks|picked|choose|chooses|chose|answer|answers|answered|guess|guesses|guessed"
    r"|think|thinks|thought|expect|expects|expected|claim|claims|claimed|suggest|suggests|suggested|want"
    r"|wants"
    r"|go|goes|went|prefer|prefers|preferred|vote|votes|voted|believe|believes|believed|seem|seems|assume"
    r"|assumes|lean|leans|conclude|concludes|name|names)\b(?!\s*:)(?:(?!\bbut\b)[^;.:])*",
    rf"\b(?:{_PEOPLE})\b (?:who|that) \w+ [^;.]*",
    # "B would be right if the camera had turned"
    rf"{GROUP}[^.;,]*\b(?:would|could|might)\b[^.;]*\b(?:if|had|provided|assuming|unless|were)\b"
    r"(?! (?:i (?:had|have|must|were forced)|forced|pressed|pushed))[^.;]*",
    rf"{GROUP}\s+(?:would|could|might)(?: only| just| merely)? be (?:made up|(?:a |an )?(?:\w+ )?guess\w*"
    r"|to guess|speculat\w*|invent\w*|arbitrary|random|fabricat\w*|luck)",
    # "B is as good as C, and so does D", "it is not impossible that B"
    r"^.*\b(?:(?:so|as) (?:does|do|is|are|could|might|would)|as (?:much|good|likely|plausible|well|possible"
    r"|valid"
    r"|strong|weak|probable) as|no (?:better|worse|(?:more|less) \w+) than|equally)\b.*$",
    r"(?:\bnot|n't)\s+(?:(?:be|quite|entirely|wholly)\s+)?(?:impossible|unthinkable|inconceivable|excluded"
    r"|ruled? out|implausible|unlikely)\b[^,;.]*",
    # "as for B, …", "take B, for instance", "pretend that it is B"
    rf"^\W*(?:as for|as to|on|when it comes to|with (?:regard|respect) to|in terms of|speaking of|about"
    rf"|regarding"
    rf"|concerning|in|under)\s+{FILL}{GROUP}",
    rf"{GROUP}\W*for (?:instance|example)\b",
    r"^\W*(?:pretend|imagine|hypothetically|picture|say (?:that )?it(?:'s| is| was| were))\b[^.,;:]*",
    rf"{GROUP}\s+(?:in|at|if|when|for|from|on)\b[^.;]*?(?:\band\b|\bbut\b|,)\s*{GROUP}\s+(?:in|at|if|when|for"
    r"|from|on)\b",
    r"\b(?:such as|for example|for instance)\s*,?[^.;]*",
    r"\b(?:earlier|previously|originally|formerly|at first|at one point|used to|first (?:idea|thought"
    r"|impression|instinct|guess|answer)|(?:previous|earlier|initial|original|old) (?:answer|guess|choice"
    r"|reply))\b[^,;.]*",
)
REACHES = (
    SUPPOSED,
    COUNTERFACTUAL,
    *(pattern(words, re.IGNORECASE) for words in _REACHES),
)
_CONTRAST = pattern(
    r"[,;]?\s*\b(?:but|yet|however|though|although|only|except that)\b(?P<rest>[^.;]*)", re.IGNORECASE
)
_NEGATIVE = pattern(
    r"\bnot\b|n't\b|\b(?:no|nothing|never|none|without|wrong|incorrect|false|mistaken|untrue|impossible"
    r"|fail\w*|contradict\w*|unsupported|unfounded|baseless|misses|lacks?|rul\w+ out|too|hardly|unlikely"
    r"|dis\w+)\b",
    re.IGNORECASE,
)
_ONLY_UNSURE = pattern(
    r"\b(?:sure|certain|certainty|confident|confidence|100|positive|guarantee\w*|clear\w*|easy|much"
    r"|definit\w*"
    r"|perfect\w*|exactly|only|why|doubt|visible|shown|see|quality|blur\w*|(?:could|may|might) be|hold me"
    r"|quote me|swear)\b",
    re.IGNORECASE,
)
# Labels of what is not the answer: "worst option: B", "runner-up: B", "the previous question's answer: B".
ASIDE = pattern(
    r"\b(?:worst|wrong|incorrect|false|least|less|second|third|runner|distract\w*|decoys?|exclud\w+|reject\w+"
    r"|eliminated|eliminates|discard\w+|impossible|unlikely|un\w+ly|implausible|improbable|previous|earlier"
    r"|last question"
    r"|examples?|sample|to question \d+|other|alternative|initial|original|draft|old|possibl[ey]|maybe"
    r"|perhaps"
    r"|candidates?|shortlist|not(?! \d| sure| certain| [\ue200-\ue3fe])|never|hint)\b",
    re.IGNORECASE,
)
STILL = pattern(r"\b(?:but|still|however|yet|if|so|therefore|nevertheless|regardless)\b", re.IGNORECASE)
AS_WELL = pattern(r"\s*(?:just as|equally|too\b|as well|also|likewise)", re.IGNORECASE)  # so does another
# The reply says that it gives no answer. Being less than certain is not refusing.
ABSTAINS = pattern(
    r"\b(?:i|we)\s+(?:really |honestly |simply |just )?(?:have|had|see|offer|give) no (?:answer|idea"
    r"|opinion|clue|way)"
    r"|\b(?:i|we)(?: am| are|'m|'re)? (?:can't|cannot|can not|couldn't|unable to|not able to|won't|will not"
    r"|refuse to|decline to)\s+(?:\w+ly )?(?:choose|decide|answer|confirm|determine|pick|select|tell|commit"
    r"|guess)\b"
    r"(?![^.;]*\b(?:sure|certain\w*|definit\w*|exact\w*|full\w*|100))"
    r"|\b(?:cannot|can't|could not|couldn't) be (?:determined|answered|told|decided|known|established"
    r"|resolved)\b"
    r"|\b(?:answer|choice|option)\W{0,4}(?:is |would be )?(?:unknown|undetermined|indeterminate|none|n/?a)\b"
    r"|\bno (?:answer|choice|conclusion) (?:can|could|is|follows)\b",
    re.IGNORECASE,
)


def reaches(sentence: str) -> list[tuple[int, int]]:
    """Where a sentence supposes, doubts, or lets others speak."""
    return [found.span() for pattern in REACHES for found in pattern.finditer(sentence)]


def contradicted(sentence: str, place: int) -> bool:
    """Whether what a sentence says at a place is taken back by what it says after a "but"."""
    for found in _CONTRAST.finditer(sentence, place):
        rest = found.group("rest")
        if not re.search(CANDIDATE, rest) and _NEGATIVE.search(rest) and not _ONLY_UNSURE.search(rest):
            return True
    return False


def refusals(sentence: str) -> Iterator[int]:
    """Where a sentence says that no answer is given."""
    yield from (found.start() for found in ABSTAINS.finditer(sentence))
