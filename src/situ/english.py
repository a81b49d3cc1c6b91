"""Numbers and names in English: an article, a plural, "1 recording" and "2 recordings"."""


def with_article(noun_phrase: str) -> str:
    """ "a red cone", "an orange cone"; "keys" stay "keys"."""
    if is_plural(noun_phrase):
        return noun_phrase
    return f"{'an' if noun_phrase[:1] in tuple('aeiou') else 'a'} {noun_phrase}"


_SINGULAR_IN_S = frozenset(["gas", "lens", "canvas", "atlas", "christmas", "pancreas", "iris", "chess"])


def is_plural(noun_phrase: str) -> bool:
    """Whether a name is a plural as it stands: keys, scissors, glasses, running shoes."""
    noun = noun_phrase.rsplit(" ", 1)[-1].lower()
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is")) and noun not in _SINGULAR_IN_S


def plural(noun: str) -> str:
    """English plural of a regular noun, and of the irregular ones that homes are full of."""
    irregular = {
        "shelf": "shelves",
        "knife": "knives",
        "loaf": "loaves",
        "person": "people",
        "child": "children",
    }
    for one, many in irregular.items():
        if noun.endswith(one):  # bookshelf, bread knife
            return noun.removesuffix(one) + many
    if is_plural(noun):
        return noun
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return noun[:-1] + "ies"
    return noun + "s"


def counted(number: int, noun: str) -> str:
    """ "1 recording", "2 recordings"."""
    return f"{number} {noun if number == 1 else plural(noun)}"
