"""YAML, as every reader takes it."""

from voirdire.data import untrusted

SEEDS = [b"a: &a [1, 2.5, x]\nb: {<<: {c: 2025-01-02}, d: *a}\n", b"- |\n  text\n- >-\n  more\n", b'{"a": !!str 5}']


def one(data: bytes) -> None:
    """Read a text; what comes of it is plain data."""
    repr(untrusted.yaml_of(untrusted.text_of(data))).encode()
