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
    r"|selection|prediction|response|opción)\b)"
)
ANSWER_LINE = rf"{SIGN}*(?:(?:the|my|final|correct) )*(?:{_ANSWER}){SIGN}*:"
_DENIES = (  # a clause that holds one of these denies what it names
    r"\b(?:not|never|cannot|neither|nor|none|nothing|nobody|no(?! doubt| question)|nope|(?<!at )least|less"
    r"|hardly|nicht|kein\w*"
    r"|pas|nunca|ikke|inte|nie|niet|jamais|не|нет|ليس\w*)\b|n't\b|[不没非]|無い|ない|ありません|아니|[✗✘❌✖×👎🚫⛔¬≠]|!="
    r"|\b(?:wrong|incorrect|false|invalid|mistaken?|impossible|improbable|unlikely|(?<!no )doubt(?:ful)?"
    r"|unsure|worst|weak|poor"
    r"|bad|trap|bait|decoy|distractor|absurd|tempting|falsch|fals[ao]|faux|incorrect[ao])\b|틀|間違|错"
    r"|\b(?:rul(?:e|es|ed|ing)\b.{0,20}\bout|cross(?:ed)? out|take back|object to|eliminat|exclud|reject"
    r"|dismiss|discard"
    r"|withdr|refut|disprov|contradict|inconsisten|incompatib|fail|lack|misses|confus|retract|struck|strike"
    r"|forget"
    r"|disagree|hesitat|refus|avoid|ignor|scratch)\w*"
)
_BUT_NOT = (  # these deny only the option that comes right after them
    r"\b(?:not|nicht|than|over|unlike|except|instead of|rather than|as opposed to|against|away from|without"
    r"|apart from"
    r"|other than|compared (?:with|to)|statt|plutôt que|en vez de)\b"
)
_RIGHT = (
    r"\b(?:correct|right|true|best|better|most|answer|choice|pick|the one|fits?|match\w*|holds|works|wins"
    r"|winner|closest|likel(?:y|iest)|plausible"
    r"|describes|aligns|corresponds|consistent|yes|captures|richtig|correct[ao]e?"
    r"|correcte|juste"
    r"|esatt[ao]|cert[ao]|верн\w+|правильн\w+)\b|[✓✔✅☑👍]|正确|正確|正しい|맞"
)
_SO = r"\b(?:so|therefore|thus|hence|consequently|accordingly)\b"
_TURNS = (
    rf"{_SO}|\b(?:means|namely|overall|final(?:ly)?|leav(?:es|ing)|but|however|yet|actually|i mean|sondern"
    rf"|sino|mais)\b"
    r"|ではなく|->|=>|[→⇒⟹∴➡]|所以|因此|而是|따라서|故"
)
_CONCEDES = (  # clauses beside the main one: concessions, conditions, comparisons, reasons
    r"(?:while|although|though|even (?:though|if)|whereas|despite|when|unlike|between|among|if|ruling"
    r"|because|since"
    r"|given (?:that|how|the|these|this)|due to|considering|judging|based on|such as|like|including|weil"
    r"|porque|perché|parce que|car"
    r"|as (?=(?:the|we|it|there|this|that|i|no|all)\b))\b"
)

DENYING = pattern(_DENIES, re.IGNORECASE)
DENIED_CLOSE_BY = pattern(
    rf"(?:{_DENIES}){SIGN}*(?:\w+{SIGN}+){{0,2}}{OPTION}|{OPTION}{SIGN}*(?:\w+{SIGN}+){{0,2}}(?:{_DENIES})",
    re.IGNORECASE,
)
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
ASKED = pattern(
    r"\?\W*$|^\W*(?:if(?! (?:i|you look|forced|pressed)\b)|unless|were|had|suppose|assume|imagine)\b",
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
REVISES = pattern(rf"{_TURNS}|\b(?:wait|no|sorry|correction|edit|rather|instead|reflection)\b", re.IGNORECASE)
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
ABBREVIATION = pattern(r"\b(?:(i\.e)|e\.g|vs|cf)\.")
OURSELVES = pattern(r"\W*(?:i|we)\b", re.IGNORECASE)
AN_OR = pattern(r"\W*(?:or|oder|ou|o|或)\b", re.IGNORECASE)
ANSWERS = pattern(rf"{ANSWER_LINE}{SIGN}*\w", re.IGNORECASE)  # "final answer: none"
CALLED = pattern(NOUN, re.IGNORECASE)
ALONE = pattern(
    rf"{SIGN}*(?:{NOUN}{SIGN}*)?(?:{OPTION}(?:{SIGN}|\b(?:and|or|nor|und|oder|et|ou|y|o)\b)*)+", re.IGNORECASE
)
ROW = pattern(
    rf"{SIGN}*(?:(?:and|or|nor) )?(?:(?:an?|the) )?(?:{OPTION}(?:{SIGN}|\b(?:and|or|nor|an?|the)\b)*)+",
    re.IGNORECASE,
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
