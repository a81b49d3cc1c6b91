"""The words that carry the logic of a statement: what denies, supposes, concludes, concedes or judges.

They are classes of words that a language has few of. None of them says which words a reply may hold; what no
class knows is passed over. English comes first, and of other languages what their models write around a
letter.
"""

import re

from situ.lazy import pattern

LETTERED, NAMED, OPTION = (
    "[\ue000-\ue0ff]",
    "[\ue100-\ue1ff]",
    "[\ue000-\ue1ff]",
)  # signs of options: see options.py
SIGN = r"[^\w\ue000-\ue1ff]"  # neither a word nor an option
_ELSE = r"[^\ue000-\ue1ff]"
_FEW = rf"{SIGN}*(?:\w+{SIGN}+){{0,3}}"  # "most likely the", "option"

_ANSWER = r"\b(?:answer|ans|antwort|respuesta|réponse|risposta|resposta|ответ)\b|答案|答え|정답"
NOUN = (  # what an answer is called
    rf"(?:{_ANSWER}|\b(?:option|choice|category|letter|solution|verdict|conclusion|result|guess|pick|estimate"
    r"|selection|prediction|response)\b)"
)
ANSWER_LINE = rf"{SIGN}*(?:(?:the|my|final|correct) )*(?:{_ANSWER}){SIGN}*:"
_DENIES = (  # a clause that holds one of these denies what it names
    r"\b(?:not|never|cannot|neither|nor|none|nothing|no(?! doubt| question)|(?<!at )least|less|nicht|pas)\b"
    r"|n't\b|[不没非✗✘❌✖×👎🚫⛔¬≠]|\b(?:wrong|incorrect|false|invalid|mistaken?|impossible|unlikely|unsure"
    r"|(?<!no )doubt(?:ful)?|weak|poor|decoy|distractor|tempting)\b|\b(?:rul(?:e|es|ed|ing)\b.{0,20}\bout"
    r"|eliminat|exclud|reject|dismiss|discard|withdr|refut|contradict|inconsisten|fail|lack|retract|strike"
    r"|disagree|refus|avoid|scratch)\w*"
)
_BUT_NOT = (  # these deny only the option that comes right after them
    r"\b(?:not|nicht|than|over|unlike|except|instead of|rather than|as opposed to|against|without|other than"
    r"|compared (?:with|to))\b"
)
_RIGHT = (
    r"\b(?:correct|right|true|best|better|most|answer|choice|pick|the one|fits?|match\w*|holds|works|winner"
    r"|closest|likel(?:y|iest)|plausible|describes|aligns|corresponds|consistent|yes|captures)\b|[✓✔✅☑👍]"
)
_SO = r"\b(?:so|therefore|thus|hence|consequently|accordingly)\b"
_TURNS = (
    rf"{_SO}|\b(?:means|namely|overall|final(?:ly)?|leav(?:es|ing)|but|however|yet|actually)\b|->|=>"
    r"|[→⇒⟹∴➡]|所以|因此"
)
_CONCEDES = (  # clauses beside the main one: concessions, conditions, comparisons, reasons
    r"(?:while|although|though|even (?:though|if)|whereas|despite|when|unlike|between|among|if|ruling|because"
    r"|since|given (?:that|how|the|these|this)|due to|considering|based on|such as|like|including"
    r"|as (?=(?:the|we|it|there|this|that|i|no|all)\b))\b"
)

DENYING = pattern(_DENIES, re.IGNORECASE)
BUT_NOT = pattern(
    rf"(?:{_BUT_NOT}){SIGN}*(?:\w+{SIGN}+){{0,2}}{OPTION}(?:(?:{SIGN}|\band\b|\bor\b)*{OPTION})*",
    re.IGNORECASE,
)
UNREAL = pattern(  # asked, supposed, taken up, or said by others
    r"\?|\b(?:if|unless|whether|were|suppose|assum\w+|imagine|depend\w*|might|could|may|possib\w+|can be"
    r"|would have|wanted"
    r"|consider|compare|check|examine|for (?:instance|example)|he|she|they|people|some|others?|many"
    r"|most would"
    r"|you (?:might|said|ask)|used to|tempted|at first|initial\w*|first thought|either|both|tie)\b",
    re.IGNORECASE,
)
ASKED = pattern(  # asked, or supposed of a world that is not
    r"\?\W*$|^\W*(?:(?:if|unless)\b(?=.*\b(?:were|had|would)\b)|(?:were|had|suppose|assume|imagine)\b)",
    re.IGNORECASE,
)
JUDGED = pattern(rf"{OPTION}.*?(?:{_RIGHT}|\b(?:it is|is it|it (?:must|has to) be)\W*$)", re.IGNORECASE)
RIGHT = pattern(_RIGHT, re.IGNORECASE)
GROUP = pattern(rf"{OPTION}(?:(?:{SIGN}|\b(?:and|or|an?|the)\b)*{OPTION})*", re.IGNORECASE)
SEEMS = pattern(  # the copula of a careful speaker: "appears to be a kitchen"
    rf"\b(?:appears?|seems?|looks?|likely|probably|must|should|evidently|clearly|definitely)\b{_FEW}{OPTION}",
    re.IGNORECASE,
)
TURN = pattern(_TURNS, re.IGNORECASE)  # what comes after is what a sentence comes to
CONCLUDES = pattern(rf"\W*{_SO}", re.IGNORECASE)
TAKEN_BACK = pattern(
    r"(?:\W*\b(?:wait|no|nope|scratch that|correction|edit|update|sorry|hm+|actually)\b)+\W*[,.:;!—–-]",
    re.IGNORECASE,
)
SET_ASIDE = pattern(rf"\W*(?:and |but )?{_CONCEDES}", re.IGNORECASE)
CLAUSE = pattern(
    r"([,;:\[\]\n—–]|\s-+\s|\b(?=(?:because|since|given (?:that|how|the)|due to|while|although|weil|porque"
    r"|instead of"
    r"|rather than)\b)|\b(?=as (?:the|we|it|there|this|that|i|no|all)\b)|\b(?=(?:and|but) not\b))",
    re.IGNORECASE,
)
SENTENCE = pattern(rf"(?<=[.!?。！？])[\"')\]]*\s+|(?<=[。！？])|\n+|(?<={OPTION}\.)(?=\S)")
REFUSES = pattern(  # of a reply that claims nothing: who speaks cannot or will not
    r"\b(?:i|we)(?:'m| am| are)?\b[^.!?\n]{0,40}?(?:can(?:'t|not)|\b(?:unable|not able|won't|will not)\b)"
    r"|\b(?:cannot|can't) be (?:determined|answered|said)|\bn/a\b",
    re.IGNORECASE,
)
AN_OR = pattern(r"\W*(?:or|oder|ou|o|或)\b", re.IGNORECASE)
ANSWERS = pattern(rf"{ANSWER_LINE}{SIGN}*\w", re.IGNORECASE)  # "final answer: none"
CALLED = pattern(NOUN, re.IGNORECASE)
ALONE = pattern(
    rf"{SIGN}*(?:{NOUN}{SIGN}*)?(?:{OPTION}(?:{SIGN}|\b(?:and|or|nor|und|oder|et|ou|y|o)\b)*)+", re.IGNORECASE
)
ENDS = pattern(rf"{OPTION}{SIGN}*(?:\w+{SIGN}*)?$")  # a word may follow: "C here", "the kitchen area"
STATED = pattern(
    rf"{NOUN}(?:{_ELSE}*?(?:\b(?:is|are|be|was|as|es|est|è|é|ist|är)\b|'s\b|[:=→]){_FEW}|{SIGN}*){OPTION}"
    rf"|{NOUN}[^\s\ue000-\ue1ff]{{0,4}}{OPTION}|[选選]\w{{0,2}}{OPTION}"
    rf"|{OPTION}を?[选選]"  # in scripts without spaces
    rf"|\b(?:i|we)\b{_ELSE}*\b(?:categori|classif|identif|describe|label)\w*{_ELSE}*\bas{_FEW}{OPTION}"
    rf"|\b(?:best|can be){_FEW}(?:categori|classif|identif|describ)\w* (?:as|by){_FEW}{OPTION}"
    rf"|(?:\b(?:i|we)\b{_ELSE}*|^\W*)\b(?:choos\w+|chose|pick\w*|select\w*|go(?:ing)? with|say|lean\w*"
    rf"|settle|submit)\b"
    rf"{_FEW}{OPTION}",
    re.IGNORECASE,
)
