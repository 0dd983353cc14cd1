"""Docstrings say "Example:"; the parser knows the section as "Examples:" and shows its code as code."""

from __future__ import annotations

import re
from typing import Any

import griffe

_HEADING = re.compile(r"^( *)Example:$", re.MULTILINE)


class Examples(griffe.Extension):
    """Puts the plural in, before docstrings are parsed."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """See griffe."""
        if obj.docstring:
            obj.docstring.value = _HEADING.sub(r"\1Examples:", obj.docstring.value)
