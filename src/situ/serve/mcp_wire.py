"""What an assistant is told that there is: tools, resources and a prompt, in the words of the Model Context
Protocol.

Plain data: neither the protocol's library nor the memory is loaded for it.
"""

from typing import Any

from situ.serve import tools

Schema = dict[str, Any]
PICTURE_WIDTH, WIDEST = 320, 1280
MOST_ROWS, FEW_ROWS = 200, 50
LONGEST, LONGEST_LABEL, LONGEST_NAME = 500, 100, 64
MOST_FRAMES = 1 << 40
MEMORIES, OBJECTS = "situ://memories", "situ://{memory}/objects/{label}"
PROGRAMS = "situ://programs/schema"

_NUMBER: Schema = {"type": "number"}
_NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}
_TEXT: Schema = {"type": "string"}
_WHOLE: Schema = {"type": "integer"}
_OBJECT: Schema = {"type": "object"}
_VALUE: Schema = {"type": ["string", "number", "boolean", "null"]}


def _object(description: str, required: list[str] | None = None, **properties: Schema) -> Schema:
    needed = list(properties) if required is None else required
    said = {"description": description} if description else {}
    return {"type": "object", **said, "properties": properties, "required": needed}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


_AT = {**_NUMBER_OR_NULL, "description": "Seconds on the memory's clock; leave out for now."}
_WHICH = {
    "type": ["string", "null"], "maxLength": LONGEST_NAME,
    "description": "Which memory, where there are several.",
}  # fmt: skip
_LABEL = {"type": ["string", "null"], "maxLength": LONGEST_LABEL, "description": "A kind, such as cup."}
_NEAR = {**_list(_NUMBER), "type": ["array", "null"], "description": "x, y and radius, in metres."}
_CERTIFICATE = {**_OBJECT, "description": "The certificate of an answer."}

ANSWER = _object(
    "An answer, or in `abstained` why there is none. What is infinite is told as a text.",
    text=_TEXT, value=_VALUE, abstained=_TEXT, confidence=_NUMBER,
    probabilities={"type": "object", "additionalProperties": _NUMBER},
    distance_m={**_list({"type": ["number", "string"]}), "type": ["array", "null"]},
    age_s={"type": ["number", "string", "null"]}, evidence=_list(_WHOLE),
    certificate={"type": ["object", "null"]},
)  # fmt: skip
THING = _object(
    "One thing that is remembered.",
    id=_WHOLE, name=_TEXT, center=_list(_NUMBER), bearing_deg=_NUMBER, distance_m=_NUMBER, here=_NUMBER,
    held={"type": "boolean"}, last_seen=_NUMBER, last_frame={"type": ["integer", "null"]},
)  # fmt: skip
THINGS = _object("Things, as of a time.", now=_NUMBER, total=_WHOLE, objects=_list(THING))
RESULTS = _object(
    "The outcome of each ask of a program: its value with odds, or in `abstained` why there is none.",
    now=_NUMBER, results=_list(_OBJECT),
)  # fmt: skip
CHECK = _object("Whether a certificate holds.", holds={"type": "boolean"}, value=_VALUE, reason=_TEXT)
OBSERVED = _object("Which frame a picture is of.", frame=_WHOLE, bytes=_WHOLE)


def _tool(name: str, description: str, given: Schema, gives: Schema) -> Schema:
    reads = {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False}
    return {
        "name": name, "description": description, "inputSchema": given, "outputSchema": gives,
        "annotations": reads,
    }  # fmt: skip


TOOLS: list[Schema] = [
    _tool(
        "ask", tools.ASK,
        _object(
            "", ["question"],
            question={**_TEXT, "maxLength": LONGEST, "description": "A question in plain English."},
            at=_AT, memory=_WHICH,
        ),
        ANSWER,
    ),
    _tool(
        "look", tools.LOOK,
        _object(
            "", ["frame"],
            frame={**_WHOLE, "minimum": 0, "maximum": MOST_FRAMES, "description": "Number of the frame."},
            max_width={**_WHOLE, "minimum": 16, "maximum": WIDEST, "default": PICTURE_WIDTH}, memory=_WHICH,
        ),
        OBSERVED,
    ),
    _tool(
        "objects", tools.OBJECTS,
        _object(
            "", [], label=_LABEL, near=_NEAR,
            limit={**_WHOLE, "minimum": 1, "maximum": MOST_ROWS, "default": FEW_ROWS}, at=_AT, memory=_WHICH,
        ),
        THINGS,
    ),
    _tool(
        "what_changed", tools.WHAT_CHANGED,
        _object(
            "", ["since"], since={**_NUMBER, "description": "Seconds on the memory's clock."}, until=_AT,
            memory=_WHICH,
        ),
        ANSWER,
    ),
    _tool(
        "program", tools.PROGRAM,
        _object(
            "", ["program"],
            program={"type": ["object", "array", "string"], "description": tools.PROGRAM_FORM},
            at=_AT, memory=_WHICH,
        ),
        RESULTS,
    ),
    _tool(
        "verify", tools.VERIFY,
        _object("", ["certificate"], certificate=_CERTIFICATE, memory=_WHICH),
        CHECK,
    ),
]  # fmt: skip
_JSON = "application/json"
RESOURCES: list[Schema] = [
    {"uri": MEMORIES, "name": "memories", "description": "The memories that are served.", "mimeType": _JSON},
    {"uri": PROGRAMS, "name": "programs", "description": "The schema of programs.", "mimeType": _JSON},
]
TEMPLATES: list[Schema] = [
    {"uriTemplate": OBJECTS, "name": "objects", "description": "Things of one kind.", "mimeType": _JSON}
]
PROMPTS: list[Schema] = [
    {"name": "find", "description": "Find a thing.", "arguments": [{"name": "thing", "required": True}]}
]


def text_block(text: str) -> Schema:
    return {"type": "text", "text": text}


def failed(text: str) -> Schema:
    """The result of a call that went wrong, in words that a model can act on."""
    return {"content": [text_block(text)], "isError": True}


def resource(uri: str, text: str) -> Schema:
    return {"contents": [{"uri": uri, "mimeType": _JSON, "text": text}]}
