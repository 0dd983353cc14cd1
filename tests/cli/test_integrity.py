import json

import pytest
import yaml

from tests.cli.here import voirdire, voirdire_json
from tests.integrity.examples import raw_trials, study_rows

FACTS = ["The bridge opened on 4 May 1907.", "It cost 310,000 pounds.", "It is 212 metres long."]
RESPONSES = [
    {"id": "good", "response": "The bridge opened on 4 May 1907 and cost 310,000 pounds. It is 212 metres long."},
    {
        "id": "bad",
        "response": "The bridge opened on 4 May 1911. It cost 310,000 pounds, and it is very long.",
        "holistic": 95,
    },
]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("integrity")
    (folder / "facts.txt").write_text("\n".join(FACTS))
    (folder / "answers.jsonl").write_text("\n".join(map(json.dumps, RESPONSES)))
    return folder


@pytest.fixture(scope="module")
def audited(files):
    asked = ("--facts", files / "facts.txt", "--responses", files / "answers.jsonl", "-o", files / "run")
    return voirdire("integrity", "audit", *asked, "--json").stdout


def test_an_audit_by_rules_prints_a_line_per_response(audited):
    good, bad = map(json.loads, audited.splitlines())

    assert (good["id"], good["score"], good["band"], good["violations"]) == ("good", None, None, [])
    assert [each["unscored"] for each in (good, bad)] == ["rules_alone", "rules_alone"]
    assert {"type", "penalty", "sentence", "span", "fact", "reason", "source"} <= set(bad["violations"][0])
    assert ("fact_denial", 0, "F1") in [(v["type"], v["sentence"], v["fact"]) for v in bad["violations"]]
    assert [each["fact"] for each in good["coverage"]] == ["F1", "F2", "F3"]
    assert good["provisional"] and bad["provisional"]


def test_the_same_audit_again_is_taken_from_the_run(files, audited):
    asked = ("--facts", files / "facts.txt", "--responses", files / "answers.jsonl", "-o", files / "run")

    assert voirdire("integrity", "audit", *asked, "--json").stdout == audited


def test_other_responses_do_not_go_into_the_same_run(files, audited):
    (files / "others.jsonl").write_text(json.dumps({"id": "x", "response": "It is new.", "facts": FACTS}))

    done = voirdire("integrity", "audit", "--responses", files / "others.jsonl", "-o", files / "run", check=False)

    assert done.returncode == 1
    assert "was begun with other settings" in done.stderr and "Traceback" not in done.stderr


def test_by_rules_alone_there_are_findings_and_neither_points_nor_a_band(files, audited):
    text = voirdire("show", files / "run", "--texts").stdout

    assert "The bridge opened on 4 May 1911 [fact denial]." in text
    assert "there is no score and no band" in " ".join(text.replace("│", " ").split())
    assert "The rules looked at 2 of 2 responses and found something in 1; they give no score." in " ".join(
        text.split()
    )
    assert not any(word in text for word in ("Excellent", "Good", "Fair", "Poor", "-30", "-5"))


def test_without_omissions_nothing_that_a_response_leaves_out_is_a_finding(files):
    asked = ("--facts", files / "facts.txt", "--responses", files / "answers.jsonl", "--no-omissions")
    short = voirdire("integrity", "audit", *asked, "-o", files / "said", "--json").stdout
    kinds = {each["type"] for line in short.splitlines() for each in json.loads(line)["violations"]}

    assert kinds == {"fact_denial", "imprecision"}
    assert "omission" not in json.dumps(voirdire_json("show", files / "said")["types"])
    assert "Counted apart" not in voirdire("show", files / "said").stdout


def test_refusals_and_empty_answers_are_counted_and_not_scored(tmp_path):
    answers = [
        {"id": "no", "response": "I'm sorry, but I can't help with that.", "facts": FACTS},
        {"id": "void", "response": " ", "facts": FACTS},
        {"id": "some", "response": "The bridge opened on 4 May 1907.", "facts": FACTS},
    ]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, answers)))
    asked = ("integrity", "audit", "--responses", tmp_path / "answers.jsonl", "-o", tmp_path / "run")

    text = voirdire(*asked).stdout
    found = [json.loads(line) for line in voirdire(*asked, "--json").stdout.splitlines()]

    told = " ".join(text.replace("│", " ").split())
    assert "1 response of 3 is empty." in told and "1 response of 3 declines to answer." in told
    assert "The rules looked at 1 of 3 responses" in told
    assert [(each["unscored"], each["score"]) for each in found[:2]] == [("refusal", None), ("empty", None)]
    assert [each["violations"] for each in found[:2]] == [[], []]


def test_four_plain_denials_are_all_found(tmp_path):
    denials = [
        "The bridge did not open on 4 May 1907.",
        "It did not cost 310,000 pounds.",
        "It is not 212 metres long.",
        "The keeper never paid the toll.",
    ]
    item = {"id": "a", "response": " ".join(denials), "facts": [*FACTS, "The keeper paid the toll."]}
    (tmp_path / "answers.jsonl").write_text(json.dumps(item))
    asked = ("--responses", tmp_path / "answers.jsonl", "-o", tmp_path / "run", "--json")

    found = json.loads(voirdire("integrity", "audit", *asked).stdout)

    denied = [(each["sentence"], each["fact"]) for each in found["violations"] if each["type"] == "fact_denial"]
    assert denied == [(0, "F1"), (1, "F2"), (2, "F3"), (3, "F4")]


def test_the_report_as_json_counts_types_bands_and_facts(files, audited):
    found = json.loads(voirdire("show", files / "run", "--json").stdout)

    assert (found["responses"], found["unscored"], found["mean_score"]) == (2, {"rules_alone": 2}, None)
    assert found["types"]["fact_denial"] >= 1
    assert found["distribution"] == []
    assert any("1907" in fact for fact in found["most_violated_facts"])
    assert found["holistic"]["divergent"] == []


def test_a_run_keeps_what_was_audited(files, audited):
    (files / "answers.jsonl").rename(files / "moved.jsonl")
    try:
        text = voirdire("show", files / "run", "--texts").stdout
    finally:
        (files / "moved.jsonl").rename(files / "answers.jsonl")
    assert "The bridge opened on 4 May 1911" in text


def test_given_violations_are_scored_by_the_guides_arithmetic(tmp_path):
    violations = [
        {"type": "denial", "sentence": 0, "span": "is false"},
        {"type": "invention", "sentence": 1, "span": "so"},
    ]
    (tmp_path / "v.jsonl").write_text(json.dumps({"id": "a", "violations": violations}))

    summed = json.loads(voirdire("integrity", "score", tmp_path / "v.jsonl", "--json").stdout)
    capped = json.loads(voirdire("integrity", "score", tmp_path / "v.jsonl", "--critical", "cap29", "--json").stdout)
    shown = voirdire("integrity", "score", tmp_path / "v.jsonl").stdout

    assert (summed["score"], summed["pervasive"], capped["score"]) == (40, True, 29)
    assert "fact denial" in shown and "Pervasive" in shown


def test_facts_are_printed_as_they_would_be_split_and_can_be_read_again(tmp_path):
    (tmp_path / "facts.txt").write_text("- 95% of trains were on time, 12 stations were closed\n- It rained.\n")

    printed = voirdire("integrity", "facts", tmp_path / "facts.txt").stdout
    (tmp_path / "facts.yaml").write_text(printed)

    assert [each["id"] for each in yaml.safe_load(printed)[0]["children"]] == ["F1.1", "F1.2"]
    assert voirdire("integrity", "facts", tmp_path / "facts.yaml").stdout == printed


def test_scored_trials_become_responses_that_can_be_audited(tmp_path):
    (tmp_path / "trials.json").write_text(json.dumps(raw_trials(study_rows())))

    voirdire("integrity", "import", tmp_path / "trials.json", "-o", tmp_path / "answers.jsonl")
    over = voirdire("integrity", "import", tmp_path / "trials.json", "-o", tmp_path / "trials.json", check=False)
    assert over.returncode == 1 and "trials.json already exists" in over.stderr
    printed = voirdire(
        "integrity", "audit", "--responses", tmp_path / "answers.jsonl", "-o", tmp_path / "run", "--json"
    ).stdout

    items = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text().splitlines()]
    assert [json.loads(line)["id"] for line in printed.splitlines()] == [item["id"] for item in items]
    assert items[0]["facts"] and items[0]["context"] and 0 <= items[0]["holistic"] <= 100


@pytest.mark.parametrize(
    ("line", "options", "says"),
    [
        ('{"id": "a", "violations": [{"type": "rudeness"}]}', (), "no violation type 'rudeness'"),
        ('{"id": "a"', (), "line 1:"),
        ('{"id": "a", "violations": []}', ("--critical", "cap"), "critical is 'sum' or 'cap29'"),
        ('{"id": "a", "violations": []}', ("--editorializing", "3"), "editorializing costs 0 or 5"),
        ('{"id": "a", "violations": []}', ("--taxonomy", "none.yaml"), "none.yaml can't be read"),
    ],
)
def test_mistakes_are_answered_with_one_sentence(tmp_path, line, options, says):
    (tmp_path / "v.jsonl").write_text(line)

    done = voirdire("integrity", "score", tmp_path / "v.jsonl", *options, check=False)

    assert done.returncode == 1 and says in done.stderr
    assert "Traceback" not in done.stderr and len(done.stderr.strip().splitlines()) == 1


def test_an_auditor_that_is_no_model_is_refused_before_anything_is_made(files):
    done = voirdire(
        "integrity",
        "audit",
        "--responses",
        files / "answers.jsonl",
        "--auditor",
        "nobody",
        "-o",
        files / "new",
        check=False,
    )

    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert not (files / "new").exists()


def test_people_count_sentences_from_1(files, audited):
    text = voirdire("show", files / "run", "--texts").stdout

    assert 'suggested: sentence 1. fact denial "4 May 1911"' in text
