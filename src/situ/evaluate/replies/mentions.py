"""Finding options by name in running text."""

import re
from collections.abc import Sequence

_DENIED = re.compile(
    r"\b(?:not|never|rather than|instead of|isn't|wasn't|aren't|neither|nor|unlike|than)\b"
    r"(?:\s+(?:at|the|to|a|an|on|of|in|be|as|just|only|really|necessarily|typical|strictly)\b)*\s*$"
)


class Mentions:
    """Knows the options of one question.

    An option written with slashes ("Bedroom / Hotel") is also known by each part that no other option has.
    Longer names are looked for first and use up their words: "front left" is no mention of "left".
    """

    def __init__(self, options: Sequence[str]) -> None:
        self._names: dict[str, int] = {}
        self._letters = len(options)
        for index, option in enumerate(options):
            self._names.setdefault(plain(option), index)
        parts: dict[str, set[int]] = {}
        for index, option in enumerate(options):
            for part in option.split("/") if "/" in option else ():
                parts.setdefault(plain(part), set()).add(index)
        for part, owners in parts.items():
            if len(owners) == 1 and part:
                self._names.setdefault(part, next(iter(owners)))
        ordered = sorted((name for name in self._names if name), key=lambda name: -len(name))
        pattern = "|".join(re.escape(name) for name in ordered) or r"(?!)"
        self._pattern = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)")

    def letter(self, letter: str) -> set[int]:
        place = ord(letter.upper()) - ord("A")
        return {place} if place < self._letters else set()

    def exactly(self, text: str) -> set[int]:
        """The option that a text is, apart from articles and punctuation."""
        words = plain(text)
        bare = re.sub(r"^(?:it is |its )?(?:(?:the|a|an) )?", "", words)
        return {self._names[name] for name in (words, bare) if name in self._names}

    def affirmed(self, text: str) -> set[int]:
        """Every option that is named and not denied."""
        words = plain(text)
        return {
            self._names[found.group()]
            for found in self._pattern.finditer(words)
            if not _DENIED.search(words[: found.start()])
        }


def plain(text: str) -> str:
    """Lower case, single spaces, no punctuation but apostrophes and hyphens inside words."""
    words = text.lower().replace("’", "'").replace("_", " ")
    words = re.sub(r"[^\w\s'.-]|(?<!\w)[-'.]+|[-'.]+(?!\w)", " ", words)
    return re.sub(r"\s+", " ", words).strip()
