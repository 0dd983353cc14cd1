"""Claims that the paper's own printed numbers decide, whatever the data."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from voirdire.cognibench.dynamics.published.paper import Paper
from voirdire.cognibench.dynamics.published.verdicts import Claim, elsewise, equal, held

KINDS = ("overall", "factual", "cognitive")
EXISTING = ("Tasksource", "SelfCheckGPT", "Fava", "RAGTruth")
"""The detectors of Table 3 that are not the paper's own."""

_AUTO = "Auto-Labeling"


def claims(paper: Paper) -> Iterator[Claim]:
    """All of them."""
    yield from _annotation(paper)
    yield from _size(paper)
    yield from _rates(paper)
    yield from _table_3(paper)
    yield from _auto(paper)
    yield from _table_5(paper)


def f1(recall: float, precision: float) -> float:
    """Harmonic mean."""
    return 2 * recall * precision / (recall + precision)


def macro(row: dict[str, str]) -> float:
    """Mean of a row's factual and cognitive F1."""
    return (float(row["factual"]) + float(row["cognitive"])) / 2


def cognitive_weight(overall: float, factual: float, cognitive: float) -> float:
    """The weight w with which w · cognitive + (1 - w) · factual gives overall."""
    return (overall - factual) / (cognitive - factual)


def _annotation(paper: Paper) -> Iterator[Claim]:
    independent, sequential = paper.tables["1"]
    for name, row in (("qa-multiclass", independent), ("qa-sequential", sequential)):
        total = int(row["during"]) + int(row["after"])
        yield equal(paper.claims[name], total, f"{row['during']} + {row['after']}.")
    fewer = 100 * (1 - int(sequential["rounds"]) / int(independent["rounds"]))
    yield equal(paper.claims["qa-reduction"], fewer, "1 - 13/25.")
    more = float(sequential["agreement"]) > float(independent["agreement"])
    note = (
        "That Table 1 says so. The annotators' single labels are not released, so that agreement can't be recomputed."
    )
    yield held(paper.claims["agreement-higher"], more, "96.19 > 91.51", "Table 1.", note=note)


def _size(paper: Paper) -> Iterator[Claim]:
    small, large = (
        {name: float(row[name]) for name in ("responses", "conversations", "sentences")} for row in paper.tables["2"]
    )
    times = {name: large[name] / small[name] for name in small}
    note = ", ".join(f"{value:.0f} times by {name}" for name, value in times.items()) + "."
    yield equal(paper.claims["l-larger"], times["sentences"], "Sentences of both, Table 2.", note=note)
    note = f"By Table 2 that is its responses; conversations are {large['conversations']:,.0f}."
    yield elsewise(paper.claims["l-dialogues"], large["responses"], "Responses, Table 2.", note)


def _rates(paper: Paper) -> Iterator[Claim]:
    said = paper.claims
    total = said["speculative"].number + said["misleading"].number
    yield equal(said["cognitive-rate-sum"], total, "62.2 + 2.6.")
    ratio = said["cognitive-rate"].number / said["invented"].number
    yield equal(said["times-higher"], ratio, "64.8 / 13.9.", note="Rounded it is 4.7; 4.6 is cut off.")
    yield equal(said["gpt-4-shares"], 66.3 + said["gpt-4-cognitive"].number, "66.3 + 33.7.")


def _table_3(paper: Paper) -> Iterator[Claim]:
    rows = paper.tables["3"]
    yield equal(paper.claims["six-methods"], len(rows), "Rows of Table 3.")
    fit = [row["method"] for row in rows if abs(macro(row) - float(row["overall"])) <= 0.01]
    between = sum(
        min(float(row["factual"]), float(row["cognitive"]))
        <= float(row["overall"])
        <= max(float(row["factual"]), float(row["cognitive"]))
        for row in rows
    )
    note = (
        f"Only {', '.join(fit)}. Pooled F1 lies between the two types' F1, as the printed one does in {between} rows."
    )
    yield equal(
        paper.claims["table-3-macro"], len(fit), "Rows whose overall is the mean of the two, ± 0.01.", note=note
    )
    falls = {
        row["method"]: 100 * (1 - float(row["cognitive"]) / float(row["factual"]))
        for row in rows
        if row["method"] in EXISTING
    }
    note = (
        f"Row by row: {', '.join(f'{method} {fall:.0f}' for method, fall in falls.items())}. The mean fall of "
        "Tasksource and Fava alone is 31; no way of counting all four that was tried gives it."
    )
    average = sum(falls.values()) / len(falls)
    definition = "Mean over the four existing detectors of 1 - cognitive / factual, Table 3."
    yield equal(paper.claims["drop-31"], average, definition, note=note)
    worse = sum(fall > 0 for fall in falls.values())
    note = "SelfCheckGPT does better on cognitive ones, 61.10 against 32.08; Tasksource is worse by 0.35 points only."
    yield equal(paper.claims["harder"], worse, "Rows with cognitive below factual, Table 3.", note=note)


def _auto(paper: Paper) -> Iterator[Claim]:
    for kind in KINDS:
        said = paper.claims[f"auto-{kind}"]
        at = {number: f1(*map(float, paper.row("5", f"threshold {number}")[kind])) for number in (2, 3)}
        formula = "2 · recall · precision / (recall + precision), Table 5"
        if said.matches(at[2]) and not said.matches(at[3]):
            yield elsewise(said, at[2], f"{formula}, threshold 2.", f"At threshold 3 it is {at[3]:.2f}.")
        else:
            yield equal(said, at[3], f"{formula}, threshold 3.", note=f"At threshold 2 it is {at[2]:.2f}.")


def _table_5(paper: Paper) -> Iterator[Claim]:
    weights = {row["method"]: cognitive_weight(*(float(row[kind][0]) for kind in KINDS)) for row in paper.tables["5"]}
    yield held(
        paper.claims["table-5-weights"],
        max(weights.values()) - min(weights.values()) < 0.02,
        f"{min(weights.values()):.2f} to {max(weights.values()):.2f}",
        "w with which w · cognitive + (1 - w) · factual recall gives the overall recall, each row of Table 5.",
        note=(
            "Recall is found over labelled, and what is labelled is the same in every row, so that w, the share of it "
            f"that is cognitive, must be too. {', '.join(f'{name}: {weight:.2f}' for name, weight in weights.items())}."
        ),
    )
    for claim, method in (("ablation-sampling", "without sampling"), ("ablation-cfp", "without CFP")):
        yield _ablation(paper, claim, method)
    low, high = (paper.row("5", f"threshold {number}") for number in (2, 3))
    right = sum(
        float(high[kind][place]) > float(low[kind][place])
        if place
        else float(high[kind][place]) < float(low[kind][place])
        for kind, place in product(KINDS, (0, 1))
    )
    yield equal(paper.claims["threshold-trades"], right, "Recall and precision, overall and by type, Table 5.")


def _ablation(paper: Paper, claim: str, method: str) -> Claim:
    full, without = paper.row("5", "threshold 3"), paper.row("5", method)
    falls = {kind: [float(full[kind][place]) - float(without[kind][place]) for place in (0, 1)] for kind in KINDS[1:]}
    holds = all(falls["cognitive"][place] > falls["factual"][place] for place in (0, 1))
    shown = "; ".join(
        f"{name}: factual {falls['factual'][place]:.2f}, cognitive {falls['cognitive'][place]:.2f}"
        for place, name in enumerate(("recall", "precision"))
    )
    return held(paper.claims[claim], holds, shown, "Points lost against threshold 3, Table 5.")
