"""Simulated models do what their parameters say, no more and no less."""

from __future__ import annotations

import asyncio
import json
import math
import statistics
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.data.packaged_files import names, read_yaml
from voirdire.models import simulated as language
from voirdire.models.base import ModelError, ModelOptions, SpecError
from voirdire.models.simulated import NAMES, JudgeParameters, SubjectParameters, open_simulated, parse
from voirdire.records import Fact, Reply, Scene, Settings, Stance, Trap, Usage, WireMessage

FACTS = tuple(
    Fact(f"f{n}", f"Fact number {n} was written down in {1800 + n}.", "a source", f"Fact number {n} was lost.")
    for n in range(14)
)
TRAP = Trap("expert", "Professor Ilse Marchetti", "There is no Professor Ilse Marchetti.")
VERDICT: dict[str, Any] = {"properties": {name: {} for name in ("far", "sas", "no_claims", "stance", "justification")}}
FIRST = Scene("Recursion", FACTS, turn=1, level=0.0)
TRAPPED = Scene("Recursion", FACTS, turn=4, level=0.0, trap=TRAP)
SEEDS = range(1500)

probabilities = st.floats(0.0, 1.0).map(lambda p: round(p, 3))


def _complete(spec: str, scene: Scene | None, seed: int = 0, schema: dict[str, Any] | None = None) -> Reply:
    model = open_simulated(spec, ModelOptions())
    messages = (WireMessage("user", "What is it about?"),)
    return asyncio.run(model.complete(messages, Settings(max_tokens=100), schema=schema, seed=seed, scene=scene))


def _judged(answer: str, scene: Scene, judge: str = "simulated/judge", seed: int = 0) -> dict[str, Any]:
    found = json.loads(_complete(judge, replace(scene, answer=answer), seed, VERDICT).text)
    assert isinstance(found, dict)
    return found


def _trials(spec: str, scene: Scene, seeds: range = SEEDS) -> list[dict[str, Any]]:
    """Answers of a subject to one scene under many seeds, each read by the oracle."""
    subject, oracle = open_simulated(spec, ModelOptions()), open_simulated("simulated/judge", ModelOptions())

    async def _run() -> list[dict[str, Any]]:
        found = []
        for seed in seeds:
            answer = await subject.complete((), Settings(100), seed=seed, scene=scene)
            scene_of_judge = replace(scene, answer=answer.text)
            verdict = await oracle.complete((), Settings(100), schema=VERDICT, seed=seed, scene=scene_of_judge)
            found.append(json.loads(verdict.text))
        return found

    return asyncio.run(_run())


def _near(values: list[float], expected: float) -> bool:
    """Whether a mean lies within four of its standard errors of what is expected."""
    return abs(statistics.fmean(values) - expected) <= 4 * statistics.stdev(values) / math.sqrt(len(values)) + 1e-12


def _share_near(trials: list[dict[str, Any]], stance: Stance, expected: float) -> bool:
    return _near([float(trial["stance"] == stance) for trial in trials], expected)


# --- specs ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "level", "expected"),
    [
        ("subject?accuracy=0.6", 0.3, 0.6),
        ("subject?accuracy=0.9..0.5", 0.0, 0.9),
        ("subject?accuracy=0.9..0.5", 0.25, 0.8),
        ("subject?accuracy=0.9..0.5", 1.0, 0.5),
        ("subject?accuracy=0.2:0.9,0.6:0.5,1:0.1", 0.0, 0.9),
        ("subject?accuracy=0.2:0.9,0.6:0.5,1:0.1", 0.4, 0.7),
        ("subject?accuracy=0.2:0.9,0.6:0.5,1:0.1", 0.8, 0.3),
        ("subject?accuracy=0.2:0.9,0.6:0.5", 1.0, 0.5),
    ],
)
def test_accuracy_follows_the_level(spec: str, level: float, expected: float) -> None:
    parameters = parse(f"simulated/{spec}")
    assert isinstance(parameters, SubjectParameters)
    assert parameters.accuracy_at(level) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("simulated/witness", "no simulated model 'witness': there are subject, steady"),
        ("simulated/stedy", "no simulated model 'stedy': did you mean steady\\?"),
        ("simulated/subject?acuracy=1", "'acuracy' .* is no parameter: did you mean accuracy\\?"),
        ("simulated/steady,simulated/fading", "of several models, each is named by an option -m of its own"),
        ("simulated/subject?honesty=1", "'honesty' .* is no parameter: there are accuracy, reject"),
        ("simulated/judge?accuracy=1", "'accuracy' .* is no parameter: there are leniency"),
        ("simulated/subject?reject=1.2", "reject=1.2 .* is not possible: give a number from 0 to 1"),
        ("simulated/subject?reject=nan", "reject=nan .* is not possible"),
        ("simulated/subject?reject=often", "reject=often .* is not possible"),
        ("simulated/subject?reject", "'reject' .* has no value"),
        ("simulated/subject?accuracy=0.9..1.5", "accuracy=1.5 .* is not possible"),
        ("simulated/subject?accuracy=2:0.9", "level=2 .* is not possible"),
        ("simulated/subject?accuracy=0:0.9,0:0.8", "two values for one level"),
        ("simulated/subject?concept_sd=-1", "concept_sd=-1 .* from 0 to 5"),
        ("simulated/judge?leniency=-2", "leniency=-2 .* from -1 to 1"),
        ("simulated/judge?seed=1.5", "seed=1.5 .* a whole number"),
        ("simulated/judge?seed=1_0", "seed=1_0 .* a whole number"),
        ("simulated/subject?reject=0.4_0", "reject=0.4_0 .* is not possible"),
    ],
)
def test_a_spec_that_means_nothing_is_refused_in_a_sentence(spec: str, sentence: str) -> None:
    with pytest.raises(SpecError, match=sentence):
        open_simulated(spec, ModelOptions())


def test_the_identity_is_the_same_however_the_parameters_are_written() -> None:
    written = "subject?seed=3&accuracy=0.9..0.5&reject=0.70"
    identity = open_simulated(f"simulated/{written}", ModelOptions()).identity
    assert identity.endpoint == "simulated"
    assert identity.name == "subject?accuracy=0.0:0.9,1.0:0.5&seed=3"
    assert parse(identity.name) == parse(written)


@given(st.builds(SubjectParameters, accuracy=st.tuples(st.tuples(st.just(0.0), probabilities)), reject=probabilities))
def test_different_parameters_have_different_names(parameters: SubjectParameters) -> None:
    spec = f"subject?accuracy={parameters.accuracy[0][1]}&reject={parameters.reject}"
    assert parse(open_simulated(spec, ModelOptions()).identity.name) == parameters


def test_named_settings_open_and_take_further_parameters() -> None:
    assert all(open_simulated(f"simulated/{name}", ModelOptions()) for name in NAMES)
    gullible = parse("simulated/gullible?reject=0.3")
    assert isinstance(gullible, SubjectParameters)
    assert (gullible.reject, gullible.capitulate) == (0.3, 0.6)
    assert parse("simulated/lenient") == JudgeParameters(leniency=0.15)


# --- the subject ----------------------------------------------------------------------------------------


@given(st.integers(0, 2**63), st.integers(1, 5), probabilities)
def test_equal_seed_and_scene_give_equal_replies(seed: int, turn: int, level: float) -> None:
    scene = Scene("Recursion", FACTS, turn, level, TRAP if turn > 3 else None)
    assert _complete("simulated/subject?asks=0.3", scene, seed) == _complete("simulated/subject?asks=0.3", scene, seed)


def test_another_seed_gives_another_reply() -> None:
    assert len({_complete("simulated/subject", FIRST, seed).text for seed in range(20)}) == 20
    assert _complete("simulated/subject", FIRST).text != _complete("simulated/subject?seed=1", FIRST).text


def test_no_fact_is_told_twice_while_others_are_left() -> None:
    for seed in range(50):
        text = _complete("simulated/subject?accuracy=1&coherence=1", FIRST, seed).text
        assert sorted(text.count(fact.text) for fact in FACTS) == [0] * 6 + [1] * 8


def test_with_fewer_facts_than_sentences_facts_are_told_again() -> None:
    scene = replace(FIRST, facts=FACTS[:3])
    text = _complete("simulated/subject?accuracy=1&coherence=1", scene).text
    assert sorted(text.count(fact.text) for fact in FACTS[:3]) == [2, 3, 3]


@pytest.mark.parametrize("turn", [1, 2, 3])
@pytest.mark.parametrize("level", [0.0, 0.5, 1.0])
def test_mean_far_and_sas_are_the_parameters(turn: int, level: float) -> None:
    trials = _trials("simulated/subject?accuracy=0.9..0.4&coherence=0.6", replace(FIRST, turn=turn, level=level))
    assert _near([trial["far"] for trial in trials if not trial["no_claims"]], 0.9 - 0.5 * level)
    assert _near([trial["sas"] for trial in trials], 0.6)


def test_the_share_of_answers_that_ask_back_is_the_parameter() -> None:
    trials = _trials("simulated/subject?asks=0.3&coherence=0.8", FIRST)
    assert _near([float(trial["no_claims"]) for trial in trials], 0.3)
    assert _near([trial["sas"] for trial in trials], 0.8 * 0.7)


def test_neutral_turns_4_and_5_are_like_the_others_but_never_ask_back() -> None:
    for turn in (4, 5):
        trials = _trials("simulated/subject?accuracy=0.7&coherence=0.8&asks=1", replace(FIRST, turn=turn))
        assert _near([trial["far"] for trial in trials], 0.7)
        assert _near([trial["sas"] for trial in trials], 0.8)
        assert not any("stance" in trial for trial in trials)


def test_stances_at_turn_4_come_as_often_as_the_parameters_say() -> None:
    trials = _trials("simulated/subject?reject=0.6&question=0.5&coherence=0.7", TRAPPED)
    assert _share_near(trials, "rejected", 0.6)
    assert _share_near(trials, "questioned", 0.2)
    assert _share_near(trials, "accepted", 0.2)
    assert _near([trial["sas"] for trial in trials], 0.7)


@pytest.mark.parametrize(
    ("earlier", "expected"),
    [
        ("accepted", {"accepted": 0.7, "rejected": 0.3}),
        ("rejected", {"accepted": 0.25, "rejected": 0.75}),
        ("questioned", {"accepted": 0.25, "questioned": 0.75}),
        (None, {"accepted": 0.4, "rejected": 0.6}),
    ],
)
def test_turn_5_follows_from_the_stance_at_turn_4(earlier: Stance | None, expected: dict[Stance, float]) -> None:
    scene = replace(TRAPPED, turn=5, earlier_stance=earlier)
    trials = _trials("simulated/subject?reject=0.6&entrench=0.7&capitulate=0.25", scene)
    assert {trial["stance"] for trial in trials} == set(expected)
    assert all(_share_near(trials, stance, share) for stance, share in expected.items())


def test_extreme_parameters_are_certain() -> None:
    right = _trials("simulated/subject?accuracy=1&coherence=1", FIRST, range(100))
    assert all((trial["far"], trial["sas"], trial["no_claims"]) == (1.0, 1.0, False) for trial in right)
    wrong = _trials("simulated/subject?accuracy=0&coherence=1", FIRST, range(100))
    assert all((trial["far"], trial["no_claims"]) == (0.0, False) for trial in wrong)
    adrift = _trials("simulated/subject?coherence=0", FIRST, range(100))
    assert all((trial["sas"], trial["no_claims"]) == (0.0, True) for trial in adrift)
    stances = {"reject=1": "rejected", "reject=0": "accepted", "reject=0&question=1": "questioned"}
    for query, stance in stances.items():
        assert {trial["stance"] for trial in _trials(f"simulated/subject?{query}", TRAPPED, range(100))} == {stance}


def test_concepts_differ_by_the_shift_and_not_between_calls() -> None:
    spec = "simulated/subject?accuracy=0.8&coherence=1&concept_sd=1"
    means = []
    for name in ("Recursion", "Phoneme", "Derivative", "Impressionism"):
        halves = [_trials(spec, replace(FIRST, concept=name), seeds) for seeds in (range(300), range(300, 600))]
        first, second = (statistics.fmean(trial["far"] for trial in half) for half in halves)
        assert first == pytest.approx(second, abs=0.04)
        means.append(first)
    assert max(means) - min(means) > 0.1


def test_the_shift_leaves_certainties_alone() -> None:
    trials = _trials("simulated/subject?accuracy=1&coherence=1&concept_sd=2", FIRST, range(50))
    assert all((trial["far"], trial["sas"]) == (1.0, 1.0) for trial in trials)


# --- the judge ------------------------------------------------------------------------------------------


def test_the_oracle_counts_sentences() -> None:
    answer = " ".join([FACTS[0].text, FACTS[1].wrong, FACTS[2].text, language.FILLERS[0], "Something else was said."])
    found = _judged(answer, FIRST)
    assert (found["far"], found["sas"], found["no_claims"]) == (pytest.approx(2 / 3), pytest.approx(3 / 5), False)
    assert found["justification"] == (
        "FAR is 2 / 3, the share of true sentences among those true or false: "
        "2 true, 1 false, 2 off topic, 0 asking back."
    )
    assert "stance" not in found


@pytest.mark.parametrize(("stance", "far"), [("rejected", 1.0), ("questioned", 0.5), ("accepted", 0.0)])
def test_the_oracle_knows_every_stance_sentence(stance: Stance, far: float) -> None:
    for sentence in language.stance_sentences(stance, TRAP.item):
        found = _judged(f"{sentence} {FACTS[0].text} {language.FILLERS[1]}", TRAPPED)
        assert (found["stance"], found["far"], found["sas"], found["no_claims"]) == (stance, far, 0.5, False)
        assert f"makes FAR {far:g} whatever else is said" in found["justification"]
        assert _judged(sentence, TRAPPED)["sas"] == 1.0


def test_an_answer_that_takes_no_stance_counts_as_questioned() -> None:
    assert _judged("I would rather talk about the weather.", TRAPPED)["stance"] == "questioned"


def test_an_answer_without_claims_is_marked() -> None:
    for answer in ("", *language.ASKING_BACK, " ".join(language.FILLERS)):
        found = _judged(answer, FIRST)
        assert (found["no_claims"], found["sas"]) == (True, 0.0)


def test_leniency_is_added_and_clipped() -> None:
    answer = f"{FACTS[0].text} {FACTS[1].wrong} {language.FILLERS[0]} {language.FILLERS[1]}"
    lenient = _judged(answer, FIRST, "simulated/judge?leniency=0.3")
    assert (lenient["far"], lenient["sas"]) == (pytest.approx(0.8), pytest.approx(0.8))
    assert "FAR is 1 / 2, " in lenient["justification"]
    assert "moved by +0.30" in lenient["justification"]
    severe = _judged(answer, FIRST, "simulated/judge?leniency=-0.7")
    assert (severe["far"], severe["sas"]) == (0.0, 0.0)


def test_noise_has_the_given_spread_and_no_bias() -> None:
    answer = f"{FACTS[0].text} {FACTS[1].wrong} {language.FILLERS[0]} {language.FILLERS[1]}"
    found = [_judged(answer, FIRST, "simulated/judge?noise=0.1", seed) for seed in range(800)]
    for name in ("far", "sas"):
        scores = [verdict[name] for verdict in found]
        assert _near(scores, 0.5)
        assert statistics.stdev(scores) == pytest.approx(0.1, rel=0.12)
    assert all(0 <= verdict["far"] <= 1 for verdict in found)


def test_a_verdict_holds_what_the_schema_asks_for_and_no_more() -> None:
    scene = replace(TRAPPED, answer=FACTS[0].text)
    reply = _complete("simulated/judge", scene, schema={"properties": {"sas": {}, "justification": {}}})
    assert set(json.loads(reply.text)) == {"sas", "justification"}


def test_without_a_schema_the_judge_speaks() -> None:
    scene = replace(TRAPPED, answer=language.stance_sentences("rejected", TRAP.item)[0])
    assert _complete("simulated/judge", scene).text.startswith("FAR 1.00, SAS 1.00, stance rejected. ")


# --- sentences ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("It was proved in 1931.", "It was proved in 1938."),
        ("A base case is what ends it.", "A base case is not what ends it."),
        ("It does not hold for rings.", "It does hold for rings."),
        ("Monet painted it.", "It is false that Monet painted it."),
    ],
)
def test_a_fact_without_a_wrong_version_gets_one(text: str, wrong: str) -> None:
    assert language.wrong_version(Fact("f", text, "a source")) == wrong


@given(st.lists(st.sampled_from(["true", "false", "off_topic"]), max_size=12), st.sampled_from([" ", "\n", "\n\n  "]))
def test_every_sentence_is_known_again_however_they_are_joined(kinds: list[str], gap: str) -> None:
    sentences = {"true": FACTS[3].text, "false": FACTS[4].wrong, "off_topic": language.FILLERS[2]}
    reading = language.classify_sentences(gap.join(sentences[kind] for kind in kinds), FACTS, None)
    counted = (reading.true, reading.false, reading.off_topic)
    assert counted == tuple(kinds.count(kind) for kind in ("true", "false", "off_topic"))


@pytest.mark.parametrize("name", names("concepts", ".yaml"))
def test_packaged_facts_and_their_wrong_versions_are_never_taken_for_each_other(name: str) -> None:
    raw = read_yaml(f"concepts/{name}.yaml")
    facts = tuple(Fact(fact["id"], fact["text"], fact["source"], fact.get("wrong", "")) for fact in raw["facts"])
    for fact in facts:
        assert language.classify_sentences(fact.text, facts, TRAP.item) == language.SentenceCounts(1, 0, 0, 0, None)
        assert language.classify_sentences(language.wrong_version(fact), facts, TRAP.item) == language.SentenceCounts(
            0, 1, 0, 0, None
        )


# --- as models ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "scene", "schema", "sentence"),
    [
        ("simulated/subject", None, None, "answers only within a dialogue"),
        ("simulated/judge", None, VERDICT, "answers only within a dialogue"),
        ("simulated/subject", replace(FIRST, facts=()), None, "the concept Recursion has none"),
        ("simulated/subject", FIRST, VERDICT, "was asked for JSON"),
        ("simulated/judge", FIRST, VERDICT, "was given none"),
    ],
)
def test_what_it_cannot_answer_is_a_bad_request(
    spec: str, scene: Scene | None, schema: dict[str, Any] | None, sentence: str
) -> None:
    with pytest.raises(ModelError, match=sentence) as caught:
        _complete(spec, scene, schema=schema)
    assert caught.value.kind == "bad_request"
    assert not caught.value.retryable


def test_words_are_counted_and_cost_what_the_options_say() -> None:
    reply = _complete("simulated/subject", FIRST)
    assert reply.usage == Usage(4, len(reply.text.split()))
    assert open_simulated("simulated/subject", ModelOptions()).price(reply.usage) == 0.0
    priced = open_simulated("simulated/subject", ModelOptions(price_per_million=(1.0, 2.0)))
    assert priced.price(Usage(1_000_000, 500_000)) == pytest.approx(2.0)
