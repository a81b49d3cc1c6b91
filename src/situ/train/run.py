"""Fine-tuning with TRL: training on a set with resuming, logging, and evaluation before and after.

OUT/settings.json   settings that determine the result
OUT/finished.json   the result, with the sizes of the model files; written last
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from situ.benchmarks.dataset import write_atomically
from situ.errors import BadInput, MissingExtra, Refused
from situ.train.arms import rows_of_arm
from situ.train.collate import Collator
from situ.train.families import family_of
from situ.train.model import load_model, packed_forward, prepare, save
from situ.train.recipe import TrainRecipe
from situ.train.rows import ROWS, TrainingRow, read_rows

LOG = "log.jsonl"
Look = Callable[[Any, Any], dict[str, Any]]  # evaluation: model and tokenizer to scores


def fine_tune(
    data: Path,
    model: str,
    out: Path,
    recipe: TrainRecipe,
    look: Look | None = None,
    compiled: bool = False,
    arm: str = "camera",
) -> dict[str, Any]:
    """Train `model` on a set and save it in `out`/model. An interrupted run resumes.

    For a finished run, its result is returned with `finished_before`, without training; a folder with a run
    of other settings raises Refused. `look` is called with model and tokenizer before and after training; its
    results are part of the result.
    """
    rows = rows_of_arm(list(read_rows(data)), arm, recipe.seed)
    if not rows:
        raise BadInput(f"{data} holds no examples")
    settings = settings_of(data, model, recipe, arm)
    earlier = earlier_result(out, settings)
    if earlier is not None:
        return {**earlier, "model": str(out / MODEL), "finished_before": True}
    loaded, tokenizer = load_model(model)
    trained = prepare(loaded, recipe, compiled)
    before = look(trained, tokenizer) if look else None
    trainer = trainer_for(trained, tokenizer, data, rows, out, recipe)
    if trainer.is_world_process_zero():
        begin(out, settings)
    import torch

    try:
        result = trainer.train(resume_from_checkpoint=last_checkpoint(out))
    except torch.OutOfMemoryError as error:
        raise BadInput(
            f"the GPU's memory ran out ({' '.join(str(error).split())[:120]}). Lower --batch (and raise "
            "--accumulate), give --checkpointing, or train adapters with --lora 16"
        ) from error
    if trainer.is_world_process_zero():  # all processes hold the same weights
        save(trained, tokenizer, out / MODEL)
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    result = {
        "model": str(out / MODEL),
        "arm": arm,
        "examples": len(rows),
        "steps": int(trainer.state.global_step),
        "loss": float(result.training_loss),
        "last_loss": float(losses[-1]) if losses else None,
        "before": before,
        "after": look(trained, tokenizer) if look else None,
        "finished_before": False,
    }
    if trainer.is_world_process_zero():
        finish(out, result)
    return result


def trainer_for(
    trained: Any, tokenizer: Any, data: Path, rows: list[TrainingRow], out: Path, recipe: TrainRecipe
) -> Any:
    """TRL's trainer on packed rows of several examples."""
    try:
        import torch
        from datasets import Dataset
        from transformers import PrinterCallback
        from trl import SFTTrainer
    except ModuleNotFoundError as error:
        raise MissingExtra("train", "fine-tuning") from error

    class Trainer(SFTTrainer):  # type: ignore[misc]
        def compute_loss(
            self, model: Any, inputs: Any, return_outputs: bool = False, num_items_in_batch: Any = None
        ) -> Any:
            loss = model(**inputs, total=num_items_in_batch)["loss"]
            if self.args.average_tokens_across_devices and num_items_in_batch is not None:
                loss = (
                    loss * self.accelerator.num_processes
                )  # the count is over all processes, and gradients are averaged
            return (loss, None) if return_outputs else loss

        def _load_from_checkpoint(self, folder: str, model: Any = None) -> None:
            # The trainer loads checkpoints by the module names of this version, which differ from the names
            # that weights are saved under, so nothing would be loaded. `from_pretrained` knows both.
            if recipe.lora_rank:
                super()._load_from_checkpoint(folder, model)
                return
            saved = type(trained).from_pretrained(folder, dtype=torch.float32)
            trained.load_state_dict(saved.state_dict())

    family = family_of(trained.config.model_type)
    pace = 1.0 if family.timed else float(trained.config.vision_config.tokens_per_second)
    trainer = Trainer(
        model=trained,
        args=_settings(recipe, out),
        data_collator=_Numbered(rows, Collator(data, tokenizer, recipe, pace, family)),
        train_dataset=Dataset.from_dict({"number": list(range(len(rows)))}),
        processing_class=tokenizer,
    )
    packed_forward(trained)
    # The loss is a mean over all trained tokens of an update, over processes and accumulation steps, so the
    # letter of a multiple choice counts less than a narrative.
    trainer.model_accepts_loss_kwargs = True
    trainer.remove_callback(PrinterCallback)  # it prints to the output of results
    trainer.add_callback(_watcher(out))
    return trainer


class _Numbered:
    """TRL's dataset holds indices; the examples are read when a batch is made."""

    def __init__(self, rows: list[TrainingRow], pack: Collator) -> None:
        self.rows, self.pack = rows, pack

    def __call__(self, numbers: list[dict[str, int]]) -> dict[str, Any]:
        return self.pack([self.rows[entry["number"]] for entry in numbers])


def _settings(recipe: TrainRecipe, out: Path) -> Any:
    import torch
    from trl import SFTConfig

    return SFTConfig(
        output_dir=str(out / CHECKPOINTS),
        per_device_train_batch_size=recipe.batch,
        gradient_accumulation_steps=recipe.accumulate,
        learning_rate=recipe.learning_rate,
        lr_scheduler_type="cosine",
        warmup_steps=recipe.warmup_ratio,  # below 1: a share of all steps
        num_train_epochs=recipe.epochs,
        max_steps=recipe.max_steps,
        max_length=recipe.max_tokens,
        bf16=recipe.bf16,
        fp16=False,
        optim="adamw_torch_fused" if torch.cuda.is_available() else "adamw_torch",
        max_grad_norm=1.0,
        logging_steps=1,
        save_steps=recipe.save_every,
        save_total_limit=2,
        seed=recipe.seed,
        data_seed=recipe.seed,
        dataloader_num_workers=recipe.loaders,
        dataloader_prefetch_factor=4 if recipe.loaders else None,
        accelerator_config={"non_blocking": torch.cuda.is_available()},
        dataloader_persistent_workers=recipe.loaders > 0,
        remove_unused_columns=False,
        dataset_kwargs={"skip_prepare_dataset": True},
        gradient_checkpointing=False,  # `prepare` enables it for the language model only
        use_cpu=not torch.cuda.is_available(),
        ddp_find_unused_parameters=False,  # every trained weight is used in every step
        ddp_broadcast_buffers=False,  # buffers are padded frozen weights, equal in all processes
        report_to="none",
        disable_tqdm=True,
    )


def _watcher(out: Path) -> Any:
    """Callback that logs losses line by line and saves checkpoints only at the given interval.

    The trainer would save one more at the end with the optimizer state: 40 GB for a model of 3 billion
    weights, besides the model itself.
    """
    from transformers import TrainerCallback

    class Watcher(TrainerCallback):  # type: ignore[misc]
        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            if state.is_world_process_zero and logs:
                out.mkdir(parents=True, exist_ok=True)
                with (out / LOG).open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"step": state.global_step, **logs}) + "\n")

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            control.should_save = control.should_save and state.global_step % state.save_steps == 0

    return Watcher()


SETTINGS, FINISHED, MODEL, CHECKPOINTS = "settings.json", "finished.json", "model", "checkpoints"
FREE = ("save_every", "loaders", "checkpointing")  # settings of a recipe that do not affect the result


def settings_of(data: Path, model: str, recipe: TrainRecipe, arm: str) -> dict[str, Any]:
    """All settings that determine the result of a run."""
    with (data / ROWS).open("rb") as file:
        examples = hashlib.file_digest(file, "sha256").hexdigest()
    name = str(Path(model).resolve()) if Path(model).is_dir() else model
    chosen = {key: value for key, value in asdict(recipe).items() if key not in FREE}
    return {"training set": examples, "model": name, "arm": arm, **chosen}


def earlier_result(out: Path, settings: dict[str, Any]) -> dict[str, Any] | None:
    """Result of a finished run, or None if there is something to train. Raises for the folder of another
    run."""
    finished = _finished(out)
    if finished is None and last_checkpoint(out) is None:
        return None
    begun = _read(out / SETTINGS)
    if begun is not None:
        other = sorted(key for key in begun.keys() | settings.keys() if begun.get(key) != settings.get(key))
        if other:
            was = ", ".join(f"{key} {begun.get(key)} (given: {settings.get(key)})" for key in other)
            raise Refused(
                f"{out} holds a run of other settings: {was}. Give those of the run to go on with it, or "
                "another folder."
            )
    return finished


def begin(out: Path, settings: dict[str, Any]) -> None:
    """Store the settings of the run; removes the result of an earlier one."""
    out.mkdir(parents=True, exist_ok=True)
    (out / FINISHED).unlink(missing_ok=True)
    write_atomically(out / SETTINGS, (json.dumps(settings, indent=1) + "\n").encode())


def finish(out: Path, result: dict[str, Any]) -> None:
    """Store the result, after the model was saved completely."""
    files = sorted(path for path in (out / MODEL).rglob("*") if path.is_file())
    sizes = {path.relative_to(out).as_posix(): path.stat().st_size for path in files}
    write_atomically(
        out / FINISHED, (json.dumps({"result": result, "files": sizes}, indent=1) + "\n").encode()
    )


def last_checkpoint(out: Path) -> str | None:
    found = sorted((out / CHECKPOINTS).glob("checkpoint-*"), key=lambda path: int(path.name.split("-")[1]))
    # A checkpoint without trainer state was incomplete when the run was interrupted.
    whole = [path for path in found if (path / "trainer_state.json").is_file()]
    return str(whole[-1]) if whole else None


def _finished(out: Path) -> dict[str, Any] | None:
    record = _read(out / FINISHED)
    if record is None or not record.get("files"):
        return None
    sizes = {name: (out / name).stat().st_size if (out / name).is_file() else -1 for name in record["files"]}
    return dict(record["result"]) if sizes == record["files"] else None


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
