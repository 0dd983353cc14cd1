"""Every Eval Ever there and back: an audit of the export says what an audit of the results says."""

import json

import numpy as np

from tests.evaluation.made import choice_rows, evaluation_of
from voirdire.data.manifests import write_manifest
from voirdire.evaluation.audit import audit
from voirdire.evaluation.checks import ALL
from voirdire.evaluation.every_eval_ever import write_evaluations
from voirdire.evaluation.records import Printed
from voirdire.evaluation.table import COLUMNS


def there_and_back(evaluation, folder):
    write_evaluations([evaluation], folder)
    write_manifest(folder, {})
    found = audit([folder])
    (again,) = found.evaluations
    return found, again


def cells(evaluation):
    """All cells, whatever the order of the rows."""
    rows = evaluation.rows.astype(object)
    rows["epoch"] = rows["epoch"].fillna(1.0)
    return sorted(repr([None if value != value else value for value in row]) for row in rows[list(COLUMNS)].to_numpy())


def statuses(checks):
    return {check.id: (check.status, str(check.found)) for check in checks}


def test_rows_without_a_score_come_back_and_models_have_the_same_items(tmp_path):
    rows = choice_rows(1, 0.8, 0.6)
    for row in rows[::9]:
        row |= {"score": None, "status": "error", "error": "timeout", "output": None}
    rows[4] |= {"score": None, "status": "limit"}
    settings = {"m0": {"dataset": "exam", "shots": 5, "items": 120}, "m1": {"shots": 5, "items": 120}}
    made = evaluation_of(rows, settings=settings)
    found, again = there_and_back(made, tmp_path)

    assert cells(again) == cells(made) and again.settings == settings
    assert statuses(found.checks) == statuses(check(made) for check in ALL)
    assert statuses(found.checks)["different_items"][0] == "pass"
    assert statuses(found.checks)["dropped_items"][0] == "fail"


def test_our_own_manifest_is_no_file_that_is_not_read_and_any_other_is(tmp_path):
    found, _ = there_and_back(evaluation_of(choice_rows(1, 0.8)), tmp_path)
    assert found.unread == ()
    (tmp_path / "manifest.json").write_text("{}")
    assert [each.path.name for each in audit([tmp_path]).unread] == ["manifest.json"]


def test_a_rounded_headline_stays_rounded_and_its_reducer_stays(tmp_path):
    rows = [{**row, "epoch": epoch} for epoch in (1.0, 2.0) for row in choice_rows(int(epoch), 0.6)]
    best = np.array([row["score"] for row in rows]).reshape(2, -1).max(axis=0).mean()
    made = evaluation_of(
        rows,
        printed=(Printed("m0", round(best, 2), None, 120, 2, "printed"),),
        settings={"m0": {"reducer": "max"}},
    )
    found, again = there_and_back(made, tmp_path)
    assert again.printed[0].decimals == 2
    assert statuses(found.checks)["headline_recomputed"][0] == "pass"


def test_what_the_schema_wants_of_each_line_stands_in_each(tmp_path):
    rows = choice_rows(1, 0.8)
    rows[0] |= {"score": None}
    there_and_back(evaluation_of(rows), tmp_path)
    (lines,) = tmp_path.rglob("*_samples.jsonl")
    (aggregate,) = (path for path in tmp_path.rglob("*.json") if path.name != "manifest.json")
    whole = json.loads(aggregate.read_text())
    assert all(json.loads(line)["evaluation"].keys() == {"score", "is_correct"} for line in lines.open())
    assert whole["detailed_evaluation_results"]["total_rows"] == len(rows) - 1
    details = whole["evaluation_results"][0]["score_details"]["details"]
    assert all(isinstance(value, str) for value in details.values())
