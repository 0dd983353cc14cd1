"""A colleague's long table: a line per item, model, epoch and judge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.accuracy.planted.formats._common import asked, lettered, save_lines
from benchmarks.accuracy.planted.study import Study

OTHER = {
    "item": "qid",
    "model": "system",
    "epoch": "run",
    "cluster": "passage",
    "prompt": "asked",
    "output": "said",
    "reference": "gold",
    "judge": "grader",
    "score": "points",
}
"""What a colleague may call the columns."""


def write_csv(study: Study, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows(study)).to_csv(folder / f"{study.name}.csv", index=False)


def write_parquet(study: Study, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows(study)).to_parquet(folder / f"{study.name}.parquet")


def write_jsonl(study: Study, folder: Path) -> None:
    save_lines(folder / f"{study.name}.jsonl", [{OTHER[name]: row[name] for name in row} for row in rows(study)])


def mapping(study: Study) -> str:
    """What `--map` needs for the JSON Lines, whose columns have names of their own."""
    return ",".join(f"{name}={OTHER[name]}" for name in rows(study)[0])


def rows(study: Study) -> list[dict[str, Any]]:
    """The table. "texts" of `extra` says whether prompts and outputs are in it."""
    made = []
    for answer in study.answers:
        item = answer.item
        row: dict[str, Any] = {"item": item.key, "model": answer.model}
        if study.epochs > 1:
            row["epoch"] = answer.epoch
        if any(each.cluster for each in study.items):
            row["cluster"] = item.cluster
        if study.extra.get("texts", "yes") == "yes":
            choices = f"\n\n{lettered(item)}" if item.choices else ""
            row["prompt"] = asked(item, study.settings[answer.model]) + choices
            row["output"] = None if answer.error else answer.output
            if study.kind != "judged":
                row["reference"] = item.target
        if study.judges:
            given = [judge for judge in study.judges if judge in answer.verdicts]
            made += [{**row, "judge": judge, "score": answer.verdicts[judge]} for judge in given]
        else:
            made.append({**row, "score": answer.score})
    return made
