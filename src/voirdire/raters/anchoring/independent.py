"""`ppi_py`'s interval beside ours: what prediction-powered inference says when units are taken to be independent."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np

from voirdire.raters.anchoring.arrays import Columns
from voirdire.stats import Interval

MISSING = (
    "The interval of ppi_py is not shown beside, since it is not installed: pip install 'voirdire[raters]'. "
    "The anchored figures do not need it."
)


def installed() -> bool:
    """Whether `ppi_py` is there."""
    return find_spec("ppi_py") is not None


def independent_interval(columns: Columns, level: float = 0.95) -> Interval | None:
    """`ppi_py.ppi_mean_ci` with its own tuning of lam.

    `None` for a ratio, with nothing left unrated, where the machine says the same of all units, and where some units
    were likelier to be rated than others: the unrated are no sample of the run then, as it takes them to be.

    Args:
        columns: of one figure.
        level: confidence level.
    """
    rated, known = np.isfinite(columns.people[0]), np.isfinite(columns.machine[0])
    fitting = columns.plain and _even(columns.weights[rated])
    if not fitting or rated.sum() < 2 or not (~rated & known).any() or not (rated & known).any():
        return None
    machine = np.where(known, columns.machine[0], columns.machine[0][known].mean())
    if np.ptp(machine) == 0:
        return None  # its tuning of lam divides by the spread
    from ppi_py import ppi_mean_ci

    low, high = ppi_mean_ci(columns.people[0][rated], machine[rated], machine[~rated], alpha=1 - level)
    ends = float(np.squeeze(low)), float(np.squeeze(high))
    return Interval(*ends, level, "ppi_py, independent units") if np.isfinite(ends).all() else None


def _even(weights: np.ndarray[tuple[int], np.dtype[np.float64]]) -> bool:
    return bool((weights == weights[:1]).all())
