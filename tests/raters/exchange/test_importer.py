import json
from dataclasses import replace

import pytest

from tests.raters.exchange import examples
from voirdire.raters.exchange import ExchangeError, ExportPlan, export_project, import_ratings
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import GoldRating
from voirdire.raters.store import Store

LABEL = {"label": "reliable", "steps": [], "reason": ""}
OTHER = {"label": "faithful", "steps": [], "reason": ""}


@pytest.fixture
def path(tmp_path):
    return examples.stored(tmp_path / "p.voirdire", examples.statements())


def lines(folder, *entries, name="ratings.jsonl"):
    file = folder / name
    file.write_bytes("".join(json.dumps(each) + "\n" for each in entries).encode())
    return file


def rows_in(path):
    return [(row.rater, row.item, row.kind) for row in read_project(path).rows]


def test_an_item_a_rater_and_a_value_are_enough(path, tmp_path):
    file = lines(tmp_path, {"item": "a_1#0", "rater": "Ana", "value": {"label": "reliable"}})
    assert import_ratings(path, file).added == 1
    assert examples.said_in(path) == [("a_1#0", "Ana", LABEL, 0.0)]


def test_a_row_says_what_was_imported_from_where_and_when_it_was_made(path, tmp_path):
    entry = {"item": "a_1#0", "rater": "Ana", "value": LABEL, "seconds": 4.5, "at": "2025-01-01T00:00:00Z"}
    import_ratings(path, lines(tmp_path, entry))
    (row,) = read_project(path).rows
    assert (row.kind, row.seconds) == ("imported", 4.5)
    assert row.body == {"value": LABEL, "at": "2025-01-01T00:00:00Z", "file": "ratings.jsonl"}


def test_the_same_file_twice_adds_nothing_even_if_the_rater_has_changed_their_mind(path, tmp_path):
    file = lines(tmp_path, {"item": "a_1#0", "rater": "Ana", "value": LABEL})
    import_ratings(path, file)
    examples.entered(path, "r1", "a_1#0", OTHER)
    before = rows_in(path)
    assert (import_ratings(path, file).added, import_ratings(path, file).known) == (0, 1)
    assert rows_in(path) == before
    assert examples.said_in(path)[0][2] == OTHER


def test_one_wrong_rating_keeps_all_out(path, tmp_path):
    file = lines(
        tmp_path,
        {"item": "a_1#0", "rater": "New person", "value": LABEL},
        {"item": "a_1#1", "rater": "New person", "value": {"label": "true"}},
    )
    with pytest.raises(ExchangeError, match=r"ratings\.jsonl, line 2: label is 'true'"):
        import_ratings(path, file)
    assert rows_in(path) == [] and len(read_project(path).raters) == 2


def test_a_conflict_found_late_takes_all_back(path, tmp_path):
    examples.entered(path, "r2", "a_1#1", OTHER)
    file = lines(
        tmp_path,
        {"item": "a_1#0", "rater": "New person", "value": LABEL},
        {"item": "a_1#1", "rater": "Ben", "value": LABEL},
    )
    before = rows_in(path)
    with pytest.raises(ExchangeError, match=r"line 2: Ben has rated a_1#1 otherwise in the project"):
        import_ratings(path, file)
    assert rows_in(path) == before and len(read_project(path).raters) == 2


@pytest.mark.parametrize(
    "entry, says",
    [
        ({"item": "a_1#0", "value": LABEL}, "it is not said who has rated; say so with --rater"),
        ({"item": "a_1#0", "value": LABEL, "rater": " "}, "it is not said who has rated"),
        ({"item": "a_1#0", "value": LABEL, "rater": "r2"}, "r2 is no rater's name here, but stands for Ben"),
        (
            {"item": "a_1#0", "value": LABEL, "rater": "Ana", "role": "adjudicator"},
            "Ana is here as adjudicator, and as rater",
        ),
        ({"item": "a_1#0", "value": LABEL, "rater": "Ana", "role": "boss"}, "role is 'boss'"),
        ({"item": "b", "value": LABEL, "rater": "Ana"}, "item is 'b', and the project has no such item"),
        ({"value": LABEL, "rater": "Ana"}, "item must be a text, not null"),
        ({"item": "a_1#0", "document": "b", "value": LABEL, "rater": "Ana"}, "document is not that of the item a_1#0"),
        ({"item": "a_1#0", "rater": "Ana"}, "value must be an object, not null"),
        ({"item": "a_1#0", "rater": "Ana", "label": "faithful"}, "label is no field of this rating"),
        ({"item": "a_1#0", "rater": "Ana", "value": LABEL, "seconds": -1}, "seconds must lie from 0"),
        ({"item": "a_1#0", "rater": "Ana", "value": LABEL, "seconds": float("nan")}, "it holds no JSON: NaN"),
        ({"item": "a_1#0", "rater": "Ana\ud800", "value": LABEL}, "rater has half a character"),
        ({"kind": "vote"}, "kind is 'vote', and must be one of rating, gold, question"),
        (["a_1#0"], "it must be an object"),
    ],
)
def test_what_cant_be_taken_is_refused_by_line_and_field(path, tmp_path, entry, says):
    file = lines(tmp_path, {"kind": "gold", "item": "a_1#0", "value": LABEL}, entry)
    with pytest.raises(ExchangeError) as caught:
        import_ratings(path, file)
    assert str(caught.value).startswith(f"{file}, line 2: {says}")


def test_two_ratings_of_one_item_by_one_person_are_refused(path, tmp_path):
    entry = {"item": "a_1#0", "rater": "Ana", "value": LABEL}
    with pytest.raises(ExchangeError, match=r"line 2: Ana has rated a_1#0 already, at .*line 1"):
        import_ratings(path, lines(tmp_path, entry, {**entry, "rater": "ANA"}))


def test_whose_they_are_can_be_said(path, tmp_path):
    file = lines(tmp_path, {"item": "a_1#0", "rater": "user 4", "value": LABEL})
    assert import_ratings(path, file, rater="ana").raters == ()
    assert examples.said_in(path) == [("a_1#0", "Ana", LABEL, 0.0)]


def test_what_is_not_a_rating_is_passed_over_and_told(path, tmp_path):
    file = lines(
        tmp_path,
        {"kind": "gold", "item": "a_1#0", "value": LABEL, "how": "agreed"},
        {"kind": "question", "item": "", "rater": "r1", "text": "?"},
        {"item": "p#0", "rater": "Ana", "value": LABEL},
    )
    found = import_ratings(path, file)
    assert found.added == 0
    assert sorted(each.split(" ")[0] for each in found.skipped) == ["gold", "questions", "ratings"]


def test_nobody_else_is_asked_for_what_two_have_rated_and_a_difference_needs_a_third(path, tmp_path):
    file = lines(
        tmp_path,
        *({"item": item, "rater": "Carla", "value": LABEL} for item in ("a_1#0", "a_1#1")),
        {"item": "a_1#0", "rater": "Dora", "value": OTHER},
    )
    import_ratings(path, file)
    with Store.open(path) as store:
        free = store.read.free_document("r9", 2, 0)
        assert free == "a_1", "Dora has rated half of the answer only"
    import_ratings(path, lines(tmp_path, {"item": "a_1#1", "rater": "Dora", "value": LABEL}))
    with Store.open(path) as store:
        assert store.read.free_document("r9", 2, 0) != "a_1"
        assert store.read.free_disputes("r9") == ["a_1#0"]
    assert set(read_project(path).gold) == {"a_1#1"}


def test_an_adjudicators_decision_settles_and_is_not_asked_for_again(tmp_path):
    path = examples.stored(tmp_path / "p", examples.statements(gold="adjudicated"))
    file = lines(
        tmp_path,
        {"item": "a_1#0", "rater": "Ana", "value": LABEL},
        {"item": "a_1#0", "rater": "Ben", "value": OTHER},
        {"item": "a_1#0", "rater": "Zoe", "role": "adjudicator", "value": OTHER},
    )
    import_ratings(path, file)
    assert read_project(path).gold["a_1#0"][1:] == (OTHER, "adjudicated")
    with Store.open(path) as store:
        assert store.read.free_disputes("r9") == []


# --- tables as spreadsheets save them ---


def sheet(folder, text, code="utf-8", name="ratings.csv"):
    file = folder / name
    file.write_bytes(text.encode(code))
    return file


@pytest.mark.parametrize("between", [",", ";", "\t"])
@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_table_is_read_as_spreadsheets_save_it(path, tmp_path, between, code):
    rows = [["rater", "item", "label", "reason"], ["Änne", "a_1#0", "reliable", "'=so"], ["", "", "", ""]]
    text = "\r\n".join(between.join(row) for row in rows) + "\r\n"
    import_ratings(path, sheet(tmp_path, text, code))
    assert examples.said_in(path) == [("a_1#0", "Änne", {**LABEL, "reason": "=so"}, 0.0)]


def test_decimal_commas_and_words_for_yes_are_read(tmp_path):
    path = examples.stored(tmp_path / "p", examples.turns("X."))
    text = "rater;item;far;sas;no_claims;stance;seconds\nAna;k;;0,5;Yes;rejected;12,25\n"
    import_ratings(path, sheet(tmp_path, text))
    ((_, _, value, seconds),) = examples.said_in(path)
    assert (value["far"], value["sas"], value["no_claims"], value["stance"], seconds) == (
        None,
        0.5,
        True,
        "rejected",
        12.25,
    )


@pytest.mark.parametrize(
    "text, says",
    [
        ("item,reason\na_1#0,x\n", "lacks the columns label"),
        ("", "is empty"),
        ("item,item,label\na,a,x\n", "has the column 'item' twice"),
        ("rater,item,label\nAna,a_1#0\n", "row 2: cells: 2, columns: 3"),
        ("rater,item,label\nAna,a_1#0,true\n", "row 2: label is 'true'"),
        ("rater,item,label,seconds\nAna,a_1#0,faithful,long\n", "row 2: seconds is 'long', and must be a number"),
        ("rater,item,label,steps\nAna,a_1#0,faithful,no\n", "row 2: steps must be JSON"),
        ('rater,item,label\nAna,a_1#0,"faithful\n', "it is no CSV"),
    ],
)
def test_a_table_that_cant_be_taken_is_refused_by_row_and_column(path, tmp_path, text, says):
    with pytest.raises(ExchangeError, match=says):
        import_ratings(path, sheet(tmp_path, text))
    assert rows_in(path) == []


def test_a_table_in_another_code_is_refused(path, tmp_path):
    with pytest.raises(ExchangeError, match="is not in UTF-8"):
        import_ratings(path, sheet(tmp_path, "item,label,rater\na_1#0,faithful,Änne\n", "cp1252"))


def test_violations_without_a_rating_are_refused(tmp_path):
    path = examples.stored(tmp_path / "p", examples.responses())
    sheet(tmp_path, "item,rater,type,sentence\nr0,Ben,vagueness,0\n", name="violations.csv")
    with pytest.raises(ExchangeError, match=r"violations\.csv has violations of r0 by 'Ben'"):
        import_ratings(path, sheet(tmp_path, "item,rater,holistic\nr0,Ana,90\n"))


def test_questions_and_gold_beside_a_table_are_counted_and_passed_over(path, tmp_path):
    entry = examples.rated(
        examples.statements(),
        (0, "a_1#0", LABEL, 1.0),
        asked=[examples.question("a_1#0", "First line\nand second?", reply="So.")],
        gold={"a_1#0": GoldRating("a_1#0", LABEL, "agreed")},
    )
    export_project(entry, ExportPlan(target="csv", out=tmp_path / "out", names=True, gold=True))
    found = import_ratings(path, tmp_path / "out")
    assert found.added == 1
    assert [each.split(" (")[0] for each in found.skipped] == ["questions to the organiser", "gold ratings"]


@pytest.mark.parametrize("form", ["jsonl", "csv", "label-studio"])
def test_when_a_rating_was_made_and_how_long_it_took_survive_two_ways_out_and_in(tmp_path, form):
    first = examples.rated(examples.statements(), (0, "a_1#0", LABEL, 5.199999999999999))
    for name in ("one", "two"):
        export_project(first, ExportPlan(target=form, out=tmp_path / name, names=True))
        path = examples.stored(tmp_path / f"{name}.voirdire", examples.statements())
        import_ratings(path, tmp_path / name)
        first = read_project(path)
        (rating,) = first.ratings
        assert (rating.at, rating.seconds) == (examples.AT, 5.2)
        assert first.rows[0].at != examples.AT, "the row itself says when it came"


def test_a_rating_that_does_not_say_when_it_was_made_is_of_when_it_came(path, tmp_path):
    import_ratings(path, lines(tmp_path, {"item": "a_1#0", "rater": "Ana", "value": LABEL}))
    project = read_project(path)
    assert project.ratings[0].at == project.rows[0].at


def test_the_record_has_seconds_to_the_millisecond(path, tmp_path):
    examples.entered(path, "r1", "a_1#0", LABEL, seconds=5.199999999999999)
    export_project(read_project(path), ExportPlan(target="log", out=tmp_path / "log"))
    assert json.loads((tmp_path / "log" / "log.jsonl").read_text())["seconds"] == 5.2


# --- which form it is ---


def test_the_form_follows_from_the_name_unless_it_is_said(path, tmp_path):
    file = lines(tmp_path, {"item": "a_1#0", "rater": "Ana", "value": LABEL}, name="ratings.txt")
    with pytest.raises(
        ExchangeError, match="can't be told by its name; say --format jsonl, csv, label-studio, released"
    ):
        import_ratings(path, file)
    assert import_ratings(path, file, "jsonl").added == 1
    with pytest.raises(ExchangeError, match="There is no form 'xml' to import from"):
        import_ratings(path, file, "xml")


def test_a_missing_file_is_told_in_a_sentence(path, tmp_path):
    for name in ("none.jsonl", "none.csv", "none.json", "none"):
        with pytest.raises(ExchangeError, match=rf"{name} can't be read: No such file"):
            import_ratings(path, tmp_path / name)


def test_an_export_that_names_nobody_is_not_taken_for_other_people(path, tmp_path):
    project = examples.rated(examples.statements(), (0, "a_1#0", LABEL, 1.0))
    export_project(project, ExportPlan(target="jsonl", out=tmp_path / "out"))
    with pytest.raises(
        ExchangeError, match=r"r1 is no rater's name here, but stands for Ana; .* export them with --rater-names"
    ):
        import_ratings(path, tmp_path / "out")
    people = {name: replace(each, name="Carla") for name, each in project.raters.items() if name == "r1"}
    renamed = replace(project, raters=people)
    export_project(renamed, ExportPlan(target="jsonl", out=tmp_path / "out", names=True, force=True))
    assert import_ratings(path, tmp_path / "out").raters == ("Carla",)
