import json

import pytest

from tests.cognibench.made_half import half, write_half
from voirdire.cognibench.formats import read_data, read_released, summarise_problems
from voirdire.cognibench.formats.released import write_released
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors import Answer, Statement
from voirdire.text.sentences import cut_answer

TEXT = "Paris is in France. It is lovely. It is lovely. Maybe it rains."


def entry(name="7_en_1", text=TEXT, **fields):
    said = "<user> first? \n\n<assistant> One. \n\n"
    return {
        "id": name,
        "dialogue": f"\n\n{said}<user> And Paris? \n\n<assistant> {text}",
        "current_turn": f"<user> And Paris? \n\n<assistant> {text}",
        "turn_index": 1,
        "reference": "Paris is in France.",
        "topic": "places",
        **fields,
    }


def labels(given, **lists):
    empty = {name: [] for name in ("misleading_list", "speculative_list", "faithfulness_list", "factual_hallu_list")}
    return {**empty, "sentence_label_dict": {text: [label, "0"] for text, label in given.items()}, **lists}


def write(folder, entries, given):
    (folder / "dialogues.json").write_text(json.dumps(entries), encoding="utf-8")
    (folder / "labels.json").write_text(json.dumps(given), encoding="utf-8")
    return folder


def read_one(folder, given, **fields):
    problems = []
    (answer,) = read_released(write(folder, [entry(**fields)], {"7_en_1": given}), problems.append)
    return answer, problems


def test_answers_written_in_the_released_layout_are_cut_as_they_were_labelled(tmp_path):
    answers, problems = read_data(write_half(tmp_path))
    statements = [each for answer in answers for each in answer.statements]
    assert (len(answers), len(statements), problems) == (24, 113, ())
    assert all(answer.text[each.start : each.end] == each.text for answer in answers for each in answer.statements)
    labelled = [each for answer in half() for each in answer.statements]
    assert [each.label for each in statements] == [each.label for each in labelled]


def test_an_entry_becomes_an_answer_with_its_history_and_group(tmp_path):
    answer, _ = read_one(tmp_path, labels({}))
    assert (answer.dialogue, answer.group, answer.turn, answer.topic) == ("7_en", "7", 1, "places")
    assert answer.history == (("first?", "One."),)
    assert (answer.question, answer.text, answer.context) == ("And Paris?", TEXT, "Paris is in France.")


def test_the_rungs_are_read_from_the_dict_and_equal_sentences_share_their_label(tmp_path):
    given = {
        "paris is in france.": ["faithful"],
        "it is lovely.": ["rational", "grounded"],
        "maybe it rains.": ["rational"],
    }
    answer, _ = read_one(tmp_path, labels(given))
    assert [each.label for each in answer.statements] == ["faithful", "reliable", "reliable", "speculative"]


def test_an_empty_label_is_misleading_if_the_list_says_so_and_else_irrelevant(tmp_path):
    given = {"paris is in france.": [], "it is lovely.": [], "maybe it rains.": ["rational", "grounded", "unequivocal"]}
    answer, _ = read_one(tmp_path, labels(given, misleading_list=["It is lovely."]))
    assert [each.label for each in answer.statements] == ["irrelevant", "misleading", "misleading", "irrefutable"]


def test_the_dict_wins_over_the_lists_and_disagreement_is_told(tmp_path):
    given = {"paris is in france.": ["faithful"], "it is lovely.": ["invented"], "maybe it rains.": ["rational"]}
    lists = {
        "faithfulness_list": ["Paris is in france."],
        "speculative_list": ["It is lovely.", "It is lovely.", "Maybe it rains."],
    }
    answer, problems = read_one(tmp_path, labels(given, **lists))
    assert [each.label for each in answer.statements] == ["faithful", "invented", "invented", "speculative"]
    assert [(each.kind, each.says) for each in problems] == [("lists disagree", "on 2 of 4 sentences")]


def test_labels_of_edited_and_merged_sentences_are_placed_and_foreign_ones_are_told(tmp_path):
    given = {
        "paris is in france": ["faithful"],
        "it is lovely. it is lovely. maybe": ["rational"],
        "berlin is the capital of germany.": ["invented"],
    }
    answer, problems = read_one(tmp_path, labels(given))
    assert [each.label for each in answer.statements] == ["faithful", "speculative", "speculative", "speculative"]
    assert '"berlin is the capital of germany." (invented)' in summarise_problems(problems)[0]


def test_a_sentence_without_a_label_and_labels_without_an_answer_are_told(tmp_path):
    folder = write(tmp_path, [entry()], {"7_en_1": labels({"paris is in france.": ["faithful"]}), "8_en_0": {}})
    problems = []
    read_released(folder, problems.append)
    assert [each.says for each in problems if each.kind == "no label"] == ["sentence 2, 3, 4"]
    assert [each.answer for each in problems if each.kind == "unplaced"] == ["8_en_0"]


def test_dialogues_without_labels_are_read(tmp_path):
    (tmp_path / "dialogues.json").write_text(json.dumps([entry()]), encoding="utf-8")
    (answer,) = read_released(tmp_path)
    assert not answer.labelled


@pytest.mark.parametrize(
    ("dialogues", "sentence"),
    [
        ("[{", "dialogues.json holds no JSON"),
        ("{}", "dialogues.json holds a dict; a list of entries is expected."),
        ('[{"id": "7_en_1"}]', "entry 1 of dialogues.json, or its labels, has no 'current_turn'."),
        (json.dumps([entry(current_turn="no marks")]), "current_turn must hold one <user> and one <assistant> part."),
        (json.dumps([entry(turn_index="x")]), "entry 1 of dialogues.json, or its labels, can't be read"),
        ("[3]", "entry 1 of dialogues.json, or its labels, can't be read"),
    ],
)
def test_broken_files_are_named_in_one_sentence(tmp_path, dialogues, sentence):
    (tmp_path / "dialogues.json").write_text(dialogues, encoding="utf-8")
    with pytest.raises(CognibenchError) as error:
        read_released(tmp_path)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_labels_without_the_dict_are_named(tmp_path):
    with pytest.raises(CognibenchError, match="has no 'sentence_label_dict'"):
        read_released(write(tmp_path, [entry()], {"7_en_1": {"hallu_list": []}}))


@pytest.mark.parametrize("given", [{"two:\n- it is lovely. - it rains.": ["faithful"]}, None], ids=["labelled", "not"])
def test_the_release_is_cut_as_its_authors_cut_it_also_where_it_is_markdown(tmp_path, given):
    (tmp_path / "dialogues.json").write_text(json.dumps([entry(text="Two:\n- It is lovely.\n- It rains.")]))
    (tmp_path / "labels.json").write_text(json.dumps({"7_en_1": labels(given)} if given else {}))
    (answer,) = read_released(tmp_path)
    assert [each.text for each in answer.statements] == ["Two:\n- It is lovely.", "- It rains."]


TABLE = "\n| Plan | Price |\n|---|---|\n| Basic | 9 euros |\n| Team | 39 euros |\n\n- It has chat.\n- It has 5 TB."


@pytest.mark.parametrize("labelled", [True, False])
def test_a_table_and_a_list_are_read_back_cut_and_labelled_as_they_were(tmp_path, labelled):
    cut = [*cut_answer(TABLE)]
    given = ["irrelevant", "faithful", "invented", "faithful", "invented"]
    statements = tuple(
        Statement(*sentence, label if labelled else None) for sentence, label in zip(cut, given, strict=True)
    )
    answer = Answer(
        id="p_0", dialogue="p", group="p", context="Plans.", question="Which?", text=TABLE, statements=statements
    )
    told = []
    write_released([answer], tmp_path, told.append)
    (back,) = read_released(tmp_path, told.append)

    assert told == []
    assert [(each.text, each.label) for each in back.statements] == [(each.text, each.label) for each in statements]
    assert [back.is_header(each) for each in back.statements] == [True, False, False, False, False]


def test_offsets_that_do_not_lie_in_the_answer_are_named(tmp_path):
    with pytest.raises(CognibenchError, match="start and end must lie in the answer"):
        read_released(write(tmp_path, [entry(statements=[{"start": 3, "end": 999}])], {}))
