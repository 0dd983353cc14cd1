"""lm-eval: `results_DATE.json` of the Language Model Evaluation Harness, with `samples_TASK_DATE.jsonl` beside it.

A samples file has a line for each document and filter. The headline of a task is the first metric and filter that the
results print; others are further scores. A samples file without its results file is read by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from voirdire.evaluation.formats.reader import (
    Format,
    FormatError,
    as_text,
    begins_with_keys,
    cluster_of,
    head_of,
    json_lines,
    listed,
    mapping,
    number_of,
    read_json,
    source_of,
)
from voirdire.evaluation.records import Evaluation, Printed, SourceFile
from voirdire.evaluation.table import Rows
from voirdire.reason_codes import reason

NAME = "lm-eval"
_DATE = re.compile(r"_(\d{4}-\d\d-\d\dT[\d:.-]+)$")
_MARKS = (b'"alias"', b"_stderr")
"""What the first task of a results file has."""
_INVALID = "[invalid]"
"""What lm-eval's filters answer where they find nothing in an output."""
_OTHER = ("alias", "sample_len", "samples", "name", "sample_count")
"""Entries of a task's results that are no metric."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def sniff(path: Path) -> bool:
    """A results file, or a samples file."""
    if path.suffix == ".json":
        head = head_of(path)
        return begins_with_keys(path, ("results",)) and any(mark in head for mark in _MARKS)
    return path.suffix == ".jsonl" and all(f'"{key}"'.encode() in head_of(path) for key in ("doc_id", "doc"))


def read(path: Path) -> Sequence[Evaluation]:
    """An evaluation for each task."""
    if path.suffix == ".jsonl":
        task = _DATE.sub("", path.stem).removeprefix("samples_")
        return [_evaluation(_Task(task, path.parent.name or "model", {}, {}, None), path)]
    content, source = read_json(path)
    result = mapping(content)
    tasks = {str(name): mapping(each) for name, each in mapping(result.get("results")).items()}
    if not tasks:
        raise FormatError(f"{path} is no results file of lm-eval: it has no results.")
    model, groups = _model(result, path), mapping(result.get("groups"))
    return [
        _evaluation(_Task(name, model, results, result, source), _samples_of(path, name))
        for name, results in tasks.items()
        if name not in groups
    ]


def beside(path: Path) -> Iterator[Path]:
    """The samples of a results file: they end in its date."""
    if path.suffix == ".json":
        ending = f"{path.stem.removeprefix('results')}.jsonl"
        named = (each for each in path.parent.iterdir() if each.name.startswith("samples_"))
        yield from (each for each in named if each.name.endswith(ending) and not each.is_symlink())


FORMAT = Format(NAME, sniff, read, beside)


class _Task(NamedTuple):
    """One task of a results file."""

    name: str
    model: str
    results: Mapping[str, Any]
    """What was printed of it: "METRIC,FILTER", and "METRIC_stderr,FILTER"."""
    file: Mapping[str, Any]
    source: SourceFile | None

    def of(self, field: str) -> Any:
        """What the results file says of this task in a field by task."""
        return mapping(self.file.get(field)).get(self.name)


def _model(results: Mapping[str, Any], path: Path) -> str:
    config = mapping(results.get("config"))
    given = config.get("model_args")
    parts = given if isinstance(given, dict) else dict(re.findall(r"(\w+)=([^,]+)", str(given or "")))
    known = (results.get("model_name"), parts.get("pretrained"), parts.get("model"), config.get("model"))
    return next((each for each in known if isinstance(each, str) and each), path.parent.name or "model")


def _samples_of(path: Path, task: str) -> Path | None:
    date = path.stem.removeprefix("results").removeprefix("_")
    wanted = path.with_name(f"samples_{task}_{date}.jsonl" if date else f"samples_{task}.jsonl")
    return wanted if wanted.is_file() and not wanted.is_symlink() else None


def _evaluation(task: _Task, samples: Path | None) -> Evaluation:
    lines = [] if samples is None else [line for _, line in json_lines(samples)]
    metrics = _metrics(task, lines)
    if not metrics:
        raise FormatError(f"{samples or task.name}: the task {task.name} has no metric.")
    metric, filter = metrics[0]
    rows = Rows()
    others = _other_scores(lines, metrics)
    for line in lines:
        if line.get("filter", filter) == filter:
            _add(rows, line, task.model, metric, others.get(str(line.get("doc_id")), {}))
    frame = rows.frame(models=(task.model,))
    better = mapping(task.of("higher_is_better")).get(metric)
    return Evaluation(
        name=task.name,
        format=NAME,
        metric=_named(metric, filter),
        rows=frame,
        printed=_printed(task, metric, filter),
        other_scores=rows.other_scores(),
        bounds=(0.0, 1.0) if frame["score"].dropna().between(0, 1).all() else None,
        higher_is_better=better is not False,
        settings={task.model: _settings(task)},
        files=tuple(
            each for each in (task.source, None if samples is None else source_of(samples)) if each is not None
        ),
        notes=tuple(_notes(metrics, len(frame), lower=better is False)),
    )


def _metrics(task: _Task, lines: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Metrics and filters, the headline's first: as printed, or without results as the first sample has them."""
    printed = [
        (metric, filter or "none")
        for name, value in task.results.items()
        if number_of(value) is not None and name not in _OTHER
        for metric, _, filter in [name.partition(",")]
        if not metric.endswith("_stderr") and metric not in _OTHER
    ]
    first = lines[0] if lines else {}
    named = [str(each) for each in listed(first.get("metrics"))] or [
        each for each in ("acc", "exact_match") if each in first
    ]
    return printed or [(metric, str(first.get("filter") or "none")) for metric in named]


def _named(metric: str, filter: str) -> str:
    return metric if filter == "none" else f"{metric},{filter}"


def _other_scores(
    lines: Sequence[Mapping[str, Any]], metrics: Sequence[tuple[str, str]]
) -> dict[str, dict[str, float]]:
    """By document, the scores of all metrics and filters but the headline's."""
    results: dict[str, dict[str, float]] = {}
    for line in lines:
        for metric, filter in metrics[1:]:
            score = number_of(line.get(metric)) if line.get("filter", "none") == filter else None
            if score is not None:
                results.setdefault(str(line.get("doc_id")), {})[_named(metric, filter)] = score
    return results


def _add(rows: Rows, line: Mapping[str, Any], model: str, metric: str, others: Mapping[str, float]) -> None:
    prompts, options = _arguments(line.get("arguments"))
    replies = listed(line.get("resps"))
    chosen = _chosen(replies) if len(options) > 1 else None
    answer = _first_text(line.get("filtered_resps"))
    target = _target(line, options)
    reference = as_text(line.get("target"))
    if target is not None and options:
        reference = options[target].strip()
    output = options[chosen].strip() if chosen is not None else _first_text(replies)
    rows.add(
        {
            "item": str(line.get("doc_id")),
            "model": model,
            "score": number_of(line.get(metric)),
            "status": "unparsed" if answer == _INVALID else None,
            "cluster": cluster_of(line.get("doc")),
            "prompt": prompts[0] if prompts else None,
            "output": output,
            "reference": reference,
            "answer": answer if chosen is None else None,
            "choices": tuple(options) if len(options) > 1 else None,
            "choice": None if chosen is None else float(chosen),
            "target": None if target is None else float(target),
        },
        others,
    )


def _arguments(arguments: Any) -> tuple[list[str], list[str]]:
    """The prompts of a sample's requests, and what each is to be followed by: the choices of a multiple choice."""
    requests = arguments.values() if isinstance(arguments, dict) else listed(arguments)
    parts = [list(each.values()) if isinstance(each, dict) else listed(each) for each in requests]
    prompts = [part[0] for part in parts if part and isinstance(part[0], str)]
    options = [part[1] for part in parts if len(part) > 1 and isinstance(part[1], str)]
    return prompts, options


def _chosen(replies: Sequence[Any]) -> int | None:
    """The place of the likeliest choice: a reply has a log-likelihood, and whether greedy search gives it."""
    likely = []
    for reply in replies:
        while isinstance(reply, list) and reply and isinstance(reply[0], list):
            reply = reply[0]
        try:
            likely.append(float(reply[0]) if isinstance(reply, list) and reply else np.nan)
        except (TypeError, ValueError):
            return None
    return int(np.argmax(likely)) if likely and not np.isnan(likely).any() else None


def _target(line: Mapping[str, Any], options: Sequence[str]) -> int | None:
    """The place of the right choice; tasks write a number, a letter, or the choice itself."""
    target = line.get("target")
    if len(options) < 2 or isinstance(target, bool) or not isinstance(target, int | str):
        return None
    text = str(target).strip()
    if text.isdigit() and int(text) < len(options) and text not in [each.strip() for each in options]:
        return int(text)
    plain = [each.strip() for each in options]
    if text in plain:
        return plain.index(text)
    return _LETTERS.find(text) if len(text) == 1 and text in _LETTERS[: len(options)] else None


def _first_text(replies: Any) -> str | None:
    while isinstance(replies, list):
        replies = replies[0] if replies else None
    return replies if isinstance(replies, str) else None


def _printed(task: _Task, metric: str, filter: str) -> tuple[Printed, ...]:
    value = next(
        (number_of(task.results[name]) for name in (f"{metric},{filter}", metric) if name in task.results), None
    )
    if value is None or task.source is None:
        return ()
    names = (f"{metric}_stderr,{filter}", f"{metric}_stderr")
    error = next((number_of(task.results[name]) for name in names if name in task.results), None)
    n = number_of(mapping(task.of("n-samples")).get("effective"))
    named = _named(metric, filter)
    return (Printed(task.model, value, error, None if n is None else int(n), 12, f"{task.source.path.name}, {named}"),)


def _settings(task: _Task) -> dict[str, Any]:
    about, run = mapping(task.of("configs")), mapping(task.file.get("config"))
    items = number_of(mapping(task.of("n-samples")).get("effective"))
    known = {
        "items": None if items is None else int(items),
        "dataset_items": mapping(task.of("n-samples")).get("original"),
        "task_version": task.of("versions"),
        "shots": task.of("n-shot"),
        "task_hash": task.of("task_hashes"),
        "repeats": about.get("repeats"),
        "output_type": about.get("output_type"),
        "prompt_template": as_text(about.get("doc_to_text")),
        "description": about.get("description") or None,
        "generation": as_text(about.get("generation_kwargs") or run.get("gen_kwargs")),
        "limit": run.get("limit"),
        "chat_template": task.file.get("chat_template_sha"),
        "system_instruction": task.file.get("system_instruction_sha"),
        "fewshot_as_multiturn": task.file.get("fewshot_as_multiturn"),
        "lm_eval": task.file.get("lm_eval_version"),
        "revision": task.file.get("git_hash"),
    }
    return {name: value for name, value in known.items() if value is not None}


def _notes(metrics: Sequence[tuple[str, str]], rows: int, *, lower: bool) -> Iterator[Any]:
    if lower:
        yield reason("evaluation_lower_in_file", name=metrics[0][0])
    if len(metrics) > 1:
        names = tuple(_named(*each) for each in metrics)
        yield reason("evaluation_first_metric", metric=names[0], of=names)
    if not rows:
        yield reason("evaluation_no_rows")
