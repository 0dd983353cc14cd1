"""What the paper reads from the scores: danger zone, compression, domains, examples (DDFT 6.3, 8.2.3, 8.2.4, 4.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from voirdire.ddft._cells import COLLAPSE_SAS, DANGER_FAR, DANGER_SAS, Floats
from voirdire.ddft.published.claims import Claim, Found, compared, held
from voirdire.ddft.published.paper import PublishedModel
from voirdire.ddft.published.study import Study, jackknifed, mean, share
from voirdire.records import SCORE_DECIMALS
from voirdire.stats.association import Anova, one_way_anova

_DANGER = "Turns with SAS > 0.7 and FAR < 0.7, in percent of turns asked"


def claims_danger_zone(study: Study) -> list[Claim]:
    """A claim per model's danger-zone rate."""
    return [_danger_of(study, model) for model in study.paper.models]


def claim_p1_universal(study: Study) -> Claim:
    """Whether all models have fluent and wrong answers."""
    having = [model for model, found in study.profiles.items() if found.danger_zone_pct]
    return compared(study.said("p1-universal"), Found(len(having), f"Models with a rate above 0. {_DANGER}."))


def claim_p1_robust_lower(study: Study) -> Claim:
    """Which group has the higher rate."""
    robust, brittle = (_group_rate(study, label) for label in ("Robust", "Brittle"))
    relation = "lower" if robust < brittle else "higher"
    found = Found(
        f"{robust:.2f} % {relation} than {brittle:.2f} %",
        f"Mean rates of the printed groups. {_DANGER}, model by model.",
    )
    why = "8.2.3 reads the same two numbers the other way round, as an inverted pattern."
    return held(study.said("p1-robust-lower"), robust < brittle, found, why=why)


def claim_danger_robust(study: Study) -> Claim:
    """The group's rate."""
    return _danger_group(study, "danger-robust", "Robust")


def claim_danger_competent(study: Study) -> Claim:
    """The group's rate."""
    return _danger_group(study, "danger-competent", "Competent")


def claim_danger_brittle(study: Study) -> Claim:
    """The group's rate."""
    return _danger_group(study, "danger-brittle", "Brittle")


def claim_coupled_collapse(study: Study) -> Claim:
    """Whether incoherent answers of Brittle models are inaccurate."""
    turns = study.scores[study.scores["model"].isin(study.labelled("Brittle"))]
    incoherent = turns[turns["sas"] < COLLAPSE_SAS]
    definition = "Of the Brittle models' turns with SAS < 0.5, the percentage with FAR < 0.7; above 50 it counts as so."
    found = share(incoherent, incoherent["far"] < DANGER_FAR, definition)
    why = (
        f"That is {(incoherent['far'] < DANGER_FAR).sum()} of {len(incoherent)} turns; the mean FAR of these answers "
        f"is {incoherent['far'].mean():.2f}."
    )
    return held(study.said("coupled-collapse"), isinstance(found.value, float) and found.value > 50, found, why=why)


def claim_p2_sas_at_0(study: Study) -> Claim:
    """SAS with the reference said to be there."""
    return compared(study.said("p2-sas-at-0"), _mean(study, "sas", level=0.0))


def claim_p2_sas_at_1(study: Study) -> Claim:
    """SAS without it."""
    return compared(study.said("p2-sas-at-1"), _mean(study, "sas", level=1.0))


def claim_p2_far_falls(study: Study) -> Claim:
    """Whether FAR falls with compression."""
    found = jackknifed(
        study.scores,
        _at_the_ends(study, "far"),
        _change,
        "Mean FAR of all turns at compression 1 less that at 0.",
    )
    levels = study.scores.groupby("level")["far"].mean()
    why = "Mean FAR by level: " + ", ".join(f"{far:.2f} at {level:g}" for level, far in levels.items()) + "."
    return held(study.said("p2-far-falls"), isinstance(found.value, float) and found.value < 0, found, why=why)


def claim_p2_verifier_first(study: Study) -> Claim:
    """Whether FAR falls more than SAS."""
    found = jackknifed(
        study.scores,
        np.hstack([_at_the_ends(study, score) for score in ("far", "sas")]),
        lambda sums: _change(sums[:4]) - _change(sums[4:]),
        "(Mean FAR at compression 1 less that at 0) less (mean SAS at 1 less that at 0), all turns.",
    )
    changes = {score: _change(np.nansum(_at_the_ends(study, score), axis=0)) for score in ("far", "sas")}
    why = f"FAR changes by {changes['far']:+.3f}, SAS by {changes['sas']:+.3f}."
    holds = isinstance(found.value, float) and found.value < 0 and changes["far"] < 0
    return held(study.said("p2-verifier-first"), holds, found, why=why)


def claims_p4(study: Study) -> list[Claim]:
    """ANOVA by concept: of the CI index per model and concept, as the text has it, and of FAR, as printed."""
    scores, k = study.scores, study.weights.shape[1]
    ci = study.measured(np.eye(k))["CI_raw"]
    dialogues = scores.groupby(["model", "concept", "level"], as_index=False)["far"].mean()
    by_text = one_way_anova(ci.ravel(), np.tile(np.arange(k), len(ci)), draws=1)
    by_turn = one_way_anova(scores["far"], scores["concept"], draws=1)
    by_dialogue = one_way_anova(dialogues["far"], dialogues["concept"], draws=1)
    text = (
        f"One-way ANOVA by concept of the CI index per model and concept ({int(np.isnan(ci).sum())} of {ci.size} have "
        f"no FAR'): {_summary(by_text)}."
    )
    turn = (
        f"One-way ANOVA by concept of FAR, {by_turn.n:,} turns of all models taken as independent: {_summary(by_turn)}."
    )
    why = f"On mean FAR per dialogue it is {_summary(by_dialogue)}. No question named the concept (concept-named)."
    claims = {"p4-anova-f": "F", "p4-anova-p": "p", "p4-anova-eta": "eta_squared"}
    return [
        compared(
            study.said(claim),
            Found(float(getattr(by_text, statistic)), text),
            other=Found(float(getattr(by_turn, statistic)), turn),
            why=why,
        )
        for claim, statistic in claims.items()
    ]


def claim_haiku_sas(study: Study) -> Claim:
    """The example of a coupled collapse."""
    return compared(study.said("haiku-sas"), _mean(study, "sas", level=0.75, model="claude-haiku-4-5"))


def claim_haiku_far(study: Study) -> Claim:
    """The example of a coupled collapse."""
    return compared(study.said("haiku-far"), _mean(study, "far", level=0.75, model="claude-haiku-4-5"))


def claim_o4_mini_sas(study: Study) -> Claim:
    """The example of a selective failure."""
    return compared(study.said("o4-mini-sas"), _mean(study, "sas", level=1.0, model="o4-mini"))


def claim_o4_mini_far(study: Study) -> Claim:
    """The example of a selective failure."""
    return compared(study.said("o4-mini-far"), _mean(study, "far", level=1.0, model="o4-mini"))


def _danger_of(study: Study, model: PublishedModel) -> Claim:
    return compared(study.said(f"danger-zone-{model.model.lower()}"), _danger(study, [model.model], f"{_DANGER}."))


def _danger(study: Study, models: Sequence[str], definition: str) -> Found:
    """Of all turns asked, as the paper counts: a turn without a consensus is not in the zone."""
    turns = study.scores[study.scores["model"].isin(models)]
    scores = turns[["far", "sas"]].round(SCORE_DECIMALS)
    return share(turns, (scores["sas"] > DANGER_SAS) & (scores["far"] < DANGER_FAR), definition)


def _group_rate(study: Study, label: str) -> float:
    return float(np.mean([_danger(study, [model], "").value for model in study.labelled(label)]))


def _danger_group(study: Study, claim: str, label: str) -> Claim:
    definition = f"Mean of the rates of the models that Table 2 labels {label}. {_DANGER}."
    found = _danger(study, study.labelled(label), definition)
    return compared(study.said(claim), found._replace(value=_group_rate(study, label)))


def _mean(study: Study, score: str, *, level: float, model: str | None = None) -> Found:
    kept = study.scores[study.scores["level"] == level]
    if model is not None:
        kept = kept[kept["model"] == model]
    definition = f"Mean consensus {score.upper()} of the {len(kept)} turns at this level, unweighted."
    return mean(kept, score, definition)


def _at_the_ends(study: Study, score: str) -> Floats:
    """Each turn's score at compression 0 and at 1, and whether it has one there; shape (turns, 4)."""
    ends = [study.scores[score].where(study.scores["level"] == level).to_numpy() for level in (0.0, 1.0)]
    return np.column_stack([*ends, *(~np.isnan(end) for end in ends)])


def _change(sums: Floats) -> float:
    """The mean at compression 1 less that at 0, from the sums of `_at_the_ends`."""
    return float(sums[1] / sums[3] - sums[0] / sums[2])


def _summary(found: Anova) -> str:
    return (
        f"F({found.df_between}, {found.df_within}) = {found.F:.2f}, p = {found.p:.2f}, eta² = {found.eta_squared:.3f}"
    )
