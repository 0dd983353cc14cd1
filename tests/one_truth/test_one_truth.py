"""In whatever state a run is, its figures, reasons and checks are the same wherever they are shown."""

import json
import os
from dataclasses import replace
from unittest.mock import patch

import pandas as pd
import pytest

import voirdire
from tests.one_truth.situations import SITUATIONS
from voirdire.cli.show import run as show_run
from voirdire.cli.show import validity as shown_checks
from voirdire.cli.show.paint import ends, figure
from voirdire.ddft.gate_figures import checked
from voirdire.ddft.labels import LABELS
from voirdire.ddft.results import load_run
from voirdire.documents.document import Notice, Table
from voirdire.report.builder import document_of


class Seen:
    """A run in one state, and what is shown of it."""

    def __init__(self, run, jury):
        self.result = load_run(run, jury)
        self.json = json.loads(json.dumps(self.result.as_dict(), allow_nan=False))
        with patch.dict(os.environ, COLUMNS="220"):
            self.text = show_run.result(self.result)
            self.checks = shown_checks.checks(self.result)
        self.document = document_of(run, jury)
        self.gate = checked(run, jury)
        self.table = voirdire.load(run, jury).metrics

    def tables(self, *ids):
        blocks = [block for section in self.document.sections for block in section.blocks]
        return [block for block in blocks if isinstance(block, Table) and block.id in ids]


@pytest.fixture(scope="module", params=SITUATIONS)
def seen(request, tmp_path_factory):

    run = tmp_path_factory.mktemp("truth") / "run"
    return Seen(run, SITUATIONS[request.param](run))


def metrics(seen):
    """Every metric of every model: its value, its interval, why it has none."""
    for profile in seen.result.profiles:
        for name, found in profile.metrics.items():
            why = found.reason or profile.interval_reasons.get(name)
            yield profile.model, name, found.value, profile.intervals.get(name), "" if why is None else str(why)


def same(shown, value):
    return shown == value if shown is None or value is None else shown == pytest.approx(value)


def is_interval(shown, interval):
    return same(shown, None if interval is None else interval[:2])


def test_json_gives_what_python_gives(seen):
    models = {each["model"]: each for each in seen.json["models"]}
    for model, name, value, interval, why in metrics(seen):
        shown = models[model]
        assert same(shown["metrics"][name], value), (model, name)
        given = shown["intervals"].get(name)
        assert is_interval(given and (given["low"], given["high"]), interval), (model, name)
        said = shown["reasons"].get(name) or shown["interval_reasons"].get(name)
        assert (said["text"] if said else "") == why


def test_the_table_of_metrics_gives_it(seen):
    rows = {(row["model"], row["metric"]): row for row in seen.table.to_dict("records")}
    for model, name, value, interval, why in metrics(seen):
        row = rows[model, name]
        assert same(None if pd.isna(row["value"]) else row["value"], value), (model, name)
        assert is_interval(None if pd.isna(row["low"]) else (row["low"], row["high"]), interval), (model, name)
        assert ("" if pd.isna(row["reason"]) else row["reason"]) == why


def test_a_gate_gives_it(seen):
    figures = {subject.model: subject.figures for subject in seen.gate.subjects}
    for model, name, value, interval, why in metrics(seen):
        found = figures[model][name]
        assert (found.value, found.interval, found.reason) == (value, interval, why), (model, name)


def test_a_report_gives_it(seen):
    shown = cells(seen)
    known = {(model, LABELS.get(name, name)): (value, interval) for model, name, value, interval, _ in metrics(seen)}
    assert shown.keys() <= known.keys() and len(shown) >= 20 * len(seen.result.profiles)
    for place, cell in shown.items():
        value, interval = known[place]
        assert same(cell.value, value) and is_interval(cell.ends, interval), place


def cells(seen):
    """By model and metric, what the report's tables show: of one model with columns for the ends, else one a model."""
    (model, *others) = [profile.model for profile in seen.result.profiles]
    rows = [row for table in seen.tables("profile", "profiles", "paper-metrics") for row in table.rows]
    if others:
        return {(name, row["metric"].value): row[name] for row in rows for name in (model, *others)}
    ends = {row["metric"].value: (row["low"].value, row["high"].value) for row in rows}
    return {
        (model, row["metric"].value): replace(
            row["value"], ends=None if ends[row["metric"].value][0] is None else ends[row["metric"].value]
        )
        for row in rows
    }


def test_the_terminal_gives_it(seen):
    labels = dict((*show_run._RELIABILITY, *show_run._BEHAVIOUR, *show_run._PAPER))
    for model, name, value, interval, _ in metrics(seen):
        if name in labels and value is not None:
            lines = seen.text.partition(f"\n{model}\n")[2].splitlines()
            line = next(each for each in lines if each.strip().startswith(f"{labels[name].strip()} "))
            assert f" {figure(name, value)} " in line and ends(name, interval) in line, (model, name)


def test_what_must_be_said_beside_a_profile_is_said_in_the_terminal(seen):
    text = " ".join(seen.text.split())
    for note in (note for profile in seen.result.profiles for note in profile.notes):
        assert " ".join(str(note).split()) in text


def test_checks_have_one_status(seen):
    statuses = {check.id: check.status for check in seen.result.checks}
    (table,) = seen.tables("checks")
    assert {row["check"].value: row["status"].value for row in table.rows} == statuses
    failed = [name for name, status in statuses.items() if status == "fail"]
    assert seen.json["validity"]["failed"] == failed == [name for name, _ in seen.gate.failed_checks]
    heads = {"not measured": "–"}
    for name, status in statuses.items():
        line = next(each for each in seen.checks.splitlines() if f" {name} " in each)
        assert line.split()[0] == heads.get(status, status.upper()), line


def test_whether_it_is_complete_is_said_everywhere(seen):
    stopped = seen.result.stopped
    blocks = [block for section in seen.document.sections for block in section.blocks]
    told = any("not complete" in block.text.lower() for block in blocks if isinstance(block, Notice))
    assert seen.json["stopped"] == stopped
    assert {told, "Not complete" in seen.text, seen.gate.missing is not None} == {stopped is not None}
