import json

import pandas as pd
import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.support.study import write_study
from tests.support.table_2 import TABLE_2
from voirdire.ddft.published import published_turns


@pytest.mark.parametrize("model", TABLE_2)
def test_the_published_turns_give_the_papers_table_2_to_three_decimals(imported, model):
    _, printed = imported
    (found,) = [each for each in printed["models"] if each["model"] == model]
    names = ("CI_raw", "HOC", "CRI", "FAR_prime", "SAS_prime")
    *expected, phenotype, danger = TABLE_2[model]
    assert [found["metrics"][name] for name in names] == pytest.approx(expected, abs=0.0005 + 1e-9)
    assert found["paper_index"]["phenotype_relative"] == phenotype
    of_asked = found["n"]["scored"] / found["n"]["turns"]  # as the paper counts
    assert round(found["metrics"]["danger_zone_pct"] * of_asked, 1) == danger


def test_what_rests_on_stances_is_undefined_and_says_why(imported):
    _, printed = imported
    for model in printed["models"]:
        assert model["metrics"]["ER"] is None
        assert "stance" in model["reasons"]["ER"]["text"]


def test_an_imported_run_is_complete_keeps_every_judge_and_can_be_shown(imported):
    path, printed = imported
    assert (printed["stopped"], printed["skipped"]) == (None, [])
    verdicts = pd.read_parquet(path / "verdicts.parquet")
    assert set(verdicts["judge"]) == {"gpt-5.1", "deepseek-v3.1", "claude-opus-4-1"}
    assert verdicts["missing"].notna().sum() == 3  # three single scores are missing in the release
    assert voirdire_json("show", path)["models"] == printed["models"]


def test_an_imported_run_can_be_judged_again(tmp_path):
    turns = published_turns()
    source = write_study(tmp_path / "turns.jsonl", turns[turns["model"] == "o3"])
    printed = voirdire_json("ddft", "import", source, "-o", tmp_path / "run")
    again = voirdire_json("score", tmp_path / "run", "--jury", "reference")
    assert again["jury"] != printed["jury"]
    assert again["models"][0]["n"]["turns"] == 200


def test_bad_files_of_a_folder_are_counted_and_named(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    log = [{"role": "user", "content": "What?"}, {"role": "assistant", "content": "That."}]
    good = {"subject_model": "m", "concept": "tides", "compression_level": 0, "conversation_log": log}
    (source / "good.json").write_text(json.dumps(good))
    (source / "bad.json").write_text("{")
    said = voirdire("ddft", "import", source, "-o", tmp_path / "run").stdout
    assert "1 skipped: bad.json" in " ".join(said.split())


def test_scores_under_other_names_are_said_not_to_be_read_and_where_they_belong(tmp_path):
    lines = [
        {"model": "m", "concept": "tides", "level": 0, "turn": turn, "question": "Q?", "response": "A.", "far": 0.5}
        for turn in range(1, 6)
    ]
    (tmp_path / "turns.jsonl").write_text("\n".join(map(json.dumps, lines)))
    said = " ".join(voirdire("ddft", "import", tmp_path / "turns.jsonl", "-o", tmp_path / "run").stdout.split())
    assert "Not read: far (5 times). Scores are read from judges, by judge, and from consensus" in said
    assert "which has no judge's scores" in said and "as they were published" not in said


def test_a_simulated_judge_is_called_worthless_for_real_models_before_it_judges(tmp_path):
    turns = published_turns()
    source = write_study(tmp_path / "turns.jsonl", turns[turns["model"] == "o3"].head(5))
    voirdire("ddft", "import", source, "-o", tmp_path / "run")
    warned = " ".join(voirdire("score", tmp_path / "run", "--jury", "simulated/judge", check=False).stderr.split())
    assert "A simulated judge (simulated/judge) recognises what simulated subjects say and nothing else" in warned
    assert "its scores of o3 will mean nothing" in warned
    first = " ".join(voirdire("show", tmp_path / "run", "--jury", "simulated/judge").stdout.replace("│", " ").split())
    assert "the scores that simulated/judge gave o3 mean nothing." in first.partition("what it says")[0]
    assert "simulated judge" not in voirdire("score", tmp_path / "run", "--jury", "reference").stderr
