"""What a labelling run found, in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from voirdire.cognibench.report.loader import ReportedRun, Share
from voirdire.cognibench.report.people import PeopleComparison, row_title
from voirdire.detectors.records import LABELS, REQUIREMENTS, Label, Require, StatementType, hallucinated, type_of
from voirdire.documents.cells import (
    UNDEFINED,
    as_percent,
    cautions,
    count,
    ends,
    number,
    number_ends,
    share_cells,
    share_columns,
    share_ends,
    text,
)
from voirdire.documents.document import Block, Cell, Column, Figure, Figures, Section, Table, Text
from voirdire.text.counting import counted
from voirdire.text.money import dollars

_FACTUAL: tuple[Label, ...] = tuple(label for label in LABELS if type_of(label) == "factual")
_COGNITIVE: tuple[Label, ...] = tuple(label for label in LABELS if type_of(label) == "cognitive")
_CONCLUSIONS = "conclusions, opinions and explanations"


def verdict_section(runs: Sequence[ReportedRun], comparisons: Mapping[str, PeopleComparison | None]) -> Section:
    """The paragraph that says it all, with what must be known before it is believed."""
    notices = cautions(_cautions(runs))
    if len(runs) > 1:
        return Section("verdict", "Verdict", (*notices, Text(_side_by_side(runs)), _table(runs, comparisons)))
    (run,) = runs
    blocks: list[Block] = [*notices, *map(Text, _paragraphs(run, comparisons[run.name]))]
    if run.decided:
        blocks.append(_figures(run, comparisons[run.name]))
    return Section("verdict", "Verdict", tuple(blocks))


def _cautions(runs: Sequence[ReportedRun]) -> list[str]:
    cautions = list(dict.fromkeys(caution for run in runs for caution in run.summary.cautions))
    for run in runs:
        front = f"{run.name}: " if len(runs) > 1 else ""
        lacking = run.summary.asked - run.summary.answers
        if lacking:
            cautions.append(
                f"{front}{lacking:,} of {counted(run.summary.asked, 'answer')} not labelled yet; the command that "
                "began the run continues it."
            )
    return cautions


def _paragraphs(run: ReportedRun, comparison: PeopleComparison | None) -> list[str]:
    if not run.decided:
        return [f"None of {counted(run.summary.statements, 'statement')} has a label, so that nothing can be said."]
    answers = counted(run.summary.answers, "answer")
    contexts = len({answer.group for answer, _, _ in run.decided})
    hallucinated = run.hallucinated_statements(run.require)
    first = (
        f"{run.summary.model} labelled {counted(len(run.decided), 'statement')} of {answers} about "
        f"{counted(contexts, 'context')}. What is required of conclusions is that they be {run.require}. "
        f"By that, {_with_ends(hallucinated)} of the statements are hallucinated, "
        f"{_with_ends(run.hallucinated_words(run.require))} of the words.{_by_type(run)}{_others(run)}"
    )
    return [first, _reliability(comparison)]


def _by_type(run: ReportedRun) -> str:
    """How much of each type is hallucinated; nothing of a type that does not occur."""
    shares: tuple[tuple[Share, StatementType, str, str], ...] = (
        (_invented(run), "factual", "factual statements", "are invented"),
        (_fallen(run), "cognitive", _CONCLUSIONS, "fall short"),
    )
    clauses = []
    for share, kind, what, falls in shares:
        lacking = run.summary.lacking_by_type.get(kind, 0)
        if share.value is not None:
            clauses.append(f"of {what} {_with_ends(share)} {falls}")
        elif lacking:
            clauses.append(f"of {what} none of {lacking:,} has a label")
    joined = "; ".join(clauses)
    return f" {joined[:1].upper()}{joined[1:]}." if clauses else ""


def _others(run: ReportedRun) -> str:
    """What other requirements would say; nothing where no second stage graded the conclusions."""
    if not run.graded:
        return ""
    others = [(each, run.hallucinated_statements(each)) for each in REQUIREMENTS if each != run.require]
    parts = " and ".join(f"{_with_ends(match)} if {_use(each)} ({each})" for each, match in others)
    return f" It would be {parts}."


def _use(require: Require) -> str:
    return {
        "rational": "the answers were meant to entertain and had only not to mislead",
        "grounded": "an assistant's standard were applied",
        "irrefutable": "a court or a physician relied on them",
    }[require]


def _reliability(comparison: PeopleComparison | None) -> str:
    if comparison is None:
        return "People have not labelled any of these: how good the labels are is not known from this run."
    figure = comparison.row.figures["overall"]
    best = comparison.best_baseline
    lead = comparison.over(best.name)
    ends = number_ends(figure.interval)
    inside = "; ".join([*([ends] if ends else []), *_unflagged(comparison)])
    sentence = f"Beside the labels of people, its F1 (in words) is {number(figure.score.f1).shown}"
    sentence += f" ({inside})" if inside else ""
    sentence += f"; flagging {_baseline(best.name)} has {number(best.figures['overall'].score.f1).shown}"
    if lead.verdict == "undecided" and all((each.difference or 0) <= 0 for each in lead.could_be or ()):
        return f"{sentence}. Whatever the missing labels are, the run does no better here."
    if lead.verdict == "undecided":
        return f"{sentence}. Whether the run does better is undecided: the missing labels could turn it."
    if lead.interval is None:
        return f"{sentence}. Whether that is a real difference can't be told from these data."
    if lead.verdict == "better":
        return (
            f"{sentence}. The difference of {lead.difference:+.2f} ({number_ends(lead.interval)}) is more than chance."
        )
    return f"{sentence}: the labels can't be told from a rule that reads nothing, and should not be relied on."


def _baseline(name: str) -> str:
    return {"everything": "every statement", "later-turns": "all turns but the first", "chance": "by a coin"}.get(
        name, name
    )


def _figures(run: ReportedRun, comparison: PeopleComparison | None) -> Figures:
    items = [
        _figure(
            "hallucinated statements",
            run.hallucinated_statements(run.require),
            "statement",
            f"required: {run.require}",
        ),
        _figure("hallucinated words", run.hallucinated_words(run.require), "word", "those of such statements"),
    ]
    for label, match, noun in (
        ("invented", _invented(run), "factual statement"),
        ("conclusions that fall short", _fallen(run), "cognitive statement"),
    ):
        items += [_figure(label, match, noun)] if match.value is not None else []
    if comparison is not None:
        figure, best = comparison.row.figures["overall"], comparison.best_baseline
        best_f1 = number(best.figures["overall"].score.f1).shown
        baseline = f"the best trivial baseline ({row_title(best.name)}) has {best_f1}"
        note = "; ".join(["in words", *_unflagged(comparison), baseline])
        f1, reach = figure.score.f1, figure.interval
        shown = number(f1).shown
        items.append(Figure("F1 beside people", shown, number_ends(reach), note, ends=ends(reach), value=f1))
    lacking = run.summary.lacking
    items.append(Figure("without a label", f"{lacking:,}", "", "statements", "warn" if lacking else "", value=lacking))
    return Figures(tuple(items))


def _invented(run: ReportedRun) -> Share:
    return run.share_of("invented", among=_FACTUAL)


def _fallen(run: ReportedRun) -> Share:
    return run.share_of(*(label for label in _COGNITIVE if hallucinated(label, run.require)), among=_COGNITIVE)


def _figure(label: str, result: Share, noun: str, note: str = "") -> Figure:
    texts = [f"{result.hits:,} of {counted(result.n, noun)}", *([note] if note else []), *_range(result)]
    shown, reach = as_percent(result.value), share_ends(result.interval)
    value = None if result.value is None else 100 * result.value
    return Figure(label, shown, reach, "; ".join(texts), ends=ends(result.interval, 100), value=value)


def _unflagged(comparison: PeopleComparison) -> list[str]:
    """What an F1 makes of statements without a label, and what it could be; nothing where each has one."""
    if comparison.row.could_be is None:
        return []
    low, high = (number(each.figures["overall"].score.f1).shown for each in comparison.row.could_be)
    return [
        f"{counted(comparison.row.missing, 'statement')} without a label counted as not flagged",
        f"{low} to {high} if all had labels",
    ]


def _range(result: Share) -> list[str]:
    """What the share could be with labels for all; nothing where each has one."""
    if result.could_be is None:
        return []
    low, high = result.could_be
    return [f"{100 * low:.1f} to {100 * high:.1f} % if all had labels"]


def _with_ends(result: Share) -> str:
    if result.value is None:
        return UNDEFINED
    ends = share_ends(result.interval)
    inside = [f"{result.hits:,} of {result.n:,}", *([f"95 % interval {ends}"] if ends else []), *_range(result)]
    return f"{as_percent(result.value)} ({'; '.join(inside)})"


def _side_by_side(runs: Sequence[ReportedRun]) -> str:
    ranked = sorted(
        (run for run in runs if run.decided), key=lambda run: run.hallucinated_statements(run.require).value or 0
    )
    shares = "; ".join(
        f"{run.name}: {_with_ends(run.hallucinated_statements(run.require))} ({run.require})" for run in ranked
    )
    return (
        f"{counted(len(runs), 'labelling run')} side by side. Statements hallucinated: {shares or 'none has labels'}. "
        "Whether that is a difference of the answers or of whoever labelled them, only runs over the same answers, "
        "or by the same labeller, can tell."
    )


def _table(runs: Sequence[ReportedRun], comparisons: Mapping[str, PeopleComparison | None]) -> Table:
    columns = (
        Column("run", "run"),
        Column("model", "labelled by"),
        Column("require", "required"),
        Column("answers", "answers", numeric=True),
        Column("statements", "statements", numeric=True),
        Column("undecided", "without a label", numeric=True),
        *share_columns("hallucinated", "hallucinated"),
        Column("f1", "F1 beside people", numeric=True),
        Column("baseline", "best baseline", numeric=True),
        Column("usd", "USD", numeric=True),
    )
    return Table("runs", columns, tuple(_row(run, comparisons[run.name]) for run in runs), "The runs")


def _row(run: ReportedRun, comparison: PeopleComparison | None) -> dict[str, Cell]:
    totals = run.summary.totals
    usd = None if totals.unknown_price else totals.cost_usd
    return {
        "run": text(run.name),
        "model": text(run.summary.model),
        "require": text(run.require),
        "answers": count(run.summary.answers),
        "statements": count(run.summary.statements),
        "undecided": count(run.summary.lacking),
        **share_cells("hallucinated", run.hallucinated_statements(run.require)),
        "f1": number(None if comparison is None else comparison.row.figures["overall"].score.f1),
        "baseline": number(None if comparison is None else comparison.best_baseline.figures["overall"].score.f1),
        "usd": Cell(usd, dollars(usd)),
    }
