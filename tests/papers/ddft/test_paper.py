"""The packaged record of what the paper prints."""

import re

from tests.support.table_2 import TABLE_2
from voirdire.papers.ddft.paper import COLUMNS, load_paper


def test_it_holds_table_2_and_the_danger_zone_as_printed():
    rows = {
        each.model: (*(each.row[name].value for name in COLUMNS[:5]), each.phenotype, each.row[COLUMNS[5]].value)
        for each in load_paper().models
    }

    assert rows == TABLE_2
    assert list(rows) == list(TABLE_2)


def test_it_says_of_the_models_no_more_than_the_paper():
    stated = {
        each.model: (each.parameters_billion, each.architecture, each.mmlu)
        for each in load_paper().models
        if each.parameters_billion or each.architecture or each.mmlu
    }

    assert stated == {
        "o4-mini": (25, "reasoning", None),
        "grok-4-fast-non-reasoning": (60, "other", None),
        "gpt-5": (175, "reasoning", 88.7),
        "mistral-medium-2505": (None, None, 79.2),
    }
    assert load_paper().model("gpt-oss-120b").vendor is None


def test_every_claim_has_a_stable_id_a_place_and_words_of_its_own():
    claims = load_paper().claims.values()

    assert all(re.fullmatch(r"[a-z0-9]+([-.][a-z0-9]+)*", each.id) for each in claims)
    assert all(each.section and each.says and each.printed for each in claims)
    assert len({each.says for each in claims}) == len(claims)
