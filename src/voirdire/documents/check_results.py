"""What a check tells a CI service: suites of cases that pass, fail or are skipped."""

from __future__ import annotations

from typing import NamedTuple


class TestCase(NamedTuple):
    """One thing that was checked."""

    classname: str
    """Names with dots between them: dots separate packages."""
    name: str
    failure: str = ""
    """Why it fails, in one sentence; empty where it does not."""
    text: str = ""
    """What there is to read of it."""
    skipped: str = ""
    """Why nothing was checked."""


class TestSuite(NamedTuple):
    """Cases of one run or file."""

    name: str
    cases: tuple[TestCase, ...]
    remarks: tuple[str, ...] = ()
