"""Claims that the paper's own printed numbers decide, whatever the data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import product
from typing import Literal

from voirdire.papers.claims import ClaimVerdict, Result, reproduced_if
from voirdire.papers.cognibench.study import KINDS, Row, Study

EXISTING = ("Tasksource", "SelfCheckGPT", "Fava", "RAGTruth")
"""The detectors of Table 3 that are not the paper's own."""


def f1(recall: float, precision: float) -> float:
    """Harmonic mean."""
    return 2 * recall * precision / (recall + precision)


def macro(row: Row) -> float:
    """Mean of a row's factual and cognitive F1."""
    return (float(row["factual"]) + float(row["cognitive"])) / 2


def cognitive_weight(overall: float, factual: float, cognitive: float) -> float:
    """The weight w with which w · cognitive + (1 - w) · factual gives overall."""
    return (overall - factual) / (cognitive - factual)


def rounds(study: Study, method: str) -> Result:
    """Rounds of questions while annotating and after."""
    row = study.paper.row("1", method)
    params = {"during": row["during"], "after": row["after"]}
    return Result(int(row["during"]) + int(row["after"]), params=params)


def fewer_rounds(study: Study) -> Result:
    """How many per cent fewer rounds sequential decisions take."""
    independent, sequential = (int(row["rounds"]) for row in study.paper.tables["1"])
    return Result(100 * (1 - sequential / independent))


def agreement_higher(study: Study) -> Result:
    """Whether annotators agree more with sequential decisions."""
    independent, sequential = (row["agreement"] for row in study.paper.tables["1"])
    higher = float(sequential) > float(independent)
    return Result(f"{sequential} {'>' if higher else '<='} {independent}", verdict=reproduced_if(higher))


def l_larger(study: Study) -> Result:
    """How many times CogniBench-L is larger, by Table 2."""
    small, large = study.paper.tables["2"]
    names = ("responses", "conversations", "sentences")
    times = {name: float(large[name]) / float(small[name]) for name in names}
    listing = ", ".join(f"{value:.0f} times by {name}" for name, value in times.items())
    return Result(times["sentences"], params={"times": listing})


def l_dialogues(study: Study) -> Result:
    """What CogniBench-L has over 24,000 of: its responses."""
    large = study.paper.tables["2"][1]
    params = {"conversations": int(large["conversations"])}
    return Result(float(large["responses"]), verdict=ClaimVerdict.OTHER_DEFINITION, params=params)


def gpt_4_shares(study: Study) -> Result:
    """Whether GPT-4's factual and cognitive statements make up all."""
    row = study.paper.row("4.7", "GPT-4")
    return Result(float(row["factual"]) + float(row["cognitive"]))


def table_3_macro(study: Study) -> Result:
    """Rows whose overall F1 is the mean of the two, and rows in which it lies between them, as pooled F1 does."""
    rows = study.paper.tables["3"]
    fit = [row["method"] for row in rows if abs(macro(row) - float(row["overall"])) <= 0.01]
    both = [sorted((float(row["factual"]), float(row["cognitive"]))) for row in rows]
    between = sum(low <= float(row["overall"]) <= high for row, (low, high) in zip(rows, both, strict=True))
    return Result(len(fit), params={"fit": ", ".join(fit), "between": between})


def drop(study: Study) -> Result:
    """The mean fall of F1 from factual to cognitive hallucinations, over the existing detectors."""
    falls = _falls(study)
    listing = ", ".join(f"{method} {fall:.0f}" for method, fall in falls.items())
    return Result(sum(falls.values()) / len(falls), params={"falls": listing})


def harder(study: Study) -> Result:
    """How many of the existing detectors do worse on cognitive hallucinations."""
    return Result(sum(fall > 0 for fall in _falls(study).values()))


def auto_labelling(study: Study, kind: Literal["overall", "factual", "cognitive"]) -> Result:
    """F1 from recall and precision at threshold 3, or, by another definition, at threshold 2."""
    two, three = (f1(*map(float, study.paper.row("5", f"threshold {number}")[kind])) for number in (2, 3))
    other = Result(two, params={"threshold": 2})
    return Result(three, params={"threshold": 3, "other": two}, others=(other,))


def recall_weights(study: Study) -> Result:
    """Whether the overall recall is the same mix in every row of Table 5."""
    weights = {
        row["method"]: cognitive_weight(*(float(row[kind][0]) for kind in KINDS)) for row in study.paper.tables["5"]
    }
    low, high = min(weights.values()), max(weights.values())
    listing = ", ".join(f"{name}: {weight:.2f}" for name, weight in weights.items())
    return Result(f"{low:.2f} to {high:.2f}", verdict=reproduced_if(high - low < 0.02), params={"weights": listing})


def ablation(study: Study, without: str) -> Result:
    """Whether cognitive recall and precision fall most without a part of the method."""
    full, part = study.paper.row("5", "threshold 3"), study.paper.row("5", without)
    factual, cognitive = (
        [float(full[kind][place]) - float(part[kind][place]) for place in (0, 1)] for kind in ("factual", "cognitive")
    )
    text = "; ".join(
        f"{name}: factual {factual[place]:.2f}, cognitive {cognitive[place]:.2f}"
        for place, name in enumerate(("recall", "precision"))
    )
    return Result(text, verdict=reproduced_if(all(one > other for one, other in zip(cognitive, factual, strict=True))))


def threshold_trades(study: Study) -> Result:
    """Comparisons in which a higher threshold lowers recall or raises precision."""
    low, high = (study.paper.row("5", f"threshold {number}") for number in (2, 3))
    changes = {
        (kind, place): float(high[kind][place]) - float(low[kind][place]) for kind, place in product(KINDS, (0, 1))
    }
    return Result(sum(change > 0 if place else change < 0 for (_, place), change in changes.items()))


def _falls(study: Study) -> dict[str, float]:
    """By existing detector, how many per cent lower its F1 is on cognitive hallucinations."""
    return {
        row["method"]: 100 * (1 - float(row["cognitive"]) / float(row["factual"]))
        for row in study.paper.tables["3"]
        if row["method"] in EXISTING
    }


RESULTS: Mapping[str, Callable[[Study], Result]] = {
    "qa-multiclass": partial(rounds, method="independent classification"),
    "qa-sequential": partial(rounds, method="sequential decisions"),
    "qa-reduction": fewer_rounds,
    "agreement-higher": agreement_higher,
    "l-larger": l_larger,
    "l-dialogues": l_dialogues,
    "cognitive-rate-sum": lambda study: Result(study.printed("speculative") + study.printed("misleading")),
    "times-higher": lambda study: Result(study.printed("cognitive-rate") / study.printed("invented")),
    "gpt-4-shares": gpt_4_shares,
    "six-methods": lambda study: Result(len(study.paper.tables["3"])),
    "table-3-macro": table_3_macro,
    "drop-31": drop,
    "harder": harder,
    "auto-overall": partial(auto_labelling, kind="overall"),
    "auto-factual": partial(auto_labelling, kind="factual"),
    "auto-cognitive": partial(auto_labelling, kind="cognitive"),
    "table-5-weights": recall_weights,
    "ablation-sampling": partial(ablation, without="without sampling"),
    "ablation-cfp": partial(ablation, without="without CFP"),
    "threshold-trades": threshold_trades,
}
