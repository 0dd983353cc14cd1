"""Figures of a labelling run: how much of a model's answers is hallucinated, reckoned as the report on it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from voirdire.cognibench.dynamics import Estimate, rows_of
from voirdire.cognibench.dynamics.rows import UNKNOWN_MODEL
from voirdire.cognibench.dynamics.shares import hallucination_rates, tier_shares
from voirdire.cognibench.labelling import LabelledAnswer, manifest_of, read_labelled
from voirdire.cognibench.labelling.records import INSTRUMENT, UNGRADED
from voirdire.cognibench.labelling.summary import LabelSummary, summarise
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.records import LABELS, REQUIREMENTS, Answer, Require, type_of
from voirdire.instruments.figures import Checked, Figure, Scale, Subject
from voirdire.stats.clustered import Estimate as Clustered
from voirdire.stats.clustered import share
from voirdire.text.counting import counted

_FEW = "the answers share fewer than three contexts"


def checked(run: Path, jury: str | None = None) -> Checked:
    """Shares of hallucinated statements by model, with intervals clustered by context (whatever shares one).

    Raises:
        CognibenchError: nothing is labelled.
    """
    plan = manifest_of(run)["plan"]
    require: Require = plan["require"]
    labelled = read_labelled(run)
    models = list(dict.fromkeys(_model(each.answer) for each in labelled))
    if not models:
        raise CognibenchError(f"No answer of {run} has been labelled yet; go on with the run first.")
    subjects = [
        Subject(run, INSTRUMENT, model, _figures(_of(model, labelled), require, plan["tiers"])) for model in models
    ]
    found = summarise(run)
    missing = None
    if found.answers < found.asked:
        missing = f"The run is not complete: {found.answers:,} of {counted(found.asked, 'answer')} labelled."
    return Checked(run, INSTRUMENT, tuple(subjects), tuple(_warnings(found)), missing=missing)


def _model(answer: Answer) -> str:
    return answer.model or UNKNOWN_MODEL


def _of(model: str, labelled: Sequence[LabelledAnswer]) -> list[Answer]:
    return [each.answer for each in labelled if _model(each.answer) == model]


def _figures(answers: Sequence[Answer], require: Require, graded: bool = True) -> dict[str, Figure]:
    if not any(answer.labelled for answer in answers):
        nothing = Figure(None, None, "no statement has a label")
        figures = dict.fromkeys(_NAMES, nothing)
    else:
        figures = dict(_known(answers, require))
        figures |= {} if graded else dict.fromkeys(_graded_names(require), Figure(None, None, UNGRADED))
    statements = [(each.label is None, answer.group) for answer in answers for each in answer.statements]
    undecided = share([lacking for lacking, _ in statements], [group for _, group in statements])
    return figures | {"undecided_pct": _percent(undecided)}


def _known(answers: Sequence[Answer], require: Require) -> Iterator[tuple[str, Figure]]:
    for each in REQUIREMENTS:
        rows = rows_of(answers, each)
        rates = hallucination_rates(rows)
        yield f"hallucinated_pct_{each}", _percent(rates["all"])
        if each == require:
            yield "hallucinated_pct", _percent(rates["all"])
            yield "hallucinated_claims_pct", _claims(answers, each)
            yield "factual_hallucinated_pct", _percent(rates["factual"])
            yield "cognitive_hallucinated_pct", _percent(rates["cognitive"])
            hit = rows.statements.groupby("answer")["hallucinated"].any().astype(int)
            yield "answers_hallucinated_pct", _percent(share(hit, rows.answers["group"]))
    for label, found in tier_shares(rows_of(answers, require)).items():
        yield f"{label}_pct", _percent(found)


def _graded_names(require: Require) -> Iterator[str]:
    """Figures that need a second stage: other requirements, and the labels of conclusions."""
    yield from (f"hallucinated_pct_{each}" for each in REQUIREMENTS if each != require)
    yield from (f"{label}_pct" for label in LABELS if type_of(label) == "cognitive")


def _claims(answers: Sequence[Answer], require: Require) -> Figure:
    """The share among the statements that `voirdire detect` would check: no small talk, and no header rows."""
    claims = [
        replace(
            answer,
            statements=tuple(each for each in answer.statements if not (each.small_talk or answer.is_header(each))),
        )
        for answer in answers
    ]
    if not any(answer.labelled for answer in claims):
        return Figure(None, None, "every statement with a label is small talk or the header row of a table")
    return _percent(hallucination_rates(rows_of(claims, require))["all"])


def _percent(found: Estimate | Clustered) -> Figure:
    if found.value is None:
        return Figure(None, None, "there is no statement of the kind")
    if found.interval is None:
        return Figure(100 * found.value, None, _FEW)
    low, high = 100 * found.interval.low, 100 * found.interval.high
    return Figure(100 * found.value, found.interval._replace(low=low, high=high))


def _warnings(found: LabelSummary) -> Iterator[str]:
    yield from found.cautions
    undecided = found.labels["undecided"]
    if undecided:
        yield f"Left out of the shares, having no label: {undecided:,} of {counted(found.statements, 'statement')}."


_NAMES = (
    *("hallucinated_pct", "hallucinated_claims_pct", *(f"hallucinated_pct_{each}" for each in REQUIREMENTS)),
    *("factual_hallucinated_pct", "cognitive_hallucinated_pct", "answers_hallucinated_pct"),
    *("faithful_pct", "invented_pct", "misleading_pct", "speculative_pct", "reliable_pct", "irrefutable_pct"),
)


def scale(metric: str) -> Scale:
    """The values of a metric, and which are good."""
    if metric == "reliable_pct":  # whether that is enough depends on what is required
        return Scale(0.0, 100.0)
    return Scale(0.0, 100.0, "min" if metric in ("faithful_pct", "irrefutable_pct") else "max")
