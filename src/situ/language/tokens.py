"""The words of a sentence: contractions written out, without what stands for nothing, mended and spelt.

What stands for nothing (politeness, fillers) is a closed list; no negator, quantifier, `or`, number or time
is among it, so that none of them can be left out.
"""

import re
from collections.abc import Iterator

from situ.language import lexicon as lx
from situ.language.english import COMMON
from situ.language.frames import index
from situ.language.lexicon import Lexicon
from situ.language.spelling import is_word, slips

MOST_TOKENS = 60

_CONTRACTED = (
    ("cannot", "can not"), ("can't", "can n't"), ("won't", "will n't"),
    ("n't", " n't"), ("'ve", " have"), ("i'm", "i am"), ("'re", " are"), ("'ll", " will"), ("'d", " would"),
)  # fmt: skip
_SHORT = {
    "dont": "do n't", "doesnt": "does n't", "didnt": "did n't", "isnt": "is n't", "arent": "are n't",
    "wasnt": "was n't", "werent": "were n't", "hasnt": "has n't", "havent": "have n't", "cant": "can n't",
    "couldnt": "could n't", "aint": "is n't", "whats": "what is", "wheres": "where is", "whos": "who is",
    "hows": "how is", "theres": "there is", "thats": "that is", "ive": "i have", "im": "i am",
    "whens": "when is", "em": "them",
    "r": "are", "u": "you", "rn": "right now", "gonna": "going to",
    "gotta": "have to", "wanna": "want to", "whered": "where did",
}  # fmt: skip
_IS = re.compile(
    r"\b(what|where|who|how|when|which|there|here|it|he|she|that|one|which)'s\b"
    r"|(?<=[a-z])'s(?= (?:not|in|on|at|under|behind|next|near|to|the|my|a|missing)\b)"
)
_DID = re.compile(r"\b(where|what|when|how|who|why)'d\b")
_HAS = re.compile(r"(?<=[a-z])'s(?= (?:been|got|gone|disappeared|vanished|moved)\b)")
_MARKS = re.compile(r"[?!.;:…–—]+(?:\s|$)|\s-+\s|(?<!\d)[:;](?!\d)")
_BRACKETS = re.compile(r"[\"“”()\[\]{}=*_|\\/¿¡]")
_SIGNS = (
    (re.compile(r"(?:>=|≥)\s*(?=\d)"), " at least "),
    (re.compile(r">\s*(?=\d)"), " more than "),
    (re.compile(r"(?:<=|≤)\s*(?=\d)"), " at most "),
    (re.compile(r"<\s*(?=\d)"), " less than "),
)
_EXAMPLES = re.compile(r" , (?:like|such as|for example|for instance|e\.?g\.?) [^,]+(?: , [^,]+)*$")
_HALF = re.compile(
    r"\b(an?|one|two|three|four|five|\d+) (metres?|meters?|feet|foot|hours?|minutes?) and a half\b"
)
_ONES = {"a": "1", "an": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}
_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z])")


def plain(sentence: str) -> str:
    """Lower case, contractions written out, marks of punctuation as commas."""
    text = f"{sentence.lower().strip()} "
    text = re.sub(r"(?<![\w])'|'(?![\w])", " ", text.replace("’", "'").replace("‘", "'"))
    text = _DID.sub(r"\1 did", text)
    text = _HAS.sub(" has", text)
    text = _IS.sub(lambda found: f"{found[1]} is" if found[1] else " is", text)
    for sign, words in _SIGNS:
        text = sign.sub(words, text)
    text = _MARKS.sub(" , ", _BRACKETS.sub(" ", text))
    for short, full in _CONTRACTED:
        text = text.replace(short, full)
    text = _HALF.sub(lambda found: f"{_ONES.get(found[1], found[1])}.5 {found[2]}", text)
    text = _HYPHEN.sub(" ", text.replace("left-most", "leftmost"))
    text = re.sub(r"(?<=[a-z])'s\b", " 's", text)
    text = _EXAMPLES.sub("", re.sub(r"\s*,[\s,]*", " , ", text).rstrip(" ,"))
    return " ".join(_SHORT.get(word, word) for word in text.split()).strip(" ,")


def _phrases(lines: str) -> list[list[str]]:
    return sorted((line.split() for line in lines.split("|")), key=len, reverse=True)


def _by(end: int, lines: str) -> dict[str, list[list[str]]]:
    """Phrases by their first or last word, the longest first."""
    found: dict[str, list[list[str]]] = {}
    for phrase in _phrases(lines):
        found.setdefault(phrase[end], []).append(phrase)
    return found


_FILLERS = _by(
    0,
    "pls|plz|thx"
    "|um|uh|er|erm|hmm|uhm|ah|oh|well|please|actually|basically|really|exactly|currently|right now|at the"
    " moment"
    "|you know|kind of|sort of|like|just|simply|by any chance|for me|now|at present|presently"
    "|perhaps|maybe"
    "|thingy|still|already|i guess|i think|as far as you know|at all|different|in total|altogether"
    "|in all|all in all|quite|very"
    "|all together|damn|bloody|ever|thing is|on earth|the hell|the heck",
)
_OPENERS = _by(
    0,
    "hey|hi|hello|okay|ok|so|and|but|also|excuse me|sorry|robot|can you tell me|could you tell me|tell"
    " me|please tell me"
    "|can you say|say me|could you say me|do you know|do you remember|would you know|any idea|have you"
    " any idea"
    "|do you have any idea|remind me|i wonder|i was wondering|i want to know|i would like to know|i need"
    " to know|mummy"
    "|mommy|daddy|could you be so kind to tell me|could you be so kind to say me|could you please tell"
    " me|can you"
    "|could you|would you|let me know|quick question|one question|question|listen|look|right|yes|no|dear"
    "|assistant"
    "|do you happen to know|happen to know|i am not sure|i am asking myself|if|whether|i forgot|i forget"
    "|i have forgotten|can you remember|can you check|check|could you check|can you see|i am trying to"
    " remember"
    "|would you be so kind as to|could you be so kind as to|be so kind as to|kindly"
    "|if so|if not|if yes|if it is|and if so|help me|i need help|say|is it true that|would you tell me"
    "|computer|situ|glasses|hey glasses|will you tell me",
)
_CLOSERS = _by(
    -1,
    "or not|or what|or no|do you know|do you remember|please|thanks|thank you|by any chance|if any|mate"
    "|dear|okay|ok"
    "|right|then|can you tell me|could you tell me|do you have any clue|any idea|any clue|tell me|for me"
    "|yes or no|either|true|correct|is that right|is that so|for a moment|for a bit"
    "|do you think|would you say|if i may ask|sir|madam|exactly|anywhere|somewhere|again|question mark"
    "|of them all",
)
_ASIDE = lx.words("right exactly anywhere somewhere then")  # words that mean something else without a comma
_MENDS = _phrases(
    "i mean|i meant|no wait|wait no|sorry i mean|or rather|no sorry|sorry|correction|no i mean|, no"
)


def tokens_of(text: str) -> list[str]:
    """The words without what stands for nothing, and without what was said twice."""
    tokens = text.split()
    if len(tokens) > 2 * MOST_TOKENS:
        return []
    tokens = [word for k, word in enumerate(tokens) if k == 0 or word != tokens[k - 1]]
    tokens = trimmed(tokens)
    kept: list[str] = []
    k = 0
    while k < len(tokens):
        filler = next((one for one in _FILLERS.get(tokens[k], ()) if tokens[k : k + len(one)] == one), None)
        if filler is not None and len(filler) < len(tokens) and not _needed(tokens, k, filler):
            k += len(filler)
            continue
        kept.append(tokens[k])
        k += 1
    kept = [word for k, word in enumerate(kept) if k == 0 or word != kept[k - 1]]
    return trimmed(kept)


def _needed(tokens: list[str], k: int, filler: list[str]) -> bool:
    """Whether what looks like a filler says something here: "still there", "look like", "exactly two", "a
    different cup" (but "how many different cups")."""
    before, after = tokens[k - 1] if k else "", tokens[k + 1] if k + 1 < len(tokens) else ""
    counted = after in lx.NUMBERS or after.isdigit()
    return (
        (filler == ["still"] and after in ("there", "in", "where"))
        or (filler == ["like"] and before in ("look", "looks"))
        or (filler in (["exactly"], ["just"], ["simply"]) and counted)
        or (filler == ["different"] and before != "many")
        or (filler == ["ever"] and tokens[0] in ("was", "were"))
    )


def trimmed(tokens: list[str]) -> list[str]:
    """Without politeness before and behind. "No" is an answer only before a comma."""
    while True:
        shorter = tokens
        for opener in _OPENERS.get(tokens[0] if tokens else "", ()):
            if tokens[: len(opener)] == opener and len(tokens) > len(opener) + 1:
                if opener == ["no"] and tokens[1] != ",":
                    continue
                shorter = tokens[len(opener) :]
                break
        else:
            for closer in _CLOSERS.get(tokens[-1] if tokens else "", ()):
                aside = closer[0] not in _ASIDE or tokens[-len(closer) - 1 : -len(closer)] == [","]
                if closer == ["again"]:  # "where is it again", not "did I move it again"
                    aside = tokens[0] in lx.ASKING and not lx.BE.isdisjoint(tokens[1:3])
                if tokens[-len(closer) :] == closer and len(tokens) > len(closer) + 1 and aside:
                    shorter = tokens[: -len(closer)]
                    break
        shorter = without_commas(shorter)
        if shorter == tokens:
            return tokens
        tokens = shorter


def without_commas(tokens: list[str]) -> list[str]:
    start, end = 0, len(tokens)
    while start < end and tokens[start] == ",":
        start += 1
    while start < end and tokens[end - 1] == ",":
        end -= 1
    return tokens[start:end]


def without_repairs(tokens: list[str]) -> Iterator[list[list[str]]]:
    """The sentence as it was mended, in all ways ("how many plates I mean cups"); else as it stands."""
    for mend in _MENDS:
        for k in range(1, len(tokens) - len(mend)):
            if tokens[k : k + len(mend)] == mend:
                head, after = tokens[:k], tokens[k + len(mend) :]
                longest = min(5, len(head))
                yield [without_commas([*head[: len(head) - n], *after]) for n in range(1, longest + 1)]
        if tokens[-len(mend) :] == mend and len(tokens) > len(mend) + 2:  # "... bulls ... , bowls I mean"
            rest = without_commas(tokens[: -len(mend)])
            said, head = rest[-1], without_commas(rest[:-1])
            yield [[*head[:k], said, *head[k + 1 :]] for k, word in enumerate(head) if word not in lx.CLOSED]
    if (moved := _exception_behind(tokens)) is not None:
        yield [moved]
    if tokens and tokens[0] == "not" and "," in tokens[1:-1]:  # "not the phone, the tablet: where is it"
        yield [without_commas(tokens[tokens.index(",") + 1 :])]
    if (tag := _tag(tokens)) < len(tokens):
        yield [tokens[:tag]]
    yield [tokens]
    if tokens[:1] in (["i"], ["we"]) and len(tokens) > 2 and tokens[1] in lx.MAY | lx.HAVE | lx.BE:
        yield [[tokens[1], tokens[0], *tokens[2:]]]  # "(tell me if) I can pass between them"
    if "," in tokens:
        yield [[word for word in tokens if word != ","]]


def _exception_behind(tokens: list[str]) -> list[str] | None:
    """ "Apart from the wardrobe, what is in the bedroom": the exception behind what it is made from; "if I
    leave the bedroom out, where are towels": except there."""
    if "," not in tokens[1:-1]:
        return None
    comma = tokens.index(",")
    front, rest = tokens[:comma], tokens[comma + 1 :]
    if front[:1] == ["if"] and {"leave", "left"} & set(front) and front[-1] == "out":
        at = next(k for k, word in enumerate(front) if word in ("leave", "left"))
        return [*rest, "except", *front[at + 1 : -1]]
    for said in lx.EXCEPTING:
        parts = said.split()
        if front[: len(parts)] == parts and len(front) > len(parts):
            return [*rest, *front]
    return None


def exception_behind(tokens: list[str]) -> list[str]:
    """A sentence with its exception behind what it is made from."""
    return _exception_behind(tokens) or tokens


def _tag(tokens: list[str]) -> int:
    """Where the tag behind a statement begins: "..., is n't it", "..., would it"; the end where there is
    none."""
    at = len(tokens) - 1 - tokens[::-1].index(",") if "," in tokens else len(tokens)
    tag = [word for word in tokens[at + 1 :] if word not in lx.NOT]
    asks = len(tag) == 2 and tag[0] in lx.BE | lx.HAVE | lx.DO | lx.MAY
    return (
        at
        if asks and tag[1] in ("it", "they", "there", "he", "she", "that", "i", "you", "we")
        else len(tokens)
    )


def spelt(tokens: list[str], words: Lexicon) -> list[str] | None:
    """The sentence with words that ask put right; None if there is nothing to put right. No word of a closed
    class, no name and no word of English is touched, and none becomes one that turns the meaning round."""
    known = index().words
    found = list(tokens)
    for k, word in enumerate(tokens):
        if (
            len(word) < 3 or not word.isalpha() or word in known or word in lx.CLOSED or word in COMMON
            or (word,) in lx.VERBS or is_word(word) or words.name(word) or word in words.vocabulary.words
        ):  # fmt: skip
            continue
        near = [other for other in slips(word, known.keys() | lx.CLOSED) if other not in lx.MEANINGFUL]
        if near:
            found[k] = min(  # letters are swapped or left out more often than put in
                near,
                key=lambda other: (
                    sorted(other) != sorted(word),
                    len(other) < len(word),
                    -known[other],
                    other,
                ),
            )
    return found if found != tokens else None
