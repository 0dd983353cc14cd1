from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.ddft.report.examples import PANEL, column, only
from voirdire.ddft.analysis.judges.report import jury_report
from voirdire.ddft.report.judge_agreement import remarks
from voirdire.ddft.report.judge_differences import furthest_apart_table
from voirdire.ddft.report.judge_turns import furthest_apart, shifts_by_turn
from voirdire.ddft.report.judges import judges, reliability_document
from voirdire.documents.document import Chart, Notice, Table, Text
from voirdire.reason_codes import reason
from voirdire.stats.agreement import Estimate


def verdicts(*rows):
    """Rows of dialogue, turn, judge, FAR, SAS."""
    frame = pd.DataFrame(rows, columns=["dialogue", "turn", "judge", "far", "sas"])
    return frame.assign(run="r", model="m", concept="c", level=0.5)


HAND = verdicts(
    ("d", 1, "a", 1.0, 0.5),
    ("d", 1, "b", 0.6, 0.5),
    ("d", 2, "a", 0.5, 0.9),
    ("d", 2, "b", 0.4, 0.1),
    ("e", 1, "a", 0.3, 0.3),
    ("e", 1, "b", 0.3, 0.3),
    ("e", 2, "a", np.nan, 0.7),
    ("e", 2, "b", 0.2, 0.5),
    ("f", 1, "a", 0.0, 1.0),
)


def test_turns_come_by_their_largest_gap_and_agreement_is_left_out():
    found = furthest_apart(HAND, ["a", "b"], 10)
    assert [(each.dialogue, each.turn) for each in found] == [("d", 2), ("d", 1), ("e", 2)]
    assert found[0].sas == pytest.approx(0.8)
    assert found[2].far is None
    assert found[1].scores == {"a": (1.0, 0.5), "b": (0.6, 0.5)}
    assert len(furthest_apart(HAND, ["a", "b"], 1)) == 1


def test_the_caption_counts_the_turns_that_are_listed():
    for listed, caption in (
        (HAND, "The 3 turns with the largest gap in either score, among the dialogues below."),
        (HAND[HAND["dialogue"] == "f"], "There is no turn to which two judges gave different scores."),
    ):
        table = furthest_apart_table(listed, ["a", "b"], "", with_model=False)
        assert table.caption == caption


def test_a_judge_s_shift_is_measured_against_the_others_on_shared_turns():
    shifts = shifts_by_turn(HAND, ["a", "b"], "far")
    assert shifts.loc["a", 1] == pytest.approx((0.4 + 0.0) / 2)
    assert shifts.loc["b", 2] == pytest.approx(-0.1)
    assert np.isnan(shifts_by_turn(HAND[HAND["dialogue"] == "f"], ["a", "b"], "far").loc["a", 1])


def test_agreement_is_what_the_reliability_module_found(one):
    table = only(judges(one).blocks, Table, "agreement")
    found = one.jury_results[0].report.reliability.scores["SAS"]
    row = next(row for row in table.rows if row["measure"].value == "ICC(2,1)")
    assert row["SAS"].value == found.intraclass.icc_2_1.value
    assert row["SAS"].ends == (found.intraclass.icc_2_1.low, found.intraclass.icc_2_1.high)
    assert column(table, "measure")[-1] == "mean difference"


@pytest.mark.parametrize(
    ("status", "value", "says"),
    [("fail", 0.4, "hardly agree"), ("warn", 0.7, "do not always agree"), ("pass", 0.9, None), ("warn", 0.9, None)],
)
def test_what_is_said_first_tells_that_judges_disagree_on_stances_where_they_do(one, status, value, says):
    report = one.jury_results[0].report
    found = replace(report.stances, status=status, value=value, evidence=(reason("no_answer"),))
    sections = reliability_document(replace(report, stances=found)).sections
    said = [block.text for each in sections for block in each.blocks if isinstance(block, Text)]
    of_stances = [text for text in said if "accept the fabrication" in text]
    assert [says in text for text in of_stances] == ([True] if says else [])


def test_that_all_stances_are_the_same_is_no_disagreement(one):
    report = one.jury_results[0].report
    alike = reason("one_stance_of_all", stance="rejected", answers=30)
    found = replace(report.stances, status="warn", evidence=(alike,))
    sections = reliability_document(replace(report, stances=found)).sections
    said = [block.text for each in sections for block in each.blocks if isinstance(block, Text)]
    assert str(alike) in said and not any("agree on which answers" in text for text in said)


def test_no_agreement_is_praised_where_all_judges_are_copies_of_one(one):
    report = one.jury_results[0].report
    copies = (reason("copied_judge", judges=tuple(PANEL), answers=30),)

    def said(report):
        blocks = [block for each in reliability_document(report).sections for block in each.blocks]
        return [block.text for block in blocks if isinstance(block, Text) and "The judges' agreement on" in block.text]

    assert len(said(report)) == 2 and not said(replace(report, copies=copies))


def test_copies_are_named_and_marked_wherever_judges_stand_side_by_side(one):
    copies = (reason("copied_judge", judges=(PANEL[0], PANEL[2]), answers=30),)
    copies += (reason("near_copy", judges=(PANEL[0], PANEL[1]), hits=29, of=30, left_out=(PANEL[1],)),)
    (of_jury,) = one.jury_results
    marked = replace(one, jury_results=[replace(of_jury, report=replace(of_jury.report, copies=copies))])
    blocks = judges(marked).blocks
    assert [block.text for block in blocks if isinstance(block, Notice)] == [str(why) for why in copies]
    shown = [f"{PANEL[0]} (same as {PANEL[2]}; nearly {PANEL[1]})", f"{PANEL[1]} (nearly {PANEL[0]})"]
    shown.append(f"{PANEL[2]} (same as {PANEL[0]})")
    assert column(only(blocks, Table, "leniency"), "judge") == shown
    assert column(only(blocks, Table, "judge-turns"), "judge")[::2] == shown
    assert column(only(blocks, Table, "judge-pairs"), "first")[0] == shown[0]


def test_a_copy_takes_no_part_in_the_agreement_unless_all_are_copies(one):
    (of_jury,), (result,) = one.jury_results, one.runs.results
    first, second, third = (one.verdicts[one.verdicts["judge"] == judge] for judge in PANEL)

    def judged_by(*of_judges):
        given = pd.concat([own.assign(judge=judge) for judge, own in zip(PANEL, of_judges, strict=True)])
        return jury_report(result.path, of_jury.jury, of_jury.panel, given, one.runs.scores, {})

    without = of_jury.panel._replace(judges=PANEL[:2])
    two = jury_report(result.path, of_jury.jury, without, pd.concat([first, second]), one.runs.scores, {})
    copied = judged_by(first, second, first).reliability
    assert copied.judges == PANEL[:2]
    assert copied.scores["FAR"].intraclass == two.reliability.scores["FAR"].intraclass
    assert judged_by(first, second, first).left_out_of_agreement == (PANEL[2],)
    every = judged_by(first, first, first)
    assert every.reliability.judges == PANEL and not every.left_out_of_agreement
    assert judged_by(first, second, third).reliability.judges == PANEL


def test_a_near_copy_stands_beside_the_others_and_takes_no_part_in_the_agreement(one):
    (of_jury,), (result,) = one.jury_results, one.runs.results
    given = one.verdicts[one.verdicts["judge"] == PANEL[0]]
    far, sas, *noise = np.random.default_rng(1).uniform(0.2, 0.8, (4, len(given)))
    first, second, nearly = (
        given.assign(judge=judge, far=far + error * noise[0], sas=sas + error * noise[1])
        for judge, error in zip(PANEL, (0, 0.3, 0.001), strict=True)
    )

    def judged_by(*of_judges):
        panel = of_jury.panel._replace(judges=tuple(own["judge"].iloc[0] for own in of_judges))
        return jury_report(result.path, of_jury.jury, panel, pd.concat(of_judges), one.runs.scores, {})

    two, three = judged_by(first, second), judged_by(first, second, nearly)
    assert [why.code for why in three.copies] == ["near_copy"] and three.different_judges == 2
    assert three.as_dict()["left_out_of_agreement"] == [PANEL[2]] and three.reliability.judges == PANEL
    own, without = (report.reliability.scores["SAS"] for report in (three, two))
    assert own.intraclass == without.intraclass and own.effective_raters == without.effective_raters
    assert own.mean_absolute_difference == without.mean_absolute_difference and own.gwet_ac == without.gwet_ac
    assert three.reliability.stance.ac1.value == two.reliability.stance.ac1.value
    assert len(own.pairs) == 3 and list(three.reliability.leniency["SAS"]) == list(PANEL)
    alone = judged_by(first, nearly)
    assert alone.left_out_of_agreement == () and alone.different_judges == 1
    assert alone.reliability.scores["SAS"].intraclass.icc_2_1.value > 0.99


def test_below_the_table_stands_which_iccs_are_cut(one):
    found = one.jury_results[0].report.reliability
    cut = reason("icc_cut", coefficients=("ICC(2,k)",), least=-1.0)
    scores = found.scores | {"FAR": replace(found.scores["FAR"], cut=cut)}

    assert f"FAR: {cut}." in remarks(replace(found, scores=scores))
    assert not [remark for remark in remarks(found) if "shown as" in remark]


def test_every_judge_has_its_leniency_and_what_it_changes(one):
    blocks, report = judges(one).blocks, one.jury_results[0].report
    assert column(only(blocks, Table, "leniency"), "judge") == list(PANEL)
    (row,) = only(blocks, Table, "without-ER").rows
    for each in report.left_out:
        (of_model,) = each.metrics.values()
        assert row[f"without {each.judge}"].value == of_model["ER"].without
    assert [panel.title for panel in only(blocks, Chart).panels] == ["Leniency in FAR", "Leniency in SAS"]


def test_a_judge_who_scores_no_higher_by_two_decimals_is_not_the_most_lenient(one):
    report = one.jury_results[0].report

    def said(value):
        away = dict.fromkeys(PANEL, Estimate(0.0, 0.0, 0.0)) | {PANEL[0]: Estimate(value, value / 2, 2 * value)}
        measured = replace(report.reliability, leniency=dict.fromkeys(("FAR", "SAS"), away))
        sections = reliability_document(replace(report, reliability=measured)).sections
        return " ".join(block.text for each in sections for block in each.blocks if isinstance(block, Text))

    assert "is the most lenient: it scores accuracy 0.01 higher" in said(0.008)
    assert "most lenient" not in said(0.004)


def test_a_judge_alone_agrees_with_nobody(study, one):
    section = judges(study)
    (notice,) = section.blocks
    assert section.title == "The judge" and judges(one).title == "Judges side by side"
    assert isinstance(notice, Notice) and "judged alone" in notice.text
