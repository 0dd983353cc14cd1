"""Evaluations written as Every Eval Ever (schema 0.3): an aggregate and instance lines for each model."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from voirdire.data.json_values import as_plain
from voirdire.evaluation.formats.every_eval_ever import (
    BY_REFERENCE,
    CHOSEN,
    DECIMALS,
    IN_PAIRS,
    METADATA_NUMBERS,
    METADATA_TEXTS,
    OPPONENT,
    RECOMPUTED,
    SETTINGS,
    UNSCORED,
)
from voirdire.evaluation.headline import Headline, headlines
from voirdire.evaluation.records import Evaluation, Printed, SourceFile
from voirdire.models.secrets import without_known_secrets
from voirdire.text.counting import counted

SCHEMA = "0.3.0"
_NAMESPACE = uuid.UUID("6f1c1f0e-6d0e-4f57-9a41-0f3c6b7a1d52")
_GENERATION: Mapping[str, type | tuple[type, ...]] = {
    "temperature": (int, float),
    "top_p": (int, float),
    "top_k": (int, float),
    "max_tokens": int,
    "reasoning": bool,
    "prompt_template": str,
    "max_attempts": int,
}


def write_evaluations(evaluations: Sequence[Evaluation], folder: Path) -> list[str]:
    """Write all models of all evaluations into a folder; what is to be said of them, in sentences."""
    for evaluation in evaluations:
        result = headlines(evaluation)
        for model in evaluation.models:
            _write(evaluation, model, result[model], folder)
    missing = sum(int(each.rows["score"].isna().sum()) for each in evaluations)
    apart = (
        f"{counted(missing, 'row without a score stands', 'rows without a score stand')} in the aggregate's details, "
        "not among the lines: the schema wants a score of each."
    )
    return [
        "A score is the printed one; where none is printed it is recomputed, and says so.",
        *([apart] if missing else []),
    ]


def _write(evaluation: Evaluation, model: str, headline: Headline, folder: Path) -> None:
    """An aggregate, and instance lines where there are rows with a score."""
    rows = _with_opponents(evaluation)[evaluation.rows["model"] == model]
    printed = next((each for each in evaluation.printed if each.model == model), None)
    if printed is None and headline.value is None:
        return  # nothing is known of it but its name: the schema wants a score
    name = uuid.UUID(bytes=uuid.uuid5(_NAMESPACE, f"{evaluation.name}\n{evaluation.metric}\n{model}").bytes, version=4)
    part = Path("data", *map(_part, (evaluation.format, _developer(model), model.rpartition("/")[2])))
    place = folder / part
    place.mkdir(parents=True, exist_ok=True)
    judges = sorted(map(str, rows["judge"].dropna().unique()))
    evaluation_id = f"{evaluation.name}/{model.replace('/', '_')}/0"
    every = [*_lines(evaluation, model, rows, evaluation_id)]
    lines = [each for each in every if each["evaluation"] is not None]
    unscored = [each for each in every if each["evaluation"] is None]
    text = "".join(
        json.dumps(without_known_secrets(line), ensure_ascii=False, allow_nan=False) + "\n" for line in lines
    )
    content = text.encode("utf-8", "replace")
    whole = {
        "schema_version": SCHEMA,
        "evaluation_id": evaluation_id,
        "retrieved_timestamp": "0",
        "source_metadata": {
            "source_name": evaluation.format,
            "source_type": "evaluation_run" if lines else "documentation",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
            "additional_details": {"files": _files(evaluation.files)},
        },
        "eval_library": {"name": _library(evaluation, model)[0], "version": _library(evaluation, model)[1]},
        "model_info": _model(model),
        "evaluation_results": [_result(evaluation, model, headline, printed, judges, unscored)],
        **(
            {
                "detailed_evaluation_results": {
                    "format": "jsonl",
                    "file_path": (part / f"{name}_samples.jsonl").as_posix(),
                    "hash_algorithm": "sha256",
                    "checksum": hashlib.sha256(content).hexdigest(),
                    "total_rows": len(lines),
                }
            }
            if lines
            else {}
        ),
    }
    if lines:
        (place / f"{name}_samples.jsonl").write_bytes(content)
    aggregate = json.dumps(without_known_secrets(whole), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    (place / f"{name}.json").write_bytes(aggregate.encode("utf-8", "replace"))


def _result(
    evaluation: Evaluation,
    model: str,
    headline: Headline,
    printed: Printed | None,
    judges: Sequence[str],
    unscored: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    known = evaluation.settings.get(model, {})
    value = headline.value if printed is None else printed.value
    error = headline.se if printed is None else printed.se
    n = headline.n if printed is None else printed.n
    low, high = evaluation.bounds or (None, None)
    uncertainty = {
        **({} if error is None else {"standard_error": {"value": error}}),
        **({} if n is None else {"num_samples": n}),
    }
    generation = {
        name: known[name]
        for name, kind in _GENERATION.items()
        if isinstance(known.get(name), kind) and isinstance(known[name], bool) == (kind is bool)
    }
    metric: dict[str, Any] = {
        "metric_id": evaluation.metric,
        "metric_name": evaluation.metric,
        "lower_is_better": not evaluation.higher_is_better,
        **({} if low is None else {"score_type": "continuous", "min_score": low, "max_score": high}),
        **({"llm_scoring": _judged_by(judges)} if judges else {}),
        "additional_details": {
            IN_PAIRS: "yes" if evaluation.mirrored else "no",
            BY_REFERENCE: "yes" if evaluation.by_reference else "no",
        },
    }
    return {
        "evaluation_result_id": evaluation.name,
        "evaluation_name": evaluation.name,
        "source_data": {"dataset_name": str(known.get("dataset") or evaluation.name), "source_type": "other"},
        "metric_config": metric,
        "score_details": {
            "score": value,
            "details": {
                **({RECOMPUTED: "yes"} if printed is None else {DECIMALS: str(printed.decimals)}),
                SETTINGS: _as_json(known),
                **({UNSCORED: _as_json(unscored)} if unscored else {}),
            },
            **({"uncertainty": uncertainty} if uncertainty else {}),
        },
        **({"generation_config": {"generation_args": generation}} if generation else {}),
    }


def _model(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "id": name,
        "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
    }


def _judged_by(judges: Sequence[str]) -> dict[str, Any]:
    return {"judges": [{"model_info": _model(judge)} for judge in judges], "input_prompt": "unknown"}


def _with_opponents(evaluation: Evaluation) -> pd.DataFrame:
    """The rows, each with the model that its own was judged against; `None` where all models are given each item."""
    if not evaluation.mirrored:
        return evaluation.rows.assign(**{OPPONENT: None})
    first, second = np.divmod(evaluation.given_to[evaluation.codes("item")], len(evaluation.models))
    other = first + second - evaluation.codes("model")
    return evaluation.rows.assign(**{OPPONENT: np.array(evaluation.models, dtype=object)[other]})


def _lines(evaluation: Evaluation, model: str, rows: pd.DataFrame, evaluation_id: str) -> Iterator[dict[str, Any]]:
    """A line for each row; "evaluation" is `None` where it has no score."""
    for row in rows.to_dict("records"):
        yield _line(evaluation, model, {str(name): _known(value) for name, value in row.items()}, evaluation_id)


def _line(evaluation: Evaluation, model: str, row: Mapping[str, Any], evaluation_id: str) -> dict[str, Any]:
    reference = [row["reference"]] if row["reference"] is not None else []
    choices, answer, method = row["choices"], row["answer"], "unknown"
    if choices is not None and answer is None and row["choice"] is not None:
        answer, method = choices[int(row["choice"])], CHOSEN
    fields = (name for name in (*METADATA_TEXTS, OPPONENT, *METADATA_NUMBERS) if row[name] is not None)
    metadata = {name: _as_text(row[name]) for name in fields if (name, row[name]) != ("status", "scored")}
    tokens = row["output_tokens"]
    return {
        "schema_version": SCHEMA,
        "evaluation_id": evaluation_id,
        "model_id": model,
        "evaluation_name": evaluation.name,
        "evaluation_result_id": evaluation.name,
        "sample_id": row["item"],
        "sample_hash": hashlib.sha256(f"{row['prompt']}{reference}".encode("utf-8", "replace")).hexdigest(),
        "interaction_type": "single_turn",
        "input": {
            "raw": row["prompt"] or "",
            "reference": reference,
            **({} if choices is None else {"choices": list(choices)}),
        },
        "output": {"raw": [] if row["output"] is None else [row["output"]]},
        "answer_attribution": [] if answer is None else [_attribution(answer, method)],
        "evaluation": None if row["score"] is None else _scored(row["score"], evaluation),
        **(
            {}
            if tokens is None
            else {"token_usage": {"input_tokens": 0, "output_tokens": int(tokens), "total_tokens": int(tokens)}}
        ),
        **({} if row["error"] is None else {"error": row["error"]}),
        **({"metadata": metadata} if metadata else {}),
    }


def _attribution(answer: str, method: str) -> dict[str, Any]:
    return {
        "turn_idx": 0,
        "source": "output.raw",
        "extracted_value": answer,
        "extraction_method": method,
        "is_terminal": True,
    }


def _scored(score: float, evaluation: Evaluation) -> dict[str, Any]:
    """A score, and whether it lies in the better half of its scale: the schema wants to know that of every line."""
    low, high = evaluation.bounds or (0.0, 1.0)
    better = score - low if evaluation.higher_is_better else high - score
    return {"score": score, "is_correct": bool(better > (high - low) / 2)}


def _known(value: Any) -> Any:
    """A cell's value; `None` for NaN, and for what is not finite."""
    return None if value is None or value is pd.NA or (isinstance(value, float) and not np.isfinite(value)) else value


def _as_json(value: Any) -> str:
    return json.dumps(as_plain(value), ensure_ascii=False)


def _as_text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _files(files: Sequence[SourceFile]) -> str:
    return "; ".join(f"{each.path.name} {each.sha256}" for each in files)


def _library(evaluation: Evaluation, model: str) -> tuple[str, str]:
    named = str(evaluation.settings.get(model, {}).get("library") or "")
    name, _, version = named.rpartition(" ")
    return (name, version) if name else (named or evaluation.format, "unknown")


def _developer(model: str) -> str:
    return model.partition("/")[0] if "/" in model else "unknown"


def _part(name: str) -> str:
    """A name as one part of a path."""
    clean = "".join(sign if sign.isalnum() or sign in "-_.=," else "_" for sign in name).strip(".")
    return clean[:80] or "unnamed"
