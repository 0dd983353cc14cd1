import json

import pandas as pd
import pytest

from tests.cli.here import voirdire
from voirdire.evaluation.formats import FormatError, named_columns, parse_map, read_paths

ROWS = [
    {"id": "a", "system": "x", "acc": 1, "subject": "law"},
    {"id": "b", "system": "x", "acc": 0, "subject": "law"},
    {"id": "a", "system": "y", "acc": 0.5, "subject": "law"},
]


def read_mapped(paths, given):
    with named_columns(parse_map(given)):
        return read_paths(paths)


def _csv(folder):
    pd.DataFrame(ROWS).to_csv(folder / "t.csv", index=False)


def _lines(folder):
    (folder / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))


def _parquet(folder):
    pd.DataFrame(ROWS).to_parquet(folder / "t.parquet")


@pytest.mark.parametrize("write", [_csv, _lines, _parquet])
def test_usual_columns_are_guessed_and_said(tmp_path, write):
    write(tmp_path)
    (evaluation,) = read_paths([tmp_path]).evaluations
    assert evaluation.rows["score"].tolist() == [1.0, 0.0, 0.5]
    assert (evaluation.models, evaluation.items, evaluation.metric) == (("x", "y"), ("a", "b"), "acc")
    assert str(evaluation.notes[0]) == "Columns used: item=id, model=system, score=acc, cluster=subject"


def test_named_columns_are_used(tmp_path):
    (tmp_path / "t.csv").write_text("q,who,points\n1,x,0.25\n")
    (evaluation,) = read_mapped([tmp_path / "t.csv"], "item=q,model=who,score=points").evaluations
    assert evaluation.rows["score"].tolist() == [0.25]


@pytest.mark.parametrize(
    ("written", "score", "status"),
    [("true", 1.0, "scored"), ("Incorrect", 0.0, "scored"), ("", None, "missing"), ("oops", None, "unparsed")],
)
def test_words_for_right_and_wrong_are_scores_and_others_are_none(tmp_path, written, score, status):
    (tmp_path / "t.csv").write_text(f"item,score\n1,{written}\n")
    (evaluation,) = read_paths([tmp_path]).evaluations
    row = evaluation.rows.iloc[0]
    assert row["status"] == status
    assert row["score"] == score or (score is None and pd.isna(row["score"]))


def test_a_score_that_is_no_number_is_named_and_one_that_is_not_there_is_not(tmp_path):
    (tmp_path / "t.csv").write_text('item,model,score\na,x,"1,5"\nb,x,N/A\nc,x,timeout\nd,x,timeout\ne,x,2\n')
    (evaluation,) = read_paths([tmp_path / "t.csv"]).evaluations
    named = "3 scores can't be read and count as missing, since a number is expected: “1,5”, “timeout”"
    assert str(evaluation.notes[1]) == named
    assert voirdire("audit", tmp_path / "t.csv").stdout.replace("\n", " ").count(f"{named}.") == 1


def test_a_table_without_models_is_of_the_model_that_its_file_names(tmp_path):
    (tmp_path / "gpt.csv").write_text("item,score\n1,1\n")
    assert read_paths([tmp_path]).evaluations[0].models == ("gpt",)


def test_what_is_no_table_is_named(tmp_path):
    _csv(tmp_path)
    (tmp_path / "notes.txt").write_text("hello")
    found = read_paths([tmp_path])
    assert [each.path.name for each in found.unread] == ["notes.txt"]


@pytest.mark.parametrize(
    ("given", "why"),
    [("item=a,score", "is not WHAT=COLUMN"), ("item=a,item=b", "names item twice")],
)
def test_a_mapping_that_is_none_says_why(given, why):
    with pytest.raises(FormatError, match=why):
        parse_map(given)


def test_a_column_that_is_not_there_is_named(tmp_path):
    _csv(tmp_path)
    with pytest.raises(FormatError, match="no column 'points'"):
        read_mapped([tmp_path / "t.csv"], "item=id,score=points")


def test_columns_that_are_not_named_are_guessed(tmp_path):
    _csv(tmp_path)
    (evaluation,) = read_mapped([tmp_path / "t.csv"], "cluster=system").evaluations
    assert str(evaluation.notes[0]) == "Columns used: item=id, score=acc, cluster=system"


def test_without_a_score_the_mapping_says_what_to_name(tmp_path):
    (tmp_path / "t.csv").write_text("q,who\n1,x\n")
    with pytest.raises(FormatError, match="--map item=COLUMN,score=COLUMN"):
        read_mapped([tmp_path / "t.csv"], "item=q")


def test_a_mistyped_column_is_refused_where_no_table_has_it(tmp_path):
    _csv(tmp_path)
    with pytest.raises(FormatError, match=r"no column 'nosuch'; it has acc, id, subject, system\.$"):
        read_mapped([tmp_path / "t.csv"], "item=nosuch")
    (tmp_path / "u.csv").write_text("doc,acc\n1,1\n")
    with pytest.raises(FormatError, match=r"no column 'nosuch'; they have acc, doc, id, subject, system\.$"):
        read_mapped([tmp_path], "item=nosuch")
    assert len(read_mapped([tmp_path], "item=doc").evaluations) == 2


@pytest.mark.parametrize("name", ["flagged.jsonl", "flagged.parquet"])
def test_flagged_sentences_are_refused_with_what_to_use(tmp_path, name):
    answers, flagged = tmp_path / "a.jsonl", tmp_path / name
    answers.write_text(json.dumps({"id": "a", "context": "It opens at 9.", "answer": "Hello! It opens at 8."}) + "\n")
    voirdire("detect", answers, "-o", flagged)
    says = "voirdire detect FILE --max-flagged 5% in CI, or voirdire report ANSWERS for a page"
    for command in ("report", "audit", "gate", "show"):
        refused = voirdire(command, flagged, *["--min", "score=0.5"] * (command == "gate"), check=False)
        assert says in " ".join(refused.stderr.split()), command
