from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cognibench.grounded import BAKERY, COURT, FERRY, labelled
from tests.reports.looking import said
from voirdire.cognibench.diagnosis.comparing import diagnose
from voirdire.cognibench.diagnosis.errors import ERRORS
from voirdire.cognibench.diagnosis.examples import draft, excerpt
from voirdire.cognibench.diagnosis.report import diagnosis_document
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors import LABELS, REQUIREMENTS, hallucinated, type_of
from voirdire.reports.formats.terminal import to_terminal
from voirdire.stats.rating_estimates import agreement_from_lack

SAID = {
    "same": "The wheelhouse stands in the museum of Morvik.",
    "number": "The crossing took 55 minutes in calm weather.",
    "world": "Norwegian railways and the Panama Canal changed trade in Scandinavia.",
    "own words": "The ice froze the post of the widow in calm weather.",
    "reworded": "A boat that had carried fish was given up in return for an engine driven by steam.",
    "deduced": "Post did not stop in the winter of 1902.",
    "judged": "The ferry crossed the Sund for an impressive time.",
}


def shown(found):
    return to_terminal(diagnosis_document(found))


def judged(sentence, machine, human, reference=FERRY):
    """What `diagnose` makes of one statement with these two labels."""
    return diagnose([labelled(reference, (sentence, machine))], [labelled(reference, (sentence, human))])


@pytest.mark.parametrize(
    ("said", "machine", "human", "kind"),
    [
        ("world", "irrelevant", "invented", "waved-through"),
        ("number", "faithful", "invented", "contradiction"),
        ("world", "faithful", "invented", "beyond-context"),
        ("world", "reliable", "speculative", "beyond-context"),
        ("same", "faithful", "invented", "word-for-word"),
        ("same", "reliable", "speculative", "word-for-word"),
        ("own words", "faithful", "invented", "invention"),
        ("own words", "reliable", "speculative", "leap"),
        ("deduced", "invented", "irrefutable", "deduction"),
        ("deduced", "speculative", "reliable", "deduction"),
        ("judged", "speculative", "reliable", "filler"),
        ("judged", "invented", "irrelevant", "filler"),
        ("reworded", "invented", "faithful", "paraphrase"),
        ("same", "invented", "faithful", "repetition"),
        ("same", "reliable", "faithful", "type"),
        ("world", "invented", "speculative", "type"),
        ("deduced", "reliable", "irrefutable", "tier"),
        ("world", "speculative", "misleading", "tier"),
    ],
)
def test_a_wrong_label_is_one_recurring_error(said, machine, human, kind):
    (group,) = judged(SAID[said], machine, human).errors
    assert (group.kind.name, len(group.cases), group.share) == (kind, 1, 1.0)


@given(
    st.sampled_from(list(SAID.values())),
    st.sampled_from(LABELS),
    st.sampled_from(LABELS),
    st.sampled_from(REQUIREMENTS),
)
def test_every_wrong_label_has_one_kind_of_its_side_and_a_reason(sentence, machine, human, require):
    found = diagnose([labelled(FERRY, (sentence, machine))], [labelled(FERRY, (sentence, human))], require)

    if machine == human:
        assert found.errors == () and found.wrong == 0
        return
    (group,) = found.errors
    sides = (hallucinated(machine, require), hallucinated(human, require))
    assert group.kind.side == {(False, True): "missed", (True, False): "false alarm"}.get(sides, "same side")
    assert group.kind.reason(group.cases[0])
    if group.kind.name == "tier":
        assert type_of(machine) == type_of(human) == "cognitive"


def test_reasons_name_what_settles_it():
    reasons = {
        name: judged(SAID[said], machine, human).errors[0]
        for name, said, machine, human in [
            ("clash", "number", "faithful", "invented"),
            ("new", "world", "faithful", "invented"),
            ("word", "judged", "speculative", "reliable"),
        ]
    }
    said = {name: group.kind.reason(group.cases[0]) for name, group in reasons.items()}
    assert "“40 minutes”" in said["clash"] and "“55 minutes”" in said["clash"]
    assert "Panama Canal" in said["new"]
    assert "“impressive”" in said["word"]


def test_the_kinds_have_names_of_their_own_and_a_definition():
    assert len({kind.name for kind in ERRORS}) == len({kind.title for kind in ERRORS}) == len(ERRORS)
    assert all(kind.says for kind in ERRORS)


def study():
    """Two answers by hand: 4 words hit, 9 words flagged, 12 words hallucinated."""
    human = [
        labelled(FERRY, ("It was green and big.", "invented"), ("It was fast too here.", "faithful")),
        labelled(COURT, ("It did good work.", "speculative"), ("It sat.", "faithful"), ("It ruled all.", "misleading")),
    ]
    given_labels = [["faithful", "invented"], ["invented", "faithful", "reliable"]]
    machine = [
        replace(
            answer, statements=tuple(replace(s, label=label) for s, label in zip(answer.statements, own, strict=True))
        )
        for answer, own in zip(human, given_labels, strict=True)
    ]
    return machine, human


def test_scores_are_counted_in_words_by_hand():
    found = diagnose(*study())

    assert found.scores["overall"] == pytest.approx((4 / 9, 4 / 12, 8 / 21))
    assert found.scores["cognitive"].recall == pytest.approx(4 / 7)
    assert found.as_dict()["hallucinated"] == {"both": 1, "machine_only": 1, "human_only": 2, "neither": 1}
    assert found.labels["invented"]["faithful"] == 1 and found.labels["speculative"]["invented"] == 1
    assert sum(map(sum, (row.values() for row in found.labels.values()))) == 5


def test_what_the_machine_left_without_a_label_is_scored_as_not_flagged():
    machine, human = study()
    unlabelled = [replace(each, label=None) for each in machine[1].statements]
    found = diagnose([machine[0], replace(machine[1], statements=tuple(unlabelled))], human)

    # All five words that are flagged are faithful ones; the seven of the other answer are missed.
    assert found.scores["overall"] == (0, 0, 0) and found.scored == 5
    counts = found.as_dict()
    assert (counts["n_statements"], counts["n_scored"]) == (2, 5)
    assert counts["not_compared"]["statements_only_human"] == 3
    assert counts["not_compared"]["answers_of_one_side"] == 0


def test_what_the_machine_left_without_a_label_gives_the_scores_a_range():
    machine, human = study()
    unlabelled = [replace(each, label=None) for each in machine[1].statements]
    found = diagnose([machine[0], replace(machine[1], statements=tuple(unlabelled))], human)
    worst, best = (each["overall"] for each in found.could_be)

    assert worst == (0, 0, 0) and best == pytest.approx((7 / 12, 7 / 12, 7 / 12))
    assert found.as_dict()["could_be"][1]["overall"]["f1"] == best.f1
    assert "… at best 0.583 0.583 0.583" in " ".join(shown(found).split())
    assert diagnose(machine, human).could_be is None


def test_kappa_is_cohens_and_has_no_interval_below_three_groups():
    found = diagnose(*study())

    # Two of five agree; chance: 2/5 · 3/5 + 3/5 · 2/5.
    assert found.kappa_hallucinated.value == pytest.approx((0.4 - 0.48) / (1 - 0.48))
    assert found.as_dict()["kappa"]["hallucinated"]["low"] is None


def test_the_interval_of_kappa_ends_at_minus_one_at_the_lowest():
    spans = ("It ran.", "It sank.", "It was red.")
    human = [
        replace(labelled(FERRY, *((span, "invented" if span == "It sank." else "faithful") for span in spans)), **ids)
        for ids in ({"id": f"a{number}", "group": f"g{number}"} for number in range(4))
    ]
    flipped = replace(human[0], statements=tuple(replace(each, label="faithful") for each in human[0].statements))
    found = diagnose([flipped, *human[1:]], human).kappa_hallucinated
    assert found.low == -1 < found.value < found.high < 1
    assert agreement_from_lack(0.2, 0.01, 2.8) == pytest.approx((0.8, -1.0, 0.99))


def test_kappa_without_an_interval_says_why():
    human = [
        replace(labelled(FERRY, ("It ran.", "faithful"), ("It sank.", "invented")), id=f"a{number}", group=f"g{number}")
        for number in range(10)
    ]
    assert diagnose(human, human).kappa_hallucinated.lacking == "all_agree"
    assert diagnose(human[:2], human[:2]).kappa_hallucinated.lacking == "few_groups"
    shown = said(diagnosis_document(diagnose(human, human)))
    assert "1.00 (no interval: all labels agree, so that contexts show no variation)" in shown


def test_perfect_agreement_is_one_and_one_label_only_is_undefined():
    _, human = study()
    assert diagnose(human, human).kappa_labels.value == pytest.approx(1.0)
    one = [labelled(FERRY, ("It ran.", "faithful"))]
    assert diagnose(one, one).as_dict()["kappa"] == {
        name: {"value": None, "low": None, "high": None, "lacking": "few_groups"} for name in ("hallucinated", "labels")
    }


def test_answers_are_matched_by_id_and_what_is_missing_is_counted():
    human = [
        labelled(FERRY, ("It ran.", "faithful"), ("It sank.", "invented")),
        labelled(COURT, ("It sat.", "faithful")),
        labelled(BAKERY, ("It baked.", "faithful")),
    ]
    machine = [
        labelled(FERRY, ("It ran.", "faithful"), ("It sank.", None)),
        labelled(COURT, ("It stood.", "faithful")),
        labelled(FERRY, ("It ran.", "faithful"), turn=1),
    ]
    found = diagnose(machine, human).as_dict()

    assert (found["n_statements"], found["n_answers"]) == (1, 1)
    assert found["not_compared"] == {
        "statements_only_machine": 0,
        "statements_only_human": 1,
        "answers_of_one_side": 2,
        "answers_with_other_text": ["court_0"],
    }


def test_statements_cut_differently_are_matched_by_what_they_cover():
    human = [labelled(FERRY, ("The ferry ran until 1964.", "faithful"), ("It was old.", "invented"))]
    (answer,) = human
    whole = replace(answer.statements[0], text=answer.text[:22], end=22, label="invented")
    far = replace(answer.statements[1], text=answer.text[34:], start=34, label="faithful")
    found = diagnose([replace(answer, statements=(whole, far))], human)

    assert [(pair.human, pair.machine) for pair in found.matched.pairs] == [("faithful", "invented")]
    assert [statement.text for _, statement in found.matched.only_human] == ["It was old."]
    assert found.matched.only_machine == 1


def test_white_space_around_an_answer_and_case_do_not_matter():
    (human,) = [labelled(FERRY, ("The ferry ran.", "faithful"))]
    shifted = tuple(replace(s, start=s.start + 2, end=s.end + 2, label="invented") for s in human.statements)
    machine = replace(human, text=f"  {human.text.upper()}\n", statements=shifted)

    assert len(diagnose([machine], [human]).matched.pairs) == 1


def test_groups_of_examples_in_the_prompt_are_left_out():
    machine, human = study()
    found = diagnose(machine, human, without=frozenset({"court"}))

    assert found.left_out == 1 and {pair.answer.group for pair in found.matched.pairs} == {"ferry"}


@pytest.mark.parametrize(
    ("machine", "human", "says"),
    [
        ([labelled(FERRY, ("It ran.", "faithful"))], [labelled(FERRY, ("It ran.", None))], "no human labels"),
        ([labelled(FERRY, ("It ran.", "faithful"))], [labelled(COURT, ("It sat.", "faithful"))], "with the same ids"),
        (
            [labelled(FERRY, ("It ran.", "faithful"))],
            [labelled(FERRY, ("It sank.", "faithful"))],
            "differ in their text",
        ),
    ],
)
def test_nothing_to_compare_is_said_in_a_sentence(machine, human, says):
    with pytest.raises(CognibenchError, match=says):
        diagnose(machine, human)


def many(*rows):
    """(reference, sentence, machine, human) each as an answer of its own group."""
    machine, human = [], []
    for number, (sentence, given_label, right) in enumerate(rows):
        reference = replace(FERRY, id=f"f{number}")
        machine.append(labelled(reference, (sentence, given_label)))
        human.append(labelled(reference, (sentence, right)))
    return diagnose(machine, human)


def test_a_draft_takes_both_sides_in_turn_each_example_from_its_own_dialogues():
    rows = [(SAID["world"], "faithful", "invented")] * 4 + [(SAID["deduced"], "invented", "reliable")] * 3
    found = draft(many(*rows, (SAID["same"], "reliable", "faithful")).errors, 6)

    assert [each.error for each in found] == ["beyond-context", "deduction"] * 3
    assert len({each.source_group for each in found}) == 6
    assert (found[0].wrong, found[0].right) == ("faithful", "invented")
    assert found[0].claim == SAID["world"] and found[0].reference and found[0].reason


def test_a_draft_is_the_same_again_and_never_longer_than_the_errors():
    found = many((SAID["world"], "faithful", "invented"), (SAID["same"], "reliable", "faithful"))

    assert draft(found.errors, 9) == draft(found.errors, 9)
    assert [each.error for each in draft(found.errors, 9)] == ["beyond-context", "type"]
    assert draft(found.errors, 1) == draft(found.errors, 9)[:1]


def test_the_reference_of_an_example_has_the_sentences_that_match_it_best():
    (found,) = draft(judged(SAID["number"], "faithful", "invented").errors, 1)
    assert "The crossing took 40 minutes in calm weather." in found.reference and "museum" not in found.reference


def test_a_context_without_full_stops_is_cut_at_its_lines_and_long_pieces_are_cut():
    lines = ["The ferry of Halden", "It was red", "word " * 200, "It was slow", "The wheelhouse stands in Morvik"]
    assert excerpt("\n".join(lines), "A wheelhouse in Morvik.") == f"{lines[0]} […] {lines[4]}"
    assert len(excerpt("\n".join(lines), "A word.").split()) < 70
    assert excerpt("", "A word.") == ""


def test_the_most_typical_case_comes_first():
    short, usual, long = (
        "The Alps.",
        "The Alps were crossed by Roman roads.",
        "The Alps were crossed " + "by Rome " * 30,
    )
    group = many(*((said, "faithful", "invented") for said in (short, usual, usual, usual, long))).errors[0]
    assert [case.pair.statement.text for case in group.cases[:3]] == [usual] * 3


def test_counts_of_groups_add_up_to_all_wrong_labels():
    rows = [(said, machine, human) for said in SAID.values() for machine in LABELS for human in LABELS]
    found = many(*rows)

    assert found.wrong == sum(machine != human for _, machine, human in rows)
    assert sum(group.share for group in found.errors) == pytest.approx(1)
    sizes = [len(group.cases) for group in found.errors]
    assert sizes == sorted(sizes, reverse=True)
    assert max(Counter(case.pair.answer.id for group in found.errors for case in group.cases).values()) == 1


def test_a_human_label_that_the_context_refutes_word_for_word_is_doubted_and_is_no_example():
    (group,) = judged(SAID["same"].upper(), "faithful", "invented").errors

    assert group.as_dict()["title"] == "the context has this sentence word for word: the human label may be wrong"
    assert draft([group], 4) == ()
