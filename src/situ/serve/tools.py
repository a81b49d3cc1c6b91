"""The questions as tools for models: OpenAI's list of functions, strict."""

from collections.abc import Sequence
from typing import Any

NAME, TITLE = "situ", "Spatial memory"
INSTRUCTIONS = (
    "A spatial memory of what somebody saw through a worn camera. Directions are by the wearer's heading "
    "at the time asked about: ahead, left, right, behind. Times are seconds on the memory's own clock. "
    "An answer that says it does not know, or is not sure, is an answer: do not guess in its place. Ask in "
    "plain English, one question at a time, and name things as people do: 'where is the red cup?', "
    "'what changed since I left the kitchen?', 'how do I get back to the door?'."
)
ASK = (
    "Ask the memory a question in plain English: where a thing is, how far, how many, when it was last seen, "
    "what changed, which way back. The answer has its probability, its age and the frames that prove it."
)
LOOK = "The picture of one frame, to see for yourself; `ask` names the frames that prove an answer."
OBJECTS = "List things that the memory knows, with place, direction and distance from the wearer."
WHAT_CHANGED = "Everything that was moved, taken away or brought since a time."
PROGRAM = (
    "Run a program over the memory, for what a plain question cannot say: sets, measures and asks compose. "
    "Each ask answers with its value, the odds of all values, and the frames that prove it."
)
PROGRAM_FORM = (
    'An ask or a list of asks: {"ask": "count", "of": {"op": "except", "of": {"op": "things", "kind": '
    '"cup"}, "but": {"op": "rel", "rel": "on", "to": {"op": "things", "kind": "table"}}}}. The resource '
    "situ://programs/schema is its JSON Schema."
)
VERIFY = "Run the certificate of an answer again; says whether it holds."


def openai_tools(memories: Sequence[str]) -> list[dict[str, Any]]:
    """One function for each thing that can be asked; the server's routes do what they say."""
    which = {"memory": {"type": "string", "enum": list(memories), "description": "Which memory."}}
    optional = {"type": ["number", "null"]}
    text = {"type": "string"}
    return [
        _tool("ask", ASK, {**which, "question": text, "at": optional}),
        _tool(
            "objects", OBJECTS,
            {**which, "label": {"type": ["string", "null"]}, "limit": {"type": ["integer", "null"]}},
        ),
        _tool("what_changed", WHAT_CHANGED, {**which, "since": {"type": "number"}, "until": optional}),
    ]  # fmt: skip


def _tool(name: str, description: str, properties: dict[str, Any]) -> dict[str, Any]:
    parameters = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {
        "type": "function",
        "function": {"name": name, "description": description, "strict": True, "parameters": parameters},
    }
