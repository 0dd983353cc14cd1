from voirdire.evidence import ContextIndex, find_contradictions
from voirdire.evidence.names import NameTable, other_names, rivals, slots_of
from voirdire.evidence.tokens import parse
from voirdire.text.entities import find_names

CONTEXT = (
    "The festival in Ostrava was founded by Milena Dvorak in 1931. Later the hall burnt down and a second one was "
    "planned. After some quarrels the town asked for money. The new hall was drawn by Pavel Novotny, who had studied "
    "in Vienna. His plans were kept. Guests from Poznan and Tallinn came to the opening."
)
INDEX = ContextIndex.from_context(CONTEXT)


def rivals_of(sentence):
    (slot,) = slots_of(parse(sentence), INDEX.names)
    return [rival.mention.text for rival in rivals(slot, INDEX.slots)]


def test_another_name_between_the_same_words_is_a_rival():
    assert rivals_of("it was then that somebody was founded by pavel novotny in 1931.") == ["Milena Dvorak"]


def test_a_name_in_its_own_place_has_no_rival():
    assert rivals_of("it was founded by milena dvorak in 1931.") == []


def test_too_few_same_words_make_no_rival():
    assert rivals_of("it was loved by pavel novotny in winter.") == []


def test_what_an_and_joins_is_one_of_several_and_no_rival():
    (first, *_) = slots_of(parse("guests from vienna and tallinn came to the opening."), INDEX.names)
    assert all(rival.mention.text != "Tallinn" for rival in rivals(first, INDEX.slots))


def test_a_replaced_name_is_found_and_shown_beside_the_right_one():
    (found,) = find_contradictions("the festival was founded by pavel novotny in 1931.", INDEX)
    assert (found.kind, found.claim, found.evidence) == ("name", "pavel novotny", "Milena Dvorak")


def test_a_name_of_the_same_passage_is_let_pass():
    sentence = "the new hall was drawn by vienna, who had studied."
    assert not any(each.kind == "name" for each in find_contradictions(sentence, INDEX))


def test_names_are_found_again_in_lower_case_and_common_words_are_none() -> None:
    table = NameTable.from_sentences([parse("He met Anna Bellamy by the Royal Chapel. A chapel is small.")])
    (mention,) = table.mentions(parse("It was anna bellamy's idea."))
    assert mention.text == "anna bellamy's"
    assert not table.mentions(parse("the chapel of a royal house"))


def test_of_joins_the_words_of_a_name_and_a_comma_parts_two() -> None:
    table = NameTable.from_sentences([parse("They went to the University of Ghent with Marta, Jonas and the rest.")])
    assert [each.text for each in table.mentions(parse("the university of ghent, marta"))] == [
        "university of ghent",
        "marta",
    ]


def test_of_two_sentences_that_say_the_same_other_names_are_named_and_a_title_rivals_only_a_title():
    mine, theirs = find_names("Then Edgar Degas showed *Poppies*."), find_names("Then Monet showed *Sunrise* in Paris.")
    pairs = [(one.text, other.text) for one, other in other_names(mine, theirs)]
    assert pairs == [("Edgar Degas", "Monet"), ("Poppies", "Sunrise")]
    assert list(other_names(find_names("Then Claude Monet came."), theirs)) == []
