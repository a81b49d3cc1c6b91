"""Replies with their options marked: one sign for each option that is named, by its letter or by its words.

From here on an option is one sign of a private plane, so no later step can treat one letter unlike another.
What tells the letter A from the article, or the option "right" from "right behind you", is decided only here.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from situ.lazy import pattern

LETTER, WORDS = 0xE000, 0xE100  # private planes: the sign of option i, named so, is plane + i
OPTION, WORDED = "[\ue000-\ue1ff]", "[\ue100-\ue1ff]"
SIGN = r"[^\w\ue000-\ue1ff]"  # neither a word nor an option
ANSWER = r"(?:\b(?:answer|ans|antwort|respuesta|réponse|risposta|resposta|ответ)\b|答案|答え|정답)"
NOUN = (  # what an answer is called
    rf"(?:{ANSWER}|\b(?:option|choice|category|letter|solution|verdict|conclusion|result|guess|pick|estimate"
    r"|selection|prediction|response)\b)"
)
_LATIN = "0-9A-Za-z_\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff"
_LABEL = pattern(rf"(?<![{_LATIN}])(?:\(([A-Z])\)|([A-Z])[.):])[ \t]*", re.IGNORECASE)
_WORD = pattern(r"[^\W_]+")
# English words of direction, order and agreement have other senses inside a clause ("right behind you", "I
# left the room"). They name an option where they end it, or where only a place or a verdict follows.
_SEVERAL_SENSES = frozenset(
    {"left", "right", "back", "front", "before", "after", "no", "yes", "one", "behind"}
)
_OWN_SENSE = pattern(
    r"(?:[- ](?:hand|side|most))*(?:\s*(?:[^\w\s]|$|\n)|(?<!side)\s+(?:of|from|in|as|when|relative|with|is"
    r"|was|seems|because|since|and|or|not)\b)",
    re.IGNORECASE,
)
_TOKEN = pattern(rf"(?<![{_LATIN}.&/\\+-])(?<!\w')([A-Za-z])(?![{_LATIN}&+'/]|[-.]\w)")
_NUMBERED = pattern(r"\b(?:frame|image|picture|figure|step|scene|point|room|table|clip)s?\s*$", re.IGNORECASE)
_CALLED = pattern(rf"(?:{NOUN}\W*(?:is\W*)?|(?:^|\n)\W*)$", re.IGNORECASE)
_NO_NOUN = pattern(  # what can follow the letter A, and never the article
    r"\W*(?:$|\n)|\s*[^\w\s]|\s+(?:and|or|nor|but|because|since|as|so|for|if|than|was|are|would|will|must|should"
    r"|can|more|best|over|rather|here|to|on|in|it|i|not|(?!an)\w*[^sau\s]s|is)\b"
    r"|\s*[^\x00-\u024f]",
    re.IGNORECASE,
)
_NEAR = 60  # characters before and after a letter that tell its sense


def place_of(sign: str) -> int:
    """Which option a sign stands for."""
    return (ord(sign) - LETTER) % (WORDS - LETTER)


class Mentions:
    """Finds the options of one question, by letter and by name.

    An option written with slashes ("Bedroom / Hotel") is also known by each part that no other option has.
    Longer names are looked for first and use up their words: "front left" is no mention of "left".
    """

    def __init__(self, options: Sequence[str], lettered: bool) -> None:
        self._count, self._lettered = len(options), lettered
        self._said = [_WORD.findall(option.lower()) for option in options]
        self._names: dict[str, int] = {}
        for index, option in enumerate(options):
            self._names.setdefault(plain(option), index)
        parts = [
            (plain(part), i)
            for i, option in enumerate(options)
            if "/" in option
            for part in option.split("/")
        ]
        for part, index in parts:
            if sum(part == other for other, _ in parts) == 1:
                self._names.setdefault(part, index)
        self._order = sorted(filter(None, self._names), key=len, reverse=True)
        words = "|".join(f"({_loose(name)})" for name in self._order) or "(?!)"
        self._words = pattern(
            rf"(?<![{_LATIN}])(?<!\d[.,:])(?:{words})(?![{_LATIN}]|[.,:]\d|-(?!hand)\w)", re.IGNORECASE
        )

    def mark(self, text: str) -> str:
        """Words come first: in "Solution A", where that is an option, there is no letter."""
        if "Q:" in text:
            text = text.replace("A:", "-")  # questions and answers told one after the other
        text = "".join(self._with_labels(text)) if self._lettered else text
        text = self._words.sub(self._word, text)
        text = _TOKEN.sub(self._letter, text) if self._lettered else text
        return _TWICE.sub(lambda both: both[1] if place_of(both[1]) == place_of(both[2]) else both[0], text)

    def _with_labels(self, text: str) -> Iterator[str]:
        """The text with each label and the words of its option after it as one mention."""
        done = 0
        for label in _LABEL.finditer(text):
            place = ord((label[1] or label[2]).upper()) - ord("A")
            end = self._end_of_words(text, label.end(), place) if place < self._count else 0
            if end > done <= label.start():
                yield text[done : label.start()] + chr(LETTER + place)
                done = end
        yield text[done:]

    def _end_of_words(self, text: str, start: int, place: int) -> int:
        """Where the words of an option end that follow its label; 0 where other words follow."""
        line = text[start : text.find("\n", start) if "\n" in text[start:] else len(text)]
        found = list(_WORD.finditer(line, 0, 30 * max(map(len, self._said), default=0)))
        words = [word.group().lower() for word in found]
        likeness = [_shared(words, said) for said in self._said]
        if likeness[place] < max(likeness) or likeness[place][0] <= 0.5:
            return 0
        return start + found[min(len(self._said[place]), len(found)) - 1].end()

    def _word(self, found: re.Match[str]) -> str:
        name = self._order[(found.lastindex or 1) - 1]
        before, after = found.string[: found.start()], found.string[found.end() :]
        if name in _SEVERAL_SENSES and not _OWN_SENSE.match(after):
            return found.group()
        if len(name) == 1 and ((self._lettered and name.isalpha()) or before.endswith("/")):
            return found.group()  # a letter alone is that of an option, whatever the options say; or "N/A"
        return chr(WORDS + self._names[name])

    def _letter(self, found: re.Match[str]) -> str:
        letter, text = found[1], found.string
        place = ord(letter.upper()) - ord("A")
        before, after = text[max(0, found.start() - _NEAR) : found.start()], text[found.end() :][:_NEAR]
        wrapped = before[-1:] in tuple("([{<\"'") and after[:1] in tuple(")]}>\"'")
        closes = re.match(r"\W*$|[).:\]]|\W*\n", after) is not None
        if letter == "A":
            named = wrapped or bool((_CALLED.search(before) and closes) or _NO_NOUN.match(after))
        elif letter in "aiI":
            named = wrapped or bool(closes and _CALLED.search(before))
        else:
            named = letter.isupper() or wrapped or closes
        return (
            chr(LETTER + place) if named and place < self._count and not _NUMBERED.search(before) else letter
        )


# An option by its letter and its words. A letter on a line of its own is a statement of its own.
_TWICE = pattern(rf"([\ue000-\ue0ff])(?:(?!\n){SIGN}){{0,4}}({WORDED})")


def _shared(words: Sequence[str], option: Sequence[str]) -> tuple[float, int]:
    """The share of an option's words that a text begins with, and how many words the option has."""
    return (Counter(words[: len(option)]) & Counter(option)).total() / max(len(option), 1), len(option)


@lru_cache(maxsize=256)  # questions of one task share their options
def mentions_of(options: tuple[str, ...], lettered: bool) -> Mentions:
    return Mentions(options, lettered)


def _loose(name: str) -> str:
    """A pattern for a name: any signs between its words, plural or not."""
    words = re.findall(r"[^\W_]+(?:[.'][^\W_]+)*", name)
    plural = "s?" if words and words[-1].isalpha() and len(words[-1]) > 3 else ""
    return r"[\W_]{1,3}".join(map(re.escape, words)) + plural


def plain(text: str) -> str:
    """Lower case, single spaces, no punctuation but apostrophes and hyphens inside words."""
    words = text.lower().replace("’", "'").replace("_", " ")
    words = re.sub(r"[^\w\s'.-]|(?<!\w)[-'.]+|[-'.]+(?!\w)", " ", words)
    return re.sub(r"\s+", " ", words).strip()
