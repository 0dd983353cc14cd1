"""Figures of a labelling run: how much of a model's answers is hallucinated, under each requirement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from voirdire.adapters.gate.records import Checked, Figure, Subject
from voirdire.adapters.loading import LoadedRun
from voirdire.cognibench.dynamics import Estimate, rows_of
from voirdire.cognibench.dynamics.faithfulness import hallucination_rates
from voirdire.cognibench.dynamics.rows import UNKNOWN_MODEL
from voirdire.cognibench.dynamics.shares import tier_shares
from voirdire.cognibench.labelling import LabelledAnswer, manifest_of, read_labelled
from voirdire.cognibench.labelling.summary import summarise
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.records import REQUIREMENTS, Answer, Require
from voirdire.stats.intervals import Interval, clustered_share

_FEW = "the answers share fewer than three contexts"


def checked(run: LoadedRun) -> Checked:
    """Shares of hallucinated statements by model, with intervals clustered by context (whatever shares one).

    Answers that the prompt's examples were taken from are left out.

    Raises:
        CognibenchError: nothing is labelled.
    """
    require: Require = manifest_of(run.path)["plan"]["require"]
    labelled = [each for each in read_labelled(run.path) if not each.used_in_prompt]
    models = list(dict.fromkeys(_model(each.answer) for each in labelled))
    if not models:
        raise CognibenchError(f"No answer of {run.path} has been labelled yet; go on with the run first.")
    subjects = [Subject(run.path, run.instrument, model, _figures(_of(model, labelled), require)) for model in models]
    return Checked(run.path, run.instrument, tuple(subjects), tuple(_warnings(run)))


def _model(answer: Answer) -> str:
    return answer.model or UNKNOWN_MODEL


def _of(model: str, labelled: Sequence[LabelledAnswer]) -> list[Answer]:
    return [each.answer for each in labelled if _model(each.answer) == model]


def _figures(answers: Sequence[Answer], require: Require) -> dict[str, Figure]:
    if not any(answer.labelled for answer in answers):
        nothing = Figure(None, None, "no statement has a label")
        figures = dict.fromkeys(_NAMES, nothing)
    else:
        figures = dict(_known(answers, require))
    undecided = [sum(each.label is None for each in answer.statements) for answer in answers]
    return figures | {"undecided_pct": _share(undecided, [len(answer.statements) for answer in answers], answers)}


def _known(answers: Sequence[Answer], require: Require) -> Iterator[tuple[str, Figure]]:
    for each in REQUIREMENTS:
        rows = rows_of(answers, each)
        rates = hallucination_rates(rows)
        yield f"hallucinated_pct_{each}", _percent(rates["all"])
        if each == require:
            yield "hallucinated_pct", _percent(rates["all"])
            yield "factual_hallucinated_pct", _percent(rates["factual"])
            yield "cognitive_hallucinated_pct", _percent(rates["cognitive"])
            hit = rows.statements.groupby("answer")["hallucinated"].any().astype(int)
            own = [answer for answer in answers if answer.labelled]
            yield "answers_hallucinated_pct", _share(list(hit), [1] * len(own), own)
    for label, share in tier_shares(rows_of(answers, require)).items():
        yield f"{label}_pct", _percent(share)


def _percent(estimate: Estimate) -> Figure:
    if estimate.value is None:
        return Figure(None, None, "there is no statement of the kind")
    if estimate.interval is None:
        return Figure(100 * estimate.value, None, _FEW)
    return Figure(100 * estimate.value, _times_100(estimate.interval))


def _share(hits: Sequence[int], trials: Sequence[int], answers: Sequence[Answer]) -> Figure:
    """A share of what answers hold, clustered by what shares a context."""
    groups = [answer.group for answer in answers]
    names, of = np.unique(groups, return_inverse=True)
    x, n = (np.bincount(of, each, minlength=names.size) for each in (hits, trials))
    if not n.sum():
        return Figure(None, None, "there is no statement")
    value = 100 * float(x.sum() / n.sum())
    enough = int((n > 0).sum()) >= 3
    return Figure(value, _times_100(clustered_share(x, n)), "") if enough else Figure(value, None, _FEW)


def _times_100(interval: Interval) -> Interval:
    return interval._replace(low=100 * interval.low, high=100 * interval.high)


def _warnings(run: LoadedRun) -> Iterator[str]:
    found = summarise(run.path)
    yield from found.cautions
    if found.answers < found.asked:
        yield f"The run is not complete: {found.answers:,} of {found.asked:,} answers are labelled."
    undecided = found.labels["undecided"]
    if undecided:
        yield f"{undecided:,} of {found.statements:,} statements have no label and are left out of the shares."
    if found.used_in_prompt:
        yield f"{len(found.used_in_prompt):,} answers are left out: the prompt has examples from their contexts."


_NAMES = (
    *("hallucinated_pct", *(f"hallucinated_pct_{each}" for each in REQUIREMENTS)),
    *("factual_hallucinated_pct", "cognitive_hallucinated_pct", "answers_hallucinated_pct"),
    *("faithful_pct", "invented_pct", "misleading_pct", "speculative_pct", "reliable_pct", "irrefutable_pct"),
)
