"""Tables of verdicts and ratings: what is read, how rows are matched, what is refused."""

import json

import numpy as np
import pandas as pd
import pytest

from voirdire.jury.worth.records import WorthError
from voirdire.jury.worth.tables import Columns, Key, match, read_ratings, read_verdicts

VERDICTS = "item,model,judge,score,cluster,output,reason\na,m,j,1,d1,Text A,good\na,n,j,0,d1,Text B,bad\nb,m,j,,d2,,\n"
RATINGS = "item,model,label,reason\na,m,yes,fine\na,n,no,\n"


def write(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def verdicts_of(folder, text=VERDICTS, name="v.csv", **columns):
    return read_verdicts(write(folder, name, text), Columns(**columns))


def ratings_of(folder, text=RATINGS, name="r.csv", **columns):
    return read_ratings(write(folder, name, text), Columns(**columns)).ratings


def test_verdicts_by_item_and_model(tmp_path):
    found = verdicts_of(tmp_path)
    assert found.keys == (Key("a", "m"), Key("a", "n"), Key("b", "m"))
    assert found.clusters == ("d1", "d1", "d2")
    np.testing.assert_array_equal(found.scores["j"], [1, 0, np.nan])
    assert (found.texts[0], found.reasons["j"][1]) == ("Text A", "bad")
    assert found.models == ("m", "n", "m")


@pytest.mark.parametrize("ending", ["jsonl", "parquet", "tsv"])
def test_the_same_from_other_files(tmp_path, ending):
    rows = [
        {"item": "a", "model": "m", "judge": "j", "score": 0.5},
        {"item": 7, "model": "m", "judge": "j", "score": 1},
    ]
    path = tmp_path / f"v.{ending}"
    if ending == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif ending == "parquet":
        pd.DataFrame(rows).astype({"item": str}).to_parquet(path)
    else:
        path.write_text("item\tmodel\tjudge\tscore\na\tm\tj\t0.5\n7\tm\tj\t1\n")
    found = read_verdicts(path, Columns())
    assert found.keys == (Key("a", "m"), Key("7", "m"))
    assert found.scores["j"].tolist() == [0.5, 1.0]
    assert found.clusters == ("a", "7")


def test_a_column_of_verdicts_that_is_called_judge_names_no_judges(tmp_path):
    path = tmp_path / "verdicts.csv"
    path.write_text("item,judge\na,good\nb,bad\nc,good\n")
    verdicts = read_verdicts(path, Columns(scores=("judge",), good_verdict=("good",)))
    assert {judge: values.tolist() for judge, values in verdicts.scores.items()} == {"judge": [1, 0, 1]}


def test_columns_that_are_named_are_judges(tmp_path):
    text = "document,model,FactCC,QAGS,human\nd,m,0.2,0.4,1\ne,m,0.3,0.5,0\n"
    found = verdicts_of(tmp_path, text, scores=("FactCC", "QAGS"))
    assert {name: values.tolist() for name, values in found.scores.items()} == {
        "FactCC": [0.2, 0.3],
        "QAGS": [0.4, 0.5],
    }
    people = ratings_of(tmp_path, text, label="human")
    assert match(found, people)[0].tolist() == [1.0, 0.0]


def test_several_ratings_become_their_mean_and_their_times_stay(tmp_path):
    found = ratings_of(tmp_path, "item,rater,label,seconds\na,r1,1,30\na,r2,0,50\nb,r1,,\n")
    assert found[Key("a", "")].value == 0.5
    assert found[Key("a", "")].seconds == (30.0, 50.0)
    assert set(found) == {Key("a", "")}


def test_a_probability_is_one_over_a_weight(tmp_path):
    found = ratings_of(tmp_path, "item,label,probability\na,1,0.25\nb,0,1\n")
    assert [each.weight for each in found.values()] == [4.0, 1.0]
    with pytest.raises(WorthError, match="above 0, at most 1"):
        ratings_of(tmp_path, "item,label,probability\na,1,0\n")


@pytest.mark.parametrize("good", [("glad",), ("not sad",)])
def test_labels_count_by_the_one_that_is_said_to_be_good_or_bad(tmp_path, good):
    text = "item,label\na,glad\nb,sad\n"
    assert [each.value for each in ratings_of(tmp_path, text, good_rating=good).values()] == [1.0, 0.0]
    with pytest.raises(WorthError, match=r"which of the labels 'glad', 'sad' are good ones.*--good-rating LABEL"):
        ratings_of(tmp_path, text)
    with pytest.raises(WorthError, match="has no label 'nice'; its labels: 'glad', 'sad'"):
        ratings_of(tmp_path, text, good_rating=("nice",))


def test_usual_words_need_not_be_said(tmp_path):
    text = "item,label\na,supported\nb,unsupported\nc,partly supported\n"
    found = read_ratings(write(tmp_path, "r.csv", text), Columns())
    assert [each.value for each in found.ratings.values()] == [1.0, 0.0, 0.5]
    read = "read 'unsupported' as bad, 'partly supported' as half"
    assert found.direction.says((0, 1)) == f"the label 'supported' ({read})"
    verdicts = verdicts_of(tmp_path, "item,score\na,ok\nb,hallucinated\n")
    assert verdicts.scores["judge"].tolist() == [1, 0]


@pytest.mark.parametrize(("column", "good"), [("hallucinated", ()), ("label", ("0",)), ("label", ("low",))])
def test_where_a_high_number_is_bad_ratings_are_turned(tmp_path, column, good):
    found = read_ratings(
        write(tmp_path, "r.csv", f"item,{column}\na,0\nb,1\n"), Columns(label=column, good_rating=good)
    )
    assert [each.value for each in found.ratings.values()] == [1.0, 0.0]
    assert found.direction.says((0, 1), "rating").startswith("a rating of 0")


def test_verdicts_are_turned_once_asked_for_high_where_good(tmp_path):
    found = verdicts_of(tmp_path, "item,hallucination_score\na,0.2\nb,0.9\n", scores=("hallucination_score",))
    assert found.scores["hallucination_score"].tolist() == [0.2, 0.9]
    np.testing.assert_allclose(found.good_high((0, 1))["hallucination_score"], [0.8, 0.1])


@pytest.mark.parametrize(
    ("scores", "good", "turned", "high_where_good"),
    [
        ("01", "1", False, [0, 1]),
        ("01", "0", True, [1, 0]),
        ("24", "5", False, [2, 4]),
        ("24", "1", True, [4, 2]),
        ("39", "9", False, [3, 9]),
        ("39", "3", True, [9, 3]),
    ],
)
def test_the_good_end_of_verdicts_is_on_the_judges_own_scale(tmp_path, scores, good, turned, high_where_good):
    """That of 0 and 1, of people's 1 to 5, or of its own range."""
    table = write(tmp_path, "v.csv", f"item,score\na,{scores[0]}\nb,{scores[1]}\n")
    found = read_verdicts(table, Columns(good_verdict=(good,)), (1, 5))
    assert found.direction("judge").turned == turned
    assert found.good_high((1, 5))["judge"].tolist() == high_where_good


def test_numbers_stay_numbers_beside_labels(tmp_path):
    text = "item,one,two\na,1,glad\nb,0,sad\n"
    found = verdicts_of(tmp_path, text, scores=("one", "two"), good_verdict=("glad",))
    assert [values.tolist() for values in found.scores.values()] == [[1, 0], [1, 0]]
    with pytest.raises(WorthError, match="the values are numbers, so that --good-rating takes high or low"):
        ratings_of(tmp_path, "item,label\na,1\nb,0\n", good_rating=("glad",))


def test_ratings_meet_the_verdicts_on_the_same_output(tmp_path):
    people, weights, reasons = match(verdicts_of(tmp_path), ratings_of(tmp_path))
    np.testing.assert_array_equal(people, [1, 0, np.nan])
    assert weights.tolist() == [1, 1, 1]
    assert reasons == ("fine", "", "")


def test_a_rating_without_a_model_needs_an_item_of_one_model(tmp_path):
    found = ratings_of(tmp_path, "item,label\nb,1\n")
    assert match(verdicts_of(tmp_path), found)[0].tolist()[2] == 1
    with pytest.raises(WorthError, match="several models"):
        match(verdicts_of(tmp_path), ratings_of(tmp_path, "item,label\na,1\n"))


def test_names_that_meet_nowhere_are_told(tmp_path):
    with pytest.raises(WorthError, match="use the same names"):
        match(verdicts_of(tmp_path), ratings_of(tmp_path, "item,label\nx,1\n"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("item,model\na,m\n", "no column of verdicts"),
        ("score\n1\n", "no column of items"),
        ("item,score\na,1\na,0\n", "two verdicts on item"),
        ("item,score\n,1\n", "is empty"),
        ("item,score\na,nice\n", "nothing tells which of the labels 'nice' are good"),
        ("item,score\n", "has no rows"),
        ("item,score\na,1,2\n", "row 1"),
    ],
)
def test_what_can_not_be_read_is_said_in_a_sentence(tmp_path, text, says):
    with pytest.raises(WorthError, match=says):
        verdicts_of(tmp_path, text)


def test_a_line_that_is_no_object_is_told(tmp_path):
    with pytest.raises(WorthError, match="line 2"):
        verdicts_of(tmp_path, '{"item": "a", "score": 1}\n[1]\n', "v.jsonl")


def test_a_column_that_is_not_there_is_told_with_those_that_are(tmp_path):
    with pytest.raises(WorthError, match=r"no column 'x'; its columns: item, model"):
        verdicts_of(tmp_path, item="x")


def test_ratings_may_call_items_and_models_as_usual_where_the_names_of_columns_are_those_of_the_verdicts(tmp_path):
    verdicts = verdicts_of(tmp_path, "ticket,bot,score\na,m,1\na,n,0\n", item="ticket", model="bot")
    for text in ("item,model,label\na,n,1\n", "ticket,bot,label\na,n,1\n"):
        assert match(verdicts, ratings_of(tmp_path, text, item="ticket", model="bot"))[0].tolist()[1] == 1
    with pytest.raises(WorthError, match="no column 'ticket'; its columns: nr, label"):
        ratings_of(tmp_path, "nr,label\na,1\n", item="ticket")


def test_where_no_name_meets_it_is_said_how_to_name_the_column_of_items(tmp_path):
    verdicts = verdicts_of(tmp_path, "item,ticket,score\n1,a,1\n")
    with pytest.raises(WorthError, match=r"use the same names in both, or name their column with --item-column\.$"):
        match(verdicts, ratings_of(tmp_path, "item,label\na,1\n"))


def scored(last, of=20):
    """Scores from 0 to 1 of one judge, the last one in a row of its own."""
    return "item,judge,score\n" + "".join(f"i{n},j,{n / of}\n" for n in range(of)) + f"z,j,{last}\n"


def test_one_text_among_numbers_is_named_with_its_row(tmp_path):
    with pytest.raises(WorthError, match=r"row 21: 'high' is no number, as 20 of the 21 verdicts of j are: correct it"):
        verdicts_of(tmp_path, scored("high"))
    rows = "".join(f"i{n},{n % 2}\n" for n in range(30))
    with pytest.raises(WorthError, match=r"row 31: 'hihg' is no number, as 30 of the 31 ratings are"):
        ratings_of(tmp_path, f"item,label\n{rows}z,hihg\n")
    assert verdicts_of(tmp_path, scored("high"), good_verdict=("high",)).scores["j"][-1] == 1, (
        "a label, as it was named"
    )
    with pytest.raises(WorthError, match="nothing tells which of the labels"):
        verdicts_of(tmp_path, "item,score\na,low\nb,middling\nc,1\nd,0\n")


def test_one_score_far_outside_all_others_is_named_with_its_row(tmp_path):
    for slip, row in (("7.5", 21), ("-3", 21)):
        (found,) = verdicts_of(tmp_path, scored(slip)).outliers.values()
        assert (found.code, found["row"], found["value"]) == ("worth_outlier", row, float(slip))
        assert str(found).startswith(f"row 21: the score {slip} of j lies outside all its others (0 to 0.95)")
    assert not verdicts_of(tmp_path, scored("1")).outliers
    wide = "item,judge,score\n" + "".join(f"i{n},j,{n}\n" for n in range(20))
    assert not verdicts_of(tmp_path, wide).outliers, "a scale of its own"
