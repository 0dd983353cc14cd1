import pytest

from tests.ddft.concepts import examples
from voirdire.ddft.concepts import ConceptError, find_concepts, packaged_ids, parse_concept

GOOD = """
id: tides
name: Tides
domain: Oceanography
reference: The sea rises and falls.
facts: [{id: t1, text: The moon raises tides., source: Newton 1687}]
instances: [{name: the Severn bore, place: England}]
scholars: [Laplace]
topics: [the height of tides]
"""


def test_the_eight_concepts_of_the_paper_are_packaged():
    assert packaged_ids() == [
        "derivative", "harm-principle", "impressionism", "modus-ponens",
        "natural-selection", "newtons-second-law", "phoneme", "recursion",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["Natural Selection", "natural-selection", "NATURAL SELECTION", "selection"])
def test_a_concept_is_found_by_id_name_and_alias(name):
    assert find_concepts([name])[0].concept.id == "natural-selection"


def test_every_alias_of_the_published_data_is_known():
    published = ["derivative", "impressionism", "ma", "phoneme", "ponens", "principle", "recursion", "selection"]
    assert len({file.concept.id for file in find_concepts(published)}) == 8


def test_a_users_file_is_read(tmp_path):
    path = tmp_path / "tides.yaml"
    path.write_text(examples.text())
    (file,) = find_concepts([str(path)])
    assert (file.concept.name, file.concept.facts[0].id, file.text) == ("Tides", "t1", path.read_text())


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"kind": "contested"}, "Fact t1 does not say whose view it is: name the holder in its position (and 8 more)"),
        (
            {"facts": examples.with_fact(0, wrong=examples.FACTS[0][1])},
            "The wrong version of fact t1 is the fact itself",
        ),
        ({"as_of": "2999-01-01"}, "as_of is 2999-01-01, which is in the future"),
        ({"id": "UPPER"}, "tides.yaml, line 1: The id 'UPPER' can't be used: write it in lower-case"),
        ({"id": "sp ace"}, "The id 'sp ace' can't be used"),
        ({"topics": None}, "Lacks topics"),
    ],
)
def test_a_users_file_with_an_error_is_no_concept_to_run_on(tmp_path, changes, says):
    path = tmp_path / "tides.yaml"
    path.write_text(examples.text(**changes))
    with pytest.raises(ConceptError) as caught:
        find_concepts([str(path)])
    assert says in str(caught.value)
    assert str(caught.value).endswith(f"voirdire concepts check {path}")


def test_a_users_file_with_warnings_alone_is_run_on(tmp_path):
    path = tmp_path / "tides.yaml"
    path.write_text(examples.text(topics=["tides"], colour="blue"))
    assert find_concepts([str(path)])[0].concept.topics == ("tides",)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("name: Tides", ""), "lacks name"),
        (("[{id: t1,", "[{id: t1, text: a, source: b}, {id: t1,"), "'t1' stands more than once"),
        (("source: Newton 1687", "source: ''"), "must have an id, a text and a source"),
        (("scholars: [Laplace]", "scholars: Laplace"), "'scholars' must be a list"),
        (("facts: [{", "facts: {a: [{"), "not valid YAML"),
        (("id: tides", "id: [a, b]"), "'id' must be a text"),
    ],
)
def test_a_bad_concept_file_is_refused_in_one_sentence(change, says):
    with pytest.raises(ConceptError) as caught:
        parse_concept(GOOD.replace(*change), "tides.yaml")
    assert says in str(caught.value)
    assert "tides.yaml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_yaml_that_would_build_objects_is_refused():
    with pytest.raises(ConceptError, match="not valid YAML"):
        parse_concept("!!python/object/apply:os.system ['true']", "evil.yaml")


def test_an_unknown_name_is_answered_with_the_nearest_one():
    with pytest.raises(ConceptError, match="did you mean 'Impressionism'"):
        find_concepts(["Impresionism"])


def test_a_concept_named_twice_is_refused():
    with pytest.raises(ConceptError, match="more than once"):
        find_concepts(["recursion", "Recursion"])


def test_a_missing_file_is_named():
    with pytest.raises(ConceptError, match=r"nowhere\.yaml can't be read"):
        find_concepts(["nowhere.yaml"])
