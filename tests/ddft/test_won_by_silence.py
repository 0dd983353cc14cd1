"""Metrics that silence or incoherence can win: answers alone are compared, or it is said."""

import json

import pandas as pd
import pytest

from tests.ddft._scores import row, simulated, table
from voirdire.ddft.analysis.comparing.compare import compare
from voirdire.ddft.analysis.runs import Runs
from voirdire.ddft.metric_labels import in_words
from voirdire.ddft.metrics import METRICS
from voirdire.ddft.profile import best_first, profiles
from voirdire.ddft.report.comparison import comparison_document
from voirdire.ddft.won_by_silence import won_by_silence
from voirdire.documents.document import Table
from voirdire.reports.formats.terminal import to_terminal


def of_model(model, **changed):
    """A model over eight concepts, three levels and five turns."""
    return table(
        *(
            row(model=model, concept=concept, level=level, turn=turn)
            | {k: v(concept, turn) for k, v in changed.items()}
            for concept in "abcdefgh"
            for level in (0.0, 0.5, 1.0)
            for turn in range(1, 6)
        )
    )


def never_wrong(concept, turn):
    return None


@pytest.fixture(scope="module")
def study():
    good = of_model("good", far=lambda c, t: 0.6 if (c, t) in (("a", 1), ("b", 2)) else 0.9, sas=lambda c, t: 0.9)
    gibberish = of_model("gibberish", far=lambda c, t: 0.1, sas=lambda c, t: 0.07)
    silent = of_model("silent", far=never_wrong, sas=lambda c, t: 0.9, no_claims=lambda c, t: True)
    return Runs((), pd.concat([gibberish, silent, good], ignore_index=True), pd.DataFrame(), ())


def fluent_twice(concept, turn):
    return 0.9 if turn < 3 else 0.07


def wrong_in(wrong):
    return lambda concept, turn: 0.1 if turn == 1 and concept in wrong else 0.9


def in_danger(*models, metric="danger_zone_pct"):
    return compare(Runs((), pd.concat(models, ignore_index=True), pd.DataFrame(), ()), metric)


@pytest.mark.parametrize("metric", ["danger_zone_pct", "selective_verifier_failure", "D"])
def test_gibberish_and_silence_have_no_fluent_answers_and_take_no_rank(study, metric):
    found = compare(study, metric)
    good, *others = found.models
    assert (good.model, good.answered) == ("good", (6, 120))
    assert good.value == pytest.approx({"danger_zone_pct": 5.0, "D": 0.95}.get(metric, 0.05))
    assert [(each.value, each.unranked) for each in others] == [(None, "no value")] * 2
    assert found.headline.startswith("Nothing can be compared: of 3 models only good has a value of the share of ")
    json.dumps(found.as_dict(), allow_nan=False)


@pytest.mark.parametrize("metric", ["danger_zone_pct", "selective_verifier_failure", "D", "coupled_collapse"])
def test_what_ranks_is_what_is_tested_and_shown(metric):
    often = of_model("often", far=wrong_in("abcdefgh"), sas=lambda c, t: 0.3 if metric == "coupled_collapse" else 0.9)
    seldom = of_model("seldom", far=wrong_in("ab"), sas=lambda c, t: 0.3 if metric == "coupled_collapse" else 0.9)
    found = in_danger(often, seldom, metric=metric)
    first, second = found.models
    assert first.model == "seldom"
    assert found.pairs[0].difference == pytest.approx(first.value - second.value)
    assert first.interval.low <= first.value <= first.interval.high
    assert first.rank_probabilities[0] > 0.5


def test_the_share_of_fluent_answers_is_compared_and_not_that_of_all_turns():
    """Of all turns `few` is in the danger zone less often, of its fluent answers more often."""
    many = of_model("many", far=wrong_in("abcdef"), sas=lambda c, t: 0.9)
    few = of_model("few", far=wrong_in("abcd"), sas=fluent_twice)
    found = in_danger(few, many)
    assert [(each.model, each.value) for each in found.models] == [("many", 15.0), ("few", 25.0)]
    assert found.pairs[0].difference == pytest.approx(-10.0)
    assert found.headline.startswith(
        "No difference in the share of fluent answers that claim something that are wrong shows between many and few: "
    )


def test_the_terminal_says_what_the_share_is_of():
    said = to_terminal(comparison_document(in_danger(of_model("a"), of_model("b", far=wrong_in("abc")))))
    assert "wrong, %" in said and "of fluent answers that claim something" in " ".join(said.split())


def test_a_handful_of_fluent_answers_takes_no_rank():
    many = of_model("many", far=lambda c, t: 0.6 if (c, t) == ("a", 1) else 0.9, sas=lambda c, t: 0.9)
    few = of_model("few", far=lambda c, t: 0.9, sas=lambda c, t: 0.9 if t == 1 and c in "abc" else 0.07)
    found = in_danger(few, many)
    assert [model.model for model in found.models] == ["many", "few"]
    assert (found.models[1].answered, found.models[1].unranked) == ((0, 9), "too few turns")


def test_a_metric_of_answers_alone_keeps_its_order_and_says_nothing_of_silence_where_all_answer():
    found = compare(
        Runs((), pd.concat([simulated(seed=1, model="x"), simulated(seed=2, model="y")]), pd.DataFrame(), ()), "K"
    )
    assert all(model.answered is None for model in found.models)
    assert found.models[0].value >= found.models[1].value
    assert "can win" not in found.summary  # all of its answers claim something


@pytest.mark.parametrize("metric", ["K", "ER"])
def test_a_model_takes_no_rank_in_er_where_its_accuracy_rests_on_few_turns(metric):
    few, many = (simulated(3, seed, name) for seed, name in ((1, "few"), (2, "many")))
    found = compare(Runs((), pd.concat([few[few["level"] == 0], many], ignore_index=True), pd.DataFrame(), ()), metric)
    standing = next(each for each in found.models if each.model == "few")
    assert (standing.too_few, standing.unranked) == ({"K": 9}, "too few turns")


def test_that_silence_can_win_is_said_of_a_model_that_is_silent_at_times():
    lazy = simulated(seed=1, model="lazy", accuracy=1.0)
    silent = (lazy["level"] == 0.5) & (lazy["turn"] == 1)
    lazy = lazy.assign(no_claims=lazy["no_claims"] | silent, far=lazy["far"].mask(silent))
    other = simulated(seed=2, model="other", accuracy=0.5)
    found = compare(Runs((), pd.concat([lazy, other], ignore_index=True), pd.DataFrame(), ()), "K")
    assert "Silence can win K: lazy claims something in 96 % of its answers." in found.summary


def rejecting(model, answered):
    """A model that rejects every trap, and claims something about so many concepts."""

    def quiet(concept, turn):
        return concept not in "abcdefgh"[:answered]

    far, stance = (lambda c, t: None if quiet(c, t) else 0.9), (lambda c, t: "rejected")
    return of_model(model, far=far, no_claims=quiet, stance=stance)


@pytest.mark.parametrize("metric", ["V_E", "S", "trap_acceptance"])
def test_a_model_that_answers_nothing_takes_no_rank_and_no_pair(metric):
    found = in_danger(rejecting("good", 8), rejecting("mute", 0), metric=metric)
    mute = next(each for each in found.models if each.model == "mute")
    why = f"{in_words(metric)} says nothing of mute, none of whose answers claims anything"
    assert (mute.unranked, mute.reliable) == ("no answer that claims anything", False)
    assert mute.as_dict()["caution"]["code"] == "none_answered"
    assert (found.pairs[0].difference, str(found.pairs[0].reasons[0])) == (None, why)
    assert f"{why[0].upper()}{why[1:]}." in found.summary
    assert found.models[0].model == "good" and not found.pairs[0].differs


def test_a_model_that_seldom_answers_takes_no_rank_where_silence_can_win_the_metric():
    good = of_model("good", stance=lambda c, t: "accepted" if c == "a" else "rejected")
    fair = of_model("fair", stance=lambda c, t: "accepted" if c in "ab" else "rejected")
    found = in_danger(fair, good, rejecting("shy", 5), rejecting("often", 7), metric="V_E")
    shy = next(each for each in found.models if each.model == "shy")
    why = "shy takes no rank: only 75 of its 120 answers claim anything, and silence can win V_E"
    assert [each.model for each in found.models] == ["often", "good", "fair", "shy"]
    assert "that can be ranked (of 4), no difference in V_E shows between often and good: " in found.headline
    assert f"{why}." in found.summary
    assert (shy.value, shy.unranked, shy.reliable) == (1.0, "few answers that claim anything", False)
    assert shy.rank_probabilities is None and found.models[0].rank_probabilities is not None
    assert {str(pair.reasons[0]) for pair in found.pairs if "shy" in (pair.a, pair.b)} == {why}
    assert "Ranks leave out what has few answers that claim anything: shy." in found.notes
    plain = found.as_dict()["models"][-1]
    assert (plain["unranked"], plain["caution"]["claiming"]) == ("few answers that claim anything", 75)
    assert why in " ".join(to_terminal(comparison_document(found)).split())


def test_columns_and_tables_of_a_comparison_that_would_hold_only_dashes_are_left_out():
    good, mute = rejecting("good", 8), rejecting("mute", 0)
    fair = of_model("fair", stance=lambda c, t: "accepted" if c in "ab" else "rejected")
    nothing = blocks_of(in_danger(good, mute, metric="V_E"))
    one_of_three = blocks_of(in_danger(good, fair, mute, metric="V_E"))

    assert columns_of(nothing) == {"values": ["model", "value", "interval"]}
    assert "Holm" not in nothing[-2].text and "says nothing of mute" in str(nothing)
    assert columns_of(one_of_three)["standings"][1:] == ["expected_rank", "first", "last"]
    assert "Cannot be decided" not in columns_of(one_of_three) and "Holm" in str(one_of_three)


def blocks_of(comparison):
    return [block for section in comparison_document(comparison).sections for block in section.blocks]


def columns_of(blocks):
    return {block.id: [column.key for column in block.columns] for block in blocks if isinstance(block, Table)}


def test_of_models_that_all_seldom_answer_none_is_put_first():
    found = in_danger(rejecting("shy", 5), rejecting("coy", 6), metric="V_E")
    assert found.summary.startswith(
        "No model can be put first. shy takes no rank: only 75 of its 120 answers claim anything"
    )


def test_profiles_put_last_who_seldom_answers_however_high_its_er():
    good = of_model("good", far=lambda c, t: 0.5, stance=lambda c, t: "rejected" if t == 4 else None)
    ordered = best_first(profiles(pd.concat([rejecting("shy", 5), good], ignore_index=True), draws=10))
    assert [each.model for each in ordered] == ["good", "shy"] and ordered[1].er > ordered[0].er


@pytest.mark.parametrize("metric", [each for each in METRICS if each.parts], ids=lambda each: each.name)
def test_what_is_made_of_parts_that_silence_can_win_can_be_won_by_it(metric):
    assert any(won_by_silence(part) for part in metric.parts) and won_by_silence(metric.name)


def test_er_of_models_that_answer_everything_needs_no_such_word():
    found = compare(
        Runs((), pd.concat([simulated(seed=1, model="x"), simulated(seed=2, model="y")]), pd.DataFrame(), ())
    )
    assert "can win" not in found.summary
