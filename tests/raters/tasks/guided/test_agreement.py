"""What agreement tells of guided tasks beyond its figures."""

from tests.raters.tasks.guided.examples import answer, made, rated, results
from voirdire.documents.document import Table
from voirdire.raters.agreement import agree
from voirdire.raters.agreement.report import agreement_document


def test_pairs_without_an_answer_are_counted_apart_and_places_are_explained(tmp_path):
    path = made(tmp_path, "preference", results(tmp_path / "r.jsonl", 6))

    def says(document, rater):
        if rater == "Ben" and document.source["item"] in ("q1", "q2"):
            return {**answer(None), "status": "unsure" if document.source["item"] == "q1" else "skipped"}
        return answer("first", order=["first", "second"])

    found = agree(rated(path, says))
    assert (found.live.paired, found.live.categories[0].paired) == (6, 4)
    assert found.notes[0] == (
        "2 of the 6 items rated twice have no two answers to compare: 1 rating \u201cLeft out\u201d and 1 rating "
        "\u201cNot sure\u201d."
    )
    parts = agreement_document(found).sections
    (table,) = [block for each in parts for block in each.blocks if isinstance(block, Table)]
    assert "Fleiss κ and AC1/AC2 count a single answer" in table.caption, "said where they are shown"
    page = str(parts)
    assert "whether two people chose the answer in the same place" in page and "even below 0, is no fault" in page


def test_where_all_is_answered_nothing_is_said(tmp_path):
    path = made(tmp_path, "labels", results(tmp_path / "r.jsonl", 2))
    found = agree(rated(path, lambda document, rater: answer("correct")))
    assert not any("no two answers" in note for note in found.notes)
    assert "single answer" not in str(agreement_document(found))
