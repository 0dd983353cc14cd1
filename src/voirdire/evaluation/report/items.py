"""The item browser: the outputs of several models to one item side by side, with the judges' verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from voirdire.documents.document import Exchange, Filter, Piece, Reading, Readings, Remark
from voirdire.evaluation.audit import Audit
from voirdire.evaluation.checks import Check
from voirdire.evaluation.records import Evaluation, Floats
from voirdire.text.counting import counted
from voirdire.text.shortening import beginning

USUAL_ITEMS = 20
"""Items that a page shows, of all evaluations together."""
MOST_OUTPUTS = 32
"""Outputs to one item that are shown: the best, the worst, and some between."""
MOST_CHARACTERS = 12_000_000
"""Of all texts on a page: a browser still searches them at once."""
_LONGEST = 3_000
"""Characters of one text."""
_TITLE = 90
_FEW = 3
"""Fewer prompts may begin alike by chance."""
_LETTERS = 26
_FILTERS = (
    Filter("disagree", "models disagree", "Some models have a higher score on it than others."),
    Filter("failed", "without a score", "An output ended in an error or at a limit, or its verdict can't be read."),
    Filter("quoted", "quoted by a check", "A check that fails or warns quotes an output to it."),
)


@dataclass(frozen=True, slots=True)
class _Item:
    """An item that is worth reading, and why."""

    evaluation: Evaluation
    place: int
    """In `evaluation.items`."""
    spread: float
    """Standard deviation of the models' scores; 0 for fewer than two."""
    failed: bool
    quoted: frozenset[str]
    """Models whose outputs to it are quoted."""


def items_of(audit: Audit, most: int = USUAL_ITEMS) -> Readings | None:
    """The most telling items: those that models disagree on first, then those without a score, then quoted ones.

    Args:
        audit: whose evaluations.
        most: how many items, of all evaluations together.

    Returns:
        `None` where no file has outputs, or none is asked for.
    """
    having = [each for each in audit.evaluations if each.has("output") or each.has("prompt")]
    if not having or most <= 0:
        return None
    share = -(-most // len(having))
    chosen = _shared_out([_telling(each, audit.checks, max(1, share)) for each in having], most)
    several = len(having) > 1
    readings: list[Reading] = []
    characters = 0
    for number, item in enumerate(chosen, start=1):
        reading = _reading(item, number, several=several)
        characters += _size(reading)
        if readings and characters > MOST_CHARACTERS:
            break
        readings.append(reading)
    facets = (("evaluation", "evaluation"),) if several else ()
    return Readings("items", tuple(readings), "items", facets, _FILTERS, beside=True)


def how_many(audit: Audit, shown: int) -> str:
    """Which part of all items is shown, in a sentence."""
    all_items = sum(len(each.items) for each in audit.evaluations)
    if all_items == 1:
        return "The only item."
    if shown >= all_items:
        return f"All {counted(all_items, 'item')}, those that models disagree on first."
    return (
        f"{shown:,} of {counted(all_items, 'item')}: those that models disagree on first. "
        "For more: voirdire audit PATH --show 100 -o audit.html"
    )


def _telling(evaluation: Evaluation, checks: Sequence[Check], most: int) -> list[_Item]:
    """Items of one evaluation, the most telling first; some of each kind are among the first `most`."""
    spread = _spread(evaluation.item_scores.values)
    failed = np.zeros(len(evaluation.items), dtype=bool)
    failed[evaluation.codes("item")[evaluation.rows["status"].to_numpy() != "scored"]] = True
    quoted: dict[str, set[str]] = {}
    for check in checks:
        if check.evaluation == evaluation.name and check.status in ("fail", "warn"):
            for quote in check.quotes:
                quoted.setdefault(quote.item, set()).add(quote.model)
    is_quoted = np.fromiter((name in quoted for name in evaluation.items), bool, len(evaluation.items))
    third = max(1, most // 3)
    first = [
        *np.flatnonzero(is_quoted)[:third],
        *np.flatnonzero(failed & ~is_quoted)[:third],
        *np.argsort(-spread, kind="stable"),
    ]
    chosen = list(dict.fromkeys(map(int, first)))[:most]
    chosen.sort(key=lambda item: (-spread[item], not failed[item], item))
    return [
        _Item(
            evaluation, item, float(spread[item]), bool(failed[item]), frozenset(quoted.get(evaluation.items[item], ()))
        )
        for item in chosen
    ]


def _spread(values: Floats) -> Floats:
    known = ~np.isnan(values)
    n = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, values, 0.0).sum(axis=0) / n
    return np.asarray(np.sqrt(np.where(known, (values - mean) ** 2, 0.0).sum(axis=0) / n), dtype=np.float64)


def _shared_out(lists: Sequence[Sequence[_Item]], most: int) -> list[_Item]:
    """The first of each list, then the second of each …; in the order of the lists again."""
    turns = [(turn, number) for number, items in enumerate(lists) for turn in range(len(items))]
    selected = set(sorted(turns)[:most])
    return [item for number, items in enumerate(lists) for turn, item in enumerate(items) if (turn, number) in selected]


@lru_cache(maxsize=4)
def _shared_head(evaluation: Evaluation) -> int:
    """Characters of instructions and examples with which all prompts begin, up to a line of their own."""
    prompts = evaluation.rows["prompt"].dropna().unique()
    if len(prompts) < _FEW:
        return 0
    first, last = min(prompts), max(prompts)  # what these two share, all between them share
    alike = next((place for place, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return int(first[:alike].rfind("\n")) + 1


def _reading(item: _Item, number: int, *, several: bool) -> Reading:
    evaluation = item.evaluation
    rows = evaluation.rows.iloc[np.flatnonzero(evaluation.codes("item") == item.place)]
    first = next(rows.itertuples())
    exchanges = list(_exchanges(rows, item, evaluation.metric))
    shown = _some(exchanges)
    flags = [
        *(["disagree"] if item.spread > 0 else []),
        *(["failed"] if item.failed else []),
        *(["quoted"] if item.quoted else []),
    ]
    prompt = _text(first.prompt) or ""
    reference = _text(first.reference)
    context = [_cut(prompt), _options(first), *([] if reference is None else [f"Reference: {_cut(reference)}"])]
    baseline = _text(first.baseline_output)
    if baseline is not None:
        named = f"{first.baseline} (baseline)" if _text(first.baseline) else "baseline"
        pieces, notes = _output(baseline)
        shown.append(Exchange(named, None, pieces, (), notes))
    name = evaluation.items[item.place]
    own = prompt[_shared_head(evaluation) :]
    title = f"{name}: {beginning(own, _TITLE)}" if own else name
    return Reading(
        id=f"item-{number}",
        title=title,
        facets={"evaluation": evaluation.name} if several else {},
        exchanges=tuple(shown),
        summary=_summary(evaluation.item_scores.values[:, item.place], len(exchanges), len(shown)),
        context="\n\n".join(part for part in context if part),
        flags=tuple(flags),
    )


def _exchanges(rows: Any, item: _Item, metric: str) -> Iterator[Exchange]:
    """One for each model and epoch, those with the highest score first."""
    groups: dict[tuple[str, float], list[Any]] = {}
    for row in rows.itertuples():
        epoch = row.epoch if row.epoch == row.epoch else 0.0
        groups.setdefault((str(row.model), epoch), []).append(row)
    epochs = len({epoch for _, epoch in groups}) > 1
    scores = {key: [row.score for row in own if row.score == row.score] for key, own in groups.items()}
    means = {key: sum(own) / len(own) if own else -np.inf for key, own in scores.items()}
    for model, epoch in sorted(groups, key=lambda key: (-means[key], key)):
        own = groups[model, epoch]
        heading = f"{model}, epoch {epoch:g}" if epochs else model
        failed = any(row.status != "scored" for row in own)
        flags = [*(["failed"] if failed else []), *(["quoted"] if model in item.quoted else [])]
        pieces, notes = _output(_text(own[0].output) or _chosen(own[0]))
        taken = _text(own[0].answer)
        more = [f"Taken as the answer: {_cut(taken)}"] if taken and taken != _text(own[0].output) else []
        remarks = tuple(_remark(row, metric) for row in own)
        yield Exchange(heading, None, pieces, remarks, (*notes, *more), tuple(flags))


def _chosen(row: Any) -> str | None:
    """The option that the model took, of an item that has some."""
    if not isinstance(row.choices, tuple) or row.choice != row.choice or not 0 <= row.choice < len(row.choices):
        return None
    place = int(row.choice)
    return f"{_letter(place)}. {row.choices[place]}"


def _options(row: Any) -> str:
    """All options, the right one marked."""
    if not isinstance(row.choices, tuple):
        return ""
    lines = (
        f"{_letter(place)}. {choice}{' (right)' if row.target == place else ''}"
        for place, choice in enumerate(row.choices)
    )
    return _cut("\n".join(lines))


def _letter(place: int) -> str:
    return chr(ord("A") + place) if place < _LETTERS else str(place + 1)


def _remark(row: Any, metric: str) -> Remark:
    """What became of one row: its score, who gave it, and why it has none."""
    score = "none" if row.score != row.score else f"{row.score:.3g}"
    why = "" if row.status == "scored" else f"{row.status}: {_cut(_text(row.error) or 'no reason is given')}"
    text = "\n".join(part for part in (why, _cut(_text(row.verdict) or "")) if part)
    return Remark(_text(row.judge) or metric, (("score", score),), text, "" if row.status == "scored" else "warn")


def _output(text: str | None) -> tuple[tuple[Piece, ...], tuple[str, ...]]:
    """An output as pieces, and a note where it is cut; no piece where there is none."""
    if text is None:
        return (), ()
    shown = _cut(text)
    note = f"The first {_LONGEST:,} of {len(text):,} characters."
    return (Piece(shown),), ((note,) if len(text) > _LONGEST else ())


def _some(exchanges: list[Exchange]) -> list[Exchange]:
    """All, or evenly spread ones from the best to the worst, with those that are flagged."""
    if len(exchanges) <= MOST_OUTPUTS:
        return exchanges
    selected = {round(place) for place in np.linspace(0, len(exchanges) - 1, MOST_OUTPUTS)}
    flagged = [place for place, each in enumerate(exchanges) if each.flags][: MOST_OUTPUTS // 4]
    return [each for place, each in enumerate(exchanges) if place in selected.union(flagged)]


def _summary(scores: Floats, outputs: int, shown: int) -> str:
    known = scores[~np.isnan(scores)]
    part = f"{shown:,} of {counted(outputs, 'output')}" if shown < outputs else counted(outputs, "output")
    if not known.size:
        return f"{part}, none with a score"
    if known.size == 1:
        return f"{part}, score {known[0]:.3g}"
    return f"{part}, scores {known.min():.3g} to {known.max():.3g}"


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _size(reading: Reading) -> int:
    return len(reading.context) + sum(
        sum(len(piece.text) for piece in each.answer) + sum(len(remark.text) for remark in each.remarks)
        for each in reading.exchanges
    )
