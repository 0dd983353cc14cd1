"""Answers beside their keys: answers that were misread, letters that win, guesses that do as well."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from voirdire.evaluation.answers import answers_of, ending_answer, final_answer, is_number, last_number, normal_answer
from voirdire.evaluation.checks.check import (
    MOST_QUOTES,
    SURE,
    Check,
    Quote,
    Status,
    graded,
    not_measured,
    share_of_rows,
)
from voirdire.evaluation.headline import headlines
from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.texts import Bools, texts_of
from voirdire.evaluation.unanswered import is_error, no_answers
from voirdire.reason_codes import reason
from voirdire.stats import special
from voirdire.text.smalltalk import is_refusal

WARN_MISREAD, FAIL_MISREAD, MISREAD = 0.02, 0.10, 0.005
"""A correct scorer may still differ in a few answers that look right by their form."""
WARN_POSITION, FAIL_POSITION = 0.08, 0.20
"""How much more often a place is chosen, or wins, than the key allows: a share of all items."""
_FEWEST = 20
_FEW = 5
"""Items below which the commonest answer is that of an item or two."""
_ENOUGH = 50
"""Items from which a model that is not surely better than a guess can be said to guess."""
_LABEL = re.compile(r"(?:(?:final|correct|expected) )?(?:answer|target|label|output)\s*:\s*", re.I)
"""What an assertion may want before the answer."""
_NUMBER = re.compile(
    r"[\d½¼¾∞\\]|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|teen|twenty|thirty|forty|fifty"
    r"|hundred|thousand|million|half|dozen|no\b|none|never|pi\b|[^\x00-\x7f]"
)
"""A number in digits, in words or in a script that we don't read."""
_EDGE = 0.05
_BOTH_ORDERS = 0.95
"""Share of the outputs that are judged first and second, from which what order does evens out."""
_SURE_END = 1.96
"""A trivial baseline that lies this far above chance has learned something from the items' form."""


def unparsed(evaluation: Evaluation) -> Check:
    """Outputs that are scored against what they plainly say.

    Scored wrong while the reference stands as the final answer, scored right while another one does or none, read as
    something else, or scored once right and once wrong in the same words. Value: the share in the model with most of
    them.
    """
    id = "unparsed"
    if not evaluation.by_reference:
        return not_measured(id, evaluation, "evaluation_not_by_reference")
    rows = evaluation.rows
    score, bounds = rows["score"].to_numpy(np.float64), evaluation.bounds or (0.0, 1.0)
    reference, output, answer = (rows[name].to_numpy() for name in ("reference", "output", "answer"))
    target, choices = rows["target"].to_numpy(np.float64), rows["choices"].to_numpy()
    keyed = rows["reference"].notna().to_numpy() | ~np.isnan(target)
    among = keyed & rows["output"].notna().to_numpy() & (~np.isnan(score) | rows["answer"].notna().to_numpy())
    if not among.any():
        return not_measured(id, evaluation, "evaluation_no_references")
    wrong = (score <= bounds[0]) if evaluation.higher_is_better else (score >= bounds[1])
    right = (score >= bounds[1]) if evaluation.higher_is_better else (score <= bounds[0])
    judged = bool(evaluation.judges)
    none = no_answers(evaluation, lambda text: is_error(text) or is_refusal(text))
    hits, read = np.zeros(len(rows), dtype=bool), rows["answer"].notna().to_numpy(copy=True)
    for row in np.flatnonzero(among):
        keys = _keys(reference[row], target[row], choices[row])
        if keys:
            read[row] |= _can_be_read(output[row], keys)
            hits[row] = _misread(output[row], answer[row], keys, bool(wrong[row]), bool(right[row]), judged=judged)
            hits[row] |= bool(right[row]) and not judged and _says_nothing(output[row], keys, none=bool(none[row]))
    if not judged:
        both_ways, compared = _scored_both_ways(evaluation, among & right, among & wrong)
        hits |= both_ways
        read |= compared
    outputs, among = int(among.sum()), among & (read | hits)
    if not among.any():
        return not_measured(id, evaluation, "evaluation_answers_unread", of=outputs)
    return share_of_rows(id, evaluation, hits, among, warn=WARN_MISREAD, fail=FAIL_MISREAD, base=MISREAD)


def position_association(evaluation: Evaluation) -> Check:
    """Places that are chosen, or win, whatever stands there. Value: the largest excess, as a share of the items.

    Of options: a place is given wrongly more often than wrong answers spread evenly would be. Of pairs: the score when
    the judge saw the output first, against second.
    """
    id = "position_association"
    pair = _pair_order(evaluation)
    letters = _letters(evaluation)
    if pair is None and not letters:
        few = bool((answers_of(evaluation).options[answers_of(evaluation).known] >= 2).any())
        return not_measured(id, evaluation, "evaluation_too_few_items" if few else "evaluation_no_positions")
    measures = max(len(letters), 1)
    sure = {name: each for name, each in letters.items() if each[2] < SURE / measures}
    worst = max((each[0] for each in letters.values()), default=0.0)
    gravest = max((each[0] for each in sure.values()), default=0.0)
    details = {"options": {name: {"place": "ABCDEFGHIJ"[each[1]], "excess": each[0]} for name, each in letters.items()}}
    if pair is not None and pair[2] < SURE and abs(pair[0]) >= gravest:
        code = "evaluation_first_wins" if pair[0] > 0 else "evaluation_second_wins"
        by_order: Status = graded(abs(pair[0]), WARN_POSITION, FAIL_POSITION)
        if _in_both_orders(evaluation):
            code, by_order = f"{code}_evened_out", "pass"
        result = reason(code, excess=abs(pair[0]))
        return Check(id, by_order, evaluation.name, result, abs(pair[0]), pair[1], details=details)
    if pair is not None and not letters and (most := abs(pair[0]) + _SURE_END * pair[3]) >= FAIL_POSITION:
        few_pairs = reason("evaluation_too_few_pairs", pairs=pair[1], most=min(most, 1.0))
        return Check(id, "not_measured", evaluation.name, few_pairs)
    status: Status = graded(gravest, WARN_POSITION, FAIL_POSITION)
    models = tuple(sorted((name for name in sure if sure[name][0] >= WARN_POSITION), key=lambda name: -sure[name][0]))
    n = len(answers_of(evaluation).known) if letters else (pair[1] if pair else 0)
    value = worst if letters else abs(pair[0]) if pair else 0.0
    place = "ABCDEFGHIJ"[letters[models[0]][1]] if models else ""
    code = "evaluation_place_wins" if models else "evaluation_places_even"
    result = reason(code, model=models[0] if models else "", place=place, excess=value)
    quotes = tuple(
        Quote("", name, f"{'ABCDEFGHIJ'[sure[name][1]]}: {100 * sure[name][0]:.1f} % more than its share")
        for name in models[:MOST_QUOTES]
    )
    return Check(id, status, evaluation.name, result, value, n, models, quotes, details)


def baseline(evaluation: Evaluation) -> Check:
    """Models beside answers that need no model: the commonest right one, the longest option, a guess.

    Value: the accuracy of the best of them. It fails where one that beats a guess is as good as the best model, and
    warns where a model is surely no better, or the best model is not above it.
    """
    id = "baseline"
    if not evaluation.by_reference:
        return not_measured(id, evaluation, "evaluation_not_by_reference")
    if not evaluation.higher_is_better:
        return not_measured(id, evaluation, "evaluation_no_accuracy")
    result = _trivial(evaluation)
    if result is None or not result[0]:
        keyed = evaluation.has("reference") or evaluation.has("target")
        return not_measured(id, evaluation, "evaluation_no_trivial" if keyed else "evaluation_no_references")
    trivial, items = result
    if items < _FEW:
        return not_measured(id, evaluation, "evaluation_too_few_items")
    scores = {name: each.value for name, each in headlines(evaluation).items() if each.value is not None}
    if not scores or evaluation.bounds is None or evaluation.bounds[1] <= evaluation.bounds[0]:
        return not_measured(id, evaluation, "evaluation_no_references")
    low, high = evaluation.bounds
    top = max(trivial, key=lambda name: trivial[name])
    value, guess = trivial[top], trivial.get("guess", 0.0)
    unit = {name: (score - low) / (high - low) for name, score in scores.items()}
    best = max(unit, key=lambda name: unit[name])
    floor = value if top != "commonest" or _surely_below(guess, value, items) else guess
    beaten = [name for name in unit if _no_better(unit[name], floor, items)]
    learned = value - guess >= _EDGE and _surely_below(guess, value, items) and items >= _FEWEST
    status: Status = "pass"
    if learned and unit[best] <= value + _EDGE / 5:
        status = "fail"
    elif beaten or unit[best] <= value or (top == "longest" and learned and value - guess >= 3 * _EDGE):
        status = "warn"
    code = f"evaluation_baseline_{top}" if status != "pass" else "evaluation_above_baseline"
    found_out = reason(code, value=value, best=unit[best])
    if beaten:
        found_out = reason("evaluation_baseline_beats", baseline=found_out, models=len(beaten), of=len(unit))
    return Check(
        id,
        status,
        evaluation.name,
        found_out,
        value,
        items,
        tuple(sorted(beaten, key=lambda name: unit[name])),
        tuple(Quote("", name, f"{unit[name]:.3f}, {top} {value:.3f}") for name in beaten[:MOST_QUOTES]),
        {"baselines": trivial},
    )


CHECKS = (unparsed, position_association, baseline)


def _keys(reference: str | None, target: float, choices: tuple[str, ...] | None) -> frozenset[str]:
    """All that counts as the right answer, normalised: lines of the reference, the right option and its letter."""
    matches = [] if reference is None else [line for line in reference.split("\n") if 0 < len(line.strip()) <= 80]
    matches += [line[label.end() :] for line in matches if (label := _LABEL.match(line))]
    place = -1 if np.isnan(target) else int(target)
    if place < 0 and choices and len(matches) == 1 and len(matches[0].strip()) == 1:
        place = "ABCDEFGHIJ".find(matches[0].strip().upper())
    if choices and 0 <= place < len(choices):
        matches += [choices[place], "ABCDEFGHIJ"[place : place + 1]]
    return frozenset(normal for each in matches if (normal := normal_answer(each)))


def _misread(output: str, answer: str | None, keys: frozenset[str], wrong: bool, right: bool, *, judged: bool) -> bool:
    final = final_answer(output)
    if wrong and final is not None and _says(final, keys):
        return True
    if wrong and all(map(is_number, keys)) and (number := last_number(output)) and _is_telling(number):
        return _says(number, keys)
    if judged:
        return False
    if wrong and (ends := ending_answer(output)) is not None and _is_telling(ends) and _says(ends, keys):
        return True
    marked = final_answer(output, marked=True)
    if marked is None:
        return False
    plain = normal_answer(marked)
    if right and _comparable(plain) and all(map(_comparable, keys)) and not _says(marked, keys):
        return True
    read = normal_answer(answer) if answer is not None else None
    if right and read == plain and _only_mentioned(output, marked, keys):
        return True
    if read is None or not _comparable(plain):
        return False
    return bool(read != plain and not _says(marked, frozenset((read,))) and (_comparable(read) or "invalid" in read))


def _can_be_read(output: str, keys: frozenset[str]) -> bool:
    """Whether an output marks its answer, or ends on it; where the keys are numbers, on a number."""
    readings = (final_answer(output), ending_answer(output), last_number(output))
    known = [normal_answer(each) for each in readings[:2] if each is not None]
    return any(map(is_number, known)) or readings[2] is not None if all(map(is_number, keys)) else bool(known)


def _says_nothing(output: str, keys: frozenset[str], *, none: bool) -> bool:
    """Whether an output has none of the keys, and is no answer, or has no number where all keys are."""
    if _has_one(output, keys):
        return False
    if none:
        return not any(is_error(key) or is_refusal(key) for key in keys)
    return all(map(is_number, keys)) and bool(output.strip()) and _NUMBER.search(output.lower()) is None


def _scored_both_ways(evaluation: Evaluation, right: Bools, wrong: Bools) -> tuple[Bools, Bools]:
    """Rows whose output to its item is scored right here and wrong there; and all whose output was given again.

    Of each such group the rarer score's rows; where both are as many and the output has the reference, the wrong ones.
    """
    rows = evaluation.rows
    reference = rows["reference"].to_numpy()
    keyed = pd.factorize(np.array([f"{a}\0{b}" for a, b in zip(reference, rows["target"], strict=True)]))[0]
    output = texts_of(evaluation, "output")
    columns = np.column_stack([evaluation.codes("item"), keyed, output.codes])
    _, group = np.unique(columns, axis=0, return_inverse=True)
    group = np.asarray(group).ravel()
    n_right, n_wrong = np.bincount(group, right)[group], np.bincount(group, wrong)[group]
    both = (n_right > 0) & (n_wrong > 0)
    hits = both & ((right & (n_right <= n_wrong)) | (wrong & (n_wrong <= n_right)))
    for row in np.flatnonzero(hits & right & (n_right == n_wrong)):
        hits[row] = not _has_one(output.unique[output.codes[row]], _keys(reference[row], np.nan, None))
    return np.asarray(hits), np.asarray((right | wrong) & (n_right + n_wrong > 1))


def _has_one(output: str, keys: frozenset[str]) -> bool:
    """Whether one of the keys stands in an output as words of its own."""
    low = output.lower()
    return any(re.search(rf"(?<!\w){re.escape(key)}(?!\w)", low) for key in keys)


def _only_mentioned(output: str, final: str, keys: frozenset[str]) -> bool:
    """Whether a key stands in an output, and its final answer has no word of any key."""
    key_words = {word for key in keys for word in re.findall(r"\w+", key)}
    if key_words & set(re.findall(r"\w+", normal_answer(final))):
        return False
    before = output[: output.rfind(final)].lower()
    return any(_is_telling(key) and re.search(rf"\b{re.escape(key)}\b", before) for key in keys)


def _says(text: str, keys: frozenset[str]) -> bool:
    """Whether an answer is one of the keys: as a whole, or a letter before its option."""
    plain = normal_answer(text)
    if plain in keys:
        return True
    lead, _, rest = plain.partition(" ")
    bare = lead.strip("().:*")
    return len(bare) == 1 and bare in keys and (not rest or lead != bare or any(rest == key for key in keys))


def _comparable(text: str) -> bool:
    """Whether an answer is a letter or a number: of others one can't say that two differ in meaning."""
    return (len(text) == 1 and text in "abcdefghij") or is_number(text)


def _is_telling(text: str) -> bool:
    """Whether a text is too long to end a sentence by chance as a key does."""
    return len(normal_answer(text)) >= 2


def _letters(evaluation: Evaluation) -> dict[str, tuple[float, int, float]]:
    """By model: excess of the place that it prefers, that place, and the chance of it.

    Given the items that it gets wrong, each wrong place is as likely as the other ones of that item; the excess is
    what the commonest has above that, as a share of all its items. Exact binomial tail, Bonferroni over places.
    """
    answers, model = answers_of(evaluation), evaluation.codes("model")
    known = answers.known[answers.options[answers.known] >= 2]
    results = {}
    for place in np.unique(model[known]):
        rows = known[model[known] == place]
        given, right, options = answers.given[rows], answers.right[rows], answers.options[rows]
        wrong = given != right
        if len(rows) < _FEWEST or wrong.sum() < 5:
            continue
        size = int(max(options.max(), given.max() + 1))
        even = 1.0 / np.maximum(options[wrong] - 1, 1)
        possible = (np.arange(size) < options[wrong][:, np.newaxis]) & (np.arange(size) != right[wrong][:, np.newaxis])
        expected = (possible * even[:, np.newaxis]).sum(axis=0)
        observed = np.bincount(given[wrong], minlength=size)[:size]
        excess = (observed - expected) / len(rows)
        top = int(excess.argmax())
        n = int(wrong.sum())
        chance = float(special.bdtrc(max(observed[top] - 1, 0), n, min(expected[top] / n, 1.0))) * size
        results[evaluation.models[place]] = (float(excess[top]), top, chance)
    return results


def _pair_order(evaluation: Evaluation) -> tuple[float, int, float, float] | None:
    """Score seen first minus score seen second, within models; rows; the chance of it (normal); its standard error."""
    rows = evaluation.rows
    position, score = rows["position"].to_numpy(np.float64), rows["score"].to_numpy(np.float64)
    known = np.isin(position, (1, 2)) & ~np.isnan(score) & evaluation.one_side
    if known.sum() < _FEWEST:
        return None
    span = 1.0 if evaluation.bounds is None else evaluation.bounds[1] - evaluation.bounds[0]
    model = evaluation.codes("model")
    weight = total = variance = 0.0
    for place in np.unique(model[known]):
        own = known & (model == place)
        first, second = score[own & (position == 1)], score[own & (position == 2)]
        if min(len(first), len(second)) < 5:
            continue
        size = len(first) * len(second) / (len(first) + len(second))
        weight += size
        total += size * (first.mean() - second.mean())
        variance += size**2 * (first.var(ddof=1) / len(first) + second.var(ddof=1) / len(second))
    if not weight or not variance:
        return None
    difference, error = total / weight, float(np.sqrt(variance)) / weight
    chance = 2 * float(special.ndtr(-abs(difference) / error))
    return float(difference / span), int(known.sum()), chance, error / span


def _in_both_orders(evaluation: Evaluation) -> bool:
    """Whether nearly all outputs to an item were judged both first and second."""
    position = evaluation.rows["position"].to_numpy(np.float64)
    cell = evaluation.codes("model") * len(evaluation.items) + evaluation.codes("item")
    first, second = (np.unique(cell[position == place]) for place in (1, 2))
    return len(np.intersect1d(first, second)) >= _BOTH_ORDERS * len(np.union1d(first, second)) > 0


def _trivial(evaluation: Evaluation) -> tuple[dict[str, float], int] | None:
    """Accuracies of answers that need no model, and over how many items."""
    answers = answers_of(evaluation)
    firsts = np.flatnonzero(~evaluation.rows["item"].duplicated().to_numpy() & (answers.right >= 0))
    if not len(firsts):
        return None
    right, options = answers.right[firsts], answers.options[firsts]
    often = int(np.bincount(right).max())
    results = {"commonest": often / len(right)} if often > 1 else {}  # an answer of one item is nobody's habit
    if (options >= 2).all():
        results["guess"] = float((1 / options).mean())
        choices = evaluation.rows["choices"].to_numpy()[firsts]
        if all(each and len(each) > key for each, key in zip(choices, right, strict=True)):
            results["longest"] = float(
                np.mean([_share_of_longest(each, key) for each, key in zip(choices, right, strict=True)])
            )
    return results, len(firsts)


def _share_of_longest(choices: tuple[str, ...], key: int) -> float:
    """1 where the right option alone is longest; shared where several are."""
    lengths = [len(each) for each in choices]
    top = max(lengths)
    return (lengths[key] == top) / lengths.count(top)


def _no_better(share: float, floor: float, n: int) -> bool:
    """Whether a model is surely worse than a trivial answer, or, of enough items, not surely better (5 %)."""
    if n < _ENOUGH:
        return share < floor and _surely_below(share, floor, n)
    return bool(share - floor < 1.645 * np.sqrt(max(floor * (1 - floor), 0.25 / n) / n))


def _surely_below(share: float, other: float, n: int) -> bool:
    """Whether a share of n lies below another value by more than chance (normal, one-sided, 1 %)."""
    error = np.sqrt(max(other * (1 - other), 0.25 / n) / n)
    return bool((other - share) / error > 2.326)
