"""The sentence that an audit leads with: which order can be believed, and how many checks fail."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np

from voirdire.errors import shown
from voirdire.evaluation.audit import Audit
from voirdire.evaluation.checks import Check
from voirdire.evaluation.comparison import EvaluationComparison, Placed
from voirdire.evaluation.doubts import PRINTED, SCALES, doubts_of
from voirdire.evaluation.model_names import alike
from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.report.cautions import left_out
from voirdire.text.counting import counted, listed

_MOST_NAMED = 2
_SHRUNK = 0.5
"""Of the difference between neighbours as scored: less than that at equal length is said."""


def conclusion(audit: Audit) -> str:
    """One sentence: which order can be believed, whose of several evaluations, and how many of the checks made fail."""
    failed, warned = (sum(check.status == status for check in audit.made) for status in ("fail", "warn"))
    several = counted(len(audit.evaluations), "evaluation") if len(audit.evaluations) > 1 else ""
    where = f" in {several}" if several else ""
    whose = f"{largest(audit).evaluation}, one of {several}: " if several else ""
    tally = f"{failed} of {counted(len(audit.made), 'check')}{where} {'fails' if failed == 1 else 'fail'}"
    own = [check for check in audit.checks if check.evaluation == largest(audit).evaluation and check.status == "fail"]
    tally += _untold(audit, _mentioned(largest(audit), own))
    tally += f", {warned} {'warns' if warned == 1 else 'warn'}" if warned else ""
    evaluation = _evaluation_of(audit, largest(audit))
    believe = believed(largest(audit), own, at_equal_length(largest(audit), evaluation, audit.checks))
    alone = _uncompared(audit)
    return f"{alone}{whose}{believe}{_errors(audit)}{_ahead_on_shared(audit)}; {tally}{left_out(audit)}."


def _uncompared(audit: Audit) -> str:
    """That no models are compared, where each of several evaluations has scores of one; of two, what they share."""
    models = dict.fromkeys(each.placed[0].model for each in audit.comparisons if len(each.placed) == 1)
    if len(models) < 2 or any(len(each.placed) > 1 for each in audit.comparisons):
        return ""
    items = [set(each.items) for each in audit.evaluations]
    if len(items) > 2 or items[0] == items[1]:
        return f"No models are compared: {listed(list(models), _MOST_NAMED)} are evaluations of their own. "
    shared, of = len(items[0] & items[1]), len(items[0] | items[1])
    also = f"share {shared:,} of {counted(of, 'item')}" if shared else "have no item in common"
    return f"No models are compared: {listed(list(models))} {also}. "


def believed(comparison: EvaluationComparison, failed: Sequence[Check], but: str = "") -> str:
    """What can be believed of an order, without a full stop.

    Args:
        comparison: of the models.
        failed: the checks of the evaluation that fail.
        but: what must be said of the believed places, where no check puts them in doubt.
    """
    scales = next((check for check in failed if check.id == SCALES), None)
    if scales is not None and (slips := scales.details.get("slips", 0)):
        lie = "lies" if slips == 1 else "lie"
        return f"Believe no order: {counted(slips, 'score')} of {listed(scales.models)} {lie} far off the scale"
    if scales is not None:
        judges = scales.details.get("judges", ())
        whose = f"the judges {listed(judges)} score" if judges else f"{listed(scales.models)} are scored"
        return f"Believe no order: {whose} on different scales"
    placed = [each.model for each in comparison.placed]
    doubts = doubts_of(comparison, failed)
    if not doubts or not placed:
        return order(comparison, but)
    why, models = _why(doubts), set().union(*doubts.values())
    named = [model for model in placed if model in models]
    if len(placed) == 1:
        return f"Don't believe this score ({why}): {order(comparison)}"
    as_scored = _as_scored(comparison)
    if len(named) == len(placed):
        return f"Believe no order ({why}); {as_scored}"
    names = [shown(model) if model in set().union(*alike(placed)) else model for model in named]
    whose = f"place of {names[0]}" if len(named) == 1 else f"places of {listed(names, _MOST_NAMED)}"
    return f"Don't believe the {whose} ({why}); {as_scored}"


def _mentioned(comparison: EvaluationComparison, failed: Sequence[Check]) -> frozenset[str]:
    """Which of the checks that fail `believed` says something of."""
    return frozenset({SCALES} if any(check.id == SCALES for check in failed) else doubts_of(comparison, failed))


def _untold(audit: Audit, mentioned: frozenset[str]) -> str:
    """The names of the checks that fail and of which nothing has been said, in brackets; nothing without any."""
    names = list(
        dict.fromkeys(check.id for check in audit.checks if check.status == "fail" and check.id not in mentioned)
    )
    return f" ({'also ' if mentioned else ''}{listed(names, _MOST_NAMED)})" if names else ""


def _why(doubts: Collection[str]) -> str:
    """Which checks fail, and that a printed headline does not follow."""
    ids = [id for id in doubts if id != PRINTED]
    fail = [f"{listed(ids)} {'fails' if len(ids) == 1 else 'fail'}"] if ids else []
    printed = ["what is printed doesn't follow from the items"] if PRINTED in doubts else []
    return "; ".join([*printed, *fail])


def _as_scored(comparison: EvaluationComparison) -> str:
    """How far the scores tell models apart, where the scores themselves are in doubt."""
    placed, clear = len(comparison.placed), comparison.believed
    if clear == placed:
        return f"as scored, the order of {'both' if placed == 2 else f'all {placed}'} models is clear"
    sure = [each.place for each in comparison.sure]
    if clear == len(sure):
        some = "the first place is" if clear == 1 else f"the first {clear} places are"
    else:
        some = f"place {sure[0]} is" if len(sure) == 1 else f"places {listed(_runs(sure))} are"
    return f"as scored, {some if sure else 'no place is'} clear{_tied(comparison)}"


def _errors(audit: Audit) -> str:
    """Whose samples all ended in an error, or how many did, where that is why no item has a score."""
    comparison = largest(audit)
    evaluation = _evaluation_of(audit, comparison)
    rows, failed = evaluation.rows, evaluation.rows["status"] == "error"
    if not comparison.placed and evaluation.printed:
        printed = [f"{each.value:.3f} for {each.model}" for each in evaluation.printed]
        return f"; printed is {listed(printed, _MOST_NAMED)}, which nothing here can check"
    if not comparison.placed:
        whole = "all " if failed.all() else ""
        return f": {whole}{counted(int(failed.sum()), 'sample')} ended in an error" if failed.any() else ""
    placed = {each.model for each in comparison.placed}
    lost = [str(model) for model, all_of in failed.groupby(rows["model"], observed=True).all().items() if all_of]
    lost = [model for model in lost if model not in placed]
    return f"; all samples of {listed(lost, _MOST_NAMED)} ended in an error" if lost else ""


def _of_largest(audit: Audit, id: str) -> list[Check]:
    """What a check found in the evaluation that the sentence is about."""
    return [check for check in audit.checks if check.id == id and check.evaluation == largest(audit).evaluation]


def _evaluation_of(audit: Audit, comparison: EvaluationComparison) -> Evaluation:
    return next(each for each in audit.evaluations if each.name == comparison.evaluation)


def at_equal_length(comparison: EvaluationComparison, evaluation: Evaluation, checks: Sequence[Check]) -> str:
    """What length does to the sure places, where it sways scores or may; nothing where it does nothing.

    Nor where outputs are compared with a reference and nobody judges them.
    """
    of_length = (check for check in checks if check.id == "length_association")
    matches = [check for check in of_length if check.evaluation == comparison.evaluation]
    if not evaluation.judges and (evaluation.has("reference") or evaluation.has("target")):
        return ""
    sure, apart = comparison.sure, comparison.not_at_equal_length
    sways = bool(matches) and matches[0].status in ("fail", "warn") and matches[0].details.get("sways_the_mean", True)
    if not sure:
        return f" (as scored: {'longer' if (matches[0].value or 0.0) >= 1 else 'shorter'} outputs win)" if sways else ""
    if not matches:
        return ""
    wins = f"{'longer' if (matches[0].value or 0.0) >= 1 else 'shorter'} outputs win, and " if sways else ""
    if apart is not None:
        return f" only as scored: {wins}{apart}, so nothing tells the order at equal length"
    lost, nearer = (_lost(comparison, sure), _nearer(comparison, sure)) if sways else ("", "")
    if lost:
        return f" only as scored: {wins}{lost}"
    return f" (as scored: {wins}{nearer})" if nearer else ""


def _lost(comparison: EvaluationComparison, sure: Sequence[Placed]) -> str:
    """Which of the sure places are not sure at equal length; nothing where all are."""
    if all(each.length_adjusted is None for each in comparison.placed):
        return ""
    stay = sum(each.length_adjusted_place == each.place for each in sure)
    if stay == len(sure):
        return ""
    if len(sure) == 1:
        return f"{'the first place' if sure[0].place == 1 else 'it'} is not sure at equal length"
    keep = "keep their place" if stay > 1 else "keeps its place"
    return f"at equal length {stay or 'none'} of these {len(sure)} {keep}"


def _nearer(comparison: EvaluationComparison, placed: Sequence[Placed]) -> str:
    """The first two neighbours whose difference is surely less at equal length, by half or more; nothing without any.

    How much less is not said: the line that is drawn through the lengths is not known so well.
    """
    result = comparison.at_equal_length
    if result is None or any(each.length_adjusted is None for each in placed):
        return ""
    for a, b in pairwise(placed):
        scored = abs((a.headline.value or 0.0) - (b.headline.value or 0.0))
        left, reach = (float(each[a.place - 1, b.place - 1]) for each in result)
        if abs(left) < _SHRUNK * scored and abs(left) + reach < scored:
            return f"length makes much of the difference between {a.model} and {b.model}"
    return ""


def _ahead_on_shared(audit: Audit) -> str:
    """Who scores higher than a first model that drops items, on the items that both have; nothing where nobody does.

    "Ahead" is said of a difference that is sure.
    """
    comparison = largest(audit)
    failed = [check for check in _of_largest(audit, "dropped_items") if check.status == "fail"]
    droppers = {model for check in failed for model in check.models}
    if not comparison.placed or comparison.placed[0].model not in droppers:
        return ""
    leads = np.nan_to_num(-comparison.pairs.difference[0])
    most = int(leads.argmax())
    if leads[most] <= 0:
        return ""
    other, first = comparison.placed[most].model, comparison.placed[0].model
    if not comparison.pairs.p[0, most] <= comparison.alpha:
        return f"; on the items that both have, {first} and {other} can't be separated"
    return f"; on the items that both have, {other} is ahead of {first}"


def largest(audit: Audit) -> EvaluationComparison:
    """The comparison that the sentence is about: that of most models, then of most items."""
    sizes = zip(audit.comparisons, (len(each.items) for each in audit.evaluations), strict=True)
    return max(sizes, key=lambda each: (len(each[0].placed), each[1]))[0]


def order(comparison: EvaluationComparison, but: str = "") -> str:
    """Which order of the models can be believed, without a full stop."""
    placed, believed = comparison.placed, comparison.believed
    if not placed:
        return "No item has a score"
    if len(placed) == 1:
        only = placed[0].headline
        ends = "" if only.interval is None else f" ({only.interval.low:.3f} to {only.interval.high:.3f})"
        return f"{placed[0].model} scores {only.value:.3f}{ends} on {counted(only.n, 'item')}"
    if believed == len(placed):
        models = "both models" if believed == 2 else f"all {believed} models"
        return f"Believe the order of {models}{but}"
    return f"{_sure_places(comparison, but)}{_tied(comparison)}"


def _tied(comparison: EvaluationComparison) -> str:
    """The first places that can't be told apart."""
    runs = comparison.tied
    low, high = runs[0]
    joined = "and" if high - low == 1 else "to"
    more = len(runs) - 1
    whole = "be separated" if high - low == 1 else "all be separated"
    below = f", nor those of {'a' if more == 1 else more} {'group' if more == 1 else 'groups'} below" if more else ""
    return f"; places {low} {joined} {high} can't {whole}{below}"


def _sure_places(comparison: EvaluationComparison, but: str) -> str:
    """Which places to believe where not all are sure, and what must be said of them."""
    places, believed = [each.place for each in comparison.sure], comparison.believed
    if not places:
        ahead = _ahead(comparison)
        return f"Believe no single place{ahead}{but if ahead else ''}"
    if len(places) == believed:
        first = "first place" if believed == 1 else f"order of the first {believed}"
        return f"Believe the {first}{but}"
    only = "only " if not believed and not but else ""
    return f"Believe {only}{'place' if len(places) == 1 else 'places'} {listed(_runs(places))}{but}"


def _ahead(comparison: EvaluationComparison) -> str:
    """Whom the first model that is surely ahead of any is ahead of; nothing where no two differ for sure."""
    pairs, placed = comparison.pairs, comparison.placed
    sure = (pairs.p <= comparison.alpha) & (np.nan_to_num(pairs.difference) > 0)
    for each, below in zip(placed, sure, strict=True):
        if below.any():
            behind = [placed[place].model for place in np.flatnonzero(below)]
            return f", only that {each.model} is ahead of {listed(behind, _MOST_NAMED)}"
    return ""


def _runs(places: Sequence[int]) -> list[str]:
    """Whole numbers in their order, those of three or more in a row as "4 to 6"."""
    starts = [at for at, place in enumerate(places) if not at or place != places[at - 1] + 1]
    runs = (places[start:end] for start, end in pairwise([*starts, len(places)]))
    return [each for run in runs for each in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))]
