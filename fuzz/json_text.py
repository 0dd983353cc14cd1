"""JSON, as every reader takes it."""

import json

from voirdire.data import untrusted

SEEDS = [b'{"a": [1, 2.5e3, "x\\u00e9", null, true], "b": {"c": {}}}', b'"\\ud83d\\ude00"', b"[-0.0, 1e-300]"]


def one(data: bytes) -> None:
    """Read a text; what comes of it can be written again."""
    json.dumps(untrusted.json_of(untrusted.text_of(data)), ensure_ascii=False, allow_nan=False).encode()
