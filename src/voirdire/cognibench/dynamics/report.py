"""All analyses of a data set at once (CogniBench 4.2 to 4.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from voirdire.cognibench.dynamics.estimates import (
    UNKNOWN_MODEL,
    DynamicsEstimate,
    Rows,
    pool_answers,
    read_data_sets,
    rows_of,
)
from voirdire.cognibench.dynamics.figures import (
    LEAST_COMPARED,
    Basics,
    Coverage,
    DataSet,
    Difference,
    Predict,
    basics,
    compare_datasets,
    compare_models,
    coverage,
    times_more_often,
)
from voirdire.cognibench.dynamics.strata import (
    Sampling,
    Stratum,
    by_model,
    by_place,
    by_topic,
    by_turn,
    sampling,
    trends,
    whole_data_set,
)
from voirdire.cognibench.formats import Reading
from voirdire.cognibench.labelling.summary import LabelSummary, summary_of_run
from voirdire.cognibench.records import CognibenchError
from voirdire.data.json_values import as_plain
from voirdire.detectors.records import Answer, Label, Require
from voirdire.reason_codes import Reason, declare, reason
from voirdire.text.counting import counted

INTERVALS = (
    "Intervals are 95 %: t over groups (whatever shares a context), by leaving out one group at a time; shares on the "
    'logit scale, averages and ratios on the log scale. "exact": all hit or none, binomial over statements taken as '
    "independent, which is too short. None with fewer than three groups."
)

declare(
    {
        "few_compared": "hallucinated are {cognitive_hits} of {cognitive:count cognitive statement} and {factual_hits} "
        "of {factual:count factual one}, and {needed} of each are needed"
    }
)


@dataclass(frozen=True, slots=True)
class Dynamics:
    """What a data set, or several pooled, show of cognitive and factual statements."""

    require: Require
    basics: Basics
    """Of all responses, labelled or not."""
    labelled_basics: Basics
    """Of the responses that have labels; all that follows is of these."""
    shares: Stratum
    times_more_often: DynamicsEstimate
    """The cognitive hallucination rate over the factual one; undefined where `not_compared` says why."""
    by_turn: list[Stratum]
    trends: dict[str, DynamicsEstimate]
    """Change from one turn to the next."""
    by_position: list[Stratum]
    by_topic: list[Stratum]
    coverage: Coverage
    by_model: list[Stratum]
    differences: list[Difference]
    datasets: list[DataSet]
    sampling: Sampling
    cautions: list[str]

    @property
    def not_compared(self) -> Reason | None:
        """Why the cognitive hallucination rate is not divided by the factual one."""
        cognitive, factual = (self.shares.hallucination[kind] for kind in ("cognitive", "factual"))
        if min(cognitive.n, factual.n) >= LEAST_COMPARED:
            return None
        return reason(
            "few_compared",
            cognitive_hits=int(cognitive.hits or 0),
            cognitive=cognitive.n,
            factual_hits=int(factual.hits or 0),
            factual=factual.n,
            needed=LEAST_COMPARED,
        )

    def require_part(self, by: str) -> None:
        """Make sure that the data can be cut this way.

        Raises:
            CognibenchError: they name no topics.
        """
        if by == "topic" and not self.by_topic:
            raise CognibenchError("None of the labelled answers names a topic, so there is nothing to show by topic.")

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values that JSON can hold: `None` for what is undefined, never NaN."""
        return {
            "require": self.require,
            "basics": self.basics.as_dict(),
            "labelled_basics": self.labelled_basics.as_dict(),
            "shares": self.shares.as_dict()
            | {"times_more_often": self.times_more_often.as_dict() | {"why": as_plain(self.not_compared)}},
            "by_turn": as_plain(self.by_turn),
            "change_per_turn": as_plain(self.trends),
            "by_position": as_plain(self.by_position),
            "by_topic": as_plain(self.by_topic),
            "topics": self.coverage.as_dict(),
            "by_model": as_plain(self.by_model),
            "models_compared": as_plain(self.differences),
            "datasets": as_plain(self.datasets),
            "sampling": self.sampling.as_dict(),
            "cautions": self.cautions,
            "intervals": INTERVALS,
        }


def examine(
    sets: Mapping[str, Sequence[Answer]],
    *,
    require: Require = "grounded",
    predict: Predict | None = None,
    runs: Sequence[LabelSummary] = (),
) -> Dynamics:
    """Analyse one data set, or several: pooled, and side by side.

    Args:
        sets: answers by the data set's name.
        require: what a cognitive statement must be.
        predict: the type classifier for sets without labels; the packaged one by default.
        runs: the labelling runs that are among the sets: what their labels lack.

    Raises:
        CognibenchError: no statement of any set is labelled.
    """
    answers = pool_answers(sets)
    rows = rows_of(answers, require, frozenset[Label]().union(*(run.undefined_labels for run in runs)))
    turns = sampling(answers, require)
    return Dynamics(
        require=require,
        basics=basics(answers),
        labelled_basics=basics([answer for answer in answers if answer.labelled]),
        shares=whole_data_set(rows),
        times_more_often=times_more_often(rows),
        by_turn=by_turn(rows),
        trends=trends(rows),
        by_position=by_place(rows),
        by_topic=by_topic(rows),
        coverage=coverage(answers),
        by_model=by_model(rows),
        differences=compare_models(rows),
        datasets=compare_datasets(sets, predict),
        sampling=turns,
        cautions=_cautions(sets, rows, turns),
    )


def examine_files(paths: Sequence[Path], require: Require = "grounded") -> Dynamics:
    """Analyse the data sets in files and folders; the cautions say what they lack.

    Raises:
        CognibenchError: as for `examine` and `read_data_sets`.
    """
    runs = [run for path in paths if (run := summary_of_run(path)) is not None]
    data_sets = read_data_sets(paths)
    sets = {name: data_set.answers for name, data_set in data_sets.items()}
    whole = Reading(
        list(chain.from_iterable(sets.values())),
        tuple(
            problem
            for data_set in data_sets.values()
            for problem in data_set.problems
            if not (runs and problem.kind == "no label")
        ),
    )
    try:
        dynamics = examine(sets, require=require, runs=runs)
    except CognibenchError as error:
        raise CognibenchError(" ".join([str(error), *whole.cautions])) from None
    warnings = [*dict.fromkeys(warning for run in runs for warning in run.warnings), *whole.cautions]
    return replace(dynamics, cautions=[*warnings, *dynamics.cautions])


def _cautions(sets: Mapping[str, Sequence[Answer]], rows: Rows, turns: Sampling) -> list[str]:
    cautions = [f"All figures but those of the data sets' table pool {len(sets)} data sets."] if len(sets) > 1 else []
    if turns.picked and rows.answers["turn"].nunique() > 1:
        cautions.append(turn_sampling_caution(turns))
    unknown = int((rows.answers["model"] == UNKNOWN_MODEL).sum())
    if unknown and rows.answers["model"].nunique() > 1:
        cautions.append(
            f"{counted(unknown, 'labelled answer does', 'labelled answers do')} not say which model gave them."
        )
    groups = rows.answers["group"].nunique()
    if groups < 3:
        cautions.append(
            f"The labelled answers share {counted(groups, 'context')}: with fewer than three there are no intervals."
        )
    return cautions


def turn_sampling_caution(turns: Sampling) -> str:
    """What to know before figures by turn are read as a course that dialogues take."""
    intro = (
        f"By turn: labelled are {turns.labelled} of {counted(turns.seen, 'turn')} at hand, picked out of "
        f"{counted(turns.dialogues, 'dialogue')} ({turns.several} of them with more than one). How they were picked "
        "is not known, so that a figure that changes with the turn may come from the picking: don't use the turn to "
        "predict hallucination elsewhere."
    )
    labelled, others = turns.slope_labelled, turns.slope_others
    if labelled.value is None or others.value is None or others.interval is None:
        return intro + " The turns without labels are too few to look into it."
    slopes = (
        f" A check: per turn, the share of words that the context lacks changes by {labelled.value:+.3f} in labelled "
        f"turns, and by {others.value:+.3f} ({others.interval.low:+.3f} to {others.interval.high:+.3f}) in the others"
    )
    if others.interval.low > 0:
        return (
            intro + slopes + ": it rises in turns that nobody picked, too, so that picking alone does not explain it."
        )
    return intro + slopes + ": there no rise is seen, as it would be if picking made it."
