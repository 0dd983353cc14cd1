import json

import pytest

from tests.cli.here import voirdire
from tests.integrity.examples import raw_trials, study_rows


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
