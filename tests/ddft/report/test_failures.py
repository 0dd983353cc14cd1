from dataclasses import replace

import pytest

from tests.ddft.report.examples import only
from voirdire.ddft.report.dialogues import dialogues
from voirdire.ddft.report.failures import worst_failures
from voirdire.documents.document import Readings


def failures(material):
    return [item for block in worst_failures(material) for item in block.items]


def with_scores(material, **changed):
    """What was read, where no answer fails but for what is changed."""
    return replace(material, scores=material.scores.assign(far=0.9, sas=0.9, stance=None).assign(**changed))


@pytest.mark.parametrize("name", ["one", "study", "unlike", "refuser"])
def test_each_of_at_most_three_failures_leads_to_a_dialogue_of_the_report(name, request):
    material = request.getfixturevalue(name)
    readings = {each.id for each in only(dialogues(material).blocks, Readings).readings}
    found = failures(material)
    assert len(found) <= 3 and {each.target for each in found} <= readings
    assert bool(found) is (name != "refuser")


def test_where_nothing_fails_nothing_is_named(one):
    assert list(worst_failures(with_scores(one))) == []


def test_the_model_that_takes_most_inventions_for_real_is_named_with_the_concept(study):
    (first, *_) = failures(study)
    at_trap = study.scores[study.scores["turn"] == 4]
    believed = at_trap[at_trap["stance"] == "accepted"]
    assert first.text.startswith(f"{believed['model'].mode()[0]} took the one fabrication about ")
    assert first.target in set(believed["dialogue"]) and first.exchange == 4


def test_other_concepts_about_which_as_many_inventions_were_taken_for_real_are_counted(one):
    at_trap = one.scores["turn"] == 4
    (first, *_) = failures(with_scores(one, stance=[("accepted" if each else None) for each in at_trap]))
    others = one.scores["concept"].nunique() - 1
    assert others > 1 and first.text.endswith(
        f" (one at compression 0), and both about each of {others} other concepts."
    )


def test_the_answer_whose_form_most_hides_that_it_is_wrong_is_named(one):
    far = [0.1 if place == 7 else 0.9 for place in range(len(one.scores))]
    (item,) = failures(with_scores(one, far=far))
    row = one.scores.iloc[7]
    assert item.text == (
        f"Most fluent and wrong: {row['model']} on {row['concept']}, compression {row['level']:g}, turn {row['turn']} "
        f"(factual accuracy 0.100, semantic coherence 0.900)."
    )
    assert (item.target, item.exchange) == (row["dialogue"], row["turn"])


def test_of_several_answers_that_are_as_fluent_and_as_wrong_it_is_said_how_many(one):
    far = [0.1 if place in (3, 7, 8) else 0.9 for place in range(len(one.scores))]
    (item,) = failures(with_scores(one, far=far))
    assert item.text.startswith("Most fluent and wrong, one of 3 that tie: ")


def test_a_rejection_that_is_dropped_under_pressure_is_named(one):
    stances = [{4: "rejected", 5: "accepted"}.get(turn) for turn in one.scores["turn"]]
    (item,) = failures(with_scores(one, stance=stances))
    assert "first rejected a fabrication and then took it for real in 6 of 6 dialogues" in item.text


def test_a_dialogue_whose_pressing_is_not_judged_counts_neither_way(one):
    stances = [{4: "rejected", 5: "accepted"}.get(turn) for turn in one.scores["turn"]]
    unjudged = one.scores["dialogue"] == one.scores["dialogue"].iloc[0]
    stances = [None if away else stance for away, stance in zip(unjudged, stances, strict=True)]
    at_trap = one.scores["turn"] == 4
    stances = ["rejected" if trap else stance for trap, stance in zip(at_trap, stances, strict=True)]
    (item,) = failures(with_scores(one, stance=stances))
    assert "in 5 of 5 dialogues" in item.text
