"""From verdicts to one consensus per turn; pure (docs/design.md, section 5; DDFT 4.4, appendix C)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from statistics import median

from voirdire.jury.settings import JuryRules, Weights
from voirdire.records import SCORE_DECIMALS, Consensus, Stance, Verdict
from voirdire.text.counting import counted


def consensus(verdicts: Sequence[Verdict], *, panel_size: int, rules: JuryRules) -> Consensus:
    """What the panel says of one turn.

    Present is a judge whose verdict is not missing and has what a verdict must have: a SAS, and a FAR or the finding
    that there are no claims. Then, over those present and never over anyone else:

    - fewer than the quorum: unscored, with the reason;
    - SAS: the mean, the weights renormalised over those present, or the median;
    - no_claims: more than half of those present say so. With the rule "null" FAR is then null;
    - FAR otherwise: the same over those who gave one. With the rule "null" whoever says that there are no
      claims is not among them; with "scored" everybody with a number is. Null where nobody gave one;
    - stance: what most of those who gave one say; questioned where two or three stances tie for most.

    Args:
        verdicts: one per judge, in the panel's order (the order matters to weights alone).
        panel_size: judges on the panel, absent ones included.
        rules: quorum, weights, and what becomes of answers without a claim.

    Raises:
        JuryError: the rules weigh another number of judges than the panel has.
        ValueError: there are more verdicts than judges, or, under weights, fewer.
    """
    _check_sizes(verdicts, panel_size, rules)
    weights = rules.weights(panel_size)
    combine = _median if rules.consensus == "median" else _mean
    present = [place for place, verdict in enumerate(verdicts) if _is_present(verdict)]
    if len(present) < rules.needed(panel_size):
        return unscored(_below_quorum(len(present), panel_size, rules), judges=len(present))
    no_claims = 2 * sum(verdicts[place].no_claims for place in present) > len(present)
    far = {
        place: verdicts[place].far for place in present if rules.no_claims == "scored" or not verdicts[place].no_claims
    }
    return Consensus(
        far=None if no_claims and rules.no_claims == "null" else combine(far, weights.far),
        sas=combine({place: verdicts[place].sas for place in present}, weights.sas),
        no_claims=no_claims,
        stance=_stance([verdicts[place] for place in present]),
        judges=len(present),
    )


def unscored(reason: str, *, judges: int = 0) -> Consensus:
    """The consensus on a turn that has no score."""
    return Consensus(far=None, sas=None, no_claims=False, stance=None, judges=judges, unscored=reason)


def _check_sizes(verdicts: Sequence[Verdict], panel_size: int, rules: JuryRules) -> None:
    if len(verdicts) > panel_size:
        raise ValueError(
            f"{len(verdicts)} verdicts were given for a panel of {panel_size}; give at most one per judge."
        )
    if isinstance(rules.consensus, Weights) and len(verdicts) < panel_size:
        raise ValueError(
            f"{counted(len(verdicts), 'verdict was', 'verdicts were')} given for a panel of {panel_size} weighted "
            "judges; give one per judge, missing ones included, in the panel's order."
        )


def _is_present(verdict: Verdict) -> bool:
    return verdict.missing is None and verdict.sas is not None and (verdict.far is not None or verdict.no_claims)


def _below_quorum(present: int, panel_size: int, rules: JuryRules) -> str:
    needed = counted(rules.needed(panel_size), "is", "are")
    return f"{present} of {counted(panel_size, 'judge')} gave a verdict, and {needed} needed"


def _mean(scores: dict[int, float | None], weights: Sequence[float]) -> float | None:
    given = {place: score for place, score in scores.items() if score is not None}
    if not given:
        return None
    total = math.fsum(weights[place] for place in given)
    mean = math.fsum(weights[place] * score for place, score in given.items()) / total
    return round(mean, SCORE_DECIMALS)


def _median(scores: dict[int, float | None], _: Sequence[float]) -> float | None:
    given = [score for score in scores.values() if score is not None]
    return round(median(given), SCORE_DECIMALS) if given else None


def _stance(present: Sequence[Verdict]) -> Stance | None:
    votes = Counter(verdict.stance for verdict in present if verdict.stance is not None)
    if not votes:
        return None
    (leader, most), *others = votes.most_common()
    return "questioned" if others and others[0][1] == most else leader
