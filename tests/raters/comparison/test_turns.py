import json
import math
from dataclasses import replace

import pytest

from tests.raters._projects import scored
from tests.raters.comparison.examples import turn_project, turn_run
from voirdire.jury import JuryError
from voirdire.raters.comparison import compare_with
from voirdire.raters.records import RatersError


def shifted(by):
    """A person who scores like the jury, so much lower, and takes turns about."""

    def rate(far, sas, number):
        wobble = 0.05 * (number % 3 - 1)
        return scored(_within(far, wobble - by), _within(sas, wobble - by), "accepted" if number % 5 == 3 else None)

    return rate


def _within(score, shift):
    return None if score is None or math.isnan(score) else min(1.0, max(0.0, score + shift))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return turn_run(tmp_path_factory.mktemp("turns") / "run")


@pytest.fixture(scope="module")
def found(run):
    return compare_with(turn_project(run, {"ann": shifted(0.2), "ben": shifted(0.1)}), run)


def test_bias_is_machine_less_people_for_the_consensus_and_every_judge(found):
    together = {(each.machine, each.scale): each for each in found.scores if not each.people}
    assert set(together) == {(who, scale) for who in (found.by, *found.judges) for scale in ("FAR", "SAS")}
    far = together[found.by, "FAR"]
    assert far.items == found.matched and far.groups == 6
    assert far.bias.value == pytest.approx(far.machine_mean - far.people_mean)
    assert 0.05 < far.bias.value < 0.2
    assert far.bias.low > 0
    assert far.icc_2_1.value < far.icc_3_1.value  # leniency counts against agreement, not against consistency
    assert far.pearson.value > 0.8


def test_every_rater_is_compared_with_every_machine(found):
    who = {(each.people, each.machine) for each in found.scores if each.people}
    assert who == {(rater, machine) for rater in ("ann", "ben") for machine in (found.by, *found.judges)}
    bias = {each.people: each.bias.value for each in found.scores if each.consensus and each.scale == "FAR"}
    assert bias["ben"] < bias["ann"]


def test_the_reading_says_that_the_jury_is_lenient(found):
    assert any(
        sentence.startswith("FAR: the machine is more lenient than people, by ") for sentence in found.interpretation
    )
    assert any(sentence.startswith("FAR: people agree with each other at ") for sentence in found.interpretation)


def test_stances_are_confused(found):
    stance = next(each for each in found.confusions if each.scale == "stance" and each.consensus)
    assert sum(stance.counts[stance.categories.index("accepted")]) == stance.items > 0


def test_a_turn_that_was_answered_anew_is_refused(run):
    project = turn_project(run, {"ann": shifted(0.1)})
    old = next(iter(project.items))
    item, document = project.items[old], project.documents[old]
    items = {"0123": replace(item, id="0123", document="0123")} | {k: v for k, v in project.items.items() if k != old}
    documents = {"0123": replace(document, id="0123")} | dict(project.documents)
    ratings = tuple(replace(each, item="0123") if each.item == old else each for each in project.ratings)
    changed = replace(project, items=items, documents=documents, ratings=ratings)
    with pytest.raises(RatersError, match=r"Turn \d of .* has another text"):
        compare_with(changed, run)


def test_an_unknown_jury_is_named(run):
    with pytest.raises(JuryError, match="No jury 'other'"):
        compare_with(turn_project(run, {"ann": shifted(0.1)}), run, "other")


def test_one_person_alone_can_be_compared_but_not_with_another(run):
    found = compare_with(turn_project(run, {"ann": shifted(0.1)}), run)
    assert all(each.people.value is None for each in found.closeness)
    assert found.scores[0].items == found.matched
    assert "was rated on this scale by two people" in found.closeness[0].people.reason


def test_all_of_it_is_json(found):
    data = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert data["judges"] == list(found.judges)
