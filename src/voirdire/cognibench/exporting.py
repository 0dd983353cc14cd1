"""Give labelled answers away: as training chats, in the authors' layout, for the hub, as JSON Lines."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voirdire.cognibench.formats import Problem, Problems, Tell, model_names, read_data, write_jsonl
from voirdire.cognibench.formats.entries import LABELLED_BY_MODEL
from voirdire.cognibench.formats.jsonl import as_entry
from voirdire.cognibench.formats.released import DIALOGUES, write_released
from voirdire.cognibench.formats.released import LABELS as LABEL_FILE
from voirdire.cognibench.records import CognibenchError
from voirdire.data.manifests import made_by, sha256, write_manifest
from voirdire.data.parquet import open_writer
from voirdire.data.paths import check_folder_of, set_paths, why_unwritable
from voirdire.detectors.records import LABELS, Answer, History, Require, hallucinated, passage_of
from voirdire.models.secrets import without_known_secrets
from voirdire.runs import made_with
from voirdire.text.counting import counted, listed
from voirdire.text.markdown import code

Parts = Mapping[str, Sequence[Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersExportPlan:
    """What to export, and how."""

    source: Path
    """A labelled run, or any data set that is read."""
    target: str
    """One of `TARGETS`."""
    out: Path
    """File, or folder; nothing may be there yet."""
    split: float | None = None
    """Share of the groups that goes to train; the others are test. `None`: all in one."""
    seed: int = 0
    require: Require = "grounded"
    """What counts as a hallucination in training chats."""
    history: History = "none"
    """Which earlier turns count as evidence in training chats."""

    def __post_init__(self) -> None:
        set_paths(self, "source", "out")


@dataclass(frozen=True, slots=True)
class DetectionExport:
    """What was written."""

    out: Path
    files: tuple[Path, ...]
    manifest: dict[str, Any]
    notes: tuple[str, ...]
    """What could not be read or written as it stands, in sentences."""

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {"out": str(self.out), "files": [str(path) for path in self.files], **self.manifest}


def export_answers(plan: AnswersExportPlan, metadata: Mapping[str, Any] | None = None) -> DetectionExport:
    """Read the source, write the target with a manifest beside it.

    Args:
        plan: what and how.
        metadata: further entries of the manifest, such as those of the run that is exported.

    Raises:
        CognibenchError: the source can't be read or holds nothing for this target, the target is none of `TARGETS`,
            something stands at `out`, or a split leaves a part empty.
    """
    write = TARGETS.get(plan.target)
    if write is None:
        raise CognibenchError(f"There is no target {plan.target!r}; there are {', '.join(TARGETS)}.")
    if plan.out.exists() and (plan.out.is_file() or any(plan.out.iterdir())):
        raise CognibenchError(f"{plan.out} already exists: choose another place to export to.")
    problems = Problems()
    reading = read_data(plan.source)
    for problem in reading.problems:
        problems(problem)
    answers = without_known_secrets(reading.answers)
    if plan.target == "sft":
        answers = _fully_labelled(answers, plan.source, problems)
    parts = split_by_group(answers, plan.split, plan.seed)
    try:
        files = write(parts, plan, problems)
        place, manifest = write_manifest(plan.out, {**_manifest(plan, parts), **(metadata or {})}, files)
    except OSError as error:
        place = error.filename or plan.out
        raise CognibenchError(f"{place} can't be written: {why_unwritable(error, plan.out)}.") from error
    notes = (*label_origin(answers), *problems.sentences())
    return DetectionExport(plan.out, (*files, place), manifest, notes)


def label_origin(answers: Sequence[Answer], name: Callable[[str], str] = str) -> tuple[str, ...]:
    """Where a model labelled: which, that no person did, and where the labels of people are, in a sentence each."""
    by_model = [each for each in answers if each.labelled and each.labelled_by_model is not None]
    if not by_model:
        return ()
    names = listed([name(each) for each in model_names(by_model)])
    whole = len(by_model) == sum(each.labelled for each in answers)
    which = "The labels" if whole else f"The labels of {counted(len(by_model), 'answer')}"
    text = f"{which} were given by a model ({names}), and no person checked them (column {LABELLED_BY_MODEL})."
    pairs = [(s.label, s.human_label) for each in by_model for s in each.statements if s.human_label is not None]
    if not pairs:
        return (text,)
    differ = sum(label != human for label, human in pairs)
    return (
        text,
        f"People had labelled {len(pairs):,} of these statements: human_label keeps their labels, of which {differ:,} "
        "differ.",
    )


def split_by_group(answers: Sequence[Answer], share: float | None, seed: int) -> dict[str, list[Answer]]:
    """Put whole groups into "train" and "test": what shares a context never stands on both sides.

    Args:
        answers: in any order; it is kept.
        share: of the groups that go to train, between 0 and 1; `None` puts all of them there, and makes no test part.
        seed: of the draw.

    Raises:
        CognibenchError: the share leaves a part empty.
    """
    if share is None:
        return {"train": list(answers)}
    groups = sorted({answer.group for answer in answers})
    random.Random(seed).shuffle(groups)  # noqa: S311 (a reproducible draw, not a secret)
    train = set(groups[: round(share * len(groups))])
    parts = {
        "train": [answer for answer in answers if answer.group in train],
        "test": [answer for answer in answers if answer.group not in train],
    }
    if not (0 < share < 1 and all(parts.values())):
        raise CognibenchError(
            f"A split of {share:g} of {counted(len(groups), 'group')} leaves a part empty: choose another."
        )
    return parts


def training_chats(
    answers: Sequence[Answer], require: Require = "grounded", history: History = "none"
) -> list[dict[str, Any]]:
    """Training chats of a generative detector: what it is shown, and the hallucinated sentences that it has to list.

    Args:
        answers: with a label on every statement.
        require: what counts as a hallucination.
        history: which earlier turns count as evidence.
    """
    from voirdire.detectors.generative.cognidet import build_messages, format_reply

    conversations = []
    for answer in answers:
        wrong = [each.text for each in answer.statements if each.label and hallucinated(each.label, require)]
        messages = [*build_messages(passage_of(answer, history)), {"role": "assistant", "content": format_reply(wrong)}]
        model = answer.labelled_by_model
        origin = {} if model is None else {LABELLED_BY_MODEL: model}
        conversations.append({"id": answer.id, "group": answer.group, **origin, "messages": messages})
    return conversations


def _fully_labelled(answers: Sequence[Answer], source: Path, tell: Tell) -> list[Answer]:
    """A chat that leaves a sentence out says that it is supported: all must be labelled."""
    usable = [each for each in answers if each.statements and all(s.label is not None for s in each.statements)]
    complete = {answer.id for answer in usable}
    for answer in answers:
        if answer.id not in complete:
            tell(Problem("not held", answer.id, "left out, as not every statement is labelled"))
    if not usable:
        raise CognibenchError(f"{source} holds no answer of which every statement is labelled.")
    return usable


def _write_sft(parts: Parts, plan: AnswersExportPlan, tell: Tell) -> list[Path]:
    def write(answers: Sequence[Answer], path: Path) -> None:
        lines = training_chats(answers, plan.require, plan.history)
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")

    return _write_lines(parts, plan, write)


def _write_jsonl(parts: Parts, plan: AnswersExportPlan, tell: Tell) -> list[Path]:
    return _write_lines(parts, plan, write_jsonl)


def _write_lines(
    parts: Parts, plan: AnswersExportPlan, write: Callable[[Sequence[Answer], Path], object]
) -> list[Path]:
    """One file where there is one part, else a folder with a file a part."""
    if plan.split is None:
        check_folder_of(plan.out, CognibenchError)
        paths = [plan.out]
    else:
        plan.out.mkdir(parents=True, exist_ok=True)
        paths = [plan.out / f"{name}.jsonl" for name in parts]
    for answers, path in zip(parts.values(), paths, strict=True):
        write(answers, path)
    return paths


def _write_released(parts: Parts, plan: AnswersExportPlan, tell: Tell) -> list[Path]:
    folders = [plan.out] if plan.split is None else [plan.out / name for name in parts]
    for answers, folder in zip(parts.values(), folders, strict=True):
        folder.mkdir(parents=True, exist_ok=True)
        write_released(answers, folder, tell)
    return [folder / name for folder in folders for name in (DIALOGUES, LABEL_FILE)]


def _write_huggingface(parts: Parts, plan: AnswersExportPlan, tell: Tell) -> list[Path]:
    plan.out.mkdir(parents=True, exist_ok=True)
    card = plan.out / CARD
    files = write_parts(parts, plan.out)
    card.write_text(_card(parts, plan.source.resolve().name, _manifest(plan, parts)), encoding="utf-8")
    return [*files, card]


TARGETS: dict[str, Callable[[Parts, AnswersExportPlan, Tell], list[Path]]] = {
    "sft": _write_sft,
    "released": _write_released,
    "huggingface": _write_huggingface,
    "jsonl": _write_jsonl,
}
"""What answers can be exported to."""


def _manifest(plan: AnswersExportPlan, parts: Parts) -> dict[str, Any]:
    answers = [answer for part in parts.values() for answer in part]
    labels = Counter(each.label for answer in answers for each in answer.statements)
    return {
        "made_by": made_by(),
        "target": plan.target,
        "made_with": made_with(),
        "source": plan.source.resolve().name,
        "sha256": digests(plan.source),
        "answers": {name: len(part) for name, part in parts.items()},
        "groups": {name: len({answer.group for answer in part}) for name, part in parts.items()},
        "statements": sum(labels.values()),
        "labels": {label: labels[label] for label in LABELS if labels[label]},
        "unlabelled": labels[None],
        LABELLED_BY_MODEL: model_names(answers),
        "split": None if plan.split is None else {"share": plan.split, "by": "group", "seed": plan.seed},
        **({"require": plan.require, "history": plan.history} if plan.target == "sft" else {}),
    }


def digests(source: Path) -> dict[str, str]:
    """SHA-256 of the file, or of each file in the folder, by name."""
    files = [source] if source.is_file() else sorted(path for path in source.iterdir() if _counts(path))
    return {path.name: sha256(path) for path in files}


def _counts(path: Path) -> bool:
    return path.is_file() and not path.name.startswith(".") and path.suffix not in {".sqlite-wal", ".sqlite-shm"}


CARD = "README.md"
_COLUMNS = {
    **dict.fromkeys(("id", "dialogue", "group"), "VARCHAR"),
    "turn": "BIGINT",
    **dict.fromkeys(("topic", "model", LABELLED_BY_MODEL, "context"), "VARCHAR"),
    "history": 'STRUCT("user" VARCHAR, assistant VARCHAR)[]',
    "question": "VARCHAR",
    "answer": "VARCHAR",
    "statements": 'STRUCT("text" VARCHAR, "start" BIGINT, "end" BIGINT, "label" VARCHAR, human_label VARCHAR)[]',
}
"""Types of what is written for the hub, by name."""


def write_parts(parts: Mapping[str, Sequence[Answer]], folder: Path) -> list[Path]:
    """Write each part ("train", "test") as one parquet file; the paths, in order."""
    (folder / "data").mkdir()
    written = []
    for name, answers in parts.items():
        path = folder / "data" / f"{name}-00000-of-00001.parquet"
        with open_writer(path, _COLUMNS) as writer:
            writer.write(as_entry(answer) for answer in answers)
        written.append(path)
    return written


def front_matter(parts: Mapping[str, Sequence[Answer]]) -> dict[str, Any]:
    """The head of the card: which file is which part, and what can be counted."""
    answers = sum(len(part) for part in parts.values())
    return {
        "configs": [
            {
                "config_name": "default",
                "data_files": [{"split": name, "path": f"data/{name}-*.parquet"} for name in parts],
            }
        ],
        "task_categories": ["text-classification"],
        "tags": ["hallucination", "faithfulness", "retrieval-augmented-generation"],
        "size_categories": [_size(answers)],
    }


def _size(rows: int) -> str:
    """The hub's name for so many rows."""
    low = "n"
    for limit, name in ((1_000, "1K"), (10_000, "10K"), (100_000, "100K"), (1_000_000, "1M")):
        if rows < limit:
            return f"{low}<{name}" if low == "n" else f"{low}<n<{name}"
        low = name
    return "n>1M"


def _card(parts: Mapping[str, Sequence[Answer]], source: str, manifest: Mapping[str, Any]) -> str:
    """The data card: a head for the hub, what the rows are, and where they come from."""
    import yaml

    answers = [answer for part in parts.values() for answer in part]
    statements = [statement for answer in answers for statement in answer.statements]
    labels = Counter(statement.label for statement in statements)
    counted = "\n".join(f"| {label} | {labels[label]:,} |" for label in LABELS if labels[label])
    hashes = "\n".join(f"- {code(name)}: SHA-256 `{digest}`" for name, digest in manifest["sha256"].items())
    head = yaml.safe_dump(front_matter(parts), sort_keys=False)
    origin = " ".join(label_origin(answers, code)) or "The data name no model as labeller."
    sizes = ", ".join(f"{name} {len(part):,}" for name, part in parts.items())
    return f"""---
{head}---

# Grounded answers, labelled sentence by sentence

One row is an answer: its `context` (the evidence), the earlier turns (`history`), the `question`, the `answer`, and its
`statements`, each with `text`, `start`, `end` (characters of the answer), `label` and, where `labelled_by_model` names
a model, `human_label`: what people had labelled. Rows of one `group` share their context: keep them on one side of any
split.

{origin}

Answers: {sizes}. Statements: {len(statements):,}, of which {len(statements) - labels[None]:,} are labelled.

| label | statements |
|---|---:|
{counted}

Faithful statements repeat the context and invented ones do not agree with it; misleading, speculative, reliable and
irrefutable ones go beyond it, in growing order of support; irrelevant ones claim nothing. Invented, misleading and
speculative statements count as hallucinations under the requirement "grounded".

## Where it comes from

Exported by {manifest["made_by"]} from {code(source)}:

{hashes}

The licence and the rights of the source apply to the texts.
"""
