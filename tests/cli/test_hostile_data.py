"""What stands in data reaches a terminal as text: it moves no cursor, sets no title, links nowhere, styles nothing."""

import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import pytest

from tests.cli.here import voirdire
from voirdire.cli import _output
from voirdire.documents.cells import plain_table
from voirdire.documents.document import Text, document
from voirdire.reports.formats.terminal import to_terminal
from voirdire.reports.formats.terminal.console import InertConsole
from voirdire.text.terminal import Rendered

ATTACK = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\u202eflip [bold]b[/] [link=http://x.invalid]l[/link] [/nope] \ud800"
RAW = {"\x07", "\x9b", "\r", "\u202e", "\ud800"}


class Terminal(StringIO):
    def isatty(self):
        return True


@pytest.fixture
def hostile(tmp_path):
    """A log whose every text is an attack."""
    path = tmp_path / "log.jsonl"
    answer = f"{ATTACK} Loyal customers enjoy generous birthday surprises."
    path.write_text(json.dumps({"id": ATTACK, "context": "Refunds.", "question": ATTACK, "answer": answer}))
    return path


def on_a_terminal(*arguments):
    said, told = Terminal(), Terminal()
    before, sys.argv = sys.argv, ["voirdire", *map(str, arguments)]
    try:
        with redirect_stdout(said), redirect_stderr(told), pytest.raises(SystemExit):
            from voirdire.cli import main

            main()
    finally:
        sys.argv = before
    return said.getvalue(), told.getvalue()


def test_detect_prints_hostile_answers_as_text(hostile):
    said, _ = on_a_terminal("detect", hostile)

    assert "birthday surprises" in said and "[link=http://x.invalid]" in said
    assert not RAW & set(said)
    assert "\x1b]" not in said and "\x1b[2J" not in said and "␛]0;owned" in said
    assert "\x1b[1m" in said  # our own bold id


def test_json_says_the_same_without_a_raw_control(hostile):
    said, _ = on_a_terminal("detect", hostile, "--json")

    assert not (RAW | {"\x1b"}) & set(said)
    assert json.loads(said)["id"] == ATTACK.replace("\ud800", "\ufffd")


def test_an_error_and_a_note_are_inert(tmp_path):
    path = tmp_path / "a\x1b[31m\r.jsonl"
    done = voirdire("detect", path, check=False)

    assert done.returncode == 1
    assert not (RAW | {"\x1b"}) & set(done.stderr)
    assert "␛[31m␍.jsonl" in done.stderr


def test_tags_in_data_are_text_in_tables_too():
    tags = "[link=http://x.invalid]l[/link] [/nope] [blink]b[/blink] [@click=x]c"
    shown = to_terminal(document(Text("[bold]a[/]"), plain_table("names", ("name",), [(tags,)]), Text("[/] \x1b[31m")))

    assert "[bold]a[/]" in shown and tags in shown and "[/] ␛[31m" in shown


def test_our_own_colours_reach_a_terminal_and_nothing_else_does(monkeypatch):
    out = Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    console = InertConsole(file=(drawn := StringIO()), force_terminal=True)
    console.print("ours \x1b[31mtheirs", style="bold")
    _output.say(Rendered(drawn.getvalue()))
    _output.say("\x1b[32mtheirs too")

    assert "\x1b[1mours" in out.getvalue()
    assert "\x1b[31m" not in out.getvalue() and "\x1b[32m" not in out.getvalue()


def test_a_report_is_handed_over_as_it_is_but_not_to_a_terminal(monkeypatch):
    for out, expected in ((StringIO(), "a\x1b[31mb\n"), (Terminal(), "a␛[31mb\n")):
        monkeypatch.setattr(sys, "stdout", out)
        _output.hand_over("a\x1b[31mb\n")
        assert out.getvalue() == expected
