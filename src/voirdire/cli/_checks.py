"""Checks that fail a command: `--strict`, and those that are known and accepted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import typer

from voirdire.cli._study_options import split
from voirdire.errors import InputError
from voirdire.text.suggestion import suggestion

CHECK_FAILED = 100
"""Exit code under `--strict`: the tool worked, and a check fails."""
STRICT = typer.Option(False, "--strict", help="End with exit code 100 when a check fails.")
ACCEPT = typer.Option(
    [],
    "--accept",
    help="Checks that may fail all the same, as power; with commas, or repeated.",
    metavar="CHECK",
    callback=lambda given: [name for listed in given for name in split(listed)],
)


class CheckError(InputError):
    """A check that there isn't."""


def end_if_failed(strict: bool, failed: Sequence[str], accepted: Sequence[str], known: Iterable[str]) -> None:
    """End the command with `CHECK_FAILED` where a check fails that is not accepted.

    Args:
        strict: whether checks count.
        failed: ids of those that fail.
        accepted: ids of those that may.
        known: ids of all.

    Raises:
        CheckError: a name that no check has, or checks to accept where none counts.
    """
    names = dict.fromkeys(known)
    unknown = next((name for name in accepted if name not in names), None)
    if unknown is not None:
        raise CheckError(f"There is no check {unknown!r} to accept; {suggestion(unknown, names)}")
    if accepted and not strict:
        raise CheckError(f"--accept {accepted[0]} has nothing to accept: checks count under --strict only.")
    if strict and set(failed) - set(accepted):
        raise typer.Exit(CHECK_FAILED)
