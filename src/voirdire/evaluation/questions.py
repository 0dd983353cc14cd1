"""What commands ask of results as they ask it of a run: limits, checks, differences, power, agreement of judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from voirdire.errors import InputError
from voirdire.evaluation.audit import audit, audit_of, check_values
from voirdire.evaluation.checks import Check, comparisons
from voirdire.evaluation.comparison import EvaluationComparison
from voirdire.evaluation.comparison import compare as compare_models
from voirdire.evaluation.formats import read_paths
from voirdire.evaluation.headline import headlines
from voirdire.evaluation.judges import NoJudgesError, agreements
from voirdire.evaluation.planning import planned
from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.report.cautions import directions, joined_files, share_left_out, turned, with_reading
from voirdire.evaluation.report.differences import Compared, checks_that, comparison_document, comparison_line
from voirdire.evaluation.report.judges import agreement_line, judges_document
from voirdire.evaluation.report.planning import planned_line, planning_document
from voirdire.evaluation.report.ranks import ranking_chart
from voirdire.evaluation.report.verdict import at_equal_length
from voirdire.instruments import CompareQuestion, PowerQuestion, QuestionResult
from voirdire.instruments.figures import CheckSummary, ModelFigure, RunFigures, Subject
from voirdire.reason_codes import reason
from voirdire.text.counting import listed
from voirdire.text.shortening import in_one_line

SCORE = "score"
"""The figure that a limit can be set on, whatever the evaluation calls it."""

_OF_DIFFERENCES = frozenset(check.__name__ for check in comparisons.CHECKS)
"""Checks of what can be claimed of two models' difference: they speak against no score, nor a limit on one."""


class QuestionError(InputError):
    """A question that results can't answer: one sentence says why."""


def figures(path: Path) -> RunFigures:
    """The score of each model, with what it could be if items without a score were known."""
    result = audit([path])
    several = len(result.evaluations) > 1
    names = {
        (each.name, model): f"{model} ({each.name})" if several else model
        for each in result.evaluations
        for model in each.models
    }
    dropped = {check.evaluation: check for check in result.checks if check.id == "dropped_items"}
    subjects = [
        Subject(
            path,
            "evaluation",
            names[each.name, model],
            _figures(each, model, dropped[each.name]),
            plain=model,
        )
        for each in result.evaluations
        for model in each.models
    ]
    failing = [check for check in result.checks if check.status == "fail"]
    failed = tuple(_check_summary(check, names) for check in failing if check.id not in _OF_DIFFERENCES)
    warned = tuple(_check_summary(check, names) for check in result.checks if check.status == "warn")
    apart = list(dict.fromkeys(check.id for check in failing if check.id in _OF_DIFFERENCES))
    checks = tuple(dict.fromkeys(check.id for check in result.checks))
    share = share_left_out(result.evaluations, result.unread)
    warnings = (
        *(each.text for each in directions(result.evaluations)),
        *([f"{share}."] if share else []),
        *([f"Checks of differences fail, on which no limit rests: {listed(apart)}."] if apart else []),
    )
    return RunFigures(
        path, "evaluation", tuple(subjects), warnings, failed_checks=failed, warned_checks=warned, checks=checks
    )


def _check_summary(check: Check, names: Mapping[tuple[str, str], str]) -> CheckSummary:
    """A check with the subjects that it concerns, whose names are given by evaluation and model."""
    of_it = {model: name for (evaluation, model), name in names.items() if evaluation == check.evaluation}
    return CheckSummary(check.id, str(check.finding), tuple(of_it.get(model, model) for model in check.models or of_it))


def _figures(evaluation: Evaluation, model: str, dropped: Check) -> Mapping[str, ModelFigure]:
    result = headlines(evaluation)[model]
    bounds = dropped.details.get("bounds", {}).get(model)
    missing = len(evaluation.items) - result.n
    lacking = reason("evaluation_items_unscored", items=missing)
    if bounds is None and missing and result.value is not None and evaluation.bounds is None:
        bounds = _like_those_seen(evaluation, result.value * result.n, missing)
        lacking = reason("evaluation_items_like_those_seen", why=lacking)
    why = "evaluation_nothing_scored" if result.value is None else "evaluation_few_items"
    figure = ModelFigure(
        result.value,
        result.interval,
        None if result.interval is not None else reason(why),
        n=result.n,
        could_be=None if bounds is None else (bounds[0], bounds[1]),
        ends=evaluation.bounds or _ends_seen(evaluation),
        lacking=None if bounds is None else lacking,
    )
    return {SCORE: figure, **({evaluation.metric: figure} if evaluation.metric != SCORE else {})}


def _ends_seen(evaluation: Evaluation) -> tuple[float, float] | None:
    """The lowest and the highest score that an item has."""
    values = evaluation.item_scores.values
    return None if np.isnan(values).all() else (float(np.nanmin(values)), float(np.nanmax(values)))


def _like_those_seen(evaluation: Evaluation, total: float, missing: int) -> tuple[float, float]:
    """A mean if all missing scores were the lowest that any model has, and if they were the highest."""
    values, items = evaluation.item_scores.values, len(evaluation.items)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    return (total + missing * low) / items, (total + missing * high) / items


def validate(paths: Sequence[Path]) -> QuestionResult:
    """All checks of all evaluations."""
    from voirdire.evaluation.report import brief_document, conclusion

    result = audit(paths)
    return QuestionResult(
        headline=conclusion(result),
        values={"checks": check_values(result.checks)},
        document=brief_document(result),
        frame=checks_frame(result.checks),
        failed=tuple(dict.fromkeys(check.id for check in result.checks if check.status == "fail")),
        models=tuple(dict.fromkeys(model for each in result.evaluations for model in each.models)),
    )


def checks_frame(checks: Sequence[Check]) -> pd.DataFrame:
    """One row per check: evaluation, check, status, value, n, models, found."""
    rows = [
        {
            "evaluation": each.evaluation,
            "check": each.id,
            "status": each.status,
            "value": each.value,
            "n": each.n,
            "models": list(each.models),
            "finding": str(each.finding),
        }
        for each in checks
    ]
    columns = ("evaluation", "check", "status", "value", "n", "models", "finding")
    return pd.DataFrame(rows, columns=list(columns)).astype({"value": "float64", "n": "Int64"})


def compare(paths: Sequence[Path], question: CompareQuestion) -> QuestionResult:
    """Paired differences of the models of each evaluation, the places that each can have, and which checks fail.

    Raises:
        QuestionError: a model that no evaluation has, or no evaluation with two models.
    """
    read = read_paths(paths)
    known = {model for each in read.evaluations for model in each.models}
    unknown = next((model for model in question.models if model not in known), None)
    if unknown is not None:
        raise QuestionError(f"There is no model {unknown!r} in these results; there are {', '.join(sorted(known))}.")
    if question.models:
        read = read._replace(evaluations=tuple(each.of_models(question.models) for each in read.evaluations))
    pairs = [(each, compare_models(each, question.alpha)) for each in read.evaluations]
    compared = [pair for pair in pairs if len(pair[1].placed) > 1]
    if not compared:
        hints = "".join(f" {each.text}" for each in joined_files(read.evaluations))
        raise QuestionError(
            f"No evaluation in these results has scores of two models, so there is nothing to compare.{hints}"
        )
    compared.sort(key=lambda pair: (-len(pair[1].placed), -len(pair[0].items)))
    evaluations = [each for each, _ in compared]
    checks = audit_of(read._replace(evaluations=tuple(evaluations))).checks
    comparisons = [
        Compared(
            each,
            checks_that("fail", checks, each),
            checks_that("warn", checks, each),
            at_equal_length(each, evaluation, checks),
        )
        for evaluation, each in compared
    ]
    return QuestionResult(
        headline=in_one_line(_whose(comparisons) + comparison_line(comparisons[0])),
        values={"evaluations": {each.models.evaluation: each.as_dict() for each in comparisons}},
        document=with_reading(comparison_document(comparisons), evaluations, read.unread, *turned(evaluations)),
        frame=_pairs_frame([each.models for each in comparisons]),
        chart=ranking_chart(evaluations[0], comparisons[0].models, 1),
    )


def _whose(comparisons: Sequence[Compared]) -> str:
    """Of several evaluations, whose order a sentence gives."""
    return f"{comparisons[0].models.evaluation}: " if len(comparisons) > 1 else ""


def _pairs_frame(comparisons: Sequence[EvaluationComparison]) -> pd.DataFrame:
    rows = [
        {"evaluation": each.evaluation, **each.pair(a, b)}
        for each in comparisons
        for a in range(len(each.placed))
        for b in range(a + 1, len(each.placed))
    ]
    return pd.DataFrame(rows).astype(dict.fromkeys(("difference", "se", "low", "high", "p"), "float64"))


def power(paths: Sequence[Path], question: PowerQuestion) -> QuestionResult:
    """How many items each evaluation needs to see a difference.

    Raises:
        QuestionError: a difference that can't be meant, or no evaluation with two models that differ on items.
    """
    if question.detect <= 0:
        raise QuestionError(f"--detect is a difference above 0; {question.detect:g} was given.")
    read = audit(paths)
    matches = [plan for each in read.evaluations if (plan := planned(each, question)) is not None]
    if not matches:
        raise QuestionError(
            "No evaluation in these results has two models that differ on shared items, so their spread is not known."
        )
    failing = [check for check in read.checks if check.status == "fail" and check.id not in _OF_DIFFERENCES]
    return QuestionResult(
        headline=planned_line(matches[0], question, failing),
        values={
            "detect": question.detect,
            "power": question.power,
            "alpha": question.alpha,
            "evaluations": [each.as_dict() for each in matches],
            "failing_checks": list(dict.fromkeys(check.id for check in failing)),
        },
        document=with_reading(planning_document(matches, question, failing), read.evaluations, read.unread),
        frame=pd.DataFrame([each.as_dict() for each in matches]),
    )


def reliability(paths: Sequence[Path]) -> QuestionResult:
    """How far the judges of an evaluation agree, and what each of them changes.

    Raises:
        NoJudgesError: no outputs were scored by two judges.
    """
    read = read_paths(paths)
    result = agreements(read.evaluations)
    if not result:
        raise NoJudgesError(
            "No output in these results was scored by two judges. Name the column of judges: "
            "--map judge=COLUMN, or give the files of several judges."
        )
    return QuestionResult(
        headline=f"{result[0].name}: {agreement_line(result[0])}" if len(result) > 1 else agreement_line(result[0]),
        values={"panels": [each.as_dict() for each in result]},
        document=with_reading(judges_document(result), read.evaluations, read.unread),
        frame=pd.DataFrame([{"panel": each.name, **pair.as_dict()} for each in result for pair in each.pairs]),
    )
