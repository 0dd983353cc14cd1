import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.text.markdown import code, unmarked


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>", "[a](javascript:alert(1))", "`x` ![p](http://x)", "a\n\n# b", "\x1b[31m"]
)
def test_a_name_in_a_card_is_code_whatever_it_says(name):
    shown = code(name)

    assert shown.startswith("`") and shown.endswith("`") and "`" not in shown[1:-1]
    assert "\n" not in shown and "\x1b" not in shown


@given(st.text(st.characters(), max_size=20))
def test_any_text_stays_in_its_one_line(text):
    assert code(text).count("`") == 2 and len(code(text).splitlines()) == 1


@pytest.mark.parametrize(
    ("marked", "bare"),
    [
        ("4. Open the app.", "Open the app."),
        ("- Open the **app**.", "Open the app."),
        ("* [x] (a) Open the `app`.", "Open the app."),
        ("iv) Open the app.", "Open the app."),
        ("## Open the _app_", "Open the app"),
        ("Open the app [1] and wait [2, 5].", "Open the app and wait."),
        ("See [1](page.html), a[0] and [sic].", "See [1](page.html), a and [sic]."),
        ("1) Wait 3 days.", "Wait 3 days."),
        ("1907. That was the year.", "1907. That was the year."),
        ("30. September 2019 was cold.", "30. September 2019 was cold."),
        ("-5 °C is cold.", "-5 °C is cold."),
        ("2 * 3 is 6, a_b is none.", "2 * 3 is 6, a_b is none."),
        ("3.", "3."),
        ("*", "*"),
    ],
)
def test_a_sentence_without_list_marks_and_emphasis(marked, bare):
    assert unmarked(marked) == bare
