"""What models wrote: nothing, the same to unlike items, half a text, a refusal."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from voirdire.evaluation.answers import final_answer, normal_answer
from voirdire.evaluation.checks.check import SURE, Check, not_measured, share_of_rows
from voirdire.evaluation.records import Evaluation, Places
from voirdire.evaluation.texts import Bools, Texts, plain, plain_texts_of, shares_by_model, shingles, texts_of
from voirdire.evaluation.unanswered import is_empty, no_answers
from voirdire.reason_codes import reason
from voirdire.stats import special
from voirdire.text.overlap import FUNCTION_WORDS, words
from voirdire.text.scripts import count_words
from voirdire.text.smalltalk import is_refusal

WARN_EMPTY, FAIL_EMPTY = 0.01, 0.05
WARN_CUT, FAIL_CUT, LOOK_CUT = 0.03, 0.10, 0.015
"""Of sound answers some look cut: up to 1.2 % in 33 models of AlpacaEval, from their endings alone."""
WARN_REFUSED, FAIL_REFUSED, REFUSE = 0.05, 0.15, 0.03
"""Careful models refuse 3 % of everyday instructions, and rightly (claude-2.1 in AlpacaEval)."""
WARN_CONSTANT, FAIL_CONSTANT = 0.04, 0.15
"""A few items have one answer in truth, or are refused in the same words."""

_CUT_REASONS = frozenset(
    ("length", "max_tokens", "max_output_tokens", "model_length", "token_limit", "truncated", "max_new_tokens")
)
_REFUSED_REASONS = frozenset(("content_filter", "refusal", "safety", "blocked", "prohibited_content", "recitation"))
_LOOP = 160
"""Signs of the end of an output that must be one short phrase, repeated, for it to be a loop."""
_LOOPING = re.compile(r"^(?=\W*\w)(.{1,40})\1{3,}(.{0,39})$", re.S)
_CUT_MARK = re.compile(
    r"[\[(<{*](?:\.\.\.|…)?\s*(?:output |text |response |message )?(?:was )?"
    r"(?:truncated|cut off|clipped|omitted)\b[^\n]{0,60}\W$",
    re.I,
)
_SENTENCES = re.compile(r"\w[.!?:;,][\s\"')]|\n|\W```")
"""A text without any of these is no prose, and no word is a wrong one at its end."""
_LONG = 25
"""Words: an answer of fewer need not end like a sentence."""
_CAPPED = 3
"""Outputs of one and the same largest size: two may be chance."""
_BELOW = 0.25
"""Share of the largest size, below it, whose outputs tell how many to expect of any one size."""
_FEW_TOKENS = 16
"""A limit of so few tokens is the size of an answer that is a letter or a number, and cuts nothing."""
_ENOUGH, _NEARLY_ALWAYS, _MOSTLY = 50, 0.99, 0.5
"""Outputs of other models, and the share of them that end in a mark; the share of the model's own that do."""
_CUT, _USUALLY = 5, 0.9
"""Outputs of the largest size without an end, and the share of others that end in a mark, for it to be a cut."""
_SAMPLED = 4_000
_ENDS = frozenset(".!?:;)\"'`|}>]*_~…。！？”’»—=/।॥؟۔」』】》）｣｡")
_UNFINISHED = frozenset(
    "a an the of and or to in for with that which is are was were be been by from as at on into than but if because "
    "while your their its our his her my these those such can could will would should may might must has have had "
    "not also very more most between through during about using including".split()
)
"""Words that hardly ever end a sentence."""

_SHORT = 6
"""Words: shorter outputs are answers that many items may share."""
_MARKING = frozenset(
    "the so therefore thus hence correct best right final answer answers is option choice letter a b c d e f g h i "
    "j".split()
)
"""Words of which a multiple choice's answer may consist whole."""
_PROMPT_WORDS = 2_000
"""Words of a prompt that are looked at for what an output quotes."""
_LITTLE = FUNCTION_WORDS - {"no", "nor", "not", "never", "without"}
"""Words in which outputs that say the same may differ."""
_SHARED_BY = 3
"""Items with one text: two may be alike."""
_OFTENER = 2.0
"""How many times as often as it is right one answer may be given: a weak model errs, and not to all items alike."""
_RARELY = 0.05
"""Chance that a text is the right answer to so many of its items, if it was given to any."""
_SAME = 0.8
"""Of an output's runs of words that stand in the outputs to at least three other items."""
_FEW_ANSWERS = 10
"""Different right answers: with fewer, the task is a choice, and one answer to half of the items is a preference for a
letter (see position_association)."""
_EXCESS_OPEN, _EXCESS_CHOICE = 0.15, 0.4
"""By how much the share of the commonest answer exceeds that of the commonest right one."""
_FEWEST = 8
_SURE = 0.001
"""Chance, over all models, that a model which is right as often as it could be gives one answer so often."""


def empty_output(evaluation: Evaluation) -> Check:
    """Outputs without a visible word. Value: their share in the model with most of them.

    What has no score, or ended in an error, `dropped_items` counts.
    """
    id = "empty_output"
    if not evaluation.has("output"):
        return not_measured(id, evaluation, "evaluation_no_outputs")
    among = np.asarray((evaluation.rows["status"] != "error") & evaluation.rows["score"].notna())
    if not among.any():
        return not_measured(id, evaluation, "evaluation_no_outputs")
    hits = are_empty(evaluation)
    return share_of_rows(
        id, evaluation, hits, among, warn=WARN_EMPTY, fail=FAIL_EMPTY, column="prompt", of_outputs=True
    )


def are_empty(evaluation: Evaluation) -> Bools:
    """Shape (rows,): whose output has no visible word, or is not there."""
    return no_answers(evaluation, is_empty) | (texts_of(evaluation, "output").codes < 0)


def truncated(evaluation: Evaluation) -> Check:
    """Outputs that were cut: by their stop reason, their tokens, or their last words. Value: the largest share.

    Where none was, samples that a limit of the run ended and that have a score all the same warn.
    """
    id = "truncated"
    output = texts_of(evaluation, "output")
    known = evaluation.codes("stop_reason") >= 0
    tokens = evaluation.rows["output_tokens"].to_numpy(np.float64)
    among = known | (output.codes >= 0) | ~np.isnan(tokens)
    if not among.any():
        return not_measured(id, evaluation, "evaluation_no_outputs")
    by_reason = _names_in(evaluation, "stop_reason", _CUT_REASONS)
    capped = _at_a_cap(evaluation, np.where(tokens > _FEW_TOKENS, tokens, np.nan))
    lengths = np.append([float(len(text)) if len(text.split()) >= _LONG else np.nan for text in output.unique], np.nan)
    counts = np.append([_words(text) for text in output.unique], np.nan)
    unended = ~output.where(_is_ended)
    capped |= unended & _at_a_cap(evaluation, lengths[output.codes])
    capped |= unended & _at_a_cap(evaluation, counts[output.codes])
    capped |= _cut_at_one_size(evaluation, output, unended)
    by_ending = _is_cut(output) | (~output.where(_is_ended) & _others_end(evaluation, output))
    stopped = known & ~by_reason  # the provider says that the model ended by itself
    by_ending |= output.where(_is_loop) | _unclosed(evaluation, output)
    hits = by_reason | ((capped | by_ending) & ~stopped) | (capped & by_ending) | output.where(_is_marked_cut)
    details = {
        "by_stop_reason": int(by_reason.sum()),
        "at_one_size": int(capped.sum()),
        "by_ending": int(by_ending.sum()),
    }
    base = 0.0 if by_reason.any() else LOOK_CUT
    result = share_of_rows(
        id,
        evaluation,
        hits,
        among,
        warn=WARN_CUT,
        fail=FAIL_CUT,
        base=base,
        in_english=True,
        of_outputs=True,
        details=details,
    )
    return _at_limits(evaluation) or result if result.status == "pass" else result


def _at_limits(evaluation: Evaluation) -> Check | None:
    """A warning of samples that a limit of the run ended, and that were scored; `None` where there are hardly any."""
    scored = evaluation.rows["score"].notna().to_numpy()
    ended = scored & (evaluation.rows["status"] == "limit").to_numpy()
    if not ended.any():
        return None
    check = share_of_rows("truncated", evaluation, ended, scored, warn=WARN_CUT, fail=FAIL_CUT, of_outputs=True)
    if check.status == "pass":
        return None
    return replace(check, status="warn", finding=reason("evaluation_at_limits", **dict(check.finding.params)))


def refusals(evaluation: Evaluation) -> Check:
    """Outputs that decline before they say anything else. Value: their share in the model with most of them."""
    id = "refusals"
    if not evaluation.has("output"):
        return not_measured(id, evaluation, "evaluation_no_outputs")
    output = texts_of(evaluation, "output")
    declined = output.where(is_refusal) | _names_in(evaluation, "stop_reason", _REFUSED_REASONS)
    return share_of_rows(
        id,
        evaluation,
        declined,
        output.codes >= 0,
        warn=WARN_REFUSED,
        fail=FAIL_REFUSED,
        base=REFUSE,
        in_english=True,
        of_outputs=True,
    )


def constant_output(evaluation: Evaluation) -> Check:
    """Outputs that a model gave, in nearly the same words, to at least three unlike items. Value: the largest share.

    They may differ in one passage of their own prompts and in words that say little; with another number or name an
    output is another one. One that says its item's right answer, or a word that marks the items it was given to, is
    none. A short answer counts where it is given so much more often than any answer is right.
    """
    id = "constant_output"
    if not evaluation.has("output"):
        return not_measured(id, evaluation, "evaluation_no_outputs")
    output = plain_texts_of(evaluation, "output")
    written = (output.codes >= 0) & ~no_answers(evaluation, is_empty)
    if len(evaluation.items) < _SHARED_BY or not written.any():
        return not_measured(id, evaluation, "evaluation_too_few_items")
    asked = _asked(evaluation)
    long = output.where(_says_more_than_an_answer)
    hits = np.zeros(len(written), dtype=bool)
    long &= ~_is_quote(evaluation, output)
    long &= ~_states_reference(evaluation, output, long) & ~_follows(evaluation, output, long)
    quoted = _quoted(evaluation)
    commonest_right = _commonest_right(evaluation)
    for model in range(len(evaluation.models)):
        rows = np.flatnonzero((evaluation.codes("model") == model) & written)
        if rows.size:
            hits[rows] = _repeated(evaluation, rows, asked[rows], output, long, quoted)
            hits[rows] |= _one_answer(rows, asked[rows], output, long, commonest_right, len(evaluation.models))
    return share_of_rows(id, evaluation, hits, written, warn=WARN_CONSTANT, fail=FAIL_CONSTANT, of_outputs=True)


CHECKS = (constant_output, empty_output, truncated, refusals)


def _says_more_than_an_answer(text: str) -> bool:
    """Whether it has words enough, beside those that only mark an answer: "The correct answer is B. ANSWER: B"."""
    words = text.split(" ")
    if len(words) >= _SHORT and "answer" in words:
        words = [each for each in words if each not in _MARKING]
    return len(words) >= _SHORT


def _names_in(evaluation: Evaluation, column: str, names: frozenset[str]) -> Bools:
    matches = [str(name).lower() in names for name in evaluation.rows[column].cat.categories]
    return np.append(matches, False).astype(bool)[evaluation.codes(column)]


def _is_ended(text: str) -> bool:
    """Whether an output ends in a mark, or in an answer that it marks."""
    return text.rstrip()[-1:] in _ENDS or final_answer(text, marked=True) is not None


def _others_end(evaluation: Evaluation, output: Texts) -> Bools:
    """Rows with a sentence of a model that mostly ends its own with a mark, where all other models nearly always do.

    The last line of a list or a heading needs no mark.
    """
    sentence = output.where(
        lambda text: (last := text.rstrip().split("\n")[-1].lstrip())[:1].isalpha() and count_words(last) >= _SHORT
    )
    ended, n = shares_by_model(evaluation, output.where(_is_ended), sentence)
    result = np.zeros(len(ended), dtype=bool)
    for model in np.flatnonzero(n):
        others = np.delete(np.arange(len(n)), model)
        beside = int(n[others].sum())
        always = beside >= _ENOUGH and (ended[others] * n[others]).sum() >= _NEARLY_ALWAYS * beside
        result[model] = always and ended[model] >= _MOSTLY
    return np.asarray(sentence & result[evaluation.codes("model")])


def _words(text: str) -> float:
    count = len(text.split())
    return float(count) if count >= _LONG else np.nan


def _at_a_cap(evaluation: Evaluation, sizes: NDArray[np.float64]) -> Bools:
    """Rows whose output has the largest size of its model, where so many have it that it must be a limit."""
    model, result = evaluation.codes("model"), np.zeros(len(sizes), dtype=bool)
    output = texts_of(evaluation, "output").codes
    known = ~np.isnan(sizes)
    largest = np.full(len(evaluation.models), -np.inf)
    np.maximum.at(largest, model[known], sizes[known])
    at = known & (sizes == largest[model])
    for place in np.flatnonzero(np.bincount(model[at], minlength=len(largest)) >= _CAPPED):
        rows, own = np.flatnonzero(at & (model == place)), np.flatnonzero(known & (model == place))
        if (output[own] >= 0).all():  # an output that several judges scored has several rows
            own = own[np.unique(output[own], return_index=True)[1]]
        result[rows] = _is_spike(sizes[own])
    return result


def _cut_at_one_size(evaluation: Evaluation, output: Texts, unended: Bools) -> Bools:
    """Rows of a model whose outputs have no end at its largest size, in characters or words, and an end elsewhere.

    Elsewhere are its shorter outputs, or those of other models. Nearly all outputs of one length in characters are
    enough alone. A form that is filled in has as many words each time; texts that were cut at a character have not,
    and those that were cut at a word have other lengths.
    """
    size = np.append([len(text) for text in output.unique], 0).astype(np.intp)[output.codes]
    words = np.append([len(text.split()) for text in output.unique], 0).astype(np.intp)[output.codes]
    prose = (output.codes >= 0) & (words >= _SHORT)
    model, result = evaluation.codes("model"), np.zeros(len(size), dtype=bool)
    for place in range(len(evaluation.models)):
        mine = model == place
        own = np.flatnonzero(prose & mine)
        own = own[np.unique(output.codes[own], return_index=True)[1]]  # of outputs that several judges scored, one row
        if own.size < _FEWEST:
            continue
        long, wordy = size >= size[own].max() - 1, words == words[own].max()  # a cut after a space is one shorter
        alone = (long & unended)[own].sum() >= _SAME * len(np.unique(output.codes[mine & (output.codes >= 0)]))
        by_others = _end_in_marks(unended[prose & ~mine], _ENOUGH)
        if alone or by_others or _end_in_marks(unended[own[~long[own]]], _FEWEST):
            result |= mine & _capped_at(own, np.minimum(size, size[own].max() - 1), unended, words)
        if _end_in_marks(unended[own[~wordy[own]]], _FEWEST):
            result |= mine & _capped_at(own, words, unended, size)
    return result & prose


def _end_in_marks(unended: Bools, fewest: int) -> bool:
    """Whether there are outputs enough, and nearly all end in a mark."""
    return len(unended) >= fewest and bool(unended.mean() <= 1 - _USUALLY)


def _capped_at(own: Places, sizes: Places, unended: Bools, beside: Places) -> Bools:
    """Rows of the largest size without an end, where that is a limit: most of that size have none.

    Args:
        own: rows of a model.
        sizes: shape (rows,), in one unit.
        unended: shape (rows,).
        beside: shape (rows,), the size in another unit, which is not the same each time.
    """
    at = sizes == sizes[own].max()
    cut = own[(at & unended)[own]]
    is_limit = cut.size >= max(_CUT, _MOSTLY * at[own].sum()) and len(np.unique(beside[cut])) >= _CAPPED
    return np.asarray(at & unended & (is_limit and _is_spike(sizes[own].astype(np.float64))))


def _is_spike(sizes: NDArray[np.float64]) -> bool:
    """Whether several outputs have the largest size, and more than those just below it lead one to expect."""
    largest = float(sizes.max())
    room = max(_BELOW * largest, 1.0)
    usual = float(((sizes < largest) & (sizes >= largest - room)).sum()) / room
    n = int((sizes == largest).sum())
    return n >= _CAPPED and bool(usual == 0 or special.pdtrc(n - 1, usual) < SURE)


def _is_cut(output: Texts) -> Bools:
    """Rows whose output is long and ends in the middle of a word or a phrase."""
    vocabulary = _vocabulary(output.unique)
    ordered = sorted(vocabulary)

    def cut(text: str) -> bool:
        tail = text[-80:].rstrip()
        if not tail or len(text) < 5 * _LONG or len(text.split(None, _LONG)) < _LONG or not _SENTENCES.search(text):
            return False
        if tail[-1] in ",-(":
            return True
        if tail[-1] in _ENDS:
            return False
        if final_answer(text, marked=True) is not None:
            return False
        last = tail.split()[-1].lower()
        if last in _UNFINISHED and not tail[-1].isupper():
            return True
        return last.isalpha() and last.isascii() and _is_fragment(last, vocabulary, ordered)

    return output.where(cut)


def _unclosed(evaluation: Evaluation, output: Texts) -> Bools:
    """Rows whose last block of code has no end, of a model that ends most of its own."""
    blocks, closed = output.where(lambda text: "```" in text), output.where(lambda text: text.count("```") % 2 == 0)
    ended, _ = shares_by_model(evaluation, closed, blocks)
    return np.asarray(blocks & ~closed & (ended >= _MOSTLY)[evaluation.codes("model")])


def _is_marked_cut(text: str) -> bool:
    """Whether an output ends in a note that the rest was left out."""
    return _CUT_MARK.search(text[-120:]) is not None


def _is_loop(text: str) -> bool:
    """Whether an output ends in one phrase over and over: such a loop ends at a limit."""
    return len(text) > _LOOP and _LOOPING.search(text[-_LOOP:]) is not None


def _vocabulary(texts: Sequence[str]) -> frozenset[str]:
    """Words that stand in several of a sample of texts, not at their ends."""
    counts: Counter[str] = Counter()
    for text in texts[:: max(1, len(texts) // _SAMPLED)]:
        counts.update({word.strip(".,;:!?()\"'*") for word in text.lower().split()[:-1]})
    return frozenset(word for word, count in counts.items() if word.isalpha() and (count >= 2 or len(word) < 3))


def _is_fragment(word: str, vocabulary: frozenset[str], ordered: list[str]) -> bool:
    """Whether a word is unknown and the beginning of a known one."""
    if word in vocabulary or f"{word}s" in vocabulary:
        return False
    place = bisect_left(ordered, word)
    return place < len(ordered) and ordered[place].startswith(word)


def _asked(evaluation: Evaluation) -> Places:
    """Of each row what was asked: the prompt's number where it is known, else the item's."""
    prompt = plain_texts_of(evaluation, "prompt").codes
    return np.where(prompt >= 0, prompt, len(prompt) + evaluation.codes("item"))


def _is_quote(evaluation: Evaluation, output: Texts) -> Bools:
    """Rows whose whole output stands in their own prompt or options: an option that was chosen, a sentence copied."""
    prompt, choices = plain_texts_of(evaluation, "prompt"), evaluation.rows["choices"].to_numpy()
    result = np.zeros(len(output.codes), dtype=bool)
    counts = np.bincount(output.codes[output.codes >= 0], minlength=len(output.unique))
    for row in np.flatnonzero((output.codes >= 0) & (np.append(counts, 0)[output.codes] >= _SHARED_BY)):
        text = output.unique[output.codes[row]]
        in_prompt = prompt.codes[row] >= 0 and text in prompt.unique[prompt.codes[row]]
        result[row] = in_prompt or any(plain(each) == text for each in choices[row] or ())
    return result


def _states_reference(evaluation: Evaluation, output: Texts, long: Bools) -> Bools:
    """Rows whose output has the words of their own reference in it; a letter stands in any text.

    Where one text is so right more often than it would be to any items, or is given not much more often than it is
    right, it is an answer also to those that it gets wrong.
    """
    reference = plain_texts_of(evaluation, "reference")
    right = [*(f" {text} " if len(text) > 1 else None for text in reference.unique), None]
    pairs = zip(output.codes.tolist(), (right[code] for code in reference.codes.tolist()), strict=True)
    states = (code >= 0 and own is not None and own in f" {output.unique[code]} " for code, own in pairs)
    result = np.fromiter(states, bool, len(output.codes))
    for model in range(len(evaluation.models)):
        own = np.flatnonzero(long & (evaluation.codes("model") == model))
        counts = np.bincount(output.codes[own], minlength=len(output.unique))
        for code in np.flatnonzero(counts >= _SHARED_BY).tolist():
            text = f" {output.unique[code]} "
            message = np.array([each is not None and each in text for each in right])
            rows, usual = own[output.codes[own] == code], float(message[reference.codes[own]].mean())
            hits = int(result[rows].sum())
            by_chance = float(special.bdtrc(hits - 1, rows.size, usual)) if hits and usual < 1 else 1.0
            result[rows] |= rows.size <= _OFTENER * usual * own.size or by_chance < _RARELY
    return result


def _follows(evaluation: Evaluation, output: Texts, long: Bools) -> Bools:
    """Rows whose output was given to several items, and has a word that most of these have and few others.

    Such a word marks the items: "The capital of France is Paris" to all that ask about France.
    """
    result = np.zeros(len(output.codes), dtype=bool)
    counts = np.bincount(output.codes[long], minlength=len(output.unique))
    repeated = np.flatnonzero(counts >= _SHARED_BY).tolist()
    if not repeated:
        return result
    texts = {code: frozenset(words(output.unique[code])) - _LITTLE for code in repeated}
    asked, item = _words_of_items(evaluation, output, texts), evaluation.codes("item")
    usual = Counter(word for own in asked for word in own)
    for code, own in texts.items():
        given = np.unique(item[output.codes == code])
        has = Counter(word for each in given for word in asked[each] & own)
        result[output.codes == code] = any(
            n >= _SAME * given.size and n / given.size >= 2 * usual[word] / len(asked) for word, n in has.items()
        )
    return result


def _words_of_items(
    evaluation: Evaluation, output: Texts, texts: Mapping[int, frozenset[str]]
) -> Sequence[frozenset[str]]:
    """Of each item the words of its prompt and name; without a prompt those that two models or more say to it."""
    items = evaluation.codes("item").tolist()
    asked = zip(items, evaluation.rows["prompt"].to_numpy(), strict=True)
    prompts = {item: prompt for item, prompt in asked if prompt is not None}
    answered = {*zip(items, evaluation.codes("model").tolist(), output.codes.tolist(), strict=True)}
    by_models: dict[int, Counter[str]] = {}
    for item, _, code in answered:
        if item not in prompts and code in texts:
            by_models.setdefault(item, Counter()).update(texts[code])
    return [
        frozenset(words(f"{prompts.get(item, '')} {name}"))
        | {word for word, models in by_models.get(item, Counter()).items() if models > 1}
        for item, name in enumerate(evaluation.rows["item"].cat.categories)
    ]


def _quoted(evaluation: Evaluation) -> Callable[[Places, Any, Places], Bools]:
    """Whether runs of words of rows stand in the prompts of these rows: what a passage lends to all its items."""
    prompt = texts_of(evaluation, "prompt")
    runs, of = shingles(prompt.unique, most=_PROMPT_WORDS)
    known, number = np.unique(runs, return_inverse=True)
    keys = np.unique(number * (len(prompt.unique) + 1) + of)

    def of_rows(rows: Places, run: Any, place: Places) -> Bools:
        codes = prompt.codes[rows][place]
        if not len(known):
            return np.zeros(len(run), dtype=bool)
        at = np.minimum(np.searchsorted(known, run), len(known) - 1)
        return np.asarray((known[at] == run) & (codes >= 0) & np.isin(at * (len(prompt.unique) + 1) + codes, keys))

    return of_rows


def _repeated(
    evaluation: Evaluation,
    rows: Places,
    asked: Places,
    output: Texts,
    long: Bools,
    quoted: Callable[[Places, Any, Places], Bools],
) -> Bools:
    """Of one model's rows those whose long output was given, whole or nearly, to several unlike items."""
    raw = texts_of(evaluation, "output")
    result = np.zeros(rows.size, dtype=bool)
    most = int(asked.max()) + 1
    items_of = np.bincount(np.unique(output.codes[rows] * most + asked) // most)
    result |= long[rows] & (items_of[output.codes[rows]] >= _SHARED_BY)
    rest = np.flatnonzero(long[rows] & ~result)
    run, place = shingles(raw.unique[code] for code in raw.codes[rows[rest]])
    if not run.size:
        return result
    _, number = np.unique(run, return_inverse=True)
    most = int(asked.max()) + 1
    shared = (np.bincount(pd.unique(number * most + asked[rest][place]) // most) > _SHARED_BY)[number]
    shared &= ~quoted(rows[rest], run, place)
    size = np.bincount(place, minlength=len(rest))
    near = rest[(np.bincount(place, shared, minlength=len(rest)) >= _SAME * size) & (size > 0)]
    if not _answers_vary([raw.unique[code] for code in raw.codes[rows[near]]]):
        result[near] = _says_the_same(evaluation, rows[near], asked[near])
    return result


def _says_the_same(evaluation: Evaluation, rows: Places, asked: Places) -> Bools:
    """Rows whose output has the content of those to other items in their order, but for one passage of its own prompt.

    One that takes several passages from its prompt is a form, filled in for this item.
    A word is taken from the prompt if its own prompt has it for most outputs in which it stands: a stock phrase that
    shares a word with one prompt remains whole. A word of the reference is the answer, though it stands in the prompt
    as well.
    """
    output, prompt, item, reference = (
        evaluation.rows[name].to_numpy() for name in ("output", "prompt", "item", "reference")
    )
    content = [[word for word in words(output[row]) if word not in _LITTLE] for row in rows]
    lent = [
        {*own} & {*words(f"{prompt[row] or ''} {item[row]}")} - {*words(reference[row] or "")}
        for own, row in zip(content, rows, strict=True)
    ]
    starts = Counter(word for own in content for word in {*own})
    repeats = Counter(word for own in lent for word in own)
    taken = frozenset(word for word in repeats if 2 * repeats[word] > starts[word])
    left = [
        tuple(word for word in own if word not in text & taken) if _passages(own, text & taken) <= 1 else None
        for own, text in zip(content, lent, strict=True)
    ]
    items_of: dict[tuple[str, ...], set[int]] = {}
    for rest, question in zip(left, asked.tolist(), strict=True):
        if rest is not None:
            items_of.setdefault(rest, set()).add(question)
    return np.array([rest is not None and len(items_of[rest]) >= _SHARED_BY for rest in left], dtype=bool)


def _passages(text: Sequence[str], taken: Set[str]) -> int:
    """How many runs of words that are taken from elsewhere a text has."""
    return sum(is_taken for is_taken, _ in groupby(text, taken.__contains__))


def _answers_vary(texts: Sequence[str]) -> bool:
    """Whether outputs in nearly the same words end in answers that they mark, and in several: a form filled in anew."""
    answers = Counter(normal_answer(answer) for text in texts if (answer := final_answer(text, marked=True)))
    return answers.total() >= _SAME * len(texts) > 0 and max(answers.values()) < _SAME * len(texts)


def _one_answer(
    rows: Places, asked: Places, output: Texts, long: Bools, right: tuple[float, int] | None, models: int
) -> Bools:
    """Of one model's rows those with its commonest short answer, if that is far commoner than any is right."""
    short = ~long[rows]
    n = len(np.unique(asked[short]))
    if n < _FEWEST:
        return np.zeros(rows.size, dtype=bool)
    counts = np.bincount(output.codes[rows[short]])
    commonest = int(counts.argmax())
    of, common = int(short.sum()), int(counts[commonest])
    share, (expected, different) = common / of, right or (0.5, 2)
    excess = _EXCESS_CHOICE if different <= _FEW_ANSWERS else _EXCESS_OPEN
    chance = float(special.bdtrc(common - 1, of, expected)) if expected < 1 else 1.0
    is_constant = share - expected >= excess and chance < _SURE / models
    return np.asarray(short & (output.codes[rows] == commonest) & is_constant)


@lru_cache(maxsize=4)
def _commonest_right(evaluation: Evaluation) -> tuple[float, int] | None:
    """Share of the commonest right answer, and how many different ones there are; `None` without references."""
    target = evaluation.rows["target"].fillna(-1).to_numpy().astype(np.intp)
    codes = target if (target >= 0).any() else plain_texts_of(evaluation, "reference").codes
    firsts = ~evaluation.rows["item"].duplicated().to_numpy() & (codes >= 0)
    if not firsts.any():
        return None
    counts = np.bincount(codes[firsts])
    return float(counts.max() / counts.sum()), int((counts > 0).sum())
