"""Reader of scored trials: responses to scenarios with established facts, and what a panel of LLM judges gave them.

A file is JSON (or gzipped JSON) of the form `integrity_trials/1`: `evaluators`, `dims`, `models`, `constitutions`,
`scenarios` and `trials`; a trial's `scores` hold, per rubric and evaluator, one number per dimension. A reply that
could not be parsed is `{"s": [null, …], "recovered": [n, …]}`, or -1 in each place as the publication has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from voirdire.data.files import FileError, whole_text
from voirdire.data.json_text import parse_json
from voirdire.errors import shown
from voirdire.integrity.records import IntegrityError
from voirdire.text.counting import counted

Treatment = Literal["missing", "published", "recovered"]
"""What stands in for a reply that could not be parsed: nothing, the publication's -1, or what the reply really said."""

SENTINEL = -1
SCHEMA = "integrity_trials/1"
DIMENSIONS = {"ei": "epistemic_integrity", "vt": "value_transparency", "overall": "overall_score"}


@dataclass(frozen=True, slots=True)
class Scenario:
    """A case with its established facts."""

    id: str
    title: str
    category: str
    description: str
    facts: tuple[str, ...]
    ambiguous: tuple[str, ...]
    """What the facts leave open."""
    decision_point: str

    @property
    def text(self) -> str:
        """All that a model was told of the case."""
        return "\n".join((self.description, *self.facts, *self.ambiguous, self.decision_point))


@dataclass(frozen=True, slots=True)
class Trial:
    """A model's response to a scenario under a constitution (a system prompt that names values)."""

    id: str
    scenario: str
    constitution: str
    model: str
    reasoning: str
    recommendation: str
    values: tuple[str, ...]
    tradeoffs: str
    explanations: Mapping[str, str]
    """By evaluator: why it gave its score of epistemic integrity, under the Likert rubric."""
    validation_group: str | None
    """The stratum in which the publication drew it for human validation."""

    @property
    def response(self) -> str:
        """All that the model answered."""
        return "\n".join((self.reasoning, self.recommendation, *self.values, self.tradeoffs))


@dataclass(frozen=True, slots=True)
class Unparsed:
    """A judge's reply that could not be parsed."""

    trial: str
    rubric: str
    evaluator: str
    recovered: tuple[float, ...] | None
    """One score per dimension as a reader finds them in the raw reply; `None` where that is not known."""


@dataclass(frozen=True, slots=True)
class Trials:
    """Scored trials as a file holds them."""

    source: str
    evaluators: tuple[str, ...]
    dimensions: tuple[str, ...]
    models: tuple[str, ...]
    constitutions: Mapping[str, str]
    """System prompts by id."""
    scenarios: Mapping[str, Scenario]
    trials: tuple[Trial, ...]
    parsed: Mapping[str, NDArray[np.float64]]
    """By rubric: scores of shape (trials, evaluators, dimensions), NaN where a reply could not be parsed."""
    unparsed: tuple[Unparsed, ...]

    def scores(self, rubric: str, treatment: Treatment = "missing") -> NDArray[np.float64]:
        """The scores under one rubric; shape (trials, evaluators, dimensions).

        Args:
            rubric: one of `parsed`.
            treatment: what stands in for unparsed replies. "recovered" leaves NaN where nothing was recovered.

        Raises:
            IntegrityError: there is no such rubric.
        """
        if rubric not in self.parsed:
            others = f", but under {', '.join(self.parsed)}" if self.parsed else ", nor under any other rubric"
            raise IntegrityError(f"These trials have no scores under {rubric!r}{others}.")
        scores = self.parsed[rubric].copy()
        places = {trial.id: place for place, trial in enumerate(self.trials)}
        for cell in self.unparsed:
            if cell.rubric == rubric and treatment != "missing":
                where = places[cell.trial], self.evaluators.index(cell.evaluator)
                recovered = np.nan if cell.recovered is None else np.array(cell.recovered)
                scores[where] = SENTINEL if treatment == "published" else recovered
        return scores

    def dimension(self, name: str) -> int:
        """The place of a dimension among `dimensions`.

        Raises:
            IntegrityError: there is no such dimension.
        """
        if name not in self.dimensions:
            raise IntegrityError(f"These trials have no dimension {name!r}, but {', '.join(self.dimensions)}.")
        return self.dimensions.index(name)


def read_trials(path: Path) -> Trials:
    """Read a file of scored trials, gzipped or not.

    Raises:
        IntegrityError: it can't be read, or is not of this form.
    """
    try:
        text = whole_text(path, unzip=True)
    except FileError as error:
        raise IntegrityError(f"The trials can't be read: {error}") from error
    return parse_trials(text, str(path))


def parse_trials(text: str, where: str) -> Trials:
    """Read scored trials from JSON text. `where` names it in errors.

    Raises:
        IntegrityError: it is not JSON, or not of this form.
    """
    try:
        raw = parse_json(text)
        if not isinstance(raw, dict) or raw.get("_schema") != SCHEMA:
            raise ValueError(f'"_schema" must be {SCHEMA!r}')
        return _trials(raw)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        what = f"{error} is lacking, or unknown" if isinstance(error, KeyError) else str(error)
        raise IntegrityError(f"{where} holds no scored trials: {what}.") from error


def _trials(raw: dict[str, Any]) -> Trials:
    evaluators, dims = _texts(raw, "evaluators"), _texts(raw, "dims")
    scenarios = {each["id"]: _scenario(each) for each in raw["scenarios"]}
    constitutions = {each["id"]: str(each["system_prompt"]) for each in raw["constitutions"]}
    trials = tuple(_trial(each) for each in raw["trials"])
    if not trials:
        raise ValueError("there is no trial")
    if len({trial.id for trial in trials}) < len(trials):
        raise ValueError("two trials have the same id")
    for trial in trials:
        if trial.scenario not in scenarios or trial.constitution not in constitutions:
            raise ValueError(f"the scenario or the constitution of {trial.id} is not among those listed")
    parsed: dict[str, NDArray[np.float64]] = {}
    unparsed: list[Unparsed] = []
    for rubric in raw["trials"][0]["scores"]:
        parsed[rubric] = np.full((len(trials), len(evaluators), len(dims)), np.nan)
        for place, trial in enumerate(raw["trials"]):
            for judge, evaluator in enumerate(evaluators):
                at = f"{trial['id']}, {rubric}, {evaluator}"
                scores, recovered = _cell(trial["scores"][rubric][evaluator], len(dims), at)
                if scores is None:
                    unparsed.append(Unparsed(trial["id"], rubric, evaluator, recovered))
                else:
                    parsed[rubric][place, judge] = scores
    return Trials(
        source=str(raw.get("source", "")),
        evaluators=evaluators,
        dimensions=tuple(DIMENSIONS.get(dim, dim) for dim in dims),
        models=tuple(_text(each, "id") for each in raw["models"]),
        constitutions=constitutions,
        scenarios=scenarios,
        trials=trials,
        parsed=parsed,
        unparsed=tuple(unparsed),
    )


def _scenario(raw: Mapping[str, Any]) -> Scenario:
    return Scenario(
        id=_text(raw, "id"),
        title=_text(raw, "title"),
        category=_text(raw, "category"),
        description=_text(raw, "description"),
        facts=_texts(raw, "facts"),
        ambiguous=_texts(raw, "ambiguous"),
        decision_point=_text(raw, "decision_point"),
    )


def _trial(raw: Mapping[str, Any]) -> Trial:
    return Trial(
        id=_text(raw, "id"),
        scenario=_text(raw, "scenario"),
        constitution=_text(raw, "constitution"),
        model=_text(raw, "model"),
        reasoning=_text(raw, "reasoning"),
        recommendation=_text(raw, "recommendation"),
        values=tuple(str(value) for value in raw["values"]),
        tradeoffs=_text(raw, "tradeoffs"),
        explanations={evaluator: str(text) for evaluator, text in raw["ei_explanations"].items()},
        validation_group=None if raw.get("validation_group") is None else _text(raw, "validation_group"),
    )


def _text(raw: Mapping[str, Any], key: str) -> str:
    if not isinstance(raw[key], str):
        raise ValueError(f"{str(raw.get('id'))[:60]!a} has no text under {key}")
    return str(raw[key])


def _texts(raw: Mapping[str, Any], key: str) -> tuple[str, ...]:
    if not isinstance(raw[key], list) or not all(isinstance(each, str) for each in raw[key]):
        raise ValueError(f"{key} must be a list of texts")
    return tuple(raw[key])


def _cell(raw: Any, dims: int, at: str) -> tuple[tuple[float, ...] | None, tuple[float, ...] | None]:
    """A judge's scores, or `None` and what was recovered of them."""
    scores = raw["s"] if isinstance(raw, dict) else raw
    if not isinstance(scores, list):
        raise ValueError(f"{at} must have a list of scores")
    if len(scores) != dims:
        raise ValueError(f"{at} has {counted(len(scores), 'score')} for {dims} dimensions")
    if all(score is None or score == SENTINEL for score in scores):
        recovered = raw.get("recovered") if isinstance(raw, dict) else None
        return None, None if recovered is None else _numbers(recovered, dims, at)
    return _numbers(scores, dims, at), None


def _numbers(scores: Any, dims: int, at: str) -> tuple[float, ...]:
    if (
        not isinstance(scores, list)
        or len(scores) != dims
        or not all(isinstance(score, int | float) and 0 <= score <= 100 for score in scores)
    ):
        raise ValueError(f"{at} has the scores {shown(scores)}; {dims} numbers from 0 to 100 are expected")
    return tuple(float(score) for score in scores)
