"""What commands ask of cross-examinations: was the test sound, which models differ, do the judges agree?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from voirdire.ddft.analysis.comparing.compare import ModelComparison
from voirdire.ddft.analysis.comparing.compare import compare as compare_models
from voirdire.ddft.analysis.judges.report import JuryReport, report_jury
from voirdire.ddft.analysis.runs import read_runs
from voirdire.ddft.report.comparison import comparison_chart, comparison_document
from voirdire.ddft.report.judges import reliability_document
from voirdire.ddft.report.validity_checks import checks_data, checks_document, tally
from voirdire.ddft.results import Result, load_run
from voirdire.ddft.soundness import RESERVATIONS, conclusion
from voirdire.instruments import CompareQuestion, QuestionResult
from voirdire.reason_codes import reason
from voirdire.text.counting import counted

_NUMBERS = ("difference", "low", "high", "p", "p_holm", "effect_size")


def validate(path: Path, jury: str | None) -> QuestionResult:
    """The validity checks, with what they saw. The table has one row per check: value NaN where not measured.

    Raises:
        RunFolderError, StudyError, JuryError: there is no run, or this jury has judged nothing in it.
    """
    result = load_run(path, jury)
    return QuestionResult(
        headline=f"{tally(result)}; run {result.path}, jury {result.jury}.",
        values=checks_data(result),
        document=checks_document(result),
        frame=_checks_frame(result),
        failed=tuple(result.failed_checks),
        unverified=_unverified("judge_agreement") if result.lone_judge else {},
        reservations=dict.fromkeys(RESERVATIONS, False) | {each.code: True for each in conclusion(result).reservations},
    )


def _unverified(check: str) -> dict[str, str]:
    """A check that one judge alone leaves open, and why a strict reading counts it."""
    return {check: str(reason("strict_unverified", check=check, why=str(reason("note_lone_judge"))))}


def _checks_frame(result: Result) -> pd.DataFrame:
    rows = [
        {
            "check": check.id,
            "status": check.status,
            "value": check.value,
            "low": None if check.interval is None else check.interval[0],
            "high": None if check.interval is None else check.interval[1],
            "evidence": [str(sentence) for sentence in check.evidence],
        }
        for check in result.checks
    ]
    return pd.DataFrame(rows).astype(dict.fromkeys(("value", "low", "high"), "float64"))


def compare(paths: Sequence[Path], jury: str | None, question: CompareQuestion) -> QuestionResult:
    """Ranks, and each pair's difference with its test. The table has one row per pair; differences are A - B.

    Raises:
        CompareError: fewer than two models, or an unknown metric or unit.
        RunFolderError, StudyError, JuryError: a folder holds no run, or this jury has judged nothing in it.
    """
    result = compare_models(read_runs(paths, jury), question.metric or "ER", question.unit or "concept", question.alpha)
    return QuestionResult(
        headline=f"{result.brief}{' There are cautions.' if result.caution_in_brief else ''}",
        values=result.as_dict(),
        document=comparison_document(result),
        frame=_pairs_frame(result),
        chart=comparison_chart(result),
    )


def _pairs_frame(comparison: ModelComparison) -> pd.DataFrame:
    rows = [
        {
            "a": pair.a,
            "b": pair.b,
            "verdict": pair.verdict,
            "difference": pair.difference,
            "low": None if pair.interval is None else pair.interval.low,
            "high": None if pair.interval is None else pair.interval.high,
            "p": pair.p,
            "p_holm": pair.p_holm,
            "effect_size": pair.shown_effect,
            "n_cells": pair.n_cells,
        }
        for pair in comparison.pairs
    ]
    return pd.DataFrame(rows).astype(dict.fromkeys(_NUMBERS, "float64"))


def reliability(path: Path, jury: str | None) -> QuestionResult:
    """How far the judges of a run agree, and what its results owe to each. The table has a row per score and pair.

    Raises:
        RunFolderError, StudyError, JuryError: there is no run, or no such jury has judged it.
        ReliabilityError: there is one judge only.
    """
    result = report_jury(path, jury)
    return QuestionResult(
        headline=f"Jury {result.jury} of {result.path}, on {counted(result.turns, 'turn')}.",
        values=result.as_dict(),
        document=reliability_document(result),
        frame=_judges_frame(result),
    )


def _judges_frame(report: JuryReport) -> pd.DataFrame:
    rows = [
        {
            "score": name,
            "a": pair.judges[0],
            "b": pair.judges[1],
            "items": pair.items,
            "pearson": pair.pearson,
            "mean_absolute_difference": pair.mean_absolute_difference,
        }
        for name, score in report.reliability.scores.items()
        for pair in score.pairs
    ]
    return pd.DataFrame(rows)
