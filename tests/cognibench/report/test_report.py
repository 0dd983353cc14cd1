import json
from dataclasses import replace

import pytest

from tests.cognibench.dynamics.examples import given
from tests.cognibench.report.examples import HOSTILE, answers, judged, labelled_run, labels_of
from tests.reports.looking import blocks, readings, said, table
from voirdire.cognibench.records import CognibenchError
from voirdire.cognibench.report import document
from voirdire.cognibench.report.loader import load_runs
from voirdire.cognibench.report.people import compare_with_people
from voirdire.detectors import Statement
from voirdire.detectors.labelling.records import LabelPlan
from voirdire.documents import run_description as _runs
from voirdire.documents.document import Chart, Figures, Notice, Readings, Table
from voirdire.reports.page import render
from voirdire.runs import RunFolder
from voirdire.stats import clustered_share

UNSURE = ("hallu", "faithful", None, None, "hallu")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """People and model agree but for one statement; one statement has no label."""
    found = {
        "a0_0": [
            judged("faithful"),
            judged("invented", ("hallu", "hallu", "hallu", "faithful", "hallu")),
            judged("reliable"),
        ],
        "b_1": [judged(None, UNSURE, "too many votes are missing")],
    }
    path = tmp_path_factory.mktemp("runs") / "labels"
    return labelled_run(path, found=found, reasons=("sample 3: a sentence was left out",))


@pytest.fixture(scope="module")
def report(run):
    return document([run])


def test_the_verdict_says_in_words_what_is_hallucinated_and_by_which_standard(report):
    text = said(report)

    assert "openai/labeller labelled 17 statements of 8 answers about 4 contexts." in text
    assert "What is required of conclusions is that they be grounded." in text
    ends = clustered_share([3, 2, 2, 0], [5, 5, 5, 2])  # hallucinated statements and all, by context
    interval = f"95 % interval {100 * ends.low:.1f} to {100 * ends.high:.1f} %"
    told = f"41.2 % (7 of 17; {interval}; 38.9 to 44.4 % if all had labels)"
    assert f"{told} of the statements are hallucinated" in text
    assert "if the answers were meant to entertain" in text and "if a court or a physician relied on them" in text


def test_what_each_requirement_would_call_hallucinated_stands_side_by_side(report):
    rows = {row["require"]: row for row in table(report, "requirements")}

    assert list(rows) == ["rational", "grounded (this run)", "irrefutable"]
    assert [row["statements"] for row in rows.values()] == ["23.5 %", "41.2 %", "58.8 %"]
    assert rows["irrefutable"]["fails"] == "invented, misleading, speculative, reliable"


def test_what_is_required_is_told_of_statements_and_of_words_in_tables_that_name_each_column_once(report):
    words = {row["require"]: row["words"] for row in table(report, "requirements-words")}

    assert words["grounded (this run)"] == "41.2 %"
    for block in blocks(report, Table):
        if block.id.startswith("requirements"):
            assert len({column.label for column in block.columns}) == len(block.columns) < 10


def test_without_a_second_stage_nothing_is_said_of_other_requirements(tmp_path):
    found = document([labelled_run(tmp_path / "run", plan=LabelPlan(tiers=False))])

    rows = {row["require"]: row["statements"] for row in table(found, "requirements")}
    assert (rows["rational"], rows["irrefutable"]) == ("–", "–") and rows["grounded (this run)"] != "–"
    labels = {row["label"]: (row["statements"], row["share"]) for row in table(found, "labels")}
    assert labels["misleading"] == labels["irrefutable"] == ("–", "–") and labels["invented"][0] == "3"
    assert labels["speculative"][0] == labels["reliable"][0] == "3"
    assert "It would be" not in said(found)
    captions = {block.id: block.caption for block in blocks(found, Table)}
    assert all("no second stage graded the conclusions" in captions[name] for name in ("requirements", "labels"))


def test_shares_under_each_requirement_say_how_many_statements_they_are_of(report):
    assert {row["n"] for row in table(report, "requirements")} == {"17"}


def test_statements_without_a_label_are_told_in_the_verdict_with_what_they_could_change(report):
    notice = "1 of 18 statements has no label (too many votes are missing). No share of labels counts them"
    assert notice in said(report) and "% of all statements could be hallucinated." in said(report)
    assert any(notice in caution for caution in report.data["runs"][0]["cautions"])


def test_every_share_of_the_verdict_says_what_it_is_of_and_what_labels_for_all_could_make_of_it(tmp_path):
    lacking = replace(judged(None, UNSURE, "not graded"), type="cognitive")
    found = {"x": [judged("faithful"), judged("reliable"), lacking, lacking]}
    report = document([labelled_run(tmp_path / "run", [given("x", None, None, None, None)], found)])
    verdict = next(section for section in report.sections if section.id == "verdict")
    text = " ".join(block.text for block in verdict.blocks if hasattr(block, "text"))
    cards = {item.label: item.note for block in blocks(report, Figures) for item in block.items}

    assert "0.0 % (0 of 1; 0.0 to 66.7 % if all had labels) fall short" in text
    assert "Of factual statements 0.0 % (0 of 1) are invented" in text
    assert "It would be 0.0 % (0 of 2; 0.0 to 50.0 % if all had labels) if" in text
    assert "50.0 % (1 of 2; 25.0 to 75.0 % if all had labels) if a court" in text
    assert cards["conclusions that fall short"] == "0 of 1 cognitive statement; 0.0 to 66.7 % if all had labels"
    assert cards["hallucinated statements"].startswith("0 of 2 statements; required: grounded; 0.0 to 50.0 %")
    assert "% if all had labels" in cards["hallucinated words"]
    (own,) = [row for row in table(report, "requirements") if "this run" in row["require"]]
    assert (own["statements_lowest"], own["statements_highest"]) == ("0.0 %", "50.0 %")
    assert report.data["runs"][0]["hallucinated"]["irrefutable"]["statements"]["could_be"] == [0.25, 0.75]


def test_labels_are_counted_of_all_and_of_their_type(report):
    rows = {row["label"]: row for row in table(report, "labels")}

    assert (rows["invented"]["statements"], rows["invented"]["share"], rows["invented"]["of_type"]) == (
        "4",
        "23.5 %",
        "44.4 %",
    )
    assert rows["irrelevant"]["of_type"] == ""
    assert rows["undecided"]["statements"] == "1"


def test_beside_peoples_labels_an_f1_never_stands_without_baselines(report):
    rows = {row["who"]: row for row in table(report, "people")}

    assert list(rows) == [
        *("the run's labels", "flagging everything", "all turns but the first", "a coin"),
    ]
    assert [row["who"] for row in table(report, "people-types")] == ["all that people call cognitive"]
    assert (rows["the run's labels"]["f1"], rows["all turns but the first"]["f1"]) == ("0.92", "1.00")
    assert rows["all turns but the first"]["lead"].startswith("-0.08")
    assert "the labels can't be told from a rule that reads nothing" in said(report)
    assert {row["human"]: row["invented"] for row in table(report, "confusion")}["faithful"] == "1"


def test_an_f1_beside_people_has_a_range_where_labels_are_missing_and_a_verdict_that_they_could_turn_is_undecided(
    tmp_path,
):
    lacking = judged(None, UNSURE, "not graded")
    found = {
        f"{name}{number}": [judged("faithful"), lacking if number else judged("invented"), judged("faithful")]
        for name in "ab"
        for number in range(6)
    }
    data = [
        given(f"{name}{number}", "faithful", "invented", "faithful", group=f"g{number}", dialogue=f"d{name}{number}")
        for name in "ab"
        for number in range(6)
    ]
    report = document([labelled_run(tmp_path / "run", data, found)])
    rows = {row["who"]: row for row in table(report, "people")}
    cards = {item.label: item.note for block in blocks(report, Figures) for item in block.items}

    own = [rows[name] for name in ("the run's labels", "labels at worst", "labels at best")]
    assert [(each["f1"], each["recall"]) for each in own] == [("0.29", "0.17"), ("0.29", "0.17"), ("1.00", "1.00")]
    assert rows["flagging everything"]["lead"] == "undecided: -0.21 to +0.50"
    unlabelled = "10 statements without a label counted as not flagged; 0.29 to 1.00 if all had labels"
    assert f"{unlabelled}); flagging every statement has 0.50. Whether the run does better is undecided" in said(report)
    assert cards["F1 beside people"].startswith(f"in words; {unlabelled}; ")
    caption = next(block.caption for block in blocks(report, Table) if block.id == "people")
    assert "At worst and at best:" in caption and "has found nothing" not in caption


def test_labels_that_are_no_better_even_if_all_missing_ones_were_right_are_called_no_better(tmp_path):
    lacking = judged(None, UNSURE, "not graded")
    found = {
        f"a{number}": [judged("faithful"), second, judged("faithful")]
        for number, second in enumerate([judged("invented")] + [lacking] * 3 + [judged("faithful")] * 8)
    }
    data = [given(each, "faithful", "invented", "faithful", group=each) for each in found]
    report = document([labelled_run(tmp_path / "run", data, found)])
    rows = {row["who"]: row for row in table(report, "people")}

    assert rows["flagging everything"]["lead"] == "undecided: -0.35 to +0.00"
    assert "Whatever the missing labels are, the run does no better here." in said(report)


def test_diagnose_and_bench_have_one_f1_for_a_run_with_statements_without_a_label(tmp_path):
    lacking = judged(None, UNSURE, "not graded")
    found = {"a0_0": [judged("faithful")] * 2 + [lacking], "a0_1": [judged("invented"), lacking], "a1_1": [lacking] * 2}
    (run,) = load_runs([labelled_run(tmp_path / "run", found=found)])
    beside = compare_with_people(run)

    assert beside.row.missing == 4
    for part, score in beside.diagnosis.scores.items():
        assert score == beside.row.figures[part].score
    assert beside.diagnosis.scored == beside.bench.n_statements


def test_the_best_baseline_of_the_verdict_is_the_best_of_the_table_though_types_alone_go_further(tmp_path):
    turns = {"a": ("faithful", "speculative"), "b": ("invented", "misleading"), "c": ("faithful", "faithful")}
    run = labelled_run(
        tmp_path / "run",
        [
            given(f"{name}{number}", *labels, group=f"g{number}", dialogue=f"d{number}", turn=turn)
            for number in range(4)
            for turn, (name, labels) in enumerate(turns.items())
        ],
        {"a0": [judged("faithful"), judged("speculative")]},
    )
    found = document([run])

    (beside,) = [
        item.note for block in blocks(found, Figures) for item in block.items if item.label == "F1 beside people"
    ]
    rules = {row["who"]: row["f1"] for row in table(found, "people") if row["who"] != "the run's labels"}
    best = max(rules, key=rules.get)
    assert f"the best trivial baseline ({best}) has {rules[best]}" in beside
    assert table(found, "people-types")[0]["f1"] > rules[best]


@pytest.mark.parametrize(
    ("label", "told", "left_out", "figure"),
    [
        ("speculative", "Of conclusions, opinions and explanations 100.0 %", "factual statements", "invented"),
        ("invented", "Of factual statements 100.0 %", "conclusions, opinions", "conclusions that fall short"),
    ],
)
def test_a_type_of_statement_that_does_not_occur_is_not_spoken_of(tmp_path, label, told, left_out, figure):
    run = labelled_run(tmp_path / "run", [given("x", None)], {"x": [judged(label)]})
    found = document([run])

    verdict = next(section for section in found.sections if section.id == "verdict")
    text = " ".join(block.text for block in verdict.blocks if hasattr(block, "text"))
    assert told in text and left_out not in text
    assert figure not in [item.label for block in blocks(found, Figures) for item in block.items]


def test_a_labeller_that_beats_every_rule_is_told_so(tmp_path):
    run = labelled_run(
        tmp_path / "run",
        [
            given(f"{name}{number}", *labels, group=f"g{number}", dialogue=f"d{number}", turn=turn)
            for number in range(8)
            for turn, (name, labels) in enumerate(
                {"a": ("faithful", "invented"), "b": ("faithful", "faithful", "invented")}.items()
            )
        ],
        {"a0": [judged("invented"), judged("invented")]},
    )

    assert "is more than chance" in said(document([run]))


def test_without_labels_of_people_that_is_said_and_nothing_is_scored(tmp_path):
    run = labelled_run(tmp_path / "run", [given("x", None, None)], {"x": [judged("faithful"), judged("invented")]})
    found = document([run])

    assert "how good the labels are is not known from this run" in said(found)
    assert "people" not in [section.id for section in found.sections]


def test_answers_that_the_prompt_has_seen_are_left_out_of_scoring(tmp_path):
    run = labelled_run(tmp_path / "run", seen=("g0", "g1"))
    found = document([run])

    assert "Left out: 4 answers of the prompt's examples" in said(found)
    assert "An example in the prompt has this context" in readings(found)["a0_0"].exchanges[0].notes[0]


def test_votes_missing_votes_and_statements_without_a_label_are_told(report):
    assert "on 2 of 18 statements they differ. Missing votes: 2 of 90" in said(report)
    assert {row["votes"]: row["statements"] for row in table(report, "votes")} == {
        **{"0 of 5": "10", "4 of 5": "1", "5 of 5": "6"},
        "some votes are missing": "1",
    }
    (row,) = table(report, "undecided")
    assert (row["id"], row["sentence"]) == ("b_1", "1")
    assert row["why"] == "too many votes are missing; sample 3: a sentence was left out"


def test_every_answer_can_be_read_with_its_context_question_and_labels(report):
    reading = readings(report)["a0_0"]
    (exchange,) = reading.exchanges

    assert (reading.context, exchange.question) == ("The context of a0_0.", "What?")
    assert [piece.mark for piece in exchange.answer if piece.text.strip()] == ["faithful", "invented", "reliable"]
    assert exchange.answer[2].note == "votes 4 of 5 hallucinated · people: faithful"
    assert exchange.answer[4].note == "votes 0 of 5 hallucinated · graded reliable · people: reliable"
    assert reading.summary == "3 statements: 1 faithful, 1 invented, 1 reliable"
    assert [(remark.who, remark.figures) for remark in exchange.remarks] == [
        ("sentence 2", (("people", "faithful"), ("model", "invented")))
    ]


def test_the_pieces_of_an_answer_give_its_text(report):
    texts = {each.id: "".join(piece.text for piece in each.exchanges[0].answer) for each in readings(report).values()}

    assert texts == {answer.id: answer.text for answer in answers()}


def test_text_between_and_around_statements_is_kept(tmp_path):
    text = "  Well:\n\nIt rained.  And then\tit was dry. \n"
    pairs = [(text.index(part), part) for part in ("It rained.", "it was dry.")]
    statements = tuple(Statement(part, start, start + len(part), "faithful") for start, part in pairs)
    answer = replace(given("x", "faithful"), text=text, statements=statements)
    (exchange,) = readings(document([labelled_run(tmp_path / "run", [answer])]))["x"].exchanges

    assert "".join(piece.text for piece in exchange.answer) == text
    assert [piece.text for piece in exchange.answer if piece.mark] == ["It rained.", "it was dry."]


def test_filters_find_what_they_say(report):
    (block,) = blocks(report, Readings)
    passing = {each.id: {r.id for r in block.readings if each.id in r.flags} for each in block.filters}

    assert passing == {
        "hallucinated": {"a0_0", "a0_1", "a1_1", "a2_1"},
        "missing": {"b_1"},
        "differ": {"a0_0"},
        "split": {"a0_0", "b_1"},
    }
    assert [mark.id for mark in block.marks] == [
        *("faithful", "invented", "speculative", "reliable", "irrefutable", "undecided"),
    ]
    assert dict(block.facets) == {"model": "answered by", "topic": "topic", "turn": "turn"}


def test_hostile_answers_become_text_in_the_page(tmp_path):
    answer = replace(given(HOSTILE, "invented"), question=HOSTILE, context=HOSTILE, topic=HOSTILE, model=HOSTILE)
    page = render(document([labelled_run(tmp_path / "run", [answer], model=f"openai/{HOSTILE}")]))

    assert "<img src=x" not in page and "</script><img" not in page


def test_runs_stand_side_by_side_and_their_answers_have_the_run_as_a_facet(run, tmp_path):
    other = labelled_run(
        tmp_path / "other", found={each.id: [judged("faithful")] * len(labels_of(each)) for each in answers()}
    )
    found = document([run, other])

    assert [row["run"] for row in table(found, "runs")] == ["labels", "other"]
    assert {row["run"] for row in table(found, "labels")} == {"labels", "other"}
    (pair,) = table(found, "labellers")
    assert (pair["one"], pair["other"], pair["statements"]) == ("labels", "other", "17")
    assert {reading.facets["run"] for reading in readings(found).values()} == {"labels", "other"}
    assert len(readings(found)) == 16
    json.dumps(found.data, allow_nan=False)
    render(found)


def test_runs_of_one_name_are_told_apart_by_their_folders(run, tmp_path):
    other = labelled_run(tmp_path / "labels")

    assert [row["run"] for row in table(document([run, other]), "runs")] == [
        f"{run.parent.name}/labels",
        f"{tmp_path.name}/labels",
    ]


def test_a_run_that_is_not_complete_says_so_and_a_local_labeller_is_distrusted(tmp_path):
    run = labelled_run(tmp_path / "run", found={"a0_0": None}, model="local/qwen2.5-coder-1.5b")
    notices = "\n".join(block.text for block in blocks(document([run]), Notice))

    assert "1 of 8 answers not labelled yet" in notices
    assert "Small local models are poor labellers" in notices


def test_a_run_in_which_nothing_is_decided_can_be_reported(tmp_path):
    lacking = [judged(None, UNSURE, "too many votes are missing")] * 2
    found = document([labelled_run(tmp_path / "run", [given("x", "faithful", "invented")], {"x": lacking})])

    assert "nothing can be said" in said(found)
    assert readings(found)["x"].flags == ("missing", "split")
    render(found)


def test_charts_fit_a_phone_and_leave_colours_of_text_and_ground_to_the_page(tmp_path):
    data = [
        given(
            f"{group}{turn}",
            *["faithful", "speculative", "invented"] * 2,
            group=group,
            dialogue=group,
            turn=turn,
            topic=group,
        )
        for group in ("g", "h", "i")
        for turn in range(2)
    ]
    charts = blocks(document([labelled_run(tmp_path / "run", data)]), Chart)

    assert [chart.id for chart in charts] == ["label-shares", "by-turn", "by-position", "by-topic"]
    for panel in (panel for chart in charts for panel in chart.panels):
        assert panel.spec["width"] <= 250 and "config" not in panel.spec and panel.summary.endswith(".")


def test_only_so_many_answers_are_read_in_a_page_those_that_went_wrong_first(run, monkeypatch):
    monkeypatch.setattr(_runs, "READ_AT_MOST", 4)
    found = document([run])

    assert set(readings(found)) == {"a0_0", "a0_1", "a1_1", "a2_1"}
    assert "Of 8 answers, the 4 with most hallucinated statements" in said(found)


def test_the_data_are_strict_json_and_a_run_of_another_kind_is_refused(report, tmp_path):
    data = json.loads(json.dumps(report.data, allow_nan=False))
    assert data["runs"][0]["hallucinated"]["grounded"]["statements"]["value"] == pytest.approx(7 / 17)
    assert data["runs"][0]["beside_people"]["bench"]["detectors"]["everything"]["baseline"]

    RunFolder.create(tmp_path / "run", {"instrument": "cognibench"}).close()
    with pytest.raises(CognibenchError, match="is no labelling run"):
        document([tmp_path / "run"])
