"""Evaluation of a model before and after training: direct questions, camera words, own narratives."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from situ.benchmarks.dataset import Dataset
from situ.evaluation.captions.scores import score_captions
from situ.evaluation.stats.intervals import wilson
from situ.narrate.narrative import TAGS, Narrative, Segment
from situ.narrate.oracle import FPS, SEGMENT, frames_at
from situ.narrate.reasoner import Reasoner
from situ.train.collate import Collator
from situ.train.families import Family, family_of
from situ.train.generation import next_scores, say
from situ.train.motion_labels import camera_part, macro_f1, predicted_classes
from situ.train.recipe import TrainRecipe
from situ.train.rows import TrainingRow, read_rows
from situ.train.vision import patches_of
from situ.train.wording import NARRATIVE_TEMPLATES, filled

TOKENS = 300  # for the narrative of a segment, as published
CAPTION_METRICS = ("cb_wordset_f1", "cb_meteor_like")
OPTION = re.compile(r"^([A-F])\. ", re.MULTILINE)


class Looker:
    """Evaluates a model on held-out examples and, if given, on a set of narrative questions."""

    def __init__(
        self, held_out: Path, recipe: TrainRecipe, questions: Path | None = None, most: int = 64
    ) -> None:
        rows = list(read_rows(held_out))
        self.folder, self.recipe = held_out, recipe
        self.asked = [row for row in rows if row.letter][:most]
        self.narratives = [row for row in rows if row.kind == "narrative"][:most]
        self.questions = Dataset.open(questions) if questions else None

    def __call__(self, model: Any, tokenizer: Any) -> dict[str, Any]:
        import torch

        was_training = model.training
        model.eval()
        device = next(model.parameters()).device.type
        with torch.no_grad(), torch.autocast(device, dtype=torch.bfloat16, enabled=self.recipe.bf16):
            result = {
                "direct_qa": self.direct(model, tokenizer),
                "camera_words": self.camera_words(model, tokenizer),
                "sns": self.narrative_score(model, tokenizer),
            }
        model.train(was_training)
        return result

    def direct(self, model: Any, tokenizer: Any) -> dict[str, Any]:
        """Share of questions whose correct letter has the highest score of all options."""
        right = []
        for row in self.asked:
            letters = OPTION.findall(row.prompt)
            media, fps = self._media(row, tokenizer, model)
            scores = next_scores(model, tokenizer, row.prompt, media, fps, letters)
            right.append(letters[int(scores.argmax())] == row.letter)
        return _share(right)

    def camera_words(self, model: Any, tokenizer: Any) -> dict[str, Any]:
        """Macro F1 of motion classes, and caption metrics as [score, constant, shuffled]."""
        if not self.narratives:
            return {"examples": 0}
        said = []
        for row in self.narratives:
            media, fps = self._media(row, tokenizer, model)
            said.append(say(model, tokenizer, row.prompt, media, fps, TOKENS))
        metrics = score_captions(
            [camera_part(row.answer) for row in self.narratives],
            [camera_part(text) for text in said],
            CAPTION_METRICS,
        )
        return {
            "examples": len(said),
            "macro_f1": macro_f1(
                [predicted_classes(text) for text in said], [row.motions for row in self.narratives]
            ),
            **{m.metric: [m.score, m.constant, m.shuffled] for m in metrics},
        }

    def narrative_score(self, model: Any, tokenizer: Any) -> dict[str, Any] | None:
        """Spatial Narrative Score: the model narrates every 16 frames, the built-in reader answers."""
        if self.questions is None:
            return None
        right = []
        for item, rows in self.questions.by_item():
            recording = self.questions.recording(item)
            shown = frames_at(recording.path.times.tolist(), FPS)
            segments = []
            for number, start in enumerate(range(0, len(shown), SEGMENT), 1):
                images = list(recording.images(shown[start : start + SEGMENT]))
                media = [("video", *patches_of(images, self.recipe.max_pixels, _family(model)))]
                text = say(model, tokenizer, filled(NARRATIVE_TEMPLATES[0]), media, FPS, TOKENS)
                parts = (between(text, tag) for tag in TAGS)
                segments.append(Segment(number, start + 1, start + len(images), *parts))
            reader = Reasoner(Narrative(tuple(segments)))
            right += [reader.answer(row.question, row.options) == row.answer for row in rows]
        return _share(right)

    def _media(
        self, row: TrainingRow, tokenizer: Any, model: Any
    ) -> tuple[list[tuple[str, Any, Any]], float]:
        reader = Collator(self.folder, tokenizer, self.recipe, 1.0, _family(model))
        return reader.media(row), row.media[0].at_most(self.recipe.fps).fps or 1.0


def _family(model: Any) -> Family:
    return family_of(model.config.model_type)


def between(text: str, tag: str) -> str:
    """Content of a tag, even if the model did not close it."""
    found = re.search(rf"<{tag}>(.*?)(?:</{tag}>|$)", text, re.DOTALL)
    return found[1].strip() if found else ""


def _share(right: Sequence[bool]) -> dict[str, Any]:
    low, high = wilson(sum(right), len(right))
    accuracy = float(np.mean(right)) if right else None
    return {"questions": len(right), "accuracy": accuracy, "interval": [low, high]}
