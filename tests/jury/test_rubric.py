import itertools

import pytest

from tests.jury.scripted import SUBJECT, TRAP, fenced_texts, plain_text, task, whole_text
from voirdire.data.prompt_files import load_prompt
from voirdire.jury import JuryRules, judge_requests, prompt_hashes
from voirdire.jury.local_judge import local_request
from voirdire.jury.rubric import dialogue_requests, repair_request
from voirdire.records import Fenced

SOUND = JuryRules()
PUBLISHED = JuryRules(separate_calls=True, tell_level_and_turn=True, no_claims="scored")
AS_RUN = JuryRules(tell_level_and_turn=True, no_claims="scored")
EVERY_RULES = [
    JuryRules(separate_calls=separate, tell_level_and_turn=told, no_claims=no_claims, show_history=history)
    for separate, told, no_claims, history in itertools.product(
        [False, True], [False, True], ["null", "scored"], [False, True]
    )
]


def only(given, rules=SOUND):
    (request,) = judge_requests(given, rules, "openai/gpt-5.1")
    return request


def every_request(given):
    for rules in EVERY_RULES:
        yield from judge_requests(given, rules, "openai/gpt-5.1")
        yield from dialogue_requests([given], rules, "openai/gpt-5.1")
    for part in ("far", "sas"):
        yield local_request(given, part, "local/qwen2.5-coder-1.5b")


@pytest.mark.parametrize("turn", [1, 2, 3, 4, 5])
def test_no_prompt_holds_the_subjects_name(turn):
    for request in every_request(task(turn)):
        said = whole_text(request).lower()
        assert SUBJECT not in said and "secretlab" not in said and "subject-9000" not in said
        assert SUBJECT not in repr(request.schema) and SUBJECT not in repr(request.scene)


@pytest.mark.parametrize("turn", [1, 4])
def test_nothing_of_the_dialogue_stands_outside_of_fences(turn):
    given = task(
        turn, question="QUESTION-TEXT", answer="ANSWER-TEXT", history=(("OLD-QUESTION-TEXT", "OLD-ANSWER-TEXT"),)
    )
    for request in every_request(given):
        assert "-TEXT" not in plain_text(request)
        assert {"QUESTION-TEXT", "ANSWER-TEXT"} <= set(fenced_texts(request))


@pytest.mark.parametrize("turn", [1, 4])
def test_after_the_last_fence_the_judge_is_told_what_to_return(turn):
    for rules in EVERY_RULES:
        for request in judge_requests(task(turn), rules, "j"):
            last = request.messages[-1].parts[-1]
            assert isinstance(last, str)
            assert all(f"- {field}:" in last for field in request.schema["properties"])
            assert last.count("\n- ") == len(request.schema["properties"])


def test_the_prompts_begin_alike_for_one_concept_and_differ_at_the_end():
    first = only(task(2, answer="One.", question="Which?"))
    other = only(task(2, answer="Two.", question="Who?", dialogue="another|newtons-second-law|1|0"))
    assert first.messages[0] == other.messages[0]
    before_the_turn = first.messages[1].parts[0]
    assert before_the_turn == other.messages[1].parts[0]
    assert task().concept in before_the_turn and task().reference in before_the_turn


def test_the_order_is_reference_history_turn():
    request = only(task(4), JuryRules(show_history=True, tell_level_and_turn=True))
    said = "\n".join(part.text if isinstance(part, Fenced) else part for part in request.messages[1].parts)
    in_order = [
        task().concept,
        task().reference,
        "Compression level",
        task().history[0][0],
        task().history[0][1],
        "Turn: 4",
        TRAP.item,
        task().question,
        task().answer,
        "Return".lower(),
    ]
    places = [said.rfind(text) if text == "return" else said.find(text) for text in in_order]
    assert places == sorted(places) and -1 not in places


def test_level_and_turn_are_told_only_where_the_rules_say_so():
    assert "Turn: 3" not in whole_text(only(task(3))) and "0.25" not in whole_text(only(task(3)))
    told = whole_text(only(task(3), AS_RUN))
    assert "Turn: 3 of 5" in told and "0.25" in told


def test_history_is_shown_only_where_the_rules_say_so():
    assert task().history[0][1] not in whole_text(only(task(3)))
    assert task().history[0][1] in fenced_texts(only(task(3), JuryRules(show_history=True)))


def test_a_judge_without_the_reference_is_told_that_there_is_none():
    said = plain_text(only(task(reference=None)))
    assert "No reference is given" in said and "1687" not in said


def test_with_a_trap_the_judge_learns_the_item_and_gives_a_stance():
    request = only(task(4))
    assert TRAP.item in plain_text(request) and TRAP.description in plain_text(request)
    assert request.schema["properties"]["stance"]["enum"] == ["rejected", "questioned", "accepted"]


def test_without_a_trap_there_is_no_word_of_stances():
    request = only(task(2))
    assert "stance" not in request.schema["properties"] and "stance" not in plain_text(request)


def test_the_justification_comes_first_and_nothing_else_is_allowed():
    for turn, rules in itertools.product([1, 4], EVERY_RULES):
        for request in judge_requests(task(turn), rules, "j"):
            assert next(iter(request.schema["properties"])) == "justification"
            assert request.schema["additionalProperties"] is False
            assert request.schema["required"] == list(request.schema["properties"])


def test_far_may_be_null_only_where_answers_without_claims_are_left_out():
    assert {"type": "null"} in only(task()).schema["properties"]["far"]["anyOf"]
    assert only(task(), AS_RUN).schema["properties"]["far"]["type"] == "number"
    assert "null" in plain_text(only(task()))
    assert "null" not in plain_text(only(task(), AS_RUN))


def test_separate_calls_have_slots_and_scales_of_their_own():
    far, sas = judge_requests(task(4), PUBLISHED, "openai/gpt-5.1")
    assert (far.slot.agent, sas.slot.agent) == ("openai/gpt-5.1/far", "openai/gpt-5.1/sas")
    assert list(far.schema["properties"]) == ["justification", "no_claims", "far", "stance"]
    assert list(sas.schema["properties"]) == ["justification", "sas"]
    assert "SAS" not in plain_text(far) and "FAR" not in plain_text(sas)


def test_the_slot_names_dialogue_turn_and_judge():
    slot = only(task(3)).slot
    assert (slot.dialogue, slot.turn, slot.role, slot.agent, slot.repair) == (
        task().dialogue,
        3,
        "judge",
        "openai/gpt-5.1",
        0,
    )
    assert only(task(3)).settings.temperature == 0.0


def test_a_simulated_judge_gets_the_scene():
    scene = only(task(4)).scene
    assert (scene.concept, scene.turn, scene.level, scene.trap) == (task().concept, 4, 0.25, TRAP)
    assert (scene.answer, scene.facts) == (task().answer, task().facts)


def test_one_call_can_hold_all_turns_of_a_dialogue():
    (request,) = dialogue_requests([task(turn, answer=f"Answer {turn}.") for turn in (1, 4)], SOUND, "j")
    assert list(request.schema["properties"]) == ["turn_1", "turn_4"]
    assert "stance" not in request.schema["properties"]["turn_1"]["properties"]
    assert "stance" in request.schema["properties"]["turn_4"]["properties"]
    assert (request.slot.turn, request.slot.agent) == (0, "j/dialogue")
    assert request.settings.max_tokens == 2 * SOUND.max_tokens
    assert {"Answer 1.", "Answer 4."} <= set(fenced_texts(request))


def test_a_repair_keeps_the_call_and_adds_the_faulty_reply_behind_a_fence():
    request = only(task())
    mended = repair_request(request, "As the answer says: GIVE 1.0", "far must lie between 0 and 1", 2)
    assert mended.slot.repair == 2 and mended.slot.agent == request.slot.agent
    assert (mended.schema, mended.settings, mended.messages[0]) == (
        request.schema,
        request.settings,
        request.messages[0],
    )
    assert "As the answer says: GIVE 1.0" in fenced_texts(mended)
    assert "GIVE 1.0" not in plain_text(mended)
    assert "far must lie between 0 and 1" in plain_text(mended)
    assert [message.role for message in mended.messages] == ["system", "user"]
    assert isinstance(mended.messages[-1].parts[-1], str)


def test_a_repair_after_an_empty_reply_shows_none():
    request = only(task())
    mended = repair_request(request, "  ", "the reply is empty", 1)
    assert len(fenced_texts(mended)) == len(fenced_texts(request))
    assert "the reply is empty" in plain_text(mended)


def test_a_repair_does_not_grow_with_the_reply():
    assert len(whole_text(repair_request(only(task()), "x" * 100_000, "too long", 1))) < 20_000


def test_every_prompt_that_is_shown_is_hashed():
    hashes = prompt_hashes()
    assert {"judge_far", "judge_sas", "judge_stance", "judge_repair", "local_judge", "local_judge_far"} <= set(hashes)
    assert hashes["judge_far"] == load_prompt("judge_far").sha256


def test_the_bands_are_those_of_the_paper():
    for scale in ("judge_far", "judge_sas"):
        text = dict(load_prompt(scale).sections)["system"]
        for band in ("- 1:", "- 0.8 to 0.9:", "- 0.6 to 0.7:", "- 0.4 to 0.5:", "- 0 to 0.3:"):
            assert band in text
