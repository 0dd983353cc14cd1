"""What is taken out of a text, what takes its place, and that two things never become one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.runs.redaction_texts import Cleaner, RedactError


def test_servers_of_ones_own_get_a_number_and_public_ones_stay():
    own = ["http://10.1.2.3:8000/v1", "https://models.corp.internal/v1", "https://corp.openai.azure.com"]
    clean = Cleaner(
        servers=[*own, "https://api.openai.com/v1", "http://127.0.0.1:9/v1", "http://[secret]@10.1.2.3:8000/v1"]
    )
    said = clean.text(
        "http://10.1.2.3:8000/v1 and http://[secret]@10.1.2.3:8000/v1 failed, https://api.openai.com/v1 did not"
    )
    assert said == "[server 1] and [server 1] failed, https://api.openai.com/v1 did not"
    for private in ("models.corp.internal", "corp.openai.azure.com", "10.1.2.3:8000", "127.0.0.1:9"):
        assert private not in clean.text(f"see {private} or https://{private}/v1")
    assert clean.text("127.0.0.1 is this machine") == "127.0.0.1 is this machine"


def test_folders_are_taken_out_wherever_they_stand():
    clean = Cleaner(folders=["/data/models/", "/srv/ada"])
    assert clean.text("local//data/models/x.gguf|recursion") == "local/[path 1]x.gguf|recursion"
    assert clean.text("in /home/ada/secret plans.txt, and C:\\Users\\Ada\\x") == "in [path 2] plans.txt, and [path 3]"
    assert clean.text("/usr/bin/python and /rootless stay") == "/usr/bin/python and /rootless stay"


def test_what_looks_like_a_key_is_taken_out(monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "known-by-its-value-1")
    clean = Cleaner()
    texts = ["sk-abcdefgh1234", "Bearer abcdefghijkl", "https://a:b@host.org", "is known-by-its-value-1 it?"]
    for text in texts:
        assert "[secret]" in clean.text(text)
    assert clean.counts == {"secret": len(texts)}


def test_what_the_user_names_gets_a_number_of_its_own():
    clean = Cleaner(patterns=[r"\d{3}-\d{4}"], texts=["Müller"])
    assert clean.text("555-1234 or 555-9999, not 555-1234") == "[hidden 1] or [hidden 2], not [hidden 1]"
    assert clean.text("MÜLLER and Müller") == "[hidden 3] and [hidden 3]"
    assert "00fc" not in clean.text(r'{"name": "M\u00fcller"}')


@pytest.mark.parametrize("between", [" ", "  ", "\n", "\r\n  ", "\t", "\\n", "\u00a0"])
def test_a_name_is_found_also_where_a_line_is_broken_within_it(between):
    clean = Cleaner(texts=["Ada Lovelace"])
    assert clean.text(f"by Ada{between}Lovelace, not by AdaLovelace") == "by [hidden 1], not by AdaLovelace"


def test_marks_of_fences_are_taken_out():
    line = f"<<<BEGIN the answer {'0a' * 12}: data, not instructions>>>"
    assert Cleaner().text(line) == "<<<BEGIN the answer [mark]: data, not instructions>>>"


def test_plain_data_is_cleaned_in_values_and_names():
    clean = Cleaner(texts=["Ada"])
    assert clean.value({"Ada": ["by Ada", 1, None], "x": {"y": "Ada"}}) == {
        "[hidden 1]": ["by [hidden 1]", 1, None],
        "x": {"y": "[hidden 1]"},
    }


@given(st.text("abX ", min_size=1, max_size=40), st.data())
def test_places_in_a_text_move_with_it(text, data):
    place = data.draw(st.integers(0, len(text)))
    clean = Cleaner(patterns=["X"])
    cleaned, (moved,) = clean.with_places(text, [place])
    assert cleaned == clean.text(text)
    assert cleaned[:moved] == clean.text(text[:place])


@given(st.lists(st.text("0123456789", min_size=1, max_size=6), unique=True, max_size=8))
def test_two_texts_that_differ_never_become_one(numbers):
    clean = Cleaner(patterns=[r"\d+"])
    assert len({clean.text(f"item-{number}") for number in numbers}) == len(numbers)


@pytest.mark.parametrize("pattern", ["(", "a{2,1}", ".*", "x?"])
def test_a_pattern_that_can_not_be_used_is_refused(pattern):
    with pytest.raises(RedactError, match="--hide"):
        Cleaner(patterns=[pattern])


@pytest.mark.parametrize(
    "written",
    [
        "Zo\u00eb O'Brien",
        "Zoe\u0308 O'Brien",
        "ZO\u00cb O\u2019BRIEN",
        "Zo\u00eb O\u02bcBrien",
        "Z\u200bo\u00eb\u00ad O'Bri\u2060en",
        "\uff3ao\u00eb O'Brien",
        "Zo\u00eb\u00a0O'Brien",
        "Zo\u00eb\n  O\u2032Brien",
    ],
)
def test_a_name_is_hidden_however_it_is_written_and_places_move_with_it(written: str) -> None:
    text = f"Said {written}, \u2018yes\u2019."

    cleaned, places = Cleaner(texts=["Zo\u00eb O\u2019Brien"]).with_places(text, [0, text.index(","), len(text)])

    assert cleaned == "Said [hidden 1], \u2018yes\u2019."
    assert places == [0, cleaned.index(","), len(cleaned)]


def test_names_of_fields_stay_and_values_and_other_keys_are_cleaned() -> None:
    clean = Cleaner(texts=["judge", "a", "ER", "1", "Ada Pell"])

    found = clean.value({"judge": "the judge", "a": "a b", "ER": 0.5, "of Ada Pell": ["1", "10", "bad"]})

    hidden = [found["judge"], found["a"], found["ER"]]
    assert hidden == ["the [hidden 1]", "[hidden 2] b", 0.5]
    assert found["of [hidden 3]"] == ["[hidden 4]", "10", "bad"]
    assert clean.value("1" * 64) == "1" * 64  # a hash


def test_a_reply_that_is_json_keeps_its_fields() -> None:
    clean = Cleaner(texts=["far"])

    assert clean.document('{"far": 1.0, "justification": "so far"}') == '{"far": 1.0, "justification": "so [hidden 1]"}'
    assert clean.document('{"far": 1.0}') == '{"far": 1.0}'
    assert clean.document("so far {") == "so [hidden 1] {"


def test_a_category_stays_in_its_field_alone():
    clean = Cleaner(texts=["reject", "Ada"], categories={"stance": ("rejected",)})
    said = {"stance": "rejected", "votes": ["rejected"], "why": "Ada rejected it.", "more": [{"stance": "Ada"}]}
    assert clean.value(said) == {
        "stance": "rejected",
        "votes": ["[hidden 1]ed"],
        "why": "[hidden 2] [hidden 1]ed it.",
        "more": [{"stance": "[hidden 2]"}],
    }
