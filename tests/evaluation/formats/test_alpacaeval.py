import gzip
import json

import pytest

from voirdire.evaluation.formats import FormatError, read_paths

PAIR = {
    "instruction": "Name a river.",
    "dataset": "koala",
    "generator_1": "base",
    "output_1": "The Nile.",
    "generator_2": "new",
    "output_2": "The Rhine.",
    "annotator": "judge",
    "preference": 1.75,
}


def test_annotations_become_shares_won(tmp_path):
    (evaluation,) = _read(tmp_path, PAIR, {**PAIR, "instruction": "Name a lake.", "preference": 1.0})
    assert evaluation.rows["score"].tolist() == [0.75, 0.0]
    first = evaluation.rows.iloc[0]
    assert (first["model"], first["judge"], first["cluster"], first["baseline"]) == ("new", "judge", "koala", "base")
    assert (first["prompt"], first["output"], first["baseline_output"]) == ("Name a river.", "The Rhine.", "The Nile.")


@pytest.mark.parametrize(
    ("preference", "score", "status"),
    [(None, None, "missing"), (0, 0.5, "scored"), (2, 1.0, "scored"), (-1, None, "unparsed"), ("x", None, "unparsed")],
)
def test_what_is_no_preference_is_no_score(tmp_path, preference, score, status):
    (evaluation,) = _read(tmp_path, {**PAIR, "preference": preference})
    row = evaluation.rows.iloc[0]
    assert (row["score"] == score or (score is None and row["score"] != row["score"]), row["status"]) == (True, status)


def test_files_of_several_models_are_one_evaluation_and_share_their_items(tmp_path):
    for model in ("new", "newer"):
        (tmp_path / model).mkdir()
        entries = [{**PAIR, "generator_2": model, "instruction": text} for text in ("a", "b")]
        (tmp_path / model / "annotations.json").write_text(json.dumps(entries if model == "new" else entries[::-1]))
    (evaluation,) = read_paths([tmp_path]).evaluations
    assert evaluation.models == ("new", "newer")
    assert len(evaluation.items) == 2


def test_rows_of_the_baseline_beside_itself_are_those_of_one_model_more(tmp_path):
    own = {**PAIR, "generator_2": "base", "output_2": PAIR["output_1"], "preference": 1.5}
    (evaluation,) = _read(tmp_path, PAIR, own)
    assert (evaluation.format, evaluation.models, len(evaluation.items)) == ("alpacaeval", ("base", "new"), 1)
    assert evaluation.rows["score"].tolist() == [0.75, 0.5]


def test_judges_are_evaluations_of_their_own(tmp_path):
    found = _read(tmp_path, PAIR, {**PAIR, "annotator": "other"})
    assert [each.judges for each in found] == [("judge",), ("other",)]


def test_a_leaderboard_beside_it_is_what_was_printed(tmp_path):
    (tmp_path / "judge_leaderboard.csv").write_text(",win_rate,standard_error,n_total\nnew,75.00,1.5,2\nold,1,1,2\n")
    (evaluation,) = _read(tmp_path, PAIR)
    (printed,) = evaluation.printed
    assert (printed.model, printed.value, printed.se, printed.n) == ("new", 0.75, 0.015, 2)
    assert printed.decimals == 4


def test_items_apart_are_put_together(tmp_path):
    item = {"item": 0, "dataset": "koala", "instruction": "Name a river.", "baselines": {"base": "The Nile."}}
    row = {"item": 0, "baseline": "base", "model": "new", "output": "The Rhine.", "judge": "judge", "preference": 1.5}
    for name, entry in (("items", item), ("new.judge", row)):
        (tmp_path / f"{name}.jsonl.gz").write_bytes(gzip.compress(json.dumps(entry).encode()))
    (evaluation,) = read_paths([tmp_path]).evaluations
    first = evaluation.rows.iloc[0]
    assert (first["score"], first["prompt"], first["baseline_output"]) == (0.5, "Name a river.", "The Nile.")


def test_a_damaged_file_ends_in_a_sentence(tmp_path):
    (tmp_path / "annotations.json").write_text(json.dumps([PAIR])[:-1])
    with pytest.raises(FormatError, match="is not valid JSON"):
        read_paths([tmp_path])


def _read(folder, *entries):
    (folder / "annotations.json").write_text(json.dumps(entries))
    return read_paths([folder]).evaluations


def test_a_copy_of_an_entry_is_its_item_again_and_another_answer_is_another_item(tmp_path):
    (evaluation,) = _read(tmp_path, PAIR, PAIR, {**PAIR, "output_2": "The Elbe."})
    assert len(evaluation.items) == 2 and evaluation.codes("item").tolist() == [0, 0, 1]
