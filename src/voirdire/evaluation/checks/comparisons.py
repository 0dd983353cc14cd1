"""What can be claimed of pairs of models: with which error, after so many comparisons, on so few items."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from voirdire.evaluation.checks.check import STATUSES, Check, Status, graded, not_measured
from voirdire.evaluation.comparison import ALPHA, compare
from voirdire.evaluation.records import Evaluation, Floats
from voirdire.reason_codes import reason
from voirdire.stats import special
from voirdire.stats.comparison import holm
from voirdire.stats.power import clusters_needed, smallest_difference

WARN_GAIN, FAIL_GAIN = 1.5, 2.0
"""Unpaired over paired error: from 1.5, pairing is worth more than twice the items (1.5 squared)."""
WARN_LOST, FAIL_LOST = 0.5, 0.9
"""Of differences that seem sure alone, those that Holm's correction takes back."""
_FEW_PAIRS = 6
"""Comparisons, those of four models: with fewer there is little to correct, and no failure to speak of."""
COARSE, BLIND = 0.3, 0.5
"""In standard deviations of a score: 0.3 is 15 points of right answers, by which neighbours in a ranking seldom differ;
0.5 is a medium effect (Cohen, Statistical Power Analysis, 1988)."""
MOST_UNITS = 1_000_000
_MANY = 20
"""Pairs: among as many some change their conclusion by chance."""
_CHANGED = 0.05
"""Share of all pairs whose conclusion changes: fewer lie at the edge by chance."""

_POWER_CODES: Mapping[tuple[bool, bool], str] = {
    (True, False): "evaluation_power",
    (True, True): "evaluation_power_lucky",
    (False, False): "evaluation_power_corrected",
    (False, True): "evaluation_power_short",
}
"""What is said of the first two, by whether `compare` says that they differ, and whether they differ by less than such
an evaluation sees."""


def unpaired_test(evaluation: Evaluation) -> Check:
    """The error of a difference as if models had other items, over the paired one. Value: the median over pairs.

    It matters where pairs are told apart only by the paired, or only by the unpaired test. It fails only where files
    print errors of single models, which invite the unpaired comparison: else nothing was done wrong, and it warns.
    """
    id, result = "unpaired_test", compare(evaluation)
    if evaluation.mirrored:
        return not_measured(id, evaluation, "evaluation_mirrored")
    above = np.triu_indices(len(result.placed), 1)
    paired = result.pairs.se[above]
    shared = result.pairs.shared[above]
    n = np.array([each.headline.n for each in result.placed], dtype=np.float64)
    full = shared >= 0.5 * np.minimum(n[above[0]], n[above[1]]) if len(n) else np.zeros(0, dtype=bool)
    known = np.isfinite(paired) & (paired > 0) & full
    if not known.any():
        return not_measured(id, evaluation, "evaluation_no_pairs")
    printed = {each.model: each.se for each in evaluation.printed if each.se}
    single = [printed.get(each.model) or each.headline.se or np.nan for each in result.placed]
    errors = np.asarray(single, dtype=np.float64)
    unpaired = np.hypot(errors[above[0]], errors[above[1]])
    known &= np.isfinite(unpaired)
    if not known.any():
        return not_measured(id, evaluation, "evaluation_no_pairs")
    gain = float(np.median(unpaired[known] / paired[known]))
    difference = result.pairs.difference[above]
    sure = holm(result.pairs.p_alone[above][known]) <= ALPHA
    apart = _sure(difference[known], unpaired[known])
    changed = int((sure != apart).sum())
    share = changed / int(known.sum())
    status: Status = graded(max(gain, 1 / gain), WARN_GAIN, FAIL_GAIN)
    few = known.sum() < _MANY
    if share < _CHANGED and not (changed and few):  # whichever test one takes, it says the same
        status = "warn" if status == "fail" else "pass"
    pairs = np.flatnonzero(known)[sure != apart]
    if len(pairs) and (few or share >= _CHANGED):
        most = float(np.max(unpaired[pairs] / paired[pairs]))
        status = min(status, graded(most, WARN_GAIN, FAIL_GAIN), key=STATUSES.index)
    if not printed:
        status = max(status, "warn", key=STATUSES.index)
    models = dict.fromkeys(result.placed[side[pair]].model for pair in pairs for side in above)
    return Check(
        id,
        status,
        evaluation.name,
        reason("evaluation_unpaired", gain=gain, items=gain**2, changed=changed, of=int(known.sum())),
        gain,
        int(known.sum()),
        tuple(models) if status != "pass" else (),
        details={
            "changed": [
                [result.placed[above[0][pair]].model, result.placed[above[1][pair]].model] for pair in pairs[:50]
            ],
            "only_paired": int((sure & ~apart).sum()),
            "only_unpaired": int((apart & ~sure).sum()),
        },
    )


def multiple_comparisons(evaluation: Evaluation) -> Check:
    """Pairs that differ at 5 % by themselves and not after Holm's correction. Value: their share of the former."""
    id, result = "multiple_comparisons", compare(evaluation)
    above = np.triu_indices(len(result.placed), 1)
    corrected = result.pairs.p[above]
    known = np.isfinite(corrected)
    pairs = int(known.sum())
    if pairs < 1:
        return not_measured(id, evaluation, "evaluation_no_pairs")
    alone = result.pairs.p_alone[above][known] <= ALPHA
    surviving = corrected[known] <= ALPHA
    nominal, survive = int(alone.sum()), int((alone & surviving).sum())
    share = (nominal - survive) / nominal if nominal else 0.0
    status = graded(share, WARN_LOST, FAIL_LOST)
    if status == "fail" and pairs < _FEW_PAIRS:
        status = "warn"
    lost = np.flatnonzero(known)[alone & ~surviving]
    models = dict.fromkeys(result.placed[side[pair]].model for pair in lost for side in above)
    return Check(
        id,
        status,
        evaluation.name,
        reason("evaluation_corrected", nominal=nominal, corrected=survive, pairs=pairs),
        share,
        pairs,
        tuple(models) if status != "pass" else (),
        details={"by_chance": ALPHA * pairs, "nominal": nominal, "corrected": survive},
    )


def power(evaluation: Evaluation) -> Check:
    """The difference of two models that is seen in four of five evaluations of this size, at a level of 5 %.

    Value: that difference, for the first two by their own spread; for two as unlike as the median pair, where the first
    two never differ. It warns where `compare` can't decide between the first two, they differ by less than it, and it
    is coarse; and fails where it is more than a medium one.
    """
    id, result = "power", compare(evaluation)
    above = np.triu_indices(len(result.placed), 1)
    errors, clusters = result.pairs.se[above], result.pairs.clusters[above]
    known = np.isfinite(errors) & (errors > 0)
    if not known.any():
        return not_measured(id, evaluation, "evaluation_no_pairs")
    first = bool(known[0])
    units = int(clusters[0]) if first else int(np.median(clusters[known]))
    variances = errors[known] ** 2 * clusters[known]
    variance = float(variances[0] if first else np.median(variances))
    smallest = smallest_difference(variance, units)
    gap = float(np.nan_to_num(abs(result.pairs.difference[0, 1])))
    sure = bool(result.pairs.p[0, 1] <= result.alpha)
    short = smallest >= gap or bool(result.pairs.p_alone[0, 1] > result.alpha)
    needed = clusters_needed(gap, variance, most=MOST_UNITS) if first and short and gap and not sure else None
    if needed is not None and needed <= units:  # the t test would see it, McNemar's doesn't
        needed = None
    spread = _spread(evaluation)
    status = graded(smallest / spread, COARSE, BLIND) if short and spread else "pass"
    if first:
        code = _POWER_CODES[sure, short] if needed is None else "evaluation_power_needed"
    else:
        code = "evaluation_power_median"
    return Check(
        id,
        "warn" if status == "fail" and sure else status,
        evaluation.name,
        reason(
            code,
            difference=smallest,
            gap=gap,
            units=units,
            unit=result.unit,
            needed=needed or 0,
            pairs=int(known.sum()),
        ),
        smallest,
        int(known.sum()),
        tuple(each.model for each in result.placed[:2]) if short else (),
        details={"needed": needed, "first_gap": gap, "in_standard_deviations": smallest / spread if spread else None},
    )


CHECKS = (unpaired_test, multiple_comparisons, power)


def _spread(evaluation: Evaluation) -> float:
    """Standard deviation of an item's score, the median over models that vary."""
    values = evaluation.item_scores.values
    spreads = [float(np.std(row[~np.isnan(row)])) for row in values if (~np.isnan(row)).sum() > 1]
    vary = [each for each in spreads if each > 0]
    return float(np.median(vary)) if vary else 0.0


def _sure(difference: Floats, error: Floats) -> np.ndarray:
    """Which differences are sure after Holm's correction over all pairs (normal)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * special.ndtr(-np.abs(difference) / error)
    return np.asarray(holm(p) <= ALPHA)
