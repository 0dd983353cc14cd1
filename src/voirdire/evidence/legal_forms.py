"""Names of companies with and without their legal form: "Harbour Supplies" is the "Harbour Supplies Ltd" of a record.

>>> in_names_of("Harbour Supplies is in Leith.", '{"name": "Harbour Supplies Ltd.", "city": "Leith"}')
'Harbour Supplies Ltd is in Leith.'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_FORM = (
    r"(?:(?:Ltd|Limited|Inc|Incorporated|Corp|Corporation|LLC|LLP|PLC|[Pp]lc|Co|GmbH|AG|KG|UG|SE|S\.?A|SAS|SARL"
    r"|S\.?r\.?l|S\.?p\.?A|B\.?V|N\.?V|AB|AS|A/S|ApS|Oyj?|Pty)(?!\w)\.?)"
)
_FORMS = rf"(?:,?(?: &| and)? {_FORM})+"
_CELL = re.compile(
    rf"(?m)(?:^|[\"'|:;,\t>])[ \t]*(?P<name>[^\W\d_][^\"|:;,\t\n<]{{0,60}}?)(?P<form>{_FORMS})"
    r"(?=[ \t]*(?:$|[\"'|;,\t<]))"
)
"""A name with its form that fills a cell, a value or a line."""
_COMPANY = re.compile(
    rf"(?P<name>[^\W\d_a-z][\w'’&-]*(?: (?:[^\W\d_a-z][\w'’-]*|&|and|of|the)){{0,7}}?)(?P<form>{_FORMS})"
)
_MARKS = re.compile(r"[\"|:;\t\n<>]|,(?! )")
"""Between cells."""
_ENDS = re.compile(rf"{_FORMS}$")
_LONG = {"limited": "ltd", "incorporated": "inc", "corporation": "corp"}
_AFTER = r"(?! (?:& )?[A-Z]|[\w-])"
"""No longer name goes on here."""
_CAPITAL = re.compile(r"(?<=\w )[A-Z][\w'’-]* $")
"""A word before a name, but the first of a sentence, that makes it a longer one."""


class NameChange(NamedTuple):
    """A name in a sentence, and as its context writes it."""

    start: int
    end: int
    name: str


def ends_with_form(text: str) -> bool:
    """Whether a text ends with a legal form, of which a full stop may be a part."""
    return _ENDS.search(text) is not None


def in_names_of(sentence: str, context: str) -> str:
    """A sentence with the names of companies as the cells of its context have them, with a legal form or without."""
    for start, end, name in reversed(_changes(sentence, context)):
        sentence = sentence[:start] + name + sentence[end:]
    return sentence


def as_written(part: str, sentence: str, context: str) -> str:
    """A part of what `in_names_of` has given, with its names as the sentence writes them."""
    for start, end, name in _changes(sentence, context):
        part = part.replace(name, sentence[start:end])
    return part


@lru_cache(maxsize=64)
def _changes(sentence: str, context: str) -> list[NameChange]:
    """In order; none where the form of a name tells two apart, or differs."""
    changes = [*_with_form(sentence, context), *_without_form(sentence, context)]
    return sorted(each for each in changes if sentence[each.start : each.end] != each.name)


def _with_form(sentence: str, context: str) -> Iterator[NameChange]:
    for name, form in _forms_of(context).items():
        pattern = rf"(?<![\w-]){re.escape(name)}(?P<form>{_FORMS})?{_AFTER}"
        for match in re.finditer(pattern, sentence) if name in sentence else ():
            same = match["form"] is None or _plain(match["form"]) == _plain(form)
            if same and _CAPITAL.search(sentence, 0, match.start()) is None:
                end = match.end() - (match.end() == len(sentence) and sentence.endswith("."))
                yield NameChange(match.start(), end, name + form.replace(",", "").rstrip("."))


def _without_form(sentence: str, context: str) -> Iterator[NameChange]:
    for match in _COMPANY.finditer(sentence):
        name = match["name"]
        if re.search(rf"(?<![\w-]){re.escape(name)}{_AFTER}", context) and not re.search(
            rf"{re.escape(name)}{_FORMS}", context
        ):
            end = match.end() - (match.end() == len(sentence) and sentence.endswith("."))
            yield NameChange(match.start(), end, name)


@lru_cache(maxsize=32)
def _forms_of(context: str) -> dict[str, str]:
    """Of each name that always has the same form in the cells of a context, this form."""
    forms: dict[str, list[str]] = {}
    for match in _CELL.finditer(context) if re.search(_FORMS, context) else ():
        forms.setdefault(match["name"], []).append(match["form"])
    cells = {each.strip(" '") for each in _MARKS.split(context)} if forms else set()
    return {
        name: some[0]
        for name, some in forms.items()
        if len(set(map(_plain, some))) == 1 and any(map(str.isupper, name)) and name not in cells
    }


def _plain(form: str) -> str:
    words = re.sub(r"[.,&]|\band\b", "", form).lower().split()
    return " ".join(_LONG.get(each, each) for each in words)
