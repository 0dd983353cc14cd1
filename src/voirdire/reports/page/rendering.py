"""A document becomes a page."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from voirdire.documents.document import Block, Document, Scalar, Table
from voirdire.reports.page.checking import check_ids
from voirdire.reports.page.pictures import picture
from voirdire.reports.page.texts import json_for_script, plain, showable

_STYLES = ("base", "layout", "blocks", "readings", "print")
_FIRST_SCRIPTS = ("theme",)
"""Run before anything is drawn, so that a remembered theme does not flash."""
_UNQUOTED = "!*'()"
_SCRIPTS = ("dom", "tips", "contents", "tables", "search", "exchange", "item", "compare", "readings", "keys", "start")


def render(document: Document, home: str = "", here: str = "") -> str:
    """One self-contained HTML file: it fetches nothing, and nothing that stands in the document can run.

    Args:
        document: what the page says.
        home: an address that the page links to as that of all runs; "" for none.
        here: what the page is called among them; "" for nothing.

    Raises:
        PageError: two parts of the document share an id, or an id can't be one.
    """
    check_ids(document)
    styles, first, scripts = _parts()
    return (
        _environment()
        .get_template("page.html")
        .render(
            document=document,
            home=home,
            here=here,
            policy=page_policy(),
            styles=_safe(styles),
            first=_safe(first),
            scripts=_safe(scripts),
        )
    )


def render_sections(document: Document) -> str:
    """The sections alone, to stand in another page with the same styles; their links may lead to the whole report."""
    return _environment().get_template("sections.html").render(document=document)


def page_policy() -> str:
    """The Content-Security-Policy of every page: its own styles and scripts, and nothing else."""
    styles, first, scripts = _parts()
    return (
        f"default-src 'none'; style-src {_hash(styles)}; script-src {_hash(first)} {_hash(scripts)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _parts() -> tuple[str, str, str]:
    """Styles, the script that runs first, and the others."""
    return _read_assets(_STYLES, "css"), _script(_FIRST_SCRIPTS), _script(_SCRIPTS)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("voirdire.reports.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    environment.filters |= {"kind": _kind, "json_for_script": _json, "sort_value": _sort_value, "helped": _has_help}
    environment.filters["anchor"] = anchor
    environment.globals["picture"] = picture
    return environment


def _finalize(value: Any) -> Any:
    return showable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _kind(block: Block) -> str:
    """The template's name for a block."""
    return type(block).__name__.lower()


def _json(value: Any) -> Markup:
    return _safe(json_for_script(value))


def _sort_value(value: Scalar) -> str:
    """What a cell is sorted by; empty for what is undefined, which comes last either way."""
    if isinstance(value, bool):
        return str(int(value))
    key = plain(value)
    return "" if key is None else str(key)


def anchor(id: str) -> str:
    """Where a reading stands, as a browser's `encodeURIComponent` writes it."""
    return f"reading-{quote(showable(id), safe=_UNQUOTED)}"


def _has_help(table: Table) -> bool:
    return any(column.help for column in table.columns)


@cache
def _read_assets(names: tuple[str, ...], suffix: str) -> str:
    folder = files("voirdire.reports.page") / "assets"
    return "\n".join((folder / f"{name}.{suffix}").read_text(encoding="utf-8") for name in names)


def _script(names: tuple[str, ...]) -> str:
    """The files as one script that leaves no name behind."""
    return f'(() => {{\n"use strict";\n{_read_assets(names, "js")}}})();'


def _hash(text: str) -> str:
    """The text as a Content-Security-Policy names it."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _safe(text: str) -> Markup:
    return Markup(text)  # noqa: S704  # our own files, or JSON without "<"
