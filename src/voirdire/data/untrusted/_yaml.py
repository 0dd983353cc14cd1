"""YAML of others: plain data only, bounded in depth and in what its aliases make of it, no key twice."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import Any

from voirdire.data.untrusted._errors import UntrustedError

MAX_DEPTH = 64
"""Levels; what voirdire writes and packages has fewer than 10."""
MAX_NODES = 50_000
"""Values and keys, those that an alias or a merge repeats counted each time; the largest packaged concept has 400."""
_LONGEST_NUMBER = 40
"""Characters. PyYAML takes a minute over 1:1:1:…, a number to the base of 60 half a megabyte long."""
_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:timestamp")
_SIGNS = "?:-@`*&!%|>"
"""What YAML takes for more than a part of a text, at its beginning or beside a space."""
_MERGE = "tag:yaml.org,2002:merge"
_PLAIN = (*_NUMBERS, *(f"tag:yaml.org,2002:{name}" for name in ("str", "bool", "null", "seq", "map")))


def yaml_of(text: str) -> Any:
    """The value that YAML text holds: mappings, lists, texts, numbers, dates, true, false and null.

    Read by PyYAML's own parser, not by libyaml, which deeply nested brackets make crash.

    Raises:
        UntrustedError: it is no YAML, asks for a Python object, is nested or repeated beyond the limits, has a key
            twice, a number of very many digits, or half a character (a lone surrogate).
    """
    import yaml

    try:
        read = yaml.load(text, Loader=_loader())  # noqa: S506 - a SafeLoader that is stricter still
    except UntrustedError:
        raise
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        sign = text[mark.index : mark.index + 1] if mark else ""
        began = error.context_mark
        if began and mark and began.line < mark.line and text[began.index : began.index + 1] in ("{", "["):
            bracket = f"{text[began.index]} of line {began.line + 1}"
            advice = f"; close the {bracket}, or put a text that begins with it into quotes"
        else:
            advice = f"; put a text that has {sign} in it into quotes" if sign and sign in _SIGNS else ""
        fault = f"{_yaml_fault(error.problem or str(error))}{advice}"
        raise UntrustedError(fault, mark.line + 1 if mark else None) from None
    except yaml.reader.ReaderError as error:
        raise UntrustedError(_yaml_fault(str(error)), text.count("\n", 0, error.position) + 1) from None
    except Exception as error:  # a tag on a value of another kind ends in many ways: !!bool maybe is a KeyError
        plain = isinstance(error, ValueError) and not isinstance(error, UnicodeError)
        raise UntrustedError(_yaml_fault(str(error) if plain else f"{type(error).__name__}: {error}")) from None
    return read


def _yaml_fault(what: str) -> str:
    return f"is not valid YAML ({' '.join(what.split())})"


@cache
def _loader() -> Any:
    import yaml

    class Loader(yaml.SafeLoader):
        """PyYAML's SafeLoader, with bounds."""

        yaml_constructors = {  # noqa: RUF012 - PyYAML's own form
            tag: make for tag, make in yaml.SafeLoader.yaml_constructors.items() if tag is None or tag in _PLAIN
        }

        def __init__(self, stream: str) -> None:
            super().__init__(stream)
            self._depth = 0
            self._nodes = 0
            self._weights: dict[int, int] = {}
            """Of finished nodes, by their identity: how many nodes each stands for."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            before, line = self._nodes, self.peek_event().start_mark.line + 1  # type: ignore[no-untyped-call]
            alias = self.check_event(yaml.AliasEvent)
            self._depth += 1
            if self._depth > MAX_DEPTH:
                raise UntrustedError(f"is nested more than {MAX_DEPTH} levels deep", line)
            node = super().compose_node(parent, index)
            self._depth -= 1
            if alias and id(node) not in self._weights:
                raise UntrustedError("has an alias that stands within what it stands for", line)
            self._nodes += self._weights[id(node)] if alias else 1
            if self._nodes > MAX_NODES:
                raise UntrustedError(f"holds more than {MAX_NODES:,} values, its aliases written out", line)
            if not alias:
                self._weights[id(node)] = self._nodes - before
                _check_node(node, line)
            return node

    return Loader


def _check_node(node: Any, line: int) -> None:
    import yaml

    if isinstance(node, yaml.ScalarNode):
        if node.tag in _NUMBERS and len(node.value) > _LONGEST_NUMBER:
            raise UntrustedError(f"holds a number of {len(node.value):,} characters", line)
        if not _is_whole(node.value):
            raise UntrustedError("holds half a character (a lone surrogate such as \\ud800)", line)
    if isinstance(node, yaml.MappingNode):
        names: set[Hashable] = set()
        for key, _ in node.value:
            name = (key.tag, key.value) if isinstance(key, yaml.ScalarNode) else id(key)
            if name in names and key.tag != _MERGE:
                raise UntrustedError(f"has the key {key.value!r} twice", key.start_mark.line + 1)
            names.add(name)


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
