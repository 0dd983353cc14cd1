"""What is known of each run, worked out beside the pages: nobody waits for it, and it is asked once for each change."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from voirdire.adapters.view.page_cache import is_cached, keeps_pages, known_figures, known_page
from voirdire.adapters.view.runs import ListedRun, RunFinder, State
from voirdire.errors import UserError
from voirdire.instruments import ListedData
from voirdire.web.helper_process import Helper, HelperEnded

T = TypeVar("T")
_WORKER = "voirdire.adapters.view.worker"
_POLITE = 10
"""How far the process that counts stands back: a run on the same machine goes first."""
_FIGURES_FRESH = 15.0
"""Seconds for which the figures of a run that goes on are shown again, where working them out takes long …"""
_SPARING = 5.0
"""… and else so many times what it took: the run has the machine for the rest."""
_IN_USE_SECONDS = 30.0
"""Seconds after the last look for which the rest is worked out."""
_BREATH = 1.0
"""Seconds in which a browser draws a page that was handed over: nothing is computed beside it.

Whoever asks for page after page has them drawn without that, or nothing would be computed at all.
"""
_MOMENT = 0.2
"""Seconds for which a list waits to be told how far the runs that go on have come."""
_SORTED = 100
"""Files of which it is asked together whether they are results."""
_PAGES = 12
"""Pages that are kept: one has some megabytes."""
_ENDED = {"problem": "The process that reads this run ended before it was done: voirdire show says why."}


class Page(NamedTuple):
    """A page that was made, or why there is none."""

    html: str = ""
    policy: str = ""
    problem: str = ""


@dataclass(slots=True)
class Facts:
    """What is known of a run."""

    progress: dict[str, Any] = field(default_factory=dict)
    """As `worker.progress` gives it; empty while nothing is known."""
    progress_of: State = ()
    figures: dict[str, Any] = field(default_factory=dict)
    """As `worker.figures` gives them; empty while nothing is known."""
    figures_of: State = ()
    figures_fresh: float = 0.0
    """The moment until which the figures of a run that goes on are shown again."""
    report_of: State = ()
    """The state of which a report was made and kept."""

    @property
    def counts(self) -> tuple[int, int, str] | None:
        """How many are done, of how many, and what they are."""
        counts = self.progress.get("counts")
        return None if counts is None else tuple(counts)


class RunSummary(NamedTuple):
    """A run and what is known of it."""

    run: ListedRun
    facts: Facts

    @property
    def problem(self) -> str:
        """Why it can't be read."""
        known = self.facts.figures if self.run.is_results and self._is_known else self.facts.progress
        return self.run.problem or str(known.get("problem", ""))

    @property
    def verdict(self) -> str:
        """What an audit of results concludes, in one line; "" while that is not known, and of a run."""
        return str(self.facts.figures.get("verdict", "")) if self._is_known else ""

    @property
    def models(self) -> tuple[str, ...]:
        """Those that run.json names; of results, those that were found in them."""
        return self.run.models or tuple(self.facts.figures.get("models", ()))

    @property
    def figures(self) -> list[dict[str, Any]] | None:
        """The headline figures; of a run that does not go on, `None` until they are those of its last state."""
        if self.run.running or self.problem or self._is_known:
            return list(self.facts.figures.get("figures", []))
        return None

    @property
    def status(self) -> str:
        """What it is at: running, finished, stopped; "ended" where no one can tell whether more was wanted.

        What is no run is "results".
        """
        if self.problem:
            return "unreadable"
        if self.run.is_results:
            return "results"
        if self.run.running:
            return "running"
        if not self.facts.progress or self.facts.progress_of != self.run.state:
            return "unknown"
        counts = self.facts.counts
        return "ended" if counts is None else "finished" if counts[0] >= counts[1] else "stopped"

    @property
    def _is_known(self) -> bool:
        return self.facts.figures_of == self.run.state


class Board:
    """The runs below a folder, and what is known of them."""

    def __init__(self, folder: Path) -> None:
        """Watch the runs below `folder`; two processes are started when there is time for it, and ended by `close`."""
        self._finder = RunFinder(folder)
        self._finding = asyncio.Lock()
        self._counter = Helper(_WORKER, str(_POLITE))
        self._maker = Helper(_WORKER, "0")
        self._making = asyncio.Lock()
        self._waiting = 0
        """Pages that somebody waits for."""
        self._handed_over = 0.0
        """When the last page was."""
        self._runs: list[ListedRun] = []
        self._seen = 0.0
        """When somebody looked last."""
        self._facts: dict[Path, Facts] = {}
        self._filling: asyncio.Task[None] | None = None
        self._counting: asyncio.Task[None] | None = None
        self._pages: OrderedDict[Any, asyncio.Task[Page]] = OrderedDict()
        self._helpers = (self._counter, self._maker)

    def close(self) -> None:
        """End the processes, whatever they are at."""
        for helper in self._helpers:
            helper.close()

    async def rows(self) -> dict[str, RunSummary]:
        """All runs by name, as far as they are known; what is not is worked out from now on."""
        async with self._finding:
            result = await self._find()
        self._seen = time.monotonic()
        if self._filling is None or self._filling.done():
            self._filling = asyncio.create_task(self._fill())
        moved = [run for run in self._runs if run.running and self._lacks_progress(run)]
        if moved and (self._counting is None or self._counting.done()):
            self._counting = asyncio.create_task(self._count(moved))
        if moved and self._counting is not None:
            await asyncio.wait([self._counting], timeout=_MOMENT)
        return {name: RunSummary(run, self._facts[run.path]) for name, run in result.items()}

    @asynccontextmanager
    async def waited_for(self) -> AsyncIterator[None]:
        """While somebody waits for a page, nothing else is computed; nor in the moment after it."""
        self._waiting += 1
        self._counter.pause()
        try:
            yield
        finally:
            now = time.monotonic()
            breath = _BREATH if now > self._handed_over + 2 * _BREATH else 0
            self._handed_over = now
            asyncio.get_running_loop().call_later(breath, self._no_longer_waited_for)

    def _no_longer_waited_for(self) -> None:
        self._waiting -= 1
        if not self._waiting:
            self._counter.resume()

    @property
    def unread(self) -> list[str]:
        """Tables in which no results were recognised."""
        return self._finder.unread

    @property
    def cut(self) -> bool:
        """Whether there are more files than are looked at for results."""
        return self._finder.cut

    @property
    def looking(self) -> bool:
        """Whether there are files of which it is not known yet whether they are results."""
        return any(path.is_file() for path in self._finder.unknown)

    async def _find(self) -> dict[str, ListedRun]:
        result = await asyncio.to_thread(self._finder.find)
        self._runs = list(result.values())
        new = [run for run in self._runs if run.path not in self._facts]
        self._facts |= await asyncio.to_thread(lambda: {run.path: _cached_facts(run) for run in new})
        return result

    async def page(self, what: str, runs: Sequence[ListedRun], seconds: float | None = None) -> Page | None:
        """A page of these runs as they stand: "overview", "report" or "comparison".

        Args:
            what: of the three.
            runs: of which.
            seconds: how long to wait for it; `None` for as long as it takes.

        Returns:
            The page; `None` while it is being made.
        """
        key = _key(what, runs)
        if key not in self._pages:
            self._pages[key] = asyncio.create_task(self._make(what, runs))
        self._pages.move_to_end(key)
        task = self._pages[key]
        await asyncio.wait([task], timeout=seconds)
        if not task.done():
            return None
        while len(self._pages) > _PAGES:
            self._pages.popitem(last=False)
        return task.result()

    async def _make(self, what: str, runs: Sequence[ListedRun]) -> Page:
        known = await asyncio.to_thread(_cached_page, what, runs)
        if known is not None:
            return known
        async with self._making, self.waited_for():
            result = await _ask(self._maker, what, *(run.path for run in runs))
        if what == "report" and runs[0].path in self._facts:
            self._facts[runs[0].path].report_of = runs[0].state
        return _page(result)

    async def _count(self, runs: Sequence[ListedRun]) -> None:
        """Learn how far runs that go on have come, from the process that does not stand back behind them."""
        async with self._making:
            for run in runs:
                await self._learn_progress(run, self._maker)

    async def _learn_progress(self, run: ListedRun, helper: Helper) -> None:
        facts = self._facts[run.path]
        facts.progress = await _ask(helper, "progress", run.path)
        facts.progress_of = run.state

    def _lacks_progress(self, run: ListedRun) -> bool:
        return self._facts[run.path].progress_of != run.state and not run.problem and not run.is_results

    async def _fill(self) -> None:
        """Work out what is not known, as long as anybody looks: what files are, then progress, figures and reports."""
        await self._sort()
        self._maker.start()  # in time for what is opened
        lacking: ListedRun | None = self._runs[0] if self._runs else None
        while lacking is not None and time.monotonic() < self._seen + _IN_USE_SECONDS:
            for run in self._runs:
                if not run.running and self._lacks_progress(run):
                    await self._learn_progress(run, self._counter)
            lacking = next(filter(self._lacks_figures, self._runs), None)
            if lacking is not None:
                facts = self._facts[lacking.path]
                begun = time.monotonic()
                facts.figures = await _ask(self._counter, "figures", lacking.path)
                facts.figures_of, ended = lacking.state, time.monotonic()
                facts.figures_fresh = ended + min(_FIGURES_FRESH, _SPARING * (ended - begun))
            elif (lacking := next(filter(self._lacks_report, self._runs), None)) is not None:
                await _ask(self._counter, "prepare", lacking.path)
                self._facts[lacking.path].report_of = lacking.state

    async def _sort(self) -> None:
        """Find out which files are results; what ends the process that looks is none."""
        while unknown := self._finder.unknown:
            some = unknown[:_SORTED]
            answer = await _ask(self._counter, "listed", *some)
            if "listed" not in answer and len(some) > 1:
                for path in some:
                    self._tell([path], await _ask(self._counter, "listed", path))
            else:
                self._tell(some, answer)
            async with self._finding:
                await self._find()

    def _tell(self, paths: Sequence[Path], answer: Mapping[str, Any]) -> None:
        listed = answer.get("listed", [("", [])] * len(paths))
        matches = (ListedData(name, tuple(map(Path, files))) for name, files in listed)
        self._finder.tell(dict(zip(paths, matches, strict=True)))

    def _lacks_report(self, run: ListedRun) -> bool:
        facts = self._facts[run.path]
        going_on = any(each.running for each in self._runs)
        problem = run.problem or "problem" in facts.progress or "problem" in facts.figures
        covers_report = problem or facts.report_of == run.state
        return keeps_pages() and not (going_on or covers_report)

    def _lacks_figures(self, run: ListedRun) -> bool:
        facts = self._facts[run.path]
        if run.problem or "problem" in facts.progress or facts.figures_of == run.state:
            return False
        return not run.running or time.monotonic() > facts.figures_fresh


def _cached_facts(run: ListedRun) -> Facts:
    """What is kept of a run that was found for the first time: a list that was seen before is whole at once."""
    known = None if run.running or not _may_be_cached(run) else _unless_damaged(lambda: known_figures(run.path))
    return Facts() if known is None else Facts(known["progress"], run.state, known["figures"], run.state)


def _cached_page(what: str, runs: Sequence[ListedRun]) -> Page | None:
    """The page as it is kept; in place of an overview none, where the whole report is kept."""
    paths = [run.path for run in runs]
    if not all(map(_may_be_cached, runs)):
        return None
    if what == "overview":
        return Page() if _unless_damaged(lambda: is_cached("report", paths)) else None
    known = _unless_damaged(lambda: known_page(what, paths))
    return None if known is None else _page(known)


def _may_be_cached(run: ListedRun) -> bool:
    """Whether it can be told quickly; of results all files would have to be looked into."""
    return not run.problem and not run.is_results


def _unless_damaged(find: Callable[[], T]) -> T | None:
    """What is found; `None` of a damaged run: what is asked of it later says how."""
    try:
        return find()
    except (UserError, OSError):
        return None


def _page(results: Mapping[str, str]) -> Page:
    return Page(results.get("page", ""), results.get("policy", ""), results.get("problem", ""))


def _key(what: str, runs: Sequence[ListedRun]) -> Any:
    return (what, *((run.path, run.state) for run in runs))


async def _ask(helper: Helper, what: str, *paths: Path) -> dict[str, Any]:
    question = json.dumps({"what": what, "runs": [str(path) for path in paths]})
    try:
        results: dict[str, Any] = json.loads(await asyncio.to_thread(helper.ask, question))
    except HelperEnded:
        return _ENDED
    return results
