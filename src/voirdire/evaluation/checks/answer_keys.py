"""Keys that look wrong: models that know the answers agree on another one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from voirdire.evaluation.answers import Answers, answers_of
from voirdire.evaluation.checks.check import SURE, Check, Quote, Status, not_measured
from voirdire.evaluation.records import Evaluation, Floats, Places
from voirdire.reason_codes import reason
from voirdire.stats import special
from voirdire.text.shortening import beginning

WARN_SUSPECTS, FAIL_SUSPECTS = 0.02, 0.05
"""Share of items; the best known benchmarks have a few percent of wrong keys."""
WARN_OPEN = 0.01
"""The same of open answers, where models that err hardly ever meet."""
_KNOWS = 0.5
"""Share of the answers that a model must know, beyond what a guess gets right, for its wrong answers to say something
of the key."""
_AGREE = 0.8
"""Of the models that must give one and the same other answer."""
_FEWEST_ITEMS = 10
_FEWEST_OPEN = 3
"""Suspects among open answers: two are nothing."""
_CLOSED, _ITEMS_A_KEY = 10, 3
"""Different keys of texts that are labels, and how many items there must be for each."""
_AMONG_KEYS = 0.9
"""Of the answers, those that are some item's key, where texts are labels."""
_ATTRACTIVE = 1.5
"""How many times as often as evenly drawn wrong options two models that err meet, before the data say more: some wrong
options look right."""
_MEET_OPEN, _MEET_MOST = 0.1, 0.9
"""How often they meet in an open answer, before the data say more; and how often at most."""
_WEIGHT, _KNOWN = 10, 30
"""Items that these numbers weigh as much as, and items that would tell them as surely as they are known."""
_QUANTILES = (np.arange(20) + 0.5) / 20
"""At which what is not known for sure is averaged."""
_READ = 0.9
"""Of the outputs that have a reference: where fewer could be read, that is why too little is known."""


class _Given(NamedTuple):
    """Answers by model and item, as numbers."""

    answers: Places
    """Shape (models, items), -1 where it is not known; of repetitions the one that is given in most of them."""
    right: Places
    """Shape (items,)."""
    guess: Floats
    """Shape (items,): chance that a guess is right; 0 where answers are open."""
    items: Places
    """Shape (items,): places in the evaluation's items."""

    @property
    def is_wrong(self) -> np.ndarray:
        """Shape (models, items)."""
        return np.asarray((self.answers >= 0) & (self.answers != self.right))


class _Agreed(NamedTuple):
    """On what some models agree against the key."""

    places: Places
    """Shape (n,): places of the items."""
    answer: Places
    """Shape (n,)."""
    expected: float
    """How many items one would expect, if all keys are right."""
    chance: float
    """Of so many or more, then."""
    at_risk: int
    """Items on which so many of the models err that they could agree."""

    @property
    def wrong_keys(self) -> float:
        """How many keys are wrong, if models agree on all of those and on others by chance: perhaps below 0."""
        by_chance = self.expected / max(self.at_risk, 1)
        return (len(self.places) - self.expected) / (1 - by_chance) if by_chance < 1 else 0.0


def wrong_key_suspects(evaluation: Evaluation) -> Check:
    """Items whose key most strong models contradict with one and the same other answer. Value: their share.

    Models err on the same items, the hard ones. So it is taken as given which of them err on an item, and counted how
    often those meet in one wrong answer. How often they do by chance is learned from items whose key a strong model
    confirms. Of two options there is one wrong one, in which all meet: such items tell nothing.
    """
    id = "wrong_key_suspects"
    answers = answers_of(evaluation)
    unread = _unread(evaluation, answers)
    if not len(answers.known):
        return unread or not_measured(id, evaluation, "evaluation_few_answers")
    given = _given(evaluation, answers)
    if given.answers.shape[1] < _FEWEST_ITEMS:
        only_two = len(np.unique(evaluation.codes("item")[answers.known])) >= _FEWEST_ITEMS
        return not_measured(id, evaluation, "evaluation_two_options" if only_two else "evaluation_few_answers")
    ability = _ability(given)
    if (~np.isnan(ability)).sum() < 2:
        return unread or not_measured(id, evaluation, "evaluation_few_answers")
    strong = _strong(given, ability)
    if len(strong) < 2:
        return unread or not_measured(id, evaluation, "evaluation_no_strong")
    meet = _meet(given, strong)
    answering = np.flatnonzero(~np.isnan(ability))
    result = _agreed(given, strong, meet)
    chance = result.chance
    if len(strong) < len(answering):  # two looks at the same items
        chance = 2 * min(chance, _agreed(given, answering, meet).chance)
    items, is_open = len(given.items), bool((given.guess == 0).all())
    n = _times(given, result)
    order = np.argsort(-n, kind="stable")
    names = [evaluation.items[given.items[place]] for place in result.places[order]]
    return Check(
        id,
        _status(result, chance < SURE, items, is_open=is_open),
        evaluation.name,
        reason(
            "evaluation_suspects" if names else "evaluation_no_suspects",
            items=len(names),
            of=items,
            strong=len(strong),
            expected=result.expected,
            ids=tuple(names),
        ),
        len(names) / items,
        items,
        quotes=tuple(
            Quote(
                evaluation.items[given.items[result.places[at]]],
                "",
                beginning(
                    f"the key says {answers.names[given.right[result.places[at]]]}, {n[at]} models say "
                    f"{answers.names[result.answer[at]]}",
                    300,
                ),
            )
            for at in order
        ),
        details={
            "items": names,
            "expected": result.expected,
            "strong": [evaluation.models[place] for place in strong],
            "agree_by_chance": float(meet.mean()),
        },
    )


CHECKS = (wrong_key_suspects,)


def _unread(evaluation: Evaluation, answers: Answers) -> Check | None:
    """Why nothing is measured, where the answers of many outputs could not be read."""
    has_output = evaluation.rows["output"].notna().to_numpy() & (answers.right >= 0)
    read, of = int((has_output & (answers.given >= 0)).sum()), int(has_output.sum())
    if read >= _READ * of:
        return None
    return not_measured("wrong_key_suspects", evaluation, "evaluation_answers_not_told", read=read, of=of)


def _status(result: _Agreed, surprising: bool, items: int, *, is_open: bool) -> Status:
    share = len(result.places) / items
    if not surprising or (is_open and len(result.places) < _FEWEST_OPEN):
        return "pass"
    if result.wrong_keys / items >= FAIL_SUSPECTS:
        return "fail"
    return "warn" if share >= (WARN_OPEN if is_open else WARN_SUSPECTS) else "pass"


def _given(evaluation: Evaluation, answers: Answers) -> _Given:
    """What each model answered to each item with more than two options, or with none."""
    model, item = evaluation.codes("model"), evaluation.codes("item")
    options = _options(answers)
    rows = answers.known[~np.isin(options[answers.known], (1, 2))]
    items, number = np.unique(item[rows], return_inverse=True)
    right, guess = np.full(len(items), -1, dtype=np.intp), np.zeros(len(items))
    right[number[::-1]] = answers.right[rows[::-1]]  # the first row is written last
    np.divide(1.0, options[rows], out=(chances := np.zeros(len(rows))), where=options[rows] > 0)
    guess[number[::-1]] = chances[::-1]
    settled = _settled(np.column_stack([number, model[rows], answers.given[rows]]))
    result = np.full((len(evaluation.models), len(items)), -1, dtype=np.intp)
    result[settled[:, 1], settled[:, 0]] = settled[:, 2]
    return _Given(result, right, guess, items)


def _options(answers: Answers) -> Places:
    """Among how many options a model chose, by row; texts that are labels are options, too. 0 where it is open."""
    known = answers.known
    if (answers.options[known] > 0).any():
        return answers.options
    keys = np.unique(answers.right[known])
    is_closed = len(keys) <= min(_CLOSED, len(known) / _ITEMS_A_KEY)
    if is_closed and np.isin(answers.given[known], keys).mean() >= _AMONG_KEYS:
        return np.full(len(answers.options), len(keys), dtype=np.intp)
    return answers.options


def _settled(given: Places) -> Places:
    """Item, model and answer, where a model gave that answer in most of its repetitions of the item.

    Args:
        given: shape (rows, 3): item, model, answer.
    """
    pairs, counts = np.unique(given, axis=0, return_counts=True)
    _, group = np.unique(pairs[:, :2], axis=0, return_inverse=True)
    group = np.asarray(group).ravel()
    return np.asarray(pairs[2 * counts > np.bincount(group, counts)[group]])


def _ability(given: _Given) -> Floats:
    """Shape (models,): the share of answers that each knows, beyond those that a guess gets right; NaN without any."""
    known = given.answers >= 0
    n = known.sum(axis=1)
    right = (known & (given.answers == given.right)).sum(axis=1)
    guessed = (known * given.guess).sum(axis=1)
    result = np.full(len(n), np.nan)
    np.divide(right - guessed, n - guessed, out=result, where=n - guessed > 0)
    return result


def _strong(given: _Given, ability: Floats) -> Places:
    """Models whose answers say something of the key: those that know most of them, and of many the better half.

    The two best are among them, if they know so many: half of two is one. Items whose key these contradict count
    neither for nor against them.
    """
    known = np.sort(ability[~np.isnan(ability)])
    best = np.flatnonzero(ability >= min(float(np.median(known)), float(known[-2])))
    answers = given.answers.copy()
    answers[:, _contradicted(given, best)[0]] = -1
    return best[_ability(given._replace(answers=answers))[best] >= _KNOWS]


def _meet(given: _Given, strong: Places) -> Floats:
    """How often two models that err on an item meet in one answer: quantiles of what is known of it.

    From items whose key a strong model confirms; until there are many, drawn to what is usual.
    """
    confirmed = (given.answers[strong] == given.right).any(axis=0)
    wrong = given.is_wrong & confirmed
    n = wrong.sum(axis=0)
    model, item = np.nonzero(wrong & (n >= 2))
    _, of, counts = _counted(item, given.answers[model, item])
    equal = np.bincount(of, counts * (counts - 1.0), minlength=len(n))
    share = equal[n >= 2] / (n * (n - 1.0))[n >= 2]
    usual = np.where(given.guess > 0, _ATTRACTIVE * given.guess / (1 - given.guess), _MEET_OPEN).mean()
    mean = (share.sum() + _WEIGHT * min(usual, _MEET_MOST)) / (len(share) + _WEIGHT)
    known = len(share) + _KNOWN
    return np.asarray(special.betaincinv(mean * known, (1 - mean) * known, _QUANTILES), dtype=np.float64)


def _agreed(given: _Given, models: Places, meet: Floats) -> _Agreed:
    """Items on which most of some models give one and the same wrong answer, beside how many one would expect."""
    places, answer, need = _contradicted(given, models)
    n = given.is_wrong[models].sum(axis=0)
    could = np.flatnonzero(n >= need)
    pairs, times = np.unique(np.column_stack([need[could], n[could]]), axis=0, return_counts=True)
    tails = special.bdtrc(pairs[:, :1] - 1, pairs[:, 1:], meet) / meet
    expected = times @ np.minimum(tails, 1.0)  # one for each quantile
    count = len(places)
    chance = float(np.mean(special.bdtrc(count - 1, len(could), expected / len(could)))) if count else 1.0
    return _Agreed(places, answer, float(np.mean(expected)), chance, len(could))


def _contradicted(given: _Given, models: Places) -> tuple[Places, Places, Places]:
    """Items on which most of some models give one wrong answer, that answer; and of all items, how many are most."""
    asked = (given.answers[models] >= 0).sum(axis=0)
    need = np.maximum(2, np.ceil(_AGREE * asked - 1e-9)).astype(np.intp)
    model, item = np.nonzero(given.is_wrong[models])
    answer, of, counts = _counted(item, given.answers[models[model], item])
    agree = counts >= need[of]
    return of[agree], answer[agree], need


def _counted(item: Places, answer: Places) -> tuple[Places, Places, Places]:
    """Different answers by item: the answer, its item, and how many gave it."""
    pairs, counts = np.unique(np.column_stack([item, answer]), axis=0, return_counts=True)
    return pairs[:, 1], pairs[:, 0], counts


def _times(given: _Given, result: _Agreed) -> Places:
    """How many of all models give the answer that is agreed on."""
    return np.asarray((given.answers[:, result.places] == result.answer).sum(axis=0), dtype=np.intp)
