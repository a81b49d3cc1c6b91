"""Words that phrases of several kinds share."""

NOTHING = "nothing that I know of"
WHAT = "(what|which things|what things|what (all)?|what kind of things|what sort of things)"
IS = (
    "(is|are|was|were|do @i have|have @i got|have @i|do @i see|do you see|can @i see|could be|can @i "
    "find|lies|stands|sits|is there|do we have|did @i have|do you know)"
)
ANY = (
    "((is|are|was|were) there (anything|something|any things|things|any)|(is|are) (anything|something)|"
    "anything|do i have (anything|something)|have i got (anything|something))"
)
LIST = (
    "((list|name|describe|show|give|tell) (me)? (all)? (the)? (things|what (is|are)?|everything|all things)?)"
)
BEING = (
    "(lying|standing|sitting|placed|located|kept|left|resting|put|situated|directly|right|"
    "immediately|hanging|there|on the (floor|ground))"
)
