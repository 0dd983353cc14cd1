"""A run that a limit stopped early: what it says of figures that early turns decide, and how it stops."""

import csv
import json
import re
import shlex

import pandas as pd
import pytest

from tests.cli.here import voirdire, voirdire_json
from voirdire.ddft import results, session

SMALL = ("--concepts", "recursion,phoneme,derivative", "--levels", "0,1", "--jury", "simulated/judge")
NOTE = "Early turns weigh more than in a whole run, so the figures will change."
WHY = "it is not reliable yet: the model's turns are judged unevenly so far"
LEVELS = "Some levels weigh more than in a whole run, so the figures will change."


def words(text):
    return " ".join(text.replace("│", " ").split())


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A run of six dialogues that all advance together, and end in the middle of judging."""
    path = tmp_path_factory.mktemp("runs") / "stopped"
    voirdire("run", "-m", "simulated/gullible", *SMALL, "--max-calls", 26, "-o", path, check=False)
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "whole"
    voirdire("run", "-m", "simulated/steady", *SMALL, "-o", path)
    return path


def test_what_is_judged_so_far_stands_where_the_headline_would(stopped):
    said = voirdire("show", stopped).stdout
    headline = said[said.index("simulated/gullible") :].splitlines()[1]
    assert headline.startswith("Judged so far: 6 answers at turn 1, ")
    assert words(said).count(NOTE) == 1


def test_it_is_said_of_each_of_several_models_before_their_figures(tmp_path):
    path, models = tmp_path / "two", ("simulated/gullible", "simulated/steady")
    voirdire(
        "run", *(word for model in models for word in ("-m", model)), *SMALL, "--max-calls", 54, "-o", path, check=False
    )
    said = words(voirdire("show", path).stdout)
    assert all(f"! {model}: Judged so far: " in said.partition("danger zone")[0] for model in models)
    assert all(f" {model} not yet " in said for model in models), "as in the list of runs"


def test_every_exported_metric_says_how_much_is_judged(stopped, tmp_path):
    voirdire("export", stopped, "--to", "parquet", "-o", tmp_path / "out")
    assert pd.read_parquet(tmp_path / "out" / "metrics.parquet")["cautions"].str.contains(NOTE, regex=False).all()


async def interrupted(*arguments, **options):
    raise KeyboardInterrupt


def test_an_interrupt_at_any_time_names_the_run_and_says_where_nothing_is_judged(stopped, tmp_path, monkeypatch):
    bare = tmp_path / "bare"
    asked = ("run", "-m", "simulated/steady", *SMALL)
    voirdire(*asked, "--max-calls", 1, "-o", bare, check=False)
    monkeypatch.setattr(session, "run_study", interrupted)
    monkeypatch.setattr(session, "score_run", interrupted)
    done = voirdire(*asked, "-o", bare, check=False)
    assert done.returncode == 130
    kept = f"Interrupted. Every answer so far is kept in {bare}. Nothing is judged yet."
    assert done.stderr.endswith(f"{kept}\nTo go on: voirdire {' '.join(asked)} -o {bare}\n")
    done = voirdire("score", stopped, check=False)
    kept = f"Interrupted. Every answer so far is kept in {stopped}."
    assert done.stderr.endswith(f"{kept}\nTo go on: voirdire score {stopped}\n")


def test_an_interrupt_after_the_last_call_says_that_the_run_is_finished(whole, monkeypatch):
    monkeypatch.setattr(session, "run_study", interrupted)
    monkeypatch.setattr(session, "score_run", interrupted)
    finished = f"The run in {whole} was finished when you interrupted it: nothing is lost."
    for asked in (("run", "-m", "simulated/steady", *SMALL, "-o", whole), ("score", whole)):
        done = voirdire(*asked, check=False)
        assert done.returncode == 130
        assert done.stderr.endswith(f"{finished}\nTo see it: voirdire show {whole}\n")
    done = voirdire("score", whole, "--jury", "simulated/lenient", check=False)
    assert "Every answer so far is kept" in done.stderr, "that jury has not judged"


def test_an_interrupt_while_the_figures_are_computed_says_so_too(whole, monkeypatch):
    def stopped_by_hand(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(results.Result, "as_dict", stopped_by_hand)
    done = voirdire("run", "-m", "simulated/steady", *SMALL, "-o", whole, check=False)
    assert done.returncode == 130
    assert done.stderr.endswith(
        f"was finished when you interrupted it: nothing is lost.\nTo see it: voirdire show {whole}\n"
    )


def test_an_interrupted_run_without_a_folder_prints_two_lines_and_names_the_folder_that_it_made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = ("run", "-m", "simulated/steady", *SMALL, "--concepts", "modus ponens,recursion")

    async def begun(study, path, options):
        path.mkdir(parents=True)
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "run_study", begun)
    done = voirdire(*asked, check=False)
    (run,) = (tmp_path / "runs").iterdir()
    kept, go_on = done.stderr.strip().split("\n")
    assert kept == f"Interrupted before any answer arrived. The run's folder is runs/{run.name}."
    assert go_on == f"To go on: voirdire {shlex.join(asked)} -o runs/{run.name}"
    assert not done.stdout


def test_turns_that_the_jury_has_not_seen_are_counted(stopped):
    shown = voirdire_json("show", stopped)
    (model,) = shown["models"]
    assert shown["not_judged"] > 0
    assert model["n"]["turns"] + shown["not_judged"] <= 26
    assert model["notes"][0]["code"] == "note_turns_uneven"
    assert f"0 unscored, {shown['not_judged']} not judged yet;" in words(voirdire("show", stopped).stdout)


def test_its_figures_are_null_in_json_and_in_tables_with_the_reason(stopped, tmp_path):
    (model,) = voirdire_json("show", stopped)["models"]
    assert not any(model["metrics"].values()) and not model["intervals"] and model["paper_index"]["CI_raw"] is None
    assert model["reasons"]["K"] == {"code": "uneven", "text": WHY, "what": "turns"}
    assert model["n"]["K"] == 0 < model["n"]["scored"]
    voirdire("export", stopped, "--to", "csv", "-o", tmp_path / "tables")
    rows = list(csv.DictReader((tmp_path / "tables" / "metrics.csv").open()))
    (accuracy,) = (row for row in rows if row["metric"] == "K")
    assert accuracy["reason"] == WHY and not any(row["value"] or row["low"] for row in rows)
    voirdire("report", stopped, "--to", "csv", "-o", tmp_path / "report")
    for name in ("profile.csv", "paper-metrics.csv"):
        of_page = list(csv.DictReader((tmp_path / "report" / name).open()))
        assert of_page and not any(row["value"] or row["value_low"] or int(row["n"]) for row in of_page), name
    for name in ("curves-first.csv", "curves-table.csv", "turns.csv"):
        of_page = list(csv.DictReader((tmp_path / "report" / name).open()))
        empty = ("far", "far_low", "far_high", "sas", "sas_low", "sas_high")
        assert of_page and not any(row[column] for row in of_page for column in empty), name
    figures = {row["figure"]: row for row in csv.DictReader((tmp_path / "report" / "figures.csv").open())}
    assert figures["K"]["shown"] == "not yet" and not figures["K"]["value"] and not figures["K"]["low"]
    limits = voirdire_json("gate", stopped, "--min", "K=0", "--allow-incomplete", check=False)["models"][0]["limits"]
    assert [(each["value"], each["interval"], each["n"]) for each in limits] == [(None, None, 0)]
    assert not any(at["FAR"] or at["FAR_n"] for at in model["curves"])


def test_where_its_figures_are_shown_not_yet_stands_for_them(stopped, tmp_path):
    shown = voirdire("show", stopped, "--all").stdout
    voirdire("report", stopped, "--to", "md", "-o", tmp_path / "report.md")
    report, _, single_dialogues = (tmp_path / "report.md").read_text().partition("## Concept by concept")
    assert re.search(r"K +not yet +0 ", shown) and "| K | not yet |  | 0 |" in report
    for said in (shown, report):
        assert " so far " not in said.replace("judged so far", "").replace("unevenly so far", "")
    assert re.search(r"FAR, all five turns +not yet +not yet", shown) and single_dialogues


def test_a_whole_run_has_neither(whole):
    shown = voirdire_json("show", whole)
    assert shown["not_judged"] == 0
    assert "note_turns_uneven" not in {note["code"] for note in shown["models"][0]["notes"]}


def test_a_gate_on_it_says_so(stopped):
    limit = ("--min", "share_answered=0", "--allow-incomplete")
    assert NOTE in words(voirdire("gate", stopped, *limit, check=False).stdout)


def test_a_comparison_ranks_no_such_model_and_says_why(stopped, whole):
    found = voirdire_json("compare", stopped, whole, "--metric", "K")
    assert any(NOTE in caution for caution in found["cautions"])
    uneven = next(model for model in found["models"] if model["model"] == "simulated/gullible")
    assert uneven["value"] is None and uneven["interval"] is None and uneven["reason"]["code"] == "uneven"
    assert uneven["expected_rank"] is None and not uneven["reliable"]
    assert found["models"][-1] == uneven
    assert "K of simulated/gullible is not reliable yet: its turns are judged unevenly so far." in found["summary"]


def test_a_comparison_withholds_the_figures_that_the_run_s_own_table_withholds(stopped, whole):
    (uneven,) = (
        row for row in voirdire("compare", stopped, whole, "--metric", "K").stdout.splitlines() if "not yet" in row
    )
    assert uneven.split()[:3] == ["simulated/gullible", "not", "yet"] and "." not in uneven


def test_the_report_opens_with_it_and_with_no_figure(stopped, tmp_path):
    voirdire("report", stopped, "--to", "md", "-o", tmp_path / "report.md")
    verdict = words((tmp_path / "report.md").read_text()).partition("## Profile")[0]
    assert "turn 4 was not asked, or is not judged yet. Judged so far: 6 answers at turn 1" in verdict


def test_under_a_limit_dialogues_end_one_after_the_other(tmp_path):
    run = ("run", "-m", "simulated/gullible", *SMALL, "--connections", 1, "-o", tmp_path / "run")
    voirdire(*run, "--max-calls", 25, check=False)
    assert voirdire_json("show", tmp_path / "run")["stopped"].startswith("2 of 6 dialogues completed")


@pytest.fixture(scope="module")
def lopsided(tmp_path_factory):
    """A run that a limit stopped after 18 of 40 dialogues: level 0.5 was asked of every concept, level 1 of two."""
    path = tmp_path_factory.mktemp("runs") / "lopsided"
    asked = ("run", "-m", "simulated/steady", "--jury", "simulated/judge", "--connections", 1, "--max-calls", 187)
    voirdire(*asked, "-o", path, check=False)
    return path


def test_levels_judged_unevenly_so_far_stand_where_the_headline_would(lopsided):
    said = voirdire("show", lopsided).stdout
    headline = words(said[said.index("simulated/steady") :]).removeprefix("simulated/steady ")
    assert headline.startswith("Scored so far: ") and LEVELS in headline
    (model,) = voirdire_json("show", lopsided)["models"]
    assert model["notes"][0]["code"] == "note_levels_uneven" and model["n"]["concepts"] == 8


def test_a_gate_keeps_no_limit_on_figures_of_uneven_levels(lopsided):
    done = voirdire("gate", lopsided, "--min", "ER=0.01", "--bound", "--allow-incomplete", check=False)
    assert done.returncode == 100
    why = "it is not reliable yet: the model's levels are judged unevenly so far"
    assert f"simulated/steady: ER can't be compared with 0.01 yet, since {why}." in words(done.stdout)
    shown = voirdire("gate", lopsided, "--min", "ER=0.01", "--all", check=False).stdout
    assert "ER >= 0.01 not yet " in words(shown), "as in show, report and compare"
    (limit,) = json.loads(voirdire("gate", lopsided, "--min", "ER=0.01", "--json", check=False).stdout)["models"][0][
        "limits"
    ]
    assert not limit["measured"] and limit["reason"]["code"] == "uneven"


def test_a_comparison_ranks_no_model_with_uneven_levels(lopsided, whole):
    found = voirdire_json("compare", lopsided, whole, "--metric", "K")
    uneven = next(model for model in found["models"] if str(lopsided) in model["model"])
    assert uneven["unranked"] == "levels judged unevenly so far" and not uneven["reliable"]


def test_the_report_of_uneven_levels_opens_with_no_figure(lopsided, tmp_path):
    voirdire("report", lopsided, "--to", "md", "-o", tmp_path / "report.md")
    verdict = words((tmp_path / "report.md").read_text()).partition("## Profile")[0]
    assert "can't be told yet. Scored so far: " in verdict and LEVELS in verdict


def test_how_many_turns_and_dialogues_are_still_to_come_is_said_everywhere(lopsided, tmp_path):
    shown = voirdire_json("show", lopsided)
    assert shown["dialogues"] == 40 and shown["turns_planned"] == 200
    asked = f"{shown['models'][0]['n']['turns'] + shown['not_judged']} of 200 turns asked, "
    assert asked in words(voirdire("show", lopsided).stdout)
    voirdire("report", lopsided, "--to", "md", "-o", tmp_path / "report.md")
    report = words((tmp_path / "report.md").read_text())
    assert asked in report and "(not yet begun: 21 of 40 dialogues; not yet asked: turn" in report
    assert "Not yet begun: 21 of 40 dialogues." in report
    assert f"not yet judged: {shown['not_judged']} of " in report


def test_a_whole_run_has_nothing_still_to_come(whole):
    shown = voirdire_json("show", whole)
    assert shown["turns_planned"] == shown["models"][0]["n"]["turns"]
    assert "30 turns asked, " in words(voirdire("show", whole).stdout)


def test_with_several_judges_no_figure_of_it_is_told_with_or_without_one_of_them(tmp_path):
    path, models = tmp_path / "run", ("simulated/gullible", "simulated/steady")
    jury = ("--jury", "simulated/judge,simulated/judge?noise=0.2")
    of_models = [word for model in models for word in ("-m", model)]
    voirdire("run", *of_models, *SMALL[:4], *jury, "--max-calls", 86, "-o", path, check=False)
    voirdire("report", path, "--to", "json", "-o", tmp_path / "report.json")
    (of_report,) = json.loads((tmp_path / "report.json").read_text())["juries"]
    for of_jury in (voirdire_json("jury", "reliability", path), of_report):
        figures = [model["metrics"] for each in of_jury["leave_one_out"] for model in each["models"]]
        assert figures and not any(any(change.values()) for of in figures for change in of.values())
    compared = voirdire_json("compare", path, "--metric", "K")["models"]
    assert [model["model"] for model in compared] == list(models)
    for model in compared:
        assert model["coherence"] is None and model["share_answered"] is None and model["reason"]["code"] == "uneven"
    voirdire("report", path, "--to", "csv", "-o", tmp_path / "tables")
    assert not (tmp_path / "tables" / "without-CI_raw.csv").exists()
    assert "with one judge left out" not in voirdire("jury", "reliability", path, "--all").stdout


def test_where_no_order_can_be_decided_none_is_said_to_stay_the_same(tmp_path):
    path, jury = tmp_path / "run", ("--jury", "simulated/judge,simulated/judge?noise=0.2")
    voirdire("run", "-m", "simulated/gullible", "-m", "simulated/steady", *SMALL[:4], *jury, "-o", path)
    said = words(voirdire("jury", "reliability", path).stdout)
    assert "Ranked by ER" not in said
    assert "3 concepts are too few to compare 2 models: voirdire compare decides nothing on fewer than 6" in said
