import json
from dataclasses import replace

import pytest

from tests.raters._projects import labelled, labelled_project
from voirdire.raters.agreement import agree
from voirdire.raters.agreement.report import agreement_document
from voirdire.raters.records import Rater
from voirdire.reports.formats.terminal import to_terminal

ANN = ["faithful", "invented", "reliable", "faithful"]
BEN = ["faithful", "invented", "speculative", "reliable"]


def test_a_third_persons_ratings_are_left_out_blind_or_not():
    project = labelled_project({"ann": ANN, "ben": BEN}, adjudicated={2: "reliable", 3: "faithful"})
    plain = labelled_project({"ann": ANN, "ben": BEN})
    found = agree(project)
    assert found.left_out == 2
    assert found.live.categories == agree(plain).live.categories
    blind = tuple(replace(each, blind=True) for each in project.ratings)
    assert agree(replace(project, ratings=blind)).live.categories == agree(plain).live.categories


def test_ratings_given_in_sight_of_others_are_left_out():
    project = labelled_project({"ann": ANN, "ben": BEN})
    seen = tuple(replace(each, blind=each.rater == "ann") for each in project.ratings)
    found = agree(replace(project, ratings=seen))
    assert (found.live.paired, found.left_out) == (0, 4)


def test_beside_ac1_stands_how_many_of_its_categories_are_used():
    found = agree(labelled_project({"ann": ANN, "ben": BEN}))
    assert "AC1/AC2 counts every category of the scale; used are: label 4 of 7" in to_terminal(
        agreement_document(found)
    )


def test_practice_and_calibration_stand_apart_from_live_items():
    project = labelled_project({"ann": ["irrelevant", *ANN], "ben": ["faithful", *BEN]}, practice=1)
    found = agree(project)
    assert [(phase.phase, phase.paired) for phase in found.phases] == [("live", 4), ("practice", 1)]
    assert "Practice, each rater's last try: 1 of 1 statement rated twice" in str(agreement_document(found))
    assert found.phases[1].categories[0].percent.value == 0
    calibrated = tuple(
        replace(each, phase="calibration") if each.item in ("a1#0", "a2#0") else each for each in project.ratings
    )
    phases = agree(replace(project, ratings=calibrated)).phases
    assert [(phase.phase, phase.paired) for phase in phases] == [("live", 2), ("calibration", 2), ("practice", 1)]


def test_an_empty_project_says_that_nothing_is_rated():
    project = labelled_project({"ann": [None, None]})
    found = agree(project)
    assert (found.phases, found.interpretation) == ((), ())
    assert found.notes == ("There are no live ratings yet.",)


def test_items_with_one_rating_are_mentioned():
    found = agree(labelled_project({"ann": ANN, "ben": ["faithful", None, None, "faithful"]}))
    assert "2 of 4 items have one rating so far and tell nothing." in found.notes


def test_a_category_that_prevails_is_mentioned():
    ann = ["faithful"] * 19 + ["invented"]
    found = agree(labelled_project({"ann": ann, "ben": ["faithful"] * 20}))
    assert any("'faithful' (label): kappa and alpha fall" in note for note in found.notes)
    assert found.live.categories[0].ac.value > 0.9 > 0.1 > found.live.categories[0].alpha.value


def test_the_reading_leads_with_what_is_shown_and_not_with_the_figure_alone():
    few = ["faithful", "invented", "reliable", "speculative"] * 2
    found = agree(labelled_project({"ann": few, "ben": ["faithful", *few[1:]]}))
    assert "how much of that is more than chance" not in found.interpretation[0]
    many = few * 25
    other = ["faithful" if n % 12 == 1 else label for n, label in enumerate(many)]
    sentence = agree(labelled_project({"ann": many, "ben": other})).interpretation[0]
    assert "enough for firm conclusions" in sentence and "judged by the lower end" in sentence
    halves = ["faithful" if n % 2 else label for n, label in enumerate(many)]
    assert "not shown to be enough" in agree(labelled_project({"ann": many, "ben": halves})).interpretation[0]


def test_the_reading_says_of_how_many_items_it_speaks():
    ann = ["faithful", "invented"] * 4
    ben = ["invented", *ann[1:]]
    found = agree(labelled_project({"ann": ann, "ben": ben}))
    assert found.interpretation[0].startswith("Two people give the same label to 7 of 8 items, 87.5 %")
    third = agree(labelled_project({"ann": ann, "ben": ben, "cyn": ann}))
    assert "same label to 91.7 %" in third.interpretation[0] and " of 8 items on average; " in third.interpretation[0]


def test_nothing_is_concluded_from_a_coefficient_without_an_interval():
    found = agree(labelled_project({"ann": ["faithful", "invented"] * 2, "ben": ["faithful", "invented"] * 2}))
    alpha = found.live.categories[0].alpha
    assert (alpha.value, alpha.low) == (1, None)
    assert found.interpretation[0].endswith(
        "beyond chance, alpha is 1.00; without an interval nothing can be concluded."
    )


@pytest.mark.parametrize(("items", "says"), [(1, "1 item has two ratings so far"), (2, "2 items have two ratings")])
def test_of_one_item_or_two_no_figure_is_shown(items, says):
    found = agree(labelled_project({"ann": ["faithful"] * items, "ben": ["faithful"] * items}))
    assert len(found.interpretation) == 1 and found.interpretation[0].startswith(
        f"Too few to say how far people agree: {says}"
    )
    shown = str(agreement_document(found))
    assert "Table(" not in shown and "Agreement is not accuracy" not in shown


def test_names_of_raters_are_theirs_and_not_their_ids():
    project = labelled_project({"ann": ANN, "ben": BEN})
    named = replace(project, raters=project.raters | {"ann": Rater("ann", "Ann Lee")})
    assert agree(named).names == {"ann": "Ann Lee", "ben": "Ben"}


def test_all_of_it_is_json():
    found = agree(labelled_project({"ann": ANN, "ben": BEN}, adjudicated={2: "reliable"}))
    data = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert data["phases"][0]["categories"][0]["percent"]["value"] == pytest.approx(0.5)
    assert data["interpretation"] == list(found.interpretation)


def test_five_people_on_hundreds_of_statements_make_ten_pairs():
    rows = [(ANN * 100)[n : n + 300] for n in range(5)]
    people = {f"p{n}": [labelled(each)["label"] for each in row] for n, row in enumerate(rows)}
    found = agree(labelled_project(people, per_answer=5))
    assert (found.live.paired, len(found.live.categories[0].cohen_pairs)) == (300, 10)


def test_ratings_that_were_given_too_fast_are_named_where_agreement_is_read():
    project = labelled_project({"ann": ["faithful", "invented"] * 10, "ben": ["faithful", "invented"] * 10})
    quick = tuple(replace(each, seconds=0.5 if each.rater == "ann" else 9.0) for each in project.ratings)
    found = agree(replace(project, ratings=quick))

    (said,) = found.warnings
    assert said.startswith("Ann: 20 of 20 ratings with a known time took less than 2 seconds each: too short")
    assert found.as_dict()["warnings"] == [said]
    shown = " ".join(to_terminal(agreement_document(found)).replace("│", " ").split())
    assert "20 of 20 ratings with a known time took less than 2 seconds each" in shown
