"""The paper's predictions, and the digest's conditions for giving them up, on any study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd

from voirdire.data.plain import as_plain
from voirdire.ddft.analysis.predicting.ablations import ablations
from voirdire.ddft.analysis.predicting.correlates import Correlates, correlate
from voirdire.ddft.analysis.predicting.detection import detection
from voirdire.ddft.analysis.predicting.dissociation import together, universal, verifier_first
from voirdire.ddft.analysis.predicting.figures import read_figures
from voirdire.ddft.analysis.predicting.findings import Finding
from voirdire.ddft.analysis.predicting.measures import DRAWS, Study, measured, study_of
from voirdire.ddft.analysis.predicting.origins import domains, orthogonal
from voirdire.ddft.analysis.predicting.ranks import known
from voirdire.ddft.analysis.runs import read_runs
from voirdire.ddft.analysis.unlike import different_levels, incomparable
from voirdire.ddft.folders import open_examination
from voirdire.ddft.results import Result
from voirdire.reasons import Reason, reason

__all__ = ["Examination", "Finding", "examine_runs", "predictions"]


@dataclass(frozen=True, slots=True)
class Examination:
    """What a study says of the paper's predictions and design choices."""

    models: tuple[dict[str, Any], ...]
    model_count: str
    """As in "3 models", or "3 models in 2 runs" where one stands in several."""
    predictions: tuple[Finding, ...]
    ablations: tuple[Finding, ...]
    cautions: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "models": list(self.models),
            "predictions": [_as_dict(each, "statement") for each in self.predictions],
            "ablations": [_as_dict(each, "what") for each in self.ablations],
            "cautions": list(self.cautions),
        }


def examine_runs(paths: Sequence[Path], *, jury: str | None = None, figures: Path | None = None) -> Examination:
    """Examine runs as one study; those held with `--trap none` serve as the control of the trap.

    Args:
        paths: of run folders.
        jury: id of the jury whose scores count; `None` for the one each run was held with.
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
    main.check_alike()
    study = study_of(main.scores)
    given = None if figures is None else correlate(main.scores, read_figures(figures, study.models))
    cautions = [
        *main.cautions,
        *main.repetition,
        *(control.cautions if control else ()),
        *(given.cautions if given else ()),
    ]
    unlike = [] if control is None else _unlike(main.results, control.results)
    if unlike:
        cautions.append(
            f"The runs with the trap and those without it were {' and '.join(map(str, unlike))}: what the trap changes "
            "can't be told from them."
        )
    if not with_trap:
        cautions.append("These runs hold no trap (--trap none): what is said of turn 4 is said of a neutral question.")
    return Examination(
        _models(study),
        main.count_models(main.of_model),
        tuple(_predictions(study, given)),
        tuple(ablations(study, None if control is None else study_of(control.scores), unlike)),
        tuple(dict.fromkeys(cautions)),
    )


def predictions(scores: pd.DataFrame, correlates: Correlates | None = None, *, draws: int = DRAWS) -> list[Finding]:
    """P1 to P4 of DDFT 6.3 and the break conditions of the digest's mechanisms.

    Args:
        scores: as `profiles` takes them.
        correlates: figures of the models against a metric, for M3.
        draws: of the bootstrap over concepts.

    Raises:
        ValueError: columns are missing, a value is out of its range, or a turn stands there twice.
    """
    return _predictions(study_of(scores, draws=draws), correlates)


def _predictions(study: Study, correlates: Correlates | None) -> list[Finding]:
    return [
        universal(study),
        together(study),
        verifier_first(study),
        *detection(study),
        domains(study),
        orthogonal(correlates),
    ]


def _unlike(trapped: Sequence[Result], neutral: Sequence[Result]) -> list[Reason]:
    """In what runs with the trap and without it differ beside the trap."""
    every = [*trapped, *neutral]
    found = [why for one, other in combinations(every, 2) for why in incomparable(one, other, but=["trap"])]
    if different_levels({str(result.path): result for result in every}):
        found.append(reason("different_levels"))
    return list(dict.fromkeys(found))


def _trap(path: Path) -> str:
    with open_examination(path, read_only=True) as folder:
        return str(folder.manifest["preset"]["trap"])


def _models(study: Study) -> tuple[dict[str, Any], ...]:
    metrics = measured(study)
    return tuple(
        {"model": model, "metrics": {name: known(metrics[name][0, place]) for name in ("ER", "CI_raw", "V_E")}}
        for place, model in enumerate(study.models)
    )


def _as_dict(found: Finding, statement: str) -> dict[str, Any]:
    return {
        "id": found.id,
        statement: found.statement,
        "paper": found.paper,
        "value": found.value,
        "interval": as_plain(found.interval),
        "condition": found.condition,
        "verdict": found.verdict,
        "why": found.why,
        "table": [dict(row) for row in found.table],
    }
