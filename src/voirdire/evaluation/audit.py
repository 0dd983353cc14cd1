"""`voirdire audit`: what the files hold, what was checked, which models differ, and the sentence that concludes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from voirdire.data.json_values import as_plain
from voirdire.evaluation.checks import ALL, Check, wording
from voirdire.evaluation.comparison import EvaluationComparison, compare
from voirdire.evaluation.doubts import believed_places
from voirdire.evaluation.formats import PathContents, Unread, read_paths
from voirdire.evaluation.headline import headlines
from voirdire.evaluation.model_names import alike
from voirdire.evaluation.records import Evaluation


@dataclass(frozen=True, slots=True, eq=False)
class Audit:
    """All that is said of some results."""

    evaluations: tuple[Evaluation, ...]
    checks: tuple[Check, ...]
    """By evaluation, in the order of `checks.ALL`."""
    comparisons: tuple[EvaluationComparison, ...]
    """One for each evaluation."""
    unread: tuple[Unread, ...]

    @property
    def made(self) -> tuple[Check, ...]:
        """Checks for which the files have what they need."""
        return tuple(check for check in self.checks if check.status != "not_measured")

    @property
    def failed(self) -> bool:
        """Whether a check fails."""
        return any(check.status == "fail" for check in self.checks)

    def _failed_of(self, comparison: EvaluationComparison) -> list[Check]:
        own = (check for check in self.checks if check.evaluation == comparison.evaluation)
        return [check for check in own if check.status == "fail"]

    def as_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        return {
            "evaluations": [_evaluation(each) for each in self.evaluations],
            "checks": check_values(self.checks),
            "comparison": {
                each.evaluation: {"believed": believed_places(each, self._failed_of(each)), **each.as_dict()}
                for each in self.comparisons
            },
            "unread": [{"path": str(each.path), "why": each.why.as_dict()} for each in self.unread],
        }


def audit(paths: Sequence[Path], progress: Callable[[str], None] = lambda _: None) -> Audit:
    """Read results, and check them. No model is called, and nothing in a file is run.

    Raises:
        FormatError: nothing in them can be read.
    """
    return audit_of(read_paths(paths, lambda path, n, of: progress(f"Reading {path.name}, {n:,} of {of:,}")), progress)


def audit_of(result: PathContents, progress: Callable[[str], None] = lambda _: None) -> Audit:
    """Check results that are read already; see `audit`."""
    checks, comparisons = [], []
    for each in _with_others_beside(result.evaluations):
        progress(f"Checking {each.name}")
        checks += [check(each) for check in ALL]
        comparisons.append(compare(each))
    return Audit(result.evaluations, tuple(checks), tuple(comparisons), result.unread)


def _with_others_beside(evaluations: Sequence[Evaluation]) -> Iterator[Evaluation]:
    """Each with those that share models and items with it: a judge that was copied may have a file of its own.

    One that names the same judge is another evaluation, whose items only have the same names.
    """
    for each in evaluations:
        models, items, judges = set(each.models), set(each.items), set(each.judges)
        apart = (other for other in evaluations if other is not each and not judges & set(other.judges))
        others = (other for other in apart if models & set(other.models))
        yield replace(each, beside=tuple(other for other in others if items & set(other.items)))


def _evaluation(evaluation: Evaluation) -> dict[str, Any]:
    scores = {
        model: {
            "value": each.value,
            "se": each.interval_se,
            "unclustered_se": each.se,
            "clustered_se": each.clustered_se,
            "interval": as_plain(each.interval),
            "n": each.n,
        }
        for model, each in headlines(evaluation).items()
    }
    return {
        "name": evaluation.name,
        "format": evaluation.format,
        "metric": evaluation.metric,
        "higher_is_better": evaluation.higher_is_better,
        "models": list(evaluation.models),
        "alike_models": as_plain(alike(evaluation.models)),
        "items": len(evaluation.items),
        "judges": list(evaluation.judges),
        "headline": scores,
        "printed": as_plain(evaluation.printed),
        "files": as_plain(evaluation.files),
        "notes": as_plain(evaluation.notes),
    }


def check_values(checks: Sequence[Check]) -> list[dict[str, Any]]:
    """Checks as JSON has them."""
    return [_check(each) for each in checks]


def _check(check: Check) -> dict[str, Any]:
    return {
        "id": check.id,
        "status": check.status,
        "value": as_plain(check.value),
        "n": check.n,
        "evaluation": check.evaluation,
        "models": list(check.models),
        "quotes": as_plain(check.quotes),
        "finding": check.finding.as_dict(),
        "advice": wording.ADVICE[check.id] if check.status in ("fail", "warn") else None,
        "details": as_plain(check.details),
    }
