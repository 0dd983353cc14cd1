"""People's labels of real answers in the release's layout: read back, they are the same."""

import pytest

from tests.published.records import DEV
from tests.raters.exchange import examples
from tests.raters.tasks.cognibench.test_release import project_of, read_back, value
from voirdire.raters.exchange import ExportPlan, export_project, import_ratings
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import GoldRating


@pytest.fixture(scope="module")
def real():
    """A project of the development half, settled as its authors labelled it, and those labels by item."""
    project, labels = project_of(DEV)
    assert len(labels) > 500
    return project, labels


def test_gold_labels_of_real_answers_are_read_back_as_they_were(real, tmp_path):
    project, labels = real
    gold = {item: GoldRating(item, value(label), "agreed") for item, label in labels.items()}
    done = export_project(examples.rated(project, gold=gold), ExportPlan(target="released", out=tmp_path / "gold"))
    assert read_back(tmp_path / "gold") == labels
    assert done.notes == ()
    assert done.manifest["counts"]["gold"] == len(labels)


def test_labels_of_a_rater_are_those_of_another_project_after_a_way_out_and_back(real, tmp_path):
    project, labels = real
    given = [(0, item, value(label), 1.0) for item, label in labels.items()]
    export_project(examples.rated(project, *given), ExportPlan(target="released", out=tmp_path / "out", rater="Ana"))
    second = examples.stored(tmp_path / "p", project, raters=())
    found = import_ratings(second, tmp_path / "out", rater="Ana")
    back = {each.item: each.value for each in read_project(second).ratings}
    written = read_back(tmp_path / "out")
    assert back == {item: value(label) for item, label in written.items()}
    assert len(back) > 0.95 * len(labels) and found.raters == ("Ana",)
