"""How many flags of strangers' sets were right is the same on the page that lists the sets and in the reports."""

import re
from pathlib import Path

import pytest

from voirdire.detectors.entailment import EntailmentDetector, Ranks
from voirdire.detectors.lexical import LexicalDetector
from voirdire.evidence.entailment import EntailmentModel

pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

PAGE = Path(__file__).parents[2] / "docs/which-detector.md"
TINY = Path(__file__).parents[1] / "evidence/tiny_entailment"
ROW = re.compile(r"\| an? [\w' ]+ bot[:|][^|]*\| \d+, \d+ \| [\d.]+; (\d+), (\d+) \| [\d.]+; (\d+), (\d+) \|")


def test_reports_count_the_flags_of_the_bots_that_the_documentation_lists():
    rows = [tuple(map(int, row)) for row in ROW.findall(PAGE.read_text(encoding="utf-8"))]
    assert len(rows) == PAGE.read_text(encoding="utf-8").count("bot: ") > 10
    detectors = (EntailmentDetector(EntailmentModel(TINY), Ranks((0.0, 1.0), (0.0, 1.0), 0.6)), LexicalDetector())
    for detector, place in zip(detectors, (0, 2), strict=True):
        wrong, right = (sum(row[place + at] for row in rows) for at in (0, 1))
        trials = detector.trials
        assert (trials.sets, trials.flags, trials.supported) == (len(rows), wrong + right, right)
