"""SAW-Bench's questions in the voice of its wearer, as published, for comparisons with its figures."""

from dataclasses import replace

from situ.benchmarks.dataset import BUILT_IN_WORDS, QuestionRow
from situ.questions import PositionInPlace, Question, ReversePlan, RouteDirection, RouteShape


def in_published_words(row: QuestionRow) -> QuestionRow:
    """The row with the published words where there are any; its own words stay with it for the check."""
    text = published_words(row.question)
    return replace(row, text=text, strata={**row.strata, BUILT_IN_WORDS: row.text}) if text else row


def published_words(question: Question) -> str:
    """The words of a question's kind; empty for what is worded for each video."""
    match question:
        case RouteDirection(origin=origin):
            here, there = ("beginning", "end") if origin == "start" else ("end", "beginning")
            asked = f"where am I located at the {there} of the video?"
            return f"From my viewpoint at the {here} of this video, {asked}"
        case RouteShape():
            return "What's the shape of my moving trajectory?"
        case ReversePlan():
            return "From my viewpoint at the end of the video, how can I go back to my starting point?"
        case PositionInPlace(place=place):
            spots = "near the corner, along the side, or near the center"
            return f"Are you positioned {spots} of the {place.singular}?"
    return ""
