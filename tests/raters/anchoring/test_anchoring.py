"""A run's figures held to people's ratings: what is anchored, and what it says."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from tests.raters._projects import scored, violation
from tests.raters.anchoring.examples import settled
from tests.raters.comparison.examples import (
    audit_project,
    audit_run,
    detector_file,
    label_project,
    label_run,
    turn_project,
    turn_run,
)
from voirdire.jury.worth.report import headline
from voirdire.raters.anchoring import anchor
from voirdire.raters.anchoring.anchored_run import MISSING
from voirdire.raters.anchoring.report import anchoring_document
from voirdire.raters.anchoring.wording import bias
from voirdire.raters.records import RatersError
from voirdire.reports.formats.terminal import to_terminal


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return turn_run(tmp_path_factory.mktemp("anchoring") / "run")


def stricter(far, sas, number):
    """A person who puts accuracy 0.3 lower than the jury does, and falls for no trap."""
    return scored(max(0.0, far - 0.3), sas, "rejected" if number % 5 == 3 else None)


@pytest.fixture(scope="module")
def found(run):
    return anchor(settled(turn_project(run, {"ann": stricter}), every=2), run)


def named(found, name, model=...):
    return next(each for each in found.figures if each.name == name and model in (..., each.model))


def test_the_machine_people_and_the_anchored_figure_stand_beside_each_other(found):
    far = named(found, "FAR")
    assert far.plain.n == found.units == 30
    assert far.people.n == found.rated == 15
    assert far.people.value < far.plain.value - 0.2
    assert abs(far.anchored.value - (far.plain.value - 0.3)) < 0.05
    assert far.bias == pytest.approx(far.plain.value - far.anchored.value)
    assert named(found, "SAS").anchored.value == pytest.approx(named(found, "SAS").plain.value, abs=0.03)


def test_a_single_model_is_named_from_the_run(found):
    assert {each.model for each in found.figures} == {"simulated/steady"}
    assert found.as_dict()["models"] == ["simulated/steady"]


def test_several_models_have_figures_of_their_own_beside_those_of_all(tmp_path, run):
    from tests.adapters.examples import examined

    two = examined(tmp_path / "two", "simulated/steady", "simulated/fading", levels="0,1")
    project = settled(turn_project(two, {"ann": stricter}))
    both = anchor(project, two)
    assert {each.model for each in both.figures} == {None, "simulated/steady", "simulated/fading"}
    assert named(both, "FAR", None).plain.n == 60
    assert named(both, "FAR", "simulated/fading").plain.n == 30
    only = both.of_models(["simulated/fading"])
    assert {each.model for each in only.figures} == {"simulated/fading"}
    assert only.distributions == ()
    with pytest.raises(RatersError, match="has no model x; its models: simulated/fading, simulated/steady"):
        both.of_models(["x"])


def test_what_is_no_mean_of_turns_is_named_with_the_reason(found):
    text = " ".join(found.not_anchored)
    assert all(name in text for name in ("HOC", "CRI", "CI_raw", "ER"))
    assert {"FAR", "SAS", "V_K", "V_E", "trap_acceptance", "no_claims", "danger_zone", "FAR_prime"} >= {
        each.name for each in found.figures
    } - {"V_E_strict", "V_E_proxy", "coupled_collapse", "SAS_prime"}


def test_clusters_can_be_dialogues_instead_of_concepts(run, found):
    by_dialogue = anchor(settled(turn_project(run, {"ann": stricter}), every=2), run, cluster="dialogue")
    assert (found.clustered_by, by_dialogue.clustered_by) == ("concept", "dialogue")
    assert named(found, "FAR").plain.groups == 3
    assert named(by_dialogue, "FAR").plain.groups == 6


def test_few_ratings_noise_of_raters_and_the_population_are_said(found):
    said = " ".join(found.notes)
    assert "15 units are rated" in said
    assert "15 of 15 items agreed at once" in said
    assert "concepts that those of the run are a sample of" in said


def test_what_is_not_settled_is_left_out_and_counted(run):
    project = turn_project(run, {"ann": stricter})
    with pytest.raises(RatersError, match="No rating of this project is settled yet"):
        anchor(project, run)
    found = anchor(settled(project, every=3), run)
    assert found.rated == 10
    assert "Left out: 20 items without all ratings yet" in " ".join(found.notes)
    assert found.disputed == 0


def both_said(run, settled_share):
    """A project that two people rated in full, of which so many items are settled and the others in dispute."""
    project = turn_project(run, {"ann": stricter, "ben": stricter})
    return replace(project, gold=dict(list(settled(project).gold.items())[:settled_share]))


def test_disputed_items_are_warned_of_first_and_nothing_is_said_of_the_judges(run):
    found = anchor(both_said(run, 24), run)
    assert found.disputed == found.as_dict()["disputed"] == 6
    assert found.notes[0].startswith("6 of 30 fully rated items are in dispute.")
    assert "off in an unknown direction" in found.notes[0]
    assert "24 of 30 items agreed at once, 6 still in dispute" in " ".join(found.notes)
    assert {each.verdict for each in found.figures} <= {"unsettled", "too few"}
    text = " ".join(to_terminal(anchoring_document(found)).split())
    assert "The judges put" not in text
    assert "can't be told yet" in text
    assert text.index("6 of 30 fully") < text.index("agreed at once")


def test_what_can_be_done_with_the_judge_comes_first_with_the_figure_and_its_interval(found):
    text = " ".join(to_terminal(anchoring_document(found)).split())
    far = named(found, "FAR")
    low, high = far.best.interval[:2]
    assert text.startswith(headline(far.worth)) and far.worth.conclusion == "undecided"
    corrected = f"{far.best.value:.2f} ({low:.2f} to {high:.2f})"
    said = f"Corrected by people's ratings, {far.says} is {corrected}; by the judge alone, 0.93."
    assert said in text


def test_one_dispute_in_thirty_is_warned_of_and_leaves_the_readings(run):
    found = anchor(both_said(run, 29), run)
    assert found.notes[0].startswith("1 of 30 fully rated items is in dispute")
    assert named(found, "FAR").verdict == "biased"
    assert anchor(both_said(run, 30), run).disputed == 0


def test_figures_with_few_ratings_are_marked_one_by_one(run):
    found = anchor(settled(turn_project(run, {"ann": stricter})), run)
    assert (named(found, "SAS").ratings, named(found, "SAS").few) == (30, False)
    assert (named(found, "V_K").ratings, named(found, "V_K").few) == (6, True)
    assert next(each for each in found.as_dict()["figures"] if each["name"] == "V_K")["few"] is True
    text = " ".join(to_terminal(anchoring_document(found)).split())
    assert "6°" in text
    assert "30°" not in text
    assert "° Fewer than 20 ratings" in text


def test_only_anchored_figures_are_called_prediction_powered(found):
    far = named(found, "FAR")
    assert far.anchored.interval.method == "prediction-powered jackknife-t"
    assert far.plain.interval.method == far.people.interval.method == "jackknife-t"


def test_what_a_larger_run_would_halve_is_said_as_the_run_s_whole_size(run):
    found = anchor(settled(turn_project(run, {"ann": stricter})), run)
    far = named(found, "FAR")
    assert far.more.ratings is None
    assert far.groups_in_all == far.anchored.groups + far.more.groups
    assert f"{far.groups_in_all} concepts*" in to_terminal(anchoring_document(found))
    told = next(each for each in found.as_dict()["figures"] if each["name"] == "FAR")
    assert told["to_halve"]["groups_in_all"] == far.groups_in_all


def test_text_gathers_figures_that_say_nothing_of_the_judges(found):
    text = " ".join(to_terminal(anchoring_document(found)).split())
    assert "Too few ratings to say whether the judges are biased:" in text
    assert "V_K: " not in text
    assert f"FAR: {named(found, 'FAR').interpretation}" in text


def test_a_run_that_holds_none_of_the_items_is_refused(run):
    project = settled(turn_project(run, {"ann": stricter}))
    strange = {f"x{name}": replace(item, id=f"x{name}") for name, item in project.items.items()}
    gold = {f"x{name}": each for name, each in project.gold.items()}
    with pytest.raises(RatersError, match="None of 30 settled items"):
        anchor(replace(project, items=strange, gold=gold), run)


LABELS = [
    ["invented", "faithful"],
    ["speculative", "reliable"],
    ["invented", "irrelevant"],
    ["faithful", "faithful"],
] * 3


def test_a_labelling_run_has_rates_by_type_words_and_the_share_of_each_label(tmp_path):
    run = label_run(tmp_path / "run", *LABELS)
    people = ["faithful" if label == "invented" else label for each in LABELS for label in each]
    found = anchor(settled(label_project(LABELS, {"ann": people})), run)
    assert named(found, "hallucinated").plain.value == pytest.approx(9 / 24)
    assert named(found, "hallucinated").people.value == pytest.approx(3 / 24)
    assert named(found, "hallucinated_words").plain.value == pytest.approx(9 / 24)
    assert named(found, "hallucinated_factual").plain.value == pytest.approx(6 / 15)
    assert named(found, "hallucinated_factual").people.value == 0
    assert named(found, "hallucinated_cognitive").people.value == pytest.approx(3 / 6)
    assert named(found, "label_invented").plain.value == pytest.approx(6 / 24)
    labels = found.distributions[0]
    assert labels.plain["invented"] == pytest.approx(6 / 24)
    assert "invented" not in labels.people
    assert str(labels.uncorrected) == "people found no unit of class invented among those that the judge scored"


def test_a_detector_has_rates_of_statements_and_words_only(tmp_path):
    flags = [[label in ("invented", "speculative") for label in each] for each in LABELS]
    path = detector_file(tmp_path / "found.jsonl", LABELS, flags)
    people = [label for each in LABELS for label in each]
    found = anchor(settled(label_project(LABELS, {"ann": people})), path)
    assert [each.name for each in found.figures] == ["hallucinated", "hallucinated_words"]
    assert found.figures[0].plain.value == found.figures[0].people.value
    assert found.figures[0].corrected.value == pytest.approx(found.figures[0].plain.value)
    assert found.distributions == ()


def test_a_correction_that_no_share_can_be_is_withheld_with_its_reason_and_how_few_it_rests_on(tmp_path):
    people = ["invented"] * 3 + ["faithful"] * 13 + ["faithful"] * 4
    flags = [True, False, False, *[True] * 3, *[False] * 10, *[True] * 3, False]
    labels, flagged = ([each[at : at + 4] for at in range(0, 20, 4)] for each in (people, flags))
    project = settled(label_project(labels, {"ann": people}))
    rated = {item: gold for item, gold in project.gold.items() if not item.startswith("a4")}
    found = anchor(replace(project, gold=rated), detector_file(tmp_path / "found.jsonl", labels, flagged))
    told = named(found, "hallucinated").as_dict()["corrected_counts"]
    assert (told["value"], told["interval"], told["why"]["code"]) == (None, None, "out_of_range")
    assert told["why"]["estimate"] == pytest.approx(1.16, abs=0.005)
    assert (told["caution"]["positives"], told["caution"]["needed"]) == (3, 10)
    text = " ".join(to_terminal(anchoring_document(found)).split())
    assert "Not corrected by error rates: hallucinated (the estimate is 1.16, which no share can be" in text
    assert "hallucinated: sensitivity rests on 3 positive units" in text
    only_shares = "only a share of units that count or don't count can be corrected"
    assert f"Not corrected by error rates: hallucinated_words ({only_shares})." in text


def test_small_talk_that_a_detector_does_not_score_counts_on_neither_side_and_is_named_apart(tmp_path):
    labels = [["irrelevant", "invented", "faithful", "invented"]] * 6
    perfect = [[None, True, False, True]] * 6
    path = detector_file(tmp_path / "found.jsonl", labels, perfect)
    found = anchor(settled(label_project(labels, {"ann": [label for each in labels for label in each]})), path)
    for figure in found.figures:
        assert figure.plain.value == figure.people.value == pytest.approx(2 / 3)
        assert figure.plain.n == figure.people.n == figure.ratings == 18
        assert figure.verdict == "not shown"
    said = [each for each in found.notes if "small talk" in each]
    assert said == [
        "Not scored by the detector, and left out of its shares and of people's: "
        "6 statements of small talk (greetings, refusals, offers of help)."
    ]


def test_an_integrity_run_has_scores_severe_violations_and_their_number(tmp_path):
    severe, minor = violation("denial", 0, "F1", "around 1930"), violation("imprecision", 0, "F1", "around 1930")
    run = audit_run(tmp_path / "run", {"one": [[severe], [minor], [], [severe]] * 3})
    people = [[severe], [minor, {**severe, "sentence": 1, "penalty": 0}], [], []] * 3
    found = anchor(settled(audit_project({"ann": people})), run)
    assert named(found, "score").plain.value == pytest.approx((70 + 95 + 100 + 70) / 4)
    assert named(found, "severe").plain.value == pytest.approx(0.5)
    assert named(found, "severe").people.value == pytest.approx(0.25)
    assert named(found, "violations").people.value == pytest.approx(0.5)
    assert "whatever a response leaves out is charged once" in " ".join(found.notes)
    assert named(found, "severe").corrected.sensitivity.value == 1
    assert named(found, "severe").corrected.specificity.value == pytest.approx(2 / 3)


def test_the_text_shows_all_four_and_what_would_narrow_them(found):
    text = " ".join(to_terminal(anchoring_document(found)).split())
    assert all(name in text for name in ("judge", "people", "corrected", "error rates"))
    assert "machine" not in text and "anchored" not in text
    assert "would halve the corrected interval" in text
    assert "judge: the run's figure over all units that it has a result for, whatever n is." in text
    assert "Not corrected by error rates: trap_acceptance" in text
    assert "Not corrected HOC" in text
    assert "simulated/steady" in text


def test_all_of_it_is_json(found):
    told = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    far = next(each for each in told["figures"] if each["name"] == "FAR")
    assert far.keys() >= {"judge", "people", "powered", "chosen", "corrected_counts", "independent", "to_halve"}
    assert (far["conclusion"], far["why"][0]["code"]) == ("undecided", "worth_too_few")
    assert far["interpretation"] and far["bias"]
    assert far["powered"]["value"] == named(found, "FAR").anchored.value


def test_without_ppi_py_the_figures_stand_and_it_is_said_how_to_get_its_interval(run, found, monkeypatch):
    monkeypatch.setattr("voirdire.raters.anchoring.anchored_run.has_ppi_py", lambda: False)
    without = anchor(settled(turn_project(run, {"ann": stricter}), every=2), run)
    assert MISSING in without.notes
    assert "pip install 'voirdire[web]'" in MISSING
    assert named(without, "FAR").anchored == named(found, "FAR").anchored
    assert all(each.independent is None for each in without.figures)


@pytest.mark.parametrize(
    ("groups", "says"), [(1, "Ratings in 1 group are too few"), (2, "Ratings in 2 groups are too")]
)
def test_too_few_groups_are_called_what_they_are(groups, says):
    held = SimpleNamespace(interval=None, groups_rated=groups, value=0.5)
    verdict, sentence = bias("FAR", 1.0, held, held, ratings=30, differing=30)
    assert verdict == "too few" and sentence.startswith(says)


def test_ratings_that_were_given_too_fast_are_named_where_figures_rest_on_them(run):
    project = settled(turn_project(run, {"ann": stricter}))
    quick = tuple(replace(each, seconds=0.5) for each in project.ratings)

    assert (
        "ratings with a known time took less than 2 seconds each: too short to read an item."
        in anchor(replace(project, ratings=quick), run).notes[0]
    )


def test_units_that_the_run_gave_no_label_are_told_and_the_judges_are_held_to_the_others(tmp_path):
    labels = [["invented", "faithful", "faithful", None]] * 12
    run = label_run(tmp_path / "run", *labels)
    found = anchor(settled(label_project(labels, {"ann": ["faithful", "faithful", "faithful", "invented"] * 12})), run)
    wrong = named(found, "hallucinated")

    assert (wrong.unscored, wrong.unscored_rated) == (12, 12)
    assert (wrong.plain.value, wrong.people.value) == (pytest.approx(12 / 36), pytest.approx(12 / 48))
    assert wrong.could_be == (pytest.approx(12 / 48), pytest.approx(24 / 48))
    assert (wrong.bias, wrong.verdict, wrong.differing) == (pytest.approx(12 / 36), "biased", 12)
    assert (wrong.as_dict()["compared"]["value"], wrong.as_dict()["compared"]["n"]) == (0, 36)
    assert str(wrong.uncorrected) == "people found no positive unit among those that the judge scored"
    assert found.notes[0].startswith("12 of 48 units have no result from the judge; people rated 12 of them.")
    text = " ".join(to_terminal(anchoring_document(found)).split())
    assert "if none or all of the units without its result counted: hallucinated 0.25 to 0.50" in text
    assert "hallucinated_words: On the 36 units that both judged, the judges put the share" in text


def test_a_bias_that_rests_on_one_statement_is_not_told(tmp_path):
    labels = [["faithful", "faithful", "faithful"]] * 6
    people = ["irrelevant", *["faithful"] * 17]
    found = anchor(settled(label_project(labels, {"ann": people})), label_run(tmp_path / "run", *labels))
    text = " ".join(to_terminal(anchoring_document(found)).split())

    assert named(found, "label_irrelevant").differing == 1
    assert {each.verdict for each in found.figures} <= {"not shown", "few differences"}
    assert "The judges put" not in text


def test_figures_that_rest_on_few_differences_are_gathered_with_their_number(tmp_path):
    labels = [["faithful", "faithful", "faithful"]] * 6
    people = ["invented", "faithful", "faithful"] * 6
    found = anchor(settled(label_project(labels, {"ann": people})), label_run(tmp_path / "run", *labels))
    text = " ".join(to_terminal(anchoring_document(found)).split())

    assert named(found, "hallucinated").verdict == "few differences"
    assert "differ on fewer than 10 units that both judged (in brackets: on how many): hallucinated_words (6)," in text
