import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.models._gguf import KEYS, gguf, key, tensor, text
from voirdire.models.gguf import GgufError, check_gguf

HEAD = b"GGUF" + struct.pack("<I", 3)


def checked(folder: Path, raw: bytes) -> object:
    path = folder / "a.gguf"
    path.write_bytes(raw)
    return check_gguf(path)


def test_a_whole_header_is_read_and_nothing_of_the_weights(tmp_path):
    header = checked(tmp_path, gguf())
    assert (header.version, header.tensors) == (3, 1)
    assert header.metadata["llama.context_length"] == 8192
    assert header.metadata["tokenizer.ggml.tokens"] == [2]
    assert header.begins == len(gguf()) - 64


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"", "ends within its header"),
        (b"PK\3\4" + bytes(100), "does not begin with GGUF"),
        (b"GGUF" + struct.pack("<IQQ", 99, 1, 1), "its version is 99"),
        (b"GGUF" + struct.pack(">IQQ", 3, 1, 1), "its version is 50331648"),
        (HEAD + struct.pack("<QQ", 2**62, 1), "claims 4,611,686,018,427,387,904 tensors"),
        (HEAD + struct.pack("<QQ", 0, 1), "claims 0 tensors"),
        (HEAD + struct.pack("<QQ", 1, 2**62), "keys; at most 10,000"),
        (HEAD + struct.pack("<QQ", 1, 1) + struct.pack("<Q", 2**60) + b"abc", "a text of 1,152,921,504,606,846,976"),
        (HEAD + struct.pack("<QQ", 1, 1) + text("a") + struct.pack("<I", 77), "of the unknown type 77"),
        (HEAD + struct.pack("<QQ", 1, 1) + text("a") + struct.pack("<IIQ", 9, 4, 2**61), "ends within its header"),
        (HEAD + struct.pack("<QQ", 1, 1) + text("a") + struct.pack("<IIQ", 9, 8, 2**61), "lists of"),
        (
            HEAD + struct.pack("<QQ", 1, 1) + text("a") + struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * 4,
            "arrays within arrays",
        ),
        (HEAD + struct.pack("<QQ", 1, 2) + key("a", "u32", 1) * 2, "has the key 'a' twice"),
        (gguf(tensors=tensor() * 2, count=2), "has the tensor 't' twice"),
        (gguf(tensors=tensor(shape=(1,) * 9)), "has 9 dimensions"),
        (gguf(tensors=tensor(shape=(2**40, 2**40))), "more elements than the file has room for"),
        (gguf(tensors=tensor(shape=(0,))), "or none"),
        (gguf(tensors=tensor(kind=200)), "of the unknown type 200"),
        (gguf(tensors=tensor(place=3)), "does not begin where one may"),
        (gguf(tensors=tensor(place=2**62)), "ends before its weights do"),
        (gguf()[:-65], "ends before its weights do"),
        (gguf({**KEYS, "general.alignment": ("u32", 0)}), "its alignment is 0"),
        (gguf({**KEYS, "general.alignment": ("u32", 24)}), "its alignment is 24"),
        (gguf({"a": ("u32", 1)}), "does not say which architecture"),
        (gguf({**KEYS, "llama.block_count": ("u32", 0)}), "block_count is 0; 1 to 512 is believed"),
        (gguf({**KEYS, "llama.context_length": ("u32", 1)}), "context_length is 1; 64 to"),
        (gguf({**KEYS, "llama.embedding_length": ("text", "many")}), "embedding_length is 'many'"),
    ],
)
def test_a_header_that_claims_what_cannot_be_is_refused(tmp_path, raw, says):
    with pytest.raises(GgufError) as caught:
        checked(tmp_path, raw)
    assert says in str(caught.value)


@given(data=st.data())
def test_any_bytes_in_any_place_are_read_or_refused(tmp_path_factory, data):
    raw = bytearray(gguf())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + 8] = data.draw(st.binary(max_size=8) | st.sampled_from([b"\xff" * 8, bytes(8), b"\xff" * 4]))
    try:
        checked(tmp_path_factory.getbasetemp(), bytes(raw))
    except GgufError as error:
        assert "\n" not in str(error) and len(str(error)) < 400
