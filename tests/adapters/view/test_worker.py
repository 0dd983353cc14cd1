"""What is worked out beside the pages."""

import json
import shutil

from tests.adapters.examples import GULLIBLE, STEADY, examined, stopped
from tests.cli.here import voirdire
from tests.support import refuser
from voirdire.adapters.view import worker
from voirdire.ddft.results import load_run


def ask(what, *runs):
    return json.loads(worker.answer(json.dumps({"what": what, "runs": [str(run) for run in runs]})))


def test_each_instrument_counts_what_is_done(study, labels, audits):
    assert ask("progress", study)["counts"] == [18, 18, "dialogues"]
    assert ask("progress", labels)["counts"] == [6, 6, "answers"]
    assert ask("progress", audits)["counts"] == [4, 4, "audits"]
    assert ask("progress", study)["totals"]["errors"] == 0


def test_the_headline_figure_of_each_model_comes_with_its_interval(study, labels, audits):
    found = ask("figures", study)
    assert [each["name"] for each in found["figures"]] == ["ER", "ER"] and " to " in found["figures"][0]["ends"]
    assert found["says"].startswith("Epistemic reliability (ER, from 0 to 1)")
    assert ask("figures", labels)["figures"][0]["name"] == "hallucinated_pct"
    assert ask("figures", audits)["figures"][0]["name"] == "mean_score"


def test_the_report_that_follows_an_overview_is_the_report(study, labels, monkeypatch):
    whole = ask("report", study)
    assert ask("overview", labels) == {}
    shown = ask("overview", study)["page"]
    assert "Verdict" in shown and "<html" not in shown
    monkeypatch.setattr(worker, "document_of", None)
    assert ask("report", study) == whole
    monkeypatch.undo()
    assert ask("report", study) == whole  # read anew


def test_a_figure_that_can_not_be_told_yet_has_no_value_in_the_list(tmp_path):
    (found,) = ask("figures", stopped(tmp_path / "run"))["figures"]
    assert (found["value"], found["ends"], found["why"]) == ("not yet", "", "")
    assert "Judged so far" in found["warnings"][0]


def test_a_figure_that_rests_on_nothing_yet_says_so_and_not_that_n_is_0(tmp_path):
    asked = ("-m", STEADY, "-m", GULLIBLE, "--concepts", "recursion", "--jury", "simulated/judge", "--max-calls", 3)
    voirdire("run", *asked, "-o", tmp_path / "run", check=False)
    found = ask("figures", tmp_path / "run")["figures"]
    told = {"value": "not yet", "why": "no turn is judged yet", "n": None}
    assert [{name: each[name] for name in told} for each in found] == [told] * 2


def test_a_figure_without_a_value_of_a_judged_run_is_a_dash_with_the_reason_as_in_show(tmp_path):
    refuser.register_refuser()
    voirdire("run", "-m", STEADY, "--concepts", "recursion", "--jury", refuser.MUTE, "-o", tmp_path / "r", check=False)
    (found,) = ask("figures", tmp_path / "r")["figures"]
    assert (found["value"], found["why"]) == ("–", "K has no value (no answer at turns 1 to 3 is scored)")


def test_the_best_model_comes_first_and_failing_checks_are_named(tmp_path):
    believer = "simulated/subject?reject=0&accuracy=0.5"
    found = ask("figures", examined(tmp_path / "run", believer, STEADY, concepts="recursion", levels="0,1"))
    best, other = (float(each["value"]) for each in found["figures"])
    assert best > other
    assert any("this ER rests on E's smoothing" in each for each in found["figures"][1]["warnings"])
    assert found["failing"] == [check.id for check in load_run(tmp_path / "run").checks if check.status == "fail"]


def test_runs_of_one_instrument_stand_side_by_side(labels, audits, tmp_path):
    shutil.copytree(labels, tmp_path / "again")
    page = ask("comparison", labels, tmp_path / "again")["page"]
    assert "Side by side" in page and "hallucinated_pct" in page
    refused = ask("comparison", labels, audits)["problem"]
    assert refused.startswith("Runs of different instruments can't be compared") and "integrity" in refused


def test_models_of_cross_examinations_are_tested_against_one_another(study, tmp_path):
    shutil.copytree(study, tmp_path / "again")
    found = ask("comparison", study, tmp_path / "again")
    assert "Side by side" in found["page"] and "Which models differ" in found["page"]
    first, others = (
        found["page"].split(f'id="table-{each}"')[1].split("</table>")[0] for each in ("figures", "other-figures")
    )
    assert first.count("<tr") == 1 + 7 and "95 % interval" in first and "geometric mean of K, E, S and D" in first
    assert others.count("<tr") > 8 and "danger_zone_pct" not in first + others
    assert found["page"].index("Which models differ</h2>") < found["page"].index("Side by side</h2>")
    assert "script-src 'sha256-" in found["policy"]


def test_runs_that_count_by_other_thresholds_say_so_beside_their_figures(study, tmp_path):
    (tmp_path / "own.yaml").write_text("extends: quick\nthresholds: {fluent_sas: 0.9}\n")
    examined(tmp_path / "own", STEADY, preset=tmp_path / "own.yaml")
    page = ask("comparison", study, tmp_path / "own")["page"]
    assert "These figures count by different thresholds, so compare them within a run only" in page
    assert "fluent_sas" not in page.partition("Side by side</h2>")[2]


def test_what_can_not_be_read_is_told_in_a_sentence(tmp_path):
    assert ask("progress", tmp_path)["problem"].startswith("There is no run in")
    (tmp_path / "run.json").write_text('{"instrument": "ddft"}')
    assert all(ask(what, tmp_path)["problem"].endswith(".") for what in ("progress", "figures", "report"))
