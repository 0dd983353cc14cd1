"""Shares with intervals clustered by concept, and quotes: what several checks do alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from voirdire.models.secrets import without_known_secrets
from voirdire.reason_codes import Param, Reason, reason
from voirdire.stats import clustered_share

QUOTED = 200
"""Characters of a quote."""
QUOTES = 3
"""Quotes per check: enough to see what is meant, few enough to be read."""

Ends = tuple[float, float]


def share(hits: pd.Series[bool], concepts: pd.Series[Any]) -> tuple[float | None, Ends | None]:
    """The share of hits with its 95 % interval, clustered by concept.

    Args:
        hits: one per dialogue, turn or answer.
        concepts: which concept each of them belongs to.

    Returns:
        (`None`, `None`) of nothing; no interval below three concepts.
    """
    if hits.empty:
        return None, None
    clusters, _ = pd.factorize(concepts.array)
    try:
        interval = clustered_share(np.bincount(clusters, hits.to_numpy(dtype=np.float64)), np.bincount(clusters))
    except ValueError:
        return float(hits.mean()), None
    return float(hits.mean()), (interval.low, interval.high)


def share_of(code: str, hits: pd.Series[bool], **params: Param) -> Reason:
    """How many of how many, as in "Answers that ask: 12 of 40 (30 %)."; `messages.SHARES` has what a code counts."""
    return reason(code, hits=int(hits.sum()), of=len(hits), share=float(hits.mean()), **params)


def shares_by_model(rates: pd.Series[Any]) -> tuple[Reason, ...]:
    """Each model with its share; `rates` is indexed by model."""
    return tuple(reason("model_share", model=str(model), share=float(rate)) for model, rate in rates.items())


def models_above(limit: float, faults: pd.Series[bool], models: pd.Series[str]) -> tuple[str, ...]:
    """The models of which more than this share are faults, the worst first.

    They decide: the share of all models falls with every sound one that is added.
    """
    return highest(faults.groupby(models.to_numpy()).mean(), limit)


def highest(rates: pd.Series[Any], limit: float) -> tuple[str, ...]:
    """The models whose rate is above the limit, the worst first; `rates` is indexed by model."""
    return tuple(map(str, rates[rates > limit].sort_values(ascending=False, kind="stable").index))


def most_of_model(hits: pd.Series[bool], models: pd.Series[str]) -> tuple[Reason, ...]:
    """Of several models, the one with the highest share, which a share of all of them hides; nothing without a hit."""
    rates = hits.groupby(models.to_numpy()).mean()
    return _of_model("most_of_model", hits, models, str(rates.idxmax())) if len(rates) > 1 and hits.any() else ()


def fewest_of_model(hits: pd.Series[bool], models: pd.Series[str]) -> tuple[Reason, ...]:
    """Of several models, the one with the lowest share, where hits are good; nothing where all are."""
    rates = hits.groupby(models.to_numpy()).mean()
    return _of_model("fewest_of_model", hits, models, str(rates.idxmin())) if len(rates) > 1 and not hits.all() else ()


def _of_model(code: str, hits: pd.Series[bool], models: pd.Series[str], model: str) -> tuple[Reason, ...]:
    return (share_of(code, hits[models == model], model=model),)


def tally(hits: pd.Series[bool]) -> tuple[int, int]:
    """How many of how many, as a check keeps them."""
    return int(hits.sum()), len(hits)


def quote(text: str, around: str | None = None) -> str:
    """A text on one line without known secrets, cut to `QUOTED` characters so that `around` is in it."""
    line = " ".join(without_known_secrets(text).split())
    if len(line) <= QUOTED:
        return line
    place = line.find(around) if around else 0
    start = max(0, min(place - QUOTED // 2, len(line) - QUOTED))
    before, after = "… " if start else "", " …" if start + QUOTED < len(line) else ""
    return f"{before}{line[start : start + QUOTED].strip()}{after}"


def sample_across_models(rows: pd.DataFrame) -> pd.DataFrame:
    """The first few rows, of different models as far as there are: those that are quoted."""
    order = rows.groupby("model").cumcount().sort_values(kind="stable")
    return rows.loc[order.index[:QUOTES]]


def quotes_of(rows: pd.DataFrame, column: str, around: Sequence[str] | None = None) -> Iterator[Reason]:
    """Quotes of the first few rows' questions or answers, of different models as far as there are."""
    for row in sample_across_models(rows.assign(_around=list(around) if around else None)).to_dict("records"):
        quoted = quote(str(row[column]), row["_around"])
        yield reason("turn_quoted", dialogue=row["dialogue"], turn=row["turn"], quote=quoted)
