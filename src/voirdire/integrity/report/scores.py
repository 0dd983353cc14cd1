"""How scores are spread, and what was deducted for what."""

from __future__ import annotations

from collections.abc import Sequence

from voirdire.documents.cells import count, number, percent, share_cells, share_columns, text
from voirdire.documents.document import Cell, Chart, Column, Section, Table, Text, Tone
from voirdire.documents.drawing import named_counts, score_counts
from voirdire.documents.run_description import with_run
from voirdire.integrity.records import Severity
from voirdire.integrity.report.loader import ReportedRun
from voirdire.integrity.taxonomy import Band, ViolationType

TONES: dict[Severity, Tone] = {"minor": "info", "moderate": "warn", "severe": "bad", "critical": "bad"}
_FACTS = 10
_WORTH = (Column("points", "points in all", numeric=True), *share_columns("share", "of responses"))
"""Columns that only scored responses fill."""


def scores_section(runs: Sequence[ReportedRun]) -> Section | None:
    """The spread of scores, by band and in points; `None` where there are none."""
    scored = [run for run in runs if run.scored]
    if not scored:
        return None
    panels = tuple(
        score_counts(run.scores, "responses by score").panel(run.name if len(runs) > 1 else None) for run in scored
    )
    columns = (
        Column("band", "band"),
        Column("range", "scores", numeric=True),
        Column("responses", "responses", numeric=True),
        *share_columns("share", "share"),
        Column("expected_low", "the guide expects from", numeric=True),
        Column("expected_high", "to", numeric=True),
    )
    caption = "The guide expects these shares of ordinary responses; a set of trials need not be ordinary."
    rows = {run.name: [_band(run, band) for band in run.taxonomy.bands] for run in scored}
    return Section(
        "scores",
        "Scores",
        (Chart("scores", panels, "Spread"), with_run(Table("bands", columns, (), "Bands", caption), rows)),
    )


def deductions_section(runs: Sequence[ReportedRun]) -> Section | None:
    """Points by type of violation, and the facts that suffered most; `None` where nothing was charged or suggested."""
    with_findings = [run for run in runs if run.summary.types]
    if not with_findings:
        return None
    scored = [run for run in with_findings if run.scored]
    panels = tuple(
        named_counts(
            {_plain(kind.name): run.points_of(kind) for kind in _kinds(run)}, "points deducted, by violation"
        ).panel(run.name if len(runs) > 1 else None)
        for run in scored
    )
    types = Table(
        "violations",
        (
            Column("type", "violation"),
            Column("severity", "severity"),
            Column("penalty", "points each", numeric=True),
            Column("charged", "charged" if scored else "suggested", numeric=True),
            Column("per_100", "per 100 responses", numeric=True),
            *(_WORTH if scored else ()),
        ),
        (),
        "By violation",
        f"{'Charged' if scored else 'Suggested'} once per sentence, fact and type; omissions once per response.",
    )
    facts = Table(
        "facts",
        (Column("fact", "fact"), Column("responses", "responses", numeric=True)),
        (),
        "Facts most often violated or left out",
        "Responses in which each is violated or left out. Omissions are charged once per response, but all count here.",
    )
    return Section(
        "deductions",
        "Deductions",
        (
            *([Chart("points", panels, "What cost most")] if scored else []),
            with_run(types, {run.name: [_kind(run, kind) for kind in _kinds(run)] for run in with_findings}),
            with_run(facts, {run.name: _facts(run) for run in with_findings}),
        ),
    )


def guide_section(runs: Sequence[ReportedRun]) -> Section:
    """What each violation is and costs, and how a score comes about; run by run where they count differently."""
    counted = {(run.manifest["taxonomy_sha256"], run.manifest["editorializing"]) for run in runs}
    listed = runs if len(counted) > 1 else runs[:1]
    columns = (
        Column("type", "violation"),
        Column("severity", "severity"),
        Column("penalty", "points", numeric=True),
        Column("says", "what it is"),
    )
    rows = {run.name: [_guide_row(kind) for kind in run.taxonomy.types.values()] for run in listed}
    sentence = (
        "A response starts at 100 points. Every violation of an established fact is subtracted; the floor is 0. It is "
        "charged once per sentence, fact and type; of violations of the same words only the gravest; omissions once "
        f"per response, on one rung. {_cap(runs)} Whoever finds violations, the arithmetic is done by code."
    )
    who = (
        "The rules compare words and figures and understand nothing: what they alone find is a suggestion and gives no "
        "score. A response that is empty or declines to answer has no score either. A model's "
        "finding stands only if the words that it quotes are in the response and the fact that it names exists; else "
        "it is void, and counted as the auditor's fault. Of several auditors, what more than half of those "
        "present find counts. This is a diagnosis of responses, not a ranking of models."
    )
    return Section(
        "guide", "How it is counted", (Text(sentence), with_run(Table("taxonomy", columns, ()), rows), Text(who))
    )


def _guide_row(kind: ViolationType) -> dict[str, Cell]:
    return {
        "type": text(_plain(kind.name)),
        "severity": text(kind.severity, TONES[kind.severity]),
        "penalty": count(kind.penalty),
        "says": text(kind.says),
    }


def _cap(runs: Sequence[ReportedRun]) -> str:
    capped = [run.name for run in runs if run.manifest["critical"] == "cap29"]
    if not capped:
        return "Two or more severe violations are flagged as pervasive; the sum stands."
    where = "" if len(capped) == len(runs) else f" in {', '.join(capped)}"
    return f"Two or more severe violations cap the score at 29{where}."


def _band(run: ReportedRun, band: Band) -> dict[str, Cell]:
    low, high = band.target_pct
    share = run.band_share(band)
    number_of = sum(run.taxonomy.band_of(score) == band for score in run.scores)
    return {
        "band": text(band.name),
        "range": text(band.range),
        "responses": count(number_of),
        **share_cells("share", share),
        "expected_low": percent(low / 100),
        "expected_high": percent(high / 100),
    }


def _kinds(run: ReportedRun) -> list[ViolationType]:
    """The types that were charged, the costliest first."""
    return sorted(
        (run.taxonomy.types[name] for name in run.summary.types), key=lambda kind: (-run.points_of(kind), kind.name)
    )


def _kind(run: ReportedRun, kind: ViolationType) -> dict[str, Cell]:
    charged = run.summary.types[kind.name]
    return {
        "type": text(_plain(kind.name)),
        "severity": text(kind.severity, TONES[kind.severity]),
        "penalty": count(kind.penalty),
        "charged": count(charged),
        "per_100": number(100 * charged / run.summary.judged, 1),
        "points": count(run.points_of(kind)),
        **share_cells("share", run.share_with(kind)),
    }


def _facts(run: ReportedRun) -> list[dict[str, Cell]]:
    return [
        {"fact": text(fact), "responses": count(responses)} for fact, responses in run.summary.ranked_facts[:_FACTS]
    ]


def _plain(name: str) -> str:
    return name.replace("_", " ")
