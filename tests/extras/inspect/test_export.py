"""Runs of ours as `.eval` logs, read back by Inspect."""

import asyncio
import json

import pandas as pd
import pytest
from inspect_ai import score
from inspect_ai.log import read_eval_log

from tests.cognibench.made_data import write_data
from tests.extras.inspect.conftest import hold
from tests.extras.inspect.scripted import HOSTILE, Ours, mock_judge
from tests.support import labelling_server
from voirdire.adapters.inspect.ddft import jury_scores, metrics_of, profile_of
from voirdire.adapters.inspect.export import LogError, write_eval
from voirdire.adapters.inspect.log_building import inspect_name
from voirdire.cognibench.labelling.records import LabelTask
from voirdire.cognibench.labelling.session import label_answers
from voirdire.ddft.results import load_run
from voirdire.detectors.labelling import LabelPlan
from voirdire.integrity.plan import AuditPlan
from voirdire.integrity.results import read_audits
from voirdire.integrity.session import audit_responses
from voirdire.jury import JuryError
from voirdire.models import register
from voirdire.runs import RunFolder

NOISY = "judge+noisy"


def logs_of(run, out, jury=None):
    logs = [read_eval_log(str(file)) for file in write_eval(run, out, jury)]
    return {log.eval.model: log for log in logs}


def numbers(log):
    (scores,) = log.results.scores
    return {name: metric.value for name, metric in scores.metrics.items()}


def jury_ids(run):
    return list(dict.fromkeys(load_run(run).tables.scores["jury"]))


@pytest.fixture(scope="module")
def exported(simulated, tmp_path_factory):
    out = tmp_path_factory.mktemp("logs")
    return {jury: logs_of(simulated, out / jury, jury) for jury in jury_ids(simulated)}


def test_every_model_has_a_log_with_its_profile(exported, simulated):
    for jury, logs in exported.items():
        result = load_run(simulated, jury)
        assert logs.keys() == {profile.model for profile in result.profiles}
        for profile in result.profiles:
            log = logs[profile.model]
            assert numbers(log) == metrics_of(profile)
            label = log.results.metadata["profile"]["paper_index"]["phenotype"]
            assert label == profile.paper_index.phenotype
            assert log.eval.metadata["banner"] == result.banner
            assert log.status == "success" and log.results.headline.metric == "ER"


def test_the_scores_of_a_logs_samples_give_the_same_profile_again(exported):
    for logs in exported.values():
        for log in logs.values():
            again = profile_of(sample.scores["ddft"] for sample in log.samples)
            own = {name: value for name, value in metrics_of(again).items() if not name.startswith("CI_norm")}
            assert own == {name: value for name, value in numbers(log).items() if not name.startswith("CI_norm")}


def test_a_sample_holds_what_was_asked_answered_and_decided(exported, simulated):
    tables = load_run(simulated).tables
    (jury,) = [jury for jury in exported if jury != "reference"]
    for model, log in exported[jury].items():
        for sample in log.samples:
            name = sample.metadata["dialogue"]
            turns = tables.turns[tables.turns["dialogue"] == name].sort_values("turn")
            said = [text for pair in zip(turns["question"], turns["answer"], strict=True) for text in pair]
            assert [message.text for message in sample.messages[1:]] == said
            assert sample.messages[0].role == "system"
            own = tables.verdicts[(tables.verdicts["dialogue"] == name) & (tables.verdicts["jury"] == jury)]
            found = pd.DataFrame(sample.scores["ddft"].metadata["verdicts"])
            pd.testing.assert_frame_equal(found.astype(own.dtypes), own.reset_index(drop=True))
            assert model == name.split("|")[0]


def test_calls_are_events_and_their_tokens_add_up(exported, simulated):
    with RunFolder.open(simulated, read_only=True) as folder:
        calls = folder.journal.calls_frame()
    (jury,) = [jury for jury in exported if jury != "reference"]
    for model, log in exported[jury].items():
        own = calls[calls["dialogue"].str.startswith(f"{model}|")]
        spent = log.stats.model_usage
        subject = own[own["role"] == "subject"]
        assert spent[model].input_tokens == subject["input_tokens"].sum()
        assert spent[model].output_tokens == subject["output_tokens"].sum()
        judges = own[own["role"] == "judge"]
        assert log.stats.role_usage["judge"].total_tokens == (judges["input_tokens"] + judges["output_tokens"]).sum()
        events = [event for sample in log.samples for event in sample.events]
        assert sum(event.event == "model" for event in events) == len(own)
        assert sum(event.event == "info" and event.source == "voirdire verdicts" for event in events) == len(subject)
        assert [config.model for config in log.eval.model_roles["judge"]] == ["simulated/judge", "simulated/noisy"]


def test_another_jurys_calls_stand_in_its_own_log(exported):
    for log in exported["reference"].values():
        assert "judge" not in log.stats.role_usage and log.eval.model_roles is None


def test_inspect_can_have_another_jury_judge_a_run_of_ours(exported):
    by_rules = exported["reference"]
    jury = {"judge": mock_judge()}

    def judges(log):
        return {row["judge"] for row in log.samples[0].scores["ddft"].metadata["verdicts"]}

    both = jury_scores(jury=["reference"])
    anew = score(by_rules["simulated/steady"], [both], action="overwrite", model="none", model_roles=jury)
    assert judges(anew) == {"mockllm/judge", "reference"}
    same = score(by_rules["simulated/gullible"], [jury_scores()], action="overwrite", model="none")
    assert judges(same) == {"reference"} and numbers(same)["ER"] == numbers(by_rules["simulated/gullible"])["ER"]


def test_a_failed_call_is_an_error_of_its_sample(tmp_path):
    class Fails(Ours):
        async def complete(self, messages, settings, **options):
            if len(messages) > 6:
                from voirdire.models import ModelError

                raise ModelError("bad_request", "too long for me")
            return await super().complete(messages, settings, **options)

    register("failing", lambda name, options: Fails(name, lambda *_: HOSTILE))
    hold(tmp_path / "run", ["failing/x"], concepts=["recursion"], levels=[0])

    (log,) = logs_of(tmp_path / "run", tmp_path / "logs").values()

    (sample,) = log.samples
    assert sample.error.message == "bad_request: too long for me"
    assert log.status == "error" and "0 of 1 dialogue completed" in log.error.message
    assert [message.text for message in sample.messages if message.role == "assistant"] == [HOSTILE] * 3
    failed = [event for event in sample.events if event.event == "model" and event.error]
    assert [event.error for event in failed] == ["too long for me"]


def test_the_published_study_becomes_nine_logs(published):
    run, files = published
    logs = {log.eval.model: log for log in map(read_eval_log, map(str, files))}

    result = load_run(run)
    assert len(logs) == 9
    for profile in result.profiles:
        log = logs[profile.model]
        assert len(log.samples) == 40 and numbers(log) == metrics_of(profile)
        assert "CI_norm" in numbers(log) and log.results.headline.metric == "K"
        assert "ER" not in numbers(log), "no stance is known"
        assert log.results.metadata["validity"]["concept_named"] == "fail"
        assert all(len(sample.messages) == 10 for sample in log.samples)
        judges = {row["judge"] for row in log.samples[0].scores["ddft"].metadata["verdicts"]}
        assert len(judges) == 3


def test_labels_of_cognibench_become_a_log(tmp_path):
    def labels(messages, _):
        return labelling_server._content({"messages": [{"content": messages[-1][1]}]}, None)

    register("labelling", lambda name, options: Ours(name, labels))
    task = LabelTask(
        data=write_data(tmp_path / "data.jsonl"), model="labelling/x", plan=LabelPlan(votes=3, types="model")
    )
    assert asyncio.run(label_answers(task, tmp_path / "run")) is None

    (log,) = logs_of(tmp_path / "run", tmp_path / "logs").values()

    assert log.eval.model == "unknown" and log.eval.task == "voirdire/cognibench"
    first = next(sample for sample in log.samples if sample.id == "d0_0")
    assert [row["label"] for row in first.scores["cognibench"].metadata["statements"]] == [
        "irrelevant",
        "faithful",
        "invented",
    ]
    assert first.metadata["human"] == ["irrelevant", "faithful", "invented"]
    assert [message.role for message in first.messages] == ["system", "user", "assistant"]
    assert numbers(log)["hallucinated"] == pytest.approx((2 * 3 + 2 * 4) / (2 * 9 + 2 * 7))
    assert log.eval.model_roles["judge"].model == "labelling/x"
    assert any(event.event == "model" for event in first.events)


def test_audits_of_integrity_become_a_log(tmp_path):
    lines = [
        {
            "id": f"r{year}",
            "context": "When?",
            "facts": ["The bridge opened in 1907."],
            "response": f"It was in {year}. {HOSTILE}",
        }
        for year in (1905, 1907)
    ]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert asyncio.run(audit_responses(AuditPlan(tmp_path / "answers.jsonl"), tmp_path / "run")) is None

    (log,) = logs_of(tmp_path / "run", tmp_path / "logs").values()

    found = {sample.id: sample.scores["integrity"].metadata for sample in log.samples}
    assert {name: (each["score"], each["unscored"]) for name, each in found.items()} == {
        each.item.id: (None, "rules_alone") for each in read_audits(tmp_path / "run")
    }
    assert "mean_score" not in numbers(log)
    assert "there is no score" in log.eval.metadata["banner"]
    assert log.samples[0].messages[1].text == f"It was in 1905. {HOSTILE}"


def test_a_file_can_be_named_for_a_run_of_one_model(tmp_path, simulated):
    hold(tmp_path / "run", ["simulated/steady"], concepts=["recursion"], levels=[0])

    assert write_eval(tmp_path / "run", tmp_path / "one.eval") == [tmp_path / "one.eval"]
    with pytest.raises(LogError, match="already exists"):
        write_eval(tmp_path / "run", tmp_path / "one.eval")
    with pytest.raises(LogError, match="has 2 models"):
        write_eval(simulated, tmp_path / "two.eval")


def test_what_can_not_be_exported_is_one_sentence(tmp_path, simulated):
    RunFolder.create(tmp_path / "other", {"instrument": "cognibench-dialogues"}).close()
    with pytest.raises(LogError, match="is a run of cognibench-dialogues"):
        write_eval(tmp_path / "other", tmp_path / "logs")
    with pytest.raises(JuryError, match="No jury 'nobody' has judged"):
        write_eval(simulated, tmp_path / "logs", "nobody")


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("openai/gpt-5.1", "openai/gpt-5.1"),
        ("openai-responses/gpt-5", "openai/gpt-5"),
        ("xai/grok-4", "grok/grok-4"),
        ("inspect/hf/org/model", "hf/org/model"),
        ("local/smollm2-135m", "local/smollm2-135m"),
        ("gpt-5", "gpt-5"),
    ],
)
def test_models_go_by_inspects_names_where_it_knows_them(spec, name):
    assert inspect_name(spec) == name
