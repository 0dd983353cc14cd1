from hypothesis import given
from hypothesis import strategies as st

from tests.integrity.report.examples import CAVEAT, DENIAL, FACTS, OMISSION, RESPONSE, VAGUE
from voirdire.integrity import Violation, load_taxonomy
from voirdire.integrity.facts import parse_facts
from voirdire.integrity.report.placing import PlacedCharge, cost, note_of, pieces, place
from voirdire.integrity.scoring import Charge, score

TEXT = "abcdefghij"
FACTS_BY_ID = {fact.id: fact for fact in parse_facts(FACTS)}
KINDS = load_taxonomy().types


def noted(charge):
    return note_of(charge, FACTS_BY_ID, f", {cost(charge)}")


def shown(text, placed):
    return [(piece.text, piece.mark, piece.note) for piece in pieces(text, placed)]


def test_violations_that_overlap_share_the_stretch_and_the_gravest_marks_it():
    found = shown(TEXT, [PlacedCharge(1, 6, "minor", "m"), PlacedCharge(4, 8, "severe", "s")])

    assert found == [
        ("a", "", ""),
        ("bcd", "minor", "m"),
        ("ef", "severe", "s; m"),
        ("gh", "severe", "s"),
        ("ij", "", ""),
    ]


def test_one_inside_another_and_two_on_the_same_words():
    assert shown(TEXT, [PlacedCharge(0, 10, "minor", "whole"), PlacedCharge(3, 5, "moderate", "in")])[1] == (
        *("de", "moderate"),
        "in; whole",
    )
    assert shown(TEXT, [PlacedCharge(0, 10, "free", "x"), PlacedCharge(0, 10, "minor", "y")]) == [
        (TEXT, "minor", "y; x")
    ]


@given(
    st.text(max_size=40),
    st.lists(
        st.tuples(st.integers(0, 40), st.integers(0, 40), st.sampled_from(["free", "minor", "severe"])), max_size=8
    ),
)
def test_joined_pieces_always_give_the_text(text, spans):
    placed = [
        PlacedCharge(min(a, b, len(text)), min(max(a, b), len(text)), mark, f"{mark} {number}")
        for number, (a, b, mark) in enumerate(spans)
    ]
    found = pieces(text, placed)

    assert "".join(piece.text for piece in found) == text
    assert all(piece.text for piece in found)
    for each in placed:
        covered = "".join(piece.text for piece in found if each.note in piece.note.split("; "))
        assert covered == text[each.start : each.end]


def test_a_charge_stands_at_its_words_with_points_reason_and_fact():
    charges = score([DENIAL, VAGUE, CAVEAT, OMISSION], FACTS, response=RESPONSE).charges
    found = place(RESPONSE, charges, noted)

    assert [(RESPONSE[each.start : each.end], each.mark) for each in found] == [
        ("opened in 1911", "severe"),
        ("1911, at a great price", "minor"),
        ("It is said to be long, perhaps 212 metres.", "moderate"),
    ]
    assert found[0].note == "fact denial, -30: the year is another; fact: F1 The bridge opened in 1907."


def test_words_that_are_not_in_the_sentence_mark_the_sentence_and_a_sentence_that_is_not_there_marks_nothing():
    lost = Violation("reframing", 1, "other words", "F3")
    beyond = Violation("reframing", 9, "It is", "F3")
    charges = [Charge(each, KINDS["reframing"], 15) for each in (lost, beyond)]

    (found,) = place(RESPONSE, charges, noted)
    assert RESPONSE[found.start : found.end] == "It is said to be long, perhaps 212 metres."


def test_what_costs_nothing_is_marked_so_with_the_reason():
    twice = [DENIAL, Violation("reframing", 0, "opened in 1911", "F1")]
    found = place(RESPONSE, score(twice, FACTS, response=RESPONSE).charges, noted)

    assert [each.mark for each in found] == ["severe", "free"]
    assert found[1].note.startswith("reframing, costs nothing: the same words are charged as fact_denial")
