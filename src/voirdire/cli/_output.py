"""What every command ends with: JSON, or text made for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import typer

from voirdire.documents.messages import exact_note
from voirdire.text.terminal import inert, inert_json

if TYPE_CHECKING:
    from voirdire.documents.document import Document

_LOCAL = ("local/", "logprob:local/", "json:local/")


def answer(data: Any, render: Callable[[], str | Document], *, as_json: bool, details: bool = True) -> None:
    """Print `data` as JSON, or else what `render` makes of it, with or without the sections that are details.

    NaN is no JSON: undefined values must be `None`.
    """
    if as_json:
        say_json(data, indent=2)
        return
    output = render()
    if isinstance(output, str):
        say(output)
    else:
        show(output, details=details)


def show(document: Document, *, err: bool = False, details: bool = True) -> None:
    """Print a document, with or without the sections that are details."""
    from voirdire.documents.document import with_details, without_details
    from voirdire.reports.formats.terminal import to_terminal

    say(to_terminal((with_details if details else without_details)(document)), err=err)


def say(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a text without known secrets; what a terminal would act on is made visible. `render` has seen to both."""
    from voirdire.models.secrets import without_known_secrets
    from voirdire.text.terminal import Rendered

    typer.echo(text if isinstance(text, Rendered) else inert(without_known_secrets(text)), err=err, nl=nl)


def say_json(data: Any, *, indent: int | None = None) -> None:
    """Print JSON without known secrets; what a terminal would act on, or can't show, stands in it as escapes."""
    from voirdire.models.secrets import without_known_secrets

    data = without_known_secrets(data)
    typer.echo(inert_json(json.dumps(data, indent=indent, ensure_ascii=not _shows_unicode(), allow_nan=False)))


def _shows_unicode() -> bool:
    return (sys.stdout.encoding or "utf-8").lower().startswith("utf")


def hand_over(text: str) -> None:
    """Print a file's content: into a pipe or a file as it is, inert where a terminal shows it."""
    whole = text if text.endswith("\n") else f"{text}\n"
    sys.stdout.write(inert(whole) if sys.stdout.isatty() else whole)


def tell_exact(specs: Iterable[str]) -> None:
    """Say on stderr what --exact was, and how to see what it costs; nothing where no model was a local one."""
    local = sorted({spec[spec.index("local/") :] for spec in specs if spec.startswith(_LOCAL)})
    if local:
        typer.echo(exact_note(local[0]), err=True)
