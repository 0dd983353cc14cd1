"""Why a value is missing, and what must be said beside one: data, which is put into words in one place.

A `Reason` is a code with what it is about. Each instrument declares the words of its codes once (`declare`), and every
output shows `str(reason)`. Whoever decides something by a reason compares its code.

    declare({"too_few": "{metric:label} rests on {turns:count turn}, and {needed} are needed"}, {"CI_raw": "CI index"})
    str(reason("too_few", metric="CI_raw", turns=1, needed=10))  # "CI index rests on 1 turn, and 10 are needed"
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter
from typing import Any, Union

from voirdire.data.json_values import as_object
from voirdire.text.counting import counted, listed, near_zero, percent, rounded, tenths

Param = Union[str, int, float, "Reason", tuple["str | Reason", ...]]
"""What a reason is about: a name, a number, the reason behind it, or several names or findings."""

_FEW = 6
_DECIMALS = re.compile(r"z?\.(\d)f")

_WORDS: dict[str, str] = {}
_LABELS: dict[str, str] = {}
_IN_SENTENCES: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is missing or must be said. Two with the same code and parameters are equal."""

    code: str
    params: tuple[tuple[str, Param], ...] = ()

    def __getitem__(self, name: str) -> Param:
        """One parameter."""
        return dict(self.params)[name]

    def __str__(self) -> str:
        """In words: no capital and no full stop for why, a whole sentence for a note."""
        return _IN_WORDS.vformat(_WORDS[self.code], (), dict(self.params))

    @property
    def sentence(self) -> str:
        """In words, with a capital and a full stop; a name that it begins with keeps its case."""
        text, begins_with_name = str(self), _WORDS[self.code].startswith(("{model}", "{judge}", "{rater}"))
        return f"{text}." if begins_with_name else f"{text[:1].upper()}{text[1:]}."

    @property
    def root(self) -> Reason:
        """The reason behind this one, and behind that: the first cause."""
        behind = dict(self.params).get("why")
        return behind.root if isinstance(behind, Reason) else self

    def as_dict(self) -> dict[str, Any]:
        """Code, words and parameters, ready for JSON."""
        return {"code": self.code, "text": str(self), **as_object(dict(self.params))}


def reason(code: str, **params: Param) -> Reason:
    """A reason with its parameters by name; one that is behind it is called `why`."""
    return Reason(code, tuple(params.items()))


def declare(
    words: Mapping[str, str], labels: Mapping[str, str] | None = None, in_sentences: Mapping[str, str] | None = None
) -> None:
    """Say how codes are worded, and what names among their parameters are called.

    Args:
        words: by code, a text with places for parameters. `{metric:label}` shows a name, or several, as people read
            them; `{names}` shows all there are, `{models:few}` the first six and how many more, `{judges:and}` and
            `{levels:or}` all with that word between them; `{metrics:is}` is "is" or "are"; `{turns:count turn}` and
            `{turns:count turn has/turns have}` count; `{share:percent}` is a share in percent, `{share:or_more}` the
            least of several, `{share:tenths}` one as tables have it; `{low:near_zero}` has two decimals, three just
            below 0; `{mean:.2f}` is `rounded`. Other places are as in `str.format`, but that a number which is not
            finite is "undefined".
        labels: by name, what it is called where that differs.
        in_sentences: by name, what `{metric:name}` shows where that differs from its label.

    Raises:
        ValueError: a code has other words already.
    """
    for code, text in words.items():
        if _WORDS.setdefault(code, text) != text:
            raise ValueError(f"The reason {code!r} is worded twice: {_WORDS[code]!r} and {text!r}.")
    _LABELS.update(labels or {})
    _IN_SENTENCES.update(in_sentences or {})


class _InWords(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        names = value if isinstance(value, tuple) else (value,)
        if format_spec == "label":
            return ", ".join(_LABELS.get(name, str(name)) for name in names)
        if format_spec == "name":
            return ", ".join(_IN_SENTENCES.get(name, _LABELS.get(name, str(name))) for name in names)
        if format_spec == "few":
            more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
            return ", ".join(map(str, names[:_FEW])) + more
        if isinstance(value, tuple) and not format_spec:
            return ", ".join(map(str, value))
        if format_spec == "and":
            return listed(list(map(str, names)))
        if format_spec == "or":
            return " or ".join(map(str, names))
        if format_spec == "is":
            return "is" if len(names) == 1 else "are"
        if isinstance(value, float) and not math.isfinite(value):
            return "undefined"
        if format_spec == "percent":
            return percent(value)
        if format_spec == "or_more":
            return "all" if value == 1 else f"{percent(value)} or more"
        if format_spec == "tenths":
            return tenths(value)
        if format_spec == "near_zero":
            return near_zero(value)
        if format_spec.startswith("count "):
            one, _, several = format_spec.removeprefix("count ").partition("/")
            return counted(value, one, several or None)
        if decimals := _DECIMALS.fullmatch(format_spec):
            return rounded(value, int(decimals[1]))
        return str(super().format_field(value, format_spec))


_IN_WORDS = _InWords()
