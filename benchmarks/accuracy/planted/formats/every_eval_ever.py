"""Every Eval Ever, schema 0.3.0: an aggregate per model and a file of instances beside it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from benchmarks.accuracy.planted.formats._common import asked, save, save_lines, sha, tokens, uuid_of
from benchmarks.accuracy.planted.study import Answer, Study

VERSION = "0.3.0"
TIME = "1770000000"


def write(study: Study, folder: Path) -> None:
    for model in study.models:
        owner, _, name = model.partition("/")
        inside = folder / study.name / owner / name
        stem = uuid_of(study.name, model)
        rows = [_row(study, answer) for answer in study.of(model)]
        samples = inside / f"{stem}_samples.jsonl"
        save_lines(samples, rows)
        place = f"data/{study.name}/{owner}/{name}/{samples.name}"
        save(inside / f"{stem}.json", _aggregate(study, model, place, hashlib.sha256(samples.read_bytes()).hexdigest()))


def _id(study: Study, model: str) -> str:
    return f"{study.name}/{model.replace('/', '_')}/{TIME}"


def _aggregate(study: Study, model: str, place: str, checksum: str) -> dict[str, Any]:
    printed, settings, answers = study.headline(model), study.settings[model], study.of(model)
    arguments: dict[str, Any] = {"temperature": settings.temperature, "max_tokens": settings.max_tokens}
    if settings.max_attempts:
        arguments["max_attempts"] = settings.max_attempts
    if settings.instruction or settings.shots:
        arguments["prompt_template"] = settings.instruction or f"{settings.shots}-shot"
    metric: dict[str, Any] = {
        "metric_id": "accuracy",
        "metric_name": "accuracy",
        "metric_kind": "accuracy",
        "metric_unit": "proportion",
        "lower_is_better": False,
        "score_type": "continuous",
        "min_score": 0.0,
        "max_score": study.scale,
    }
    if settings.best_of:
        metric |= {"metric_id": "pass_at_k", "metric_name": f"pass@{settings.best_of}", "metric_kind": "pass_rate"}
        metric["metric_parameters"] = {"k": settings.best_of}
    if study.judges:
        judges = [{"model_info": _model(judge)} for judge in study.judges]
        metric["llm_scoring"] = {
            "judges": judges,
            "input_prompt": "Grade the answer from 0 to 1.\n\n{question}\n{answer}",
        }
    uncertainty: dict[str, Any] = {"num_samples": printed.n}
    if printed.se is not None:
        uncertainty["standard_error"] = {"value": printed.se, "method": "analytic"}
    return {
        "schema_version": VERSION,
        "evaluation_id": _id(study, model),
        "evaluation_timestamp": TIME,
        "retrieved_timestamp": TIME,
        "source_metadata": {
            "source_name": study.name,
            "source_type": "evaluation_run",
            "source_organization_name": "Evaluation lab",
            "evaluator_relationship": "third_party",
        },
        "eval_library": {"name": "inspect_ai", "version": "0.3.199"},
        "model_info": _model(model),
        "evaluation_results": [
            {
                "evaluation_result_id": f"{study.name}.accuracy",
                "evaluation_name": study.name,
                "source_data": {
                    "dataset_name": study.name,
                    "source_type": "url",
                    "url": [f"https://example.invalid/{study.name}/v{settings.version}"],
                },
                "metric_config": metric,
                "score_details": {"score": printed.value, "uncertainty": uncertainty},
                "generation_config": {"generation_args": arguments},
            }
        ],
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": place,
            "hash_algorithm": "sha256",
            "checksum": checksum,
            "total_rows": (study.planned or len({a.item.key for a in answers})) * study.epochs,
        },
    }


def _model(model: str) -> dict[str, Any]:
    owner, _, name = model.partition("/")
    details = {"deployment_type": "externally_managed", "model_availability": "open_weights"}
    return {"name": name or owner, "id": model, "developer": owner, "additional_details": details}


def _row(study: Study, answer: Answer) -> dict[str, Any]:
    item = answer.item
    prompt = asked(item, study.settings[answer.model])
    put, got = tokens(prompt), tokens(answer.output)
    value = answer.score if answer.score is not None else 0.0
    extracted = answer.extracted if answer.extracted is not None else ""
    method = "llm_judge" if study.judges else "regex"
    row: dict[str, Any] = {
        "schema_version": VERSION,
        "evaluation_id": _id(study, answer.model),
        "model_id": answer.model,
        "evaluation_name": study.name,
        "evaluation_result_id": f"{study.name}.accuracy",
        "sample_id": item.key,
        "sample_hash": sha(item.question, item.target),
        "interaction_type": "single_turn",
        "input": {
            "raw": item.question,
            "formatted": f"{prompt}\n",
            "reference": [item.target] if item.target else [],
            **({"choices": list(item.choices)} if item.choices else {}),
        },
        "output": {"raw": [answer.output]},
        "answer_attribution": [
            {
                "turn_idx": 0,
                "source": "output.raw",
                "extracted_value": extracted,
                "extraction_method": method,
                "is_terminal": True,
            }
        ],
        "evaluation": {"score": value, "is_correct": value >= study.scale / 2},
        "token_usage": {"input_tokens": put, "output_tokens": got, "total_tokens": put + got},
        "metadata": {"source": item.dataset} | ({"passage_id": item.cluster} if item.cluster else {}),
    }
    if study.epochs > 1:
        row["metadata"]["epoch"] = str(answer.epoch)
    if answer.error:
        row["error"] = answer.error
    if answer.stop != "stop":
        row["metadata"]["stop_reason"] = "max_tokens" if answer.stop == "length" else answer.stop
    return row
