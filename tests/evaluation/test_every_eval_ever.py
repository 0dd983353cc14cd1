"""Every Eval Ever there and back: an audit of the export says what an audit of the results says."""

import json
import random

import numpy as np
import pytest

from tests.evaluation.examples import choice_rows, evaluation_of
from tests.evaluation.formats.test_alpacaeval import PAIR
from tests.evaluation.formats.test_pairs import STRENGTHS, arena, met
from voirdire.data.manifests import write_manifest
from voirdire.evaluation.audit import audit
from voirdire.evaluation.checks import ALL
from voirdire.evaluation.every_eval_ever import write_evaluations
from voirdire.evaluation.headline import headlines
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
    return {check.id: (check.status, str(check.finding)) for check in checks}


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


def _two_judges_in_both_orders():
    chance = random.Random(4)
    return arena(lambda *_: chance.choice(["model_a", "model_b", "tie"]), 12, ("gpt", "human"), both_orders=True)


def _annotations():
    chance = random.Random(5)
    return [
        {**PAIR, "generator_2": model, "instruction": f"Name {n} rivers.", "preference": chance.uniform(1, 2)}
        for model in ("new", "newer")
        for n in range(12)
    ]


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("arena.json", _two_judges_in_both_orders()),
        ("arena.json", met(STRENGTHS, 40)),
        ("annotations.json", _annotations()),
    ],
    ids=["pairs", "pairs of several models", "AlpacaEval"],
)
def test_pairs_come_back_with_their_headlines_judges_and_checks(tmp_path, name, rows):
    (tmp_path / name).write_text(json.dumps(rows))
    before = audit([tmp_path / name])
    (made,) = before.evaluations
    after, again = there_and_back(made, tmp_path / "out")

    assert (again.name, again.metric, again.models, again.judges) == (made.name, made.metric, made.models, made.judges)
    for model, headline in headlines(made).items():
        known = [headlines(again)[model].value, headlines(again)[model].se, headlines(again)[model].clustered_se]
        assert known == pytest.approx([headline.value, headline.se, headline.clustered_se], abs=1e-12)
    assert {check.id: check.status for check in after.checks} == {check.id: check.status for check in before.checks}


def test_each_line_of_a_pair_names_the_opponent_and_the_aggregate_every_judge(tmp_path):
    (tmp_path / "arena.json").write_text(json.dumps(_two_judges_in_both_orders()))
    write_evaluations(audit([tmp_path / "arena.json"]).evaluations, tmp_path / "out")
    (lines,) = tmp_path.glob("out/data/pairs/unknown/new/*_samples.jsonl")
    told = [json.loads(line)["metadata"] for line in lines.open()]
    assert {(each["opponent"], each["position"]) for each in told} == {("old", "1"), ("old", "2")}
    (aggregate,) = tmp_path.glob("out/data/pairs/unknown/new/*[!s].json")
    metric = json.loads(aggregate.read_text())["evaluation_results"][0]["metric_config"]
    assert [each["model_info"]["id"] for each in metric["llm_scoring"]["judges"]] == ["gpt", "human"]
