import json

import pytest

from tests.cli.here import voirdire, voirdire_json

TOWER = "The tower of Halden has 12 floors and opened on 3 May 1990. It was built by Ingrid Aas for 4 million crowns."
FERRY = "The ferry crossed the Sund in 40 minutes. In 1902 the Sund froze for 23 days. It sailed until 1964."
LAKE = "The lake is 30 m deep and lies at the foot of Mount Orm. Pike and perch are caught in it from June on."
TALK = {
    TOWER: [
        ("The tower of Halden has 12 floors.", "faithful"),
        ("It was built by Ingrid Aas.", "faithful"),
        ("Its elevators were replaced after a lightning strike.", "invented"),
        ("Visitors probably adore its breathtaking panorama.", "speculative"),
    ],
    FERRY: [
        ("The ferry crossed the Sund in 40 minutes.", "faithful"),
        ("Passengers were served herring by uniformed stewards.", "invented"),
        ("It no longer sails today.", "irrefutable"),
        ("Everyone must have mourned its romantic charm.", "speculative"),
    ],
    LAKE: [
        ("The lake is 30 m deep.", "faithful"),
        ("Pike and perch are caught in it from June on.", "faithful"),
        ("Great question!", "irrelevant"),
        ("Anglers surely treasure unforgettable evenings there.", "speculative"),
    ],
}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    path = tmp_path_factory.mktemp("bench") / "labelled.jsonl"
    entries = [
        {
            "id": str(number),
            "context": context,
            "question": "What is known of it?",
            "answer": " ".join(text for text, _ in said),
            "labels": dict(said),
        }
        for number, (context, said) in enumerate(TALK.items())
    ]
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def found(data):
    return voirdire_json("cognibench", "bench", data, "--detector", "lexical", "--detector", "lexical-learned")


def test_json_has_every_detector_and_baseline_in_one_form(found):
    names = ["lexical", "lexical-learned", "everything", "cognitive (gold)", "type", "later-turns", "chance"]
    assert list(found["detectors"]) == names
    for row in found["detectors"].values():
        for name in ("overall", "macro", "factual", "cognitive"):
            assert set(row[name]) == {"f1", "precision", "recall", "interval"}
        assert {"number", "date", "name", "negation"} <= set(row["contradiction"])
        assert row["cases"].keys() == row["contradiction"].keys() and row["cases"]["number"] > 0
        assert {"controls", "sentences_per_s", "by_predicted", "false_alarms", "missing", "threshold"} <= set(row)
    assert (found["n_statements"], found["n_dialogues"], found["n_groups"]) == (12, 3, 3)


def test_the_lexical_detector_beats_flagging_everything(found):
    rows = found["detectors"]
    assert rows["lexical"]["overall"]["f1"] > rows["everything"]["overall"]["f1"] > rows["chance"]["overall"]["f1"]
    assert rows["lexical"]["sentences_per_s"] > 0
    assert rows["lexical"]["contradiction"]["number"] > rows["lexical"]["controls"]


def test_the_suite_can_be_left_out_and_the_requirement_changed(data):
    asked = ("cognibench", "bench", data, "--detector", "lexical", "--no-contradiction-suite")
    strict = voirdire_json(*asked, "--require", "irrefutable")
    lenient = voirdire_json(*asked, "--require", "rational")
    assert strict["detectors"]["lexical"]["contradiction"] is None
    assert strict["hallucinated_words"] > lenient["hallucinated_words"]


def test_the_text_says_what_the_baseline_reaches_and_fits_the_terminal(data):
    said = voirdire("cognibench", "bench", data, "--detector", "lexical", "--all").stdout
    assert "Flagging every sentence has an overall F1 of" in said
    assert "Few contexts (3)" in said
    assert "1 sentence is small talk (greetings, refusals, offers of help), which is never flagged." in " ".join(
        said.split()
    )
    assert "lexical − " in said
    assert max(map(len, said.splitlines())) <= 100


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--detector", "lexikal"), "There is no detector 'lexikal'; did you mean lexical?"),
        (("--detector-threshold", "lexical"), "'lexical' is no threshold; expected NAME=X"),
        (("--run", "figures"), "make no calls that a run folder could keep: leave out --run."),
        (("--exclude", "nothing", "--detector-threshold", "nli:m=0.5"), "'nli:m', which is not among the detectors"),
    ],
    ids=["detector", "threshold", "run", "unused threshold"],
)
def test_a_mistake_is_answered_with_a_sentence(data, arguments, says):
    done = voirdire("cognibench", "bench", data, *arguments, check=False)
    assert done.returncode == 1
    assert says in done.stderr


def test_data_without_labels_are_told(tmp_path):
    path = tmp_path / "plain.jsonl"
    path.write_text(json.dumps({"id": "1", "context": TOWER, "question": "?", "answer": "It is tall."}) + "\n")
    done = voirdire("cognibench", "bench", path, check=False)
    assert done.returncode == 1
    assert "a benchmark needs labelled answers" in done.stderr
