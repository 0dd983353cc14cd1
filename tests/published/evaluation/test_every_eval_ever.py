"""Results written as Every Eval Ever are valid by its schemas, and read again they are the same."""

import json

import pytest
from jsonschema import Draft7Validator

from tests.cli.here import voirdire
from tests.published.records import EVALS
from voirdire.evaluation.formats import read_paths

PAIRS = """question_id,question,model_a,model_b,response_a,response_b,winner,judge
q1,Name a river.,new,old,The Rhine.,The Nile.,model_a,gpt
q2,Name a lake.,old,new,Garda.,Como.,tie,human
"""
SOURCES = ("inspect", "lm_eval", "helm", "every_eval_ever/demo-source", "alpacaeval", "pairs")
KEPT = ("score", "prompt", "output", "reference", "judge", "cluster", "baseline_output", "choices")


def validator(name):
    return Draft7Validator(json.loads((EVALS / "every_eval_ever" / "schemas" / name).read_text()))


@pytest.fixture(scope="module", params=SOURCES)
def written(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    source, out = EVALS / request.param, folder / "out"
    if request.param == "pairs":
        source = folder / "arena.csv"
        source.write_text(PAIRS)
    voirdire("export", source, "--to", "every-eval-ever", "-o", out)
    return source, out


def test_every_file_is_valid(written):
    aggregates = list((written[1] / "data").rglob("*[!s].json"))
    assert aggregates
    for path in aggregates:
        assert [
            error.message for error in validator("eval.schema.json").iter_errors(json.loads(path.read_text()))
        ] == []
    lines = [line for path in written[1].rglob("*.jsonl") for line in path.read_text().splitlines()[:50]]
    of_lines = validator("instance_level_eval.schema.json")
    for line in lines:
        assert [error.message for error in of_lines.iter_errors(json.loads(line))] == []


def known(evaluations):
    """Of each evaluation and model its printed headline, and its rows with a score."""
    found = {}
    for each in evaluations:
        scored = each.rows[each.rows["score"].notna()].sort_values(["model", "item", "judge", "epoch"])
        rows = [tuple(repr(value) for value in row) for row in scored[["model", "item", *KEPT]].itertuples(index=False)]
        printed = sorted((one.model, one.value, one.se, one.n) for one in each.printed)
        if rows or printed:
            found[each.name] = rows, printed
    return found


def test_read_again_scores_texts_and_headlines_are_the_same(written):
    before, after = (known(read_paths([path]).evaluations) for path in written)
    assert before.keys() == after.keys()
    for name in before:
        assert before[name] == after[name], name
