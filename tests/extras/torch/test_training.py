"""Real trainings, saved, opened again and used; the models are tiny and start from random weights."""

import json
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file

from tests.cli.here import voirdire, voirdire_json
from tests.detectors.training.examples import INVENTED, answer, answers
from tests.extras.torch.conftest import tiny_causal, tiny_classifier
from voirdire.cognibench.formats import write_jsonl
from voirdire.detectors import DetectorError, DetectorOptions, open_detector, passage_of
from voirdire.detectors.generative.cognidet import NONE, build_messages
from voirdire.detectors.training.chats import chat_of, plan_cognidet
from voirdire.detectors.training.encoder import train_encoder
from voirdire.detectors.training.generative import train_cognidet
from voirdire.detectors.training.records import CogniDetOptions, EncoderOptions

CLEAN = ("faithful", "faithful")
FILLER = "The harbour is old and its water is deep. "


def _texts(made):
    return [f"{each.context} {each.text}" for each in made]


@pytest.fixture
def encoder_base(tmp_path):
    return str(tiny_classifier(tmp_path / "base", positions=256, spread=0.02, texts=[*_texts(answers(40)), FILLER]))


@pytest.fixture
def chat_base(tmp_path):
    made = answers(12)
    return str(tiny_causal(tmp_path / "base", positions=2048, texts=[*_texts(made), NONE, str(made)], chat=True))


def _encoder_options(base, **other):
    settings = {"epochs": 6, "batch_size": 4, "lr": 2e-3, "max_length": 64, "stride": 16, "device": "cpu"}
    return EncoderOptions(base=base, **settings | other)


def _chat_options(base, **other):
    settings = {"epochs": 2, "lr": 3e-3, "max_length": 2048, "device": "cpu", "test_share": 0.2}
    return CogniDetOptions(base=base, **settings | other)


def test_an_encoder_learns_what_can_be_learnt_and_is_used_as_it_was_saved(tmp_path, encoder_base):
    steps = []
    trained = train_encoder(answers(30), tmp_path / "new", _encoder_options(encoder_base), steps.append)
    assert trained.losses[-1] < 0.5 * trained.losses[0]
    assert trained.figures["score"]["f1"] > 0.9
    assert steps[-1].what == "scoring" and [s.done for s in steps if s.what == "training"] == list(range(1, 73))

    detector = open_detector(f"encoder:{tmp_path / 'new'}")
    fresh = answer(35, ("invented", "faithful"))
    invented, faithful = detector.flag(fresh.context, [each.text for each in fresh.statements])
    assert detector.threshold == trained.threshold
    assert invented >= detector.threshold > faithful
    assert (tmp_path / "new" / "model.safetensors").is_file()
    assert "## Figures" in (tmp_path / "new" / "README.md").read_text()


def test_equal_seeds_give_equal_weights_and_leave_the_generator_alone(tmp_path, encoder_base):
    state = torch.random.get_rng_state()
    for name, seed in (("one", 1), ("again", 1), ("other", 2)):
        options = _encoder_options(encoder_base, epochs=1, seed=seed, test_share=0)
        train_encoder(answers(8), tmp_path / name, options, lambda step: None)
    one, again, other = (load_file(tmp_path / name / "model.safetensors") for name in ("one", "again", "other"))
    assert all(torch.equal(one[key], again[key]) for key in one)
    assert not all(torch.equal(one[key], other[key]) for key in one)
    assert torch.equal(state, torch.random.get_rng_state())


def test_with_folds_the_figures_are_of_all_answers_and_the_model_has_learnt_from_all(tmp_path, encoder_base):
    named = set()
    options = _encoder_options(encoder_base, epochs=2, folds=3)
    trained = train_encoder(answers(9), tmp_path / "new", options, lambda step: named.add(step.what))
    assert named == {"fold 1 of 3", "fold 2 of 3", "fold 3 of 3", "training", "scoring"}
    assert (trained.figures["n_statements"], trained.figures["n_groups"]) == (18, 9)
    assert trained.data["learnt_from"] == 18


def test_of_a_long_context_the_window_that_matches_is_learnt_from(tmp_path, encoder_base):
    """What tells the answers apart stands behind thirty sentences that are alike, out of the first window's reach."""
    made = [
        replace(
            answer(n, ("faithful" if n % 2 else "invented",), sentences=["The tower is tall."]),
            context=30 * FILLER + ("The tower is tall." if n % 2 else "Of the tower nothing is known."),
        )
        for n in range(40)
    ]
    options = _encoder_options(encoder_base, epochs=10, word_weights=True)
    trained = train_encoder(made, tmp_path / "new", options, lambda step: None)
    assert trained.losses[-1] < 0.5 * trained.losses[0]
    assert trained.figures["score"]["f1"] == 1


def test_a_base_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DetectorError, match="nowhere"):
        train_encoder(answers(8), tmp_path / "new", _encoder_options(str(tmp_path / "nowhere")), lambda step: None)


def test_a_chat_ends_in_the_sentences_that_are_hallucinated():
    made = answer(3, ("faithful", "invented", "speculative"))
    chat = chat_of(made, CogniDetOptions(require="rational"))
    assert chat["prompt"] == build_messages(passage_of(made))
    assert chat["completion"] == [{"role": "assistant", "content": f'Hallucination 1: "{INVENTED.format(n=3)}"'}]
    assert chat_of(answer(1, CLEAN), CogniDetOptions())["completion"][0]["content"] == NONE


def test_the_plan_counts_what_is_left_out_and_what_learns(chat_base):
    made = [*answers(10), answer(20, CLEAN), answer(21, (None, "faithful"))]
    plan = plan_cognidet(made, _chat_options(chat_base, test_share=0, gradient_accumulation=2))
    assert (plan.examples, plan.clean, plan.incomplete, plan.too_long, plan.held_out) == (11, 1, 1, 0, 0)
    assert plan.steps == 2 * 3
    assert 0 < plan.trainable < plan.parameters
    assert plan_cognidet(made, _chat_options(chat_base, method="full")).trainable == plan.parameters
    tight = plan_cognidet(made, _chat_options(chat_base, test_share=0, max_length=plan.longest - 1))
    assert tight.too_long >= 1 and tight.examples == plan.examples - tight.too_long
    with pytest.raises(DetectorError, match="larger --max-length"):
        plan_cognidet(made, _chat_options(chat_base, max_length=16))


def test_a_model_without_a_chat_template_is_refused(tmp_path):
    base = tiny_causal(tmp_path / "plain", chat=False)
    with pytest.raises(DetectorError, match="no chat template"):
        plan_cognidet(answers(4), _chat_options(str(base)))


def test_all_weights_learn_a_reply_that_is_then_read(tmp_path, chat_base):
    """Answers without hallucinations have one reply: a model that writes it has learnt the chat's form and its end."""
    made = [answer(n, CLEAN) for n in range(12)]
    options = _chat_options(chat_base, method="full", epochs=12, lr=1e-2)
    trained = train_cognidet(made, tmp_path / "new", options, lambda step: None)
    assert trained.losses[-1] < 0.2 * trained.losses[0]
    detector = open_detector(f"cognidet:{tmp_path / 'new'}", DetectorOptions(device="cpu"))
    assert detector.flag_many([passage_of(each) for each in made]) == [[0.0, 0.0]] * len(made)
    assert not list((tmp_path / "new").glob("*.bin"))


def test_an_adapter_and_its_merged_weights_write_the_same(tmp_path, chat_base):
    made = answers(10)
    for name, merge in (("adapter", False), ("merged", True)):
        options = _chat_options(chat_base, merge=merge, lr=2e-2)
        trained = train_cognidet(made, tmp_path / name, options, lambda step: None)
        assert trained.losses[-1] < trained.losses[0]
        assert trained.figures["n_statements"] == 4 and trained.data["learnt_from"] == 16
    assert (tmp_path / "adapter" / "adapter_model.safetensors").is_file()
    assert (tmp_path / "merged" / "model.safetensors").is_file()
    assert json.loads((tmp_path / "merged" / "voirdire.json").read_text())["merged"] is True

    shown = made[0].context, [each.text for each in made[0].statements]
    said = []
    for name in (tmp_path / "adapter", tmp_path / "merged", chat_base):
        detector = open_detector(f"cognidet:{name}", DetectorOptions(device="cpu"))
        detector.flag(*shown)
        said.append(detector.faults)
    assert said[0] == said[1] != said[2]


@pytest.mark.parametrize(
    ("asked", "says"), [({"device": "cuda:1"}, "CUDA_VISIBLE_DEVICES"), ({"method": "full", "merge": True}, "--merge")]
)
def test_what_can_not_be_done_is_said_before_anything_is_loaded(tmp_path, asked, says):
    with pytest.raises(DetectorError, match=says):
        train_cognidet(answers(4), tmp_path / "new", _chat_options("nowhere", **asked), lambda step: None)
    assert not (tmp_path / "new").exists()


def test_the_command_says_what_it_will_do_does_it_and_says_what_came_of_it(tmp_path, encoder_base):
    data = tmp_path / "labelled.jsonl"
    write_jsonl(answers(10), data)
    asked = ["--data", data, "--base", encoder_base, "-o", tmp_path / "new", "--epochs", "1", "--batch-size", "4"]
    done = voirdire(
        "detectors", "train", "encoder", *asked, "--max-length", "64", "--device", "cpu", "--test-share", "0.4"
    )
    assert "20 pairs of context and sentence, 10 of them unsupported" in done.stderr
    assert "training: 3 of 3" in done.stderr
    said = " ".join(done.stdout.split())
    assert "flagging all of them" in said and "can be named wherever a detector is" in said
    again = voirdire("detectors", "train", "encoder", *asked, check=False)
    assert again.returncode == 1 and "already exists" in again.stderr


def test_the_command_plans_a_cognidet_without_training_it(tmp_path, chat_base):
    data = tmp_path / "labelled.jsonl"
    write_jsonl(answers(10), data)
    asked = ["detectors", "train", "cognidet", "--data", data, "--base", chat_base, "-o", tmp_path / "new", "--dry-run"]
    plan = voirdire_json(*asked, "--max-length", "2048")
    assert (plan["examples"], plan["held_out"], plan["steps"]) == (9, 1, 15)
    said = " ".join(voirdire(*asked, "--method", "full").stdout.split())
    assert "all of them learn" in said and "GB of memory" in said
    assert not (tmp_path / "new").exists()
