import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from voirdire.evidence.entailment import EntailmentError, EntailmentModel

pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

TINY = Path(__file__).parent / "tiny_entailment"
PAIRS = [
    ("The bridge opened.", "It opened."),
    ("It was denied.", "It opened."),
    ("The bridge.", "A dragon lives there."),
    ("The bridge.", "Hello!"),
]


@pytest.fixture
def model():
    return EntailmentModel(TINY)


def test_each_pair_is_given_the_probabilities_of_four_classes(model):
    found = model.judge(PAIRS)
    assert [max(each._fields, key=lambda name, each=each: getattr(each, name)) for each in found] == [
        "supported",
        "contradicted",
        "not_in_evidence",
        "no_claim",
    ]
    assert all(math.isclose(sum(each), 1) for each in found)
    assert [each.claims_nothing for each in found] == [False, False, False, True]


def test_unsupported_is_the_share_of_claims_that_the_evidence_does_not_carry(model):
    (supported, contradicted) = model.judge(PAIRS[:2])
    claim = supported.supported + supported.contradicted + supported.not_in_evidence
    assert supported.unsupported == pytest.approx(1 - supported.supported / claim)
    assert contradicted.unsupported > 0.9 > 0.1 > supported.unsupported


def test_a_pair_is_judged_the_same_whatever_is_judged_beside_it(model):
    pairs = [(f"The bridge {'word ' * count}", f"denied {'it ' * (count % 7)}") for count in range(0, 400, 30)]
    assert model.judge(pairs) == [EntailmentModel(TINY).judge([pair])[0] for pair in pairs]


def test_a_pair_that_is_asked_again_is_not_computed_again(model, monkeypatch):
    first = model.judge(PAIRS)
    monkeypatch.setattr(model, "_compute", lambda pairs: [] if not pairs else pytest.fail("computed again"))
    assert model.judge(PAIRS[::-1]) == first[::-1]


def test_texts_of_any_kind_are_judged(model):
    found = model.judge([("", ""), ("half \ud800 a pair", "\ud83d"), ("word " * 2_000, "denied " * 2_000)])
    assert all(math.isclose(sum(each), 1) for each in found)
    assert model.judge([]) == []


@pytest.mark.parametrize("name", ["model.int8.onnx", "tokenizer.json"])
def test_a_file_that_is_not_the_one_that_was_named_is_refused(tmp_path, name):
    folder = shutil.copytree(TINY, tmp_path / "model")
    (folder / name).write_bytes((folder / name).read_bytes() + b" ")
    with pytest.raises(EntailmentError, match=rf"{name} is not the file that model\.json names"):
        EntailmentModel(folder)


@pytest.mark.parametrize("name", ["model.int8.onnx", "tokenizer.json", "model.json"])
def test_a_file_that_is_missing_is_named(tmp_path, name):
    folder = shutil.copytree(TINY, tmp_path / "model")
    (folder / name).unlink()
    with pytest.raises(EntailmentError, match=rf"lacks .*{name} \(No such file"):
        EntailmentModel(folder)


def test_a_temperature_flattens_the_probabilities(tmp_path, model):
    folder = shutil.copytree(TINY, tmp_path / "model")
    settings = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps({**settings, "temperature": 5.0}))
    assert EntailmentModel(folder).judge(PAIRS[:1])[0].supported < model.judge(PAIRS[:1])[0].supported


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_what_is_not_installed_is_named_with_the_command_that_brings_it(package):
    code = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from pathlib import Path\n"
        "from voirdire.evidence.entailment import EntailmentError, EntailmentModel\n"
        f"try: EntailmentModel(Path({str(TINY)!r}))\n"
        "except EntailmentError as error: print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert f"needs {package}" in said and "pip install 'voirdire[entailment]'" in said


def test_evidence_imports_neither_package_until_a_model_is_opened():
    code = "import sys, voirdire.evidence.entailment; print({'onnxruntime', 'tokenizers'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"
