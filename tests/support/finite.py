"""What no output may hold: NaN, infinity, an estimate outside its own interval, a sentence with two full stops."""

import csv
import io
import json
import math
import re

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from tests.cli.here import voirdire
from voirdire.reports.builder import document_of
from voirdire.reports.formats.csv_files import to_csv
from voirdire.reports.formats.json_text import to_json
from voirdire.reports.formats.markdown import to_markdown
from voirdire.reports.page import render

NOT_A_NUMBER = re.compile(r"(?<![\w/.-])[+-]?(?:nan|inf|infinity)(?![\w/])", re.IGNORECASE)
TWO_STOPS = re.compile(r"(?<![./])\.\.(?![./\w])")
"""At the end of a sentence; not an ellipsis, a range of two values, or a path."""
ESTIMATES = ("value", "difference", "recomputed", "mean", "f1", "rho", "eta_squared")
"""What an estimate is called where its interval stands beside it."""
_SCRIPT = re.compile(r"<script>.*?</script>", re.DOTALL)
"""Of a page, what holds no data."""


def check_command(*arguments, codes=(0,)):
    """Run a command and look at all that it prints; what went to stdout."""
    done = voirdire(*arguments, check=False)
    name = " ".join(map(str, arguments))
    assert done.returncode in codes and "Traceback" not in done.stderr, f"{name}: {done.stderr}"
    check_output(done.stdout, done.stderr, name)
    return done.stdout


def check_output(printed, told, name):
    """Look at what a command has printed, and at what it has told beside that."""
    _check_text(printed + told, name)
    if printed.startswith(("{", "[")):
        _check_json(printed, name)


def check_report(*runs):
    """Make a report in every form of texts, and look at all of it."""
    document = document_of(runs)
    texts = {"page.html": render(document), "report.md": to_markdown(document), "report.json": to_json(document)}
    for name, text in (texts | to_csv(document)).items():
        _check_file(name, text)


def check_exports(run, folder):
    """Export a run's tables in every form, and look at all of them."""
    for form in ("csv", "jsonl", "parquet"):
        out = folder / f"tables.{form}"
        check_command("export", run, "--to", form, "-o", out)
        for path in [out] if out.is_file() else out.iterdir():
            check_written(path)


def check_written(path):
    """Look at a file that was written."""
    if path.suffix == ".parquet":
        _check_table(parquet.read_table(path), path.name)
    else:
        _check_file(path.name, path.read_text(encoding="utf-8"))


def _check_file(name, content):
    text = _SCRIPT.sub("", content)
    _check_text(text, name)
    if name.endswith((".json", ".jsonl")):
        _check_json(text, name)
    if name.endswith(".csv"):
        _check_csv(text, name)


def _check_text(text, name):
    found = NOT_A_NUMBER.search(text) or TWO_STOPS.search(text)
    assert not found, f"{name}: {text[max(0, found.start() - 150) : found.end() + 50]}"


def _check_json(text, name):
    for value in _values(text):
        outside = list(outside_of(value))
        assert not outside, f"{name}: {outside}"


def _check_csv(text, name):
    """No column lies outside its own `_low` and `_high`."""
    for row in csv.DictReader(io.StringIO(text)):
        for column in row:
            cells = [row.get(column + end) for end in ("", "_low", "_high")]
            if all(cells):
                value, low, high = map(float, cells)
                assert low - 1e-9 <= value <= high + 1e-9, f"{name}: {column} {value} in {low} to {high}"


def _check_table(table, name):
    """What is missing is null: neither NaN nor a word for it."""
    for column in table.column_names:
        cells = table[column]
        if pa.types.is_floating(cells.type):
            assert not pc.any(pc.invert(pc.is_finite(cells))).as_py(), f"{name}: {column}"
        if pa.types.is_string(cells.type):
            assert not {"nan", "None", "<NA>"} & set(cells.to_pylist()), f"{name}: {column}"


def _values(text):
    """The values of JSON, or of JSON Lines."""
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


def outside_of(value, path="", beside=None):
    """Every place in JSON where a value lies outside the interval that stands with it.

    An interval is an object with `low` and `high`, or a list of two under a name that ends in "interval". Its estimate
    stands in it, beside it (`ESTIMATES`), or under the name that its own begins with.
    """
    if isinstance(value, list):
        for place, each in enumerate(value):
            yield from outside_of(each, f"{path}[{place}]")
    if not isinstance(value, dict):
        return
    yield from _outside(value.get("low"), value.get("high"), _estimate(value, beside), path)
    for name, each in value.items():
        place = f"{path}.{name}"
        if name in ("intervals", "percentile_intervals") and isinstance(value.get("metrics"), dict):
            for metric, interval in each.items():
                yield from _of_interval(interval, value["metrics"].get(metric), f"{place}.{metric}")
        elif name.endswith("interval"):
            yield from _of_interval(each, value.get(name.removesuffix("_interval"), _estimate(value)), place)
        else:
            yield from outside_of(each, place)


def _of_interval(interval, estimate, path):
    if isinstance(interval, list):
        yield from _outside(*interval, estimate, path)
    else:
        yield from outside_of(interval, path, estimate)


def _outside(low, high, estimate, path):
    low, high, estimate = _number(low), _number(high), _number(estimate)
    if isinstance(low, float) and isinstance(high, float):  # whole numbers there are counts
        inside = low - 1e-9 <= (low if estimate is None else estimate) <= high + 1e-9
        if not inside:
            yield f"{path}: {estimate} in {low} to {high}"


def _estimate(value, beside=None):
    return next((value[name] for name in ESTIMATES if name in value), beside)


def _number(value):
    if isinstance(value, dict):
        value = value.get("value")
    return value if isinstance(value, float | int) and math.isfinite(value) else None
