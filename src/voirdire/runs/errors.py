"""How a run fails, or stops: each message is one sentence for the user."""

from __future__ import annotations

from pathlib import Path

from voirdire.errors import InputError, SentenceError, UserError


class JournalError(UserError):
    """The journal can't be opened, read or written."""


class UnwritableRow(JournalError):
    """What stands in one row can't be written; all other rows can."""


class CacheError(UserError):
    """A cache of replies can't be opened, read or written."""


class RunFolderError(UserError):
    """A run folder can't be created, opened or gone on with."""


class RunWarning(UserWarning):
    """What to know of a run that is read."""


class BudgetError(UserError):
    """A budget that can't be held to, found before anything is spent."""


class RunStopped(Exception):
    """No further call is made: the budget is used up, or the user asked to stop. What was answered is kept."""


class PaceError(InputError):
    """A number of connections or a time limit that no run can have."""


class Interrupted(SentenceError, KeyboardInterrupt):
    """The user interrupted a run in good order: what was answered is on record."""

    def __init__(
        self, path: Path, *, nothing_judged: bool = False, nothing_answered: bool = False, finished: bool = False
    ) -> None:
        super().__init__(path)
        self.path = path
        """Of the run's folder."""
        self.nothing_judged = nothing_judged
        """Whether it is known that no judge has given a verdict yet."""
        self.nothing_answered = nothing_answered
        """Whether it is known that no answer has arrived yet."""
        self.finished = finished
        """Whether it is known that nothing is left to ask: it came after the last call."""

    @property
    def short_message(self) -> str | None:
        """What is kept and where, without what to do next; `None` where no folder was named."""
        if not self.path.exists():  # a detector that was given no folder keeps its calls in one of the system's
            return None
        if self.finished:
            return f"The run in {self.path} was finished when you interrupted it: nothing is lost."
        if self.nothing_answered:
            return f"Interrupted before any answer arrived. The run's folder is {self.path}."
        judged = " Nothing is judged yet." if self.nothing_judged else ""
        return f"Interrupted. Every answer so far is kept in {self.path}.{judged}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __str__(self) -> str:
        if self.short_message is None:
            return "Interrupted. The calls were not kept, as no run folder was named."
        if self.finished:
            return (
                f"{self.short_message} Load it from that folder, or run the same command or cell again, which asks "
                "nothing anew."
            )
        return f"{self.short_message} To go on, run the same command or cell again."
