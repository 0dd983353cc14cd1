from hypothesis import given
from hypothesis import strategies as st

from voirdire.text.shortening import beginning, excerpt, shortened

NAMES = ["simulated/subject?accuracy=0.6", "simulated/subject?accuracy=0.8&sd=0.6", "openai/gpt"]


def test_names_fit_and_stay_apart():
    for width in (8, 12, 20):
        found = shortened(NAMES, width)
        assert list(found) == NAMES
        assert max(map(len, found.values())) <= width
        assert len(set(found.values())) == len(NAMES)
    assert shortened(NAMES, 8)["openai/gpt"] == "gpt"


def test_names_that_would_be_the_same_are_numbered():
    assert shortened(["a/model", "b/model"], 10) == {"a/model": "model", "b/model": "model~2"}


def test_a_run_in_brackets_leaves_the_name_of_the_model():
    names = ["simulated/fading (runs/a)", "simulated/fading (runs/b)"]
    assert list(shortened(names, 20).values()) == ["fading (runs/a)", "fading (runs/b)"]


@given(st.text(max_size=2000), st.integers(min_value=5, max_value=50))
def test_the_beginning_of_a_text_is_one_line_and_says_when_something_is_missing(text, limit):
    line = beginning(text, limit)
    assert len(line) <= limit
    assert line.split() == line.rstrip("…").split() or line.endswith("…")
    assert "\n" not in line
    if len(" ".join(text.split())) > limit:
        assert line.endswith("…")


@given(st.text(st.characters(codec="ascii"), max_size=300), st.text(st.characters(codec="ascii"), max_size=10))
def test_an_excerpt_is_one_line_of_a_text(text, part):
    line = excerpt(text, part, 60)
    assert len(line) <= 60 and "\n" not in line
    assert line.strip("…") in " ".join(text.split())


def test_an_excerpt_has_the_part_wherever_it_stands():
    text = "Delivery within ten miles costs " + "very " * 40 + "little: 12 pounds for each parcel" + " or box" * 30
    line = excerpt(text, "12 pounds", 60)
    assert "12 pounds" in line and line.startswith("…very") and line.endswith("…") and len(line) <= 60
    assert excerpt(text, "Delivery within", 60) == excerpt(text, "nowhere", 60) == beginning(text, 60)
    assert excerpt("It costs 12 pounds.", "12 pounds", 60) == "It costs 12 pounds."
