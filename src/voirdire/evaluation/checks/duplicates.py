"""Does an item stand in the data twice: in the same words, in nearly the same, or as a row again?"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from voirdire.evaluation.checks.check import MOST_QUOTES, Check, graded, not_measured, quote
from voirdire.evaluation.records import Evaluation, Places
from voirdire.evaluation.rewording import asks_of_another, is_reworded, without_courtesies
from voirdire.evaluation.texts import plain, plain_texts_of, shingles, texts_of
from voirdire.reason_codes import reason
from voirdire.text.smalltalk import is_refusal

WARN_DUPLICATES, FAIL_DUPLICATES = 0.005, 0.05
_RARE = 4
"""Items that a run of words may stand in to tell them: in more, it is a template."""
_ALIKE = 0.6
"""Of the runs of words of two prompts that both have (Jaccard), from which they are one item.

Another word changes four runs of some twenty.
"""
_OTHER_RUNS = 6
"""Runs of words that two such prompts may have alone: one word takes four."""
_LONG = 12
"""Words of a prompt that can be compared by its runs of words."""
_MOST_PAIRS = 200_000
_SHORT = 6
"""Words: shorter outputs and references are answers that unlike items may share."""


def duplicate_items(evaluation: Evaluation) -> Check:
    """Items whose prompt and options are those of another one, and rows that stand twice. Value: their share.

    Prompts that differ in case and punctuation are one; so are long ones with nearly the same words and numbers, and
    short ones that differ in a courtesy, or in a plain word, where all models gave the same outputs to both. Where
    models were judged against one another, each two may be asked the same.
    """
    id = "duplicate_items"
    rows_again, rows_n = _rows_again(evaluation)
    if not evaluation.has("prompt") and not rows_again.size:
        return not_measured(id, evaluation, "evaluation_no_prompts")
    rows = evaluation.rows
    prompts = plain_texts_of(evaluation, "prompt").codes
    firsts = np.flatnonzero(~rows["item"].duplicated().to_numpy() & (prompts >= 0))
    groups = _same_items(evaluation, firsts) if firsts.size else []
    if groups and len({len(group) for group in groups}) == 1 and sum(map(len, groups)) >= 0.9 * len(firsts):
        groups = []  # every item as often: repetitions that have ids of their own
    again = sum(len(group) - 1 for group in groups)
    n = max(len(firsts), 1)
    share = max(again / n, len(rows_again) / max(rows_n, 1))
    shown = [group[1] for group in groups] or rows_again.tolist()
    if not firsts.size:
        result = reason("evaluation_duplicate_rows", rows=len(rows_again), of=rows_n)
    elif len(rows_again) and not again:
        result = reason("evaluation_rows_alone", rows=len(rows_again), of=rows_n, items=len(firsts))
    elif len(rows_again):
        result = reason("evaluation_duplicates_and_rows", items=again, of=len(firsts), rows=len(rows_again))
    elif groups:
        repeated, by = (str(rows["item"].iloc[row]) for row in groups[0][:2])
        result = reason("evaluation_duplicates", items=again, of=len(firsts), repeated=repeated, by=by)
    else:
        result = reason("evaluation_no_duplicates", of=len(firsts))
    return Check(
        id,
        graded(share, WARN_DUPLICATES, FAIL_DUPLICATES),
        evaluation.name,
        result,
        share,
        len(firsts) or rows_n,
        quotes=tuple(quote(evaluation, int(row), "prompt") for row in shown[:MOST_QUOTES]),
        details={"groups": [[str(rows["item"].iloc[row]) for row in group] for group in groups[:20]]},
    )


CHECKS = (duplicate_items,)


def _rows_again(evaluation: Evaluation) -> tuple[Places, int]:
    """Rows that repeat model, item, judge, epoch, score and output of an earlier one; and how many rows there are.

    Where all items stand as often, they are repetitions without a number.
    """
    rows = evaluation.rows
    judges = len(evaluation.judges) + 1
    cell = evaluation.codes("model") * len(evaluation.items) + evaluation.codes("item")
    epoch = np.unique(rows["epoch"].fillna(-1.0).to_numpy(), return_inverse=True)[1]
    key = (cell * judges + evaluation.codes("judge") + 1) * (int(epoch.max(initial=0)) + 1) + epoch
    key = 3 * key + rows["position"].fillna(0.0).to_numpy().astype(np.intp)  # both orders of a pair
    _, number, counts = np.unique(key, return_inverse=True, return_counts=True)
    if counts.max(initial=1) == 1 or (counts == counts.max()).mean() > 0.5:
        return np.zeros(0, dtype=np.intp), len(rows)
    score = np.unique(rows["score"].fillna(-np.inf).to_numpy(), return_inverse=True)[1]
    whole = np.column_stack([number, score, texts_of(evaluation, "output").codes])
    _, first = np.unique(whole, axis=0, return_index=True)
    seen = np.ones(len(rows), dtype=bool)
    seen[first] = False
    return np.flatnonzero(seen), len(rows)


def _same_items(evaluation: Evaluation, firsts: Places) -> list[list[int]]:
    """Groups of first rows of items that are one, the largest first."""
    prompt = plain_texts_of(evaluation, "prompt")
    choices, references = evaluation.rows["choices"].to_numpy(), plain_texts_of(evaluation, "reference").codes
    given_to = evaluation.given_to[evaluation.codes("item")]
    exact: dict[tuple[int, int, object], list[int]] = defaultdict(list)
    for row in firsts.tolist():
        options = tuple(sorted(map(plain, choices[row]))) if choices[row] else None
        exact[int(given_to[row]), int(prompt.codes[row]), options].append(row)
    parent = {group[0]: group[0] for group in exact.values()}

    def root(row: int) -> int:
        while parent[row] != row:
            row = parent[row]
        return row

    heads = [group[0] for group in exact.values()]
    for a, b in (*_near(heads, prompt.unique, prompt.codes), *_reworded(evaluation, heads)):
        same_options = not choices[a] or set(map(plain, choices[a])) == set(map(plain, choices[b] or ()))
        if (
            given_to[a] == given_to[b]
            and same_options
            and (references[a] == references[b] or min(references[a], references[b]) < 0)
        ):
            parent[root(b)] = root(a)
    groups: dict[int, list[int]] = defaultdict(list)
    for group in exact.values():
        groups[root(group[0])] += group
    return sorted(
        (sorted(group) for group in groups.values() if len(group) > 1), key=lambda group: (-len(group), group)
    )


def _reworded(evaluation: Evaluation, rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Pairs of rows whose prompts differ in a few words, and whose items were answered alike by every model."""
    prompts, items, known = evaluation.rows["prompt"].to_numpy(), evaluation.codes("item"), _Answered(evaluation)
    alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for row in rows:
        if (answers := known.by_item.get(int(items[row]))) is not None:
            alike[answers].append(row)
    for answers, members in alike.items():
        politely: dict[str, int] = {}
        for row in members:
            first = politely.setdefault(without_courtesies(prompts[row]), row)
            if first != row:
                yield first, row
        heads = list(politely.values())
        if 1 < len(heads) <= _RARE and (own := known.telling(answers)):
            pairs = combinations(heads, 2)
            yield from ((a, b) for a, b in pairs if is_reworded(prompts[a], prompts[b], replaced=own > 1))


class _Answered:
    """What every model said to an item, or, without outputs, its reference: as numbers of texts, by model."""

    def __init__(self, evaluation: Evaluation) -> None:
        column = "output" if evaluation.has("output") else "reference"
        self._texts = texts_of(evaluation, column)
        size, code = len(evaluation.models) if column == "output" else 1, self._texts.codes
        model = evaluation.codes("model") if column == "output" else np.zeros(len(code), dtype=np.intp)
        known = np.flatnonzero(code >= 0)
        cells, first = np.unique(evaluation.codes("item")[known] * size + model[known], return_index=True)
        answers = np.full((len(evaluation.items), size), -1)
        answers[cells // size, cells % size] = code[known][first]
        self.by_item = {item: tuple(own) for item, own in enumerate(answers.tolist()) if max(own) >= 0}
        self._items = [Counter(column) for column in answers.T.tolist()]

    def telling(self, answers: tuple[int, ...]) -> int:
        """How many of the answers are no usual ones: long, given to few items, and no refusals."""
        return sum(
            code >= 0 and self._items[model][code] <= _RARE and self._says_much(self._texts.unique[code])
            for model, code in enumerate(answers)
        )

    @staticmethod
    def _says_much(text: str) -> bool:
        return len(text.split()) >= _SHORT and not is_refusal(text)


def _near(rows: Sequence[int], texts: Sequence[str], codes: Places) -> Iterator[tuple[int, int]]:
    """Pairs of rows whose prompts share most of their runs of words, beside those of a template, and all numbers."""
    run, of = shingles(texts[codes[row]] for row in rows)
    if not run.size:
        return
    _, number = np.unique(run, return_inverse=True)
    cells = np.unique(number * len(rows) + of)
    number, place = cells // len(rows), cells % len(rows)
    counts = np.bincount(number)
    own = counts[number] <= max(_RARE, 0.02 * len(rows))  # not of a template
    size = np.bincount(place[own], minlength=len(rows))
    shared: Counter[tuple[int, int]] = Counter()
    informative = own & (counts[number] > 1) & (counts[number] <= _RARE)
    order = np.argsort(number[informative], kind="stable")
    numbers, places = number[informative][order], place[informative][order]
    for group in np.split(places, np.flatnonzero(np.diff(numbers)) + 1):
        members = group.tolist()
        shared.update((a, b) for i, a in enumerate(members) for b in members[i + 1 :])
        if len(shared) > _MOST_PAIRS:
            return
    for (a, b), both in sorted(shared.items()):
        one, other = texts[codes[rows[a]]], texts[codes[rows[b]]]
        if min(size[a], size[b]) < _LONG - 4 or both < _ALIKE * (size[a] + size[b] - both):
            continue
        if max(size[a], size[b]) - both > _OTHER_RUNS:  # two questions on one passage
            continue
        if re.findall(r"\d+", one) == re.findall(r"\d+", other) and not asks_of_another(one, other):
            yield rows[a], rows[b]
