"""Inspect: `.eval` and `.json` logs of inspect-ai (https://inspect.aisi.org.uk/eval-logs.html).

A `.eval` log is a zip archive of `header.json` and a JSON file for each sample and epoch. It is read here as what it
is; only where Python can't unpack it (zstd), `inspect_ai.log` does. Samples that a log leaves out (`--no-log-samples`)
leave an evaluation with a printed headline and no rows.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.data.files import MAX_WHOLE, decoded
from voirdire.errors import not_installed
from voirdire.evaluation.formats.columns import lower_by_name
from voirdire.evaluation.formats.reader import (
    Format,
    FormatError,
    as_text,
    begins_with_keys,
    cluster_of,
    head_of,
    json_of,
    listed,
    mapping,
    number_of,
    place_of,
    read_json,
    source_of,
)
from voirdire.evaluation.records import Evaluation, Printed
from voirdire.evaluation.table import Rows
from voirdire.reason_codes import reason

NAME = "inspect"
MAX_SAMPLES = 200_000
MAX_UNPACKED = 8 * 2**30
"""Bytes that all of an archive may unpack to."""
_ZIP = b"PK\x03\x04"
_HEADERS = ("header.json", "_journal/start.json")
_ATTACHED = "attachment://"
_ERRORS = ("stderr", "std", "var", "bootstrap_stderr")
"""Metrics that are no headline."""
_VALUES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
"""What Inspect's `value_to_float` makes of words: correct, incorrect, partial, no answer."""
_NO_GRADE = "Grade not found in model output"
"""How Inspect's graders begin the explanation of a score whose grade could not be read; it counts as incorrect."""
_GENERATION = (
    "temperature",
    "max_tokens",
    "top_p",
    "top_k",
    "seed",
    "reasoning_effort",
    "num_choices",
    "best_of",
    "system_message",
)


def sniff(path: Path) -> bool:
    """An archive that ends in .eval, or a JSON file that begins as a log does."""
    if path.suffix == ".eval":
        return head_of(path).startswith(_ZIP)
    return path.suffix == ".json" and begins_with_keys(path, ("status", "eval"))


def read(path: Path) -> Sequence[Evaluation]:
    """The evaluation of one log."""
    log, samples = _of_log(path)
    run = mapping(log.get("eval"))
    if not isinstance(run.get("model"), str):
        raise FormatError(f"{path} is no log of Inspect: it names no model.")
    return [_evaluation(path, log, run, samples)]


FORMAT = Format(NAME, sniff, read)


def metadata_of(path: Path) -> dict[tuple[str, int | None], Mapping[str, Any]]:
    """The metadata of each sample of a log, by the sample's id and epoch."""
    results = {}
    for sample in _of_log(path)[1]:
        epoch = number_of(sample.get("epoch"))
        results[str(sample.get("id")), None if epoch is None else int(epoch)] = mapping(sample.get("metadata"))
    return results


Samples = Iterator[Mapping[str, Any]]


def _of_log(path: Path) -> tuple[Mapping[str, Any], Samples]:
    return _of_archive(path) if path.suffix == ".eval" else _of_json(path)


def _of_json(path: Path) -> tuple[Mapping[str, Any], Samples]:
    log = mapping(read_json(path)[0])
    return log, (mapping(each) for each in listed(log.get("samples")))


def _of_archive(path: Path) -> tuple[Mapping[str, Any], Samples]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            header = next((name for name in _HEADERS if name in names), None)
            if header is None:
                raise FormatError(f"{path} is no log of Inspect: it holds no {_HEADERS[0]}.")
            inside = [each for each in archive.infolist() if _is_sample(each.filename)]
            if len(inside) > MAX_SAMPLES or sum(each.file_size for each in inside) > MAX_UNPACKED:
                raise FormatError(f"{path} holds more than {MAX_SAMPLES:,} samples, or unpacks to more than 8 GB.")
            log = mapping(json_of(_member(archive, header, path), f"{path}, {header},"))
    except NotImplementedError:
        return _by_inspect(path)
    except (zipfile.BadZipFile, OSError, zlib.error) as error:
        raise FormatError(f"{path} is a damaged archive: {error}.") from None
    return log, _samples(path, sorted(each.filename for each in inside))


def _samples(path: Path, names: Sequence[str]) -> Samples:
    try:
        with zipfile.ZipFile(path) as archive:
            for name in names:
                yield mapping(json_of(_member(archive, name, path), f"{path}, {name},"))
    except (zipfile.BadZipFile, OSError, zlib.error, NotImplementedError) as error:
        raise FormatError(f"{path} is a damaged archive: {error}.") from None


def _is_sample(name: str) -> bool:
    return name.startswith("samples/") and name.endswith(".json")


def _member(archive: zipfile.ZipFile, name: str, path: Path) -> str:
    with archive.open(name) as file:
        raw = file.read(MAX_WHOLE + 1)
    if len(raw) > MAX_WHOLE:
        raise FormatError(f"{path}, {name}, unpacks to more than {MAX_WHOLE:,} bytes, and is not read.")
    return decoded(raw, path / name)


def _by_inspect(path: Path) -> tuple[Mapping[str, Any], Samples]:
    try:
        from inspect_ai.log import read_eval_log
    except ModuleNotFoundError:
        raise FormatError(
            f"{path} is packed in a way that Python alone can't unpack. {not_installed('It', 'inspect-ai', 'inspect')}"
        ) from None
    log = mapping(json_of(read_eval_log(str(path)).model_dump_json(), str(path)))
    return log, (mapping(each) for each in listed(log.get("samples")))


class _Scorer(NamedTuple):
    """Whose score is the headline."""

    name: str
    key: str
    """Of a score that has several values."""
    judge: str | None
    cluster: str | None
    """The field of a sample's metadata by which the printed error is clustered."""
    parts: tuple[str, ...] | None = None
    """Of scores that have several values, and none of the headline's name; `key` is the first. `None`: not seen yet."""

    def reading(self, scores: Mapping[str, Any]) -> _Scorer:
        """The same, told by a sample's scores what the headline leaves open."""
        name = self.name or next(iter(scores), "")
        value = mapping(scores.get(name)).get("value")
        key = self.key or name
        if not isinstance(value, dict) or self.parts is not None:
            return self._replace(name=name, key=key)
        parts = () if key in value else tuple(part for part, each in value.items() if not isinstance(each, str))
        return self._replace(name=name, key=next(iter(parts), key), parts=parts)


def _evaluation(path: Path, log: Mapping[str, Any], run: Mapping[str, Any], samples: Samples) -> Evaluation:
    scores = [mapping(each) for each in listed(mapping(log.get("results")).get("scores"))]
    headline = scores[0] if scores else {}
    name = str(headline.get("scorer") or "")
    scorer = _Scorer(name, str(headline.get("name") or name), _judge(headline, run), _cluster_field(headline))
    rows = Rows()
    for sample in samples:
        scorer = scorer.reading(mapping(sample.get("scores")))
        _add(rows, sample, str(run["model"]), scorer)
    frame = rows.frame(models=(str(run["model"]),))
    task = str(run.get("task_display_name") or run.get("task") or path.stem)
    printed = _printed(headline, str(run["model"]), path)
    low_high = frame["score"].dropna()
    return Evaluation(
        name=task,
        format=NAME,
        metric=scorer.key or "score",
        rows=frame,
        printed=() if scorer.parts else printed,
        other_scores=rows.other_scores(),
        higher_is_better=not (scorer.parts and lower_by_name(scorer.key)),
        bounds=(0.0, 1.0) if low_high.between(0, 1).all() else None,
        settings={str(run["model"]): _settings(log, run, headline)},
        files=(source_of(path),),
        notes=(*_limited(log, run), *_notes(scores, len(frame), scorer, headline)),
    )


def _add(rows: Rows, sample: Mapping[str, Any], model: str, scorer: _Scorer) -> None:
    scores, metadata = mapping(sample.get("scores")), mapping(sample.get("metadata"))
    score = mapping(scores.get(scorer.name))
    choices = tuple(str(each) for each in listed(sample.get("choices")))
    output = mapping(sample.get("output"))
    target = sample.get("target")
    targets = [str(each) for each in target] if isinstance(target, list) else [str(target)] if target else []
    value = _value(score.get("value"), scorer.key)
    explanation = _text(score.get("explanation"), sample)
    status, written = _status(sample, value, explanation), _output(output, sample)
    answer = _text(score.get("answer"), sample)
    rows.add(
        {
            "item": str(sample.get("id")),
            "model": model,
            "score": value,
            "status": status,
            "judge": scorer.judge,
            "cluster": as_text(metadata.get(scorer.cluster)) if scorer.cluster else cluster_of(metadata),
            "epoch": number_of(sample.get("epoch")),
            "attempts": 1.0 + len(listed(sample.get("error_retries"))),
            "prompt": _prompt(sample),
            "output": None if status == "error" and not written else written,
            "reference": "\n".join(_full(each, choices) for each in targets) or None,
            "answer": answer,
            "verdict" if scorer.judge else "explanation": explanation,
            "error": _error(sample),
            "choices": choices or None,
            "choice": place_of(answer, choices),
            "target": place_of(targets[0] if targets else None, choices),
            "output_tokens": number_of(mapping(output.get("usage")).get("output_tokens")),
            "stop_reason": _stop_reason(output),
        },
        _others(scores, scorer),
    )


def _others(scores: Mapping[str, Any], scorer: _Scorer) -> dict[str, float]:
    """All other values of a sample's scores, by scorer, or by scorer and key where a score has several."""
    results: dict[str, float] = {}
    for name, score in scores.items():
        value = mapping(score).get("value")
        parts = value if isinstance(value, dict) else {"": value}
        for part, each in parts.items():
            number = _value(each, "")
            if number is not None and not (name == scorer.name and part in ("", scorer.key)):
                results[f"{name}/{part}" if part else name] = number
    return results


def _value(value: Any, key: str) -> float | None:
    """A score as a number; `None` where there is none, or where it is no number to Inspect either."""
    if isinstance(value, dict):
        return _value(value.get(key), "")
    if isinstance(value, str):
        known = _VALUES.get(value, _VALUES.get(value.lower()))
        try:
            return known if known is not None else float(value)
        except ValueError:
            return None
    return number_of(value)


def _status(sample: Mapping[str, Any], value: float | None, explanation: str | None) -> str | None:
    if sample.get("error"):
        return "error"
    if sample.get("limit"):
        return "limit"
    if (explanation or "").startswith(_NO_GRADE):
        return "unparsed"
    return None if value is not None else "missing"


def _error(sample: Mapping[str, Any]) -> str | None:
    limit = mapping(sample.get("limit")).get("type")
    known = mapping(sample.get("error")).get("message") or (limit and f"limit: {limit}")
    return str(known) if known else None


def _prompt(sample: Mapping[str, Any]) -> str | None:
    """What the model was sent first; where the log does not have it, the sample's input."""
    sent = [mapping(each) for each in listed(sample.get("messages"))]
    before = []
    for message in sent:
        if message.get("role") == "assistant":
            break
        before.append(_text(message.get("content"), sample) or "")
    return "\n\n".join(before) or _text(sample.get("input"), sample)


def _text(content: Any, sample: Mapping[str, Any]) -> str | None:
    """A text, or the texts of messages or of parts of one; what was put aside as an attachment is put back."""
    if isinstance(content, str):
        attached = mapping(sample.get("attachments")).get(content.removeprefix(_ATTACHED))
        return str(attached) if content.startswith(_ATTACHED) and attached else content
    if isinstance(content, list):
        parts = (mapping(each) for each in content)
        texts = (_text(part.get("text") or part.get("content"), sample) for part in parts)
        return "\n\n".join(text for text in texts if text) or None
    return None


def _full(target: str, choices: Sequence[str]) -> str:
    place = place_of(target, choices)
    return target if place is None else choices[int(place)]


def _output(output: Mapping[str, Any], sample: Mapping[str, Any]) -> str | None:
    """What the model answered; logs without the text by itself have it in the first choice's message."""
    completion = _text(output.get("completion"), sample)
    return (
        completion if completion is not None else _text(mapping(_first(output).get("message")).get("content"), sample)
    )


def _stop_reason(output: Mapping[str, Any]) -> str | None:
    reason = _first(output).get("stop_reason")
    return reason if isinstance(reason, str) else None


def _first(output: Mapping[str, Any]) -> Mapping[str, Any]:
    return mapping(next(iter(listed(output.get("choices"))), None))


def _judge(headline: Mapping[str, Any], run: Mapping[str, Any]) -> str | None:
    """The model that grades, or several that vote: named by the scorer, or by the role "grader"."""
    scorer = headline.get("scorer")
    own = next((mapping(each) for each in listed(run.get("scorers")) if mapping(each).get("name") == scorer), {})
    for parameters in (mapping(headline.get("params")), mapping(own.get("options"))):
        for name in ("grader_model", "model", "judge_model", "judge"):
            model = parameters.get(name)
            named = [mapping(each).get("model", each) for each in (model if isinstance(model, list) else [model])]
            judges = [each for each in named if isinstance(each, str) and each]
            if judges:
                return ", ".join(judges)
    role = mapping(mapping(run.get("model_roles")).get("grader")).get("model")
    return role if isinstance(role, str) and "model_graded" in str(scorer) else None


def _cluster_field(headline: Mapping[str, Any]) -> str | None:
    """The field of a sample's metadata by which the printed standard error is clustered."""
    error = mapping(mapping(headline.get("metrics")).get("stderr"))
    field = mapping(error.get("params")).get("cluster") or mapping(error.get("options")).get("cluster")
    return field if isinstance(field, str) else None


def _printed(headline: Mapping[str, Any], model: str, path: Path) -> tuple[Printed, ...]:
    metrics = {str(name): mapping(each) for name, each in mapping(headline.get("metrics")).items()}
    name = next((name for name in metrics if name.rsplit("/", 1)[-1] not in _ERRORS), None)
    value = number_of(metrics[name].get("value")) if name else None
    if name is None or value is None:
        return ()
    error = number_of(metrics["stderr"].get("value")) if "stderr" in metrics else None
    n = number_of(headline.get("scored_samples"))
    return (Printed(model, value, error, None if n is None else int(n), 12, f"{path.name}, {name}"),)


def _settings(log: Mapping[str, Any], run: Mapping[str, Any], headline: Mapping[str, Any]) -> dict[str, Any]:
    config, data, results = mapping(run.get("config")), mapping(run.get("dataset")), mapping(log.get("results"))
    generation = {**mapping(mapping(log.get("plan")).get("config")), **mapping(run.get("model_generate_config"))}
    steps = [str(mapping(each).get("solver")) for each in listed(mapping(log.get("plan")).get("steps"))]
    known = {
        "items": _items(results, config, data),
        "reducer": headline.get("reducer") or next(iter(listed(config.get("epochs_reducer"))), None),
        "epochs": config.get("epochs"),
        "metric": next(iter(mapping(headline.get("metrics"))), None),
        "status": log.get("status"),
        "task_version": run.get("task_version"),
        "dataset": data.get("name"),
        "dataset_items": data.get("samples"),
        "limit": config.get("limit"),
        "solver": ", ".join(steps) or None,
        "inspect_ai": mapping(run.get("packages")).get("inspect_ai"),
        "revision": mapping(run.get("revision")).get("commit"),
        **{name: generation.get(name) for name in _GENERATION},
        **{f"task_args.{name}": value for name, value in mapping(run.get("task_args")).items()},
        **_solver_args(log),
    }
    return {name: value for name, value in known.items() if value is not None}


def _solver_args(log: Mapping[str, Any]) -> dict[str, Any]:
    """What solvers were told, as far as it is a number, a switch or a name: how many attempts an agent has."""
    steps = [mapping(mapping(each).get("params")) for each in listed(mapping(log.get("plan")).get("steps"))]
    plain = (str, int, float, bool)
    return {f"solver.{name}": value for step in steps for name, value in step.items() if isinstance(value, plain)}


def _items(results: Mapping[str, Any], config: Mapping[str, Any], data: Mapping[str, Any]) -> int | None:
    """How many items were asked: the samples of all epochs, over the epochs."""
    total, epochs = number_of(results.get("total_samples")), number_of(config.get("epochs")) or 1.0
    if total:
        return round(total / epochs)
    return len(listed(data.get("sample_ids"))) or None


def _limited(log: Mapping[str, Any], run: Mapping[str, Any]) -> Iterator[Any]:
    """That a part of the data set was run."""
    config, data = mapping(run.get("config")), mapping(run.get("dataset"))
    asked, whole = _items(mapping(log.get("results")), config, data), number_of(data.get("samples"))
    if config.get("limit") is not None and asked and whole and asked < whole:
        yield reason("evaluation_limited", items=asked, of=int(whole))


def _notes(
    scores: Sequence[Mapping[str, Any]], rows: int, scorer: _Scorer, headline: Mapping[str, Any]
) -> Iterator[Any]:
    if len(scores) > 1:
        names = tuple(str(each.get("name")) for each in scores)
        yield reason("evaluation_first_metric", metric=names[0], of=names)
    if not rows:
        yield reason("evaluation_no_rows")
    if scorer.parts and headline:
        printed = next(iter(mapping(headline.get("metrics"))), "")
        yield reason("evaluation_first_part", part=scorer.key, of=scorer.parts, printed=printed)
    if scorer.cluster:
        yield reason("evaluation_clustered_by", field=scorer.cluster)
