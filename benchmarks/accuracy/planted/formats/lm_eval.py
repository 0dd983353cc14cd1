"""Runs of lm-evaluation-harness: `results_*.json` and `samples_*.jsonl` per model. After those of 0.4.9.2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.accuracy.planted.formats._common import asked, save, save_lines, sha
from benchmarks.accuracy.planted.study import Answer, Study

DATE = "2026-01-21T03-44-18.458309"


def write(study: Study, folder: Path) -> None:
    for model in study.models:
        inside = folder / model.replace("/", "__")
        save(inside / f"results_{DATE}.json", results(study, model))
        row = _choice if study.kind == "choice" else _short
        rows = [row(study, number, answer) for number, answer in enumerate(study.of(model)) if not answer.error]
        save_lines(inside / f"samples_{study.name}_{DATE}.jsonl", rows)


def metrics(study: Study) -> tuple[tuple[str, ...], str]:
    """Names of the metrics, and of the filter."""
    return (("acc", "acc_norm"), "none") if study.kind == "choice" else (("exact_match",), "strict-match")


def results(study: Study, model: str) -> dict[str, Any]:
    """What is printed of one run."""
    printed, settings = study.headline(model), study.settings[model]
    names, filtered = metrics(study)
    figures: dict[str, Any] = {"alias": study.name}
    for name in names:
        figures |= {f"{name},{filtered}": printed.value, f"{name}_stderr,{filtered}": printed.se}
    task: dict[str, Any] = {
        "task": study.name,
        "dataset_path": f"lab/{study.name}",
        "test_split": "test",
        "doc_to_text": "Question: {{question}}\nAnswer:",
        "doc_to_target": "{{answer}}",
        "unsafe_code": False,
        "description": settings.instruction,
        "target_delimiter": " ",
        "fewshot_delimiter": "\n\n",
        "num_fewshot": settings.shots,
        "metric_list": [{"metric": name, "aggregation": "mean", "higher_is_better": True} for name in names],
        "output_type": "multiple_choice" if study.kind == "choice" else "generate_until",
        "repeats": settings.best_of or 1,
        "should_decontaminate": False,
        "metadata": {"version": float(settings.version)},
    }
    if study.kind == "short":
        task["generation_kwargs"] = _generation(study, model)
        steps: list[dict[str, Any]] = [{"function": "regex", "regex_pattern": "Answer: (.+)"}]
        steps.append({"function": study.extra.get("filter", "take_first")})
        task["filter_list"] = [{"name": filtered, "filter": steps}]
    made = study.planned or len(study.of(model))
    return {
        "results": {study.name: figures},
        "group_subtasks": {study.name: []},
        "configs": {study.name: task},
        "versions": {study.name: float(settings.version)},
        "n-shot": {study.name: settings.shots},
        "higher_is_better": {study.name: dict.fromkeys(names, True)},
        "n-samples": {study.name: {"original": study.planned or len(study.items), "effective": made}},
        "config": {
            "model": "hf",
            "model_args": f"pretrained={model},dtype=bfloat16",
            "model_num_parameters": 7241732096,
            "model_dtype": "torch.bfloat16",
            "model_revision": "main",
            "model_sha": sha(model)[:40],
            "batch_size": "16",
            "batch_sizes": [],
            "device": "cuda:0",
            "use_cache": None,
            "limit": float(settings.limit) if settings.limit else None,
            "bootstrap_iters": 100000,
            "gen_kwargs": None,
            "random_seed": 0,
            "numpy_seed": 1234,
            "torch_seed": 1234,
            "fewshot_seed": 1234,
        },
        "git_hash": "1f84a09f",
        "date": 1768964383.8593218,
        "pretty_env_info": "PyTorch version: 2.9.0+cu128\nOS: Ubuntu 22.04.5 LTS (x86_64)",
        "transformers_version": "4.57.6",
        "lm_eval_version": "0.4.9.2",
        "upper_git_hash": None,
        "tokenizer_pad_token": ["<|pad|>", "151669"],
        "tokenizer_eos_token": ["<|endoftext|>", "151643"],
        "tokenizer_bos_token": [None, "None"],
        "eot_token_id": 151643,
        "max_length": 32768,
        "task_hashes": {study.name: sha(study.name, settings.version)},
        "model_source": "hf",
        "model_name": model,
        "model_name_sanitized": model.replace("/", "__"),
        "system_instruction": settings.instruction or None,
        "system_instruction_sha": sha(settings.instruction) if settings.instruction else None,
        "fewshot_as_multiturn": False,
        "chat_template": None,
        "chat_template_sha": None,
        "start_time": 3391296.96253277,
        "end_time": 3393974.694612052,
        "total_evaluation_time_seconds": "2677.7320792819373",
    }


def _generation(study: Study, model: str) -> dict[str, Any]:
    settings = study.settings[model]
    sampled = settings.temperature > 0
    stops = ["Question:", "</s>"]
    return {
        "until": stops,
        "do_sample": sampled,
        "temperature": settings.temperature,
        "max_gen_toks": settings.max_tokens,
    }


def _hashes(doc: dict[str, Any], prompt: str, target: str) -> dict[str, str]:
    return {"doc_hash": sha(json.dumps(doc)), "prompt_hash": sha(prompt), "target_hash": sha(target)}


def _choice(study: Study, number: int, answer: Answer) -> dict[str, Any]:
    item = answer.item
    labels = [chr(65 + place) for place in range(len(item.choices))]
    doc: dict[str, Any] = {
        "id": item.key,
        "question": item.question,
        "choices": {"text": list(item.choices), "label": labels},
        "answerKey": item.target,
    }
    doc |= {"passage_id": item.cluster} if item.cluster else {}
    prompt = f"Question: {asked(item, study.settings[answer.model])}\nAnswer:"
    target = str(labels.index(item.target))
    taken = answer.pick()
    lengths = [len(text) for text in item.choices]
    noise = [int(sha(answer.model, item.key, place)[:6], 16) / 2**22 for place in range(len(labels))]
    spread = [-18.0 - noise[place] - 0.3 * length for place, length in enumerate(lengths)]
    spread[taken] = -min(4.0, 0.05 * lengths[taken]) - noise[taken] / 100  # the best, by length or not
    resps = [[str(value), "False"] for value in spread]
    args = {f"gen_args_{place}": {"arg_0": prompt, "arg_1": f" {text}"} for place, text in enumerate(item.choices)}
    row = {
        "doc_id": number,
        "doc": doc,
        "target": target,
        "arguments": args,
        "resps": [[each] for each in resps],
        "filtered_resps": resps,
        "filter": "none",
        "metrics": ["acc", "acc_norm"],
    }
    return row | _hashes(doc, prompt, target) | {"acc": answer.score, "acc_norm": answer.score}


def _short(study: Study, number: int, answer: Answer) -> dict[str, Any]:
    item = answer.item
    doc = {"id": item.key, "question": item.question, "answer": item.target}
    doc |= {"passage_id": item.cluster} if item.cluster else {}
    prompt = f"Question: {asked(item, study.settings[answer.model])}\nAnswer:"
    extracted = answer.extracted if answer.extracted is not None else "[invalid]"
    row = {
        "doc_id": number,
        "doc": doc,
        "target": item.target,
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": _generation(study, answer.model)}},
        "resps": [[*answer.others, answer.output]],
        "filtered_resps": [extracted],
        "filter": "strict-match",
        "metrics": ["exact_match"],
    }
    return row | _hashes(doc, prompt, item.target) | {"exact_match": answer.score}
