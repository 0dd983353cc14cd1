"""A folder that `datasets.load_dataset` reads: parquet files and a data card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.cognibench.formats.writer import as_entry
from voirdire.detectors.records import LABELS, Answer
from voirdire.text.markdown import code

if TYPE_CHECKING:
    import pyarrow as pa

CARD = "README.md"


def write_parts(parts: Mapping[str, Sequence[Answer]], folder: Path) -> list[Path]:
    """Write each part ("train", "test") as one parquet file; the paths, in order.

    Args:
        parts: answers by the name of their part.
        folder: that is there.
    """
    import pyarrow as pa
    import pyarrow.parquet as parquet

    (folder / "data").mkdir()
    written = []
    for name, answers in parts.items():
        path = folder / "data" / f"{name}-00000-of-00001.parquet"
        parquet.write_table(pa.Table.from_pylist([as_entry(answer) for answer in answers], schema=_schema()), path)
        written.append(path)
    return written


def front_matter(parts: Mapping[str, Sequence[Answer]]) -> dict[str, Any]:
    """The head of the card: which file is which part, and what can be counted."""
    answers = sum(len(part) for part in parts.values())
    return {
        "configs": [
            {
                "config_name": "default",
                "data_files": [{"split": name, "path": f"data/{name}-*.parquet"} for name in parts],
            }
        ],
        "task_categories": ["text-classification"],
        "tags": ["hallucination", "faithfulness", "retrieval-augmented-generation"],
        "size_categories": [_size(answers)],
    }


def _schema() -> pa.Schema:
    import pyarrow as pa

    exchange = pa.struct([("user", pa.string()), ("assistant", pa.string())])
    statement = pa.struct([("text", pa.string()), ("start", pa.int64()), ("end", pa.int64()), ("label", pa.string())])
    return pa.schema(
        [
            ("id", pa.string()),
            ("dialogue", pa.string()),
            ("group", pa.string()),
            ("turn", pa.int64()),
            ("topic", pa.string()),
            ("model", pa.string()),
            ("context", pa.string()),
            ("history", pa.list_(exchange)),
            ("question", pa.string()),
            ("answer", pa.string()),
            ("statements", pa.list_(statement)),
        ]
    )


def _size(rows: int) -> str:
    """The hub's name for so many rows."""
    low = "n"
    for limit, name in ((1_000, "1K"), (10_000, "10K"), (100_000, "100K"), (1_000_000, "1M")):
        if rows < limit:
            return f"{low}<{name}" if low == "n" else f"{low}<n<{name}"
        low = name
    return "n>1M"


def card(parts: Mapping[str, Sequence[Answer]], source: str, manifest: Mapping[str, Any]) -> str:
    """The data card: a head for the hub, what the rows are, and where they come from.

    Args:
        parts: answers by the name of their part.
        source: name of what they were read from.
        manifest: how the export was made.
    """
    import yaml

    answers = [answer for part in parts.values() for answer in part]
    statements = [statement for answer in answers for statement in answer.statements]
    labels = Counter(statement.label for statement in statements)
    counted = "\n".join(f"| {label} | {labels[label]:,} |" for label in LABELS if labels[label])
    hashes = "\n".join(f"- {code(name)}: SHA-256 `{digest}`" for name, digest in manifest["sha256"].items())
    head = yaml.safe_dump(front_matter(parts), sort_keys=False)
    sizes = ", ".join(f"{name} {len(part):,}" for name, part in parts.items())
    return f"""---
{head}---

# Grounded answers, labelled sentence by sentence

One row is an answer: its `context` (the evidence), the earlier turns (`history`), the `question`, the `answer`, and its
`statements`, each with `text`, `start`, `end` (characters of the answer) and `label`. Rows of one `group` share their
context: keep them on one side of any split.

Answers: {sizes}. Statements: {len(statements):,}, of which {len(statements) - labels[None]:,} are labelled.

| label | statements |
|---|---:|
{counted}

Faithful statements repeat the context and invented ones do not agree with it; misleading, speculative, reliable and
irrefutable ones go beyond it, in growing order of support; irrelevant ones claim nothing. Invented, misleading and
speculative statements count as hallucinations under the requirement "grounded".

## Where it comes from

Exported by {manifest["made_by"]} from {code(source)}:

{hashes}

The licence and the rights of the source apply to the texts.
"""
