import json

import pytest

from tests.raters._projects import deduction, labelled_project, scored_project
from voirdire.raters.agreement import agree
from voirdire.raters.records import RatersError
from voirdire.raters.tasks.cognibench.modes import compare_modes
from voirdire.raters.tasks.cognibench.task import PUBLISHED

LABELS = ["faithful", "invented", "reliable", "speculative", "misleading"] * 8
SLIPS = ["irrelevant" if n % 4 == 0 else label for n, label in enumerate(LABELS)]
SLIP = ["irrelevant" if n % 20 == 0 else label for n, label in enumerate(LABELS)]


def sequential(**options):
    return labelled_project({"ann": LABELS, "ben": SLIP}, **options)


def independent(**options):
    return labelled_project({"cleo": LABELS, "dan": SLIPS}, mode="independent", **options)


def test_questions_are_counted_per_500_statements_and_by_when_they_were_asked():
    project = sequential(questions=[("ann", 3, False), ("ben", 3, False), ("ben", 7, True)])
    found = agree(project).workload
    assert (found.statements, found.asked, found.elsewhere) == (40, (2, 1), 0)
    assert found.in_the_moment.value == pytest.approx(2 / 40 * 500)
    assert found.afterwards.value == pytest.approx(1 / 40 * 500)
    assert found.questions.value == pytest.approx(3 / 40 * 500)
    assert found.agreement.value == pytest.approx(38 / 40)


def test_questions_on_what_lacks_a_second_rating_are_not_counted_among_them():
    project = labelled_project({"ann": LABELS[:4], "ben": [*LABELS[:3], None]}, questions=[("ann", 3, False)])
    found = agree(project).workload
    assert (found.statements, found.asked, found.elsewhere) == (3, (0, 0), 1)


def test_the_papers_figures_add_up():
    assert all(each.questions == each.in_the_moment + each.afterwards for each in PUBLISHED.values())
    saved = 1 - PUBLISHED["sequential"].questions / PUBLISHED["independent"].questions
    assert saved == pytest.approx(0.48)  # CogniBench 2.2: "reducing QA instances by 48%"


def test_differences_are_sequential_minus_independent_with_intervals():
    asked = [("cleo", n, n % 2 == 0) for n in range(0, 40, 3)]
    found = compare_modes(sequential(questions=[("ann", 3, False)]), independent(questions=asked))
    agreement, questions = found.differences["agreement"], found.differences["questions"]
    assert agreement.value == pytest.approx(38 / 40 - 30 / 40)
    assert agreement.low < agreement.value < agreement.high
    assert questions.value == pytest.approx((1 - 14) / 40 * 500)
    assert questions.high < 0
    assert found.differences["alpha"].value > 0 and found.differences["AC1"].value > 0
    assert (found.shared, found.notes) == (40, ())


def test_the_reading_says_which_way_a_difference_goes_and_when_none_is_shown():
    asked = [("cleo", n, n % 2 == 0) for n in range(0, 40, 3)]
    better = compare_modes(sequential(), independent(questions=asked)).interpretation
    assert better[0].startswith("Sequential decisions give 20.0 percentage points more agreement (+")
    assert better[1].startswith("Sequential decisions give 175.0 per 500 statements fewer questions")
    alike = compare_modes(sequential(), labelled_project({"c": LABELS, "d": SLIP}, mode="independent")).interpretation
    assert alike[0].startswith("Of the difference in agreement nothing can be said")


def test_other_statements_and_the_same_people_are_warned_of():
    texts = [f"Other words {n}." if n < 10 else f"Statement {n} says this." for n in range(40)]
    other = labelled_project({"ann": LABELS, "dan": SLIPS}, mode="independent", texts=texts)
    found = compare_modes(sequential(), other)
    assert found.shared == 30
    assert found.notes[0].startswith("Not the same statements: 30 of 40 and 40")
    assert found.notes[1].startswith("Ann worked in both modes")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (sequential(), sequential()),
        (independent(), sequential()),
        (sequential(), scored_project({"ann": [deduction(90)]})),
    ],
)
def test_projects_that_are_not_one_of_each_mode_are_refused(one, other):
    with pytest.raises(RatersError, match="to compare the two ways"):
        compare_modes(one, other)


def test_a_project_without_second_ratings_is_refused():
    alone = labelled_project({"ann": LABELS}, mode="independent")
    with pytest.raises(RatersError, match="nothing to compare"):
        compare_modes(sequential(), alone)


def test_all_of_it_is_json():
    data = json.loads(json.dumps(compare_modes(sequential(), independent()).as_dict(), allow_nan=False))
    assert data["published"]["sequential"]["questions"] == 13
