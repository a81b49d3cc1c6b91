"""The words that carry the logic of a statement: what denies, supposes, concludes, concedes or judges.

They are classes of words that a language has few of. None says which words a reply may hold; what no class
knows is passed over. Options are signs by now (see `mentions`). English comes first, and of other languages
what their models write around a letter.
"""

import re

from situ.evaluation.replies.mentions import ANSWER, NOUN, OPTION, SIGN, WORDED
from situ.lazy import pattern

PARAGRAPH = "¶"  # put before a line that opens a paragraph
_ELSE = "[^\ue000-\ue1ff]"
_FEW = rf"{SIGN}*(?:\w+{SIGN}+){{0,3}}"  # "most likely the"
_LIST = rf"{OPTION}(?:(?:{SIGN}|\b(?:and|or|nor|the|an?)\b)*{OPTION})*"
_REASON = r"(?:because|since|given|due to|as (?=(?:the|we|it|there|this|that|i|no|all)\b))"
_CONCEDES = (
    r"(?:(?:even )?(?:although|though|if)|while|whereas|despite|when|unlike|between|among|considering"
    rf"|based on|compared (?:with|to)|instead of|rather than|unless|assuming|{_REASON})\b"
)
# A subordinate clause that opens a sentence: "Although C is near, …".
OPENING = pattern(
    rf"^{SIGN}*(?:(?:and|but) )?{_CONCEDES}(?:[^,]|(?<={OPTION}),(?=\W*(?:(?:and|or)\W+)?{OPTION}))*,", re.I
)
# A reason, or an alternative that is denied, at the end of a sentence.
BECAUSE = pattern(rf"{SIGN}*\b(?:{_REASON}|(?:and|but) not)\b.*$", re.I | re.S)
# What says more of an option than a reason: "the second one, while also red, …".
BESIDE = pattern(rf"{SIGN}*\b(?:{_CONCEDES}|which\b).*$", re.I | re.S)
# The commas of "A, B and C", which end no clause.
IN_A_LIST = pattern(
    rf"(?<={OPTION}),(?={SIGN}*(?:\b(?:the|an?)\b{SIGN}+)*(?:\b(?:and|or)\b|{OPTION}{SIGN}*(?:,|\b(?:and|or)"
    r"\b)))",
    re.I,
)
# Signs after a label.
HEADS = frozenset(":-–—→=")
OR = pattern(r"\W*or\b", re.I)
# What stands between a subject and its verb: "The second one, showing a dish, does not …".
SET_OFF = pattern(rf"^({SIGN}*(?:the )?{OPTION}),[^,\ue000-\ue1ff]*,(?=\s*\w)", re.I)
# Says of the next option how it differs from the one that was chosen.
AGAINST = pattern(r"\b(?:on the other hand|in contrast|by contrast|conversely|meanwhile|similarly)\b", re.I)
# Options that are only compared with, and those that may be examples.
CONTRAST = pattern(
    r"\b(?:than|unlike|except|as opposed to|other than|compared (?:with|to)|instead of|rather than)\b"
    rf"{SIGN}*(?:\w+{SIGN}+){{0,2}}{_LIST}",
    re.I,
)
EXAMPLES = pattern(
    rf"\b(?:not|over|against|without|such as|like|including)\b{SIGN}*(?:\w+{SIGN}+){{0,2}}{_LIST}", re.I
)
SO = pattern(r"\W*\b(?:so|therefore|thus|hence|consequently|accordingly)\b", re.I)
ANSWER_LINE = pattern(rf"{SIGN}*(?:(?:the|my|final|correct) )*{ANSWER}{SIGN}*:{SIGN}*\w", re.I)
# What comes after is what a sentence comes to.
TURN = pattern(
    r"\b(?:so|therefore|thus|hence|consequently|accordingly|means|overall|finally|leav(?:es|ing)|but|however|yet"
    r"|actually)\b|->|=>|[→⇒∴➡]|所以|因此",
    re.I,
)
# A clause with one of these denies what it names.
DENIED = pattern(
    r"\b(?:not|never|cannot|neither|nor|none|nothing|no(?! doubt| question)|less|nicht|pas|non)\b|n't\b"
    r"|[不没非✗✘❌✖×👎🚫⛔¬≠]"
    r"|\b(?:wrong|incorrect|false|invalid|impossible|unlikely|unsure|fails?|(?:rul(?:e|es|ed|ing)\b.{0,20}\bout)"
    r"|(?:eliminat|exclud|reject|dismiss|discard|refut|contradict|inconsisten|retract|refus)\w*)\b",
    re.I,
)
SUPPOSED = pattern(  # asked, supposed, or said by others
    r"\?|\b(?:if|unless|whether|were|suppos\w*|assum\w+|imagine|depend\w*|might|could|may|possib\w+|can be"
    r"|would have|consider|for example|he|she|they|people|some|others|used to|tempt\w*|at first|initially"
    rf"|(?:either|both)(?= (?:the )?{OPTION}))\b",
    re.I,
)
ASKED = pattern(
    r"\?\W*$|^\W*(?:if|unless|had|were)\b.*\b(?:were|had|would)\b|^\W*(?:suppose|assume|imagine)\b", re.I
)
_BEST = (
    r"(?:correct(?:ly)?|right(?=\W*$)|true|best|better|answer|choice|fits?|match\w*|likel(?:y|iest)|plausible"
    r"|yes)\b|[✓✔✅☑👍]"
)
# An option that is called right, or the subject of which it is said.
JUDGED = pattern(
    rf"{OPTION}.*?(?:\b{_BEST}|\bmost \w)|{OPTION}{SIGN}+(?:(?:is|are|seems|appears|looks){SIGN}+)?more \w"
    rf"|\b(?:{_BEST}|most \w+){_FEW}{OPTION}|\b(?:must|should|seems?|appears?|looks?)\b{_FEW}{OPTION}"
    rf"|\bthe\b{_ELSE}*\b(?:is|are|was|be){_FEW}{OPTION}\W*$",
    re.I,
)
# What was said before is no claim any more.
TAKEN_BACK = pattern(
    r"(?:\W*\b(?:wait|no|nope|scratch that|correction|edit|update|sorry|hm+|actually)\b)+\W*[,.:;!—–-]", re.I
)
# Whoever speaks cannot or will not answer.
GIVES_UP = pattern(
    r"\b(?:i|we)(?:'m| am| are)?\b[^.!?\n]{0,40}?(?:can(?:'t|not)|\b(?:unable|not able|won't|will not)\b)"
    r"|\bn/a\b|\b(?:cannot|can't|not possible|impossible|difficult|hard|challenging)\b(?: be| to)?"
    r"[\w ]{0,20}? (?:determine|answer|sa(?:y|id)|tell|identify|judge)",
    re.I,
)
# Nothing but options.
ALONE = pattern(
    rf"{SIGN}*(?:(?:it|this|that)(?:'s| is)\b{SIGN}*)?(?:the |an? )?(?:{NOUN}{SIGN}*)?(?:{OPTION}(?:{SIGN}"
    r"|\b(?:and|or|nor|und|oder|et|ou|y|o)\b)*)+",
    re.I,
)
# The answer by its name, or the choice that somebody makes.
STATED = pattern(
    rf"{NOUN}(?:{_ELSE}*?(?:\b(?:is|are|be|was|as|es|est|è|é|ist|är|remains)\b|'s\b|[:=→]){_FEW}|{SIGN}*){OPTION}"
    rf"|{NOUN}[^\s\ue000-\ue1ff]{{0,4}}{OPTION}|[选選]\w{{0,2}}{OPTION}"
    rf"|\b(?:i|we)\b{_ELSE}*\b(?:categori|classif|identif|describe|label)\w*{_ELSE}*\bas{_FEW}{OPTION}"
    rf"|(?:\b(?:i|we)\b{_ELSE}*|^\W*)\b(?:choos\w+|chose|pick\w*|select\w*|go(?:ing)? with|say|lean\w*"
    rf"|submit)\b{_FEW}{OPTION}",
    re.I,
)
BREAK = pattern(r"([,;:\[\]\n—–=→]|\s-+\s)")
# Where sentences end.
SENTENCE = pattern(rf"(?<=[.!?。！？])[\"')\]]*\s+|(?<=[。！？])|\n+|(?<={OPTION}\.)(?=\S)")
ONLY_WORDED = pattern(rf"(?:[^\ue000-\ue0ff]*{WORDED})+[^\ue000-\ue0ff]*")
# A line that begins with an option.
ROW = pattern(rf"{SIGN}*(?:option{SIGN}+)?({OPTION})", re.I)
ASIDE = pattern(r"\(([^()]*)\)")
