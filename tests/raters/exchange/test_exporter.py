import csv
import hashlib
import io
import json
from dataclasses import replace

import pytest

from tests.raters.exchange import examples
from voirdire.data.cells import guard, unguard
from voirdire.raters.exchange import ExchangeError, ExportPlan, export_project
from voirdire.raters.records import ORGANISER, GoldRating, Row

LABEL = {"label": "reliable", "steps": examples.steps_to("reliable"), "reason": "=1+1"}
OTHER = {"label": "faithful", "steps": [], "reason": ""}

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


@pytest.fixture
def project():
    return examples.rated(
        examples.statements(),
        (1, "a_1#1", OTHER, 4.0),
        (0, "a_1#0", LABEL, 2.5),
        (0, "p#0", OTHER, 9.0),
        gold={"a_1#0": GoldRating("a_1#0", LABEL, "agreed")},
        asked=[
            examples.question("a_1#0", "What is it?\n<b>", reply="That."),
            examples.question("a_1#1", "Not rated yet?"),
            examples.question("", "On nothing?"),
            examples.question("p#0", "On practice?"),
        ],
    )


def written(project, folder, target, **options):
    done = export_project(project, ExportPlan(target=target, out=folder / target, **options))
    return done, {path.name: path.read_bytes().decode() for path in done.files}


def lines(text):
    return [json.loads(line) for line in text.split("\n")[:-1]]


def table(text):
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_lines_hold_ratings_in_the_order_of_items_then_questions_then_gold(project, tmp_path):
    _, files = written(project, tmp_path, "jsonl", gold=True)
    first, second, lone, nothing, gold = lines(files["ratings.jsonl"])
    assert (first["item"], first["rater"], first["role"], first["blind"]) == ("a_1#0", "r1", "rater", True)
    assert (first["value"], first["seconds"], first["at"], first["phase"]) == (LABEL, 2.5, examples.AT, "live")
    assert [(each["text"], each["reply"]) for each in first["questions"]] == [("What is it?\n<b>", "That.")]
    assert (second["item"], second["rater"], second["questions"]) == ("a_1#1", "r2", [])
    assert second["shown"]["text"] == "It may carry 💩 traffic."
    assert second["shown"]["context"] == "C."
    assert second["shown"]["answer"][second["shown"]["start"] : second["shown"]["end"]] == second["shown"]["text"]
    assert (lone["kind"], lone["item"], lone["text"]) == ("question", "a_1#1", "Not rated yet?")
    assert nothing["text"] == "On nothing?"
    assert gold == {"kind": "gold", "item": "a_1#0", "document": "a_1", "value": LABEL, "how": "agreed"}


def test_a_pool_chooses_what_is_written(project, tmp_path):
    for pool, items in (("live", ["a_1#0", "a_1#1"]), ("practice", ["p#0"]), ("all", ["p#0", "a_1#0", "a_1#1"])):
        found = export_project(project, ExportPlan(target="jsonl", out=tmp_path / pool, pool=pool))
        read = lines((tmp_path / pool / "ratings.jsonl").read_text(encoding="utf-8"))
        assert [each["item"] for each in read if each["kind"] == "rating"] == items
        assert found.manifest["counts"]["ratings"] == len(items)


@pytest.mark.parametrize("target", ["jsonl", "csv", "label-studio", "log"])
def test_names_are_only_written_when_asked_for(project, tmp_path, target):
    _, files = written(project, tmp_path, target)
    assert "Ana" not in "".join(files.values())
    _, files = written(project, tmp_path / "named", target, names=True)
    assert "Ana" in files["manifest.json"] and "Ana" in "".join(
        text for name, text in files.items() if name != "manifest.json"
    )


@pytest.mark.parametrize("target", ["jsonl", "csv", "label-studio"])
def test_what_raters_must_not_know_is_in_no_export(target, tmp_path):
    project = examples.rated(examples.statements(), (0, "a_1#0", LABEL, 1.0))
    hidden = {"answer": "a_1", "path": "/home/SOMEBODY/x.jsonl", "model": "HIDDEN-MODEL"}
    documents = {name: replace(each, source=hidden) for name, each in project.documents.items()}
    _, files = written(replace(project, documents=documents), tmp_path, target, pool="all")
    assert not any(word in text for text in files.values() for word in ("SOMEBODY", "HIDDEN-MODEL", "SECRET"))


def test_the_log_holds_every_row(project, tmp_path):
    rows = (
        Row(seq=1, token="t", at="t1", rater="r1", item="a_1#0", kind="step", body={"question": "irrelevant"}),
        Row(
            seq=2,
            token="u",
            at="t2",
            rater=ORGANISER,
            item="",
            kind="reply",
            body={"text": "Yes"},
            replaces=1,
            seconds=3.5,
        ),
    )
    _, files = written(replace(project, rows=rows), tmp_path, "log", names=True)
    first, second = lines(files["log.jsonl"])
    assert first["rater"] == "Ana" and first["body"] == {"question": "irrelevant"} and first["replaces"] is None
    assert (second["rater"], second["at"], second["replaces"], second["seconds"]) == (ORGANISER, "t2", 1, 3.5)


def test_a_table_has_flat_columns_that_no_spreadsheet_executes(project, tmp_path):
    _, files = written(project, tmp_path, "csv", gold=True)
    assert files["ratings.csv"].startswith("\ufeff")
    first, second = table(files["ratings.csv"])
    assert (first["label"], first["reason"], json.loads(first["steps"])) == ("reliable", "'=1+1", LABEL["steps"])
    assert (second["rater"], second["label"], second["reason"], second["blind"]) == ("r2", "faithful", "", "yes")
    assert [each["text"] for each in table(files["questions.csv"])] == [
        "What is it?\n<b>",
        "Not rated yet?",
        "On nothing?",
    ]
    assert [(each["item"], each["how"], each["reason"]) for each in table(files["gold.csv"])] == [
        ("a_1#0", "agreed", "'=1+1")
    ]


def test_every_cell_that_begins_like_a_formula_is_guarded_in_all_tables(tmp_path):
    bare = examples.responses()
    violation = {"type": "denial", "sentence": 0, "span": "The", "reason": "@SUM(1)", "note": "+1+1", "ambiguous": True}
    value = examples.check_value(
        {
            "holistic": 60,
            "violations": [violation],
            "note": "\t=1",
            "second_look": {"note": "-2-2", "score_before": 70},
        },
        bare,
        bare.items["r0"],
    )
    project = examples.rated(
        bare, (0, "r0", value, 1.0), raters=["=cmd|' /C calc'!A0"], asked=[examples.question("r0", "＝1")]
    )
    _, files = written(project, tmp_path, "csv", names=True, gold=True)
    for name, text in files.items():
        if name.endswith(".csv"):
            cells = [cell for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")) for cell in row]
            assert not any(cell.startswith(FORMULA_STARTS) for cell in cells)
    (row,) = table(files["violations.csv"])
    assert (row["number"], row["type"], row["sentence"], row["penalty"]) == ("1", "fact_denial", "0", "30")


def test_guarding_a_cell_loses_nothing():
    for text in ("=1", "'=1", "''=1", "'quoted'", "", "'", "a=1", "＝1", "\n", "-"):
        assert unguard(guard(text)) == text


def test_the_manifest_says_what_it_is_and_holds_the_hash_of_every_file(project, tmp_path):
    done, files = written(project, tmp_path, "csv", gold=True)
    manifest = json.loads(files.pop("manifest.json"))
    assert manifest["written"] == {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files.items()}
    assert (manifest["target"], manifest["project"]["task"]) == ("csv", "cognibench")
    assert manifest["counts"] == {"items": 2, "ratings": 2, "gold": 1}
    assert manifest["raters"] == [{"rater": "r1", "role": "rater"}, {"rater": "r2", "role": "rater"}]
    assert done.manifest == manifest


def test_half_a_character_in_a_document_is_written_as_its_escape(tmp_path):
    project = examples.rated(examples.statements(context="half \ud83d"), (0, "a_1#0", LABEL, 1.0))
    _, files = written(project, tmp_path, "label-studio")
    assert json.loads(files["tasks.json"])[0]["data"]["context"] == "half \ud83d"


# --- where it is written ---


def test_an_earlier_export_is_replaced_only_with_force(project, tmp_path):
    plan = ExportPlan(target="jsonl", out=tmp_path / "out")
    export_project(project, plan)
    before = (tmp_path / "out" / "ratings.jsonl").read_bytes()
    with pytest.raises(ExchangeError, match="already exists: choose another place, or replace"):
        export_project(replace(project, ratings=()), plan)
    assert (tmp_path / "out" / "ratings.jsonl").read_bytes() == before
    export_project(project, replace(plan, target="csv", force=True))
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "manifest.json",
        "questions.csv",
        "ratings.csv",
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("extra", ["thesis.txt", "manifest.json"])
def test_nothing_but_an_earlier_export_is_ever_replaced(project, tmp_path, extra):
    out = tmp_path / "out"
    out.mkdir()
    if extra != "manifest.json":
        export_project(project, ExportPlan(target="jsonl", out=out))
    (out / extra).write_text('{"made_for": "somebody", "written": {}}')
    with pytest.raises(ExchangeError, match="is no export of ratings"):
        export_project(project, ExportPlan(target="jsonl", out=out, force=True))
    assert (out / extra).exists()


def test_a_link_is_not_followed(project, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "real")
    with pytest.raises(ExchangeError, match="already exists"):
        export_project(project, ExportPlan(target="jsonl", out=tmp_path / "out", force=True))


def test_a_failed_export_leaves_nothing_behind(tmp_path):
    with pytest.raises(ExchangeError, match="no item is settled yet"):
        export_project(examples.statements(), ExportPlan(target="released", out=tmp_path / "out"))
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_looks_like_a_file_is_refused(project, tmp_path):
    with pytest.raises(ExchangeError, match=r"An export is a folder .* give -o ratings\."):
        export_project(project, ExportPlan(target="jsonl", out=tmp_path / "ratings.jsonl"))


@pytest.mark.parametrize(
    "target, options, says",
    [
        ("log", {"pool": "all"}, "--ratings is for all but log"),
        ("jsonl", {"rater": "Ana"}, "--only-rater is for --to released"),
        ("xml", {}, "There is no form 'xml'"),
    ],
)
def test_an_option_that_asks_for_other_ratings_than_a_form_holds_is_refused(project, tmp_path, target, options, says):
    with pytest.raises(ExchangeError, match=says):
        export_project(project, ExportPlan(target=target, out=tmp_path / "out", **options))


def test_gold_and_names_are_left_out_of_a_form_without_them_and_that_is_said(project, tmp_path):
    done = export_project(project, ExportPlan(target="released", out=tmp_path / "out", gold=True, names=True))
    assert done.files and {each.partition(" ")[0] for each in done.notes[:2]} == {"--with-gold", "--rater-names"}
    assert "changes nothing in released" in done.notes[0]
    assert not {each["rater"] for each in done.manifest["raters"]} & {each.name for each in project.raters.values()}


def test_what_an_organiser_reads_names_no_word_of_ours(project, tmp_path):
    export_project(project, ExportPlan(target="csv", out=tmp_path / "csv", pool="all"))
    export_project(project, ExportPlan(target="jsonl", out=tmp_path / "jsonl", pool="all"))
    names = set(csv.DictReader((tmp_path / "csv" / "ratings.csv").open(encoding="utf-8-sig")).fieldnames)
    for line in lines((tmp_path / "jsonl" / "ratings.jsonl").read_text(encoding="utf-8")):
        names |= {*line}
    assert "phase" in names and not names & {"pool", "marked"}
