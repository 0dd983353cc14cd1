"""Each rule fires on what breaks it, at the right place, and a file without fault has no finding."""

import dataclasses
import datetime
import json
import re
from pathlib import Path

import pytest
import yaml

from tests.ddft.concepts import examples
from voirdire.ddft.concepts import ConceptError, UnreadableConcept, parse_concept
from voirdire.ddft.concepts.checking import HOUSE, OWN, check_concept, check_files, check_text
from voirdire.ddft.concepts.checking.rules import opens_dependent
from voirdire.ddft.concepts.checking.support import missing_details

TO_DO = re.compile(
    r"[:;,.] (?:add|change|correct|divide|fill|give|lengthen|make|name|remove|rename|reword|say|shorten|take|use|write)"
    r"\b",
    re.IGNORECASE,
)
"""What a message asks its reader to do, after it has said what is wrong."""

CONTESTED = [
    ("c1", "Newton holds that the moon pulls the sea.", "Newton"),
    ("c2", "Laplace holds that tides are waves.", "Laplace"),
    ("c3", "Newton holds that the sun pulls too.", "Newton"),
]


def found(limits=OWN, **changes):
    return check_text(examples.text(**changes), "tides.yaml", limits, stem="tides")


def rules(checked, severity="error"):
    return {finding.rule for finding in checked.findings if finding.severity == severity}


def only(checked, rule):
    (finding,) = [finding for finding in checked.findings if finding.rule == rule]
    return finding


def contested(**changes):
    facts = [
        {"id": name, "text": text, "source": "a history", "position": who, "wrong": text.replace("holds", "denies")}
        for name, text, who in CONTESTED
    ]
    return {"kind": "contested", "facts": facts} | changes


def test_a_slip_in_a_key_is_named_with_the_key_that_was_meant():
    checked = found(facts=None, fcats=examples.concept()["facts"])
    missing, unknown = checked.findings
    assert missing.message.startswith("Lacks facts; a concept needs id,")
    assert unknown.message == "Unknown key 'fcats' (did you mean 'facts'?)."
    assert checked.text.splitlines()[checked.lines.line_number(unknown) - 1].startswith("fcats")
    assert only(found(aliasses=[]), "keys").message == (
        "Nothing reads the unknown key 'aliasses' (did you mean 'aliases'?): rename or remove it."
    )
    assert only(found(colour="blue"), "keys").message == "Nothing reads the unknown key 'colour': rename or remove it."


def test_a_file_without_fault_has_no_finding():
    assert [finding for finding in found().findings if finding.rule != "reference-length"] == []


@pytest.mark.parametrize(
    ("changes", "severity", "rule", "field"),
    [
        ({"colour": "blue"}, "warning", "keys", "colour"),
        ({"id": "The Tides"}, "error", "id", "id"),
        ({"id": "ebb"}, "warning", "id", "id"),
        ({"name": "Imaginary tides"}, "error", "name", "name"),
        ({"reference": "The sea rises. The sea falls."}, "error", "reference-sentences", "reference"),
        ({"facts": examples.concept()["facts"][:2]}, "error", "facts-number", "facts"),
        ({"facts": examples.concept()["facts"][:7]}, "warning", "facts-number", "facts"),
        ({"facts": examples.concept()["facts"][:4] + examples.elsewhere(4)}, "warning", "facts-carried", "reference"),
        ({"facts": examples.with_fact(0, wrong=examples.FACTS[0][1])}, "error", "wrong-differs", "facts[0].wrong"),
        ({"facts": examples.with_fact(1, wrong=examples.FACTS[2][1])}, "error", "wrong-true", "facts[1].wrong"),
        (
            {"facts": examples.with_fact(1, wrong=examples.SENTENCES[0])},
            "error",
            "wrong-in-reference",
            "facts[1].wrong",
        ),
        ({"facts": examples.with_fact(1, wrong="")}, "warning", "wrong-missing", "facts[1].wrong"),
        ({"facts": examples.with_fact(1, wrong="It rains.")}, "warning", "wrong-one-thing", "facts[1].wrong"),
        ({"facts": examples.with_fact(1, text="word " * 26 + ".")}, "warning", "fact-length", "facts[1].text"),
        (
            {"facts": examples.with_fact(2, text=f"In London {examples.FACTS[1][1]}")},
            "warning",
            "facts-twice",
            "facts[2].text",
        ),
        ({"facts": examples.with_fact(1, position="Newton")}, "warning", "position", "facts[1].position"),
        ({"instances": [{"name": "the Severn bore"}]}, "warning", "instances", "instances"),
        ({"scholars": ["Laplace", "Laplace"]}, "warning", "scholars", "scholars"),
        ({"topics": ["tides"]}, "warning", "topics", "topics[0]"),
        ({"topics": ["the imagined sea"]}, "warning", "topics", "topics[0]"),
        ({"reference": " ".join(examples.SENTENCES * 2)}, "warning", "reference-repeats", "reference"),
        ({"reference": "It is wet. " + " ".join(examples.SENTENCES)}, "warning", "sentence-alone", "reference"),
        ({"reference": "word " * 46 + "." + " ".join(examples.SENTENCES)}, "warning", "sentence-length", "reference"),
        ({"facts": examples.with_fact(1, text="The sea falls")}, "warning", "fact-sentence", "facts[1].text"),
        ({"scholars": ["laplace", *examples.concept()["scholars"]]}, "warning", "scholars", "scholars[0]"),
        ({"kind": "practical"}, "warning", "steps", "reference"),
        ({"real": {"song": ["La Mer"]}}, "warning", "real", "real.song"),
        ({"as_of": "2999-01-01"}, "error", "as-of", "as_of"),
    ],
)  # fmt: skip
def test_a_rule_fires_on_what_breaks_it(changes, severity, rule, field):
    findings = [
        finding for finding in found(**changes).findings if (finding.severity, finding.rule) == (severity, rule)
    ]
    assert findings
    assert field is None or field in {finding.field for finding in findings}
    assert [finding.message for finding in findings if not TO_DO.search(finding.message)] == []


def test_years_and_persons_of_instances_must_stand_in_the_reference():
    instance = {"name": "the mill", "person": "Ada Miller", "date": "1913", "place": "Kent"}
    messages = [each.message for each in found(instances=[instance, instance]).findings if each.rule == "instance"]
    assert any("1913" in message for message in messages) and any("Ada Miller" in message for message in messages)


def test_packaged_files_are_held_to_more_than_a_users_own():
    assert rules(found(HOUSE)) >= {"reference-length", "facts-number", "scholars", "topics", "real"}
    assert not rules(found(OWN))


@pytest.mark.parametrize(
    ("sentence", "opener"),
    [
        ("It was stated by Mill.", "It"),
        ("However, the sea falls.", "However"),
        ("These are the tides.", "These"),
        ("It is known that the moon pulls the sea.", None),
        ("These coasts have none.", None),
        ("Italy has small tides.", None),
    ],
)
def test_sentences_that_hang_on_the_one_before_are_told(sentence, opener):
    assert opens_dependent(sentence) == opener


def test_a_finding_has_the_line_of_the_sentence_it_speaks_of():
    text = (
        "id: tides\nname: T\nreference: |\n  "
        + "\n  ".join([*examples.SENTENCES[:4], "It is wet, and\n  cold."])
        + "\n"
    )
    rest = {key: value for key, value in examples.concept().items() if key not in ("id", "name", "reference")}
    checked = check_text(text + yaml.safe_dump(rest), "tides.yaml")
    assert checked.lines.line_number(only(checked, "sentence-alone")) == 8


def test_a_file_that_lacks_what_makes_a_concept_is_a_finding_and_no_yaml_is_unreadable(tmp_path):
    checked = check_text(examples.text(topics=None), "tides.yaml")
    assert checked.concept is None and "Lacks topics" in checked.findings[0].message
    with pytest.raises(UnreadableConcept, match="not valid YAML"):
        check_text("a: [", "tides.yaml")
    (fault,) = check_files([tmp_path]).unreadable
    assert "holds no concept file" in str(fault)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("impresionism", "did you mean impressionism?"), ("marow-tide-mill", "voirdire concepts list shows")],
)
def test_what_is_neither_a_file_nor_a_packaged_concept_is_answered_with_the_nearest_of_these(name, hint):
    (fault,) = check_files([Path(name)]).unreadable
    assert str(fault).startswith(f"{name} is neither a file nor a packaged concept; {hint}")


def test_a_folder_and_the_folders_in_it_are_looked_into_and_no_deeper(tmp_path):
    for place in ("one.yaml", "pack/two.yaml", "pack/deep/three.yaml"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(examples.text())
    assert [each.where for each in check_files([tmp_path]).checked] == [
        str(tmp_path / "one.yaml"),
        str(tmp_path / "pack" / "two.yaml"),
    ]


@pytest.mark.parametrize(
    ("changes", "at", "lines_on"),
    [
        ({"name": ["a"]}, "name:", 0),
        ({"facts": examples.with_fact(3, text=["a"])}, "- id: t4", 1),
        ({"facts": examples.with_fact(3, source="")}, "- id: t4", 0),
        ({"facts": examples.with_fact(3, id="t1")}, "- id: t1", 0),
        ({"kind": "disputed"}, "kind:", 0),
        ({"as_of": "last June"}, "as_of:", 0),
        ({"scholars": "Laplace"}, "scholars:", 0),
        ({"real": ["La Mer"]}, "real:", 0),
    ],
)
def test_a_file_that_is_no_concept_has_the_line_of_what_is_wrong(changes, at, lines_on):
    text = examples.text(**changes)
    checked = check_text(text, "tides.yaml")
    assert [finding.rule for finding in checked.findings] == ["form"]
    *_, last = [number for number, line in enumerate(text.splitlines(), start=1) if line.startswith(at)]
    assert checked.lines.line_number(checked.findings[0]) == last + lines_on


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("id: a\nname: [b\nfacts: c\n", "line 3, is not valid YAML ("),
        ("id: a\nname: b\x07\n", "line 2, is not valid YAML (unacceptable character"),
        ("id: a\n\tname: b\n", "line 2, is not valid YAML ("),
        ("as_of: 2025-13-01\n", "is not valid YAML (month must be in 1..12)"),
    ],
)
def test_yaml_that_cannot_be_read_is_told_with_its_line(text, says):
    with pytest.raises(UnreadableConcept) as caught:
        check_text(text, "tides.yaml")
    assert says in str(caught.value) and "\n" not in str(caught.value)


def test_a_current_concept_states_its_date_in_the_reference():
    dated = examples.concept()["reference"] + " All of this holds as of 30 June 2025."
    day = datetime.date(2025, 6, 30)
    good = parse_concept(examples.text(kind="current", as_of=day, reference=dated), "t").concept
    assert good.as_of == "2025-06-30"
    assert not [each for each in check_concept(good) if each.rule == "as-of"]
    assert [each.rule for each in check_concept(good, today=datetime.date(2025, 6, 29))].count("as-of") == 1
    assert only(found(kind="current", as_of="2025-06-30"), "as-of").field == "reference"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"kind": "current"}, "needs as_of"),
        ({"kind": "current", "as_of": "last June"}, "give a date such as"),
        ({"kind": "disputed"}, "choose one of established, current, contested, practical"),
    ],
)
def test_a_kind_that_is_none_or_lacks_its_date_is_refused(changes, says):
    with pytest.raises(ConceptError, match=says):
        parse_concept(examples.text(**changes), "t")


def test_facts_of_a_contested_concept_say_whose_view_they_are():
    assert "position" not in rules(found(**contested())) | rules(found(**contested()), "warning")
    nameless = contested()
    nameless["facts"][0] |= {"text": "The moon pulls the sea.", "position": "the lunar school"}
    assert only(found(**nameless), "position").severity == "warning"
    without = contested()
    del without["facts"][0]["position"]
    assert only(found(**without), "position").message.startswith("Fact c1 does not say whose view it is: name ")
    alone = contested(facts=[fact for fact in contested()["facts"] if fact["position"] == "Newton"])
    assert "two positions" in [each for each in found(**alone).findings if each.rule == "position"][-1].message


def test_practical_knowledge_has_steps_and_limits_of_safety():
    bare = "The sea is blue in Spain. " * 5
    assert {"steps", "safety"} <= rules(found(kind="practical", reference=bare), "warning")
    told = "First look at the table. Then wait for the ebb. Before the flood, go back. Never go alone. The sea is wide."
    assert not {"steps", "safety"} & rules(found(kind="practical", reference=told), "warning")


def test_a_fabrication_that_the_reference_names_is_an_error():
    from voirdire.ddft.traps import draw_trap, trap_seed

    concept = parse_concept(examples.text(), "t").concept
    item = draw_trap(concept, "paper", trap_seed(7, "tides", 0.5, 0)).trap.item
    message = only(found(reference=f"{concept.reference} {item} is one."), "traps").message
    assert message == f"The reference names {item}, a fabricated paper: take it out of the reference."


def test_a_concept_without_topics_or_instances_is_told_so_before_any_fabrication_is_drawn():
    concept = dataclasses.replace(parse_concept(examples.text(), "t").concept, topics=(), instances=())
    found = {finding.rule for finding in check_concept(concept) if finding.severity == "error"}
    assert found == {"topics", "instances"}


def test_a_name_that_two_files_go_by_is_an_error(tmp_path):
    for name in ("tides", "ebb"):
        (tmp_path / f"{name}.yaml").write_text(examples.text(id=name))
    first, second = check_files([tmp_path]).checked
    assert [finding.rule for finding in second.errors] == ["names"] and "ebb.yaml" in second.errors[0].message
    assert not first.errors


def test_what_is_found_is_ready_for_json(tmp_path):
    path = tmp_path / "tides.yaml"
    path.write_text(examples.text(facts=examples.with_fact(1, wrong="")))
    (said,) = json.loads(json.dumps([file.as_dict() for file in check_files([path]).checked]))
    lines = path.read_text().splitlines()
    (finding,) = [each for each in said["findings"] if each["rule"] == "wrong-missing"]
    assert "wrong: ''" in lines[finding["line"] - 1]


@pytest.mark.parametrize(
    ("text", "rule", "message"),
    [
        (
            "Most coasts see five high tides on a day.",
            "fact-contradicted",
            "Fact t2 may contradict the reference: correct the one that is wrong, or leave both if they agree. It "
            "says: “Most coasts see five high tides on a day.” The reference says: “Most coasts see two high "
            "tides on a day.”",
        ),
        (
            "The tides of the Bay of Fundy in Canada are not the highest of all coasts.",
            "fact-contradicted",
            "The reference says: “The Bay of Fundy in Canada has the highest tides of all coasts.”",
        ),
        (
            "A machine that predicts tides was built by Arthur Doodson in 1872.",
            "fact-unsupported",
            "The reference does not support fact t2: “A machine that predicts tides was built by Arthur Doodson in "
            "1872.” It lacks Arthur, Doodson. Add to the reference what the fact says, or correct the fact.",
        ),
        (
            "Leibniz explained the tides by the pull of moon and sun in 1687.",
            "fact-unsupported",
            "It lacks Leibniz.",
        ),
        (
            "The harbour masters paint their gauges yellow.",
            "fact-unsupported",
            "It lacks harbour, masters, paint, gauges",
        ),
    ],
)
def test_a_fact_that_the_reference_contradicts_or_lacks_is_quoted(text, rule, message):
    finding = only(found(facts=examples.with_fact(1, text=text)), rule)
    assert finding.severity == "warning" and finding.field == "facts[1].text"
    assert message in finding.message


def test_a_fact_in_a_script_without_spaces_is_not_compared():
    rules_found = {finding.rule for finding in found(facts=examples.with_fact(1, text="潮は月に引かれる。")).findings}
    assert not {rule for rule in rules_found if rule.startswith("fact-un")}


def test_a_number_stands_in_the_reference_as_a_whole():
    assert missing_details("The dam of 16 has 72 gates.", "It was built in 1687 with 72 gates.") == ["16"]


def test_faults_of_form_are_told_together():
    facts = [{"id": "t1", "text": "a", "source": ["b"]}, {"id": "t2"}, *examples.concept()["facts"][2:]]
    findings = found(facts=facts, scholars="Laplace", topics=None, kind="disputed", as_of="June").findings
    assert [each.field for each in findings] == ["", "facts[0].source", "facts[1]", "scholars", "kind", "as_of"]
    assert findings[0].message.startswith("Lacks topics; a concept needs")
    assert findings[2].message == "Facts[1] must have an id, a text and a source."


def test_ten_faults_of_form_are_told_and_the_rest_counted():
    findings = found(facts=[{"id": f"f{n}"} for n in range(12)]).findings
    assert [each.field for each in findings[:-1]] == [f"facts[{n}]" for n in range(10)]
    assert findings[-1].message == "2 more faults of this kind are not listed: mend these and check again."


def test_a_file_that_is_read_without_a_check_names_all_its_faults():
    with pytest.raises(ConceptError, match=r"^t: 'scholars' must be .*; the kind 'x' is unknown; .* practical\.$"):
        parse_concept(examples.text(scholars="Laplace", kind="x"), "t")


@pytest.mark.parametrize(("mine", "theirs"), [("9000", "9,000"), ("9,000", "9000"), ("1200500", "1,200,500")])
def test_a_number_with_separators_between_thousands_is_the_same_number(mine, theirs):
    assert missing_details(f"The flood took {mine} homes.", f"In 1953 the sea took {theirs}, homes and farms.") == []
    assert missing_details(f"The flood took {mine} homes.", "In 1953 the sea took 90,000 homes.") != []
