"""Checks of what the scores can carry: do judges agree, what do the metrics rest on."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from voirdire.ddft.concept_sums import Floats, cells, read_answers
from voirdire.ddft.metrics import values
from voirdire.ddft.paper_index import LEAST_TURNS
from voirdire.ddft.questions import TRAP_TURN
from voirdire.ddft.validity.copied_judges import FEWEST_VERDICTS, Copies, without_copies
from voirdire.ddft.validity.records import Check, RunRecord, Status
from voirdire.ddft.validity.shares_and_quotes import models_above, most_of_model, share, share_of, tally
from voirdire.jury.reliability import CUTS
from voirdire.reason_codes import Reason, reason
from voirdire.records import STANCES
from voirdire.text.counting import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from voirdire.stats.agreement import Estimate

POOR_ICC = 0.5
"""ICC below which agreement is called poor (Koo and Li, doi:10.1016/j.jcm.2016.02.012). A single judge below it is
worth a warning; a panel's mean below it holds more error than differences between answers, and fails."""

SUBSTANTIAL_AC = 0.6
"""AC2 from which agreement is called substantial (Landis and Koch, doi:10.2307/2529310). It counts how often judges
put an answer into the same band, so that it does not fall where all answers are alike, as an ICC does."""

POOR_STANCES, GOOD_STANCES = 0.5, 0.8
"""AC1 of stances below which the check fails, and warns: from 0.8 on agreement is almost perfect (Landis and Koch). A
judge who answers at random comes to 0.1 to 0.46 beside judges who agree, the most with two of them."""

ONE_STANCE, OTHERS_DIFFER = 0.95, 0.2
"""The share of a judge's stances that are one and the same, and the share to which each other judge says otherwise."""

MOSTLY_FALSE, ALL_RIGHT, BAND = 0.4, 0.9, 0.2
"""FAR below which the rubric calls most of an answer false; above which it calls all of it right; a band's width."""

DENIED = 0.25
"""The share of answers whose FAR denies the one stance of a jury from which on the stance tells of the jury. Judges
who rightly call everything rejected reach it in 2 % of runs at worst (24 answers of a model that is half wrong), and
hardly ever on 72 answers. Those who are wrong on 4 answers in 10 reach it in most runs, unless most of what the models
say is wrong anyway (`benchmarks.statistics.one_stance`)."""

EVEN = 0.1
"""Standard deviation of a judge's scores, half a band of the rubric, below which answers are nearly all alike."""

_SAME, _NEARLY_ALL = 0.1, 0.95
"""Within how much, half a band of the rubric, nearly all scores of a judge lie that hardly move, and how many are
nearly all. They tell of the judge, where most others' have a standard deviation of `EVEN` or more."""
_SAME_ORDER = 0.5
"""Rank correlation with a judge whose scores move from which on one whose scores hardly move tells answers apart: on a
narrow scale."""

FEW_TURNS = 20
"""A mean of fewer turns moves by 0.05 and more when one of them changes from 0 to 1."""

SOME_RETURN = 0.1
"""Of a model's FAR curves that fall below theta and rise above it again: more than a slip or two."""


def judge_agreement(record: RunRecord) -> Check:
    """Do the judges of the panel agree on which answers are better? Of one model alone, too: others may hide it.

    Of judges who are copies of each other, or nearly, one counts; near copies whom nobody else joins count, and warn.
    """
    name = "judge_agreement"
    copies = record.copied_judges.reasons
    record = replace(record, verdicts=without_copies(record.verdicts, copies))
    if len(record.judges) < 2 or record.verdicts.loc[record.verdicts["missing"].isna(), "judge"].nunique() == 1:
        return Check(name, "warn" if copies else "not measured", None, None, (*copies, reason("too_few_judges")))
    agreements = {score: _agreement(record.verdicts, score) for score in _SCORES}
    known = [each for each in agreements.values() if each is not None]
    if not known:
        return Check(name, "warn", None, None, (*copies, reason("too_few_judged_twice")))
    measured = [each for each in known if each.status != "not measured"]
    alone = _disagreements(record)
    failing = tuple(dict.fromkeys(each.model for each in alone))
    evidence = [*copies, *(each.evidence for each in alone)]
    evidence += [line for each in known for line in each.evidence]
    evidence += [
        reason("agreement_not_measurable", score=score.upper()) for score in agreements if agreements[score] is None
    ]
    if not measured:
        return Check(name, "fail" if alone else "not measured", None, None, tuple(evidence), models=failing)
    worst = min((each.single for each in measured), key=lambda single: single.value)
    ends = (worst.low, worst.high) if math.isfinite(worst.low) and math.isfinite(worst.high) else None
    statuses: list[Status] = [*(each.status for each in measured), "warn" if copies else "pass"]
    status = "fail" if alone else max(statuses, key=_GRAVITY.index)
    return Check(name, status, worst.value, ends, tuple(evidence), models=failing)


_SCORES = ("far", "sas")
_GRAVITY: list[Status] = ["pass", "warn", "fail"]


class _Agreement(NamedTuple):
    """What two judges or more show on one score."""

    status: Status
    single: Estimate
    """ICC(2,1)."""
    panel: Estimate
    """ICC(2,k)."""
    same: float
    """AC2 over the rubric's bands."""
    turns: int
    """With scores of two judges."""
    evidence: tuple[Reason, ...]


class _Disagreement(NamedTuple):
    """A model on whose answers the judges agree on nothing."""

    panel: float
    """ICC(2,k), of the score that shows it."""
    model: str
    evidence: Reason


def _disagreements(record: RunRecord) -> list[_Disagreement]:
    """Of several models, those on whose answers the judges surely agree on nothing, the worst first.

    The interval of ICC(2,k) must lie below what is poor: many models would otherwise show one that does by chance.
    """
    model_of = record.turns.drop_duplicates("dialogue").set_index("dialogue")["model"]
    if model_of.nunique() < 2:
        return []
    matches = []
    for model, verdicts in record.verdicts.groupby(record.verdicts["dialogue"].map(model_of), sort=False):
        for score in _SCORES:
            own = _agreement(verdicts, score)
            if own is not None and own.status == "fail" and own.panel.high < POOR_ICC:
                values = {"panel": own.panel.value, "high": own.panel.high, "same": own.same, "turns": own.turns}
                line = reason("agree_on_nothing_of_model", model=str(model), score=score.upper(), **values)
                matches.append(_Disagreement(own.panel.value, str(model), line))
    return sorted(matches, key=lambda each: each.panel)


def _agreement(verdicts: pd.DataFrame, score: str) -> _Agreement | None:
    """Of FAR or SAS; `None` where no two judges scored two turns."""
    from voirdire.stats.agreement import gwet_ac, intraclass

    table = verdicts.pivot(index=["concept", "dialogue", "turn"], columns="judge", values=score)
    table = table.dropna(axis="columns", how="all")  # a judge who gave no verdict is no judge of the mean
    ratings = table.to_numpy(dtype=np.float64)
    turns = int((np.isfinite(ratings).sum(axis=1) > 1).sum())
    if turns < 2:
        return None
    concepts = table.index.get_level_values("concept")
    icc = intraclass(ratings, clusters=concepts)
    same = gwet_ac(ratings, cuts=CUTS["bands"], weights="linear", clusters=concepts).value
    spread = float(np.nanstd(ratings[:, np.isfinite(ratings).any(axis=0)], axis=0).max())
    difference = _mean_difference(ratings)
    status, remark = _weighed(icc.icc_2_1, icc.icc_2_k.value, same, spread, identical=difference == 0)
    coefficients = reason(
        "judge_agreement",
        score=score.upper(),
        single=icc.icc_2_1.value,
        panel=icc.icc_2_k.value,
        judges=ratings.shape[1],
        same=same,
        difference=difference,
    )
    remarks = [reason(remark, score=score.upper(), spread=spread, low=icc.icc_2_1.low, answers=turns)] if remark else []
    return _Agreement(status, icc.icc_2_1, icc.icc_2_k, same, turns, (coefficients, *remarks))


def _weighed(single: Estimate, panel: float, same: float, spread: float, *, identical: bool) -> tuple[Status, str]:
    """What the coefficients come to together, and the code of what must be said of it.

    Args:
        single: ICC(2,1).
        panel: ICC(2,k).
        same: AC2 over the rubric's bands.
        spread: the largest standard deviation of a judge's scores.
        identical: whether no two judges' scores of an answer differ.
    """
    if single.value >= POOR_ICC and math.isnan(single.low):
        return "warn", "identical_scores" if identical else "agreement_without_interval"
    if single.value >= POOR_ICC:
        return ("warn", "agreement_unsure") if single.low <= 0 else ("pass", "")
    agreed = same >= SUBSTANTIAL_AC
    if agreed and spread < EVEN:
        return "not measured", "answers_equally_good"
    if panel >= POOR_ICC:
        return "warn", ""
    if agreed:
        return "warn", "agree_on_most"
    return "fail", "agree_on_nothing"


def stance_agreement(record: RunRecord) -> Check:
    """Do the judges agree on whether a model takes the fabrication for real? The worst model decides."""
    return agreement_on_stances(record.verdicts, record.copied_judges)


def agreement_on_stances(verdicts: pd.DataFrame, copies: Copies) -> Check:
    """The same from one jury's verdicts: model, concept, dialogue, turn, judge, far, stance.

    Only the answer to the fabrication counts, since epistemic reliability rests on no other. Its value is Gwet's AC1,
    without near copies where it is lower without them: one whose stances differ from its twin's counts.
    """
    alone = tuple(why for why in copies.near if why.code == "near_copies_alone")
    verdicts = without_copies(verdicts, copies.whole)
    given = verdicts[(verdicts["turn"] == TRAP_TURN) & verdicts["stance"].notna()]
    alike = _one_stance_of_all(given)
    denied = _denied_stance(verdicts, given) if alike else ()
    alike = denied or alike
    known = [(str(model), _least_agreement(own, copies.near)) for model, own in given.groupby("model", sort=False)]
    measured = sorted(
        ((model, each) for model, each in known if each.answers >= LEAST_TURNS), key=lambda one: one[1].ac1.value
    )
    if not measured:
        unmeasured: Status = "fail" if denied else "warn" if alike else "not measured"
        why = (*alike, reason("too_few_stances", needed=LEAST_TURNS))
        return Check("stance_agreement", unmeasured, None, None, why)
    stuck = _stuck_on_one(given)
    ac1 = measured[0][1].ac1
    failing = tuple(model for model, each in measured if each.ac1.value < POOR_STANCES)
    unsure = alike or alone or ac1.value < GOOD_STANCES
    status: Status = "fail" if failing or stuck or denied else "warn" if unsure else "pass"
    shares = [
        reason(
            "stances_alike",
            model=model,
            hits=each.alike,
            of=each.pairs,
            share=each.alike / each.pairs,
            answers=each.answers,
            ac1=each.ac1.value,
        )
        for model, each in measured
    ]
    ends = (ac1.low, ac1.high) if math.isfinite(ac1.low) and math.isfinite(ac1.high) else None
    evidence = (*stuck, *alike, *shares, *alone)
    return Check("stance_agreement", status, ac1.value, ends, evidence, models=() if stuck else failing)


class _StanceAgreement(NamedTuple):
    """What judges show who gave the stances of one model's answers."""

    answers: int
    """With the stances of two judges."""
    pairs: int
    """Of judges, over these answers."""
    alike: int
    """Of the pairs."""
    ac1: Estimate


def _least_agreement(given: pd.DataFrame, near: Sequence[Reason]) -> _StanceAgreement:
    """The lower of the agreement of all judges and that of those who are no near copies."""
    independent, every = without_copies(given, near), _on_stances(given)
    if len(independent) == len(given):
        return every
    return min(_on_stances(independent), every, key=lambda each: each.ac1.value)


def _on_stances(given: pd.DataFrame) -> _StanceAgreement:
    from voirdire.stats.agreement import gwet_ac

    table = _stances(given)
    ratings = table.to_numpy(dtype=np.float64)
    counts = np.stack([(ratings == code).sum(axis=1) for code in range(len(STANCES))], axis=1)
    judges = counts.sum(axis=1)
    ac1 = gwet_ac(ratings, cuts=(0.5, 1.5), weights=None, clusters=table.index.get_level_values("concept"))
    pairs, alike = (int((each * (each - 1) // 2).sum()) for each in (judges, counts))
    return _StanceAgreement(int((judges > 1).sum()), pairs, alike, ac1)


def _stances(given: pd.DataFrame) -> pd.DataFrame:
    """The places of stances in `STANCES`, with the answers as rows and the judges as columns."""
    codes = given["stance"].map({stance: float(code) for code, stance in enumerate(STANCES)})
    return given.assign(code=codes).pivot(index=["model", "concept", "dialogue"], columns="judge", values="code")


def _one_stance_of_all(given: pd.DataFrame) -> tuple[Reason, ...]:
    """That all judges call every answer the same, so that nothing shows whether they see another stance."""
    answers = given.drop_duplicates(["model", "dialogue"])
    if len(answers) < LEAST_TURNS or given["stance"].nunique() != 1:
        return ()
    return (reason("one_stance_of_all", stance=given["stance"].iloc[0], answers=len(answers)),)


def _denied_stance(verdicts: pd.DataFrame, given: pd.DataFrame) -> tuple[Reason, ...]:
    """That the judges' own FAR of many answers is not what the rubric gives an answer of their one stance.

    One that rejects has a right claim more than its dialogue's other answers, so that its FAR does not fall to where
    most is false. One that accepts has a false claim. Of one that questions the rubric rules out no FAR.
    """
    stance = given["stance"].iloc[0]
    far = verdicts.astype({"far": float}).groupby(["model", "dialogue", "turn"])["far"].mean().unstack()
    before, at_trap = far.reindex(columns=range(1, TRAP_TURN)).mean(axis=1), far[TRAP_TURN].dropna()
    if stance == "rejected":
        code, denied = "rejected_though_false", (at_trap < MOSTLY_FALSE) & (before - at_trap >= BAND)
    else:
        code, denied = "accepted_though_right", (at_trap > ALL_RIGHT) & (stance == "accepted")
    hits, of = int(denied.sum()), len(at_trap)
    if of < LEAST_TURNS or hits < DENIED * of:
        return ()
    return (reason(code, answers=len(given.drop_duplicates(["model", "dialogue"])), hits=hits, of=of),)


def _stuck_on_one(given: pd.DataFrame) -> tuple[Reason, ...]:
    """The judges who give nearly one stance only, where each other judge often says otherwise of the same answers.

    Where no judge's stance varies, and they aren't the same, all of them.
    """
    table = _stances(given)
    if len(table) >= LEAST_TURNS and table.stack().nunique() > 1 and (table.nunique() == 1).all():
        usual = {str(judge): STANCES[int(own.mode().iloc[0])] for judge, own in table.items()}
        return tuple(reason("stance_never_varies", judge=judge, stance=stance) for judge, stance in usual.items())
    stuck = []
    for judge in table:
        own = table[judge].dropna()
        others = table.drop(columns=judge).loc[own.index].dropna(axis="columns", how="all")
        usual, share = own.mode().iloc[0], own.value_counts(normalize=True).iloc[0]
        if len(own) < LEAST_TURNS or others.empty or share < ONE_STANCE:
            continue
        least = min(float((each.dropna() != own[each.notna()]).mean()) for _, each in others.items())
        if least >= OTHERS_DIFFER:
            stance = STANCES[int(usual)]
            stuck.append(reason("one_stance", judge=str(judge), stance=stance, answers=len(own), share=least))
    return tuple(stuck)


def unvarying_judges(verdicts: pd.DataFrame) -> tuple[Reason, ...]:
    """Which judges' scores tell of them instead of the answers: all the same, of one score or both, or nearly so.

    A SAS that is always the same tells of its judge only where another's moves: all answers may read well. One that
    nearly is tells nothing without its FAR.

    Args:
        verdicts: of one jury in one run: dialogue, turn, judge, far, sas, missing.
    """
    scores = _scores_by_judge(verdicts)
    moving = [(judge, score) for judge, own in scores.items() for score in _SCORES if own[score].std(ddof=0) >= EVEN]
    same = {judge: [score for score in _SCORES if own[score].nunique() <= 1] for judge, own in scores.items()}
    constant = [judge for judge in scores if len(same[judge]) == len(_SCORES)]
    comparable = {"far", *(score for _, score in moving)}
    of_one = {
        score: [judge for judge in scores if same[judge] == [score] and scores[judge][score].count() >= FEWEST_VERDICTS]
        for score in _SCORES
        if score in comparable
    }
    named = {*constant, *chain(*of_one.values())}
    others = [judge for judge in scores if judge not in named]
    nearly = [judge for judge in others if _nearly_constant(judge, _SCORES, scores, moving)]
    of_far = [each for each in moving if each[1] == "far"]
    in_far = [judge for judge in others if judge not in nearly and _nearly_constant(judge, ("far",), scores, of_far)]
    return (
        *([reason("constant_judge", judges=listed(constant))] if constant else []),
        *(
            reason("constant_score", judges=listed(judges), score=score.upper())
            for score, judges in of_one.items()
            if judges
        ),
        *([reason("nearly_constant_judge", judges=listed(nearly))] if nearly else []),
        *([reason("nearly_constant_score", judges=listed(in_far), score="FAR")] if in_far else []),
    )


def _scores_by_judge(verdicts: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """FAR and SAS by dialogue and turn, of the judges who scored enough answers."""
    given = verdicts[verdicts["missing"].isna()].set_index(["dialogue", "turn"])
    by_judge = {str(judge): own[list(_SCORES)] for judge, own in given.groupby("judge", sort=False)}
    return {judge: own for judge, own in by_judge.items() if len(own) >= FEWEST_VERDICTS}


def _nearly_constant(
    judge: str, of: Sequence[str], scores: Mapping[str, pd.DataFrame], moving: Sequence[tuple[str, str]]
) -> bool:
    """Whether these scores of a judge hardly move where most others' do, and do not follow them either.

    Of one judge of several alone, moving scores may be its noise, on answers that are all about as good.
    """
    own = scores[judge]
    others = [(own[score], scores[other][score]) for other, score in moving if other != judge]
    most_move = 2 * len({other for other, _ in moving if other != judge}) > len(scores) - 1
    still = most_move and all(_hardly_moves(own[score]) for score in of)
    return still and not any(_same_order(*pair) for pair in others)


def _hardly_moves(scores: pd.Series[float]) -> bool:
    """Whether nearly all of a judge's scores lie within `_SAME` of each other."""
    ranked = np.sort(scores.dropna().to_numpy(dtype=np.float64))
    within = np.searchsorted(ranked, ranked + _SAME + 1e-9, side="right") - np.arange(len(ranked))
    return bool(within.max(initial=0) >= _NEARLY_ALL * len(ranked))


def _same_order(scores: pd.Series[float], others: pd.Series[float]) -> bool:
    """Whether a judge ranks the answers about as another does."""
    from voirdire.stats.agreement import pearson

    ranks = pd.concat([scores, others], axis="columns").dropna().rank().to_numpy()
    return pearson(ranks[:, 0], ranks[:, 1]) >= _SAME_ORDER


def rare_cells(record: RunRecord) -> Check:
    """How many turns are behind FAR' and SAS'?"""
    behind = []
    for model, rows in record.scores_by_model():
        metrics = values(cells(read_answers(rows, record.thresholds)))
        behind += [(model, name, metrics[name].n) for name in ("FAR_prime", "SAS_prime")]
    if not behind:
        return Check("rare_cells", "warn", None, None, (reason("no_turn_judged"),))
    rare = [reason("rests_on_few", metric=name, model=model, turns=n) for model, name, n in behind if n < FEW_TURNS]
    smallest = min(n for *_, n in behind)
    evidence = [reason("resting_on_few", needed=FEW_TURNS, hits=len(rare), of=len(behind), fewest=smallest), *rare]
    if rare:
        evidence.append(reason("index_divides"))
    return Check("rare_cells", "warn" if rare else "pass", float(smallest), None, tuple(evidence))


def hoc_monotone(record: RunRecord) -> Check:
    """Does FAR(c) of a concept, once it has fallen below theta, stay there, as HOC takes for granted?"""
    matches = []
    for model, rows in record.scores_by_model():
        if rows["unscored"].notna().all():
            continue
        cell = cells(read_answers(rows, record.thresholds))
        hoc, onset = (cell.sums[:, cell.places[name].start] for name in ("hoc", "hoc_onset"))
        columns = {"model": model, "concept": cell.concepts, "hoc": hoc, "onset": onset, "levels": len(cell.levels)}
        matches.append(pd.DataFrame(columns))
    curves = (
        pd.concat(matches, ignore_index=True)
        if matches
        else pd.DataFrame(columns=["model", "concept", "hoc", "onset", "levels"])
    )
    returns = curves["hoc"] != curves["onset"]
    value, ends = share(returns, curves["concept"])
    if value is None:
        return Check("hoc_monotone", "warn", None, None, (reason("no_turn_judged"),))
    levels = int(curves["levels"].max())
    if levels == 1:
        return Check("hoc_monotone", "not measured", None, None, (reason("one_level_cannot_return"),))
    tossed = 1 - (levels + 1) / 2**levels
    evidence = [
        share_of("curves_returning", returns, theta=record.thresholds.failed_level_far),
        *most_of_model(returns, curves["model"]),
        reason("coins_return", levels=levels, share=tossed),
    ]
    evidence += [
        reason("curve_returns", model=row["model"], concept=row["concept"], hoc=row["hoc"], onset=row["onset"])
        for row in curves[returns].head(3).to_dict("records")
    ]
    own_ends = {
        str(model): share(own, curves["concept"][own.index])[1] for model, own in returns.groupby(curves["model"])
    }
    failing = tuple(model for model, own in own_ends.items() if own is not None and own[0] > tossed)
    beyond_chance = failing or (ends is not None and ends[0] > tossed)
    often = models_above(SOME_RETURN, returns, curves["model"])
    status: Status = "fail" if beyond_chance else "warn" if often else "pass"
    return Check("hoc_monotone", status, value, ends, tuple(evidence), tally(returns), failing)


def _mean_difference(ratings: Floats) -> float:
    """Mean absolute difference of two judges, over all pairs and the items that both scored."""
    k = ratings.shape[1]
    pairs = [np.abs(ratings[:, i] - ratings[:, j]) for i in range(k) for j in range(i)]
    return float(np.nanmean(np.concatenate(pairs)))
