"""Are the items what they should be: the same for all models, without their answers?"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from voirdire.evaluation.checks.check import (
    MOST_QUOTES,
    STATUSES,
    SURE,
    Check,
    Quote,
    Status,
    graded,
    not_measured,
    quote,
)
from voirdire.evaluation.records import Evaluation, Floats, Places, flat_settings
from voirdire.evaluation.texts import plain, plain_texts_of, texts_of
from voirdire.reason_codes import reason
from voirdire.stats import special
from voirdire.text.shortening import beginning

WARN_DIFFERENT, FAIL_DIFFERENT = 0.01, 0.05
"""Share of a model's items that are not those of the others: one in a hundred may be lost."""
WARN_LEAKS, FAIL_LEAKS, LEAK = 0.01, 0.05, 0.002

_MAJORITY = 0.8
"""Of a model's prompts that must begin alike for that to be its template."""
_MOST_QUOTED_SETTINGS = 6
"""Models whose settings are quoted."""
_FEW_WORDS, _MANY_WORDS = 3, 10
"""Words that templates may differ by beyond markers of roles; and from which one model alone had another task."""
_ROLES = frozenset(
    "user assistant system human ai inst sys im_start im_end s bos eos start_header_id end_header_id eot_id "
    "begin_of_text "
    "start_of_turn end_of_turn model end_of_text endoftext turn bot gpt".split()
)
_DECISIVE = re.compile(
    r"(?:num_?)?few_?shot\w*|n_?shots?|shots|max_train_instances|(?:task_|dataset_|prompt_|data)?version|revision|split|subset"
    r"|(?:eval_)?split\w*|(?:test|validation|fewshot)_split|prompt\w*|system_?(?:prompt|instruction|message)\w*|instructions?|template"
    r"|prompt_?template|description|doc_to_text|dataset(?:_?(?:name|path|version|location|items))?|subset|sample_?ids|shuffled",
    re.I,
)
"""Settings, by the last part of their name, that make another task of it."""
_RELEVANT = re.compile(
    r"temperature|top_?[pk]|max_?(?:gen_?)?(?:tokens?|toks|new_?tokens|length|output_?tokens|completion_?tokens)|epochs|limit"
    r"|message_?limit|token_?limit|time_?limit|seed|stop(?:_?sequences|_?seqs)?|until|num_?(?:outputs|trials|return_?sequences)"
    r"|max_?eval_?instances|max_?attempts|attempts|do_?sample|repeats|filter\w*|scorers?|reducers?|epochs_?reducer|metrics?"
    r"|reasoning_?effort|thinking|grader\w*|judge\w*|fewshot_seed|repetition_?penalty|(?:frequency|presence)_penalty|task_?hash",
    re.I,
)
"""Settings that change results of the same task."""
_STATED = re.compile(
    r"(?:the |its )?\b(?:correct |right |gold(?:en)? |expected |reference |target |final |true )*"
    r"(?:answer|solution|key|label|target|reference|ground truth|gold|expected (?:output|completion))(?: key)?"
    r"\s*(?:is|:|=|\bwould be)\s*"
    r"[\s*_\"'`$(\[]*([^\n]{1,200})",
    re.I,
)
"""A prompt that states an answer."""
_HINTS = re.compile(
    r"\b(?:hint|note|remember|spoiler|leak(?:ed)?|confidential|metadata|expected output|solution)\b", re.I
)
_LABEL = re.compile(r"^(?:answer|target|label)\s*:\s*")
"""What may stand before the answer in a reference."""
_CERTAIN = 12
"""Signs of a reference that does not stand in a prompt by chance."""


class _Around(NamedTuple):
    """What one model's prompts have around every item, beside what those of most models have."""

    more: Sequence[str]
    less: Sequence[str]

    @property
    def words(self) -> int:
        return len(self.more) + len(self.less)

    @property
    def description(self) -> str:
        parts = (("has", self.more), ("lacks", self.less))
        return "; ".join(f"every prompt {verb}: {' '.join(each)}" for verb, each in parts if each)


def different_items(evaluation: Evaluation) -> Check:
    """Models that were not given the same: other items, other prompts to the same item, other settings.

    Value: the largest share of items in which a model differs from the others.
    """
    id = "different_items"
    if len(evaluation.models) < 2:
        return not_measured(id, evaluation, "evaluation_one_model")
    sets, prompts, quotes = _other_sets(evaluation), *_other_prompts(evaluation)
    settings = _other_settings(evaluation)
    others = np.maximum(sets, prompts)
    worst = float(others.max())
    decisive = any(_DECISIVE.fullmatch(_last_name(key)) for key in settings)
    by_settings: Status = "fail" if decisive else "warn" if settings else "pass"
    words = _templates(evaluation)
    templates, apart = _other_templates(words), len(words) == len(evaluation.models) and _all_unlike(words)
    alone = len(templates) == 1 and all(each.words >= _MANY_WORDS for each in templates.values())
    by_templates: Status = "fail" if alone or apart else "warn" if templates else "pass"
    status = min(graded(worst, WARN_DIFFERENT, FAIL_DIFFERENT), by_settings, by_templates, key=STATUSES.index)
    order = [int(place) for place in np.argsort(-others, kind="stable") if others[place] >= WARN_DIFFERENT]
    models = dict.fromkeys([*(evaluation.models[place] for place in order), *templates, *_odd_ones(settings)])
    if apart:
        code = "evaluation_no_shared_prompt"
    elif worst >= WARN_DIFFERENT:
        code = "evaluation_other_items" if sets.max() >= prompts.max() else "evaluation_other_prompts"
    else:
        code = (
            "evaluation_other_settings"
            if settings
            else "evaluation_other_templates"
            if templates
            else _same(evaluation)
        )
    around = tuple(Quote("", model, beginning(each.description, 300)) for model, each in templates.items())
    return Check(
        id,
        status,
        evaluation.name,
        reason(code, share=worst, models=len(models), settings=tuple(settings) or ("",), of=len(evaluation.models)),
        1.0 if alone or apart else worst,
        len(evaluation.items),
        tuple(models) if status != "pass" else (),
        () if status == "pass" else ((*quotes, *around)[:MOST_QUOTES] + _settings_quotes(settings)),
        {"settings": {key: dict(list(values.items())[:20]) for key, values in list(settings.items())[:20]}},
    )


def reference_in_prompt(evaluation: Evaluation) -> Check:
    """Prompts that tell the answer, as those of other items do not. Value: the share of items.

    Counted are a stated answer that is the item's own and one more than others have; a question that stands among the
    examples; a long reference, word by word, where most prompts lack theirs.
    """
    id = "reference_in_prompt"
    rows = evaluation.rows
    has = rows["prompt"].notna().to_numpy()
    keyed = rows["reference"].notna().to_numpy() | rows["target"].notna().to_numpy()
    pair = texts_of(evaluation, "prompt").codes * (len(evaluation.items) + 1) + evaluation.codes("item")
    firsts = np.flatnonzero(has & keyed)
    if not firsts.size:
        return not_measured(id, evaluation, "evaluation_no_references")
    firsts = firsts[np.unique(pair[firsts], return_index=True)[1]]
    leaks = _leaks(evaluation, np.sort(firsts))
    items = evaluation.codes("item")
    n = len(np.unique(items[firsts]))
    leaked = list(dict.fromkeys(items[row] for row, _ in leaks))
    share = len(leaked) / n
    sure = special.bdtrc(len(leaked) - 1, n, LEAK) < SURE if leaked else False
    return Check(
        id,
        graded(share, WARN_LEAKS, FAIL_LEAKS) if sure else "pass",
        evaluation.name,
        reason("evaluation_leaks", items=len(leaked), of=n),
        share,
        n,
        quotes=tuple(
            Quote(str(rows["item"].iloc[row]), str(rows["model"].iloc[row]), beginning(text, 300))
            for row, text in leaks[:MOST_QUOTES]
        ),
        details={"items": [evaluation.items[place] for place in leaked[:100]]},
    )


CHECKS = (different_items, reference_in_prompt)


def _same(evaluation: Evaluation) -> str:
    """What all models were given alike, as far as the files say what they were given."""
    if evaluation.mirrored:
        return "evaluation_same_pairs"
    if not evaluation.has("prompt"):
        return "evaluation_same_items"
    return "evaluation_same" if any(evaluation.settings.values()) else "evaluation_same_prompts"


def _other_sets(evaluation: Evaluation) -> Floats:
    """Of each model the share of items that it or most models have, and not both; nothing where an item holds two."""
    if evaluation.mirrored:
        return np.zeros(len(evaluation.models))
    asked = np.zeros(evaluation.item_scores.values.shape, dtype=bool)
    asked[evaluation.codes("model"), evaluation.codes("item")] = True
    if len(evaluation.models) == 2:
        both, either = asked.all(axis=0).sum(), asked.any(axis=0).sum()
        return np.full(2, 1 - both / max(either, 1))
    core = asked.mean(axis=0) >= 0.5
    if not core.any():
        core = asked.any(axis=0)
    return np.asarray(1 - (asked & core).sum(axis=1) / np.maximum((asked | core).sum(axis=1), 1), dtype=np.float64)


def _other_prompts(evaluation: Evaluation) -> tuple[Floats, tuple[Quote, ...]]:
    """Of each model the share of items whose prompt, options, reference or baseline is not what most models had."""
    model, item = evaluation.codes("model"), evaluation.codes("item")
    size = len(evaluation.models)
    other: dict[str, np.ndarray] = {}
    prompts = plain_texts_of(evaluation, "prompt")
    differing = _off_mode(prompts.codes, item)
    if differing.any():
        other["prompt"] = _off_mode(_cores(evaluation, np.unique(item[differing])), item)
    for column in ("reference", "baseline_output"):
        other[column] = _off_mode(plain_texts_of(evaluation, column).codes, item)
    choices = evaluation.rows["choices"].to_numpy()
    known = {each: place for place, each in enumerate(dict.fromkeys(each for each in choices if each))}
    codes = np.fromiter((known.get(each, -1) if each else -1 for each in choices), np.intp, len(model))
    other["choices"] = _off_mode(codes, item)
    if len(evaluation.judges) > 1:
        other["judge"] = _other_judges(evaluation)[model]
    odd = np.any([*other.values()], axis=0)
    cells = np.unique(model[odd] * len(evaluation.items) + item[odd])
    asked = np.unique(model * len(evaluation.items) + item)
    counts = np.bincount(cells // len(evaluation.items), minlength=size)
    shares = counts / np.maximum(np.bincount(asked // len(evaluation.items), minlength=size), 1)
    rows = np.flatnonzero(odd)
    rows = rows[np.argsort(-shares[model[rows]], kind="stable")][:MOST_QUOTES]
    quotes = (
        _difference_quote(evaluation, int(row), next(column for column, hits in other.items() if hits[row]))
        for row in rows
    )
    return np.asarray(shares), tuple(quotes)


def _difference_quote(evaluation: Evaluation, row: int, column: str) -> Quote:
    """What differs in a row from what most models had; a prompt needs no name."""
    if column == "prompt":
        return quote(evaluation, row, column)
    value = evaluation.rows[column].iloc[row]
    text = " / ".join(value) if isinstance(value, tuple) else value
    return quote(evaluation, row, column)._replace(text=beginning(f"{column.replace('_', ' ')}: {text}", 300))


def _other_judges(evaluation: Evaluation) -> np.ndarray:
    """Models that were not judged by a judge of most models."""
    by = np.zeros((len(evaluation.models), len(evaluation.judges)), dtype=bool)
    judge = evaluation.codes("judge")
    by[evaluation.codes("model")[judge >= 0], judge[judge >= 0]] = True
    return np.asarray((by != (by.mean(axis=0) >= 0.5)).any(axis=1))


def _off_mode(codes: Places, item: Places) -> np.ndarray:
    """Rows whose text is not the commonest of their item; rows without one agree with all.

    Of two models neither is the common one: both are told then.
    """
    known = codes >= 0
    if not known.any():
        return known
    width = int(codes.max()) + 1
    cells, counts = np.unique(item[known] * width + codes[known], return_counts=True)
    order = np.lexsort((-counts, cells // width))
    items, first = np.unique(cells[order] // width, return_index=True)
    mode = np.full(int(item.max()) + 1, -1)
    mode[items] = cells[order][first] % width
    return np.asarray(known & (codes != mode[item]))


def _cores(evaluation: Evaluation, items: Places) -> Places:
    """Codes of prompts without the template of their model, for rows of these items; -1 for other rows."""
    prompts, model = plain_texts_of(evaluation, "prompt"), evaluation.codes("model")
    wanted = np.isin(evaluation.codes("item"), items) & (prompts.codes >= 0)
    result = np.full(len(model), -1, dtype=np.intp)
    known: dict[str, int] = {}
    for place in np.unique(model[wanted]):
        rows = np.flatnonzero((model == place) & (prompts.codes >= 0))
        head, tail = _template([prompts.unique[code] for code in prompts.codes[rows]])
        for row in rows[wanted[rows]]:
            words = prompts.unique[prompts.codes[row]].split()
            words = words[len(head) :] if words[: len(head)] == head else words
            words = words[: len(words) - len(tail)] if tail and words[-len(tail) :] == tail else words
            core = " ".join(word for word in words if word not in _ROLES)
            result[row] = known.setdefault(core, len(known))
    return _contained(result, list(known), evaluation.codes("item"))


def _contained(codes: Places, texts: list[str], item: Places) -> Places:
    """The same codes, but of texts to one item that hold one another the shortest."""
    rows = np.flatnonzero(codes >= 0)
    by_item: dict[int, set[int]] = defaultdict(set)
    for row in rows:
        by_item[int(item[row])].add(int(codes[row]))
    result = codes.copy()
    for row in rows:
        others = sorted(by_item[int(item[row])], key=lambda code: (len(texts[code]), code))
        own = f" {texts[codes[row]]} "
        result[row] = next((code for code in others if texts[code] and f" {texts[code]} " in own), codes[row])
    return result


def _template(texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """Words with which most of the texts begin, and with which they end; none of fewer than five texts."""
    if len(set(texts)) < 5:
        return [], []
    words = [text.split() for text in dict.fromkeys(texts)]
    return _shared_head(words), _shared_head([each[::-1] for each in words])[::-1]


def _shared_head(words: Sequence[Sequence[str]]) -> list[str]:
    matches: list[str] = []
    left = list(words)
    while left:
        counts = Counter(each[len(matches)] for each in left if len(each) > len(matches) + 1)
        word, count = counts.most_common(1)[0] if counts else ("", 0)
        if count < _MAJORITY * len(words):
            break
        left = [each for each in left if len(each) > len(matches) + 1 and each[len(matches)] == word]
        matches.append(word)
    return matches


def _templates(evaluation: Evaluation) -> Mapping[str, Sequence[str]]:
    """The words with which prompts of each model begin or end, beside markers of roles; nothing where all are alike."""
    prompts, model = plain_texts_of(evaluation, "prompt"), evaluation.codes("model")
    if not _off_mode(prompts.codes, evaluation.codes("item")).any():
        return {}
    templates = {}
    for place in np.unique(model[prompts.codes >= 0]):
        rows = np.flatnonzero((model == place) & (prompts.codes >= 0))
        head, tail = _template([prompts.unique[code] for code in prompts.codes[rows]])
        templates[evaluation.models[place]] = [word for word in (*head, *tail) if word not in _ROLES]
    return templates


def _all_unlike(templates: Mapping[str, Sequence[str]]) -> bool:
    """Whether no two models have one template, so that none can be compared with another under one prompt.

    Some of them must differ by more than a few words: a name in a greeting is no other prompt.
    """
    words = [_Around(_beside(a, b), _beside(b, a)).words for a, b in combinations(templates.values(), 2)]
    return bool(words) and min(words) > 0 and max(words) > _FEW_WORDS


def _other_templates(templates: Mapping[str, Sequence[str]]) -> Mapping[str, _Around]:
    """Models whose prompts begin or end with other words than those of most models."""
    if not templates:
        return {}
    usual, times = Counter(tuple(sorted(each)) for each in templates.values()).most_common(1)[0]
    common = next(each for each in templates.values() if tuple(sorted(each)) == usual)
    around = {name: _Around(_beside(each, common), _beside(common, each)) for name, each in templates.items()}
    odd = [name for name, each in around.items() if each.words > _FEW_WORDS]
    named = list(templates) if odd and 2 * times <= len(templates) else odd  # where most have none, all are told
    return {name: around[name] for name in named}


def _beside(words: Sequence[str], others: Sequence[str]) -> Sequence[str]:
    """Words in their order, without as many of each as others have."""
    left = Counter(others)
    left.subtract(words)
    matches = []
    for word in reversed(words):
        left[word] += 1
        if left[word] <= 0:
            matches.append(word)
    return matches[::-1]


def _other_settings(evaluation: Evaluation) -> Mapping[str, Mapping[str, str]]:
    """By setting that changes results and is not the same for all models that have it: its value by model.

    An argument of the task counts where a model lacks it, too: it had the task's default then.
    """
    by_key: dict[str, dict[str, str]] = defaultdict(dict)
    for model in evaluation.models:
        for key, value in flat_settings(evaluation.settings.get(model, {})):
            last = _last_name(key)
            if _DECISIVE.fullmatch(last) or _RELEVANT.fullmatch(last) or key.startswith("task_args."):
                by_key[key][model] = beginning(str(value).replace(model, "MODEL"), 120)
    for key in (key for key in by_key if key.startswith("task_args.")):
        by_key[key] |= {model: "not given" for model in evaluation.settings if model not in by_key[key]}
    return {key: values for key, values in sorted(by_key.items()) if len(set(values.values())) > 1}


def _settings_quotes(settings: Mapping[str, Mapping[str, str]]) -> tuple[Quote, ...]:
    """The settings of each model that differ; of many models one for each combination first."""
    models = dict.fromkeys(model for values in settings.values() for model in values)
    reported = [
        Quote("", model, "; ".join(f"{key}: {values[model]}" for key, values in settings.items() if model in values))
        for model in models
    ]
    firsts = {each.text: each for each in reversed(reported)}
    return tuple(sorted(reported, key=lambda each: firsts[each.text] is not each)[:_MOST_QUOTED_SETTINGS])


def _last_name(key: str) -> str:
    """The last part of a setting's name, its words joined as code has them: "prompt template" is "prompt_template"."""
    return re.sub(r"[\s-]+", "_", key.split(".")[-1])


def _odd_ones(settings: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Models with another value than most."""
    results: dict[str, None] = {}
    for values in settings.values():
        usual, times = Counter(values.values()).most_common(1)[0]
        odd = [model for model, value in values.items() if value != usual or 2 * times <= len(values)]
        results.update(dict.fromkeys(odd))  # where no value is that of most models, all are told
    return list(results)


def _leaks(evaluation: Evaluation, firsts: Places) -> list[tuple[int, str]]:
    """Rows whose prompt tells their answer, with the passage."""
    prompts = evaluation.rows["prompt"].to_numpy()
    references = _references(evaluation, firsts)
    stated = [[match for match in _STATED.finditer(prompts[row])] for row in firsts]
    usual = Counter(map(len, stated)).most_common(1)[0][0]
    alike = [
        [match for match in results if _tells(match[1], own)] for results, own in zip(stated, references, strict=True)
    ]
    results: dict[int, str] = {}
    for place, row in enumerate(firsts.tolist()):
        more = len(stated[place]) > usual and alike[place]
        last = (
            stated[place]
            and alike[place]
            and alike[place][-1] is stated[place][-1]
            and not _open(prompts[row], stated[place][-1])
        )
        if more or (last and usual == 0):
            results[row] = alike[place][-1][0]
    results |= _last_tells(firsts, stated, alike)
    results |= _asked_before(evaluation, firsts)
    results |= _verbatim(prompts, firsts, references)
    return [(row, results[row]) for row in firsts.tolist() if row in results]


def _references(evaluation: Evaluation, firsts: Places) -> list[tuple[str, ...]]:
    """Of each row what the right answer is called: lines of the reference, the right option."""
    rows = evaluation.rows
    reference, target, choices = (rows[name].to_numpy() for name in ("reference", "target", "choices"))
    matches = []
    for row in firsts:
        lines = [] if reference[row] is None else [line.strip() for line in reference[row].split("\n")]
        options, place = choices[row], -1 if np.isnan(target[row]) else int(target[row])
        if options and place < 0 and len(lines) == 1 and len(lines[0]) == 1:
            place = "ABCDEFGHIJ".find(lines[0].upper())
        if options and 0 <= place < len(options):
            lines += [options[place], "ABCDEFGHIJ"[place : place + 1]]
        bare = (_LABEL.sub("", line.lower()) for line in lines)
        matches.append(tuple(line for line in bare if line))
    return matches


def _tells(stated: str, own: tuple[str, ...]) -> bool:
    """Whether a stated answer begins with the right one."""
    low = stated.lower().strip(" *_\"'`$()[]")
    return any(low.startswith(each) and not low[len(each) : len(each) + 1].isalnum() for each in own)


def _open(prompt: str, match: re.Match[str]) -> bool:
    """Whether a question follows a stated answer: then that was an example's."""
    return (
        "?" in prompt[match.end() :]
        or re.search(r"(?:question|problem|q)\s*[:.]", prompt[match.end() :], re.I) is not None
    )


def _last_tells(firsts: Places, stated: list[list[re.Match[str]]], alike: list[list[re.Match[str]]]) -> dict[int, str]:
    """All items whose last stated answer is their own, if that happens more often than one constant answer allows."""
    last = [bool(each and own and own[-1] is each[-1]) for each, own in zip(stated, alike, strict=True)]
    texts = Counter(each[-1][1].lower().strip() for each in stated if each)
    hits, n = sum(last), sum(bool(each) for each in stated)
    all_reveal = hits == n >= 4 and len(texts) >= 3
    if not all_reveal and (n < 10 or len(texts) < 2 or hits < 0.8 * n):
        return {}
    return {int(row): each[-1][0] for row, each, is_own in zip(firsts, stated, last, strict=True) if is_own}


def _asked_before(evaluation: Evaluation, firsts: Places) -> dict[int, str]:
    """Prompts with examples of which one asks the question itself: the last long line stands in it before."""
    prompts = evaluation.rows["prompt"].to_numpy()
    results = {}
    for row in firsts.tolist():
        text = prompts[row]
        if text.count("\n") < 3:
            continue
        lines = [
            plain(re.sub(r"^\s*(?:question|problem|q|input)\s*[:.]", "", line, flags=re.I)) for line in text.split("\n")
        ]
        asked = [line for line in lines if line.count(" ") >= 4]
        question = next((line for line in reversed(asked) if len(line) >= 25), None)
        if question is not None and asked.count(question) > 1 and len(asked) > 2:
            results[row] = question
    usual = len(results) > 0.5 * len(firsts)
    return {} if usual else results  # a line that all prompts repeat is their instruction


def _verbatim(prompts: Any, firsts: Places, references: list[tuple[str, ...]]) -> dict[int, str]:
    """Prompts that hold their reference behind a hint; and those that hold a long one where most prompts hold none.

    An option stands in its prompt by design, and often in a passage that it is about.
    """
    whole, hinted = {}, {}
    for row, own in zip(firsts.tolist(), references, strict=True):
        low = prompts[row].lower()
        is_choice = any(len(each) == 1 for each in own)
        text = None if is_choice else next((each for each in own if len(each) >= _CERTAIN and each in low), None)
        if text is not None:
            whole[row] = text
        hint = next(
            (match for match in _HINTS.finditer(low) if _follows(low[match.end() : match.end() + 400], own)), None
        )
        if hint is not None:
            hinted[row] = prompts[row][hint.start() : hint.end() + 120]
    return {**(whole if len(whole) <= 0.4 * len(firsts) else {}), **hinted}


def _follows(text: str, own: tuple[str, ...]) -> bool:
    """Whether a text is a colon and then one of the answers, perhaps after the letter of an option."""
    lead = text.split("\n")[0]
    return re.match(r"\s?[:=-]", lead) is not None and any(
        re.match(rf"\W{{0,4}}(?:[a-j][).:] )?\W?{re.escape(each)}(?!\w)", lead) is not None for each in own
    )
