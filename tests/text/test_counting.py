"""Numbers with their nouns, with the verbs that go with them, and shares in percent."""

from voirdire.text.counting import counted, named_twice, percent, rounded, tenths


def test_one_thing_is_singular_and_any_other_number_plural():
    assert [counted(number, "turn") for number in (0, 1, 2, 1000)] == ["0 turns", "1 turn", "2 turns", "1,000 turns"]
    assert [counted(number, "row is", "rows are") for number in (1, 3)] == ["1 row is", "3 rows are"]


def test_a_share_shows_decimals_near_its_ends_and_is_0_or_100_percent_only_when_it_is():
    shares = (0, 0.0004, 0.004, 0.125, 0.9, 0.996, 1)
    shown = ["0 %", "under 0.1 %", "0.4 %", "12 %", "90 %", "99.6 %", "100 %"]
    assert [percent(share) for share in shares] == shown


def test_a_share_in_a_sentence_can_have_the_decimals_of_the_tables():
    assert [tenths(share) for share in (53 / 62, 1, 0)] == ["85.5 %", "100.0 %", "0.0 %"]


def test_a_number_is_rounded_as_by_hand():
    assert rounded(27 / 40) == rounded(sum([1 / 40] * 27)) == "0.68"
    assert [rounded(value) for value in (5 / 8, -5 / 8, 23 / 40, -0.001, 1, 0.6749)] == [
        "0.63",
        "-0.63",
        "0.58",
        "0.00",
        "1.00",
        "0.67",
    ]
    assert [rounded(72.25, 1), rounded(float("nan"))] == ["72.3", "nan"]
    assert [rounded(1e40, 0), rounded(-1e30)] == [f"{1e40:.0f}", f"{-1e30:.2f}"], "too large to have decimals"


def test_the_first_that_was_given_before_is_named_as_it_was_written_then():
    assert named_twice("abc") is None and named_twice([]) is None
    assert named_twice(["b", "a", "c", "a", "b"]) == "a"
    assert named_twice(["Ana", "Ben", "ana"], str.casefold) == "ana"
