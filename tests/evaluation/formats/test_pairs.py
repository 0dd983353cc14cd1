"""Tables of pairs, as arenas have them: two models, two outputs, and which of them was preferred."""

import csv
import json
import math
import random
from itertools import combinations, product

import pandas as pd
import pytest

from tests.cli.here import voirdire
from voirdire.evaluation.audit import audit_of
from voirdire.evaluation.checks.answers import position_association
from voirdire.evaluation.comparison import compare
from voirdire.evaluation.formats import FormatError, PathContents, read_paths
from voirdire.evaluation.formats.columns import named_columns, parse_map

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


def test_the_two_scores_of_a_pair_mirror(tmp_path):
    (found,) = read(tmp_path, PAIR, {**PAIR, "question_id": "q2", "winner": "tie"})
    assert found.name == "arena"
    assert found.rows[["item", "model", "score", "output", "judge"]].to_numpy().tolist() == [
        ["q1", "new", 1.0, "The Rhine.", "gpt"],
        ["q1", "old", 0.0, "The Nile.", "gpt"],
        ["q2", "new", 0.5, "The Rhine.", "gpt"],
        ["q2", "old", 0.5, "The Nile.", "gpt"],
    ]
    assert not found.by_reference and found.bounds == (0.0, 1.0)
    assert "Columns used: model_a, model_b, response_a, response_b, winner" in str(found.notes[0])


def test_of_more_than_two_models_each_pair_has_its_own_items_and_questions_are_clusters(tmp_path):
    (found,) = read(tmp_path, PAIR, {**PAIR, "model_b": "third", "winner": "tie"})
    assert found.rows[["item", "model", "score", "cluster"]].to_numpy().tolist() == [
        ["q1 (new, old)", "new", 1.0, "q1"],
        ["q1 (new, old)", "old", 0.0, "q1"],
        ["q1 (new, third)", "new", 0.5, "q1"],
        ["q1 (new, third)", "third", 0.5, "q1"],
    ]
    assert "2 of 3 pairs of models met" in str(found.notes[1])


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


@pytest.mark.parametrize(("marked", "won"), [("model_a", 1.0), ("model_b", 0.0), ("tie", 0.5)])
def test_a_winner_may_be_a_mark_in_a_column_of_its_own(tmp_path, marked, won):
    sides = {name: value for name, value in PAIR.items() if name != "winner"}
    marks = {f"winner_{side}": int(side == marked) for side in ("model_a", "model_b", "tie")}
    (found,) = read(tmp_path, {**sides, **marks})
    assert found.rows.query("model == 'new'")["score"].tolist() == [won]


def test_columns_of_other_names_can_be_named(tmp_path):
    theirs = {"model_a": "champion", "model_b": "rival", "winner": "who", "output_a": "said", "output_b": "answered"}
    names = {"question_id": "nr", "model_a": "champion", "model_b": "rival", "winner": "who"}
    names |= {"response_a": "said", "response_b": "answered"}
    row = {names.get(name, name): value for name, value in {**PAIR, "winner": "old"}.items()}
    with named_columns(parse_map({**theirs, "item": "nr"})):
        (found,) = read(tmp_path, row)
    assert found.rows[["item", "model", "score", "output"]].to_numpy().tolist() == [
        ["q1", "new", 0.0, "The Rhine."],
        ["q1", "old", 1.0, "The Nile."],
    ]


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
        checks = {check.id: check for check in audit_of(PathContents((found,), ())).checks}
        assert len(found.items) == 120
        assert {each.id for each in checks.values() if each.status == "fail"} <= {"power"}
        assert checks["repeated_identical"].status == checks["unpaired_test"].status == "not_measured"


def met(strengths, comparisons, seed=7, longer=0.0, first=0.0):
    """Comparisons of models of some strength (log-odds), at random, by a judge who may like length and first places."""
    chance = random.Random(seed)
    rows = []
    for number in range(comparisons):
        a, b = chance.sample(sorted(strengths), 2)
        long, short = "A long text on it. " * 6, "A short text on it. " * 3
        said = [chance.choice([long, short]) for _ in range(2)]
        odds = strengths[a] - strengths[b] + first + longer * ((said[0] == long) - (said[1] == long))
        winner = "model_a" if chance.random() < 1 / (1 + math.exp(-odds)) else "model_b"
        about = {"question_id": f"q{number % 40}", "question": f"Describe river {number % 40} of the atlas."}
        outputs = {"response_a": f"In {number} a: {said[0]}".strip(), "response_b": f"In {number} b: {said[1]}".strip()}
        rows.append({**about, **outputs, "model_a": a, "model_b": b, "winner": winner, "judge": "gpt"})
    return rows


STRENGTHS = {"best": 2.0, "middle": 0.0, "worst": -2.0}


def test_places_rest_on_the_pairs_that_met_corrected_over_all(tmp_path):
    (found,) = read(tmp_path, *met(STRENGTHS, 600))
    compared = compare(found)
    assert [each.model for each in compared.placed] == ["best", "middle", "worst"]
    assert compared.believed == 3 and compared.unit == "cluster"
    assert compared.pairs.shared[0, 1] == found.rows.query("item.str.endswith('(best, middle)')")["item"].nunique()


def test_two_models_that_never_met_are_not_placed_by_whom_else_they_beat(tmp_path):
    rows = [row for row in met(STRENGTHS, 600) if {row["model_a"], row["model_b"]} != {"best", "worst"}]
    compared = compare(*read(tmp_path, *rows))
    assert math.isnan(compared.pairs.p[0, 2])
    assert [(each.best, each.worst) for each in compared.placed] == [(1, 2), (2, 2), (2, 3)]


@pytest.mark.parametrize(("how", "id"), [("longer", "length_association"), ("first", "position_association")])
def test_what_sways_the_judge_is_found_over_all_pairs_and_questions_that_come_again_are_no_copies(tmp_path, how, id):
    strengths = {f"m{n}": n / 4 for n in range(6)}  # 15 pairs of some 40 comparisons, which tell nothing each
    checks = {}
    for size in (0.0, 1.5):
        found = read(tmp_path, *met(strengths, 600, **{how: size}))
        checks[size] = {check.id: check for check in audit_of(PathContents(found, ())).checks}
        assert {name for name, each in checks[size].items() if each.status == "fail"} <= {
            "power",
            "multiple_comparisons",
            id,
        }
        assert checks[size]["duplicate_items"].status == checks[size]["different_items"].status == "pass"
    assert checks[0.0][id].status != "fail"
    assert checks[1.5][id].status == "fail"


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
    assert unknown.status == "not_measured" and "24 pairs are too few" in str(unknown.finding)


def test_a_first_place_that_wins_evens_out_where_all_are_judged_in_both_orders(tmp_path):
    chance = random.Random(2)
    (found,) = read(tmp_path, *arena(lambda *_: chance.choice(["model_a", "model_a", "model_b"]), both_orders=True))
    check = position_association(found)
    assert check.status == "pass" and "in both orders, which evens that out" in str(check.finding)


def test_audit_compare_and_gate_say_alike_that_length_makes_the_order(tmp_path):
    """Two equal models, of which one writes longer, and a judge who likes that."""
    chance, rows = random.Random(8), []
    for number in range(400):
        words = {"verbose": chance.randint(20, 60), "terse": chance.randint(12, 40)}
        said = {
            model: " ".join(chance.choice(["river", "hill", "town", "bridge", "mill"]) for _ in range(n)) + "."
            for model, n in words.items()
        }
        a, b = chance.sample(["verbose", "terse"], 2)
        winner = a if chance.random() < 1 / (1 + (words[b] / words[a]) ** 1.5) else b
        about = {"question_id": f"q{number}", "question": f"Describe river {number}.", "judge": "gpt"}
        outputs = {"response_a": said[a], "response_b": said[b]}
        rows.append({**about, **outputs, "model_a": a, "model_b": b, "winner": winner})
    read(tmp_path, *rows)
    path = tmp_path / "arena.jsonl"
    for command in ("audit", "compare"):
        said = " ".join(voirdire(command, path).stdout.split())
        assert said.startswith("Believe the order of both models only as scored: longer outputs win")
    gated = voirdire("gate", path, "--only-model", "verbose", "--min", "win_rate=0.3", check=False)
    assert "length_association" in gated.stdout + gated.stderr


def test_of_equal_models_scores_at_equal_length_are_even_and_the_first_line_says_what_wins(tmp_path):
    """Three models, of which one writes twice as long, and a judge who likes that and nothing else."""
    chance, rows = random.Random(12), []
    for number in range(600):
        a, b = chance.sample(["wordy", "terse", "short"], 2)
        size = {model: chance.randint(20, 60) * (2 if model == "wordy" else 1) for model in (a, b)}
        said = {
            model: " ".join(chance.choice(["river", "hill", "town", "bridge", "mill"]) for _ in range(n)) + "."
            for model, n in size.items()
        }
        winner = a if chance.random() < 1 / (1 + size[b] / size[a]) else b
        about = {"question_id": f"q{number}", "question": f"Describe river {number}.", "judge": "gpt"}
        outputs = {"response_a": said[a], "response_b": said[b]}
        rows.append({**about, **outputs, "model_a": a, "model_b": b, "winner": winner})
    (found,) = read(tmp_path, *rows)
    at_equal_length = [each.length_adjusted for each in compare(found).placed]
    assert sum(at_equal_length) / 3 == pytest.approx(0.5, abs=0.01)
    assert at_equal_length == pytest.approx([0.5, 0.5, 0.5], abs=0.06)
    said = " ".join(voirdire("audit", tmp_path / "arena.jsonl").stdout.split())
    assert "longer outputs win" in said.partition(";")[0]


def checks_of(*rows, folder):
    return {check.id: check for check in audit_of(PathContents(read(folder, *rows), ())).checks}


def whole_grid(questions=80):
    """Each question put to each two of four models, whose one output to it is the same against all others."""
    chance, rows = random.Random(4), []
    strengths = {"a": 1.5, "b": 0.5, "c": -0.5, "d": -1.5}
    for number in range(questions):
        said = {
            model: f"In the atlas {model} finds river {number} between two hills and a town." for model in strengths
        }
        for first, second in combinations(strengths, 2):
            odds = strengths[first] - strengths[second]
            winner = first if chance.random() < 1 / (1 + math.exp(-odds)) else second
            about = {"question_id": f"q{number}", "question": f"Where is river {number}?", "judge": "gpt"}
            outputs = {"response_a": said[first], "response_b": said[second]}
            rows.append({**about, **outputs, "model_a": first, "model_b": second, "winner": winner})
    return rows


def test_pairs_that_were_not_drawn_are_no_dropped_items(tmp_path):
    drawn = random.Random(6).sample(whole_grid(), 240)
    assert checks_of(*drawn, folder=tmp_path)["dropped_items"].status == "pass"


def test_comparisons_that_are_missing_in_a_whole_grid_are_dropped_by_their_two_models(tmp_path):
    rows = whole_grid()
    lost = [row for row in rows if row["model_b"] == "d" and row["winner"] == row["model_a"]][:40]
    check = checks_of(*(row for row in rows if row not in lost), folder=tmp_path)["dropped_items"]
    assert check.status == "fail" and check.models[0] == "d"
    assert round(check.value * 240) == 40


def test_one_output_in_all_comparisons_of_a_model_is_no_repetition(tmp_path):
    checks = checks_of(*whole_grid(), folder=tmp_path)
    assert {name for name, each in checks.items() if each.status in ("warn", "fail")} <= {"power"}


def test_alpacaevals_annotations_whose_baseline_changes_are_pairs(tmp_path):
    entry = {"instruction": "Name a river.", "annotator": "judge", "output_1": "a", "output_2": "b"}
    entries = [
        {**entry, "instruction": name, "generator_1": one, "generator_2": two, "preference": 1}
        for name, one, two in (("x", "m", "n"), ("y", "n", "o"), ("z", "n", "m"))
    ]
    (tmp_path / "annotations.json").write_text(json.dumps(entries))
    (found,) = read_paths([tmp_path]).evaluations
    assert (found.name, found.models, len(found.items)) == ("annotations", ("m", "n", "o"), 3)
