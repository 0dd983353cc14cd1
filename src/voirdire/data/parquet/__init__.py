"""Parquet, read and written with DuckDB; no other module knows which library it is.

A file from elsewhere is untrusted: what it claims of itself is held against its size before anything of it is read, and
what is read gets a bounded share of memory. Types of columns are written as SQL does: `VARCHAR`, `BIGINT`, `VARCHAR[]`,
`STRUCT("user" VARCHAR)[]`.
"""

from voirdire.data.parquet.reader import ParquetFile, open_parquet
from voirdire.data.parquet.writer import TableWriter, join_parquet, open_writer, write_parquet

__all__ = ["ParquetFile", "TableWriter", "join_parquet", "open_parquet", "open_writer", "write_parquet"]
