"""Checks of what the scores can carry: do judges agree, what do the metrics rest on."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from voirdire.ddft._cells import Floats, cells, read_answers
from voirdire.ddft.metrics import values
from voirdire.ddft.profile import THETA
from voirdire.ddft.validity._measuring import percent, share, share_of, tally
from voirdire.ddft.validity.records import Check, RunRecord, Status
from voirdire.text.counting import counted

POOR_ICC = 0.5
"""ICC below which agreement is called poor (Koo and Li, doi:10.1016/j.jcm.2016.02.012). A single judge below it is
worth a warning; a panel's mean below it holds more error than differences between answers, and fails."""

FEW_TURNS = 20
"""A mean of fewer turns moves by 0.05 and more when one of them changes from 0 to 1."""

SOME_RETURN = 0.1
"""Of FAR curves that fall below theta and rise above it again: more than a slip or two."""


def judge_agreement(record: RunRecord) -> Check:
    """Do the judges of the panel agree on which answers are better?"""
    from voirdire.stats.agreement import intraclass

    name = "judge_agreement"
    if len(record.judges) < 2:
        why = "Fewer than two judges: a second one would show how far the scores depend on who judges."
        return Check(name, "not measured", None, None, (why,))
    found = {}
    for score in ("far", "sas"):
        table = record.verdicts.pivot(index=["concept", "dialogue", "turn"], columns="judge", values=score)
        ratings = table.to_numpy(dtype=np.float64)
        if ratings.shape[1] > 1 and len(ratings) > 1:
            found[score.upper()] = intraclass(ratings, clusters=table.index.get_level_values("concept")), ratings
    known = {score: each for score, each in found.items() if math.isfinite(each[0].icc_2_1.value)}
    if not known:
        return Check(name, "warn", None, None, ("Too few turns have scores of two judges to compare them.",))
    evidence = [
        f"{score}: ICC(2,1) {each.icc_2_1.value:.2f} (one judge), ICC(2,k) {each.icc_2_k.value:.2f} (the mean of "
        f"{ratings.shape[1]}); judges differ by {_mean_difference(ratings):.2f} on average."
        for score, (each, ratings) in known.items()
    ]
    evidence.append("Agreement is low, too, where all answers are equally good: there is little to agree on then.")
    worst = min((each for each, _ in known.values()), key=lambda each: each.icc_2_1.value)
    panel = min(each.icc_2_k.value for each, _ in known.values())
    status: Status = "fail" if panel < POOR_ICC else "warn" if worst.icc_2_1.value < POOR_ICC else "pass"
    single = worst.icc_2_1
    ends = (single.low, single.high) if math.isfinite(single.low) and math.isfinite(single.high) else None
    return Check(name, status, single.value, ends, tuple(evidence))


def rare_cells(record: RunRecord) -> Check:
    """How many turns are behind FAR' and SAS'?"""
    behind = []
    for model, rows in record.scores_by_model():
        metrics = values(cells(read_answers(rows), THETA))
        behind += [(model, shown, metrics[key].n) for key, shown in (("FAR_prime", "FAR'"), ("SAS_prime", "SAS'"))]
    if not behind:
        return Check("rare_cells", "warn", None, None, ("No turn has been judged.",))
    rare = [f"{shown} of {model} rests on {counted(n, 'turn')}" for model, shown, n in behind if n < FEW_TURNS]
    smallest = min(n for *_, n in behind)
    evidence = [f"Resting on fewer than {FEW_TURNS} turns: {len(rare)} of {len(behind)}; the fewest are {smallest}."]
    evidence += [f"{each}." for each in rare]
    if rare:
        evidence.append("The paper's index divides by FAR' + 1 - SAS': a handful of turns moves it at will.")
    return Check("rare_cells", "warn" if rare else "pass", float(smallest), None, tuple(evidence))


def hoc_monotone(record: RunRecord) -> Check:
    """Does FAR(c) of a concept, once it has fallen below theta, stay there, as HOC takes for granted?"""
    found = []
    for model, rows in record.scores_by_model():
        cell = cells(read_answers(rows), THETA)
        hoc, onset = (cell.sums[:, cell.places[name].start] for name in ("hoc", "hoc_onset"))
        columns = {"model": model, "concept": cell.concepts, "hoc": hoc, "onset": onset, "levels": len(cell.levels)}
        found.append(pd.DataFrame(columns))
    curves = pd.concat(found) if found else pd.DataFrame(columns=["model", "concept", "hoc", "onset", "levels"])
    returns = curves["hoc"] != curves["onset"]
    value, ends = share(returns, curves["concept"])
    if value is None:
        return Check("hoc_monotone", "warn", None, None, ("No turn has been judged.",))
    levels = int(curves["levels"].max())
    tossed = 1 - (levels + 1) / 2**levels
    evidence = [
        share_of(f"Curves (a model on a concept) that fall below {THETA:g} and rise above it again", returns),
        "There HOC skips a failure. Noise does this, too: "
        f"tosses of a coin at {counted(levels, 'level')} do it in {percent(tossed)}.",
    ]
    evidence += [
        f"{row.model} on {row.concept}: HOC {row.hoc:g}, HOC_onset {row.onset:g}."
        for row in curves[returns].head(3).itertuples()
    ]
    beyond_chance = ends is not None and ends[0] > tossed
    status: Status = "fail" if beyond_chance else "warn" if value > SOME_RETURN else "pass"
    return Check("hoc_monotone", status, value, ends, tuple(evidence), tally(returns))


def _mean_difference(ratings: Floats) -> float:
    """Mean absolute difference of two judges, over all pairs and the items that both scored."""
    k = ratings.shape[1]
    pairs = [np.abs(ratings[:, i] - ratings[:, j]) for i in range(k) for j in range(i)]
    return float(np.nanmean(np.concatenate(pairs)))
