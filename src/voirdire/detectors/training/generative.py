"""Train a generative CogniDet with TRL's SFTTrainer: all weights, or a LoRA adapter (CogniBench A.8.2)."""

from __future__ import annotations

import os
import tempfile
import time
import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import datasets
import torch
from peft import LoraConfig
from transformers import AutoModelForCausalLM, PrinterCallback, TrainerCallback
from trl import SFTConfig, SFTTrainer

from voirdire.data.prompt_files import load_prompt
from voirdire.detectors.base import DetectorOptions, open_detector
from voirdire.detectors.calibration import score_answers
from voirdire.detectors.generative.cognidet import PROMPT
from voirdire.detectors.neural._folders import check_weights
from voirdire.detectors.neural._loading import load_error_text, quiet
from voirdire.detectors.records import Answer, DetectorError
from voirdire.detectors.training.card import (
    Evaluation,
    fingerprint,
    new_folder,
    without_threshold,
    write_card,
    write_settings,
)
from voirdire.detectors.training.chats import TrainingChats, gather
from voirdire.detectors.training.records import CogniDetOptions, Report, Step, TrainedDetector, describe_data

WARM_UP = 0.03
SCHEDULE = "cosine"
_LISTED = 0.5
"""A sentence is listed or not: any threshold between does."""


def train_cognidet(answers: Sequence[Answer], out: Path, options: CogniDetOptions, report: Report) -> TrainedDetector:
    """Train a CogniDet and save it as `cognidet:FOLDER`; the loss is that of the reply alone.

    With several processes (`torchrun`) the first one judges and writes the card.

    Args:
        answers: labelled ones; those with an unlabelled sentence, and those that are too long, are left out.
        out: a new folder.
        options: of the training.
        report: is told of each step.

    Raises:
        DetectorError: too little data, a base that can't be loaded, a device that can't be named here, or a folder
            that is there already.
    """
    began = time.monotonic()
    if options.device not in ("auto", "cpu"):
        raise DetectorError("Give --device auto or cpu here; which GPUs are used is set by CUDA_VISIBLE_DEVICES.")
    if options.merge and (options.method != "lora" or int(os.environ.get("WORLD_SIZE", "1")) > 1):
        raise DetectorError("--merge is for a LoRA adapter, trained by one process.")
    material = gather(answers, options)
    folder = new_folder(out)
    losses, leads = _fit(material, folder, options, report)
    judged = _judge(material, folder, options, report) if leads else Evaluation(_LISTED, None, "Judged elsewhere.")
    trained = TrainedDetector(
        kind="cognidet",
        folder=folder,
        base=options.base,
        threshold=judged.threshold,
        figures=judged.figures,
        losses=losses,
        data={
            **describe_data(answers, options.require),
            "learnt_from": material.plan.statements,
            "sha256": fingerprint(answers),
        },
        seconds=time.monotonic() - began,
        note=judged.note,
    )
    if leads:
        _describe(trained, material, options)
    return trained


def _fit(
    material: TrainingChats, folder: Path, options: CogniDetOptions, report: Report
) -> tuple[tuple[float, ...], bool]:
    """Train and save; the mean loss of each epoch, and whether this process leads the others."""
    tokenizer = material.tokenizer
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    loss_log = _LossLog(report)
    with tempfile.TemporaryDirectory() as scratch, quiet(), _silence():
        trainer = SFTTrainer(
            model=_load(options),
            args=_settings(scratch, material, options),
            train_dataset=datasets.Dataset.from_list(material.chats),
            processing_class=tokenizer,
            peft_config=_adapter(options),
            callbacks=[loss_log],
        )
        trainer.remove_callback(PrinterCallback)
        trainer.train()
        if options.merge:
            trainer.model.merge_and_unload().save_pretrained(folder)
            tokenizer.save_pretrained(folder)
        else:
            trainer.save_model(str(folder))
            (folder / "training_args.bin").unlink(missing_ok=True)  # pickled, and of no use for opening it
    return loss_log.epochs(), trainer.is_world_process_zero()


def _load(options: CogniDetOptions) -> Any:
    """The base: in bfloat16 under an adapter on a GPU, else in full precision, which learning itself needs."""
    check_weights(options.base)
    half = options.method == "lora" and _on_gpu(options)
    try:
        return AutoModelForCausalLM.from_pretrained(
            options.base,
            dtype=torch.bfloat16 if half else torch.float32,
            trust_remote_code=False,
            use_safetensors=True,
        )
    except Exception as error:  # of many kinds, as in voirdire.detectors.neural._loading
        raise DetectorError(load_error_text(options.base, error)) from error


def _settings(scratch: str, material: TrainingChats, options: CogniDetOptions) -> SFTConfig:
    """Epochs, batch and rate are the paper's by default; it names neither schedule, warm-up nor optimizer."""
    return SFTConfig(
        output_dir=scratch,
        num_train_epochs=options.epochs,
        per_device_train_batch_size=options.batch_size,
        gradient_accumulation_steps=options.gradient_accumulation,
        learning_rate=options.lr,
        lr_scheduler_type=SCHEDULE,
        warmup_steps=round(WARM_UP * material.plan.steps),
        max_length=options.max_length,
        completion_only_loss=True,
        gradient_checkpointing=_on_gpu(options),
        bf16=_on_gpu(options),
        use_cpu=not _on_gpu(options),
        seed=options.seed,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
    )


def _adapter(options: CogniDetOptions) -> LoraConfig | None:
    if options.method == "full":
        return None
    return LoraConfig(
        task_type="CAUSAL_LM",
        r=options.lora_rank,
        lora_alpha=options.lora_alpha,
        lora_dropout=options.lora_dropout,
        target_modules="all-linear",
    )


def _on_gpu(options: CogniDetOptions) -> bool:
    return options.device == "auto" and torch.cuda.is_available()


class _LossLog(TrainerCallback):  # type: ignore[misc]  # transformers has no types
    """Keeps every step's loss, and passes it on."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._losses: dict[int, list[float]] = defaultdict(list)

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, float] | None = None, **rest: Any) -> None:
        if logs and "loss" in logs:
            epoch = -(-state.global_step * args.num_train_epochs // state.max_steps)
            self._losses[int(epoch)].append(logs["loss"])
            self._report(Step("training", state.global_step, state.max_steps, logs["loss"]))

    def epochs(self) -> tuple[float, ...]:
        return tuple(sum(losses) / len(losses) for _, losses in sorted(self._losses.items()))


@contextmanager
def _silence() -> Iterator[None]:
    """No bars of `datasets`, and no word on what these libraries will rename in each other."""
    enabled = datasets.is_progress_bar_enabled()
    datasets.disable_progress_bars()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            yield
    finally:
        if enabled:
            datasets.enable_progress_bars()


def _judge(material: TrainingChats, folder: Path, options: CogniDetOptions, report: Report) -> Evaluation:
    """How it does on what was put aside, judged as a user would; a training is not lost when that fails."""
    if not material.held_out:
        return without_threshold(None, _LISTED)
    report(Step("scoring", 0, len(material.held_out)))
    try:
        detector_options = DetectorOptions(device=options.device, batch_size=options.batch_size)
        detector = open_detector(f"cognidet:{folder}", detector_options)
        sample = score_answers(detector, material.held_out, require=options.require, history=options.history)
    except DetectorError as error:
        return Evaluation(_LISTED, None, f"It was not judged: {error}")
    report(Step("scoring", len(material.held_out), len(material.held_out)))
    return without_threshold(sample, _LISTED)


def _describe(trained: TrainedDetector, material: TrainingChats, options: CogniDetOptions) -> None:
    write_settings(
        trained.folder,
        {
            "kind": "cognidet",
            "method": options.method,
            "merged": options.merge,
            "base": options.base,
            "require": options.require,
            "history": options.history,
            "prompt_sha256": load_prompt(PROMPT).sha256,
        },
    )
    plan = material.plan
    adapter = f"LoRA, rank {options.lora_rank}, alpha {options.lora_alpha}, dropout {options.lora_dropout:g}"
    write_card(
        trained,
        options,
        {
            "method": "all weights" if options.method == "full" else adapter,
            "gradient accumulation": options.gradient_accumulation,
            "schedule": f"{SCHEDULE}, warm-up {WARM_UP:.0%}",
            "examples": f"{plan.examples}, {plan.clean} of them without a hallucination",
            "left out": f"{plan.incomplete} not labelled throughout, {plan.too_long} too long",
        },
    )
