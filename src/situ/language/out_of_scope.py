"""What no spatial memory can tell: told apart from what is merely not understood."""

import re

_CUES = re.compile(
    r"\b(?:charged|charging|battery|weather|rain|raining|sunny|temperature|hot|cold|warm|broken|clean|"
    r"dirty|locked|unlocked|"
    r"expensive|cheap|cost|costs|price|buy|bought|worth|meeting|appointment|calendar|email|emails|message|"
    r"messages|"
    r"called|calling|texted|news|eat|ate|eaten|drink|drank|breakfast|lunch|dinner|hungry|tired|"
    r"feel|feeling|"
    r"love|hate|want to eat|why|weigh|weighs|heavy|smell|smells|taste|tastes|sounds|loud|"
    r"ripe|fresh|expired|expire|ready|works|working|switch|switched|"
    r"capital|president|meaning|joke|sing|song|music|play (?:me|some)|translate|recipe|name is|my name|"
    r"birthday|"
    r"gave|give me a (?!list|rundown|summary|"
    r"overview|description|tour)|lend|lent|owner|brand|made in|for sale|day is|year|"
    r"happy|sad|alive|married|age|phone number|password|pin|address|how are you|hello|"
    r"thanks|boil|cook|how do i (?:make|prepare|repair|fix|clean|wash|use)|(?:phone|ring|text|call) my|bake"
    r"|fry|roast|pills?|medicine|tablets?|dose|umbrella|coat|jacket|doctor|nurse|vet|"
    r"who (?:painted|wrote|made|built|designed|invented)|author|read me|read out|label says|said to|say to "
    r"me|told me|"
    r"recommend|advise|should i (?:wear|eat|drink|cook|buy|invite)|how much (?:is|does|do|are)\b.*\bcost"
    r"|opening hours|"
    r"where (?:can|could|should|shall|may|might) i (?:put|place|set|store|hang|leave|keep) (?:down|"
    r"away|this|my|the)|"
    r"(?:is|was|are|were) (?:there )?(?:someone|anyone|anybody|people) (?:in|at|on|here|"
    r"there|behind|near|with)|"
    r"heavier|lighter|heaviest|"
    r"good for me|allergic|vegan|calories)\b"
)
# Words that ask for what is outside only in a sentence that nothing else explains.
_FAINT = re.compile(
    r"\b(?:call|like|ring|done|good|bad|work|think|thinking|old|turned|sound|date|model|text)\b"
)
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
