import json

import pytest

from tests.cognibench.made_half import half
from voirdire.cognibench.dynamics.scaling import scale
from voirdire.cognibench.records import CognibenchError


def test_every_share_is_trained_as_often_as_asked():
    found = scale("lexical-learned", half(), shares=(0.5, 1.0), repeats=2)

    assert [step.trainings for step in found.steps] == [2, 2]
    assert found.steps[0].statements < found.steps[1].statements
    assert found.steps[1].f1 > 0.6
    assert found.steps[1].lowest <= found.steps[1].f1 <= found.steps[1].highest
    assert json.dumps(found.as_dict(), allow_nan=False)


def test_too_few_contexts_to_train_on_are_undefined_and_not_zero():
    found = scale("lexical-learned", half(), shares=(0.001,), repeats=1)

    assert (found.steps[0].f1, found.steps[0].undefined) == (None, 1)
    assert found.curve.fit is None


def test_a_detector_that_takes_long_to_train_is_refused():
    with pytest.raises(CognibenchError, match="'cognidet' was given"):
        scale("cognidet", half())
