"""Answers to spread over shards."""

import json

import pyarrow as pa
import pyarrow.parquet as pq

WORDS = "red green blue round square heavy light old new small large open closed quick slow".split()


def entries(count=23):
    """Some with an id, some without, some of two turns; of some the context says something else."""
    for number in range(count):
        one, other = WORDS[number % 15], WORDS[(7 * number) % 15]
        entry = {"context": f"Lamp {number} is {one}. It was made in 19{number:02}.", "question": "What is it?"}
        if number % 3:
            entry["id"] = f"lamp{number}"
        said = f"Lamp {number} is {one}. It was made in 19{number + number % 2:02}, and it is {other}."
        if number % 5 == 4:
            entry["turns"] = [{"user": "What?", "assistant": said}, {"user": "And?", "assistant": f"It is {other}."}]
        else:
            entry["answer"] = said
        yield entry


def write_lines(path, some=None, between="\n"):
    """As JSON Lines, with a blank line here and there."""
    lines = [json.dumps(entry) for entry in (entries() if some is None else some)]
    lines[4:4] = [""]
    path.write_text(between.join(lines), encoding="utf-8", newline="")
    return path


def write_parquet(path, some=None, row_group_size=4):
    """As Parquet, in several row groups."""
    pq.write_table(pa.Table.from_pylist(list(entries() if some is None else some), COLUMNS), path, row_group_size)
    return path


COLUMNS = pa.schema(
    [
        ("id", pa.string()),
        ("context", pa.string()),
        ("question", pa.string()),
        ("answer", pa.string()),
        ("turns", pa.list_(pa.struct([("user", pa.string()), ("assistant", pa.string())]))),
    ]
)
