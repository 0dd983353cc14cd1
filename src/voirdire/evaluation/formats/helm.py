"""HELM: the folder of one run, with `run_spec.json`, `scenario_state.json`, `per_instance_stats.json`, `stats.json`.

Only what was asked as it stands is read: instances that HELM perturbed measure something else. Where a run has several
splits, "test" is the one that HELM's leaderboards show. The headline is the first of the usual main metrics it has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.evaluation.formats.reader import (
    Format,
    FormatError,
    as_text,
    listed,
    mapping,
    number_of,
    read_json,
    source_of,
)
from voirdire.evaluation.records import Evaluation, Printed
from voirdire.evaluation.table import Rows
from voirdire.reason_codes import Reason, reason

NAME = "helm"
SPEC, STATE, SCORES, STATS = "run_spec.json", "scenario_state.json", "per_instance_stats.json", "stats.json"
MAIN_METRICS = (
    "exact_match",
    "quasi_exact_match",
    "chain_of_thought_correctness",
    "math_equiv_chain_of_thought",
    "math_equiv",
    "final_number_exact_match",
    "exact_match_indicator",
    "ifeval_strict_accuracy",
    "wildbench_score_rescaled",
    "omni_math_accuracy",
    "code_eval_acc",
    "pass",
    "f1_score",
    "classification_macro_f1",
    "NDCG@10",
    "RR@10",
    "rouge_2",
    "bleu_4",
    "prefix_exact_match",
)
"""What HELM's own leaderboards show of scenarios, the most usual first."""
_SETTINGS = (
    "method",
    "instructions",
    "max_train_instances",
    "max_eval_instances",
    "num_outputs",
    "num_train_trials",
    "num_trials",
    "temperature",
    "max_tokens",
    "model_deployment",
)
_SPLIT = "test"
_MODEL = re.compile(r",?model(?:_deployment)?=[^,]+")


def sniff(path: Path) -> bool:
    """A folder with what was asked and what every instance scored."""
    return path.is_dir() and all((path / name).is_file() for name in (SPEC, STATE, SCORES))


def read(path: Path) -> Sequence[Evaluation]:
    """The evaluation of one run."""
    spec = mapping(read_json(path / SPEC)[0])
    adapter = mapping(spec.get("adapter_spec"))
    model = adapter.get("model")
    if not isinstance(model, str):
        raise FormatError(f"{path / SPEC} names no model.")
    stats = [mapping(each) for each in listed(read_json(path / STATS)[0])] if (path / STATS).is_file() else []
    scores = _scores(path)
    metric, had = _headline(scores)
    states = [mapping(each) for each in listed(mapping(read_json(path / STATE)[0]).get("request_states"))]
    split = _split(states)
    rows = Rows()
    left = dict.fromkeys(("other split", "perturbed"), 0)
    for state in states:
        instance = mapping(state.get("instance"))
        why = "perturbed" if instance.get("perturbation") else "other split" if instance.get("split") != split else ""
        if why:
            left[why] += 1
        else:
            _add(rows, state, model, metric, scores)
    frame = rows.frame(models=(model,))
    return [
        Evaluation(
            name=_MODEL.sub("", str(spec.get("name") or path.name)).strip(":,") or path.name,
            format=NAME,
            metric=metric,
            rows=frame,
            printed=_printed(stats, metric, model, split),
            other_scores=rows.other_scores(),
            bounds=(0.0, 1.0) if frame["score"].dropna().between(0, 1).all() else None,
            settings={model: _settings(adapter)},
            files=tuple(source_of(each) for each in sorted(path.glob("*.json"))),
            notes=(
                *((reason("evaluation_known_metric", metric=metric, of=had),) if len(had) > 1 else ()),
                *_left_out(left, split),
            ),
        )
    ]


FORMAT = Format(NAME, sniff, read)

Scores = Mapping[tuple[str, int], Mapping[str, float]]
"""By instance and train trial, the mean of every metric."""


def _scores(path: Path) -> Scores:
    results: dict[tuple[str, int], dict[str, float]] = {}
    for entry in (mapping(each) for each in listed(read_json(path / SCORES)[0])):
        if entry.get("perturbation"):
            continue
        own = results.setdefault(
            (str(entry.get("instance_id")), int(number_of(entry.get("train_trial_index")) or 0)), {}
        )
        for stat in (mapping(each) for each in listed(entry.get("stats"))):
            name, mean = mapping(stat.get("name")), number_of(stat.get("mean"))
            if mean is not None and not name.get("perturbation"):
                own[str(name.get("name"))] = mean
    return results


def _headline(scores: Scores) -> tuple[str, tuple[str, ...]]:
    """The metric that is the headline, and all main ones that the run has."""
    names = {name for own in scores.values() for name in own}
    main = tuple(name for name in MAIN_METRICS if name in names)
    if not main:
        raise FormatError(f"None of HELM's main metrics is among those of the run: {', '.join(sorted(names)[:12])}.")
    return main[0], main


def _add(rows: Rows, state: Mapping[str, Any], model: str, metric: str, scores: Scores) -> None:
    instance, result = mapping(state.get("instance")), mapping(state.get("result"))
    trial = int(number_of(state.get("train_trial_index")) or 0)
    own = scores.get((str(instance.get("id")), trial), {})
    completion = mapping(next(iter(listed(result.get("completions"))), None))
    references = [mapping(each) for each in listed(instance.get("references"))]
    right = [_text_of(each) for each in references if "correct" in listed(each.get("tags"))]
    letters = {str(letter): as_text(text) or "" for letter, text in mapping(state.get("output_mapping")).items()}
    choices = tuple(letters.values())
    output = as_text(completion.get("text"))
    message = (output or "").strip()
    rows.add(
        {
            "item": str(instance.get("id")),
            "model": model,
            "score": own.get(metric),
            "status": "error" if result.get("success") is False else None,
            "epoch": trial + 1.0,
            "prompt": as_text(mapping(state.get("request")).get("prompt")),
            "output": output,
            "reference": "\n".join(right) or None,
            "answer": letters.get(message),
            "error": as_text(result.get("error")),
            "choices": choices or None,
            "choice": float(list(letters).index(message)) if message in letters else None,
            "target": float(choices.index(right[0])) if right and right[0] in choices else None,
            "output_tokens": float(len(listed(completion.get("tokens")))) or None,
            "stop_reason": as_text(mapping(completion.get("finish_reason")).get("reason")),
        },
        {name: value for name, value in own.items() if name in MAIN_METRICS and name != metric},
    )


def _left_out(left: Mapping[str, int], split: str | None) -> Iterator[Reason]:
    """How many instances are no part of the headline, and why."""
    if left["other split"]:
        yield reason("evaluation_other_split", instances=left["other split"], split=str(split))
    if left["perturbed"]:
        yield reason("evaluation_perturbed", instances=left["perturbed"])


def _text_of(reference: Mapping[str, Any]) -> str:
    return as_text(mapping(reference.get("output")).get("text")) or ""


def _split(states: Sequence[Mapping[str, Any]]) -> str | None:
    """The split that is the headline: "test" where there is one."""
    splits = sorted({str(split) for state in states if (split := mapping(state.get("instance")).get("split"))})
    return _SPLIT if _SPLIT in splits else next(iter(splits), None)


def _printed(stats: Sequence[Mapping[str, Any]], metric: str, model: str, split: str | None) -> tuple[Printed, ...]:
    for each in stats:
        name, mean = mapping(each.get("name")), number_of(each.get("mean"))
        asked = (name.get("name"), name.get("split")) == (metric, split) and not name.get("perturbation")
        if asked and mean is not None:
            return (Printed(model, mean, None, None, 12, f"{STATS}, {metric}, {split}"),)
    return ()


def _settings(adapter: Mapping[str, Any]) -> dict[str, Any]:
    return {name: adapter[name] for name in _SETTINGS if adapter.get(name) not in (None, "")}
