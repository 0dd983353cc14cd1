"""Inspect logs: one per model, as JSON or as `.eval` (a zip). After inspect_ai 0.3.199's own files."""

from __future__ import annotations

import json
import math
import zipfile
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.accuracy.planted.formats._common import asked, lettered, save, tokens, uid
from benchmarks.accuracy.planted.study import LETTERS, Answer, Study, aggregate

SCORERS = {"choice": "choice", "short": "match", "judged": "model_graded_qa"}
CREATED = "2026-03-14T09:12:33+00:00"
DONE = "2026-03-14T09:31:07+00:00"
FORMAT = (
    "Answer the following multiple choice question. The last line of your response should be of the following format: "
    "'ANSWER: $LETTER' (without quotes) where LETTER is one of {letters}. Think step by step before answering.\n\n"
    "{question}\n\n{choices}"
)
GRADING = (
    "You are assessing a submitted answer on a given task. Here is the data:\n\n[BEGIN DATA]\n***\n[Task]: {question}\n"
    "***\n[Submission]: {answer}\n***\n[END DATA]\n\nDoes the submission meet the criterion?\n"
)
STOPS = {"stop": "stop", "length": "max_tokens", "content_filter": "content_filter"}


def write_json(study: Study, folder: Path) -> None:
    for model in study.models:
        save(folder / f"{_name(study, model)}.json", log(study, model))


def write_zip(study: Study, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for model in study.models:
        whole = log(study, model)
        samples, reductions = whole.pop("samples"), whole.pop("reductions", None)
        start = {"version": 2, "eval": whole["eval"], "plan": whole["plan"]}
        summaries = [_summary(sample) for sample in samples]
        with zipfile.ZipFile(folder / f"{_name(study, model)}.eval", "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("_journal/start.json", json.dumps(start))
            for sample in samples:
                file.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
            file.writestr("_journal/summaries/1.json", json.dumps(summaries))
            file.writestr("summaries.json", json.dumps(summaries))
            if reductions:
                file.writestr("reductions.json", json.dumps(reductions))
            file.writestr("header.json", json.dumps(whole))


def log(study: Study, model: str) -> dict[str, Any]:
    """One log."""
    answers = study.of(model)
    settings = study.settings[model]
    names = scorers(study)
    usage = {model: _usage(answers, study)}
    whole: dict[str, Any] = {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": uid(study.name, model, "eval"),
            "run_id": uid(study.name, "run"),
            "created": CREATED,
            "task": study.name,
            "task_id": uid(study.name, "task"),
            "task_version": settings.version,
            "task_file": f"src/evals/{study.name}.py",
            "task_display_name": study.name,
            "task_registry_name": study.name,
            "task_attribs": {},
            "task_args": {"fewshot": settings.shots} if settings.shots else {},
            "task_args_passed": {"fewshot": settings.shots} if settings.shots else {},
            "dataset": {
                "name": study.name,
                "location": f"data/{study.name}.jsonl",
                "samples": study.planned or len(study.items),
                "sample_ids": list(dict.fromkeys(answer.item.key for answer in answers)),
                "shuffled": False,
            },
            "model": model,
            "model_generate_config": _generate(study, model),
            "model_args": {},
            "config": _config(study, model),
            "revision": {"type": "git", "origin": "git@github.com:lab/evals.git", "commit": "5b525c0"},
            "packages": {"inspect_ai": "0.3.199"},
            "scorers": [_scorer(study, name, judge) for name, judge in names.items()],
        },
        "plan": {"name": "plan", "steps": _steps(study, model), "config": _generate(study, model)},
        "results": {
            "total_samples": (study.planned or len({a.item.key for a in answers})) * study.epochs,
            "completed_samples": sum(answer.error is None for answer in answers),
            "scores": [_result(study, model, name, judge) for name, judge in names.items()],
        },
        "stats": {"started_at": CREATED, "completed_at": DONE, "model_usage": usage},
        "samples": [_sample(study, answer, names) for answer in answers],
    }
    if study.epochs > 1:
        whole["reductions"] = [
            {"scorer": name, "reducer": study.reducer, "samples": _reduced(study, answers, judge)}
            for name, judge in names.items()
        ]
    return whole


def scorers(study: Study) -> dict[str, str | None]:
    """The scorers of a log, each with the judge it asks."""
    name = SCORERS[study.kind]
    if study.kind != "judged":
        return {name: None}
    return {f"{name}{place or ''}": judge for place, judge in enumerate(study.judges)}


def _name(study: Study, model: str) -> str:
    return f"2026-03-14T09-12-33+00-00_{study.name.replace('_', '-')}_{uid(study.name, model, 'log')}"


def _generate(study: Study, model: str) -> dict[str, Any]:
    settings = study.settings[model]
    made: dict[str, Any] = {"max_tokens": settings.max_tokens, "temperature": settings.temperature}
    if settings.best_of:
        made |= {"best_of": settings.best_of}
    return made


def _config(study: Study, model: str) -> dict[str, Any]:
    limit = study.settings[model].limit
    made = {"limit": limit} if limit else {}
    return made | {
        "epochs": study.epochs,
        "epochs_reducer": [study.reducer],
        "fail_on_error": not any(answer.error for answer in study.of(model)),
        "continue_on_fail": False,
        "sandbox_cleanup": True,
        "log_samples": True,
        "log_realtime": True,
        "log_images": True,
        "score_display": True,
    }


def _steps(study: Study, model: str) -> list[dict[str, Any]]:
    settings = study.settings[model]
    steps: list[dict[str, Any]] = []
    if settings.instruction:
        steps.append({"solver": "system_message", "params": {"template": settings.instruction}})
    if settings.max_attempts:
        agent = {"max_attempts": settings.max_attempts, "message_limit": 30}
        return [*steps, {"solver": "basic_agent", "params": agent, "params_passed": agent}]
    solver = {"solver": "multiple_choice", "params": {"cot": True}, "params_passed": {"cot": True}}
    return [*steps, solver if study.kind == "choice" else {"solver": "generate", "params": {}}]


def _scorer(study: Study, name: str, judge: str | None) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if judge:
        options = {"model": judge, "instructions": None, "grade_pattern": "(?i)GRADE\\s*:\\s*([CPI])(.*)$"}
    mean = "mean" if _numeric(study) else "accuracy"
    metrics = [{"name": f"inspect_ai/{metric}", "options": {}} for metric in (mean, "stderr")]
    return {"name": SCORERS[study.kind], "options": options, "metrics": metrics, "metadata": {}}


def _numeric(study: Study) -> bool:
    return study.kind == "judged" and any(answer.score not in (None, 0.0, 1.0) for answer in study.answers)


def _scored(study: Study, answers: list[Answer], judge: str | None) -> list[Answer]:
    if judge is None:
        return answers
    return [Answer(a.item, a.model, a.output, a.verdicts.get(judge), a.epoch) for a in answers]


def _result(study: Study, model: str, name: str, judge: str | None) -> dict[str, Any]:
    answers = _scored(study, study.of(model), judge)
    first = judge is None or judge == study.judges[0]
    printed = (study.printed.get(model) if first else None) or aggregate(answers, study.reducer)
    mean = "mean" if _numeric(study) else "accuracy"
    return {
        "name": name,
        "scorer": name,
        "reducer": study.reducer,
        "scored_samples": sum(answer.score is not None for answer in answers),
        "unscored_samples": sum(answer.score is None and not answer.error for answer in answers),
        "params": {"model": judge} if judge else {},
        "metrics": {
            mean: {"name": mean, "value": printed.value, "params": {}},
            "stderr": {"name": "stderr", "value": printed.se, "params": {}},
        },
    }


def _reduced(study: Study, answers: list[Answer], judge: str | None) -> list[dict[str, Any]]:
    values: dict[str, list[float]] = defaultdict(list)
    for answer in _scored(study, answers, judge):
        if answer.score is not None:
            values[answer.item.key].append(answer.score)
    reduce = fmean if study.reducer == "mean" else max
    return [{"value": reduce(found), "sample_id": key} for key, found in values.items()]


def _usage(answers: list[Answer], study: Study) -> dict[str, int]:
    put = sum(tokens(answer.item.question) + 60 for answer in answers)
    got = sum(tokens(answer.output) for answer in answers)
    return {
        "input_tokens": put,
        "output_tokens": got,
        "total_tokens": put + got,
        "input_tokens_cache_write": 0,
        "input_tokens_cache_read": 0,
    }


def _sample(study: Study, answer: Answer, names: dict[str, str | None]) -> dict[str, Any]:
    item, settings = answer.item, study.settings[answer.model]
    question = asked(item, settings)
    prompt = question
    if item.choices:
        letters = ",".join(LETTERS[: len(item.choices)])
        prompt = FORMAT.format(letters=letters, question=question, choices=lettered(item))
    parts = answer.model.startswith("anthropic/")  # their content is a list, also where it is one text
    said = {
        "id": uid(study.name, answer.model, item.key, answer.epoch, "out"),
        "content": [{"type": "text", "text": answer.output}] if parts else answer.output,
        "source": "generate",
        "role": "assistant",
        "model": answer.model.rpartition("/")[2],
    }
    usage = _usage([answer], study)
    output: dict[str, Any] = {
        "model": answer.model.rpartition("/")[2],
        "choices": [{"message": said, "stop_reason": STOPS[answer.stop]}],
        "completion": answer.output,
        "usage": usage,
        "time": 2.5 + len(answer.output) / 400,
    }
    asked_for = {"id": uid(study.name, item.key, "in"), "content": prompt, "source": "input", "role": "user"}
    sample: dict[str, Any] = {
        "id": item.key,
        "epoch": answer.epoch,
        "input": question,
        **({"choices": list(item.choices)} if item.choices else {}),
        "target": item.target,
        "messages": [asked_for, said],
        "output": output,
        "scores": {name: _score(study, answer, judge) for name, judge in names.items()},
        "metadata": {"source": item.dataset} | ({"passage_id": item.cluster} if item.cluster else {}),
        "store": {},
        "events": [],
        "model_usage": {answer.model: usage},
        "total_time": 3.0 + len(answer.output) / 400,
        "working_time": 2.9 + len(answer.output) / 400,
        "uuid": uid(study.name, answer.model, item.key, answer.epoch),
        "error_retries": [_error("ValueError: the output has no answer that passes")] * (answer.attempts - 1),
        "attachments": {},
    }
    if answer.error:
        sample["error"] = _error(answer.error)
        sample["output"] = {"model": answer.model, "choices": [], "completion": ""}
        sample["messages"] = [asked_for]
        sample["scores"] = {}
    return sample


def _score(study: Study, answer: Answer, judge: str | None) -> dict[str, Any]:
    value: float | str | None = answer.verdicts.get(judge) if judge else answer.score
    if value is None:
        value = math.nan
    elif not _numeric(study):
        value = "C" if value else "I"
    made: dict[str, Any] = {"value": value, "answer": answer.extracted, "explanation": answer.output, "history": []}
    if judge:
        asked_judge = GRADING.format(question=answer.item.question, answer=answer.output)
        grading = [{"role": "user", "content": asked_judge}, {"role": "assistant", "content": answer.explanation}]
        made |= {"answer": answer.output, "explanation": answer.explanation, "metadata": {"grading": grading}}
    return made


def _error(message: str) -> dict[str, str]:
    trace = f'Traceback (most recent call last):\n  File "run.py", line 847, in task_run_sample\n{message}\n'
    return {"message": message, "traceback": trace, "traceback_ansi": trace}


def _summary(sample: dict[str, Any]) -> dict[str, Any]:
    kept = ("id", "epoch", "input", "target", "metadata", "model_usage", "total_time", "working_time", "uuid")
    scores = {name: {"value": score["value"], "answer": score["answer"]} for name, score in sample["scores"].items()}
    made = {key: sample[key] for key in kept} | {"scores": scores, "completed": True, "message_count": 2}
    return made | ({"error": sample["error"]["message"]} if "error" in sample else {})
