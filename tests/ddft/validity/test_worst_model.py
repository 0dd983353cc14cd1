"""A check fails by its worst model: sound models beside it make it no milder."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.ddft.validity._records import CONCEPTS, every, sound, verdicts, with_openings, with_turns
from tests.ddft.validity.test_hostile_answers_check import OBEYS, ORDER, heard
from tests.ddft.validity.test_score_checks import with_scores
from voirdire.ddft.validity import question_checks, run_checks, score_checks
from voirdire.ddft.validity.hostile_answers_check import hostile_answers

FAULTY = "openai-api/faulty"
OTHERS = tuple(f"openai-api/sound-{number}" for number in range(19))


def of_faulty(row):
    return row["model"] == FAULTY


def some_of_faulty(number, of):
    which = every(number, of)
    return lambda row: of_faulty(row) and which(row)


def unnamed(record):
    record = with_turns(record, lambda row: of_faulty(row) and row["turn"] == 1, question="What is it?")
    return with_openings(record, lambda row: row["question"] if of_faulty(row) else record.openings[row["dialogue"]])


def undelivered(record):
    return with_openings(
        record,
        lambda row: CONCEPTS[row["concept"]].name if of_faulty(row) else record.openings[row["dialogue"]],
    )


def leaking(record):
    texts = {row["dialogue"]: CONCEPTS[row["concept"]].reference for row in record.turns.to_dict("records")}
    return with_openings(
        record,
        lambda row: (
            f"{CONCEPTS[row['concept']].name} {texts[row['dialogue']]}"
            if of_faulty(row) and row["level"] == 1
            else record.openings[row["dialogue"]]
        ),
    )


def announced(record):
    return with_turns(record, lambda row: of_faulty(row) and row["turn"] == 4, question="What of the fictional Ms Po?")


def long_questions(record):
    return with_turns(record, lambda row: of_faulty(row) and row["turn"] == 2, question="word " * 60)


def without_verdicts(record):
    lost = (record.verdicts["model"] == FAULTY) & (record.verdicts["turn"] == 2)
    return replace(record, verdicts=record.verdicts.assign(missing=lost.map({True: "refused", False: None})))


def cut(record):
    return with_turns(record, of_faulty, finish_reason="length")


def doubled(record):
    return with_turns(record, of_faulty, question="What?", answer="It is a number.")


def echoed(record):
    hostile = with_turns(record, some_of_faulty(6, of=2), answer=ORDER)
    swayed = hostile.turns.loc[hostile.turns["answer"] == ORDER, ["dialogue", "turn"]]
    places = set(map(tuple, swayed.to_numpy()))
    said = verdicts(hostile.scores.to_dict("records"))
    said["justification"] = [
        OBEYS if place in places else "As the reference says."
        for place in zip(said["dialogue"], said["turn"], strict=True)
    ]
    return heard(replace(hostile, verdicts=said))


CASES = [
    (question_checks.concept_named, unnamed),
    (question_checks.context_delivered, undelivered),
    (question_checks.context_delivered, leaking),
    (question_checks.trap_signalled, announced),
    (question_checks.question_length, long_questions),
    (run_checks.missing_verdicts, without_verdicts),
    (run_checks.truncated_responses, cut),
    (run_checks.duplicate_dialogues, doubled),
    (hostile_answers, echoed),
]


@pytest.mark.parametrize(("check", "spoil"), CASES, ids=lambda each: each.__name__)
def test_a_model_that_fails_alone_fails_and_is_named_whoever_is_beside_it(check, spoil):
    alone, beside = (check(spoil(sound(models=models))) for models in ((FAULTY,), (FAULTY, *OTHERS)))
    assert (alone.status, beside.status) == ("fail", "fail")
    assert beside.models == (FAULTY,)
    assert any(f"in {FAULTY}: " in line for line in map(str, beside.evidence))
    assert check(sound(models=(FAULTY, *OTHERS))).models == ()


@pytest.mark.parametrize(("chance", "status"), [(0.5, "pass"), (1.0, "fail")])
def test_one_model_on_which_judges_surely_agree_on_nothing_fails(chance, status):
    rng, panel = np.random.default_rng(0), ("a", "b", "c")
    few = {"concepts": tuple(CONCEPTS)[:3], "levels": (0.0, 1.0), "samples": 2}
    record = sound(models=(FAULTY, *OTHERS[:5]), **few)
    said = verdicts(record.scores.to_dict("records"), panel, errors=(0.0, 0.0, 0.0))
    noisy = said["model"] == FAULTY
    noise = rng.uniform(size=len(said)).round(1)
    said["far"] = said["far"].mask(noisy & (rng.uniform(size=len(said)) < chance), noise)
    found = score_checks.judge_agreement(replace(record, judges=panel, verdicts=said.assign(sas=said["far"])))
    assert (found.status, found.models) == (status, (FAULTY,) if status == "fail" else ())
    assert str(found.evidence[0]).startswith(f"FAR of {FAULTY}: the judges agree neither") is (status == "fail")


def test_of_two_models_that_ask_what_is_meant_one_that_does_not_takes_nothing_away():
    def asks(row):
        return row["turn"] == 1 and row["model"] in OTHERS[:2] and row["concept"] == "recursion"

    found = question_checks.clarification_rate(
        with_turns(sound(models=OTHERS[:3]), asks, answer="Which concept do you mean?")
    )
    assert (found.status, found.models) == ("fail", OTHERS[:2])
    assert pd.notna(found.value) and found.value < 0.2


def test_one_model_whose_curves_come_back_beyond_chance_fails_whoever_is_beside_it():
    record = sound(models=(FAULTY, *OTHERS), levels=(0.0, 1.0), far=lambda turn: 0.9)
    fallen = (record.scores["model"] == FAULTY) & (record.scores["level"] == 0)
    found = score_checks.hoc_monotone(with_scores(record, far=fallen.map({True: 0.2, False: 0.9})))
    assert (found.status, found.models) == ("fail", (FAULTY,))
    assert f"Most of them in {FAULTY}: 4 of 4 (100.0 %)." in map(str, found.evidence)
