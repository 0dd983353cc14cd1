import sys

import pytest

from voirdire.detectors import DetectorError
from voirdire.detectors.training.records import open_planner, open_trainer


@pytest.mark.parametrize("kind", ["encoder", "cognidet"])
def test_what_is_missing_is_named_with_the_extra_that_brings_it(kind, monkeypatch):
    for name in ("encoder", "fitting", "generative"):
        monkeypatch.delitem(sys.modules, f"voirdire.detectors.training.{name}", raising=False)
    for name in ("torch", "datasets", "transformers"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(DetectorError, match=r"is not installed: pip install 'voirdire\[train\]'"):
        open_trainer(kind)


def test_even_a_plan_of_a_cognidet_needs_a_tokenizer(monkeypatch):
    monkeypatch.delitem(sys.modules, "voirdire.detectors.training.chats", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(DetectorError, match=r"voirdire\[train\]"):
        open_planner("cognidet")


def test_a_kind_that_is_not_trained_is_refused_with_those_that_are():
    with pytest.raises(DetectorError, match="lexical-learned, encoder, cognidet can"):
        open_trainer("nli")


def test_the_small_model_is_trained_where_it_is_written():
    from voirdire.detectors.learning import train

    assert open_trainer("lexical-learned") is train
