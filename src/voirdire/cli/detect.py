"""`voirdire detect`: from answers and what they had to rest on to the sentences that do not."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from voirdire.cli import _detect_options
from voirdire.cli._commands import common_options
from voirdire.cli._input import as_piped, data_file, name_of
from voirdire.cli._output import say, say_json
from voirdire.cli._output import show as show_document
from voirdire.cli._parallel_options import ADDRESS, ENGINE, SHARD_ROWS, USUAL_ROWS, Engine, tell_shards
from voirdire.cli._run_options import CALLS
from voirdire.cli._values import BASE_URL, share
from voirdire.data.bounds import is_count
from voirdire.detectors.records import History

if TYPE_CHECKING:
    from voirdire.cognibench.detection import Count
    from voirdire.cognibench.detection_messages import FlagLimits
    from voirdire.cognibench.detection_report import FlaggedSentence
    from voirdire.cognibench.detection_workers import DetectTask
    from voirdire.documents.check_results import TestCase

FLAGGED = 100
"""Exit code for "something is flagged", or too much, apart from 1 for "the tool failed"."""
NOT_COMPLETE = 3
"""Exit code of a check that empty answers, sentences without a score or entries that were left out leave open."""
_EVERY = 5.0
"""Seconds between two lines of progress, where no terminal shows a live one."""


def _flagged_share(value: Any) -> float:
    """The share that may be flagged; where a number is given, the error names the option for it."""
    try:
        return share(value)
    except typer.BadParameter as error:
        if is_count(value):
            raise typer.BadParameter(f"{error} For a number of sentences, use --max-flags {value}.") from None
        raise


@common_options("detector", "threshold", "columns", "out", "fail_on_flagged", "max_flagged", "show", "json")
def detect(
    file: Path = typer.Argument(
        ...,
        help='JSON Lines, JSON, CSV or Parquet: {"id", "context", "question", "answer"}, or "turns": [{"user", '
        '"assistant"}], or a log of OpenAI, Anthropic, LangChain, LlamaIndex or RAGAS; - for JSON Lines or CSV from a '
        "pipe.",
    ),
    detector: str = _detect_options.DETECTOR,
    threshold: float | None = _detect_options.THRESHOLD,
    history: History = _detect_options.HISTORY,
    contradiction: bool = typer.Option(
        True, "--contradiction/--no-contradiction", help="Compare numbers, names and negation with the context."
    ),
    not_entailed: bool = _detect_options.NOT_ENTAILED,
    columns: str | None = _detect_options.COLUMNS,
    plain: bool = typer.Option(
        False, "--plain", help="Read Markdown as plain text: lists, tables and code blocks separate nothing."
    ),
    skip_bad: bool = _detect_options.SKIP_BAD,
    device: str = _detect_options.DEVICE,
    batch_size: int = _detect_options.BATCH_SIZE,
    base_url: str | None = BASE_URL,
    run: Path | None = CALLS,
    out: Path | None = typer.Option(
        None,
        "-o",
        "--out",
        help="Where to write: a line (.jsonl) or row (.parquet) per sentence; ray: a folder.",
        metavar="OUT",
    ),
    show: int | None = typer.Option(
        None, help="How many are shown: answers with flagged sentences; else 20, or none with -o.", min=0
    ),
    fail_on_flagged: bool = typer.Option(
        False,
        "--fail-on-flagged",
        help="Exit with 100 when anything is flagged, with 3 when an answer is empty, a sentence has no score or "
        "context, or an entry was left out.",
    ),
    max_flagged: float | None = typer.Option(
        None,
        "--max-flagged",
        help="Exit with 100 when a larger share of the scored sentences is flagged, with 3 when an answer "
        "is empty, a sentence has no score or context, or an entry was left out.",
        metavar="5%|0.05",
        parser=_flagged_share,
    ),
    max_flags: int | None = typer.Option(
        None,
        "--max-flags",
        help="Exit with 100 when more than N sentences are flagged, with 3 when an answer is empty, a sentence has no "
        "score or context, or an entry was left out.",
        min=0,
    ),
    min_scored: int | None = typer.Option(
        None, "--min-scored", help="Exit with 100 when fewer sentences have a score: answers are missing.", min=1
    ),
    junit: Path | None = typer.Option(
        None, help="JUnit XML to write, for a CI service: a test case per answer and limit.", metavar="FILE"
    ),
    json: bool = typer.Option(False, "--json", help="Print JSON: one object per answer and line."),
    workers: int | None = typer.Option(
        None,
        help="Work at the same time: processes here, shards with ray; else one a core, or one if the detector loads "
        "weights or asks a model.",
        min=1,
        max=1000,
    ),
    engine: Engine = ENGINE,
    address: str | None = ADDRESS,
    shard_rows: int | None = SHARD_ROWS,
    gpus: float = typer.Option(0.0, help="ray: GPUs that each worker is given.", min=0, max=1024),
) -> None:
    """Flag the sentences of answers that their context does not support. No key is needed."""
    from voirdire.cognibench.detection import check_scored
    from voirdire.cognibench.detection_cases import suite_of
    from voirdire.cognibench.detection_messages import FlagLimits
    from voirdire.cognibench.detection_workers import DetectTask
    from voirdire.cognibench.formats.other_tools import named_columns
    from voirdire.detectors import DetectorOptions
    from voirdire.detectors.base import check_run_folder
    from voirdire.reports.formats.junit import clear_junit, write_junit

    check_run_folder([detector], run)
    if junit is not None:
        clear_junit(junit, "detect", [file])
    options = DetectorOptions(
        device=device,
        batch_size=batch_size,
        threshold=threshold,
        contradiction=contradiction,
        not_entailed=not_entailed,
        base_url=base_url,
        folder=run,
    )
    task = DetectTask(detector, options, history, plain, skip_bad, () if columns is None else named_columns(columns))
    limits = FlagLimits(max_flagged, max_flags, fail_on_flagged, min_scored)
    unseen: list[FlaggedSentence] = []
    cases: list[TestCase] | None = None if junit is None else []
    with data_file(file) as path:
        if engine is Engine.RAY:
            elsewhere = json or junit is not None
            count = _by_shards(path, out, task, address, workers, shard_rows or USUAL_ROWS, gpus, elsewhere)
        else:
            count = _here(path, out, task, workers, show, json, unseen, cases)
    check_scored(name_of(file), count)
    if junit is not None and cases is not None:
        write_junit(junit, "detect", [suite_of(name_of(file), cases, count, limits)])
    _check(name_of(file), count, limits, unseen)


def _here(
    file: Path,
    out: Path | None,
    task: DetectTask,
    workers: int | None,
    show: int | None,
    json: bool,
    unseen: list[FlaggedSentence],
    cases: list[TestCase] | None,
) -> Count:
    """Score a file here; `unseen` is given the flags with the highest scores, where none is printed, `cases` all."""
    from voirdire.cognibench.detection import Count, DetectedAnswer, check_answers
    from voirdire.cognibench.detection_cases import case_of
    from voirdire.cognibench.detection_messages import written_message
    from voirdire.cognibench.detection_report import flagged_document, highest_flags, lead, notes
    from voirdire.cognibench.detection_workers import default_workers, detect_items
    from voirdire.cognibench.detection_writer import open_writer, write_origin
    from voirdire.cognibench.formats import Problems, iter_entries
    from voirdire.data.manifests import check_manifest_place
    from voirdire.detectors.base import held_out_at
    from voirdire.documents.document import Text, document
    from voirdire.documents.messages import note

    if out is not None:
        check_manifest_place(out)
    detector = task.open()
    bar = detector.threshold if task.options.threshold is None else task.options.threshold
    problems, count = Problems(labels=False), Count()
    printed: list[DetectedAnswer] = []  # below the sentence that says how many are flagged in all
    most = show if show is not None else 20 if out is None else 0
    result = detect_items(
        iter_entries(file, tell=problems, plain=task.plain),
        task,
        detector=detector,
        workers=workers or default_workers(task.detector),
        tell=problems,
        count=count,
    )
    with ExitStack() as stack, _bad_named():
        write = stack.enter_context(open_writer(out, file)) if out is not None else None
        tell = stack.enter_context(_progress())
        for each in result:
            tell(count)
            if write is not None:
                write(each)
            if cases is not None:
                cases.append(case_of(each))
            if each.flagged and not (json or most) and show is None:
                unseen[:] = highest_flags(unseen, each)
            if json:
                say_json(each.as_dict())
            elif each.flagged and len(printed) < most:
                printed.append(each)
    for sentence in problems.sentences():
        say(note(as_piped(sentence, file)), err=True)
    check_answers(file, count)
    known = held_out_at(detector, bar)
    show_document(document(lead(count, task.detector, bar)), err=json)
    for each in printed:
        say("")
        show_document(flagged_document(each))
    if printed:
        say("")
    lines = notes(count, task.detector, None if json or out else len(printed), known)
    show_document(document(*map(Text, lines)), err=json)
    if out is not None:
        write_origin(out, file, task, bar, count)
        unprinted = count.flagged and not (json or most)
        say(written_message(out, unprinted=bool(unprinted)), err=json)
    return count


def _by_shards(
    file: Path,
    out: Path | None,
    task: DetectTask,
    address: str | None,
    workers: int | None,
    shard_rows: int,
    gpus: float,
    elsewhere: bool,
) -> Count:
    from voirdire.adapters.ray import ScaleError, Spread, check_installed, detect_shards, open_cluster
    from voirdire.cognibench.detection import check_answers
    from voirdire.cognibench.detection_messages import shards_message
    from voirdire.cognibench.detection_report import counts_document
    from voirdire.detectors.base import held_out_at
    from voirdire.documents.messages import note

    if out is None or elsewhere:
        raise ScaleError(
            "--engine ray writes its shards to a folder: name it with -o OUT, and leave out --json and --junit."
        )
    check_installed()
    spread = Spread(address, workers, shard_rows, gpus)
    with ExitStack() as stack, _bad_named():
        result = detect_shards(
            file,
            out,
            task,
            lambda: stack.enter_context(open_cluster(spread)),
            shard_rows=shard_rows,
            tell=tell_shards,
        )
    for sentence in result.notes():
        say(note(as_piped(sentence, file)), err=True)
    check_answers(file, result.count)
    detector = task.open()
    bar = detector.threshold if task.options.threshold is None else task.options.threshold
    show_document(counts_document(result.count, task.detector, bar, None, held_out_at(detector, bar)))
    say(shards_message(out, result.shards, result.skipped))
    return result.count


@contextmanager
def _bad_named() -> Iterator[None]:
    """Entries that can't be used end the command with a hint at the option that leaves them out."""
    from voirdire.cognibench.formats import BadEntriesError
    from voirdire.cognibench.records import CognibenchError

    try:
        yield
    except BadEntriesError as error:
        raise CognibenchError(error.with_advice) from None


def _check(file: str, count: Count, limits: FlagLimits, unseen: Sequence[FlaggedSentence]) -> None:
    """End with the exit code of a check that is not passed; name flags that were not printed."""
    from voirdire.cognibench.detection import check_checked
    from voirdire.cognibench.detection_messages import incomplete_message, limits_on_flags, too_few_message
    from voirdire.cognibench.detection_report import highest_flags_document

    if too_few := too_few_message(count, limits):
        say(too_few, err=True)
        raise typer.Exit(FLAGGED)
    if not limits.are_on_flags:
        return
    check_checked(file, count)
    if too_many := next((message for _, message in limits_on_flags(count, limits) if message), ""):
        if unseen:
            show_document(highest_flags_document(unseen), err=True)
        say(too_many, err=True)
        raise typer.Exit(FLAGGED)
    if incomplete := incomplete_message(count):
        say(incomplete, err=True)
        raise typer.Exit(NOT_COMPLETE)


@contextmanager
def _progress() -> Iterator[Callable[[Count], None]]:
    """How far it is, on stderr: a live line where nothing else is printed to the terminal, a plain one else."""
    from voirdire.cognibench.detection_messages import so_far
    from voirdire.documents.messages import under_way

    if sys.stderr.isatty() and not sys.stdout.isatty():
        from rich.console import Console
        from rich.status import Status

        with Status("", console=Console(stderr=True)) as status:
            yield lambda count: status.update(so_far(count))
        return
    due = time.monotonic() + _EVERY

    def show_count(count: Count) -> None:
        nonlocal due
        if time.monotonic() >= due:
            due = time.monotonic() + _EVERY
            sys.stderr.write(f"{under_way(so_far(count))}\n")

    yield show_count
