"""Replies with their candidates marked: every letter that names an option, and every option named in words.

From here on a letter is one sign of a class, so no later rule can treat one letter unlike another. What tells
the letter A from the article, or the option "right" from "B is right", is decided here and nowhere else.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from situ.lazy import pattern

LETTER, WORDS, DENIED = 0xE000, 0xE100, 0xE200  # private-use planes: the sign of option i is plane + i
NEAR = 60  # characters before and after a word that decide its sense
_OUT = 0xFE  # a letter that no option has
BY_LETTER, BY_NAME, CANDIDATE = "[\ue000-\ue0fe]", "[\ue100-\ue1fe]", "[\ue000-\ue1fe]"
DENIED_ONE = "[\ue200-\ue3fe]"  # a candidate that is denied


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Words that follow a letter or end a name, and never an article or a half-said name.
CLOSED = _set(
    "is was are were be been being isn't wasn't would wouldn't will won't could couldn't can can't cannot "
    "may might must should shall does doesn't did didn't do don't has hasn't had and or nor but because "
    "since as so thus hence therefore for given due if when while whereas although though unless until in "
    "on at by from to of off with without within into onto over under about around via per than like "
    "unlike near after before between during through across along against toward towards relative "
    "compared based according not it it's its i i'm i'd i'll i've we we're you you're they he she that "
    "that's this these those which who what where how why there here the my your our their his her all "
    "both either neither each any some every then too also again indeed please sorry thanks means seems "
    "looks appears sounds fits matches works makes describes wins instead ok okay yes no "
    "oder ou o und et y vs versus sondern"
)
_ADVERB = pattern(
    r"^(?:\w+ly|best|most|just|only|still|even|also|always|really|quite|very|rather|perhaps|maybe)$"
)
_WHOLE_PHRASE = _set(
    "side sides hand area space room setting environment category option answer direction corner one end "
    "way position location type scene place"
)
_NOUN_IN_S = pattern(r"(?:ss|us|as|is|ens|ies|rs)$")
_CUE = pattern(
    r"(?:\b(?:option|choice|letter|answer|alternative|is|be|it's|that's|say|with|pick|choose|select"
    r"|chose|so|thus|hence|therefore"
    r"|definitely|probably|likely|think|guess|for|on|or|and|not|either|between)|[:=→>\-—–,(\"'*]|^)\W*$",
    re.IGNORECASE,
)
_LATIN = (
    "0-9A-Za-z_\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff"  # a letter may stand between signs of other scripts
)
_TOKEN = pattern(rf"(?<![{_LATIN}.&/\\+-])(?<!\w')([A-Za-z])(?![{_LATIN}&+]|'(?!s [a-z])\w|[-/.](?:\w))")
_OPENERS, _CLOSERS = "([{<\"'`*_", ")]}>\"'`*_"


class Names:
    """The options of one question, by letter and by name.

    An option written with slashes ("Bedroom / Hotel") is also known by each part that no other option has.
    Longer names are looked for first and use up their words: "front left" is no mention of "left".
    """

    def __init__(self, options: Sequence[str], lettered: bool = True) -> None:
        self.options = tuple(options)
        self.count = len(options)
        self.lettered = lettered
        self._names: dict[str, int] = {}
        for index, option in enumerate(options):
            self._names.setdefault(plain(option), index)
        owners: dict[str, set[int]] = {}
        for index, option in enumerate(options):
            for part in option.split("/") if "/" in option else ():
                owners.setdefault(plain(part), set()).add(index)
        for part, who in owners.items():
            if len(who) == 1 and part:
                self._names.setdefault(part, next(iter(who)))
        ordered = sorted((name for name in self._names if name), key=lambda name: -len(name))
        names = "|".join(f"({_loose(name)})" for name in ordered) or "(?!)"
        self._pattern = pattern(
            rf"(?<![{_LATIN}])(?<!\d[.,:])(?:{names})(?![{_LATIN}]|[.,:]\d)",
            re.IGNORECASE,
        )
        self._order = [self._names[name] for name in ordered]
        self.has_no = self.exactly("no") is not None

    def exactly(self, text: str) -> int | None:
        """The option that a text is, apart from articles, punctuation and a word or two of courtesy."""
        words = plain(text)
        for name in (
            words,
            re.sub(r"^(?:(?:it is|its|it's|to|on|in|at|towards?) )*(?:(?:the|a|an|your|my) )?", "", words),
        ):
            if name in self._names:
                return self._names[name]
        return None

    def letter(self, letter: str) -> str:
        place = ord(letter.upper()) - ord("A")
        return chr(LETTER + (place if place < self.count else _OUT))

    def mark_words(self, text: str) -> str:
        return self._pattern.sub(self._word, text)

    def _word(self, found: re.Match[str]) -> str:
        text, end = found.string, found.end()
        index = self._order[(found.lastindex or 1) - 1]
        start = found.start()
        if _other_sense(plain(found.group()), text[max(0, start - NEAR) : start], text[end : end + NEAR]):
            return found.group()
        follower = re.match(r"[ \t]+([A-Za-z][\w'-]*)", text[end : end + NEAR])
        if follower and not _may_follow(follower.group(1).lower()):
            return found.group()  # "right turn", "kitchen counter": a part of a longer phrase
        return chr(WORDS + index)


@lru_cache(maxsize=256)  # questions of one task share their options
def names_of(options: tuple[str, ...], lettered: bool) -> Names:
    return Names(options, lettered)


# "A? No. B? Yes.", "A: no", "B → yes", "A... no, B": a verdict in one word.
_ASKED_AND_ANSWERED = pattern(
    rf"(?:\b(?:is it|could it be)\s+(?:option\s+)?)?({BY_LETTER})[)\]\"'*]*\s*\?+\s*"
    r"(yes|yep|yeah|no|nope)\b(?=\s*(?:[.,;!]|\n|$))",
    re.IGNORECASE,
)
_NAME_ASKED = pattern(rf"({BY_NAME})\s*\?+\s*(yes|yep|yeah|no|nope)\b(?=\s*(?:[.,;!]|\n|$))", re.IGNORECASE)
_NONE_OF = pattern(rf"\bno(?=\s+{BY_LETTER})|^\W*no(?=:?\s+{CANDIDATE})", re.IGNORECASE)  # "no B", "No: B"
_VERDICT_GIVEN = pattern(
    rf"({BY_LETTER})[)\]\"'*]*\s*(?::|→|->|=>|=)\s*(yes|yep|yeah|no|nope)\b(?=\s*(?:[.,;!]|\n|$))",
    re.IGNORECASE,
)
_TAKEN_BACK_AT_ONCE = pattern(
    rf"({BY_LETTER})\s*(?:\.{{2,}}|…|,|--?|[–—])?\s*(?:\b(?:but|oh|hmm+|well|wait)\b,?\s*)*\b(?:no|nope)\b"
    r"(?=\s*(?:[.,;!–—]|--?|\n|$))[,.;!\s–—-]*",
    re.IGNORECASE,
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_ORDINAL = pattern(
    rf"\bthe ({'|'.join(_ORDINALS)}) (?:option|choice|alternative)\b"
    r"(?=\s*(?:[.,;:!)]|$|(?:is|was|seems|looks|fits|matches|describes|would|must|works|because|since)\b))",
    re.IGNORECASE,
)
_NUMBERED = pattern(
    r"\b(?:frames?|images?|pictures?|steps?|figures?|clips?|segments?|times?) #?$", re.IGNORECASE
)


def mark(text: str, names: Names) -> str:
    """The text with private signs for letters and names."""
    if names.lettered:
        text = _ORDINAL.sub(lambda m: names.letter(chr(65 + _ORDINALS.index(m[1].lower()))), text)
        text = _neutral_verdicts(text)
        text = _mark_letters(text, names)
        text = _ASKED_AND_ANSWERED.sub(_verdict, text)
        if not names.has_no:  # else "A: no" tells what A is
            text = _VERDICT_GIVEN.sub(_verdict, text)
            text = _TAKEN_BACK_AT_ONCE.sub(r"\1 is incorrect. ", text)
    text = names.mark_words(text)
    if not names.has_no:
        text = _NAME_ASKED.sub(_verdict, text)
        text = _NONE_OF.sub("not", text)
    return text


def _verdict(found: re.Match[str]) -> str:
    return f"{found[1]} is {'correct' if found[2].lower().startswith('y') else 'incorrect'}"


def _mark_letters(text: str, names: Names) -> str:
    text = re.sub(r"\b(answer|option|choice)_(?=[A-Za-z](?!\w))", r"\1 ", text, flags=re.IGNORECASE)
    words = re.findall(r"[A-Za-z]{2,}", text)
    shouting = bool(words) and all(word.isupper() for word in words)
    if re.search(r"\bQ\d*:", text):
        text = re.sub(r"(?<!\w)A\d*:", "-", text)  # questions and answers told one after the other
    parts, last = [], 0
    for found in _TOKEN.finditer(text):
        known = found.group(1).isupper() or ord(found.group(1)) - ord("a") < names.count
        if known and _is_letter(text, found.start(1), found.end(1), shouting):
            start, end = found.start(1), found.end(1)
            while start > last and end < len(text) and _wraps(text[start - 1], text[end]):
                start, end = start - 1, end + 1
            parts += [text[last:start], names.letter(found.group(1))]
            last = end
    return "".join([*parts, text[last:]])


def _wraps(before: str, after: str) -> bool:
    place = _OPENERS.find(before)
    return place >= 0 and (_CLOSERS[place] == after)


def _is_letter(text: str, start: int, end: int, shouting: bool) -> bool:
    """Whether a single letter is an option's and not a word of its own."""
    letter, before, after = text[start], text[max(0, start - NEAR) : start], text[end : end + NEAR]
    if before and after and _wraps(before[-1], after[0]) and before[-1] not in "*_":
        return True
    closes = re.match(r"[*_]*[)\]]", after) is not None
    begins = re.search(r"(?:^|[.!?:;\n\"(\[>#]|[-*•–—])[ \t*_\"'(\[]*$", before) is not None
    word = re.match(r"[*_]*[ \t]+[*_(\"']*([A-Za-z][\w'-]*)", after)
    part_of_phrase = bool(word) and not _follows_letter(after)
    if letter.isupper() and not shouting:
        if letter == "I":
            return (
                closes
                or (not word and (begins or _CUE.search(before) is not None))
                or (_named(before) and not part_of_phrase)
            )
        if letter == "A" and begins and not closes:
            return not part_of_phrase
        return True
    if part_of_phrase and not closes:
        return False
    if not begins and re.match(r"[*_]*:", after):
        return False  # "it is likely a:" goes on in the next line
    if letter in "iI" and word and not _named(before):
        return False
    return closes or begins or _CUE.search(before) is not None


def _named(before: str) -> bool:
    return re.search(r"\b(?:option|choice|letter)\W*$", before, re.IGNORECASE) is not None


def _follows_letter(after: str) -> bool:
    """Whether what comes next can follow a letter; after an article come adjectives and a noun."""
    words = re.findall(r"[A-Za-z][\w'-]*|[^\w\s]", after)
    while words and (_ADVERB.match(words[0].lower()) or words[0] in "*_)\"'"):
        words = words[1:]
    if not words or not words[0][0].isalpha() or (len(words[0]) == 1 and words[0].isupper()):
        return True
    word = words[0].lower()
    return word in CLOSED or (word.endswith("s") and "'" not in word and not _NOUN_IN_S.search(word))


def _may_follow(word: str) -> bool:
    return word in CLOSED or word in _WHOLE_PHRASE or _ADVERB.match(word) is not None or word.endswith("ing")


# Option names that are common words with another sense. Where the words around them show that sense, they are
# no mention: "right behind you", "I left the room", "the way back", "no doubt". Patterns before and after.
_SENSES = {
    "right": (
        (r"\b(?:you|that|this|all|they|he|she|we)(?:'s|'re| is| are| was| were)?(?: \w+ly)? $", ""),
        ("", r"^ (?:behind|in|at|after|before|next|on|here|there|now|away|above|below|under|beside|by"
             r"|where|when|into|answer|option|choice|one|letter|from the|over|outside|inside|around"
             r"|between|to ask|about)\b"),
        (r"\b(?:which|what|whatever)\b[\w ]{0,25} is $", ""),
        ("", r"^ ?\?"), (r"^\W*$", r"^,? (?:so|let|first|now|okay|ok|then)\b"),
    ),
    "left": (
        (r"\b(?:I|we|you|they|he|she|has|have|had|person|camera|wearer)(?:'ve|'d)?"
         r" (?:just |then |already )?$",
         r"^ (?:the|my|our|it|from|for|a|that|this)\b"),
    ),
    "back": (
        (r"\b(?:go|get|going|gone|went|take|takes|taken|took|come|came|coming|look\w*|turn\w*|walk\w*"
            r"|head\w*|mov\w*|way|step\w*"
         r"|return\w*|lead\w*|path) $", ""), ("", r"^ (?:to|at|and forth|in time|then|from)\b"),
    ),
    "before": (("", r"^ (?:\w+ing|that|this|then|all|which)\b"),),
    "after": (("", r"^ (?:\w+ing|that|this|then|all|which)\b"),),
    "no": (
        ("", r"^ (?!(?:it|there|they|you|we|i|he|she|because|since|as|the|this|that|so|but|not|or|and|nor"
             r"|if|is|was|would|rather|instead)\b)\w"),
    ),
    "yes": (),
    "one": (("", r"^ (?:of|can|could|would|might|must|sees?)\b"),),
}  # fmt: skip


def _other_sense(word: str, before: str, after: str) -> bool:
    if word.isdigit() and _NUMBERED.search(before):
        return True  # "frame 3"
    return any(
        (not ahead or re.search(ahead, before[-40:], re.IGNORECASE))
        and (not behind or re.search(behind, after[:40], re.IGNORECASE))
        for ahead, behind in _SENSES.get(word, ())
    )


_VERDICT = pattern(
    r"(?<![\w'])(\(?[A-HJ-Z](?![\w'])\)?[*_\"')]*(?:[.:)]? ?\"?[\w ]{1,30}\"?)?? (?:is|was|are|seems"
    r"|looks|sounds|must be|would be|should be|has to be|appears)"
    r"(?: to be)?(?: \w+ly| most| the| also| not| in fact)* )(right|correct|true|wrong|false)\b"
)


def _neutral_verdicts(text: str) -> str:
    """In "C is right" the last word judges the letter; it must not be taken for an option of that name."""
    return _VERDICT.sub(
        lambda m: (
            m.group(1)
            + {"right": "correct", "true": "correct", "false": "incorrect"}.get(m.group(2), m.group(2))
        ),
        text,
    )


def _loose(name: str) -> str:
    """A pattern for a name: any signs between its words, plural or not."""
    words = re.findall(r"[^\W_]+(?:[.'][^\W_]+)*", name)
    return r"[\W_]{1,3}".join(re.escape(word) for word in words) + (
        "s?" if words and words[-1].isalpha() and len(words[-1]) > 3 else ""
    )


def plain(text: str) -> str:
    """Lower case, single spaces, no punctuation but apostrophes and hyphens inside words."""
    words = text.lower().replace("’", "'").replace("_", " ")
    words = re.sub(r"[^\w\s'.-]|(?<!\w)[-'.]+|[-'.]+(?!\w)", " ", words)
    return re.sub(r"\s+", " ", words).strip()
