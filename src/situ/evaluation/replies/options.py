"""Replies with their options marked: every letter that names an option, and every option named in words.

From here on an option is one sign of a class, so no later step can treat one letter unlike another. What
tells the letter A from the article, or the option "right" from "right behind you", is decided here and
nowhere else.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from situ.evaluation.replies.logic import NOUN
from situ.lazy import pattern

LETTER, WORDS = 0xE000, 0xE100  # private-use planes: the sign of option i is plane + i
_LATIN = "0-9A-Za-z_\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff"
_NEAR = 60  # characters before and after a letter that tell its sense
# English words of direction, order and agreement have other senses within a clause: "right behind you", "I
# left the
# room". They name an option where they end it, or where only a place or a verdict follows.
_SEVERAL_SENSES = frozenset(
    {"left", "right", "back", "front", "before", "after", "no", "yes", "one", "behind"}
)
_GLOSS = pattern(
    r"(?:[- ](?:hand|side|most))*(?:\s*(?:[^\w\s]|$|\n)|\s+(?:of|from|in|as|when|relative|to|with|is|was"
    r"|seems|because|since"
    r"|and|or|not)\b)",
    re.IGNORECASE,
)

_WORD = pattern(r"[^\W_]+")
_LONGEST_WORD = 30  # characters, the signs after it included
_LABEL = pattern(rf"(?<![{_LATIN}])(?:\(([A-Z])\)|([A-Z])[.):])[ \t]*", re.IGNORECASE)


def place_of(sign: str) -> int:
    """Which option a sign stands for."""
    return (ord(sign) - LETTER) % (WORDS - LETTER)


class Names:
    """The options of one question, by letter and by name.

    An option written with slashes ("Bedroom / Hotel") is also known by each part that no other option has.
    Longer names are looked for first and use up their words: "front left" is no mention of "left".
    """

    def __init__(self, options: Sequence[str], lettered: bool) -> None:
        self.count, self.lettered = len(options), lettered
        self._names: dict[str, int] = {}
        for index, option in enumerate(options):
            self._names.setdefault(plain(option), index)
        parts = [
            (plain(part), index) for index, one in enumerate(options) if "/" in one for part in one.split("/")
        ]
        for part, index in parts:
            if part and sum(part == other for other, _ in parts) == 1:
                self._names.setdefault(part, index)
        self._said = [_WORD.findall(option.lower()) for option in options]
        self._order = sorted((name for name in self._names if name), key=len, reverse=True)
        words = "|".join(f"({_loose(name)})" for name in self._order) or "(?!)"
        self._words = pattern(
            rf"(?<![{_LATIN}])(?<!\d[.,:])(?:{words})(?![{_LATIN}]|[.,:]\d|-(?!hand)\w)", re.IGNORECASE
        )

    def mark(self, text: str) -> str:
        """Words come first: in "Solution A", where that is an option, there is no letter."""
        text = "".join(self._with_labels(text)) if self.lettered else text
        text = self._words.sub(self._word, text)
        return _mark_letters(text, self.count) if self.lettered else text

    def _with_labels(self, text: str) -> Iterator[str]:
        """The text with each label and the words of its option after it as one mention."""
        done = 0
        for label in _LABEL.finditer(text):
            place = ord((label[1] or label[2]).upper()) - ord("A")
            end = self._end_of_gloss(text, label.end(), place) if place < self.count else 0
            if end > done <= label.start():
                yield text[done : label.start()] + chr(LETTER + place) + chr(WORDS + place)
                done = end
        yield text[done:]

    def _end_of_gloss(self, text: str, start: int, place: int) -> int:
        """Where the words of an option end that follow its label; 0 where other words follow."""
        line = text[start : start + max(map(len, self._said), default=0) * _LONGEST_WORD].split("\n", 1)[0]
        found = list(_WORD.finditer(line))
        words = [word.group().lower() for word in found]
        likeness = [_shared(words, said) for said in self._said]
        if likeness[place] < max(likeness) or likeness[place][0] <= 0.5:
            return 0
        return start + found[min(len(self._said[place]), len(found)) - 1].end()

    def _word(self, found: re.Match[str]) -> str:
        name = self._order[(found.lastindex or 1) - 1]
        if name in _SEVERAL_SENSES and not _GLOSS.match(found.string[found.end() :]):
            return found.group()
        if len(name) == 1 and self.lettered and name.isalpha():
            return found.group()  # a letter alone is that of an option, whatever the options say
        if len(name) == 1 and found.string[: found.start()].endswith("/"):  # "N/A"
            return found.group()
        return chr(WORDS + self._names[name])


def _shared(words: Sequence[str], option: Sequence[str]) -> tuple[float, int]:
    """The share of an option's words that a text begins with, and how many words the option has."""
    begun = Counter(words[: len(option)])
    return (begun & Counter(option)).total() / max(len(option), 1), len(option)


@lru_cache(maxsize=256)  # questions of one task share their options
def names_of(options: tuple[str, ...], lettered: bool) -> Names:
    return Names(options, lettered)


_TOKEN = pattern(rf"(?<![{_LATIN}.&/\\+-])(?<!\w')([A-Za-z])(?![{_LATIN}&+'/]|[-.]\w)")
_ANSWERS = pattern(rf"(?:{NOUN}\W*(?:is\W*|it's\W*)?|(?:^|\n)\W*)$", re.IGNORECASE)
_CALLED = pattern(rf"{NOUN}\W*$", re.IGNORECASE)
_NUMBERED = pattern(r"\b(?:frame|image|picture|figure|step|scene|point|room|table|clip)s?\s*$", re.IGNORECASE)
# What can follow the letter A, and never the article.
_NO_NOUN = pattern(
    r"(?!\s*[\ue100-\ue1ff])(?:\W*(?:$|\n)|\s*[^\w\s]|\s+(?:is|was|has|would|will|must|should|can|and|or|nor|but|because|since|as|so"
    r"|for|if|than|best|over"
    r"|instead|rather|then|here|it|i|in|on|to|not|does|doesn't|isn't|are|seems?|looks|\w+[^sau\s]s|\w+ly"
    r"|please|o|ou|oder|und|y|et)\b|\s*[^\x00-\u024f])",
    re.IGNORECASE,
)


def _mark_letters(text: str, count: int) -> str:
    def marked(found: re.Match[str]) -> str:
        letter = found[1]
        before, after = text[max(0, found.start() - _NEAR) : found.start()], text[found.end() :][:_NEAR]
        place = ord(letter.upper()) - ord("A")
        wrapped = before[-1:] in "([{<\"'" and after[:1] in ")]}>\"'" if before and after else False
        closes = bool(re.match(r"\W*$|[).:\]]|\W*\n", after))
        if _NUMBERED.search(before):
            return letter
        if letter == "I" or letter in "ai":
            good = wrapped or (closes and bool(_ANSWERS.search(before)))
        elif letter.islower():
            good = wrapped or closes
        elif letter == "A":
            good = wrapped or bool(_CALLED.search(before) or _NO_NOUN.match(after))
        else:
            good = True
        return chr(LETTER + place) if good and place < count else letter

    return _TOKEN.sub(marked, text)


def _loose(name: str) -> str:
    """A pattern for a name: any signs between its words, plural or not."""
    words = re.findall(r"[^\W_]+(?:[.'][^\W_]+)*", name)
    return r"[\W_]{1,3}".join(map(re.escape, words)) + (
        "s?" if words and words[-1].isalpha() and len(words[-1]) > 3 else ""
    )


def plain(text: str) -> str:
    """Lower case, single spaces, no punctuation but apostrophes and hyphens inside words."""
    words = text.lower().replace("’", "'").replace("_", " ")
    words = re.sub(r"[^\w\s'.-]|(?<!\w)[-'.]+|[-'.]+(?!\w)", " ", words)
    return re.sub(r"\s+", " ", words).strip()
