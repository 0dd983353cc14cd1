import pytest

from tests.cli.here import voirdire
from tests.published.integrity.real import TRIALS


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
