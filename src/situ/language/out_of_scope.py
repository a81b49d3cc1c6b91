"""What no spatial memory can tell: told apart from what is merely not understood."""

import re

# What is done, felt, meant or worth: verbs, properties and fixed phrases, but no names of things. Who asks
# for an umbrella asks where it is, and the memory says whether it holds one.
_CUES = re.compile(
    r"\b(?:charged|charging|raining|rain (?:later|today|tomorrow)|sunny|hot|cold|warm|broken|clean|dirty|"
    r"locked|unlocked|expensive|cheap|cost|costs|buy|bought|worth|called|calling|texted|eat|ate|eaten|drink|"
    r"drank|hungry|tired|feel|feeling|love|hate|why|weigh|weighs|heavy|smell|smells|taste|tastes|sounds|loud|"
    r"ripe|fresh|expired|expire|ready|works|working|switch|switched|sing|play (?:me|some)|translate|name is|"
    r"my name|gave|give me a (?!list|rundown|summary|overview|description|tour)|lend|lent|made in|for sale|"
    r"day is|happy|sad|alive|married|how are you|hello|thanks|boil|boiling|cook|bake|fry|roast|"
    r"how do i (?:make|prepare|repair|fix|clean|wash|use)|(?:phone|ring|text|call) my|"
    r"who (?:painted|wrote|made|built|designed|invented)|read me|read out|label says|said to|say to me|"
    r"told me|recommend|advise|should i (?:wear|eat|drink|cook|buy|invite)|"
    r"how much (?:is|does|do|are)\b.*\bcost|opening hours|"
    r"where (?:can|could|should|shall|may|might) i (?:put|place|set|store|hang|leave|keep) (?:down|"
    r"away|this|my|the)|"
    r"(?:is|was|are|were) (?:there )?(?:someone|anyone|anybody|people) (?:in|at|on|here|"
    r"there|behind|near|with)|"
    r"heavier|lighter|heaviest|good for me|allergic|vegan)\b"
)
# Words that ask for what is outside only in a sentence that nothing else explains.
_FAINT = re.compile(r"\b(?:call|like|ring|done|good|bad|work|think|thinking|old|turned|sound)\b")
_TIME = re.compile(
    r"^(?:what|which) (?:time|day|date|year|month|hour) is|what is the (?:time|date|day)|^who (?:am i|are "
    r"you|is (?:he|she|that|this|the))\b"
)
_ORDER = re.compile(
    r"^(?:turn (?:on|off|up|down|the)|switch|open|close|lock|order|buy|call|play|set|start|stop|remind me "
    r"to|add|send|write) "
)
_ON = re.compile(
    r"^(?:is|are|was|were|did i|have i|do i)\b.* (?:on|off|running|open|closed|shut|plugged in|unlocked|"
    r"full|empty)$"
)
_STATE = re.compile(r"^(?:is|are|was|were) (?:the|my|a|our|your) .+ [a-z]+$")
# Questions that a memory of places could answer and this one has no program for. Each is a word away from one
# that it has, and must not be guessed to be that.
_UNSERVED = re.compile(
    r"^what (?:is|are|lies|stands)(?: there)? (?:in )?between |^(?:what|which) rooms? (?:is|are|lies) "
    r"(?:in front|ahead|behind|on my|to my|next to)|\b(?:fit|fits|go) (?:in|into|inside|under|underneath|"
    r"behind) |"
    r"^how many .+ (?:are|have|went) (?:gone|missing)|"
    r"\b(?:anywhere|somewhere|place|spot) to (?:sit|lie|rest)|"
    r"^(?:can|could|may) i sit (?:down |somewhere |anywhere )?(?:here|near|nearby|around|close)\b"
)
REFUSAL = (
    "That is outside what I can know: I remember where things are, how far, how many, when they were seen "
    "or moved, "
    "and where you have been"
)


def outside(sentence: str, surely: bool = False) -> str:
    """Why no memory of places can answer a sentence that fits no phrase; "" if that is not clear.

    `surely` leaves out what only has the form of a question for a state: "is the sofa soft", "is it on".
    """
    patterns = (_TIME, _ORDER, _CUES) if surely else (_TIME, _ORDER, _CUES, _ON, _STATE, _FAINT)
    return REFUSAL if any(pattern.search(sentence) for pattern in patterns) else ""


def unserved(sentence: str) -> bool:
    """Whether a sentence that no phrase fits asks for what no program answers."""
    return _UNSERVED.search(sentence) is not None
