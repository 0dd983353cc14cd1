"""Keep secrets out of what is stored and shown."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

_LONGEST = 2000
_READ = 10 * _LONGEST
_SHORTEST_SECRET = 8
_HIDDEN = "[secret]"
_SECRET_VARIABLES = ("_API_KEY", "_ACCESS_KEY", "_TOKEN", "_SECRET")

_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"""(?ix) ( (?:proxy-)?authorization | [a-z-]{0,20}api[-_]?key ) (["']? \s* [:=] \s* ["']?)
            (?: (?:bearer|basic|token) \s+ )? [^\s"',;&}\]]+"""
        ),
        rf"\1\2{_HIDDEN}",
    ),
    (re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}"), rf"\1 {_HIDDEN}"),
    (re.compile(r"(?i)([?&](?:key|token|access_token|signature|sig)=)[^&\s\"'<>]+"), rf"\1{_HIDDEN}"),
    (re.compile(r"(?i)(://[^/\s:@]*:)[^/\s@]+@"), rf"\1{_HIDDEN}@"),
    (re.compile(r"\bsk-[A-Za-z0-9_*.-]{6,}"), _HIDDEN),
    (re.compile(r"\bAIza[A-Za-z0-9_-]{10,}"), _HIDDEN),
)


class Scrubber:
    """Takes secrets out of texts: known values first, then whatever looks like a key."""

    def __init__(self, names: Iterable[str] = (), environment: Mapping[str, str] | None = None) -> None:
        """Look up the values to hide.

        Args:
            names: environment variables that hold keys, beside all whose name ends like one (`_API_KEY`, `_TOKEN` …).
            environment: where to look them up; the process's own by default.
        """
        variables = os.environ if environment is None else environment
        wanted = set(names) | {name for name in variables if name.upper().endswith(_SECRET_VARIABLES)}
        values = {variables[name] for name in wanted if name in variables}
        # Longest first: one key may begin with another.
        self._values = sorted((value for value in values if len(value) >= _SHORTEST_SECRET), key=len, reverse=True)

    def __call__(self, text: str) -> str:
        """The text without secrets, at most 2,000 characters of it, and with nothing that UTF-8 can't carry."""
        for value in self._values:
            text = text.replace(value, _HIDDEN)
        text = text[:_READ]  # nothing beyond is shown, and a provider's error page may have no end
        for pattern, replacement in _PATTERNS:
            text = pattern.sub(replacement, text)
        text = text.encode("utf-8", "replace").decode("utf-8")
        return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
