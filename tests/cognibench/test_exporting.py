import json
import tempfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from voirdire.cognibench.exporting import AnswersExportPlan, export_answers, split_by_group
from voirdire.cognibench.formats import DataWarning, Problem, read_answers, read_released, write_jsonl
from voirdire.cognibench.formats.released import write_released
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.generative.cognidet import parse_reply
from voirdire.detectors.records import LABELS, Answer, Exchange, Statement
from voirdire.text.sentences import split_sentences


def answer(number, labels=("faithful", "speculative"), *, group=None, text="It is so. It may be."):
    statements = tuple(
        Statement(*sentence, label) for sentence, label in zip(split_sentences(text), labels, strict=True)
    )
    return Answer(
        id=f"a{number}",
        dialogue=f"d{number}",
        group=group or f"g{number}",
        context=f"Context {number}.",
        question="Is it?",
        text=text,
        statements=statements,
        history=(Exchange("Before?", "Yes."),),
        turn=1,
        topic="t",
        model="m",
    )


@pytest.fixture
def source(tmp_path):
    answers = [answer(number, group=f"g{number // 2}") for number in range(20)]
    answers.append(answer(20, (None, None)))
    write_jsonl(answers, tmp_path / "labelled.jsonl")
    return tmp_path / "labelled.jsonl"


def run(source, target, name, **fields):
    out = source.parent / name
    return out, export_answers(AnswersExportPlan(source=source, target=target, out=out, **fields))


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_chats_hold_what_the_detector_is_shown_and_the_sentences_it_has_to_list(source):
    out, done = run(source, "sft", "chats.jsonl")
    chats = lines(out)
    assert len(chats) == 20
    *shown, reply = chats[0]["messages"]
    assert reply["role"] == "assistant"
    assert parse_reply(reply["content"]) == ["It may be."]
    said = "\n".join(message["content"] for message in shown)
    assert all(part in said for part in ("Context 0.", "Before?", "Is it?", "It is so. It may be."))
    assert any("a20: left out, as not every statement is labelled" in note for note in done.notes)


def test_a_stricter_requirement_changes_what_has_to_be_listed(source):
    out, _ = run(source, "sft", "chats.jsonl", require="rational")
    assert parse_reply(lines(out)[0]["messages"][-1]["content"]) == []


def test_groups_stay_together_in_every_split(source):
    out, done = run(source, "sft", "chats", split=0.7, seed=3)
    train, test = ({line["group"] for line in lines(out / f"{name}.jsonl")} for name in ("train", "test"))
    assert (len(train), len(test), train & test) == (7, 3, set())
    assert done.manifest["answers"] == {"train": 14, "test": 6}


def test_a_split_is_drawn_by_its_seed_whatever_the_order():
    def train(answers, seed):
        return {each.id for each in split_by_group(answers, 0.5, seed)["train"]}

    answers = [answer(number) for number in range(30)]
    assert train(answers, 1) == train(answers[::-1], 1)
    assert train(answers, 1) != train(answers, 2)


def test_a_manifest_says_what_was_exported_from_what(source):
    _, done = run(source, "jsonl", "out.jsonl")
    manifest = json.loads((source.parent / "out.jsonl.manifest.json").read_text(encoding="utf-8"))
    assert manifest == done.manifest
    assert manifest["sha256"] == {"labelled.jsonl": sha256(source.read_bytes()).hexdigest()}
    assert manifest["made_by"].startswith("voirdire ")
    assert (manifest["labels"], manifest["unlabelled"]) == ({"faithful": 20, "speculative": 20}, 2)
    assert str(source.parent) not in json.dumps(manifest)


def test_json_lines_come_back_as_they_were(source):
    out, _ = run(source, "jsonl", "out.jsonl")
    assert read_answers(out) == read_answers(source)


def test_the_authors_layout_comes_back_as_it_was(source):
    out, done = run(source, "released", "released")
    assert read_answers(out) == read_answers(source)
    assert not done.notes


def test_a_hub_folder_holds_parquet_and_a_card_that_points_at_it(source):
    out, _ = run(source, "huggingface", "hub", split=0.5)
    _, head, body = (out / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    (config,) = yaml.safe_load(head)["configs"]
    for part in config["data_files"]:
        (file,) = out.glob(part["path"])
        table = pd.read_parquet(file)
        assert list(table["statements"].iloc[0][1]) == ["text", "start", "end", "label", "human_label"]
        assert set(table["group"]) <= {f"g{number}" for number in range(21)}
    assert {part["split"] for part in config["data_files"]} == {"train", "test"}
    assert sha256(source.read_bytes()).hexdigest() in body
    assert "| speculative | 20 |" in body


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"target": "csv"}, "There is no target 'csv'; there are sft, released, huggingface, jsonl."),
        ({"split": 1.0}, "A split of 1 of 11 groups leaves a part empty: choose another."),
        ({"out": "labelled.jsonl"}, "labelled.jsonl already exists: choose another place to export to."),
    ],
)
def test_what_cannot_be_exported_is_said_in_one_sentence(source, fields, sentence):
    plan = AnswersExportPlan(source=source, target="jsonl", out=source.parent / "out.jsonl")
    out = source.parent / fields.pop("out", "out.jsonl")
    with pytest.raises(CognibenchError) as error:
        export_answers(replace(plan, out=out, **fields))
    assert str(error.value).endswith(sentence)


def test_chats_need_labels(tmp_path):
    write_jsonl([answer(1, (None, None))], tmp_path / "bare.jsonl")
    with pytest.raises(CognibenchError, match="no answer of which every statement is labelled"):
        run(tmp_path / "bare.jsonl", "sft", "chats.jsonl")


SENTENCES = ["It is so.", "It is not.", "Is it?", 'Maybe it "is".', "1. It was so.", "It’s 3.5 m long!"]


@given(
    st.lists(st.tuples(st.sampled_from(SENTENCES), st.sampled_from(LABELS)), min_size=1, unique_by=lambda each: each[0])
)
def test_any_labels_survive_the_authors_layout(said):
    text = " ".join(sentence for sentence, _ in said)
    cut = split_sentences(text)
    labelled = answer(1, [label for _, label in said][: len(cut)], text=text)
    with tempfile.TemporaryDirectory() as folder:
        problems: list[Problem] = []
        write_released([labelled], Path(folder), problems.append)
        assert read_released(Path(folder), problems.append) == [labelled]
        assert not problems


def test_what_the_authors_layout_cannot_hold_is_told(tmp_path):
    problems = []
    twice = answer(1, ("faithful", "invented"), text="It is so. It is so.")
    marked = answer(2, text="It is <user> so. It may be.")
    clipped = replace(answer(3), turn=5)
    write_released([twice, marked, clipped], tmp_path, problems.append)
    assert [(each.answer, each.says) for each in problems] == [
        ("a2", "left out, as it holds <user> or <assistant>"),
        ("a1", "read back, its labels differ"),
        ("a3", "read back, it is turn 1, not 5"),
    ]


def by_model(number):
    given = answer(number)
    human = ("invented", None)
    statements = tuple(replace(each, human_label=label) for each, label in zip(given.statements, human, strict=True))
    return replace(given, statements=statements, labelled_by_model="openai/gpt")


@pytest.mark.parametrize("target", ["jsonl", "huggingface", "released"])
def test_labels_of_a_model_are_exported_with_its_name_and_the_labels_of_people(tmp_path, target):
    write_jsonl([by_model(1), answer(2)], tmp_path / "labelled.jsonl")
    out, done = run(tmp_path / "labelled.jsonl", target, "out")
    with pytest.warns(DataWarning, match=r"1 of 2 labelled answers come from a model \(openai/gpt\), not from people"):
        back = read_answers(out)
    assert back == [by_model(1), answer(2)]
    assert done.manifest["labelled_by_model"] == ["openai/gpt"]
    assert done.notes == (
        "The labels of 1 answer were given by a model (openai/gpt), and no person checked them (column "
        "labelled_by_model).",
        "People had labelled 1 of these statements: human_label keeps their labels, of which 1 differ.",
    )


def test_the_card_says_whether_a_model_labelled(tmp_path, source):
    write_jsonl([by_model(1)], tmp_path / "judged.jsonl")
    out, _ = run(tmp_path / "judged.jsonl", "huggingface", "out")
    assert "were given by a model (`openai/gpt`), and no person checked them" in (out / "README.md").read_text()
    plain, _ = run(source, "huggingface", "plain")
    assert "The data name no model as labeller." in (plain / "README.md").read_text()


def test_chats_made_of_a_models_labels_name_it(tmp_path):
    write_jsonl([by_model(1)], tmp_path / "labelled.jsonl")
    out, _ = run(tmp_path / "labelled.jsonl", "sft", "chats.jsonl")
    assert lines(out)[0]["labelled_by_model"] == "openai/gpt"
