"""Encoders as detectors, opened by name on tiny random models."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForSeq2SeqLM, AutoModelForSequenceClassification, AutoTokenizer, BertConfig, BertModel

from tests.extras.torch.conftest import TEXT, tiny_causal, tiny_classifier, tiny_t5, tiny_tokenizer
from voirdire.detectors import Detector, DetectorError, DetectorOptions, Passage, open_detector
from voirdire.detectors.neural import _loading, minicheck
from voirdire.detectors.neural._loading import PairClassifier
from voirdire.detectors.neural.nli import SelfCheckNli

LONG = " ".join(TEXT) * 8
SENTENCES = ("It is 161 metres high.", "Nobody likes it, and it fell down in 1900.", "No.", "supported " * 60)
PASSAGES = [Passage(LONG, SENTENCES), Passage("", ("Alone.",)), Passage(TEXT[0], ()), Passage(TEXT[1], SENTENCES[:2])]
SUPPORT = {0: "unsupported", 1: "supported"}
KINDS = ["nli", "selfcheck-nli", "minicheck", "minicheck-t5", "encoder"]


def opened(name: str, **options: object) -> Detector:
    return open_detector(name, DetectorOptions(**{"device": "cpu", **options}))  # type: ignore[arg-type]


def encoder(folder: Path, labels: dict[int, str] = SUPPORT, **settings: object) -> Path:
    tiny_classifier(folder, labels=labels)
    said = {"kind": "encoder", "threshold": 0.4, "max_length": 48, "stride": 8} | settings
    (folder / "voirdire.json").write_text(json.dumps(said))
    return folder


def name_of(kind: str, folder: Path) -> str:
    made = {
        "nli": lambda: tiny_classifier(folder),
        "selfcheck-nli": lambda: tiny_classifier(folder),
        "minicheck": lambda: tiny_classifier(folder, labels=SUPPORT),
        "minicheck-t5": lambda: tiny_t5(folder),
        "encoder": lambda: encoder(folder),
    }[kind]()
    return f"{kind.removesuffix('-t5')}:{made}"


def direct(folder: Path, first: str, second: str | None = None) -> np.ndarray:
    """What the model says of one input, without any of our code."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        return network(**tokenizer(first, second, return_tensors="pt")).logits.softmax(-1)[0].numpy()


# --- what all have in common ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_sentence_gets_a_score_whatever_the_batches(kind: str, tmp_path: Path) -> None:
    name = name_of(kind, tmp_path)
    scores = opened(name).flag_many(PASSAGES)
    assert [len(each) for each in scores] == [4, 1, 0, 2]
    assert all(0 <= score <= 1 for each in scores for score in each)
    assert len({round(score, 4) for each in scores for score in each}) > 3  # they depend on what is read
    for batch_size in (1, 3):
        detector = opened(name, batch_size=batch_size)
        assert np.concatenate(detector.flag_many(PASSAGES)) == pytest.approx(np.concatenate(scores), abs=1e-5)
        assert detector.flag(LONG, SENTENCES) == pytest.approx(scores[0], abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_to_judge_is_no_fault(kind: str, tmp_path: Path) -> None:
    detector = opened(name_of(kind, tmp_path))
    assert detector.flag_many([]) == []
    assert detector.flag(LONG, []) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_threshold_can_be_set(kind: str, tmp_path: Path) -> None:
    name = name_of(kind, tmp_path)
    assert opened(name).threshold == (0.4 if kind == "encoder" else 0.5)
    assert opened(name, threshold=0.9).threshold == 0.9


@pytest.mark.parametrize("kind", ["nli", "minicheck"])
def test_more_pairs_than_are_tokenized_together_keep_their_order(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = name_of(kind, tmp_path)
    expected = opened(name).flag(LONG, SENTENCES)
    monkeypatch.setattr(_loading, "_BATCHES_AT_ONCE", 1)
    monkeypatch.setattr(minicheck, "_PAIRS_AT_ONCE", 2)
    assert opened(name, batch_size=2).flag(LONG, SENTENCES) == pytest.approx(expected, abs=1e-5)


# --- windows --------------------------------------------------------------------------------------------


def test_windows_cover_the_whole_context_and_each_holds_the_whole_sentence(tmp_path: Path) -> None:
    classifier = PairClassifier(str(tiny_classifier(tmp_path)), device="cpu", batch_size=4, max_length=40, overlap=6)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    windows, owners = classifier._windows([(LONG, SENTENCES[0]), (TEXT[0], SENTENCES[0])])
    assert owners.tolist() == [0] * (len(windows) - 1) + [1]
    assert len(windows) > 5
    sentence = tokenizer(SENTENCES[0], add_special_tokens=False)["input_ids"]
    parts = []
    for window in windows[:-1]:
        assert len(window["input_ids"]) <= 40
        context, rest = window["input_ids"][1:].copy(), [*sentence, 2]
        assert context[-len(rest) :] == rest
        parts.append(context[: -len(rest) - 1])
    rebuilt = parts[0] + [token for part in parts[1:] for token in part[6:]]
    assert rebuilt == tokenizer(LONG, add_special_tokens=False)["input_ids"]


def test_a_sentence_too_long_for_the_model_leaves_half_of_it_to_the_context(tmp_path: Path) -> None:
    classifier = PairClassifier(str(tiny_classifier(tmp_path)), device="cpu", batch_size=4, max_length=40)
    windows, _ = classifier._windows([(LONG, LONG)])
    assert len(windows) > 5
    assert all(len(window["input_ids"]) <= 40 for window in windows)


# --- NLI and SelfCheckGPT -------------------------------------------------------------------------------


def test_nli_gives_the_models_probability_with_the_context_as_premise(tmp_path: Path) -> None:
    folder = tiny_classifier(tmp_path, labels={0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"})
    probabilities = direct(folder, TEXT[0], SENTENCES[0])
    assert opened(f"nli:{folder}").flag(TEXT[0], SENTENCES[:1]) == pytest.approx([probabilities[0]], abs=1e-5)
    switched = opened(f"nli:{folder}", not_entailed=True)
    assert switched.flag(TEXT[0], SENTENCES[:1]) == pytest.approx([1 - probabilities[2]], abs=1e-5)


def test_one_window_is_enough_to_contradict_and_one_to_entail(tmp_path: Path) -> None:
    folder = str(tiny_classifier(tmp_path))
    (windows,) = PairClassifier(folder, device="cpu", batch_size=16).probabilities([(LONG, SENTENCES[0])])
    assert windows.shape[0] > 2
    assert windows.sum(axis=1) == pytest.approx(1)
    assert opened(f"nli:{folder}").flag(LONG, SENTENCES[:1]) == pytest.approx([windows[:, 2].max()])
    unentailed = opened(f"nli:{folder}", not_entailed=True).flag(LONG, SENTENCES[:1])
    assert unentailed == pytest.approx([1 - windows[:, 0].max()])
    contradiction, entailment = windows[:, 2].max(), windows[:, 0].max()
    share = contradiction / (contradiction + entailment)
    assert opened(f"selfcheck-nli:{folder}").flag(LONG, SENTENCES[:1]) == pytest.approx([share])


def test_selfcheck_leaves_neutral_out(tmp_path: Path) -> None:
    folder = tiny_classifier(tmp_path)
    entailment, _, contradiction = direct(folder, TEXT[0], SENTENCES[0])
    scores = opened(f"selfcheck-nli:{folder}").flag(TEXT[0], SENTENCES[:1])
    assert scores == pytest.approx([contradiction / (contradiction + entailment)], abs=1e-5)


def test_selfcheck_against_samples_is_the_mean_over_them(tmp_path: Path) -> None:
    detector = opened(f"selfcheck-nli:{tiny_classifier(tmp_path)}")
    assert isinstance(detector, SelfCheckNli)
    one, other = (detector.flag(sample, SENTENCES) for sample in (TEXT[0], LONG))
    mean = [(first + second) / 2 for first, second in zip(one, other, strict=True)]
    assert detector.against_samples(SENTENCES, [TEXT[0], LONG]) == pytest.approx(mean, abs=1e-5)
    assert detector.against_samples([], [TEXT[0]]) == []
    with pytest.raises(DetectorError, match="none was given"):
        detector.against_samples(SENTENCES, [])


def test_a_model_that_reads_the_sentence_first_gets_it_first(tmp_path: Path) -> None:
    folder = tiny_classifier(tmp_path)
    classifier = PairClassifier(str(folder), device="cpu", batch_size=4, sentence_first=True)
    (found,) = classifier.probabilities([(TEXT[0], SENTENCES[0])])
    assert found[0] == pytest.approx(direct(folder, SENTENCES[0], TEXT[0]), abs=1e-5)
    (windows,) = classifier.probabilities([(LONG, SENTENCES[0])])
    assert windows.shape[0] > 2


# --- MiniCheck ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "supported"), [({0: "LABEL_0", 1: "LABEL_1"}, 1), ({0: "supported", 1: "unsupported"}, 0)]
)
def test_minicheck_reads_document_and_claim_as_one_text(tmp_path: Path, labels: dict[int, str], supported: int) -> None:
    folder = tiny_classifier(tmp_path, labels=labels)
    probability = direct(folder, f"{TEXT[0]}</s>{SENTENCES[0]}")[supported]
    assert opened(f"minicheck:{folder}").flag(TEXT[0], SENTENCES[:1]) == pytest.approx([1 - probability], abs=1e-5)


def test_minicheck_takes_the_best_chunk(tmp_path: Path) -> None:
    detector = opened(f"minicheck:{tiny_classifier(tmp_path, labels=SUPPORT)}")
    chunks = detector._variant.chunks(LONG)  # type: ignore[attr-defined]
    assert len(chunks) > 2
    best = min(detector.flag(chunk, SENTENCES[:1])[0] for chunk in chunks)
    assert detector.flag(LONG, SENTENCES[:1]) == pytest.approx([best], abs=1e-5)


def test_minicheck_t5_compares_the_first_tokens_of_its_answers(tmp_path: Path) -> None:
    folder = tiny_t5(tmp_path)
    tokenizer, network = AutoTokenizer.from_pretrained(folder), AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    inputs = tokenizer(f"predict: {TEXT[0]}</s>{SENTENCES[0]}", return_tensors="pt")
    answers = [tokenizer(word, add_special_tokens=False)["input_ids"][0] for word in "01"]
    with torch.inference_mode():
        logits = network(
            input_ids=inputs["input_ids"],
            attention_mask=inputs["attention_mask"],
            decoder_input_ids=torch.tensor([[0]]),
        ).logits[0, 0, answers]
    support = logits.softmax(-1)[1].item()
    assert opened(f"minicheck:{folder}").flag(TEXT[0], SENTENCES[:1]) == pytest.approx([1 - support], abs=1e-5)


# --- an encoder trained here ----------------------------------------------------------------------------


def test_an_encoder_finds_support_by_name_and_in_the_best_window(tmp_path: Path) -> None:
    folder = encoder(tmp_path, {0: "supported", 1: "unsupported"})
    probability = direct(folder, "The tower.", "No.")[0]
    detector = opened(f"encoder:{folder}")
    assert detector.flag("The tower.", ["No."]) == pytest.approx([1 - probability], abs=1e-5)
    classifier = PairClassifier(str(folder), device="cpu", batch_size=4, max_length=48, overlap=8)
    (windows,) = classifier.probabilities([(LONG, "No.")])
    assert detector.flag(LONG, ["No."]) == pytest.approx([1 - windows[:, 0].max()], abs=1e-5)


# --- what can't be opened -------------------------------------------------------------------------------


def test_pickled_weights_are_refused(tmp_path: Path) -> None:
    folder = tiny_classifier(tmp_path)
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    for kind in ("nli", "minicheck", "cognidet", "lettucedetect"):
        with pytest.raises(DetectorError, match="are pickled"):
            opened(f"{kind}:{folder}")


def test_a_model_whose_head_was_never_trained_is_refused(tmp_path: Path) -> None:
    tokenizer = tiny_tokenizer(tmp_path)
    config = BertConfig(vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=1, num_attention_heads=2)
    BertModel(config).save_pretrained(tmp_path)
    with pytest.raises(DetectorError, match=r"no weights for classifier\.bias.*random"):
        opened(f"nli:{tmp_path}")


def test_a_model_that_needs_code_of_its_own_is_refused_without_asking(tmp_path: Path) -> None:
    folder = tiny_classifier(tmp_path)
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "strange", "auto_map": {"AutoConfig": "configuration_strange.StrangeConfig"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "configuration_strange.py").write_text("raise SystemExit('run!')")
    with pytest.raises(DetectorError, match="can't be loaded"):
        opened(f"nli:{folder}")


@pytest.mark.parametrize("device", ["cuda", "mps", "abacus"])
def test_a_device_that_is_not_there_is_said(tmp_path: Path, device: str) -> None:
    with pytest.raises(DetectorError, match=f"{device}.*give auto, cpu, cuda or mps"):
        opened(f"nli:{tiny_classifier(tmp_path)}", device=device)


def test_a_damaged_file_is_one_sentence(tmp_path: Path) -> None:
    folder = tiny_classifier(tmp_path)
    (folder / "model.safetensors").write_bytes(b"\0" * 100)
    with pytest.raises(DetectorError, match="can't be loaded"):
        opened(f"nli:{folder}")


def test_a_folder_that_training_did_not_make_is_no_encoder(tmp_path: Path) -> None:
    with pytest.raises(DetectorError, match=r"voirdire\.json"):
        opened(f"encoder:{tiny_classifier(tmp_path)}")


def test_a_writer_is_no_minicheck(tmp_path: Path) -> None:
    with pytest.raises(DetectorError, match=r"no weights for score\.weight"):
        opened(f"minicheck:{tiny_causal(tmp_path)}")
