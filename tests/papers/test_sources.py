"""The files of what publications print: every claim is computed or says why not, and no sentence is left over."""

import pytest

from voirdire.data import packaged_files
from voirdire.papers.cognibench import arithmetic, labelled
from voirdire.papers.cognibench.study import load_paper as load_cognibench
from voirdire.papers.ddft.decisions import load_predictions
from voirdire.papers.ddft.paper import load_paper as load_ddft
from voirdire.papers.ddft.predictions import ABLATIONS, PREDICTIONS
from voirdire.papers.ddft.replication import functions_of

PREDICTED, ABLATED = load_predictions()
SOURCES = {
    "ddft_paper": (load_ddft().claims, functions_of(load_ddft()), "note"),
    "cognibench_paper": (load_cognibench().claims, {**arithmetic.RESULTS, **labelled.RESULTS}, "note"),
    "ddft_predictions": ({**PREDICTED, **ABLATED}, {**PREDICTIONS, **ABLATIONS}, "condition"),
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_claim_is_computed_or_says_why_not(name):
    claims, functions, _ = SOURCES[name]

    assert functions.keys() <= claims.keys()
    assert all("note" in claims[each].sentences for each in claims.keys() - functions.keys())


@pytest.mark.parametrize("name", SOURCES)
def test_what_is_computed_has_a_definition(name):
    claims, functions, other = SOURCES[name]

    lacking = [each for each in functions if not {"definition", other} & claims[each].sentences]
    assert lacking == []


@pytest.mark.parametrize("name", SOURCES)
def test_no_sentence_belongs_to_no_claim(name):
    claims, _, _ = SOURCES[name]
    words = packaged_files.read_yaml(f"published/{name}.yaml")["words"]

    assert words.keys() - {"shared"} == {
        each.words.removeprefix(f"{name}.") for each in claims.values() if each.sentences
    }
