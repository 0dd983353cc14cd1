"""The report on a file of answers."""

import json

import pytest

from voirdire.cognibench.detection_page import data_document
from voirdire.cognibench.detection_workers import DetectTask
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors import DetectorOptions, OneByOne
from voirdire.documents.document import Figures, Readings, Table, Text
from voirdire.reports.builder import ReportError, make_report

CONTEXT = "The tower opened in 1889. It is 330 metres tall."


@pytest.fixture
def answers(tmp_path):
    path = tmp_path / "answers.jsonl"
    entries = [
        {"id": f"a{place}", "context": f"{CONTEXT} Town {place}.", "question": "When?", "answer": "It opened in 1898."}
        for place in range(3)
    ]
    entries.append({"id": "ok", "context": CONTEXT, "question": "How tall?", "answer": "It is 330 metres tall."})
    path.write_text("".join(json.dumps(each) + "\n" for each in entries), encoding="utf-8")
    return path


def blocks(document, kind):
    return [block for section in document.sections for block in section.blocks if isinstance(block, kind)]


def test_it_leads_with_the_share_flagged_and_says_that_this_is_no_share_of_errors(answers):
    document = data_document(answers)
    first, *others = [block.text for block in blocks(document, Text)]
    assert first == "lexical flags 3 of 4 sentences: 75.0 %, in 3 answers of 4."
    assert any("is not the share of unsupported sentences" in text for text in others)
    assert any(text.startswith("The interval (Student's t on the logit scale") for text in others)
    assert any("covers only which answers were drawn" in text for text in others)
    assert document.data["share"] == 0.75 and len(document.data["interval"]) == 2


def test_a_share_has_an_interval_with_three_contexts_and_is_said_to_have_none_with_fewer(answers, tmp_path):
    def share_and_texts(path):
        document = data_document(path)
        (figures,) = blocks(document, Figures)
        return figures.items[0], document.data["interval"], " ".join(text.text for text in blocks(document, Text))

    share, interval, texts = share_and_texts(answers)
    assert share.ends == pytest.approx([100 * end for end in interval])
    assert share.note == "3 of 4 sentences; 95 % by contexts" and "no interval" not in texts
    one = tmp_path / "one.jsonl"
    one.write_text(json.dumps({"context": CONTEXT, "answer": "It opened in 1898."}))
    share, interval, texts = share_and_texts(one)
    assert share.ends is None and interval is None and "interval" not in texts
    assert (share.interval, share.note) == ("no interval", "1 of 1 sentence; an interval needs three contexts")


def test_what_is_known_of_the_detector_s_errors_is_said_at_its_own_threshold_alone(answers):
    def known(task):
        return [block.text for block in blocks(data_document(answers, task=task), Text)]

    own = "\n".join(known(DetectTask("lexical-learned")))
    assert (
        "Held out on CogniBench, development half of the release, its model's F1 over words was 0.79 (0.73 to 0.85)"
        in own
    )
    for task in (DetectTask("lexical-learned", DetectorOptions(threshold=0.9)), DetectTask("lexical")):
        other = "\n".join(known(task))
        assert "Held out" not in other
        assert "voirdire detectors calibrate" in other and "docs/which-detector.md" in other


def test_a_flag_is_called_a_suspicion_with_how_many_were_wrong_in_trials_at_that_threshold(answers):
    def said(task):
        return next(
            block.text for block in blocks(data_document(answers, task=task), Text) if "suspicion" in block.text
        )

    assert said(DetectTask("lexical")).endswith(
        "written to test it and since used to tune it, where 411 of 974 sentences were wrong, 164 of the 347 that "
        "lexical flagged were supported; "
        "where 5 % are wrong, that would be 93 % of the flags."
    )
    assert "were supported" not in said(DetectTask("lexical", DetectorOptions(threshold=0.7)))


def test_the_list_tells_answers_to_one_question_apart(answers):
    (readings,) = blocks(data_document(answers), Readings)
    listed = [(each.title, each.summary) for each in readings.readings]
    assert ("When?", "a1: 1 of 1 sentence flagged: “It opened in 1898.”") in listed
    assert ("How tall?", "ok: 0 of 1 sentence flagged") in listed
    assert len(set(listed)) == 4


def test_an_answer_says_of_each_flagged_sentence_its_score_and_why(answers):
    (readings,) = blocks(data_document(answers), Readings)
    (remark,) = readings.readings[0].exchanges[0].remarks
    (row, *_) = blocks(data_document(answers), Table)[0].rows
    assert remark.who == f"“{row['sentence'].shown}”"
    assert remark.figures == (("score", row["score"].shown),)
    assert remark.text == f"nearest in the context: “{row['passage'].shown}”; {row['why'].shown}"


def test_each_flagged_sentence_stands_beside_the_nearest_passage(answers):
    (table,) = blocks(data_document(answers), Table)
    row = {key: cell.shown for key, cell in table.rows[0].items()}
    assert (row["answer"], row["sentence"], row["passage"]) == ("a0", "It opened in 1898.", "The tower opened in 1889.")


def test_answers_can_be_read_with_their_context_the_flagged_ones_first(answers):
    (readings,) = blocks(data_document(answers), Readings)
    assert [each.id for each in readings.readings] == ["a0", "a1", "a2", "ok"]
    assert readings.readings[0].context.startswith(CONTEXT)
    marked = [piece for piece in readings.readings[0].exchanges[0].answer if piece.mark]
    assert [piece.text for piece in marked] == ["It opened in 1898."]


def test_where_the_context_shares_no_word_the_page_says_so(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps({"context": CONTEXT, "answer": "Seven million visitors arrive every year."}))
    (table,) = blocks(data_document(path), Table)
    assert [row["passage"].shown for row in table.rows] == ["nothing alike"]


class Quoting(OneByOne):
    """Says which sentence of the context it has read."""

    name, threshold = "quoting", 0.5

    def flag(self, context, sentences, dialogue=()):
        return [1.0 for _ in sentences]

    def closest(self, context, sentences):
        return ["It is 330 metres tall." for _ in sentences]

    def reasons(self, context, sentences, dialogue=()):
        return [["contradicted by “It is 330 metres tall.”"] for _ in sentences]

    def reasons_beside(self, context, sentences):
        return [["contradicted"] for _ in sentences]


def test_the_passage_is_the_one_that_the_detector_has_read(answers):
    (table,) = blocks(data_document(answers, Quoting()), Table)
    assert {row["passage"].shown for row in table.rows} == {"It is 330 metres tall."}
    assert {row["why"].shown for row in table.rows} == {"contradicted"}  # the passage stands beside it


@pytest.mark.parametrize("name", ["everything", "later-turns", "chance"])
def test_a_baseline_is_not_said_to_miss_some(answers, name):
    options = DetectorOptions(threshold=0.0)
    said = [block.text for block in blocks(data_document(answers, task=DetectTask(name, options)), Text)]
    assert said and not any("misses some" in each or "calibrate" in each for each in said)


def test_the_highest_scores_are_in_view_and_the_table_of_many_flagged_sentences_folds(tmp_path):
    entry = {"context": CONTEXT, "answer": " ".join(f"The {day} was closed." for day in range(12))}
    path = tmp_path / "many.jsonl"
    path.write_text(json.dumps(entry))
    page = make_report(path).paths[0].read_text(encoding="utf-8")
    listed = page.index("The highest scores")
    folded = page.index('<details class="fold">')
    assert listed < folded and page[listed:folded].count("was closed.") == 3
    assert "Each with the nearest passage</h3> (12 rows)" in page and page.count("was closed.") >= 15


class Told(OneByOne):
    """Gives each sentence the number in it."""

    name, threshold = "told", 0.8

    def flag(self, context, sentences, dialogue=()):
        return [float(each.split()[-2]) for each in sentences]


def test_an_answer_with_a_flag_stands_above_those_without_however_high_their_mean(tmp_path):
    path = tmp_path / "answers.jsonl"
    said = {
        "even": "A tower of 0.7 metres. A bridge of 0.7 metres.",
        "odd": "Huts of 0.9 metres. Halls of 0.1 metres.",
    }
    entries = [{"id": name, "context": CONTEXT, "answer": text} for name, text in said.items()]
    path.write_text("".join(json.dumps(each) + "\n" for each in entries), encoding="utf-8")
    document = data_document(path, Told())
    assert [each["score"] for each in document.data["answers"]] == [pytest.approx(0.7), pytest.approx(0.5)]
    (readings,) = blocks(document, Readings)
    assert [each.id for each in readings.readings] == ["odd", "even"]


def test_the_page_goes_beside_the_file_under_its_name(answers):
    assert make_report(answers).paths == (answers.with_name("answers-report.html"),)
    assert "flags 3 of 4 sentences" in make_report(answers, format="md").text


def test_csv_has_the_answers_the_flags_and_what_it_was_made_from(answers):
    made = make_report(answers, format="csv")
    written = {path.name: path.read_text(encoding="utf-8") for path in made.paths}
    assert {path.parent for path in made.paths} == {answers.with_name("answers-report-csv")}
    assert written["flagged.csv"].count("It opened in 1898.") == 3
    assert written["answers.csv"].count("It is 330 metres tall.") >= 4
    origin = json.loads(written["manifest.json"])
    assert origin["file"] == "answers.jsonl" and len(origin["sha256"]) == 64 and origin["target"] == "report csv"
    assert json.loads(make_report(answers, format="json").text)["provenance"]["file"] == "answers.jsonl"


@pytest.mark.parametrize("form", ["png", "svg"])
def test_pictures_are_refused_in_a_sentence_as_there_are_no_charts(answers, form):
    with pytest.raises(ReportError, match="no charts to save as pictures"):
        make_report(answers, format=form)


def test_one_file_at_a_time_and_only_what_holds_something_to_check(answers, tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_bytes(answers.read_bytes())
    with pytest.raises(CognibenchError, match="make a report of it alone"):
        make_report([answers, other], format="md")
    empty = tmp_path / "thanks.jsonl"
    empty.write_text(json.dumps({"context": CONTEXT, "answer": "You're welcome!"}) + "\n")
    with pytest.raises(CognibenchError, match="holds no sentence that lexical can check"):
        data_document(empty)


def test_the_passage_beside_a_flagged_row_is_the_one_that_the_reason_speaks_of(tmp_path):
    context = "| Part | Price |\n|---|---|\n| Cartridge C1 | 14 euros | 2 days |\n| Cartridge C2 | 19 euros | 4 days |"
    answer = "| Part | Price |\n|---|---|\n| Cartridge C2 | 14 euros | 4 days |"
    file = tmp_path / "parts.jsonl"
    file.write_text(json.dumps({"context": context, "answer": answer}) + "\n")
    (table,) = blocks(data_document(file), Table)
    (row,) = table.rows
    assert row["passage"].shown == "| Cartridge C2 | 19 euros | 4 days |"
    assert row["why"].shown == "number: “14 euros” differs from “Price: 19 euros”, said of Cartridge C2, there"


def test_csv_has_the_ends_of_the_interval(answers, tmp_path):
    make_report(answers, format="csv", out=tmp_path / "csv")
    row = (tmp_path / "csv/figures.csv").read_text().splitlines()[1].split(",")
    assert row[1:3] == ["sentences flagged", "75.0"]
    low, high = map(float, row[3:5])
    assert 0 < low < 75 < high <= 100


def test_a_task_says_how_the_file_is_read_and_from_where_on_it_is_flagged(tmp_path):
    path = tmp_path / "renamed.jsonl"
    path.write_text(json.dumps({"source": CONTEXT, "reply": "It opened in 1898."}) + "\n{}\n", encoding="utf-8")
    options = DetectorOptions(threshold=1.0)
    task = DetectTask("lexical", options, skip_bad=True, columns=(("context", "source"), ("answer", "reply")))
    document = data_document(path, task=task)
    assert (document.data["sentences"], document.data["threshold"]) == (1, 1.0)
    with pytest.raises(CognibenchError, match=r"--map: there are .*--skip-bad|--skip-bad"):
        data_document(path)
