from pathlib import Path
from types import SimpleNamespace

from voirdire.detectors.report import cognidet_plan_document, not_flagged, trained_document
from voirdire.detectors.training.records import CogniDetOptions, TrainedDetector
from voirdire.documents.document import Notice, Table

FIGURES = {
    "n_groups": 12,
    "n_statements": 1_240,
    "score": {"precision": 0.75, "recall": 0.5, "f1": 0.6},
    "everything": {"precision": 0.3, "recall": 1.0, "f1": 0.4615},
    "interval": {"low": 0.51, "high": 0.68},
}


def blocks(document):
    return [block for section in document.sections for block in section.blocks]


def trained(figures, note=""):
    return TrainedDetector("encoder", Path("mine"), "base", 0.5, figures, (0.7, 0.31), {}, 12.0, note)


def test_a_trained_detector_is_shown_beside_flagging_all_with_its_interval():
    (table,) = (block for block in blocks(trained_document(trained(FIGURES))) if isinstance(block, Table))

    assert [[cell.shown for cell in row.values()] for row in table.rows] == [
        ["12 other groups", "1,240", "0.750", "0.500", "0.600", "0.510 to 0.680", "0.500"],
        ["flagging all of them", "", "0.300", "1.000", "0.462", "", ""],
    ]


def test_without_figures_a_note_says_why():
    found = blocks(trained_document(trained(None, "Too few groups to judge by.")))

    assert not any(isinstance(block, Table) for block in found)
    assert [block.text for block in found if isinstance(block, Notice)] == ["Too few groups to judge by."]
    assert "Mean loss of each epoch: 0.700, 0.310. 12 s." in [block.text for block in found]


def test_a_plan_says_what_is_left_out_and_what_learns():
    counts = {
        "examples": 10,
        "clean": 4,
        "held_out": 2,
        "incomplete": 1,
        "too_long": 3,
        "tokens": 9_000,
        "longest": 1_200,
    }
    plan = SimpleNamespace(**counts, steps=30, parameters=8_000_000, trainable=1_000, gigabytes=16.25)
    text = " ".join(block.text for block in blocks(cognidet_plan_document(plan, CogniDetOptions())))

    assert "Left out: 1 (a sentence without a label); 3 (over 4,096 tokens)." in text
    assert "1,000 of an adapter learn" in text and "About 16.2 GB" in text


def test_small_talk_and_header_rows_are_counted_where_there_are_any():
    assert list(not_flagged(0, 0)) == []
    talk, headers = not_flagged(1, 2)
    assert talk.startswith("1 sentence is small talk") and headers == "Not counted: 2 heading or header rows of tables."
