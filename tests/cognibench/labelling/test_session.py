import asyncio
import time
from dataclasses import replace

import pytest

from tests.cli.here import voirdire
from tests.cognibench.made_data import LABELS, write_data
from tests.support.fake_openai import control, stats
from tests.support.forked import Forked
from tests.support.labelling_server import start_labelling_server
from voirdire.cognibench.labelling.cost import plan_calls
from voirdire.cognibench.labelling.records import LabelTask, prompt_groups, read_labelled
from voirdire.cognibench.labelling.session import answers_of, label_answers, new_run_path
from voirdire.cognibench.labelling.summary import summarise
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.contrastive import Contrast
from voirdire.detectors.labelling import LabelPlan
from voirdire.runs import Journal, JournalError, RunFolder, RunFolderError, RunOptions

PLAN = LabelPlan(votes=3, types="model")
CALLS = 3 + 1  # of an answer without a cognitive statement: three samples, and the types


@pytest.fixture(scope="module")
def server():
    with start_labelling_server() as base_url:
        yield base_url


@pytest.fixture
def task(tmp_path, server):
    control(server, reset=True, plan=[], latency=0.0)
    return LabelTask(data=write_data(tmp_path / "data.jsonl"), model="openai-api/labeller", plan=PLAN, base_url=server)


def label(task, path, answers=None, **options):
    return asyncio.run(label_answers(task, path, RunOptions(**options), answers=answers))


def found(path):
    return {each.answer.id: [found.label for found in each.judged] for each in read_labelled(path)}


EXPECTED = {
    "d0_0": ["irrelevant", "faithful", "invented"],
    "d0_1": ["faithful", "speculative"],
    "d1_0": ["irrelevant", "faithful", "invented"],
    "d1_1": ["faithful", "speculative"],
}


def test_a_data_set_becomes_a_run_of_labels(task, tmp_path):
    assert label(task, tmp_path / "run") is None

    assert found(tmp_path / "run") == EXPECTED
    first = read_labelled(tmp_path / "run")[0]
    assert [statement.label for statement in first.answer.statements] == EXPECTED["d0_0"]
    assert first.judged[2].votes == ("hallu",) * 3
    assert first.missing == () and not first.used_in_prompt


def test_labels_of_people_stay_apart_and_are_never_sent(task, tmp_path):
    label(task, tmp_path / "run")

    labelled = read_labelled(tmp_path / "run")
    assert labelled[0].human == tuple(LABELS.values())
    assert labelled[1].human == (None, None)
    with Journal.open(tmp_path / "run" / "journal.sqlite", read_only=True) as journal:
        frame = journal.calls_frame(bodies=True)
    assert not any("invented" in message["content"] for messages in frame["messages"] for message in messages)


def test_the_same_again_asks_nothing(task, tmp_path):
    label(task, tmp_path / "run")
    before = stats(task.base_url)["total"]

    assert label(task, tmp_path / "run") is None

    assert before == 4 * CALLS + 2 and stats(task.base_url)["total"] == before  # two answers have one graded statement


def test_another_plan_or_other_answers_do_not_go_into_the_same_run(task, tmp_path):
    label(task, tmp_path / "run")
    with pytest.raises(RunFolderError, match="other settings"):
        label(replace(task, plan=LabelPlan(votes=5, types="model")), tmp_path / "run")
    with pytest.raises(RunFolderError, match="answers_sha256"):
        label(replace(task, limit=1), tmp_path / "run")


def test_failed_calls_are_asked_again_by_the_next_session_and_only_they(task, tmp_path):
    control(task.base_url, plan=["400"])

    stopped = label(task, tmp_path / "run", connections=1)
    halfway = found(tmp_path / "run")
    assert label(task, tmp_path / "run", connections=1) is None

    assert stopped == "calls failed for 1 of 4 answers; the same command goes on."
    assert halfway["d0_0"] == EXPECTED["d0_0"]  # two votes of three are enough
    assert found(tmp_path / "run") == EXPECTED
    assert read_labelled(tmp_path / "run")[0].judged[2].votes == ("hallu",) * 3
    assert stats(task.base_url)["total"] == 4 * CALLS + 2 + 1


def test_what_is_asked_again_and_what_stands_on_record_are_both_named(task, tmp_path):
    control(task.base_url, plan=["refusal"] * CALLS + ["400"])

    stopped = label(task, tmp_path / "run", connections=1)

    assert stopped is not None and stopped.endswith(
        "calls failed for 1 of 4 answers; the same command goes on; it brings no label for 3 statements whose replies "
        "stand on record: a new -o asks afresh."
    )


def test_refusals_are_missing_votes_and_are_not_asked_again(task, tmp_path):
    control(task.base_url, plan=["refusal", "refusal"])

    settled = label(task, tmp_path / "run", connections=1)

    assert settled is not None and "no further call brings one" in settled
    asked = stats(task.base_url)["total"]
    assert label(task, tmp_path / "run") == settled and stats(task.base_url)["total"] == asked
    first = read_labelled(tmp_path / "run")[0]
    assert [each.votes.count(None) for each in first.judged] == [2, 2, 2]
    assert first.undecided == (0, 1, 2) and first.missing == (0, 1, 2)
    assert any("refused" in reason for reason in first.reasons)


def test_a_budget_stops_the_run_and_a_larger_one_goes_on(task, tmp_path):
    stopped = label(task, tmp_path / "run", max_calls=5, connections=1)
    assert "the limit of 5 calls is reached" in stopped and len(found(tmp_path / "run")) < 4

    assert label(task, tmp_path / "run") is None
    assert found(tmp_path / "run") == EXPECTED
    assert max(stats(task.base_url)["requests"].values()) == 1


def test_the_table_has_a_row_for_each_statement(task, tmp_path):
    label(task, tmp_path / "run")

    with RunFolder.open(tmp_path / "run", read_only=True) as folder:
        table = folder.read_table("statements")

    assert len(table) == 10
    row = table[(table["id"] == "d0_0") & (table["position"] == 2)].iloc[0]
    assert (row["label"], row["type"], row["human_label"], row["hallucinated"]) == (
        "invented",
        "factual",
        "invented",
        True,
    )
    assert list(row["votes"]) == ["hallu"] * 3 and row["missing_votes"] == 0
    speculative = table[table["label"] == "speculative"]
    assert speculative["hallucinated"].all() and not speculative["voted_hallucinated"].any()


def test_dialogues_that_the_prompts_examples_come_from_are_marked(task, tmp_path):
    contrast = Contrast("It is red.", "Red is common.", "faithful", "invented", source_group="g1")
    taught = replace(task, plan=LabelPlan(votes=1, types="model", contrasts=(contrast,)))

    label(taught, tmp_path / "run")

    assert {each.answer.id: each.used_in_prompt for each in read_labelled(tmp_path / "run")} == {
        "d0_0": False,
        "d0_1": False,
        "d1_0": True,
        "d1_1": True,
    }
    assert prompt_groups(tmp_path / "run") == {"g1"} == taught.in_prompt


def test_only_some_answers_can_be_chosen(task, tmp_path):
    assert [answer.id for answer in answers_of(replace(task, limit=3))] == ["d0_0", "d0_1", "d1_0"]
    assert [answer.id for answer in answers_of(replace(task, labelled_only=True))] == ["d0_0"]
    unlabelled = write_data(tmp_path / "unlabelled.jsonl", labelled=0)
    with pytest.raises(CognibenchError, match="no labelled answers"):
        answers_of(replace(task, data=unlabelled, labelled_only=True))


def test_a_labelling_run_can_be_labelled_anew_with_the_labels_of_people_and_not_its_own(task, tmp_path):
    label(task, tmp_path / "run")

    again = answers_of(replace(task, data=tmp_path / "run"))

    assert again == answers_of(task)


def test_a_run_of_another_instrument_is_refused(tmp_path):
    RunFolder.create(tmp_path / "run", {"instrument": "ddft"}).close()
    with pytest.raises(CognibenchError, match="no labelling run"):
        read_labelled(tmp_path / "run")


def test_a_run_without_a_name_gets_one(task):
    assert new_run_path(task).parts[0] == "runs" and "data" in new_run_path(task).name


def test_a_plan_counts_the_calls_that_are_made(task, tmp_path):
    expected = plan_calls(task, answers_of(task), 20)
    label(task, tmp_path / "run")

    calls = {stage.name: stage.calls for stage in expected.stages}
    assert calls == {"votes": 13, "types": 4, "tiers": 4}  # a tenth more than 12, 4 and 4, for repairs
    assert (expected.answers, expected.statements, expected.usd) == (4, 10, 0.0)
    spent = summarise(tmp_path / "run").totals
    assert 0.6 < expected.as_dict()["stages"][0]["input_tokens"] / spent.input_tokens < 1.5


def test_a_plan_knows_prices_and_says_when_it_does_not(task):
    answers = answers_of(task)
    priced = plan_calls(replace(task, model="openai/gpt-5.1", base_url=None), answers, 20)
    unknown = plan_calls(replace(task, model="openai/no-such-model", base_url=None), answers, 20)

    assert 0.01 < priced.usd < 1 and unknown.usd is None
    assert plan_calls(replace(task, plan=LabelPlan(votes=5, tiers=False)), answers, 20).calls == 22


def test_the_labels_of_a_local_model_carry_a_caution(task, tmp_path):
    label(replace(task, limit=1), tmp_path / "run")

    summary = summarise(tmp_path / "run")

    assert summary.cautions == []
    assert "poor labellers" in replace(summary, model="local/qwen2.5-coder-1.5b").cautions[0]


def recorded(path):
    """Attempts on record in a journal that another process may just be making."""
    try:
        with Journal.open(path / "journal.sqlite", read_only=True) as journal:
            return journal.totals().calls
    except (JournalError, ValueError):
        return 0


def test_a_killed_run_goes_on_without_repeating_a_call(task, tmp_path):
    write_data(task.data, dialogues=12)
    assert label(task, tmp_path / "whole") is None
    control(task.base_url, reset=True, latency=0.03)
    path = tmp_path / "killed"
    command = [
        *("label", task.data, "--labeller", task.model),
        *("--votes", "3", "--types", "model", "--base-url", task.base_url, "--connections", "4", "-o", path),
    ]
    child = Forked(lambda: voirdire(*command))
    while recorded(path) < 20 and child.poll() is None:
        time.sleep(0.01)
    assert child.poll() is None, "the run ended before it could be killed"
    child.kill()
    lost = stats(task.base_url)["total"] - recorded(path)

    assert label(task, path) is None

    assert found(path) == found(tmp_path / "whole")
    repeated = sum(count - 1 for count in stats(task.base_url)["requests"].values())
    assert repeated <= lost <= 12  # what was in flight or waited to be recorded, and nothing that was
    with Journal.open(path / "journal.sqlite", read_only=True) as journal:
        assert journal.calls_frame()["key"].is_unique
