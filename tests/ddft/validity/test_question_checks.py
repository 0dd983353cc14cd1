from dataclasses import replace

import pandas as pd
import pytest

from tests.ddft.validity._records import CONCEPTS, MODELS, every, opening, sound, with_openings, with_turns
from voirdire.ddft.validity.compression_check import _mean_evidence
from voirdire.ddft.validity.question_checks import (
    clarification_rate,
    concept_named,
    context_delivered,
    question_length,
    trap_signalled,
)
from voirdire.records import Concept
from voirdire.stats.intervals import Interval

ASKS = "I'd be glad to help, but you haven't told me which concept you mean."


def first(row):
    return row["turn"] == 1


def test_a_sound_run_passes_all_five():
    record = sound()
    for check in (concept_named, context_delivered, clarification_rate, trap_signalled, question_length):
        assert check(record).status == "pass", check(record)


def test_a_concept_that_is_named_nowhere_fails_with_what_was_sent():
    found = concept_named(with_openings(sound(), lambda row: "What is the core idea of this concept?"))
    assert (found.status, found.value) == ("fail", 0)
    assert found.interval[0] == 0 < found.interval[1] < 0.2
    assert any("core idea of this concept" in line for line in map(str, found.evidence))


def test_naming_it_in_the_first_question_is_enough():
    assert concept_named(with_openings(sound(), lambda row: row["question"])).status == "pass"


def test_a_dialogue_without_a_call_on_record_is_read_from_its_question():
    assert concept_named(replace(sound(), openings={})).status == "pass"


def test_a_named_concept_without_any_reference_fails_context_delivered():
    found = context_delivered(with_openings(sound(), lambda row: row["question"]))
    assert (found.status, found.value) == ("fail", 0)


def test_what_was_never_answered_is_not_held_against_the_context():
    record = with_openings(sound(), lambda row: "")
    silent = replace(record, answer_pieces=lambda: iter([pd.Series(None, index=record.turns.index, dtype=object)]))
    found = context_delivered(silent)
    assert (found.status, str(found.evidence[0])) == ("not measured", "No question has an answer.")


def test_the_full_reference_at_every_level_fails_context_delivered():
    found = context_delivered(with_openings(sound(), lambda row: opening(row, 0.0)))
    assert found.status == "fail"
    assert found.value == pytest.approx(0.5)  # right at c = 0, wrong at 0.5
    assert any("at c = 1 that were sent part" in line for line in map(str, found.evidence))


def test_a_reference_that_leaks_at_level_1_fails_although_the_others_are_right():
    found = context_delivered(with_openings(sound(), lambda row: opening(row, row["level"] % 1.0)))
    assert (found.status, found.value) == ("fail", 1)


def test_a_reference_that_the_run_does_not_hold_can_t_be_compared():
    nameless = {name: Concept(name, name, "", "", (), (), (), ()) for name in CONCEPTS}
    found = context_delivered(replace(sound(), concepts=nameless))
    assert (found.status, found.value) == ("warn", None)
    assert "no text of its concepts" in str(found.evidence[0])


def test_most_models_asking_what_is_meant_fails_with_their_words():
    found = clarification_rate(with_turns(sound(), first, answer=ASKS))
    assert (found.status, found.value) == ("fail", 1)
    assert any("haven't told me" in line for line in map(str, found.evidence))


def test_one_model_that_asks_while_the_other_does_not_only_warns():
    found = clarification_rate(with_turns(sound(), lambda row: first(row) and row["model"] == MODELS[0], answer=ASKS))
    assert found.status == "warn"
    assert any(MODELS[0] in line and "tells of it alone" in line for line in map(str, found.evidence))


def test_an_only_model_that_asks_is_a_warning_if_it_was_told_and_a_failure_if_not():
    asking = with_turns(sound(models=MODELS[:1]), first, answer=ASKS)
    assert clarification_rate(asking).status == "warn"
    assert clarification_rate(with_openings(asking, lambda row: "What is this concept?")).status == "fail"


def test_an_answer_that_is_missing_asks_nothing():
    found = clarification_rate(with_turns(sound(), first, answer=None))
    assert (found.status, found.value) == ("warn", None)


def test_announced_traps_fail_and_the_word_stands_in_the_quote():
    question = "A long preamble. " * 20 + "How would the fictional Professor Marchetti see it?"
    found = trap_signalled(with_turns(sound(), every(2, of=4), question=question))
    assert (found.status, found.value) == ("fail", 0.5)
    assert any("fictional Professor" in line for line in map(str, found.evidence))


def test_a_single_announced_trap_warns_and_so_do_words_at_turn_5_alone():
    record = sound(samples=2)
    assert trap_signalled(with_turns(record, every(100, of=4), question="Is this hypothetical?")).status == "warn"
    late = trap_signalled(with_turns(record, lambda row: row["turn"] == 5, question="Is this hypothetical?"))
    assert (late.status, late.value) == ("warn", 0)


def test_words_at_turn_1_announce_no_trap_and_without_a_trap_the_check_does_not_apply():
    assert trap_signalled(with_turns(sound(), first, question="Imagine a circle?")).status == "pass"
    spoilt = with_turns(sound(), lambda row: True, question="Imagine a circle?")
    found = trap_signalled(replace(spoilt, trap="none"))
    assert (found.status, found.value) == ("not measured", None)


@pytest.mark.parametrize(("words", "status"), [(49, "pass"), (50, "fail")])
def test_a_question_of_50_words_is_too_long(words, status):
    found = question_length(with_turns(sound(), lambda row: row["turn"] == 4, question="word " * words))
    assert found.status == status


def test_a_few_long_questions_warn_with_the_longest():
    found = question_length(with_turns(sound(), every(3, of=2), question="word " * 77))
    assert found.status == "warn"
    assert any("77 words" in line for line in map(str, found.evidence))


def test_fewer_than_three_concepts_give_a_share_without_an_interval():
    found = concept_named(sound(concepts=("recursion", "phoneme")))
    assert (found.status, found.value, found.interval) == ("pass", 1, None)


def test_before_a_trap_question_is_asked_whether_it_signals_is_not_measured():
    record = sound()
    found = trap_signalled(replace(record, turns=record.turns[record.turns["turn"] < 4]))
    assert (found.status, [str(each) for each in found.evidence]) == (
        "not measured",
        ["No question with a fabrication has been asked."],
    )


def test_a_fall_whose_interval_would_hold_every_value_is_told_without_one():
    anywhere, known = (_mean_evidence(0.1, Interval(-end, end, 0.95, "")) for end in (1.0, 0.5))
    assert str(anywhere) == "falls by 0.10 (no interval: it would hold every value)"
    assert str(known) == "falls by 0.10 [-0.50, 0.50]"


def test_a_fall_below_zero_is_a_rise_and_an_end_just_below_zero_shows_it():
    said = [
        str(_mean_evidence(mean, Interval(low, high, 0.95, "")))
        for mean, low, high in ((-0.03, -0.28, 0.22), (0.03, -0.003, 0.07), (0.0, 0.0, 0.0))
    ]
    assert said == [
        "rises by 0.03 [-0.22, 0.28]",
        "falls by 0.03 [-0.003, 0.07]",
        "stays the same on every concept",
    ]


def test_an_answer_that_asks_is_quoted_where_it_asks():
    late = f"{'The harbour lies in the mist. ' * 20}{ASKS} {'Boats come and go. ' * 20}"
    found = clarification_rate(with_turns(sound(), first, answer=late))
    quotes = [line for line in map(str, found.evidence) if "turn 1: “" in line]
    assert quotes and all("you haven't told me which concept" in line for line in quotes)
