import json

import pandas as pd
import pytest

from tests.cli.command import voirdire, voirdire_json
from tests.cli.test_jury import TURNS

# DDFT, Table 2: CI, HOC, CRI, FAR', SAS', phenotype; 8.2.3: danger zone in percent.
TABLE_2 = {
    "o4-mini": (0.914, 1.000, 0.872, 0.831, 0.877, "Robust", 14.0),
    "grok-4-fast-non-reasoning": (0.911, 0.969, 0.862, 0.787, 0.870, "Robust", 17.0),
    "mistral-medium-2505": (0.752, 0.938, 0.828, 0.859, 0.828, "Robust", 10.0),
    "gpt-oss-120b": (0.659, 0.812, 0.844, 0.881, 0.840, "Competent", 23.0),
    "o3": (0.628, 1.000, 0.769, 0.981, 0.757, "Competent", 14.0),
    "phi-4": (0.545, 0.938, 0.671, 0.820, 0.667, "Brittle", 10.0),
    "gpt-5": (0.534, 1.000, 0.690, 0.982, 0.690, "Brittle", 4.0),
    "Llama-4-Maverick-17B-128E-Instruct-FP8": (0.510, 0.969, 0.647, 0.869, 0.641, "Brittle", 7.5),
    "claude-haiku-4-5": (0.468, 1.000, 0.612, 0.922, 0.615, "Brittle", 1.5),
}


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "published"
    return path, voirdire_json("ddft", "import", TURNS, "-o", path)


@pytest.mark.parametrize("model", TABLE_2)
def test_the_published_turns_give_the_papers_table_2_to_three_decimals(imported, model):
    _, printed = imported
    (found,) = [each for each in printed["models"] if each["model"] == model]
    names = ("CI_raw", "HOC", "CRI", "FAR_prime", "SAS_prime")
    *expected, phenotype, danger = TABLE_2[model]
    assert [found["metrics"][name] for name in names] == pytest.approx(expected, abs=0.0005 + 1e-9)
    assert found["phenotype_relative"] == phenotype
    assert round(found["metrics"]["danger_zone_pct"], 1) == danger


def test_what_rests_on_stances_is_undefined_and_says_why(imported):
    _, printed = imported
    for model in printed["models"]:
        assert model["metrics"]["ER"] is None
        assert "stance" in model["reasons"]["ER"]


def test_an_imported_run_is_complete_keeps_every_judge_and_can_be_shown_and_judged_again(imported):
    path, printed = imported
    assert (printed["stopped"], printed["skipped"]) == (None, [])
    verdicts = pd.read_parquet(path / "verdicts.parquet")
    assert set(verdicts["judge"]) == {"gpt-5.1", "deepseek-v3.1", "claude-opus-4-1"}
    assert verdicts["missing"].notna().sum() == 3  # three single scores are missing in the release
    assert voirdire_json("ddft", "show", path)["models"] == printed["models"]
    again = voirdire_json("ddft", "score", path, "--jury", "reference")
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
