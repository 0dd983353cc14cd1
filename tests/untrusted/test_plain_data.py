"""`data.untrusted`: what every reader of YAML, JSON and plain files stands on."""

import os

import pytest

from voirdire.data import untrusted

BOMB = "a: &a [x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join(f'*{old}' for _ in range(9))}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGES = BOMB.replace("a: &a [x, x]", "a: &a {x: 1}").replace("[", "{<<: [").replace("]", "]}")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("!!python/object/apply:os.system ['true']", "could not determine a constructor for the tag"),
        ("!!python/name:os.system", "could not determine a constructor"),
        ("!!set {a: 1}", "could not determine a constructor"),
        ("!!binary aGk=", "could not determine a constructor"),
        (BOMB, "more than 50,000 values, its aliases written out"),
        (MERGES, "more than 50,000 values, its aliases written out"),
        ("&a [*a]", "an alias that stands within what it stands for"),
        ("*a", "found undefined alias"),
        ("[" * 5_000, "nested more than 64 levels deep"),
        ("{a: " * 5_000, "nested more than 64 levels deep"),
        ("\n".join(" " * depth + "-" for depth in range(500)), "nested more than 64 levels deep"),
        ("a: 1\nb: 2\na: 3", "line 3, has the key 'a' twice"),
        ("b: {a: 1, a: 1}", "has the key 'a' twice"),
        ("a: " + "9" * 5_000, "a number of 5,000 characters"),
        ("a: " + ":".join("1" * 50_000), "a number of 99,999 characters"),
        ("a: 0x" + "f" * 50_000, "a number of 50,002 characters"),
        ('a: "\\ud800"', "half a character"),
        ("a: \0", "not valid YAML"),
        ("a: \x07", "not valid YAML"),
        ("!!bool maybe", "not valid YAML"),
        ("!!int ''", "not valid YAML"),
        ("!!timestamp x", "not valid YAML"),
        ("a: 2025-99-99", "month must be in 1..12"),
        ("{[1]: 2}", "unhashable key"),
        ("--- a\n--- b", "found another document"),
        ("a: [", "not valid YAML (expected the node content, but found '<stream end>')."),
        (
            "a: b\nc: [{d: When?, e: f}]",
            "line 2, is not valid YAML (expected ',' or '}', but got '?'); put a text that has ? ",
        ),
        (
            "a: b\nc: Right: yes or no",
            "(mapping values are not allowed here); put a text that has : in it into quotes.",
        ),
        ("a: b\nc: {d\ne: f", "close the { of line 2, or put a text that begins with it into quotes."),
        ("a: @b", "put a text that has @ in it into quotes."),
    ],
)
def test_yaml_that_is_more_than_plain_data_is_refused(text, says):
    with pytest.raises(untrusted.UntrustedError) as caught:
        untrusted.yaml_of(text)
    assert says in caught.value.of("x.yaml") and "\n" not in str(caught.value)


def test_plain_yaml_with_a_few_aliases_and_merges_is_read():
    text = "a: &a {x: 1}\nb: {<<: *a, y: 2}\nc: [*a, 2025-06-30, true, ~, 1.5]\n"
    read = untrusted.yaml_of(text)
    assert read["b"] == {"x": 1, "y": 2}
    assert read["c"][0] == {"x": 1} and read["c"][2:] == [True, None, 1.5]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"a": 1, "a": 2}', "twice"),
        ("[NaN]", "NaN"),
        ("1e999", "1e999"),
        ("9" * 5_000, "digits"),
        ('"\\ud800"', "half a character"),
        ('{"a":', "not valid JSON"),
        ("", "not valid JSON"),
    ],
)
def test_json_that_cannot_be_used_is_refused(text, says):
    with pytest.raises(untrusted.UntrustedError, match=says):
        untrusted.json_of(text)


def test_files_that_are_none_or_too_large_or_no_text_are_refused(tmp_path):
    (tmp_path / "large").write_bytes(b"x" * 11)
    (tmp_path / "latin").write_bytes(b"a\nb\xe9")
    (tmp_path / "nul").write_bytes(b"a\n\nb\0")
    (tmp_path / "bom").write_bytes("\ufeffa\r\nb".encode())
    os.mkfifo(tmp_path / "pipe")
    for name, says in {
        "large": "has 11 bytes; at most 10 are read",
        "latin": "line 2, is not UTF-8",
        "nul": "line 3, holds a NUL character",
        "pipe": "no plain file",
        "none": "No such file",
        ".": "can't be read",
        "a\0b": "its name holds a NUL character",
    }.items():
        with pytest.raises(untrusted.UntrustedError) as caught:
            untrusted.read_text(tmp_path / name, 10)
        assert says in caught.value.of("f")
    assert untrusted.read_text(tmp_path / "bom", 10) == "a\nb"
    with pytest.raises(untrusted.UntrustedError, match="can't be read"):  # a device without an end
        untrusted.read_bytes(type(tmp_path)("/dev/zero"), 10)


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a/b", "a\\b", "", ".", "..", "a\0b", 5, None, ["a"]])
def test_a_name_that_leads_out_of_a_folder_is_refused(tmp_path, name):
    with pytest.raises(untrusted.UntrustedError, match="plain name of a file"):
        untrusted.plain_path(tmp_path, name)


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "link").symlink_to("/etc/passwd")
    with pytest.raises(untrusted.UntrustedError, match="holds link as a link"):
        untrusted.plain_path(tmp_path, "link")
    assert untrusted.plain_path(tmp_path, "facts.yaml") == tmp_path / "facts.yaml"
