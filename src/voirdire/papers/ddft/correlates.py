"""What goes with the CI index across models: size, architecture, vendor, MMLU (DDFT abstract, Table 3, 8.2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from itertools import product
from typing import Literal, NamedTuple

import numpy as np

from voirdire.ddft.concept_sums import Floats
from voirdire.papers.claims import ClaimVerdict, Result, reproduced_if
from voirdire.papers.ddft.study import DRAWS, Study, percentiles
from voirdire.stats import special
from voirdire.stats.association import exact_correlation, one_way_anova
from voirdire.stats.intervals import Interval

_MMLU_MODELS = 6  # DDFT 8.2.2
_SMALL = 0.3
"""A correlation that calls itself absent should be shown to be smaller than this (Cohen's medium effect)."""


class _Labelling(NamedTuple):
    reasoning: tuple[str, ...]
    flags: Floats


def parameters_r(study: Study) -> Result:
    """The correlation with size: the paper states the size of few models."""
    listing = [each.model for each in study.paper.models if each.parameters_billion is not None]
    return Result(None, params={"count": len(listing), "stated": ", ".join(listing)})


def parameters_p(study: Study) -> Result:
    """That r and p agree."""
    r, n = study.printed("parameters-r"), len(study.models)
    return Result(_p_of(r, n), params={"r": r, "n": n, "df": n - 2})


def parameters_interval(study: Study) -> Result:
    """The interval of r: a bootstrap needs the sizes of all models, Fisher's z does not."""
    n = len(study.models)
    low, high = _fisher(study.printed("parameters-r"), n)
    return Result(None, params={"low": low, "high": high, "n": n})


def architecture(study: Study, statistic: Literal["r", "p"]) -> Result:
    """The correlation with architecture, under the first labelling of the models that gives the printed r."""
    fitting = _fitting(study)
    n = len(study.models)
    if not fitting:
        own = ", ".join(each.model for each in study.paper.models if each.architecture == "reasoning")
        result = Result("no labelling gives it", verdict=ClaimVerdict.NOT_REPRODUCED)
        return result.with_params("none_fits", labelled=own, models=n)
    rho = exact_correlation(fitting[0].flags, study.ci, kind="pearson")
    printed = study.paper.claims[f"architecture-{statistic}"].numbers[0]
    value = rho.value if statistic == "r" else rho.p_asymptotic
    interval = Interval(rho.low, rho.high, 0.95, "fisher-z") if statistic == "r" else None
    decided = ClaimVerdict.OTHER_DEFINITION if printed.matches(value) else ClaimVerdict.NOT_REPRODUCED
    return Result(value, interval, "fisher", verdict=decided).with_params(
        labellings=2 ** len(_unlabelled(study)),
        fitting=len(fitting),
        reasoning="; or ".join(", ".join(each.reasoning) for each in fitting),
        exact=rho.p,
        models=n,
    )


def architecture_interval(study: Study) -> Result:
    """Its bootstrap interval; draws in which all models are of one kind are left out."""
    fitting = _fitting(study)
    if len(fitting) != 1:
        return Result(None, note="not_one", params={"fitting": len(fitting)})
    resampled = percentiles(_bootstrapped_r(fitting[0].flags, study.ci))
    low, high = _fisher(study.printed("architecture-r"), len(study.models))
    result = Result(float("nan") if resampled is None else (resampled.low, resampled.high))
    return result.with_params(draws=DRAWS, reasoning=", ".join(fitting[0].reasoning), low=low, high=high)


def null_stable(study: Study) -> Result:
    """What nine models can show to be absent: the largest |r| in the intervals of the two printed correlations."""
    n = len(study.models)
    reach = [_fisher(study.printed(claim), n) for claim in ("parameters-r", "architecture-r")]
    largest = max(abs(end) for both in reach for end in both)
    params = {"n": n, "small": _SMALL, "least": _least_significant(n)}
    return Result(largest, verdict=reproduced_if(largest < _SMALL), params=params)


def vendor_f(study: Study) -> Result:
    """ANOVA by vendor; gpt-oss-120b, of which the paper names none, alone or with OpenAI's."""
    vendors = [each.vendor or "none named" for each in study.paper.models]
    with_oss = ["OpenAI" if each.model == "gpt-oss-120b" else each.vendor or "" for each in study.paper.models]
    apart, with_openai = (one_way_anova(study.ci, groups, draws=1) for groups in (vendors, with_oss))
    params = {
        "between": apart.df_between,
        "within": apart.df_within,
        "joined_between": with_openai.df_between,
        "joined_within": with_openai.df_within,
        "joined_f": with_openai.F,
        "joined_p": with_openai.p,
        "singletons": with_openai.singletons,
        "exact": apart.p_permutation,
        "joined_exact": with_openai.p_permutation,
    }
    return Result(apart.F, params=params, others=(Result(with_openai.F, definition="joined"),))


def vendor_p(study: Study) -> Result:
    """Whether F and p agree for any grouping of nine models: the p that comes nearest."""
    f, n, printed = study.printed("vendor-f"), len(study.models), study.printed("vendor-p")
    by_df = {between: float(special.fdtrc(between, n - 1 - between, f)) for between in range(1, n - 1)}
    nearest = min(by_df, key=lambda between: abs(by_df[between] - printed))
    groups = len({each.vendor for each in study.paper.models})
    params = {
        "f": f,
        "between": nearest,
        "within": n - 1 - nearest,
        "models": n,
        "groups": groups,
        "groups_between": groups - 1,
        "groups_within": n - groups,
        "groups_p": by_df[groups - 1],
    }
    return Result(by_df[nearest], params=params)


def mmlu_rho(study: Study) -> Result:
    """The correlation with MMLU: two of six scores are stated, and no six models without ties give the printed rho."""
    rho = study.printed("mmlu-rho")
    listing = ", ".join(f"{each.model} {each.mmlu}" for each in study.paper.models if each.mmlu is not None)
    # Without ties rho = 1 - D/35 for six models, D an even number.
    below, above = sorted((1 - d / 35 for d in range(0, 71, 2)), key=lambda possible: abs(possible - rho))[:2]
    return Result(None, params={"stated": listing, "rho": rho, "below": below, "above": above})


def mmlu_p(study: Study) -> Result:
    """Whether rho and p agree."""
    rho, printed = study.printed("mmlu-rho"), study.paper.claims["mmlu-p"]
    fitting = [str(n) for n in range(4, 100) if printed.numbers[0].matches(_p_of(rho, n))]
    result = Result(_p_of(rho, _MMLU_MODELS))
    return result.with_params(
        "note" if fitting else "",
        rho=rho,
        n=_MMLU_MODELS,
        df=_MMLU_MODELS - 2,
        printed=printed.printed,
        fitting=" or ".join(fitting),
    )


def _unlabelled(study: Study) -> list[str]:
    return [each.model for each in study.paper.models if each.architecture is None]


def _fitting(study: Study) -> list[_Labelling]:
    """Labellings of the models that agree with the text and give the printed r."""
    printed = study.paper.claims["architecture-r"].numbers[0]
    fixed = {each.model: float(each.architecture == "reasoning") for each in study.paper.models if each.architecture}
    unlabelled = _unlabelled(study)
    fitting = []
    for bits in product((0.0, 1.0), repeat=len(unlabelled)):
        labels = fixed | dict(zip(unlabelled, bits, strict=True))
        flags = np.array([labels[model] for model in study.models])
        if printed.matches(float(np.corrcoef(flags, study.ci)[0, 1])):
            fitting.append(_Labelling(tuple(model for model in study.models if labels[model]), flags))
    return fitting


def _bootstrapped_r(x: Floats, y: Floats) -> Floats:
    resampled = np.random.default_rng(0).integers(0, len(x), (DRAWS, len(x)))
    a, b = (values[resampled] - values[resampled].mean(axis=1, keepdims=True) for values in (x, y))
    spread = np.sqrt((a**2).sum(axis=1) * (b**2).sum(axis=1))
    result: Floats = np.divide((a * b).sum(axis=1), spread, out=np.full(DRAWS, np.nan), where=spread > 1e-12)
    return result


def _p_of(r: float, n: int) -> float:
    """Two-sided p of a correlation, from t."""
    return float(2 * special.stdtr(n - 2, -abs(r) * math.sqrt((n - 2) / (1 - r * r))))


def _least_significant(n: int) -> float:
    """The least |r| that is significant at 5 %."""
    t = float(special.stdtrit(n - 2, 0.975))
    return t / math.sqrt(n - 2 + t * t)


def _fisher(r: float, n: int) -> tuple[float, float]:
    """The 95 % interval of a correlation by Fisher's z."""
    half = float(special.ndtri(0.975)) / math.sqrt(n - 3)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


RESULTS: Mapping[str, Callable[[Study], Result]] = {
    "parameters-r": parameters_r,
    "parameters-p": parameters_p,
    "parameters-interval": parameters_interval,
    "architecture-r": partial(architecture, statistic="r"),
    "architecture-p": partial(architecture, statistic="p"),
    "architecture-interval": architecture_interval,
    "null-stable": null_stable,
    "vendor-f": vendor_f,
    "vendor-p": vendor_p,
    "mmlu-rho": mmlu_rho,
    "mmlu-p": mmlu_p,
}
