"""The published scores, and what several claims compute from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd

from voirdire.ddft.concept_sums import Cells, Floats, cells, checked, read_answers
from voirdire.ddft.metrics import measure, normalised
from voirdire.ddft.paper_index import Phenotype, phenotype
from voirdire.ddft.profile import Profile, profiles
from voirdire.ddft.published import JUDGES, scores_of
from voirdire.ddft.thresholds import PAPER
from voirdire.papers.claims import Result
from voirdire.papers.ddft.paper import Paper
from voirdire.stats.association import ExactCorrelation, exact_correlation
from voirdire.stats.intervals import Interval, clustered_share, jackknife_t, percentile, seeded_weights

DRAWS = 10_000
"""Of every bootstrap; the paper's abstract names the same number."""

TURNS = range(1, 6)

_SEED = 0

Score = Literal["far", "sas"]


@dataclass(frozen=True, eq=False)
class Study:
    """The published study and what its paper prints."""

    turns: pd.DataFrame
    """As `ddft.published.published_turns` gives it."""
    paper: Paper

    def printed(self, claim: str) -> float:
        """The first number that the paper prints for a claim."""
        return self.paper.claims[claim].number

    @property
    def models(self) -> tuple[str, ...]:
        """In the order of Table 2."""
        return tuple(each.model for each in self.paper.models)

    @cached_property
    def scores(self) -> pd.DataFrame:
        """The published consensus, as `profiles` takes it."""
        return checked(scores_of(self.turns))

    @cached_property
    def profiles(self) -> dict[str, Profile]:
        """By model, in the order of Table 2."""
        by_model = {profile.model: profile for profile in profiles(self.scores, draws=0)}
        return {model: by_model[model] for model in self.models}

    @cached_property
    def ci(self) -> Floats:
        """CI_raw of the models, in the order of Table 2."""
        return self.estimates()["CI_raw"]

    @cached_property
    def draws(self) -> dict[str, Floats]:
        """Every metric under a bootstrap of concepts, shape (models, draws); NaN where undefined."""
        return self.metrics(self.weights)

    @property
    def ci_draws(self) -> Floats:
        """CI_raw under a bootstrap of concepts, shape (models, draws); NaN where undefined."""
        return self.draws["CI_raw"]

    @cached_property
    def weights(self) -> Floats:
        """How often each concept stands in each bootstrap draw; shape (draws, concepts)."""
        return seeded_weights(self.scores["concept"].nunique(), DRAWS, _SEED)

    @cached_property
    def turn_correlations(self) -> dict[int, ExactCorrelation]:
        """Spearman's rho over the models of mean FAR at each turn and CI_raw."""
        return {turn: exact_correlation(self.far_at_turn(turn), self.ci, kind="spearman") for turn in TURNS}

    @cached_property
    def _published(self) -> list[Cells]:
        return self.cells(self.scores)

    def judged(self, score: Score, turns: pd.DataFrame | None = None) -> Floats:
        """The judges' scores, shape (turns, judges), NaN where missing; judges in the paper's order."""
        table = self.turns if turns is None else turns
        return table[[f"{score}_{judge}" for judge in JUDGES]].to_numpy()

    def cells(self, scores: pd.DataFrame, *, theta: float = PAPER.failed_level_far) -> list[Cells]:
        """Sums per concept of these scores, of every model in the order of Table 2."""
        bounds = replace(PAPER, failed_level_far=theta)
        return [cells(read_answers(scores[scores["model"] == model], bounds)) for model in self.models]

    def metrics(self, weights: Floats, cells: list[Cells] | None = None) -> dict[str, Floats]:
        """Every metric under these weights of the concepts, shape (models, draws).

        Args:
            weights: shape (draws, concepts).
            cells: the models' cells; by default those of the published scores.
        """
        by_model = [measure(cell, weights) for cell in (self._published if cells is None else cells)]
        return {name: np.array([values[name] for values in by_model]) for name in by_model[0]}

    def estimates(self, cells: list[Cells] | None = None) -> dict[str, Floats]:
        """Every metric of the models, shape (models,)."""
        once = np.ones((1, self.weights.shape[1]))
        return {name: values[:, 0] for name, values in self.metrics(once, cells).items()}

    def far_at_turn(self, turn: int) -> Floats:
        """Every model's mean FAR at a turn, in the order of Table 2."""
        at = self.scores[self.scores["turn"] == turn]
        return at.groupby("model")["far"].mean().reindex(list(self.models)).to_numpy()

    def labelled(self, label: str) -> list[str]:
        """The models that Table 2 gives this phenotype."""
        return [each.model for each in self.paper.models if each.phenotype == label]

    def relative_labels(self, ci: Floats) -> dict[str, Phenotype | None]:
        """Phenotypes by the min-max of these indices, which are in the order of Table 2."""
        norm = normalised(ci)
        return {
            model: phenotype(None if np.isnan(value) else float(value))
            for model, value in zip(self.models, norm, strict=True)
        }

    def labels(self, *, relative: bool) -> list[Phenotype | None]:
        """The models' phenotypes by CI_norm or by CI_raw."""
        indices = [each.paper_index for each in self.profiles.values()]
        return [index.phenotype_relative if relative else index.phenotype for index in indices]


def jackknifed(frame: pd.DataFrame, parts: Floats, statistic: Callable[[Floats], float]) -> Result:
    """A statistic of turns' sums, with its jackknife-t interval over the concepts.

    Leaving a concept out takes its sums from those of all turns, so that the work grows with the turns alone.

    Args:
        frame: the turns, with the column concept.
        parts: what is summed, shape (turns, parts); NaN counts as 0.
        statistic: of the parts' sums, shape (parts,).
    """
    sums = pd.DataFrame(parts).fillna(0.0).groupby(frame["concept"].to_numpy()).sum().to_numpy()
    total = sums.sum(axis=0)
    value = statistic(total)
    try:
        interval = jackknife_t(value, [statistic(total - own) for own in sums])
    except ValueError:  # no variance between concepts, or undefined without one of them
        interval = None
    return Result(value, interval, "jackknife")


def mean(turns: pd.DataFrame, column: str) -> Result:
    """The mean of a score in [0, 1] over turns, with its jackknife-t interval over the concepts, on the logit scale."""
    by_concept = turns.groupby("concept")[column]
    sums, counts = by_concept.sum().to_numpy(), by_concept.count().to_numpy()
    value = float(sums.sum() / counts.sum())
    left_out = (sums.sum() - sums) / (counts.sum() - counts)
    return Result(value, jackknife_t(value, left_out, scale="logit", trials=float(counts.sum())), "jackknife_logit")


def share(frame: pd.DataFrame, hits: pd.Series[bool]) -> Result:
    """The percentage of turns for which something holds, with an interval that takes concepts as clusters."""
    by_concept = hits.groupby(frame["concept"])
    interval = clustered_share(by_concept.sum().to_numpy(), by_concept.size().to_numpy())
    percent = interval._replace(low=100 * interval.low, high=100 * interval.high)
    return Result(100 * float(hits.mean()), percent, "clustered_share")


def percentiles(draws: Floats) -> Interval | None:
    """The middle 95 % of the defined draws, if there are any."""
    return None if np.isnan(draws).all() else percentile(draws)
