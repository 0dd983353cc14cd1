import json
from dataclasses import replace
from math import nan

import pytest

from voirdire.cognibench.detection import COMPARED, Count, detect
from voirdire.cognibench.detection_report import counts_document
from voirdire.cognibench.detection_writer import open_writer
from voirdire.cognibench.detector_accuracy.benchmark import bench
from voirdire.cognibench.detector_accuracy.records import BenchSettings
from voirdire.cognibench.formats import read_answers
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.base import OneByOne, open_detector
from voirdire.detectors.calibration import calibrate, score_answers
from voirdire.detectors.records import Answer, Exchange, Statement
from voirdire.reports.formats.terminal import to_terminal
from voirdire.text.sentences import split_sentences


def answer(name, text, **fields):
    statements = tuple(Statement(*each) for each in split_sentences(text))
    return Answer(
        id=name, dialogue=name, group=name, context="c", question="q?", text=text, statements=statements, **fields
    )


class ByWord(OneByOne):
    """Scores by the first word: a number, or "none" where it can't say."""

    name = "by-word"
    threshold = 0.5

    def __init__(self):
        self.seen = []

    def flag(self, context, sentences, dialogue=()):
        self.seen.append((context, tuple(dialogue)))
        return [nan if each.startswith("None") else float(each.split()[0]) for each in sentences]


class Explaining(ByWord):
    def reasons(self, context, sentences, dialogue=()):
        return [[f"said: {each}"] for each in sentences]


class Always(OneByOne):
    """Scores everything 1."""

    name = "always"
    threshold = 0.5

    def flag(self, context, sentences, dialogue=()):
        return [1.0 for _ in sentences]


def test_what_reaches_the_threshold_is_flagged_and_what_cannot_be_scored_is_not():
    (found,) = detect([answer("a", "0.5 yes. 0.4 no. None says. 0.9 yes.")], ByWord())
    assert [each.flagged for each in found.findings] == [True, False, False, True]
    assert [each.score for each in found.findings] == [0.5, 0.4, None, 0.9]
    (found,) = detect([answer("a", "0.5 yes. 0.4 no. None says. 0.9 yes.")], ByWord(), threshold=0.8)
    assert [each.flagged for each in found.findings] == [False, False, False, True]


def test_lines_are_strict_json_with_offsets_into_the_answer():
    text = "0.9 is so. None says."
    (found,) = detect([answer("a", text, turn=2)], Explaining())
    first, second = [json.loads(json.dumps(line, allow_nan=False)) for line in found.lines()]
    assert first == {
        "id": "a",
        "turn": 2,
        "sentence": "0.9 is so.",
        "start": 0,
        "end": 10,
        "score": 0.9,
        "flagged": True,
        "small_talk": False,
        "other_script": False,
        "header_row": False,
        "no_context": False,
        "cut": False,
        "reasons": ["said: 0.9 is so."],
    }
    assert (second["score"], second["flagged"], second["reasons"]) == (None, False, [])
    assert text[second["start"] : second["end"]] == second["sentence"]
    whole = found.as_dict()
    assert (whole["id"], whole["turn"], whole["flagged"]) == ("a", 2, 1)
    assert whole["statements"][0]["sentence"] == "0.9 is so."


def test_answers_are_taken_a_chunk_at_a_time_and_come_out_in_their_order():
    taken = []

    def many():
        for number in range(10):
            taken.append(number)
            yield answer(str(number), f"0.{number} is.")

    found = detect(many(), ByWord(), chunk=3)
    assert next(found).answer.id == "0"
    assert taken == [0, 1, 2]
    assert [each.answer.id for each in found] == [str(number) for number in range(1, 10)]


def test_earlier_turns_count_as_evidence_if_asked_and_are_always_shown():
    asked = answer("a", "0.1 is.", history=(Exchange("first?", "One."),))
    for history, context in (("none", "c"), ("user", "c\n\nfirst?"), ("all", "c\n\nfirst?\n\nOne.")):
        detector = ByWord()
        list(detect([asked], detector, history=history))
        assert detector.seen == [(context, (Exchange("first?", "One."), Exchange("q?", "0.1 is.")))]


def test_everything_is_counted():
    count = Count()
    texts = ["0.9 a. 0.8 b. 0.1 c.", "None a.", "", "0.2 a."]
    for each in detect([answer(str(place), text) for place, text in enumerate(texts)], ByWord()):
        count.add(each)
    assert count == Count(answers=4, statements=5, flagged=2, answers_flagged=1, unscored=1, empty=1)


@pytest.mark.parametrize("name", ["notes.jsonl", "notes.ndjson", "notes.parquet"])
def test_a_file_of_somebody_else_is_never_written_over_and_an_own_one_is(tmp_path, name):
    source, target = tmp_path / "in.jsonl", tmp_path / name
    target.write_text('{"id": "mine"}\n', encoding="utf-8")
    with pytest.raises(CognibenchError, match="holds something other than scores"), open_writer(target, source):
        pass
    assert target.read_text(encoding="utf-8") == '{"id": "mine"}\n'
    target.unlink()
    (found,) = detect([answer("a", "0.9 ä. 0.1 b.")], ByWord())
    for _ in range(2):
        with open_writer(target, source) as write:
            write(found)
    target.write_bytes(b"")
    with open_writer(target, source) as write:
        write(found)
    assert target.stat().st_size


@pytest.mark.parametrize("name", ["scores.jsonl", "scores.parquet"])
def test_no_part_of_a_file_is_left_where_the_work_ends_early(tmp_path, name):
    (found,) = detect([answer("a", "0.9 ä. 0.1 b.")], ByWord())
    with pytest.raises(ValueError, match="broken"), open_writer(tmp_path / name, tmp_path / "in.jsonl") as write:
        write(found)
        raise ValueError("broken")
    assert list(tmp_path.iterdir()) == []


def test_what_claims_nothing_is_never_flagged_and_counted_apart():
    count = Count()
    (found,) = detect([answer("a", "Hello! It is so. How can I help you?")], open_detector("everything"), count=count)
    assert [(each.small_talk, each.score, each.flagged) for each in found.findings] == [
        (True, None, False),
        (False, 1.0, True),
        (True, None, False),
    ]
    assert (count.statements, count.small_talk, count.unscored, count.flagged) == (1, 2, 0, 1)
    assert (found.as_dict()["small_talk"], found.as_dict()["flagged"]) == (2, 1)


JAPANESE = "塔の高さは三百メートルです。一九九〇年に開きました。Hello!"


def test_what_is_in_a_script_that_the_detector_cannot_compare_is_not_checked_and_counted_apart():
    count = Count()
    (found,) = detect([answer("a", JAPANESE)], open_detector("lexical"), count=count)
    assert [(each.other_script, each.small_talk, each.score) for each in found.findings] == [
        (True, False, None),
        (True, False, None),
        (False, True, None),
    ]
    assert count == Count(answers=1, other_script=2, small_talk=1)
    assert found.as_dict()["other_script"] == 2
    assert [line["other_script"] for line in found.lines()] == [True, True, False]


def test_the_header_row_of_a_table_is_no_statement_and_its_other_rows_are():
    text = "| 0.9 part | 0.8 size |\n|---|:---:|\n| 0.9 pump | 4 cm |\n\n| 0.9 no | table |\n"
    made = Answer(
        id="a", dialogue="a", group="a", context="c", question="q?", text=text,
        statements=tuple(Statement(*each) for each in split_sentences(text, layout=True)),
    )  # fmt: skip
    count = Count()
    (found,) = detect([made], Always(), count=count)
    assert [(each.flagged, each.score, each.header_row) for each in found.findings] == [
        (False, None, True),
        (True, 1.0, False),
        (True, 1.0, False),
    ]
    assert (count.statements, count.header_rows, found.as_dict()["header_rows"]) == (2, 1, 1)


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("## Safety rules", True),
        ("# **Order**", True),
        ("## Closed on Sundays.", False),
        ("### Below 3000 metres", False),
        ("## The stove is quite safe indoors", False),
        ("Safety rules", False),
        ("### Alcohol is reimbursed", False),
        ("### Dogs **aren't** allowed", False),
        ("### What is reimbursed", True),
        ("### Is alcohol reimbursed?", True),
        ("### Costs that are reimbursed", True),
        ("### Reimbursed", True),
    ],
)
def test_a_short_heading_is_no_statement(heading, names):
    text = f"{heading}\n\nIt is 0.9 hot."
    made = Answer(
        id="a", dialogue="a", group="a", context="c", question="q?", text=text,
        statements=tuple(Statement(*each) for each in split_sentences(text, layout=True)),
    )  # fmt: skip

    assert made.is_header(made.statements[0]) is names and not made.is_header(made.statements[-1])


def test_a_detector_that_compares_no_words_checks_every_script():
    count = Count()
    list(detect([answer("a", JAPANESE)], open_detector("everything"), count=count))
    assert (count.statements, count.flagged, count.other_script) == (2, 2, 0)


@pytest.mark.parametrize("name", ["flags.csv", "flags.xlsx", "flags.json"])
def test_a_name_of_another_format_is_refused(tmp_path, name):
    with (
        pytest.raises(CognibenchError, match=r"under a name that ends in \.jsonl or \.parquet"),
        open_writer(tmp_path / name, tmp_path / "in.jsonl"),
    ):
        pass
    assert not (tmp_path / name).exists()


def test_lines_are_written_statement_by_statement_and_never_over_what_is_read(tmp_path):
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("data", encoding="utf-8")
    (found,) = detect([answer("a", "0.9 ä. 0.1 b.")], ByWord())
    with open_writer(target, source) as write:
        write(found)
    lines = target.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["sentence"] for line in lines] == ["0.9 ä.", "0.1 b."]
    with pytest.raises(CognibenchError, match="is being read"), open_writer(source, source):
        pass
    with pytest.raises(CognibenchError, match="There is no folder"), open_writer(tmp_path / "no" / "out.jsonl", source):
        pass
    assert source.read_text(encoding="utf-8") == "data"


def test_labels_copied_from_what_is_flagged_give_a_detector_that_is_always_right(tmp_path):
    said = "Hello! Here it is:\n- It is red.\n- It is green.\n\n| a | b |\n| c | d |\n\nHow can I help you?"
    entries = [{"id": str(number), "context": f"Context {number}.", "answer": said} for number in range(3)]
    path = tmp_path / "data.jsonl"
    path.write_text("\n".join(map(json.dumps, entries)))
    everything = open_detector("everything")
    for entry, found in zip(entries, detect(read_answers(path), everything), strict=True):
        entry["labels"] = {each.statement.text: each.flagged for each in found.findings}
    path.write_text("\n".join(map(json.dumps, entries)))
    labelled = read_answers(path)
    assert calibrate(score_answers(everything, labelled)).own == (1, 1, 1)
    row = bench(labelled, [], BenchSettings(contradictions=False)).row("everything")
    assert row.figures["overall"].score == (1, 1, 1)


def test_a_score_of_one_but_for_rounding_noise_reaches_a_threshold_of_one():
    (found,) = detect([answer("a", "0.9999999999999998 is so.")], ByWord(), threshold=1.0)
    assert [(each.flagged, each.score) for each in found.findings] == [(True, 1.0)]


def test_an_answer_without_a_context_is_not_checked_and_counted_apart():
    detector, count = Explaining(), Count()
    bare = replace(answer("b", "0.9 yes. 0.8 yes. Thank you!"), context=" \n")
    found = list(detect([answer("a", "0.9 yes."), bare], detector, count=count))
    assert len(detector.seen) == 1
    assert [(each.flagged, each.score, each.no_context) for each in found[1].findings] == [
        (False, None, True),
        (False, None, True),
        (False, None, False),
    ]
    assert (count.statements, count.no_context, count.small_talk, count.unscored) == (1, 2, 1, 0)
    assert found[1].as_dict()["no_context"] == 2
    shown = to_terminal(counts_document(count, "by-word", 0.5, None))
    assert "Not checked: 2 sentences of answers without a context." in shown


def test_of_a_text_without_full_stops_only_the_beginning_is_compared_and_that_is_said():
    class Longest(Always):
        def flag(self, context, sentences, dialogue=()):
            assert max(map(len, sentences)) <= COMPARED
            return super().flag(context, sentences)

    count = Count()
    (found,) = detect([answer("a", "pool " * 200_000)], Longest(), count=count)
    assert [(each.flagged, each.cut) for each in found.findings] == [(True, True)]
    assert len(found.findings[0].statement.text) > COMPARED
    shown = to_terminal(counts_document(count, "x", 0.5, None))
    assert "Of 1 sentence longer than 10,000 characters, only so many were compared." in shown


@pytest.mark.parametrize(
    ("text", "score"),
    [("0.2 one. 0.9 two. 0.7 three.", 0.8), ("0.6 one. None two.", 0.6), ("None one.", None)],
)
def test_an_answer_scores_the_mean_of_its_two_highest_sentences(text, score):
    (found,) = detect([answer("a", text)], ByWord())
    assert found.score == (None if score is None else pytest.approx(score))
    assert found.as_dict()["score"] == found.score


BRANCHES = {
    "branches": [
        {"name": "Ghent", "hours": {"weekdays": "09:00-18:00", "saturday": "10:00-16:00"}, "phone": "0123 456"},
        {"name": "Bruges", "hours": {"weekdays": "08:30-17:30", "saturday": None}, "phone": "0123 457"},
    ],
    "fees": {"cat": 14.5, "dog": 16},
}


def test_a_record_is_the_same_evidence_as_an_object_and_as_json_in_any_layout(tmp_path):
    said = "Ghent is open until 6 pm on Saturdays. The fee for a cat is 16. Bruges opens at 8:30 am on Mondays."
    forms = (BRANCHES, [BRANCHES], *(json.dumps(BRANCHES, indent=indent) for indent in (None, 0, 4)))
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(json.dumps({"context": each, "answer": said}) for each in forms))
    found = [
        [(each.score, each.flagged) for each in some.findings]
        for some in detect(read_answers(path), open_detector("lexical"))
    ]
    assert found == [found[0]] * len(forms)
    assert [flagged for _, flagged in found[0]] == [True, True, False]
