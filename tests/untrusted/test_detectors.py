"""Trained detectors of somebody else: numbers, bounds, and no code."""

import json
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.untrusted.changing import bytes_changed, changed, is_sentence
from voirdire.detectors.learned import LEXICAL, load_model
from voirdire.detectors.neural._folders import check_weights, code_setting_in
from voirdire.detectors.records import DetectorError

OURS = files("voirdire.data").joinpath("detectors", "lexical-learned")
META = json.loads(OURS.joinpath("voirdire.json").read_text())


def folder(path, meta=META):
    path.mkdir(exist_ok=True)
    (path / "voirdire.json").write_text(meta if isinstance(meta, str) else json.dumps(meta))
    return path


def opened(path):
    return load_model("lexical-learned", LEXICAL, str(path))


def test_our_own_is_opened(tmp_path):
    assert 0 <= opened(folder(tmp_path / "m")).probabilities([[0.0] * len(LEXICAL)])[0] <= 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"weights": "os.system"}, "model.weights as 6 numbers"),
        ({"weights": [1, 2, 3]}, "model.weights as 6 numbers"),
        ({"weights": [1, 2, 3, 4, 5, "6"]}, "model.weights as 6 numbers"),
        ({"means": [0, 0, 0, 0, 0, float("nan")]}, "Infinity|NaN|model.means as 6 numbers"),
        ({"means": [0, 0, 0, 0, 0, 10**400]}, "model.means as 6 numbers|number"),
        ({"scales": [1, 1, 1, 1, 1, 0]}, "model.scales as numbers above 0"),
        ({"slope": None}, "model.slope as 1 number"),
        ({"offset": True}, "model.offset as 1 number"),
    ],
)
def test_a_model_that_is_not_made_of_numbers_is_refused(tmp_path, change, says):
    with pytest.raises(DetectorError, match=says) as caught:
        opened(folder(tmp_path / "m", META | {"model": META["model"] | change}))
    assert is_sentence(caught.value)


@pytest.mark.parametrize("model", [None, [], "model.skops", {}])
def test_a_detector_without_a_model_is_refused(tmp_path, model):
    with pytest.raises(DetectorError, match=r"must give model.means as 6 numbers"):
        opened(folder(tmp_path / "m", META | {"model": model}))


def test_a_detector_that_is_too_large_or_nested_too_deeply_is_refused(tmp_path):
    for text, says in ((" " * 10_000_001, "10,000,001"), ("[" * 1_000, "nested too deeply"), ("{", "not valid JSON")):
        with pytest.raises(DetectorError, match=says):
            opened(folder(tmp_path / "m", text))


@pytest.mark.parametrize(
    "change", [{"threshold": "high"}, {"threshold": 2}, {"features": 5}, {"trained_on": 5}, {"kind": ["x"]}]
)
def test_a_description_of_another_kind_is_refused(tmp_path, change):
    with pytest.raises(DetectorError):
        opened(folder(tmp_path / "m", meta=META | change))


@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_a_changed_detector_is_opened_or_refused_in_a_sentence(tmp_path_factory, data):
    base = tmp_path_factory.getbasetemp() / "detector"
    if data.draw(st.booleans()):
        meta = json.dumps(data.draw(changed(META)))
    else:
        meta = data.draw(bytes_changed(json.dumps(META).encode())).decode("utf-8", "replace")
    try:
        opened(folder(base, meta))
    except Exception as error:
        assert is_sentence(error), repr(error)


@pytest.mark.parametrize(
    ("config", "found"),
    [
        ({"attn_implementation": "someone/kernel"}, "attn_implementation"),
        ({"_attn_implementation_internal": "someone/kernel:run"}, "_attn_implementation_internal"),
        ({"text_config": {"trust_remote_code": True}}, "trust_remote_code"),
        ({"parts": [{"experts_implementation": "a/b"}]}, "experts_implementation"),
        ({"attn_implementation": "sdpa", "trust_remote_code": False, "_attn_implementation": None}, None),
    ],
)
def test_a_configuration_that_has_code_of_others_run_is_seen(tmp_path, config, found):
    assert code_setting_in(config) == found
    (tmp_path / "model.safetensors").write_bytes(b"")
    (tmp_path / "config.json").write_text(json.dumps(config))
    if found is None:
        check_weights(str(tmp_path))
    else:
        with pytest.raises(DetectorError, match="foreign code can be fetched and run"):
            check_weights(str(tmp_path))


def test_an_adapter_with_pickled_weights_is_refused_whatever_lies_beside_it(tmp_path):
    for name in ("adapter_config.json", "config.json"):
        (tmp_path / name).write_text("{}")
    for name in ("adapter_model.bin", "other.safetensors"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(DetectorError, match="are pickled"):
        check_weights(str(tmp_path))
