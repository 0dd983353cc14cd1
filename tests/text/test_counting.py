"""Numbers with their nouns, and with the verbs that go with them."""

from voirdire.text.counting import counted


def test_one_thing_is_singular_and_any_other_number_plural():
    assert [counted(number, "turn") for number in (0, 1, 2, 1000)] == ["0 turns", "1 turn", "2 turns", "1,000 turns"]
    assert [counted(number, "row is", "rows are") for number in (1, 3)] == ["1 row is", "3 rows are"]
