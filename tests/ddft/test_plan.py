"""What a plan says before a run is what the run then sends."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from tests.support.fake_openai import start_fake_server
from voirdire.ddft.analysis.planning.material import Layout
from voirdire.ddft.analysis.planning.power import smallest_shown
from voirdire.ddft.analysis.planning.sources import published_source
from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.expected_calls import CHARACTERS_PER_TOKEN
from voirdire.ddft.plan import Ways, estimate, few_to_compare
from voirdire.ddft.plan_savings import RULE, savings
from voirdire.ddft.presets import RoleOptions, changed_preset, load_preset
from voirdire.ddft.report.plan import plan_document, plan_line
from voirdire.ddft.session import run_study
from voirdire.ddft.stopping import parse_rule
from voirdire.ddft.stopping.expected import expected_share
from voirdire.ddft.study import StudyPlan
from voirdire.reports.formats.terminal import to_terminal
from voirdire.runs import RunFolder

SUBJECT, JUDGE = "openai-api/subject", "openai-api/judge"
ANSWER_TOKENS = 52  # the fake server answers in 40 words
SEEDS = (0, 1)
JUDGED, ASKED = 0.02, 0.08  # how far tokens of judges and of subjects may be off


@pytest.fixture(scope="module")
def server():
    with start_fake_server() as url:
        yield url


def study(preset="sound", granularity=None, models=(SUBJECT,), jury=(JUDGE,), base_url=None, **changed):
    chosen = changed_preset(
        load_preset(preset), concepts=["recursion", "phoneme"], levels=["0", "1"], granularity=granularity
    )
    chosen = replace(chosen, subject_max_tokens=ANSWER_TOKENS, **changed)
    return StudyPlan(tuple(models), tuple(find_concepts(chosen.concepts)), chosen, jury=tuple(jury), base_url=base_url)


def sent_by(path):
    """(Calls, tokens in, at the plan's characters a token) by model, of what a run has sent."""
    with RunFolder.open(path, read_only=True) as folder:
        frame = folder.journal.calls_frame(bodies=True)
    calls, characters = Counter(), Counter()
    for call in frame.to_dict("records"):
        schema = call["schema"] if isinstance(call["schema"], str) else ""
        calls[call["spec"]] += 1
        said = "".join(message["role"] + message["content"] for message in call["messages"])
        characters[call["spec"]] += len(schema + said)
    return calls, {spec: count / CHARACTERS_PER_TOKEN for spec, count in characters.items()}


@pytest.mark.parametrize(
    ("preset", "granularity"),
    [("sound", None), ("sound", "dialogue"), ("as-run", None), ("published", None), ("published", "dialogue")],
)
def test_a_run_makes_the_calls_and_sends_the_tokens_that_its_plan_said(server, tmp_path, preset, granularity):
    plan = study(preset, granularity, base_url=server, turn5="always")
    planned = {model.spec: model for model in estimate(plan, 20).models}
    sent = Counter()
    for seed in SEEDS:  # questions and answers that are drawn differ in length
        asyncio.run(run_study(replace(plan, seed=seed), tmp_path / f"run-{seed}"))
        calls, tokens = sent_by(tmp_path / f"run-{seed}")
        assert {spec: model.calls for spec, model in planned.items()} == calls
        sent.update(tokens)
    assert planned[JUDGE].input_tokens == pytest.approx(sent[JUDGE] / len(SEEDS), rel=JUDGED)
    assert planned[SUBJECT].input_tokens == pytest.approx(sent[SUBJECT] / len(SEEDS), rel=ASKED)


def test_calls_of_one_model_in_several_roles_stand_in_one_row():
    plan = study(models=("openai/gpt-5.1",), jury=("openai/gpt-5.1", "anthropic/claude-sonnet-4-5"))
    first, second = estimate(plan, 20).models
    assert (first.spec, first.calls) == ("openai/gpt-5.1", 20 + 20)
    assert (second.spec, second.calls) == ("anthropic/claude-sonnet-4-5", 20)


def test_a_simulated_judge_goes_turn_by_turn_whatever_the_granularity():
    plan = study(granularity="dialogue", models=("simulated/steady",), jury=("simulated/judge",))
    assert {model.spec: model.calls for model in estimate(plan, 20).models}["simulated/judge"] == 20


def test_repetitions_and_models_multiply_calls():
    one, six = estimate(study(), 20), estimate(study(models=(SUBJECT, "openai-api/other"), samples=3), 20)
    assert six.calls == 6 * one.calls
    assert six.input_tokens == pytest.approx(6 * one.input_tokens, rel=0.01)


@pytest.mark.parametrize(
    ("models", "concepts", "needed"), [(2, 5, 6), (2, 6, None), (3, 6, 7), (3, 7, None), (1, 1, None)]
)
def test_a_plan_of_too_few_concepts_to_compare_its_models_says_how_many_it_takes(models, concepts, needed):
    plan = study(models=tuple(f"openai-api/m{place}" for place in range(models)))
    plan = replace(plan, concepts=tuple(find_concepts([]))[:concepts])
    found = estimate(plan, 20)
    note = found.as_dict()["few_to_compare"]
    assert (note and note["needed"]) == needed
    printed = " ".join(to_terminal(plan_document(found, savings(plan, 20, Ways()))).split())
    assert (f"decides nothing on fewer than {needed}, whatever they answer" in printed) == bool(needed)


def test_comparing_dialogues_is_named_only_where_there_are_enough_of_them():
    assert "--unit dialogue" in str(few_to_compare(2, 2, 6)) and "--unit dialogue" not in str(few_to_compare(2, 2, 5))


# --- ways of paying less --------------------------------------------------------------------------------

PANEL = ("openai/gpt-5.1", "anthropic/claude-sonnet-4-5", "mistral/mistral-large-latest")


def options_of(plan):
    return {row.option: row.estimate for row in savings(plan, 20, Ways())}


@pytest.fixture(scope="module")
def compared():
    whole = StudyPlan(("openai/gpt-5.1",), tuple(find_concepts([])), load_preset("sound"), jury=PANEL)
    return options_of(whole)


def test_every_option_costs_less_than_what_was_asked(compared):
    asked = compared.pop("as asked")
    assert len(compared) == 8
    assert all(found.usd < asked.usd for found in compared.values())
    compared["as asked"] = asked


def test_the_table_says_that_nothing_is_cached_rather_than_nothing():
    plan = StudyPlan(("openai/gpt-5.1",), tuple(find_concepts(["recursion"])), load_preset("quick"), jury=PANEL)
    document = plan_document(estimate(plan, 20), savings(plan, 20, Ways()))
    (table,) = (section.blocks[0] for section in document.sections if section.id == "savings")
    shown = {row["option"].shown: row["cached"].shown for row in table.rows}
    assert shown["as asked"] == "0 %" != shown["prefix caches"]


def test_prefix_caches_change_the_price_and_no_call(compared):
    asked, cached = compared["as asked"], compared["prefix caches"]
    assert (cached.calls, cached.input_tokens) == (asked.calls, asked.input_tokens)
    assert 0.2 < cached.cached_tokens / cached.input_tokens < 0.7
    mistral = {model.spec: model for model in cached.models}["mistral/mistral-large-latest"]
    assert mistral.cached_tokens == 0, "its rules are not known"


def test_a_batch_halves_the_judges_and_makes_one_wait(compared):
    asked, batch = compared["as asked"], compared["--batch"]

    def usd(found, spec):
        return {model.spec: model.usd for model in found.models}[spec]

    assert usd(batch, PANEL[1]) == pytest.approx(usd(asked, PANEL[1]) / 2)
    assert usd(batch, PANEL[0]) > usd(asked, PANEL[0]) / 2, "the subject is asked as ever"
    assert (asked.wait_hours, batch.wait_hours) == (0, 24)


def test_dialogue_saves_four_of_five_judge_calls(compared):
    assert compared["as asked"].calls - compared["--granularity dialogue"].calls == 3 * 160


def test_a_stopping_rule_takes_its_share_of_all_calls():
    preset = replace(load_preset("sound"), samples=3)
    whole = StudyPlan(("openai/gpt-5.1",), tuple(find_concepts([])), preset, jury=PANEL)
    stopped = savings(replace(whole, stop_when=parse_rule("K±0.05")), 20, Ways())[0].estimate
    share = expected_share(whole, parse_rule("K±0.05"), published_source()).share
    assert 0.2 < share < 0.9
    assert stopped.dialogues == round(share * 120)
    assert stopped.calls == pytest.approx(share * estimate(whole, 20).calls, rel=0.01)


@pytest.mark.parametrize("share", [0.78, 0.51, 0.01, 1.0])
def test_where_a_rule_ends_a_run_whole_dialogues_are_counted_for_each_model(share):
    expected = estimate(study(models=(SUBJECT, "openai-api/other")), 10, Ways(share=share))

    subjects = [model.calls for model in expected.models if model.spec != JUDGE]
    assert expected.turns == 5 * expected.dialogues == sum(subjects)
    assert subjects[0] == subjects[1] > 0
    assert expected.calls == 2 * expected.turns
    assert plan_line(expected).startswith("about ") is (share < 1)


def test_turns_that_may_not_be_asked_are_counted_and_said_to_be_the_most():
    always, on_acceptance = (estimate(study(turn5=when), 10) for when in ("always", "on_acceptance"))

    assert (always.at_most, on_acceptance.at_most) == (False, True)
    assert on_acceptance.turns == always.turns
    assert plan_line(always).startswith("4 dialogues, 20 turns, 40 calls, ")
    assert plan_line(on_acceptance).startswith("4 dialogues, at most 20 turns, at most 40 calls, ")


def test_a_rule_is_compared_where_there_is_something_to_stop():
    large = StudyPlan(("openai/gpt-5.1",), tuple(find_concepts([])), replace(load_preset("sound"), samples=3))
    found = options_of(large)
    rule = f"--stop-when {RULE}"
    assert found[rule].calls < 0.9 * found["as asked"].calls
    assert rule not in options_of(study(models=("openai/gpt-5.1",))), "two concepts are too few"


def test_a_jury_with_one_judge_that_takes_no_batches_is_not_batched():
    whole = study(models=PANEL[:1], jury=(*PANEL, "google/gemini-2.5-pro"))
    assert not any("--batch" in option for option in options_of(whole))


def test_what_changes_nothing_is_no_option():
    assert list(options_of(study(jury=("reference",), models=("simulated/steady",)))) == ["as asked"]
    by_dialogue = options_of(study(granularity="dialogue", jury=PANEL[:1], models=PANEL[:1]))
    assert not any("dialogue" in option for option in by_dialogue)


def test_of_a_server_of_one_s_own_a_batch_and_a_cache_save_nothing_and_are_no_options():
    own = {"models": ("openai-api/a",), "jury": ("openai-api/b",), "base_url": "http://127.0.0.1:1/v1"}
    found = options_of(study(**own))
    assert list(found)[:2] == ["as asked", "--granularity dialogue"]
    assert not any("batch" in option or "caches" in option for option in found)


def test_a_plan_says_where_its_prices_come_from():
    own = {"models": ("openai-api/a",), "jury": ("openai-api/b",), "base_url": "http://127.0.0.1:1/v1"}
    free = study(**own)
    roles = {"subject": RoleOptions(price_per_million=(1.0, 2.0)), "judge": RoleOptions(price_per_million=(1.0, 2.0))}
    given = replace(free, preset=replace(free.preset, roles=roles))
    partly = replace(
        given, models=PANEL[:1], preset=replace(given.preset, roles={"judge": roles["judge"]}), base_url=None
    )

    assert estimate(free, 1).assumptions[-1] == "$0 for models that no price is given of"
    assert estimate(given, 1).assumptions[-1] == "prices as given by you"
    assert estimate(partly, 1).assumptions[-1] == "prices as listed, prices as given by you"
    assert estimate(study(models=PANEL[:1], jury=PANEL[:1]), 1).assumptions[-1] == "prices as listed"


def test_a_local_judge_takes_its_time_by_the_size_of_its_weights_and_of_its_prompts():
    def minutes(judge):
        return estimate(study(models=("simulated/steady",), jury=(judge,)), 20).minutes

    turns, reading = 20, 12.0  # seconds: 700 tokens at 54 a second
    assert minutes("local/qwen2.5-coder-1.5b") * 60 == pytest.approx(turns * reading, rel=0.35)
    assert minutes("json:local/qwen2.5-coder-1.5b") > minutes("logprob:local/qwen2.5-coder-1.5b")


def test_the_time_of_a_local_model_is_a_range_that_says_what_it_rests_on():
    plan = study(models=("local/smollm2-135m",), jury=("reference",))
    found = estimate(plan, 20)
    assert found.slow_minutes == pytest.approx(10 * found.minutes)
    assert plan_line(found).endswith(" and < 1 to 3 min.")
    (rests,) = [each for each in found.assumptions if "a local 1 GB model" in each]
    assert "two idle cores" in rests and "10 times as long on slow or busy ones" in rests


def test_the_time_of_hosted_models_is_no_range():
    found = estimate(study(), 20)
    assert found.slow_minutes == found.minutes
    assert " to " not in plan_line(found)


def test_a_plan_begins_with_what_it_costs_and_which_difference_it_can_show():
    plan = study(models=("simulated/steady",), jury=("simulated/judge",))
    layout = Layout(8, 5, 1, 1)
    shown = smallest_shown(layout, 2, published_source())
    first = plan_document(estimate(plan, 20), savings(plan, 20, Ways()), shown).sections[0].blocks[0]
    assert f" calls, about $0.00 and < 1 min; it can show a difference of {shown.difference:.2f} or more" in first.text
    assert smallest_shown(layout, 9, published_source()).difference is None
    more = smallest_shown(Layout(30, 5, 1, 1), 2, published_source())
    assert more.difference < shown.difference
