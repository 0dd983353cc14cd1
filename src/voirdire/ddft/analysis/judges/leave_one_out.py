"""What a study's results owe to each single judge: metrics and ranks with that judge left out.

Scores are made anew by the panel's own rule (`jury.consensus`), metrics by `ddft.profile`: nothing is defined twice.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from voirdire.data.json_values import as_object, as_plain
from voirdire.ddft.importing import JURY as PUBLISHED
from voirdire.ddft.judging import jury_kind
from voirdire.ddft.metric_labels import in_words
from voirdire.ddft.presets import preset_of
from voirdire.ddft.profile import profiles
from voirdire.ddft.published import JUDGES
from voirdire.ddft.thresholds import PAPER, Thresholds
from voirdire.ddft.won_by_silence import FEW_ANSWERED
from voirdire.jury import JuryRules, Weights, consensus
from voirdire.records import Verdict
from voirdire.runs import RunFolder
from voirdire.stats.ranks import kendall_tau
from voirdire.text.counting import listed

RANKED = ("CI_raw", "ER")
LEFT_OUT = (
    "Each column leaves one judge out: the judges who are left score every turn again by the same rule, and the values "
    "are computed from these scores. A value, or an order of the models, that changes much rests on that judge."
)
"""What a table of it shows, in words."""
_TURN = ["model", "concept", "level", "sample", "turn"]
_GIVEN = ["far", "sas", "no_claims", "stance", "unscored"]


class PanelSettings(NamedTuple):
    """Who judged a run, in the panel's order, and under which rules."""

    judges: tuple[str, ...]
    rules: JuryRules
    thresholds: Thresholds = PAPER
    """What the metrics of their scores count by."""

    def without(self, judge: str) -> PanelSettings:
        """The panel without one judge: the others keep their weights, and a quorum falls to their number."""
        place = self.judges.index(judge)
        others = self.judges[:place] + self.judges[place + 1 :]
        rule, quorum = self.rules.consensus, self.rules.quorum
        if isinstance(rule, Weights):
            rule = Weights(rule.far[:place] + rule.far[place + 1 :], rule.sas[:place] + rule.sas[place + 1 :])
        quorum = None if quorum is None else min(quorum, len(others))
        return self._replace(judges=others, rules=replace(self.rules, consensus=rule, quorum=quorum))


class Change(NamedTuple):
    """A metric of one model; `None` where undefined."""

    panel: float | None
    without: float | None

    @property
    def change(self) -> float | None:
        """Without the judge minus with all; `None` where either is undefined."""
        return None if self.panel is None or self.without is None else self.without - self.panel


_ROUNDING = 1e-9
"""Values that differ by less are equal."""


class Move(NamedTuple):
    """A model whose rank is another without the judge; rank 1 is the best, ties share their best rank."""

    model: str
    panel: int
    without: int
    tied: bool = False
    """Whether others share that rank without the judge."""


class RankChange(NamedTuple):
    """The order of the models by one metric, with all judges and without one."""

    tau: float | None
    """Kendall's tau-b of the two orders."""
    reason: str | None
    """Why there is no tau."""
    models: int
    """With a defined value in both."""
    moves: tuple[Move, ...]
    """Models that change places, best first."""
    seldom: tuple[str, ...] = ()
    """Models left out, since few or none of their answers claim anything: silence can win the metric."""

    @property
    def in_words(self) -> str:
        """What becomes of the order, as `order_changes` says it."""
        without = f"; left out, since silence can win it: {listed(self.seldom)}" if self.seldom else ""
        return self._order_in_words + without

    @property
    def _order_in_words(self) -> str:
        if self.tau is None:
            return f"there is no order to compare: {self.reason}"
        if not self.moves:
            return "the order of the models stays the same"
        moved = ", ".join(
            f"{move.model} from place {move.panel} to {'a tie at ' if move.tied else ''}{move.without}"
            for move in self.moves
        )
        return f"places change: {moved} (Kendall's tau {self.tau:z.2f}; 1 is the same order, -1 the reverse)"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The study without one judge."""

    judge: str
    metrics: dict[str, dict[str, Change]]
    """By model and metric."""
    ranks: dict[str, RankChange]
    """By metric of `RANKED`."""

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "judge": self.judge,
            "models": [
                {
                    "model": model,
                    "metrics": {name: as_object(each) | {"change": each.change} for name, each in of.items()},
                }
                for model, of in self.metrics.items()
            ],
            "ranks": {
                name: {
                    "tau": rank.tau,
                    "reason": rank.reason,
                    "models": rank.models,
                    "seldom": list(rank.seldom),
                    "moves": as_plain(rank.moves),
                }
                for name, rank in self.ranks.items()
            },
        }


def order_changes(left_out: Sequence[LeftOut], metric: str) -> list[str]:
    """What becomes of the order of the models without each judge, in sentences: one, where it is the same for all.

    Args:
        left_out: the study without each judge.
        metric: of `RANKED`.
    """
    changes = [each.ranks[metric].in_words for each in left_out]
    if len(set(changes)) == 1:
        return [f"Whichever judge is left out, {changes[0]}."]
    return [f"Without {each.judge}, {words}." for each, words in zip(left_out, changes, strict=True)]


def leave_one_judge_out(
    verdicts: pd.DataFrame, scores: pd.DataFrame, panel: PanelSettings, uneven: Collection[str] = ()
) -> list[LeftOut]:
    """Decide the scores again without each judge.

    The full panel is counted by the same rule, so that all that changes is the judge.

    Args:
        verdicts: of one jury, one row per turn and judge (`tables.VERDICT_COLUMNS`).
        scores: of the same jury, one row per turn asked, as `profiles` takes them: turns without verdicts are taken
            from here, and stay as they are.
        panel: the panel.
        uneven: the models that are judged unevenly so far, of which no figure can be told yet.

    Returns:
        One per judge, in the panel's order; empty for a single judge.
    """
    if len(panel.judges) < 2:
        return []
    judged_turns = JudgedTurns.from_tables(verdicts, scores)
    full = _metrics(judged_turns, panel, uneven)
    return [_left_out(judge, full, _metrics(judged_turns, panel.without(judge), uneven)) for judge in panel.judges]


class JudgedTurns(NamedTuple):
    """Scores and verdicts, read once for all panels that are to decide."""

    rows: list[dict[Any, Any]]
    """Of the scores."""
    verdicts: list[dict[str, Verdict] | None]
    """By judge, of the same turns; `None` where there are none."""

    @classmethod
    def from_tables(cls, verdicts: pd.DataFrame, scores: pd.DataFrame) -> JudgedTurns:
        """From the tables."""
        by_turn: dict[tuple[Any, ...], dict[str, Verdict]] = {}
        for row in verdicts.to_dict("records"):
            by_turn.setdefault(_turn_of(row), {})[row["judge"]] = _verdict(row)
        rows = scores[[*_TURN, *_GIVEN]].to_dict("records")
        return cls(rows, [by_turn.get(_turn_of(row)) for row in rows])

    def scores_of(self, panel: PanelSettings) -> pd.DataFrame:
        """The scores that a panel gives."""
        rows = [
            row if verdicts is None else row | _decision(verdicts, panel)
            for row, verdicts in zip(self.rows, self.verdicts, strict=True)
        ]
        return pd.DataFrame(rows, columns=[*_TURN, *_GIVEN])


def panel_settings_of(path: Path, jury: str) -> PanelSettings:
    """Who sat on a run's jury, and the rules they judged by.

    The published panel is in the paper's order, to which its weights belong (DDFT 4.4). Another imported panel, of
    which no rule is on record, is taken to have used the plain mean.
    """
    with RunFolder.open(path, read_only=True) as folder:
        judges = tuple(folder.journal.note_of("", 0, jury_kind(jury))["judges"])
        preset = preset_of(folder.manifest["preset"])
    rules = preset.jury
    if jury != PUBLISHED:
        return PanelSettings(judges, rules, preset.thresholds)
    if set(judges) == set(JUDGES):
        return PanelSettings(JUDGES, rules, preset.thresholds)
    return PanelSettings(judges, replace(rules, consensus="mean"), preset.thresholds)


def _left_out(judge: str, full: _Metrics, without: _Metrics) -> LeftOut:
    return LeftOut(
        judge,
        {
            model: {name: Change(value, without[model][name]) for name, value in of.items()}
            for model, of in full.items()
        },
        {name: _rank_change(name, full, without) for name in RANKED},
    )


_Metrics = Mapping[str, Mapping[str, float | None]]


def _metrics(judged_turns: JudgedTurns, panel: PanelSettings, uneven: Collection[str]) -> _Metrics:
    scores = judged_turns.scores_of(panel)
    model_profiles = profiles(scores, draws=0, thresholds=panel.thresholds)  # no bootstrap: plain values are wanted
    return {
        each.model: {name: None if each.model in uneven else value.value for name, value in each.metrics.items()}
        for each in model_profiles
    }


def _rank_change(name: str, full: _Metrics, without: _Metrics) -> RankChange:
    seldom = tuple(model for model in full if _seldom_answers(full[model]) or _seldom_answers(without[model]))
    pairs = {model: (full[model][name], without[model][name]) for model in full if model not in seldom}
    known = {model: (a, b) for model, (a, b) in pairs.items() if a is not None and b is not None}
    before, after = (_ranks([values[side] for values in known.values()]) for side in (0, 1))
    tied = [after.count(place) > 1 for place in after]
    moves = [Move(*move) for move in zip(known, before, after, tied, strict=True) if move[1] != move[2]]
    tau = _tau(before, after)
    reason = None if tau is not None else _why_no_tau(name, len(known))
    return RankChange(tau, reason, len(known), tuple(sorted(moves, key=lambda move: move.panel)), seldom)


def _seldom_answers(metrics: Mapping[str, float | None]) -> bool:
    """Whether a model takes no rank, as in a comparison: silence can win what `RANKED` names."""
    share = metrics["share_answered"]
    return share is not None and share < FEW_ANSWERED


def _ranks(values: Sequence[float]) -> list[int]:
    return [1 + sum(other > value + _ROUNDING for other in values) for value in values]


def _tau(before: list[int], after: list[int]) -> float | None:
    if len(before) < 2:
        return None
    tau = kendall_tau(before, after)
    return None if math.isnan(tau) else tau


def _why_no_tau(name: str, models: int) -> str:
    if models < 2:
        has = "no model has" if models == 0 else "only one model has"
        return f"{has} a value of {in_words(name)} with and without the judge"
    return f"all models tie on {in_words(name)}"


def _decision(verdicts: Mapping[str, Verdict], panel: PanelSettings) -> dict[str, Any]:
    size = len(panel.judges)
    present = [verdicts.get(judge, _absent(judge)) for judge in panel.judges]
    decision = consensus(present, panel_size=size, rules=panel.rules)
    return {name: getattr(decision, name) for name in _GIVEN}


def _absent(judge: str) -> Verdict:
    return Verdict(judge, None, None, missing="no verdict")


def _turn_of(row: Mapping[Any, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in _TURN)


def _verdict(row: Mapping[Any, Any]) -> Verdict:
    return Verdict(
        row["judge"],
        _known(row["far"]),
        _known(row["sas"]),
        no_claims=row["no_claims"] is True or row["no_claims"] is np.True_,
        stance=_known(row["stance"]),
        missing=_known(row["missing"]),
    )


def _known(value: Any) -> Any:
    return None if pd.isna(value) else value
