"""The model that the package ships, on pairs that were written for this file."""

import hashlib
import json
from importlib.resources import files

import pytest

from voirdire.evidence import entailment
from voirdire.evidence.entailment import EntailmentModel, may_overflow, packaged_model

pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

FOLDER = files("voirdire.data").joinpath("entailment")
BRIDGE = "The bridge over the Severn opened in 1907. It cost 310,000 pounds, and the engineer was Ada Holt."
BOAT = "Alice sold the boat to Bob."
SUPPORTED = [
    (BRIDGE, "The bridge was opened in 1907."),
    (BRIDGE, "310,000 pounds were spent on the bridge."),
    ("Refunds are paid within 14 days.", "You get your money back within 14 days."),
    (BOAT, "Bob bought the boat from Alice."),
    ("The city of Blue Door is Bath. Blue Door has no WiFi.", "Blue Door, a place in Bath, doesn't offer Wi-Fi."),
]
UNSUPPORTED = [
    (BRIDGE, "The bridge was opened in 1911."),
    (BRIDGE, "The bridge was painted by Ada Holt's brother."),
    ("Refunds are paid within 14 days.", "Refunds are never paid."),
    ("The city of Blue Door is Bath. Blue Door has no WiFi.", "Blue Door offers free Wi-Fi to its guests."),
]
NO_CLAIMS = [
    "Hello! How can I help you today?",
    "Is there anything else you would like to know?",
    "I hope this helps!",
    "I'm sorry, but I can't answer that.",
    "Let me know if you have any other questions.",
]


@pytest.fixture(scope="module")
def model():
    return packaged_model()


def test_the_files_are_those_that_the_settings_name_and_together_stay_below_30_megabytes():
    settings = json.loads(FOLDER.joinpath("model.json").read_text(encoding="utf-8"))
    contents = {name: FOLDER.joinpath(name).read_bytes() for name in settings["sha256"]}
    assert {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()} == settings["sha256"]
    assert sum(map(len, contents.values())) < 30e6


def test_a_pair_is_judged_the_same_whatever_is_judged_beside_it(model):
    together = model.judge([*SUPPORTED, *UNSUPPORTED])
    assert EntailmentModel(FOLDER).judge([UNSUPPORTED[-1]]) == together[-1:]


@pytest.mark.parametrize("pair", SUPPORTED)
def test_what_the_evidence_says_in_other_words_is_supported(model, pair):
    assert model.judge([pair])[0].unsupported < 0.5


@pytest.mark.parametrize("pair", UNSUPPORTED)
def test_what_the_evidence_contradicts_or_lacks_is_not_supported(model, pair):
    assert model.judge([pair])[0].unsupported > 0.5


def test_exchanged_roles_are_less_supported_than_the_same_fact_in_other_words(model):
    same, exchanged = model.judge(
        [(BOAT, "Bob bought the boat from Alice."), (BOAT, "Alice bought the boat from Bob.")]
    )
    assert same.unsupported + 0.2 < exchanged.unsupported


@pytest.mark.parametrize("sentence", NO_CLAIMS)
def test_greetings_questions_and_refusals_claim_nothing(model, sentence):
    assert model.judge([(BRIDGE, sentence)])[0].claims_nothing


@pytest.mark.parametrize("pair", [*SUPPORTED, *UNSUPPORTED])
def test_claims_are_not_taken_for_small_talk(model, pair):
    assert not model.judge([pair])[0].claims_nothing


def test_kernels_for_processors_without_vnni_judge_the_same(model, monkeypatch, tmp_path):
    pairs = [("The museum opened in 1891 and has 40 rooms.", f"It has {number} rooms.") for number in range(38, 42)]
    monkeypatch.setattr(entailment, "_PROCESSOR", tmp_path / "none")
    assert may_overflow()
    precise = EntailmentModel(files("voirdire.data") / "entailment")
    assert precise.judge(pairs) == model.judge(pairs)


def test_a_processor_with_vnni_needs_no_slower_kernels(monkeypatch, tmp_path):
    monkeypatch.setattr(entailment, "_PROCESSOR", tmp_path / "cpuinfo")
    for flags, overflows in (("avx2 avx512_vnni", False), ("avx2 avx_vnni", False), ("avx2 avx512bw", True)):
        (tmp_path / "cpuinfo").write_text(f"flags\t\t: fpu {flags}\n")
        assert may_overflow() is overflows
