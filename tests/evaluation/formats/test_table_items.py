"""Which rows of a table are items."""

import pandas as pd
import pytest

from voirdire.evaluation.checks.aggregates import headline_recomputed
from voirdire.evaluation.formats.columns import Mapped, named_columns
from voirdire.evaluation.formats.long_table import read_frame


def read(rows, **columns):
    with named_columns(Mapped(columns)):
        return read_frame(pd.DataFrame(rows))


def answers(**more):
    """Eight items, of which a gets six right and b four."""
    return [
        {"item": f"q{n}", "model": model, "score": int(n < right), **more}
        for model, right in (("a", 6), ("b", 4))
        for n in range(8)
    ]


@pytest.mark.parametrize(
    ("name", "printed", "status"),
    [
        ("AVERAGE", (0.75, 0.5), "pass"),
        ("Mean", (0.75, 0.9), "fail"),
        ("total", (6, 4), "pass"),
        ("Sum", (6, 7), "fail"),
    ],
)
def test_a_summary_row_is_no_item_and_is_held_against_the_items(name, printed, status):
    rows = [{"item": name, "model": model, "score": score} for model, score in zip("ab", printed, strict=True)]
    found = read(answers() + rows)
    assert len(found.items) == 8
    assert str(found.notes[-1]).endswith(f"left out, and compared with what the items give: “{name}”")
    assert headline_recomputed(found).status == status


def test_an_item_of_that_name_is_an_item_where_it_was_asked_or_not_of_all_models():
    asked = [{"item": "all", "model": model, "score": 1, "prompt": "all"} for model in "ab"]
    for rows in (asked, [{"item": "all", "model": "a", "score": 1}]):
        found = read(answers() + rows)
        assert (len(found.items), found.printed) == (9, ())


def by_language(other="", **more):
    return [
        {"id": n, "model": model, "prompt": f"{language} {n}{other if model == 'b' else ''}", "score": n % 2, **more}
        for model in "ab"
        for language in ("en", "de", "ja")
        for n in range(4)
    ]


def test_ids_that_stand_for_the_same_prompts_in_all_models_are_no_items():
    found = read(by_language())
    assert len(found.items) == 12
    assert str(found.notes[-1]).startswith("4 ids stand for 12 items with prompts of their own, the same in all models")
    assert str(found.notes[-1]).endswith("--map item=prompt")


def test_ids_of_repetitions_and_of_other_prompts_stay():
    assert len(read(by_language(other="!")).items) == 4
    assert len(read(by_language(epoch=1)).items) == 4
