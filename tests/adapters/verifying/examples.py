"""Tampering, and what is said of it."""

import sqlite3

import pandas as pd

from voirdire.adapters.verify import verify

JOURNAL = "journal.sqlite"


def found(path, **options):
    """All findings but the good ones, as {what: said}; and whether all is well."""
    (done,) = verify([path], **options)
    said = {}
    for each in done.findings:
        if each.status != "ok":
            said[each.what] = " | ".join([*([said[each.what]] if each.what in said else []), each.message])
    return said, done.ok


def status_of(path, what, **options):
    (done,) = verify([path], **options)
    return next(each.status for each in done.findings if each.what == what)


def statement(run, sql, *values):
    """Change a journal behind the program's back."""
    with sqlite3.connect(run / JOURNAL) as connection:
        connection.execute(sql, values)
    connection.close()


def swapped(frame):
    order = [1, 0, *range(2, len(frame))]
    return frame.iloc[order].reset_index(drop=True)


def with_cell(frame, column, value):
    changed = frame.copy()
    changed[column] = [value, *frame[column].tolist()[1:]]
    return changed.astype(frame.dtypes)


def rewritten(path, change):
    """Change a table as somebody would with pandas."""
    change(pd.read_parquet(path)).to_parquet(path, index=False)
