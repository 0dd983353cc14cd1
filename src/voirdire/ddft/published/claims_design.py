"""How the study was made: its grid, its questions, and the checks that the paper reports (DDFT 3, 4.1 to 4.5, B.1)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from voirdire.ddft._cells import Floats
from voirdire.ddft.published.claims import Claim, Found, compared, held, uncheckable
from voirdire.ddft.published.record import CELL, JUDGES
from voirdire.ddft.published.study import Study, jackknifed, mean, share

_SCORES = ("FAR", "SAS")
_ASKING = "by the rules of jury/clarification.py, which also count saying that nothing was given"


def claim_evaluations(study: Study) -> Claim:
    """How many turns there are."""
    return compared(study.said("evaluations"), Found(len(study.turns), "Rows of the release: one per turn."))


def claim_grid(study: Study) -> Claim:
    """The factors of the grid, and that it is full."""
    said, turns = study.said("grid"), study.turns
    sizes = [turns[name].nunique() for name in CELL]
    full = len(turns.drop_duplicates(CELL)) == sizes[0] * sizes[1] * sizes[2] * sizes[3] == len(turns)
    shown = " × ".join(map(str, sizes))
    found = Found(shown, "Distinct models, concepts, levels and turns; every combination stands there exactly once.")
    return held(said, full and shown == said.printed, found)


def claim_levels(study: Study) -> Claim:
    """The levels of the release."""
    said = study.said("levels")
    shown = ", ".join(f"{level:g}" for level in sorted(study.turns["level"].unique()))
    found = Found(shown, "Distinct levels in the release.")
    return held(said, shown == said.printed, found, why="What the models saw at a level is another claim.")


def claim_api_calls(study: Study) -> Claim:
    """How many calls the described protocol makes."""
    turns, judges = len(study.turns), len(JUDGES)
    least, most = turns * (2 + judges), turns * (2 + judges * len(_SCORES))
    definition = (
        f"Calls of the described grid: one for each of {turns:,} questions, one for each answer, and {judges} judges "
        "who give FAR and SAS in calls of their own (B.2, B.3)."
    )
    why = (
        f"With one call for both scores it is {least:,}. What the rest were (retries, the pilot, ten levels) "
        "is not said, and not in the release."
    )
    return compared(study.said("api-calls"), Found(most, definition), why=why)


def claim_api_cost(study: Study) -> Claim:
    """What it cost."""
    return uncheckable(study.said("api-cost"), "The release holds no token counts and no bills.")


def claim_duration(study: Study) -> Claim:
    """How long it took."""
    return uncheckable(study.said("duration"), "The release holds no times.")


def claim_annotation_cost(study: Study) -> Claim:
    """Arithmetic of the cost of human scores."""
    return compared(study.said("annotation-cost"), Found(len(study.turns) * 10, "Turns of the release times 10 USD."))


def claim_pilot_variance(study: Study) -> Claim:
    """The pilot's variance."""
    largest = 0.25  # of values in [0, 1]: half of them 0, half 1
    why = f"The pilot is not released. Taken literally it can't be: scores in [0, 1] vary by {largest} at most."
    return uncheckable(study.said("pilot-variance"), why)


def claim_reference_given(study: Study) -> Claim:
    """Who has the text does not ask which concept is meant."""
    first = study.turns[study.turns["turn"] == 1]
    at = {level: 100 * float(first.loc[first["level"] == level, "asks"].mean()) for level in (0.0, 1.0)}
    shown = f"{at[0.0]:.0f} % ask what is meant at c = 0, {at[1.0]:.0f} % at c = 1"
    definition = (
        f"Share of first answers that ask which concept or text is meant, {_ASKING}. The claim counts as reproduced "
        "where fewer ask at 0, where the text is said to be there, than at 1."
    )
    why = "The release holds no reference text either; whether an answer was given with one can be seen only by this."
    return held(study.said("reference-given"), at[0.0] < at[1.0], Found(shown, definition), why=why)


def claim_concept_named(study: Study) -> Claim:
    """Whether questions name what they ask about."""
    by_dialogue = study.turns.groupby(CELL[:3])["names_concept"].max().reset_index()
    asks = study.turns.loc[study.turns["turn"] == 1, "asks"]
    definition = "Share of dialogues of which any of the five questions names the concept (its name or an alias)."
    why = (
        f"{100 * asks.mean():.0f} % of first answers ask what is meant ({_ASKING}). What was measured is how models "
        "behave when asked about nothing in particular."
    )
    found = share(by_dialogue, by_dialogue["names_concept"] > 0, definition)
    return compared(study.said("concept-named"), found, why=why)


def claim_response_rate(study: Study) -> Claim:
    """Whether every turn has an answer."""
    found = share(study.turns, study.turns["answer_chars"] > 0, "Share of turns whose response is not empty.")
    return compared(study.said("response-rate"), found)


def claim_turn_1_answered(study: Study) -> Claim:
    """Whether first answers give a core idea."""
    return compared(study.said("turn-1-answered"), _not_asking(study, 1))


def claim_turn_3_answered(study: Study) -> Claim:
    """Whether third answers give a detail."""
    return compared(study.said("turn-3-answered"), _not_asking(study, 3))


def claim_trap_administered(study: Study) -> Claim:
    """Whether every dialogue has a turn 4."""
    return compared(study.said("trap-administered"), _asked(study, 4))


def claim_trap_unsignalled(study: Study) -> Claim:
    """Whether trap questions give themselves away."""
    trap = study.turns[study.turns["turn"] == 4]
    words = trap["giveaway"].str.lower()
    outright = 100 * float(trap["says_fictional"].mean())
    definition = "Share of turn 4's questions without a word that gives the trap away (data/lexicons/giveaways.txt)."
    why = f"{outright:.0f} % of the questions say outright fictional or fictitious."
    return compared(study.said("trap-unsignalled"), share(trap, words.isna() | (words == ""), definition), why=why)


def claim_trap_length(study: Study) -> Claim:
    """How long trap questions are."""
    trap = study.turns[study.turns["turn"] == 4]
    definition = "Share of turn 4's questions of fewer than 50 words, split at white space."
    over = 100 * float((trap["question_words"] > 50).mean())
    why = f"{over:.0f} % have more than 50 words; the longest has {trap['question_words'].max()}."
    return compared(study.said("trap-length"), share(trap, trap["question_words"] < 50, definition), why=why)


def claim_turn_5_asked(study: Study) -> Claim:
    """How often turn 5 was asked."""
    return compared(study.said("turn-5-asked"), _asked(study, 5), why="In 4.5 it depends on turn 4's FAR.")


def claim_turn_4_below_half(study: Study) -> Claim:
    """How often the condition of turn 5 held."""
    trap = study.scores[study.scores["turn"] == 4]
    below = 100 * float((trap["far"] < 0.6).mean())
    why = f"Below 0.6 lie {below:.1f} %."
    found = share(trap, trap["far"] < 0.5, "Share of turn 4's answers with a consensus FAR below 0.5.")
    return compared(study.said("turn-4-below-half"), found, why=why)


def claim_no_missing(study: Study) -> Claim:
    """Whether all evaluations are there."""
    judged = pd.DataFrame(np.hstack([study.judged("far"), study.judged("sas")]))
    lacking = judged.isna().any(axis=1).to_numpy() | study.turns["far"].isna().to_numpy()
    definition = "Turns without a consensus, or without a score of one of the three judges."
    why = (
        f"Without a consensus: {int(study.turns['far'].isna().sum())}. Judges' scores missing: "
        f"{int(np.isnan(study.judged('far')).sum())} FAR, {int(np.isnan(study.judged('sas')).sum())} SAS."
    )
    return compared(study.said("no-missing"), Found(int(lacking.sum()), definition), why=why)


def claim_no_truncation(study: Study) -> Claim:
    """How long responses are."""
    chars = study.turns["answer_chars"]
    why = f"{100 * (chars > 2000).mean():.0f} % are longer; the longest has {chars.max():,} characters."
    found = share(study.turns, chars < 2000, "Share of responses of fewer than 2,000 characters.")
    return compared(study.said("no-truncation"), found, why=why)


def claim_mean_sas(study: Study) -> Claim:
    """The mean of SAS."""
    definition = "Mean of the consensus SAS over all scored turns."
    return compared(study.said("mean-sas"), mean(study.scores, "sas", definition))


def claim_sd_sas(study: Study) -> Claim:
    """The standard deviation of SAS."""
    definition = "Standard deviation (n - 1) of the consensus SAS over all scored turns."
    sas = study.scores["sas"].to_numpy()
    centred = sas - np.nanmean(sas)  # what is subtracted changes nothing, and keeps the squares' sum exact
    parts = np.column_stack([centred, centred**2, ~np.isnan(sas)])
    return compared(study.said("sd-sas"), jackknifed(study.scores, parts, _standard_deviation, definition))


def _standard_deviation(sums: Floats) -> float:
    """Of n values, from their sum, their squares' sum, and n."""
    total, squares, n = sums
    return float(np.sqrt((squares - total**2 / n) / (n - 1)))


def _not_asking(study: Study, turn: int) -> Found:
    at = study.turns[study.turns["turn"] == turn]
    definition = f"At most the share of turn {turn}'s answers that do not ask what is meant, {_ASKING}."
    return share(at, at["asks"] == 0, definition)


def _asked(study: Study, turn: int) -> Found:
    at_turn = study.turns.assign(asked=study.turns["turn"] == turn)
    dialogues = at_turn.groupby(CELL[:3])["asked"].any().reset_index()
    return share(dialogues, dialogues["asked"], f"Share of dialogues that have a turn {turn}.")
