"""The labels beside those of people: F1 in words with the trivial baselines, agreement, and where they differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from voirdire.cognibench.detector_accuracy.benchmark import bench, labels_as_scores, scored_answers
from voirdire.cognibench.detector_accuracy.records import Bench, BenchRow, BenchSettings, F1Difference
from voirdire.cognibench.diagnosis.comparing import Diagnosis, diagnose
from voirdire.cognibench.diagnosis.report import CONFUSION, confusion
from voirdire.cognibench.report.loader import ReportedRun
from voirdire.cognibench.scoring import ENDS
from voirdire.documents.cells import UNDEFINED, number, number_ends
from voirdire.documents.document import Block, Cell, Column, Section, Table, Text
from voirdire.documents.run_description import with_run
from voirdire.text.counting import counted

MODEL = "the run's labels"
TYPED = "cognitive (gold)"
"""Flags what people call cognitive: no rule that reads nothing, since it takes their types."""
_BASELINES_IN_WORDS = {
    "everything": "flagging everything",
    TYPED: "all that people call cognitive",
    "later-turns": "all turns but the first",
    "chance": "a coin",
    **{f"{MODEL}, {end}": f"labels {end}" for end in ENDS},
}
_NO_BETTER = "A labeller that is no better than these baselines has found nothing."
_AT_ENDS = (
    "At worst and at best: if all statements without a label had a wrong one, or the right one. A lead that they could "
    "turn is undecided."
)
_COLUMNS = (
    Column("who", "who flags"),
    Column("f1", "F1", numeric=True, help="in words, over all statements"),
    Column("f1_low", "from", numeric=True),
    Column("f1_high", "to", numeric=True),
    Column("precision", "precision", numeric=True),
    Column("recall", "recall", numeric=True),
    Column("factual", "F1, factual", numeric=True),
    Column("cognitive", "F1, cognitive", numeric=True),
    Column(
        "lead",
        "the labels lead by",
        numeric=True,
        help="F1 of the run's labels less this one's, with its 95 % interval",
    ),
)


def row_title(baseline: str) -> str:
    """A baseline in words, as the table has it."""
    return _BASELINES_IN_WORDS.get(baseline, baseline)


@dataclass(frozen=True, slots=True)
class PeopleComparison:
    """A run's labels compared with those of people: a benchmark, and a diagnosis of the differences."""

    bench: Bench
    diagnosis: Diagnosis

    @property
    def row(self) -> BenchRow:
        """The run's own."""
        return self.bench.row(MODEL)

    def over(self, baseline: str) -> F1Difference:
        """F1 of the run's labels less that of a baseline, over all statements."""
        return next(pair.figures["overall"] for pair in self.bench.pairs if (pair.one, pair.other) == (MODEL, baseline))

    @property
    def best_baseline(self) -> BenchRow:
        """The baseline with the highest F1 among those that read nothing, labels of people included."""
        own = [row for row in self.bench.rows if row.baseline and row.name != TYPED]
        return max(own, key=lambda row: row.figures["overall"].score.f1 or 0.0)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"bench": self.bench.as_dict(), "diagnosis": self.diagnosis.as_dict()}


def compare_with_people(run: ReportedRun) -> PeopleComparison | None:
    """Compare a run's labels with those of people; `None` where there are none beside it."""
    if not _comparable(run):
        return None
    human = scored_answers(run.human, run.in_prompt)
    own = {answer.id: labels_as_scores(answer, run.require) for answer in run.answers}
    settings = BenchSettings(require=run.require, contradictions=False)
    result = bench(human, [], settings, scores_by_name={MODEL: [own[answer.id] for answer in human]})
    return PeopleComparison(result, diagnose(run.answers, run.human, run.require, without=run.in_prompt))


def people_section(runs: Sequence[ReportedRun], comparisons: Mapping[str, PeopleComparison | None]) -> Section | None:
    """F1 with the baselines, kappa, and the labels against one another; `None` where no run has labels of people."""
    known = {run.name: comparison for run in runs if (comparison := comparisons[run.name]) is not None}
    if not known:
        return None
    unlabelled = any(comparison.row.could_be for comparison in known.values())
    tables = [
        Table(
            "people",
            _COLUMNS,
            (),
            "Hallucinations found, beside baselines that read nothing",
            "Of the words in hallucinated statements (by people's labels), how many stand in flagged ones, and the "
            "reverse. " + (_AT_ENDS if unlabelled else _NO_BETTER),
        ),
        Table(
            "people-types",
            _COLUMNS,
            (),
            "Beside whoever knows people's types",
            "This one flags every statement that people call a conclusion, opinion or explanation. It reads their "
            "labels, so it is no baseline: it shows how far the type alone goes.",
        ),
        CONFUSION,
    ]
    blocks: list[Block] = [
        Text(_agreement(name, comparison, several=len(runs) > 1)) for name, comparison in known.items()
    ]
    blocks += [
        with_run(tables[0], {name: _rows(comparison, typed=False) for name, comparison in known.items()}),
        with_run(tables[1], {name: _rows(comparison, typed=True) for name, comparison in known.items()}),
        with_run(tables[2], {name: confusion(comparison.diagnosis) for name, comparison in known.items()}),
        Text(
            "voirdire cognibench diagnose RUN groups what is wrong; bench DATA --labelled RUN adds trained detectors."
        ),
    ]
    return Section("people", "Beside the labels of people", tuple(blocks), short="People")


def _comparable(run: ReportedRun) -> bool:
    """Whether any statement that may be scored has a label of people and one of the model."""
    return any(
        human is not None and machine.label is not None
        for each in run.labelled
        if not each.used_in_prompt
        for human, machine in zip(each.human, each.judged, strict=True)
    )


def _agreement(name: str, comparison: PeopleComparison, *, several: bool) -> str:
    kappa, diagnosis = comparison.diagnosis.kappa_hallucinated, comparison.diagnosis
    compared = len(diagnosis.matched.pairs)
    formatted = "undefined" if math.isnan(kappa.value) else f"{kappa.value:.2f}"
    ends = "" if math.isnan(kappa.low) else f" (95 % interval {kappa.low:.2f} to {kappa.high:.2f})"
    missing = f" Labelled by people alone, and taken as not flagged: {counted(comparison.row.missing, 'statement')}."
    excluded = f" Left out: {counted(diagnosis.left_out, 'answer')} of the prompt's examples."
    return (
        f"{name + ': ' if several else ''}{counted(compared, 'statement')} with both labels, which differ on "
        f"{diagnosis.wrong:,}. Kappa of hallucinated or not is {formatted}{ends}."
        + (missing if comparison.row.missing else "")
        + (excluded if diagnosis.left_out else "")
    )


def _rows(comparison: PeopleComparison, *, typed: bool) -> list[dict[str, Cell]]:
    """The run's labels and the baselines that read nothing, or what takes people's types."""
    nothing = Cell(None, "")
    return [
        _scored(each, nothing if row.name == MODEL else _lead(comparison.over(row.name)))
        for row in comparison.bench.rows
        if (row.name == TYPED) == typed
        for each in (row, *(row.could_be or ()))
    ]


def _scored(row: BenchRow, lead: Cell) -> dict[str, Cell]:
    figure = row.figures["overall"]
    low, high = (None, None) if figure.interval is None else figure.interval[:2]
    return {
        "who": Cell(row.name, row_title(row.name), "info" if row.name == MODEL else ""),
        "f1": number(figure.score.f1),
        "f1_low": number(low),
        "f1_high": number(high),
        "precision": number(figure.score.precision),
        "recall": number(figure.score.recall),
        "factual": number(row.figures["factual"].score.f1),
        "cognitive": number(row.figures["cognitive"].score.f1),
        "lead": lead,
    }


def _lead(difference: F1Difference) -> Cell:
    if difference.difference is None:
        return Cell(None, UNDEFINED)
    if difference.could_be is not None and difference.verdict == "undecided":
        reach = (UNDEFINED if each.difference is None else f"{each.difference:+.2f}" for each in difference.could_be)
        return Cell(difference.difference, f"undecided: {' to '.join(reach)}")
    ends = number_ends(difference.interval)
    return Cell(difference.difference, f"{difference.difference:+.2f}{f' ({ends})' if ends else ''}")
