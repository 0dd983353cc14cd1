import json

import pytest

from tests.cli.here import voirdire
from tests.integrity.study.made import TRIALS, raw_trials, study_rows


@pytest.fixture(scope="module")
def text():
    return voirdire("integrity", "study", TRIALS).stdout


def test_the_study_is_shown_as_tables(text):
    flat = " ".join(text.split())
    assert "360 responses of 5 models to 12 scenarios with 99 facts" in flat
    assert "likert integrity 0.21 0.15–0.28 0.31 0.16 0.57 0.69 0.49 0.16 0.42" in flat
    assert "within judges 0.16" in flat
    assert "overall: model:constitution 1.78 20 0.022 0.042 0.009" in flat
    assert "binary integrity 100 (96.3%) 93.1% 0.93 0.02" in flat


def test_published_numbers_stand_beside_what_they_are(text):
    flat = " ".join(text.split())
    assert "0.31 (guide, outline): yes, ICC(3,1) overall_score" in flat
    assert "0.10 (guide): no; it is mean pairwise Pearson r overall" in flat


def test_nothing_is_cut_off_in_a_terminal_of_a_hundred_columns(text):
    tables = [line for line in text.splitlines() if "“" not in line]
    assert all(len(line) <= 100 for line in tables)
    assert not any("…" in line for line in tables)


def test_json_is_strict_and_has_a_section_for_everything(tmp_path):
    rows = study_rows()
    for row in rows:
        row["scores"]["likert"]["b"] = [90, 90, 90]
        row["ei_explanations"] = {"a": "It accurately cites the 85 years."}
    path = tmp_path / "trials.json"
    path.write_text(json.dumps(raw_trials(rows)))
    printed = voirdire("integrity", "study", path, "--json").stdout
    assert "NaN" not in printed
    found = json.loads(printed)
    assert {"headline", "icc_table", "anova", "dimensions", "evidence", "sample_selection", "sentinel"} <= set(found)
    assert all(table["mean_pairwise_pearson"] is None for table in found["icc_table"].values())
    fault = found["evidence"]["faults"][0]
    assert (fault["trial"], fault["evaluator"], fault["text"], fault["stands"]) == ("t00", "a", "85", "case")


def test_the_command_explains_itself_with_an_example():
    said = " ".join(voirdire("integrity", "study", "--help").stdout.split())
    assert "Example: voirdire integrity study" in said


@pytest.mark.parametrize(
    ("content", "says"),
    [(None, "can't be read"), ("{}", "integrity_trials/1"), (json.dumps([1]), "integrity_trials/1")],
)
def test_mistakes_are_answered_with_one_sentence(tmp_path, content, says):
    path = tmp_path / "trials.json"
    if content is not None:
        path.write_text(content)
    done = voirdire("integrity", "study", path, check=False)
    assert done.returncode == 1
    assert says in done.stderr and "Traceback" not in done.stderr
