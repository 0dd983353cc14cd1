"""What the model is trained on: pairs that people labelled, and pairs that synthetic.py makes."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

UNLICENSED = frozenset(
    "sick_train healthver_dev climate_fever climate_fever_nei covidfact fever_symmetric monli".split()
)
"""Sources of train.jsonl.gz whose licence lets nobody ship weights made of them: they only measure."""
CLASSES = {
    "supported": (0,),
    "contradicted": (1,),
    "unsupported": (2,),
    "not_supported": (1, 2),
    "no_claim": (3,),
}
"""The classes of network.LABELS that a label allows."""
_DEVELOPMENT = 3
"""Per cent of the evidence texts that choices are made on; never trained on."""


class Example(NamedTuple):
    """A labelled pair."""

    evidence: str
    claim: str
    label: str
    source: str


def read_examples(file: Path) -> Iterator[Example]:
    """The pairs of a .jsonl.gz file."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            yield Example(entry["evidence"], entry["claim"], entry["label"], entry["source"])


def write_examples(file: Path, examples: Iterable[Example]) -> None:
    """Write a file that `read_examples` reads."""
    with gzip.open(file, "wt", encoding="utf-8") as out:
        for example in examples:
            out.write(json.dumps(example._asdict(), ensure_ascii=False) + "\n")


def licensed(file: Path) -> list[Example]:
    """The pairs of a file whose source may go into shipped weights."""
    return [example for example in read_examples(file) if example.source not in UNLICENSED]


def split(examples: Iterable[Example]) -> tuple[list[Example], list[Example]]:
    """Training and development: all pairs of one evidence text lie on one side."""
    parts: tuple[list[Example], list[Example]] = ([], [])
    for example in examples:
        digest = hashlib.sha256(example.evidence.encode(errors="replace")).digest()
        parts[digest[0] * 100 // 256 < _DEVELOPMENT].append(example)
    return parts
