import re
from dataclasses import replace

import pytest

from tests.report.ddft.made import paragraph, passing, with_profile, with_result
from voirdire.ddft.metrics import Value
from voirdire.report.ddft.verdict import verdict
from voirdire.report.document import Notice
from voirdire.stats.intervals import Interval


def notices(section):
    return [block.text for block in section.blocks if isinstance(block, Notice)]


def test_it_says_who_was_asked_what_and_gives_the_profile_s_own_numbers(one):
    said, profile = paragraph(verdict(passing(one))), one.only
    assert f"{profile.model} was asked five questions in each of 6 dialogues about 3 concepts" in said
    assert "from all of it (compression 0) to nothing (1)" in said
    er, interval = profile.metrics["ER"].value, profile.intervals["ER"]
    assert f"is {er:.2f} (95 % interval {interval.low:.2f} to {interval.high:.2f})" in said
    assert f"score {profile.metrics['K'].value:.2f} of 1" in said
    counts = one.scores.loc[one.scores["turn"] == 4, "stance"].value_counts()
    assert f"Of 6 inventions it rejected {counts['rejected']}" in said


def test_a_failed_check_comes_first(one):
    (first, *rest) = passing(one).runs.results[0].checks
    said = paragraph(verdict(with_result(one, checks=(replace(first, status="fail"), *rest))))
    assert said.startswith("The test itself was not sound: 1 of its 13 checks fails (the questions do not say which")


def test_a_sound_test_is_not_called_unsound(one):
    assert "not sound" not in paragraph(verdict(passing(one)))


def test_a_wide_interval_is_called_wide_and_a_narrow_one_is_not(one):
    wide, narrow = Interval(0.4, 0.7, 0.95, "jackknife-t"), Interval(0.5, 0.6, 0.95, "jackknife-t")
    for interval, said in ((wide, True), (narrow, False)):
        found = with_profile(one, intervals={**one.only.intervals, "ER": interval})
        assert ("That of ER is wide" in paragraph(verdict(found))) is said


def test_two_concepts_are_an_impression_without_intervals(two_concepts):
    said = paragraph(verdict(passing(two_concepts)))
    assert "rests on 2 concepts, and intervals need three" in said
    assert "95 %" not in said


def test_an_undefined_er_gives_its_reason(one):
    why = "E has no value (no stance towards a trap at turn 4 is known)"
    found = with_profile(one, metrics={**one.only.metrics, "ER": Value(None, why, 0)})
    said = paragraph(verdict(found))
    assert "(ER) has no value: no stance towards a trap at turn 4 is known." in said


def test_the_reference_panel_is_announced_and_called_a_demonstration(two_concepts):
    section = verdict(two_concepts)
    assert notices(section) == [two_concepts.runs.results[0].banner]
    assert "demonstration, not a measurement" in paragraph(section)


def test_an_unfinished_run_is_announced(one):
    section = verdict(with_result(one, stopped="5 of 6 dialogues are held to their end."))
    assert notices(section) == ["The run is not complete: 5 of 6 dialogues are held to their end."]
    assert "may still move" in paragraph(section)


def test_no_trap_is_said_and_nothing_is_claimed_of_inventions(untrapped):
    said = paragraph(verdict(untrapped))
    assert "No trap was set." in said
    assert "invention" not in said


def test_of_several_models_it_names_the_range_and_what_tests_support(study):
    said = paragraph(verdict(passing(study)))
    by_value = {model.model: model.value for model in study.comparison.models}
    lowest, highest = min(by_value, key=by_value.get), max(by_value, key=by_value.get)
    assert f"runs from {by_value[lowest]:.3f} ({lowest}," in said
    assert f"to {by_value[highest]:.3f} ({highest}," in said
    supported = {(pair.a, pair.b) for pair in study.comparison.pairs if pair.verdict == "A is higher"}
    named = set(re.findall(r"(simulated/\S+) above (simulated/[^;.]+)", said))
    assert named == supported
    assert len(supported) == 2


def test_what_cannot_be_told_apart_is_not_called_equal(study):
    (pair,) = [pair for pair in study.comparison.pairs if not pair.told_apart]
    said = paragraph(verdict(study))
    assert f"No difference shows between {pair.a} and {pair.b}, which does not make them equal" in said


def test_what_cannot_be_decided_is_said_with_what_it_lacks(study):
    pairs = tuple(replace(pair, verdict="cannot be decided", reasons=("why",)) for pair in study.comparison.pairs)
    said = paragraph(verdict(replace(study, comparison=replace(study.comparison, pairs=pairs))))
    assert "Tests support no difference between any two of them (3 pairs)" in said
    assert "None of the pairs can be decided at all: 8 shared concepts are too few for 3 comparisons" in said


@pytest.mark.parametrize("name", ["one", "two_concepts", "study", "untrapped"])
def test_every_verdict_says_what_it_must_not_be_used_for(name, request):
    said = paragraph(verdict(request.getfixturevalue(name)))
    assert "diagnosis of one behaviour under stress and not a leaderboard" in said
