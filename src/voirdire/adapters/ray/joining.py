"""The tables of all shards put together, in the order of the data: a batch at a time, never a whole table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any


def join_tables(folders: Sequence[Path], out: Path) -> dict[str, int]:
    """Write every table that the shards have, beside its place first; how many rows each has.

    Args:
        folders: of the shards, in order; one without tables yet is left out.
        out: where the tables are written.
    """
    names = sorted({path.stem for folder in folders for path in folder.glob("*.parquet")})
    return {
        name: _join([path for each in folders if (path := each / f"{name}.parquet").is_file()], out) for name in names
    }


def _join(places: Sequence[Path], out: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    files = [path for path in places if path.is_file()]
    schema = _shared([pq.read_schema(file) for file in files])
    target = out / files[0].name
    beside = target.with_name(f".{target.name}.new")
    rows = 0
    with pq.ParquetWriter(beside, schema) as writer:
        for path in files:
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches():
                    writer.write_table(pa.Table.from_batches([batch]).cast(schema))
                    rows += batch.num_rows
    beside.replace(target)
    return rows


def _shared(schemas: Sequence[Any]) -> Any:
    """Columns that hold what every shard's can: in one where nothing was found a column has no type."""
    import pyarrow as pa

    unified = pa.unify_schemas([each.remove_metadata() for each in schemas], promote_options="permissive")
    return unified.with_metadata(schemas[0].metadata)
