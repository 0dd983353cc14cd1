"""The second sitting: forty more plants, where the first set missed most.

They were designed by somebody else after the checks had been mended by the first set, again without a look at the
checks. Their figure is the one that is not flattered.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean, pstdev

import pandas as pd

from benchmarks.accuracy.planted import texts
from benchmarks.accuracy.planted.plants.base import Change, Plant, fail, judge_again, pick, rated, say, share, variants
from benchmarks.accuracy.planted.plants.denominators import errors, filled, hard, raised, settings
from benchmarks.accuracy.planted.plants.inference import few
from benchmarks.accuracy.planted.plants.judging import constant_judge, wrong_key
from benchmarks.accuracy.planted.plants.repeats import until_right
from benchmarks.accuracy.planted.study import LETTERS, Answer, Item, Study

OTHER_JUDGE = "mistral/mistral-medium-2505"
CUT_MARK = "... [truncated]"


def filtered_out(part: float) -> Change:
    """A provider's filter stopped the output; nothing was scored, and the mean leaves it out."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        for answer in hard(study, model, part, rng):
            answer.stop, answer.output, answer.extracted, answer.score = "content_filter", "", None, None
        return [model]

    return change


def one_judge_missing(part: float) -> Change:
    """One judge of the panel gave nothing for a share of a model's answers; the mean is that of the others."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        for answer in hard(study, model, part, rng):
            answer.verdicts[study.judges[-1]] = None
        judge_again(study)
        return [model]

    return change


def no_number(folder: Path, rng: random.Random) -> None:
    """Somebody wrote a word where a score should be."""
    (path,) = folder.glob("*.csv")
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    chosen = rng.sample(range(len(frame)), len(frame) // 12)
    frame.loc[chosen, "score"] = [rng.choice(["N/A", "error", "timeout"]) for _ in chosen]
    frame.to_csv(path, index=False)


def zeros_of_one_judge(part: float) -> Change:
    """Where one judge of the panel could not be read, it counts as its lowest verdict."""

    def change(study: Study, rng: random.Random) -> None:
        for answer in study.answers:
            if rng.random() < part:
                answer.verdicts[study.judges[-1]] = 0.0
        judge_again(study)

    return change


def nothing_is_right(part: float) -> Change:
    """No output came, and it counts as right."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        for answer in share(study, model, part, rng):
            answer.output, answer.extracted, answer.score = "", None, 1.0
        return [model]

    return change


def reordered(study: Study, rng: random.Random) -> Sequence[str]:
    """One model saw the options in another order."""
    model = pick(study, rng)
    for answer in study.of(model):
        taken = answer.item.choices[answer.pick()]
        choices = list(answer.item.choices)
        rng.shuffle(choices)
        target = LETTERS[choices.index(answer.item.reference)]
        answer.item = replace(answer.item, choices=tuple(choices), target=target)
        say(study, answer, LETTERS[choices.index(taken)], rng)
    return [model]


def shifted_ids(study: Study, rng: random.Random) -> Sequence[str]:
    """One model's rows are numbered one further on: an id is another question there."""
    model = pick(study, rng)
    answers = study.of(model)
    keys = [answer.item.key for answer in answers]
    for answer, key in zip(answers, [*keys[1:], keys[0]], strict=True):
        answer.item = replace(answer.item, key=key)
    return [model]


def lost_rows(part: float) -> Change:
    """Rows of one model are not in the table, mostly those that it got wrong."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        lost = {id(answer) for answer in hard(study, model, part, rng)}
        study.answers = [answer for answer in study.answers if id(answer) not in lost]
        return [model]

    return change


def another_judge(study: Study, rng: random.Random) -> Sequence[str]:
    """One model was graded by another judge than the others."""
    model = pick(study, rng)
    for answer in study.of(model):
        answer.verdicts = {OTHER_JUDGE: next(iter(answer.verdicts.values()))}
    study.judges = (*study.judges, OTHER_JUDGE)
    return [model]


def always(said: str) -> Callable[[float], Change]:
    """One short answer to a share of the items, whatever was asked."""

    def strength(part: float) -> Change:
        def change(study: Study, rng: random.Random) -> Sequence[str]:
            model = pick(study, rng)
            for answer in share(study, model, part, rng):
                say(study, answer, said, rng)
            return [model]

        return change

    return strength


def one_word(part: float) -> Change:
    """One word for an output."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        for answer in share(study, model, part, rng):
            answer.output = "unknown"
            fail(study, answer)
        return [model]

    return change


def words(count: float) -> Change:
    """A model's outputs end after so many words, and nothing says so."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        for answer in study.of(model):
            answer.output = " ".join(answer.output.split(" ")[: round(count)])
        return [model]

    return change


def cut_with_a_mark(characters: float) -> Change:
    """Whoever wrote the table cut long outputs, and marked it."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        for answer in study.of(model):
            if len(answer.output) > characters:
                answer.output = answer.output[: round(characters)] + CUT_MARK
        return [model]

    return change


def in_words(part: float) -> Change:
    """The right option is given by its text, and the scorer looks for a letter."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        for answer in share(study, model, part, rng):
            answer.output = f"I went through all of them.\n\nANSWER: {answer.item.reference}"
            answer.score, answer.extracted = 0.0, None
        return [model]

    return change


def other_case(part: float) -> Change:
    """Right but for capitals, and compared letter by letter."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        named = [answer for answer in study.of(model) if not answer.item.target.isdigit()]
        for answer in rng.sample(named, round(part * len(named))):
            said = answer.item.target.lower()
            say(study, answer, said, rng)
        return [model]

    return change


def first_number(part: float) -> Change:
    """The output ends in the right answer, and the scorer took one that was dropped on the way."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        pool = [item.target for item in study.items]
        for answer in share(study, model, part, rng):
            first = texts.other_answer(answer.item, rng, pool)
            answer.output = (
                f"Answer: {first}? That was my first thought, but it does not fit the rest of the sentence.\n\n"
                f"Answer: {answer.item.target}"
            )
            answer.score, answer.extracted = 0.0, first
        return [model]

    return change


def contained(part: float) -> Change:
    """The output names the reference, drops it and ends in another answer; it counts as right."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        pool = [item.target for item in study.items]
        for answer in share(study, model, part, rng):
            last = texts.other_answer(answer.item, rng, pool)
            answer.output = (
                f"One could think of {answer.item.target}, but that is not it: the sentence speaks of something else."
                f"\n\nAnswer: {last}"
            )
            answer.score, answer.extracted = 1.0, last
        return [model]

    return change


def copied_for_one(study: Study, rng: random.Random) -> None:
    """For one model, the second judge's verdicts are the first's."""
    first, second = study.judges[:2]
    for answer in study.of(pick(study, rng)):
        answer.verdicts[second] = answer.verdicts[first]
    judge_again(study)


def highest_of_others(study: Study, rng: random.Random) -> None:
    """The last judge's verdicts were filled with the highest of the others."""
    *others, last = study.judges
    for answer in study.answers:
        answer.verdicts[last] = max(answer.verdicts[judge] or 0.0 for judge in others)
    judge_again(study)


def rescaled(study: Study, rng: random.Random) -> None:
    """The second judge's verdicts are the first's on another scale."""
    first, second = study.judges[:2]
    for answer in study.answers:
        answer.verdicts[second] = round(0.2 + 0.7 * (answer.verdicts[first] or 0.0), 4)
    judge_again(study)


def constant_for_one(study: Study, rng: random.Random) -> None:
    """A judge gives the same verdict to all outputs of one model."""
    model = pick(study, rng)
    for answer in study.of(model):
        answer.verdicts[study.judges[1]] = 0.8
    judge_again(study)


def hardly_moving(study: Study, rng: random.Random) -> None:
    """A judge's verdicts differ in the second digit at most, whatever it read."""
    for answer in study.answers:
        answer.verdicts[study.judges[1]] = round(0.8 + rng.choice([0.0, 0.0, 0.01, 0.02]), 2)
    judge_again(study)


def long_ones_win(by: float) -> Change:
    """Judges give more to the longest quarter of each model's outputs, and see no other difference in length."""

    def change(study: Study, rng: random.Random) -> None:
        for model in study.models:
            answers = sorted(study.of(model), key=lambda answer: len(answer.output))
            for answer in answers[len(answers) * 3 // 4 :]:
                _more(answer, {judge: by for judge in study.judges})
        judge_again(study)

    return change


def by_length(weight: float) -> Change:
    """Judges give more, or less, for longer outputs: by words, one standard deviation of their logarithm a step."""

    def change(study: Study, rng: random.Random) -> None:
        _by_words(study, weight, study.judges)

    return change


def second_judge_by_length(weight: float) -> Change:
    """One judge of two likes long outputs."""

    def change(study: Study, rng: random.Random) -> None:
        _by_words(study, weight, study.judges[1:2])

    return change


def longer_of_two(weight: float) -> Change:
    """The judge of pairs leans to the longer one."""

    def change(study: Study, rng: random.Random) -> None:
        for answer in study.answers:
            longer = len(answer.output) > len(answer.item.baseline)
            _more(answer, {judge: weight if longer else -weight for judge in study.judges}, digits=10)
        judge_again(study)

    return change


def _by_words(study: Study, weight: float, judges: Sequence[str]) -> None:
    for model in study.models:
        answers = study.of(model)
        counts = [len(answer.output.split()) ** 0.25 for answer in answers]
        mean, spread = fmean(counts), pstdev(counts)
        for answer, count in zip(answers, counts, strict=True):
            _more(answer, {judge: weight * (count - mean) / spread for judge in judges})
    judge_again(study)


def _more(answer: Answer, by: dict[str, float], digits: int = 1) -> None:
    for judge, more in by.items():
        answer.verdicts[judge] = min(1.0, max(0.0, round((answer.verdicts[judge] or 0.0) + more, digits)))


def slipped_keys(count: float) -> Change:
    """The keys of some items in a row slipped by one place when files were joined."""

    def change(study: Study, rng: random.Random) -> None:
        begin = rng.randrange(len(study.items) - round(count))
        slipped: list[Item] = study.items[begin : begin + round(count)]
        for item in slipped:
            item.target = LETTERS[(LETTERS.index(item.target) + 1) % len(item.choices)]
        keys = {item.key for item in slipped}
        for answer in study.answers:
            if answer.item.key in keys:
                answer.score = float(answer.extracted == answer.item.target)

    return change


def best_epoch_kept(study: Study, rng: random.Random) -> Sequence[str]:
    """One model's rows are the best of its repetitions, a row an item; the others have all."""
    model = pick(study, rng)
    tries: dict[str, list[Answer]] = defaultdict(list)
    for answer in study.of(model):
        tries[answer.item.key].append(answer)
    kept = {id(max(found, key=lambda answer: (answer.score or 0.0, -answer.epoch))) for found in tries.values()}
    study.answers = [answer for answer in study.answers if answer.model != model or id(answer) in kept]
    return [model]


SECOND: tuple[Plant, ...] = (
    *rated("headline_recomputed", "raised", raised, "promptfoo-judged:-0.06"),
    *rated("dropped_items", "errors", errors, "helm-choice:0.1"),
    *rated("dropped_items", "filtered", filtered_out, "inspect-choice:0.08"),
    *rated("dropped_items", "one judge", one_judge_missing, "csv-panel:0.2"),
    Plant("dropped_items", "no number", "csv-choice", edit=no_number),
    *rated("missing_scored", "all", filled(1.0), "promptfoo-judged:0.12"),
    *rated("missing_scored", "off the grid", filled(0.55), "jsonl-judged:0.08"),
    *rated("missing_scored", "one judge's zeros", zeros_of_one_judge, "csv-panel:0.1"),
    *rated("missing_scored", "nothing is right", nothing_is_right, "eee-short:0.1"),
    *variants("different_items", "five shots", settings(shots=5), "inspect-short"),
    *variants("different_items", "options in another order", reordered, "csv-choice"),
    *variants("different_items", "ids shifted", shifted_ids, "jsonl-short"),
    *rated("different_items", "lost rows", lost_rows, "csv-scores:0.06"),
    *variants("different_items", "another judge", another_judge, "csv-families"),
    *rated("constant_output", "one letter", always("B"), "helm-choice:0.9"),
    *rated("constant_output", "one answer", always("1984"), "helm-short:0.35"),
    *rated("constant_output", "one word", one_word, "csv-epochs:0.4"),
    *rated("truncated", "words", words, "csv-panel:60 eee-judged:80"),
    *rated("truncated", "marked", cut_with_a_mark, "csv-choice:150"),
    *rated("unparsed", "in words", in_words, "inspect-choice:0.12"),
    *rated("unparsed", "other case", other_case, "eee-short:0.2"),
    *rated("unparsed", "first number", first_number, "lm-eval-short:0.1"),
    *rated("unparsed", "contained", contained, "inspect-short:0.12"),
    *variants("copied_judge", "for one model", copied_for_one, "csv-judges"),
    *variants("copied_judge", "highest of the others", highest_of_others, "csv-panel"),
    *variants("copied_judge", "rescaled", rescaled, "inspect-judges"),
    *variants("constant_judge", "for one model", constant_for_one, "csv-panel"),
    *variants("constant_judge", "hardly moving", hardly_moving, "csv-judges"),
    *rated("constant_judge", "the second", constant_judge(1, 0.7), "promptfoo-judged:0.93"),
    *rated("length_association", "long ones win", long_ones_win, "csv-panel:0.3"),
    *rated("length_association", "likes short ones", by_length, "jsonl-judged:-0.15"),
    *rated("length_association", "one judge of two", second_judge_by_length, "promptfoo-judged:0.25"),
    *rated("length_association", "longer of two", longer_of_two, "alpaca-made:0.2"),
    *rated("wrong_key_suspects", "slipped keys", slipped_keys, "inspect-choice:14"),
    *rated("wrong_key_suspects", "wrong key", wrong_key, "jsonl-epochs:0.12"),
    *variants("best_of", "best kept", best_epoch_kept, "csv-epochs"),
    *variants("best_of", "until right", until_right, "promptfoo-repeats eee-epochs"),
    *rated("power", "items", few, "deepeval-judges:12"),
)
"""All of them."""
