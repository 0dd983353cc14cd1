import pytest

from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.validity import names_concept
from voirdire.records import Concept


def concept(name):
    return Concept(name.lower().replace(" ", "-"), name, "", "", (), (), (), ())


@pytest.mark.parametrize("text", ["What is Recursion?", "the RECURSION, then", "On “recursion”."])
def test_a_name_is_found_in_any_case_and_beside_any_sign(text):
    assert names_concept(text, concept("Recursion"))


@pytest.mark.parametrize("text", ["What is this concept?", "recursions of old", ""])
def test_a_text_without_the_name_or_with_another_word_does_not_name_it(text):
    assert not names_concept(text, concept("Recursion"))


@pytest.mark.parametrize("text", ["Newton’s second law says so.", "What is F = ma?", "NEWTONS SECOND LAW"])
def test_either_part_of_a_name_with_a_formula_will_do(text):
    assert names_concept(text, concept("Newton's Second Law (F=ma)"))


def test_a_published_alias_is_not_a_name():
    (file,) = find_concepts(["newtons-second-law"])
    assert "ma" in file.concept.aliases
    assert not names_concept("What is ma?", file.concept)


def test_a_name_in_another_script_is_found():
    assert names_concept("this concept: 导数\n\nWhat is it?", concept("导数"))
    assert names_concept("Что такое Рекурсия?", concept("рекурсия"))
    assert not names_concept("What is this concept?", concept("导数"))
