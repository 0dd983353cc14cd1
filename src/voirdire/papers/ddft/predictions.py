"""The paper's predictions, its ablations, and the digest's conditions for giving them up, put to any runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any

from voirdire.data.json_values import as_plain
from voirdire.ddft.analysis.comparability import different_levels, incomparability_reasons
from voirdire.ddft.analysis.correlates import Correlates, correlate
from voirdire.ddft.analysis.external_figures import read_figures
from voirdire.ddft.analysis.measures import ResampledScores, known, measure_turns, study_of
from voirdire.ddft.analysis.runs import read_runs
from voirdire.ddft.folders import open_examination
from voirdire.ddft.results import Result as RunResult
from voirdire.papers.claims import Claim, ClaimOutcome, Result, bind, check_claims
from voirdire.papers.ddft.ablations import formulas, levels, thetas, trap_replaced, turn_by_turn
from voirdire.papers.ddft.decisions import TestedRuns, load_predictions
from voirdire.papers.ddft.dissociation import together, universal, verifier_first
from voirdire.papers.ddft.robustness import domains, orthogonal, rejecting, turn_4_far
from voirdire.reason_codes import Reason, reason
from voirdire.text.counting import listed

PREDICTIONS: Mapping[str, Callable[[TestedRuns], Result]] = {
    "P1": universal,
    "M2": together,
    "P2": verifier_first,
    "P3-printed": partial(turn_4_far, sign=-1),
    "P3-meant": partial(turn_4_far, sign=1),
    "P3-verifier": rejecting,
    "P4": domains,
    "M3": orthogonal,
}
ABLATIONS: Mapping[str, Callable[[TestedRuns], Result]] = {
    "turns": turn_by_turn,
    "levels": levels,
    "formulas": formulas,
    "theta": thetas,
    "trap": trap_replaced,
}

Outcomes = tuple[ClaimOutcome[TestedRuns], ...]
_NO_NAMES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Examination:
    """What a study says of the paper's predictions and design choices."""

    models: tuple[dict[str, Any], ...]
    model_count: str
    """As in "3 models", "3 models in 2 runs" where one stands in several, or "2 of 3 models" where one is left out."""
    predictions: Outcomes
    ablations: Outcomes
    cautions: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "models": list(self.models),
            "predictions": [as_dict(each, "statement") for each in self.predictions],
            "ablations": [as_dict(each, "what") for each in self.ablations],
            "cautions": list(self.cautions),
        }


def examine_runs(paths: Sequence[Path], *, jury: str | None = None, figures: Path | None = None) -> Examination:
    """Examine runs as one study; those held with `--trap none` serve as the control of the trap.

    Args:
        paths: of run folders.
        jury: the judges' names, or the id, of the jury whose scores count; `None` for the one each run was held with.
        figures: a CSV of figures of the models, for M3.

    Raises:
        FiguresError: the file of figures can't be used.
        RunFolderError, StudyError, RunsError: as for `read_runs`.
        RunsError: the runs with the trap are different tests, or were judged differently.
    """
    without_trap = [path for path in paths if _trap(path) == "none"]
    with_trap = [path for path in paths if path not in without_trap]
    main = read_runs(with_trap or without_trap, jury)
    control = read_runs(without_trap, jury) if with_trap and without_trap else None
    main.check_comparable()
    study = study_of(main.scores)
    given = None if figures is None else correlate(main.scores, read_figures(figures, study.models, main.own_names))
    cautions = [
        *main.unsound,
        *(control.unsound if control else ()),
        *main.cautions,
        *main.repetition,
        *(control.cautions if control else ()),
        *(given.cautions if given else ()),
    ]
    unscored = [model for model, frame in study.frames.items() if frame["sas"].isna().all()]
    silent = [model for model, frame in study.frames.items() if frame["far"].isna().all() and model not in unscored]
    if unscored:
        cautions.append(f"Left out of what follows, since no answer is scored: {listed(unscored)}.")
    if silent:
        cautions.append(f"Left out of what follows, since no scored answer claims anything: {listed(silent)}.")
    unlike = [] if control is None else _unlike(main.results, control.results)
    if unlike:
        cautions.append(
            f"The runs with the fabrication and those without it were {' and '.join(map(str, unlike))}: what the "
            "fabrication changes can't be told from them."
        )
    if not with_trap:
        cautions.append(
            "These runs hold no fabrication (--trap none): what is said of turn 4 is said of a neutral question."
        )
    return Examination(
        _models(study),
        main.count_of_all_models(model for model in main.result_by_model if model not in {*unscored, *silent}),
        check_predictions(study, given),
        check_ablations(
            study,
            None if control is None else study_of(control.scores),
            unlike,
            {**main.own_names, **(control.own_names if control else {})},
        ),
        tuple(dict.fromkeys(cautions)),
    )


def check_predictions(study: ResampledScores, correlates: Correlates | None = None) -> Outcomes:
    """P1 to P4 of DDFT 6.3 and the break conditions of the digest's mechanisms.

    Args:
        study: the models of a study.
        correlates: figures of the models against a metric, for M3.
    """
    predictions, _ = load_predictions()
    return check_claims(bind(predictions, PREDICTIONS), TestedRuns(study, correlates))


def check_ablations(
    study: ResampledScores,
    control: ResampledScores | None = None,
    unlike: Sequence[Reason] = (),
    own_names: Mapping[str, str] = _NO_NAMES,
) -> Outcomes:
    """The paper's three ablations, theta, and the digest's second experiment.

    Args:
        study: the models of a study.
        control: the same models without a trap, where they were so examined.
        unlike: why these can't be compared with the study.
        own_names: by name in one of both the model's own, where that is another: see `Runs.own_names`.
    """
    _, ablations = load_predictions()
    return check_claims(bind(ablations, ABLATIONS), TestedRuns(study, None, control, tuple(unlike), own_names))


def measured_by_the_paper(claim: Claim[TestedRuns]) -> str:
    """What the paper measured, and where it says so."""
    return f"{claim.printed} (DDFT {claim.section})" if claim.section else claim.printed


def condition(claim: Claim[TestedRuns]) -> str:
    """When a prediction counts as held, and when as broken."""
    return str(claim.sentence("condition", {}))


def as_dict(outcome: ClaimOutcome[TestedRuns], statement: str) -> dict[str, Any]:
    """A prediction as plain values for JSON, what it states under this name."""
    return {
        "id": outcome.claim.id,
        statement: outcome.claim.says,
        "paper": measured_by_the_paper(outcome.claim),
        "value": outcome.value,
        "interval": as_plain(outcome.result.interval),
        "condition": condition(outcome.claim),
        "verdict": outcome.verdict.value,
        "why": outcome.note,
        "table": [dict(row) for row in outcome.result.table],
    }


def _unlike(trapped: Sequence[RunResult], neutral: Sequence[RunResult]) -> list[Reason]:
    """In what runs with the trap and without it differ beside the trap."""
    every = [*trapped, *neutral]
    unlike = [
        why for one, other in combinations(every, 2) for why in incomparability_reasons(one, other, ignoring=["trap"])
    ]
    if different_levels({str(result.path): result for result in every}):
        unlike.append(reason("different_levels"))
    return list(dict.fromkeys(unlike))


def _trap(path: Path) -> str:
    with open_examination(path, read_only=True) as folder:
        return str(folder.manifest["preset"]["trap"])


def _models(study: ResampledScores) -> tuple[dict[str, Any], ...]:
    metrics = measure_turns(study)
    return tuple(
        {"model": model, "metrics": {name: known(metrics[name][0, place]) for name in ("ER", "CI_raw", "V_E")}}
        for place, model in enumerate(study.models)
    )
