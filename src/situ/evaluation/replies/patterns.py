"""The sentences that state, judge or deny an answer, over marked text.

Words are listed one after the other, "_" standing for a space.
"""

import re

from situ.evaluation.replies.marking import BY_LETTER, BY_NAME, CANDIDATE
from situ.lazy import pattern

_SIGN = r"[^\w\ue000-\ue3fe]"  # neither a word nor a candidate


def any_of(words: str) -> str:
    return "(?:" + "|".join(word.replace("_", r"\s+") for word in words.split()) + ")"


_VERB_NEXT = any_of("is was seems looks fits it must would has works makes")
_JOIN = (
    rf"(?>[\"'*)\]]*+\s*+(?:,?\s*+\b{any_of('and or nor vs versus oder ou o und et y или и')}\b\.?"
    rf"|,(?![^,]{{1,3}}\b{_VERB_NEXT}\b)|/|&|\||[和或与、とか])\s*+"
    r"(?:(?:the|option|maybe|possibly|perhaps|even|not|to|on|a|an)\s+)*[\"'*(\[]*)"
)
# Candidates named together: "A, B or C". Python before 3.11.5 goes wrong where one possessive repetition (*+)
# holds another: the outer one is an atomic group instead.
GROUP = rf"(?>{CANDIDATE}(?:{_JOIN}{CANDIDATE})*)"
_X = rf"(?P<group>{GROUP})"
_SAME_KIND = rf"(?P<group>(?>{BY_LETTER}(?:{_JOIN}{BY_LETTER})*|{BY_NAME}(?:{_JOIN}{BY_NAME})*))"
_LETTERS = rf"(?P<group>(?>{BY_LETTER}(?:{_JOIN}{BY_LETTER})*))"
_CLOSE = r"[)\]\"'*_]*"

# What may stand between "the answer is" and the answer.
_FILL_WORDS = any_of(
    "the a an to on in at of my your its it is it's that option options choice letter answer number be "
    "being as most "
    "likely probably definitely clearly certainly surely simply just indeed actually therefore thus "
    "hence obviously "
    "best correct correctly final finally still really only also either would will must should has "
    "going with for "
    "from toward towards located somewhere directly described labeled labelled given by one following "
    "item statement letra lettre lettera "
    "side direction have I think believe guess suppose 'd say namely clear safe there this case here "
    "none_other_than "
    "very quite roughly approximately about facing then categor\\w+ typical kind type sort more "
    "than_likely "
    "something_like"
)
# Possessive (*+): a candidate is never a filler, and going back over fillers would take exponential time.
FILL = rf"(?:{_FILL_WORDS}\b|[\s:=\-–—>→⇒*_\"'(\[`#•.$])*+"

_NOUN = (
    r"(?:\b"
    + any_of(
        "answers? choice option selection pick solution conclusion response guess verdict result letter "
        "prediction final(?=\\s*[:=]) key truth "
        "decision bet vote category mine antwort lösung respuesta réponse risposta resposta ответ antwoord "
        "svar"
    )
    + r"\b|答案|答え|回答|正解|정답|답|选择|選擇|选项|應選|应选|选|選)"
)
_COPULA = (
    r"(?:\b"
    + any_of("is are was be becomes? ist es est è é as")
    + r"\b|'s\b|[:=\-–—→⇒>]|是|为|為|は|은|는|が|이|\n)"
)
AFTER_NOUN = pattern(rf"{_NOUN}(?P<gap>[^.!?\n\ue000-\ue3fe]{{0,120}}?){_COPULA}\s*{FILL}{_X}", re.IGNORECASE)
POSSIBLY = pattern(r"\b(?:could|might|may)\b", re.IGNORECASE)
OTHER_CLAUSE = pattern(r"\b(?:but|because|since|while|although)\b", re.IGNORECASE)

_CHOICE_VERBS = any_of(
    "choose choosing chose pick(?:ed|ing)? select(?:ed|ing)? go(?:ing)?_(?:with|for) went_with "
    "opt(?:ed|ing)?_for "
    "settl(?:e|ed|ing)_(?:on|for) lean(?:s|ing|ed)?_(?:toward|towards|to) stick(?:ing)?_with vote(?:_for)? "
    "bet(?:ting)?_on my_money_is_on "
    "I(?:'d|_would|'ll|_will|_am_going_to|'m_going_to)?_(?:say|guess|answer|suggest|submit|mark) "
    "I_(?:think|believe|conclude|guess|suppose|reckon) we_(?:conclude|get|have|arrive_at) lock_in take "
    "mark "
    "(?:described|categori[sz]ed|classified|identified|characteri[sz]ed|labell?ed)_as"
)
CHOOSING = pattern(rf"\b{_CHOICE_VERBS}\b\s*{FILL}{_X}", re.IGNORECASE)
OTHERS = pattern(  # somebody else chooses
    r"\b" + any_of("people some many others? most you they one students models everyone anyone nobody few")
    + r"\b\W+(?:\w+\W+){0,2}$|\b(?!(?:i|we|answer|it|this|that)\b)[a-z]+ (?:would|might|could)\W+$",
    re.IGNORECASE,
)  # fmt: skip
_HINTS = any_of(
    "points?_to(?:wards?)? pointing_to(?:wards?)? suggest(?:s|ing)? indicat(?:es?|ing) impl(?:y|ies|ying) "
    "leads?(?:_us)?_to"
)
HINTING = pattern(rf"\b{_HINTS}\b\s*{FILL}{_LETTERS}", re.IGNORECASE)
_IT = (
    r"\b(?:it|this|that|which|he|she|they|there|one|answer)"
    r"(?:'s|'d be| (?:is|was|must|has|should|would|can|will|seems|appears|looks|could|might|may))"
    r"(?: have)?(?: only)?(?: to)?(?: be)?"
)
_MUST_BE = r"\b(?:must|has to|should|can only|got to|ought to|have to|would) be"
_LIKELY = (
    r"\b(?:is|be) (?:most |very |quite )?(?:likely|probably|best)\b(?: to be)?|\b(?:seems|appears) to be"
)
IS_IT = pattern(rf"(?:{_IT}|{_MUST_BE}|{_LIKELY})\s*{FILL}{_SAME_KIND}", re.IGNORECASE)
_CONCLUDING = any_of(
    "so therefore thus hence consequently accordingly in_conclusion overall finally in_summary "
    "ultimately in_short "
    "all_in_all to_sum_up conclusion which_(?:means|leaves|gives) leaving that_leaves -> => → ⇒ ∴"
)
SO = pattern(rf"(?:^|[,;:.—–\s]){_CONCLUDING}(?!\w)[,:]?\s*{FILL}{_X}", re.IGNORECASE)

_BEING = r"(?:\b" + any_of(
    "is are was seems looks sounds must_be would_be should_be has_to_be appears feels remains "
    "stands_out_as will_be best"
) + r"|'s)\b"  # fmt: skip
_GOOD = any_of(
    "correct right true best accurate appropriate answers? valid "
    "one(?!_(?:of|possib\\w+|option|candidate|explanation|reading|way)) choice pick likely plausible "
    "consistent closest "
    "better clear obvious option suitable reasonable probable logical fitting winner way_to_go match"
)
# "the obvious decoy" and "true earlier" do not say that it is right.
_NO_NOUN = (
    r"(?!\s+(?:decoy|trap|distractor|bait|mistake|error|lie|guess|suspect|loser|earlier|before|once|only)\b)"
)
_FITTING = any_of(
    "fits? matches works makes_(?:the_most_)?sense wins describes(?!_(?:an?other|some|a_different)) it_is "
    "it's corresponds aligns applies "
    "best_(?:fits|matches|describes) gets_my_vote holds remains(?=\\s*(?:[.,;!]|$)) is_left"
)
SO_IS = pattern(rf"\b(?:so|as) (?:does|do|is|are|would|could|might|may)\s+{FILL}{_X}", re.IGNORECASE)
RIGHT = pattern(
    rf"{_X}{_CLOSE}\s*(?:"
    rf"(?:,|[(:\-–—])?[^.!?,;\ue000-\ue3fe]{{0,40}}?\s*{_BEING}"
    rf"(?:\s+(?:to be|as|\w+ly|the|my|our|your|most|also|only|best|more|far|much|in fact|a"
    rf"|an))*\s*{_GOOD}\b{_NO_NOUN}"
    rf"|\s*\b{_FITTING}\b"
    r"|\s*(?:as )?the (?:most|best) (?:\w+ )?(?:category|answer|option|choice|fit|match|description)\b"
    r"|\s*[(:\-–—|=]*\s*(?:[✓✔✅☑]|\(?(?:correct|yes|true)\b\)?))",
    re.IGNORECASE,
)
_EVERY = any_of("all everything anything nothing none every_(?:option|answer) options? others? any_other")
ALL_BUT = pattern(
    rf"\b{_EVERY}\b[^.\ue000-\ue3fe]{{0,20}}\b(?:but|except(?: for)?|other than|besides"
    rf"|apart from)\s+{FILL}"
    rf"(?P<group>{BY_LETTER})(?=[^.]{{0,40}}\b(?:wrong|incorrect|false|fail|eliminated|ruled|out|fit"
    rf"|match|correct|work|contradict|conflict|impossible|inconsistent|excluded))",
    re.IGNORECASE,
)

NOTHING_BUT = pattern(
    rf"(?:n't|\bnot|\bcannot|\bnever)\s+(?:\w+\s+){{0,3}}any(?:thing|body| option| answer)?\s+"
    rf"(?:but|except|other(?: option| answer)? than)\s+{FILL}(?P<group>{BY_LETTER})",
    re.IGNORECASE,
)
HEADING = pattern(
    rf"^{_SIGN}*((?:final |correct |my )?(?:answer|conclusion|option|choice|decision)){_SIGN}*\n\s*",
    re.IGNORECASE | re.MULTILINE,
)

_BEFORE_ALONE = any_of(
    "hmm+ well okay ok sure yes right alright certainly maybe perhaps probably definitely likely "
    "obviously easy final "
    "my i i'd we say think guess believe it's it is turn go that would be let's must answering answer "
    "chosen choosing "
    "und also oui sí ja then"
)
_AFTER_ALONE = any_of(
    "i we think believe guess suppose would say it is final answer for sure please probably likely "
    "definitely maybe "
    "perhaps indeed of_course most certainly my choice the that this done thanks thank you obviously "
    "clearly one "
    "option here again too side hand"
)
_PAUSE = r"[\s.!?,:;)\]\"'*_`$|]*"
ALONE = pattern(
    rf"^{_SIGN}*+(?>(?:{_BEFORE_ALONE}\b{_SIGN}*+)*){FILL}{_X}{_PAUSE}(?:{_AFTER_ALONE}\b{_PAUSE})*$",
    re.IGNORECASE,
)
OPENING = pattern(
    rf"^{_SIGN}*+{FILL}(?P<group>{CANDIDATE}){_CLOSE}\s*(?:[,;:—–(]|-{{1,2}}\s|\b(?:because|since|as|due"
    rf"|given|for)\b)",
    re.IGNORECASE,
)
CLOSING = pattern(rf":\s*{FILL}{_X}{_CLOSE}\s*[.!]?\s*$", re.IGNORECASE)

_NOT = (
    r"(?:\bnot(?! (?:only|just|sure))|n't|\b"
    + any_of(
        "never (?:everything|anything|all)_(?:but|except) neither nor rather_than instead_of unlike "
        "than except(?:_for)? exclud(?:e|es|ed|ing) "
        "rul(?:e|es|ed|ing)_out eliminat(?:e|es|ed|ing) reject(?:s|ed|ing)? discard(?:s|ed|ing)? "
        "dismiss(?:es|ed|ing)? (?:can(?:no|')t|can_not|couldn't|could_not)_(?:\\w+ly_)?be wrong incorrect "
        "avoid cross(?:es|ed|ing)?_out (?:I|we)_doubt hardly "
        "by_no_means no_way no_(?:for|to|on) far_from hesitate_to apart_from "
        "(?:no|lacks?|lacking)_(?:support|evidence|reason|sign|basis)_for "
        "refus(?:e|es|ed|ing)_to unsure_about not_convinced_(?:by|of) "
        "without(?=\\s+(?:choos|pick|select|answer)) before(?=\\s+(?:choos|pick|select|answer)) "
        "nothing\\b[^.,;\ue000-\ue3fe]{0,40}\\b(?:supports?|suggests?|points_to) "
        "distractor_(?:is|was) nicht keine? n'est_pas pas no_es não_é non_è niet inte ikke nie не"
    )
    + r"\b|不是|不选|不選|并非|排除)"
)
_NOT_FILL = any_of(
    "at the to a an on of in be as just only really necessarily typical strictly options? choices? "
    "answers? letters? "
    "both either out simply actually it is being choose choosing pick select go with say by exactly "
    "quite even have "
    "been me your my for answer: think believe suppose it's that that's can could"
)
_BAD = any_of(
    "not wrong incorrect false out eliminated ruled_out impossible unlikely excluded invalid "
    "inconsistent inaccurate "
    "implausible improbable least worst distractors? off less_(?:likely|plausible|accurate) too"
)
_NOT_DOING = (
    r"(?:is|are|was|were|does|do|did|would|can|could|has|have|wo|ca)n't\b"
    r"|(?:is|are|was|were|does|do|did|would|can|could|will)\s+not\b|\bcannot\b"
    r"|\b(?:can|could|would|is) hardly\b|\bis hard to\b"
    r"|\b(?:fails?|contradicts?|conflicts?|ignores?|might seem|may seem)\b"
    r"|\bwould (?:mean|require|imply|need|be (?:the case|if|when|true if|right if|correct if))\b"
)
_NOT_ELSEWHERE = (  # "is not" after the letter
    r"(?:では|じゃ)?な[いくし]|ではあり|[はが]間違|[가이는은] ?(?:아[니닙]|틀)|不对|不正确|错"
    r"|[—-]? ?не(?:верн|прав| )|ist (?:falsch|nicht)|n'est pas|est fau|es (?:incorrect|fals)"
    r"|è (?:sbagliat|errat)|está errad|is what most"
)
_SEEMS_BAD = (
    any_of("is are was were would_be seems? looks? must_be can_be could_be has_been have_been")
    + rf"\s+(?:(?:\w+ly|also|all|both|just|simply|therefore|thus|an?|the)\s+)*{_BAD}\b"
)
DENIALS = (
    pattern(rf"(?<=[\ue000-\ue1fe])\s*>\s*{_X}"),
    pattern(rf"{_NOT}(?:\s+{_NOT_FILL}(?![\w']))*+[\s\"'(\[*:]*{_X}", re.IGNORECASE),
    pattern(rf"^{_SIGN}*[✗✘❌]\s*{_X}"),
    pattern(rf"\((?:vs\.?|versus)\s+{_X}\)", re.IGNORECASE),
    pattern(rf"\b(?:rul|cross|throw|leav)(?:e|es|ed|ing)?\s+{FILL}{_X}{_CLOSE}\s+out\b", re.IGNORECASE),
    pattern(
        rf"(?<=[\ue000-\ue1fe])[\s,)\]]*(?:over|and not|as opposed to)\s+{FILL}{_X}",
        re.IGNORECASE,
    ),
    pattern(
        rf"{_X}{_CLOSE}\s*(?:{_SEEMS_BAD}|{_NOT_DOING}|[\s(\[:\-–—|=]*(?:[✗✘❌×]|(?:wrong|incorrect"
        rf"|out\b(?! of)|no\b(?! (?:doubt|question))|false))|{_NOT_ELSEWHERE})",
        re.IGNORECASE,
    ),
)
RETRACTION = pattern(
    r"(?:^|[.!?\n,;]\s*|\s[-–—]{1,2}\s*|\b(?:no|but|oh|hmm)[,.]?\s+)"
    r"(?:no,|(?:wait|actually|correction|scratch that|on second thought|let me (?:re\w+|correct)|sorry|i mean"
    r"|i meant"
    r"|my mistake|hold on|just (?:kidding|joking)|upon re\w+|(?:edit|update)(?=:)|(?:but )?no(?=: ))\b)",
    re.IGNORECASE,
)
REVISION = pattern(r"\W*(?:edit|update|correction)$", re.IGNORECASE)  # what follows replaces the answer
TAKEN_BACK = pattern(
    r"\b(?:no|kidding|joking|wrong|mistaken|scratch|incorrect|not right|not correct|not sure)\b",
    re.IGNORECASE,
)
SENTENCE_END = pattern(r"(?<=[.!?。！？])[\s\"')\]*]+|(?<=[。！？；;])|\n+|;\s")
WHY = pattern(
    r"(?:^|\n)[\W_]*(?:explanation|reason(?:ing|s)?|rationale|justification|note|analysis|why|details?"
    r"|because)\b"
    r"[\W_]*(?:[:\n]|$)",
    re.IGNORECASE,
)
# A mention that no other rule takes counts, unless its clause doubts it or lets others say it.
DOUBTED = pattern(
    r"\b"
    + any_of(
        "unsure uncertain consider(?:ing|ed)? suppose assum(?:e|ing) imagine compare people some others? "
        "may might could nobody tempted whether first_thought first_instinct initially should_I question"
    )
    + r"\b",
    re.IGNORECASE,
)
DENIED_MARK = pattern(
    rf"\b(?:not|never)\b|n't\b|\b{any_of('nicht pas keine? no_creo não non не niet')}\b", re.I
)
CLAUSE_END = pattern(r"[,;:—](?!\s*(?:dass|daß|que|that|что)\b)|\b(?:but|however|so|still|yet|hence)\b", re.I)
INVERTED = pattern(r"^\W*(?:is|are|was|could|should|would|can|do|does|did|might|what|why|which|how)\b", re.I)
COUNTERFACTUAL = pattern(
    r"(?:\bif\b(?! i had to\b)[^.;,]*\b(?:had|were|hadn't|weren't)\b|^\W*(?:had|were)\b)[^.;,]*,"
    r"[^.;,]*\bwould\b[^.;,]*",
    re.IGNORECASE,
)
SUPPOSED = pattern(
    r"\b(?:if|whether|had|were|unless|(?<!i )suppose|assum(?:e|ing))\b[^,;.:]*(?:[,;.:]|$)", re.IGNORECASE
)
LABELLED = pattern(  # "vitamin C", "frame B": the letter belongs to the word before it
    r"\b"
    + any_of(
        "vitamin plan hepatitis grade class type group team section figure panel part row column block "
        "zone gate wing "
        "room building floor corridor hall door exit frame image picture photo view scene video clip "
        "segment camera "
        "point position location marker person player object item cone cube box table chair label step "
        "route line "
        "track side area spot"
    )
    + " $",
    re.IGNORECASE,
)
