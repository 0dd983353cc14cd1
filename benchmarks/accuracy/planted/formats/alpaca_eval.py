"""AlpacaEval's results: `MODEL/JUDGE/annotations.json` and the `leaderboard.csv` beside it."""

from __future__ import annotations

import csv
from pathlib import Path
from statistics import fmean

from benchmarks.accuracy.planted.formats._common import save
from benchmarks.accuracy.planted.study import Answer, Study, aggregate

BASELINE = "gpt4_1106_preview"


def write(study: Study, folder: Path) -> None:
    baseline = study.extra.get("baseline", BASELINE)
    for model in study.models:
        for judge in study.judges:
            answers = [answer for answer in study.of(model) if judge in answer.verdicts]
            rows = [
                {
                    "instruction": answer.item.question,
                    "dataset": answer.item.dataset,
                    "generator_1": baseline,
                    "output_1": answer.item.baseline,
                    "generator_2": model,
                    "output_2": answer.output,
                    "annotator": judge,
                    "preference": None if (verdict := answer.verdicts[judge]) is None else 1 + verdict,
                }
                for answer in answers
            ]
            inside = folder / model / judge
            save(inside / "annotations.json", rows)
            _leaderboard(inside / "leaderboard.csv", study, model, judge, answers)


def _leaderboard(path: Path, study: Study, model: str, judge: str, answers: list[Answer]) -> None:
    scored = [Answer(a.item, a.model, a.output, a.verdicts[judge]) for a in answers]
    plain = aggregate([each for each in scored if each.score is not None])
    printed = study.printed.get(model, plain) if judge == study.judges[0] else plain
    wins = [each.score for each in scored if each.score is not None]
    row = {
        "": model,
        "win_rate": 100 * printed.value,
        "standard_error": 100 * (printed.se or 0.0),
        "n_wins": sum(win > 0.5 for win in wins),
        "n_wins_base": sum(win < 0.5 for win in wins),
        "n_draws": sum(win == 0.5 for win in wins),
        "n_total": printed.n,
        "discrete_win_rate": 100 * fmean((win > 0.5) + 0.5 * (win == 0.5) for win in wins),
        "mode": "community",
        "avg_length": round(fmean(len(each.output) for each in scored)),
    }
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        writer.writeheader()
        writer.writerow(row)
