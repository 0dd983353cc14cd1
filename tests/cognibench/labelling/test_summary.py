from tests.cognibench.dynamics.examples import given
from tests.cognibench.report.examples import labelled_run
from tests.reports.looking import said, table
from voirdire.cognibench.dynamics.report import examine_files
from voirdire.cognibench.dynamics.tables import dynamics_document
from voirdire.cognibench.labelling.report import labels_document
from voirdire.cognibench.labelling.summary import summarise
from voirdire.cognibench.report import document
from voirdire.detectors.labelling.records import JudgedStatement, LabelPlan

NOT_GRADED = JudgedStatement(("hallu",) * 5, True, None, "cognitive", 0.9, (None,), "not graded")
DATA = [given(f"a{number}", "faithful", "speculative", group=f"g{number}") for number in range(3)]


def ungraded(path):
    faithful = JudgedStatement(("faithful",) * 5, False, "faithful", "factual")
    return labelled_run(path, DATA, {each.id: [faithful, NOT_GRADED] for each in DATA})


def test_where_every_grading_failed_no_output_counts_a_conclusion(tmp_path):
    path = ungraded(tmp_path / "run")
    found = summarise(path)

    unknown = dict.fromkeys(("misleading", "speculative", "reliable", "irrefutable"))
    assert {label: found.as_dict()["labels"][label] for label in unknown} == unknown
    assert found.as_dict()["ungraded"] == "Undefined (–): every grading of a conclusion failed."
    shown = {row["label"]: row["statements"] for row in table(document([path]), "labels")}
    assert {label: shown[label] for label in unknown} == dict.fromkeys(unknown, "–")
    assert "of conclusions, opinions and explanations none of 3 has a label" in said(document([path]))
    stats = examine_files([path])
    assert (
        stats.shares.hallucination["cognitive"].value is stats.shares.hallucinated_per_answer["cognitive"].value is None
    )
    assert {label: stats.shares.tiers[label].value for label in unknown} == unknown
    assert stats.cautions[:2] == [*found.cautions, found.ungraded] and "3 of 6 statements" in stats.cautions[0]


def test_types_count_conclusions_that_were_not_graded_and_rates_say_how_many_have_no_label(tmp_path):
    faithful = JudgedStatement(("faithful",) * 5, False, "faithful", "factual")
    graded = JudgedStatement(("hallu",) * 5, True, "speculative", "cognitive", 0.9, ("speculative",))
    path = labelled_run(
        tmp_path / "run", DATA, {"a0": [faithful, graded], "a1": [faithful, NOT_GRADED], "a2": [NOT_GRADED, NOT_GRADED]}
    )
    stats = examine_files([path])

    assert [(each.value, each.hits) for each in stats.shares.types.values()] == [(0, 0), (1 / 3, 2), (2 / 3, 4)]
    assert stats.shares.cognitive_share.value == 2 / 3
    assert stats.shares.per_answer["cognitive"].value == 4 / 3
    assert stats.shares.hallucination["cognitive"].n == 1
    assert stats.shares.as_dict()["unlabelled"] == {"irrelevant": 0, "factual": 0, "cognitive": 3}
    shown = dynamics_document(stats, "all")
    assert {row["tier"]: row["n"] for row in table(shown, "tiers")}["speculative"] == "1 of 1 (+3)"
    assert "so many more such statements have no label" in said(shown)
    rows = table(document([path]), "labels")
    assert [(row["type"], row["statements"]) for row in rows if row["label"] == "undecided"] == [("cognitive", "3")]
    assert "100.0 % (1 of 1; 25.0 to 100.0 % if all had labels) fall short" in said(document([path]))


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


def test_a_reason_why_there_is_no_label_is_given_once_for_statements_that_follow_each_other(tmp_path):
    found = {"a0": [NOT_GRADED, NOT_GRADED], "a1": [NOT_GRADED, NOT_GRADED], "a2": [NOT_GRADED, NOT_GRADED]}
    shown = labels_document(summarise(labelled_run(tmp_path / "run", DATA, found)))

    whys = [row["why"] for row in table(shown, "undecided")]
    assert whys == [NOT_GRADED.why, *["as above"] * 5]
