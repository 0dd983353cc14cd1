"""Detectors, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from voirdire.cli.show.paint import new_table, remarks, render
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.console import RenderableType


def kinds(found: Sequence[Mapping[str, Any]]) -> str:
    """The table of `voirdire detectors list`."""
    table = new_table("detector", "flags", "needs", numbers=0)
    for each in found:
        name = each["name"] if each["model"] is None else f"{each['name']}:{each['model']}"
        table.add_row(name, each["says"], "" if each["needs"] is None else f"voirdire[{each['needs']}]")
    return render(table)


def never_flagged(small_talk: int) -> str:
    """That so many labelled sentences claim nothing."""
    verb = "is" if small_talk == 1 else "are"
    return (
        f"{counted(small_talk, 'sentence')} {verb} small talk (greetings, refusals, offers of help), "
        "which is never flagged."
    )


def left_out(header_rows: int) -> str:
    """That so many labelled pieces are no sentences."""
    return f"Not counted: {counted(header_rows, 'header row')} of tables."


def calibration(found: Mapping[str, Any]) -> str:
    """The threshold of `voirdire detectors calibrate`, and what it is worth."""
    from rich.text import Text

    table = new_table("", "threshold", "precision", "recall", "F1", "95 % interval of F1", numbers=5)
    _score_row(table, "as opened", found["own_threshold"], found["own"])
    _score_row(table, "chosen, on the same answers", found["chosen"]["threshold"], found["chosen"]["in_sample"])
    _score_row(table, "chosen without the answers judged", None, found["cross_validated"], found["interval"])
    _score_row(table, "every sentence flagged", None, found["everything"])
    chosen = found["fold_thresholds"]
    advice = found["recommendation"]
    which = ", as opened" if advice["which"] == "own" else ""
    parts: list[RenderableType] = [
        Text.assemble(
            (f"--threshold {_threshold(advice['threshold'])}", "bold"),
            f"{which}, for {found['detector']}, by {found['objective']}",
        ),
        *(f"{each['text']}." for each in advice["reasons"]),
        table,
        f"{counted(found['n_statements'], 'sentence')} of {counted(found['n_groups'], 'context')}, "
        f"{found['n_hallucinated']:,} of them "
        f"hallucinated ({found['require']}). Scores count words."
        + (f" {never_flagged(found['n_small_talk'])}" if found["n_small_talk"] else "")
        + (f" {left_out(found['n_header_rows'])}" if found["n_header_rows"] else ""),
        f"Without one fold the choice lies between {_threshold(min(chosen))} and {_threshold(max(chosen))}.",
    ]
    if found["probabilities"] is not None:
        parts += _probabilities(found["probabilities"])
    return render(*parts, *remarks(found["remarks"]))


def _threshold(threshold: float) -> str:
    """With as many decimals as count: what is printed does what the table says."""
    from voirdire.detectors.scoring import SCORE_DECIMALS

    whole, _, decimals = f"{threshold:.{SCORE_DECIMALS}f}".partition(".")
    return f"{whole}.{decimals.rstrip('0').ljust(3, '0')}"


def _score_row(
    table: Any, name: str, threshold: float | None, score: Mapping[str, Any], interval: Mapping[str, Any] | None = None
) -> None:
    figures = ["" if score[each] is None else f"{score[each]:.3f}" for each in ("precision", "recall", "f1")]
    ends = "" if interval is None else f"{interval['low']:.3f} to {interval['high']:.3f}"
    table.add_row(name, "" if threshold is None else _threshold(threshold), *figures, ends)


def _probabilities(found: Mapping[str, Any]) -> list[RenderableType]:
    table = new_table("probability", "sentences", "said", "found")
    for row in found["after"]["bins"]:
        if row["n"]:
            ends = f"{row['low']:.1f} to {row['high']:.1f}"
            table.add_row(ends, f"{row['n']:,}", f"{row['said']:.2f}", f"{row['found']:.2f}")
    before, after = found["before"]["error"], found["after"]["error"]
    return [
        f"\nScores as probabilities ({found['map']['method']}): expected calibration error {before:.3f} as they are, "
        f"{after:.3f} mapped, each fold by a map fitted without it."
        + ("" if found["better"] else " The map makes them no better: take the scores as they are."),
        table,
    ]
