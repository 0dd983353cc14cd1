"""`voirdire ddft replicate`."""

import re
from contextlib import chdir

import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.support.table_2 import TABLE_2


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What is printed for people, far from any shared folder."""
    nowhere = tmp_path_factory.mktemp("nowhere")
    chart = nowhere / "curves.svg"
    with chdir(nowhere):
        done = voirdire(
            "ddft", "replicate", "--all", "--chart", chart, env={"VOIRDIRE_SHARED": str(nowhere), "COLUMNS": "100"}
        )
    return done.stdout, chart


def test_json_has_the_nine_models_and_the_claims():
    found = voirdire_json("ddft", "replicate")

    assert [row["model"] for row in found["models"]] == list(TABLE_2)
    first = found["models"][0]
    assert set(first["metrics"]) == {"HOC", "CRI", "FAR_prime", "SAS_prime", "CI_raw", "CI_norm", "danger_zone_pct"}
    assert first["published"]["CI_raw"] == 0.914
    assert first["n"] == {"FAR_prime": 7, "SAS_prime": 196}
    assert {row["model"]: row["phenotype_relative"] for row in found["models"]} == {
        model: row[5] for model, row in TABLE_2.items()
    }
    assert len(found["claims"]) >= 35


def test_people_see_table_2_the_curves_every_verdict_and_the_count(printed):
    text, _ = printed

    row = r"o4-mini +0\.914 +1\.000 +0\.872 +0\.831 +0\.877"
    for figures in (row, r"o4-mini +14\.0 +14\.0 +7 +Robust", r"o4-mini +0\.75 +0\.85 +0\.85 +0\.85 +0\.84"):
        assert re.search(figures, text)
    for heading in ("Not reproduced", "Reproduced under another definition", "Not checkable", "Reproduced"):
        assert f"\n{heading}: " in text
    assert re.search(r"turn-4-p +FAR at turn 4 against +0\.007", text)
    assert "of 114 claims of the paper hold in its own data" in text
    assert max(map(len, text.splitlines())) <= 100


def test_every_width_shows_the_same_figures_and_the_whole_of_every_name():
    shown = {
        width: voirdire("ddft", "replicate", "--all", env={"COLUMNS": str(width)}).stdout for width in (60, 80, 220)
    }

    for width, said in shown.items():
        assert set(re.findall(r"\d[\d,]*\.\d+", said)) == set(re.findall(r"\d[\d,]*\.\d+", shown[220]))
        assert not re.search(r"\d…(?!\w)", said)
        assert max(map(len, said.splitlines())) <= width
        assert all(model in re.sub(r"\s", "", said) for model in TABLE_2)


def test_the_index_is_never_called_ci_alone_which_reads_as_confidence_interval(printed):
    text, _ = printed

    assert not re.search(r"\bCI\b(?! index)", " ".join(text.split()))


def test_the_curves_can_be_saved_as_a_chart(printed):
    _, chart = printed

    assert chart.read_text().startswith("<svg")
    assert "claude-haiku-4-5" in chart.read_text()


def test_one_claim_can_be_shown_with_its_definition():
    text = voirdire("ddft", "replicate", "--claim", "kappa-far").stdout

    assert "definition" in text
    assert "cut at 0.7" in " ".join(text.split())
