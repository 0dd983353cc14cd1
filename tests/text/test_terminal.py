import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.text.terminal import inert, inert_json

ACTIVE = {
    "colour": "\x1b[31m",
    "a link (OSC 8)": "\x1b]8;;http://example.invalid\x07",
    "the clipboard (OSC 52)": "\x1b]52;c;cm0gLXJm\x07",
    "the title": "\x1b]0;title\x1b\\",
    "C1 control sequence": "\x9b2J",
    "a line over another": "shown\rhidden",
    "backspace": "a\bb",
    "right to left": "\u202etxt.exe",
    "isolate": "\u2066x\u2069",
    "line separator": "a\u2028b",
    "tags": "a\U000e0041b",
    "half a character": "\ud800",
    "delete": "\x7f",
}
FORBIDDEN = {*map(chr, range(32)), *map(chr, range(0x7F, 0xA0)), *"\u202e\u2066\u2069\u2028\ufeff\ud800"} - {"\n", "\t"}


@pytest.mark.parametrize("kind", ACTIVE)
def test_nothing_reaches_a_terminal_that_it_would_act_on(kind):
    shown = inert(ACTIVE[kind])

    assert not FORBIDDEN & set(shown)
    assert "\U000e0041" not in shown
    shown.encode()


@given(st.text(st.characters(), max_size=30))
def test_whatever_stands_in_a_text_is_inert_and_in_json_means_the_same(text):
    assert not FORBIDDEN & set(inert(text))
    assert inert(inert(text)) == inert(text)

    said = inert_json(json.dumps([text], ensure_ascii=False))
    assert not FORBIDDEN & set(said)
    assert json.loads(said) == [text]


def test_ordinary_texts_stay():
    for text in ("naïve", "two\nlines\tand a tab", "👨🏻‍🚒", "שלום", "日本語", "a\u200db"):
        assert inert(text) == text
    assert inert("one\r\ntwo") == "one\ntwo"
