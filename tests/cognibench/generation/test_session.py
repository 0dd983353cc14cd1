import asyncio
import json
import time

import pytest

from tests.cli.here import voirdire
from tests.cognibench.grounded import BAKERY, COURT, FERRY
from tests.jury.scripted import ScriptedAsker, reply
from tests.support.fake_openai import control, start_fake_server, stats
from tests.support.forked import Forked
from voirdire.cognibench.formats import read_answers
from voirdire.cognibench.generation.plan import GenerationPlan, answers_of, cost_of, hold_dialogue, sampled
from voirdire.cognibench.generation.session import generate, read_generated, show_generated
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors import Exchange
from voirdire.records import CallFailure, Settings
from voirdire.runs import Journal, RunFolder, RunFolderError, RunOptions

A, B = "openai-api/model-a", "openai-api/model-b"
QUESTIONS = ("When did it run?", "Why did it end?", "Was that wise?")
SETTINGS = Settings(max_tokens=100)


class Notebook(dict):
    async def note(self, dialogue, turn, kind, body):
        self[turn] = body


def held(*replies):
    asker, notes = ScriptedAsker(replies), Notebook()
    done = asyncio.run(hold_dialogue(FERRY, QUESTIONS, "script/m", SETTINGS, asker, notes))
    return done, asker.requests, notes


def roles(request):
    return [message.role for message in request.messages]


def test_each_turn_is_put_with_the_models_own_earlier_answers():
    done, requests, notes = held(reply("Until 1964."), reply("A bridge came."), reply("Yes."))

    assert done and [notes[turn]["outcome"] for turn in (1, 2, 3)] == ["answered"] * 3
    assert roles(requests[2]) == ["system", "user", "assistant", "user", "assistant", "user"]
    assert requests[2].messages[2].parts == ("Until 1964.",)
    assert FERRY.text in requests[0].messages[0].parts[0]
    assert [request.slot.turn for request in requests] == [1, 2, 3]


@pytest.mark.parametrize(("bad", "outcome"), [(reply("", finish_reason="refusal"), "refused"), (reply("  "), "empty")])
def test_a_turn_without_an_answer_is_recorded_and_left_out_of_the_history(bad, outcome):
    done, requests, notes = held(reply("Until 1964."), bad, reply("Yes."))

    assert done and notes[2]["outcome"] == outcome and notes[2]["answer"] is None
    assert roles(requests[2]) == ["system", "user", "assistant", "user"]


def test_an_answer_cut_at_the_limit_stands_and_is_marked():
    _, _, notes = held(reply("Until", finish_reason="length"), reply("A."), reply("B."))
    assert (notes[1]["outcome"], notes[1]["answer"]) == ("cut", "Until")


def test_a_call_that_fails_ends_the_dialogue_for_this_session():
    done, requests, notes = held(reply("Until 1964."), CallFailure("server", "it is down", 5))

    assert not done and len(requests) == 2
    assert notes[2]["outcome"] == "failed" and "it is down" in notes[2]["error"]


def test_answers_keep_model_topic_turn_group_and_what_the_model_saw():
    from voirdire.cognibench.generation.plan import GeneratedTurn

    turns = [
        GeneratedTurn("When?", "answered", "In 1887. It was May."),
        GeneratedTurn("Why?", "refused"),
        GeneratedTurn("So?", "answered", "Yes."),
    ]
    first, last = answers_of(FERRY, "script/m", turns)

    assert [statement.text for statement in first.statements] == ["In 1887.", "It was May."]
    assert (first.turn, last.turn) == (0, 2)
    assert last.history == (Exchange("When?", "In 1887. It was May."),)
    assert (last.group, last.topic, last.model, last.context) == ("ferry", "ports", "script/m", FERRY.text)
    assert first.id != last.id and first.dialogue == last.dialogue
    assert not last.labelled


@pytest.fixture
def plan(tmp_path):
    file = tmp_path / "references.jsonl"
    file.write_text("\n".join(json.dumps(each.as_dict()) for each in (FERRY, COURT, BAKERY)))
    return lambda **changes: GenerationPlan(file, **{"models": (A, B), "turns": 2, **changes})


@pytest.fixture(scope="module")
def server():
    with start_fake_server() as base_url:
        yield base_url


@pytest.fixture
def fresh(server):
    control(server, reset=True, plan=[], latency=0.0)
    return server


def run(plan, path, **options):
    return asyncio.run(generate(plan, path, RunOptions(**options)))


def test_every_model_is_asked_the_same_by_the_same_user(plan, fresh, tmp_path):
    found = run(plan(base_url=fresh), tmp_path / "run")

    assert found.stopped is None and found.dialogues == 6 and found.users == {"scripted": 3}
    with Journal.open(tmp_path / "run" / "journal.sqlite", read_only=True) as journal:
        for turn in (1, 2):
            sent = journal.sent(("subject",), turn)
            for reference in (FERRY, COURT, BAKERY):
                one, other = sent[f"{reference.id}|{A}"], sent[f"{reference.id}|{B}"]
                assert [m for m in one if m["role"] != "assistant"] == [m for m in other if m["role"] != "assistant"]
                assert turn == 1 or one[2] != other[2]  # each has its own answers


def test_a_model_that_plays_the_user_is_asked_once_per_reference(plan, fresh, tmp_path):
    found = run(plan(base_url=fresh, user="openai-api/user"), tmp_path / "run")

    # The fake server's questions break the rules: two repairs, then the script.
    assert found.users == {"fallback": 3}
    with Journal.open(tmp_path / "run" / "journal.sqlite", read_only=True) as journal:
        asked = [recorded.slot for recorded in journal.replies() if recorded.slot.role == "user"]
    assert sorted((slot.dialogue, slot.repair) for slot in asked) == [
        (f"user|{name}", repair) for name in ("bakery", "court", "ferry") for repair in (0, 1, 2)
    ]
    assert set(stats(fresh)["replies"].values()) == {1}


def test_a_run_that_was_stopped_goes_on_without_repeating_a_call(plan, fresh, tmp_path):
    asked = plan(base_url=fresh)
    first = run(asked, tmp_path / "run", max_calls=5)
    last = run(asked, tmp_path / "run")
    again = run(asked, tmp_path / "run")

    assert "the limit of 5 calls" in first.stopped and sum(model.answered for model in first.models) == 5
    assert last.stopped is None and again == last
    assert stats(fresh)["total"] == 12 and set(stats(fresh)["replies"].values()) == {1}


def test_a_killed_run_goes_on_and_ends_like_one_that_was_not(plan, fresh, tmp_path):
    control(fresh, latency=0.1)
    asked = plan(base_url=fresh, turns=4)
    command = ["cognibench", "generate", "--references", asked.references, "-m", A, "-m", B, "--base-url", fresh]
    killed = Forked(lambda: voirdire(*command, "--connections", "2", "-o", tmp_path / "killed"))
    while stats(fresh)["answered"] < 6:
        assert killed.poll() is None, "The run ended before it was killed."
        time.sleep(0.01)
    killed.kill()
    control(fresh, latency=0.0)

    assert run(asked, tmp_path / "killed").stopped is None
    repeated = sum(count - 1 for count in stats(fresh)["replies"].values())
    assert repeated <= 4  # at most what was in flight: two calls of each model
    assert len(stats(fresh)["replies"]) == 24
    run(asked, tmp_path / "whole")
    assert read_generated(tmp_path / "killed") == read_generated(tmp_path / "whole")


def test_refused_and_failed_turns_are_counted_and_a_failed_one_is_asked_again(plan, fresh, tmp_path):
    control(fresh, plan=["refusal", "400"])
    asked = plan(base_url=fresh, models=(A,), count=2)
    first = run(asked, tmp_path / "run", connections=1)

    (model,) = first.models
    assert (model.refused, model.failed, model.dialogues) == (1, 1, 1)
    assert "1 of 2 dialogues missing" in first.stopped
    (model,) = run(asked, tmp_path / "run", connections=1).models
    assert (model.refused, model.failed, model.answered, model.dialogues) == (1, 0, 3, 2)


def test_the_answers_of_a_run_are_read_from_the_folder_and_from_its_file(plan, fresh, tmp_path):
    asked = plan(base_url=fresh)
    run(asked, tmp_path / "run")
    asked.references.unlink()  # the run has kept what it needs

    answers = read_generated(tmp_path / "run")
    assert len(answers) == 12 and {answer.model for answer in answers} == {A, B}
    assert read_answers(tmp_path / "run") == answers
    assert read_answers(tmp_path / "run" / "dialogues.jsonl") == answers
    assert show_generated(tmp_path / "run").topics == {"food": 1, "law": 1, "ports": 1}


def test_a_run_with_other_questions_is_refused(plan, fresh, tmp_path):
    run(plan(base_url=fresh, count=1), tmp_path / "run")
    with pytest.raises(RunFolderError, match="turns: 2 there, 3 now"):
        run(plan(base_url=fresh, count=1, turns=3), tmp_path / "run")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"models": ()}, "No model is named"),
        ({"models": (A, A)}, f"The model {A} is named more than once"),
        ({"turns": 0}, "1 to 10"),
        ({"turns": 11}, "1 to 10"),
        ({"count": 4}, "of 3 references"),
    ],
)
def test_a_plan_that_cannot_be_held_is_refused_before_anything_is_made(plan, tmp_path, changes, says):
    with pytest.raises(CognibenchError, match=says):
        run(plan(**changes), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_run_of_another_instrument_is_refused(tmp_path):
    RunFolder.create(tmp_path / "run", {"instrument": "ddft"}).close()
    with pytest.raises(CognibenchError, match="is one of ddft"):
        read_generated(tmp_path / "run")


def test_the_cost_counts_every_call_and_an_unknown_price_is_unknown(plan):
    asked = plan(models=("openai/gpt-5.1", "local/smollm2-135m"), user="openai/gpt-5.1", turns=4)
    cost = cost_of(asked, sampled(asked), 20)
    known, free = cost.models

    assert (free.calls, known.calls) == (12, 12 + 3) and (cost.dialogues, cost.turns) == (6, 24)
    assert free.usd == 0 and known.usd > 0 and cost.usd == known.usd
    unknown = plan(models=("openai/no-such-model-1",))
    assert cost_of(unknown, sampled(unknown), 20).usd is None


def test_longer_dialogues_cost_more_than_in_proportion(plan):
    two, four = (cost_of(plan(turns=n), sampled(plan()), 20).models[0] for n in (2, 4))
    assert four.calls == 2 * two.calls and four.input_tokens > 2 * two.input_tokens
