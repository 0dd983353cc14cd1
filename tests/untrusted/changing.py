"""Valid things with something wrong in one place: what readers of foreign files are tried on."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([2**70, -1, 0.5, float("nan"), float("inf"), 10**400]),
    st.text(max_size=8),
    st.sampled_from(["", "../../x", "/etc/passwd", "a\0b", "\x1b[2J", "x" * 5_000, "=1+1", "2025-13-01"]),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    st.just([[[[]]]]),
)


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to each value within a value, itself first."""
    found = [at]
    if isinstance(value, dict):
        items: Any = value.items()
    else:
        items = enumerate(value) if isinstance(value, list) else ()
    for key, each in items:
        found += places(each, (*at, key))
    return found


@st.composite
def changed(draw: st.DrawFn, valid: Any) -> Any:
    """A copy of plain data with one value odd, gone, or under another name."""
    value = copy.deepcopy(valid)
    at = draw(st.sampled_from(places(value)[1:]))
    parent = value
    for key in at[:-1]:
        parent = parent[key]
    how = draw(st.sampled_from(["odd", "odd", "gone", "renamed"]))
    if how == "odd":
        parent[at[-1]] = draw(ODD)
    else:
        taken = parent.pop(at[-1])
        if how == "renamed" and isinstance(parent, dict):
            parent[draw(st.sampled_from(["", "x", "id", "text", "name"]))] = taken
    return value


@st.composite
def bytes_changed(draw: st.DrawFn, valid: bytes) -> bytes:
    """Bytes with a few of them other, gone, or more."""
    raw = bytearray(valid)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, max(0, len(raw) - 1)))
        new = draw(
            st.binary(max_size=4) | st.sampled_from([b"&a ", b"*a", b"!!map ", b"\0", b"\xff", b"[" * 200, b": "])
        )
        raw[start : start + draw(st.integers(0, 6))] = new
    return bytes(raw)


def is_sentence(error: BaseException) -> bool:
    """Whether an error says one thing, in a line of its own, and is one of voirdire's."""
    said = str(error)
    return type(error).__module__.startswith("voirdire.") and bool(said) and "\n" not in said
