"""A promptfoo results file (`promptfoo eval -o results.json`, version 3): providers are columns, tests are rows.

A repeated test is one more row with the same variables: promptfoo does not keep which repetition it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.accuracy.planted.formats._common import asked, save, sha, tokens, uuid_of
from benchmarks.accuracy.planted.study import Answer, Study

STAMP = "2026-02-03T10:30:21.627Z"
EVAL = "eval-kMQ-2026-02-03T10:29:47"
REASONS = {"stop": "stop", "length": "length", "content_filter": "content_filter"}


def write(study: Study, folder: Path) -> None:
    rows = [
        _row(study, place, number, answer)
        for place, model in enumerate(study.models)
        for number, answer in enumerate(study.of(model))
    ]
    prompts = [_column(study, model) for model in study.models]
    stats = {
        "successes": sum(each["metrics"]["testPassCount"] for each in prompts),
        "failures": sum(each["metrics"]["testFailCount"] for each in prompts),
        "errors": sum(each["metrics"]["testErrorCount"] for each in prompts),
        "tokenUsage": _usage(study.answers),
    }
    made = {
        "evalId": EVAL,
        "results": {"version": 3, "timestamp": STAMP, "prompts": prompts, "results": rows, "stats": stats},
        "config": _config(study),
        "shareableUrl": None,
        "metadata": {"promptfooVersion": "0.121.9", "nodeVersion": "v22.14.0", "exportedAt": STAMP},
    }
    save(folder / "results.json", made)


def _template(study: Study, model: str) -> str:
    instruction = study.settings[model].instruction
    return f"{instruction}\n\n{{{{question}}}}" if instruction else "{{question}}"


def _asserts(study: Study, answer: Answer) -> list[dict[str, Any]]:
    if study.kind == "short":
        return [{"type": "icontains", "value": f"Answer: {answer.item.target}"}]
    rubric = "Answers the question fully and correctly, and says nothing that is not asked."
    return [
        {"type": "llm-rubric", "value": rubric, "provider": judge, "threshold": study.scale / 2, "metric": judge}
        for judge in study.judges
    ]


def _config(study: Study) -> dict[str, Any]:
    first = study.of(study.models[0])
    tests = [{"vars": {"question": answer.item.question}, "assert": _asserts(study, answer)} for answer in first]
    return {
        "description": study.name,
        "prompts": list(dict.fromkeys(_template(study, model) for model in study.models)),
        "providers": [
            {"id": _provider(model), "config": {"temperature": each.temperature, "max_tokens": each.max_tokens}}
            for model, each in study.settings.items()
        ],
        "tests": tests,
        "sharing": False,
        "outputPath": ["results.json"],
        "evaluateOptions": {"repeat": study.epochs},
    }


def _provider(model: str) -> str:
    owner, _, name = model.partition("/")
    return f"{owner}:messages:{name}" if owner == "anthropic" else f"{owner}:{name}"


def _usage(answers: list[Answer]) -> dict[str, Any]:
    put = sum(tokens(answer.item.question) for answer in answers)
    got = sum(tokens(answer.output) for answer in answers)
    return {
        "total": put + got,
        "prompt": put,
        "completion": got,
        "cached": 0,
        "numRequests": len(answers),
        "completionDetails": {"reasoning": 0, "acceptedPrediction": 0, "rejectedPrediction": 0},
        "assertions": {"total": 0, "prompt": 0, "completion": 0, "cached": 0},
    }


def _passes(study: Study, answer: Answer) -> bool:
    return answer.score is not None and answer.score >= study.scale / 2 and not answer.error


def _column(study: Study, model: str) -> dict[str, Any]:
    answers = study.of(model)
    scored = [answer for answer in answers if not answer.error]
    passed = sum(_passes(study, answer) for answer in scored)
    total = sum(answer.score or 0.0 for answer in scored)
    if printed := study.printed.get(model):
        total, passed = printed.value * printed.n, round(printed.value * printed.n / study.scale)
    raw = _template(study, model)
    named = {judge: sum(answer.verdicts.get(judge) or 0.0 for answer in scored) for judge in study.judges}
    return {
        "raw": raw,
        "label": raw,
        "id": sha(raw),
        "provider": _provider(model),
        "metrics": {
            "score": total,
            "testPassCount": passed,
            "testFailCount": len(scored) - passed,
            "testErrorCount": len(answers) - len(scored),
            "assertPassCount": passed,
            "assertFailCount": len(scored) - passed,
            "totalLatencyMs": sum(len(answer.output) * 3 for answer in answers),
            "tokenUsage": _usage(answers),
            "namedScores": named,
            "namedScoresCount": {judge: len(scored) for judge in study.judges},
            "cost": 0.0012 * len(answers),
        },
    }


def _row(study: Study, place: int, number: int, answer: Answer) -> dict[str, Any]:
    item, settings = answer.item, study.settings[answer.model]
    asserts = _asserts(study, answer)
    graded = [_component(study, answer, each) for each in asserts]
    passed = _passes(study, answer)
    provider = _provider(answer.model)
    variables = {"question": "\n\n".join(filter(None, (item.hint, item.question)))}
    if study.kind == "short":
        variables["answer"] = item.target
    if item.cluster:
        variables["passage_id"] = item.cluster
    row: dict[str, Any] = {
        "cost": 0.0012,
        "failureReason": 0 if passed else 1,
        "gradingResult": {
            "pass": passed,
            "score": answer.score or 0.0,
            "reason": "All assertions passed" if passed else next(g["reason"] for g in graded if not g["pass"]),
            "namedScores": {judge: answer.verdicts.get(judge) or 0.0 for judge in study.judges},
            "tokensUsed": {"total": 0, "prompt": 0, "completion": 0, "cached": 0},
            "componentResults": graded,
        },
        "id": uuid_of(study.name, answer.model, number),
        "latencyMs": 400 + len(answer.output) * 3,
        "namedScores": {judge: answer.verdicts.get(judge) or 0.0 for judge in study.judges},
        "prompt": {"raw": asked(item, settings), "label": _template(study, answer.model)},
        "promptId": sha(_template(study, answer.model)),
        "promptIdx": place,
        "provider": {"id": provider, "label": ""},
        "response": {
            "output": answer.output,
            "tokenUsage": _usage([answer]),
            "cached": False,
            "finishReason": REASONS[answer.stop],
            "cost": 0.0012,
        },
        "score": answer.score or 0.0,
        "success": passed,
        "testCase": {
            "vars": variables,
            "assert": asserts,
            "options": {},
            "metadata": {"id": item.key},
        },
        "testIdx": number,
        "vars": variables,
        "metadata": {"id": item.key},
    }
    if answer.error:
        row |= {"error": answer.error, "failureReason": 2, "success": False, "score": 0, "gradingResult": None}
        row["response"] = {"error": answer.error}
    return row


def _component(study: Study, answer: Answer, each: dict[str, Any]) -> dict[str, Any]:
    score = answer.verdicts.get(each["provider"]) if "provider" in each else answer.score
    given = score or 0.0
    passed = given >= study.scale / 2
    reason = answer.explanation
    if not reason:
        told = "to contain" if passed else "Expected output to contain"
        reason = f"{'Assertion passed' if passed else told}" + ("" if passed else f' "{each["value"]}"')
    return {"pass": passed, "score": given, "reason": reason, "assertion": each}
