import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.text.markdown import code


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
