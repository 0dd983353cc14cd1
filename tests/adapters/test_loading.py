import ast
import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

import voirdire
from tests.adapters.examples import GULLIBLE, STEADY, audited, examined, stopped
from tests.cli.here import voirdire as command
from voirdire.adapters.loading import LoadError
from voirdire.ddft.results import load_run
from voirdire.ddft.session import score_run
from voirdire.jury import JuryError
from voirdire.runs import RunFolder, RunFolderError


def test_a_cross_examination_is_read_in_one_call(study):
    run = voirdire.load(str(study))

    result = load_run(study)
    assert (run.instrument, run.tables) == ("ddft", ("turns", "verdicts", "scores", "metrics", "calls"))
    assert len(run.turns) == len(run.scores) == len(run.verdicts) == 2 * 3 * 3 * 5
    assert run.scores["far"].mean() == pytest.approx(result.scores["far"].mean())
    assert [profile.metrics for profile in run.result.profiles] == [profile.metrics for profile in result.profiles]
    assert run.manifest["models"] == [STEADY, GULLIBLE]
    assert len(run.calls) == 2 * len(run.turns) and set(run.calls["role"]) == {"subject", "judge"}


def test_tables_come_from_the_journal_and_not_from_files(study, tmp_path):
    copy = shutil.copytree(study, tmp_path / "copy")
    for table in copy.glob("*.parquet"):
        table.unlink()

    pd.testing.assert_frame_equal(voirdire.load(copy).scores, voirdire.load(study).scores)


def test_columns_without_a_value_are_numbers_or_texts_all_the_same(study):
    run = voirdire.load(study)

    assert run.turns["error"].isna().all() and run.turns["error"].dtype == "string"
    assert run.calls["retry_after"].isna().all() and run.calls["retry_after"].dtype == "float64"


def test_labels_and_audits_are_read_too(labels, audits):
    labelled, audited = voirdire.load(labels), voirdire.load(audits)

    assert list(labelled.statements["label"][:2]) == ["invented", "speculative"]
    assert list(labelled.answers["sentences"]) == [2] * 6
    assert dict(zip(audited.responses["id"], audited.responses["score"], strict=True))["good"] is pd.NA
    assert set(audited.violations["id"]) == {"bad", "short"}
    assert list(audited.audits["auditor"]) == ["rules"] * 4
    assert audited.responses["holistic"].dtype == "float64"


def test_a_text_that_no_file_can_hold_is_mended(tmp_path):
    run = voirdire.load(audited(tmp_path / "audits" / "run", {"half": "It opened on 4 May 1907. \ud83d"}))
    assert run.responses["response"].tolist() == ["It opened on 4 May 1907. \ufffd"]


def test_a_table_of_another_instrument_is_named_as_missing(labels, study):
    run = voirdire.load(labels)

    with pytest.raises(
        AttributeError, match=r"cognibench has no table 'turns'; it has \.statements, \.answers, \.call"
    ):
        _ = run.turns
    with pytest.raises(AttributeError, match=r"has no profiles; it has \.statements, [^f]*$"):
        _ = run.profiles
    with pytest.raises(AttributeError, match=r"no table 'statements'; it has \.turns, .*, \.profiles\.$"):
        _ = voirdire.load(study).statements
    assert not hasattr(run, "violations") and hasattr(run, "statements")


@pytest.mark.parametrize("given", [None, 3, ["runs/first"]])
def test_what_is_no_path_is_refused_in_a_sentence(given):
    with pytest.raises(LoadError, match=r"takes the folder of a run, .* it was given "):
        voirdire.load(given)


def test_a_run_that_names_no_instrument_is_refused_in_a_sentence(study, tmp_path):
    copy = shutil.copytree(study, tmp_path / "copy")
    (copy / "run.json").write_text("{}")
    with pytest.raises(LoadError, match=r"copy/run\.json names no instrument"):
        voirdire.load(copy)


def test_profiles_have_a_row_per_model_with_every_metric_and_its_interval(study):
    run = voirdire.load(study)
    of_model = {profile.model: profile for profile in run.result.profiles}

    assert set(run.profiles["model"]) == {STEADY, GULLIBLE}
    for row in run.profiles.to_dict("records"):
        profile = of_model[row["model"]]
        assert row["ER"] == pytest.approx(profile.er)
        assert (row["K_low"], row["K_high"]) == pytest.approx(profile.intervals["K"][:2])
        assert row["share_answered"] == profile.metrics["share_answered"].value
        missing = {name for name, value in profile.metrics.items() if value.value is None}
        assert all(name in row["reason"] for name in missing) and missing
    assert run.profiles["cautions"].tolist() == run.metrics.query("metric == 'ER'")["cautions"].tolist()


def test_profiles_have_the_same_columns_where_no_interval_could_be_computed(study, tmp_path):
    one_concept = voirdire.load(examined(tmp_path / "run", GULLIBLE, concepts="recursion", levels="0,1")).profiles

    assert list(one_concept) == list(voirdire.load(study).profiles)
    assert one_concept[["ER_low", "ER_high"]].isna().all(axis=None) and one_concept["ER_low"].dtype == "float64"


def test_a_run_shows_its_figures_in_one_line_and_in_a_notebook_the_verdict_and_the_models_ranked(study):
    run = voirdire.load(study)
    shown, page = str(run), run._repr_html_()
    (best,) = (profile.er for profile in run.result.profiles if profile.model == STEADY)

    assert shown.startswith(f"Epistemic reliability (ER): {STEADY} {best:.3f} (95 % interval ")
    assert f"Run {study} (ddft: {STEADY}, {GULLIBLE}, jury " in shown and "\n" not in shown
    assert "not a leaderboard" in page and ".turns, .verdicts" in page
    assert "Worst failures" in page and page.count("epistemic reliability (ER") == 1
    assert page.index(f"{STEADY}</td>") < page.index(
        "simulated/subject?reject=0.4&amp;question=0.3&amp;accuracy=0.9..0.4</td>"
    )


def test_a_repr_names_the_run_and_computes_nothing(study, monkeypatch):
    run = voirdire.load(study)
    monkeypatch.setattr(voirdire.adapters.loading, "instrument_of", None)
    assert repr(run).startswith(f"Run {study} (ddft: {STEADY}, {GULLIBLE}, jury ")


def test_a_run_that_a_limit_stopped_says_so_in_its_repr(study, tmp_path):
    run = voirdire.load(stopped(tmp_path / "run"))

    assert repr(run).endswith("; complete=False, 0 of 6 dialogues).")
    assert (run.complete, voirdire.load(study).complete) == (False, True)
    assert "complete" not in repr(voirdire.load(study))


def test_a_run_shows_which_model_is_not_judged_to_its_end_and_ends_each_sentence_once(tmp_path):
    run = voirdire.load(stopped(tmp_path / "run"))
    assert str(run).startswith(
        f"Epistemic reliability (ER): {GULLIBLE} can't be told yet. {GULLIBLE}: Judged so far: 6 answers at turn 1, "
    )
    assert ".." not in str(run).replace("0.9..0.4", "")


def test_a_run_of_another_instrument_shows_what_the_terminal_shows(audits, labels):
    for path, first, more in (
        (audits, "The rules looked at 4 of 4 responses", "fact denial"),
        (labels, "openai/labeller calls 25.0 % of 12 labelled statements hallucinated", "speculative"),
    ):
        run = voirdire.load(path)
        assert str(run).startswith(first) and f"Run {path} (" in str(run)
        assert first in run._repr_html_() and more in command("show", path, "--all").stdout


def test_a_run_of_which_nothing_can_be_said_shows_its_tables(tmp_path):
    RunFolder.create(tmp_path / "run", {"instrument": "ddft", "models": ["m"]}).close()
    run = voirdire.load(tmp_path / "run")
    assert str(run) == repr(run) == f"Run {tmp_path / 'run'} (ddft: m)."
    assert ".turns</td>" in run._repr_html_()


def test_a_run_as_a_dictionary_is_what_show_prints_as_json(study):
    assert voirdire.load(study).to_dict() == json.loads(command("show", study, "--json").stdout)


@pytest.fixture
def no_altair(monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)


def test_a_chart_without_altair_is_shown_in_a_notebook_and_saves_itself(study, tmp_path, no_altair):
    chart = voirdire.load(study).plot()
    chart.save(tmp_path / "curves.svg")
    assert chart._repr_svg_() == (tmp_path / "curves.svg").read_text()
    assert chart._repr_svg_().startswith("<svg") and STEADY in chart._repr_svg_()


def test_a_chart_without_altair_says_how_to_get_what_only_altair_can(study, no_altair):
    message = "^This chart has no .properties: pip install altair, and .plot\\(\\) gives a chart of altair.$"
    with pytest.raises(AttributeError, match=message):
        voirdire.load(study).plot().properties(width=300)


def test_a_chart_is_one_of_altairs_where_altair_is_installed(study, monkeypatch):
    made = SimpleNamespace(Chart=SimpleNamespace(from_dict=lambda spec: ("altair", spec)))
    monkeypatch.setitem(sys.modules, "altair", made)
    kind, spec = voirdire.load(study).plot()
    assert kind == "altair" and STEADY in json.dumps(spec)


def test_a_chart_shows_both_scores_of_every_model_over_compression(study, audits, no_altair):
    run = voirdire.load(study)
    drawn = run.plot().to_dict()
    rows = drawn["data"]["values"]

    assert {row["model"] for row in rows} == {STEADY, GULLIBLE}
    assert drawn["title"] == "Turns 1 to 3, before the fabrication"
    for profile in run.result.profiles:
        points = [row for row in rows if row["model"] == profile.model and row["score"] == "FAR"]
        scores = run.result.scores
        first = scores[(scores["model"] == profile.model) & (scores["turn"] <= 3)].groupby("level")["far"].mean()
        assert [row["level"] for row in points] == list(first.index)
        assert [row["value"] for row in points] == pytest.approx(list(first))
        assert all(row["low"] < row["value"] < row["high"] for row in points)
    with pytest.raises(AttributeError, match="integrity has no chart"):
        voirdire.load(audits).plot()


def test_a_loaded_run_is_taken_wherever_a_folder_is(study):
    assert voirdire.load(voirdire.load(study)).path == study
    assert load_run(voirdire.load(study)).path == study


def test_a_loaded_run_stays_usable_when_the_current_folder_changes(study, tmp_path, monkeypatch):
    monkeypatch.chdir(study.parent)
    run = voirdire.load(study.name)
    assert str(run.path) == study.name and repr(run).startswith(f"Run {study.name} (")
    printed, result = str(run), run.result

    monkeypatch.chdir(tmp_path)
    assert run.path == study.absolute() and voirdire.validate(run).to_dict()["run"] == str(study.absolute())
    assert len(run.turns) and len(run.profiles) and run.to_dict()["complete"] and len(result.checks)
    assert run._repr_html_() and printed.split(" Run ")[0] in str(run)


def test_another_jury_is_asked_for_by_its_id(tmp_path):
    copy = examined(tmp_path / "run", GULLIBLE, concepts="recursion", levels="0,1")
    asyncio.run(score_run(copy, ["simulated/lenient"]))

    first = voirdire.load(copy)
    second = voirdire.load(copy, first.juries[1])

    assert first.jury == first.juries[0] and second.judges == ("simulated/lenient",)
    assert len(first.scores) == len(second.scores) == len(first.turns)
    assert second.scores["far"].mean() > first.scores["far"].mean()
    with pytest.raises(JuryError, match=r"No jury 'nobody' has judged .*; there are .*, "):
        voirdire.load(copy, "nobody")


def test_credentials_in_a_manifest_are_taken_out(tmp_path):
    manifest = {"instrument": "ddft", "base_url": "http://me:hush@host/v1", "info": {"command": ["--key=sk-abcdefgh"]}}
    RunFolder.create(tmp_path / "run", manifest).close()

    kept = json.dumps(voirdire.load(tmp_path / "run").manifest)

    assert "hush" not in kept and "sk-abcdefgh" not in kept and "host/v1" in kept


def test_a_run_that_nobody_has_judged_yet_has_its_turns(tmp_path):
    RunFolder.create(tmp_path / "run", {"instrument": "ddft", "models": ["m"]}).close()

    run = voirdire.load(tmp_path / "run")

    assert run.turns.empty and run.scores.empty and run.jury is None
    with pytest.raises(LoadError, match="none has judged it"):
        voirdire.load(tmp_path / "run", "reference")


def test_a_folder_without_a_run_is_named(tmp_path):
    with pytest.raises(RunFolderError, match="There is no run in"):
        voirdire.load(tmp_path)


def test_the_package_stays_light_and_says_what_it_lacks():
    code = "import voirdire, sys; dir(voirdire); print('pandas' in sys.modules, 'voirdire.adapters' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)

    assert said.stdout.split() == ["False", "False"]
    assert [name for name in dir(voirdire) if not name.startswith("_")] == [
        name for name in voirdire.__all__ if not name.startswith("_")
    ]
    with pytest.raises(AttributeError, match="no attribute 'unload'"):
        _ = voirdire.unload


def test_type_checkers_know_the_same_names():
    stub = ast.parse(Path(voirdire.__file__).with_suffix(".pyi").read_text())
    imported = {
        (name.name, node.module) for node in stub.body if isinstance(node, ast.ImportFrom) for name in node.names
    }

    assert {name for name, _ in imported} | {"__version__"} == set(voirdire.__all__)
    assert all(getattr(voirdire, name).__module__.startswith(module.rpartition(".")[0]) for name, module in imported)
