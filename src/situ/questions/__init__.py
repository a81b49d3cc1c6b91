"""Questions as small programs over a spatial state. One file per family."""

from situ.questions.base import Answer, Question, from_program, to_program
from situ.questions.counting import Compare, Count
from situ.questions.order import FirstSeenOrder
from situ.questions.select import Selector
from situ.questions.view import SideInView

__all__ = [
    "Answer",
    "Compare",
    "Count",
    "FirstSeenOrder",
    "Question",
    "Selector",
    "SideInView",
    "from_program",
    "to_program",
]
