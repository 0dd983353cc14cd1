"""Do outputs answer their own items, or did they land in another one's row?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from voirdire.evaluation.checks.check import SURE, Check, not_measured, share_of_rows
from voirdire.evaluation.records import Evaluation, Floats, Places
from voirdire.evaluation.texts import Bools
from voirdire.stats import special
from voirdire.text.overlap import FUNCTION_WORDS, words

MANY = 0.05
"""Share of a model's outputs from which it fails; with fewer it warns."""
_MOST = 0.5
"""Share of a model's outputs: where they moved without an order, most did, for a weak model talks past some items."""
_ORDERED = 5
"""Outputs that stand at one distance from their items, or in each other's row: fewer may by chance, and so may more of
a model whose outputs are near to any item."""
_LEAST = 0.001
"""Share of a model's outputs from which it warns: any that moved in an order did."""
_FEWEST = 20
"""Items, and outputs of a model."""
_COMPARED = 300
"""Outputs of a model: a share of one half shows in as many."""
_READ = 2_000
"""Characters of a text: it says early what it is about."""
_RARE = 0.2
"""Share of the items in which a word may stand to tell them apart."""
_SHARED = 3
"""Rare words that an output shares with another item, so that it is about that one."""
_FARTHER = 0.5
"""How near its own item an output may be at most, of how near it is to that other one."""
_ALIKE = 0.3
"""Share of the weight of an item's rare words that another one has too, so that an output may be about either."""
_NEAR, _BY_CHANCE = 0.85, 0.65
"""Share of the other items that are farther than the own one: from which outputs tell items apart; and below which
they may be about any. Outputs about other items have a half."""


class _Items(NamedTuple):
    """Which items a rare word stands in, and how much it tells."""

    places: dict[str, Places]
    weight: dict[str, float]
    length: Floats
    """Shape (items,): of each item's weights, as of a vector."""
    content: dict[int, frozenset[str]]
    """The rare words of each item."""

    def alike(self, first: int, second: int) -> bool:
        """Whether the words of one of two items mostly stand in the other: two questions on one passage."""
        shared = sum(self.weight[word] ** 2 for word in sorted(self.content[first] & self.content[second]))
        return bool(shared > _ALIKE * min(self.length[first], self.length[second]) ** 2)


class _Model(NamedTuple):
    """Of outputs of one model how near they are to items."""

    rows: Places
    nearer: Bools
    """Whether another item is clearly nearer than the own one."""
    rank: Floats
    """Share of the other items that are farther than the own one."""
    away: Places
    """How many items after the own one the nearest stands."""
    tells: Bools
    """Whether it shares enough rare words with any item to be about it."""


def swapped_outputs(evaluation: Evaluation) -> Check:
    """Outputs nearer to another item's prompt or reference than to their own, where they moved as rows do.

    Near is what shares rare words. Rows move together: by one distance, as from the place on where a line was lost, or
    two into each other's place. Where they moved in no such order, most outputs of a model must be about other items,
    and those of another model about their own. Value: their share in the model with most of them.
    """
    id = "swapped_outputs"
    if not evaluation.has("output"):
        return not_measured(id, evaluation, "evaluation_no_outputs")
    if not evaluation.has("prompt") and not evaluation.has("reference"):
        return not_measured(id, evaluation, "evaluation_no_prompts")
    if len(evaluation.items) < _FEWEST:
        return not_measured(id, evaluation, "evaluation_too_few_items")
    matches = [_Model(rows, *_nearness_of(evaluation, rows)) for rows in _rows_by_model(evaluation)]
    hits, among = np.zeros(len(evaluation.rows), dtype=bool), np.zeros(len(evaluation.rows), dtype=bool)
    told_apart = any(each.rank.mean() >= _NEAR for each in matches if len(each.rows) >= _FEWEST)
    for each in matches:
        among[each.rows] = each.tells
        moved = told_apart and _is_mixed_up(each)
        hits[each.rows] = each.nearer & (moved | _slipped(evaluation, each) | _exchanged(evaluation, each))
    if among.sum() < _FEWEST:
        return not_measured(id, evaluation, "evaluation_outputs_tell_nothing")
    return share_of_rows(id, evaluation, hits, among, warn=_LEAST, fail=MANY, of_outputs=True)


CHECKS = (swapped_outputs,)


def _is_mixed_up(model: _Model) -> bool:
    enough = len(model.rows) >= _FEWEST
    return enough and bool(model.nearer.mean() > _MOST and model.rank.mean() < _BY_CHANCE)


def _slipped(evaluation: Evaluation, model: _Model) -> Bools:
    """Outputs that are nearer to an item at the distance at which more of these are than by chance."""
    distances, counts = np.unique(model.away[model.nearer], return_counts=True)
    by_chance = float(model.nearer.sum()) / len(evaluation.items)
    chance = special.pdtrc(counts - 1, by_chance) * len(evaluation.items) * len(evaluation.models)
    return np.isin(model.away, distances[(counts >= _ORDERED) & (chance < SURE)])


def _exchanged(evaluation: Evaluation, model: _Model) -> Bools:
    """Outputs that are nearer to an item whose output is nearer to theirs."""
    items, item, output = _items(evaluation), evaluation.codes("item"), evaluation.rows["output"].to_numpy()
    own = np.flatnonzero(evaluation.codes("model") == evaluation.codes("model")[model.rows[0]])
    row_of = {int(item[row]): row for row in own[::-1] if output[row] is not None}
    result = np.zeros(len(model.rows), dtype=bool)
    for place in np.flatnonzero(model.nearer):
        here = int(item[model.rows[place]])
        there = (here + int(model.away[place])) % len(items.length)
        if there in row_of:
            nearer, _, away, _ = _nearness(output[row_of[there]], there, items)
            result[place] = nearer and (there + away) % len(items.length) == here
    n, by_chance = int(result.sum()), float(model.nearer.sum()) / (2 * len(items.length))
    sure = n >= _ORDERED and special.pdtrc(n // 2 - 1, by_chance) * len(evaluation.models) < SURE
    return result if sure else np.zeros_like(result)


def _nearness_of(evaluation: Evaluation, rows: Places) -> tuple[Bools, Floats, Places, Bools]:
    items, output, item = _items(evaluation), evaluation.rows["output"].to_numpy(), evaluation.codes("item")
    matches = [_nearness(output[row], int(item[row]), items) for row in rows]
    nearer, rank, away, tells = (np.array(each) for each in zip(*matches, strict=True))
    return nearer, rank, away, tells


def _rows_by_model(evaluation: Evaluation) -> Sequence[Places]:
    """Of each model the first output to each of some items, spread over all."""
    rows = evaluation.rows
    first = rows["output"].notna().to_numpy() & ~rows.duplicated(["model", "item"]).to_numpy()
    model = evaluation.codes("model")
    matches = [np.flatnonzero(first & (model == place)) for place in range(len(evaluation.models))]
    return [own[:: -(-len(own) // _COMPARED)] for own in matches if len(own)]


@lru_cache(maxsize=2)
def _items(evaluation: Evaluation) -> _Items:
    rows = evaluation.rows
    firsts = np.flatnonzero(~rows["item"].duplicated().to_numpy())
    item, prompt, reference = (evaluation.codes("item"), rows["prompt"].to_numpy(), rows["reference"].to_numpy())
    content = {int(item[row]): _content(f"{(prompt[row] or '')[:_READ]} {reference[row] or ''}") for row in firsts}
    kept_items = Counter(word for own in content.values() for word in own)
    n = len(content)
    weight = {word: float(np.log(n / count)) for word, count in kept_items.items() if count <= max(2, _RARE * n)}
    places: dict[str, list[int]] = {word: [] for word in weight}
    length = np.zeros(len(evaluation.items))
    rare = {place: own & weight.keys() for place, own in content.items()}
    for place, own in rare.items():
        for word in sorted(own):
            places[word].append(place)
            length[place] += weight[word] ** 2
    return _Items({word: np.array(own) for word, own in places.items()}, weight, np.sqrt(length), rare)


def _content(text: str) -> frozenset[str]:
    return frozenset(words(text)) - FUNCTION_WORDS


def _nearness(output: str, own: int, items: _Items) -> tuple[bool, float, int, bool]:
    """Of one output what `_Model` has of each."""
    shared = [word for word in sorted(_content(output[:_READ])) if word in items.weight]  # sums alike in any process
    if not shared:
        return False, 0.5, 0, False
    at = np.concatenate([items.places[word] for word in shared])
    weights = np.repeat([items.weight[word] for word in shared], [len(items.places[word]) for word in shared])
    sums = np.bincount(at, weights, minlength=len(items.length))
    near = np.divide(sums, items.length, out=np.zeros_like(sums), where=items.length > 0)
    others = np.arange(len(near)) != own
    enough = np.bincount(at, minlength=len(near)) >= _SHARED
    apart = np.where(others & enough, near, 0.0)
    nearest = int(apart.argmax())
    rank = (near[others] < near[own]).mean() + (near[others] == near[own]).mean() / 2
    nearer = bool(near[own] < _FARTHER * apart[nearest]) and not items.alike(own, nearest)
    return nearer, float(rank), (nearest - own) % len(near), bool(enough.any())
