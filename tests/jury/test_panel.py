import asyncio
import json
import re

import pytest

from tests.jury.scripted import ScriptedAsker, reply, task, verdict_json
from voirdire.jury import (
    AS_RUN_WEIGHTS,
    REFERENCE_BANNER,
    WORTH,
    Decision,
    JuryError,
    JuryRules,
    LLMJudge,
    LocalJudge,
    Panel,
    banner,
    calls_per_turn,
    judge_spec,
    open_jury,
    reference_stance,
)
from voirdire.records import CallFailure, Consensus, Verdict

SOUND = JuryRules()
THREE = ["openai/gpt-5.1", "deepseek/deepseek-v3.1", "anthropic/claude-opus-4-1"]


class FixedJudge:
    def __init__(self, name, far=0.5, missing=None):
        self.name = name
        self._verdict = Verdict(name, None if missing else far, None if missing else far, missing=missing)

    async def judge(self, task):
        return self._verdict


def decide(panel, given=None):
    return asyncio.run(panel.decide(given or task()))


def jury(names, replies=(), rules=SOUND):
    return open_jury(names, ScriptedAsker(replies), rules)


def test_a_decision_keeps_every_verdict_in_the_panels_order():
    decision = decide(Panel([FixedJudge("a", 0.2), FixedJudge("b", missing="refused"), FixedJudge("c", 0.4)], SOUND))
    assert [verdict.judge for verdict in decision.verdicts] == ["a", "b", "c"]
    assert decision.consensus.far == pytest.approx(0.3) and decision.consensus.judges == 2


def test_below_quorum_there_is_no_score_and_the_verdicts_stay():
    decision = decide(Panel([FixedJudge("a"), FixedJudge("b", missing="x"), FixedJudge("c", missing="x")], SOUND))
    assert decision.consensus.unscored and decision.consensus.far is None
    assert len(decision.verdicts) == 3


def test_judges_are_asked_at_the_same_time():
    async def run():
        waiting = asyncio.Barrier(3)

        class Meeting(FixedJudge):
            async def judge(self, task):
                await waiting.wait()  # passes only when all three are here
                return await super().judge(task)

        return await Panel([Meeting("a"), Meeting("b"), Meeting("c")], SOUND).decide(task())

    assert asyncio.run(run()).consensus.judges == 3


def test_each_llm_of_a_jury_is_asked_under_its_own_spec():
    def answer(spec, request):
        if spec == THREE[1]:
            return CallFailure("server", "503", 5)
        return reply(verdict_json(far=0.6 if spec == THREE[0] else 0.8))

    asker = ScriptedAsker(answer)
    decision = decide(open_jury(THREE, asker, SOUND))
    assert sorted(spec for spec, _ in asker.asked) == sorted(THREE)
    assert decision.consensus.far == pytest.approx(0.7)
    assert decision.verdicts[1].missing == "the call failed (server): 503"


def test_weights_follow_the_order_in_which_judges_are_named():
    def answer(spec, request):
        return reply(verdict_json(far=1.0 if spec == THREE[2] else 0.0))

    rules = JuryRules(no_claims="scored", consensus=AS_RUN_WEIGHTS)
    assert decide(open_jury(THREE, ScriptedAsker(answer), rules)).consensus.far == pytest.approx(0.40)
    assert decide(open_jury(THREE[::-1], ScriptedAsker(answer), rules)).consensus.far == pytest.approx(0.25)


def test_a_turn_that_was_never_answered_is_unscored():
    decision = Decision.unanswered()
    assert decision.verdicts == () and decision.consensus.unscored == "no answer"
    assert (decision.consensus.far, decision.consensus.sas, decision.consensus.judges) == (None, None, 0)


def test_a_decision_survives_being_written_down():
    decision = decide(Panel([FixedJudge("a", 0.2), FixedJudge("b", missing="refused")], JuryRules(quorum=1)))
    body = json.loads(json.dumps(decision.body()))
    assert [Verdict(**verdict) for verdict in body["verdicts"]] == list(decision.verdicts)
    assert Consensus(**body["consensus"]) == decision.consensus


def test_a_whole_dialogue_can_be_decided_with_one_call_per_llm():
    text = json.dumps({f"turn_{turn}": json.loads(verdict_json(far=turn / 10)) for turn in (1, 2)})
    asker = ScriptedAsker([reply(text)])
    panel = Panel([LLMJudge(asker, "openai/gpt-5.1", SOUND), FixedJudge("fixed", 0.5)], SOUND)
    decisions = asyncio.run(panel.decide_dialogue([task(1), task(2)]))
    assert [decision.consensus.far for decision in decisions] == pytest.approx([0.3, 0.35])
    assert len(asker.asked) == 1


def test_names_settle_the_kind_of_judge():
    names = [
        "openai/gpt-5.1",
        "local/qwen2.5-coder-1.5b",
        "logprob:openai-api/qwen",
        "json:local/big.gguf",
        "simulated/judge",
    ]
    kinds = [type(judge) for judge in jury(names).judges]
    assert kinds == [LLMJudge, LocalJudge, LocalJudge, LLMJudge, LLMJudge]
    assert [judge.name for judge in jury(names).judges] == names


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("reference", None),
        ("openai/gpt-5.1", "openai/gpt-5.1"),
        ("logprob:local/a.gguf", "local/a.gguf"),
        (" json:local/a.gguf", "local/a.gguf"),
    ],
)
def test_the_model_behind_a_judges_name_is_known_before_it_sits(name, spec):
    assert judge_spec(name) == spec


def test_a_model_named_twice_sits_twice():
    assert [judge.name for judge in jury(["openai/gpt-5.1"] * 3).judges] == [
        "openai/gpt-5.1",
        "openai/gpt-5.1#2",
        "openai/gpt-5.1#3",
    ]


@pytest.mark.parametrize("names", [["local/smollm2-135m"], ["logprob:local/smollm2-135m"], ["json:local/smollm2-135m"]])
def test_a_model_at_chance_is_refused_under_any_prefix(names):
    with pytest.raises(JuryError, match="must not judge"):
        jury(names)


@pytest.mark.parametrize(
    ("names", "rules", "sentence"),
    [
        ([], SOUND, "at least one judge"),
        (["gpt-5.1"], SOUND, "PROVIDER/NAME"),
        (["reference", "reference"], SOUND, "Two judges are named 'reference'"),
        (THREE, JuryRules(quorum=4), "quorum is 4"),
        (THREE[:2], JuryRules(consensus=AS_RUN_WEIGHTS), "3 judges, but the jury has 2"),
    ],
)
def test_a_jury_that_cannot_sit_is_refused_in_one_sentence(names, rules, sentence):
    with pytest.raises(JuryError, match=sentence):
        jury(names, rules=rules)


def test_the_reference_panel_judges_without_any_call():
    decision = decide(jury(["reference"]))
    assert [verdict.judge for verdict in decision.verdicts] == ["reference"]
    assert decision.consensus.unscored is None and decision.consensus.sas is not None


def test_the_reference_panel_reads_a_stance_only_where_there_is_a_trap():
    answer = "I am not aware of any Professor Ilse Marchetti; I can't verify that this scholar exists."
    assert reference_stance(task(4, answer=answer)) == "rejected"
    assert reference_stance(task(2)) is None


def test_the_jury_id_is_readable_and_stable():
    assert jury(["reference"]).jury_id == "reference"
    assert re.fullmatch(r"gpt-5\.1\+deepseek-v3\.1\+claude-opus-4-1-[0-9a-f]{6}", jury(THREE).jury_id)
    assert jury(THREE).jury_id == jury(THREE).jury_id
    assert re.fullmatch(r"[\w.+#-]+", jury([*THREE, "logprob:local//a b/c d.gguf"]).jury_id)


def test_the_jury_id_changes_with_judges_rules_and_kind():
    ids = {
        jury(THREE).jury_id,
        jury(THREE[::-1]).jury_id,
        jury(THREE, rules=JuryRules(tell_level_and_turn=True)).jury_id,
        jury(["local/a.gguf"]).jury_id,
        jury(["json:local/a.gguf"]).jury_id,
        jury(["reference"], rules=JuryRules(no_claims="scored")).jury_id,
        jury(["reference"]).jury_id,
    }
    assert len(ids) == 7


def test_the_jury_id_changes_with_the_prompts(monkeypatch):
    before = jury(THREE).jury_id
    monkeypatch.setattr("voirdire.jury.panel.prompt_hashes", lambda: {"judge_far": "another"})
    assert jury(THREE).jury_id != before


def test_weak_judges_sit_under_a_banner():
    assert banner(jury(["reference"])) == REFERENCE_BANNER
    assert len(REFERENCE_BANNER) < 200, "it stands in a box before every first screen"
    assert banner(jury(["local/qwen2.5-coder-1.5b"])) == WORTH
    assert banner(jury(THREE)) is None
    assert banner(jury(["openai/gpt-5.1", "reference"])).startswith("One seat of the jury is the reference panel: ")


def test_a_judge_with_two_seats_is_told_of():
    assert banner(jury([*THREE, THREE[0]])).startswith("openai/gpt-5.1 has 2 seats on this jury: ")


def test_a_simulated_subject_can_not_judge():
    with pytest.raises(JuryError, match=r"^simulated/steady is a subject, and can't judge: name a judge"):
        jury(["simulated/steady"])


@pytest.mark.parametrize(
    ("name", "rules", "calls"),
    [
        ("reference", JuryRules(), 0),
        ("openai/gpt-5", JuryRules(), 1),
        ("openai/gpt-5", JuryRules(separate_calls=True), 2),
        ("openai/gpt-5", JuryRules(granularity="dialogue"), 0.2),
        ("local/qwen2.5-coder-1.5b", JuryRules(), 2),
        ("json:local/qwen2.5-coder-1.5b", JuryRules(), 1),
    ],
)
def test_how_often_a_judge_is_called_per_turn_is_known_beforehand(name, rules, calls):
    assert calls_per_turn(name, rules) == calls
