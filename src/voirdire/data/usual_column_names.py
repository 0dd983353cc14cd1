"""What columns of other people's tables are usually called, by our name for them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

USUAL: Mapping[str, tuple[str, ...]] = {
    "item": (
        *("item", "item_id", "sample_id", "question_id", "doc_id", "instance_id", "example_id", "prompt_id", "task_id"),
        *("id", "case", "case_id", "test_id", "utterance", "utterance_id"),
    ),
    "model": ("model", "model_name", "model_id", "system", "generator", "candidate"),
    "score": (
        *("score", "correct", "is_correct", "accuracy", "acc", "exact_match", "passed", "value", "preference"),
        *("f1", "em", "reward", "rating", "grade"),
    ),
    "judge": ("judge", "annotator", "grader", "rater", "scorer"),
    "cluster": ("cluster", "dataset", "subject", "category", "passage", "group", "topic", "document"),
    "epoch": ("epoch", "trial", "repeat", "run", "attempt", "repetition"),
    "attempts": ("attempts", "num_attempts", "n_attempts", "tries", "num_tries"),
    "prompt": ("prompt", "instruction", "question", "input", "query"),
    "output": (
        *("output", "response", "completion", "generation", "prediction", "hypothesis"),
        *("model_output", "model_answer", "generated_text", "generated_answer", "reply"),
    ),
    "reference": (
        *("reference", "target", "gold", "expected", "ground_truth"),
        *("expected_output", "correct_answer", "gold_answer"),
    ),
}
"""What columns are usually called, the most telling name first."""
NONE_NAMED: Mapping[str, str] = MappingProxyType({})


def usual_columns(
    names: Sequence[str], usual: Mapping[str, Sequence[str]], named: Mapping[str, str] = NONE_NAMED
) -> dict[str, str]:
    """Which columns hold what: as the user has named them, else by their usual names.

    Case, spaces and signs do not count: "Item ID" is item_id.

    Args:
        names: of a table's columns.
        usual: by our name, what such a column is usually called, the most telling name first.
        named: by our name, the column that the user has named.
    """
    known = {_plain(name): name for name in reversed(names) if name not in named.values()}
    results = {
        ours: known[_plain(name)]
        for ours, some in usual.items()
        if (name := next((each for each in some if _plain(each) in known), ""))
    }
    return {**results, **named}


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
