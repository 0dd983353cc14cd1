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
ROW = re.compile(r"\| an? [\w' ]+ bot(?:: [^|]*)? \| (\d+), (\d+) \| [\d.]+; (\d+), (\d+) \| [\d.]+; (\d+), (\d+) \|")
TOTAL = re.compile(r"\| \*\*the thirteen bots\*\* \| (\d+), (\d+) \| (\d+), (\d+) \| (\d+), (\d+) \|")


def test_reports_count_the_flags_of_the_bots_that_the_documentation_lists():
    page = PAGE.read_text(encoding="utf-8")
    rows = [tuple(map(int, row)) for row in ROW.findall(page)]
    wrong, right, *flags = (sum(column) for column in zip(*rows, strict=True))
    assert [tuple(map(int, row)) for row in TOTAL.findall(page)] == [(wrong, right, *flags)]
    detectors = (EntailmentDetector(EntailmentModel(TINY), Ranks((0.0, 1.0), (0.0, 1.0), 0.6)), LexicalDetector())
    for detector, (hits, alarms) in zip(detectors, (flags[:2], flags[2:]), strict=True):
        assert detector.trials.sets == len(rows) == 13
        assert detector.trials.counts == (hits, wrong, alarms, right)
