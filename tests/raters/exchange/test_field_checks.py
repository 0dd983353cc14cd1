import pytest

from tests.raters.exchange import examples
from voirdire.raters.exchange.field_checks import FieldError, check_value


def refused(project, item, value):
    with pytest.raises(FieldError) as caught:
        check_value(value, project, project.items[item])
    return str(caught.value)


@pytest.mark.parametrize(
    "value, says",
    [
        ({"label": "true"}, "label is 'true', and must be one of irrelevant, faithful"),
        ({}, "label is None"),
        ({"label": ["faithful"]}, "label is ['faithful']"),
        ({"label": "faithful", "raeson": "x"}, "raeson is no field of this rating; there are label, steps, reason"),
        ({"label": "faithful", "reason": 3}, "reason must be a text, not an int"),
        ({"label": "faithful", "reason": None}, "reason must be a text, not null"),
        ({"label": "faithful", "reason": "a\ud800"}, "reason has half a character at 1 (a lone surrogate)"),
        ({"label": "faithful", "steps": [["irrelevant", "yes"]]}, "steps do not lead to the label faithful"),
        ({"label": "faithful", "steps": [["faithful", "yes"]]}, "steps do not lead to the label faithful"),
        ({"label": "faithful", "steps": [["true", "yes"]]}, "steps[0] must hold a question of the ladder"),
        ({"label": "faithful", "steps": [["irrelevant"]]}, "steps[0] must hold a question of the ladder"),
        ("faithful", "value must be an object, not a str"),
    ],
)
def test_labels_that_cant_be_taken(value, says):
    assert refused(examples.statements(), "a_1#0", value).startswith(says)


def test_a_label_alone_is_enough():
    project = examples.statements()
    found = check_value({"label": "faithful"}, project, project.items["a_1#0"])
    assert found == {"label": "faithful", "steps": [], "reason": ""}


@pytest.mark.parametrize(
    "fabricated, value, says",
    [
        ("", {"far": 1.01, "sas": 1}, "far must lie from 0 to 1, unlike 1.01"),
        ("", {"far": float("nan"), "sas": 1}, "far must lie from 0 to 1"),
        ("", {"far": 10**400, "sas": 1}, "far must lie from 0 to 1"),
        ("", {"far": True, "sas": 1}, "far must be a number, not a bool"),
        ("", {"far": "0.5", "sas": 1}, "far must be a number, not a str"),
        ("", {"sas": 1}, "far is missing"),
        ("", {"far": 0.5}, "sas must be a number, not null"),
        ("", {"far": 0.5, "sas": 1, "no_claims": True}, "far must be empty where no_claims is true"),
        ("", {"sas": 1, "no_claims": "yes"}, "no_claims must be true or false"),
        ("", {"far": 0.5, "sas": 1, "stance": "rejected"}, "stance is given, but nothing fabricated"),
        ("X", {"far": 0.5, "sas": 1}, "stance is None, and must be one of rejected"),
    ],
)
def test_judgements_that_cant_be_taken(fabricated, value, says):
    assert refused(examples.turns(fabricated), "k", value).startswith(says)


@pytest.mark.parametrize(
    "violation, says",
    [
        ({"type": "nonsense", "sentence": 0}, "violations[0].type is unknown"),
        ({"sentence": 0}, "violations[0].type must be a text, not null"),
        ({"type": "pervasive_distortion", "sentence": 0}, "violations[0].type is pervasive_distortion"),
        ({"type": "vagueness"}, "violations[0].sentence is missing"),
        ({"type": "vagueness", "sentence": 2}, "violations[0].sentence must lie from 0 to 1"),
        ({"type": "vagueness", "sentence": 0.5}, "violations[0].sentence must be a whole number"),
        ({"type": "vagueness", "sentence": 0, "span": "traffic"}, "violations[0].span does not stand in sentence 0"),
        ({"type": "vagueness", "sentence": 0, "span": ""}, "violations[0].span does not stand in sentence 0"),
        ({"type": "vagueness", "sentence": 0, "fact": "F9"}, "violations[0].fact is 'F9', and must be one of F1, F 2"),
        ({"type": "single_omission", "sentence": 0}, "violations[0].sentence is given, but an omission"),
        ({"type": "single_omission", "ambiguous": True}, "violations[0].ambiguous is true"),
        ({"type": "vagueness", "sentence": 0, "severity": 3}, "violations[0].severity is no field"),
        ("vagueness", "violations[0] must be an object"),
    ],
)
def test_violations_that_cant_be_taken(violation, says):
    assert refused(examples.responses(), "r0", {"holistic": 80, "violations": [violation]}).startswith(says)


@pytest.mark.parametrize(
    "value, says",
    [
        ({}, "holistic must be a number, not null"),
        ({"holistic": 101}, "holistic must lie from 0 to 100"),
        ({"holistic": 80, "score": 95}, "score is 95, but these violations come to 100"),
        ({"holistic": 80, "band": "Good"}, "band is 'Good', but a score of 100 is Excellent"),
        ({"holistic": 80, "second_look": {"note": ""}}, "second_look.score_before must be a number"),
        ({"holistic": 80, "second_look": {"score_before": 5, "missed": "no"}}, "second_look.missed must be true"),
        ({"holistic": 80, "violations": {}}, "violations must be a list"),
    ],
)
def test_deductions_that_cant_be_taken(value, says):
    assert refused(examples.responses(), "r0", value).startswith(says)


def test_points_are_worked_out_and_a_violation_without_words_is_of_its_sentence():
    project = examples.responses()
    given = {"holistic": 80, "violations": [{"type": "Vagueness", "sentence": 0}], "score": 95}
    found = check_value(given, project, project.items["r0"])
    assert (found["score"], found["band"]) == (95, "Excellent")
    assert found["violations"][0]["span"] == "The bridge opened around 1930."
