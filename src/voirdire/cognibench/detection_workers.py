"""The same detector in several processes: the same rows, in the same order, in memory that does not grow."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, islice
from multiprocessing import get_context
from typing import NamedTuple, cast

from voirdire.cognibench.detection import CHUNK, Count, DetectedAnswer, detect
from voirdire.cognibench.formats import BadEntriesError, Entry, Problem, TakenIds, Tell, answers_of, ignore
from voirdire.detectors.base import Detector, DetectorOptions, open_detector
from voirdire.detectors.records import Answer, DetectorError, History

LIGHT_DETECTORS = ("lexical", "lexical-learned", "type", "everything", "later-turns", "chance")
"""Kinds of detectors that compute on one core and load no weights: as many processes as cores serve them well."""
MODEL_DETECTOR = "llm"
"""The kind of detectors that ask a model, and keep a run."""
FEW = 320
"""Answers that are scored sooner than other processes are up."""
_AHEAD = 3
"""Chunks that are given to each process before the first of them comes back."""

Item = Entry | Answer
"""What is sent to a process: an entry that it reads itself, or an answer where entries don't stand alone."""


@dataclass(frozen=True, slots=True)
class DetectTask:
    """Which detector, and how it is used."""

    detector: str
    options: DetectorOptions = field(default_factory=DetectorOptions)
    history: History = "none"
    plain: bool = False
    """Markdown is read as plain text: its layout separates nothing."""
    skip_bad: bool = False
    """Entries that can't be used are left out, and told; without it they end the work, all of them together."""
    columns: tuple[tuple[str, str], ...] = ()
    """(our name, the name in the file) of fields that are called otherwise there."""

    def read(self, entry: Entry, tell: Tell = ignore) -> list[Answer]:
        """The answers of an entry.

        Raises:
            BadEntriesError: it can't be used.
        """
        return answers_of(entry, tell, plain=self.plain, columns=dict(self.columns))

    def open(self) -> Detector:
        """Open its detector.

        Raises:
            DetectorError: it can't be opened.
        """
        return open_detector(self.detector, self.options)


class ChunkResult(NamedTuple):
    """The scored answers of one chunk, with its problems and counts."""

    detected: list[DetectedAnswer]
    bad: list[tuple[Entry, str]]
    """Entries that can't be used, and why."""
    problems: list[Problem]
    counted: Count


def default_workers(detector: str) -> int:
    """How many processes a detector is given when nobody says: one a core, or one if it loads weights or asks a model.

    Args:
        detector: its name, as KIND or KIND:MODEL.
    """
    light = detector.partition(":")[0] in LIGHT_DETECTORS
    return len(os.sched_getaffinity(0)) if light and hasattr(os, "sched_getaffinity") else 1


def detect_items(
    items: Iterable[Item],
    task: DetectTask,
    *,
    detector: Detector | None = None,
    workers: int = 1,
    tell: Tell = ignore,
    count: Count | None = None,
) -> Iterator[DetectedAnswer]:
    """Score what a data set holds, in the order of the data.

    The first few hundred answers are scored here; with more of them, the processes are started.

    Args:
        items: as `formats.iter_unread` gives them.
        task: which detector, and how.
        detector: the task's; `None` opens it.
        workers: processes; 1 starts none. Each of them opens the detector for itself.
        tell: is told of what could not be read as it stands.
        count: told of every answer, a chunk at a time.

    Raises:
        BadEntriesError: entries can't be used; raised when all are read, and none is scored after the first of them.
        CognibenchError, DetectorError: the file can't be read, or the detector can't be used.
    """
    if workers > 1 and task.detector.partition(":")[0] == MODEL_DETECTOR:
        raise DetectorError(f"{task.detector} asks a model, many calls at once, from one process: leave out --workers.")
    names, total = TakenIds(tell), Count() if count is None else count
    bad: list[tuple[Entry, str]] = []
    usable = items if task.skip_bad else _until_one_is_bad(items, task, bad)
    for worked in _score_chunks(usable, task, detector or task.open(), workers):
        if task.skip_bad:
            for entry, says in worked.bad:
                tell(Problem("left out", entry.where, says))
        else:
            bad.extend(worked.bad)
        for problem in worked.problems:
            tell(problem)
        total.merge(worked.counted)
        for each in worked.detected:
            own = names.own(each.answer)
            yield each if own is each.answer else replace(each, answer=own)
    if bad:
        raise BadEntriesError(bad)


def _until_one_is_bad(items: Iterable[Item], task: DetectTask, bad: list[tuple[Entry, str]]) -> Iterator[Item]:
    """Items until something stands in `bad`; what follows is read but not scored, so that all that is bad is named."""
    for item in items:
        if not bad:
            yield item
        elif isinstance(item, Entry):
            try:
                task.read(item)
            except BadEntriesError as error:
                bad.append((item, error.says))


def _score_chunks(items: Iterable[Item], task: DetectTask, detector: Detector, workers: int) -> Iterator[ChunkResult]:
    chunks = _chunks(iter(items))
    for chunk in islice(chunks, FEW // CHUNK) if workers > 1 else chunks:
        yield _score_chunk(task, detector, chunk)
    first = next(chunks, None)
    if first is not None:
        yield from _score_chunks_in_workers(chain([first], chunks), task, workers)


def _score_chunk(task: DetectTask, detector: Detector, items: Sequence[Item]) -> ChunkResult:
    """Read and score a chunk."""
    problems: list[Problem] = []
    count = Count()
    bad: list[tuple[Entry, str]] = []
    answers: list[Answer] = []
    for each in items:
        try:
            answers.extend(task.read(each, problems.append) if isinstance(each, Entry) else [each])
        except BadEntriesError as error:
            bad.append((cast(Entry, each), error.says))
            count.left_out += 1
    detected = list(detect(answers, detector, threshold=task.options.threshold, history=task.history, count=count))
    return ChunkResult(detected, bad, problems, count)


def _score_chunk_in_worker(task: DetectTask, items: Sequence[Item]) -> ChunkResult:
    """The same in a process that works on this task alone."""
    return _score_chunk(task, _worker_detector(task), items)


@lru_cache(maxsize=1)
def _worker_detector(task: DetectTask) -> Detector:
    return task.open()


def _score_chunks_in_workers(chunks: Iterator[list[Item]], task: DetectTask, workers: int) -> Iterator[ChunkResult]:
    """Chunks worked on in other processes; few are on their way at a time, and they come back in order."""
    under_way: deque[Future[ChunkResult]] = deque()
    executor = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        fault = None
        while True:
            try:
                chunk = next(chunks, None) if fault is None else None
            except Exception as error:  # what stands before it in the data is given first
                fault, chunk = error, None
            if chunk is not None:
                with _delay_interrupts():
                    under_way.append(executor.submit(_score_chunk_in_worker, task, chunk))
            if not under_way:
                break
            if chunk is None or len(under_way) >= _AHEAD * workers:
                yield under_way.popleft().result()
        if fault is not None:
            raise fault
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _delay_interrupts() -> Iterator[None]:
    """Ctrl-C reaches this process when the block has ended, and never those that are started within it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _chunks(items: Iterator[Item]) -> Iterator[list[Item]]:
    while some := list(islice(items, CHUNK)):
        yield some
