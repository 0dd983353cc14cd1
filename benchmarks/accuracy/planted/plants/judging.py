"""Who judges, by what, and whether the key is right."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from statistics import fmean, pstdev

from benchmarks.accuracy.planted.plants.base import Change, Plant, judge_again, pick, rated, say, variants
from benchmarks.accuracy.planted.study import LETTERS, Study


def copied(part: float) -> Change:
    """A judge's verdicts are another judge's, for a share of the answers."""

    def change(study: Study, rng: random.Random) -> None:
        first, second = study.judges[:2]
        for answer in study.answers:
            if rng.random() < part:
                answer.verdicts[second] = answer.verdicts[first]
        judge_again(study)

    return change


def mean_of_others(study: Study, rng: random.Random) -> None:
    """The last judge's verdicts were filled with the mean of the others."""
    *others, last = study.judges
    for answer in study.answers:
        answer.verdicts[last] = fmean(answer.verdicts[judge] or 0.0 for judge in others)
    judge_again(study)


def shifted(study: Study, rng: random.Random) -> None:
    """The second judge gives a tenth less than the first, always."""
    first, second = study.judges[:2]
    for answer in study.answers:
        answer.verdicts[second] = round(max(0.0, (answer.verdicts[first] or 0.0) - 0.1), 10)
    judge_again(study)


def constant_judge(place: int, value: float) -> Callable[[float], Change]:
    """A judge gives the same verdict to a share of all answers."""

    def strength(part: float) -> Change:
        def change(study: Study, rng: random.Random) -> None:
            judge = study.judges[place]
            for answer in study.answers:
                if rng.random() < part:
                    answer.verdicts[judge] = value
                    if study.kind == "judged":
                        answer.explanation = "The response is good overall.\n\nGRADE: C"
            judge_again(study)

        return change

    return strength


def lone(place: int) -> Callable[[float], Change]:
    """A judge lifts the second model, and lowers the best one, until the joint score has their order turned."""

    def strength(part: float) -> Change:
        def change(study: Study, rng: random.Random) -> Sequence[str]:
            best, second = sorted(study.models, key=lambda name: -fmean(each.score or 0.0 for each in study.of(name)))[
                :2
            ]
            judge = study.judges[place]
            for model, added in ((best, -part), (second, part)):
                for answer in study.of(model):
                    given = (answer.verdicts[judge] or 0.0) + added
                    answer.verdicts[judge] = round(min(1.0, max(0.0, given)), 10)
            judge_again(study)
            return [second]

        return change

    return strength


def judged_by(judge: str) -> Change:
    """The judge comes from the family of one of the models."""

    def change(study: Study, rng: random.Random) -> None:
        _renamed_judge(study, judge)

    return change


def renamed(model: str, judge: str) -> Change:
    """One of the models, and a judge, come from one family."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        old = study.models[-1]
        study.settings = {model if name == old else name: each for name, each in study.settings.items()}
        for answer in study.answers:
            answer.model = model if answer.model == old else answer.model
        _renamed_judge(study, judge)
        return [model]

    return change


def _renamed_judge(study: Study, judge: str) -> None:
    first = study.judges[0]
    study.judges = (judge, *study.judges[1:])
    for answer in study.answers:
        answer.verdicts = {judge if name == first else name: value for name, value in answer.verdicts.items()}


def likes_length(weight: float) -> Change:
    """Judges give more for longer outputs of the same model. `weight`: for one standard deviation of length."""

    def change(study: Study, rng: random.Random) -> None:
        binary = all(answer.score in (0.0, 1.0) for answer in study.answers)
        for model in study.models:
            answers = study.of(model)
            lengths = [len(answer.output) ** 0.5 for answer in answers]
            mean, spread = fmean(lengths), pstdev(lengths)
            for answer, length in zip(answers, lengths, strict=True):
                for judge, verdict in answer.verdicts.items():
                    given = (verdict or 0.0) + weight * (length - mean) / spread
                    if binary:
                        given = float(
                            0.2 + 0.6 * (verdict or 0.0) + weight * (length - mean) / spread + rng.gauss(0, 0.2) > 0.5
                        )
                    elif study.kind != "pairs":
                        given = round(given, 1)
                    answer.verdicts[judge] = min(1.0, max(0.0, given))
        judge_again(study)

    return change


def favours(letter: str) -> Callable[[float], Change]:
    """A model gives one letter for a share of the items, whatever stands there."""

    def strength(part: float) -> Change:
        def change(study: Study, rng: random.Random) -> Sequence[str]:
            model = pick(study, rng)
            for answer in study.of(model):
                if rng.random() < part:
                    say(study, answer, letter, rng)
            return [model]

        return change

    return strength


def wrong_key(part: float) -> Change:
    """The key of some items is wrong: the stronger models agree on what is right."""

    def change(study: Study, rng: random.Random) -> None:
        strong = set(study.models[: max(2, len(study.models) - 1)])
        items = rng.sample(study.items, max(4, round(part * len(study.items))))
        chosen = {item.key: item.target for item in items}
        for item in items:
            others = [each for each in LETTERS[: len(item.choices)] if each != item.target] if item.choices else []
            item.target = rng.choice(others) if others else _other_target(study, item.target, rng)
        for answer in study.answers:
            if answer.item.key in chosen:
                knows = answer.model in strong or rng.random() < 0.6
                said = chosen[answer.item.key] if knows else answer.extracted or chosen[answer.item.key]
                say(study, answer, said, rng)

    return change


def _other_target(study: Study, target: str, rng: random.Random) -> str:
    if target.isdigit():
        return str(int(target) + rng.choice([-8, -4, -2, -1, 1, 2, 5, 10]))
    return rng.choice([item.target for item in study.items if not item.target.isdigit() and item.target != target])


CLAUDE = "anthropic/claude-sonnet-4-0"
MINI, FULL = "openai/gpt-4o-mini", "openai/gpt-4o"

PLANTS: tuple[Plant, ...] = (
    *rated(
        "copied_judge",
        "copied",
        copied,
        "csv-judges:1 csv-judges:0.9 csv-panel:1 csv-panel:0.8 inspect-judges:1 inspect-judges:0.85 promptfoo-judged:1 "
        "promptfoo-judged:0.9 deepeval-judges:1 deepeval-judges:0.9 alpaca-judges:1",
    ),
    *variants("copied_judge", "mean of the others", mean_of_others, "csv-panel"),
    *variants("copied_judge", "shifted", shifted, "csv-judges inspect-judges"),
    *rated(
        "constant_judge",
        "the first",
        constant_judge(0, 0.8),
        "inspect-judges:1 deepeval-judged:0.98 jsonl-judged:1 csv-families:0.96 csv-panel:1 eee-judged:0.97",
    ),
    *rated(
        "constant_judge",
        "the second",
        constant_judge(1, 0.7),
        "csv-judges:1 promptfoo-judged:1 deepeval-judges:0.97 csv-panel:0.96",
    ),
    *rated(
        "constant_judge", "all the best", constant_judge(0, 1.0), "inspect-judged:1 promptfoo-judged:0.97 alpaca-made:1"
    ),
    *rated(
        "lone_judge",
        "the first",
        lone(0),
        "csv-judges:0.25 csv-judges:0.3 csv-judges:0.4 csv-judges:0.5 csv-panel:0.4 csv-panel:0.5 csv-panel:0.6",
    ),
    *rated(
        "lone_judge",
        "the second",
        lone(1),
        "csv-judges:0.25 csv-judges:0.3 csv-judges:0.45 csv-panel:0.5 csv-panel:0.6",
    ),
    *variants(
        "self_judging",
        "by Claude",
        judged_by(CLAUDE),
        "inspect-judged inspect-judges promptfoo-judged deepeval-judged csv-judges csv-families eee-judged",
    ),
    *variants("self_judging", "annotated by Claude", judged_by("claude_3_opus_ranking"), "alpaca-made"),
    *variants(
        "self_judging",
        "small by large",
        renamed(MINI, FULL),
        "inspect-judged deepeval-judges jsonl-judged csv-panel promptfoo-judged",
    ),
    *variants("self_judging", "itself", renamed(FULL, FULL), "deepeval-judged eee-judged"),
    *rated(
        "length_association",
        "likes length",
        likes_length,
        "inspect-judged:0.2 inspect-judges:0.15 inspect-judges:0.08 promptfoo-judged:0.15 promptfoo-judged:0.25 "
        "deepeval-judged:0.12 deepeval-judges:0.2 csv-judges:0.1 csv-families:0.2 csv-panel:0.12 jsonl-judged:0.15 "
        "eee-judged:0.15 alpaca-made:0.2",
    ),
    *rated(
        "position_association",
        "favours A",
        favours("A"),
        "inspect-choice:0.4 inspect-zip:0.6 lm-eval-choice:0.3 helm-choice:0.5 eee-choice:0.4 csv-choice:0.35 "
        "jsonl-epochs:0.5",
    ),
    *rated(
        "position_association",
        "favours C",
        favours("C"),
        "inspect-choice:0.6 lm-eval-three:0.35 helm-choice:0.35 eee-choice:0.7 csv-choice:0.6 inspect-exam-epochs:0.45",
    ),
    *rated("position_association", "favours B", favours("B"), "inspect-passages:0.45 lm-eval-passages:0.4"),
    *rated(
        "wrong_key_suspects",
        "wrong key",
        wrong_key,
        "inspect-choice:0.04 inspect-choice:0.1 lm-eval-three:0.04 lm-eval-three:0.1 helm-choice:0.05 helm-choice:0.12 "
        "eee-choice:0.06 eee-choice:0.12 csv-choice:0.05 csv-choice:0.1 inspect-passages:0.05 inspect-short:0.06 "
        "jsonl-short:0.08",
    ),
)
"""The plants on judges, places and keys."""
