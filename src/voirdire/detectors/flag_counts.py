"""How many flags are right: of labelled sentences, and where errors are as rare as in a product."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from voirdire.data.json_values import as_object

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

USUAL_ERRORS = 0.05
"""Share of wrong sentences in a product, mostly far below that of labelled answers, which are often picked."""


class FlagCounts(NamedTuple):
    """How many labelled sentences, each counting the same, are flagged."""

    hits: int
    """Wrong ones that are flagged."""
    wrong: int
    """Hallucinated ones in all."""
    false_alarms: int
    """Right ones that are flagged."""
    right: int

    @classmethod
    def of(cls, flagged: NDArray[np.bool_], gold: NDArray[np.bool_]) -> FlagCounts:
        """Count flags; both of shape (n,)."""
        return cls(*(int(each.sum()) for each in (flagged & gold, gold, flagged & ~gold, ~gold)))

    def precision_at(self, share: float) -> float | None:
        """The share of wrong ones among those flagged, where so many of all are wrong; `None` where that is unknown."""
        if not self.wrong or not self.right or not self.hits + self.false_alarms:
            return None
        hits, alarms = share * self.hits / self.wrong, (1 - share) * self.false_alarms / self.right
        return hits / (hits + alarms)

    def as_dict(self) -> dict[str, Any]:
        """For JSON: with the precision here, and where errors are as rare as in a product."""
        here = self.wrong / (self.wrong + self.right)
        return {
            **as_object(self),
            "precision": self.precision_at(here),
            "usual_errors": USUAL_ERRORS,
            "usual_precision": self.precision_at(USUAL_ERRORS),
        }
