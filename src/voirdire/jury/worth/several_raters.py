"""What several raters' labels of an item come to, in a table with a row for each: the same as in a raters' project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

Open = Literal["disagree", "few", "no label"]
"""Why an item has no label: nobody has decided, not all have rated it, or its raters were unsure or left it out."""


class Label(NamedTuple):
    """One person's."""

    says: str
    """Empty where they were unsure, or left the item out."""
    adjudicator: bool = False
    blind: bool = True


class Settled(NamedTuple):
    """What labels come to: a label, or why there is none."""

    label: str
    why: Open | None = None


def label_of(row: Mapping[str, Any], says: str) -> Label:
    """The label of a row; exports also say whether an adjudicator gave it, and whether in sight of the others'."""
    return Label(says, adjudicator=row.get("role") == "adjudicator", blind=row.get("blind") != "no")


def usual_number(items: Iterable[Sequence[Label]]) -> int:
    """How many raters an item has, among those that have several; 1 where none has."""
    several = Counter(count for count in map(_raters, items) if count > 1)
    return several.most_common(1)[0][0] if several else 1


def settle(labels: Sequence[Label], needed: int = 1) -> Settled:
    """What the labels of one item come to: what all say, what more than half say, or what the adjudicator decided.

    Args:
        labels: of its raters and adjudicators, oldest first.
        needed: how many raters it takes.
    """
    if _raters(labels) < needed and not (needed == 1 and labels):
        return Settled("", "few")
    raters = {each.says for each in labels if not each.adjudicator}
    decided = [each.says for each in labels if each.adjudicator and not each.blind]
    if decided and len(raters) != 1:
        return _settled(decided[-1])
    label, votes = Counter(each.says for each in labels).most_common(1)[0]
    if len(raters) == 1:
        return _settled(next(iter(raters)))
    return _settled(label) if 2 * votes > len(labels) else Settled("", "disagree")


def _settled(label: str) -> Settled:
    return Settled(label, None if label else "no label")


def _raters(labels: Sequence[Label]) -> int:
    return sum(not each.adjudicator for each in labels)
