"""Tables of pairs, as arenas have them: two models, two outputs, and which of them was preferred."""

import csv
import json

import pandas as pd
import pytest

from tests.cli.here import voirdire
from voirdire.evaluation.checks.answers import position_association
from voirdire.evaluation.formats import FormatError, read_paths

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
        *((said, 1.0) for said in ("model_a", "A", "new", "response_a", 1, "1", "Model A", 1.0)),
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
    assert "Verdicts that can't be read count as missing: “perhaps”." in said


def test_nothing_is_guessed_of_0_and_1(tmp_path):
    with pytest.raises(FormatError, match="which of 0 and 1 in the column winner means the first model"):
        read(tmp_path, {**PAIR, "winner": 1}, {**PAIR, "question_id": "q2", "winner": 0})


def test_a_row_without_two_models_is_refused(tmp_path):
    with pytest.raises(FormatError, match="row 2: two models are expected in model_a and model_b"):
        read(tmp_path, PAIR, {**PAIR, "model_b": ""})


def test_a_table_without_items_takes_prompts_for_them_and_pairs_judged_twice_are_one_cluster(tmp_path):
    bare = {key: value for key, value in PAIR.items() if key != "question_id"}
    swapped = {**bare, "model_a": "old", "model_b": "new", "response_a": "The Nile.", "response_b": "The Rhine."}
    (found,) = read(tmp_path, bare, swapped, {**bare, "question": "Name a lake."})
    assert len(found.items) == 3 and found.rows["cluster"].nunique() == 2
    (alone,) = read(tmp_path, bare)
    assert not alone.has("cluster")


def test_csv_with_numbered_sides_is_read_too(tmp_path):
    path = tmp_path / "pairs.csv"
    with path.open("w") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "model_1", "model_2", "output_1", "output_2", "preference"])
        rows.writerows([["1", "x", "y", "a", "b", "1"], ["2", "y", "x", "b", "a", "2"]])
    (found,) = read_paths([path]).evaluations
    assert found.rows.groupby("model", observed=True)["score"].mean().to_dict() == {"x": 1.0, "y": 0.0}


def test_a_judge_who_prefers_what_stands_first_is_found_and_an_even_one_is_not(tmp_path):
    def rows(verdict):
        sides = (("new", "old") if item % 2 else ("old", "new") for item in range(120))
        return [
            {**PAIR, "question_id": f"q{item}", "model_a": a, "model_b": b, "winner": verdict(item)}
            for item, (a, b) in enumerate(sides)
        ]

    (biased,) = read(tmp_path, *rows(lambda item: "model_b" if item % 5 == 0 else "model_a"))
    (even,) = read(tmp_path, *rows(lambda item: "model_b" if item // 2 % 2 else "model_a"))
    found = position_association(biased)
    assert (found.status, round(found.value, 2), found.n) == ("fail", 0.6, 120)
    assert position_association(even).status == "pass"


def test_alpacaevals_annotations_whose_baseline_changes_are_pairs(tmp_path):
    entry = {"instruction": "Name a river.", "annotator": "judge", "output_1": "a", "output_2": "b"}
    entries = [
        {**entry, "instruction": name, "generator_1": one, "generator_2": two, "preference": 1}
        for name, one, two in (("x", "m", "n"), ("y", "n", "o"), ("z", "n", "m"))
    ]
    (tmp_path / "annotations.json").write_text(json.dumps(entries))
    names = [each.name for each in read_paths([tmp_path]).evaluations]
    assert names == ["annotations (m against n)", "annotations (n against o)"]
