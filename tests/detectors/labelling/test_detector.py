import math

import pytest

from tests.detectors.labelling.examples import CONTEXT, TEXT, answer
from tests.support.fake_openai import control, stats
from tests.support.labelling_server import start_labelling_server
from voirdire.detectors import DetectorOptions, open_detector, passage_of
from voirdire.models import SpecError
from voirdire.runs import RunFolderError

SENTENCES = tuple(statement.text for statement in answer().statements)


@pytest.fixture(scope="module")
def server():
    with start_labelling_server() as base_url:
        yield base_url


def opened(base_url, **options):
    return open_detector("llm:openai-api/labeller", DetectorOptions(base_url=base_url, **options))


def test_it_scores_what_the_model_tags(server):
    control(server, reset=True)

    scores = opened(server).flag_many([passage_of(answer()), passage_of(answer("It ground wheat."))])

    assert scores == [[0.0, 0.0, 1.0, 0.0, 0.0], [1.0]]
    assert stats(server)["total"] == 2


def test_sentences_alone_are_enough(server):
    assert opened(server).flag(CONTEXT, SENTENCES) == opened(server).flag(*passage_of(answer()))
    assert opened(server).flag(CONTEXT, []) == [] and opened(server).flag_many([]) == []


def test_what_the_model_does_not_say_is_no_score(server):
    control(server, plan=["refusal"])
    refused = opened(server)
    assert all(math.isnan(score) for score in refused.flag(CONTEXT, SENTENCES))
    assert refused.faults == ("the model refused",)
    control(server, plan=["400"])
    failed = opened(server)
    assert all(math.isnan(score) for score in failed.flag(CONTEXT, SENTENCES))
    assert "the call failed" in failed.faults[0]


def test_with_a_folder_nothing_is_asked_twice(server, tmp_path):
    control(server, reset=True)
    passages = [passage_of(answer()), passage_of(answer("It ground oats."))]

    first = opened(server, folder=tmp_path).flag_many(passages)
    again = opened(server, folder=tmp_path).flag_many([*passages, passage_of(answer("It ground wheat."))])

    assert again[:2] == first
    assert stats(server)["total"] == 3


def test_a_folder_is_not_gone_on_with_under_another_requirement(server, tmp_path):
    opened(server, folder=tmp_path).flag(CONTEXT, [TEXT])
    with pytest.raises(RunFolderError, match="other settings"):
        opened(server, folder=tmp_path, require="rational").flag(CONTEXT, [TEXT])


def test_a_spec_that_is_none_is_refused_at_once():
    with pytest.raises(SpecError):
        open_detector("llm:nobody")
