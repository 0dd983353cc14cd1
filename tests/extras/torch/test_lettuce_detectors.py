"""LettuceDetect through its own package, on a tiny random model."""

from __future__ import annotations

from pathlib import Path

import pytest
from lettucedetect.models.inference import HallucinationDetector

from tests.extras.torch.conftest import TEXT, tiny_token_classifier
from voirdire.detectors import DetectorError, DetectorOptions, Exchange, Passage, open_detector

SENTENCES = ("It is 161 metres high.", "Nobody likes it.", "It fell down in 1900, says everyone who has seen it.")
ANSWER = "It is 161 metres high.\nNobody likes it. It fell down in 1900, says everyone who has seen it."
DIALOGUE = (Exchange("How high is it?", ANSWER),)


def own_spans(folder: Path, context: list[str]) -> list[dict[str, float]]:
    detector = HallucinationDetector(method="transformer", model_path=str(folder), device="cpu", max_length=1024)
    return detector.predict(context=context, question="How high is it?", answer=ANSWER, output_format="spans")


def test_spans_of_the_package_become_scores_of_sentences(tmp_path: Path) -> None:
    folder = tiny_token_classifier(tmp_path, positions=1024)
    detector = open_detector(f"lettucedetect:{folder}", DetectorOptions(device="cpu"))
    scores = detector.flag(TEXT[0], SENTENCES, DIALOGUE)
    spans = own_spans(folder, [TEXT[0]])
    assert spans
    for sentence, score in zip(SENTENCES, scores, strict=True):
        start = ANSWER.index(sentence)
        touching = [s["confidence"] for s in spans if s["start"] < start + len(sentence) and start < s["end"]]
        assert score == max(touching, default=0)
    assert detector.flag_many([Passage(TEXT[0], SENTENCES, DIALOGUE), Passage("", ())]) == [scores, []]


def test_a_long_context_is_read_to_its_end(tmp_path: Path) -> None:
    folder = tiny_token_classifier(tmp_path, positions=1024)
    detector = open_detector(f"lettucedetect:{folder}", DetectorOptions(device="cpu"))
    start = " ".join([TEXT[0]] * 60)
    one, other = (detector.flag(f"{start} {last}", SENTENCES, DIALOGUE) for last in (TEXT[1], TEXT[2]))
    assert one != other


def test_a_model_of_another_kind_is_one_sentence(tmp_path: Path) -> None:
    folder = tiny_token_classifier(tmp_path)
    (folder / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(DetectorError, match=r"LettuceDetect.*can't be loaded"):
        open_detector(f"lettucedetect:{folder}", DetectorOptions(device="cpu"))
