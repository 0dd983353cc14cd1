import json

import pandas as pd
import pytest

import voirdire as vd
from tests.cli.here import voirdire
from voirdire.errors import InputError
from voirdire.evaluation.formats import FormatError, check_results, parse_map, read_paths, with_columns

ROWS = [
    {"id": "a", "system": "x", "acc": 1, "subject": "law"},
    {"id": "b", "system": "x", "acc": 0, "subject": "law"},
    {"id": "a", "system": "y", "acc": 0.5, "subject": "law"},
]


def read_mapped(paths, given):
    with with_columns(parse_map(given), paths):
        return read_paths(paths)


def _csv(folder):
    pd.DataFrame(ROWS).to_csv(folder / "t.csv", index=False)


def _lines(folder):
    (folder / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))


def _list(folder):
    (folder / "t.json").write_text(json.dumps(ROWS, indent=1))


def _parquet(folder):
    pd.DataFrame(ROWS).to_parquet(folder / "t.parquet")


@pytest.mark.parametrize("write", [_csv, _lines, _list, _parquet])
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


@pytest.mark.parametrize(
    ("text", "scores", "note"),
    [
        ("item;score\na;1,0\nb;0,25\nc;\nd;1", [1.0, 0.25, None, 1.0], "Scores are written with decimal commas"),
        (
            "item,score\na,100%\nb,12.5 %\nc,n/a",
            [1.0, 0.125, None],
            "Scores are written in percent, and read as shares",
        ),
        ("item;score\na;99,5%\nb;0%", [0.995, 0.0], "Scores are written in percent, and read as shares"),
        ('item,score\na,"0,75"\nb,1\nc,"1,250"', [0.75, 1.0, 1.25], "Scores are written with decimal commas"),
        ('item,score\na,"75,5 %"\nb,0%', [0.755, 0.0], "Scores are written in percent, and read as shares"),
        ('item,score\na,"1,234"\nb,"2,500"\nc,7', [None, None, 7.0], "2 scores can't be read"),
        ("item;score\na;1,0\nb;0.5", [None, 0.5], "1 score can't be read"),
        ("item,score\na,50%\nb,0.5", [None, 0.5], "1 score can't be read"),
    ],
)
def test_decimal_commas_and_percent_are_read_where_the_whole_column_has_them(tmp_path, text, scores, note):
    (tmp_path / "t.csv").write_text(text)
    (evaluation,) = read_paths([tmp_path / "t.csv"]).evaluations
    assert [None if pd.isna(each) else each for each in evaluation.rows["score"]] == scores
    assert str(evaluation.notes[1]).startswith(note)
    assert set(evaluation.rows["status"]) <= {"scored", "missing", "unparsed"}


def test_a_comma_that_may_stand_between_thousands_is_pointed_out(tmp_path):
    (tmp_path / "t.csv").write_text('item,score\na,"1,234"\nb,7')
    (tmp_path / "u.csv").write_text("item;score\na;1,234\nb;7")
    notes = [str(each.notes[-1]) for each in read_paths([tmp_path]).evaluations]
    assert notes[0].startswith("“1,234” may be 1.234 or 1234: write such scores with a decimal point")
    assert notes[1] == "“1,234” is read as 1.234: if it is 1234, write it without a comma"


def test_columns_of_items_and_models_that_may_have_been_exchanged_are_pointed_out(tmp_path):
    rows = [f"q{item},m{model},{(item + model) % 2}" for item in range(60) for model in range(3)]
    (tmp_path / "t.csv").write_text("\n".join(["question,system,score", *rows]))
    (exchanged,) = read_mapped([tmp_path / "t.csv"], "item=system,model=question").evaluations
    assert str(exchanged.notes[-1]) == (
        "60 models answered 3 items: if the two columns were exchanged, use --map item=question,model=system"
    )
    (right,) = read_mapped([tmp_path / "t.csv"], "item=question,model=system").evaluations
    assert len(right.notes) == 1


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("t.csv", b"", r"t\.csv is empty; a row for each item"),
        ("t.json", b" ", r"t\.json is empty; results"),
        ("t.jsonl", b"\n", r"t\.jsonl is empty; a row for each item"),
        ("t.csv", b"item;model;score\n", r"has a header \(item, model, score\) and no rows; a row for each item"),
        ("t.csv", "item,score\na,1\n".encode("utf-16"), "is UTF-16 and no UTF-8 text; save it as UTF-8"),
        ("t.csv", "item,score\n\xe4,1\n".encode("latin-1"), "row 1: it is no UTF-8 text; save the file as UTF-8"),
        ("t.json", '{"\xe4": 1}'.encode("latin-1"), "is no UTF-8 text .*; save it as UTF-8"),
        ("t.json", b'{"results": [{"a": 1,', r"is not valid JSON \("),
        ("t.json", b'[{"item": 1, "score": 1}, {"item"', r"is not valid JSON \("),
        ("t.json", b'[{"item": 1, "score": 1}, 2]', "record 2: an object is expected"),
        ("t.json", b"[]", "is a JSON list without records; one record for each item"),
        (
            "t.csv",
            b"q,large,small\n1,1,0\n",
            "has the columns q, large, small; say which .*--map item=.*make them rows",
        ),
        ("t.json", b'[{"q": 1, "points": 1}]', "has the columns q, points; say which of them hold items, models"),
    ],
)
def test_what_can_not_be_read_says_why_and_what_to_do(tmp_path, name, content, says):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError, match=says):
        read_paths([tmp_path / name])
    with pytest.raises(InputError, match=says):
        vd.validate(tmp_path / name)


def test_json_of_another_kind_is_told_from_what_is_damaged(tmp_path):
    (tmp_path / "t.json").write_text('{"name": "p"}')
    with pytest.raises(
        FormatError, match=r"is JSON of no format that is read .*, nor a list of records by item and model"
    ):
        read_paths([tmp_path / "t.json"])
    with pytest.raises(InputError, match="is neither the folder of a run nor data that are read"):
        vd.validate(tmp_path / "t.json")


@pytest.mark.parametrize("output", [float("nan"), "x" * 2**21])
def test_the_first_record_of_a_list_may_be_long_or_have_nan(tmp_path, output):
    (tmp_path / "t.json").write_text(json.dumps([{"item": 1, "score": 1, "output": output}]))
    assert read_paths([tmp_path / "t.json"]).evaluations[0].metric == "score"


def test_a_damaged_table_in_a_folder_is_told_from_one_with_other_columns(tmp_path):
    _csv(tmp_path)
    (tmp_path / "bad.csv").write_bytes("item,score\n\xe4,1\n".encode("latin-1"))
    (tmp_path / "other.csv").write_text("name,place\nx,1\n")
    (tmp_path / "notes.txt").write_text("hello")
    unread = {each.path.name: each for each in read_paths([tmp_path]).unread}
    assert {name: each.damaged for name, each in unread.items()} == {
        "bad.csv": True,
        "other.csv": False,
        "notes.txt": False,
    }
    assert "has the columns name, place" in unread["other.csv"].why_not and unread["notes.txt"].why_not == ""


def test_lower_is_better_by_the_name_of_the_column_unless_the_user_says_otherwise(tmp_path):
    (tmp_path / "t.csv").write_text("item,model,wer,acc\n1,x,0.25,1\n")
    wer, higher = (
        read_mapped([tmp_path / "t.csv"], f"score=wer{more}").evaluations[0] for more in ("", ",better=higher")
    )
    assert (wer.higher_is_better, higher.higher_is_better) == (False, True)
    said = "Lower is better, as the name wer says; --map better=higher says otherwise"
    unused = "Columns not used: acc"
    assert [str(each) for each in wer.notes[1:]] == [unused, said]
    assert [str(each) for each in higher.notes[1:]] == [unused]
    lower = read_mapped([tmp_path / "t.csv"], "better=lower").evaluations[0]
    assert (lower.metric, lower.higher_is_better) == ("acc", False)
    assert str(lower.notes[2]) == "Lower is better, as --map better=lower says"


def test_named_columns_win_over_the_context_of_a_file_of_answers(tmp_path):
    (tmp_path / "t.csv").write_text("q,context,points\n1,c,1\n")
    with with_columns(parse_map("item=q,score=points"), [tmp_path / "t.csv"]):
        check_results(tmp_path / "t.csv")
    with pytest.raises(FormatError):
        check_results(tmp_path / "t.csv")


def rows_of(folder, *rows):
    (folder / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return read_paths([folder / "t.jsonl"]).evaluations[0]


def test_a_column_of_answers_holds_outputs_where_models_differ_and_references_where_they_do_not(tmp_path):
    row = {"id": "a", "model": "x", "correct": 1}
    differ = rows_of(tmp_path, {**row, "answer": "Rome"}, {**row, "model": "y", "answer": "Oslo"})
    assert differ.rows["output"].tolist() == ["Rome", "Oslo"] and not differ.has("reference")
    assert "output=answer" in str(differ.notes[0])
    same = rows_of(tmp_path, {**row, "answer": "Rome"}, {**row, "model": "y", "answer": "Rome"})
    assert same.rows["reference"].tolist() == ["Rome", "Rome"] and not same.has("output")
    both = rows_of(tmp_path, *({**row, "model": model, "answer": "Rome", "response": "?"} for model in "xy"))
    assert (both.rows["output"].tolist(), both.rows["reference"].tolist()) == (["?", "?"], ["Rome", "Rome"])


def test_what_one_model_answered_alone_is_not_guessed_and_the_column_is_named(tmp_path):
    alone = rows_of(tmp_path, {"id": "a", "model": "x", "correct": 1, "answer": "Rome", "remark": "short"})
    assert not alone.has("output") and not alone.has("reference")
    says = "No column is known to hold the outputs, and answer, remark are not used: --map output=COLUMN names it"
    assert says in map(str, alone.notes)
    assert says in " ".join(voirdire("audit", tmp_path / "t.jsonl").stdout.split())


def test_columns_that_are_not_used_are_named_with_all_else(tmp_path):
    found = rows_of(tmp_path, {"id": "a", "model": "x", "correct": 1, "output": "Rome", "remark": "short", "n": 3})
    assert "Columns not used: n, remark" in map(str, found.notes)


def test_settings_in_columns_are_those_of_each_model(tmp_path):
    rows = [
        {"id": item, "model": model, "correct": 1, "Temperature": warm, "seed": item}
        for model, warm in (("x", 0), ("y", 0.7))
        for item in (1, 2)
    ]
    found = rows_of(tmp_path, *rows)
    assert found.settings == {"x": {"Temperature": 0}, "y": {"Temperature": 0.7}}


def test_only_what_is_not_known_of_a_table_is_asked_for(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,system,punkte\n1,a,3\n")
    says = "say which of them holds scores (known: item=id, model=system): --map score=COLUMN."
    with pytest.raises(FormatError) as refused:
        read_paths([path])
    assert str(refused.value).endswith(says)
    path.write_text("id,punkte\n1,3\n")
    with pytest.raises(FormatError, match=r"make them rows first"):
        read_paths([path])


def test_how_often_an_item_was_tried_is_read(tmp_path):
    (tmp_path / "t.csv").write_text("item,score,attempts\na,1,3\nb,0,1\n")
    (evaluation,) = read_paths([tmp_path / "t.csv"]).evaluations
    assert evaluation.rows["attempts"].tolist() == [3.0, 1.0]
