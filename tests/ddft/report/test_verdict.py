import json
import re
import shutil
from dataclasses import replace

import pytest

from tests.ddft.report.conftest import SHY, THREE
from tests.ddft.report.examples import (
    FADING,
    PANEL,
    behind,
    failing,
    held,
    paragraph,
    paragraphs,
    passing,
    real,
    tone,
    with_profile,
    with_result,
)
from voirdire.ddft.analysis.comparing.compare import compare
from voirdire.ddft.analysis.runs import run_alone
from voirdire.ddft.metrics import Value
from voirdire.ddft.report import run_description
from voirdire.ddft.report.material import read_material
from voirdire.ddft.report.validity_checks import checks
from voirdire.ddft.report.verdict import verdict
from voirdire.ddft.validity import Check
from voirdire.documents.document import Chart, Links, Notice, Text
from voirdire.reason_codes import reason
from voirdire.stats.intervals import Interval


def notices(section):
    return [block.text for block in section.blocks if isinstance(block, Notice)]


def words(section):
    return len(paragraph(section).split())


def test_it_leads_with_the_result_and_gives_the_profile_s_own_numbers(one):
    said, profile = paragraph(verdict(passing(one))), one.only
    er, interval = profile.metrics["ER"].value, profile.intervals["ER"]
    reach = f"95 % interval {interval.low:.3f} to"
    lead = f"The epistemic reliability (ER, from 0 to 1) of {profile.model} is {er:.3f} ({reach} {interval.high:.3f})."
    assert said.startswith(lead)
    weakest = min("KESD", key=lambda part: profile.metrics[part].value)
    assert f"({weakest} {profile.metrics[weakest].value:.3f})" in said
    counts = one.scores.loc[one.scores["turn"] == 4, "stance"].value_counts()
    assert f"It rejected {counts['rejected']} of 6 fabrications" in said
    assert f"In {profile.danger_zone_pct:.1f} % of its turns" in said
    assert "It rests on 3 concepts and 3 judges." in said


@pytest.mark.parametrize("name", ["one", "study", "beside_refuser"])
def test_a_sentence_comes_first_then_the_chart_and_the_worst_failures_and_the_background_is_folded(name, request):
    first, *blocks = verdict(passing(real(request.getfixturevalue(name)))).blocks
    assert isinstance(first, Text) and len(re.findall(r"[.](?= [A-Z]|$)", first.text)) == 1
    chart, links, *_, background = [block for block in blocks if not isinstance(block, Notice)]
    assert isinstance(chart, Chart) and isinstance(links, Links) and len(links.items) <= 3
    assert background.title == "How the test was held"


def test_what_the_checks_leave_of_it_stands_below_the_chart_unless_part_of_it_is_not_to_be_relied_on(study):
    sound_in_part, unsound = (failing(study, check) for check in ("compression_effect", "judge_agreement"))
    checks = sound_in_part.report_runs[0].result.checks
    delivered = replace(checks[0], id="context_delivered", status="pass")
    sound_in_part = real(with_result(sound_in_part, read_checks=lambda: (delivered, *checks)))
    kinds, texts = [], []
    for material in (real(passing(study)), sound_in_part, real(unsound)):
        blocks = verdict(replace(material, comparison=compare(material.runs))).blocks
        texts.append([block.text if isinstance(block, Text) else "" for block in blocks])
        kinds.append([type(block) for block in blocks])
    assert "The test was sound" not in texts[0][0] and kinds[0][1:3] == [Chart, Links]
    assert ". The test was sound but for compression" in texts[1][0] and kinds[1][1:3] == [Chart, Links]
    assert "Do not rely on the figures" in texts[2][0] and kinds[2][1] is Chart


def test_how_it_was_held_stands_below(one):
    said, profile = behind(verdict(passing(one))), one.only
    assert f"{profile.model} was asked five questions in each of 6 dialogues about 3 concepts" in said
    assert "(Derivative, Phoneme and Recursion)" in said
    assert "from all of it (compression 0) to nothing (1)" in said
    assert f"score {profile.metrics['K'].value:.3f} (95 %" in said
    assert "by 3 judges (simulated/judge, simulated/lenient and simulated/noisy)" in said


@pytest.mark.parametrize("name", ["one", "two_concepts", "untrapped", "unfinished", "study", "unlike"])
def test_the_paragraph_can_be_read_at_a_glance(name, request):
    material = real(request.getfixturevalue(name))
    assert words(verdict(passing(material))) <= 125
    every = [check.id for check in material.runs.results[0].checks]
    assert words(verdict(failing(material, *every))) <= 170


@pytest.mark.parametrize("name", ["one", "two_concepts", "untrapped", "study", "unlike", "refuser", "beside_refuser"])
def test_no_paragraph_has_more_than_three_sentences(name, request):
    material = request.getfixturevalue(name)
    for section in (verdict(material), verdict(passing(material))):
        for said in paragraphs(section):
            assert len(re.findall(r"[.](?= [A-Z]|$)", said)) <= 3, said


def test_of_a_model_that_refuses_everything_it_says_that_alone(refuser):
    section = verdict(refuser)
    said = paragraph(section)
    assert said.startswith(
        "No check fails, but do not rely on the figures: refusing/judge gave every answer the same scores. By these "
        "figures: The 30 answers of refusing/subject claim nothing: it declines or asks back. Nothing else can be "
        "concluded for or against it."
    )
    assert "invention" not in said and "fluent" not in said
    assert "Taking the reference away" not in said and "stand" not in said and tone(section) == "bad"


def test_of_a_model_that_seldom_answers_it_leads_with_how_often(one):
    seldom = one.only.metrics | {"share_answered": Value(0.4, None, 30)}
    said = paragraph(verdict(with_profile(passing(one), metrics=seldom)))
    assert said.startswith(f"Only 12 of the 30 answers of {one.only.model} claim anything (40 %): the others decline")
    assert "The epistemic reliability (ER" in said


def test_the_interval_of_v_e_is_not_given_for_the_share_rejected(one):
    interval = one.only.intervals["V_E"]
    v_e = f"is {one.only.metrics['V_E'].value:.3f} (95 % interval {interval.low:.3f} to {interval.high:.3f})."
    assert f" of 6 fabrications and took 2 for real: V_E {v_e}" in paragraph(verdict(passing(one)))
    doubted = replace(one, scores=one.scores.assign(stance=one.scores["stance"].replace("rejected", "questioned")))
    told = f"It rejected none of 6 fabrications, doubted 4 and took 2 for real: V_E, where doubt counts half, {v_e}"
    assert told in paragraph(verdict(passing(doubted)))


def test_where_turns_have_no_score_it_says_of_how_many_scored_ones_it_speaks(one):
    n = one.only.metrics["danger_zone_pct"].n
    assert "scored turns" not in paragraph(verdict(passing(one)))
    partly = with_profile(passing(one), n={**one.only.n, "unscored": 6})
    assert f"% of its {n} scored turns" in " ".join(paragraphs(verdict(partly)))


def test_where_traps_or_concepts_have_no_judged_answer_it_says_how_many_there_are(one):
    metrics, n = one.only.metrics, one.only.n
    fewer = {**metrics, "V_E": metrics["V_E"]._replace(n=4)}
    partly = with_profile(passing(one), metrics=fewer, n={**n, "concepts": 2})
    said = " ".join(paragraphs(verdict(partly)))
    assert " of 4 fabrications with a scored answer (of 6 set)" in said
    assert "It rests on 2 concepts (of 3: no answer on the other is judged yet) and" in said


def test_that_the_test_was_not_sound_is_said_before_its_figures(one):
    section = verdict(failing(real(one), "concept_named"))
    first = section.blocks[0].text
    assert first.startswith(
        "Do not rely on the figures, because the test was not sound: the questions do not say which concept is meant. "
        "By these figures: The epistemic reliability (ER, from 0 to 1) of "
    )
    assert tone(section) == "bad"


def test_of_many_failed_checks_the_paragraph_names_some_and_the_list_all(one):
    section = verdict(failing(one, "concept_named", "trap_signalled", "question_length", "compression_effect"))
    assert "because the test was not sound: " in paragraph(section) and "; and 2 more." in paragraph(section)
    assert "the questions are too long; taking the reference away made no difference" in behind(section)


@pytest.mark.parametrize("name", ["one", "study"])
def test_a_run_of_simulated_models_is_said_to_be_a_demonstration_at_once(name, request):
    said = verdict(passing(request.getfixturevalue(name))).blocks[0].text
    assert said.endswith(
        "only simulated models were examined: this shows how the test works, and says nothing about a real model."
    )
    assert "you can rely" not in said and "simulated models" not in paragraph(
        verdict(real(request.getfixturevalue(name)))
    )


def test_a_sound_test_is_not_called_unsound(one):
    assert "not sound" not in paragraph(verdict(passing(one)))
    assert tone(verdict(passing(one))) == ""


def test_a_model_that_needs_no_reference_does_not_make_the_test_unsound(one):
    section = verdict(failing(real(one), "compression_effect"))
    said = paragraph(section)
    first = section.blocks[0]
    assert first.text.startswith("The epistemic reliability (ER") and first.tone == "warn"
    assert ". The test was sound but for compression (taking the reference away made no difference" in first.text
    assert "Taking the reference away made no difference that can be told" in said
    assert "fabrications, accuracy and danger zone stand" in said
    assert "not sound" not in said and "changes nothing" not in said


def test_nothing_is_said_to_stand_where_no_figure_is_to_be_relied_on(two_concepts):
    said = paragraph(verdict(failing(two_concepts, "compression_effect")))
    assert (
        said.startswith("Do not rely on the figures, because fixed rules judged instead of a model and ")
        and "Taking the reference away made no difference" in said
    )
    assert "stand" not in said.replace("understand", "")


def test_levels_without_effect_are_grave_where_the_text_was_not_delivered(one):
    section = verdict(failing(one, "compression_effect", "context_delivered"))
    assert paragraph(section).startswith("Do not rely on the figures, because the test was not sound: ")
    assert tone(section) == "bad"


def test_a_wide_interval_is_called_wide_and_a_narrow_one_is_not(one):
    wide, narrow = Interval(0.4, 0.7, 0.95, "jackknife-t"), Interval(0.5, 0.6, 0.95, "jackknife-t")
    for interval, said in ((wide, True), (narrow, False)):
        found = with_profile(one, intervals={**one.only.intervals, "ER": interval})
        assert ("The interval of ER is wide" in paragraph(verdict(found))) is said


def test_two_concepts_are_an_impression_without_intervals(two_concepts):
    said = paragraph(verdict(passing(two_concepts)))
    assert "rests on 2 concepts, and intervals need three" in said
    assert re.search(r"\(ER, from 0 to 1\) of .* is 0\.\d+ \(no interval\)", said)
    assert "interval 0." not in said


def test_an_undefined_er_gives_its_reason(one):
    why = reason("part_without_value", part="E", why=reason("no_stance"))
    found = with_profile(one, metrics={**one.only.metrics, "ER": Value(None, why, 0)})
    said = paragraph(verdict(found))
    assert "has no value: no stance towards a fabrication at turn 4 is known." in said
    assert f"(K) is {one.only.metrics['K'].value:.3f}" in said


def test_the_reference_panel_is_announced_and_called_a_demonstration(two_concepts):
    section = verdict(two_concepts)
    assert notices(section) == [two_concepts.runs.results[0].banner]
    assert "fixed rules that understand nothing" in behind(section)
    assert "docs/" not in " ".join(notices(section))


def test_an_unfinished_run_is_announced(one):
    section = verdict(with_result(one, stopped="5 of 6 dialogues are completed.", finished=False))
    assert notices(section) == ["The run is not complete: 5 of 6 dialogues are completed."]
    assert "may still move" in paragraph(section)


def test_of_a_run_whose_gaps_no_call_can_fill_it_does_not_say_that_figures_may_move(one):
    section = verdict(
        with_result(one, stopped="6 dialogues lack a verdict that no further call brings.", finished=True)
    )
    assert notices(section) == ["The run is not complete: 6 dialogues lack a verdict that no further call brings."]
    assert "may still move" not in paragraph(section)


def test_of_a_run_that_its_judges_keep_from_going_on_it_does_not_say_that_figures_may_move(one):
    section = verdict(
        with_result(one, stopped="5 of 6 dialogues completed.", finished=False, useless_judges=("acme/mute",))
    )
    assert "may still move" not in paragraph(section)


def test_beside_complete_runs_only_what_rests_on_the_unfinished_may_move(unlike):
    first, *others = unlike.report_runs
    result = replace(first.result, stopped="5 of 6 dialogues completed.", finished=False)
    said = paragraph(verdict(replace(unlike, report_runs=(replace(first, result=result), *others))))
    assert f"What rests on {unlike.run_name(first)} may still move" in said and "All of this" not in said


def test_models_that_the_ranges_leave_out_are_counted_with_the_reason(study):
    first, *others = study.profiles
    uneven = replace(first, notes=(reason("note_levels_uneven", levels=()),))
    said = paragraph(verdict(replace(study, profiles=(uneven, *others))))
    assert f"Left out of this: 1 model, judged unevenly so far: {first.model}." in said


def test_where_rules_judged_coherence_is_said_to_be_form(two_concepts):
    assert "semantic coherence (SAS), and so S, is form and relevance alone" in behind(verdict(two_concepts))


def test_no_trap_is_said_and_nothing_is_claimed_of_inventions(untrapped):
    section = verdict(untrapped)
    assert "No fabrication was set." in behind(section)
    assert "has no value: no fabrication was set." in paragraph(section)
    assert "invention" not in paragraph(section) + behind(section)


def test_what_an_unfinished_run_has_not_asked_is_said_and_nothing_is_made_of_it(unfinished):
    section = verdict(unfinished)
    assert "(not yet asked: turns 4 and 5)" in paragraph(section)
    assert "has no value: turn 4 was not asked, or is not judged yet." in paragraph(section)
    assert "was asked three questions in each of 6 dialogues" in behind(section)
    assert "Not yet asked: turns 4 and 5." in behind(section)
    assert "invent" not in behind(section)


def test_a_turn_asked_in_some_dialogues_is_counted(unfinished):
    turns = unfinished.turns
    late = (turns["turn"] == 3) & (turns["dialogue"] != turns["dialogue"].iloc[0])
    said = behind(verdict(replace(unfinished, turns=turns[~late])))
    assert "Not yet asked: turn 3 in 5 of 6 dialogues." in said


def test_answers_that_no_judge_has_seen_are_counted_with_the_turns_of_which_none_is_judged(unfinished):
    scores = unfinished.scores[unfinished.scores["turn"] < 3]
    (run,) = unfinished.report_runs
    result = replace(run.result, scores=scores, not_judged=len(unfinished.turns) - len(scores), dialogues=9)
    part = replace(unfinished, scores=scores, report_runs=(replace(run, result=result),))
    assert list(run_description.unfinished(part, part.report_runs[0])) == [
        ("not yet begun", "3 of 9 dialogues"),
        ("not yet asked", "turns 4 and 5"),
        ("not yet judged", "6 of 18 answers, none at turn 3"),
    ]


def test_one_level_is_not_a_fall(untrapped):
    said = behind(verdict(untrapped))
    assert "with the whole reference text at hand (compression 0, the only level)" in said
    assert "That is" not in said


def test_of_several_models_it_names_the_first_and_its_lead_and_what_tests_support(study):
    said = paragraph(verdict(passing(study)))
    first, second, _ = study.comparison.models
    lead = next(pair for pair in study.comparison.pairs if {pair.a, pair.b} == {first.model, second.model})
    assert said.startswith(study.comparison.headline)
    assert f"{first.model} has {first.value:.3f}, {lead.difference:.3f} above {second.model} (95 % interval " in said
    supported = {(pair.a, pair.b) for pair in study.comparison.pairs if pair.verdict == "A is higher"}
    named = set(re.findall(r"(simulated/\S+) above (simulated/[^;.]+)", said.partition("Tests support")[2]))
    assert named == supported
    assert len(supported) == 2


def test_all_models_with_the_lowest_share_are_named(study):
    first, *others = study.profiles
    alike = [replace(each, metrics={**each.metrics, "V_E": Value(0.0, None, 6)}) for each in others]
    best = replace(first, metrics={**first.metrics, "V_E": Value(1.0, None, 6)})
    said = paragraph(verdict(replace(study, profiles=(best, *alike))))
    lowest = " and ".join(each.model for each in alike)
    assert f"doubt counting half: from 0.0 % ({lowest}) to 100.0 % ({first.model})." in said


def test_the_closing_sentence_does_not_take_back_which_model_is_more_reliable(study, one):
    for material, which in ((study, "a"), (one, "the")):
        said = paragraph(verdict(material))
        assert f"no proof that {which} model is safe or fit for a purpose." in said and "better than" not in said


def test_what_silence_can_win_crowns_nobody_who_refuses(beside_refuser):
    said = paragraph(verdict(passing(beside_refuser)))
    _, ranges = said.split("Fabrications rejected, doubt counting half: from ")
    assert "fluent and wrong at once: from " in ranges
    ranges, after = ranges.split(" Left out of fabrications rejected (V_E) and of the danger zone, since silence can ")
    assert "refusing/subject" not in ranges
    assert after.startswith("win both: refusing/subject (claims something in none of its answers). ")


def test_a_model_that_seldom_answers_takes_no_rank_in_the_verdict(beside_shy):
    answered = beside_shy.result_by_name["beside-shy"].profiles[1].metrics["share_answered"]
    counts = f"{round(answered.value * answered.n)} of its {answered.n} answers"
    said = paragraph(verdict(beside_shy))
    assert f"{SHY} takes no rank: only {counts} claim anything, and silence can win ER" in said
    assert "Nothing can be compared: of 2 models only simulated/gullible has a usable value" in said


def test_every_model_without_a_rank_is_named_with_its_reason(study):
    names = [model.model for model in study.comparison.models]
    reasons = {names[0]: {"uneven": "levels"}, names[1]: {"turns_behind": (("FAR'", 2),)}}
    models = tuple(replace(each, **reasons.get(each.model, {})) for each in study.comparison.models)
    said = paragraph(verdict(passing(replace(study, comparison=replace(study.comparison, models=models)))))
    assert f"Left out, since levels are judged unevenly so far: {names[0]}." in said
    assert f"Left out, with too few turns behind the value: {names[1]} (0." in said


def test_where_every_model_seldom_answers_the_verdict_says_that_none_is_ranked(beside_shy):
    found = beside_shy.comparison
    seldom = next(each.caution for each in found.models if each.caution)
    all_shy = replace(found, models=tuple(replace(each, caution=seldom) for each in found.models))
    said = paragraph(verdict(passing(replace(beside_shy, comparison=all_shy))))
    assert "Left out, since silence can win it: " in said and said.count("(0.") >= 2


def test_er_of_runs_that_cannot_be_compared_says_who_seldom_answers(beside_shy, untrapped_path, runs):
    unlike = read_material([runs / "beside-shy", untrapped_path])
    (er,) = re.findall(r"from 0 to 1\): (.*?)\. All of it", paragraph(verdict(unlike)))
    assert re.findall(r"(\S+) 0\.\d+ \([^()]*it claims something in ", er) == [SHY]


def test_what_cannot_be_told_apart_is_not_called_equal(study):
    (pair,) = [pair for pair in study.comparison.pairs if not pair.differs]
    said = paragraph(verdict(study))
    assert f"No difference shows between {pair.a} and {pair.b}, which does not make them equal" in said


def test_what_cannot_be_decided_is_said_with_what_it_lacks(study):
    pairs = tuple(replace(pair, verdict="cannot be decided", reasons=("why",)) for pair in study.comparison.pairs)
    said = paragraph(verdict(replace(study, comparison=replace(study.comparison, pairs=pairs))))
    assert "No pair can be decided: 8 shared concepts are too few for 3 comparisons" in said
    assert "Tests support" not in said
    alone = replace(pairs[0], n_units=1)
    said = paragraph(verdict(replace(study, comparison=replace(study.comparison, pairs=(alone,)))))
    assert "No pair can be decided: 1 shared concept is too few, whatever was answered" in said


def test_every_model_that_leaves_pairs_undecided_is_named(study):
    uneven = [reason("model_uneven", metric="K", model=model, what="turns") for model in ("a/one", "b/two")]
    pairs = [
        replace(each, verdict="cannot be decided", p=None, reasons=(uneven[0],)) for each in study.comparison.pairs
    ]
    pairs[-1] = replace(pairs[-1], reasons=tuple(uneven))
    said = paragraph(verdict(replace(study, comparison=replace(study.comparison, pairs=tuple(pairs)))))
    assert f"No pair can be decided: {uneven[0]}; {uneven[1]}." in said


def test_pairs_that_share_no_scored_turn_are_named_beside_others_that_share_some(study):
    first, second, third = study.comparison.pairs
    uneven = reason("model_uneven", metric="K", model=first.a, what="turns")
    pairs = [replace(first, verdict="cannot be decided", p=None, reasons=(uneven,))]
    for each in (second, third):
        pairs.append(replace(each, verdict="cannot be decided", p=None, reasons=(reason("no_shared_turn"),)))
    said = paragraph(verdict(replace(study, comparison=replace(study.comparison, pairs=tuple(pairs)))))
    named = f"{second.a} and {second.b}, {third.a} and {third.b}: the two share no scored turn."
    assert f"No pair can be decided: {uneven}; {named}" in said


def test_an_er_that_can_not_be_told_yet_is_not_said_to_be_known(study):
    uneven = reason("note_levels_uneven", levels=())
    none = Value(None, reason("none_scored", what="turn 4"), 0)
    first, *others = study.profiles
    profiles = (
        replace(
            first,
            metrics={**first.metrics, "ER": Value(None, reason("uneven", what="levels"), 0)},
            notes=(uneven, *first.notes),
        ),
        *(replace(each, metrics={**each.metrics, "ER": none}) for each in others),
    )
    on_k = compare(study.runs, "K")
    said = paragraph(verdict(replace(study, profiles=profiles, comparison=on_k)))
    assert "Epistemic reliability (ER) can't be compared (no model has one yet); accuracy stands in." in said


def test_a_judge_who_gave_no_verdict_is_not_counted_and_is_named(one):
    material = with_result(passing(one), missing_of_judges={PANEL[2]: (30, 30), PANEL[1]: (1, 30)})
    section = verdict(material)
    assert f"It rests on 3 concepts and 2 judges ({PANEL[2]} gave no verdict)." in paragraph(section)
    said = behind(section)
    assert f"by 2 judges ({PANEL[0]} and {PANEL[1]}), whose agreement" in said and f"; {PANEL[2]} gave no verd" in said
    alone = with_result(material, missing_of_judges={judge: (30, 30) for judge in PANEL[1:]})
    named = f"one judge ({PANEL[0]}; {PANEL[1]} and {PANEL[2]} gave no verdict)"
    assert f"It rests on 3 concepts and {named}." in paragraph(verdict(alone))


def test_a_judge_that_copies_another_is_not_counted_and_is_named_as_data_too(one):
    copied = reason("copied_judge", judges=(PANEL[0], PANEL[2]), answers=30)
    found = (Check("judge_agreement", "warn", 1.0, None, (copied,)),)
    material = with_result(passing(one), read_checks=lambda: found)
    as_one = f"{PANEL[0]} and {PANEL[2]} are one, counted more than once"
    assert f"It rests on 3 concepts and 2 judges ({as_one})." in paragraph(verdict(material))
    assert f"by 2 judges ({PANEL[0]}, {PANEL[1]} and {PANEL[2]}; {as_one}), whose agreement" in behind(
        verdict(material)
    )
    (result,) = material.runs.results
    assert result.as_dict()["copied_judges"] == [copied.as_dict()]
    assert run_alone(result).cautions[0] == f"{result.path}: {copied}"


def test_that_another_jury_judged_a_run_too_is_background_and_no_caution(one):
    section = verdict(with_result(passing(one), other_juries={"b-1": ("b",)}))
    assert "Also judged by b-1 (b)." in behind(section)
    assert not any("Also judged" in block.text for block in section.blocks if isinstance(block, Notice))


def test_that_a_constant_judge_forbids_to_rely_on_the_figures_is_a_warning(one):
    material = with_result(passing(one), unvarying_judges=(reason("constant_judge", judges=PANEL[0]),))
    section = verdict(material)
    assert "do not rely on the figures: simulated/judge gave every answer the same scores" in section.blocks[0].text
    assert tone(section) == "bad"
    of_checks = next(block for block in checks(material).blocks if isinstance(block, Notice))
    assert "do not rely on the figures" in of_checks.text and of_checks.tone == "warn"


def test_models_without_a_scored_turn_are_not_said_to_lack_concepts(study):
    unscored = tuple(replace(each, intervals={}, n={**each.n, "scored": 0}) for each in study.profiles)
    said = paragraph(verdict(replace(study, profiles=unscored)))
    assert "No turn is scored, so that nothing is measured." in said and "need three concepts" not in said


def test_judges_whose_verdicts_are_missing_are_named_where_the_run_is_not_complete(one):
    missing = {"a/judge": (2, 30)}
    section = verdict(with_result(one, stopped="1 dialogue lacks a verdict.", missing_of_judges=missing))
    assert notices(section)[1] == "Missing verdicts: a/judge on 2 of 30 turns."
    assert notices(verdict(with_result(one, missing_of_judges=missing))) == []


def test_different_tests_are_called_so_and_no_difference_of_models_is_made_of_them(unlike):
    section = verdict(unlike)
    said = paragraph(section)
    assert said.startswith("No model can be put first: ")
    assert " were held as different tests (fabrication) and judged by different juries, and not compared" in said
    assert "Tests support" not in said and " above " not in said
    assert "has none (no fabrication was set)" in said
    assert "CI" not in said and "_" not in said
    (caution,) = notices(section)
    assert caution.startswith(
        "This comparison is unsafe: the runs were held as different tests (fabrication), judged by "
    )
    full = behind(section)
    assert "Fabrication: none in untrapped; mixed in one" in full and "Levels: 0 in untrapped; 0 and 1 in one" in full
    assert "Judges: simulated/judge in untrapped; simulated/judge, simulated/lenient and simulated/noisy in one" in full
    assert "In untrapped: no fabrication was set." in behind(section)
    assert "untrapped: one judge gave all scores (simulated/judge)" in behind(section)
    assert "one: the scores are by 3 judges" in behind(section)


def test_the_same_judge_under_other_rules_is_told_by_its_rules(runs, untrapped_path):
    scored = {"jury": PANEL[:1], "levels": (0.0,), "trap": "none", "no_claims": "scored"}
    section = verdict(read_material([untrapped_path, held(runs / "scored", (FADING,), THREE, **scored)]))
    assert len(notices(section)) == 1
    assert "Answers without claims: null in untrapped; scored in scored." in behind(section)
    assert " were judged by different juries, and not compared" in paragraph(
        section
    ) and "different tests" not in paragraph(section)


def test_runs_alike_are_compared(one_path, runs):
    again = shutil.copytree(one_path, runs / "alike")
    section = verdict(read_material([one_path, again]))
    assert "can't be compared" not in paragraph(section) and not notices(section)


def test_a_preset_of_another_name_is_no_other_test_and_equal_values_are_no_range(one_path, runs):
    again = shutil.copytree(one_path, runs / "renamed")
    manifest = json.loads((again / "run.json").read_text())
    manifest["preset"] |= {"name": "mine", "roles": {"judge": {"price_per_million": [1.0, 2.0]}}}
    (again / "run.json").write_text(json.dumps(manifest))
    section = verdict(read_material([one_path, again]))
    assert not notices(section)
    assert "rules that differ" not in behind(section)
    assert "in each of 2 runs" in paragraph(section) and "1 model in" not in paragraph(section)


def test_contested_concepts_are_beyond_the_reference_panel(two_concepts, one):
    disputed = {name: replace(each, kind="contested") for name, each in two_concepts.report_runs[0].concepts.items()}
    (told,) = notices(
        verdict(replace(two_concepts, report_runs=(replace(two_concepts.report_runs[0], concepts=disputed),)))
    )[1:]
    assert "Contested: Phoneme and Recursion." in told and "can't tell a view that is ascribed" in told
    by_models = replace(one, report_runs=(replace(one.report_runs[0], concepts=disputed),))
    assert not notices(verdict(by_models))


@pytest.mark.parametrize("name", ["one", "two_concepts", "study", "untrapped"])
def test_every_verdict_says_what_it_must_not_be_used_for(name, request):
    said = paragraph(verdict(request.getfixturevalue(name)))
    assert "This is a diagnosis, not a leaderboard: no proof that" in said


def test_a_model_that_no_call_reached_comes_first_and_the_test_is_not_blamed(one):
    lost = replace(failing(one, "missing_verdicts"), turns=one.turns.assign(error="connection: no server answers."))
    first, second, *_ = verdict(lost).blocks
    assert first == Text(
        f"{one.only.model} gave no answer, as every call to it failed ({len(one.turns)} questions asked).", "bad"
    )
    assert "not sound" not in second.text
    once = replace(lost, turns=lost.turns.assign(error=[None, *lost.turns["error"][1:]]))
    assert "not sound" in verdict(once).blocks[0].text
