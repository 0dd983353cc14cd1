"""HELM run folders, one per model: the five JSON files of a run, after HELM's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.accuracy.planted.formats._common import asked, lettered, save, tokens
from benchmarks.accuracy.planted.study import LETTERS, Answer, Item, Settings, Study

METRICS = ("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match")


def write(study: Study, folder: Path) -> None:
    for model in study.models:
        method = "multiple_choice_joint" if study.kind == "choice" else "generation"
        spec = _adapter(study, model, method)
        name = f"{study.name}:method={method},model={model.replace('/', '_')}"
        inside = folder / name.replace(":", "-", 1)
        answers = study.of(model)
        metric_specs = [
            {
                "class_name": "helm.benchmark.metrics.basic_metrics.BasicGenerationMetric",
                "args": {"names": list(METRICS)},
            },
            {"class_name": "helm.benchmark.metrics.basic_metrics.BasicReferenceMetric", "args": {}},
            {"class_name": "helm.benchmark.metrics.basic_metrics.InstancesPerSplitMetric", "args": {}},
        ]
        run = {
            "name": name,
            "scenario_spec": {"class_name": f"helm.benchmark.scenarios.{study.name}_scenario.Scenario", "args": {}},
            "adapter_spec": spec,
            "metric_specs": metric_specs,
            "data_augmenter_spec": {"perturbation_specs": [], "seeds_per_instance": 1},
            "groups": [study.name],
        }
        about = f"{study.name.replace('_', ' ')}, questions of our own"
        states = [_state(study, spec, answer) for answer in answers]
        save(inside / "run_spec.json", run)
        save(inside / "scenario.json", {"name": study.name, "description": about, "tags": ["knowledge"]})
        save(inside / "scenario_state.json", {"adapter_spec": spec, "request_states": states})
        save(inside / "per_instance_stats.json", [_instance(study, answer) for answer in answers])
        save(inside / "stats.json", _stats(study, model, answers))


def _adapter(study: Study, model: str, method: str) -> dict[str, Any]:
    settings = study.settings[model]
    return {
        "method": method,
        "global_prefix": "",
        "global_suffix": "",
        "instructions": f"{settings.instruction or 'Answer the following questions.'}\n",
        "input_prefix": "Question: ",
        "input_suffix": "\n",
        "reference_prefix": "A. ",
        "reference_suffix": "\n",
        "output_prefix": "Answer: ",
        "output_suffix": "\n",
        "instance_prefix": "\n",
        "substitutions": [],
        "max_train_instances": settings.shots,
        "max_eval_instances": settings.limit or study.planned or len(study.items),
        "num_outputs": settings.best_of or 1,
        "num_train_trials": 1,
        "num_trials": 1,
        "sample_train": True,
        "model_deployment": model,
        "model": model,
        "temperature": settings.temperature,
        "max_tokens": 1 if study.kind == "choice" else settings.max_tokens,
        "stop_sequences": ["\n"] if study.kind == "choice" else [],
        "multi_label": False,
    }


def _prompt(item: Item, settings: Settings) -> str:
    first = settings.instruction or "Answer the following questions."
    choices = f"\n{lettered(item, '.')}" if item.choices else ""
    plain = Settings()
    return f"{first}\n\nQuestion: {asked(item, plain)}{choices}\nAnswer:"


def _said(study: Study, answer: Answer) -> str:
    """A letter or a short answer alone, as HELM's prompts and stops give it; whatever else was said as it is."""
    if answer.extracted and (study.kind == "choice" or answer.output.endswith(f"Answer: {answer.extracted}")):
        return f" {answer.extracted}"
    return answer.output


def _state(study: Study, spec: dict[str, Any], answer: Answer) -> dict[str, Any]:
    item, settings = answer.item, study.settings[answer.model]
    options = item.choices or (item.target,)
    references = [{"output": {"text": text}, "tags": ["correct"] if text == item.reference else []} for text in options]
    text = _said(study, answer)
    completion = {"text": text, "logprob": 0.0, "tokens": [{"text": text, "logprob": 0.0}]}
    if study.kind == "short":
        completion["finish_reason"] = {"reason": {"stop": "stop", "length": "length"}.get(answer.stop, "unknown")}
    instance: dict[str, Any] = {
        "input": {"text": item.question},
        "references": references,
        "split": "test",
        "id": item.key,
    }
    state: dict[str, Any] = {"instance": instance, "train_trial_index": 0}
    if item.choices:
        state["output_mapping"] = dict(zip(LETTERS, item.choices, strict=False))
    state["request"] = {
        "model_deployment": answer.model,
        "model": answer.model,
        "embedding": False,
        "prompt": _prompt(item, settings),
        "temperature": settings.temperature,
        "num_completions": settings.best_of or 1,
        "top_k_per_token": settings.best_of or 1,
        "max_tokens": spec["max_tokens"],
        "stop_sequences": spec["stop_sequences"],
        "echo_prompt": False,
        "top_p": 1,
        "presence_penalty": 0,
        "frequency_penalty": 0,
    }
    completions = [
        completion,
        *({**completion, "text": f" {other.rpartition('Answer: ')[2]}"} for other in answer.others),
    ]
    result: dict[str, Any] = {"success": answer.error is None, "embedding": [], "completions": completions}
    if answer.error:  # HELM goes on with an empty completion where an error is not fatal
        nothing = {"text": "", "logprob": 0.0, "tokens": []}
        result |= {"completions": [nothing], "error": answer.error, "error_flags": {"is_fatal": False}}
    state["result"] = result | {"cached": False, "request_time": 0.68, "request_datetime": 1762354922}
    return state | {"num_train_instances": settings.shots, "prompt_truncated": False, "num_conditioning_tokens": 0}


def _values(study: Study, answer: Answer) -> dict[str, float]:
    text = _said(study, answer)
    prompt = tokens(_prompt(answer.item, study.settings[answer.model]))
    stopped = {f"finish_reason_{name}": 0.0 for name in ("length", "stop", "endoftext", "unknown")}
    named = answer.stop if study.kind == "short" and answer.stop in ("length", "stop") else "unknown"
    stopped[f"finish_reason_{named}"] = 1.0
    values = {
        "num_references": float(len(answer.item.choices) or 1),
        "num_train_trials": 1.0,
        "num_prompt_tokens": float(prompt),
        "num_completion_tokens": float(tokens(text)),
        "num_output_tokens": float(tokens(text)),
        "inference_runtime": 0.68,
        "batch_size": 1.0,
        **stopped,
        "num_train_instances": float(study.settings[answer.model].shots),
        "prompt_truncated": 0.0,
    }
    if answer.score is not None:
        values |= dict.fromkeys(METRICS, answer.score)
    return values | {"logprob": 0.0, "num_perplexity_tokens": 1.0, "num_bytes": float(len(text.encode()))}


def _stat(name: str, value: float) -> dict[str, Any]:
    return {
        "name": {"name": name, "split": "test"},
        "count": 1,
        "sum": value,
        "sum_squared": value * value,
        "min": value,
        "max": value,
        "mean": value,
        "variance": 0.0,
        "stddev": 0.0,
    }


def _instance(study: Study, answer: Answer) -> dict[str, Any]:
    stats = [_stat(name, value) for name, value in _values(study, answer).items()]
    return {"instance_id": answer.item.key, "train_trial_index": 0, "stats": stats}


def _stats(study: Study, model: str, answers: list[Answer]) -> list[dict[str, Any]]:
    rows = [_values(study, answer) for answer in answers]
    printed = study.headline(model)
    made = []
    for name in dict.fromkeys(name for row in rows for name in row):
        values = [row[name] for row in rows if name in row]
        made.append(_stat(name, printed.value if name in METRICS else sum(values) / len(values)))
    return [*made, _stat("num_instances", float(len(answers)))]
