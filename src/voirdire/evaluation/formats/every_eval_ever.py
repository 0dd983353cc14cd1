"""Every Eval Ever: an aggregate JSON file of one model, with instance-level JSON Lines beside it (schema 0.3).

The schemas are those of the public repository evaleval/every_eval_ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.evaluation.formats.columns import lower_by_name
from voirdire.evaluation.formats.reader import (
    Format,
    FormatError,
    Repetitions,
    as_text,
    begins_with_keys,
    cluster_of,
    json_lines,
    json_of,
    listed,
    mapping,
    number_of,
    place_of,
    read_json,
    source_of,
)
from voirdire.evaluation.records import ROW_STATUSES, Evaluation, Printed
from voirdire.evaluation.table import Rows
from voirdire.reason_codes import Reason, reason

NAME = "every-eval-ever"
_GENERATION = ("temperature", "top_p", "top_k", "max_tokens", "reasoning", "prompt_template", "max_attempts")
_PERCENT = 100.0
_DECIMALS = 12
"""Of a printed score, where nothing says how many are known."""
METADATA_TEXTS = ("cluster", "judge", "verdict", "baseline", "baseline_output", "stop_reason", "status")
METADATA_NUMBERS = ("epoch", "attempts", "position", "choice", "target")
"""Columns that the schema has no field for; our export keeps them in metadata, as texts under these names."""
OPPONENT = "opponent"
"""Under this name our export keeps in metadata whom a model was judged against. Others are told; items tell us."""
IN_PAIRS, BY_REFERENCE = "judged in pairs", "by reference"
"""Details of the metric in our export, "yes" or "no": see `Evaluation.mirrored` and `Evaluation.by_reference`."""
CHOSEN = "option taken"
"""How our export says that an answer is the option that was taken, and nothing was taken out of an output."""
RECOMPUTED, DECIMALS, SETTINGS, UNSCORED = "recomputed", "decimals", "settings", "unscored"
"""Details of a score in our export: whether we computed it, because nothing was printed; known decimals; all settings;
the rows without a score, which the schema wants of every line. The last two are JSON."""


def sniff(path: Path) -> bool:
    """An aggregate file; the schema of such files has their keys too."""
    known = path.suffix == ".json" and begins_with_keys(path, ("schema_version", "evaluation_id"))
    return known and not begins_with_keys(path, ("$schema",))


def read(path: Path) -> Sequence[Evaluation]:
    """An evaluation for each result that the file names."""
    whole = mapping(read_json(path)[0])
    results = [mapping(each) for each in listed(whole.get("evaluation_results"))]
    model = mapping(whole.get("model_info")).get("id")
    if not results or not isinstance(model, str):
        raise FormatError(f"{path} is no aggregate of Every Eval Ever: it names no model, or no results.")
    lines_file = _instances(path, whole)
    lines = [] if lines_file is None else [line for _, line in json_lines(lines_file)]
    return [_evaluation(path, whole, result, model, lines_file, _of(lines, result)) for result in results]


def beside(path: Path) -> Iterator[Path]:
    """The instance lines of an aggregate, under the name that the schema proposes."""
    lines = _lines_beside(path)
    yield from [lines] if lines.is_file() else []


FORMAT = Format(NAME, sniff, read, beside)


def _instances(path: Path, whole: Mapping[str, Any]) -> Path | None:
    """The instance-level file: the named one, from the root of the data or beside the aggregate."""
    named = mapping(whole.get("detailed_evaluation_results")).get("file_path")
    lines = path.with_name(Path(named).name) if isinstance(named, str) else _lines_beside(path)
    return lines if lines.is_file() and not lines.is_symlink() else None


def _lines_beside(path: Path) -> Path:
    return path.with_name(f"{path.stem}_samples.jsonl")


def _of(lines: Sequence[Mapping[str, Any]], result: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    key = "evaluation_result_id" if result.get("evaluation_result_id") else "evaluation_name"
    return [line for line in lines if (line.get(key) or line.get("evaluation_name")) == result.get(key)]


def _evaluation(
    path: Path,
    whole: Mapping[str, Any],
    result: Mapping[str, Any],
    model: str,
    lines_file: Path | None,
    lines: Sequence[Mapping[str, Any]],
) -> Evaluation:
    metric = mapping(result.get("metric_config"))
    judge = _judge(metric)
    ours = _json_of(result, SETTINGS, path)
    rows, times = Rows(), Repetitions() if ours is None else None
    for line in (*lines, *map(mapping, listed(_json_of(result, UNSCORED, path)))):
        _add(rows, line, model, judge, times)
    files = [source_of(path), *([] if lines_file is None else [source_of(lines_file)])]
    name = str(result.get("evaluation_name"))
    measured = str(metric.get("metric_id") or metric.get("metric_name") or "score")
    lower, notes = _direction(metric, measured)
    notes += [reason("evaluation_no_rows")] if not len(rows) else []
    how = mapping(metric.get("additional_details"))
    return Evaluation(
        name=name,
        format=NAME,
        metric=measured,
        rows=rows.frame(models=(model,)),
        printed=_printed(result, model, path),
        bounds=_bounds(metric),
        higher_is_better=not lower,
        by_reference=how.get(BY_REFERENCE) != "no",
        mirrored=how.get(IN_PAIRS) == "yes",
        settings={model: _settings(whole, result) if ours is None else mapping(ours)},
        files=tuple(files),
        notes=tuple(notes),
    )


def _direction(metric: Mapping[str, Any], name: str) -> tuple[bool, list[Reason]]:
    """Whether lower scores are better, as the file says, or else its name; and what is said of it."""
    names = (name, str(metric.get("metric_name") or ""))
    by_name = next((each for each in names if lower_by_name(each)), None)
    lower = metric.get("lower_is_better")
    if lower is True:
        return True, [reason("evaluation_lower_in_file", name=name)]
    if by_name is None:
        return False, []
    if lower is False:
        return False, [reason("evaluation_higher_though_named", name=by_name)]
    return True, [reason("evaluation_lower_by_name", name=by_name)]


def _add(rows: Rows, line: Mapping[str, Any], model: str, judge: str | None, times: Repetitions | None) -> None:
    """A row; without `times` the line says itself who judged it and which repetition it is, if anything does."""
    given, scored = mapping(line.get("input")), mapping(line.get("evaluation"))
    choices = tuple(str(each) for each in listed(given.get("choices")))
    answers = [mapping(each) for each in listed(line.get("answer_attribution"))]
    last = next((each for each in reversed(answers) if each.get("is_terminal")), answers[-1] if answers else {})
    answer = None if last.get("extraction_method") == CHOSEN else as_text(last.get("extracted_value"))
    wanted = [str(each) for each in listed(given.get("reference"))]
    item = str(line.get("sample_id"))
    metadata = mapping(line.get("metadata"))
    fields = {name: as_text(metadata.get(name)) for name in METADATA_TEXTS}
    numbers = {name: _number(as_text(metadata.get(name))) for name in METADATA_NUMBERS}
    judge = fields["judge"] if times is None else fields["judge"] or judge
    epoch = numbers["epoch"] if times is None else numbers["epoch"] or float(times.next(item, judge))
    status = fields["status"] if fields["status"] in ROW_STATUSES else "error" if line.get("error") else None
    choice, target = place_of(answer, choices), place_of(wanted[0] if wanted else None, choices)
    rows.add(
        {
            **fields,
            **numbers,
            "item": item,
            "model": model,
            "score": number_of(scored.get("score")),
            "status": status,
            "judge": judge,
            "cluster": cluster_of(metadata),
            "epoch": epoch,
            "prompt": as_text(given.get("formatted")) or as_text(given.get("raw")) or None,
            "output": _output(line),
            "reference": "\n".join(wanted) or None,
            "answer": answer,
            "error": as_text(line.get("error")),
            "choices": choices or None,
            "choice": choice if numbers["choice"] is None else numbers["choice"],
            "target": target if numbers["target"] is None else numbers["target"],
            "output_tokens": number_of(mapping(line.get("token_usage")).get("output_tokens")),
        }
    )


def _output(line: Mapping[str, Any]) -> str | None:
    raw = listed(mapping(line.get("output")).get("raw"))
    if raw:
        return "\n\n".join(str(each) for each in raw)
    messages = [mapping(each) for each in listed(line.get("messages"))]
    return (
        "\n\n".join(as_text(each.get("content")) or "" for each in messages if each.get("role") == "assistant") or None
    )


def _json_of(result: Mapping[str, Any], name: str, path: Path) -> Any:
    """What our export keeps as JSON in a detail of a score; `None` where there is none."""
    text = mapping(mapping(result.get("score_details")).get("details")).get(name)
    return json_of(text, f"{path}, {name},") if isinstance(text, str) else None


def _number(text: str | None) -> float | None:
    """A number that stands as a text."""
    try:
        number = float(text or "nan")
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None


def _judge(metric: Mapping[str, Any]) -> str | None:
    judges = [
        mapping(mapping(each).get("model_info")) for each in listed(mapping(metric.get("llm_scoring")).get("judges"))
    ]
    names = [str(each.get("id") or each.get("name")) for each in judges]
    return "+".join(names) or None


def _bounds(metric: Mapping[str, Any]) -> tuple[float, float] | None:
    low, high = number_of(metric.get("min_score")), number_of(metric.get("max_score"))
    if metric.get("score_type") == "binary":
        return (0.0, 1.0)
    return None if low is None or high is None or low >= high else (low, high)


def _printed(result: Mapping[str, Any], model: str, path: Path) -> tuple[Printed, ...]:
    details = mapping(result.get("score_details"))
    value = number_of(details.get("score"))
    if value is None or mapping(details.get("details")).get(RECOMPUTED) == "yes":
        return ()
    uncertainty, decimals = mapping(details.get("uncertainty")), mapping(details.get("details")).get(DECIMALS)
    error = number_of(mapping(uncertainty.get("standard_error")).get("value"))
    n = number_of(uncertainty.get("num_samples"))
    unit = _PERCENT if mapping(result.get("metric_config")).get("metric_unit") == "percent" else 1.0
    known = int(decimals) if isinstance(decimals, str) and decimals.isdecimal() else _DECIMALS
    scaled, count = None if error is None else error / unit, None if n is None else int(n)
    return (Printed(model, value / unit, scaled, count, known, f"{path.name}, score_details"),)


def _settings(whole: Mapping[str, Any], result: Mapping[str, Any]) -> dict[str, Any]:
    library, data = mapping(whole.get("eval_library")), mapping(result.get("source_data"))
    generation = mapping(mapping(result.get("generation_config")).get("generation_args"))
    rows = number_of(mapping(whole.get("detailed_evaluation_results")).get("total_rows"))
    single = len(listed(whole.get("evaluation_results"))) == 1
    known = {
        "items": int(rows) if rows is not None and single else None,
        "dataset": data.get("dataset_name"),
        "split": data.get("hf_split"),
        "dataset_items": data.get("samples_number"),
        "library": f"{library.get('name')} {library.get('version')}"
        if library.get("name") not in (None, "unknown")
        else None,
        **{name: generation.get(name) for name in _GENERATION},
    }
    return {name: value for name, value in known.items() if value is not None}
