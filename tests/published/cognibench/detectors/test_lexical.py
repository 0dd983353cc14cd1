import numpy as np
import pytest

from tests.published.cognibench.dev import dev
from voirdire.detectors import hallucinated, open_detector, passage_of
from voirdire.detectors.scoring import word_score


@pytest.mark.parametrize(("name", "floor"), [("lexical", 0.74), ("lexical-learned", 0.78)])
def test_it_reaches_its_floor_on_the_development_half(name, floor):
    answers = [answer for answer in dev() if answer.labelled]
    detector = open_detector(name)
    scores = detector.flag_many([passage_of(answer) for answer in answers])
    statements = [statement for answer in answers for statement in answer.statements]
    flagged = (np.concatenate(scores) >= detector.threshold).tolist()
    found = word_score(flagged, [hallucinated(s.label) for s in statements], [s.words for s in statements])
    assert found.f1 >= floor
