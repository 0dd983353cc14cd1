"""What a labelling run holds, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from voirdire.cognibench.dynamics.estimates import DynamicsEstimate, rows_of
from voirdire.cognibench.dynamics.figures import hallucination_rates, tier_shares
from voirdire.cognibench.formats.opening import layout_of
from voirdire.cognibench.labelling.records import (
    ANSWERS,
    INSTRUMENT,
    LabelledAnswer,
    manifest_of,
    read_labelled,
    status_of,
    undefined_labels,
    ungraded,
    unlabelled_reason,
)
from voirdire.cognibench.records import CognibenchError
from voirdire.data.json_values import as_object
from voirdire.detectors.labelling.replies import border_rung
from voirdire.detectors.records import (
    LABELS,
    REQUIREMENTS,
    Answer,
    Label,
    Require,
    StatementType,
    hallucinated,
    type_of,
)
from voirdire.documents.cells import UNDEFINED
from voirdire.instruments.figures import ModelFigure, RunFigures, Scale, Subject
from voirdire.reason_codes import Reason, reason
from voirdire.runs import RunFolder, Totals, is_local
from voirdire.stats.clustered import Estimate as Clustered
from voirdire.stats.clustered import share
from voirdire.text.counting import counted

NAMED = 5
"""Answers that a caution names."""


@dataclass(frozen=True, slots=True)
class LabelSummary:
    """Counts of a run's labels, what is missing, and what was spent."""

    path: Path
    model: str
    require: Require
    answers: int
    """Labelled ones."""
    asked: int
    """All that the run is about."""
    labelled: tuple[LabelledAnswer, ...]
    totals: Totals
    stopped: str | None
    tiers: bool = True
    """Whether a second stage was to grade conclusions; without one none is found misleading or irrefutable."""

    @property
    def graded(self) -> bool:
        """Whether a second stage graded conclusions: it was to, and did not fail on all of them."""
        return not self.undefined_labels

    @property
    def undefined_labels(self) -> frozenset[Label]:
        """See `undefined_labels`."""
        return undefined_labels(self.labelled, self.require, self.tiers)

    @property
    def ungraded(self) -> str:
        """What is undefined for want of a grading, and what the other labels of conclusions mean; empty with one."""
        if self.graded:
            return ""
        fails, passes = border_rung(True, self.require), border_rung(False, self.require)
        mean = "" if self.tiers else f" Here {fails} only means hallucinated, and {passes} not hallucinated."
        return f"Undefined ({UNDEFINED}): {ungraded(self.tiers)}.{mean}"

    @property
    def labels(self) -> dict[str, int | None]:
        """How often each label was given, `None` where that is not known, and under "undecided" how often none."""
        known = [label for label in LABELS if label not in self.undefined_labels]
        return (
            dict.fromkeys(LABELS) | {label: self._label_counts[label] for label in known} | {"undecided": self.lacking}
        )

    @property
    def hallucinated(self) -> DynamicsEstimate | None:
        """The share of labelled statements that are hallucinated; `None` without any."""
        answers = [each.answer for each in self.labelled]
        if not any(answer.labelled for answer in answers):
            return None
        return hallucination_rates(rows_of(answers, self.require))["all"]

    @property
    def lacking(self) -> int:
        """Statements without a label."""
        return self._label_counts[None]

    @property
    def lacking_by_type(self) -> dict[StatementType | None, int]:
        """Statements without a label by the type that they were taken for; `None`: that is not known either."""
        return Counter(each.type for answer in self.labelled for each in answer.judged if each.label is None)

    @property
    def _label_counts(self) -> Counter[Label | None]:
        return Counter(each.label for answer in self.labelled for each in answer.judged)

    @property
    def undecided(self) -> list[dict[str, Any]]:
        """The statements without a label, each with its reason."""
        return [
            {
                "id": each.answer.id,
                "position": place,
                "text": each.answer.statements[place].text,
                "why": each.judged[place].why,
                "reasons": list(each.reasons),
            }
            for each in self.labelled
            for place in each.undecided
        ]

    @property
    def statements(self) -> int:
        """In the labelled answers."""
        return sum(len(each.judged) for each in self.labelled)

    @property
    def missing_votes(self) -> int:
        """Over all statements and samples."""
        return sum(vote is None for each in self.labelled for statement in each.judged for vote in statement.votes)

    @property
    def votes(self) -> int:
        """Those that were asked for."""
        return sum(len(statement.votes) for each in self.labelled for statement in each.judged)

    @property
    def repairs(self) -> int:
        """How often sentences were asked for again."""
        return sum(each.repairs for each in self.labelled)

    @property
    def used_in_prompt(self) -> list[str]:
        """Ids of the answers that must be left out of scoring, since the prompt has examples from their group."""
        return [each.answer.id for each in self.labelled if each.used_in_prompt]

    @property
    def cautions(self) -> list[str]:
        """What must be read before the labels are used."""
        return [*self._missing_labels_caution(), *self._addressed_caution(), *self._model_cautions()]

    @property
    def warnings(self) -> list[str]:
        """The cautions, and what is undefined."""
        return [*self.cautions, *filter(None, [self.ungraded])]

    @property
    def addressing(self) -> list[dict[str, Any]]:
        """Answers with statements that speak to whoever labels them, and the samples whose reply takes that over."""
        return [
            {"id": each.answer.id, "positions": list(each.addresses), "echoes": list(each.echoes)}
            for each in self.labelled
            if each.addresses or each.echoes
        ]

    def _missing_labels_caution(self) -> list[str]:
        lacking = _unlabelled(self.labelled)
        if not lacking:
            return []
        sentence = f"{lacking}. No share of labels counts them"
        if self.lacking == self.statements:
            return [f"{sentence}."]
        counts = self._label_counts
        low = sum(counts[label] for label in LABELS if hallucinated(label, self.require)) / self.statements
        high = low + self.lacking / self.statements
        ends = f"{100 * low:.1f} to {100 * high:.1f} %"
        return [f"{sentence}: with labels for them, {ends} of all statements could be hallucinated."]

    def _addressed_caution(self) -> list[str]:
        answers = self.addressing
        echoes = sum(len(each["echoes"]) for each in answers)
        if not answers:
            return []
        named = ", ".join(each["id"] for each in sorted(answers, key=lambda each: not each["echoes"])[:NAMED])
        swayed = (
            f"; {counted(echoes, 'reply repeats', 'replies repeat')} that beside the vote: read them" if echoes else ""
        )
        return [f"{counted(len(answers), 'answer speaks', 'answers speak')} to whoever labels them ({named}){swayed}."]

    def _model_cautions(self) -> list[str]:
        if not is_local(self.model):
            return []
        return [
            "Small local models are poor labellers: of 170 statements of CogniBench, Qwen2.5-Coder-1.5B told supported "
            "from unsupported ones with an AUC of 0.64, where plain word novelty has 0.93. Compare these labels with "
            "those of people (voirdire cognibench diagnose) before you use them."
        ]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "cautions": self.cautions,
            "path": str(self.path),
            "model": self.model,
            "require": self.require,
            "answers": self.answers,
            "asked": self.asked,
            "statements": self.statements,
            "labels": self.labels,
            "ungraded": self.ungraded or None,
            "undecided": self.undecided,
            "votes": self.votes,
            "missing_votes": self.missing_votes,
            "repairs": self.repairs,
            "used_in_prompt": self.used_in_prompt,
            "addressing": self.addressing,
            "totals": as_object(self.totals),
            "stopped": self.stopped,
        }


def summarise(path: Path, stopped: str | None = None) -> LabelSummary:
    """Count what a run holds; nothing is asked.

    Raises:
        RunFolderError, CognibenchError: as for `read_labelled`.
    """
    manifest = manifest_of(path)
    labelled = read_labelled(path)
    with RunFolder.open(path, read_only=True) as folder:
        totals = folder.journal.totals()
    return LabelSummary(
        path=path,
        model=manifest["model"],
        require=manifest["plan"]["require"],
        answers=len(labelled),
        asked=manifest["answers"],
        labelled=tuple(labelled),
        totals=totals,
        stopped=stopped,
        tiers=manifest["plan"]["tiers"],
    )


def summary_of_run(path: Path) -> LabelSummary | None:
    """What the labelling run in a folder holds; `None` where the path is none."""
    return summarise(path) if layout_of(path) == "run" and (path / ANSWERS).is_file() else None


def run_figures(run: Path, jury: str | None = None) -> RunFigures:
    """Shares of hallucinated statements by model, with intervals clustered by context (whatever shares one).

    A run with statements that have no label is not complete: each figure has the range that they could give it. Answers
    whose model is not known go by the name of the run.

    Raises:
        CognibenchError: nothing is labelled.
    """
    plan = manifest_of(run)["plan"]
    require: Require = plan["require"]
    labelled = read_labelled(run)
    if not labelled:
        raise CognibenchError(f"No answer of {run} has been labelled yet; continue the run first.")
    by_model: dict[str, list[LabelledAnswer]] = {}
    for each in labelled:
        by_model.setdefault(each.answer.model or run.resolve().name, []).append(each)
    subjects = [
        Subject(run, INSTRUMENT, model, _figures_of(own, require, plan["tiers"])) for model, own in by_model.items()
    ]
    with RunFolder.open(run, read_only=True) as folder:
        unfinished = status_of(folder).unfinished
    missing = None if unfinished is None else f"The run is not complete: {unfinished}"
    return RunFigures(run, INSTRUMENT, tuple(subjects), tuple(summarise(run).cautions), missing=missing)


def _figures_of(labelled: Sequence[LabelledAnswer], require: Require, tiers: bool) -> dict[str, ModelFigure]:
    undefined = undefined_labels(labelled, require, tiers)
    figures = _figures([each.answer for each in labelled], require)
    figures |= dict.fromkeys(_graded_names(require, undefined), ModelFigure(None, None, ungraded(tiers)))
    lacking = _unlabelled(labelled)
    if not lacking:
        return figures
    waiting = _undecided_counts(labelled)
    figures |= {
        name: replace(figure, reason=reason("cognibench_kind_unlabelled", statements=waiting[_BASES[name]]))
        for name, figure in figures.items()
        if figure.n == 0 and waiting.get(_BASES.get(name, ""))
    }
    ranges = _bounds(labelled, figures, require)
    return figures | {name: replace(figures[name], could_be=ends, lacking=lacking) for name, ends in ranges}


def _unlabelled(labelled: Sequence[LabelledAnswer]) -> Reason | None:
    return unlabelled_reason([statement for each in labelled for statement in each.judged])


def _bounds(
    labelled: Sequence[LabelledAnswer], figures: Mapping[str, ModelFigure], require: Require
) -> Iterator[tuple[str, tuple[float, float]]]:
    """Of each figure that has a value: the lowest and highest, whatever labels the undecided statements would have."""
    more = _undecided_counts(labelled)
    for name, figure in figures.items():
        kind = "all" if name.startswith("hallucinated_pct") else _BASES.get(name)
        if kind in more and figure.value is not None and figure.n is not None:
            yield name, _span(figure.value, figure.n, more[kind], more[kind])
    answers, n = figures["answers_hallucinated_pct"], sum(each.answer.labelled for each in labelled)
    if answers.value is not None:
        open_to = sum(
            bool(each.undecided)
            and not any(statement.label and hallucinated(statement.label, require) for statement in each.judged)
            for each in labelled
        )
        yield "answers_hallucinated_pct", _span(answers.value, n, len(labelled) - n, open_to)


def _undecided_counts(labelled: Sequence[LabelledAnswer]) -> dict[str, int]:
    """How many undecided statements could belong to what a figure is a share of."""
    undecided = [
        (each.answer, each.answer.statements[place], each.judged[place].type)
        for each in labelled
        for place in each.undecided
    ]
    return {
        "all": len(undecided),
        "claims": sum(not (statement.small_talk or answer.is_header(statement)) for answer, statement, _ in undecided),
        "factual": sum(kind in ("factual", None) for _, _, kind in undecided),
        "cognitive": sum(kind in ("cognitive", None) for _, _, kind in undecided),
    }


def _span(value: float, n: int, more: int, hits: int) -> tuple[float, float]:
    """The ends of a share of `n` in percent when it is of `more` further ones, of which none or `hits` count."""
    whole = n + more
    return value * n / whole, (value * n + 100 * hits) / whole


_BASES = {
    "hallucinated_claims_pct": "claims",
    "factual_hallucinated_pct": "factual",
    "cognitive_hallucinated_pct": "cognitive",
    **{f"{label}_pct": type_of(label) for label in LABELS},
}
"""What figures are shares of."""


def _figures(answers: Sequence[Answer], require: Require) -> dict[str, ModelFigure]:
    if not any(answer.labelled for answer in answers):
        nothing = ModelFigure(None, None, reason("cognibench_unlabelled"))
        figures = dict.fromkeys(_NAMES, nothing)
    else:
        figures = dict(_label_figures(answers, require))
    statements = [(each.label is None, answer.group) for answer in answers for each in answer.statements]
    undecided = share([lacking for lacking, _ in statements], [group for _, group in statements])
    return figures | {"undecided_pct": _percent(undecided)}


def _label_figures(answers: Sequence[Answer], require: Require) -> Iterator[tuple[str, ModelFigure]]:
    for each in REQUIREMENTS:
        rows = rows_of(answers, each)
        rates = hallucination_rates(rows)
        yield f"hallucinated_pct_{each}", _percent(rates["all"])
        if each == require:
            yield "hallucinated_pct", _percent(rates["all"])
            yield "hallucinated_claims_pct", _claims(answers, each)
            yield "factual_hallucinated_pct", _percent(rates["factual"])
            yield "cognitive_hallucinated_pct", _percent(rates["cognitive"])
            own = rows.statements.groupby("answer")
            hit = own["hallucinated"].any().astype(int)
            yield "answers_hallucinated_pct", _percent(share(hit, own["group"].first()))
    for label, estimate in tier_shares(rows_of(answers, require)).items():
        yield f"{label}_pct", _percent(estimate)


def _graded_names(require: Require, undefined: Collection[Label]) -> Iterator[str]:
    """Figures that need a second stage: the undefined labels, and with any of these other requirements."""
    if undefined:
        yield from (f"hallucinated_pct_{each}" for each in REQUIREMENTS if each != require)
    yield from (f"{label}_pct" for label in undefined)


def _claims(answers: Sequence[Answer], require: Require) -> ModelFigure:
    """The share among the statements that `voirdire detect` would check: no small talk, headings, header rows."""
    claims = [
        replace(
            answer,
            statements=tuple(each for each in answer.statements if not (each.small_talk or answer.is_header(each))),
        )
        for answer in answers
    ]
    if not any(answer.labelled for answer in claims):
        return ModelFigure(None, None, reason("cognibench_no_claims"))
    return _percent(hallucination_rates(rows_of(claims, require))["all"])


def _percent(estimate: DynamicsEstimate | Clustered) -> ModelFigure:
    if estimate.value is None:
        return ModelFigure(None, None, reason("cognibench_none_of_kind"), n=0)
    if estimate.interval is None:
        return ModelFigure(100 * estimate.value, None, reason("cognibench_few_contexts"), n=estimate.n)
    low, high = 100 * estimate.interval.low, 100 * estimate.interval.high
    return ModelFigure(100 * estimate.value, estimate.interval._replace(low=low, high=high), n=estimate.n)


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
