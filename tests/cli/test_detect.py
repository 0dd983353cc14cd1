import json
from io import BytesIO
from math import nan
from xml.etree import ElementTree

import pytest

from tests.cli.here import voirdire
from voirdire.cognibench.detection import Count
from voirdire.cognibench.detection_messages import over_limit_message
from voirdire.cognibench.detection_report import counts_document
from voirdire.cognibench.detection_workers import DetectTask
from voirdire.detectors.base import OneByOne

ANSWERS = [
    {
        "id": "refund",
        "context": "Refunds are paid within 14 days of the return. Shipping costs are not refunded.",
        "question": "When do I get my money back?",
        "answer": "Refunds are paid within 14 days of the return. Loyal customers enjoy generous birthday surprises.",
    },
    {
        "id": "kakapo",
        "contexts": ["The kakapo is a flightless parrot of New Zealand.", "It is nocturnal."],
        "turns": [
            {"user": "What is a kakapo?", "assistant": "It is a flightless parrot."},
            {"user": "When is it awake?", "assistant": "It is nocturnal."},
        ],
    },
]


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in ANSWERS), encoding="utf-8")
    return path


def objects(text):
    return [json.loads(line) for line in text.splitlines()]


def test_a_newcomer_sees_the_flagged_sentence_and_why_with_no_more_than_a_file(log):
    said = voirdire("detect", log, env={"OPENAI_API_KEY": ""}).stdout
    assert "refund: 1 of 2 sentences flagged" in said
    assert "Loyal customers enjoy generous birthday surprises." in said
    assert "loyal" in said  # a reason
    assert "Refunds are paid within" not in said
    assert said.startswith(
        "1 of 4 sentences is flagged (25.0 %), in 1 of 3 answers, by lexical at a score of 0.61 or more."
    )
    assert said.index("refund: 1 of 2") < said.index("The share of flags")
    assert "is not the share of unsupported sentences" in " ".join(said.split())


def test_json_is_one_object_per_answer_and_the_summary_does_not_mix_with_it(log):
    done = voirdire("detect", log, "--json")
    found = objects(done.stdout)
    assert [(each["id"], each["turn"], each["flagged"]) for each in found] == [
        ("refund", 0, 1),
        ("kakapo_0", 0, 0),
        ("kakapo_1", 1, 0),
    ]
    assert [each["flagged"] for each in found[0]["statements"]] == [False, True]
    assert done.stderr.startswith("1 of 4 sentences is flagged")


def test_out_gets_a_line_per_sentence(log, tmp_path):
    said = voirdire("detect", log, "-o", tmp_path / "out.jsonl").stdout
    lines = objects((tmp_path / "out.jsonl").read_text(encoding="utf-8"))
    assert [(line["id"], line["flagged"]) for line in lines] == [
        ("refund", False),
        ("refund", True),
        ("kakapo_0", False),
        ("kakapo_1", False),
    ]
    text = ANSWERS[0]["answer"]
    assert [text[line["start"] : line["end"]] for line in lines[:2]] == [line["sentence"] for line in lines[:2]]
    assert f"Every sentence is in {tmp_path / 'out.jsonl'}, with its score and the reasons" in said


def test_a_check_fails_with_its_own_exit_code_only_when_something_is_flagged(log):
    assert voirdire("detect", log, "--fail-on-flagged", check=False).returncode == 100
    strict = ("--fail-on-flagged", "--no-contradiction", "--threshold", "1")
    assert voirdire("detect", log, *strict, check=False).returncode == 0


def test_a_failed_check_says_why_it_failed_whatever_else_is_printed(log):
    for more in ([], ["--json"], ["--show", "0"]):
        result = voirdire("detect", log, "--fail-on-flagged", *more, check=False)
        assert (result.returncode, result.stderr.splitlines()[-1]) == (
            100,
            "The check fails: 1 of 4 sentences is flagged, and --fail-on-flagged allows none.",
        )


def test_a_table_without_rows_is_called_one(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("id,context,answer\n", encoding="utf-8")
    result = voirdire("detect", path, check=False)
    assert (result.returncode, result.stderr) == (1, f"voirdire: {path} has a header and no rows.\n")


@pytest.mark.parametrize(("most", "code"), [("25%", 0), ("0.25", 0), ("24.9 %", 100), ("0", 100), ("100%", 0)])
def test_a_check_may_allow_a_share_of_flagged_sentences(log, most, code):
    done = voirdire("detect", log, "--max-flagged", most, check=False)
    assert "1 of 4 sentences is flagged (25.0 %)" in done.stdout
    assert done.returncode == code
    said = "Too many sentences are flagged: 1 of 4, which is 25.0 %, and --max-flagged is"
    assert (said in done.stderr) is (code == 100)


@pytest.mark.parametrize(("least", "code"), [("4", 0), ("5", 100)])
def test_a_check_may_ask_for_a_number_of_scored_sentences(log, least, code):
    done = voirdire("detect", log, "--max-flags", "9", "--min-scored", least, check=False)
    assert done.returncode == code
    assert ("Too few sentences have a score: 4, and --min-scored is 5." in done.stderr) is (code == 100)


@pytest.mark.parametrize(("most", "code"), [("0", 100), ("1", 0)])
def test_a_check_may_allow_a_number_of_flags_which_longer_answers_do_not_change(log, most, code):
    done = voirdire("detect", log, "--max-flags", most, check=False)
    assert done.returncode == code
    assert ("Too many sentences are flagged: 1, and --max-flags is 0." in done.stderr) is (code == 100)


@pytest.mark.parametrize(
    ("flagged", "scored", "limit", "shown"),
    [(26, 57, 0.456, "45.61 %, and --max-flagged is 45.6 %"), (1, 8, 0.1, "12.5 %, and --max-flagged is 10 %")],
)
def test_a_share_above_the_limit_is_printed_with_as_many_decimals_as_it_takes_to_see_it(flagged, scored, limit, shown):
    assert shown in over_limit_message(Count(statements=scored, flagged=flagged), limit)


@pytest.mark.parametrize(
    ("flagged", "scored", "limit", "fails"),
    [
        (1, 3, 0.333, True),
        (1, 3, 1 / 3, False),
        (14, 45, 0.311, True),
        (14, 45, 0.3111, True),
        (14, 45, 0.3112, False),
        (29, 100, 0.29, False),
        (333, 1000, 33.3 / 100, False),
        (1, 900, 0.0, True),
        (0, 900, 0.0, False),
    ],
)
def test_a_share_is_compared_with_its_limit_as_it_is_and_not_as_it_is_printed(flagged, scored, limit, fails):
    assert Count(statements=scored, flagged=flagged).exceeds(limit) is fails


class Silent(OneByOne):
    """Gives no score to a sentence that begins with one of `silent`, as a model that refuses."""

    name = "silent"
    threshold = 0.5
    faults = ("the model refused.",)

    def __init__(self, *silent):
        self.silent = silent

    def flag(self, context, sentences, dialogue=()):
        return [nan if each.startswith(self.silent) else float(each.startswith("Loyal")) for each in sentences]


@pytest.mark.parametrize(
    ("silent", "options", "code", "said"),
    [
        (("It is",), (), 0, "Without a score: 2 of 4 sentences to be checked. The first reason: the model refused."),
        (("It is",), ("--max-flagged", "50%"), 3, "The check is not complete. Without a score: 2 of 4"),
        (("It is",), ("--max-flags", "1"), 3, "The check is not complete. Without a score: 2 of 4"),
        (("It is",), ("--max-flagged", "49%"), 100, "1 of 2, which is 50.0 %"),
        (("It is",), ("--fail-on-flagged",), 100, "1 of 2 sentences is flagged (50.0 %), in 1 of 3 answers"),
        (("It is", "Loyal"), ("--fail-on-flagged",), 3, "The check is not complete. Without a score: 3 of 4"),
        (("",), (), 1, "has a score: the model refused."),
        (("",), ("--max-flagged", "50%"), 1, "has a score: the model refused."),
    ],
)
def test_sentences_without_a_score_count_for_nothing_and_leave_a_check_open(
    log, monkeypatch, silent, options, code, said
):
    monkeypatch.setattr(DetectTask, "open", lambda task: Silent(*silent))
    done = voirdire("detect", log, "--workers", "1", *options, check=False)
    assert done.returncode == code
    assert said in done.stdout + done.stderr


def test_json_says_how_many_sentences_have_a_score(log, monkeypatch):
    monkeypatch.setattr(DetectTask, "open", lambda task: Silent("Loyal"))
    found = objects(voirdire("detect", log, "--json", "--workers", "1").stdout)
    assert [(each["scored"], each["unscored"]) for each in found] == [(1, 1), (1, 0), (1, 0)]


@pytest.mark.parametrize("most", ["1", "1.0", "5", "-1%", "101%", "nan", "5_0%", "0.0_5", "a few"])
def test_a_share_that_is_none_is_refused(log, most):
    done = voirdire("detect", log, "--max-flagged", most, check=False)
    assert done.returncode == 2
    assert "such as 5% or 0.05" in " ".join(done.stderr.split())


@pytest.mark.parametrize(("most", "named"), [("5", True), ("1", True), ("1.0", False), ("101%", False)])
def test_where_a_number_of_sentences_is_given_as_a_share_the_other_limit_is_named(log, most, named):
    done = voirdire("detect", log, "--max-flagged", most, check=False)
    assert (f"For a number of sentences, use --max-flags {most}." in " ".join(done.stderr.split())) is named


def test_a_run_folder_is_refused_where_no_calls_are_made(log, tmp_path):
    done = voirdire("detect", log, "--run", tmp_path / "calls", check=False)
    assert done.returncode == 1 and "lexical makes no calls that a run folder could keep" in done.stderr


@pytest.mark.parametrize("threshold", ["nan", "inf", "1.1", "-1"])
def test_a_threshold_that_would_switch_the_check_off_is_refused(log, threshold):
    done = voirdire("detect", log, "--fail-on-flagged", "--threshold", threshold, check=False)
    assert done.returncode == 2 and f"'{threshold}' is not a number from 0 to 1." in done.stderr


def test_any_detector_can_be_named_and_the_threshold_moved(log):
    assert "4 of 4 sentences are flagged (100.0 %)" in voirdire("detect", log, "--detector", "everything").stdout
    assert "4 of 4 sentences are flagged (100.0 %)" in voirdire("detect", log, "--threshold", "0").stdout


def test_the_packaged_model_reads_where_words_alone_do_not_tell(tmp_path):
    pytest.importorskip("onnxruntime")
    answer = "Bob bought the boat from Alice in May. Alice bought the boat from Bob in May. Is there anything else?"
    path = tmp_path / "boat.jsonl"
    path.write_text(json.dumps({"id": "boat", "context": "In May, Alice sold the boat to Bob.", "answer": answer}))
    found = objects(voirdire("detect", path, "--detector", "entailment", "--json").stdout)
    bought, sold, question = found[0]["statements"]
    assert bought["score"] < sold["score"]
    assert not question["flagged"]


@pytest.mark.parametrize(("show", "told"), [((), True), (("--show", "2"), False)])
def test_where_a_file_is_written_the_last_line_says_where_the_flagged_sentences_are(log, tmp_path, show, told):
    out = tmp_path / "out.jsonl"
    said = voirdire("detect", log, "--detector", "everything", "-o", out, *show).stdout
    last = f"Every sentence is in {out}, with its score and the reasons; --show 20 prints those that are flagged."
    assert (last in " ".join(said.split())) == told == ("2 of 2 sentences flagged" not in said)


def test_only_so_many_answers_are_printed_and_the_rest_is_named(log):
    said = voirdire("detect", log, "--detector", "everything", "--show", "1").stdout
    assert "refund: 2 of 2" in said
    assert "kakapo_0" not in said
    assert "2 more answers with flagged sentences: --show 3 prints them" in said


def test_one_answer_and_one_sentence_are_told_of_in_the_singular():
    count = Count(answers=1, statements=2, flagged=1, answers_flagged=1, unscored=1, empty=1)
    (section,) = counts_document(count, "lexical", 0.5, printed=0).sections
    assert [block.text for block in section.blocks] == [
        "1 of 1 sentence is flagged (100.0 %), in 1 of 1 answer, by lexical at a score of 0.5 or more.",
        "The share of flags is not the share of unsupported sentences: lexical misses some and flags some wrongly. "
        "How often: voirdire detectors calibrate measures it on your labels; docs/which-detector.md has figures.",
        "Without a score: 1 of 2 sentences to be checked.",
        "Not checked: 1 empty answer.",
        "1 more answer with flagged sentences: --show 1 prints them, -o OUT.jsonl writes all.",
    ]


def test_markdown_is_cut_at_list_items_unless_it_is_to_be_read_as_plain_text(tmp_path):
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps({"context": "c", "answer": "These:\n- one\n- two"}), encoding="utf-8")
    assert "0 of 3 sentences are flagged" in voirdire("detect", path).stdout
    assert "0 of 1 sentence is flagged" in voirdire("detect", path, "--plain").stdout


def test_what_was_read_otherwise_is_said_on_stderr(tmp_path):
    path = tmp_path / "twice.jsonl"
    path.write_text((json.dumps({"id": "x", "context": "c", "answer": "A."}) + "\n") * 2, encoding="utf-8")
    done = voirdire("detect", path)
    assert "Note: Ids that were there already and were given a number: 1 (x: now x#2)." in done.stderr


def test_a_manifest_replaces_nothing_but_a_manifest(tmp_path):
    path, out = tmp_path / "a.jsonl", tmp_path / "flags.jsonl"
    path.write_text(json.dumps({"id": "x", "context": "c", "answer": "A."}) + "\n", encoding="utf-8")
    mine = tmp_path / "flags.jsonl.manifest.json"
    mine.write_text('{"mine": 1}')
    done = voirdire("detect", path, "-o", out, check=False)
    assert done.returncode == 1 and "where the manifest goes, holds something else" in done.stderr
    assert mine.read_text() == '{"mine": 1}' and not out.exists()
    mine.unlink()
    for _ in range(2):
        voirdire("detect", path, "-o", out)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["none.jsonl"], "voirdire: none.jsonl does not exist;"),
        (["LOG", "--detector", "oracle"], "voirdire: There is no detector 'oracle';"),
        (["LOG", "-o", "LOG"], "is being read: choose another file to write to."),
        (["EMPTY"], "holds no answers; one JSON object per line is expected."),
    ],
)
def test_a_mistake_is_answered_with_one_sentence(log, tmp_path, arguments, sentence):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("", encoding="utf-8")
    names = {"LOG": log, "EMPTY": empty}
    done = voirdire("detect", *[names.get(each, each) for each in arguments], check=False)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


def bad_log(tmp_path, bad):
    good = json.dumps({"context": "The tower is 300 m high.", "answer": "It is 400 m high."})
    path = tmp_path / "bad.jsonl"
    path.write_text("\n".join([good, *bad, good]), encoding="utf-8")
    return path


def test_all_lines_that_cannot_be_used_are_named_at_once(tmp_path):
    path = bad_log(tmp_path, ['{"context": "c", "answer": null}', "nonsense", *["[1]"] * 10])
    done = voirdire("detect", path, check=False)
    assert done.returncode == 1
    assert "12 entries can't be used." in done.stderr
    assert [f"line {number}: " in done.stderr for number in range(2, 6)] == [True, True, True, False]
    assert "not a list. The same in 5, 6, 7, 8, 9, 10, 11, 12, 13.\n" in done.stderr
    assert "--skip-bad" in done.stderr


def test_lines_that_cannot_be_used_are_left_out_and_counted_if_asked(tmp_path):
    path = bad_log(tmp_path, ['{"context": "c", "answer": null}', "nonsense"])
    done = voirdire("detect", path, "--skip-bad")
    assert done.returncode == 0
    assert "2 of 2 sentences are flagged (100.0 %), in 2 of 2 answers" in done.stdout
    assert "Entries that could not be used and were left out: 2" in done.stderr
    assert "line 2: it has no answer" in done.stderr


def test_a_limit_on_flags_is_not_kept_by_answers_without_a_context(tmp_path):
    path = bad_log(tmp_path, ['{"contexts": [], "answer": "It opened in 1911."}'])
    done = voirdire("detect", path, "--max-flagged", "100%", check=False)
    assert done.returncode == 3
    assert "The check is not complete. Without a context: 1 sentence, which no flag can come from." in done.stderr


def test_a_line_that_is_no_utf8_is_left_out_like_any_other_that_cannot_be_used(tmp_path):
    path = bad_log(tmp_path, [])
    path.write_bytes(path.read_bytes().replace(b"\n", b"\n\xff\xfe{}\n"))
    done = voirdire("detect", path, "--skip-bad")
    assert "2 of 2 sentences are flagged (100.0 %), in 2 of 2 answers" in done.stdout
    assert "line 2: it is no UTF-8 text." in done.stderr


def test_flagged_answers_are_printed_beside_a_file_if_asked(log, tmp_path):
    asked = ("detect", log, "--detector", "everything", "-o", tmp_path / "out.jsonl")
    assert "refund: 2 of 2" not in voirdire(*asked).stdout
    said = voirdire(*asked, "--show", "1").stdout
    assert "refund: 2 of 2" in said and "kakapo_0" not in said


def test_what_is_in_a_script_that_is_not_compared_is_named_and_no_check_passes_by_it(tmp_path):
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps({"context": "塔は高い。", "answer": "塔は赤い。塔は低い。"}), encoding="utf-8")
    said = voirdire("detect", path).stdout
    assert "1 answer: no sentence was checked." in said
    assert "Not checked: 2 sentences in scripts that lexical can't compare" in said and "0 flagged" not in said
    done = voirdire("detect", path, "--fail-on-flagged", check=False)
    assert done.returncode == 1 and "No sentence of " in done.stderr
    assert voirdire("detect", path, "--detector", "everything", "--fail-on-flagged", check=False).returncode == 100


def test_of_a_long_sentence_the_beginning_is_printed_and_each_reason_once(tmp_path):
    path = tmp_path / "long.jsonl"
    entry = {"id": "long", "context": "The stove weighs 84 g.", "answer": "The stove weighs 84 kg and " * 500}
    path.write_text(json.dumps(entry) + "\n", encoding="utf-8")
    printed = voirdire("detect", path).stdout
    assert len(printed) < 1500
    assert printed.count("unit:") == 1
    (answer,) = objects(voirdire("detect", path, "--json").stdout)
    assert len(answer["statements"][0]["sentence"]) > 10_000
    reasons = answer["statements"][0]["reasons"]
    assert [each.partition(":")[0] for each in reasons] == ["not in the context", "unit"]


def test_answers_that_are_not_in_english_are_counted_in_a_note(log, tmp_path):
    path = tmp_path / "german.jsonl"
    entry = {"id": "de", "context": "Der Kocher darf nicht in das Zelt.", "answer": "Der Kocher darf in das Zelt."}
    path.write_text(json.dumps(entry), encoding="utf-8")
    note = "Not in English: 1 answer. lexical reads English, so check what it says of them."
    assert note in voirdire("detect", path).stdout
    assert "Not in English" not in voirdire("detect", path, "--detector", "chance").stdout
    english = "The stove must not stand in the tent, and it is not to be used by the children of the guests. "
    path.write_text(json.dumps(entry | {"context": english * 3}), encoding="utf-8")
    assert note in voirdire("detect", path).stdout
    assert "Not in English" not in voirdire("detect", log).stdout


def piped(monkeypatch, given):
    class Pipe:
        buffer = BytesIO(given.encode())

        def isatty(self):
            return False

    monkeypatch.setattr("sys.stdin", Pipe())


GIVEN = '{"context": "The tower opened in 1889.", "answer": "It opened in 1889."}\n'


@pytest.mark.parametrize(
    ("given", "options", "says"),
    [
        (GIVEN + "{bad\n", (), "voirdire: standard input, line 2: it is no JSON"),
        ("context,answer\nonly\n", (), "voirdire: standard input, row 1: it has"),
        (GIVEN + "{bad\n", ("--skip-bad",), "left out: 1.\nstandard input, line 2: it is no JSON"),
        ("[]", (), "voirdire: standard input, line 1: a JSON object is expected"),
        ("context,answer\nThe tower.,Hello!\n", ("--fail-on-flagged",), "No sentence of standard input was checked"),
    ],
)
def test_what_is_piped_in_is_called_standard_input(monkeypatch, given, options, says):
    piped(monkeypatch, given)
    done = voirdire("detect", "-", *options, check=False)
    assert says in done.stderr and "/voirdire-" not in done.stderr


def test_columns_may_have_names_of_their_own_and_answers_may_be_piped_in(tmp_path, monkeypatch):
    said = '{"docs": {"text": "The tower opened in 1889."}, "reply": "It opened in 1898."}\n'
    (tmp_path / "log.jsonl").write_text(said)
    names = ("--map", "context=docs.text,answer=reply", "--json")
    from_file = voirdire("detect", tmp_path / "log.jsonl", *names).stdout
    assert json.loads(from_file)["flagged"] == 1
    piped(monkeypatch, said)
    assert voirdire("detect", "-", *names).stdout == from_file
    piped(monkeypatch, "context,answer\nThe tower opened in 1889.,It opened in 1898.\n")
    assert voirdire("detect", "-", "--json").stdout == from_file
    piped(monkeypatch, " ")
    done = voirdire("detect", "-", check=False)
    assert (done.returncode, done.stderr.partition(":")[2][:24]) == (1, " Nothing is piped in: JS")
    done = voirdire("detect", "log.jsonl", "--map", "reply=answer", check=False)
    assert done.returncode == 1 and "Pairs such as answer=response,context=docs are expected" in done.stderr


def test_a_limit_is_not_kept_by_an_answer_that_is_its_own_context(tmp_path):
    log = tmp_path / "chat.jsonl"
    said = ["The tower opened in 1889. When?", "Loyal customers enjoy generous birthday surprises."]
    messages = [{"role": role, "content": each} for role, each in zip(("user", "assistant"), said, strict=True)]
    log.write_text(json.dumps({"messages": messages}) + "\n")
    for path, code in (("messages.content", 100), ("messages.1.content", 1)):
        assert voirdire("detect", log, "--map", f"context={path}", "--max-flags", "0", check=False).returncode == code


def checked_answers(tmp_path, *answers):
    path = tmp_path / "gate.jsonl"
    rows = [{"id": f"a{n}", "context": "The tower is 300 m high.", "answer": each} for n, each in enumerate(answers)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("limit", [["--fail-on-flagged"], ["--max-flagged", "50%"], ["--max-flags", "1"]])
def test_an_empty_answer_leaves_a_check_open(tmp_path, limit):
    path = checked_answers(tmp_path, "The tower is 300 m high.", "")
    done = voirdire("detect", path, *limit, check=False)
    assert done.returncode == 3
    assert "The check is not complete. Without a sentence: 1 empty answer," in " ".join(done.stderr.split())
    assert voirdire("detect", path).returncode == 0


def test_a_failed_check_names_the_flags_with_the_highest_scores_where_none_was_printed(tmp_path):
    odd = [f"In year {n} the old tower charmed many local people." for n in range(3)]
    path = checked_answers(tmp_path, *odd, *[f"The tower is {n} m high." for n in (401, 402, 403, 404)])
    done = voirdire("detect", path, "-o", tmp_path / "out.jsonl", "--fail-on-flagged", check=False)
    assert done.returncode == 100
    lines = done.stderr.splitlines()
    assert [line.split()[1] for line in lines[1:4]] == ["a3:", "a4:", "a5:"]
    assert lines[0] == "The highest scores:" and "a0" not in done.stderr and "a6" not in done.stderr
    shown = voirdire("detect", path, "--fail-on-flagged", check=False)
    assert "The highest" not in shown.stderr


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("field", ["context", "contexts", "messages"])
def test_an_english_answer_on_records_with_foreign_names_is_in_english(tmp_path, indent, field):
    courses = [
        {"course": "Yoga für den Rücken", "teacher": "Ana de los Rios"},
        {"course": "Spin", "teacher": "Jo van der Ley"},
    ]
    record = json.dumps(courses, indent=indent)
    asked, found = {"role": "user", "content": "Who?"}, {"role": "tool", "content": record}
    given = {"context": record, "contexts": [record], "messages": [asked, found]}[field]
    entry = {field: given, "answer": "The spin course is taught by Jo van der Ley."}
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(entry) + "\n")
    assert "Not in English" not in voirdire("detect", path).stdout
    path.write_text(json.dumps({**entry, "answer": "Der Kurs ist nicht auf Englisch."}) + "\n")
    assert "Not in English: 1 answer." in voirdire("detect", path).stdout


@pytest.mark.parametrize(
    ("limits", "code", "failing"),
    [
        ([], 0, ["refund"]),
        (["--max-flags", "1", "--min-scored", "5"], 100, ["--min-scored"]),
        (["--max-flagged", "20%"], 100, ["--max-flagged", "refund"]),
        (["--fail-on-flagged"], 100, ["--fail-on-flagged", "refund"]),
    ],
)
def test_a_ci_service_is_told_of_each_answer_and_limit(log, tmp_path, limits, code, failing):
    log.write_text(log.read_text() + '{"id": "chat", "context": "It is open.", "answer": "Hello!"}\n')
    file = tmp_path / "detect.xml"
    assert voirdire("detect", log, *limits, "--junit", file, check=False).returncode == code
    root = ElementTree.parse(file).getroot()
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert [name for name, case in cases.items() if case.find("failure") is not None] == failing
    assert [name for name, case in cases.items() if case.find("skipped") is not None] == ["chat"]
    assert (root.get("failures"), root.get("skipped")) == (str(len(failing)), "1")
    text = cases["refund"].findtext("failure" if "refund" in failing else "system-out")
    assert text.startswith("0.76  Loyal customers enjoy generous birthday surprises.\n  not in the context: loyal")
    assert {"kakapo_0", "kakapo_1"} < cases.keys()


def test_an_answer_that_could_not_be_checked_leaves_the_check_open_in_the_file_too(log, tmp_path):
    log.write_text(log.read_text() + '{"id": "blank", "context": "", "answer": "It is old."}\n')
    file = tmp_path / "detect.xml"
    assert voirdire("detect", log, "--max-flags", "1", "--junit", file, check=False).returncode == 3
    (failure,) = ElementTree.parse(file).getroot().iter("failure")
    assert failure.get("message").startswith("The check is not complete.")


def test_an_entry_that_was_left_out_leaves_the_check_open_and_allows_a_look_without_limits(log, tmp_path):
    log.write_text(log.read_text() + '{"id": "torn", "context": "It is old."}\n{"id": \n')
    file = tmp_path / "detect.xml"
    done = voirdire("detect", log, "--skip-bad", "--max-flags", "1", "--junit", file, check=False)
    assert done.returncode == 3 and "The check is not complete. Left out: 2 entries that could not be" in done.stderr
    (failure,) = ElementTree.parse(file).getroot().iter("failure")
    assert failure.get("message") == "The check is not complete. Left out: 2 entries that could not be used."
    assert voirdire("detect", log, "--skip-bad").returncode == 0


def test_where_nothing_can_be_checked_no_file_of_an_earlier_check_stays(log, tmp_path):
    file = tmp_path / "detect.xml"
    voirdire("detect", log, "--junit", file)
    log.write_text("")
    assert voirdire("detect", log, "--junit", file, check=False).returncode == 1
    assert not file.exists()


def test_the_place_of_the_file_is_looked_at_first(log, tmp_path):
    for name, says in (("no/a.xml", "There is no folder"), ("a.txt", "does not end in .xml"), (log.name, "being read")):
        result = voirdire("detect", log, "--junit", tmp_path / name, check=False)
        assert (result.returncode, result.stdout) == (1, "") and says in result.stderr
