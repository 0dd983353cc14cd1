from tests.cognibench.dynamics.made import given
from tests.cognibench.report.made import labelled_run
from tests.report.looking import table
from voirdire.cognibench.dynamics.report import examine_files
from voirdire.cognibench.labelling.summary import summarise
from voirdire.cognibench.report import document
from voirdire.detectors.labelling.records import Judged, LabelPlan

NOT_GRADED = Judged(("hallu",) * 5, True, None, "cognitive", 0.9, (None,), "it was not graded")
DATA = [given(f"a{number}", "faithful", "speculative", group=f"g{number}") for number in range(3)]


def ungraded(path):
    faithful = Judged(("faithful",) * 5, False, "faithful", "factual")
    return labelled_run(path, DATA, {each.id: [faithful, NOT_GRADED] for each in DATA})


def test_where_every_grading_failed_no_output_counts_a_conclusion(tmp_path):
    path = ungraded(tmp_path / "run")
    found = summarise(path)

    unknown = dict.fromkeys(("misleading", "speculative", "reliable", "irrefutable"))
    assert {label: found.as_dict()["labels"][label] for label in unknown} == unknown
    assert found.as_dict()["ungraded"] == "Undefined (–): every grading of a conclusion failed."
    shown = {row["label"]: row["statements"] for row in table(document([path]), "labels")}
    assert {label: shown[label] for label in unknown} == dict.fromkeys(unknown, "–")
    stats = examine_files([path])
    assert stats.shares.types["cognitive"].value is stats.shares.cognitive_share.value is None
    assert {label: stats.shares.tiers[label].value for label in unknown} == unknown
    assert stats.cautions[:2] == [*found.cautions, found.ungraded] and "3 of 6 statements" in stats.cautions[0]


def test_without_a_second_stage_the_labels_beside_the_requirement_are_counted_and_the_others_undefined(tmp_path):
    path = labelled_run(tmp_path / "run", DATA, plan=LabelPlan(tiers=False))
    found = summarise(path)

    counts = {"misleading": None, "speculative": 3, "reliable": 0, "irrefutable": None}
    assert {label: found.labels[label] for label in counts} == counts
    assert found.ungraded == (
        "Undefined (–): no second stage graded the conclusions. Here speculative only means hallucinated, and reliable "
        "not hallucinated."
    )
    shown = {row["label"]: row["statements"] for row in table(document([path]), "labels")}
    assert [shown[label] for label in counts] == ["–", "3", "0", "–"]
    tiers = examine_files([path]).shares.tiers
    assert (tiers["speculative"].value, tiers["reliable"].value, tiers["misleading"].value) == (1, 0, None)
