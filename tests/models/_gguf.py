"""GGUF files made by hand: a header that is whole, and nothing that could be computed with."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

TYPES = {"u32": (4, "<I"), "f32": (6, "<f"), "u64": (10, "<Q"), "bool": (7, "<?")}
KEYS: Mapping[str, tuple[str, Any]] = {
    "general.architecture": ("text", "llama"),
    "llama.block_count": ("u32", 1),
    "llama.context_length": ("u32", 8192),
    "llama.embedding_length": ("u32", 8),
    "tokenizer.ggml.tokens": ("texts", ["a", "b"]),
    "tokenizer.ggml.scores": ("floats", [0.5, 1.0]),
}


def text(value: str) -> bytes:
    """A text as GGUF has it."""
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def key(name: str, kind: str, value: Any) -> bytes:
    """A key and its value."""
    if kind == "text":
        return text(name) + struct.pack("<I", 8) + text(value)
    if kind == "texts":
        return text(name) + struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(text, value))
    if kind == "floats":
        return text(name) + struct.pack("<IIQ", 9, 6, len(value)) + struct.pack(f"<{len(value)}f", *value)
    number, form = TYPES[kind]
    return text(name) + struct.pack("<I", number) + struct.pack(form, value)


def tensor(name: str = "t", shape: tuple[int, ...] = (8, 2), kind: int = 0, place: int = 0) -> bytes:
    """What the header says of a tensor."""
    return text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, place)


def gguf(keys: Mapping[str, tuple[str, Any]] = KEYS, tensors: bytes | None = None, count: int = 1) -> bytes:
    """A whole file: 64 bytes of weights."""
    told = b"".join(key(name, *value) for name, value in keys.items())
    head = b"GGUF" + struct.pack("<IQQ", 3, count, len(keys)) + told + (tensor() if tensors is None else tensors)
    return head + bytes(-len(head) % 32) + bytes(64)
