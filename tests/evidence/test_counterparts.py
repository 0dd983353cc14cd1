from pathlib import Path

import pytest

from voirdire.data.packaged_files import parse_yaml
from voirdire.evidence import ContextIndex, find_contradictions

CASES = parse_yaml(Path(__file__).with_name("counterparts.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("context", "sentence", "quote"), [tuple(case.values()) for case in CASES])
def test_the_sentence_that_a_reader_would_compare_is_quoted(context, sentence, quote):
    first, *_ = find_contradictions(sentence, ContextIndex.from_context(context))
    assert quote in first.context_sentence
