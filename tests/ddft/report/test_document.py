import json
import re
import shutil
from dataclasses import replace

import pytest

from tests.ddft.report.conftest import THREE
from tests.ddft.report.examples import PANEL, column, held
from voirdire.ddft.profile import best_first
from voirdire.ddft.report import material
from voirdire.ddft.report.material import ReportError, read_material
from voirdire.ddft.report.sections import compose, document
from voirdire.documents.document import Chart, Readings, Table
from voirdire.reports.vega_lite import to_svg

SECTIONS = (
    "verdict map profile curves concepts turns plane trap judges checks comparison paper-index cost reading dialogues"
).split()


def blocks(found, kind):
    return [block for section in found.sections for block in section.blocks if isinstance(block, kind)]


@pytest.fixture(scope="module")
def of_one(one):
    return compose(one)


@pytest.fixture(scope="module")
def of_study(study):
    return compose(study)


def test_every_part_is_there_in_its_order(of_one, of_study, two_concepts, untrapped):
    for found in (of_one, of_study, compose(two_concepts), compose(untrapped)):
        expected = SECTIONS if found is of_study else [each for each in SECTIONS if each != "comparison"]
        assert [section.id for section in found.sections] == expected
        assert all(section.blocks for section in found.sections)


def test_ids_are_unique_and_rows_complete_and_plain(of_one, of_study):
    for found in (of_one, of_study):
        named = [block.id for kind in (Table, Chart, Readings) for block in blocks(found, kind)]
        assert len(named) == len(set(named))
        for table in blocks(found, Table):
            keys = {column.key for column in table.columns}
            for row in table.rows:
                assert keys == row.keys(), table.id
                assert all(type(cell.value) in (str, int, float, bool, type(None)) for cell in row.values()), table.id


def test_panels_fit_a_phone_and_leave_text_and_background_to_the_page(of_one, of_study):
    panels = [panel for found in (of_one, of_study) for chart in blocks(found, Chart) for panel in chart.panels]
    for panel in panels:
        json.dumps(panel.spec, allow_nan=False)
        assert panel.summary and panel.title
        assert panel.spec["width"] <= 270
        assert not {"config", "background", "$schema"} & panel.spec.keys()
        assert not re.search(r'"(label|title|grid|tick|domain)Color"', json.dumps(panel.spec))


def test_drawings_carry_the_labels_of_their_marks(of_one, of_study):
    drawn = ["curves", "plane", "trap-chart", "leniency-chart"]
    panels = [chart.panels[0] for chart in blocks(of_one, Chart) if chart.id in drawn]
    panels += next(chart.panels for chart in blocks(of_study, Chart) if chart.id == "ranks-and-differences")
    for panel in panels:
        svg = to_svg(panel.spec)
        label = panel.spec["datasets"]["rows"][0]["label"]
        assert f'aria-label="{label}"' in svg.replace("&amp;", "&").replace("&quot;", '"')


def test_axes_say_what_they_measure(of_one):
    axes = {"curves": ["compression"], "plane": ["SAS", "FAR"], "turns-chart": ["turn"]}
    shown = {chart.id: to_svg(chart.panels[0].spec) for chart in blocks(of_one, Chart)}
    for id, titles in axes.items():
        assert all(f">{title}</text>" in shown[id] for title in titles), id


def test_the_data_are_strict_json_and_those_of_the_instrument(of_one, one, of_study, study):
    for found, read in ((of_one, one), (of_study, study)):
        data = json.loads(json.dumps(found.data, allow_nan=False))
        assert data["runs"][0]["models"] == [each.as_dict() for each in best_first(read.report_runs[0].result.profiles)]
        assert len(data["runs"][0]["checks"]) == 19
        assert len(data["turns"]) == 5 * len(read.models)
    assert of_one.data["comparison"] is None
    assert of_one.data["juries"][0]["scores"]["FAR"]["ICC(2,1)"]["value"] is not None
    assert of_study.data["comparison"] == study.comparison.as_dict()


def test_provenance_says_what_it_takes_to_do_it_again(of_one, one_path):
    known = dict(of_one.provenance)
    assert known["Folder"] == str(one_path)
    assert known["Seed"] == "3"
    assert known["Preset"].startswith("sound: compression sentences at 0 and 1, fabrication mixed")
    assert re.search(r"recursion [0-9a-f]{10}", known["Concepts"])
    assert known["Report made with"].startswith("voirdire ")


def test_the_same_run_gives_the_same_report(one_path, of_one):
    assert document([one_path]) == of_one


def test_a_model_in_two_runs_keeps_its_dialogues_apart(one_path, runs):
    again = shutil.copytree(one_path, runs / "again")
    found = document([one_path, again])
    (readings,) = blocks(found, Readings)
    assert len({reading.id for reading in readings.readings}) == len(readings.readings) == 12
    models = {reading.facets["model"] for reading in readings.readings}
    assert len(models) == 2 and all(str(path) in " ".join(models) for path in (one_path, again))
    assert ("run", "Run") in readings.facets
    assert found.title == "Cross-examination of 1 model in 2 runs"
    assert found.sections[0].blocks[-1].items[0].startswith("1 model in 2 runs was asked five questions in each of 12")
    assert [run["run"] for run in found.data["runs"]] == [str(one_path), str(again)]


@pytest.fixture(scope="module")
def shared(runs):
    """A run of which two judges gave enough stances to compare, and its copy."""
    models = ("simulated/steady", "simulated/gullible")
    alone = held(runs / "shared", models, THREE, jury=PANEL[:2], levels=(0.0, 0.25, 0.5, 1.0))
    return alone, shutil.copytree(alone, runs / "shared-again")


def test_every_part_of_a_report_on_a_run_and_its_copy_has_each_model_twice(shared):
    alone, twice = document(shared[:1]), document(shared)
    for single, double in zip(alone.sections, twice.sections, strict=True):
        assert single.id == double.id
        tables = {each.id: each for each in double.blocks if isinstance(each, Table)}
        of_models = [each for each in single.blocks if isinstance(each, Table) and each.columns[0].key == "model"]
        for table in (each for each in of_models if each.id != "judges-apart"):  # which names the furthest alone
            models = {f"{model} ({path})" for model in column(table, "model") for path in shared}
            assert set(column(tables[table.id], "model")) == models, table.id
    assert len(twice.data["turns"]) == 2 * len(alone.data["turns"])


def test_the_judges_of_a_run_and_its_copy_agree_as_they_do_in_one(shared):
    (alone,), (twice,) = (read_material(paths).jury_results for paths in (shared[:1], shared))
    assert twice.report.turns == 2 * alone.report.turns
    assert twice.report.stances.value == pytest.approx(alone.report.stances.value)
    for score in ("FAR", "SAS"):
        values = [each.report.reliability.scores[score].mean_absolute_difference for each in (alone, twice)]
        assert values[0] == pytest.approx(values[1])
    for left, right in zip(alone.report.left_out, twice.report.left_out, strict=True):
        for model, values in left.metrics.items():
            named = [right.metrics[f"{model} ({path})"] for path in shared]
            assert all(own["ER"] == values["ER"] for own in named)


def test_no_run_is_no_report():
    with pytest.raises(ReportError, match="name the folder of at least one"):
        document([])


def test_of_an_imported_record_the_day_is_that_of_the_import(one):
    first = one.report_runs[0]
    day = first.manifest["info"]["time"][:10]
    taken = replace(one, report_runs=(replace(first, manifest={**first.manifest, "imported_sha256": "ab"}),))
    found = compose(taken)
    assert found.subtitle.endswith(f"· imported {day}")
    assert dict(found.provenance)["Imported"].startswith(day) and "Held" not in dict(found.provenance)


def test_concepts_go_by_their_names_and_by_ids_where_names_clash(of_one, one_path, monkeypatch):
    (readings,) = blocks(of_one, Readings)
    assert {reading.facets["concept"] for reading in readings.readings} == {"Derivative", "Phoneme", "Recursion"}
    kept = material.saved_concepts
    monkeypatch.setattr(
        material,
        "saved_concepts",
        lambda folder: {name: replace(each, name="Same") for name, each in kept(folder).items() if name != "phoneme"},
    )
    assert material.read_material([one_path]).concepts == ("derivative", "phoneme", "recursion")
