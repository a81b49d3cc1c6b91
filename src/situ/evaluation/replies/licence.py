"""The speech of answering: a claim counts only where every word around it is known to belong to one.

Other rules say what a sentence with an answer looks like, and what denies one; neither list can be complete.
So what they find is read only if the words between it and the nearest turn of the sentence are words in which
people answer. A word that is not known here leaves a reply unreadable; it is never read wrongly.

Reasons are free: what stands before "so" or "but", after "because", or in a clause that begins as one does.
"""

import re
import unicodedata
from functools import lru_cache

from situ.evaluation.replies.marking import BY_LETTER, BY_NAME, CANDIDATE, DENIED_ONE, LETTER, WORDS
from situ.lazy import pattern


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Before a letter: no verb of others, no sign of another case ("mirrored", "she", "nearly", "example").
_BEFORE = _words(
    "the a an and or of to in on at for by with from as that this these it it's it'd its that's that'd "
    "there there's here here's is are was be being been has have had must should would will can could may "
    "might do i i'd i'm i'll i've me my mine we we're we'd us our your which what one all only just "
    "simply than then now yes ok okay well hmm hmmm hm ah oh so very quite fairly really most more much "
    "best better still even also because since rather instead therefore thus hence consequently "
    "accordingly such like about around out up down answer answers answer's answering ans anser asnwer "
    "anwser option options choice choices letter letters pick picked picking choose choosing chosen chose "
    "select selected selecting selection solution verdict conclusion result response reply decision "
    "decided decide prediction predicted pred output judgement guess guessing vote bet betting money "
    "money's bottom line short summary final finally overall ultimately end ending label key value truth "
    "ground actual real true correct coorect right proper accurate precise plausible likely likeliest "
    "probably possible possibly perhaps maybe definitely certainly clearly obviously undoubtedly surely "
    "sure certain confident confidence convinced clear obvious safe safest sensible suitable fitting "
    "intended closest match matches fit fits describes description aligns consistent corresponds supports "
    "support supported suggests indicates implies points point pointing leads lead leaves leave leaving "
    "remaining remains means meaning conclude concluding say saying think believe suppose reckon go going "
    "gone lean leaning inclined towards toward opt settle settling settled stick sticking stand lock "
    "locking put submit submitting submission mark tick circle bubble write make makes take taking call "
    "arrive get gets got gives giving give land rate infer deduce eliminating elimination process "
    "considering considered consideration careful carefully reviewing reflection weighing looking look "
    "see everything frames frame video evidence data facts footage clip picture pictures images scene "
    "view camera camera's motion path given based judging both last statement scenario category candidate "
    "winner top educated random forced gotta let let's opinion perspective doubt without namely per far "
    "again balance things course quick recap drum roll further ado long story tl dr tldr assistant model "
    "type input return print index text finish action multiple mcq q gun head worth feel good way myself "
    "together boils tips scale mind reads stays keep coming order plain qed teh iz some correction "
    "corrected revised edit update sorry rewatching re-watching closely identified classified described "
    "captured labelled labeled categorized characterised expected seems seem appears looks sounds am easy "
    "signs id user function parameter p strong em li ul span div code center drumroll finalanswer watched "
    "having twice settles show shows space indoor room place area environment setting elements details "
    "features combination collectively strongly confidently directly indicate suggest describe align idea "
    "primary kind evident route acho tror att change following below td tr table bos underline bf rm "
    "textrm boxed rightarrow die der das ist antwort lautet richtig richtige ich wähle würde entscheide "
    "mich für meine lösung tippe auf somit daher la le l'option l'opzione réponse bonne est je choisis "
    "c'est que ma finale correcte il s'agit de donc pense opción respuesta es elijo mi yo elegiría creo "
    "por lo tanto correcta sería risposta è corretta giusta scelgo penso che sia quindi resposta é "
    "escolho portanto correta alternativa opção het antwoord juiste ik kies dus svar svaret det är er "
    "rätt rigtige riktig riktige jag väljer vastaus oikea odpověď správná odpowiedź poprawna prawidłowa "
    "wybieram válasz helyes răspunsul răspuns corect este ответ правильный вариант это я выбираю думаю "
    "верный итоговый следовательно відповідь правильна отговор правилният е točan odgovor απάντηση η "
    "σωστή είναι το cevap yanıt doğru đáp án là câu trả lời đúng tôi chọn jawaban jawabannya yang benar "
    "adalah saya memilih jawapan ang sagot ay jibu sahihi ni ce letra lettre lettera realise realize "
    "realised realized closer inspection "
)
# After a letter, up to the next turn: words that say that it holds.
_AFTER = _words(
    "is are was be the a it it's that's i we my our to of in and as than that this what one for with by "
    "on more most much only also then too here there all both please again me you would must should will "
    "has have does do correct right true answer answers option choice pick solution response final best "
    "better likely plausible probable probably definitely clearly certainly surely indeed obviously seems "
    "looks sounds appears fits fit matches match works makes sense describes captures corresponds aligns "
    "applies holds wins remains stands agrees explains reflects survives prevails beats supported "
    "confirmed consistent closest accurate valid selected chosen winner highest spot left happened shown "
    "video frames frame camera path scene evidence clear obvious reasonable logical suitable appropriate "
    "yes sure hesitation confidence certain certainty far elimination day gets vote nod think guess "
    "believe suppose say overall hands down up sums where what's over rather instead first end td tr "
    "table ans which category description fitting way exactly without any high low ist est richtig "
    "korrekt correcte está correta es la correcta wählen è corretta şıkkıdır درست است possible leads "
    "standing defend course meaning correctly see edges checks out function parameter "
)
_BESIDE_OTHERS = _AFTER | _words("not nor than unlike neither instead over")
_ELSEWHERE = (  # in scripts without spaces, or whose words are written with marks
    "正确的 正确 答案 选项 选择 应选 應選 正解 回答 最终 最終 综上所述 綜上所述 综上 本题 我的 "
    "我认为 我会 应该 应为 因此 所以 根据视频内容 是 为 為 选 選 项 故 答 我 答え 正しい 選択肢 したがって "
    "を選びます だと思います です は が を 정답 최종 답변 올바른 따라서 선택합니다 입니다 "
    "이다 번 답 은 는 이 가 를 을 "
    "الإجابة الجواب الصحيحة الصحيح الخيار هو هي پاسخ صحیح گزینه جواب התשובה הנכונה היא תשובה "
    "คำตอบ ที่ถูกต้อง ถูกต้อง ตอบ คือ ข้อ उत्तर सही विकल्प है উত্তর சரியான விடை"
)
_PHRASES = pattern(
    r"\bif (?:forced|pressed|pushed|i (?:had to|have to|must))\b|\b(?:more likely )?than not\b|^'s\b"
    r"|\bno (?:doubt|question)\b|\bto (?:answer )?(?:this|the|your) question\b"
    r"|\b(?:about|on) it\b|\bleft with\b"
    r"|^\W*(?:q|question) ?\d*(?=\s*$)|\bbegin of (?:solution|answer|box)\b|\byou (?:should|can|may)\b"
    r"|\b(?:do not|don't) hold me\b|\b(?:not|n't) (?:\w+ )?(?:sure|certain|positive)\b|\bcan't be certain\b"
    r"|\b(?:could|may|might) be wrong\b|\b(?:without|beyond) (?:a |any )?(?:question|doubt)\b|\bhere you go\b"
    r"|\bi\.e\.|^\W*no\W*$|\bfirst thought\b|\bby much\b|\b(?:i think|maybe|though|still)\W*$"
    + "".join(
        "|" + unicodedata.normalize("NFKC", word)
        for word in sorted(_ELSEWHERE.split(), key=len, reverse=True)
    ),
    re.IGNORECASE,
)
# What stands before such a word is a reason, or is set aside by it.
_TURN = pattern(
    r"\b(?:so|therefore|thus|hence|consequently|accordingly|but|however|yet|leaves|leaving|means|sondern|sino"
    r"|mais)\b|而是|所以|因此|故|따라서|したがって|ではなく"
    rf"|{DENIED_ONE}(?:[\W_]{{0,4}}(?:false|no|wrong|out|[✗✘❌×])\W*|[^,;:]*[,;:])?"
    rf"|(?<!{CANDIDATE})\s(?:->|=>|→|⇒)|[;。]",
    re.IGNORECASE,
)
_REASON = pattern(
    r"^\W*(?:and\s+)?(?:since|because|as|given|after|based|from|considering|judging|looking|while|although"
    r"|though|even though|between|among|of|compared|torn|ignoring|putting|upon|with|without|if you look"
    r"|according to (?:the|these|all|what|frames?)|the (?:\w+ )?(?:camera|wearer|person|walker|path|route"
    r"|frames?|video|clip|footage|motion|view|scene|evidence)|don't be fooled|close to|not (?:\w+ )?(?:sure"
    r"|certain)|i (?:see|saw|can't see|cannot see|changed my mind)|we (?:see|saw))\b",
    re.IGNORECASE,
)
# "The start lies to the front left of me": what was asked, told in an option's words. No such sentence is
# about answers, or about somebody's.
_TELLS_WHERE = pattern(
    r"^\W*(?:(?:so|therefore|thus|hence),? )?(?!(?:\w+ )*?(?:answers?|options?|choices?|guess|reply|trap"
    r"|mistake|error|distractor|lure|bait|wrong|naive|popular|tempting|other|not|never|no|sign|label|title|caption)\b)"
    r"(?:the|it|my|your|i|we|you|this|that|there)\b[\w '-]{0,60}?\b(?:is|are|am|was|were|lies|stands|sits"
    r"|moves?|moved|turns?|turned|walks?|walked|goes|went|faces?|heads?|headed|ends? up)(?: \w+ly)?"
    r"(?: (?:to|on|at|in|into|towards?|the|my|your|a|an|located))*\W*$",
    re.IGNORECASE,
)
_OF_WHAT = pattern(
    r"^(?: (?:side|hand))?(?: of (?:\w+ ){0,2}\w+)?(?:,? (?:because|since|as|so)\b.*)?[.!]*$", re.I
)
_BREAK = pattern(r"[,:—–(|#]|//|\s--?\s")
_BECAUSE = pattern(
    r"\b(?:because|since|given|due|based|so|while|whereas|weil|porque|perché)\b|因为|なので"
    r"|\bas (?:the|it|its|we|i|this|that|there|my|our|all|both|no|only)\b"
    r"|\bwhen (?:i|we|you) (?:look|see|watch)\b"
    r"|\bbut (?:i|not|it's not)\b",
    re.IGNORECASE,
)
_TELLS = pattern(r"\W*(?:the|it|we|i|this|there|you)\b", re.IGNORECASE)  # "B: the camera pans"
_CONDITION = pattern(r"\b(?:unless|provided|otherwise|if(?! (?:i|you|we)\b))\b", re.IGNORECASE)
_TAKES_AWAY = pattern(
    r"\b(?:if|unless|would|could|might|may|not|no|never|none|nothing|neither|nor|cannot|they|he|she|said|says|"
    r"claims?|wrong|incorrect|false|impossible|doubtful|unlikely|otherwise)\b|n't\b|\?",
    re.IGNORECASE,
)
_REJECTED = pattern(  # "B: contradicted by the second turn"
    r"\W*(?:(?:this|it|that) )?(?:(?:is|was|gets|got|has been) )?(?:\w+ly )?(?:contradict|refut|disprov"
    r"|reject|exclud|eliminat|discard|dismiss|inconsisten|incompatib|conflict|violat|unsupport|mismatch|fail"
    r"|ruled out)",
    re.IGNORECASE,
)
_WORD = pattern(r"[^\W\d_](?:[^\W_]|['’](?=\w)|-(?=\w))*")
_STRANGE = pattern(  # a sign that no answer is written with
    r"[^\w\s.,:;()\[\]{}\"'`*_#>\-–—→⇒=+|/\\$%&!?<•·✓✔✅☑👉👈👍🎯➡➜⟹▶⭐🏆∴…।。，：；、！（）「」『』【】《》«»^@¿¡]|//|/\*|!="
    r"|\[ ?\]"
)
_NEGATING = pattern(r"!\s*$")
_DANGLING = pattern(
    r"\b(?:then|and|or|the|an?|of|to|with|is|was|that|at|in|it|we|i|have|would|when|if)\W*$", re.IGNORECASE
)


def licensed(sentence: str, start: int, end: int) -> bool:
    """Whether what stands from start to end of a marked sentence is said in the speech of answering."""
    others = _others(sentence[start:end])
    if not re.search(BY_LETTER, sentence[start:end]) and others.search(re.sub(BY_NAME, "", sentence)):
        return False  # an option's words beside another option's letter
    if (
        _TELLS_WHERE.search(sentence[:start])
        and _OF_WHAT.match(sentence[end:])
        and not others.search(sentence)
    ):
        return True
    return _leads(sentence[:start], others) and _goes_on(sentence[end:], others)


def plain_signs(text: str) -> bool:
    """Whether a text holds no sign but those that answers are written with; a question mark asks."""
    return not (_STRANGE.search(text) or re.match(r"\W*!", text) or "?" in text)


@lru_cache(maxsize=256)
def _others(group: str) -> re.Pattern[str]:
    """Signs of options that are not claimed; beside a letter, words of any option may stand."""
    kind = BY_LETTER if re.search(BY_LETTER, group) else CANDIDATE
    own = "".join(chr(LETTER + i) + chr(WORDS + i) for sign in group for i in [(ord(sign) - LETTER) % 256])
    return re.compile(rf"(?![{own}]){kind}")


def _leads(text: str, others: re.Pattern[str]) -> bool:
    turns = [found.end() for found in _TURN.finditer(text)]
    *earlier, last = _BREAK.split(text[turns[-1] if turns else 0 :])
    if _NEGATING.search(last) or others.search(last) or not _known(last, _BEFORE):
        return False
    return all(_REASON.match(clause) or _known(clause, _BEFORE) for clause in earlier)


def _goes_on(text: str, others: re.Pattern[str]) -> bool:
    ends = _BREAK.search(text)
    head = text[: ends.start()] if ends else text
    reason, denied = _BECAUSE.search(head), re.search(DENIED_ONE, head)
    first = min((found.start() for found in (reason, denied) if found), default=len(head))
    if others.search(head[:first]) or not _known(head[:first], _BESIDE_OTHERS if denied else _AFTER):
        return False
    if reason or denied or ends is None:
        return True
    tail = _PHRASES.sub(" ", text[ends.end() :])
    if _CONDITION.search(tail) or _REJECTED.match(tail):
        return False
    if _BECAUSE.match(tail.strip()) or re.search(DENIED_ONE, tail) or _fits(tail):
        return True
    words = len(_WORD.findall(tail))
    return (words > 3 or (words > 2 and bool(_TELLS.match(tail)))) and not (
        _TAKES_AWAY.search(tail) or _DANGLING.search(tail)
    )


def _fits(tail: str) -> bool:
    return _known(tail, _AFTER) and not re.search(r"(?<![.\d])\d+(?![.\d]|\s?%)", tail)


def _known(text: str, lexicon: frozenset[str]) -> bool:
    bare = _PHRASES.sub(" ", re.sub(rf"{CANDIDATE}|{DENIED_ONE}", " ", text))
    words = (word.lower().replace("’", "'") for word in _WORD.findall(bare))
    return _STRANGE.search(bare) is None and all(word in lexicon for word in words)
