"""In whatever state a run is, its figures, reasons and checks are the same wherever they are shown."""

import csv
import json
import re
from functools import cached_property
from html import unescape

import pandas as pd
import pytest

import voirdire
from tests.one_truth.situations import SITUATIONS
from voirdire.ddft.gate_figures import checked
from voirdire.ddft.metric_labels import LABELS
from voirdire.ddft.report.profiles import NOT_YET
from voirdire.ddft.report.show import result_document
from voirdire.ddft.report.validity_checks import checks_document
from voirdire.ddft.results import load_run
from voirdire.ddft.soundness import conclusion
from voirdire.documents.document import OF_A_COMMAND, Notice, Table, Text
from voirdire.reason_codes import reason
from voirdire.reports.builder import document_of
from voirdire.reports.formats.csv_files import to_csv
from voirdire.reports.formats.markdown import to_markdown
from voirdire.reports.formats.terminal import to_terminal
from voirdire.reports.page.rendering import render

WITHOUT_INTERVALS = {"one concept", "imported, unscored", "stopped early", "stopped late"}
"""There are none of fewer than three concepts, of no scores, nor of what is judged unevenly so far."""
_FIGURE = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"


class Seen:
    """A run in one state, and what is shown of it."""

    def __init__(self, situation, run, jury):
        self.situation = situation
        self.result = load_run(run, jury)
        self.json = json.loads(json.dumps(self.result.as_dict(), allow_nan=False))
        self.shown = result_document(self.result)
        self.checks = checks_document(self.result)
        self.document = document_of(run, jury)
        self.gate = checked(run, jury)
        self.run = voirdire.load(run, jury)
        self.table = self.run.metrics

    @cached_property
    def markdown(self):
        return to_markdown(self.document)

    @cached_property
    def page(self):
        return render(self.document)

    @cached_property
    def files(self):
        return to_csv(self.document)

    @property
    def page_text(self):
        return unescape(re.sub("<[^>]+>", " ", self.page))

    def tables(self, *ids):
        blocks = [block for section in self.document.sections for block in section.blocks]
        return [block for block in blocks if isinstance(block, Table) and block.id in ids]


@pytest.fixture(scope="module", params=SITUATIONS)
def seen(request, tmp_path_factory):
    run = tmp_path_factory.mktemp("truth") / "run"
    return Seen(request.param, run, SITUATIONS[request.param](run))


def metrics(seen):
    """Every metric of every model: its value, its interval, why it has none, also because it can't be told yet."""
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


def test_the_profiles_of_a_loaded_run_give_it(seen):
    rows = {row["model"]: row for row in seen.run.profiles.to_dict("records")}
    for model, name, value, interval, _ in metrics(seen):
        shown, low, high = (rows[model].get(f"{name}{end}") for end in ("", "_low", "_high"))
        assert same(None if pd.isna(shown) else shown, value), (model, name)
        assert is_interval(None if low is None or pd.isna(low) else (low, high), interval), (model, name)


def test_a_loaded_run_says_in_one_line_what_must_be_said_beside_its_er(seen):
    line, result = str(seen.run), seen.result
    must = [result.banner, result.stopped and f"Not complete: {result.stopped}"]
    must += [str(profile.uneven) for profile in result.profiles if profile.uneven is not None]
    for sentence in filter(None, must):
        assert " ".join(sentence.split()) in line
    for profile in result.profiles:
        assert profile.model in line
        if profile.uneven is None and profile.er is not None:
            assert f"{profile.model} {profile.er:.3f} (" in line


def test_a_gate_gives_it(seen):
    figures = {subject.model: subject.figures for subject in seen.gate.subjects}
    for model, name, value, interval, why in metrics(seen):
        found = figures[model][name]
        given = "" if found.reason is None else str(found.reason)
        assert (found.value, found.interval, given) == (value, interval, why), (model, name)


def test_a_report_gives_it(seen):
    shown = cells(seen)
    known = {(model, LABELS.get(name, name)): (value, interval) for model, name, value, interval, _ in metrics(seen)}
    assert shown.keys() <= known.keys() and len(shown) >= 20 * len(seen.result.profiles)
    for place, cell in shown.items():
        value, interval = known[place]
        assert same(cell.value, value) and is_interval(cell.ends, interval), place


def test_every_format_prints_it(seen):
    """Value and interval as people read them, in rendered text; and as programs do, in CSV."""
    printed = {
        "markdown": seen.markdown,
        "page": seen.page_text,
        "terminal": str(to_terminal(seen.shown)),
    }
    texts = {form: " ".join(text.split()) for form, text in printed.items()}
    figures = {float(each) for text in seen.files.values() for each in re.findall(_FIGURE, text)}
    shown, compared = cells(seen), 0
    for model, name, value, interval, _ in metrics(seen):
        if interval is None or (model, LABELS.get(name, name)) not in shown:
            continue
        decimals = 1 if name.endswith("_pct") else 3
        ends = r"\D{1,6}".join(re.escape(f"{end:.{decimals}f}") for end in interval[:2])
        for form, text in texts.items():
            assert re.search(rf"(?<!\d){ends}(?!\d)", text), (form, model, name, interval)
        assert {value, *interval[:2]} <= figures, (model, name)
        compared += 1
    assert bool(compared) != (seen.situation in WITHOUT_INTERVALS)


def cells(seen):
    """By model and metric, what the report's tables show: of one model in rows, of several with a column for each."""
    (model, *others) = [profile.model for profile in seen.result.profiles]
    rows = [row for table in seen.tables("profile", "profiles", "paper-metrics") for row in table.rows]
    if others:
        return {(name, row["metric"].value): row[name] for row in rows for name in (model, *others)}
    return {(model, row["metric"].value): row["value"] for row in rows}


def test_the_terminal_gives_it(seen):
    known = {(model, LABELS[name]): each for model, name, *each in metrics(seen)}
    only = seen.result.profiles[0].model  # named in the sentence above its table
    rows = [
        ((section.title.partition(": ")[0] or only, row["metric"].value), row)
        for section in seen.shown.sections
        if section.id != OF_A_COMMAND  # the short table that these stand in for
        for table in section.blocks
        if isinstance(table, Table) and "says" in {column.key for column in table.columns}
        for row in table.rows
    ]
    assert len(rows) == 25 * len(seen.result.profiles)
    for place, row in rows:
        value, interval, why = known[place]
        assert same(row["value"].value, value) and is_interval(row["value"].ends, interval), place
        beside = row["value"] == NOT_YET or why == str(reason("few_concepts"))
        assert why in row["says"].value or beside, place


def test_what_must_be_said_beside_a_profile_is_said_in_the_terminal(seen):
    blocks = [block for section in seen.shown.sections for block in section.blocks]
    said = [item for block in blocks for item in getattr(block, "items", ())]
    concluded = f" {conclusion(seen.result).sentence}"
    sentences = [block.text.removesuffix(concluded) for block in blocks if isinstance(block, Text)]
    for note in (note for profile in seen.result.profiles for note in profile.notes):
        beside_it = note.code in ("note_undefined", "note_without_interval")  # in the row of the metric: see above
        assert beside_it or any(text.endswith(str(note)) for text in [*said, *sentences]), str(note)


def test_checks_have_one_status(seen):
    statuses = {check.id: check.status for check in seen.result.checks}
    (table,) = seen.tables("checks")
    assert {row["check"].value: row["status"].value for row in table.rows} == statuses
    failed = [name for name, status in statuses.items() if status == "fail"]
    assert seen.json["validity"]["failed"] == failed == [check.id for check in seen.gate.failed_checks]
    verbs = {
        "fail": "fails",
        "warn": "warns",
        "pass": "passes",
        "not measured": "is not measured",
        "undecided": "is undecided",
    }
    said = [block.text for section in seen.checks.sections for block in section.blocks if isinstance(block, Text)]
    for name, status in statuses.items():
        assert any(each.startswith(f"{name} {verbs[status]}: ") for each in said), name


def test_every_format_prints_the_status_of_each_check(seen):
    statuses = {check.id: check.status for check in seen.result.checks}
    cell = r'<th scope="row"[^>]*data-value="(\w+)".*?</th>\s*<td.*?dir="auto">([^<]*)<'
    rows = {
        "markdown": re.findall(r"^\| (\w+) \| ([a-z ]+) \|", seen.markdown, re.MULTILINE),
        "page": re.findall(cell, seen.page, re.DOTALL),
        "csv": [(row["check"], row["status"]) for row in csv.DictReader(seen.files["checks.csv"].splitlines())],
    }
    for form, pairs in rows.items():
        assert {pair for pair in pairs if pair[0] in statuses} == set(statuses.items()), form


def test_every_format_prints_why_a_figure_is_missing_and_what_a_check_saw(seen):
    reasons = [note for profile in seen.result.profiles for note in profile.notes]
    reasons += [each for check in seen.result.checks for each in check.evidence]
    for form, text in (("markdown", squeezed(seen.markdown)), ("page", squeezed(seen.page_text))):
        assert [str(each) for each in reasons if squeezed(str(each)) not in text] == [], form


def test_csv_gives_why_a_figure_of_one_model_is_missing(seen):
    if len(seen.result.profiles) > 1:  # a column for each model leaves no place for reasons
        return
    rows = {row["metric"]: row for row in csv.DictReader(seen.files["profile.csv"].splitlines())}
    for _, name, value, _, why in metrics(seen):
        if value is None and LABELS[name] in rows:
            assert why in rows[LABELS[name]]["says"], name


def test_whether_it_is_complete_is_said_everywhere(seen):
    stopped = seen.result.stopped
    blocks = [block for section in seen.document.sections for block in section.blocks]
    told = any("not complete" in block.text.lower() for block in blocks if isinstance(block, Notice))
    assert seen.json["stopped"] == stopped
    assert {told, "Not complete" in to_terminal(seen.shown), seen.gate.missing is not None} == {stopped is not None}


def test_whether_to_rely_on_it_is_said_in_the_same_sentence_everywhere_and_first(seen):
    found = conclusion(seen.result)
    assert seen.json["validity"]["conclusion"] == found.as_dict()
    if found.reliable and not found.checks:
        return
    first = texts_of(seen.document, "verdict")[0], texts_of(seen.shown, "")[0], str(seen.run)
    compared = texts_of(seen.document, "comparison")[:1]
    checks = [block.text for section in seen.checks.sections for block in section.blocks[:1]][:1]
    for said in (*first, *compared, *checks):
        assert found.sentence in said
    forms = {
        "markdown": seen.markdown,
        "page": seen.page_text,
        "terminal": str(to_terminal(seen.shown)),
        "notebook": unescape(re.sub("<[^>]+>", " ", seen.run._repr_html_())),
    }
    sentence = squeezed(found.sentence)
    assert [form for form, text in forms.items() if sentence not in squeezed(text)] == []
    assert seen.table["cautions"].str.contains(found.sentence, regex=False).all()


def squeezed(text):
    """Without what formats put between letters: line breaks, and backslashes before marks."""
    return re.sub(r"[\s\\]", "", text)


def texts_of(document, section):
    """The sentences that a section leads with, of those that are strong or in no tone, in order."""
    return [
        block.text
        for each in document.sections
        if each.id.startswith(section)
        for block in each.blocks
        if isinstance(block, Text) and block.tone != "warn"
    ]
