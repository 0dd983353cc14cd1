"""How a run fails, or stops: each message is one sentence for the user."""

from __future__ import annotations


class JournalError(Exception):
    """The journal can't be opened, read or written."""


class RunFolderError(Exception):
    """A run folder can't be created, opened or gone on with."""


class BudgetError(Exception):
    """A budget that can't be held to, found before anything is spent."""


class RunStopped(Exception):
    """No further call is made: the budget is used up, or the user asked to stop. What was answered is kept."""


class PaceError(ValueError):
    """A number of connections or a time limit that no run can have."""
