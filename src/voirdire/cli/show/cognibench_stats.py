"""What labelled answers are made of, and where they are unfaithful, as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, remarks, render

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.cognibench.dynamics.estimates import Estimate
    from voirdire.cognibench.dynamics.figures import Basics
    from voirdire.cognibench.dynamics.report import Dynamics
    from voirdire.cognibench.dynamics.scaling import Scaling
    from voirdire.cognibench.dynamics.strata import Stratum

_KEY = (
    "[dim]In brackets 95 % intervals; none with fewer than three contexts, or where contexts show no variation. n: "
    "statements. How intervals are made: --json.[/]"
)
_REQUIRE = {
    "rational": "invented and misleading",
    "grounded": "invented, misleading and speculative",
    "irrefutable": "invented, misleading, speculative and reliable",
}


def dynamics(found: Dynamics, by: str) -> str:
    """The tables that were asked for.

    Args:
        found: all analyses.
        by: "turn", "position", "model", "topic", "dataset", or "all" for every one that the data have.
    """
    parts: list[RenderableType] = [*remarks(found.cautions)]
    if by == "all":
        parts += [*_basics(found), *_shares(found)]
    for name, show in _TABLES.items():
        if by == name or (by == "all" and _worth_showing(found, name)):
            parts += show(found)
    return render(*parts, f"\nHallucinated (--require {found.require}): {_REQUIRE[found.require]}.", _KEY)


def scaling(found: Scaling) -> str:
    """F1 by how much was learnt from."""
    table = new_table("share of contexts", "sentences learnt from", "mean F1", "lowest", "highest", "trainings")
    for step in found.steps:
        figures = ("–" if value is None else f"{value:.3f}" for value in (step.f1, step.lowest, step.highest))
        table.add_row(f"{step.share:.0%}", f"{step.statements:.0f}", *figures, str(step.trainings - step.undefined))
    fit = found.curve.fit
    said = "No line can be fitted."
    if fit is not None:
        ends = "" if fit.interval is None else f" ({fit.interval.low:+.3f} to {fit.interval.high:+.3f})"
        said = f"A straight line over the logarithm gains {fit.slope:+.3f}{ends} in F1 with ten times the data."
    note = (
        "[dim]Each training is judged on three tenths of the contexts, put aside before, its threshold chosen without "
        "them. The interval is of the line, not of another sample; see whether the means lie on a line at all.[/]"
    )
    return render(f"[bold]{found.detector}[/] (Fig. 12), F1 counted in words", table, said, note)


def percent(found: Estimate, decimals: int = 1, joined: str = "–") -> str:
    """A share in percent with its interval."""
    return number(found, decimals, joined, scale=100)


def number(found: Estimate, decimals: int = 2, joined: str = "–", *, scale: float = 1) -> str:
    """A figure with its interval."""
    if found.value is None:
        return "–"
    value, ends = f"{scale * found.value:.{decimals}f}", found.interval
    if ends is None:
        return value
    return f"{value} ({scale * ends.low:.{decimals}f}{joined}{scale * ends.high:.{decimals}f})"


def _worth_showing(found: Dynamics, name: str) -> bool:
    if name == "dataset":
        return len(found.datasets) > 1
    if name == "model":
        return len(found.by_model) > 1
    return bool(found.by_topic) if name == "topic" else True


def _basics(found: Dynamics) -> list[RenderableType]:
    table = new_table("", "all responses", "labelled ones")
    columns = (found.basics, found.labelled_basics)
    for name in ("responses", "conversations", "sentences", "labelled_sentences"):
        table.add_row(name.replace("_", " "), *(f"{getattr(each, name):,}" for each in columns))
    table.add_row("sentences per response", *(number(each.sentences_per_response) for each in columns))
    for name in ("context_words", "response_words"):
        table.add_row(f"{name.replace('_', ' ')}, min–max (mean)", *(_lengths(each, name) for each in columns))
    return ["\n[bold]Size[/] (Table 2)", table]


def _lengths(each: Basics, name: str) -> str:
    found = getattr(each, name)
    return f"{found.least}–{found.most} ({found.mean.value:.1f})"


def _shares(found: Dynamics) -> list[RenderableType]:
    whole = found.shares
    types = new_table("statements", "% of all", "n", "per answer", "hallucinated %", "of n")
    for kind, share in whole.types.items():
        rate = whole.hallucination.get(kind)
        types.add_row(
            kind,
            percent(share),
            f"{share.hits:.0f}",
            number(whole.per_answer[kind]) if kind in whole.per_answer else "",
            "" if rate is None else percent(rate),
            "" if rate is None else str(rate.n),
        )
    tiers = new_table("tier", "% of its type", "n")
    for label, share in whole.tiers.items():
        tiers.add_row(label, percent(share), f"{share.hits:.0f} of {share.n}")
    shown: list[RenderableType] = ["\n[bold]Types and tiers[/] (4.4)", types, tiers]
    if found.times_more_often.value is not None:
        times = number(found.times_more_often, 1)
        shown.append(f"Cognitive statements are hallucinated {times} times as often as factual ones.")
    return shown


def _turns(found: Dynamics) -> list[RenderableType]:
    names = {id(each): str(each.of["turn"] + 1) for each in found.by_turn}
    slopes = ", ".join(
        f"{name} {number(found.trends[key], 1 if scale == 100 else 2, ' to ', scale=scale)}"
        for name, key, scale in (
            ("factual per answer", "factual_per_answer", 1),
            ("cognitive per answer", "cognitive_per_answer", 1),
            ("cognitive %", "cognitive_share", 100),
            ("factual hallucinated %", "factual_hallucination", 100),
            ("cognitive hallucinated %", "cognitive_hallucination", 100),
        )
    )
    return [
        "\n[bold]By turn[/] (Fig. 5, Fig. 7 top)",
        *_two_tables("turn", found.by_turn, lambda each: names[id(each)]),
        f"From one turn to the next (least squares): {slopes}.",
    ]


def _positions(found: Dynamics) -> list[RenderableType]:
    def name(each: Stratum) -> str:
        return f"{100 * each.of['from']:.0f}–{100 * each.of['to']:.0f} %"

    table = new_table("part of answer", "of factual hallucinations %", "of cognitive hallucinations %")
    for each in found.by_position:
        table.add_row(name(each), *(percent(each.hallucinated_here[kind]) for kind in ("factual", "cognitive")))
    return [
        "\n[bold]By position in the answer[/] (Fig. 7 bottom)",
        *_two_tables("part of answer", found.by_position, name),
        table,
    ]


def _two_tables(first: str, strata: Sequence[Stratum], name: Callable[[Stratum], str]) -> list[RenderableType]:
    """What parts are made of, and what of it is hallucinated."""
    made = new_table(first, "answers", "factual per answer", "cognitive per answer", "cognitive %", "n")
    wrong = new_table(first, "factual hallucinated %", "n", "cognitive hallucinated %", "n", "per answer (f, c)")
    for each in strata:
        made.add_row(
            name(each),
            str(each.answers),
            *(number(each.per_answer[kind]) for kind in ("factual", "cognitive")),
            percent(each.cognitive_share),
            str(each.cognitive_share.n),
        )
        cells = [
            cell
            for rate in (each.hallucination["factual"], each.hallucination["cognitive"])
            for cell in (percent(rate), str(rate.n))
        ]
        counts = ", ".join(f"{each.hallucinated_per_answer[kind].value:.2f}" for kind in ("factual", "cognitive"))
        wrong.add_row(name(each), *cells, counts)
    return [made, wrong]


def _topics(found: Dynamics) -> list[RenderableType]:
    from rich.markup import escape

    table = new_table("topic", "contexts", "answers", "cognitive %", "halluc. %", "factual", "cognitive")
    strata = {each.of["topic"]: each for each in found.by_topic}
    for topic, contexts in found.coverage.contexts.items():
        each = strata.get(topic)
        cells = ["0", "", "", "", ""]
        if each is not None:
            rates = [each.hallucination[kind] for kind in ("factual", "cognitive")]
            counts = [f"{rate.hits:.0f} of {rate.n}" for rate in rates]
            cells = [
                str(each.answers),
                percent(each.cognitive_share, 0),
                percent(each.hallucination["all"], 0),
                *counts,
            ]
        table.add_row(escape(topic), str(contexts), *cells)
    spread = found.coverage
    even = "" if spread.p is None else f"Equal shares of all contexts: chi² {spread.chi_squared:.1f}, p {spread.p:.2f}."
    return ["\n[bold]By topic[/] (Fig. 11); answers: labelled ones", table, even]


def _models(found: Dynamics) -> list[RenderableType]:
    from rich.markup import escape

    table = new_table("model", "answers", "cognitive %", "halluc. % of factual", "of cognitive")
    for each in found.by_model:
        rates = [each.hallucination[kind] for kind in ("factual", "cognitive")]
        cells = [f"{percent(rate)} of {rate.n}" for rate in rates]
        table.add_row(escape(each.of["model"]), str(each.answers), percent(each.cognitive_share), *cells)
    parts: list[RenderableType] = ["\n[bold]By model[/] (Fig. 8)", table]
    if found.differences:
        pairs = new_table("first less second", "contexts", "difference, points", "p", "Holm's p")
        for figure, of_figure in groupby(found.differences, key=lambda pair: pair.figure):
            pairs.add_section()
            pairs.add_row(f"[bold]{figure.replace('_', ' ')}[/]", "", "", "", "")
            for pair in of_figure:
                pairs.add_row(
                    f"{escape(pair.first)} – {escape(pair.second)}",
                    str(pair.references),
                    percent(pair.difference, joined=" to "),
                    *(map(_p, (pair.p, pair.p_holm))),
                )
        parts += ["In pairs, on the contexts that both answered (swap test):", pairs]
    return parts


def _p(value: float | None) -> str:
    return "–" if value is None else "<0.001" if value < 0.001 else f"{value:.3f}"


def _datasets(found: Dynamics) -> list[RenderableType]:
    from rich.markup import escape

    table = new_table("data set", "responses", "dialogues", "cognitive %, labels", "n", "predicted", "n")
    for each in found.datasets:
        shares = (each.labelled, each.predicted)
        cells = [cell for share in shares for cell in (("", "") if share is None else (percent(share), str(share.n)))]
        table.add_row(escape(each.name), str(each.basics.responses), str(each.basics.conversations), *cells)
    parts: list[RenderableType] = ["\n[bold]By data set[/] (Fig. 2)", table]
    if any(each.predicted is not None for each in found.datasets):
        parts.append("Predicted: by the type classifier, trained on CogniBench; compare it with predicted shares only.")
    return parts


_TABLES: dict[str, Callable[[Dynamics], list[RenderableType]]] = {
    "turn": _turns,
    "position": _positions,
    "topic": _topics,
    "model": _models,
    "dataset": _datasets,
}
