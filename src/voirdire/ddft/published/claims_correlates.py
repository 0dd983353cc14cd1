"""What goes with the CI index across models: size, architecture, vendor, MMLU (DDFT abstract, Table 3, 8.2)."""

from __future__ import annotations

import math
from itertools import product
from typing import NamedTuple

import numpy as np

from voirdire.ddft._cells import Floats
from voirdire.ddft.published.claims import Claim, Found, compared, elsewise, held, uncheckable
from voirdire.ddft.published.paper import Statement
from voirdire.ddft.published.study import DRAWS, Study, percentiles
from voirdire.stats.association import exact_correlation, one_way_anova

_MMLU_MODELS = 6  # DDFT 8.2.2
_SMALL = 0.3
"""A correlation that calls itself absent should be shown to be smaller than this (Cohen's medium effect)."""


class _Labelling(NamedTuple):
    reasoning: tuple[str, ...]
    flags: Floats


def claim_parameters_r(study: Study) -> Claim:
    """The correlation with size."""
    stated = [each.model for each in study.paper.models if each.parameters_billion is not None]
    why = f"The paper states the size of {len(stated)} models only ({', '.join(stated)}), and no source."
    return uncheckable(study.said("parameters-r"), why)


def claim_parameters_p(study: Study) -> Claim:
    """That r and p agree."""
    r, n = study.said("parameters-r").numbers[0].value, len(study.models)
    definition = f"Two-sided p of r = {r} with n = {n}, from t with {n - 2} degrees of freedom. Arithmetic, not data."
    return compared(study.said("parameters-p"), Found(_p_of(r, n), definition))


def claim_parameters_interval(study: Study) -> Claim:
    """The interval of r."""
    low, high = _fisher(study.said("parameters-r").numbers[0].value, len(study.models))
    why = (
        "A bootstrap needs the parameter counts of all nine models. Fisher's z gives "
        f"{low:.2f} to {high:.2f} for this r and n = {len(study.models)}."
    )
    return uncheckable(study.said("parameters-interval"), why)


def claim_architecture_r(study: Study) -> Claim:
    """The correlation with architecture, under every labelling that the paper allows."""
    return _architecture(study, "architecture-r", "value")


def claim_architecture_p(study: Study) -> Claim:
    """Its p-value."""
    return _architecture(study, "architecture-p", "p")


def claim_architecture_interval(study: Study) -> Claim:
    """Its bootstrap interval."""
    said = study.said("architecture-interval")
    fitting = _fitting(study, study.said("architecture-r"))
    if len(fitting) != 1:
        return uncheckable(
            said, f"{len(fitting)} labellings of the models give the printed r; which it was is not said."
        )
    found = percentiles(_bootstrapped_r(fitting[0].flags, study.ci))
    low, high = said.numbers
    shown = "undefined" if found is None else f"{found[0]:.2f} to {found[1]:.2f}"
    same = found is not None and low.matches(found[0]) and high.matches(found[1])
    definition = (
        f"Percentiles of {DRAWS:,} bootstraps of the nine models, Pearson's r, reasoning-aligned being "
        f"{', '.join(fitting[0].reasoning)}; draws in which all models are of one kind are left out."
    )
    ends = _fisher(study.said("architecture-r").numbers[0].value, len(study.models))
    why = f"Fisher's z gives {ends[0]:.2f} to {ends[1]:.2f}."
    return held(said, same, Found(shown, definition), why=why)


def claim_null_stable(study: Study) -> Claim:
    """What nine models can show to be absent."""
    n = len(study.models)
    reach = [_fisher(study.said(claim).numbers[0].value, n) for claim in ("parameters-r", "architecture-r")]
    largest = max(abs(end) for ends in reach for end in ends)
    least = _least_significant(n)
    definition = (
        "The largest |r| in the 95 % intervals (Fisher's z) of the two printed correlations with n = 9; counted as "
        f"absence below {_SMALL}."
    )
    why = (
        f"With nine models only |r| above {least:.2f} is significant at 5 %. That a correlation was not found does not "
        "say that there is none."
    )
    return held(study.said("null-stable"), largest < _SMALL, Found(largest, definition), why=why)


def claim_vendor_f(study: Study) -> Claim:
    """ANOVA by vendor."""
    vendors = [each.vendor or "none named" for each in study.paper.models]
    with_oss = ["OpenAI" if each.model == "gpt-oss-120b" else each.vendor or "" for each in study.paper.models]
    apart, joined = (one_way_anova(study.ci, groups, draws=1) for groups in (vendors, with_oss))
    definition = (
        f"One-way ANOVA of the CI index by the vendor that 4.1 names (gpt-oss-120b, of which it names none, apart): "
        f"F({apart.df_between}, {apart.df_within})."
    )
    why = (
        f"With gpt-oss-120b counted as OpenAI's, F({joined.df_between}, {joined.df_within}) = {joined.F:.2f}, "
        f"p = {joined.p:.2f}. {joined.singletons} of the vendors have one model each; over all orders of the models p "
        f"is {apart.p_permutation:.2f} and {joined.p_permutation:.2f}."
    )
    other = Found(joined.F, "The same with gpt-oss-120b counted as OpenAI's.")
    return compared(study.said("vendor-f"), Found(apart.F, definition), other=other, why=why)


def claim_vendor_p(study: Study) -> Claim:
    """Whether F and p agree for any grouping of nine models."""
    from scipy import stats

    said, f, n = study.said("vendor-p"), study.said("vendor-f").numbers[0].value, len(study.models)
    by_df = {between: float(stats.f.sf(f, between, n - 1 - between)) for between in range(1, n - 1)}
    nearest = min(by_df, key=lambda between: abs(by_df[between] - said.numbers[0].value))
    definition = (
        f"p of F = {f} with {nearest} and {n - 1 - nearest} degrees of freedom: of all ways to group {n} models, the "
        "one whose p comes nearest. Arithmetic, not data."
    )
    groups = len({each.vendor for each in study.paper.models})
    why = (
        f"No grouping of {n} models gives this p with this F; the vendors of 4.1 make {groups} groups, {groups - 1} "
        f"and {n - groups} degrees of freedom, p = {by_df[groups - 1]:.3f}."
    )
    value = by_df[nearest]
    return compared(said, Found(value, definition), why="" if said.numbers[0].matches(value) else why)


def claim_mmlu_rho(study: Study) -> Claim:
    """The correlation with MMLU."""
    stated = [f"{each.model} {each.mmlu}" for each in study.paper.models if each.mmlu is not None]
    # Without ties rho = 1 - D/35 for six models, D an even number.
    below, above = sorted((1 - d / 35 for d in range(0, 71, 2)), key=lambda rho: abs(rho - _rho(study)))[:2]
    why = (
        f"The paper states two of six scores ({', '.join(stated)}) and does not say which six models. Without tied "
        f"scores six models can't give {_rho(study)}: the nearest values are {below:.3f} and {above:.3f}."
    )
    return uncheckable(study.said("mmlu-rho"), why)


def claim_mmlu_p(study: Study) -> Claim:
    """Whether rho and p agree."""
    rho = _rho(study)
    fitting = [n for n in range(4, 100) if study.said("mmlu-p").numbers[0].matches(_p_of(rho, n))]
    definition = (
        f"Two-sided p of rho = {rho} with n = {_MMLU_MODELS}, from t with {_MMLU_MODELS - 2} degrees of freedom. "
        "Arithmetic, not data."
    )
    why = f"A p of {study.said('mmlu-p').printed} goes with n = {' or '.join(map(str, fitting))}." if fitting else ""
    return compared(study.said("mmlu-p"), Found(_p_of(rho, _MMLU_MODELS), definition), why=why)


def _rho(study: Study) -> float:
    return study.said("mmlu-rho").numbers[0].value


def _architecture(study: Study, claim: str, statistic: str) -> Claim:
    said = study.said(claim)
    fitting = _fitting(study, study.said("architecture-r"))
    if not fitting:
        own = ", ".join(each.model for each in study.paper.models if each.architecture == "reasoning")
        why = f"The paper labels three models ({own} are reasoning-aligned); no labelling of the others gives this r."
        return held(said, False, Found("no labelling gives it", _labelling_definition(study)), why=why)
    found = exact_correlation(fitting[0].flags, study.ci, kind="pearson")
    p = f"p over all orders of nine models is {found.p:.3f}."
    sets = "; or ".join(", ".join(each.reasoning) for each in fitting)
    why = (
        f"Most labels are not printed. Labellings that agree with the text: {2 ** len(_unlabelled(study))}; with this "
        f"r: {len(fitting)} (reasoning-aligned {sets})."
    )
    value, interval = (found.value, (found.low, found.high)) if statistic == "value" else (found.p_asymptotic, None)
    shown = Found(value, _labelling_definition(study), interval, "Fisher's z, over the nine models")
    if not said.numbers[0].matches(value):
        return compared(said, shown, why=why)
    return elsewise(said, shown, f"{why} {p}" if statistic == "p" else why)


def _labelling_definition(study: Study) -> str:
    return (
        f"Pearson's r of the CI index with reasoning-aligned (1) or other (0) over {len(study.models)} models, under "
        "the labelling that gives the printed r; p from t."
    )


def _unlabelled(study: Study) -> list[str]:
    return [each.model for each in study.paper.models if each.architecture is None]


def _fitting(study: Study, said: Statement) -> list[_Labelling]:
    """Labellings of the models that agree with the text and give the printed r."""
    fixed = {each.model: float(each.architecture == "reasoning") for each in study.paper.models if each.architecture}
    unlabelled = _unlabelled(study)
    found = []
    for bits in product((0.0, 1.0), repeat=len(unlabelled)):
        labels = fixed | dict(zip(unlabelled, bits, strict=True))
        flags = np.array([labels[model] for model in study.models])
        if said.numbers[0].matches(float(np.corrcoef(flags, study.ci)[0, 1])):
            found.append(_Labelling(tuple(model for model in study.models if labels[model]), flags))
    return found


def _bootstrapped_r(x: Floats, y: Floats) -> Floats:
    drawn = np.random.default_rng(0).integers(0, len(x), (DRAWS, len(x)))
    a, b = (values[drawn] - values[drawn].mean(axis=1, keepdims=True) for values in (x, y))
    spread = np.sqrt((a**2).sum(axis=1) * (b**2).sum(axis=1))
    result: Floats = np.divide((a * b).sum(axis=1), spread, out=np.full(DRAWS, np.nan), where=spread > 1e-12)
    return result


def _p_of(r: float, n: int) -> float:
    from scipy import special

    return float(2 * special.stdtr(n - 2, -abs(r) * math.sqrt((n - 2) / (1 - r * r))))


def _least_significant(n: int) -> float:
    from scipy import special

    t = float(special.stdtrit(n - 2, 0.975))
    return t / math.sqrt(n - 2 + t * t)


def _fisher(r: float, n: int) -> tuple[float, float]:
    from scipy import special

    half = float(special.ndtri(0.975)) / math.sqrt(n - 3)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
