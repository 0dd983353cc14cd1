import re
from dataclasses import replace

import numpy as np
import pytest

import voirdire
from tests.adapters.examples import GULLIBLE, STEADY, examined, labelled
from tests.adapters.gate.examples import checked
from tests.cognibench.dynamics.examples import given
from tests.cognibench.labelled import answer as made
from tests.cognibench.report.examples import answers as labelled_answers
from tests.cognibench.report.examples import judged, labelled_run
from tests.ddft._scores import simulated
from tests.integrity.report.examples import CAVEAT, DENIAL, FACTS, RESPONSE, VAGUE, audited_run
from tests.support.refuser import JUDGE, SUBJECT, register_refuser
from voirdire.adapters.gate import GateWarning, check_limits, gate, read_checked
from voirdire.adapters.gate_limits import GateError, limits_of
from voirdire.adapters.verify import verify_run
from voirdire.cognibench.labelling.summary import _figures
from voirdire.cognibench.records import CognibenchError
from voirdire.cognibench.report.loader import load_runs as looked_labels
from voirdire.ddft import gate_figures
from voirdire.ddft.gate_figures import figures_of
from voirdire.ddft.metrics import Value
from voirdire.ddft.paper_index import PaperIndex
from voirdire.ddft.profile import Profile, profiles
from voirdire.ddft.report.sections import document as report_on_study
from voirdire.ddft.results import load_run
from voirdire.detectors.labelling.records import JudgedStatement, LabelPlan
from voirdire.detectors.records import Statement
from voirdire.integrity.auditing import Audit
from voirdire.integrity.report.loader import load_runs as looked_audits
from voirdire.reason_codes import reason
from voirdire.reports.origins import origin_of
from voirdire.runs import RunFolder
from voirdire.stats.intervals import clustered_share, jackknife_t


def held(runs, *, min=(), max=(), allow_incomplete=False):
    return check_limits(limits_of(dict(min), dict(max), allow_incomplete=allow_incomplete), runs)


LEVELS = "0,0.25,0.5,0.75,1"


def figures(path):
    (subject,) = read_checked(path).subjects
    return subject.figures


def test_a_limit_on_an_er_without_any_rejected_fabrication_has_a_caution_and_other_limits_have_none():
    (profile,) = profiles(simulated(3, rejection=0.0))
    run = checked(**figures_of(profile))
    said = "run: m: None of 15 fabrications rejected: this ER rests on E's smoothing, and falls with more dialogues."
    assert held([run], min={"ER": 0.1}, max={"ER": 0.9}).warnings == [said]
    assert held([run], min={"K": 0.1}).warnings == []


# --- cross-examinations -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Two models with fifteen traps each."""
    return examined(tmp_path_factory.mktemp("traps") / "run", STEADY, GULLIBLE, levels=LEVELS)


@pytest.fixture(scope="module")
def examined_models(study):
    return read_checked(study).subjects


def test_a_profile_gives_every_metric_with_its_interval(study, examined_models):
    assert [subject.model for subject in examined_models] == [STEADY, GULLIBLE]
    for subject, profile in zip(examined_models, load_run(study).profiles, strict=True):
        assert {name: each.value for name, each in subject.figures.items()} == {
            name: value.value for name, value in profile.metrics.items()
        }
        assert subject.figures["ER"].interval == profile.intervals["ER"]
        assert all(each.interval or each.reason for each in subject.figures.values())


@pytest.fixture(scope="module")
def silent(tmp_path_factory):
    """A model that refuses every question."""
    register_refuser()
    return read_checked(examined(tmp_path_factory.mktemp("silent") / "run", SUBJECT, jury=JUDGE))


def test_no_figure_on_fewer_than_ten_turns_is_measured_in_a_whole_run_too(study):
    whole = load_run(study).profiles[0]
    few = {"K": Value(0.9, None, 9), "S": Value(0.9, None, 10), "entrenchment": Value(0.25, None, 4)}
    found = figures_of(replace(whole, metrics=whole.metrics | few))

    assert (found["K"].n, str(found["K"].empty)) == (9, "it rests on 9 turns, and a limit in voirdire gate needs 10")
    assert str(found["entrenchment"].empty) == "it rests on 4 turns, and a limit in voirdire gate needs 10"
    assert not found["S"].empty


def test_figures_that_count_concepts_are_measured_by_the_turns_of_the_run(study):
    profile = load_run(study).profiles[0]
    small = replace(profile, n=profile.n | {"scored": 5})
    assert profile.metrics["HOC"].n < 10 and not figures_of(profile)["HOC"].empty
    assert str(figures_of(small)["HOC"].empty) == "it rests on 5 turns, and a limit in voirdire gate needs 10"


def test_er_is_measured_by_the_turns_that_have_a_far_and_says_so(study):
    profile = load_run(study).profiles[0]
    seldom = replace(profile, metrics=profile.metrics | {"K": Value(0.9, None, 5)})
    assert profile.metrics["ER"].n >= 10
    assert str(figures_of(seldom)["ER"].empty) == (
        "K, a factor of ER, rests on 5 turns that have a FAR, and a limit in voirdire gate needs 10"
    )


def test_er_is_measured_by_its_traps_too(study):
    profile = load_run(study).profiles[0]
    few = replace(profile, metrics=profile.metrics | {"E": Value(0.9, None, 9)})
    assert (
        str(figures_of(few)["ER"].empty)
        == "E, a factor of ER, rests on 9 fabrications, and a limit in voirdire gate needs 10"
    )
    assert not figures_of(few)["K"].empty


def test_of_a_model_whose_turns_are_judged_unevenly_no_figure_is_measured(study):
    whole = load_run(study).profiles[0]
    uneven = reason("note_turns_uneven", turn_1=19, turn_2=19, turn_3=19, turn_4=19, turn_5=5)
    found = figures_of(replace(whole, notes=(uneven,)))
    assert str(found["danger_zone_pct"].empty) == "it is not reliable yet: the model's turns are judged unevenly so far"
    assert all(figure.empty for figure in found.values())


def test_of_a_model_whose_levels_are_judged_unevenly_no_figure_is_measured(study):
    whole = load_run(study).profiles[0]
    uneven = reason("note_levels_uneven", levels=(reason("level_scored", answers=9, concepts=2, level=0.5),))
    found = figures_of(replace(whole, notes=(uneven,)))
    assert str(found["ER"].empty) == "it is not reliable yet: the model's levels are judged unevenly so far"
    assert all(figure.empty for figure in found.values())


def without_verdicts(scores, rows):
    """The scores as if too few judges had given a verdict on these rows."""
    blank = scores.index.isin(rows)
    gone = {name: scores[name].mask(blank) for name in ("far", "sas", "stance")}
    return scores.assign(**gone, no_claims=scores["no_claims"].mask(blank), unscored=np.where(blank, "too few", None))


@pytest.fixture(scope="module")
def partly_judged(study):
    """The run with a third of each model's turns unscored, and its whole scores."""
    whole = load_run(study)
    scores = without_verdicts(whole.scores, whole.scores.index[::3])
    return replace(whole, scores=scores, profiles=profiles(scores)), whole


@pytest.fixture
def read_partly(partly_judged, monkeypatch):
    monkeypatch.setattr(gate_figures, "load_run", lambda *given, **options: partly_judged[0])
    return read_checked(partly_judged[0].path)


def test_a_share_of_turns_that_missing_verdicts_could_push_over_a_limit_is_undecided(read_partly):
    steady = read_partly.subjects[0].figures["danger_zone_pct"]
    wrong, missing = round(steady.value * steady.n / 100), round(steady.n / 2)
    turns = steady.n + missing
    assert steady.could_be == pytest.approx((100 * wrong / turns, 100 * (wrong + missing) / turns))

    verdict = held([read_partly], max={"danger_zone_pct": steady.value + 10}, allow_incomplete=True)
    assert verdict.outcomes[0].undecided and not verdict.passed
    assert re.search(
        r"but the value could be [\d.]+, which is not [\d.]+ or less: \d+ of \d+ turns have no score \(33 %\)\.",
        verdict.outcomes[0].sentence,
    )
    assert held([read_partly], max={"danger_zone_pct": 99}, allow_incomplete=True).outcomes[0].passed


def test_means_and_er_too_are_undecided_where_missing_verdicts_could_break_the_limit(read_partly):
    found = read_partly.subjects[0].figures
    floors = {name: found[name].value - 0.05 for name in ("ER", "K", "S")}
    verdict = held([read_partly], min=floors, allow_incomplete=True)
    assert all(outcome.undecided for outcome in verdict.outcomes[: len(floors)])


def test_the_gate_names_the_share_of_unscored_turns_of_each_model(read_partly):
    warnings = "\n".join(held([read_partly], min={"ER": 0.1}).warnings)
    for model in (STEADY, GULLIBLE):
        assert f"{model}: 25 of 75 turns have no score (33 %)." in warnings


def test_where_every_turn_has_a_score_nothing_is_left_open(examined_models):
    assert not any(subject.warnings for subject in examined_models)
    assert not any(each.could_be or each.lacking for subject in examined_models for each in subject.figures.values())


def test_whatever_the_missing_verdicts_say_every_figure_lies_in_its_range(read_partly, partly_judged):
    rng = np.random.default_rng(1)
    partly, whole = partly_judged
    own = partly.scores["model"] == STEADY
    gone = partly.scores.index[own & partly.scores["unscored"].notna()]
    could_be = {name: each.could_be for name, each in read_partly.subjects[0].figures.items() if each.could_be}
    assert {"ER", "K", "E", "S", "D", "V_E", "capitulation", "share_answered"} <= could_be.keys()
    for likely in (0.0, 0.3, 0.7, 1.0):
        scores = whole.scores[own].copy()
        silent = rng.random(len(gone)) < likely / 5
        scores.loc[gone, "far"] = np.where(silent, np.nan, rng.random(len(gone)) < likely)
        scores.loc[gone, "sas"] = (rng.random(len(gone)) < 1 - likely).astype(float)
        scores.loc[gone, "no_claims"] = silent
        late = gone[scores.loc[gone, "turn"] > 3]
        scores.loc[late, "stance"] = rng.choice(["accepted", "questioned", "rejected"], len(late))
        for name, value in profiles(scores)[0].metrics.items():
            if name in could_be and value.value is not None:
                low, high = could_be[name]
                assert low - 1e-9 <= value.value <= high + 1e-9, name


def test_what_silence_wins_keeps_no_limit_on_a_model_that_answers_nothing(silent):
    verdict = held([silent], min={"D": 0.9, "V_E": 0.4, "S": 0.4}, max={"danger_zone_pct": 5, "share_answered": 0})
    assert [outcome.passed for outcome in verdict.outcomes] == [False, False, False, False, True]
    assert (
        "refusing/subject: danger_zone_pct is 0.0, but silence can win it, and its 45 answers claim nothing."
    ) in verdict.failures
    assert not held([silent], min={"D": 0.9}).passed


def test_of_a_model_that_answers_little_no_value_that_silence_can_win_is_measured(tmp_path):
    run = read_checked(examined(tmp_path / "run", "simulated/subject?asks=0.7&reject=1", levels="0,0.5,0.9,1"))
    verdict = held([run], max={"danger_zone_pct": 90}, min={"ER": 0.1, "share_answered": 0.1})
    of = {outcome.limit.metric: outcome for outcome in verdict.outcomes}
    assert not of["ER"].measured and not of["danger_zone_pct"].measured and of["share_answered"].passed
    assert "ER is 0." in of["ER"].sentence and "but silence can win it, and only" in of["ER"].sentence
    assert re.search(
        r"\(of its \d+ fluent answers that claim something, [\d.]+ % are wrong\)", of["danger_zone_pct"].sentence
    )


def test_why_there_is_no_interval_is_what_the_profile_says():
    measured = {name: Value(0.5, None, 8) for name in ("HOC", "HOC_onset", "CI_norm", "K", "share_answered")}
    index = PaperIndex(None, None, None, 0, 0, None, None)
    few = reason("few_contribute", contributing=2, needed=3)
    without = {"HOC": few, "HOC_onset": few, "CI_norm": reason("relative"), "K": reason("few_concepts")}
    measured["share_answered"] = Value(1.0, None, 8)
    profile = Profile("m", measured, {}, without, {}, {}, 0, {"scored": 40}, (), index, ())

    reasons = {name: each.reason for name, each in figures_of(profile).items()}

    assert reasons == dict.fromkeys(measured) | without


def test_failed_checks_and_an_incomplete_run_are_warned_of(tmp_path):
    path = examined(tmp_path / "run", STEADY, preset="as-run", concepts="recursion", levels="0")
    manifest = (path / "run.json").read_text()
    (path / "run.json").write_text(manifest.replace('"samples": 1', '"samples": 2'))

    run = read_checked(path)

    assert run.missing.startswith("The run is not complete: 1 of 2 dialogues completed")
    assert not held([run], min={"danger_zone_pct": 0}).passed
    assert "concept_named" in [check.id for check in run.failed_checks]


# --- labelling runs -----------------------------------------------------------------------------------------------


def test_shares_of_hallucinations_are_clustered_by_context_and_follow_the_requirement(labels):
    found = figures(labels)

    assert found["hallucinated_pct"].value == pytest.approx(100 * 3 / 12)
    expected = clustered_share([2, 1, 0], [4, 4, 4])
    assert found["hallucinated_pct"].interval[:2] == pytest.approx((100 * expected.low, 100 * expected.high))
    assert found["hallucinated_pct_rational"].value == pytest.approx(100 * 2 / 12)
    assert found["hallucinated_pct_irrefutable"].value == pytest.approx(100 * 7 / 12)
    assert found["factual_hallucinated_pct"].value == pytest.approx(100 * 1 / 6)
    assert found["invented_pct"].value == pytest.approx(100 * 1 / 6)
    assert found["misleading_pct"].value == pytest.approx(100 * 1 / 6)
    assert found["answers_hallucinated_pct"].value == pytest.approx(100 * 2 / 6)
    assert found["undecided_pct"].value == 0


def test_small_talk_counts_in_the_share_of_statements_and_not_in_that_of_claims():
    texts = {"Hello!": "irrelevant", "It is red.": "faithful", "It is blue.": "invented", "Thank you!": "irrelevant"}
    statements = tuple(Statement(text, 0, len(text), label) for text, label in texts.items())
    answers = [replace(made(f"a{place}", group=f"g{place}"), statements=statements) for place in range(3)]
    found = _figures(answers, "grounded")
    assert (found["hallucinated_pct"].value, found["hallucinated_claims_pct"].value) == (25, 50)

    talk = [replace(each, statements=statements[:1]) for each in answers]
    why = _figures(talk, "grounded")["hallucinated_claims_pct"].reason
    assert str(why) == "every statement with a label is small talk, a heading or the header row of a table"


def test_what_only_a_second_stage_tells_is_undefined_without_one(tmp_path):
    plan = LabelPlan(tiers=False)
    subject = read_checked(labelled_run(tmp_path / "run", plan=plan)).subjects[0]

    undefined = {name for name, each in subject.figures.items() if each.value is None}

    assert undefined == {
        *("hallucinated_pct_rational", "hallucinated_pct_irrefutable"),
        *("misleading_pct", "irrefutable_pct"),
    }
    assert {subject.figures[name].reason for name in undefined} == {reason("cognibench_ungraded")}
    assert str(reason("cognibench_ungraded")) == "no second stage graded the conclusions"


def test_answers_whose_model_is_not_known_go_by_the_name_of_the_run(tmp_path):
    (subject,) = read_checked(labelled(tmp_path / "nightly", ("invented",))).subjects
    assert subject.model == "nightly"


def test_few_contexts_have_no_interval_and_undecided_statements_are_told(tmp_path):
    path = labelled(tmp_path / "run", ("invented", None), ("faithful", "faithful"), asked=5)

    run = read_checked(path)

    (subject,) = run.subjects
    assert subject.figures["hallucinated_pct"].value == pytest.approx(100 / 3)
    assert subject.figures["hallucinated_pct"].interval is None
    assert str(subject.figures["hallucinated_pct"].reason) == "the answers share fewer than three contexts"
    assert subject.figures["undecided_pct"].value == 25
    assert subject.figures["cognitive_hallucinated_pct"].value is None
    assert run.missing == (
        "The run is not complete: 1 of 4 statements has no label (no vote); not labelled yet: 3 of 5 answers; "
        "the same command goes on; it brings no label for 1 statement whose replies stand on record: "
        "a new -o asks afresh."
    )
    assert run.warnings == (
        "1 of 4 statements has no label (no vote). No share of labels counts them: with labels for them, 25.0 to "
        "50.0 % of all statements could be hallucinated.",
    )


UNGRADED = JudgedStatement(("hallu",) * 5, True, None, "cognitive", 0.9, (None,), "not graded")


def ungraded(path, *labels):
    """A run in which the grading of conclusions failed that all votes call hallucinated."""
    answers = [given(f"a{place}", *each, None, group=f"g{place}") for place, each in enumerate(labels)]
    found = {each.id: [*map(judged, labels[place]), UNGRADED] for place, each in enumerate(answers)}
    return labelled_run(path, answers, found)


def test_a_run_with_statements_that_were_not_graded_is_not_complete_as_verify_says(tmp_path):
    path = ungraded(tmp_path / "run", ("faithful", "invented"), ("faithful", "reliable"), ("faithful", "faithful"))

    run = read_checked(path)

    left = (
        "3 of 9 statements have no label (not graded); no further call brings one, since the replies stand on record."
    )
    assert run.missing == f"The run is not complete: {left}"
    assert f"not complete: {left}" in [each.message for each in verify_run(path).findings]
    assert origin_of(path)["unfinished"] == left
    assert not held([run], max={"hallucinated_claims_pct": 60}).passed
    assert "labels 3" in next(each.message for each in verify_run(path).findings if each.what == "missing")


def test_a_ceiling_on_labels_is_kept_only_where_the_worst_labels_of_the_missing_keep_it(tmp_path):
    run = read_checked(ungraded(tmp_path / "run", ("faithful", "invented"), ("faithful", "reliable")))

    verdict = held([run], max={"hallucinated_claims_pct": 30}, allow_incomplete=True)

    (outcome,) = verdict.outcomes
    assert outcome.figure.value == 25 and outcome.as_dict()["n"] == 4 and outcome.undecided
    assert verdict.failures == [
        "run: hallucinated_claims_pct is 25.0, but the value could be 50.0, which is not 30 or less: "
        "2 of 6 statements have no label (not graded)."
    ]
    for kept in ({"max": {"hallucinated_claims_pct": 50}}, {"min": {"hallucinated_claims_pct": 10}}):
        assert held([run], **kept, allow_incomplete=True).passed
    broken = held([run], max={"hallucinated_claims_pct": 20}, allow_incomplete=True)
    assert broken.failures == ["run: hallucinated_claims_pct is 25.0, which is not 20 or less."]
    floor = held([run], min={"faithful_pct": 60}, allow_incomplete=True)
    assert floor.passed  # what was not graded is cognitive


def test_every_figure_of_a_run_lies_in_the_range_that_undecided_statements_leave(tmp_path):
    path = labelled(tmp_path / "run", ("invented", None), ("faithful", "reliable"), (None, None), ("speculative",))

    found = figures(path)

    ranged = {name for name, each in found.items() if each.could_be}
    assert ranged == {name for name, each in found.items() if each.value is not None} - {"undecided_pct"}
    assert all(found[name].could_be[0] <= found[name].value <= found[name].could_be[1] for name in ranged)
    assert found["hallucinated_pct"].could_be == pytest.approx((200 / 7, 500 / 7))
    assert found["factual_hallucinated_pct"].could_be == pytest.approx((20, 80))
    assert found["answers_hallucinated_pct"].could_be == pytest.approx((50, 75))


def test_where_every_grading_failed_nothing_is_known_of_other_requirements(tmp_path):
    found = figures(ungraded(tmp_path / "run", ("faithful", "invented"), ("faithful", "faithful")))

    assert found["hallucinated_pct"].value == 25
    for name in ("hallucinated_pct_rational", "hallucinated_pct_irrefutable", "speculative_pct"):
        assert (found[name].value, found[name].reason) == (None, reason("cognibench_gradings_failed"))
    assert found["cognitive_hallucinated_pct"].reason == reason("cognibench_kind_unlabelled", statements=2)
    assert str(found["cognitive_hallucinated_pct"].reason) == "2 statements of the kind, none with a label"


def test_a_run_without_any_label_has_undefined_figures(tmp_path):
    found = figures(labelled(tmp_path / "run", (None, None), (None,)))
    assert found["hallucinated_pct"].reason == reason("cognibench_unlabelled")
    assert found["undecided_pct"].value == 100
    with pytest.raises(CognibenchError, match="has been labelled yet"):
        read_checked(labelled(tmp_path / "empty"))


# --- audits -------------------------------------------------------------------------------------------------------


def test_an_audit_gives_its_mean_and_shares_with_intervals_over_responses(tmp_path):
    found = ((DENIAL, VAGUE), (), (VAGUE,), (CAVEAT,))
    items = [
        {"id": str(number), "response": RESPONSE, "audits": {"openai/a": each}} for number, each in enumerate(found)
    ]
    audits = audited_run(tmp_path / "run", items)
    run = voirdire.load(audits)
    scores = run.responses["score"].astype(float).to_numpy()
    severe = run.responses["severe"].astype(float).to_numpy() > 0

    found = figures(audits)

    assert found["mean_score"].value == pytest.approx(scores.mean())
    left_out = [(scores.sum() - score) / 300 for score in scores]
    expected = jackknife_t(scores.mean() / 100, left_out, scale="logit")
    assert found["mean_score"].interval[:2] == pytest.approx((100 * expected.low, 100 * expected.high))
    assert found["severe_pct"].value == 100 * severe.mean()
    assert found["severe_per_response"].interval.low > 0
    assert found["lowest_score"].value == scores.min() and found["lowest_score"].interval is None
    assert found["lowest_score"].reason == reason("integrity_minimum")
    assert found["unscored_pct"].value == 0


def test_rules_alone_give_a_gate_nothing_to_hold_a_bound_to(tmp_path):
    items = [{"id": "a", "response": RESPONSE, "audits": {"rules": (DENIAL,)}}]
    path = audited_run(tmp_path / "run", items, auditors=("rules",))
    assert figures(path)["mean_score"].value is None and figures(path)["unscored_pct"].value == 100
    assert figures(path)["mean_score"].reason == reason("integrity_unscored")
    assert any("there is no score and no band" in each for each in read_checked(path).warnings)


def test_few_cases_are_told(tmp_path):
    items = [{"id": name, "response": RESPONSE, "audits": {"openai/a": ()}} for name in "ab"]
    audits = audited_run(tmp_path / "run", items)
    assert "fewer than three cases were audited" in " ".join(read_checked(audits).warnings)


def test_equal_scores_have_no_interval_but_at_the_end_of_the_scale(tmp_path):
    same = [{"id": name, "response": RESPONSE, "audits": {"openai/a": (VAGUE,)}} for name in "abcd"]
    assert figures(audited_run(tmp_path / "same", same))["mean_score"].reason == reason("integrity_alike")
    clean = [each | {"audits": {"openai/a": ()}} for each in same]
    found = figures(audited_run(tmp_path / "clean", clean))
    assert found["mean_score"].interval.high == 100 > found["mean_score"].interval.low
    assert found["severe_per_response"].reason == reason("integrity_alike")


def test_an_audit_that_was_cut_short_is_not_complete(tmp_path):
    path = audited_run(tmp_path / "run", [{"id": "a", "response": RESPONSE, "audits": {"openai/a": ()}}], asked=3)
    left = "openai/a gave no audit of 2 responses (the same command asks again)."
    assert read_checked(path).missing == f"The run is not complete: {left}"


def test_a_panel_one_of_whose_auditors_refused_is_not_complete(tmp_path):
    audits = {"openai/a": (), "openai/b": (), "openai/c": Audit("openai/c", missing="the auditor refused")}
    item = {"id": "a", "response": RESPONSE, "audits": audits}
    path = audited_run(tmp_path / "run", [item], auditors=tuple(audits))
    assert read_checked(path).missing.startswith("The run is not complete: openai/c gave no audit of 1 response")


# --- the report on the same run -----------------------------------------------------------------------------------


def assert_same(figure, value, interval, unit=100):
    assert figure.value == pytest.approx(unit * value)
    assert figure.interval[:2] == pytest.approx([unit * end for end in interval[:2]])


def test_a_gate_has_the_reports_figures_of_an_audit_that_has_cases(tmp_path):
    """Facts make a case, whatever the context; a response without a score takes no part."""
    found = [(DENIAL,), (), (VAGUE,), (CAVEAT, VAGUE), (DENIAL, CAVEAT), Audit("openai/a", missing="no reply")]
    items = [
        {
            "id": f"r{number}",
            "response": RESPONSE,
            "facts": [*FACTS, f"It has {number % 4} arches."],
            "context": f"Of the year {1900 + number}.",
            "audits": {"openai/a": found[number % 6]},
        }
        for number in range(18)
    ]
    path = audited_run(tmp_path / "run", items)

    told, (run,) = figures(path), looked_audits([path])

    assert run.clustered and run.cases == 4 and run.summary.unscored.total() == 3
    assert_same(told["mean_score"], run.mean.value, run.mean.interval, unit=1)
    assert_same(told["severe_pct"], run.severe.value, run.severe.interval)


def test_a_gate_has_the_reports_figures_of_labels(tmp_path):
    """Those of contexts that an example of the prompt comes from as well: they tell of the answers, as others do."""
    path = labelled_run(tmp_path / "run", labelled_answers()[:6], seen=("g0",))

    told, (run,) = figures(path), looked_labels([path])

    for require in ("rational", "grounded", "irrefutable"):
        assert_same(told[f"hallucinated_pct_{require}"], *run.hallucinated_statements(require)[:2])
    assert_same(told["hallucinated_pct"], *run.hallucinated_statements(run.require)[:2])
    assert_same(told["factual_hallucinated_pct"], *run.share_of("invented", among=("faithful", "invented"))[:2])
    cognitive = ("misleading", "speculative", "reliable", "irrefutable")
    assert_same(told["speculative_pct"], *run.share_of("speculative", among=cognitive)[:2])
    assert told["undecided_pct"].value == run.summary.labels["undecided"] == 0


def test_a_gate_has_the_reports_figures_of_a_cross_examination(study, examined_models):
    data = report_on_study([study]).data
    for subject, model in zip(examined_models, data["runs"][0]["models"], strict=True):
        for name, figure in subject.figures.items():
            assert figure.value == model["metrics"][name], name
            shown = model["intervals"].get(name)
            assert shown == (figure.interval and figure.interval._asdict()), name


# --- whole gates --------------------------------------------------------------------------------------------------


def test_a_floor_can_be_asserted_in_a_test_suite(study):
    voirdire.assert_floor(str(study), min={"ER": 0.1}, max={"danger_zone_pct": 99}, only_models=STEADY)
    with pytest.raises(AssertionError) as error:
        voirdire.assert_floor([study], min={"ER": 0.7}, bound=False)
    assert str(error.value).startswith(f"{GULLIBLE}: ER is 0.")
    assert STEADY not in str(error.value)


def test_a_failed_assertion_is_one_sentence_and_shows_no_line_of_ours(study):
    with pytest.raises(AssertionError) as failed:
        voirdire.assert_floor(study, min={"ER": 0.99, "K": 0.999}, bound=False, only_models=GULLIBLE)
    with pytest.raises(GateError) as mistaken:
        voirdire.assert_floor(study, min={"EX": 0.5})
    assert "\n" not in str(failed.value)
    assert " ER is 0." in str(failed.value) and f"; {GULLIBLE}: K is 0." in str(failed.value)
    for caught in (failed, mistaken):
        assert [frame.path.name for frame in caught.traceback.filter(caught)] == ["test_figures.py"]


def test_the_lower_end_counts_in_an_assertion_unless_told_otherwise(labels):
    voirdire.assert_floor(labels, max={"hallucinated_pct": 30}, bound=False)
    with pytest.raises(AssertionError, match=r"hallucinated_pct is 25\.0, and the upper end of its interval is"):
        voirdire.assert_floor(labels, max={"hallucinated_pct": 30})


def test_an_incomplete_run_fails_an_assertion_unless_allowed_and_warnings_are_given(tmp_path):
    item = {"id": "a", "response": RESPONSE, "audits": {"openai/a": ()}}
    path = audited_run(tmp_path / "run", [item], asked=3)

    with pytest.raises(AssertionError, match="openai/a gave no audit of 2 responses"):
        voirdire.assert_floor(path, min={"mean_score": 50}, bound=False)
    with pytest.warns(GateWarning) as given:
        voirdire.assert_floor(path, min={"mean_score": 50}, bound=False, allow_incomplete=True)
    assert ["openai/a gave no audit of 2 responses" in str(each.message) for each in given] == [True]
    assert {each.filename for each in given} == {__file__}


@pytest.mark.parametrize("given", [{"min": 0.5}, {"max": ["ER"]}, {"min": None, "max": {"ER": 1}}])
def test_limits_that_are_no_mapping_are_refused_in_a_sentence(labels, given):
    with pytest.raises(GateError, match=r"is a mapping of metrics to numbers, such as \{'ER': 0.5\}; .* was given"):
        voirdire.assert_floor(labels, **given)


def test_a_mistake_in_an_assertion_is_no_assertion_error(labels, tmp_path):
    assert (voirdire.GateError, voirdire.GateWarning) == (GateError, GateWarning)
    with pytest.raises(GateError, match="did you mean hallucinated_pct"):
        voirdire.assert_floor(labels, min={"halucinated_pct": 5})
    with pytest.raises(GateError, match="is an empty folder"):
        voirdire.assert_floor(tmp_path, min={"ER": 0.5})
    with pytest.raises(GateError, match=f"The run {labels} is named more than once"):
        voirdire.assert_floor([labels, labels], min={"hallucinated_pct": 5})


def test_runs_without_figures_are_refused(tmp_path):
    RunFolder.create(tmp_path / "run", {"instrument": "jury-bench"}).close()
    with pytest.raises(GateError, match="has no figures for a gate; runs of ddft, cognibench, integrity do"):
        gate([tmp_path / "run"], limits_of({"ER": 0.5}, {}))
