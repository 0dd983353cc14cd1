"""Files that hold one evaluation between them: other models of it, or other judges."""

import json

import pytest

from tests.evaluation.formats.test_alpacaeval import PAIR
from tests.evaluation.formats.test_pairs import arena
from voirdire.evaluation.audit import audit_of
from voirdire.evaluation.formats import FormatError, parse_map, read_paths
from voirdire.evaluation.formats.columns import named_columns
from voirdire.evaluation.questions import QuestionError, compare
from voirdire.evaluation.report.cautions import joined_files
from voirdire.instruments import CompareQuestion


def table(folder, name, judge="", models=("new", "old"), items=range(20), output="The text of {m} on {n}."):
    """A CSV of one judge, named in a column if it has a name."""
    folder.mkdir(exist_ok=True)
    rows = [
        f"{n},{m},{(n * 7 + len(name + m)) % 5},{output.format(m=m, n=n)}{judge and f',{judge}'}"
        for n in items
        for m in models
    ]
    head = f"item,model,score,output{judge and ',judge'}"
    (folder / f"{name}.csv").write_text("\n".join([head, *rows]))


def test_files_that_differ_in_their_judge_are_one_evaluation_and_the_audit_says_so(tmp_path):
    folder = tmp_path / "panel"
    for judge in ("gpt", "claude"):
        table(folder, judge, judge)
    read = read_paths([folder])
    (found,) = read.evaluations
    assert (found.name, found.judges, len(found.rows)) == ("panel", ("claude", "gpt"), 80)
    assert len(found.files) == 2
    (said,) = joined_files(read.evaluations)
    assert said.text == "Read 2 files as one evaluation with 2 judges: claude, gpt."
    statuses = {check.id: check.status for check in audit_of(read).checks}
    assert statuses["copied_judge"] != "not_measured"


def test_annotations_and_tables_of_pairs_by_two_judges_are_one_evaluation(tmp_path):
    for judge in ("gpt", "claude"):
        entries = [{**PAIR, "annotator": judge, "instruction": text} for text in ("a", "b")]
        (tmp_path / f"{judge}.json").write_text(json.dumps(entries))
        rows = arena(lambda *_: "model_a", pairs=3, judges=(judge,))
        (tmp_path / f"{judge}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = read_paths([tmp_path]).evaluations
    assert [(each.format, each.judges) for each in found] == [
        ("alpacaeval", ("claude", "gpt")),
        ("pairs", ("claude", "gpt")),
    ]
    assert [each.name for each in found] == [tmp_path.name, f"{tmp_path.name} (2)"]


@pytest.mark.parametrize(
    "other",
    [
        {"judge": "gpt"},
        {"models": ("new", "third")},
        {"items": range(40, 60)},
        {"output": "Something else of {m} on {n}."},
    ],
    ids=["the same judge", "other models", "other items", "other outputs"],
)
def test_files_that_differ_in_more_than_their_judge_stay_apart(tmp_path, other):
    table(tmp_path, "a", "gpt")
    table(tmp_path, "b", **{"judge": "claude", **other})
    assert [each.name for each in read_paths([tmp_path]).evaluations] == ["a", "b"]


def test_files_of_several_folders_stay_apart(tmp_path):
    for judge in ("gpt", "claude"):
        table(tmp_path / judge, judge, judge)
    assert len(read_paths([tmp_path]).evaluations) == 2


def test_where_no_judge_is_named_the_audit_says_how_to_name_it(tmp_path):
    for name in ("gpt", "claude"):
        table(tmp_path, name)
    read = read_paths([tmp_path])
    assert len(read.evaluations) == 2
    (said,) = joined_files(read.evaluations)
    assert said.text == (
        "The same models and items stand in claude.csv, gpt.csv, and none of these files names its judge, so each is "
        "an evaluation of its own: if each is by one judge, --map judge=@file takes the files' names for the judges'."
    )
    with named_columns(parse_map("judge=@file")):
        (found,) = read_paths([tmp_path]).evaluations
    assert found.judges == ("claude", "gpt")


def of_one_model(folder, name, items=range(20)):
    folder.mkdir(exist_ok=True)
    lines = [f"{n},{(n * 7 + len(name)) % 5}" for n in items]
    (folder / f"{name}.csv").write_text("\n".join(["item,score", *lines]))


def test_tables_of_one_model_each_stay_apart_and_the_audit_says_how_to_join_them(tmp_path):
    for name in ("alder", "ash", "birch"):
        of_one_model(tmp_path, name)
    read = read_paths([tmp_path])
    assert [each.models for each in read.evaluations] == [("alder",), ("ash",), ("birch",)]
    (said,) = joined_files(read.evaluations)
    assert said.text == (
        "The same items stand in alder.csv, ash.csv, birch.csv, with one model each, so each file is an evaluation of "
        "its own: --map model=@file joins them, each model by its file's name."
    )
    with pytest.raises(QuestionError, match=r"nothing to compare\. The same items stand in .* --map model=@file"):
        compare([tmp_path], CompareQuestion())


def test_files_that_are_named_after_their_models_are_one_evaluation(tmp_path):
    for name in ("alder", "birch"):
        of_one_model(tmp_path / "grades", name)
    with named_columns(parse_map("model=@file")):
        read = read_paths([tmp_path])
    (found,) = read.evaluations
    assert (found.name, found.models, len(found.rows)) == ("grades", ("alder", "birch"), 40)
    (said,) = joined_files(read.evaluations)
    assert said.text == "Read 2 files as one evaluation, each named after its model: alder, birch."


@pytest.mark.parametrize("other", [{"items": range(15, 35)}, {"folder": "elsewhere"}], ids=["other items", "folder"])
def test_tables_of_other_items_or_folders_are_not_joined(tmp_path, other):
    of_one_model(tmp_path / "here", "alder")
    of_one_model(tmp_path / other.pop("folder", "here"), "birch", **other)
    with named_columns(parse_map("model=@file")):
        assert len(read_paths([tmp_path]).evaluations) == 2


def test_a_table_that_names_its_models_keeps_them(tmp_path):
    table(tmp_path, "grades")
    with named_columns(parse_map("model=@file")):
        (found,) = read_paths([tmp_path]).evaluations
    assert found.models == ("new", "old")


def test_names_of_files_stand_for_judges_only_where_none_is_named(tmp_path):
    table(tmp_path, "a", "gpt")
    (tmp_path / "b.json").write_text(json.dumps([{**PAIR, "annotator": None}]))
    with named_columns(parse_map({"judge": "@file"})):
        found = read_paths([tmp_path]).evaluations
    assert {each.name.partition(" ")[0]: each.judges for each in found} == {"a": ("gpt",), "alpacaeval": ("b",)}


def test_a_table_in_memory_has_no_file():
    import pandas as pd

    from voirdire.evaluation.formats.long_table import read_frame

    for what in ("judge", "model"):
        with (
            named_columns(parse_map(f"{what}=@file")),
            pytest.raises(FormatError, match=f"The table is no file: name its column of {what}s, or leave out {what}"),
        ):
            read_frame(pd.DataFrame({"item": ["a"], "score": [1.0]}))


def test_two_tasks_by_two_judges_in_one_folder_stay_apart(tmp_path):
    """Nothing tells which two files belong together."""
    for task in "ab":
        for judge in ("gpt", "claude"):
            table(tmp_path, f"{task}_{judge}", judge)
    assert len(read_paths([tmp_path]).evaluations) == 4


def said_of_none_joined(folder):
    with named_columns(parse_map("model=@file")):
        return [each.text for each in joined_files(read_paths([folder]).evaluations)]


def test_a_folder_in_which_one_file_has_other_items_says_why_nothing_is_joined(tmp_path):
    for name in ("alder", "ash"):
        of_one_model(tmp_path, name)
    of_one_model(tmp_path, "birch", items=range(100, 120))
    assert said_of_none_joined(tmp_path) == [
        "--map model=@file joins nothing: alder.csv, birch.csv have fewer than half of their items in common."
    ]


def test_files_that_name_their_models_say_why_nothing_is_joined(tmp_path):
    for name, model in (("alder", "gpt"), ("birch", "claude")):
        table(tmp_path, name, models=(model,))
    assert said_of_none_joined(tmp_path) == [
        "--map model=@file joins nothing: alder.csv, birch.csv are said in a column to be of gpt, claude."
    ]


def test_other_formats_and_folders_and_a_table_alone_say_why_nothing_is_joined(tmp_path):
    (tmp_path / "annotations").mkdir()
    (tmp_path / "annotations" / "gpt.json").write_text(json.dumps([{**PAIR, "annotator": "gpt"}]))
    (tmp_path / "apart").mkdir()
    of_one_model(tmp_path / "apart" / "one", "alder")
    of_one_model(tmp_path / "apart" / "two", "birch")
    assert said_of_none_joined(tmp_path / "annotations") == [
        "--map model=@file joins nothing: it is for tables, and results of alpacaeval name their models."
    ]
    assert said_of_none_joined(tmp_path / "apart") == [
        "--map model=@file joins nothing: alder.csv, birch.csv lie in different folders, or hold different scores."
    ]
    assert said_of_none_joined(tmp_path / "apart" / "one") == [
        "--map model=@file joins nothing: alder.csv is the only table."
    ]
