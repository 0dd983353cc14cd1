"""DeepEval: the test run that `deepeval test run` and `evaluate()` save, with `testCases` and their `metricsData`.

Each metric is an evaluation with a judge of its own; a score is 1 for a case that passed, as in the pass rates that
DeepEval prints. The metric's own score is a further one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.evaluation.formats.reader import (
    Format,
    FormatError,
    Repetitions,
    as_text,
    cluster_of,
    head_of,
    listed,
    mapping,
    number_of,
    read_json,
    source_of,
)
from voirdire.evaluation.records import Evaluation, Printed
from voirdire.evaluation.table import Rows
from voirdire.reason_codes import reason

NAME = "deepeval"
_CASES = ("testCases", "conversationalTestCases")
_INSIDE = ("testRunData", "test_run_data")
_MODELS = ("model", "Model", "model_name", "llm", "LLM")
"""Hyperparameters that name the model under test."""
_OWN = "score"
"""What the metric's own score is called among the other scores."""
_BY_REFERENCE = re.compile(r"correct|accura|match|equival|similar|agree|reference|expected", re.I)
"""Names of metrics in which a judge compares an output with what was expected."""


def sniff(path: Path) -> bool:
    """A JSON file that begins as a test run does."""
    head = head_of(path)
    return (
        path.suffix in (".json", "")
        and head.lstrip().startswith(b"{")
        and any(f'"{key}"'.encode() in head for key in _CASES)
    )


def read(path: Path) -> Sequence[Evaluation]:
    """An evaluation for each metric."""
    content = mapping(read_json(path)[0])
    run = next((mapping(content[name]) for name in _INSIDE if name in content), content)
    cases = [mapping(each) for name in _CASES for each in listed(run.get(name))]
    metrics = dict.fromkeys(
        str(mapping(data).get("name")) for case in cases for data in listed(case.get("metricsData"))
    )
    if not metrics:
        raise FormatError(f"{path} is no test run of DeepEval: no case has the data of a metric.")
    names = _items(cases)
    return [_evaluation(path, run, cases, names, metric) for metric in metrics]


FORMAT = Format(NAME, sniff, read)


def _items(cases: Sequence[Mapping[str, Any]]) -> list[str]:
    """Names of cases; where they repeat, the input is the item, since cases of one input are its repetitions."""
    names = [str(case.get("name")) for case in cases]
    if max(Counter(names).values()) == 1:
        return names
    return [as_text(case.get("input")) or name for case, name in zip(cases, names, strict=True)]


def _evaluation(
    path: Path, run: Mapping[str, Any], cases: Sequence[Mapping[str, Any]], items: Sequence[str], metric: str
) -> Evaluation:
    about = mapping(run.get("hyperparameters"))
    model = next((about[name] for name in _MODELS if isinstance(about.get(name), str)), path.stem.lstrip("."))
    rows, times = Rows(), Repetitions()
    for case, item in zip(cases, items, strict=True):
        for data in (mapping(each) for each in listed(case.get("metricsData"))):
            if data.get("name") == metric:
                _add(rows, case, data, item, model, times)
    title = str(run.get("testFile") or run.get("datasetAlias") or run.get("identifier") or "deepeval")
    frame = rows.frame(models=(model,))
    return Evaluation(
        name=f"{title}, {metric}",
        format=NAME,
        metric=f"pass rate of {metric}",
        rows=frame,
        printed=tuple(_printed(run, cases, metric, model, path)),
        other_scores=rows.other_scores(),
        by_reference=not frame["judge"].notna().any() or _BY_REFERENCE.search(metric) is not None,
        threshold_of=_OWN,
        settings={model: {**{str(name): value for name, value in about.items() if name not in _MODELS}}},
        files=(source_of(path),),
        notes=(reason("evaluation_pass_rate"),),
    )


def _add(
    rows: Rows, case: Mapping[str, Any], data: Mapping[str, Any], item: str, model: str, times: Repetitions
) -> None:
    judge = as_text(data.get("evaluationModel"))
    own = number_of(data.get("score"))
    rows.add(
        {
            "item": item,
            "model": model,
            "score": number_of(data.get("success")) if own is not None or not data.get("error") else None,
            "status": "error" if data.get("error") else None,
            "judge": judge,
            "cluster": cluster_of(case.get("metadata")),
            "epoch": float(times.next(item, model)),
            "prompt": as_text(case.get("input") or case.get("scenario")),
            "output": as_text(case.get("actualOutput")) or _turns(case),
            "reference": as_text(case.get("expectedOutput") or case.get("expectedOutcome")),
            "verdict": as_text(data.get("reason")),
            "error": as_text(data.get("error")),
            "output_tokens": number_of(case.get("outputTokenCount")),
        },
        {} if own is None else {_OWN: own},
    )


def _turns(case: Mapping[str, Any]) -> str | None:
    case_turns = [mapping(each) for each in listed(case.get("turns"))]
    return "\n\n".join(str(each.get("content")) for each in case_turns if each.get("role") == "assistant") or None


def _printed(
    run: Mapping[str, Any], cases: Sequence[Mapping[str, Any]], metric: str, model: str, path: Path
) -> Iterator[Printed]:
    """The metric's pass rate; where it is the only one, that of the cases is its rate, too."""
    own = [mapping(each) for each in listed(run.get("metricsScores")) if mapping(each).get("metric") == metric]
    counts = [(scores.get("passes"), scores.get("fails"), "metricsScores") for scores in own[:1]]
    if all(len(listed(case.get("metricsData"))) == 1 and not _broke(case) for case in cases):
        counts.append((run.get("testPassed"), run.get("testFailed"), "testPassed"))
    for passes, fails, source in counts:
        passed, failed = number_of(passes), number_of(fails)
        if passed is not None and failed is not None and passed + failed:
            n = int(passed + failed)
            yield Printed(model, passed / n, None, n, 12, f"{path.name}, {source}")


def _broke(case: Mapping[str, Any]) -> bool:
    """Whether a metric of a case ended in an error: it counts among the cases that failed, and has no score."""
    return any(mapping(each).get("error") for each in listed(case.get("metricsData")))
