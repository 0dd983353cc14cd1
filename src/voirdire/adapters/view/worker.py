"""What takes time, in a process of its own: run as a program, it answers a question a line, both as JSON.

A question names what is wanted and the folders of runs; an answer has what was wanted, or a "problem" as a sentence.
"""

from __future__ import annotations

import gc
import json
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from voirdire.adapters.view.page_cache import cached_figures, cached_page, remove_stale, state_of
from voirdire.data.json_values import as_object
from voirdire.documents.cells import metric, metric_ends, plain_table
from voirdire.documents.document import OF_A_COMMAND, Column, Document, Section, Table, Text
from voirdire.documents.run_description import run_names
from voirdire.errors import InputError, UserError
from voirdire.instruments import (
    CompareQuestion,
    Instrument,
    data_at,
    instrument_of,
    instrument_of_run,
    instruments,
    is_run,
    listed_data,
)
from voirdire.instruments.figures import ModelFigure, RunFigures, Subject, rules_that_differ
from voirdire.models.secrets import without_known_secrets
from voirdire.reports.builder import document_of, with_own_origins
from voirdire.reports.page import page_policy, render, render_sections
from voirdire.runs import RunFolder
from voirdire.runs.errors import RunWarning
from voirdire.web.helper_process import answer_lines

_BEGUN: dict[str, Callable[[], Document]] = {}
"""The report of the run whose overview was made last, by the state of that run."""
_NOT_YET = "not yet"
"""Stands where a figure will have its value."""
_GARBAGE = 100_000
"""New things after which unreachable ones are looked for."""


class NotComparable(InputError):
    """Runs that can't be compared: one sentence says why."""


def listed(paths: Sequence[Path]) -> dict[str, Any]:
    """Of each path that is no run, which instrument reads it and with which files."""
    result = map(listed_data, paths)
    return {"listed": [(each.instrument, [str(path) for path in each.files]) for each in result]}


def progress(paths: Sequence[Path]) -> dict[str, Any]:
    """How far a run has come: what is done, of how much, and what it took."""
    with RunFolder.open(paths[0], read_only=True) as folder:
        counts = _instrument(folder).progress(folder)
        return {"counts": counts, "totals": as_object(folder.journal.totals())}


def figures(paths: Sequence[Path]) -> dict[str, Any]:
    """The headline figure of each model of a run, the highest first; of results, what their audit concludes."""
    results: dict[str, Any] = cached_figures(paths[0], lambda: _listed_row(paths))["figures"]
    return results


def _listed_row(paths: Sequence[Path]) -> dict[str, Any]:
    return {"figures": _figures(paths), "progress": progress(paths) if is_run(paths[0]) else {}}


def _figures(paths: Sequence[Path]) -> dict[str, Any]:
    if not is_run(paths[0]):
        return _conclusion(paths)
    with RunFolder.open(paths[0], read_only=True) as folder:
        instrument = _instrument(folder)
    if instrument.figures is None or instrument.headline is None:
        return {"figures": [], "says": "", "failing": [], "cautions": []}
    name, says = instrument.headline
    result = instrument.figures(paths[0], None)
    headlines = [(subject, figure) for subject in result.subjects if (figure := subject.figures.get(name)) is not None]
    headlines.sort(key=lambda each: (_value(each[1]) is None, -(_value(each[1]) or 0.0)))
    shown = [
        {"model": subject.model, "name": name, **_cells(name, figure), "warnings": [*_cautions(subject, figure)]}
        for subject, figure in headlines
    ]
    failing = [check.id for check in result.failed_checks]
    return without_known_secrets(
        {"figures": shown, "says": says, "failing": failing, "cautions": [*result.warnings, *result.notes]}
    )


def _cautions(subject: Subject, figure: ModelFigure) -> Iterator[str]:
    yield from subject.warnings
    if figure.caution:
        yield f"{subject.model}: {figure.caution}"


def _value(figure: ModelFigure) -> float | None:
    """The value of a figure, where it can be told."""
    return None if figure.undecided else figure.value


def _cells(name: str, figure: ModelFigure) -> dict[str, Any]:
    """A figure with its interval or why it has none, why it says little, what it rests on; of nothing, no "n 0"."""
    value, why = _value(figure), str(figure.reason or "")
    if value is None:
        why = "" if figure.undecided and figure.empty else why
        shown = _NOT_YET if figure.undecided else metric(name, None)
        return {"value": shown, "ends": "", "why": why, "doubt": "", "n": figure.n or None}
    return {
        "value": metric(name, value),
        "ends": metric_ends(name, figure.interval),
        "why": why,
        "doubt": str(figure.empty or ""),
        "n": figure.n,
    }


def _conclusion(paths: Sequence[Path]) -> dict[str, Any]:
    data = data_at(paths)
    if data is None or data.validate is None:
        return {}
    result = data.validate(paths)
    return without_known_secrets({"verdict": result.headline, "failing": result.failed, "models": result.models})


def report(paths: Sequence[Path]) -> dict[str, Any]:
    """The page of a run's report."""
    return cached_page("report", paths, lambda: _page(_report(paths), " + ".join(run_names(paths))))


def _report(paths: Sequence[Path]) -> Document:
    begun = _BEGUN.pop(state_of(paths), None)
    return document_of(paths) if begun is None else with_own_origins(begun(), paths)


def overview(paths: Sequence[Path]) -> dict[str, Any]:
    """The verdict on a run, to be read while its report is made of the same; empty where there is none."""
    _BEGUN.clear()
    instrument = instrument_of_run(paths[0]) if is_run(paths[0]) else None
    if instrument is None or instrument.overview is None:
        return {}
    state = state_of(paths)
    result = instrument.overview(paths[0], None)
    if result.report is not None:
        _BEGUN[state] = result.report
    shown = without_known_secrets(result.document())
    titled = tuple(replace(each, title=each.title or "Verdict") for each in shown.sections)
    return {"page": _encodable(render_sections(replace(shown, sections=titled)))}


def prepare(paths: Sequence[Path]) -> dict[str, Any]:
    """Make the page of a run's report, so that it is there when it is asked for."""
    report(paths)
    return {}


def comparison(paths: Sequence[Path]) -> dict[str, Any]:
    """The page that holds runs against one another: what their tests say, then their figures side by side.

    Results are audited together.

    Raises:
        NotComparable: the runs are of several instruments, or of one without figures; or some are results.
    """
    return cached_page("comparison", paths, lambda: _comparison(paths))


def _comparison(paths: Sequence[Path]) -> dict[str, Any]:
    are_runs = {is_run(path) for path in paths}
    if are_runs == {False}:
        return _page(document_of(paths))
    if len(are_runs) > 1:
        raise NotComparable("Runs can't be compared with results that somebody else made: choose either.")
    by_run = {}
    for path in paths:
        with RunFolder.open(path, read_only=True) as folder:
            by_run[path] = _instrument(folder)
    names = run_names(paths)
    instrument = by_run[paths[0]]
    if len({each.name for each in by_run.values()}) > 1:
        listed = ", ".join(f"{name} of {each.name}" for name, each in zip(names, by_run.values(), strict=True))
        raise NotComparable(
            f"Runs of different instruments can't be compared: {listed}. Choose runs of one instrument."
        )
    if instrument.figures is None:
        raise NotComparable(f"Runs of {instrument.name} have no figures to compare.")
    read = [instrument.figures(path, None) for path in paths]
    rules = rules_that_differ(list(zip(read, names, strict=True)))
    unlike = [Text(_BY_OWN_RULES, "warn")] if rules else []
    sections = [*_tested(instrument, paths), *_side_by_side(instrument, names, read, unlike)]
    return _page(without_known_secrets(Document(f"Comparison of {_listed(names)}", "", tuple(sections))))


def _tested(instrument: Instrument, paths: Sequence[Path]) -> Iterator[Section]:
    if instrument.compare is not None:
        compared = instrument.compare(paths, None, CompareQuestion()).document
        for each in compared.sections:
            if each.id != OF_A_COMMAND:
                yield replace(each, title=each.title or "Which models differ")


_BY_OWN_RULES = (
    "These figures count by different thresholds, so compare them within a run only; each run's report lists its own."
)
_EXPLAINED = "Each figure with its 95 % interval, where it has one."


def _side_by_side(
    instrument: Instrument, names: Sequence[str], read: Sequence[RunFigures], unlike: Sequence[Text]
) -> Iterator[Section]:
    subjects = [(name, subject) for name, own in zip(names, read, strict=True) for subject in own.subjects]
    metrics = list(dict.fromkeys(each for _, subject in subjects for each in subject.figures))
    first = [each for each in instrument.first_figures if each in metrics] or metrics
    others = [each for each in metrics if each not in first]
    yield Section("figures", "Side by side", (*unlike, _table("figures", instrument, first, subjects)))
    if others:
        table = _table("other-figures", instrument, others, subjects)
        yield Section("other-figures", "Other figures", (table,), detail=True)


def _table(id: str, instrument: Instrument, metrics: Sequence[str], subjects: Sequence[tuple[str, Subject]]) -> Table:
    scales = [instrument.scale(each) for each in metrics]
    says = [Column("says", "what it says")] if any(scale.says for scale in scales) else []
    heads = (name if subject.model == name else f"{name}: {subject.model}" for name, subject in subjects)
    columns = [Column("figure", "figure"), *says, *(Column(head, head, numeric=True) for head in heads)]
    rows = (
        [
            scale.label or each,
            *([scale.says] if says else []),
            *(_cell(each, subject.figures.get(each)) for _, subject in subjects),
        ]
        for each, scale in zip(metrics, scales, strict=True)
    )
    return plain_table(id, columns, rows, caption=_EXPLAINED)


def _cell(name: str, figure: Any) -> str:
    if figure is None:
        return "–"
    ends = metric_ends(name, figure.interval)
    return f"{metric(name, figure.value)}\n({ends})" if ends else metric(name, figure.value)


def _page(document: Document, here: str = "") -> dict[str, Any]:
    return {"page": _encodable(render(document, home="/", here=here)), "policy": page_policy()}


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _instrument(folder: RunFolder) -> Instrument:
    return instrument_of(str(folder.manifest.get("instrument", "")))


_ANSWERS: Mapping[str, Callable[[Sequence[Path]], dict[str, Any]]] = {
    "listed": listed,
    "progress": progress,
    "figures": figures,
    "overview": overview,
    "report": report,
    "prepare": prepare,
    "comparison": comparison,
}


def answer(line: str) -> bytes:
    """The answer to a question."""
    question = json.loads(line)
    try:
        result = _ANSWERS[question["what"]]([Path(each) for each in question["runs"]])
    except UserError as error:
        result = {"problem": without_known_secrets(str(error))}
    except Exception as error:  # whatever a damaged run leads to: the others are shown
        result = {
            "problem": f"This can't be shown ({type(error).__name__}): voirdire verify says whether it is damaged."
        }
    return json.dumps(result).encode()


if __name__ == "__main__":
    warnings.simplefilter("ignore", RunWarning)
    instruments()  # imports them: nobody waits for that later
    # What was imported stays, and a report makes millions of small things that are all wanted until it is done.
    gc.freeze()
    gc.set_threshold(_GARBAGE)
    if int(sys.argv[1]):
        remove_stale()
    answer_lines(answer, polite=int(sys.argv[1]))
