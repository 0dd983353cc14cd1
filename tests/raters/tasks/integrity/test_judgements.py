"""People beside the judges whose scored trials a project was drawn from."""

import gzip
import json
from dataclasses import replace

import pytest

from tests.integrity.examples import likert, raw_trials, trial
from tests.raters._projects import AT, deduction
from tests.raters.comparison.examples import audit_project
from voirdire.raters.agreement import agree
from voirdire.raters.agreement.report import agreement_document
from voirdire.raters.anchoring import anchor
from voirdire.raters.anchoring.report import anchoring_document
from voirdire.raters.comparison import compare_with
from voirdire.raters.comparison.report import comparison_sections
from voirdire.raters.machine_ratings import machine_ratings
from voirdire.raters.new_project import NewProject, make_project
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import GoldRating, Rater, RatersError, Rating
from voirdire.reports.formats.terminal import to_terminal

# By trial what judges a, b and c gave: ei, vt, overall. Two replies could not be parsed; nobody scored the last.
SCORES = [
    ([80, 1, 1], [90, 2, 2], [100, 3, 3]),
    ([70, 1, 1], [-1, -1, -1], [80, 3, 3]),
    ([60, 1, 1], {"s": [None, None, None], "recovered": [10, 10, 10]}, [60, 3, 3]),
    ([50, 1, 1], [70, 2, 2], [60, 3, 3]),
    ([90, 1, 1], [95, 2, 2], [85, 3, 3]),
    ([-1, -1, -1], [-1, -1, -1], [-1, -1, -1]),
]
CONSENSUS = [90, 75, 60, 60, 90]
PEOPLE = {"Ana": [85, 70, 50, 45, 90, 80], "Ben": [80, 75, 55, 40, 85, 75]}


def written(path, change=str):
    rows = [
        trial(n, likert(*cells), scenario=f"case{n}", model=f"m{n % 2}", reasoning=f"Reason {n}.")
        for n, cells in enumerate(SCORES)
    ]
    text = change(json.dumps(raw_trials(rows, evaluators=("a", "b", "c"))))
    path.write_bytes(gzip.compress(text.encode()))
    return path


@pytest.fixture(scope="module")
def trials(tmp_path_factory):
    return written(tmp_path_factory.mktemp("trials") / "trials.json.gz")


@pytest.fixture(scope="module")
def project(trials):
    """A project of all trials that Ana and Ben have scored, settled by the mean of both."""
    path = trials.with_name("p.voirdire")
    make_project(path, NewProject(task="integrity", source=trials, raters=tuple(PEOPLE)))
    bare = read_project(path)
    places = {
        id: int(bare.documents[item.document].source["item"][1:]) for id, item in bare.items.items() if live(item)
    }
    ratings = [rating(who, id, row[place]) for who, row in PEOPLE.items() for id, place in places.items()]
    gold = {
        id: GoldRating(id, deduction((PEOPLE["Ana"][place] + PEOPLE["Ben"][place]) / 2), "agreed")
        for id, place in places.items()
    }
    raters = {who: Rater(who, who) for who in PEOPLE}
    return replace(bare, raters=raters, ratings=tuple(ratings), gold=gold)


def live(item):
    return item.pool == "live"


def rating(who, item, score):
    return Rating(
        item=item,
        rater=who,
        value=deduction(score),
        at=AT,
        seconds=1.0,
        role="rater",
        blind=True,
        pool="live",
        phase="live",
        seq=1,
    )


def test_every_trial_has_its_judges_scores_and_their_mean_under_the_projects_item(project, trials):
    machine = machine_ratings(project, trials)
    assert machine.judges == ("a", "b", "c") and machine.unmatched == ()
    assert {unit.item for unit in machine.units.values()} == {id for id, item in project.items.items() if live(item)}
    first = machine.units["t00"]
    assert (first.group, first.dialogue, first.model) == ("case0", "t00", "m0")
    assert first.consensus == {"score": 90}
    assert first.judges == {"a": {"score": 80}, "b": {"score": 90}, "c": {"score": 100}}


def test_a_reply_that_could_not_be_parsed_is_missing_and_never_a_number(project, trials):
    units = machine_ratings(project, trials).units
    for name, mean in (("t01", 75), ("t02", 60)):
        assert set(units[name].judges) == {"a", "c"} and units[name].consensus == {"score": mean}
    assert units["t05"].judges == {} and units["t05"].consensus is None
    assert (
        "Scores missing, as the judges' replies could not be parsed: 5 of 18." in machine_ratings(project, trials).notes
    )


def test_the_panel_and_every_judge_are_compared_by_score_alone(project, trials):
    found = compare_with(project, trials)
    together = {each.machine: each for each in found.scores if not each.people}
    assert list(together) == ["a, b, c", "a", "b", "c"]
    panel = together["a, b, c"]
    people = [(one + other) / 2 for one, other in zip(*PEOPLE.values(), strict=True)][:5]
    assert (panel.items, together["b"].items, found.undecided) == (5, 3, 1)
    assert panel.bias.value == pytest.approx((sum(CONSENSUS) - sum(people)) / 5)
    assert together["a"].bias.value == pytest.approx((80 + 70 + 60 + 50 + 90 - sum(people)) / 5)
    assert panel.pearson.low is not None and panel.icc_2_1.low is not None
    assert {each.scale for each in found.closeness} == {"score"}
    assert (found.findings, found.confusions) == ((), ())
    assert json.loads(json.dumps(found.as_dict(), allow_nan=False))["matched"] == 6
    assert "listed no violations" in " ".join(found.notes)


def test_the_judges_mean_is_anchored_and_nothing_is_said_of_violations(project, trials):
    found = anchor(project, trials)
    assert {each.name for each in found.figures} == {"score"}
    assert {each.model for each in found.figures} == {None, "m0", "m1"}
    assert found.figures[0].plain.value == pytest.approx(75)


def test_what_is_shown_stands_without_violations(project, trials):
    sections = comparison_sections(compare_with(project, trials))
    shown = to_terminal(agreement_document(agree(project), *sections))
    assert "a, b, c" in shown and "bias" in shown.lower()
    assert "m1" in to_terminal(anchoring_document(anchor(project, trials)))


def test_trials_in_other_words_than_those_that_were_rated_are_refused(project, tmp_path):
    other = written(tmp_path / "other.json.gz", lambda text: text.replace("Reason 3.", "Reason 4."))
    with pytest.raises(RatersError, match="The response 't03' has another text"):
        compare_with(project, other)


def test_a_file_without_scored_trials_is_answered_with_what_is_expected(tmp_path):
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(
        RatersError, match=r"holds no scored trials.*Name a run folder of integrity, or a file of scored"
    ):
        machine_ratings(audit_project({"ann": [[]]}), tmp_path / "x.json")
