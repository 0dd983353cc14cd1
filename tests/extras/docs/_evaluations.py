"""Small results of evaluations of our own, in the formats that docs/audit.md speaks of."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import pandas as pd

CHANCES = {"acme/large": 0.86, "acme/medium": 0.72, "acme/small": 0.69}
"""Of a right answer, by model."""
PLACES = ("Orrin", "Lenn", "Marr", "Sund", "Tarn", "Holm")


def _right(model: str, item: int) -> bool:
    return random.Random(f"{model} {item}").random() < CHANCES[model]


def _question(item: int) -> str:
    return f"How many houses had {PLACES[item % 6]} in {1700 + item}?"


def _answer(model: str, item: int) -> str:
    """A sentence of words that no other answer has in this order, right or wrong."""
    draw = random.Random(f"words {model} {item}")
    told = 40 + item if _right(model, item) else 400 + item
    return f"There were {told} houses: {_words(draw, draw.randrange(8, 20))}."


def _words(draw: random.Random, number: int) -> str:
    return " ".join("".join(draw.choices("aeioulmnrst", k=draw.randrange(3, 9))) for _ in range(number))


def table(path: Path, names: tuple[str, str, str] = ("item", "model", "score")) -> None:
    """Two graders' scores of three models; the second differs on some, and of one model outputs have no score."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*names, "judge", "prompt", "output"])
        for model in CHANCES:
            for item in range(300):
                for judge in ("grader-a", "grader-b"):
                    right = _right(model, item)
                    unsure = judge == "grader-b" and random.Random(f"{judge} {model} {item}").random() < 0.08
                    lost = model == "acme/medium" and not right and item % 3 == 0
                    score = "" if lost else int(right != unsure)
                    row = [f"q{item}", model, score, judge, _question(item), _answer(model, item)]
                    writer.writerow(row)


def named_otherwise(path: Path) -> None:
    """The same with columns of unusual names."""
    table(path, ("question_nr", "candidate", "grade"))


def inspect_logs(path: Path) -> None:
    """A log for each model, of one task."""
    path.mkdir(parents=True)
    for model in CHANCES:
        samples = [_sample(model, item) for item in range(120)]
        accuracy = sum(each["scores"]["match"]["value"] == "C" for each in samples) / len(samples)
        log = {
            "version": 2,
            "status": "success",
            "eval": {
                "created": "2026-01-01T00:00:00+00:00",
                "task": "registers",
                "model": model,
                "dataset": {"name": "registers", "samples": len(samples)},
                "scorers": [{"name": "match"}],
            },
            "results": {
                "total_samples": len(samples),
                "scores": [
                    {
                        "name": "match",
                        "scorer": "match",
                        "metrics": {"accuracy": {"name": "accuracy", "value": accuracy}},
                    }
                ],
            },
            "samples": samples,
        }
        (path / f"{model.rpartition('/')[2]}.json").write_text(json.dumps(log), encoding="utf-8")


def _sample(model: str, item: int) -> dict[str, object]:
    return {
        "id": item,
        "epoch": 1,
        "input": _question(item),
        "target": str(40 + item),
        "messages": [{"role": "user", "content": _question(item)}],
        "output": {"completion": _answer(model, item), "choices": [{"stop_reason": "stop"}]},
        "scores": {"match": {"value": "C" if _right(model, item) else "I"}},
    }


def lm_eval_run(path: Path) -> None:
    """A run of one model: results and samples."""
    path.mkdir(parents=True)
    scores = [float(_right("acme/small", item)) for item in range(120)]
    mean = sum(scores) / len(scores)
    error = (sum((score - mean) ** 2 for score in scores) / (len(scores) - 1) / len(scores)) ** 0.5
    results = {
        "results": {
            "registers": {"alias": "registers", "exact_match,none": mean, "exact_match_stderr,none": error},
        },
        "configs": {"registers": {"repeats": 1}},
        "higher_is_better": {"registers": {"exact_match": True}},
        "n-samples": {"registers": {"original": 120, "effective": 120}},
        "config": {"model": "hf", "model_args": "pretrained=acme/small"},
    }
    date = "2026-01-02T03-04-05.678901"
    (path / f"results_{date}.json").write_text(json.dumps(results), encoding="utf-8")
    lines = (
        {
            "doc_id": item,
            "doc": {"question": _question(item)},
            "target": str(40 + item),
            "arguments": {"gen_args_0": {"arg_0": _question(item), "arg_1": {"until": ["\n"]}}},
            "resps": [[_answer("acme/small", item)]],
            "filtered_resps": [_answer("acme/small", item)],
            "filter": "none",
            "metrics": ["exact_match"],
            "exact_match": score,
        }
        for item, score in enumerate(scores)
    )
    (path / f"samples_registers_{date}.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8"
    )


def annotations(path: Path) -> None:
    """AlpacaEval's annotations of three models whose judge likes long outputs."""
    entries = []
    for model, words in (("long", 42), ("middle", 32), ("short", 22)):
        for item in range(150):
            draw = random.Random(f"{model} {item}")
            length = max(3, words + draw.randrange(-18, 19))
            entries.append(
                {
                    "instruction": _question(item),
                    "dataset": "registers",
                    "generator_1": "reference",
                    "output_1": " ".join(["The", "register", "says", *["so"] * 27]),
                    "generator_2": model,
                    "output_2": _words(draw, length),
                    "annotator": "judge",
                    "preference": 2 if draw.random() < 1 / (1 + 2.718 ** ((30 - length) / 8)) else 1,
                }
            )
    path.write_text(json.dumps(entries), encoding="utf-8")


def arena(path: Path) -> None:
    """Three models that met in pairs, in either order."""
    path.write_text("".join(json.dumps(row) + "\n" for row in _met()), encoding="utf-8")


def duels(path: Path) -> None:
    """The same as a table with names of its own."""
    names = {"question_id": "nr", "model_a": "champion", "model_b": "rival", "winner": "who"}
    pd.DataFrame(_met()).rename(columns=names).to_csv(path, index=False)


def _met() -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for item in range(180):
        draw = random.Random(item)
        first, second = draw.sample(["large", "middle", "small"], 2)
        rows.append(
            {
                "question_id": item,
                "question": _question(item),
                "model_a": first,
                "model_b": second,
                "response_a": _words(draw, 30),
                "response_b": _words(draw, 30),
                "winner": "model_a" if (draw.random() < 0.8) == (first < second) else "model_b",
            }
        )
    return rows
