"""Do camera-motion narratives help a small video-language model? Trained from scratch, nothing downloaded.

    python -m benchmarks.train_experiment [--worlds 200] [--clips 60] [--steps 1500] [--out FILE.json]

Three models of one size see the same number of examples. All learn to answer questions about clips; half of
what the second and third see are narratives of the same clips, without and with camera words. All are then
asked about clips of worlds that none has seen: the question directly, the camera's motion in words, and the
question again through the model's own narrative (read by the built-in reader).
"""

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.train_experiment_data import ASKED, FPS, FRAMES, HEIGHT, WIDTH, Example, make_examples
from situ.errors import SituError, Unanswerable
from situ.evaluate.stats.intervals import clustered_wilson
from situ.geometry.heading import SECTORS
from situ.narrate.narrative import TAGS, Narrative, Segment
from situ.narrate.reasoner import Reasoner
from situ.train.look import between
from situ.train.told import macro_f1, told_classes

ARMS = {"with scene and camera narratives": True, "with scene narratives": False, "questions alone": None}
TOKENS = 260
RATE = 8e-4
TOGETHER = 400  # narratives made at the same time


class Sequences:
    """Examples as tokens, once; frames stay on the device and are cut into patches there."""

    def __init__(self, examples: list[Example], tokenizer: Any, device: str) -> None:
        import torch

        from situ.train.vision import grid_of

        self.examples, self.tokenizer, self.device = examples, tokenizer, device
        self.grid = grid_of(FRAMES, WIDTH, HEIGHT, WIDTH * HEIGHT)
        self.frames = torch.from_numpy(np.stack([example.frames for example in examples])).to(device)
        self._known: dict[tuple[int, Any], Any] = {}

    def tokens(self, number: int, narrative: bool | None) -> Any:
        """An example's question (None) or narrative, with or without camera words."""
        from situ.train.chat import tokens_for
        from situ.train.positions import positions_of
        from situ.train.rows import Medium, TrainingRow

        key = number, narrative
        if key not in self._known:
            example = self.examples[number]
            medium = Medium("video", ("",) * FRAMES, WIDTH, HEIGHT, FPS)
            prompt = example.prompt if narrative is None else ASKED
            answer = example.letter if narrative is None else example.told(narrative)
            row = TrainingRow(str(number), "", (medium,), prompt, answer, "")
            tokens = tokens_for(row, [self.grid], self.tokenizer)
            self._known[key] = tokens, positions_of(tokens.kinds, [self.grid], [2.0 * 2 / FPS])
        return self._known[key]

    def batch(self, wanted: list[tuple[int, bool | None]], prompt_only: bool = False) -> dict[str, Any]:
        import torch

        from situ.train.chat import Tokens
        from situ.train.pack import pack

        examples = []
        for number, narrative in wanted:
            tokens, places = self.tokens(number, narrative)
            if prompt_only:
                end = tokens.labels.count(-100)
                tokens = Tokens(tokens.ids[:end], tokens.labels[:end], tokens.kinds[:end])
            examples.append((tokens, places[:, : len(tokens.ids)], [self.grid]))
        batch = {key: self._moved(value) for key, value in pack(examples).items()}
        numbers = torch.tensor([number for number, _ in wanted], device=self.device)
        return {**batch, "patches": self.patches(numbers)}

    def _moved(self, value: Any) -> Any:
        return value.to(self.device, non_blocking=True) if hasattr(value, "to") else value

    def patches(self, numbers: Any) -> Any:
        """As `situ.train.vision.patches_of`, for many clips at once and on the device."""
        steps, rows, columns = self.grid
        cut = self.frames[numbers].reshape(
            len(numbers), steps, 2, rows // 2, 2, 14, columns // 2, 2, 14, 3
        ).permute(0, 1, 3, 6, 4, 7, 9, 2, 5, 8)  # fmt: skip
        return cut.reshape(len(numbers) * steps * rows * columns, -1)


def train(
    sequences: Sequences, config: Any, narratives: bool | None, steps: int, size: int, seed: int
) -> tuple[Any, dict[str, Any]]:
    import torch
    from transformers import Qwen2_5_VLForConditionalGeneration

    from situ.train.attention import use_packed_attention
    from situ.train.model import batch_loss

    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    device = sequences.device
    with torch.device(device):
        model = Qwen2_5_VLForConditionalGeneration(config).train()
    use_packed_attention(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.05, betas=(0.9, 0.95))
    warm = max(1, steps // 20)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda i: min((i + 1) / warm, 0.5 + 0.5 * np.cos(np.pi * min(1.0, i / steps)) + 0.01)
    )
    every = np.arange(len(sequences.examples))
    asked = np.array([i for i in every if sequences.examples[i].letter])
    losses: list[float] = []
    start = time.perf_counter()
    for step in range(steps):
        told = 0 if narratives is None else size // 2
        wanted: list[tuple[int, bool | None]] = [(int(n), narratives) for n in rng.choice(every, told)]
        wanted += [(int(n), None) for n in rng.choice(asked, size - told)]
        batch = sequences.batch(wanted)
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            loss = batch_loss(model, batch)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 100 == 0 or step == steps - 1:
            losses.append(round(float(loss.detach()), 4))
    seconds = time.perf_counter() - start
    return model.eval(), {"seconds": seconds, "losses": losses, "examples_per_s": steps * size / seconds}


def direct(model: Any, held: Sequences) -> list[bool]:
    """Whether the right letter scores highest."""
    from situ.train.model import last_states

    letters = [held.tokenizer.encode(letter, add_special_tokens=False)[0] for letter in "ABCD"]
    right: list[bool] = []
    asked = [i for i, example in enumerate(held.examples) if example.letter]
    for start in range(0, len(asked), 128):
        numbers = asked[start : start + 128]
        batch = held.batch([(n, None) for n in numbers], prompt_only=True)
        ends = batch["pack_ends"][1:].long() - 1
        states = last_states(model, batch)[0, ends]
        best = model.lm_head(states)[:, letters].argmax(dim=1).tolist()
        right += ["ABCD"[b] == held.examples[n].letter for b, n in zip(best, numbers, strict=True)]
    return right


def narrated(model: Any, held: Sequences, count: int) -> list[str]:
    """The model's narratives of the first clips; prompts are equally long, so a batch needs no padding."""
    import torch

    from situ.train.vision import normalised

    said: list[str] = []
    stop = held.tokenizer.convert_tokens_to_ids("<|im_end|>")
    for start in range(0, count, TOGETHER):
        numbers = list(range(start, min(start + TOGETHER, count)))
        tokens, _ = held.tokens(numbers[0], False)
        asked = tokens.labels.count(-100)
        ids = torch.tensor([tokens.ids[:asked]] * len(numbers), device=held.device)
        kinds = torch.tensor([tokens.kinds[:asked]] * len(numbers), device=held.device)
        pixels = normalised(held.patches(torch.tensor(numbers, device=held.device)), model.model.visual.dtype)
        made = model.generate(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            mm_token_type_ids=kinds,
            pixel_values_videos=pixels,
            video_grid_thw=torch.tensor([held.grid] * len(numbers), device=held.device),
            second_per_grid_ts=torch.full((len(numbers),), 2 / FPS, device=held.device),
            max_new_tokens=TOKENS,
            do_sample=False,
            eos_token_id=stop,
            pad_token_id=stop,
        )
        said += held.tokenizer.batch_decode(made[:, asked:], skip_special_tokens=True)
    return said


def from_narrative(text: str, example: Example) -> bool:
    """Whether the reader finds the answer in a narrative; what it does not tell is guessed."""
    assert example.question is not None
    segment = Segment(1, 1, FRAMES, *(between(text, tag) for tag in TAGS))
    reader = Reasoner(Narrative((segment,)))
    try:
        found = example.question.answer(reader.state).text
        place = SECTORS.index(found)
    except (Unanswerable, ValueError, SituError):
        chosen = reader.guess(example.question, example.options)
    else:
        # The option whose direction is nearest to the one found.
        turn = {option: (SECTORS.index(option) - place) % 8 for option in example.options}
        chosen = min(example.options, key=lambda option: min(turn[option], 8 - turn[option]))
    return chosen == example.answer


def with_question(examples: list[Example]) -> list[Example]:
    return [example for example in examples if example.letter]


def scores(model: Any, held: Sequences, narratives: bool | None, most: int) -> dict[str, Any]:
    import torch

    with torch.no_grad(), torch.autocast(held.device, dtype=torch.bfloat16, enabled=held.device == "cuda"):
        answers = direct(model, held)
        texts = narrated(model, held, most) if narratives is not None else []
    result: dict[str, Any] = {"direct": share(answers, with_question(held.examples))}
    if texts:
        there = [example.motions for example in held.examples[:most]]
        told = [told_classes(between(text, "camera")) for text in texts]
        result["camera_f1"] = f1_interval(told, there, [e.world for e in held.examples[:most]])
        pairs = [(t, e) for t, e in zip(texts, held.examples, strict=False) if e.letter]
        result["sns"] = share([from_narrative(t, e) for t, e in pairs], [e for _, e in pairs])
        result["sample"] = texts[:2]
    return result


def share(right: list[bool], examples: list[Example]) -> dict[str, Any]:
    low, high = clustered_wilson(right, [str(example.world) for example in examples])
    return {"n": len(right), "share": float(np.mean(right)), "interval": [low, high]}


def f1_interval(told: list[set[str]], there: list[Any], worlds: list[int]) -> dict[str, Any]:
    """Macro F1 of motion classes, with worlds drawn again for the interval."""
    groups = [[i for i, world in enumerate(worlds) if world == w] for w in dict.fromkeys(worlds)]
    values = []
    rng = np.random.default_rng(0)
    for weights in rng.multinomial(len(groups), np.full(len(groups), 1 / len(groups)), size=100):
        chosen = [i for weight, group in zip(weights, groups, strict=True) for i in group * int(weight)]
        values.append(macro_f1([told[i] for i in chosen], [there[i] for i in chosen]))
    low, high = map(float, np.nanpercentile(values, [2.5, 97.5]))
    return {"n": len(told), "macro_f1": macro_f1(told, there), "interval": [low, high]}


def controls(train_set: list[Example], held: list[Example], most: int) -> dict[str, Any]:
    """What can be had without looking, and what perfect narratives give."""
    usual: dict[str, int] = {}
    for example in with_question(train_set):
        usual[example.answer] = usual.get(example.answer, 0) + 1
    asked, some = with_question(held), held[:most]
    told = with_question(some)
    blind = [max(e.options, key=lambda o: usual.get(o, 0)) == e.answer for e in asked]
    common = max(
        {name for e in train_set for name in e.motions}, key=lambda n: sum(n in e.motions for e in train_set)
    )
    return {
        "usual_answer": share(blind, asked),
        "oracle_full": share([from_narrative(e.told(True), e) for e in told], told),
        "oracle_scene": share([from_narrative(e.told(False), e) for e in told], told),
        "constant_motion_f1": macro_f1([{common}] * len(some), [e.motions for e in some]),
    }


def run() -> None:
    import torch

    from situ.train.random_model import random_config, train_tokenizer

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=200)
    parser.add_argument("--clips", type=int, default=60)
    parser.add_argument("--held-worlds", type=int, default=40)
    parser.add_argument("--held-clips", type=int, default=25)
    parser.add_argument("--told", type=int, default=400, help="held-out clips that are narrated")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--arm-seconds", type=float, help="as many steps as take so long for the slowest arm")
    parser.add_argument("--size", default="small")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--seeds", default="0")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=1e9, help="no further model is begun after this")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    began = time.perf_counter()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    examples_of_world = list(make_examples(5, range(given.worlds), given.clips, given.jobs))
    held_worlds = range(100_000, 100_000 + given.held_worlds)
    held_of_world = list(make_examples(5, held_worlds, given.held_clips, given.jobs))
    train_set = [e for some in examples_of_world for e in some]
    # Held-out clips in turns of worlds, so that the first of them come from all worlds.
    turns = max(len(some) for some in held_of_world)
    held_set = [some[i] for i in range(turns) for some in held_of_world if i < len(some)]
    texts = [e.told(True) for e in train_set[:3000]] + [e.prompt for e in with_question(train_set)[:2000]]
    tokenizer = train_tokenizer(texts, 2048)
    train_sequences = Sequences(train_set, tokenizer, device)
    held = Sequences(held_set, tokenizer, device)
    result: dict[str, Any] = {
        "train_clips": len(train_set),
        "held_clips": len(held_set),
        "made_in_s": time.perf_counter() - began,
        "steps": given.steps,
        "batch": given.batch,
        "controls": controls(train_set, held_set, given.told),
        "arms": [],
    }
    if given.arm_seconds:
        first = train(train_sequences, random_config(given.size, tokenizer), True, 12, given.batch, 0)[1]
        tried = train(train_sequences, random_config(given.size, tokenizer), True, 20, given.batch, 0)[1]
        given.steps = result["steps"] = max(20, int(given.arm_seconds * 20 / tried["seconds"]))
        result["first_steps_s"] = first["seconds"]
    print(json.dumps(result), flush=True)
    for seed in given.seeds.split(","):
        for name, narratives in ARMS.items():
            if time.perf_counter() - began > given.seconds:
                continue
            config = random_config(given.size, tokenizer)
            model, log = train(train_sequences, config, narratives, given.steps, given.batch, int(seed))
            entry = {"arm": name, "seed": int(seed), **log, **scores(model, held, narratives, given.told)}
            entry["train_direct"] = float(np.mean(direct_on(model, train_sequences)))
            result["arms"].append(entry)
            print(json.dumps(entry), flush=True)
            if given.out:
                given.out.write_text(json.dumps(result, indent=1))


def direct_on(model: Any, sequences: Sequences) -> list[bool]:
    """Direct questions about clips that were trained on: how much is learnt by heart."""
    import torch

    with (
        torch.no_grad(),
        torch.autocast(sequences.device, dtype=torch.bfloat16, enabled=sequences.device == "cuda"),
    ):
        whole = sequences.examples
        sequences.examples = whole[:1500]
        right = direct(model, sequences)
        sequences.examples = whole
    return right


if __name__ == "__main__":
    run()
