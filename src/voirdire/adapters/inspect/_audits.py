"""An audited response as a sample of Inspect's: its score by deduction, and what many say together."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from inspect_ai.scorer import Metric, SampleScore, Score, Value, metric

from voirdire.adapters.inspect._plain import with_ends
from voirdire.data.plain import as_plain
from voirdire.integrity.taxonomy import Taxonomy, load_taxonomy
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from voirdire.integrity.results import Audited
    from voirdire.stats.intervals import Interval


def score_of(audited: Audited, banner: str | None) -> Score:
    """The score of a sample: points left, its band, and the violations that cost them; unscored below the quorum."""
    said = as_plain(audited.as_dict())
    metadata = {"banner": banner, **said}
    if audited.decision.consensus is None:
        why = "\n".join(
            [f"Unscored: {said['why']}. {_missing(said)}", *(f"- {_found(each)}" for each in said["violations"])]
        )
        return Score.unscored(reason="grader_failed", explanation=why, metadata=metadata)
    return Score(
        value={"score": said["score"], "band": said["band"], "violations": len(said["violations"])},
        answer=audited.item.response,
        explanation="\n".join(
            [
                *([banner] if banner else []),
                f"{counted(said['score'], 'point')}, {said['band']}.",
                *(f"- {_charged(each)}" for each in said["violations"]),
                *([_missing(said)] if _missing(said) else []),
            ]
        ),
        metadata=metadata,
    )


@metric(name="deductions", scores="unreduced")
def deduction_metrics() -> Metric:
    """Mean and median score with the interval of the mean, and the share of responses in each band, in percent."""

    def compute(scores: list[SampleScore]) -> Value:
        return summarised((score.score for score in scores), load_taxonomy())

    return compute


def summarised(scores: Iterable[Score], taxonomy: Taxonomy) -> dict[str, float]:
    """Metrics of scored responses; nothing where there is none."""
    values = [score.value for score in scores if isinstance(score.value, dict)]
    points = [float(value["score"]) for value in values if value["score"] is not None]
    if not points:
        return {}
    interval = _interval(points)
    bands = Counter(str(value["band"]) for value in values)
    found: dict[str, float | None] = {
        "mean_score": statistics.fmean(points),
        "median_score": statistics.median(points),
        **{
            f"{band.name.lower().replace(' ', '_')}_pct": 100 * bands[band.name] / len(points)
            for band in taxonomy.bands
        },
    }
    return with_ends(found, {} if interval is None else {"mean_score": interval})


def _interval(points: list[float]) -> Interval | None:
    """Of the mean, responses taken as independent; held within 0 and 100."""
    from voirdire.stats.intervals import jackknife_t

    total, count = sum(points), len(points)
    try:
        found = jackknife_t(total / count, [(total - each) / (count - 1) for each in points])
    except (ValueError, ZeroDivisionError):  # fewer than three responses, or all alike
        return None
    return found._replace(low=max(0.0, found.low), high=min(100.0, found.high))


def _charged(violation: dict[str, Any]) -> str:
    return _found(violation, f", {violation['penalty']} points")


def _found(violation: dict[str, Any], points: str = "") -> str:
    quoted = f" “{violation['span']}”" if violation.get("span") else ""
    fact = f" ({violation['fact']})" if violation.get("fact") else ""
    return f"{violation['type']}{points}{fact}:{quoted} {violation.get('reason', '')}".strip()


def _missing(said: dict[str, Any]) -> str:
    lacking = [f"{each['auditor']}: {each['missing']}" for each in said["auditors"] if each["missing"]]
    return f"Without an audit: {'; '.join(lacking)}." if lacking else ""
