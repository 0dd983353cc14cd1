"""What `voirdire rate agreement` shows of people beside a machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_uppercase
from typing import TYPE_CHECKING

from voirdire.documents.cells import UNDEFINED, count, plain_table, text
from voirdire.documents.document import Block, Cell, Section, Table, Text
from voirdire.raters.agreement.report import figure_cell, percent_cell, reading_blocks
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from voirdire.raters.agreement import AgreementFigure
    from voirdire.raters.comparison import Confusion, FindingComparison, Flagging, PeopleComparison

LEADING = ("ICC(2,1)", "kappa", "positive agreement")
"""The coefficients that single judges are shown by; --json has all."""
_SCORES = (
    "r, rho: correlation of scores, of ranks. ICC(2,1): agreement, 1 at best; ICC(3,1): leniency left aside. "
    "bias: machine less people."
)
_SHOWN = 12
"""Findings of one side alone that are listed; --json has all."""
_WORDS = 60
"""Characters of a finding's words."""


def comparison_sections(result: PeopleComparison) -> Iterator[Section]:
    """What can be said, then the figures that it rests on."""
    blocks: list[Block] = list(
        reading_blocks((*result.interpretation, *(each.sentence for each in result.cautions)), ())
    )
    blocks += reading_blocks((), (_coverage(result), *result.notes))
    yield Section("machine", f"People beside {result.by} ({result.run})", tuple(blocks))
    lettered = len({each.machine for each in result.closeness}) > 1
    legend = [Text(f"  {letter}  {judge}") for judge, letter in _letters(result).items()] if lettered else []
    yield Section(
        "closeness", "As close to people as people are to each other? Means over raters", (*legend, _closeness(result))
    )
    if result.scores:
        yield Section("machine-scores", "Scores: machine beside people", (_scores(result),))
    if result.flags:
        yield Section("flags", "Hallucinations found, people's view taken as right", (_flags(result.flags),))
    whole = _whole(result)
    for each in result.confusions:
        if each.consensus and not each.scale.startswith("hallucinated") and len(_used_categories(each)) > 1:
            machine = "machine" if len(whole) == 1 else each.machine
            title = f"{each.scale[0].upper()}{each.scale[1:]}: people down, {machine} across"
            yield Section(f"confusion-{each.scale}-{whole.index(each.machine)}", title, (_confusion(each),))
    for each_findings in result.findings[:1]:
        yield Section("violations", "Violation by violation", (_findings(each_findings),))
        yield from _one_sided_findings(each_findings)
    if len(result.findings) > 1:
        yield Section("auditors", "Positive agreement with people", (_auditors(result.findings),))


def _coverage(result: PeopleComparison) -> str:
    parts = [f"Rated items in the run: {result.matched:,} of {result.rated:,}, of {counted(result.groups, 'group')}"]
    parts += [f"{result.undecided:,} of them it left without a result"] if result.undecided else []
    return "; ".join(parts) + "."


def _whole(result: PeopleComparison) -> list[str]:
    """The machines that are compared as a whole: the consensus, or each judge where they are no jury."""
    return list(dict.fromkeys(each.machine for each in result.closeness if each.consensus))


def _letters(result: PeopleComparison) -> dict[str, str]:
    """A letter for each judge, so that long names need no column."""
    return {judge: ascii_uppercase[place % 26] for place, judge in enumerate(result.judges)}


def _closeness(result: PeopleComparison) -> Table:
    """The consensus by every coefficient, single judges by the leading ones."""
    letters, rows, sole = _letters(result), [], len(_whole(result)) == 1
    for row in result.closeness:
        is_shown = row.coefficient != "percent" if row.consensus else row.coefficient in LEADING
        if is_shown and row.items:
            who = "" if row.consensus and sole else f" {letters[row.machine]} alone"
            rows.append(
                (
                    f"{row.scale}, {row.coefficient}{who}",
                    count(row.items),
                    figure_cell(row.people),
                    figure_cell(row.with_machine),
                    figure_cell(row.difference, "+.2f"),
                )
            )
    return plain_table("closeness", ("", "items", "people with\neach other", "with the\nmachine", "difference"), rows)


def _scores(result: PeopleComparison) -> Table:
    letters, rows, sole = _letters(result), [], len(_whole(result)) == 1
    for row in result.scores:
        if row.people and not row.consensus:
            continue
        form = "+.2f" if abs(row.people_mean) <= 1 and abs(row.machine_mean) <= 1 else "+.1f"
        who = result.names.get(row.people, row.people) or "people"
        machine = "machine" if row.consensus and sole else letters[row.machine]
        rows.append(
            (
                f"{row.scale}, {machine}–{who}",
                count(row.items),
                figure_cell(row.pearson),
                _value_only(row.spearman),
                figure_cell(row.icc_2_1),
                figure_cell(row.icc_3_1),
                figure_cell(row.bias, form),
                _value_only(row.mean_absolute, form.lstrip("+")),
            )
        )
    return plain_table(
        "machine-scores", ("", "n", "r", "rho", "ICC(2,1)", "ICC(3,1)", "bias", "mean\ngap"), rows, caption=_SCORES
    )


def _value_only(figure: AgreementFigure, form: str = ".2f") -> Cell:
    """A figure without its interval, where there is no room."""
    return Cell(figure.value, UNDEFINED if figure.value is None else f"{figure.value:{form}}")


def _flags(rows: Sequence[Flagging]) -> Table:
    cells = (
        (
            row.require,
            row.unit,
            count(row.items),
            percent_cell(row.precision),
            percent_cell(row.recall),
            percent_cell(row.f1),
            count(row.unsaid),
        )
        for row in rows
    )
    return plain_table("flags", ("required", "in", "n", "precision", "recall", "F1", "could\nnot say"), cells)


def _confusion(result: Confusion) -> Table:
    used = _used_categories(result)
    rows = (
        [
            text(result.categories[row]),
            *(
                Cell(result.counts[row][column], f"{result.counts[row][column]:,}", "strong" if row == column else "")
                if result.counts[row][column]
                else Cell(0, "·")
                for column in used
            ),
        ]
        for row in used
    )
    return plain_table(f"confusion-{result.scale}", ("", *(result.categories[place] for place in used)), rows)


def _used_categories(result: Confusion) -> list[int]:
    """The categories that either side puts anything in."""
    return [
        place
        for place in range(len(result.categories))
        if any(result.counts[place]) or any(row[place] for row in result.counts)
    ]


def _findings(result: FindingComparison) -> Table:
    """Families, then types."""
    rows = [(text(row.name, "strong"), row) for row in result.families]
    rows += [(text(row.name, "quiet"), row) for row in result.types]
    cells = ((name, count(row.both), count(row.people_only), count(row.machine_only)) for name, row in rows)
    return plain_table("violations", ("", "both", "people\nonly", "machine\nonly"), cells)


def _one_sided_findings(result: FindingComparison) -> Iterator[Section]:
    """Findings of one side, as far as there is room."""
    alone = [row for row in result.findings if (row.people_type is None) != (row.machine_type is None)]
    if not alone:
        return
    rows = []
    for row in alone[:_SHOWN]:
        people = f"{row.people} of {counted(row.of, 'person', 'people')}"
        by = people if row.machine_type is None else f"machine, {row.people} of {row.of}"
        words = row.span or ""
        rows.append(
            (
                row.item,
                "" if row.sentence is None else count(row.sentence + 1),
                row.fact or "",
                row.people_type or row.machine_type or "",
                by,
                words if len(words) <= _WORDS else f"{words[: _WORDS - 1]}…",
            )
        )
    more = f" ({_SHOWN} of {len(alone):,}; --json has all)" if len(alone) > _SHOWN else ""
    heads = ("response", "sentence", "fact", "type", "found by", "words")
    yield Section("alone", f"Found by one side only{more}", (plain_table("alone", heads, rows, numbers=1),))


def _auditors(rows: Sequence[FindingComparison]) -> Table:
    cells = ((row.machine, count(row.items), percent_cell(row.positive_agreement)) for row in rows)
    return plain_table("auditors", ("", "responses", "positive agreement"), cells)
