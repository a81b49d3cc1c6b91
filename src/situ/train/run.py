"""Fine-tuning with TRL: the recipe on a training set, with resuming, logging, and a look before and after."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from situ.errors import BadInput, MissingExtra
from situ.train.arms import rows_of_arm
from situ.train.collate import Collator
from situ.train.families import family_of
from situ.train.model import load_model, packed_forward, prepare, save
from situ.train.recipe import TrainRecipe
from situ.train.resume import CHECKPOINTS, MODEL, begin, earlier_result, finish, last_checkpoint, settings_of
from situ.train.rows import TrainingRow, read_rows

LOG = "log.jsonl"
Look = Callable[[Any, Any], dict[str, Any]]  # model and tokenizer to scores


def fine_tune(
    data: Path,
    model: str,
    out: Path,
    recipe: TrainRecipe,
    look: Look | None = None,
    compiled: bool = False,
    arm: str = "camera",
) -> dict[str, Any]:
    """Train `model` on a set and save it in `out`/model. A run that was interrupted goes on where it was.

    Of a finished run the result is given as it was, with `finished_before`, and nothing is trained; a folder
    with a run of other settings is refused. `look` is called before and after with the model and its
    tokenizer; what it says goes into the result.
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
    told = {
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
        finish(out, told)
    return told


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
                )  # the number is of all, and gradients are averaged
            return (loss, None) if return_outputs else loss

        def _load_from_checkpoint(self, folder: str, model: Any = None) -> None:
            # The trainer reads a checkpoint by the names of this version's modules, which are not the names
            # that weights are saved under; nothing would be loaded. `from_pretrained` knows both.
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
    # The loss is a mean over all learnt tokens of an update, whichever process and step they are in: a letter
    # does not count as much as a narrative.
    trainer.model_accepts_loss_kwargs = True
    trainer.remove_callback(PrinterCallback)  # it prints where results go
    trainer.add_callback(_watcher(out))
    return trainer


class _Numbered:
    """TRL's data set holds numbers of examples; the examples are read when a batch is made."""

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
        warmup_steps=recipe.warmup_ratio,  # below 1 it is a share of all steps
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
        gradient_checkpointing=False,  # `prepare` turns it on for the language model alone
        use_cpu=not torch.cuda.is_available(),
        ddp_find_unused_parameters=False,  # every trained weight takes part in every step
        ddp_broadcast_buffers=False,  # they are padded frozen weights, the same in every process
        report_to="none",
        disable_tqdm=True,
    )


def _watcher(out: Path) -> Any:
    """Losses line by line, as they come, and no checkpoint but every so many steps.

    The trainer would save one more at the end, with all that the optimizer keeps: of a model of 3 billion
    weights 40 GB, beside the model itself.
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
