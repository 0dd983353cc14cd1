"""How often are near copies of a judge named, and independent judges mistaken for them, by `validate` and `audit`?

Three judges score answers: *graded* ones of every quality, *easy* ones (17 in 20 plainly right or wrong) or *very easy*
ones (19 in 20 plainly right). Each reads an answer with an error, a quarter of it where the answer is plain, and
rounds. Then the second repeats the first in a share of its verdicts, or gives the first's FAR and 0.01. `validate` sees
FAR and SAS, `audit` FAR alone. *Published*: turns of the published study as its three judges scored them, by model.

    python -m benchmarks.statistics.near_copies --studies 200
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from voirdire.ddft.published import published_verdicts
from voirdire.ddft.validity.copied_judges import copied_judges
from voirdire.evaluation.checks.judges import copied_judge
from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.table import Rows

SMALL = ("--studies", "2")

Scores = NDArray[np.float64]
"""Shape (judges, answers, 2): FAR and SAS."""

_PLANTS = ("independent", "0.90", "0.95", "0.97", "0.99", "+0.01")


def judged(rng: np.random.Generator, answers: int, *, kind: str, error: float, step: float) -> Scores:
    """The scores of three independent judges."""
    quality = np.stack([rng.beta(4, 1.5, answers), rng.beta(6, 1.5, answers)], axis=1)
    plain = rng.random((answers, 2)) < {"graded": 0.0, "easy": 0.85, "very easy": 0.95}[kind]
    right = rng.random((answers, 1)) < (0.7 if kind == "easy" else 1.0)
    true = np.where(plain, np.where([True, False], right, 0.9), quality)
    read = true + rng.normal(0, error, (3, answers, 2)) * np.where(plain, 0.25, 1.0)
    return np.clip(np.round(np.clip(read, 0, 1) / step) * step, 0, 1)


def published(rng: np.random.Generator, answers: int) -> Scores:
    """The three judges' scores of some turns of one model, the judges in any order."""
    verdicts = published_verdicts()
    model = rng.choice(verdicts["model"].unique())
    own = verdicts[verdicts["model"] == model].pivot(index=["concept", "level", "turn"], columns="judge")
    scores = np.stack([own[name].to_numpy() for name in ("far", "sas")], axis=-1)
    scores = scores[np.isfinite(scores).all(axis=(1, 2))]
    drawn: Scores = scores[rng.permutation(len(scores))[:answers]].transpose(1, 0, 2)
    return drawn[rng.permutation(3)]


def planted(rng: np.random.Generator, scores: Scores, plant: str) -> Scores:
    """The second judge made a near copy of the first."""
    scores = scores.copy()
    if plant == "+0.01":
        scores[1] = np.clip(scores[0] + [0.01, 0.0], 0, 1)
    elif plant != "independent":
        repeats = rng.random(scores.shape[1]) < float(plant)
        scores[1, repeats] = scores[0, repeats]
    return scores


def named_by_validate(scores: Scores) -> bool:
    """Whether `validate` calls any two judges of a run copies or near copies."""
    judge, answer = (place.ravel() for place in np.indices(scores.shape[:2]))
    frame = pd.DataFrame({"model": "m", "dialogue": answer, "turn": 1, "judge": [f"judge {each}" for each in judge]})
    far, sas = scores.reshape(-1, 2).T
    frame = frame.assign(far=far, sas=sas, stance=None, missing=None)
    return bool(copied_judges(frame).reasons)


def named_by_audit(scores: Scores) -> bool:
    """Whether `audit` warns of any two judges of a table, or fails them."""
    rows = Rows()
    for judge, own in enumerate(scores[..., 0].tolist()):
        for answer, far in enumerate(own):
            rows.add({"model": "m", "item": f"i{answer}", "judge": f"judge {judge}", "score": far})
    return copied_judge(Evaluation("made", "made", "far", rows.frame())).status in ("warn", "fail")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--studies", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()

    rng = np.random.default_rng(asked.seed)
    draws: dict[str, Callable[[int], Scores]] = {
        f"{kind}, error {error:g}, steps of {step:g}": partial(judged, rng, kind=kind, error=error, step=step)
        for kind in ("graded", "easy", "very easy")
        for error in (0.02, 0.05, 0.1)
        for step in (0.25, 0.1, 0.05)
    }
    draws["published"] = partial(published, rng)
    print(f"Percent of {asked.studies} juries in which two judges are named: by validate / by audit.")
    print(f"{'judges':<36}{'answers':>8}" + "".join(f"{plant:>13}" for plant in _PLANTS))
    for name, draw in draws.items():
        for answers in (60, 180):
            shares = []
            for plant in _PLANTS:
                juries = [planted(rng, draw(answers), plant) for _ in range(asked.studies)]
                by = (np.mean([check(jury) for jury in juries]) for check in (named_by_validate, named_by_audit))
                shares.append(" / ".join(f"{100 * share:.0f}" for share in by))
            print(f"{name:<36}{answers:>8}" + "".join(f"{share:>13}" for share in shares), flush=True)


if __name__ == "__main__":
    main()
