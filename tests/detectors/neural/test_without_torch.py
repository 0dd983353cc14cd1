"""Without torch, only the detectors that need it are closed, and they say what to install."""

import importlib
import sys

import pytest

from voirdire.detectors import DetectorError, DetectorOptions, open_detector

MODULES = [
    "voirdire.detectors.neural",
    "voirdire.detectors.generative.cognidet",
    "voirdire.detectors.generative.ragtruth",
    "voirdire.detectors.generative.fava",
]


@pytest.fixture(autouse=True)
def _no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith("voirdire.detectors.")]:
        if "neural" in name or "generative" in name:
            monkeypatch.delitem(sys.modules, name)
    for name in ("torch", "transformers", "lettucedetect"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.parametrize("kind", ["nli", "selfcheck-nli", "minicheck", "encoder", "cognidet", "ragtruth", "fava"])
def test_the_extra_is_named(kind: str) -> None:
    with pytest.raises(DetectorError, match=r"needs (torch|transformers).*pip install 'voirdire\[torch\]'"):
        open_detector(f"{kind}:some/model")


def test_lettucedetect_names_its_own_extra() -> None:
    with pytest.raises(DetectorError, match=r"lettucedetect.*pip install 'voirdire\[lettucedetect\]'"):
        open_detector("lettucedetect")


@pytest.mark.parametrize("module", MODULES)
def test_what_others_use_can_be_imported(module: str) -> None:
    importlib.import_module(module)


def test_a_generative_detector_can_be_served_instead() -> None:
    with pytest.raises(DetectorError, match="cognidet:openai-api/NAME"):
        open_detector("cognidet:some/model")


def test_a_served_one_needs_no_torch() -> None:
    options = DetectorOptions(base_url="http://127.0.0.1:9/v1")
    assert open_detector("cognidet:openai-api/some-model", options).name == "cognidet:openai-api/some-model"
