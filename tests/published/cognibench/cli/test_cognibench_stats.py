from tests.cli.here import voirdire
from tests.published.records import DEV


def test_people_see_every_table_within_a_hundred_columns():
    text = voirdire("cognibench", "stats", DEV, "--all", env={"COLUMNS": "100"}).stdout

    for shown in (
        "labelled are 62 of 241 turns",
        "14.5 (8.2–24.7)",
        "By turn",
        "By position",
        "By topic",
        "geography and places",
    ):
        assert shown in text
    assert "By model" not in text
    assert max(map(len, text.splitlines())) <= 100


def test_the_papers_numbers_stand_beside_recomputed_ones():
    text = voirdire("cognibench", "stats", DEV, "--published", "--all", env={"COLUMNS": "100"}).stdout

    for heading in ("Not reproduced: 9", "Undecided: 2", "Consistent: 21", "Reproduced: 9"):
        assert heading in text
    assert "paper 64.8 recomputed 57.14 [48.63, 65.21], n 196" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 100
