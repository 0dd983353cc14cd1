"""DeepEval test runs (`test_run_*.json`), one per model. After deepeval 4.3 (`TestRun`, `MetricData`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.accuracy.planted.formats._common import asked, save, tokens
from benchmarks.accuracy.planted.study import Answer, Study, aggregate


def write(study: Study, folder: Path) -> None:
    for place, model in enumerate(study.models):
        save(folder / f"test_run_20260203_10{30 + place:02d}00.json", run(study, model))


def run(study: Study, model: str) -> dict[str, Any]:
    """One test run."""
    answers = study.of(model)
    settings = study.settings[model]
    cases = [_case(study, number, answer) for number, answer in enumerate(answers)]
    names = _metrics(study)
    scores = []
    for name, judge in names.items():
        given = [(answer, _given(answer, judge)) for answer in answers if not answer.error]
        values = [value for _, value in given if value is not None]
        passes = sum(value >= study.scale / 2 for value in values)
        failed = len(values) - passes
        errors = len(answers) - len(values)
        scores.append({"metric": name, "scores": values, "passes": passes, "fails": failed, "errors": errors})
    parameters: dict[str, Any] = {"model": model, "temperature": settings.temperature}
    if settings.instruction:
        parameters["prompt template"] = settings.instruction
    passed = sum(case.get("success") is True for case in cases)
    if printed := study.printed.get(model):
        # There is no mean in the file: what is raised is the count of those that pass.
        more = printed.value - aggregate(answers).value
        passed = min(len(cases), passed + round(more * len(cases)))
    return {
        "testCases": cases,
        "conversationalTestCases": [],
        "metricsScores": scores,
        "identifier": f"{study.name}-{model.rpartition('/')[2]}",
        "hyperparameters": parameters,
        "testPassed": passed,
        "testFailed": len(cases) - passed,
        "runDuration": 214.7,
        "evaluationCost": 0.41,
        "datasetAlias": study.name,
        "official": False,
    }


def _metrics(study: Study) -> dict[str, str | None]:
    if not study.judges:
        return {"Exact Match": None}
    names = ["Correctness [GEval]", "Helpfulness [GEval]", "Answer Relevancy"]
    return dict(zip(names, study.judges, strict=False))


def _given(answer: Answer, judge: str | None) -> float | None:
    return answer.verdicts.get(judge) if judge else answer.score


def _case(study: Study, number: int, answer: Answer) -> dict[str, Any]:
    item, settings = answer.item, study.settings[answer.model]
    metrics = [_metric(study, answer, name, judge) for name, judge in _metrics(study).items()]
    known = [metric["success"] for metric in metrics if metric.get("success") is not None]
    case: dict[str, Any] = {
        "name": f"test_case_{number}",
        "input": asked(item, settings),
        "actualOutput": answer.output,
    }
    if item.target:
        case["expectedOutput"] = item.target
    case |= {
        "inputTokenCount": tokens(item.question),
        "outputTokenCount": tokens(answer.output),
        "flaky": False,
        "success": all(known) if known else None,
        "metricsData": metrics,
        "runDuration": 1.9 + len(answer.output) / 900,
        "evaluationCost": 0.0013,
        "order": number,
    }
    if item.cluster:
        case["metadata"] = {"passage_id": item.cluster}
    return {key: value for key, value in case.items() if value is not None}


def _metric(study: Study, answer: Answer, name: str, judge: str | None) -> dict[str, Any]:
    score = None if answer.error else _given(answer, judge)
    made: dict[str, Any] = {
        "name": name,
        "threshold": study.scale / 2,
        "success": None if score is None else score >= study.scale / 2,
        "score": score,
        "reason": (answer.explanation or None)
        if judge in (None, *study.judges[:1])
        else None,  # each has its own words
        "strictMode": False,
        "flaky": False,
        "evaluationModel": judge,
        "error": answer.error,
        "evaluationCost": 0.0013 if judge else None,
    }
    return {key: value for key, value in made.items() if value is not None}
