"""`inspect eval voirdire/cognibench` and `voirdire/integrity`, with mock models."""

import asyncio
import json

import pytest
from inspect_ai._util.error import PrerequisiteError

from tests.cognibench.made_data import write_data
from tests.extras.inspect.scripted import Ours, mock, output
from tests.support import labelling_server
from voirdire.cognibench.formats import read_answers
from voirdire.cognibench.labelling.records import LabelTask, read_labelled
from voirdire.cognibench.labelling.session import label_answers
from voirdire.data.prompt_files import load_prompt
from voirdire.detectors.labelling import LabelPlan
from voirdire.models import register

CONTEXT = "The tower in Ulm is 161 metres high and was finished in 1890."
ANSWER = "The tower is 161 metres high. Everyone in Paris adores elephants greatly."
FACTS = ["The tower is 161 metres high.", "It was finished in 1890."]


@pytest.fixture
def data(tmp_path):
    lines = [
        {"id": f"a{i}", "context": f"{CONTEXT} It has {i} bells.", "question": "How high is it?", "response": "Old."}
        for i in range(4)
    ]
    path = tmp_path / "data.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    return str(path)


@pytest.fixture
def items(tmp_path):
    lines = [{"id": f"i{i}", "context": f"What of tower {i}?", "facts": FACTS} for i in range(3)]
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    return str(path)


def numbers(log):
    (scores,) = log.results.scores
    return {name: metric.value for name, metric in scores.metrics.items()}


def says(text):
    return mock(lambda *_: text)


# --- cognibench -----------------------------------------------------------------------------------------


MILL = "It was built in 1802. It ground wheat. That made it famous."


def labels(messages, _=None):
    """As the labelling server of the tests: wheat is a hallucination, fame is speculative."""
    return labelling_server._content({"messages": [{"content": messages[-1][1]}]}, None)


def test_a_detector_flags_the_sentences_of_new_answers(evaluate, data):
    log = evaluate("voirdire/cognibench", says(ANSWER), task_args={"data": data})

    assert log.status == "success" and len(log.samples) == 4
    assert numbers(log) == {"hallucinated": 0.5}, "6 of 12 words; no interval where contexts don't differ"
    score = log.samples[0].scores["cognibench"]
    assert score.value == {"hallucinated": 0.5, "statements": 2, "flagged": 1, "undecided": 0}
    assert [row["hallucinated"] for row in score.metadata["statements"]] == [False, True]
    assert "lexical" in log.eval.metadata["banner"] and log.eval.metadata["banner"] in score.explanation


def test_the_subject_gets_the_context_and_what_was_said_before(evaluate, tmp_path):
    path = write_data(tmp_path / "dialogues.jsonl")
    asked = {answer.id: answer for answer in read_answers(path)}
    log = evaluate("voirdire/cognibench", says(ANSWER), task_args={"data": str(path)})

    for sample in log.samples:
        answer = asked[sample.id]
        (opening,) = load_prompt("dialogue_assistant").messages(reference=answer.context)
        said = [text for exchange in answer.history for text in exchange]
        assert [message.text for message in sample.messages] == [opening.parts[0], *said, answer.question, ANSWER]
    assert any(asked[sample.id].history for sample in log.samples)


def test_rates_are_of_words_with_intervals_over_contexts(evaluate, data):
    answers = iter(["The tower is 161 metres high.", ANSWER, ANSWER + " " + ANSWER[30:], ANSWER] * 2)
    log = evaluate("voirdire/cognibench", mock(lambda *_: next(answers)), task_args={"data": data}, max_samples=1)

    found = numbers(log)
    assert found["hallucinated"] == pytest.approx(24 / 48)
    assert 0 < found["hallucinated_low"] < 0.5 < found["hallucinated_high"] < 1


def test_the_role_judge_labels_as_a_run_of_ours_does(evaluate, tmp_path):
    asked = write_data(tmp_path / "data.jsonl")
    given = {"data": str(asked), "votes": 3}
    log = evaluate("voirdire/cognibench", says(MILL), model_roles={"judge": mock(labels)}, task_args=given)
    held = [
        {"id": sample.id, "context": sample.metadata["context"], "question": sample.input, "response": MILL}
        for sample in log.samples
    ]
    (tmp_path / "held.jsonl").write_text("\n".join(map(json.dumps, held)))
    register("labelling", lambda name, options: Ours(name, labels))
    task = LabelTask(data=tmp_path / "held.jsonl", model="labelling/x", plan=LabelPlan(votes=3))

    assert asyncio.run(label_answers(task, tmp_path / "run")) is None

    ours = [[(found.label, list(found.votes)) for found in each.judged] for each in read_labelled(tmp_path / "run")]
    rows = [sample.scores["cognibench"].metadata["statements"] for sample in log.samples]
    assert [[(row["label"], row["votes"]) for row in each] for each in rows] == ours
    assert {label for each in ours for label, _ in each} >= {"faithful", "invented"}
    assert log.eval.metadata["banner"] is None and "judge" in log.stats.role_usage


def test_a_failing_labeller_leaves_sentences_undecided(evaluate, data):
    broken = mock(lambda *_: RuntimeError("out of order"))
    log = evaluate("voirdire/cognibench", says(ANSWER), model_roles={"judge": broken}, task_args={"data": data})

    assert log.status == "success"
    assert log.samples[0].scores["cognibench"].value == {
        "hallucinated": None,
        "statements": 2,
        "flagged": 0,
        "undecided": 2,
    }
    assert "hallucinated" not in numbers(log)


@pytest.mark.parametrize(
    ("reply", "reason"), [(output("I can't.", "content_filter"), "refusal"), ("  ", "no_response")]
)
@pytest.mark.parametrize("task", ["cognibench", "integrity"])
def test_without_an_answer_there_is_no_score(evaluate, data, items, task, reply, reason):
    given = {"data": data} if task == "cognibench" else {"items": items}
    log = evaluate(f"voirdire/{task}", mock(lambda *_: reply), task_args=given)

    assert {sample.scores[task].reason for sample in log.samples} == {reason}
    assert log.results.scores[0].scored_samples == 0


def test_two_labellers_are_refused(evaluate, data):
    with pytest.raises(PrerequisiteError) as error:
        evaluate(
            "voirdire/cognibench", says(""), model_roles={"judge": ["mockllm/a", "mockllm/b"]}, task_args={"data": data}
        )
    assert "One model labels" in error.value.message


# --- integrity ------------------------------------------------------------------------------------------

DENIAL = {
    "findings": [
        {
            "reason": "It says otherwise.",
            "sentence": 1,
            "quote": "The tower is 90 metres high",
            "type": "denial",
            "fact": "F1",
        }
    ],
    "covered": ["F1", "F2"],
}


def test_rules_audit_new_answers_and_the_log_says_what_that_is_worth(evaluate, items):
    log = evaluate("voirdire/integrity", says("The tower is 161 metres high."), task_args={"items": items})

    assert "mean_score" not in numbers(log)
    score = log.samples[0].scores["integrity"]
    assert score.metadata["unscored"] == "rules_alone" and score.metadata["score"] is score.metadata["band"] is None
    assert [each["type"] for each in score.metadata["violations"]] == ["single_omission"]
    assert score.explanation.startswith("Unscored") and "single_omission (F2)" in score.explanation
    assert "there is no score" in log.eval.metadata["banner"]
    assert all(fact in log.samples[0].messages[0].text for fact in FACTS), "the facts are given to the model"


def test_auditors_decide_by_majority(evaluate, items):
    finds, passes = mock(lambda *_: json.dumps(DENIAL)), mock(lambda *_: json.dumps(DENIAL | {"findings": []}))
    broken = mock(lambda *_: RuntimeError("out of order"))
    answer = says("The tower is 90 metres high. It was finished in 1890.")

    def scores(*auditors):
        log = evaluate("voirdire/integrity", answer, model_roles={"judge": list(auditors)}, task_args={"items": items})
        return log.samples[0].scores["integrity"]

    assert scores(finds, finds, passes).value["score"] == 70
    assert scores(finds, passes, passes).value["score"] == 100
    assert scores(finds, finds, broken).value["score"] == 70
    unscored = scores(finds, broken, broken)
    assert unscored.reason == "grader_failed" and "out of order" in unscored.explanation


def test_an_item_without_a_question_is_refused(evaluate, tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps({"id": "x", "facts": FACTS}))
    with pytest.raises(PrerequisiteError) as error:
        evaluate("voirdire/integrity", says(""), task_args={"items": str(path)})
    assert "line 1: it has no context, which is the question" in error.value.message
