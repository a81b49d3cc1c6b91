"""When a mere mention is a claim: "on balance, B" and "B captures this" are, "B needs more evidence" is not.

A letter at the end of its clause is what the clause comes to, unless the words before it look at it, drop it
or lay it aside. A letter before other words is a claim only if these words say that it holds.
"""

import re

from situ.evaluation.replies.marking import BY_LETTER, CANDIDATE, DENIED_ONE
from situ.evaluation.replies.patterns import any_of
from situ.lazy import pattern

_ENGLISH = pattern(
    r"\b"
    + any_of(
        "the i'd i'm i'll i've my we our you your he she it it's its this that these those is are was were "
        "be "
        "been has have had does did would could should will can't may might must not of by for from with "
        "about into and or but if than then there here what which who how why when where any some only just "
        "me while took even more most less least very too let's think say says see need needs seems looks "
        "like feels makes"
    )
    + r"\b",
    re.IGNORECASE,
)
# Words after a letter with which it is still what the sentence comes to.
_HOLDS = pattern(
    r"^[\"')\]*_]*\s*(?:"
    r"(?:(?:that|which) )?(?:best |most |clearly |also |still |really )*"
    r"(?:agrees|captures|corresponds|stands(?! for)|holds|wins|fits|matches|works|applies|explains|reflects"
    r"|sums it up|describes (?:it|this|that|the|what)|follows|survives|prevails|remains(?= *(?:[.,;!]|$))"
    r"|it is|suits|aligns|beats|edges"
    r"|outweighs|tops|trumps|gets (?:my (?:vote|pick)|the (?:nod|vote|point)|it))\b"
    r"|(?:would|does|do|will|should|must|has to|can only) (?:fit|work|match|be (?:it|my|the one|right"
    r"|correct))\b"
    r"|is (?:therefore |thus |clearly |also |then |indeed |in )*(?:selected|chosen|spot on|where|supported"
    r"|confirmed|left"
    r"|what (?:i|we|happened|is shown)|(?:the )?(?:only|last|one (?:that|which|i)|final)|it|my|in\b(?= "
    r"*[.!]?$)|best)\b"
    r"|it (?:must|has to|should) be\b|with \d+ ?%"
    r"|(?:the|my|our) (?:\w+ )?(?:answer|choice|pick|option|one|winner)\b"
    r"|(?:with|without|by|beyond) (?:any |a |no |high |great |full |some |moderate )?"
    r"(?:hesitation|doubt|question|confidence|certainty|far|elimination|process)\b"
    r"|(?:for (?:sure|me|certain|this)|to me|in (?:my|this|the|that)|hands down|here|then|highest|first "
    r"choice"
    r"|instead|too|again|after all|wählen|it is|i (?:think|guess|believe|suppose|would|'d)|at most|as well"
    r"|overall|please|final)\b"
    rf"|(?:not|over|rather than|instead of|than|and not|but not|vs\.?)\s+(?:\w+ )?(?:{CANDIDATE}"
    rf"|{DENIED_ONE})"
    r")",
    re.IGNORECASE,
)
_LAID_ASIDE = pattern(
    r"(?<!without a )(?<!no )\b(?:"
    + any_of(
        "doubt doubts doubting question questions dispute challenge retract retracts withdraw revoke recant "
        "abandon abandons drop drops dropping forget ignore ignores ignoring strike strikes scratch cross "
        "delete remove removes removing erase discount distrust disregard overlook skip avoid lose toss "
        "throw ditch "
        "scrap veto oppose refute refutes disprove disproves debunk deny negate preclude undermine "
        "undermines "
        "against contra minus concerning regarding (?<!good.)(?<!sure.)(?<!certain.)(?<!confident.)about "
        "like_a test check checks checking examine examining "
        "consider considering verify evaluate evaluating compare comparing inspect look_at looking_at "
        "turn_to "
        "turning_to (?<!coming.)back_to on_to struggle start_with begin_with such_as instance less_likely "
        "least_likely hardly barely "
        "scarcely rarely unlikely improbable wrongly mistakenly falsely mistake take_back took_back under_no "
        "in_no_case no_sign_of no_trace_of no_hint_of no_evidence_of no_mention_of instead_of circumstances "
        "letters?_like letter_such option_like proof_of evidence_of mention mentions mentioned called named "
        'reads says?_" quot\\w+ typed wrote meaning_of mean_by refers_to pro versus e\\.g\\. '
        "distractor decoy trap sceptical skeptical wary suspicious tired unsure not_sure problem_with "
        "trouble_with "
        "kills? sinks? breaks? weakens? hurts? violates? defeats? contradicts? contradict\\w* conflicts? "
        "excludes? includes? "
        "include arguments?_for so_much_for goodbye farewell wrong_with issue_with it_says it_reads almost "
        "nearly no_reason steer clear_of shy_away disagree_with object_to objections?_to"
    )
    + r")\b(?![^,;.\ue000-\ue3fe]*\b(?:so|therefore|thus|hence|answer)\b)",
    re.IGNORECASE,
)
# Who comes to a conclusion: the writer, or what was looked at. What anybody else says is no claim.
_WRITER = pattern(
    r"^\W*(?:\w+ly\W+|and |so |but |then |ok |okay |well,? |yes,? )*(?:i|we)(?:'\w+)?\s", re.IGNORECASE
)
_WRITER_CHOOSES = pattern(
    r"\b"
    + any_of(
        "arrive end get got gotten have lean leaning stand put rate say saying decide decided infer deduce "
        "derive land "
        "landed submit lock go gone come came find found prefer favou?r vote bet settle settled stick "
        "answer report "
        "offer give take see read make call describe conclude place enter record circle tick chose chosen "
        "choose "
        "pick picked select selected think believe guess suppose reckon confident certain sure convinced "
        "left "
        "opt mark suggest am will would feel coming"
    )
    + r"\b",
    re.IGNORECASE,
)
_OBSERVED = pattern(
    r"^\W*(?:\w+ly\W+|and |so |but |then |the |my |our |these |this |that |all |of |a |an |only |most |one "
    r"|what |"
    r"everything |nothing |it |which |there |not |no |as |more )*(?:\w+ ){0,2}(?:it|this|that|which"
    r"|everything|"
    r"answer|anser|asnwer|solution|choice|option|response|submission|pick|one|winner|candidate|evidence"
    r"|data|facts?|frames?|"
    r"video|footage|images?|pictures?|motion|movement|camera|path|route|description|person|wearer|walker"
    r"|view|"
    r"scene|clip|map|we|money|best|remaining|correct|right|data|alternative|letter)\b(?!'s (?:friend|note))",
    re.IGNORECASE,
)
_TIPPED = pattern(
    r"\b(?:tips?|points?|leads?|adds? up|amounts?|comes? down|boils? down) (?:\w+ )?(?:to|towards?|for|at"
    r"|in favou?r of)\W*$",
    re.I,
)
_SUBJECT_VERB = pattern(
    r"\b(?:the|my|our|your|a|an|some|most|they|he|she|you|people|everyone|each|another|other"
    r"|[A-Z][\w-]*\d)\b[^,;:]*"
    r"\b(?:\w+ed|\w+s|put|said|say|went|want|go|chose|would|will|might|could|may)\b",
    re.IGNORECASE,
)
_LISTED = pattern(
    r"^\W*(?:and |so )?(?:now|next|first|second|third|fourth|then|also|goodbye|bye|farewell|sorry|see)\W*$",
    re.IGNORECASE,
)
_VERB_IN_S = pattern(r"^\s*(?!es\b)[a-z]{2,}s\b", re.IGNORECASE)  # "B describes": English, with B as subject
_INSTEAD = pattern(
    r"\b(?:but|rather|instead|leaves?|leaving|so|hence|therefore|and|than|over)\b\W*(?:\w+\W+)?$", re.I
)
_WORDS = pattern(r"[A-Za-z]{2,}|\bI\b")


def counts(sentence: str, start: int, end: int) -> bool:
    """Whether the words around a mention let it be the answer. Other languages are taken at their word."""
    before, after = sentence[:start], sentence[end:]
    clause = re.split(r"[,;:]|\bbut\b", before)[-1]
    if _LAID_ASIDE.search(clause) or _LISTED.match(before):
        return False
    if not re.match(BY_LETTER, sentence[start:]):
        return True  # an option's own words may be told of in any sentence
    following = re.sub(rf"{CANDIDATE}|{DENIED_ONE}", " ", re.split(r"[,;:—–(]", after, maxsplit=1)[0])
    if _WORDS.search(following) and not _HOLDS.match(after):
        return not (_ENGLISH.search(before + " " + following) or _VERB_IN_S.match(following))
    if re.search(rf"{BY_LETTER}[^,;:]*[A-Za-z]{{2}}", clause) and not _INSTEAD.search(clause):
        return False  # "A comes before B": the letter before is what the clause is about
    return _concluding(clause)


def _concluding(clause: str) -> bool:
    """Whether the words before a letter may come to it: the writer's own, or those of what was seen."""
    if _WRITER.match(clause):
        return _WRITER_CHOOSES.search(clause) is not None
    if _TIPPED.search(clause):
        return True
    return _OBSERVED.match(clause) is not None or _SUBJECT_VERB.search(clause) is None
