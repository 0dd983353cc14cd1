import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.detectors.contrastive import Contrast, read_contrasts, used_groups, write_contrasts
from voirdire.detectors.records import LABELS, DetectorError

ONE = Contrast(
    "The ferry ran until 1964.", "It ran until 1970.", "faithful", "invented", "1964 is not 1970.", "ferry", "leap"
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1).map(str.strip).filter(bool)


@given(
    st.lists(
        st.builds(Contrast, TEXTS, TEXTS, st.just("faithful"), st.sampled_from(LABELS[2:]), TEXTS, TEXTS), min_size=1
    )
)
def test_what_is_written_is_read_again_as_it_was(tmp_path_factory, contrasts):
    file = tmp_path_factory.getbasetemp() / "examples.yaml"
    write_contrasts(file, contrasts)
    assert read_contrasts(file) == tuple(contrasts)


def test_an_example_written_by_hand_needs_four_fields(tmp_path):
    file = tmp_path / "e.yaml"
    file.write_text("- {reference: The ferry ran., claim: It flew., wrong: faithful, right: invented, source_group: 7}")
    (found,) = read_contrasts(file)
    assert found == Contrast("The ferry ran.", "It flew.", "faithful", "invented", source_group="7")


def test_the_reason_stands_in_the_file_to_be_edited_and_what_is_empty_does_not(tmp_path):
    write_contrasts(tmp_path / "e.yaml", [Contrast("R.", "C.", "faithful", "invented")])
    text = (tmp_path / "e.yaml").read_text()
    assert "reason: ''" in text and "error:" not in text and text.startswith("#")


def test_groups_of_examples_written_by_hand_are_none():
    assert used_groups([ONE, Contrast("R.", "C.", "faithful", "invented")]) == {"ferry"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "must hold a YAML list"),
        ("reference: x", "must hold a YAML list"),
        ("- x", "example 1 must be a mapping"),
        ("- {reference: R, claim: C, wrong: faithful}", "example 1 lacks right"),
        ("- {reference: ' ', wrong: faithful, right: invented}", "lacks reference and claim"),
        ("- {reference: R, claim: C, wrong: hallu, right: faithful}", "wrong is 'hallu'; the labels are irrelevant, "),
        ("- {reference: R, claim: C, wrong: faithful, right: faithful}", "both 'faithful'"),
        ("- {reference: R, claim: C, wrong: faithful, right: invented, why: x}", "unknown field 'why'"),
        ("- {reference: [R], claim: C, wrong: faithful, right: invented}", "reference must be a text"),
        ("- {reference: R", "is not valid YAML"),
        ("# " + "x" * 1_000_001, "at most 1,000,000 are read"),
    ],
)
def test_what_is_no_list_of_examples_is_named_in_a_sentence(tmp_path, text, says):
    (tmp_path / "e.yaml").write_text(text)
    with pytest.raises(DetectorError, match=says) as error:
        read_contrasts(tmp_path / "e.yaml")
    assert "\n" not in str(error.value)


def test_a_file_that_cannot_be_read_or_written_is_named(tmp_path):
    (tmp_path / "e.yaml").write_bytes(b"\xff\xfe")
    for call in (
        lambda: read_contrasts(tmp_path / "none.yaml"),
        lambda: read_contrasts(tmp_path / "e.yaml"),
        lambda: write_contrasts(tmp_path / "no" / "e.yaml", [ONE]),
    ):
        with pytest.raises(DetectorError, match=r"\.yaml"):
            call()
