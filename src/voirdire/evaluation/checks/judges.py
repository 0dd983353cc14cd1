"""Whoever scored: copies of another judge, judges that always say the same, judges of their own kin."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.evaluation.checks.check import MOST_QUOTES, STATUSES, Check, Quote, Status, not_measured, quote
from voirdire.evaluation.comparison import compare
from voirdire.evaluation.headline import units
from voirdire.evaluation.records import Evaluation, Floats, Places, mean_by
from voirdire.evaluation.scales import most_apart
from voirdire.evaluation.texts import is_the_baseline, texts_of
from voirdire.jury.families import family_of
from voirdire.reason_codes import Reason, reason
from voirdire.stats import special
from voirdire.stats.near_copies import near_copy
from voirdire.stats.paired import all_pairs

_FEWEST = 20
"""Outputs that two judges, or one, must have scored."""
_ALIKE_SPANS = 2.0
"""How many times as wide one judge's scores may lie as another's for their differences to be points of one scale."""
_SURE = 0.001
_FINE = 0.02
"""A score that a judge gives to fewer of its outputs than this is no step of a coarse scale."""
_HALF = 0.5
"""Share of such fine scores from which a judge gives no steps: it never meets one who does."""
_BY_CHANCE = 0.05
"""Of such fine scores, how many two judges give alike at most: they would have to meet to the last digit."""
_GRID = 100
"""Steps of a scale up to which scores are rounded ones."""
_STEPS = 5
"""A scale of at least five steps: independent raters meet on one and the same in 50 to 70 % of cases."""
_KAPPA_FINE, _KAPPA_COARSE = 0.8, 0.985
"""Cohen's kappa that no two independent raters reach, on a scale of five steps and on right or wrong."""
_UNCOMMON = 0.25
"""Share of outputs up to which a score is none that easy outputs get of any judge."""
_SHIFTED = 0.85
"""Share of outputs on which one judge gives the other's score and some more: independent judges reach a half."""
_ALONE = 5
"""Outputs to which one of the others alone gives the highest score, from which on they show who follows whom."""
_WHOLE = ("evaluation_copied_scores", "evaluation_shifted_judge", "evaluation_rescaled_judge")
"""Signs of a judge who repeats another in all that both scored, and not in some of it."""
_NEAR, _NEARLY_ALL = 0.02, 0.99
_MOST = 0.9
"""Share of all outputs on which two agree, from which on that is told, and not what the sign was found in."""
"""Of the scale, by which scores may differ and be alike; share of outputs scored alike from which judges may be one."""
_VARY = 0.1
"""Share of outputs off the commonest score from which such agreement tells anything."""
_HONEST, _UNLIKELY = 0.03, 0.05
"""Share of outputs on which judges who agree very well differ, and the chance below which fewer are too few."""
_MINORITY = 20
"""Outputs off the commonest score: with fewer, agreement is cheap."""
_ORDINARY = 0.85
"""Share of equal scores from which a long stretch of them tells nothing: easy items lie together."""
_EXPLAINED = 40
"""Signs of an explanation; a shorter one may be a formula."""
WARN_CONSTANT, FAIL_CONSTANT = 0.98, 0.99
"""Share of one score. A weak model loses 97.5 % of its comparisons with a strong one before a sound judge."""
WARN_ON_A_SCALE = 0.95
"""The same on a scale of three steps or more, where outputs that are all of one grade are rarer."""
WARN_BESIDE_OTHERS = 0.9
"""The same on a scale of five steps, where another judge of the same outputs uses its scale."""
WARN_SAME_WORDS, FAIL_SAME_WORDS = 0.2, 0.5
"""Share of outputs that got one and the same explanation."""
_OTHERS_VARY = 0.9
"""Share of one score below which a judge can be said to tell outputs apart."""
_STILL = 0.05
"""Of the scale that judges use: scores that lie nearer tell no outputs apart."""
_JUDGE_SETTING = re.compile(r"(judge|grader|grading|annotator|evaluator|scorer)[\w.]*", re.I)


class _Judged(NamedTuple):
    """What one judge said of the outputs (cells: item, model, epoch), in the order of the rows."""

    name: str
    evaluation: Evaluation
    cells: tuple[tuple[str, str, float], ...]
    rows: Places
    scores: Floats


class JudgeCopy(NamedTuple):
    """Two judges who are no two, or one made of others, and by which sign."""

    pair: tuple[str, str]
    """The second is made of the first; of several, these are named together."""
    share: float
    n: int
    code: str
    quotes: tuple[Quote, ...]
    status: Status = "fail"
    is_sure: bool = True
    """Whether no two judges score so alike: of right and wrong two good ones may."""

    @property
    def finding(self) -> Reason:
        """What it is said to be."""
        return reason(self.code, first=self.pair[0], second=self.pair[1], share=self.share, n=self.n)

    @property
    def is_whole(self) -> bool:
        """Whether one judge repeats the other nearly throughout, so that the two count as one."""
        return self.status == "fail" and self.code in _WHOLE and self.is_sure and self.share >= _SHIFTED


def copied_judge(evaluation: Evaluation) -> Check:
    """Two judges who agree more than any two could, or one whose gaps were filled from another.

    Value: the share of outputs on which the most alike two agree to the last digit, or in every word.
    """
    id = "copied_judge"
    evaluation = evaluation.of_one_side()
    judges = [*_judges(evaluation), *_judges_beside(evaluation), *_others_of(evaluation)]
    pairs = [
        (a, b) for a, b in combinations(judges, 2) if evaluation in (a.evaluation, b.evaluation) and a.name != b.name
    ]
    compared = [(match, a, b) for a, b in pairs if (match := _compared(a, b)) is not None]
    if not compared:
        return not_measured(id, evaluation, "evaluation_one_judge")
    copies = _copies(judges, compared)
    if not copies:
        alike = [(match, a, b) for match, a, b in compared if _has_steps(a) == _has_steps(b)]
        if not alike:
            _, a, b = compared[0]
            steps, fine = (a, b) if _has_steps(a) else (b, a)
            return not_measured(id, evaluation, "evaluation_judges_of_unlike_steps", first=fine.name, second=steps.name)
        most, a, b = max(alike, key=lambda each: each[0].agree)
        differ = reason("evaluation_judges_differ", first=a.name, second=b.name, share=most.agree)
        return Check(id, "pass", evaluation.name, differ, most.agree, len(most.one), details={"pairs": len(alike)})
    worst = copies[0]
    return Check(
        id,
        worst.status,
        evaluation.name,
        worst.finding,
        worst.share,
        worst.n,
        quotes=worst.quotes,
        details={"pairs": [[*copy.pair, copy.share] for copy in copies]},
    )


def judge_copies(evaluations: Sequence[Evaluation]) -> list[JudgeCopy]:
    """Judges of the same outputs, in whichever of these evaluations, who are no two; the gravest first."""
    judges = [judged for each in evaluations for judged in _judges(each.of_one_side())]
    pairs = combinations(judges, 2)
    return _copies(judges, [(match, a, b) for a, b in pairs if (match := _compared(a, b)) is not None])


def constant_judge(evaluation: Evaluation) -> Check:
    """A judge who gives nearly all outputs one score, or explains unlike ones in the same words.

    Value: the share of one score, in the judge with the largest.
    """
    id = "constant_judge"
    judges = [judged for judged in _judges(evaluation) if len(judged.rows) >= _FEWEST]
    if not judges:
        constant = tuple(_constant_scores(evaluation))
        code = "evaluation_no_judge_constant_scores" if constant else "evaluation_no_judge"
        return Check(id, "not_measured", evaluation.name, reason(code, scores=constant))
    judges += _stuck_others(evaluation)
    others = [judged for each in evaluation.beside for judged in _judges(each) if len(judged.rows) >= _FEWEST]
    matches = [_constancy(judged, [each for each in (*judges, *others) if each is not judged]) for judged in judges]
    order = sorted(range(len(judges)), key=lambda place: (("fail", "warn", "pass").index(matches[place][0]), place))
    status, code, share = matches[order[0]]
    worst = judges[order[0]]
    column = "verdict" if evaluation.has("verdict") else "output"
    return Check(
        id,
        status,
        evaluation.name,
        reason(code, judge=worst.name or "the judge", share=share),
        share,
        len(worst.rows),
        quotes=() if status == "pass" else tuple(quote(evaluation, int(row), column) for row in worst.rows[:3]),
        details={
            "shares": {judged.name: each[2] for judged, each in zip(judges, matches, strict=True)},
            "statuses": {judged.name: each[0] for judged, each in zip(judges, matches, strict=True)},
        },
    )


def self_judging(evaluation: Evaluation) -> Check:
    """Models whose judge is of their own family, beside models that are not. Value: how many, or what the judge adds.

    By names alone: see `jury.families`. Fails where a judged model is the judge itself, and where judges of other
    families scored the same outputs, the judge surely favours its own, and that changes the order.
    """
    id = "self_judging"
    judges = _judge_names(evaluation)
    if not judges:
        return not_measured(id, evaluation, "evaluation_no_judge")
    families = {judge: family_of(judge) for judge in judges}
    if not any(families.values()):
        return not_measured(id, evaluation, "evaluation_no_family")
    known = {judge: family for judge, family in families.items() if family is not None}
    kin = {
        model: judge
        for model in evaluation.models
        for judge, family in known.items()
        if family_of(_model_name(evaluation, model)) == family
    }
    same = [model for model, judge in kin.items() if _bare(model) == _bare(judge)]
    alone = set(kin) == set(evaluation.models)
    result = _preferences(evaluation, kin.values(), families)
    moved = [model for each in result if each.low > 0 for model in dict.fromkeys((*each.moved, *each.carried))]
    status: Status = "pass" if not kin else "fail" if moved or (same and not alone) else "warn"
    first = result[0].judge if result else next(iter(kin.values()), next(iter(known)))
    whose: dict[str, str | int] = {
        "judge": first,
        "family": known[first],
        "models": sum(family_of(_model_name(evaluation, model)) == known[first] for model in kin),
        "of": len(evaluation.models),
    }
    why = reason("evaluation_own_judge" if kin else "evaluation_no_own_judge", **whose)
    if result:
        _, others, shift, low, high, changed, carried = result[0]
        effect = ("moves" if changed else "carries" if carried else "shifts") if low > 0 else "shifts"
        code = f"evaluation_own_judge_{effect}"
        why = reason(code, **whose, shift=shift, low=low, high=high, others=others, moved=changed or carried)
    return Check(
        id,
        status,
        evaluation.name,
        why,
        result[0].shift if result else float(len(kin)),
        len(evaluation.models),
        (*same, *(model for model in kin if model not in same)),
        tuple(Quote("", model, f"judged by {judge}") for model, judge in list(kin.items())[:MOST_QUOTES]),
        {
            "judges": list(judges),
            "shift": result[0].shift if result else None,
            "interval": [result[0].low, result[0].high] if result else None,
            "moved": moved,
        },
    )


CHECKS = (copied_judge, constant_judge, self_judging)


@lru_cache(maxsize=16)
def _judges(evaluation: Evaluation) -> tuple[_Judged, ...]:
    """Each judge of an evaluation; without a name, if there are verdicts, one called "".

    Outputs that are the baseline's own are left out: every judge scores them alike.
    """
    rows, judge = evaluation.rows, evaluation.codes("judge")
    names: tuple[str, ...] = evaluation.judges
    if not names:
        if not evaluation.has("verdict"):
            return ()
        names, judge = ("",), np.zeros(len(rows), dtype=np.intp)
    scores = evaluation.other_scores.get(evaluation.threshold_of, rows["score"].to_numpy(np.float64))
    own = is_the_baseline(evaluation)
    items, models = np.asarray(evaluation.items, dtype=object), np.asarray(evaluation.models, dtype=object)
    item, model = evaluation.codes("item"), evaluation.codes("model")
    epoch = rows["epoch"].fillna(1.0).to_numpy(np.float64)
    matches = []
    for place, name in enumerate(names):
        mine = np.flatnonzero((judge == place) & ~np.isnan(scores) & ~own)
        cells = tuple(zip(items[item[mine]], models[model[mine]], epoch[mine].tolist(), strict=True))
        matches.append(_Judged(name, evaluation, cells, mine, scores[mine]))
    return tuple(matches)


def _judges_beside(evaluation: Evaluation) -> Iterator[_Judged]:
    """Judges of the evaluations beside it, each named with its own unless that has the judge's name already."""
    for each in evaluation.beside:
        for judged in _judges(each):
            yield judged if judged.name in each.name else judged._replace(name=f"{judged.name} ({each.name})")


def _others_of(evaluation: Evaluation) -> Iterator[_Judged]:
    """Other scores of the rows of a judge, each as a judge, where they have steps enough to tell a copy."""
    judges = _judges(evaluation)
    if len(judges) != 1 or not judges[0].name:
        return
    (judged,) = judges
    for name, values in _scores_beside(evaluation):
        own = values[judged.rows]
        known = np.flatnonzero(~np.isnan(own))
        if len(np.unique(own[known])) >= _STEPS:
            cells = tuple(judged.cells[place] for place in known)
            yield _Judged(name, evaluation, cells, judged.rows[known], own[known])


def _scores_beside(evaluation: Evaluation) -> Iterator[tuple[str, Floats]]:
    """The other scores of its rows, without the one that the judge's score is made of."""
    return ((name, values) for name, values in evaluation.other_scores.items() if name != evaluation.threshold_of)


def _constant_scores(evaluation: Evaluation) -> Iterator[str]:
    """Scores beside the one that counts, which give all outputs the same."""
    for name, values in _scores_beside(evaluation):
        known = values[~np.isnan(values)]
        if len(known) >= _FEWEST and np.ptp(known) == 0:
            yield name


def _stuck_others(evaluation: Evaluation) -> Iterator[_Judged]:
    """Other scores of the rows of a judge whose commonest value lies within the scale: a grade that hardly moves.

    What is always at an end of the scale may be a condition that all outputs meet.
    """
    judges = _judges(evaluation)
    if len(judges) != 1:
        return
    (judged,) = judges
    for name, values in _scores_beside(evaluation):
        own = values[judged.rows]
        known = np.flatnonzero(~np.isnan(own))
        steps, counts = np.unique(own[known], return_counts=True)
        low, high = evaluation.bounds or (0.0, 1.0)
        if len(known) >= _FEWEST and low < steps[counts.argmax()] < high:
            cells = tuple(judged.cells[place] for place in known)
            yield _Judged(name, evaluation, cells, judged.rows[known], own[known])


class _Compared(NamedTuple):
    one: Places
    """Places in the first judge's rows of the outputs that both scored."""
    other: Places
    agree: float
    kappa: float


def _copies(judges: list[_Judged], compared: Sequence[tuple[_Compared, _Judged, _Judged]]) -> list[JudgeCopy]:
    """Those among judges, of whom these two each were compared; the gravest first."""
    coarse = [(match, a, b) for match, a, b in compared if not (_is_fine(a.scores).any() or _is_fine(b.scores).any())]
    agreements = {(a.name, b.name): match.agree for match, a, b in coarse}
    copies = [copy for each in judges if (copy := _averaged(each, judges) or _extreme(each, judges)) is not None]
    copies += [copy for match, a, b in compared if (copy := _copied(match, a, b, agreements)) is not None]
    return sorted(copies, key=lambda copy: (STATUSES.index(copy.status), -copy.share * copy.n))


def _has_steps(judged: _Judged) -> bool:
    """Whether most scores of a judge are steps of a scale, and not numbers of its own for each output."""
    return bool(_is_fine(judged.scores).mean() < _HALF)


def _compared(a: _Judged, b: _Judged) -> _Compared | None:
    where = {cell: place for place, cell in enumerate(b.cells)}
    pairs = np.array([(place, where[cell]) for place, cell in enumerate(a.cells) if cell in where], dtype=np.intp)
    if len(pairs) < _FEWEST:
        return None
    one, other = pairs[:, 0], pairs[:, 1]
    same = a.scores[one] == b.scores[other]
    agree = float(same.mean())
    first, counts = np.unique(a.scores[one], return_counts=True)
    second, others = np.unique(b.scores[other], return_counts=True)
    _, left, right = np.intersect1d(first, second, return_indices=True)
    chance = float((counts[left] * others[right]).sum()) / len(one) ** 2
    return _Compared(one, other, agree, (agree - chance) / (1 - chance) if chance < 1 else float("nan"))


def _copied(result: _Compared, a: _Judged, b: _Judged, all_agree: Mapping[tuple[str, str], float]) -> JudgeCopy | None:
    """Whether two judges are one, and by which sign; the plainest sign first."""
    pair = (a.name, b.name)
    same_words = _same_words(result, a, b)
    if same_words is not None:
        return same_words
    x, y = a.scores[result.one], b.scores[result.other]
    fine = _is_fine(x) & _is_fine(y)
    if fine.sum() >= _FEWEST // 2 and not _on_a_grid(np.concatenate([x, y])):
        hits, n = int((x == y)[fine].sum()), int(fine.sum())
        if hits >= 5 and special.bdtrc(hits - 1, n, _BY_CHANCE) < _SURE:
            quotes = _quotes(result, a, np.flatnonzero(fine & (x == y)))
            share, of = (result.agree, len(x)) if result.agree >= _MOST else (hits / n, n)
            return JudgeCopy(pair, share, of, "evaluation_copied_scores", quotes)
        return _nearly_same(result, a, b) or _alike_where_rare(result, a, b)
    shifted = _shifted(x, y)
    if shifted is not None:
        places = np.flatnonzero(shifted)
        return JudgeCopy(pair, float(shifted.mean()), len(x), "evaluation_shifted_judge", _quotes(result, a, places))
    if _is_rescaled(x, y):
        return JudgeCopy(pair, 1.0, len(x), "evaluation_rescaled_judge", _quotes(result, a, np.arange(len(x))))
    steps = max(len(np.unique(x)), len(np.unique(y)))
    off = len(x) - int(np.unique(x, return_counts=True)[1].max())
    limit = _KAPPA_FINE if steps >= _STEPS else _KAPPA_COARSE
    by_ease = steps >= _STEPS and result.agree < 1 and near_copy(*_as_ratings(x, y), _UNCOMMON, _STEPS) is None
    if off >= _MINORITY and result.kappa >= limit and not by_ease:
        quotes = _quotes(result, a, np.flatnonzero(x == y))
        return JudgeCopy(pair, result.agree, len(x), "evaluation_copied_scores", quotes, is_sure=steps >= _STEPS)
    if off >= 5 and _nearer_than_others(pair, result.agree, len(x), all_agree):
        return JudgeCopy(
            pair, result.agree, len(x), "evaluation_nearer_judges", _quotes(result, a, np.flatnonzero(x == y))
        )
    filled = _filled(result, a, b) or _filled(_turned(result), b, a)
    return filled or _nearly_same(result, a, b) or _alike_where_rare(result, a, b)


def _nearly_same(result: _Compared, a: _Judged, b: _Judged) -> JudgeCopy | None:
    """Whether two judges score nearly all outputs alike, where scores vary: one may copy the other with some noise."""
    x, y = a.scores[result.one], b.scores[result.other]
    span = float(max(x.max(), y.max()) - min(x.min(), y.min()))
    near = np.abs(x - y) <= _NEAR * span
    vary = min(1 - _top(each, span) if span else 0.0 for each in (x, y))
    n, differ = len(x), int((~near).sum())
    if near.mean() < _NEARLY_ALL or vary < _VARY or special.bdtr(differ, n, _HONEST) >= _UNLIKELY:
        return None
    quotes = _quotes(result, a, np.flatnonzero(near))
    return JudgeCopy((a.name, b.name), float(near.mean()), n, "evaluation_near_copy", quotes, "warn")


def _as_ratings(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    return x[:, np.newaxis], y[:, np.newaxis]


def _alike_where_rare(result: _Compared, a: _Judged, b: _Judged) -> JudgeCopy | None:
    """Whether two judges score alike, or a constant apart, what one of them gives a score that it seldom gives."""
    x, y = a.scores[result.one], b.scores[result.other]
    near = near_copy(*_as_ratings(x, y))
    if near is None:
        return None
    quotes = _quotes(result, a, np.flatnonzero(near.alike))
    return JudgeCopy((a.name, b.name), near.hits / near.of, near.of, "evaluation_alike_where_rare", quotes, "warn")


def _shifted(x: Floats, y: Floats) -> NDArray[np.bool_] | None:
    """Outputs whose two scores differ by one and the same amount, if that is nearly all of them on a fine scale."""
    if min(len(np.unique(x)), len(np.unique(y))) < _STEPS:
        return None
    gaps, counts = np.unique(np.round(y - x, 9), return_counts=True)
    most = float(gaps[counts.argmax()])
    same = np.isclose(y - x, most, atol=1e-8)
    return same if most != 0 and same.mean() >= _SHIFTED else None


def _is_rescaled(x: Floats, y: Floats) -> bool:
    """Whether one judge's scores are the other's in another unit: a line through all of them, on a scale of steps."""
    if min(len(np.unique(x)), len(np.unique(y))) < _STEPS or np.array_equal(x, y):
        return False
    slope, start = np.polyfit(x, y, 1)
    return bool(slope > 0 and np.abs(y - (start + slope * x)).max() <= 1e-3 * np.ptp(y))


def _turned(result: _Compared) -> _Compared:
    return result._replace(one=result.other, other=result.one)


def _is_fine(scores: Floats) -> NDArray[np.bool_]:
    """Which scores are no steps of a coarse scale: values that the judge seldom gives."""
    _, number, counts = np.unique(scores, return_inverse=True, return_counts=True)
    return np.asarray(counts[number] <= max(1.0, _FINE * len(scores)))


def _on_a_grid(scores: Floats) -> bool:
    """Whether scores lie a hundredth of their span apart or more: judges meet there by rounding alone."""
    values = np.unique(np.round(scores, 9))
    return bool(np.ptp(values) <= _GRID * np.diff(values).min(initial=np.inf) * (1 + 1e-6))


def _same_words(result: _Compared, a: _Judged, b: _Judged) -> JudgeCopy | None:
    if a.evaluation is b.evaluation and np.array_equal(a.rows[result.one], b.rows[result.other]):
        return None  # two scores of one row, which has one explanation
    first, second = (each.evaluation.rows["verdict"].to_numpy() for each in (a, b))
    pairs = zip(first[a.rows[result.one]], second[b.rows[result.other]], strict=True)
    alike = [(place, one) for place, (one, other) in enumerate(pairs) if one is not None and one == other]
    long = [place for place, text in alike if len(text.strip()) >= _EXPLAINED]
    different = {first[a.rows[result.one[place]]] for place in long}
    if len(different) < 3 or len(long) < 0.03 * len(result.one):
        return None
    share = len(long) / len(result.one)
    return JudgeCopy(
        (a.name, b.name), share, len(result.one), "evaluation_copied_words", _quotes(result, a, np.array(long))
    )


def _nearer_than_others(
    pair: tuple[str, str], agree: float, n: int, all_agree: Mapping[tuple[str, str], float]
) -> bool:
    """Whether two of several judges differ far less from one another than either does from any other.

    If errors are independent, two judges differ at least half as often as the better of them differs from a third.
    """
    others = [1 - each for key, each in all_agree.items() if key != pair and set(key) & set(pair)]
    if not others or min(others) <= 0:
        return False
    differ = round((1 - agree) * n)
    return float(special.bdtr(differ, n, min(0.5 * min(others), 0.99))) < _SURE and agree >= 0.95


def _filled(result: _Compared, a: _Judged, b: _Judged) -> JudgeCopy | None:
    """Whether the second judge's scores without an explanation are the first one's, and the others are not."""
    verdicts = b.evaluation.rows["verdict"].to_numpy()[b.rows[result.other]]
    silent = np.fromiter((text is None or not text.strip() for text in verdicts), bool, len(verdicts))
    same = a.scores[result.one] == b.scores[result.other]
    if not (5 <= silent.sum() <= 0.9 * len(silent)):
        return _run(result, a, b, same)
    outside = min(max(float(same[~silent].mean()), 0.05), 0.999)
    hits, n = int(same[silent].sum()), int(silent.sum())
    if hits / n >= 0.95 and special.bdtrc(hits - 1, n, outside) < _SURE:
        return JudgeCopy(
            (a.name, b.name), hits / n, n, "evaluation_filled_judge", _quotes(result, a, np.flatnonzero(silent))
        )
    return None


def _averaged(judged: _Judged, judges: list[_Judged]) -> JudgeCopy | None:
    """Whether the scores of a judge that lie off its own scale are means of the other judges'."""
    others = [each for each in judges if each is not judged and each.evaluation is judged.evaluation]
    if len(others) < 2 or len(judged.scores) < _FEWEST:
        return None
    theirs = _of_others(judged, others)
    sums, counts = np.nansum(theirs, axis=0), (~np.isnan(theirs)).sum(axis=0)
    mean = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 1)
    values, number, times = np.unique(np.round(judged.scores, 6), return_inverse=True, return_counts=True)
    steps = np.round(values[times >= 0.03 * len(number)], 6)
    theirs_too = np.unique(np.round(np.concatenate([each.scores for each in others]), 6))
    odd = ~(np.isin(values, steps) | np.isin(values, theirs_too))[number] & ~np.isnan(mean)
    near = np.abs(judged.scores - mean) <= 0.006  # means may be rounded to two decimals
    if odd.sum() < 5 or (odd & near).sum() < 0.8 * odd.sum():
        return None
    share = float((near & (counts > 1)).mean())
    names = (", ".join(each.name for each in others), judged.name)
    places = np.flatnonzero(odd & near)[:MOST_QUOTES]
    quotes = tuple(
        Quote(
            judged.cells[place][0],
            judged.cells[place][1],
            f"{judged.name} gives {judged.scores[place]:g}, the mean of the others",
        )
        for place in places
    )
    return JudgeCopy(names, share, len(judged.scores), "evaluation_averaged_judge", quotes)


def _extreme(judged: _Judged, judges: list[_Judged]) -> JudgeCopy | None:
    """Whether the scores of a judge are the highest, or the lowest, that the others give."""
    others = [each for each in judges if each is not judged and each.evaluation is judged.evaluation]
    if len(others) < 2 or len(np.unique(judged.scores)) < _STEPS:
        return None
    theirs = _of_others(judged, others)
    known = np.flatnonzero((~np.isnan(theirs)).sum(axis=0) >= 2)
    if len(known) < _FEWEST:
        return None
    highest, lowest = np.nanmax(theirs[:, known], axis=0), np.nanmin(theirs[:, known], axis=0)
    differ = highest > lowest
    for code, picked in (("highest", highest), ("lowest", lowest)):
        same = judged.scores[known] == picked
        if differ.sum() >= _FEWEST and same.mean() >= _SHIFTED and _follows(same, theirs[:, known] == picked):
            names = (", ".join(each.name for each in others), judged.name)
            quotes = tuple(
                Quote(item, model, f"{judged.name} gives {judged.scores[place]:g}, the {code} of the others")
                for place in known[same & differ][:MOST_QUOTES]
                for item, model, _ in (judged.cells[place],)
            )
            return JudgeCopy(names, float(same.mean()), len(known), f"evaluation_{code}_judge", quotes)
    return None


def _follows(same: NDArray[np.bool_], picked: NDArray[np.bool_]) -> bool:
    """Whether a judge gives the score that is picked of the others, whichever of them gives it alone.

    Beside a third judge who is too strict, one of two good ones would seem to, by agreeing with the other.

    Args:
        same: shape (outputs,): whether the judge gives that score.
        picked: shape (others, outputs): who of the others does.
    """
    shares = [same[alone].mean() for alone in picked & (picked.sum(axis=0) == 1) if alone.sum() >= _ALONE]
    return len(shares) > 1 and min(shares) >= _SHIFTED


def _of_others(judged: _Judged, others: list[_Judged]) -> Floats:
    """Shape (others, cells of the judge): what the others gave to the same outputs; NaN where nothing."""
    result = np.full((len(others), len(judged.cells)), np.nan)
    for place, each in enumerate(others):
        where = dict(zip(each.cells, each.scores.tolist(), strict=True))
        result[place] = [where.get(cell, np.nan) for cell in judged.cells]
    return result


def _run(result: _Compared, a: _Judged, b: _Judged, same: NDArray[np.bool_]) -> JudgeCopy | None:
    """Whether the two agree in one stretch of rows far longer than their agreement elsewhere allows.

    In n rows that agree with chance p, a stretch of r has a chance below n (1 - p) p^r + p^r.
    """
    edges = np.flatnonzero(np.diff(np.r_[False, same, False].astype(np.int8)))
    starts, ends = edges[::2], edges[1::2]
    if not len(starts):
        return None
    place = int((ends - starts).argmax())
    length = int(ends[place] - starts[place])
    rest = len(same) - length
    if length < _FEWEST or rest < _FEWEST:
        return None
    p = (same.sum() - length + 1) / (rest + 2)
    if p > _ORDINARY:
        return None
    if (rest * (1 - p) + 1) * p**length >= _SURE / 100:  # rows need not be in a random order
        return None
    rows = np.arange(starts[place], ends[place])
    return JudgeCopy(
        (a.name, b.name), length / len(same), len(same), "evaluation_filled_judge", _quotes(result, a, rows)
    )


def _quotes(result: _Compared, a: _Judged, places: Places) -> tuple[Quote, ...]:
    def of(place: int) -> Quote:
        verdict = quote(a.evaluation, int(a.rows[result.one[place]]), "verdict")
        return verdict if verdict.text else verdict._replace(text=f"both score it {a.scores[result.one[place]]:g}")

    return tuple(of(int(place)) for place in places[:MOST_QUOTES])


def _constancy(judged: _Judged, others: list[_Judged]) -> tuple[Status, str, float]:
    """How a judge's scores and words vary: status, what is said of it, share of the commonest."""
    share = _top(judged.scores)
    words = _top_words(judged)
    model = judged.evaluation.codes("model")[judged.rows]
    by_model = [judged.scores[model == each] for each in np.unique(model)]
    alike = [each for each in others if _on_one_scale(judged, each)]
    span = max(float(np.ptp(each.scores)) for each in (judged, *alike))
    still = _top(judged.scores, span)
    fixed = len(by_model) > 1 and share < 1 and all(len(each) >= _FEWEST and np.ptp(each) == 0 for each in by_model)
    if fixed:
        return "fail", "evaluation_judge_by_model", 1.0
    vary = any(_top(each.scores) < _OTHERS_VARY for each in others)
    if share >= FAIL_CONSTANT or (share >= 0.95 and vary):
        return "fail", "evaluation_judge_constant", share
    steps = len(np.unique(judged.scores))
    if still >= FAIL_CONSTANT and any(_top(each.scores, span) < _OTHERS_VARY for each in others):
        return "fail", "evaluation_judge_still", still
    within = (float(judged.scores.min()), float(judged.scores.max()))
    if (
        share < _OTHERS_VARY
        and steps >= _STEPS
        and any(len(each) >= _FEWEST and np.ptp(each) == 0 and each[0] not in within for each in by_model)
    ):  # one that is always the best, or always the worst, may be so
        return "fail", "evaluation_judge_of_one_model", share
    if words >= WARN_SAME_WORDS:
        return "fail" if words >= FAIL_SAME_WORDS else "warn", "evaluation_judge_same_words", words
    graded_scale = len(np.unique(judged.scores)) >= 3 and not judged.evaluation.has("baseline")
    usual = WARN_ON_A_SCALE if graded_scale else WARN_CONSTANT
    if graded_scale and steps >= _STEPS and vary:
        usual = WARN_BESIDE_OTHERS
    return "warn" if share >= usual else "pass", "evaluation_judge_constant", share


def _on_one_scale(judged: _Judged, other: _Judged) -> bool:
    both = [each.scores for each in (judged, other)]
    return any(np.ptp(scores) == 0 for scores in both) or most_apart(both) is None


def _top(scores: Floats, span: float | None = None) -> float:
    """Share of the commonest score; with the span of the scale, of scores less than a twentieth of it apart."""
    if span:
        ordered = np.sort(scores)
        within = np.searchsorted(ordered, ordered + _STILL * span, side="right") - np.arange(len(ordered))
        return float(within.max() / len(scores))
    low, high = float(scores.min()), float(scores.max())
    steps = np.rint((scores - low) / max(high - low, 1e-9) * 1_000)
    return float(np.unique(steps, return_counts=True)[1].max() / len(scores))


def _top_words(judged: _Judged) -> float:
    texts = texts_of(judged.evaluation, "verdict")
    codes = texts.codes[judged.rows]
    codes = codes[codes >= 0]
    if len(codes) < _FEWEST:
        return 0.0
    counts = np.bincount(codes)
    top = int(counts.argmax())
    return float(counts[top] / len(codes)) if len(texts.unique[top].strip()) >= _EXPLAINED else 0.0


def _judge_names(evaluation: Evaluation) -> tuple[str, ...]:
    """Who judged: by the rows; where they name none whose family is known, by the settings and the files' names."""
    named = evaluation.judges
    if any(family_of(name) for name in named):
        return named
    set_up = tuple(dict.fromkeys(value for known in evaluation.settings.values() for value in _judge_settings(known)))
    if any(family_of(name) for name in set_up):
        return (*named, *set_up)
    files = [each.path.stem for each in evaluation.files]
    by_file = tuple(dict.fromkeys(text for name in files for text in _after_judge(name) if family_of(text)))
    return (*named, *by_file)


def _judge_settings(settings: Mapping[str, Any], inside: bool = False) -> Iterator[str]:
    for key, value in settings.items():
        here = inside or _JUDGE_SETTING.search(str(key)) is not None
        if isinstance(value, Mapping):
            yield from _judge_settings(value, here)
        elif here and isinstance(value, str) and len(value) < 200:
            yield value


def _after_judge(name: str) -> list[str]:
    """Parts of a file's name that say who judged: "results-judge-gpt-4o", "x.judged_by.claude-3"."""
    return re.findall(r"(?:judged?[-_. ]?by|judge|grader|annotator)[-_=. ]+([\w.-]+)", name, re.I)


def _model_name(evaluation: Evaluation, model: str) -> str:
    """The model's name; where that tells no family, the one that its settings have."""
    if family_of(model) is not None:
        return model
    settings = evaluation.settings.get(model, {})
    candidates = (settings.get(key) for key in ("model", "model_name", "model_id", "pretrained", "deployment"))
    return next((name for name in candidates if isinstance(name, str) and family_of(name) is not None), model)


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower().split("/")[-1])


class _Preference(NamedTuple):
    """What a judge adds to models of its own family, beyond what others give and beyond what it adds to others."""

    judge: str
    others: tuple[str, ...]
    """Judges of other families who scored the same outputs."""
    shift: float
    """In points of the scale; above 0, in favour of its family."""
    low: float
    high: float
    moved: tuple[str, ...]
    """Of its family, those that lead another model under this judge and not under the others."""
    carried: tuple[str, ...] = ()
    """Of its family, those whose lead over another model is sure with this judge and not without."""


def _preferences(
    evaluation: Evaluation, judges: Collection[str], families: Mapping[str, str | None]
) -> list[_Preference]:
    """Of judges with models of their own family; the one that surely changes the order first, then the strongest."""
    by_name = {model: family_of(_model_name(evaluation, model)) for model in evaluation.models}
    of_others = {each.name: family_of(each.name) for each in _judges_of_others(evaluation)}
    every = {**of_others, **families, **by_name}
    matches = (_preference(evaluation, judge, every) for judge in dict.fromkeys(judges))
    return sorted(
        (each for each in matches if each is not None),
        key=lambda each: (each.low <= 0 or not (each.moved or each.carried), -each.low),
    )


def _preference(evaluation: Evaluation, judge: str, families: Mapping[str, str | None]) -> _Preference | None:
    """What a judge prefers, by outputs that all judges of other families scored as well; `None` where there are none.

    It is held against models of no judge's family, if there are any. Judges with scales of unlike width say nothing.
    """
    judges = [*_judges(evaluation), *_judges_of_others(evaluation)]
    judged = next((each for each in judges if each.name == judge and len(each.rows)), None)
    others = [each for each in judges if len(each.rows) and families.get(each.name) != families[judge]]
    if judged is None or not others:
        return None
    theirs = _of_others(judged, others).mean(axis=0)
    shared = ~np.isnan(theirs)
    sign = 1.0 if evaluation.higher_is_better else -1.0
    own, theirs = sign * judged.scores[shared], sign * theirs[shared]
    spans = [float(np.ptp(each)) for each in (own, theirs)] if len(own) >= _FEWEST else [0.0]
    if not 0 < max(spans) <= _ALIKE_SPANS * min(spans):
        return None
    model, item = (evaluation.codes(name)[judged.rows[shared]] for name in ("model", "item"))
    kin = np.array([families[name] == families[judge] for name in evaluation.models])
    apart = np.array(
        [families[name] not in set(map(families.get, (judge, *(o.name for o in others)))) for name in evaluation.models]
    )
    neutral = apart if apart.any() else ~kin
    gap = np.where(kin[model] | neutral[model], own - theirs, np.nan)
    table = mean_by(gap, np.where(kin[model], 0, 1), item, (2, len(evaluation.items)))
    pairs = all_pairs(table, units(evaluation))
    shift, low, high = (float(each[0, 1]) for each in (pairs.difference, pairs.low, pairs.high))
    if not np.isfinite([shift, low, high]).all():
        return None
    size = len(evaluation.models)
    n = np.bincount(model, minlength=size)
    first, second = (np.bincount(model, each, minlength=size) / np.where(n, n, np.nan) for each in (own, theirs))
    beats, trails = first[:, np.newaxis] > first, second[:, np.newaxis] < second
    moved = kin & (beats & trails & neutral).any(axis=1)
    names = tuple(name for name, is_moved in zip(evaluation.models, moved, strict=True) if is_moved)
    named = {name for name, is_kin in zip(evaluation.models, kin, strict=True) if is_kin}
    against = {name for name, is_neutral in zip(evaluation.models, neutral, strict=True) if is_neutral}
    carried = _carried(evaluation, judge, named, against)
    return _Preference(judge, tuple(each.name for each in others), shift, low, high, names, carried)


def _carried(evaluation: Evaluation, judge: str, kin: Collection[str], others: Collection[str]) -> tuple[str, ...]:
    """Models of a judge's family that surely lead one of the others, and without this judge do not."""
    if judge not in evaluation.judges or len(evaluation.judges) < 2:
        return ()
    leads, left = (_sure_leads(each) for each in (evaluation, evaluation.without_judge(judge)))
    return tuple(sorted({model for model, other in leads - left if model in kin and other in others}))


def _sure_leads(evaluation: Evaluation) -> set[tuple[str, str]]:
    placed = compare(evaluation).placed
    return {(one.model, other.model) for one in placed for other in placed if one.worst < other.best}


def _judges_of_others(evaluation: Evaluation) -> Iterator[_Judged]:
    """Judges of the same metric in the evaluations beside it."""
    for each in evaluation.beside:
        if each.metric == evaluation.metric and each.higher_is_better == evaluation.higher_is_better:
            yield from _judges(each)
