"""What metrics are called and how they are explained: one wording, which the README shows as well."""

from pathlib import Path

import pytest

from voirdire.ddft.labels import explained
from voirdire.reasons import reason

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
LINES = [line.strip() for line in README.splitlines()]


@pytest.mark.parametrize("metric", ["ER", "K", "E", "S", "D", "V_K", "V_E", "entrenchment", "capitulation"])
def test_the_readme_shows_what_the_terminal_says_of_a_metric(metric):
    (line,) = [line for line in LINES if line.startswith(f"{metric}  ")]
    assert line.endswith(explained(metric, 3))


def test_the_readme_shows_notes_as_they_read():
    why = reason("no_incoherent_turn")
    behind = reason("part_without_value", part="FAR_prime", why=why)
    for metrics, each in ((("FAR_prime",), why), (("CI_raw", "CI_norm"), behind)):
        assert f"· {reason('note_undefined', metrics=metrics, why=each)}" in LINES


def test_with_one_level_nothing_shrinks():
    assert "shrinks" in explained("K", 2) and "shrinks" in explained("S", 2)
    for metric in ("ER", "K", "S", "CRI"):
        assert "one level only" in explained(metric, 1)
    assert explained("V_K", 1) == explained("V_K", 5)
