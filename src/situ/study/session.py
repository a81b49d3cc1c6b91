"""Session of one participant: consent, solved examples, practice, questions, end.

A browser receives only what is returned here. Questions contain no key, id or name that could reveal it; keys
of examples and practice questions, which are never scored, are sent after the answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from situ.errors import BadInput, Refused
from situ.evaluation.records.frames import PictureStore
from situ.evaluation.runs.score import parser_name, read
from situ.study.design import FREE, INSTRUCTED, POOL, Place, Study
from situ.study.store import (
    CONSENTED,
    ENDED,
    PRACTISED_RIGHT,
    PRACTISED_WRONG,
    SAW_EXAMPLES,
    Given,
    Person,
    Store,
)

STEPS_A_SECOND = 4.0  # playback rate of recordings without a frame rate


@dataclass(frozen=True)
class Stage:
    """Progress of a participant: the current part, and the number of the question in it."""

    name: str
    number: int = 0


class Session:
    """Runs a study over one store of answers."""

    def __init__(self, study: Study, store: Store) -> None:
        self.study, self.store = study, store
        self._pictures = {source: PictureStore(found.recording) for source, found in study.sets.items()}
        self._policy = study.design.policy()

    def enter(self, source: str, name: str, browser: str, screen: str) -> Person:
        design = self.study.design
        slots = len(self.study.assignment.slots)
        return self.store.enter(source, name, slots, 3600 * design.hold_hours, browser, screen)

    def stage(self, person: Person) -> Stage:
        events = self.store.events(person.id)
        if CONSENTED not in events:
            return Stage("consent")
        if SAW_EXAMPLES not in events and self.study.assignment.examples:
            return Stage("examples")
        right, practice = events.count(PRACTISED_RIGHT), self.study.assignment.practice
        if practice and right < min(self.study.design.practice_right, len(practice)):
            return Stage("practice", (right + events.count(PRACTISED_WRONG)) % len(practice))
        done, places = self.store.answered(person.id), self._places(person)
        left = next((k for k in range(len(places)) if k not in done), None)
        return Stage("done") if left is None else Stage("question", left)

    def state(self, person: Person) -> dict[str, Any]:
        """State for the page: what to show next."""
        stage, design = self.stage(person), self.study.design
        places = self._places(person)
        data: dict[str, Any] = {
            "stage": stage.name,
            "number": stage.number,
            "done": len(self.store.answered(person.id)),
            "total": len(places),
        }
        if stage.name == "consent":
            data["consent"] = design.consent
        elif stage.name == "examples":
            data["instructions"] = design.instructions
            data["examples"] = [self._example(name) for name in self.study.assignment.examples]
        elif stage.name == "practice":
            data["question"] = self._shown(self.study.assignment.practice[stage.number])
        elif stage.name == "question":
            data["question"] = self._shown(places[stage.number])
            before = None if stage.number == 0 else self.study.row(places[stage.number - 1]).item
            data["question"]["new_recording"] = self.study.row(places[stage.number]).item != before
        return data

    def consent(self, person: Person) -> None:
        if CONSENTED not in self.store.events(person.id):
            self.store.note(person.id, CONSENTED)

    def saw_examples(self, person: Person) -> None:
        if self.stage(person).name == "examples":
            self.store.note(person.id, SAW_EXAMPLES)

    def practise(self, person: Person, number: int, choice: int | None, text: str) -> dict[str, Any]:
        """Check a practice answer; returns whether it is correct, and the key. Wrong ones are repeated."""
        stage = self.stage(person)
        if stage != Stage("practice", number):
            return {"kept": False}
        place = self.study.assignment.practice[number]
        row = self.study.row(place)
        said = self._said(place, choice, text)
        parser = parser_name(self.study.protocol)
        claim = read(self.study.protocol, parser, row, said).claim if said else None
        right = claim is not None and self.study.protocol.points(row, claim) >= 1.0
        self.store.note(
            person.id, PRACTISED_RIGHT if right else PRACTISED_WRONG, {"question": place.question}
        )
        return {"kept": True, "right": right, "answer": row.answer}

    def answer(
        self, person: Person, number: int, choice: int | None, text: str, details: Mapping[str, Any]
    ) -> bool:
        """Store an answer. Only the first answer to a question counts."""
        stage, places = self.stage(person), self._places(person)
        if stage.name not in ("question", "done"):
            raise Refused("this part of the study comes later; reload the page")
        if not 0 <= number < len(places):
            raise BadInput(f"there is no question {number}")
        place = places[number]
        said = "" if details.get("cannot_tell") else self._said(place, choice, text)
        if not said and not details.get("cannot_tell"):
            raise BadInput("an answer is one of the options, a number, or that you cannot tell")
        if number not in self.store.answered(person.id) and stage != Stage("question", number):
            raise Refused("questions are answered in their order; reload the page")
        given = Given(
            person.id, number, place.role, place.source, place.question, place.order, said,
            choice if said and self.study.row(place).options else None, wanted=place.wanted, **details,
        )  # fmt: skip
        kept = self.store.add(given)
        if kept and self.stage(person).name == "done":
            self.store.note(person.id, ENDED)
        return kept

    def frame(self, person: Person, part: str, number: int, frame: int) -> bytes:
        """Image of a frame, in the bytes that models receive."""
        place = self._place(person, part, number)
        row = self.study.row(place)
        shown = self._policy.pick(self._pictures[place.source].recording(row.item), row)
        if not 0 <= frame < len(shown):
            raise BadInput(f"the question shows {len(shown)} frames")
        return self._pictures[place.source].pictures(row.item, (shown[frame],), self._policy.size).jpegs[0]

    def _place(self, person: Person, part: str, number: int) -> Place:
        """A question that this participant may see: answered ones and the next."""
        stage, assignment = self.stage(person), self.study.assignment
        known = {
            "examples": [_plain(name) for name in assignment.examples],
            "practice": list(assignment.practice),
            "question": list(self._places(person)),
        }.get(part, [])
        if not 0 <= number < len(known):
            raise BadInput("there is no such question")
        open_to = {"question": stage.number if stage.name == "question" else len(known)}.get(part, len(known))
        if stage.name == "consent" or (part == "question" and stage.name != "done" and number > open_to):
            raise Refused("this question comes later")
        return known[number]

    def _places(self, person: Person) -> tuple[Place, ...]:
        return self.study.assignment.slots[person.slot]

    def _said(self, place: Place, choice: int | None, text: str) -> str:
        """Text of the option at a screen position, or the typed number."""
        options = self.study.row(place).options
        if not options:
            return text.strip()
        if choice is None or not 0 <= choice < len(options):
            return ""
        return options[place.order[choice]]

    def _shown(self, place: Place) -> dict[str, Any]:
        row = self.study.row(place)
        recording = self._pictures[place.source].recording(row.item)
        shown = self._policy.pick(recording, row)
        text = row.text
        if place.role == INSTRUCTED:
            text = f"This question is to see that questions are read: please choose “{place.wanted}”."
        times = [round(float(recording.path.times[i]), 2) for i in shown]
        return {
            "text": text,
            "options": [row.options[i] for i in place.order],
            "frames": len(shown),
            "times": times,
            "fps": recording.fps or STEPS_A_SECOND,
            "plays": self.study.design.frames == FREE,
            "scratchpad": self.study.design.scratchpad,
        }

    def _example(self, name: str) -> dict[str, Any]:
        place = _plain(name)
        row = self.study.row(place)
        shown = self._shown(Place(place.role, POOL, name, tuple(range(len(row.options)))))
        return {**shown, "answer": row.answer}


def _plain(name: str) -> Place:
    return Place("example", POOL, name, ())
