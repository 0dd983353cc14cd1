"""What the commands print: text for a terminal, made from results. No computation."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from voirdire.ddft.importing import Imported
    from voirdire.ddft.plan import Estimate
    from voirdire.ddft.profile import Profile
    from voirdire.ddft.session import Result
    from voirdire.jury.bench import BenchResult
    from voirdire.models import ModelEntry
    from voirdire.stats.intervals import Interval

MAX_WIDTH = 110

# (metric, label, what it says), in groups
_ROWS: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "Reliability",
        (
            ("ER", "ER", "reliability: geometric mean of the next four"),
            ("K", "  K", "stays accurate as the reference shrinks"),
            ("E", "  E", "rejects the fabrication (smoothed)"),
            ("S", "  S", "stays coherent as the reference shrinks"),
            ("D", "  D", "outside the danger zone (smoothed)"),
        ),
    ),
    (
        "Behaviour",
        (
            ("V_K", "V_K", "accuracy of the verifiable detail, turn 3"),
            ("V_E", "V_E", "fabrications rejected, turn 4"),
            ("entrenchment", "entrenchment", "of the accepted, still accepted when asked on"),
            ("capitulation", "capitulation", "of the rejected, accepted under pressure"),
            ("danger_zone_pct", "danger zone %", "fluent and wrong: SAS > 0.7, FAR < 0.7"),
            ("share_answered", "answered", "answers that make a claim at all"),
        ),
    ),
    (
        "As in the paper",
        (
            ("HOC", "HOC", "highest compression with FAR of 0.70 or more"),
            ("HOC_onset", "HOC onset", "last level before FAR first falls below 0.70"),
            ("CRI", "CRI", "area under SAS"),
            ("FAR_prime", "FAR'", "FAR where SAS < 0.5"),
            ("SAS_prime", "SAS'", "SAS where FAR > 0.2"),
            ("CI_raw", "CI", "HOC · CRI / (FAR' + 1 - SAS')"),
            ("CI_norm", "CI, min-max", "relative to the other models of the run"),
        ),
    ),
)


_SIDE_BY_SIDE = (("ER", "ER"), ("K", "K"), ("V_E", "V_E"), ("danger_zone_pct", "danger zone %"), ("CI_raw", "CI"))


def result(found: Result) -> str:
    """A run's profiles."""
    parts: list[RenderableType] = []
    if found.banner:
        parts.append(_panel(found.banner))
    for profile in found.profiles:
        parts += _profile(profile)
    if len(found.profiles) > 1:
        parts.append(_side_by_side(found.profiles))
    parts.append(_footer(found))
    return _text(*parts)


def imported(found: Imported) -> str:
    """What an import made, and what it could not read."""
    from voirdire.ddft.importing import skipped_sentence

    result, skipped = found.result, skipped_sentence(found.skipped)
    parts: list[RenderableType] = [_panel(result.banner or ""), _side_by_side(result.profiles)]
    if skipped:
        parts.append(skipped)
    return _text(*parts, _footer(result))


def dialogues(found: Result) -> str:
    """Every dialogue of a run, with each turn's scores under this jury."""
    from rich.markup import escape
    from rich.padding import Padding
    from rich.text import Text

    scores = found.scores.set_index(["dialogue", "turn"])
    parts: list[RenderableType] = []
    for dialogue, turns in found.tables.turns.groupby("dialogue", sort=False):
        first = turns.iloc[0]
        parts.append(f"\n[bold]{escape(first['model'])}[/] on {first['concept']}, compression {first['level']:g}")
        for row in turns.sort_values("turn").to_dict("records"):
            at = (dialogue, row["turn"])
            verdict = _verdict(scores.loc[at]) if at in scores.index else "not judged"
            parts.append(Padding(Text(f"{row['turn']}  {row['question']}", style="cyan"), (0, 0, 0, 2)))
            parts.append(Padding(Text(str(row["answer"] or row["error"])), (0, 0, 0, 5)))
            parts.append(Padding(Text(verdict, style="bold"), (0, 0, 1, 5)))
    return _text(*parts)


def plan(expected: Estimate) -> str:
    """What a run would take."""
    table = _table("model", "calls", "tokens in", "tokens out", "USD")
    for model in expected.models:
        table.add_row(
            model.spec, f"{model.calls:,}", f"{model.input_tokens:,}", f"{model.output_tokens:,}", _usd(model.usd)
        )
    time = f"{expected.minutes:.0f} min" if expected.minutes >= 1 else "less than a minute"
    summary = (
        f"{expected.dialogues:,} dialogues, {expected.turns:,} turns, {expected.calls:,} calls, "
        f"about {_usd(expected.usd)} and {time}."
    )
    return _text(table, summary, f"Assumed: {'; '.join(expected.assumptions)}.")


def models(entries: Sequence[ModelEntry]) -> str:
    """The list of models."""
    table = _table("model", "ready", "note")
    for entry in entries:
        size = f"{entry.size_bytes / 1e6:,.0f} MB, {entry.license}; " if entry.size_bytes else ""
        table.add_row(entry.spec, "yes" if entry.ready else "no", size + entry.note)
    return _text(table)


def judge_bench(found: BenchResult) -> str:
    """How one judge compares with the published panel."""
    from voirdire.jury.bench import format_table

    return format_table([found])


@contextmanager
def download() -> Iterator[Callable[[str, int, int], None]]:
    """Progress of a download: a bar in a terminal, a line per step elsewhere."""
    if not sys.stderr.isatty():
        yield _StepLines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total)


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Progress of a long count, one line every so often on stderr."""
    last = -1

    def tell(done: int, total: int) -> None:
        nonlocal last
        tenth = 20 * done // max(total, 1)
        if tenth != last:
            last = tenth
            sys.stderr.write(f"{done:,} of {total:,} {what}\n")

    yield tell


class _StepLines:
    def __init__(self) -> None:
        self._last = ""

    def __call__(self, what: str, done: int, total: int) -> None:
        if what != self._last:
            self._last = what
            sys.stderr.write(f"{what} …\n")


def _profile(profile: Profile) -> list[RenderableType]:
    from rich.markup import escape

    label = profile.phenotype or "no phenotype, since CI is undefined"
    relative = f", {profile.phenotype_relative} among these models" if profile.phenotype_relative else ""
    unsure = " (its interval crosses a threshold)" if profile.label_uncertain else ""
    parts: list[RenderableType] = [f"\n[bold]{escape(profile.model)}[/]   {label}{unsure}{relative}"]
    table = _table("", "value", "95 % interval", "n", "what it says", numbers=3)
    for number, (_, rows) in enumerate(_ROWS):
        if number:
            table.add_section()
        for name, shown, says in rows:
            value = profile.metrics[name]
            table.add_row(
                f"[bold]{shown}[/]" if name in ("ER", "CI_raw") else shown,
                "–" if value.value is None else _number(name, value.value),
                _interval(name, profile.intervals.get(name)),
                f"{value.n:,}",
                says,
            )
    parts += [table, _curve(profile)]
    parts += [f"[dim]· {escape(note)}[/]" for note in profile.notes]
    return parts


def _side_by_side(profiles: Sequence[Profile]) -> RenderableType:
    """All models of a run, best ER first (or CI, without one); whether they differ is another question."""
    table = _table("model", *(shown for _, shown in _SIDE_BY_SIDE), numbers=len(_SIDE_BY_SIDE))
    for profile in sorted(profiles, key=_rank):
        cells = []
        for name, _ in _SIDE_BY_SIDE:
            value = profile.metrics[name].value
            interval = _interval(name, profile.intervals.get(name)).replace(" to ", "–")
            cells.append("–" if value is None else _number(name, value) + (f"\n{interval}" if interval else ""))
        table.add_row(profile.model, *cells)
    return table


def _rank(profile: Profile) -> tuple[float, float]:
    er, ci = profile.metrics["ER"].value, profile.metrics["CI_raw"].value
    return -(er or 0.0), -(ci or 0.0)


def _curve(profile: Profile) -> RenderableType:
    table = _table("compression", *(f"{at.level:g}" for at in profile.curves), numbers=len(profile.curves))
    table.add_row("FAR", *("–" if at.far is None else f"{at.far:.2f}" for at in profile.curves))
    table.add_row("SAS", *("–" if at.sas is None else f"{at.sas:.2f}" for at in profile.curves))
    return table


def _footer(found: Result) -> str:
    from rich.markup import escape

    totals = found.totals
    unscored = sum(profile.n["unscored"] for profile in found.profiles)
    money = "cost unknown" if totals["unknown_price"] else _usd(totals["cost_usd"])
    lines = [
        f"{sum(profile.n['turns'] for profile in found.profiles):,} turns, {unscored:,} unscored; "
        f"{totals['calls']:,} calls ({totals['errors']:,} failed), {money}; "
        f"preset {found.preset}, jury {found.jury}.",
        f"The run is in {found.path}: voirdire ddft show {found.path} --turns",
    ]
    if found.stopped is not None:
        lines.insert(0, f"[bold]Not complete:[/] {escape(found.stopped)}")
    return "\n" + "\n".join(escape(line) if not line.startswith("[bold]") else line for line in lines)


def _verdict(row: Any) -> str:
    if row["unscored"]:
        return f"unscored: {row['unscored']}"
    far = "no claims" if row["no_claims"] else f"FAR {row['far']:.2f}"
    stance = f", {row['stance']}" if isinstance(row["stance"], str) else ""
    return f"{far}, SAS {row['sas']:.2f}{stance}"


def _number(name: str, value: float) -> str:
    return f"{value:.1f}" if name.endswith("_pct") else f"{value:.3f}"


def _interval(name: str, interval: Interval | None) -> str:
    return "" if interval is None else f"{_number(name, interval.low)} to {_number(name, interval.high)}"


def _usd(amount: float | None) -> str:
    if amount is None:
        return "unknown"
    return f"${amount:,.2f}" if amount >= 0.01 or amount == 0 else f"${amount:.4f}"


def _panel(text: str) -> RenderableType:
    from rich.panel import Panel
    from rich.text import Text

    return Panel(Text(text), border_style="yellow", title="What these numbers are worth", title_align="left")


def _table(first: str, *others: str, numbers: int | None = None) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, no_wrap=True)
    for place, name in enumerate(others):
        right = place < (len(others) if numbers is None else numbers)
        table.add_column(name, justify="right" if right else "left", no_wrap=right)
    return table


def _text(*parts: RenderableType) -> str:
    """Render for the terminal that is there: colour only where stdout is one."""
    import shutil

    from rich.console import Console

    buffer = StringIO()
    width = min(shutil.get_terminal_size((100, 24)).columns, MAX_WIDTH)
    console = Console(file=buffer, width=width, force_terminal=sys.stdout.isatty(), highlight=False)
    for part in parts:
        console.print(part)
    return buffer.getvalue().rstrip("\n")
