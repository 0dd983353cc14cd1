import asyncio
import dataclasses

import pytest

from tests.ddft.scripted import MemoryNotes, ScriptedAsker, ScriptedJury
from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.interviewer import InterviewerFailed, ScriptedInterviewer
from voirdire.ddft.presets import load_preset
from voirdire.ddft.protocol import DialogueSpec, Participants, run_dialogue
from voirdire.ddft.questions import NO_EXAMPLE
from voirdire.records import CallFailure

CONCEPT = find_concepts(["impressionism"])[0].concept
SOUND = load_preset("sound")


def hold(
    preset=SOUND, level=0.5, stance="rejected", answer=lambda model, request: "An example is Impression, Sunrise."
):
    asker, jury, notes = ScriptedAsker(answer), ScriptedJury(stance), MemoryNotes()
    planned = DialogueSpec("openai/gpt-5.1", CONCEPT, level, 0, 0)
    asyncio.run(run_dialogue(planned, Participants(asker, ScriptedInterviewer(), jury, notes, preset, seed=1)))
    return planned, asker, jury, notes


def text(request):
    return "\n".join("".join(map(str, message.parts)) for message in request.messages)


@pytest.mark.parametrize("level", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("preset", ["sound", "published"])
def test_the_subject_is_told_the_concept_at_every_level(preset, level):
    _, asker, _, _ = hold(load_preset(preset), level)
    for _, request in asker.requests:
        assert request.messages[0].role == "system"
        assert "Impressionism" in request.messages[0].parts[0]


def test_the_reference_is_given_in_full_at_0_shortened_at_a_half_and_not_at_1():
    given = {level: text(hold(level=level)[1].requests[0][1]) for level in (0.0, 0.5, 1.0)}
    assert CONCEPT.reference in given[0.0]
    assert 0.3 * len(CONCEPT.reference) < len(given[0.5]) < 0.7 * len(CONCEPT.reference)
    assert "No reference text is given" in given[1.0]


def test_as_run_names_no_concept_and_gives_no_reference_as_the_published_dialogues_show():
    _, asker, _, _ = hold(load_preset("as-run"), 0.0)
    for _, request in asker.requests:
        assert request.messages[0].role == "user"
    assert "Impressionism" not in text(asker.requests[0][1])


def test_five_turns_are_asked_and_the_dialogue_grows_by_question_and_answer():
    _, asker, _, _ = hold()
    assert [request.slot.turn for _, request in asker.requests] == [1, 2, 3, 4, 5]
    assert [len(request.messages) for _, request in asker.requests] == [2, 4, 6, 8, 10]


def test_the_subjects_example_is_quoted_at_turn_3():
    _, asker, _, _ = hold()
    assert "“Impression, Sunrise”" in asker.requests[2][1].messages[-1].parts[0]


@pytest.mark.parametrize("answer", ["which concept do you mean?", "An example is a technology that paints."])
def test_without_an_example_one_of_the_concept_is_asked_about_and_that_is_recorded(answer):
    planned, asker, _, notes = hold(answer=lambda model, request: answer)
    assert "“Monet's Impression, Sunrise”" in asker.requests[2][1].messages[-1].parts[0]
    assert notes.written[planned.id, 3, "turn"]["question_notes"] == [NO_EXAMPLE]


def test_where_the_concept_is_not_named_no_example_of_it_is_either():
    _, asker, _, _ = hold(load_preset("as-run"), answer=lambda model, request: "which concept do you mean?")
    assert "your example" in asker.requests[2][1].messages[-1].parts[0].lower()


def test_turn_4_names_the_trap_and_only_turns_4_and_5_tell_the_judges_of_it():
    planned, asker, jury, notes = hold()
    item = notes.written[planned.id, 4, "turn"]["trap"][1]
    assert item in asker.requests[3][1].messages[-1].parts[0]
    assert {task.turn: task.trap is not None for task in jury.tasks} == {1: False, 2: False, 3: False, 4: True, 5: True}


def test_judges_see_the_full_reference_and_the_earlier_turns_but_never_the_subjects_name():
    _, _, jury, _ = hold(level=1.0)
    for task in jury.tasks:
        assert task.reference == CONCEPT.reference
        assert len(task.history) == task.turn - 1
        shown = dataclasses.replace(task, dialogue="")  # the slot, which judges never see
        assert "gpt-5.1" not in repr(shown)


def test_who_sees_the_reference_follows_the_preset():
    seen = lambda preset, level: {task.reference is not None for task in hold(load_preset(preset), level)[2].tasks}  # noqa: E731
    assert seen("sound", 1.0) == {True}
    assert seen("published", 0.75) == {True}
    assert seen("published", 1.0) == {False}
    assert seen("as-run", 0.0) == {False}


def test_after_a_rejection_turn_5_presses_and_after_an_acceptance_it_asks_for_more():
    pressed = hold(stance="rejected")[1].requests[4][1].messages[-1].parts[0]
    deeper = hold(stance="accepted")[1].requests[4][1].messages[-1].parts[0]
    assert pressed != deeper
    assert "established" in pressed or "know it well" in pressed


@pytest.mark.parametrize(("stance", "turns"), [("accepted", 5), ("rejected", 4), ("questioned", 4)])
def test_published_asks_turn_5_only_on_acceptance(stance, turns):
    _, asker, _, _ = hold(load_preset("published"), stance=stance)
    assert len(asker.requests) == turns


def test_trap_none_puts_a_neutral_question_in_its_place():
    planned, asker, jury, notes = hold(dataclasses.replace(SOUND, trap="none"))
    assert len(asker.requests) == 5
    assert all(task.trap is None for task in jury.tasks)
    assert (planned.id, 4, "stance") not in notes.written


def test_a_failed_call_ends_the_dialogue_and_is_unscored_not_zero():
    fail = lambda model, request: CallFailure("server", "down", 6) if request.slot.turn == 3 else "An answer."  # noqa: E731
    planned, asker, jury, notes = hold(answer=fail)
    assert len(asker.requests) == 3
    assert len(jury.tasks) == 2
    body = notes.written[planned.id, 3, "verdicts/scripted"]
    assert body["consensus"]["unscored"]
    assert body["consensus"]["far"] is None
    assert notes.written[planned.id, 0, "held"]["complete"] is False


def test_where_the_jury_has_no_stance_the_reference_panel_settles_turn_5_and_that_is_recorded():
    planned, _, _, notes = hold(stance=None)
    assert notes.written[planned.id, 4, "stance"]["basis"] == "reference panel"


def test_a_dialogue_judged_to_the_end_says_so():
    planned, _, _, notes = hold()
    judged, held = notes.written[planned.id, 0, "judged/scripted"], notes.written[planned.id, 0, "held"]
    assert judged["complete"] and held["complete"]
    assert judged["answers"] == held["answers"]
    assert len(held["answers"]) == 5


def test_a_jury_that_judges_whole_dialogues_is_asked_once_and_turn_5_follows_the_reference_panel():
    rules = dataclasses.replace(SOUND.jury, granularity="dialogue")
    planned, asker, jury, notes = hold(dataclasses.replace(SOUND, jury=rules))
    assert len(asker.requests) == 5
    assert jury.dialogues == [[1, 2, 3, 4, 5]]
    assert notes.written[planned.id, 4, "stance"]["basis"] == "reference panel"
    assert notes.written[planned.id, 5, "verdicts/scripted"]["consensus"]["far"] == 0.9


def test_an_interviewer_that_fails_leaves_the_dialogue_incomplete():
    class Failing:
        async def question(self, dialogue, ask, said):
            raise InterviewerFailed("server: down")

    notes = MemoryNotes()
    planned = DialogueSpec("openai/gpt-5.1", CONCEPT, 0.5, 0, 0)
    asyncio.run(
        run_dialogue(planned, Participants(ScriptedAsker(None), Failing(), ScriptedJury(), notes, SOUND, seed=1))
    )
    assert notes.written[planned.id, 0, "held"]["interviewer_failed"] == "server: down"
    assert notes.written[planned.id, 0, "held"]["complete"] is False
