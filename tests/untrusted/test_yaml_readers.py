"""Every reader of YAML takes a changed file or refuses it in a sentence: no other error, and nothing is touched."""

import os
import warnings
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cli.here import voirdire
from tests.untrusted.changing import bytes_changed, changed, is_sentence
from voirdire.adapters.gate_limits import read_limits
from voirdire.data import packaged_files
from voirdire.ddft.concepts import ConceptError, find_concepts
from voirdire.ddft.concepts.loader import concept_of
from voirdire.ddft.drafting.document import read_document, text_of_html
from voirdire.ddft.presets import PresetError, PresetNote, load_preset, parse_preset
from voirdire.detectors.contrastive import read_contrasts
from voirdire.integrity.facts import read_facts
from voirdire.integrity.taxonomy import load_taxonomy

CONCEPT = packaged_files.read_yaml("concepts/recursion.yaml")
CONCEPT |= {"facts": CONCEPT["facts"][:3], "scholars": CONCEPT["scholars"][:2], "real": {}}
PRESET = {
    **packaged_files.read_yaml("presets/as-run.yaml"),
    "roles": {"judge": {"base_url": "http://localhost:1/v1", "api_key_env": "KEY", "price_per_million": [1, 2]}},
}
TAXONOMY = packaged_files.read_yaml("integrity/taxonomy.yaml")
LIMITS = {"min": {"ER": 0.5}, "max": {"danger_zone_pct": 10}, "bound": True}
FACTS = {"facts": [{"id": "A", "text": "Water is wet.", "central": True, "children": [{"text": "Ice is not."}]}]}
CONTRASTS = [{"reference": "R", "claim": "C", "wrong": "faithful", "right": "invented", "reason": "So."}]


def read_preset(path: Path) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PresetNote)
        return load_preset(str(path))


READERS = {
    "concept": (CONCEPT, lambda path: find_concepts([str(path)])),
    "preset": (PRESET, read_preset),
    "taxonomy": (TAXONOMY, load_taxonomy),
    "limits": (LIMITS, lambda path: read_limits(file=path)),
    "facts": (FACTS, read_facts),
    "contrasts": (CONTRASTS, read_contrasts),
}
EXAMPLES = int(os.environ.get("VOIRDIRE_EXAMPLES", "15"))
"""Of each kind of file; set it higher to look for longer."""


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_a_changed_file_is_read_or_refused_in_a_sentence(tmp_path_factory, name, data):
    valid, read = READERS[name]
    path = tmp_path_factory.getbasetemp() / f"{name}.yaml"
    if data.draw(st.booleans()):
        path.write_text(yaml.safe_dump(data.draw(changed(valid))))
    else:
        path.write_bytes(data.draw(bytes_changed(yaml.safe_dump(valid).encode())))
    try:
        read(path)
    except Exception as error:
        assert is_sentence(error), repr(error)


@pytest.mark.parametrize("name", READERS)
def test_the_files_that_are_changed_are_themselves_read(tmp_path, name):
    valid, read = READERS[name]
    (tmp_path / "a.yaml").write_text(yaml.safe_dump(valid))
    assert read(tmp_path / "a.yaml")


@settings(max_examples=EXAMPLES, deadline=None)
@given(raw=bytes_changed(b"<h1>Tides</h1><p>Water rises&hellip;<script>x</script><!-- [ --> <![CDATA[ </p>"))
def test_a_changed_document_is_read_or_refused_in_a_sentence(tmp_path_factory, raw):
    path = tmp_path_factory.getbasetemp() / "a.html"
    path.write_bytes(raw)
    try:
        read_document(path)
    except Exception as error:
        assert is_sentence(error), repr(error)


@pytest.mark.parametrize("unended", ["<!--", "<a ", "<a b='", "</", "<", "<![", "<a =", "&#1", "<script>", "<p><b "])
def test_a_page_of_tags_that_never_end_is_read_in_a_moment(unended):
    """The standard library's parser takes hours for the largest of them."""
    assert text_of_html("<p>Tides</p>" + unended * 20_000).startswith("Tides")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"scholars": ["A Name"] * 501}, "'scholars' has 501 entries; at most 500"),
        ({"facts": [{"id": f"f{n}", "text": "T.", "source": "S"} for n in range(501)]}, "'facts' has 501 entries"),
        ({"name": "x" * 2_001}, "'name' has 2,001 characters; at most 2,000"),
        ({"reference": "x " * 25_001}, "'reference' has 50,002 characters; at most 50,000"),
    ],
)
def test_a_concept_beyond_the_limits_is_refused(change, says):
    with pytest.raises(ConceptError) as caught:
        concept_of({**CONCEPT, **change}, "x.yaml")
    assert says in str(caught.value)


def test_a_preset_that_extends_itself_is_refused(tmp_path):
    (tmp_path / "a.yaml").write_text(f"extends: {tmp_path / 'a.yaml'}")
    with pytest.raises(PresetError, match=r"^\S+a\.yaml extends itself: \S+a\.yaml → \S+a\.yaml\.$"):
        load_preset(str(tmp_path / "a.yaml"))


def test_a_preset_that_is_reached_from_itself_over_others_is_refused_with_the_way(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.yaml").write_text("extends: deep/b.yaml")
    (tmp_path / "deep" / "b.yaml").write_text("extends: ../a.yaml")
    with pytest.raises(PresetError, match="extends itself") as caught:
        load_preset(str(tmp_path / "a.yaml"))
    assert ".." not in str(caught.value)


def test_a_long_chain_of_presets_is_refused(tmp_path):
    for number in range(9):
        (tmp_path / f"{number}.yaml").write_text(f"extends: {number + 1}.yaml")
    (tmp_path / "9.yaml").write_text("extends: sound")
    with pytest.raises(PresetError, match="more than 8 times"):
        load_preset(str(tmp_path / "0.yaml"))


@pytest.mark.parametrize(
    "text",
    [
        "levels: 0.5",
        "concepts: recursion",
        "samples: true",
        "samples: 10000000",
        "subject_temperature: .nan",
        "name_concept: 5",
        "description: [a]",
        "roles: {judge: {base_url: 5}}",
        "jury: {5: 1}",
        "levels: [.nan]",
    ],
)
def test_a_preset_whose_setting_is_of_another_kind_is_refused(text):
    with pytest.raises(PresetError):
        parse_preset(text, "x.yaml", "x")


def test_a_preset_that_sends_calls_elsewhere_says_so(tmp_path):
    (tmp_path / "a.yaml").write_text("extends: sound\nroles: {subject: {base_url: 'https://else.example/v1'}}")
    with pytest.warns(PresetNote, match="of the role subject sent to else.example, with your key"):
        load_preset(str(tmp_path / "a.yaml"))


def test_a_bad_file_ends_a_command_with_one_line_and_exit_code_1(tmp_path):
    path = tmp_path / "bomb.yaml"
    path.write_text("- " * 200 + "id: \x1b[2J")
    for command in (["concepts", "check", path], ["integrity", "score", path, "--facts", path]):
        done = voirdire(*command, check=False)
        assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
