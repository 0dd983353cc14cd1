"""Models that write, opened by name: tiny ones, some of them taught to say one thing by heart."""

from __future__ import annotations

from math import isnan
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from tests.extras.torch.conftest import TEXT, tiny_causal, tiny_classifier
from voirdire.detectors import DetectorError, DetectorOptions, Exchange, Passage, open_detector
from voirdire.detectors.generative import cognidet, fava, ragtruth
from voirdire.detectors.generative._detector import Chat, GenerativeDetector, WritingTask, chat
from voirdire.detectors.generative._transformers import LocalWriter

SENTENCES = ("It is 161 metres high.", "Nobody likes it.", "It fell down in 1900.")
PASSAGES = [
    Passage(TEXT[0], SENTENCES, (Exchange("How high is it?", " ".join(SENTENCES)),)),
    Passage(TEXT[1], ("It is loved.",), (Exchange("And?", "It is loved."),)),
]
STYLES = {"cognidet": cognidet.STYLE, "ragtruth": ragtruth.STYLE, "fava": fava.STYLE}
REPLIES = {
    "cognidet": [cognidet.format_reply([SENTENCES[2], SENTENCES[1]]), cognidet.NONE],
    "ragtruth": ['{"hallucination list": ["Nobody", "1900"]}', '{"hallucination list": []}'],
    "fava": [
        f"{SENTENCES[0]} <entity><mark>Everyone</mark><delete>Nobody</delete></entity> likes it. "
        f"<invented>{SENTENCES[2]}</invented>",
        "It is loved.",
    ],
}


def opened(name: str, **options: object) -> GenerativeDetector:
    detector = open_detector(name, DetectorOptions(**{"device": "cpu", **options}))  # type: ignore[arg-type]
    assert isinstance(detector, GenerativeDetector)
    return detector


def taught(folder: Path, prompts: list[str], replies: list[str]) -> Path:
    """A tiny model that answers these prompts (as the tokenizer's template renders them) with these replies."""
    tiny_causal(folder, texts=[*prompts, *replies, *TEXT], spread=0.02)
    tokenizer, network = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    rows = []
    for prompt, reply in zip(prompts, replies, strict=True):
        before = tokenizer(prompt, add_special_tokens=False)["input_ids"]
        after = [*tokenizer(reply, add_special_tokens=False)["input_ids"], tokenizer.eos_token_id]
        rows.append((torch.tensor([before + after]), torch.tensor([[-100] * len(before) + after])))
    optimizer = torch.optim.AdamW(network.parameters(), lr=5e-3)
    for _ in range(150):
        loss = sum(network(input_ids=tokens, labels=labels).loss for tokens, labels in rows)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    network.save_pretrained(folder)
    return folder


def rendered(messages: Chat) -> str:
    """As the tiny models' template has it."""
    return "".join(f"<{each['role']}>{each['content']}</s>" for each in messages) + "<assistant>"


@pytest.mark.parametrize("kind", ["cognidet", "ragtruth", "fava"])
def test_what_the_model_writes_becomes_scores(kind: str, tmp_path: Path) -> None:
    style = STYLES[kind]
    prompts = [rendered(chat(style.prompt, style.values(passage))) for passage in PASSAGES]
    folder = taught(tmp_path, prompts, REPLIES[kind])
    for batch_size in (1, 4):
        detector = opened(f"{kind}:{folder}", batch_size=batch_size)
        assert detector.flag_many(PASSAGES) == [[0, 1, 1], [0]]
        assert (detector.unplaced, detector.faults) == ((), ())
    assert detector.name == f"{kind}:{folder}"
    assert detector.flag(*PASSAGES[0]) == [0, 1, 1]


def test_noise_is_no_clearance(tmp_path: Path) -> None:
    detector = opened(f"cognidet:{tiny_causal(tmp_path)}")
    scores = detector.flag_many(PASSAGES)
    assert [len(each) for each in scores] == [3, 1]
    assert all(isnan(score) for each in scores for score in each)
    assert len(detector.faults) == 2


@pytest.mark.parametrize("chat", [True, False])
def test_greedy_replies_do_not_depend_on_the_batch(tmp_path: Path, chat: bool) -> None:
    folder = str(tiny_causal(tmp_path, chat=chat))
    tasks = [
        WritingTask([{"role": "user", "content": text}], limit) for text, limit in zip(TEXT, (8, 40, 24), strict=True)
    ]
    one, all_at_once = (LocalWriter(folder, DetectorOptions("cpu", size)).write(tasks) for size in (1, 3))
    assert one == all_at_once
    assert len({each.text for each in one}) == 3


def test_without_a_chat_template_the_messages_follow_one_another(tmp_path: Path) -> None:
    writer = LocalWriter(str(tiny_causal(tmp_path, chat=False)), DetectorOptions("cpu"))
    tokens = writer._tokens([{"role": "system", "content": "One."}, {"role": "user", "content": "Two."}])
    assert AutoTokenizer.from_pretrained(tmp_path).decode(tokens) == "One.\n\nTwo.\n"


def test_a_reply_ends_at_its_limit_or_at_an_end_token(tmp_path: Path) -> None:
    writer = LocalWriter(str(tiny_causal(tmp_path)), DetectorOptions("cpu"))
    (cut,) = writer.write([WritingTask([{"role": "user", "content": TEXT[1]}], 16)])
    assert not cut.complete
    folder = taught(tmp_path / "taught", [rendered([{"role": "user", "content": "Hi."}])], ["yes, no"])
    (whole,) = LocalWriter(str(folder), DetectorOptions("cpu")).write(
        [WritingTask([{"role": "user", "content": "Hi."}], 40)]
    )
    assert (whole.text, whole.complete) == ("yes, no", True)


def test_an_answer_that_the_model_has_no_room_for_is_unscored(tmp_path: Path) -> None:
    detector = opened(f"ragtruth:{tiny_causal(tmp_path, positions=900)}")
    long = PASSAGES[0]._replace(context=" ".join(TEXT) * 40)
    scores = detector.flag_many([long, PASSAGES[1]])
    assert all(map(isnan, scores[0]))
    assert "has room for 900" in detector.faults[0]
    with pytest.raises(DetectorError, match="judged nothing: an answer with its context takes"):
        detector.flag_many([long])


def test_a_model_of_its_own_words_is_asked_in_them(tmp_path: Path) -> None:
    words = "[INST] $context $answer [/INST]"
    prompts = [
        words.replace("$context", each.context).replace("$answer", each.dialogue[-1].assistant) for each in PASSAGES
    ]
    folder = taught(tmp_path, prompts, REPLIES["ragtruth"])
    (folder / "prompt.txt").write_text(words)
    assert opened(f"ragtruth:{folder}").flag_many(PASSAGES) == [[0, 1, 1], [0]]


def test_a_classifier_can_not_write(tmp_path: Path) -> None:
    with pytest.raises(DetectorError):
        opened(f"cognidet:{tiny_classifier(tmp_path)}")
