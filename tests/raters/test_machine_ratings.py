"""What a run says of each unit, laid beside a project."""

import json
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.raters._projects import scored, violation
from tests.raters.comparison.examples import (
    audit_project,
    audit_run,
    detector_file,
    label_project,
    label_run,
    turn_project,
    turn_run,
)
from voirdire.jury import JuryError
from voirdire.raters.machine_ratings import machine_ratings
from voirdire.raters.records import RatersError

LABELS = (["faithful", "invented"], ["speculative", None], ["irrelevant", "reliable"])


@pytest.fixture(scope="module")
def turns(tmp_path_factory):
    return turn_run(tmp_path_factory.mktemp("machine") / "run")


def agreeing(far, sas, _):
    return scored(far, sas)


def test_every_turn_is_a_unit_with_its_jury_s_verdicts_and_its_model(turns):
    machine = machine_ratings(turn_project(turns, {"ann": agreeing}), turns)
    unit = next(iter(machine.units.values()))
    assert unit.item == unit.id
    assert unit.model == "simulated/steady"
    assert unit.group in unit.dialogue
    assert set(unit.judges) == set(machine.judges) == {"simulated/judge", "reference"}
    assert unit.consensus.keys() == {"far", "sas", "no_claims", "stance"}
    assert {each.turn for each in machine.units.values()} == {1, 2, 3, 4, 5}
    assert all(each.consensus["stance"] for each in machine.units.values() if each.turn == 4)


def test_turns_that_the_project_lacks_are_units_without_an_item(turns):
    project = turn_project(turns, {"ann": agreeing})
    first, *others = project.items
    smaller = replace(project, items={first: project.items[first]})
    machine = machine_ratings(smaller, turns)
    assert list(machine.by_item) == [first]
    assert len(machine.units) == len(others) + 1


def test_items_that_the_run_lacks_are_named(turns):
    project = turn_project(turns, {"ann": agreeing})
    strange = replace(next(iter(project.items.values())), id="0123456789ab")
    machine = machine_ratings(replace(project, items=project.items | {strange.id: strange}), turns)
    assert machine.unmatched == (strange.id,)


def test_statements_are_found_by_their_place_in_the_answer(tmp_path):
    run = label_run(tmp_path / "run", *LABELS)
    project = label_project(LABELS, {"ann": ["faithful"] * 6})
    machine = machine_ratings(project, run)
    assert list(machine.by_item) == [f"a{answer}#{place}" for answer in range(3) for place in range(2)]
    assert machine.units["a0#1"].consensus == {"label": "invented", "hallucinated": True}
    assert machine.units["a1#1"].consensus is None
    assert machine.units["a2#0"].group == "g1"
    assert machine.units["a0#0"].words == 4
    assert machine.unmatched == ()


def test_a_detector_s_file_is_read_as_statements_and_what_is_cut_otherwise_is_named(tmp_path):
    path = detector_file(tmp_path / "found.jsonl", LABELS, [[True, False], [None, True], [False, False]])
    project = label_project(LABELS, {"ann": ["faithful"] * 6})
    machine = machine_ratings(project, path)
    assert machine.units["a0#0"].consensus == {"label": None, "hallucinated": True, "score": 1.0}
    assert machine.units["a1#0"].consensus is None
    assert machine.units["a1#0"].group == "g0"
    cut = path.read_text().replace('"end": 18', '"end": 17', 1)
    path.write_text(cut)
    assert machine_ratings(project, path).unmatched == ("a0#0",)


def test_a_detector_s_findings_are_read_from_parquet_as_from_lines(tmp_path):
    path = detector_file(tmp_path / "found.jsonl", LABELS, [[True, False], [None, True], [False, False]])
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    pq.write_table(pa.Table.from_pylist(lines), tmp_path / "found.parquet")
    project = label_project(LABELS, {"ann": ["faithful"] * 6})
    given, same = machine_ratings(project, path), machine_ratings(project, tmp_path / "found.parquet")
    assert (given.units, given.notes) == (same.units, same.notes)


def test_responses_are_found_under_their_own_ids_whatever_the_project_calls_them(tmp_path):
    severe = violation("denial", 0, "F1", "around 1930")
    run = audit_run(tmp_path / "run", {"one": [[severe], []], "two": [[severe], [severe]]})
    project = audit_project({"ann": [[severe], []]})
    (item, _) = project.items.values()
    renamed = replace(
        project,
        documents={"x9": replace(project.documents[item.document], id="x9", source={"item": "r0"})},
        items={"x9": replace(item, id="x9", document="x9")},
    )
    machine = machine_ratings(renamed, run)
    assert machine.units["r0"].item == "x9"
    assert machine.units["r0"].consensus["severe"] == 1
    assert machine.units["r0"].consensus["score"] == 70
    assert machine.units["r1"].consensus["violations"] == []
    assert machine.units["r1"].judges["two"]["score"] == 70
    assert machine.units["r0"].group != machine.units["r1"].group  # one case only: each response for itself


def test_a_run_of_another_instrument_is_named(turns, tmp_path):
    project = label_project(LABELS, {"ann": ["faithful"] * 6})
    with pytest.raises(RatersError, match="is one of ddft; the project rates cognibench"):
        machine_ratings(project, turns)
    (tmp_path / "found.jsonl").write_text("{}\n")
    with pytest.raises(RatersError, match="a run folder of ddft is expected"):
        machine_ratings(turn_project(turns, {"ann": agreeing}), tmp_path / "found.jsonl")
    with pytest.raises(RatersError, match=r"line 1: a finding with id, sentence"):
        machine_ratings(project, tmp_path / "found.jsonl")


def test_an_unknown_jury_is_answered_with_those_that_there_are(turns):
    with pytest.raises(JuryError, match="No jury 'x' has judged"):
        machine_ratings(turn_project(turns, {"ann": agreeing}), turns, "x")
