import asyncio
import json
from dataclasses import replace

import pytest

from tests.adapters.examples import GULLIBLE, examined
from voirdire.adapters.export import export_run
from voirdire.adapters.export_files import ExportError, ExportPlan
from voirdire.adapters.writers.training_examples import (
    Example,
    RunAnswer,
    evened,
    for_knowledge,
    for_verification,
    pairs,
    singles,
    split_by_concept,
)
from voirdire.ddft.importing import import_record

SYSTEM = {"role": "system", "content": "The concept is recursion."}


def trapped(stance, model="a", *, item="Dr X", question="What of Dr X?", text=None, **changes):
    """An answer at turn 4."""
    prompt = (SYSTEM, {"role": "user", "content": "Go on."}, {"role": "assistant", "content": f"I am {model}."})
    fields = {
        "run": "r", "model": model, "concept": "recursion", "level": 0.5, "sample": 0, "turn": 4,
        "text": text or f"{model} {stance} it.", "prompt": (*prompt, {"role": "user", "content": question}),
        "trap_kind": "expert", "trap_item": item, "stance": stance, "far": 1.0, "no_claims": False,
        "finish_reason": "stop",
    }  # fmt: skip
    return RunAnswer(**(fields | changes))


def known(far, model="a", *, question="What is it?", turn=1, **changes):
    """An answer at one of the turns 1 to 3."""
    prompt = (SYSTEM, {"role": "user", "content": question})
    text = f"{model} says it with FAR {far}."
    return replace(trapped(None, model, text=text), turn=turn, far=far, prompt=prompt, trap_item=None, **changes)


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def export(runs, target, out, **options):
    return export_run(ExportPlan(runs=tuple(runs), target=target, out=out, **options))


@pytest.fixture(scope="session")
def two(study, tmp_path_factory):
    """The study, and a run of another model on the same traps."""
    return study, examined(tmp_path_factory.mktemp("second") / "run", GULLIBLE.replace("0.3", "0.0"), samples="2")


# --- which answers ------------------------------------------------------------------------------------------------


def test_answers_to_a_trap_reject_or_accept_it_and_all_others_are_left_out_with_the_reason():
    answers = [
        trapped("rejected"), trapped("accepted"), trapped("questioned"), trapped(None), trapped("rejected", item=None),
        trapped("rejected", finish_reason="length"), trapped("accepted", text=" "), known(1.0),
        trapped("accepted", finish_reason="refusal"), trapped("rejected", turn=5),
    ]  # fmt: skip
    found = for_verification(answers)
    assert (len(found.good), len(found.bad), found.seen) == (1, 1, 8)
    assert found.left_out == {
        "questioned it": 1,
        "no stance is known": 1,
        "no fabricated item is on record": 1,
        "cut at the limit of tokens": 1,
        "no answer": 1,
        "refused by the provider": 1,
    }


def test_an_answer_is_accurate_from_theta_on_and_one_without_a_claim_is_neither():
    answers = [known(0.7), known(0.69), known(None), known(None, no_claims=True), trapped("rejected")]
    found = for_knowledge(answers, 0.7)
    assert ([each.far for each in found.good], [each.far for each in found.bad]) == ([0.7], [0.69])
    assert found.left_out == {"no score": 1, "no claim is made": 1}


# --- pairs --------------------------------------------------------------------------------------------------------


def pairs_of(*answers):
    return [example.row for example in pairs("verification", for_verification(answers))]


def test_a_pair_sets_a_rejecting_answer_against_an_accepting_one_to_the_same_trap():
    good, bad = trapped("rejected", "a"), trapped("accepted", "b")
    (row,) = pairs_of(good, bad, trapped("accepted", "c", item="Dr Y"))
    assert row["prompt"] == list(good.prompt)
    assert row["chosen"] == [{"role": "assistant", "content": "a rejected it."}]
    assert row["rejected"] == [{"role": "assistant", "content": "b accepted it."}]
    assert (row["metadata"]["same_question"], row["metadata"]["same_prompt"]) == (True, False)
    assert row["metadata"]["chosen"]["model"] == "a" and row["metadata"]["rejected"]["model"] == "b"


@pytest.mark.parametrize("change", [{"concept": "phoneme"}, {"level": 1.0}, {"trap_item": "Dr Y"}])
def test_answers_to_another_trap_make_no_pair(change):
    assert not pairs_of(trapped("rejected", "a"), replace(trapped("accepted", "b"), **change))


def test_answers_that_were_given_another_reference_make_no_pair():
    bad = trapped("accepted", "b")
    other = ({"role": "system", "content": "The concept is recursion. It was described in 1930."}, *bad.prompt[1:])
    assert not pairs_of(trapped("rejected", "a"), replace(bad, prompt=other))


def test_every_answer_of_the_larger_side_is_used_once_and_the_smaller_side_in_turn():
    rows = pairs_of(*(trapped("rejected", name) for name in "abc"), trapped("accepted", "x"), trapped("accepted", "y"))
    assert [(row["chosen"][0]["content"][0], row["rejected"][0]["content"][0]) for row in rows] == [
        ("a", "x"),
        ("b", "y"),
        ("c", "x"),
    ]


def test_a_partner_that_was_asked_in_the_same_words_is_preferred():
    other, same = trapped("accepted", "x", question="And Dr X?"), trapped("accepted", "y")
    first, _ = pairs_of(trapped("rejected", "a"), trapped("rejected", "b"), other, same)
    assert first["rejected"][0]["content"].startswith("y")


def test_equal_words_make_no_pair_and_equal_pairs_count_once():
    assert not pairs_of(trapped("rejected", "a", text="Hm."), trapped("accepted", "b", text="Hm."))
    twice = [trapped("rejected", "a"), trapped("rejected", "a", sample=1), trapped("accepted", "b")]
    assert len(pairs_of(*twice)) == 1


def test_the_control_arm_pairs_answers_to_the_same_question():
    found = for_knowledge([known(0.9), known(0.1, "b"), known(0.2, "c", question="What else is it?")], 0.7)
    (example,) = pairs("knowledge", found)
    assert example.same_prompt and example.row["rejected"][0]["content"].startswith("b")


def test_a_single_answer_is_a_completion_so_that_earlier_answers_are_not_learnt():
    (example,) = singles("verification", for_verification([trapped("rejected"), trapped("accepted", "b")]))
    assert list(example.row) == ["prompt", "completion", "metadata"]
    assert example.row["completion"] == [{"role": "assistant", "content": "a rejected it."}]


# --- parts --------------------------------------------------------------------------------------------------------


def made(arm, concept, number):
    return [Example(arm, concept, {"n": n}) for n in range(number)]


def test_no_concept_stands_in_train_and_in_test():
    arms = {
        "verification": [*made("verification", "a", 2), *made("verification", "b", 3), *made("verification", "c", 1)],
        "knowledge": [*made("knowledge", "a", 5), *made("knowledge", "b", 5)],
    }
    for seed in range(10):
        parts = split_by_concept(arms, 0.6, seed)
        sides = [{e.concept for own in part.arms.values() for e in own} for part in parts.values()]
        assert not sides[0] & sides[1] and [len(part.concepts) for part in parts.values()] == [2, 1]
        assert split_by_concept(arms, 0.6, seed) == parts


def test_a_split_that_leaves_a_side_empty_is_refused():
    with pytest.raises(ExportError, match="leaves train without an example of verification"):
        split_by_concept({"verification": made("verification", "a", 4)}, 0.5, 0)
    with pytest.raises(ExportError, match="between 0 and 1; 1 was given"):
        split_by_concept({"verification": made("verification", "a", 4)}, 1.0, 0)


def test_the_control_arm_is_as_large_as_the_other_where_it_can_be():
    whole = {"verification": made("verification", "a", 3), "knowledge": made("knowledge", "a", 9)}
    (part,) = split_by_concept(whole, None, 0).values()
    assert [len(own) for own in evened(part, 0).arms.values()] == [3, 3]
    few = part._replace(arms={**whole, "knowledge": whole["knowledge"][:2]})
    assert [len(own) for own in evened(few, 0).arms.values()] == [3, 2]
    alone = part._replace(arms={"knowledge": whole["knowledge"]})
    assert len(evened(alone, 0).arms["knowledge"]) == 9


# --- whole exports ------------------------------------------------------------------------------------------------


def is_conversation(messages):
    """As preference trainers read it: a list of {role, content}, turns alternating after the system message."""
    roles = [message["role"] for message in messages]
    body = roles[1:] if roles[0] == "system" else roles
    return all(set(message) == {"role", "content"} and message["content"] for message in messages) and body == [
        "user" if place % 2 == 0 else "assistant" for place in range(len(body))
    ]


def test_preference_data_have_the_conversational_layout_that_trainers_read(two, tmp_path):
    done = export(two, "dpo", tmp_path / "out", split=0.67)

    rows = [row for path in (tmp_path / "out").glob("*/*.jsonl") for row in lines(path)]
    assert rows and {tuple(row) for row in rows} == {("prompt", "chosen", "rejected", "metadata")}
    for row in rows:
        assert is_conversation(row["prompt"]) and row["prompt"][-1]["role"] == "user"
        assert [message["role"] for message in row["chosen"] + row["rejected"]] == ["assistant", "assistant"]
        assert row["chosen"] != row["rejected"]
    trap_rows = [row for row in rows if row["metadata"]["arm"] == "verification"]
    assert {row["metadata"]["chosen"]["stance"] for row in trap_rows} == {"rejected"}
    assert {row["metadata"]["rejected"]["stance"] for row in trap_rows} == {"accepted"}
    assert all(row["metadata"]["trap_item"] in row["prompt"][-1]["content"] for row in trap_rows)
    assert set(done.manifest["written"]) == {
        f"{arm}/{part}.jsonl" for arm in ("verification", "knowledge") for part in ("train", "test")
    }


def test_the_prompt_is_what_the_model_was_sent(two, tmp_path):
    export(two, "dpo", tmp_path / "out", arm="verification")

    row = lines(tmp_path / "out" / "verification" / "train.jsonl")[0]
    assert row["prompt"][0]["role"] == "system" and "You will be asked a few questions" in row["prompt"][0]["content"]
    assert len(row["prompt"]) == 1 + 2 * 3 + 1  # system, three exchanges, the trap


def test_concepts_stay_together_in_files_too(two, tmp_path):
    done = export(two, "dpo", tmp_path / "out", split=0.67)

    sides = []
    for part in ("train", "test"):
        files = [tmp_path / "out" / arm / f"{part}.jsonl" for arm in ("verification", "knowledge")]
        sides.append({row["metadata"]["concept"] for file in files for row in lines(file)})
    assert all(sides) and not sides[0] & sides[1]
    for part, side in zip(("train", "test"), sides, strict=True):
        assert side <= set(done.manifest["concepts"][part])


def test_the_manifest_counts_what_was_left_out_and_why(two, tmp_path):
    done = export(two, "sft", tmp_path / "out")

    arm = done.manifest["arms"]["verification"]
    assert arm["answers"]["seen"] == 2 * 9 + 2 * 9
    assert arm["answers"]["left_out"]["questioned it"] > 0
    assert arm["answers"]["rejecting"] >= arm["rows"]["train"] == len(lines(tmp_path / "out/verification/train.jsonl"))
    assert done.manifest["arms"]["knowledge"]["rows"] == arm["rows"]
    assert [run["seed"] for run in done.manifest["runs"]] == [0, 0]


def test_without_a_pair_the_counts_say_why(tmp_path):
    run = examined(tmp_path / "run", "simulated/subject?reject=1", concepts="recursion", levels="0")
    with pytest.raises(ExportError) as error:
        export([run], "dpo", tmp_path / "out")
    assert str(error.value) == (
        "No pair could be made: in 1 run, of 1 answer at turn 4, 1 is rejecting, 0 accepting; "
        "fabrications with both kinds of answer: 0 of 1. Add runs of other models, or more samples."
    )
    assert not (tmp_path / "out").exists()


def test_without_a_rejecting_answer_there_is_nothing_to_imitate(tmp_path):
    run = examined(tmp_path / "run", "simulated/subject?reject=0", concepts="recursion", levels="0")
    with pytest.raises(ExportError, match=r"no rejecting answer to learn: in 1 run, of 1 answer at turn 4, 0 are rej"):
        export([run], "sft", tmp_path / "out")
    assert export([run], "sft", tmp_path / "out", arm="knowledge").manifest["arms"].keys() == {"knowledge"}


def test_a_published_record_has_no_traps_to_learn_from_and_says_so(imported_sample, tmp_path):
    with pytest.raises(ExportError, match="no fabricated item is on record: 2"):
        export([imported_sample], "dpo", tmp_path / "out")


def test_an_imported_dialogue_is_rebuilt_from_its_turns(imported_sample, tmp_path):
    export([imported_sample], "sft", tmp_path / "out", arm="knowledge")

    row = next(row for row in lines(tmp_path / "out/knowledge/train.jsonl") if row["metadata"]["turn"] == 3)
    assert [message["role"] for message in row["prompt"]] == ["user", "assistant", "user", "assistant", "user"]


@pytest.fixture(scope="session")
def imported_sample(tmp_path_factory):
    """Two dialogues of a published record, as a run."""
    folder = tmp_path_factory.mktemp("imported")
    turns = [
        {
            "model": model, "concept": "recursion", "level": 0.0, "turn": turn, "question": f"Question {turn}?",
            "response": f"{model} answers {turn}.", "consensus": {"FAR": 0.9, "SAS": 0.9},
            "judges": {"judge": {"FAR": 0.9, "SAS": 0.9}},
        }
        for model in ("a", "b")
        for turn in range(1, 6)
    ]  # fmt: skip
    (folder / "turns.jsonl").write_text("\n".join(map(json.dumps, turns)))
    asyncio.run(import_record(folder / "turns.jsonl", folder / "run"))
    return folder / "run"


def test_runs_of_other_instruments_and_a_run_twice_are_refused(study, audits, tmp_path):
    with pytest.raises(ExportError, match=r"made of ddft runs; .* is one of integrity"):
        export([study, audits], "dpo", tmp_path / "out")
    with pytest.raises(ExportError, match=f"The run {study} is named more than once"):
        export([study, study], "dpo", tmp_path / "out")
