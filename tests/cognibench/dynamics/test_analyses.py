import json
from dataclasses import replace

import pytest

from tests.cognibench.dynamics.examples import four, given
from tests.cognibench.made_half import half
from voirdire.cognibench.dynamics.estimates import pool_answers, rows_of
from voirdire.cognibench.dynamics.figures import basics, compare_datasets, compare_models, coverage, times_more_often
from voirdire.cognibench.dynamics.report import examine
from voirdire.cognibench.dynamics.strata import by_place, by_turn, sampling, trends, whole_data_set
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.records import Exchange


def values(estimates):
    return {name: found.value for name, found in estimates.items()}


def test_types_and_tiers_are_shares_of_what_they_should_be():
    found = whole_data_set(rows_of(four()))

    assert values(found.types) == {"irrelevant": 1 / 12, "factual": 6 / 12, "cognitive": 5 / 12}
    assert found.cognitive_share.value == 5 / 11
    assert values(found.tiers) == {
        "faithful": 5 / 6,
        "invented": 1 / 6,
        "misleading": 1 / 5,
        "speculative": 2 / 5,
        "reliable": 1 / 5,
        "irrefutable": 1 / 5,
    }


@pytest.mark.parametrize(("require", "cognitive"), [("rational", 1 / 5), ("grounded", 3 / 5), ("irrefutable", 4 / 5)])
def test_what_is_hallucinated_depends_on_the_requirement_for_cognitive_statements_only(require, cognitive):
    found = whole_data_set(rows_of(four(), require))

    assert values(found.hallucination) == {
        "factual": 1 / 6,
        "cognitive": cognitive,
        "all": pytest.approx((1 + 5 * cognitive) / 12),
    }


def test_by_turn_there_are_counts_per_answer_shares_and_rates():
    first, second = by_turn(rows_of(four()))

    assert [each.of for each in (first, second)] == [{"turn": 0}, {"turn": 1}]
    assert values(first.per_answer) == {"factual": 2.0, "cognitive": 1.0}
    assert values(second.per_answer) == {"factual": 1.0, "cognitive": 1.5}
    assert (first.cognitive_share.value, second.cognitive_share.value) == (2 / 6, 3 / 5)
    assert values(second.hallucination) == {"factual": 0.5, "cognitive": 1.0, "all": 0.8}
    assert values(second.hallucinated_per_answer) == {"factual": 0.5, "cognitive": 1.5}
    assert values(first.hallucinated_here) == {"factual": 0.0, "cognitive": 0.0}


def test_the_change_per_turn_is_the_slope():
    assert values(trends(rows_of(four()))) == pytest.approx(
        {
            "factual_per_answer": -1.0,
            "cognitive_per_answer": 0.5,
            "cognitive_share": 3 / 5 - 2 / 6,
            "factual_hallucination": 0.5,
            "cognitive_hallucination": 1.0,
        }
    )


def test_a_statement_lies_where_its_middle_does():
    answers = [given("a", *["faithful"] * 4, "invented", "faithful", "faithful", "invented", "faithful", "invented")]
    parts = by_place(rows_of(answers))

    assert [part.statements for part in parts] == [2, 2, 2, 2, 2]
    assert [part.hallucinated_here["factual"].value for part in parts] == pytest.approx([0, 0, 1 / 3, 1 / 3, 1 / 3])


def test_positions_count_unlabelled_sentences_of_the_answer():
    parts = by_place(rows_of([given("a", None, None, None, None, "invented")]))

    assert [part.statements for part in parts] == [0, 0, 0, 0, 1]


def test_cognitive_statements_are_hallucinated_so_many_times_as_often():
    twice = pool_answers({"one": four(), "two": four()})
    assert times_more_often(rows_of(twice)).value == pytest.approx((3 / 5) / (1 / 6))
    assert times_more_often(rows_of(four())).value is None
    assert times_more_often(rows_of([given("a", "faithful", "speculative")])).value is None


def test_data_without_labels_are_refused_in_a_sentence():
    with pytest.raises(CognibenchError, match="None of 1 answer has a labelled sentence"):
        rows_of([given("a", None)])


def two_models():
    """On three shared contexts the second model is always worse; a fourth context has only the first."""
    shared = [f"context {number}" for number in range(3)]
    first = [given(f"x{c}", "reliable", "faithful", group=c, context=c, model="x") for c in [*shared, "alone"]]
    second = [given(f"y{c}", "speculative", "faithful", group=c, context=c, model="y") for c in shared]
    return [*first, *second]


def test_models_are_compared_on_the_references_that_both_answered():
    found = {each.figure: each for each in compare_models(rows_of(two_models()))}

    worse = found["cognitive_hallucination"]
    assert (worse.first, worse.second, worse.references) == ("x", "y", 3)
    assert worse.difference.value == -1.0
    assert worse.p == 2 / 2**3  # all swaps and none are as far from 0
    assert found["factual_hallucination"].difference.value == 0.0
    assert found["factual_hallucination"].p == 1.0


def test_models_without_a_common_reference_are_not_compared():
    answers = [given("x", "reliable", model="x"), given("y", "reliable", model="y")]

    assert compare_models(rows_of(answers)) == []


def test_pooled_sets_share_groups_where_they_share_contexts():
    x = [given("0", "faithful", context="the same"), given("1", "faithful", context="only here")]
    y = [given("0", "faithful", context="the same"), given("1", "faithful", context="only there")]
    answers = pool_answers({"x": x, "y": y})

    assert len({each.id for each in answers}) == len({each.dialogue for each in answers}) == 4
    groups = [each.group for each in answers]
    assert groups[0] == groups[2] and len(set(groups)) == 3


def test_where_a_set_has_no_labels_types_are_predicted_for_all():
    labelled, bare = [given("a", "faithful", "reliable")], [given("b", None, None, None, None)]
    found = compare_datasets(
        {"labelled": labelled, "bare": bare}, lambda context, sentences: [0.9] + [0.1] * (len(sentences) - 1)
    )

    assert (found[0].labelled.value, found[0].predicted.value) == (0.5, 0.5)
    assert found[1].labelled is None
    assert found[1].predicted.value == 0.25


def test_types_are_not_predicted_without_need():
    def predict(context, sentences):
        raise AssertionError("asked")

    (found,) = compare_datasets({"labelled": [given("a", "faithful", None)]}, predict)
    assert found.predicted is None


def test_the_packaged_classifier_predicts_where_none_is_given():
    found = compare_datasets({"bare": [given("b", None, None, None)]})

    assert 0 <= found[0].predicted.value <= 1


def test_topics_are_counted_by_context():
    answers = [given(f"{n}", "faithful", group=f"g{n % 2}", topic="sports") for n in range(4)]
    found = coverage([*answers, given("f", None, topic="finance")])

    assert found.contexts == {"sports": 2, "finance": 1}
    assert found.chi_squared == pytest.approx(1 / 3)


def test_turns_in_histories_are_compared_with_labelled_ones():
    def turn(number, said, labelled):
        history = tuple(Exchange("And?", text) for text in ("mill wheel", "mill gossip")[:number])
        made = given(f"d{number}", "faithful" if labelled else None, dialogue="d", turn=number, context="mill wheel")
        return type(made)(**{name: getattr(made, name) for name in made.__slots__} | {"history": history, "text": said})

    found = sampling([turn(2, "gossip rumour", True)])

    assert (found.seen, found.labelled, found.picked) == (3, 1, True)
    assert [each.others.value for each in found.by_turn] == [0.0, 0.5, None]
    assert [each.labelled.value for each in found.by_turn] == [None, None, 1.0]
    assert found.slope_others.value == pytest.approx(0.5)


def test_dialogues_with_several_labelled_turns_tell_whether_the_rate_rises():
    found = sampling(four())

    assert (found.several, found.rises, found.falls) == (2, 2, 0)


def test_all_analyses_are_strict_json():
    found = json.loads(json.dumps(examine({"half": half()}).as_dict(), allow_nan=False))

    assert {"basics", "shares", "by_turn", "by_position", "by_topic", "by_model", "datasets", "sampling"} <= set(found)
    assert json.dumps(examine({"one": [given("a", "irrelevant")]}).as_dict(), allow_nan=False)


def test_a_data_set_is_counted_whole():
    found = examine({"half": half()})

    assert (found.basics.responses, found.basics.conversations, found.labelled_basics.responses) == (24, 12, 24)
    assert {name: share.hits for name, share in found.shares.types.items()} == {
        "irrelevant": 3,
        "factual": 60,
        "cognitive": 50,
    }
    assert found.shares.tiers["invented"].hits == 12 and found.shares.tiers["misleading"].hits == 2
    assert [each.answers for each in found.by_turn] == [12, 12]
    assert sum(found.coverage.contexts.values()) == 12


def without_labels(answer):
    return replace(answer, statements=tuple(replace(each, label=None) for each in answer.statements))


def test_figures_by_turn_of_picked_turns_come_with_a_caution_that_says_what_was_checked():
    labelled = {"d0_0", "d1_0", *(f"d{number}_1" for number in range(2, 12))}
    part = [each if each.id in labelled else without_labels(each) for each in half()]
    (caution,) = examine({"part": part}).cautions

    assert "labelled are 12 of 24 turns at hand" in caution


def test_whole_dialogues_need_no_caution_by_turn():
    answers = [given(f"{d}{t}", "faithful", dialogue=d, group=d, turn=t) for d in ("a", "b", "c") for t in (0, 1)]

    assert examine({"mine": answers}).cautions == []


def test_asking_by_topic_where_there_is_none_is_refused():
    with pytest.raises(CognibenchError, match="names a topic"):
        examine({"one": [given("a", "faithful")]}).require_part("topic")


def test_a_text_without_spaces_between_words_is_not_one_word():
    assert basics([replace(given("a", "faithful"), text="塔は高い。川は長い。")]).response_words.mean.value == 8
