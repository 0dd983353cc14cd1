"""What holds of every check, so that one that is added is held to it too."""

import pytest

from tests.evaluation.examples import evaluation_of, random_scores, scores_of
from voirdire.evaluation.checks import ALL, FAMILIES, wording
from voirdire.evaluation.checks.check import MOST_QUOTES
from voirdire.evaluation.records import Evaluation, Printed
from voirdire.evaluation.table import Rows


def _without_rows():
    headline = (Printed("m", 0.5, 0.1, 9, 12, "log.json"),)
    table = Rows().frame(["m"])
    return Evaluation(name="e", format="f", metric="acc", rows=table, printed=headline, settings={"m": {"items": 9}})


STRANGE = {
    "no score at all": evaluation_of([{"item": "a", "status": "error"}, {"item": "b", "status": "limit"}]),
    "no row": _without_rows(),
    "one row": evaluation_of([{"item": "a", "score": 1.0}]),
    "two models, one item": evaluation_of([{"item": "a", "model": m, "score": 1.0, "output": "x"} for m in "pq"]),
    "no item in common": evaluation_of(
        [{"item": n + m, "model": m, "score": 0.5, "output": "x"} for m in "pq" for n in "12345"]
    ),
    "unbounded scores": evaluation_of(
        [{"item": str(n), "score": 1e6 * n, "output": "x" * n} for n in range(9)], bounds=None
    ),
    "sound": scores_of(random_scores(0, 0.8, 0.4)),
}


@pytest.mark.parametrize("evaluation", STRANGE.values(), ids=STRANGE)
@pytest.mark.parametrize("check", ALL, ids=lambda check: check.__name__)
def test_whatever_there_is_a_check_gives_a_result_in_words(check, evaluation):
    found = check(evaluation)
    assert found.id == check.__name__
    assert found.evaluation == evaluation.name
    assert str(found.finding)
    assert len(found.quotes) <= MOST_QUOTES
    assert set(found.models) <= set(evaluation.models)
    assert (found.value is None) == (found.status == "not_measured")


def test_every_check_has_its_question_its_figure_and_its_advice():
    ids = {check.__name__ for family in FAMILIES for check in family.CHECKS}
    assert ids == set(wording.ASKED) == set(wording.MEASURED) == set(wording.ADVICE)
