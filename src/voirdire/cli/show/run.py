"""A run as text: profiles, dialogues, what an import made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from voirdire.cli.show.paint import boxed, ends, figure, new_table, render
from voirdire.cli.show.validity import banner
from voirdire.data.frames import rows_of
from voirdire.text.counting import counted
from voirdire.text.money import dollars

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.ddft.importing import Imported
    from voirdire.ddft.profile import Profile
    from voirdire.ddft.results import Result

Rows = tuple[tuple[str, str], ...]
"""(metric, label)"""

_RELIABILITY: Rows = (("ER", "ER"), ("K", "  K"), ("E", "  E"), ("S", "  S"), ("D", "  D"))
_BEHAVIOUR: Rows = (
    ("V_K", "V_K"),
    ("V_E", "V_E"),
    ("entrenchment", "entrenchment"),
    ("capitulation", "capitulation"),
    ("danger_zone_pct", "danger zone %"),
    ("share_answered", "answered"),
)
_PAPER: Rows = (
    ("HOC", "HOC"),
    ("HOC_onset", "HOC onset"),
    ("CRI", "CRI"),
    ("FAR_prime", "FAR'"),
    ("SAS_prime", "SAS'"),
    ("CI_raw", "CI index"),
    ("CI_norm", "  min-max"),
)
_SIDE_BY_SIDE = (
    ("ER", "ER"),
    ("K", "K"),
    ("V_E", "V_E"),
    ("danger_zone_pct", "danger zone %"),
    ("share_answered", "answered"),
)


def result(found: Result) -> str:
    """A run's profiles, best ER first; before them whether the run is complete."""
    from rich.markup import escape

    from voirdire.ddft.profile import best_first

    parts: list[RenderableType] = _incomplete(found)
    if found.banner:
        parts.append(boxed(found.banner))
    if found.also_judged:
        parts.append(escape(str(found.also_judged)))
    for profile in best_first(found.profiles):
        parts += _profile(profile, found.profiles)
    if len(found.profiles) > 1:
        parts.append(_side_by_side(found.profiles))
    parts.append(_footer(found))
    return render(*parts)


def imported(found: Imported) -> str:
    """What an import made, and what it could not read."""
    from voirdire.ddft.importing import skipped_sentence

    result, skipped = found.result, skipped_sentence(found.skipped)
    parts: list[RenderableType] = [*_incomplete(result), boxed(result.banner or ""), _side_by_side(result.profiles)]
    if skipped:
        parts.append(skipped)
    return render(*parts, _footer(result))


def dialogues(found: Result) -> str:
    """Every dialogue of a run, with each turn's scores under this jury."""
    from rich.markup import escape
    from rich.padding import Padding
    from rich.text import Text

    scores = {(row["dialogue"], row["turn"]): row for row in rows_of(found.scores)}
    parts: list[RenderableType] = []
    for dialogue, turns in found.tables.turns.groupby("dialogue", sort=False):
        rows = rows_of(turns.sort_values("turn"))
        first = rows[0]
        parts.append(f"\n[bold]{escape(first['model'])}[/] on {first['concept']}, compression {first['level']:g}")
        for row in rows:
            score = scores.get((dialogue, row["turn"]))
            verdict = "not judged" if score is None else _verdict(score)
            parts.append(Padding(Text(f"{row['turn']}  {row['question']}", style="cyan"), (0, 0, 0, 2)))
            parts.append(Padding(Text(row["answer"] or row["error"] or "(no answer)"), (0, 0, 0, 5)))
            parts.append(Padding(Text(verdict, style="bold"), (0, 0, 1, 5)))
    return render(*parts)


def _incomplete(found: Result) -> list[RenderableType]:
    from rich.markup import escape

    return [] if found.stopped is None else [f"[bold]Not complete:[/] {escape(found.stopped)}"]


def _profile(profile: Profile, study: Sequence[Profile]) -> list[RenderableType]:
    """A model: ER, the metrics, the curve, remarks; the paper's index last."""
    from rich.markup import escape

    return [
        f"\n[bold]{escape(profile.model)}[/]\n{_headline(profile)}",
        _metrics(profile, _RELIABILITY, _BEHAVIOUR),
        _curve(profile),
        *(f"[dim]· {escape(str(note))}[/]" for note in profile.notes if note != profile.uneven),
        *_paper(profile, study),
    ]


def _headline(profile: Profile) -> str:
    """ER with its interval, or why there is none; of a model judged unevenly so far, only that."""
    if profile.uneven is not None:
        return str(profile.uneven)
    if profile.er is None:
        return f"Epistemic reliability (ER): no value ({profile.metrics['ER'].reason})"
    reach = ends("ER", profile.er_interval)
    known = f"95 % interval {reach}" if reach else "no interval"
    level = f", at one level only ({profile.curves[0].level:g})" if len(profile.curves) == 1 else ""
    return f"Epistemic reliability (ER) {figure('ER', profile.er)}, {known}{level}"


def _metrics(profile: Profile, *groups: Rows) -> RenderableType:
    from voirdire.ddft.labels import explained

    table = new_table("", "value", "95 % interval", "n", "what it says", numbers=3)
    for number, rows in enumerate(groups):
        if number:
            table.add_section()
        for name, shown in rows:
            value = profile.metrics[name]
            table.add_row(
                f"[bold]{shown}[/]" if name == "ER" else shown,
                "–" if value.value is None else figure(name, value.value),
                ends(name, profile.intervals.get(name)),
                f"{value.n:,}",
                explained(name, len(profile.curves)),
            )
    return table


def _paper(profile: Profile, study: Sequence[Profile]) -> list[RenderableType]:
    """The paper's index and label, apart from the rest, since both may rest on a handful of turns."""
    from rich.markup import escape

    from voirdire.ddft.paper_index import explanation, relative_label, summary

    index = profile.paper_index
    label = relative_label(index, [each.paper_index for each in study])
    relative = f"; {label} among these models" if label else ""
    remark = explanation(index)
    return [
        f"\nThe paper's index (CI index): {summary(index)}{relative}",
        _metrics(profile, _PAPER),
        *([] if remark is None else [f"[dim]· {escape(remark)}[/]"]),
    ]


def _side_by_side(profiles: Sequence[Profile]) -> RenderableType:
    """All models of a run, best ER first; whether they differ is another question."""
    from voirdire.ddft.profile import best_first

    table = new_table("model", *(shown for _, shown in _SIDE_BY_SIDE), numbers=len(_SIDE_BY_SIDE))
    for profile in best_first(profiles):
        cells = []
        for name, _ in _SIDE_BY_SIDE:
            value = profile.metrics[name].value
            interval = ends(name, profile.intervals.get(name)).replace(" to ", "–")
            cells.append("–" if value is None else figure(name, value) + (f"\n{interval}" if interval else ""))
        table.add_row(profile.model, *cells)
    return table


def _curve(profile: Profile) -> RenderableType:
    table = new_table("compression", *(f"{at.level:g}" for at in profile.curves), numbers=len(profile.curves))
    table.caption = "Over all five turns; K and S above take turns 1 to 3."
    table.add_row("factual accuracy, FAR", *("–" if at.far is None else f"{at.far:.2f}" for at in profile.curves))
    table.add_row("semantic coherence, SAS", *("–" if at.sas is None else f"{at.sas:.2f}" for at in profile.curves))
    return table


def _footer(found: Result) -> str:
    from rich.markup import escape

    totals = found.totals
    unscored = sum(profile.n["unscored"] for profile in found.profiles)
    money = "cost unknown" if totals["unknown_price"] else dollars(totals["cost_usd"])
    waiting = f", {found.not_judged:,} more not judged yet" if found.not_judged else ""
    jury = "" if found.jury == found.default_jury else f" --jury {found.jury}"
    lines = [
        f"{counted(sum(profile.n['turns'] for profile in found.profiles), 'turn')}, {unscored:,} unscored{waiting}; "
        f"{counted(totals['calls'], 'call')} ({totals['errors']:,} failed{_unusable(found)}), {money}; "
        f"preset {found.preset}, jury {found.jury}.",
        *([f"The first that could not be used: {found.unusable.first}."] if found.unusable.first else []),
        f"The run is in {found.path}: voirdire ddft show {found.path}{jury} --turns",
    ]
    unsound = banner(found)
    if unsound is not None:
        lines.insert(0, f"[bold]{escape(unsound)}[/]")
    return "\n" + "\n".join(escape(line) if not line.startswith("[bold]") else line for line in lines)


def _unusable(found: Result) -> str:
    replies = found.unusable.replies
    return f", {counted(replies, 'reply', 'replies')} of judges unusable" if replies else ""


def _verdict(row: Mapping[str, Any]) -> str:
    """What the jury made of a turn; `None` is what it did not say."""
    if row["unscored"]:
        return f"unscored: {row['unscored']}"
    far = "no claims" if row["no_claims"] else f"FAR {_score(row['far'])}"
    stance = f", {row['stance']}" if row["stance"] else ""
    return f"{far}, SAS {_score(row['sas'])}{stance}"


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
