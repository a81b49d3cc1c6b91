"""Closed classes of English, verbs of what happens to things, and what names mean in a memory.

Words of a closed class are never put right: what is one letter from `on` may be an `or`.
"""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from situ.language.english import COMMON
from situ.language.spelling import is_word, slips
from situ.language.vocabulary import Vocabulary
from situ.language.words import (
    ATTRIBUTE_OF,
    PLACE_NAMES,
    SAME_VALUE,
    of_general,
    same_place,
    same_thing,
    singular,
)


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES = words("the my our your his her its their this that these those mine")
QUANTIFIERS = {
    "all": "all", "every": "all", "each": "all", "both": "all", "everyone": "all",
    "a": "some", "an": "some", "any": "some", "some": "some", "either": "some", "one": "some",
    "no": "none", "none": "none",
}  # fmt: skip
BE = words("is are was were am be being been")
HAVE = words("has have had having")
DO = words("do does did")
MAY = words("can could may might will would should shall must")
NOT = words("not n't never")
PREPOSITIONS = words(
    "on in under above near behind left right inside at by to from of with without beside besides"
    " between below"
    " beneath underneath over next front into onto out off around about for against across along through"
    " within"
    " beyond atop upon"
)
JOINING = words(
    "and or nor but neither either than as if whether while when since until before after because so"
)
ASKING = words("what which who whom whose where when why how")
PRONOUNS = words(
    "i me we us you he him she it they them one ones someone somebody anyone anybody everybody everything"
    " something anything nothing nobody myself there here"
)
EXCEPTING = (
    "except for", "except", "excepting", "excluding", "besides", "beside from", "apart from", "aside from",
    "other than", "not counting", "without counting", "not including", "leaving out", "but not", "but for",
    "minus", "save for", "bar",
)  # fmt: skip
CLOSED = (
    ARTICLES | words(" ".join(QUANTIFIERS)) | BE | HAVE | DO | MAY | NOT | PREPOSITIONS | JOINING | ASKING
    | PRONOUNS | words(" ".join(EXCEPTING))
    | words("only most least more less fewer many much few else other away off")
)  # fmt: skip
# Of these a reading may leave out none.
MEANINGFUL = NOT | words("or nor neither no none nothing nobody only except besides all every each both most")

NUMBERS = {
    "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0, "eight": 8.0,
    "nine": 9.0, "ten": 10.0, "eleven": 11.0, "twelve": 12.0, "fifteen": 15.0, "twenty": 20.0, "thirty": 30.0,
    "half": 0.5, "a": 1.0, "an": 1.0,
}  # fmt: skip
ORDINALS = {
    word: rank
    for rank, group in enumerate(
        ("first 1st", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th", "sixth 6th", "seventh 7th",
         "eighth 8th", "ninth 9th", "tenth 10th"), 1,
    )
    for word in group.split()
}  # fmt: skip
METRES = {
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), 1.0),
    **dict.fromkeys(("cm", "centimetre", "centimetres", "centimeter", "centimeters"), 0.01),
    **dict.fromkeys(("foot", "feet", "ft"), 0.3048),
    **dict.fromkeys(("step", "steps", "pace", "paces"), 0.75),
    **dict.fromkeys(("yard", "yards"), 0.9144), **dict.fromkeys(("inch", "inches"), 0.0254),
}  # fmt: skip
# What is compared, and whether the word asks for the least of it.
LEAST_OR_MOST: dict[str, tuple[str, bool]] = {
    "nearest": ("distance", True), "closest": ("distance", True), "farthest": ("distance", False),
    "furthest": ("distance", False), "remotest": ("distance", False), "biggest": ("volume", False),
    "largest": ("volume", False), "smallest": ("volume", True), "tiniest": ("volume", True),
    "tallest": ("height", False), "highest": ("height", False), "shortest": ("height", True),
    "lowest": ("height", True), "widest": ("width", False), "broadest": ("width", False),
    "narrowest": ("width", True), "longest": ("size", False),
    "newest": ("first_seen", False), "latest": ("first_seen", False),
    "oldest": ("first_seen", True),
}  # fmt: skip
MORE_OR_LESS: dict[str, tuple[str, bool]] = {
    "nearer": ("distance", True), "closer": ("distance", True), "farther": ("distance", False),
    "further": ("distance", False), "bigger": ("volume", False), "larger": ("volume", False),
    "smaller": ("volume", True), "tinier": ("volume", True), "taller": ("height", False),
    "higher": ("height", False), "shorter": ("height", True), "lower": ("height", True),
    "wider": ("width", False), "broader": ("width", False), "narrower": ("width", True),
    "longer": ("size", False),
}  # fmt: skip

# What "the big one" is the most of, where no size of things is known.
SIZED: dict[str, tuple[str, bool]] = {
    **dict.fromkeys(("big", "large", "huge", "giant"), ("volume", False)),
    **dict.fromkeys(("small", "little", "tiny"), ("volume", True)),
    **dict.fromkeys(("tall", "high"), ("height", False)), "low": ("height", True), "wide": ("width", False),
    "long": ("size", False),
    "narrow": ("width", True),
}  # fmt: skip
AMOUNTS = [
    said.split()
    for said in ("a lot of", "lots of", "plenty of", "a couple of", "a few", "several", "many", "a pair of",
                 "pair of", "pairs of", "enough", "more")
]  # fmt: skip

_VERBS = {
    "moved": "move moves moved moving shift shifted shifting relocate relocated displace displaced touch"
    " touched"
    " touching rearrange rearranged put_back",
    "taken": "take took taken taking remove removed removing steal stole stolen nick nicked carry_away"
    " carried_away carry_off carried_off take_away took_away taken_away take_out took_out taken_out",
    "brought": "bring brought bringing bring_in brought_in",
    "left": "leave left leaving have_left",
    "put": "put putted puts putting place placed placing drop dropped lay laid set"
    " store stored"
    " stick stuck stash stashed put_down park parked",
    "held": "hold held holding carry carried carrying use used using handle handled handling pick_up"
    " picked_up"
    " picking_up grab grabbed lift lifted pick picked hold_in_my_hand held_in_my_hand",
    "seen": "see saw seen seeing notice noticed spot spotted pass passed find found meet met encounter"
    " encountered come_across came_across walk_past walked_past pass_by passed_by walk_by walked_by look_at"
    " looked_at observe observed go_past went_past run_into ran_into",
    "gone": "vanish vanished disappear disappeared go_missing gone_missing went_missing gone missing",
    "changed": "change changed changing",
    "reach": "reach reached reaching get_hold_of get_at touch_from_here grasp",
    "have": "have had got own know remember store keep kept hold_in_memory",
}
VERBS: dict[tuple[str, ...], str] = {}
for _act, _forms in _VERBS.items():
    for _form in _forms.split():
        VERBS.setdefault(tuple(_form.split("_")), _act)
ALONE = frozenset({"moved", "gone", "changed"})  # what things do without anybody who does it
OTHERS = frozenset(
    {
        "someone else",
        "somebody else",
        "anyone else",
        "anybody else",
        "others",
        "other people",
        "another person",
    }
)
ANYONE = words("someone somebody anyone anybody")
KIN = words(
    "housemate housemates flatmate flatmates roommate roommates husband wife partner mother mum mom"
    " father dad brother"
    " sister son daughter child kids grandma grandpa friend colleague neighbour guest visitor carer"
    " nurse family"
)
PEOPLE = words(
    "person people man men woman women child children boy girl housemate visitor pedestrian human baby"
)
_ANYBODY = words("person people man men woman women human")
GENERIC = words("thing things object objects item items stuff obstacle obstacles")
SOME_THING = words("something anything")
EVERY_THING = words("everything")
SOME_BODY = words("someone somebody anyone anybody")
CODE = re.compile(r"(?=[^ ]*\d)[a-z]*\d[a-z0-9/_.]*|[a-z]+\d+")
NUMBERED = words("number no nr code id label tag")


@dataclass(frozen=True)
class Name:
    """What words name: the kinds of things, and how unlike what they are called the words were."""

    kinds: tuple[str, ...]
    cost: float = 0.0


@dataclass(frozen=True)
class Lexicon:
    """What the words of a sentence mean in a memory."""

    vocabulary: Vocabulary

    @cached_property
    def _values(self) -> dict[str, tuple[str, str]]:
        return {value.lower(): (key, value) for key, value in self.vocabulary.adjectives}

    @cached_property
    def _called(self) -> frozenset[str]:
        return frozenset(label.lower() for label in self.vocabulary.labels)

    @cached_property
    def _squeezed(self) -> dict[str, str]:
        """Labels and their synonyms without the spaces: "lap top" is a laptop."""
        found: dict[str, str] = {}
        for label in sorted(self.vocabulary.labels):
            for name in same_thing(label.lower()):
                found.setdefault(name.replace(" ", ""), label)
        for label in self.vocabulary.labels:
            found[label.lower().replace(" ", "")] = label
        return found

    @cached_property
    def _names(self) -> dict[str, Name | None]:
        return {}

    def name(self, phrase: str) -> Name | None:
        """The kinds that a name may mean; None if nobody has seen such a thing."""
        if phrase not in self._names:
            if len(self._names) > 5000:
                self._names.clear()
            self._names[phrase] = self._look_up(phrase)
        return self._names[phrase]

    def _look_up(self, phrase: str) -> Name | None:
        parts = phrase.split(" ")
        if len(parts) > 4:
            return None
        if any(part in CLOSED for part in (parts[0], parts[-1])):  # "front door", where one is called so
            return Name((phrase,)) if phrase in self._called else None
        if kinds := self.vocabulary.kinds(phrase) or self.vocabulary.kinds(singular_head(phrase)):
            return Name(kinds)
        if kinds := of_general(phrase, self.vocabulary.labels):
            return Name(kinds)
        joined = phrase.replace(" ", "")
        for form in (joined, singular(joined)):
            if form in self._squeezed:
                return Name((self._squeezed[form],), 0.1)
        slipped = [part for part in parts if not is_word(part) and part not in COMMON]
        if len(joined) < 4 or not slipped or any(char.isdigit() for char in joined):
            return None
        # A word that is English is no slip, so it stays in the name that is meant.
        near = [
            name
            for name in slips(singular(joined), self._squeezed) or slips(joined, self._squeezed)
            if all(part in slipped or singular(part) in name for part in parts)
        ]
        found = {self._squeezed[name] for name in near}
        return Name((found.pop(),), 0.4) if len(found) == 1 else None

    def attribute(self, word: str) -> tuple[str, str] | None:
        """ "red" is a colour, "wooden" a material; what a memory calls otherwise goes before."""
        same = SAME_VALUE.get(word, word)
        found = self._values.get(word) or self._values.get(same)
        if found is None and ATTRIBUTE_OF.get(same) in self._keys:
            found = (ATTRIBUTE_OF[same], same)
        if found is None and len(word) > 3 and word.isalpha() and not is_word(word) and word not in COMMON:
            near = slips(word, self._values)
            found = self._values[near[0]] if len(near) == 1 else None
        return found

    @cached_property
    def _proper(self) -> dict[str, tuple[str, str]]:
        return {name: found for name, found in self._values.items() if found[0] in ("name", "code")}

    def proper(self, phrase: str) -> tuple[str, str] | None:
        """Whose own name a phrase is: "Mr Hughes", "desk 3"."""
        return self._proper.get(phrase)

    @cached_property
    def _keys(self) -> frozenset[str]:
        """What is known of things at all: where nobody learnt whether things are broken, none is said not to
        be."""
        return frozenset(
            {"color", *(key.lower().replace("colour", "color") for key, _ in self.vocabulary.attributes)}
        )

    def place(self, phrase: str) -> str | None:
        """The place that is called so, or the only one whose name ends so."""
        if phrase not in self._places:
            self._places[phrase] = self._look_up_place(phrase)
        return self._places[phrase]

    @cached_property
    def _places(self) -> dict[str, str | None]:
        return {}

    def _look_up_place(self, phrase: str) -> str | None:
        by_name = {tag.lower(): tag for tag in sorted(self.vocabulary.places)}
        if phrase in by_name:
            return by_name[phrase]
        alike = [by_name[name] for name in sorted(same_place(phrase)) if name in by_name]
        ends = [tag for name, tag in by_name.items() if name.endswith(f" {phrase}")]
        if alike or len(ends) == 1:
            return (alike or ends)[0]
        if len(phrase) > 4 and phrase.isalpha() and not is_word(phrase) and phrase not in CLOSED:
            near = slips(phrase, by_name)
            return by_name[near[0]] if len(near) == 1 else None
        return None

    def names_a_place(self, phrase: str) -> bool:
        """Whether a name is one of places, be it of one that is not known."""
        return phrase in PLACE_NAMES or phrase.endswith(" room")

    @property
    def has_people_without_a_role(self) -> bool:
        """Whether people are known as such: anybody's brother may be one of them."""
        return any(singular(label.lower()) in _ANYBODY for label in self.people)

    @cached_property
    def people(self) -> tuple[str, ...]:
        return tuple(label for label in sorted(self.vocabulary.labels) if singular(label.lower()) in PEOPLE)


def singular_head(phrase: str) -> str:
    """ "Boxes of paper" are of the kind box of paper."""
    head, of, rest = phrase.partition(" of ")
    return f"{singular(head)}{of}{rest}" if of else phrase


@lru_cache(maxsize=16)
def lexicon(vocabulary: Vocabulary) -> Lexicon:
    """One for all sentences to a memory that knows the same names."""
    return Lexicon(vocabulary)
