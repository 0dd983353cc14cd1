"""`inspect eval voirdire/ddft`: the same test as our own runner's, as a task of Inspect's."""

import subprocess

import pytest
from inspect_ai._util.error import PrerequisiteError
from inspect_ai._util.registry import registry_lookup
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.model import get_model

from tests.extras.inspect.conftest import hold
from tests.extras.inspect.scripted import HOSTILE, mock, mock_judge, mock_subject, subject
from voirdire.adapters.inspect.ddft import metrics_of, profile_of
from voirdire.jury import REFERENCE_BANNER

CONCEPTS = ["recursion", "impressionism", "natural-selection"]
ONE = {"concepts": "recursion", "levels": 0}


def numbers(log):
    (scores,) = log.results.scores
    return {name: metric.value for name, metric in scores.metrics.items()}


def verdicts(log):
    return [row for sample in log.samples for row in sample.scores["ddft"].metadata["verdicts"]]


def test_the_command_ends_with_inspects_mock_model(tmp_path, environment):
    command = [
        "inspect",
        "eval",
        "voirdire/ddft",
        "--model",
        "mockllm/model",
        "--model-role",
        "judge=[mockllm/a, mockllm/b]",
    ]
    options = ["-T", "levels=0,1", "-T", "concepts=recursion", "--log-dir", str(tmp_path), "--display", "plain"]

    done = subprocess.run([*command, *options], capture_output=True, text=True, env=environment, timeout=300)

    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = list_eval_logs(str(tmp_path))
    log = read_eval_log(found)
    assert log.status == "success"
    assert [sample.id for sample in log.samples] == ["recursion@0", "recursion@1"]
    assert log.eval.metadata["judges"] == ["mockllm/a", "mockllm/b"]
    assert {row["judge"] for row in verdicts(log)} == {"mockllm/a", "mockllm/b"}


@pytest.mark.parametrize("kind", ["task", "solver", "scorer", "metric"])
def test_inspect_finds_what_there_is_through_the_entry_point(kind):
    names = {"task": "ddft", "solver": "cross_examination", "scorer": "ddft", "metric": "profile"}
    assert registry_lookup(kind, f"voirdire/{names[kind]}") is not None


def test_the_same_replies_give_the_same_metrics_as_our_own_runner(evaluate, ours, tmp_path):
    judges = [mock_judge("a"), mock_judge("b"), mock_judge("c", junk=3)]
    log = evaluate(
        "voirdire/ddft",
        mock_subject(),
        model_roles={"judge": judges},
        task_args={"preset": "lite", "concepts": CONCEPTS},
    )
    run = hold(tmp_path / "run", ["scripted/subject"], jury=["scripted/a", "scripted/b", "scripted/c-3"])

    (profile,) = run.profiles
    assert numbers(log) == metrics_of(profile)
    assert {"ER", "ER_low", "ER_high", "HOC", "CI_raw", "danger_zone_pct", "V_E"} <= numbers(log).keys()
    assert (
        profile_of(sample.scores["ddft"] for sample in log.samples).as_dict()["metrics"] == profile.as_dict()["metrics"]
    )
    assert any(row["missing"] for row in verdicts(log)), "a judge's failures are part of the comparison"
    missing = sorted(run.tables.verdicts["missing"].dropna())
    assert sorted(row["missing"] for row in verdicts(log) if row["missing"]) == missing


def test_epochs_are_samples_whichever_way_they_are_asked_for(evaluate):
    by_parameter = evaluate("voirdire/ddft", mock_subject(), task_args={**ONE, "samples": 2})
    by_epochs = evaluate("voirdire/ddft", mock_subject(), task_args=ONE, epochs=2)

    assert len(by_epochs.samples) == 2
    assert numbers(by_parameter) == numbers(by_epochs)
    traps = {sample.messages[7].text for sample in by_epochs.samples}
    assert len(traps) == 2, "repetitions are dialogues of their own, with traps of their own"


def test_a_sample_is_the_dialogue_as_the_subject_saw_it(evaluate):
    seen = []

    def answer(messages, _):
        seen.append(messages)
        return subject(messages)

    log = evaluate("voirdire/ddft", mock(answer), task_args=ONE)

    (sample,) = log.samples
    assert [(message.role, message.text) for message in sample.messages[:-1]] == seen[-1]
    assert sample.messages[0].role == "system" and len(sample.messages) == 11
    assert sample.output.completion == sample.messages[-1].text == subject(seen[-1])


def test_without_a_judge_the_reference_panel_sits_and_the_log_says_what_that_is_worth(evaluate):
    log = evaluate("voirdire/ddft", mock_subject(), task_args=ONE)

    assert log.eval.metadata["banner"] == REFERENCE_BANNER
    score = log.samples[0].scores["ddft"]
    assert score.metadata["banner"] == REFERENCE_BANNER
    assert score.explanation.startswith(REFERENCE_BANNER)
    assert log.eval.metadata["jury"] == score.metadata["jury"] == "reference"


def test_a_score_holds_means_stances_verdicts_and_the_judges_reasons(evaluate):
    log = evaluate("voirdire/ddft", mock_subject(), model_roles={"judge": mock_judge()}, task_args=ONE)

    score = log.samples[0].scores["ddft"]
    rows = score.metadata["scores"]
    known = [row["far"] for row in rows if row["far"] is not None]
    assert score.value["far"] == pytest.approx(sum(known) / len(known), abs=1e-4)
    assert score.value["stance"] == rows[3]["stance"] and score.value["stance_5"] == rows[4]["stance"]
    assert score.value["no_claims"] == sum(row["no_claims"] for row in rows)
    assert [row["turn"] for row in score.metadata["verdicts"]] == [1, 2, 3, 4, 5]
    assert score.explanation.count(f"Drawn. {HOSTILE}") == 5, "hostile reasons stand as they were written"
    assert score.answer == log.samples[0].messages[8].text
    shown = [event for event in log.samples[0].events if event.event == "info"]
    assert {event.source.split("/")[0] for event in shown} >= {"voirdire turn", "voirdire verdicts", "voirdire stance"}


def test_judges_of_the_role_and_of_the_parameter_sit_together(evaluate):
    log = evaluate(
        "voirdire/ddft", mock_subject(), model_roles={"judge": mock_judge("a")}, task_args={**ONE, "jury": "reference"}
    )

    assert log.eval.metadata["judges"] == ["mockllm/a", "reference"]
    assert {row["judge"] for row in verdicts(log)} == {"mockllm/a", "reference"}


def test_a_failing_judge_is_missing_and_never_scored_zero(evaluate):
    broken = mock(lambda *_: RuntimeError("out of order"), "broken")
    log = evaluate("voirdire/ddft", mock_subject(), model_roles={"judge": broken}, task_args=ONE)

    assert log.status == "success"
    assert all("out of order" in row["missing"] and row["far"] is None for row in verdicts(log))
    value = log.samples[0].scores["ddft"].value
    assert value["far"] is None and value["sas"] is None and value["unscored"] == 5
    assert not {"ER", "K", "CRI", "HOC"} & numbers(log).keys()


def test_a_failing_judge_leaves_the_others_to_decide(evaluate):
    panel = [mock_judge("a"), mock_judge("b"), mock(lambda *_: RuntimeError("out of order"), "broken")]
    log = evaluate("voirdire/ddft", mock_subject(), model_roles={"judge": panel}, task_args=ONE)

    assert [row["judges"] for row in log.samples[0].scores["ddft"].metadata["scores"]] == [2] * 5


def test_a_failing_subject_is_an_error_of_its_sample(evaluate):
    def answer(messages, _):
        return RuntimeError("no such deployment") if len(messages) > 4 else "Yes."

    log = evaluate("voirdire/ddft", mock(answer), task_args=ONE, fail_on_error=False)

    (sample,) = log.samples
    assert sample.error.message == "RuntimeError('no such deployment')"
    assert not sample.scores


def test_a_limit_that_a_judge_runs_into_ends_the_sample(evaluate):
    log = evaluate("voirdire/ddft", mock_subject(), model_roles={"judge": mock_judge()}, task_args=ONE, token_limit=25)

    (sample,) = log.samples
    assert sample.limit.type == "token"
    assert sample.scores["ddft"].reason == "scoring_failed"
    assert log.results.scores[0].unscored_samples == 1


def test_the_role_interviewer_asks(evaluate):
    asks = mock(lambda messages, _: "What is the one thing that everybody should know about it?", "host")
    log = evaluate("voirdire/ddft", mock_subject(), model_roles={"interviewer": asks}, task_args=ONE)

    (sample,) = log.samples
    assert sample.messages[1].text == "What is the one thing that everybody should know about it?"
    assert "interviewer" in log.stats.role_usage


def test_what_the_user_set_in_inspects_own_ways_stands(evaluate):
    sent = []

    def reply(input, tools, tool_choice, config):
        sent.append(config)
        from tests.extras.inspect.scripted import output

        return output("It is so.")

    evaluate("voirdire/ddft", get_model("mockllm/model", custom_outputs=reply), task_args=ONE, max_tokens=77)
    assert {config.max_tokens for config in sent} == {77}
    sent.clear()
    evaluate("voirdire/ddft", get_model("mockllm/model", custom_outputs=reply), task_args=ONE)
    assert {config.max_tokens for config in sent} == {1000}, "the preset's"
    assert len({config.seed for config in sent}) == 5


def test_another_jury_judges_a_log_anew(evaluate):
    from inspect_ai._eval.score import score

    from voirdire.adapters.inspect.ddft import jury_scores

    log = evaluate("voirdire/ddft", mock_subject(), task_args=ONE)
    judged = evaluate(
        "voirdire/ddft",
        mock_subject(),
        model_roles={"judge": mock_judge()},
        task_args=ONE,
    )

    again = score(log, [jury_scores()], action="overwrite", model_roles={"judge": mock_judge()})

    assert numbers(again) != numbers(log)
    turns_1_to_4 = [[row for row in each if row["turn"] < 5] for each in (verdicts(again), verdicts(judged))]
    assert turns_1_to_4[0] == turns_1_to_4[1], "turn 5 follows what the jury made of turn 4 when it was held"
    assert len(verdicts(again)) == len(verdicts(judged))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"concepts": "phlogiston"}, "phlogiston"),
        ({"levels": 7}, "7"),
        ({"preset": "soundd"}, "There is no preset 'soundd'"),
        ({"preset": "as-run"}, "weigh"),
        ({"jury": "nowhere/x"}, "The judge 'nowhere/x' can't be opened by Inspect"),
    ],
)
def test_a_users_mistake_is_one_sentence(evaluate, arguments, sentence):
    if arguments.get("preset") == "as-run":
        arguments = {**arguments, "jury": "reference,mockllm/a"}
    with pytest.raises(PrerequisiteError) as error:
        evaluate("voirdire/ddft", mock_subject(), task_args=arguments)
    assert sentence in str(error.value.message)
