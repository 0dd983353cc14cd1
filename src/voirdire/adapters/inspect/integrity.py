"""`inspect eval voirdire/integrity`: how does an answer treat the facts that it was given as established?"""

from __future__ import annotations

import asyncio
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.viewer import ScoreColorScale

from voirdire.adapters.inspect.participants import (
    SUBJECT,
    SampleRecord,
    answer_of,
    as_list,
    panel,
    subject,
    unanswered,
    user_errors,
)
from voirdire.adapters.inspect.view import viewer, with_ends
from voirdire.data.json_values import as_plain
from voirdire.data.prompt_files import load_prompt
from voirdire.integrity.auditing import RULES
from voirdire.integrity.auditors import cautions, open_auditors
from voirdire.integrity.facts import as_items, parse_facts, read_facts
from voirdire.integrity.items import Item, checked_items
from voirdire.integrity.panel import Scoring, decide
from voirdire.integrity.taxonomy import Taxonomy, load_taxonomy
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from voirdire.integrity.results import AuditedResponse
    from voirdire.stats.intervals import Interval

SCALES: Mapping[str, Any] = {
    "score": ScoreColorScale(palette="good-high", min=0, max=100),
    "band": {},
    "violations": "neutral",
}
"""How its scores are coloured in the viewer, in the order in which they are shown."""


def score_of(audited: AuditedResponse, banner: str | None) -> Score:
    """The score of a sample: points left, its band, and the violations that cost them; unscored below the quorum."""
    result = as_plain(audited.as_dict())
    metadata = {"banner": banner, **result}
    if audited.decision.consensus is None:
        why = "\n".join(
            [
                f"Unscored: {result['why']}. {_missing(result)}",
                *(f"- {_entry(each)}" for each in result["violations"]),
            ]
        )
        return Score.unscored(reason="grader_failed", explanation=why, metadata=metadata)
    return Score(
        value={"score": result["score"], "band": result["band"], "violations": len(result["violations"])},
        answer=audited.item.response,
        explanation="\n".join(
            [
                *([banner] if banner else []),
                f"{counted(result['score'], 'point')}, {result['band']}.",
                *(f"- {_charged_entry(each)}" for each in result["violations"]),
                *([_missing(result)] if _missing(result) else []),
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
    metrics: dict[str, float | None] = {
        "mean_score": statistics.fmean(points),
        "median_score": statistics.median(points),
        **{
            f"{band.name.lower().replace(' ', '_')}_pct": 100 * bands[band.name] / len(points)
            for band in taxonomy.bands
        },
    }
    return with_ends(metrics, {} if interval is None else {"mean_score": interval})


def _interval(points: list[float]) -> Interval | None:
    """Of the mean, responses taken as independent; held within 0 and 100."""
    from voirdire.stats.intervals import jackknife_t

    total, count = sum(points), len(points)
    try:
        interval = jackknife_t(total / count, [(total - each) / (count - 1) for each in points])
    except (ValueError, ZeroDivisionError):  # fewer than three responses, or all alike
        return None
    return interval._replace(low=max(0.0, interval.low), high=min(100.0, interval.high))


def _charged_entry(violation: dict[str, Any]) -> str:
    return _entry(violation, f", {violation['penalty']} points")


def _entry(violation: dict[str, Any], points: str = "") -> str:
    quoted = f" “{violation['span']}”" if violation.get("span") else ""
    fact = f" ({violation['fact']})" if violation.get("fact") else ""
    return f"{violation['type']}{points}{fact}:{quoted} {violation.get('reason', '')}".strip()


def _missing(result: dict[str, Any]) -> str:
    lacking = [f"{each['auditor']}: {each['missing']}" for each in result["auditors"] if each["missing"]]
    return f"Without an audit: {'; '.join(lacking)}." if lacking else ""


_STORED = "voirdire.response"


@task
def integrity(
    items: str,
    facts: str | None = None,
    jury: str | list[str] | None = None,
    samples: int = 1,
    max_tokens: int = 1000,
    seed: int = 0,
) -> Task:
    """Answers to questions with established facts, audited by the role `judge`, or by rules.

    Args:
        items: JSON Lines with the question ("context") and its "facts"; a response that stands there is not used.
        facts: a file of facts, for items that bring none.
        jury: auditors beside those in the role `judge`: models of Inspect's, or rules.
        samples: answers to each question: Inspect's epochs.
        max_tokens: of an answer.
        seed: of the calls.
    """
    with user_errors():
        shared = read_facts(Path(facts)) if facts is not None else []
        read = [item for item, _ in checked_items(Path(items), shared, ("context", "facts"))]
    names = panel(as_list(jury), RULES).names
    return Task(
        dataset=MemoryDataset([_sample(item) for item in read], name=Path(items).name, location=items),
        solver=informed_answer(max_tokens, seed),
        scorer=audit_panel(as_list(jury), seed),
        epochs=samples,
        version=1,
        metadata={"instrument": "integrity", "auditors": list(names), "banner": _banner(names)},
        viewer=viewer("integrity", SCALES),
        description="How does an answer treat established facts: stated, blurred, doubted, denied, invented?",
    )


@solver
def informed_answer(max_tokens: int = 1000, seed: int = 0) -> Solver:
    """Answer a question, the established facts being given."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        name, model = subject()
        given = "\n".join(f"- {fact['text']}" for fact in state.metadata["facts"])
        messages = load_prompt("integrity_subject").messages(facts=given, question=state.input_text)
        reply = await answer_of(state, SampleRecord({SUBJECT: model}, seed), name, messages, max_tokens)
        state.store.set(_STORED, {"text": reply.text, "missing": reply.missing})
        return state

    return solve


@scorer(metrics=[deduction_metrics()], name="integrity")
def audit_panel(jury: list[str] | None = None, seed: int = 0) -> Scorer:
    """What a majority of the auditors finds in the answer, and what that costs."""

    async def score(state: TaskState, target: Target) -> Score:
        from voirdire.integrity.results import AuditedResponse  # with the run's machinery, which no list of tasks needs

        stored = state.store.get(_STORED)
        if stored["missing"]:
            return unanswered(stored["missing"])
        facts = tuple(parse_facts(state.metadata["facts"]))
        item = Item(str(state.sample_id), stored["text"], facts, context=state.input_text)
        judges, scoring = panel(jury or (), RULES), Scoring(load_taxonomy())
        auditors = open_auditors(judges.names, SampleRecord(judges.models, seed), None, scoring.taxonomy)
        audits = await asyncio.gather(*(auditor.audit(item) for auditor in auditors))
        return score_of(
            AuditedResponse(item, decide(audits, item.facts, item.response, scoring)), _banner(judges.names)
        )

    return score


def _banner(names: Sequence[str]) -> str | None:
    return " ".join(cautions(names)) or None


def _sample(item: Item) -> Sample:
    return Sample(id=item.id, input=item.context, metadata={"facts": as_items(item.source_facts)})
