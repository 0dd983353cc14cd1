"""What `voirdire rate agreement` shows of people: what can be said, then the figures that it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from voirdire.documents.cells import UNDEFINED, cautions, count, number, plain_table, text
from voirdire.documents.document import Block, Bullets, Cell, Document, Section, Table, Text, document, folded, more
from voirdire.raters.tasks import open_task
from voirdire.text.counting import counted, formatted

if TYPE_CHECKING:
    from voirdire.raters.agreement import (
        Agreement,
        AgreementFigure,
        CategoryAgreement,
        FindingAgreement,
        HolisticGap,
        PhaseAgreement,
        ScoreAgreement,
        Workload,
    )
    from voirdire.raters.agreement.spans import SpanAgreement
    from voirdire.raters.tasks.base import PublishedWorkload

_ORDERED = "* ordered: near misses count in part (linear weights; alpha by ranks)."
_BEYOND = "κ, alpha, AC1/AC2: agreement beyond what chance alone would give (0); 1 is always the same."
_ICC = (
    "ICC, alpha: agreement of scores, 1 at best. ICC(2,1): of one person with another; (2,k): of the mean of k people; "
    "(3,1): of one person, leniency left aside. mean gap: how far two people are apart."
)
_UNUSED = "AC1/AC2 counts every category of the scale; used are:"
_SINGLE = "Fleiss κ and AC1/AC2 count a single answer to an item too, among how often each is given."
_FLAGS = (
    "hallucinated (… required): a factual statement that is not faithful, or a cognitive one below what is required, "
    "counts as hallucinated."
)


def agreement_document(result: Agreement, *others: Section) -> Document:
    """How far people agree."""
    left_out = []
    if result.left_out:
        ratings = counted(result.left_out, "rating is", "ratings are")
        left_out.append(Text(f"{ratings} left out: of a third person, or not blind.", "quiet"))
    workload = []
    published = open_task(result.task).workload
    enough = result.live is not None and not result.live.too_few
    if enough and result.workload is not None and published is not None:
        table = workload_table("workload", [result.workload], published)
        workload.append(Section("workload", f"Per 500 statements, as in {published.source}", (table,)))
    interpretation = tuple(reading_blocks(result.interpretation, result.notes))
    beside = [block for each in others[:1] for block in each.blocks if isinstance(block, Text)]
    rest = document(
        *(section for phase in result.phases for section in _phase(result, phase)), *workload, *left_out, *others
    )
    return document(
        Section("agreement", f"{result.title}: how far people agree", (*cautions(result.warnings), *interpretation)),
        *([Section("beside", others[0].title, tuple(beside))] if beside else []),
        more("Every measure, practice, and each two"),
        *folded(replace(each, blocks=_without(each.blocks, beside)) for each in rest.sections),
    )


def _without(blocks: Sequence[Block], removed: Sequence[Block]) -> tuple[Block, ...]:
    return tuple(block for block in blocks if block not in removed)


def reading_blocks(sentences: Sequence[str], notes: Sequence[str]) -> Iterator[Block]:
    """What can be said, one sentence a line, then remarks."""
    yield from map(Text, sentences)
    if notes:
        yield Bullets(tuple(notes))


def figure_cell(figure: AgreementFigure, form: str = ".2f") -> Cell:
    """A figure, and under it its interval."""
    if figure.value is None:
        return Cell(None, UNDEFINED)
    if figure.low is None or figure.high is None:
        return Cell(figure.value, formatted(figure.value, form))
    joined = " to " if form.startswith("+") else "–"
    low, high = formatted(figure.low, form).removesuffix(" %"), formatted(figure.high, form)
    return Cell(figure.value, f"{formatted(figure.value, form)}\n{low}{joined}{high}")


def percent_cell(figure: AgreementFigure) -> Cell:
    """The same of a share."""
    return figure_cell(figure, ".1%")


def workload_table(id: str, rows: Sequence[Workload], published: PublishedWorkload) -> Table:
    """A project's lines beside a source's."""
    cells = [
        [
            text(f"here, {row.mode}"),
            count(row.statements),
            percent_cell(row.agreement),
            *(figure_cell(each, ".1f") for each in (row.questions, row.in_the_moment, row.afterwards)),
        ]
        for row in rows
    ]
    cells += [
        [
            text(f"paper, {mode}"),
            text(""),
            Cell(paper.agreement, f"{100 * paper.agreement:.2f} %"),
            *map(count, paper[1:]),
        ]
        for mode, paper in published.lines.items()
    ]
    return plain_table(id, ("", "statements", "agree", "questions", "in the\nmoment", "afterwards"), cells)


_NAMES = {"live": "", "calibration": "Calibration: ", "practice": "Practice, each rater's last try: "}


def _phase(result: Agreement, phase: PhaseAgreement) -> Iterator[Section]:
    name = _NAMES[phase.phase]
    task = open_task(result.task)
    nouns = (task.of_sentences() if result.only_flagged else task).nouns
    people = ", ".join(result.names.get(rater, rater) for rater in phase.raters)
    title = (
        f"{name}{phase.paired:,} of {counted(phase.items, nouns.item)} rated twice or more, of "
        f"{counted(phase.groups, nouns.group)}; by {people}"
    )
    if phase.too_few:
        yield Section(f"phase-{phase.phase}", title, ())
        return
    blocks: list[Block] = []
    if phase.scores:
        blocks += [_scores(phase.scores), *_leniency(phase.scores, result.names)]
    notes = [scale.note for scale in task.scales() if scale.note]
    blocks.append(_categories(phase.categories, notes))
    pairs = [pair for each in phase.categories[:1] for pair in _pairs(each, result.names)]
    blocks += [Text("  ".join(pairs), "quiet")] if pairs else []
    yield Section(f"phase-{phase.phase}", title, tuple(blocks))
    if phase.findings is not None:
        title = "Violations: of what one marks, how much another marks too"
        yield Section(f"findings-{phase.phase}", title, (_findings(phase.findings),))
    if phase.spans is not None:
        title = "Marked words: F1 of the characters that two people mark"
        yield Section(f"spans-{phase.phase}", title, (_spans(phase.spans, result.names),))
    if phase.holistic:
        gaps = _holistic(phase.holistic, result.names)
        yield Section(f"holistic-{phase.phase}", "Deductions beside first impressions", (gaps,))


def _categories(rows: Sequence[CategoryAgreement], notes: Sequence[str]) -> Table:
    paired_rows = [row for row in rows if row.paired]
    captions = [_BEYOND] if paired_rows else []
    captions += [_ORDERED] if any(row.ordered for row in paired_rows) else []
    captions += [_SINGLE] if any(row.paired < row.items for row in paired_rows) else []
    captions += [_FLAGS] if any(row.name.startswith("hallucinated") for row in paired_rows) else []
    unused = [
        f"{row.name} {len(row.shares)} of {row.categories}" for row in paired_rows if len(row.shares) < row.categories
    ]
    captions += [f"{_UNUSED} {', '.join(unused)}."] if unused else []
    captions += notes
    cells = (
        [
            text(row.name + (" *" if row.ordered else "")),
            count(row.paired),
            percent_cell(row.percent),
            *map(figure_cell, (row.cohen, row.fleiss, row.alpha, row.ac)),
        ]
        for row in paired_rows
    )
    heads = ("category", "twice", "agree", "Cohen κ", "Fleiss κ", "alpha", "AC1/AC2")
    return plain_table("categories", heads, cells, caption="\n".join(captions))


def _pairs(row: CategoryAgreement, names: Mapping[str, str]) -> list[str]:
    if len(row.cohen_pairs) < 2:
        return []
    return [
        f"{'–'.join(names.get(rater, rater) for rater in pair.raters)}: "
        f"κ {UNDEFINED if pair.kappa is None else f'{pair.kappa:.2f}'} ({pair.items:,})"
        for pair in row.cohen_pairs
    ]


def _scores(rows: Sequence[ScoreAgreement]) -> Table:
    cells = (
        (
            row.name,
            count(row.paired),
            figure_cell(row.icc_2_1),
            figure_cell(row.icc_2_k),
            Cell(row.k, UNDEFINED if row.k is None else f"{row.k:.3g}"),
            figure_cell(row.icc_3_1),
            figure_cell(row.alpha),
            figure_cell(row.mean_absolute_difference, ".1f" if row.top > 1 else ".2f"),
        )
        for row in rows
    )
    return plain_table(
        "scores", ("score", "twice", "ICC(2,1)", "ICC(2,k)", "k", "ICC(3,1)", "alpha", "mean\ngap"), cells, caption=_ICC
    )


def _leniency(rows: Sequence[ScoreAgreement], names: Mapping[str, str]) -> Iterator[Table]:
    def shown(row: ScoreAgreement, rater: str) -> Cell:
        if rater not in row.leniency:
            return Cell(None, UNDEFINED)
        return figure_cell(row.leniency[rater], "+.1f" if row.top > 1 else "+.2f")

    raters = dict.fromkeys(rater for row in rows for rater in row.leniency)
    if raters:
        heads = ("higher than the others by", *(row.name for row in rows))
        cells = ([text(names.get(rater, rater)), *(shown(row, rater) for row in rows)] for rater in raters)
        yield plain_table("leniency", heads, cells)


def _findings(result: FindingAgreement) -> Table:
    rows = {"all": result.positive_agreement, **result.by_family}
    cells = ((family, percent_cell(figure)) for family, figure in rows.items())
    return plain_table("families", ("family", "positive agreement"), cells)


def _spans(result: SpanAgreement, names: Mapping[str, str]) -> Table:
    pairs = [
        (
            "–".join(names.get(rater, rater) for rater in pair.raters),
            count(pair.items),
            Cell(pair.f1, UNDEFINED if pair.f1 is None else f"{100 * pair.f1:.1f} %"),
            text(""),
        )
        for pair in result.pairs
    ]
    items = sum(pair.items for pair in result.pairs)
    rows = [
        (text("all"), count(items), percent_cell(result.f1), figure_cell(result.alpha)),
        *(pairs if len(pairs) > 1 else ()),
    ]
    return plain_table("spans", ("", "compared", "F1", "alpha"), rows)


def _holistic(rows: Sequence[HolisticGap], names: Mapping[str, str]) -> Table:
    heads = ("", "responses", "score -\nimpression", "mean\ngap", "over\n10", "changed", "r")
    cells = (
        (
            names.get(row.rater, row.rater),
            count(row.items),
            figure_cell(row.difference, "+.1f"),
            number(row.mean_absolute, 1),
            count(row.over),
            count(row.changed),
            number(row.pearson),
        )
        for row in rows
    )
    return plain_table("holistic", heads, cells)
