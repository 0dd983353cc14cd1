"""What several raters' labels of an item come to, in a table with a row for each: the same as in a raters' project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

Open = Literal["open", "few", "no label"]
"""Why an item has no label: it waits for a decision, not all have rated it, or the adjudicator decided for none."""


class Label(NamedTuple):
    """One person's."""

    says: str
    """Empty where they were unsure, or left the item out."""
    adjudicator: bool = False
    decided: bool = False
    """An adjudicator's, in sight of the others'."""


class Settled(NamedTuple):
    """What labels come to: a label, or why there is none."""

    label: str
    why: Open | None = None


def label_of(row: Mapping[str, Any], says: str) -> Label:
    """The label of a row; exports also say whether an adjudicator gave it, and decided in sight of the others'."""
    decided = bool(row.get("decision")) or row.get("blind") == "no"
    return Label(says, adjudicator=row.get("role") == "adjudicator", decided=decided)


def usual_number(items: Iterable[Sequence[Label]]) -> int:
    """How many raters an item has, among those that have several; 1 where none has."""
    several = Counter(count for count in map(_raters, items) if count > 1)
    return several.most_common(1)[0][0] if several else 1


def settle(labels: Sequence[Label], needed: int = 1) -> Settled:
    """What the labels of one item come to: what all say, what more than half say, or what the adjudicator decided.

    No label settles nothing, unless an adjudicator has decided that there is none.

    Args:
        labels: of its raters and adjudicators, oldest first.
        needed: how many raters it takes.
    """
    if _raters(labels) < needed and not (needed == 1 and labels):
        return Settled("", "few")
    raters = {each.says for each in labels if not each.adjudicator}
    decided = [each.says for each in labels if each.adjudicator and each.decided]
    if decided and (len(raters) != 1 or raters == {""}):
        return Settled(decided[-1], None if decided[-1] else "no label")
    label, votes = Counter(each.says for each in labels).most_common(1)[0]
    if len(raters) == 1:
        label, votes = next(iter(raters)), len(labels)
    return Settled(label) if label and 2 * votes > len(labels) else Settled("", "open")


def _raters(labels: Sequence[Label]) -> int:
    return sum(not each.adjudicator for each in labels)
