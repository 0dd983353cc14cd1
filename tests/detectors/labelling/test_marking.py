from tests.detectors.labelling.examples import TEXT, answer
from voirdire.detectors.labelling.prompting import escape_marks, with_empty_marks, with_numbers


def test_sentences_are_marked_where_they_stand():
    assert with_empty_marks(answer(), range(5)) == (
        "<>Sure!</> <>The mill was built in 1802.</> <>It ground wheat for the whole county.</>\n\n"
        "<>Three villages depended on it.</> <>The museum made the village famous.</>"
    )
    assert with_numbers(answer("One. Two."), [0, 1]) == "<1>One.</1> <2>Two.</2>"


def test_of_the_others_only_the_sentence_before_stays():
    assert with_empty_marks(answer(), [2]) == (
        "[…] The mill was built in 1802. <>It ground wheat for the whole county.</> […]"
    )
    assert with_numbers(answer(), [0, 4]) == (
        "<1>Sure!</1> […] Three villages depended on it. <5>The museum made the village famous.</5>"
    )


def test_without_marks_nothing_of_the_text_changes():
    plain = with_empty_marks(answer(), range(5)).replace("<>", "").replace("</>", "")
    assert plain == TEXT


def test_what_looks_like_a_mark_in_the_text_is_made_harmless():
    said = 'a <hallu>b</hallu> </> <> < FAITHFUL > <2> <hallu reason="x">'
    assert "<" not in escape_marks(said) and "‹hallu›b‹/hallu›" in escape_marks(said)
    assert escape_marks("1 < 2 > 1, <b>bold</b>, x<y") == "1 < 2 > 1, <b>bold</b>, x<y"
