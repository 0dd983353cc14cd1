"""Tables of pairs, as arenas have them: two models, two outputs, and which of them was preferred."""

import csv
import json
import random
from itertools import product

import pandas as pd
import pytest

from tests.cli.here import voirdire
from voirdire.evaluation.audit import audit_of
from voirdire.evaluation.checks.answers import position_association
from voirdire.evaluation.comparison import compare
from voirdire.evaluation.formats import FormatError, Found, read_paths

PAIR = {
    "question_id": "q1",
    "question": "Name a river.",
    "model_a": "new",
    "model_b": "old",
    "response_a": "The Rhine.",
    "response_b": "The Nile.",
    "winner": "model_a",
    "judge": "gpt",
}


def read(folder, *rows):
    path = folder / "arena.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return read_paths([path]).evaluations


def test_each_two_models_that_met_are_an_evaluation_whose_scores_mirror(tmp_path):
    other = {**PAIR, "question_id": "q2", "model_b": "third", "winner": "tie"}
    first, second = read(tmp_path, PAIR, other)
    assert (first.name, second.name) == ("arena (new against old)", "arena (new against third)")
    assert first.rows[["item", "model", "score", "output", "judge"]].to_numpy().tolist() == [
        ["q1", "new", 1.0, "The Rhine.", "gpt"],
        ["q1", "old", 0.0, "The Nile.", "gpt"],
    ]
    assert second.rows["score"].tolist() == [0.5, 0.5]
    assert not first.by_reference and first.bounds == (0.0, 1.0)
    assert "Columns used: model_a, model_b, response_a, response_b, winner" in str(first.notes[0])


@pytest.mark.parametrize(
    ("said", "won"),
    [
        *((said, 1.0) for said in ("model_a", "A", "new", "response_a", "left", 1, "1", "Model A", 1.0)),
        *((said, 0.0) for said in ("model_b", "b", "old", 2, "2")),
        *((said, 0.5) for said in ("tie", "tie (bothbad)", "both_bad", "draw", 1.5, "neither")),
        *((said, None) for said in ("", None, "??", 7)),
    ],
)
def test_verdicts_are_read_as_arenas_write_them(tmp_path, said, won):
    (found,) = read(tmp_path, {**PAIR, "winner": said}, {**PAIR, "question_id": "q2", "winner": "old"})
    score = found.rows.query("item == 'q1' and model == 'new'")["score"].item()
    assert score == won or (won is None and pd.isna(score))


def test_a_verdict_that_can_not_be_read_is_named(tmp_path):
    read(tmp_path, {**PAIR, "winner": "perhaps"}, {**PAIR, "question_id": "q2"})
    said = " ".join(voirdire("audit", tmp_path / "arena.jsonl").stdout.split())
    assert "Verdicts that can't be read count as missing: “perhaps”; read are names of models, a and b" in said


@pytest.mark.parametrize("said", [(1, 0), (1.0, 0.0), ("0", "1"), (0, 0.5, 1), (0, "tie")])
def test_nothing_is_guessed_of_0_and_1(tmp_path, said):
    with pytest.raises(FormatError, match="which of 0 and 1 in the column winner means the first model"):
        read(tmp_path, *({**PAIR, "question_id": f"q{n}", "winner": each} for n, each in enumerate(said)))


def test_a_row_without_two_models_is_refused(tmp_path):
    with pytest.raises(FormatError, match="row 2: two models are expected in model_a and model_b"):
        read(tmp_path, PAIR, {**PAIR, "model_b": ""})


def test_a_table_without_items_takes_prompts_for_them(tmp_path):
    bare = {key: value for key, value in PAIR.items() if key != "question_id"}
    (found,) = read(tmp_path, bare, {**bare, "question": "Name a lake."})
    assert len(found.items) == 2


def arena(verdict, pairs=120, judges=("gpt",), both_orders=False):
    rows = []
    for item in range(pairs):
        sides = [("new", "old"), ("old", "new")][:: 1 if item % 2 else -1][: 2 if both_orders else 1]
        for (a, b), judge in product(sides, judges):
            about = {
                "question_id": f"q{item}",
                "question": f"Describe river {item} of the atlas.",
                "judge": judge,
            }
            outputs = {"response_a": f"The text of {a} on {item}.", "response_b": f"The text of {b} on {item}."}
            rows.append({**about, **outputs, "model_a": a, "model_b": b, "winner": verdict(item, judge)})
    return rows


def test_pairs_judged_in_both_orders_or_by_several_are_no_repetitions(tmp_path):
    chance = random.Random(5)
    for more in ({"both_orders": True}, {"judges": ("gpt", "human", "claude")}):
        (found,) = read(tmp_path, *arena(lambda *_: chance.choice(["model_a", "model_b"]), **more))
        checks = {check.id: check for check in audit_of(Found((found,), ())).checks}
        assert len(found.items) == 120
        assert {each.id for each in checks.values() if each.status == "fail"} <= {"power"}
        assert checks["repeated_identical"].status == checks["unpaired_test"].status == "not_measured"


def test_p_is_corrected_for_all_pairs_of_models_in_the_file(tmp_path):
    rows = arena(lambda item, _: "new" if item % 3 else "old", pairs=30)
    (alone,) = read(tmp_path, *rows)
    others = [{**PAIR, "model_b": f"other{n}", "question_id": f"x{n}"} for n in range(3)]
    among, *_ = (each for each in read(tmp_path, *rows, *others) if each.name.endswith("old)"))
    one, four = (compare(each).pairs.p[0, 1] for each in (alone, among))
    assert four == pytest.approx(4 * one)
    assert "p is corrected for 4 pairs of models" in str(among.notes[0])


def test_csv_with_numbered_sides_is_read_too(tmp_path):
    path = tmp_path / "pairs.csv"
    with path.open("w") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "model_1", "model_2", "output_1", "output_2", "preference"])
        rows.writerows([["1", "x", "y", "a", "b", "1"], ["2", "y", "x", "b", "a", "2"]])
    (found,) = read_paths([path]).evaluations
    assert found.rows.groupby("model", observed=True)["score"].mean().to_dict() == {"x": 1.0, "y": 0.0}


def test_a_judge_who_prefers_what_stands_first_is_found_and_few_pairs_tell_nothing(tmp_path):
    (biased,) = read(tmp_path, *arena(lambda item, _: "model_b" if item % 5 == 0 else "model_a"))
    (even,) = read(tmp_path, *arena(lambda item, _: "model_b" if item // 2 % 2 else "model_a", pairs=2_000))
    (few,) = read(tmp_path, *arena(lambda item, _: "model_b" if item % 3 == 0 else "model_a", pairs=24))
    (equal,) = read(tmp_path, *arena(lambda item, _: "model_b" if item // 2 % 2 else "model_a", pairs=24))
    assert position_association(equal).status == "not_measured"
    found = position_association(biased)
    assert (found.status, round(found.value, 2), found.n) == ("fail", 0.6, 120)
    assert position_association(even).status == "pass"
    unknown = position_association(few)
    assert unknown.status == "not_measured" and "24 pairs are too few" in str(unknown.found)


def test_alpacaevals_annotations_whose_baseline_changes_are_pairs(tmp_path):
    entry = {"instruction": "Name a river.", "annotator": "judge", "output_1": "a", "output_2": "b"}
    entries = [
        {**entry, "instruction": name, "generator_1": one, "generator_2": two, "preference": 1}
        for name, one, two in (("x", "m", "n"), ("y", "n", "o"), ("z", "n", "m"))
    ]
    (tmp_path / "annotations.json").write_text(json.dumps(entries))
    names = [each.name for each in read_paths([tmp_path]).evaluations]
    assert names == ["annotations (m against n)", "annotations (n against o)"]
