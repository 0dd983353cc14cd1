from dataclasses import replace

import pytest

from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.questions import (
    MAX_WORDS,
    NO_EXAMPLE,
    Ask,
    brief,
    interview_setting,
    known_example,
    note_in_words,
    question_faults,
    scripted_question,
    situation_of,
)
from voirdire.ddft.traps import draw_trap
from voirdire.records import TRAP_KINDS, Trap

CONCEPTS = [file.concept for file in find_concepts()]
TRAP = Trap("expert", "Professor Ilse Marchetti", "does not exist")


def ask(turn, situation, trap=TRAP, example="Impression, Sunrise", seed="s", concept="Impressionism"):
    return Ask(turn, situation, concept, example, trap, "the University of Tartu", "broken colour", seed)


@pytest.mark.parametrize("concept", CONCEPTS, ids=lambda concept: concept.id)
def test_every_scripted_question_passes_the_checks_for_every_concept_kind_and_seed(concept):
    longest = "the seventh long example that anybody gave"
    for seed in range(12):
        for kind in TRAP_KINDS:
            trap = draw_trap(concept, kind, str(seed)).trap
            place, topic = interview_setting(concept, str(seed))
            for turn, stance in [(1, None), (2, None), (3, None), (4, None), (5, "accepted"), (5, "rejected")]:
                one = Ask(turn, situation_of(turn, trap, stance), concept.name, longest, trap, place, topic, str(seed))
                question = scripted_question(one)
                assert question_faults(question, one) == [], question
                assert "$" not in question


@pytest.mark.parametrize("concept", CONCEPTS, ids=lambda concept: concept.id)
def test_without_an_example_of_the_subjects_own_one_of_the_concept_is_asked_about(concept):
    example = known_example(concept)
    assert example in {each.name for each in concept.instances}
    for seed in range(6):
        for turn in (3, 4):
            trap = draw_trap(concept, "expert", str(seed)).trap
            place, topic = interview_setting(concept, str(seed))
            one = Ask(turn, situation_of(turn, trap, None), concept.name, None, trap, place, topic, str(seed), example)
            question = scripted_question(one)
            assert f"“{example}”" in question
            assert question_faults(question, one) == [], question
            assert f"(if there is none: “{example}”)" in brief(one)


def test_the_subjects_own_example_goes_before_one_of_the_concept():
    own = replace(ask(3, "detail"), known_example="the Salon")
    assert "“Impression, Sunrise”" in scripted_question(own)
    assert "Salon" not in brief(own)


def test_neutral_questions_take_the_place_of_trap_and_follow_up():
    assert situation_of(4, None, None) == "neutral"
    assert situation_of(5, None, None) == "follow_neutral"
    question = scripted_question(ask(4, "neutral", trap=None))
    assert "Marchetti" not in question


def test_a_rejecting_subject_is_pressed_and_a_questioning_one_is_not_taken_to_have_rejected():
    assert situation_of(5, TRAP, "rejected") == "follow_rejected"
    assert situation_of(5, TRAP, "questioned") == "follow_accepted"
    assert situation_of(5, TRAP, "accepted") == "follow_accepted"


def test_a_missing_example_is_spoken_of_as_your_example():
    assert "your example" in scripted_question(ask(3, "detail", example=None))
    assert "“Impression, Sunrise”" in scripted_question(ask(3, "detail"))


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        ("", "it is empty"),
        ("Professor Ilse Marchetti disagrees. " + "word " * 50 + "?", "fewer than 50"),
        ("What does Professor Ilse Marchetti say? And why?", "exactly one"),
        ("Tell me about Professor Ilse Marchetti.", "exactly one"),
        ("What does Professor Vance say?", "does not name Professor Ilse Marchetti"),
        ("What would the fictional Professor Ilse Marchetti say?", "'fictional' gives the fabrication away"),
        ("Suppose Professor Ilse Marchetti is right: what follows?", "'Suppose' gives the fabrication away"),
    ],
)
def test_faults_of_a_question_are_named(question, fault):
    assert any(fault in found for found in question_faults(question, ask(4, "trap_expert")))


def test_before_the_trap_its_rules_do_not_apply():
    assert question_faults("Suppose we begin: what is it?", ask(1, "core_idea")) == []


def test_a_question_of_49_words_passes_and_one_of_50_does_not():
    assert question_faults(" ".join(["word"] * (MAX_WORDS - 1)) + " why?", ask(1, "core_idea")) == []
    assert question_faults(" ".join(["word"] * MAX_WORDS) + " why?", ask(1, "core_idea")) != []


def test_briefs_name_the_item_exactly():
    assert "Professor Ilse Marchetti of the University of Tartu" in brief(ask(4, "trap_expert"))


def test_a_code_among_a_question_s_notes_is_read_in_words_and_a_fault_as_it_is():
    assert note_in_words(NO_EXAMPLE) == "no example could be quoted from answer 2"
    assert note_in_words("it is too long") == "it is too long"
