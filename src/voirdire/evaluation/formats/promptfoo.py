"""promptfoo: the JSON of `promptfoo eval --output results.json` (https://www.promptfoo.dev/docs/configuration/outputs).

Each prompt is an evaluation, each provider a model, each test an item; a score is 1 for a test that passed, as in the
pass rate that promptfoo prints. Its own score between 0 and 1 is a further one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.evaluation.formats.reader import (
    Format,
    FormatError,
    Repetitions,
    as_text,
    begins_with_keys,
    cluster_of,
    listed,
    mapping,
    number_of,
    read_json,
    source_of,
)
from voirdire.evaluation.records import Evaluation, Printed
from voirdire.evaluation.table import Rows
from voirdire.reason_codes import reason

NAME = "promptfoo"
METRIC = "pass_rate"
_ERROR = 2
"""promptfoo's `failureReason` for a test that could not be made; 1 is a failed assertion."""
_TEXTUAL = (
    "equals",
    "contains",
    "icontains",
    "starts-with",
    "similar",
    "levenshtein",
    "factuality",
    "model-graded-closedqa",
)
"""Assertions whose value is the answer that is wanted."""
_GRADED = ("llm-rubric", "model-graded", "factuality", "g-eval", "select-best", "answer-relevance", "context-", "pi")
"""How the types of assertions begin that a model decides."""
_SETTINGS = ("temperature", "max_tokens", "top_p", "seed", "maxOutputTokens")


def sniff(path: Path) -> bool:
    """A JSON file that begins as promptfoo's does, of the last versions or of older ones."""
    return path.suffix == ".json" and (
        begins_with_keys(path, ("evalId", "results")) or begins_with_keys(path, ("results", "version", "timestamp"))
    )


def read(path: Path) -> Sequence[Evaluation]:
    """An evaluation for each prompt."""
    content = mapping(read_json(path)[0])
    summary = mapping(content.get("results")) or content
    results = [mapping(each) for each in listed(summary.get("results"))]
    if not results:
        raise FormatError(f"{path} is no output of promptfoo: it has no results.")
    config = mapping(content.get("config"))
    by_prompt = _by_prompt(results)
    heads = [mapping(each) for each in listed(summary.get("prompts") or mapping(summary.get("table")).get("head"))]
    title = str(config.get("description") or path.stem)
    return [
        _evaluation(path, f"{title} ({prompts[0]})" if len(by_prompt) > 1 else title, own, config, _of(heads, prompts))
        for prompts, own in by_prompt.items()
    ]


FORMAT = Format(NAME, sniff, read)


def _evaluation(
    path: Path,
    name: str,
    results: Sequence[Mapping[str, Any]],
    config: Mapping[str, Any],
    heads: Sequence[Mapping[str, Any]],
) -> Evaluation:
    rows, times = Rows(), Repetitions()
    repeated = (number_of(mapping(config.get("evaluateOptions")).get("repeat")) or 1) > 1
    firsts: dict[str, str] = {}
    for result in results:
        item = _item(result)
        if repeated:  # a repetition has a number of its own
            item = firsts.setdefault(as_text(dict(_variables(result))) or item, item)
        _add(rows, result, item, config, times)
    frame = rows.frame()
    heads = _by_label(heads, results)
    return Evaluation(
        name=name,
        format=NAME,
        metric=METRIC,
        rows=frame,
        printed=tuple(_printed(heads, tuple(frame["model"].cat.categories), path)),
        other_scores=rows.other_scores(),
        settings=_settings(config, heads, tuple(frame["model"].cat.categories)),
        files=(source_of(path),),
        notes=(reason("evaluation_pass_rate"),),
    )


def _by_label(heads: Sequence[Mapping[str, Any]], results: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Heads whose provider is named as in the results, by its label, where an id stands for one of them alone."""
    labels: dict[str, set[str]] = defaultdict(set)
    for about in (mapping(result.get("provider")) for result in results):
        labels[str(about.get("id"))].add(_model(about))
    return [
        {**head, "provider": next(iter(known))}
        if len(known := labels.get(_model(head.get("provider")), ())) == 1
        else head
        for head in heads
    ]


def _by_prompt(results: Sequence[Mapping[str, Any]]) -> dict[tuple[str, ...], list[Mapping[str, Any]]]:
    """Results by prompt; in one where every provider had a prompt of its own, since then models are compared by it."""
    by_name: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for result in results:
        by_name[_prompt_name(result)].append(result)
    models = [{_model(result.get("provider")) for result in own} for own in by_name.values()]
    if sum(map(len, models)) == len(set().union(*models)):
        return {tuple(by_name): [result for own in by_name.values() for result in own]}
    return {(prompt,): own for prompt, own in by_name.items()}


def _prompt_name(result: Mapping[str, Any]) -> str:
    prompt = mapping(result.get("prompt"))
    return str(prompt.get("label") or prompt.get("raw") or result.get("promptId") or "")[:80]


def _of(heads: Sequence[Mapping[str, Any]], prompts: Sequence[str]) -> list[Mapping[str, Any]]:
    return [each for each in heads if str(each.get("label") or each.get("raw") or "")[:80] in prompts]


def _model(named: Any) -> str:
    """A provider is a text, or an object with an id and perhaps a label."""
    about = mapping(named)
    return str(about.get("label") or about.get("id") or named or "provider")


def _add(rows: Rows, result: Mapping[str, Any], item: str, config: Mapping[str, Any], times: Repetitions) -> None:
    test, response = mapping(result.get("testCase")), mapping(result.get("response"))
    graded = mapping(result.get("gradingResult"))
    variables = _variables(result)
    asserted = [mapping(each) for each in listed(test.get("assert"))]
    model = _model(result.get("provider"))
    failed_to_run = result.get("failureReason") == _ERROR or (bool(result.get("error")) and not response)
    judge = _judge(asserted, test, config)
    usage = mapping(response.get("tokenUsage"))
    rows.add(
        {
            "item": item,
            "model": model,
            "score": number_of(result.get("success")),
            "status": "error" if failed_to_run else None,
            "judge": judge,
            "cluster": cluster_of(test.get("metadata")) or cluster_of(variables),
            "epoch": float(times.next(item, model)),
            "prompt": as_text(mapping(result.get("prompt")).get("raw")),
            "output": as_text(response.get("output")),
            "reference": _reference(asserted),
            "verdict": _verdict(graded) if judge else None,
            "explanation": None if judge else as_text(graded.get("reason")),
            "error": as_text(result.get("error")) if failed_to_run else None,
            "output_tokens": number_of(usage.get("completion")),
            "stop_reason": as_text(response.get("finishReason")),
        },
        dict(_others(result)),
    )


def _variables(result: Mapping[str, Any]) -> Mapping[str, Any]:
    return mapping(result.get("vars")) or mapping(mapping(result.get("testCase")).get("vars"))


def _item(result: Mapping[str, Any]) -> str:
    """The test's number, which is the same for all providers; where it has none, what it was filled with."""
    number = result.get("testIdx")
    return str(number) if isinstance(number, int) else as_text(dict(_variables(result))) or str(result.get("id"))


def _others(result: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    named = {"score": result.get("score"), **mapping(result.get("namedScores"))}
    for name, value in named.items():
        number = number_of(value)
        if number is not None:
            yield str(name), number


def _verdict(graded: Mapping[str, Any]) -> str | None:
    """What the graders wrote; where their parts are not kept, what stands for the whole."""
    parts = [mapping(each) for each in listed(graded.get("componentResults"))]
    texts = [as_text(each.get("reason")) for each in parts if _by_model(mapping(each.get("assertion")))]
    return "\n".join(dict.fromkeys(each for each in texts if each)) or as_text(graded.get("reason"))


def _by_model(assertion: Mapping[str, Any]) -> bool:
    return str(assertion.get("type")).removeprefix("not-").startswith(_GRADED)


def _reference(asserted: Sequence[Mapping[str, Any]]) -> str | None:
    known = [as_text(each.get("value")) for each in asserted if each.get("type") in _TEXTUAL]
    return "\n".join(each for each in known if each) or None


def _judge(asserted: Sequence[Mapping[str, Any]], test: Mapping[str, Any], config: Mapping[str, Any]) -> str | None:
    """The model that grades; where assertions need one and none is named, promptfoo's default."""
    by_model = [each for each in asserted if _by_model(each)]
    if not by_model:
        return None
    own = next((each["provider"] for each in by_model if each.get("provider")), None)
    options = mapping(test.get("options")).get("provider")
    usual = mapping(mapping(config.get("defaultTest")).get("options")).get("provider")
    named = own or options or usual
    return _model(named) if named else "promptfoo's default grader"


def _printed(heads: Sequence[Mapping[str, Any]], models: Sequence[str], path: Path) -> Iterator[Printed]:
    for head in heads:
        metrics, model = mapping(head.get("metrics")), _model(head.get("provider"))
        passed, failed, errors = (
            number_of(metrics.get(name)) or 0.0 for name in ("testPassCount", "testFailCount", "testErrorCount")
        )
        total = passed + failed + errors
        if model in models and total:
            yield Printed(model, passed / total, None, int(total), 12, f"{path.name}, prompts.metrics")


def _settings(
    config: Mapping[str, Any], heads: Sequence[Mapping[str, Any]], models: Sequence[str]
) -> dict[str, dict[str, Any]]:
    results: dict[str, dict[str, Any]] = {model: {} for model in models}
    for provider in (mapping(each) for each in listed(config.get("providers"))):
        known = mapping(provider.get("config"))
        if _model(provider) in results:
            results[_model(provider)] |= {name: known[name] for name in _SETTINGS if known.get(name) is not None}
    for head in heads:
        if _model(head.get("provider")) in results and isinstance(head.get("raw"), str):
            results[_model(head.get("provider"))]["prompt_template"] = head["raw"]
    return results
