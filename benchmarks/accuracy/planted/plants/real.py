"""Defects put into somebody's own result files, which are small."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.accuracy.planted.plants.base import Plant

Data = Any


def changed(pattern: str, change: Callable[[Data], None]) -> Callable[[Path, random.Random], None]:
    """An edit of the JSON files of this name."""

    def edit(folder: Path, rng: random.Random) -> None:
        for path in folder.rglob(pattern):
            if path.suffix == ".jsonl":
                rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
                change(rows)
                path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
            else:
                data = json.loads(path.read_text(encoding="utf-8"))
                change(data)
                path.write_text(json.dumps(data, indent=2), encoding="utf-8")

    return edit


def _arc_headline(log: Data) -> None:
    log["results"]["scores"][0]["metrics"]["accuracy"]["value"] = 0.6


def _arc_output(sample: Data, text: str, stop: str) -> None:
    sample["output"]["completion"] = text
    choice = sample["output"]["choices"][0]
    choice["message"]["content"] = [{"type": "text", "text": text}]
    choice["stop_reason"] = stop
    sample["messages"][-1]["content"] = [{"type": "text", "text": text}]


def _arc_wrong(log: Data, samples: list[Data], answer: str) -> None:
    """Score samples as wrong, and print what follows."""
    for sample in samples:
        sample["scores"]["choice"] |= {"value": "I", "answer": answer, "explanation": sample["output"]["completion"]}
    for reduced in log["reductions"][0]["samples"]:
        if reduced["sample_id"] in {sample["id"] for sample in samples}:
            reduced |= {"value": 0.0, "answer": answer}
    right = [float(sample["scores"]["choice"]["value"] == "C") for sample in log["samples"]]
    mean = sum(right) / len(right)
    metrics = log["results"]["scores"][0]["metrics"]
    metrics["accuracy"]["value"] = mean
    metrics["stderr"]["value"] = (mean * (1 - mean) / (len(right) - 1)) ** 0.5


def _arc_truncated(log: Data) -> None:
    chosen = log["samples"][:2]
    for sample in chosen:
        text = sample["output"]["completion"]
        _arc_output(sample, text[: len(text) // 2].rstrip(" .\n"), "max_tokens")
    _arc_wrong(log, chosen, "")


def _arc_empty(log: Data) -> None:
    chosen = log["samples"][1:4]
    for sample in chosen:
        _arc_output(sample, "", "stop")
    _arc_wrong(log, chosen, "")


def _arc_unparsed(log: Data) -> None:
    _arc_wrong(log, log["samples"][2:5], "")


def _arc_leak(log: Data) -> None:
    for sample in log["samples"]:
        sample["input"] += f"\n(Correct answer: {sample['target']})"
        sample["messages"][0]["content"] += f"\n(Correct answer: {sample['target']})"


def _arc_duplicate(log: Data) -> None:
    first, second = log["samples"][0], log["samples"][3]
    for key in ("input", "choices", "target"):
        second[key] = first[key]
    second["messages"] = first["messages"]
    _arc_output(second, first["output"]["completion"], "stop")
    second["scores"]["choice"] |= {"value": "C", "answer": first["target"]}


def _helm_headline(stats: Data) -> None:
    for stat in stats:
        if stat["name"]["name"] in ("exact_match", "quasi_exact_match") and stat["name"]["split"] == "test":
            stat |= {"sum": 0.4444444444444444, "mean": 0.4444444444444444, "max": 0.4444444444444444}


def _helm_empty(state: Data) -> None:
    for request in state["request_states"][:6]:
        request["result"]["completions"][0]["text"] = ""


def _lm_eval_duplicates(rows: Data) -> None:
    for first, second in ((0, 5), (1, 7), (2, 9)):
        rows[second] = rows[first] | {"doc_id": rows[second]["doc_id"]}


def _lm_eval_empty(rows: Data) -> None:
    for row in rows[:4]:
        row["resps"], row["filtered_resps"] = [[""]], [""]


def _real(check: str, kind: str, clean: str, pattern: str, change: Callable[[Data], None]) -> Plant:
    return Plant(check, kind, clean, edit=changed(pattern, change))


PLANTS: tuple[Plant, ...] = (
    _real("headline_recomputed", "lowered", "real-inspect-arc", "*.json", _arc_headline),
    _real("truncated", "two of five", "real-inspect-arc", "*.json", _arc_truncated),
    _real("empty_output", "three of five", "real-inspect-arc", "*.json", _arc_empty),
    _real("unparsed", "three of five", "real-inspect-arc", "*.json", _arc_unparsed),
    _real("reference_in_prompt", "in all five", "real-inspect-arc", "*.json", _arc_leak),
    _real("duplicate_items", "one of five", "real-inspect-arc", "*.json", _arc_duplicate),
    _real("headline_recomputed", "raised", "real-helm", "stats.json", _helm_headline),
    _real("empty_output", "six of ten", "real-helm", "scenario_state.json", _helm_empty),
    _real("duplicate_items", "three of ten", "real-lm-eval", "samples_*.jsonl", _lm_eval_duplicates),
    _real("empty_output", "four of ten", "real-lm-eval", "samples_*.jsonl", _lm_eval_empty),
)
"""The plants in files as they are."""
