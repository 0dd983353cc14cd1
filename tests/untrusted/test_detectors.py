"""Trained detectors of somebody else: a closed list of types, bounds, and no code."""

import io
import json
import zipfile
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
MODEL = OURS.joinpath("model.skops").read_bytes()


def members():
    with zipfile.ZipFile(io.BytesIO(MODEL)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def folder(path, model=MODEL, meta=META):
    path.mkdir(exist_ok=True)
    (path / "voirdire.json").write_text(json.dumps(meta))
    if isinstance(model, dict):
        with zipfile.ZipFile(path / "model.skops", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, raw in model.items():
                archive.writestr(name, raw)
    else:
        (path / "model.skops").write_bytes(model)
    return path


def opened(path):
    return load_model("lexical-learned", LEXICAL, str(path))


def with_type(module, name, loader):
    """Our own model with one node of another type."""
    schema = json.loads(members()["schema.json"])
    schema["content"]["content"]["extra"] = {
        "__module__": module,
        "__class__": name,
        "__loader__": loader,
        "__id__": 1,
        "content": {},
    }
    return {**members(), "schema.json": json.dumps(schema)}


def test_our_own_is_opened(tmp_path):
    assert 0 <= opened(folder(tmp_path / "m")).probabilities([[0.0] * len(LEXICAL)])[0] <= 1


@pytest.mark.parametrize(
    "named",
    [
        ("os", "system", "FunctionNode"),
        ("builtins", "eval", "TypeNode"),
        ("operator", "methodcaller", "OperatorFuncNode"),
        ("functools", "partial", "PartialNode"),
        ("sklearn.ensemble._forest", "RandomForestClassifier", "ObjectNode"),  # skops would trust it
        ("builtins", "dict", "MethodNode"),  # a type of ours, read in another way
        ("numpy", "ndarray", "ObjectNode"),
        (None, None, "CachedNode"),
        (["a"], {}, 5),
    ],
)
def test_a_type_that_no_detector_has_is_refused(tmp_path, named):
    with pytest.raises(DetectorError, match="which no detector of voirdire is made of, and is not loaded"):
        opened(folder(tmp_path / "m", with_type(*named)))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"../../x": b""}, "holds the file '../../x'"),
        ({"/etc/x": b""}, "holds the file '/etc/x'"),
        ({"x.pkl": b""}, "holds the file 'x.pkl'"),
        ({f"{number}.npy": b"" for number in range(201)}, "files; at most 200"),
        ({"1.npy": bytes(10_000_001)}, "unpacks to"),
        ({"schema.json": "[" * 1_000}, "nested too deeply"),
        ({"schema.json": "[]"}, "can't be loaded"),
        ({"schema.json": "{"}, "not valid JSON"),
    ],
)
def test_an_archive_that_is_none_of_ours_is_refused(tmp_path, change, says):
    with pytest.raises(DetectorError, match=says) as caught:
        opened(folder(tmp_path / "m", {**members(), **change}))
    assert is_sentence(caught.value)


def test_a_file_that_is_no_archive_or_too_large_is_refused(tmp_path):
    for model, says in ((b"", "no archive of skops"), (b"\x80\x04.", "no archive"), (bytes(10_000_001), "10,000,001")):
        with pytest.raises(DetectorError, match=says):
            opened(folder(tmp_path / "m", model))


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
        model = {**members(), "schema.json": json.dumps(data.draw(changed(json.loads(members()["schema.json"]))))}
        made = lambda: folder(base, model)  # noqa: E731 - one of two ways
    else:
        made = lambda: folder(base, data.draw(bytes_changed(MODEL)))  # noqa: E731
    try:
        opened(made())
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
