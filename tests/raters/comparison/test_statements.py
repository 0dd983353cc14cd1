import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.raters.comparison.examples import detector_file, label_project, label_run
from voirdire.raters.comparison import compare_with
from voirdire.raters.records import RatersError

TRUTH = [["faithful", "reliable"], ["invented", "speculative"], ["faithful", "misleading"]] * 4
FLAT = [label for row in TRUTH for label in row]
BEN = ["irrelevant" if n % 7 == 0 else label for n, label in enumerate(FLAT)]
PEOPLE = {"ann": FLAT, "ben": BEN}
GOLD = {n: label for n, label in enumerate(FLAT) if n % 7 == 0}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Its labels are the truth, but for two: a reliable one is taken for invented, and one is undecided."""
    said = [list(row) for row in TRUTH]
    said[0][1], said[3][1] = "invented", None
    return label_run(tmp_path_factory.mktemp("labels") / "run", *said)


@pytest.fixture(scope="module")
def found(run):
    return compare_with(label_project(TRUTH, PEOPLE, adjudicated=GOLD), run)


def test_the_confusion_sets_peoples_gold_against_the_machines_labels(found):
    label = next(each for each in found.confusions if each.scale == "label")
    at = label.categories.index
    assert label.items == 23  # 24 less the undecided one
    assert label.counts[at("reliable")][at("invented")] == 1
    assert sum(map(sum, label.counts)) == 23
    assert sum(label.counts[n][n] for n in range(7)) == 22
    assert label.percent.value == pytest.approx(22 / 23)
    assert (found.by, found.matched, found.undecided, found.settled) == ("openai/labeller", 24, 1, 4)


def test_tiers_are_confused_among_cognitive_statements_of_both(found):
    tier = next(each for each in found.confusions if each.scale == "tier")
    assert tier.items == 10  # 12 cognitive ones, less one taken for invented and one undecided
    assert tier.kappa.value == 1


def test_flags_are_scored_in_words_and_in_sentences_under_each_requirement(found):
    flags = {(each.require, each.unit): each for each in found.flags}
    assert len(flags) == 6
    grounded = flags["grounded", "sentences"]
    assert (grounded.hallucinated, grounded.flagged, grounded.unsaid) == (12, 13, 1)
    assert grounded.precision.value == pytest.approx(12 / 13)
    assert grounded.recall.value == 1
    words = flags["grounded", "words"]
    assert (words.hallucinated, words.flagged) == (48, 52)  # four words each
    assert words.f1.value == pytest.approx(2 * 48 / (48 + 52))
    rational = flags["rational", "sentences"]
    assert rational.hallucinated == 8  # without the speculative ones


def test_people_among_themselves_and_with_the_machine_are_held_against_each_other_on_the_same_items(found):
    alike = next(each for each in found.closeness if (each.scale, each.coefficient) == ("label", "percent"))
    assert alike.items == 23
    assert alike.people.value == pytest.approx(20 / 23)  # of the four on which they differ, one is undecided
    # Ann differs from the machine once; Ben on three that he calls irrelevant, and on that one.
    assert alike.with_machine.value == pytest.approx((22 + 19) / 46)
    assert alike.difference.value == pytest.approx(41 / 46 - 20 / 23)
    assert alike.difference.low < alike.difference.value < alike.difference.high


def test_the_reading_says_it_in_one_sentence(found):
    (sentence,) = found.interpretation
    assert sentence.startswith("Label: people agree with each other at 0.")
    assert f"the same 23 items of {found.matched}; the others lack such a rating" in sentence and found.matched > 23


def test_without_gold_a_majority_stands_for_people_and_ties_for_nothing(run):
    found = compare_with(label_project(TRUTH, PEOPLE), run)
    label = next(each for each in found.confusions if each.scale == "label")
    assert label.items == 20  # 24 less four ties, one of them undecided by the machine too
    (note,) = (note for note in found.notes if "are not settled yet" in note)
    assert note.endswith(": the label that more than half of their raters give stands for people.")


def test_where_ties_leave_out_items_under_one_requirement_only_it_is_said(run, found):
    ben = ["reliable" if label == "speculative" else label for label in FLAT]
    tied = compare_with(label_project(TRUTH, {"ann": FLAT, "ben": ben}), run)
    assert {each.require: each.items for each in tied.flags} == {"rational": 24, "grounded": 20, "irrefutable": 24}
    why = "an item with a tie has no majority and is left out."
    assert any(note.startswith("Hallucinations found: n differs") and note.endswith(why) for note in tied.notes)
    assert not any("n differs" in note for note in found.notes)


def test_an_item_that_lacks_ratings_does_not_stand_for_people(run):
    found = compare_with(label_project(TRUTH, {"ann": FLAT, "ben": [*FLAT[:20], *[None] * 4]}), run)

    assert {each.items for each in found.flags} == {20}
    (label,) = (each for each in found.confusions if each.scale == "label")
    assert label.items == 19  # one of the 20 is undecided
    assert "4 of 24 items lack ratings: what is there does not stand for people." in found.notes


def test_a_detectors_flags_are_compared_without_labels(tmp_path):
    flags = [[label in ("invented", "misleading", "speculative") for label in row] for row in TRUTH]
    flags[0][0], flags[1][0] = True, None
    file = detector_file(tmp_path / "found.jsonl", TRUTH, flags)
    found = compare_with(label_project(TRUTH, PEOPLE, adjudicated=GOLD), file)
    assert {each.scale for each in found.confusions} == {
        f"hallucinated ({require} required)" for require in ("rational", "grounded", "irrefutable")
    }
    grounded = next(each for each in found.flags if (each.require, each.unit) == ("grounded", "sentences"))
    assert (grounded.flagged, grounded.hallucinated, grounded.unsaid) == (12, 12, 1)
    assert grounded.precision.value == grounded.recall.value == pytest.approx(11 / 12)
    assert found.undecided == 1
    assert found.interpretation[0].startswith("Hallucinated (grounded required): people agree")


def test_a_detectors_findings_in_parquet_are_compared_as_those_in_lines(tmp_path):
    file = detector_file(tmp_path / "found.jsonl", TRUTH, [[True, False]] * len(TRUTH))
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    pq.write_table(pa.Table.from_pylist(lines), tmp_path / "found.parquet")
    project = label_project(TRUTH, PEOPLE)
    assert compare_with(project, tmp_path / "found.parquet").flags == compare_with(project, file).flags


def test_items_that_the_run_lacks_are_named(tmp_path):
    run = label_run(tmp_path / "run", *TRUTH[:5])
    found = compare_with(label_project(TRUTH, PEOPLE), run)
    assert (found.rated, found.matched, len(found.missing)) == (24, 10, 14)
    assert found.missing[:2] == ("a5#0", "a5#1")


def test_a_run_of_other_answers_is_refused(tmp_path):
    file = detector_file(tmp_path / "found.jsonl", TRUTH, [[True, True]] * len(TRUTH))
    file.write_text(file.read_text().replace('"id": "a', '"id": "b'))
    with pytest.raises(RatersError, match="None of 24 items"):
        compare_with(label_project(TRUTH, PEOPLE), file)


def test_other_words_under_the_same_id_are_refused(tmp_path):
    file = detector_file(tmp_path / "found.jsonl", TRUTH, [[True, True]] * len(TRUTH))
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0].replace("word word word", "work work work"), *lines[1:]]))
    with pytest.raises(RatersError, match="Statement 1 of the answer 'a0' has another text"):
        compare_with(label_project(TRUTH, PEOPLE), file)


def test_an_answer_cut_into_other_sentences_is_refused(tmp_path):
    file = detector_file(tmp_path / "found.jsonl", TRUTH, [[True, True]] * len(TRUTH))
    lines = [line for line in map(json.loads, file.read_text().splitlines())]
    lines[3] |= {"start": lines[3]["start"] + 2}
    file.write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(RatersError, match="Statement 2 of the answer 'a1' stands nowhere"):
        compare_with(label_project(TRUTH, PEOPLE), file)


def test_a_project_without_ratings_has_nothing_to_compare(run):
    with pytest.raises(RatersError, match="no live ratings yet"):
        compare_with(label_project(TRUTH, {"ann": [None] * 24}), run)


def test_all_of_it_is_json(found):
    data = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert data["matched"] == 24 and data["interpretation"] == list(found.interpretation)
