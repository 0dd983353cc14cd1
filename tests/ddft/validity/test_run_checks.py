from dataclasses import replace

import pandas as pd
import pytest

from tests.ddft.validity._records import MODELS, every, sound, with_turns
from voirdire.ddft.soundness import conclude
from voirdire.ddft.validity.run_checks import (
    duplicate_dialogues,
    missing_verdicts,
    self_judging,
    truncated_responses,
)
from voirdire.reason_codes import reason


def test_a_sound_run_passes_all_four():
    for check in (self_judging, missing_verdicts, truncated_responses, duplicate_dialogues):
        assert check(sound()).status == "pass", check(sound())


def test_a_judge_of_the_subject_s_family_among_others_warns():
    found = self_judging(replace(sound(), judges=("openai/gpt-5.1", "anthropic/claude-opus-4-1")))
    assert (found.status, found.value) == ("warn", 0.5)
    assert any("claude-haiku-4-5 is judged by anthropic/claude-opus-4-1" in line for line in map(str, found.evidence))


def test_a_jury_of_nobody_but_the_family_fails():
    found = self_judging(replace(sound(), judges=("anthropic/claude-opus-4-1",)))
    assert found.status == "fail"
    assert any("Nobody outside the family" in line for line in map(str, found.evidence))


@pytest.mark.parametrize("judge", ["{}", "json:{}", "logprob:{}", "json:{}#2"])
def test_a_subject_that_judges_itself_fails_however_it_is_seated(judge):
    found = self_judging(replace(sound(), judges=("openai/gpt-5.1", judge.format(MODELS[0]))))
    assert found.status == "fail"
    assert any("sits on the jury" in line for line in map(str, found.evidence))


def test_an_interviewer_that_judges_warns():
    found = self_judging(replace(sound(), interviewer="openai/gpt-5.1"))
    assert found.status == "warn"
    assert any("asked the questions and judges" in line for line in map(str, found.evidence))


def test_simulated_models_have_no_family_and_an_unknown_one_is_named():
    simulated = sound(models=("simulated/steady", "simulated/fading"))
    (alone,) = self_judging(replace(simulated, judges=("simulated/judge",))).evidence
    assert str(alone) == "Models judged by one of their own family: 0 of 2."
    found = self_judging(replace(sound(models=("openai-api/our-own",)), judges=("reference",)))
    assert found.status == "pass"
    assert any("No family is known of openai-api/our-own." in line for line in map(str, found.evidence))


def with_missing(record, share):
    number = round(share * len(record.verdicts))
    missing = ["refused to judge"] * number + [None] * (len(record.verdicts) - number)
    return replace(record, verdicts=record.verdicts.assign(missing=missing))


@pytest.mark.parametrize(("share", "status"), [(0.02, "warn"), (0.1, "fail")])
def test_missing_verdicts_warn_and_many_fail_with_the_reason(share, status):
    found = missing_verdicts(with_missing(sound(), share))
    assert found.status == status
    assert found.value == pytest.approx(share, abs=0.01)
    assert any("refused to judge" in line for line in map(str, found.evidence))


def test_unscored_turns_count_once_with_their_missing_verdicts():
    record = with_missing(sound(), 0.1)
    unscored = record.verdicts["missing"].notna().map({True: "below the quorum", False: None})
    assert missing_verdicts(replace(record, scores=record.scores.assign(unscored=unscored))).value == 0.1


def test_a_model_that_gave_no_answers_is_named_with_how_many_questions_it_left_open():
    record = with_turns(sound(), lambda row: row["model"] == MODELS[1], answer=None)
    unscored = record.scores["model"].eq(MODELS[1]).map({True: "no answer", False: None})
    found = missing_verdicts(replace(record, scores=record.scores.assign(unscored=unscored)))
    assert f"Questions without an answer: 60 of 60 to {MODELS[1]}." in map(str, found.evidence)
    assert conclude([found], MODELS).sentence.startswith(
        "Do not rely on the figures, because the test was not sound: answers are missing "
        f"({MODELS[1]} gave none to 60 of 60 questions)."
    )
    why = reason("no_server_answered", hits=360, of=360)
    caused = missing_verdicts(
        replace(record, call_failures={MODELS[1]: why}, scores=record.scores.assign(unscored=unscored))
    )
    assert f"{MODELS[1]}: no server answered 360 of 360 calls." in map(str, caused.evidence)
    said = conclude([caused], MODELS).sentence
    assert "gave none to 60 of 60 questions: no server answered 360 of 360 calls)." in said


def test_where_judges_lack_more_than_answers_do_verdicts_are_what_is_missing():
    record = with_missing(with_turns(sound(), every(2, of=1), answer=None), 0.5)
    assert "too many verdicts are missing" in conclude([missing_verdicts(record)], MODELS).sentence


def test_while_turns_are_not_judged_yet_no_missing_verdict_is_not_measured():
    record = sound()
    found = missing_verdicts(replace(record, scores=record.scores[:60], verdicts=record.verdicts[:60]))
    assert (found.status, found.value) == ("undecided", 0)
    assert any("60 turns have not gone to this jury yet" in line for line in map(str, found.evidence))


def test_a_single_turn_is_told_of_in_the_singular():
    record = sound()
    unscored = pd.Series(["below the quorum", *[None] * (len(record.scores) - 1)])
    lacking = missing_verdicts(replace(record, scores=record.scores.assign(unscored=unscored))).evidence
    assert "Verdicts missing: 0 of 120; turns unscored: 1." in map(str, lacking)
    waiting = missing_verdicts(replace(record, scores=record.scores[:-1], verdicts=record.verdicts[:-1])).evidence
    assert "1 turn has not gone to this jury yet." in map(str, waiting)
    alone = self_judging(replace(sound(models=MODELS[:1]), judges=("openai/gpt-5.1",)))
    assert str(alone.evidence[0]) == "Models judged by one of their own family: 0 of 1."


def test_answers_without_a_claim_are_not_missing():
    record = sound()
    silent = record.scores.assign(far=float("nan"), no_claims=True)
    assert missing_verdicts(replace(record, scores=silent)).status == "pass"


def test_some_cut_answers_warn_with_their_end_and_most_fail():
    def cut(which):
        return truncated_responses(with_turns(sound(), which, finish_reason="length"))

    some = cut(every(2, of=3))
    assert (some.status, some.value) == ("warn", 0.1)
    assert any("call one another." in line for line in map(str, some.evidence))
    assert cut(lambda row: row["turn"] > 2).status == "fail"


def test_the_model_with_most_cut_answers_is_named_with_its_share():
    found = truncated_responses(with_turns(sound(), lambda row: row["model"] == MODELS[1], finish_reason="length"))
    assert (found.status, found.value) == ("fail", 0.5)  # by that model, whatever the other does
    assert f"Most of them in {MODELS[1]}: 60 of 60 (100.0 %)." in map(str, found.evidence)
    assert not any("Most of them" in str(line) for line in truncated_responses(sound()).evidence)


def test_why_imported_answers_ended_is_unknown_and_long_ones_are_counted():
    record = replace(with_turns(sound(), every(2, of=1), answer="x" * 2001), imported=True)
    found = truncated_responses(record)
    assert (found.status, found.value) == ("warn", None)
    assert "Answers longer than 2,000 characters: 12 of 120 (10.0 %)." in map(str, found.evidence)


def test_dialogues_of_one_model_told_twice_fail():
    record = sound()
    turns = record.turns
    originals = turns[turns["model"] == MODELS[0]]["answer"].tolist()
    copied = turns.assign(answer=[*originals, *originals])
    found = duplicate_dialogues(replace(record, turns=copied))
    assert (found.status, found.value) == ("fail", 0.5)
    assert any(line.endswith(" again.") for line in map(str, found.evidence))


def test_both_models_are_named_where_one_has_the_dialogues_of_the_other():
    record = sound()
    originals = record.turns[record.turns["model"] == MODELS[0]]["answer"].tolist()
    found = duplicate_dialogues(replace(record, turns=record.turns.assign(answer=[*originals, *originals])))
    assert set(found.models) == set(MODELS)
    (line,) = [str(each) for each in found.evidence if each.code == "dialogues_shared"]
    assert line == f"Dialogues of {MODELS[1]} that {MODELS[0]} has, too: 12. Which of the two is the copy is not known."


def test_one_repeated_dialogue_of_many_warns():
    record = sound(samples=2)
    turns = record.turns.copy()
    turns.loc[5:9, "answer"] = turns.loc[0:4, "answer"].tolist()
    found = duplicate_dialogues(replace(record, turns=turns))
    assert (found.status, found.value) == ("warn", 1 / 48)


def test_a_cell_with_more_dialogues_than_asked_for_warns():
    assert duplicate_dialogues(replace(sound(samples=2), samples=1)).status == "warn"
    assert duplicate_dialogues(sound(samples=2)).status == "pass"


@pytest.mark.parametrize(("words", "status"), [(10, "pass"), (40, "warn")])
def test_long_answers_that_return_at_other_levels_warn_and_short_ones_may(words, status):
    found = duplicate_dialogues(with_turns(sound(), lambda row: row["turn"] == 1, answer="word " * words))
    assert found.status == status


def test_answers_that_a_model_repeats_within_a_dialogue_are_no_duplicates():
    def again(row):
        return f"{row['dialogue']} " + "word " * 40

    assert duplicate_dialogues(with_turns(sound(), lambda row: row["turn"] > 3, answer=again)).status == "pass"


def test_beginnings_of_dialogues_that_are_alike_are_no_duplicates():
    record = with_turns(sound(), lambda row: row["level"] > 0, question="What?", answer="I do not know.")
    begun = record.turns[(record.turns["level"] == 0) | (record.turns["turn"] == 1)]
    whole = {dialogue for dialogue, rows in begun.groupby("dialogue") if len(rows) == 5}
    found = duplicate_dialogues(replace(record, turns=begun, completed_dialogues=whole))
    assert (found.status, found.value, found.count) == ("pass", 0, (0, 8))
    assert "Left out, since not completed: 16 dialogues." in map(str, found.evidence)


@pytest.mark.parametrize("whole", [0, 1])
def test_without_two_whole_dialogues_duplicates_are_not_measured_and_the_evidence_says_why(whole):
    record = sound()
    found = duplicate_dialogues(replace(record, completed_dialogues=set(sorted(record.completed_dialogues)[:whole])))
    assert (found.status, found.value) == ("not measured", None)
    assert [str(each) for each in found.evidence] == [f"Dialogues completed: {whole} of 24 begun. Comparing takes two."]


@pytest.mark.parametrize(
    ("answer", "status"), [("I'm sorry, but I can't help with that.", "pass"), ("It is a number.", "fail")]
)
def test_dialogues_that_only_decline_are_no_duplicates(answer, status):
    alike = with_turns(sound(), lambda row: True, question="What?", answer=answer)
    assert duplicate_dialogues(alike).status == status


def test_dialogues_without_any_answer_are_no_duplicates():
    unanswered = with_turns(sound(), lambda row: True, question="What?", answer=None)
    assert duplicate_dialogues(unanswered).value == 0


@pytest.mark.parametrize("check", [self_judging, missing_verdicts, truncated_responses, duplicate_dialogues])
def test_a_run_with_nothing_in_it_yet_does_not_break_a_check(check):
    record = sound()
    empty = replace(
        record, turns=record.turns[:0], scores=record.scores[:0], verdicts=pd.DataFrame(columns=record.verdicts.columns)
    )
    assert check(empty).status in ("pass", "warn", "not measured")


def test_a_model_that_judges_itself_is_found_behind_its_alias():
    record = replace(sound(models=("mine",)), judges=("json:openai/gpt-5.1",))
    assert self_judging(record).status != "fail"
    assert self_judging(replace(record, specs={"mine": "openai/gpt-5.1"})).status == "fail"
