"""A document on a terminal."""

from voirdire.documents.cells import plain_table
from voirdire.documents.document import Bullets, Link, Links, Notice, Section, Text, document
from voirdire.reports.formats.terminal import to_terminal

PATH = "/a/folder/that/has/a/long/name/and/stands/in/another/whose/name/is/just/as/long/report.html"


def test_a_sentence_is_wrapped_and_a_line_with_a_path_is_not(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    shown = to_terminal(document(Text("word " * 30), Text(f"Written: {PATH}"))).split("\n")

    assert max(len(line) for line in shown[:-1]) <= 60
    assert shown[-1] == f"Written: {PATH}"


def test_what_a_tone_means_is_said_without_colour():
    shown = to_terminal(document(Text("Some verdicts are missing.", "warn"), Notice("Judged by rules.")))

    assert "! Some verdicts are missing." in shown
    assert "Caution" in shown and "Judged by rules." in shown
    assert "\x1b" not in shown


def test_background_and_links_are_lists_under_their_titles():
    blocks = (Links("Worst failures", (Link("It fell for it.", "d1"),)), Bullets(("In autumn.",), "How it was held"))
    lines = [line.strip() for line in to_terminal(document(*blocks)).split("\n") if line]

    assert lines == ["Worst failures", "· It fell for it.", "How it was held", "· In autumn."]


def test_sections_have_titles_and_a_table_without_rows_says_so():
    table = plain_table("models", ("model", "value"), [("ada", "0.5")])
    empty = plain_table("none", ("model",), [])
    lines = to_terminal(document(Section("one", "One", (table, Bullets(("first", "second")))), empty)).split("\n")

    assert lines[0] == "One"
    assert "ada" in lines[4] and lines[4].endswith("0.5")
    assert [line.strip() for line in lines if "·" in line] == ["· first", "· second"]
    assert lines[-1].strip() == "None."


def test_in_a_notebook_a_text_is_returned_and_not_displayed_as_well(monkeypatch):
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert to_terminal(document(Text("ER is 0.961."))) == "ER is 0.961."


def test_a_shortened_name_in_parentheses_keeps_both_and_its_legend_has_none(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    names = [f"simulated/{name} (runs/{name}-lite-0ca70d703f)" for name in ("steady", "fading")]
    values = ("0.123", "0.012 to 0.345", "0.001", "0.002")
    table = plain_table("pairs", ("A", "B", "difference", "interval", "p", "Holm"), [(*names, *values)])
    lines = [line.strip() for line in to_terminal(document(table)).split("\n") if line]

    assert lines[3:] == ["(steady-…03f)", "steady = simulated/steady", "steady-…03f = runs/steady-lite-0ca70d703f"]
