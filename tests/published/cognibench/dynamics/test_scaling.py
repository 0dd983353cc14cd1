import json

from tests.published.cognibench.dev import dev
from voirdire.cognibench.dynamics.scaling import scale


def test_every_share_is_trained_as_often_as_asked_and_more_data_do_not_harm():
    found = scale("lexical-learned", dev(), shares=(0.1, 1.0), repeats=2)

    assert [step.trainings for step in found.steps] == [2, 2]
    assert found.steps[0].statements < found.steps[1].statements
    assert found.steps[1].f1 > max(0.6, found.steps[0].f1)
    assert found.steps[1].lowest <= found.steps[1].f1 <= found.steps[1].highest
    assert json.dumps(found.as_dict(), allow_nan=False)
