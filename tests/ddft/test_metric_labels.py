"""What metrics are called and how they are explained: one wording, which the documentation shows as well."""

import ast
from pathlib import Path

import pytest

from tests.support.syntax import nodes
from voirdire.ddft.metric_labels import _IN_FULL, FROM_0_TO_1, METRICS, PARTS_OF_ER, in_full, in_words
from voirdire.ddft.metrics import BY_NAME as MEASURED

SOURCE = Path(__file__).parents[2] / "src" / "voirdire" / "ddft"
START = (Path(__file__).parents[2] / "docs" / "index.md").read_text(encoding="utf-8")
TABLE = START.partition("## 2.")[2].partition("## 3.")[0].splitlines()


def shown(metric):
    """The last column of a metric's row, whose cell may go on in the lines below."""
    column = next(line.index("what it says") for line in TABLE if "what it says" in line)
    (row,) = [i for i, line in enumerate(TABLE) if line.startswith(f" {metric}  ")]
    cell = [TABLE[row][column:]]
    for line in TABLE[row + 1 :]:
        if line[:column].strip() or not line.strip():
            break
        cell.append(line[column:])
    return " ".join(" ".join(cell).split())


@pytest.mark.parametrize("metric", ["ER", "K", "E", "S", "D"])
def test_the_documentation_shows_what_the_terminal_says_of_a_metric(metric):
    assert shown(metric) == METRICS[metric].explained(3)


def test_with_one_level_nothing_shrinks():
    assert "shrinks" in METRICS["K"].explained(2) and "shrinks" in METRICS["S"].explained(2)
    for metric in ("ER", "K", "S", "CRI"):
        assert "one level only" in METRICS[metric].explained(1)
        assert "one level so far" in METRICS[metric].explained(1, only="so far")
    assert METRICS["V_K"].explained(1) == METRICS["V_K"].explained(5)


@pytest.mark.parametrize("metric", ["K", "S"])
@pytest.mark.parametrize("levels", [1, 3])
def test_k_and_s_say_which_turns_they_rest_on(metric, levels):
    assert ", turns 1 to 3" in METRICS[metric].explained(levels)
    assert ", turn 1" in METRICS[metric].explained(levels, "turn 1")


def test_every_metric_of_a_profile_has_a_label_and_an_explanation():
    assert METRICS.keys() == {*MEASURED, "CI_norm"}
    assert all(each.label and each.says for each in METRICS.values())


def test_no_other_module_says_what_a_metric_is_called():
    words = [_IN_FULL["ER"], *PARTS_OF_ER.values(), *(f"{name} ({metric}".lower() for metric, name in _IN_FULL.items())]
    elsewhere = [
        (path.name, text)
        for path in sorted(SOURCE.rglob("*.py"))
        if path.name != "metric_labels.py"
        for text in strings(path)
        if any(each in text.lower() for each in words)
    ]
    assert elsewhere == []


def strings(path):
    """Strings of a module other than docstrings."""
    module = nodes(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in module if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in module
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    ]


def test_a_metric_in_full_has_its_symbol_and_scale():
    assert in_full("ER", FROM_0_TO_1) == "epistemic reliability (ER, from 0 to 1)"
    assert in_full("SAS") == "semantic coherence (SAS)"
    assert in_full("CI_raw") == "the paper's CI index"
    assert in_full("danger_zone_pct") == in_words("danger_zone_pct") == "danger zone"
