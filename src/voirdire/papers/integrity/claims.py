"""What the trials' own publication states of them, put to the trials.

Several documents print a number for one statement, and do not always agree. Each printed number is a claim: reproduced
when the quantity that explains the rest of the publication rounds to it, else perhaps by another quantity.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial

from voirdire.data import packaged_files
from voirdire.integrity.records import IntegrityError
from voirdire.integrity.trials import Treatment
from voirdire.papers.claims import Claim, ClaimOutcome, ClaimVerdict, Result, bind, check_claims, read_claims
from voirdire.papers.integrity.agreement import Agreement
from voirdire.papers.integrity.study import INTEGRITY, OVERALL, TrialsStudy
from voirdire.papers.integrity.variance import INTERACTION

Quantities = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of the publication, with a claim for each number that was printed for it."""

    id: str
    says: str
    definition: str
    """Which computation gives what was printed, and what is to be known of it."""
    claims: tuple[Claim[TrialsStudy], ...]


@dataclass(frozen=True, slots=True)
class CheckedStatement:
    """A statement with what its numbers are."""

    statement: Statement
    outcomes: tuple[ClaimOutcome[TrialsStudy], ...]

    @property
    def reproduces(self) -> bool | str:
        """`True` or `False`, or which of the printed numbers do."""
        reproduced = [each.claim.printed for each in self.outcomes if each.verdict is ClaimVerdict.REPRODUCED]
        if len(reproduced) in (0, len(self.outcomes)):
            return bool(reproduced)
        return f"{', '.join(reproduced)} only"


@cache
def load_statements() -> tuple[str, tuple[Statement, ...]]:
    """What stands in the source of the trials that it is about, and what their publication states."""
    source = packaged_files.read_yaml("published/integrity_trials.yaml")
    statements = []
    for entry in source["statements"]:
        printed = {f"{entry['id']}-{place}": each for place, each in enumerate(entry["printed"], start=1)}
        claims = read_claims(
            "integrity_trials",
            {
                "claims": [
                    {"id": name, "section": each["where"], "claim": entry["claim"], "printed": each["number"]}
                    for name, each in printed.items()
                ],
                "words": {},
            },
        )
        functions = {
            name: partial(compute, statement=entry["id"], quantity=each["quantity"]) for name, each in printed.items()
        }
        bound = tuple(bind(claims, functions))
        statements.append(Statement(entry["id"], entry["claim"], entry["definition"], bound))
    return source["publication"], tuple(statements)


def check_statements(study: TrialsStudy) -> tuple[CheckedStatement, ...]:
    """Every statement of the publication; none for trials of another source.

    Raises:
        IntegrityError: the trials lack a rubric or dimension that was published.
    """
    publication, statements = load_statements()
    if publication not in study.trials.source:
        return ()
    return tuple(CheckedStatement(each, check_claims(each.claims, study)) for each in statements)


def compute(study: TrialsStudy, statement: str, quantity: str) -> Result:
    """The quantity that a printed number should be, and the others that it could be the rounding of."""
    values = quantities(study, statement)
    own = values.get(quantity)
    others = tuple(Result(value, definition=name) for name, value in values.items() if value is not None)
    return Result(math.nan if own is None else own, definition=quantity, others=others)


def matching_quantity(outcome: ClaimOutcome[TrialsStudy]) -> str | None:
    """Which computed quantity the printed number is the rounding of; `None` where none is."""
    return None if outcome.verdict is ClaimVerdict.NOT_REPRODUCED else outcome.result.definition


def quantities(study: TrialsStudy, statement: str) -> Quantities:
    """By name, what a statement's numbers could be roundings of; the likeliest first."""
    if statement in ("likert_icc", "likert_icc_k"):
        icc = scored(study, "likert", OVERALL).two_way
        return {
            "ICC(3,1) overall_score": icc.icc_3_1.value,
            "ICC(2,1) overall_score": icc.icc_2_1.value,
            "ICC(3,k) overall_score": icc.icc_3_k.value,
            "ICC(2,k) overall_score": icc.icc_2_k.value,
        }
    if statement == "binary_icc":
        return _binary(study)
    if statement == "ternary_icc":
        return _ternary(study)
    if statement == "dimensions":
        pooled = study.dimensions.pooled
        return {"pooled r": pooled.r, "pooled low": pooled.low, "pooled high": pooled.high}
    if statement == "interaction":
        term = study.variance.plain[OVERALL].terms[INTERACTION]
        return {"F": term.F, "df": term.df, "p": term.p, "eta_sq": term.eta_squared}
    change = study.deltas[OVERALL].all
    return {"t": change.t, "p": change.p, "mean_delta": change.mean, "-t": -change.t}


def scored(study: TrialsStudy, rubric: str, dimension: str, treatment: Treatment = "published") -> Agreement:
    """Agreement on a dimension that was published.

    Raises:
        IntegrityError: these trials have no such scores.
    """
    agreement = study.agreement(rubric, dimension, treatment)
    if agreement is None:
        raise IntegrityError(f"The claims are about scores of {dimension} under {rubric}; these trials have none.")
    return agreement


def _binary(study: TrialsStudy) -> Quantities:
    overall, integrity = (scored(study, "binary", dimension) for dimension in (OVERALL, INTEGRITY))
    pairs = "n pairs defined" + (f" ({', '.join(overall.constant)} constant)" if overall.constant else "")
    return {
        "ICC(3,1) overall_score": overall.two_way.icc_3_1.value,
        "ICC(3,1) epistemic_integrity": integrity.two_way.icc_3_1.value,
        "mean pairwise Pearson r overall": overall.mean_pairwise_pearson,
        "mean pairwise Pearson r EI": integrity.mean_pairwise_pearson,
        pairs: overall.pairs_defined,
    }


def _ternary(study: TrialsStudy) -> Quantities:
    overall, integrity = (scored(study, "ternary", dimension) for dimension in (OVERALL, INTEGRITY))
    recovered = {
        dimension: scored(study, "ternary", dimension, "recovered").two_way for dimension in (OVERALL, INTEGRITY)
    }
    return {
        "ICC(3,1) overall_score": overall.two_way.icc_3_1.value,
        "same, parse failure recovered": recovered[OVERALL].icc_3_1.value,
        "ICC(3,1) epistemic_integrity": integrity.two_way.icc_3_1.value,
        "EI recovered": recovered[INTEGRITY].icc_3_1.value,
        "ICC(2,1) EI": integrity.two_way.icc_2_1.value,
    }
