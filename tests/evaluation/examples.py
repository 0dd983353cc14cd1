"""Evaluations of our own, for tests of checks: rows in, an `Evaluation` out."""

import numpy as np

from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.table import Rows


def evaluation_of(rows, **fields):
    """An evaluation of these rows, each a mapping by column; the model is "m" where a row names none."""
    table = Rows()
    for row in rows:
        table.add({"model": "m", **row})
    return Evaluation(**{"name": "made", "format": "made", "metric": "score", "rows": table.frame(), **fields})


def scores_of(scores, **columns):
    """An evaluation of scores by model, each a list by item; `columns` are lists by item, the same for all models."""
    items = range(max(map(len, scores.values())))
    shared = [{name: values[item] for name, values in columns.items()} for item in items]
    return evaluation_of(
        {"item": f"i{item}", "model": model, "score": score, **shared[item]}
        for model, own in scores.items()
        for item, score in enumerate(own)
    )


def random_scores(seed, *chances, items=200):
    """Right and wrong answers, 1.0 and 0.0, of a model for each chance: "m0", "m1" …"""
    rng = np.random.default_rng(seed)
    return {f"m{place}": (rng.random(items) < chance).astype(float).tolist() for place, chance in enumerate(chances)}


_NAMES = (
    "river bridge tower garden engine letter market winter island signal copper valley harbour planet ladder".split()
)
_ENDINGS = ("", "s", "side", "work", "man", "line")
_VERBS = "crosses follows supports reaches describes replaces protects measures carries explains divides".split()


def sentence(rng, words=9):
    """A sentence of made-up words, for prompts and outputs that are unlike."""
    *drawn, verb = rng.integers([len(_NAMES), len(_ENDINGS)] * words + [len(_VERBS)]).tolist()
    names = [_NAMES[name] + _ENDINGS[ending] for name, ending in zip(drawn[::2], drawn[1::2], strict=True)]
    return f"The {names[0]} {_VERBS[verb]} the " + " ".join(names[1:]) + "."


def choice_rows(seed, *accuracies, items=120, options=4):
    """Rows of a multiple-choice task with reasons in the outputs: a model for each accuracy, "m0", "m1" …"""
    rng = np.random.default_rng(seed)
    asked = [
        {
            "item": f"i{n}",
            "prompt": f"Question {n}: {sentence(rng, 12)[:-1]}?",
            "choices": tuple(sentence(rng, 4) for _ in range(options)),
            "target": float(rng.integers(options)),
        }
        for n in range(items)
    ]
    return [
        _chosen(rng, each, f"m{place}", int(each["target"]) if rng.random() < accuracy else None, options)
        for place, accuracy in enumerate(accuracies)
        for each in asked
    ]


def _chosen(rng, asked, model, given, options):
    others = [place for place in range(options) if place != int(asked["target"])]
    given = int(rng.choice(others)) if given is None else given
    letter, key = "ABCDEFGH"[given], "ABCDEFGH"[int(asked["target"])]
    output = f"{sentence(rng, 14)} {sentence(rng, 12)}\n\nANSWER: {letter}"
    cells = {"model": model, "reference": key, "answer": letter, "choice": float(given), "output": output}
    return {**asked, **cells, "score": float(letter == key), "stop_reason": "stop"}


def judged_rows(seed, *levels, items=100, judges=("anthropic/claude-3-opus", "mistral-large"), noise=1.0):
    """Rows of free answers that judges scored from 1 to 5, with explanations; a model for each mean level."""
    rng = np.random.default_rng(seed)
    prompts = [f"Describe how {sentence(rng, 8).lower()}" for _ in range(items)]
    rows = []
    for place, level in enumerate(levels):
        for n, prompt in enumerate(prompts):
            output = " ".join(sentence(rng, int(rng.integers(6, 14))) for _ in range(int(rng.integers(3, 7))))
            quality = level + rng.normal(0, 1)
            for judge in judges:
                score = float(np.clip(np.rint(quality + rng.normal(0, noise)), 1, 5))
                verdict = f"{sentence(rng, 7)} Hence a rating of {score:.0f}. {sentence(rng, 5)} Rating: {score:.0f}"
                cells = {"item": f"i{n}", "model": f"m{place}", "judge": judge, "prompt": prompt, "output": output}
                rows.append({**cells, "score": score, "verdict": verdict})
    return rows
