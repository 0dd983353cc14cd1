"""What an audit found, in plain words."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from voirdire.documents.cells import (
    UNDEFINED,
    Estimated,
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
from voirdire.errors import install
from voirdire.integrity.auditing import RULES
from voirdire.integrity.report.loader import ReportedRun, charges_of
from voirdire.integrity.snapshot import ENTAILMENT
from voirdire.integrity.summary import DIVERGENCE, top_with_ties
from voirdire.text.counting import counted

_WITHOUT_MODEL = (
    "The rules worked alone: the entailment model, which reads sentences that they find nothing in, was not installed "
    f"({install('entailment')})."
)


def verdict_section(runs: Sequence[ReportedRun]) -> Section:
    """The paragraph that says it all, with what must be known before it is believed."""
    if len(runs) > 1:
        notices = cautions(_cautions(runs))
        return Section("verdict", "Verdict", (Text(_side_by_side(runs)), *notices, _table(runs)))
    (run,) = runs
    return Section("verdict", "Verdict", (*conclusion(run), *spread(run)))


def conclusion(run: ReportedRun) -> Iterator[Block]:
    """The mean score or what rules found, with what must be known before it is believed; then how many are clean."""
    yield Text(_scores(run) if run.scored else _unjudged(run), "strong")
    yield from cautions(_cautions([run]))
    if run.scored:
        yield Text(_clean(run))


def spread(run: ReportedRun) -> Iterator[Block]:
    """How scores spread, what was charged most often, and the key figures; nothing without scores."""
    if run.scored:
        yield Text(" ".join([_bands(run), *_charged_most(run)]))
        yield from _holistic(run)
        yield _figures(run)


def _cautions(runs: Sequence[ReportedRun]) -> list[str]:
    cautions = list(dict.fromkeys(caution for run in runs for caution in run.summary.panel_cautions))
    for run in runs:
        front = f"{run.name}: " if len(runs) > 1 else ""
        lacking = run.manifest["items"] - len(run.audits)
        if lacking:
            cautions.append(
                f"{front}{lacking:,} of {counted(run.manifest['items'], 'response')} not audited yet; the command "
                "that began the run continues it."
            )
        if run.auditors == [RULES] and run.manifest.get(ENTAILMENT) is None:
            cautions.append(f"{front}{_WITHOUT_MODEL}")
        cautions += [f"{front}{caution}" for caution in run.summary.unscored_cautions]
    return cautions


def _unjudged(run: ReportedRun) -> str:
    """What can be said where nothing has a score."""
    rules = run.summary.unscored["rules_alone"]
    if not rules:
        return f"None of {counted(len(run.audits), 'response')} has a score, so that nothing can be said."
    findings = [each.decision.finding_counts(RULES) for each in run.audits]
    with_findings, omitting = (sum(map(bool, numbers)) for numbers in zip(*findings, strict=True))
    ranked = [each for each in run.summary.ranked_types if run.taxonomy.types[each[0]].rung is None]
    names = ", ".join(f"{_plain(name)} ({number_of:,})" for name, number_of in top_with_ties(ranked, 3))
    left_out = (
        f" Counted apart: {counted(omitting, 'response leaves', 'responses leave')} out established facts."
        if omitting
        else ""
    )
    most = f" Most often: {names}." if names else ""
    return (
        f"The rules looked at {rules:,} of {counted(len(run.audits), 'response')} and found something in "
        f"{with_findings:,}; they give no score.{most}{left_out} "
        "For scores, let one or several models audit."
    )


def _scores(run: ReportedRun) -> str:
    how = "clustered by case" if run.clustered else "taking each response by itself"
    ends = number_ends(run.mean.interval, 1)
    interval = f" (95 % interval {ends}, {how})" if ends else ""
    return (
        f"{_who(run)} gives {counted(len(run.audits), 'response')} {number(run.mean.value, 1).shown} of 100 points on "
        f"average{interval}, for agreeing with the established facts of {counted(run.cases, 'case')}."
    )


def _bands(run: ReportedRun) -> str:
    bands = [(band, sum(run.taxonomy.band_of(score) == band for score in run.scores)) for band in run.taxonomy.bands]
    listed = ", ".join(f"{number_of:,} {band.name.lower()}" for band, number_of in bands if number_of)
    return f"The score in the middle is {statistics.median(run.scores):g}: {listed}."


def _who(run: ReportedRun) -> str:
    if len(run.auditors) == 1:
        return run.auditors[0]
    return f"A panel of {len(run.auditors)} ({', '.join(run.auditors)})"


def _clean(run: ReportedRun) -> str:
    clean = sum(not charges_of(each) for each in run.scored)
    if clean == len(run.scored):
        alone = f"; in {run.summary.left_out:,} an auditor found something" if run.summary.left_out else ""
        return f"Nothing was charged in any of them{alone}."
    pervasive = sum(each.decision.consensus is not None and each.decision.consensus.pervasive for each in run.scored)
    severe = as_percent(run.severe.value)
    more = f"; in {counted(pervasive, 'response')} two or more, which is called pervasive" if pervasive else ""
    return (
        f"In {clean:,} of {len(run.scored):,} nothing is charged. {severe} hold a severe violation, one that denies a "
        f"fact, invents one, or leaves most of them out{more}."
    )


def _charged_most(run: ReportedRun) -> Iterator[str]:
    names = top_with_ties(run.summary.ranked_types, 3)
    if names:
        yield f"Most often charged: {', '.join(f'{_plain(name)} ({number_of:,})' for name, number_of in names)}."


def _holistic(run: ReportedRun) -> list[Block]:
    summary = run.summary
    if not summary.compared:
        return []
    return [
        Text(
            f"Scores by impression: {summary.compared:,}; more than {DIVERGENCE:g} points from the deduction's: "
            f"{len(summary.divergent):,}. Each of these asks for a second look: was a violation missed, was one "
            "charged twice, did agreeing with it play a part?"
        )
    ]


def _figures(run: ReportedRun) -> Figures:
    highest, lowest = run.taxonomy.bands[0], run.taxonomy.bands[-1]
    void, median = sum(run.summary.void.values()), statistics.median(run.scores)
    items = [
        Figure(
            "mean score",
            number(run.mean.value, 1).shown,
            number_ends(run.mean.interval, 1),
            "of 100",
            ends=ends(run.mean.interval),
            value=run.mean.value,
        ),
        Figure("median score", f"{median:g}", "", "of 100", value=median),
        _share(highest.name, run.band_share(highest), f"of responses, {highest.range}"),
        _share(lowest.name, run.band_share(lowest), f"of responses, {lowest.range}"),
        _share("with a severe violation", run.severe, "of responses"),
        Figure(
            "void findings",
            f"{void:,}",
            "",
            "that name words or facts which are not there",
            "warn" if void else "",
            value=void,
        ),
    ]
    return Figures(tuple(items))


def _share(label: str, estimate: Estimated, note: str) -> Figure:
    return Figure(
        label,
        as_percent(estimate.value),
        share_ends(estimate.interval),
        note,
        ends=ends(estimate.interval, 100),
        value=None if estimate.value is None else 100 * estimate.value,
    )


def _side_by_side(runs: Sequence[ReportedRun]) -> str:
    means = "; ".join(f"{run.name}: {number(run.mean.value, 1).shown}" for run in runs)
    return (
        f"{counted(len(runs), 'audit')} side by side. Mean scores: {means}. Audits of the same responses by other "
        "auditors, or of other responses by the same ones, can be compared; else both may be at work."
    )


def _table(runs: Sequence[ReportedRun]) -> Table:
    columns = (
        Column("run", "run"),
        Column("auditors", "auditors"),
        Column("responses", "responses", numeric=True),
        Column("unscored", "without a score", numeric=True),
        Column("mean", "mean score", numeric=True),
        Column("mean_low", "from", numeric=True),
        Column("mean_high", "to", numeric=True),
        Column("median", "median", numeric=True),
        *share_columns("severe", "with a severe violation"),
        Column("void", "void findings", numeric=True),
    )
    return Table("runs", columns, tuple(map(_row, runs)), "The audits")


def _row(run: ReportedRun) -> dict[str, Cell]:
    low, high = (None, None) if run.mean.interval is None else run.mean.interval[:2]
    median = float(statistics.median(run.scores)) if run.scores else None
    return {
        "run": text(run.name),
        "auditors": text(", ".join(run.auditors)),
        "responses": count(len(run.audits)),
        "unscored": count(run.summary.unscored.total()),
        "mean": number(run.mean.value, 1),
        "mean_low": number(low, 1),
        "mean_high": number(high, 1),
        "median": Cell(median, UNDEFINED if median is None else f"{median:g}"),
        **share_cells("severe", run.severe),
        "void": count(sum(run.summary.void.values())),
    }


def _plain(name: str) -> str:
    return name.replace("_", " ")
