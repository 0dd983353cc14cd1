"""Correlates, predictions and ablations as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from voirdire.cli.show.paint import new_table, remarks, render
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.ddft.analysis.correlates import Correlate, Correlates
    from voirdire.ddft.analysis.measures import Association
    from voirdire.papers.claims import Outcome
    from voirdire.papers.ddft.predictions import Examination
    from voirdire.stats.intervals import Interval

_COLOURS = {"held": "green", "associated": "green", "broken": "red"}


def correlates(found: Correlates) -> str:
    """Every column of figures: correlations, p-values, and what they decide."""
    from rich.markup import escape

    table = new_table("column", "test", "value", "95 % interval", "concepts alone", "exact p", "p by t, F", "n")
    for each in found.columns:
        for row in _tests(each):
            table.add_row(*row)
        table.add_section()
    parts: list[RenderableType] = [
        *remarks(found.cautions),
        f"{counted(len(found.models), 'model')}, {found.metric}",
        table,
    ]
    for each in found.columns:
        corrected = "" if each.p_holm is None else f" (Holm's p = {each.p_holm:z.3f})"
        parts.append(f"[bold]{escape(each.column)}[/]: {_verdict(each.outcome)}{corrected}. {escape(each.why)}")
    parts.append(
        "[dim]Exact p: over all orders of the values (n ≤ 9, else random ones). 95 % interval: over the choice of "
        "models. Concepts alone: how far another draw of concepts moves the value, with these models.[/]"
    )
    return render(*parts)


def examination(found: Examination) -> str:
    """Predictions and ablations, each with its verdict and why."""
    parts: list[RenderableType] = [*remarks(found.cautions), found.model_count]
    for title, outcomes in (("Predictions", found.predictions), ("Ablations", found.ablations)):
        parts.append(f"\n[bold underline]{title}[/]")
        for each in outcomes:
            parts += _prediction(each)
    return render(*parts)


def _prediction(found: Outcome[Any]) -> list[RenderableType]:
    from rich.markup import escape
    from rich.padding import Padding

    from voirdire.papers.ddft.predictions import condition, measured_by_the_paper

    claim, result = found.claim, found.result
    value = f"{found.value:z.3f}{_ends(result.interval, ' (', ')')}" if isinstance(found.value, float) else ""
    lines = [
        f"\n[bold]{escape(claim.id)}[/]  {escape(claim.says)}",
        f"    {_verdict(found.verdict)}{f'   {value}' if value else ''}",
    ]
    paper, when = escape(measured_by_the_paper(claim)), escape(_capital(condition(claim)))
    says = f"{escape(found.note)}\n[dim]Paper: {paper}\n{when}[/]"
    table = _TABLES.get(claim.id, _nothing)(result.table)
    return [*lines, Padding(says, (0, 0, 0, 4)), *[Padding(each, (0, 0, 0, 4)) for each in table]]


def _tests(each: Correlate) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for name, label in (("spearman", "Spearman"), ("pearson", "Pearson"), ("pearson_log", "Pearson, log")):
        found: Association | None = getattr(each, name)
        if found is not None:
            rows.append((each.column, _group_above(each, found) or label, *_association(found)))
    if each.anova is not None:
        anova = each.anova
        p = f"{anova.p_permutation:z.3f}"
        ends = f"{anova.eta_low:z.2f} to {anova.eta_high:z.2f}"
        rows.append(
            (each.column, "ANOVA, eta²", f"{anova.eta_squared:z.2f}", ends, "", p, f"{anova.p:z.3f}", str(each.n))
        )
    return rows or [(each.column, "not tested", "–", "", "", "", "", str(each.n))]


def _group_above(each: Correlate, found: Association) -> str:
    """Of two groups: what the correlation is, and which group has the higher values."""
    if each.kind != "two groups":
        return ""
    if not found.value:
        return "point-biserial"
    first, second = sorted(each.groups)
    return f"point-biserial, higher in {second if found.value > 0 else first}"


def _association(found: Association) -> tuple[str, ...]:
    exact = found.exact
    if found.value is None:
        return "–", "", "", "", "", str(exact.n)
    p, asymptotic = f"{exact.p:z.3f}", f"{exact.p_asymptotic:z.3f}"
    return f"{exact.value:z.2f}", _ends(found.interval), _ends(found.concepts), p, asymptotic, str(exact.n)


def _turns(rows: Sequence[Mapping[str, Any]]) -> list[RenderableType]:
    names = ("CI_raw", "CI_raw without the turn", "ER", "ER without the turn")
    table = new_table("turn", "CI index", "exact p", "index less turn", "ER", "ER less turn", "n index / ER")
    for row in rows:
        rhos = {name: _number(row[name]["value"]) for name in names}
        n = f"{row['CI_raw']['n']} / {row['ER']['n']}"
        table.add_row(str(row["turn"]), rhos[names[0]], _number(row["CI_raw"]["p"], 3), *list(rhos.values())[1:], n)
    return ["Spearman's rho of each turn's FAR with (ER less turn 4: the mean of K, S and D):", table]


def _levels(rows: Sequence[Mapping[str, Any]]) -> list[RenderableType]:
    table = new_table(
        "levels kept", "tau of CI index", "concepts alone", "tau of ER", "CI index moves by", "ER by", "HOC by"
    )
    for row in rows:
        moved = (_number(row[f"{name}_changes_by"]) for name in ("CI_raw", "ER", "HOC"))
        kept = ", ".join(f"{level:g}" for level in row["levels"])
        table.add_row(kept, _number(row["tau"]), _range(row["interval"]), _number(row["tau_ER"]), *moved)
    return [table] if rows else []


def _taus(first: str) -> Any:
    def show(rows: Sequence[Mapping[str, Any]]) -> list[RenderableType]:
        table = new_table(first, "tau", "concepts alone", "n")
        for row in rows:
            table.add_row(str(row[first]), _number(row["tau"]), _range(row["interval"]), str(row["n"]))
        return [table]

    return show


def _indices(rows: Sequence[Mapping[str, Any]]) -> list[RenderableType]:
    table = new_table("V_E against", "rho", "95 % interval", "exact p", "n")
    for row in rows:
        table.add_row(row["index"], _number(row["value"]), _range(row["interval"]), _number(row["p"], 3), str(row["n"]))
    return [table] if any(row["value"] is not None for row in rows) else []


def _anovas(rows: Sequence[Mapping[str, Any]]) -> list[RenderableType]:
    table = new_table("F of", "F", "p", "permutation p", "eta²", "95 % interval")
    for row in rows:
        numbers = (_number(row["F"]), _number(row["p"], 3), _number(row["p_permutation"], 3))
        table.add_row(row["of"], *numbers, _number(row["eta_squared"], 3), _range(row["interval"], 3))
    return [table]


def _falls(rows: Sequence[Mapping[str, Any]]) -> list[RenderableType]:
    table = new_table("model", "FAR falls by", "SAS falls by", "difference", "95 % interval")
    for row in rows:
        falls = (_number(row[name], 3) for name in ("FAR_falls", "SAS_falls", "difference"))
        table.add_row(row["model"], *falls, _range(row["difference_interval"], 3))
    return [table]


def _shares(rows: Sequence[Mapping[str, Any]]) -> list[RenderableType]:
    table = new_table("model", "danger zone %", "95 % interval")
    for row in rows:
        table.add_row(row["model"], _number(row["value"], 1), _range(row["interval"], 1))
    return [table]


def _without_trap(rows: Sequence[Mapping[str, Any]]) -> list[RenderableType]:
    table = new_table("model", "FAR at turn 4 higher without the trap by", "95 % interval")
    for row in rows:
        if "model" in row:
            value, interval = row["FAR_4_higher_without"], row["FAR_4_higher_without_interval"]
            table.add_row(row["model"], _number(value, 3), _range(interval, 3))
    return [table] if rows else []


def _nothing(_: Sequence[Mapping[str, Any]]) -> list[RenderableType]:
    return []


_TABLES = {
    "P1": _shares,
    "P2": _falls,
    "P3-verifier": _indices,
    "P4": _anovas,
    "turns": _turns,
    "levels": _levels,
    "formulas": _taus("formula"),
    "theta": _taus("theta"),
    "trap": _without_trap,
}


def _verdict(verdict: str) -> str:
    return f"[bold {_COLOURS.get(verdict, 'yellow')}]{verdict}[/]"


def _ends(interval: Interval | None, before: str = "", after: str = "") -> str:
    return "" if interval is None else f"{before}{interval.low:z.2f} to {interval.high:z.2f}{after}"


def _range(interval: Mapping[str, Any] | None, decimals: int = 2) -> str:
    return "" if interval is None else f"{interval['low']:z.{decimals}f} to {interval['high']:z.{decimals}f}"


def _number(value: float | None, decimals: int = 2) -> str:
    return "–" if value is None else f"{value:z.{decimals}f}"


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
