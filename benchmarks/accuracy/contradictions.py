"""How many contradictions the stage flags: those of the suite, and those of a second set of rules.

    python -m benchmarks.accuracy.contradictions DATA [--half tuning|held-back|both] [--detector NAME] [--misses RULE]

The second set shares nothing with the suite: it changes words blindly, with no look at the context and no lists of
verbs or opposites, as somebody else's rules might. The contexts of DATA are parted in two halves by a hash.
"""

from __future__ import annotations

import argparse
import random
import re
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from voirdire.cognibench.contradictions import perturb
from voirdire.cognibench.formats.released import read_released
from voirdire.detectors import Answer, Detector, DetectorOptions, open_detector
from voirdire.evidence import ContextIndex, contradiction_score

NEEDS = "labelled answers"

MONTHS = "january february march april may june july august september october november december".split()
WORDS = "two three four five six seven eight nine ten eleven twelve".split()
MONTH = "|".join(MONTHS)
FIGURE = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})*(?:\.\d+)?(?![\w,])|(?<=[a-z])\d+\b")
YEAR = re.compile(r"\b1[0-9]\d\d\b|\b20[0-2]\d\b")
DATED = re.compile(rf"(?i)\b(?:{MONTH})\b(?= \d)|(?<=\d )(?:{MONTH})\b|(?<=\bin )(?:{MONTH})\b")
TITLE = re.compile(r"(?<=[a-z,] )[A-Z][\w'-]+(?: (?:of |de |the )?[A-Z][\w'-]+)*")
BE = re.compile(r"(?i)\b(?:is|are|was|were|has been|have been|had been|can|could|would|will|may|might|must)\b(?! not)")
VERB = re.compile(
    r"\b(?!hundred|need|indeed|based|located|named|called|united)[a-z]{4,}ed\b(?= (?:the|a|an|his|her|in)\b)"
)

Rule = Callable[[str, str, random.Random], str | None]


class Changed(NamedTuple):
    """A faithful statement with one thing changed."""

    kind: str
    rule: str
    answer: str
    original: str
    text: str


def _with(text: str, match: re.Match[str] | None, new: str) -> str | None:
    return None if match is None else text[: match.start()] + new + text[match.end() :]


def _pick(pattern: re.Pattern[str], text: str, chance: random.Random) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return chance.choice(found) if found else None


def _arithmetic(change: Callable[[float], float]) -> Rule:
    def rule(text: str, context: str, chance: random.Random) -> str | None:
        match = _pick(FIGURE, text, chance)
        if match is None:
            return None
        digits = match[0].replace(",", "")
        return _with(text, match, f"{change(float(digits)):.{len(digits.partition('.')[2])}f}")

    return rule


def _transposed(text: str, context: str, chance: random.Random) -> str | None:
    match = _pick(re.compile(r"(?<=\d)(\d)(?!\1)(\d)(?!\d)|(?<!\d)(\d)(?!\3)(\d)(?!\d)"), text, chance)
    return match and _with(text, match, match[0][::-1])


def _other_word(text: str, context: str, chance: random.Random) -> str | None:
    match = _pick(re.compile(rf"(?i)\b(?:{'|'.join(WORDS)})\b"), text, chance)
    return match and _with(text, match, chance.choice([word for word in WORDS if word != match[0].lower()]))


def _spelled_out(text: str, context: str, chance: random.Random) -> str | None:
    match = _pick(re.compile(r"(?<![\w.,-])[1-9]\d?(?![\w.,-])"), text, chance)
    return match and _with(text, match, chance.choice([w for i, w in enumerate(WORDS, 2) if str(i) != match[0]]))


def _other_month(text: str, context: str, chance: random.Random) -> str | None:
    match = _pick(DATED, text, chance)
    return match and _with(text, match, chance.choice([month for month in MONTHS if month != match[0].lower()]))


def _year(*shifts: int) -> Rule:
    def rule(text: str, context: str, chance: random.Random) -> str | None:
        match = _pick(YEAR, text, chance)
        return match and _with(text, match, str(int(match[0]) + chance.choice(shifts)))

    return rule


def _after_be(word: str) -> Rule:
    def rule(text: str, context: str, chance: random.Random) -> str | None:
        match = BE.search(text)
        return match and _with(text, match, f"{match[0]} {word}")

    return rule


def _verb(form: str) -> Rule:
    def rule(text: str, context: str, chance: random.Random) -> str | None:
        match = VERB.search(text)
        return match and _with(text, match, form.format(past=match[0], base=match[0].removesuffix("ed")))

    return rule


def _not_true(text: str, context: str, chance: random.Random) -> str | None:
    return f"It is not true that {text[:1].lower()}{text[1:]}"


def _swap(words: Callable[[str], bool], place: Callable[[Sequence[tuple[int, str]]], tuple[int, str]]) -> Rule:
    def rule(text: str, context: str, chance: random.Random) -> str | None:
        names = sorted({match[0] for match in TITLE.finditer(context) if len(match[0]) > 3 and words(match[0])})
        low = text.lower()
        found = [
            (match.start(), name)
            for name in names
            for match in re.finditer(rf"(?<![\w'-]){re.escape(name.lower())}(?![\w-])", low)
        ]
        if not found:
            return None
        start, name = place(found)
        parts = set(name.lower().split())
        others = [other for other in names if other.lower() not in low and not parts & set(other.lower().split())]
        return text[:start] + chance.choice(others).lower() + text[start + len(name) :] if others else None

    return rule


SECOND: dict[str, dict[str, Rule]] = {
    "number": {
        "plus one": _arithmetic(lambda x: x + 1),
        "doubled": _arithmetic(lambda x: 2 * x),
        "times ten": _arithmetic(lambda x: 10 * x),
        "digits transposed": _transposed,
        "another word": _other_word,
        "another, spelled out": _spelled_out,
    },
    "date": {
        "another month": _other_month,
        "year by 1": _year(-1, 1),
        "year by 10": _year(-10, 10),
        "year far off": _year(-57, 43),
    },
    "negation": {
        "is not": _after_be("not"),
        "is never": _after_be("never"),
        "is no longer": _after_be("no longer"),
        "never": _verb("never {past}"),
        "did not": _verb("did not {base}"),
        "didn't": _verb("didn't {base}"),
        "failed to": _verb("failed to {base}"),
        "it is not true that": _not_true,
    },
    "name": {
        "first": _swap(lambda name: True, min),
        "last of two words": _swap(lambda name: " " in name, max),
    },
}


def halves(answers: Iterable[Answer]) -> dict[str, list[Answer]]:
    labelled = [answer for answer in answers if answer.labelled]
    even = [answer for answer in labelled if zlib.crc32(answer.group.encode()) % 2 == 0]
    return {"tuning": even, "held-back": [each for each in labelled if each not in even], "both": labelled}


def second_set(answers: Iterable[Answer]) -> Iterator[Changed]:
    for answer in answers:
        for place, statement in enumerate(answer.statements):
            if statement.label == "faithful":
                for kind, rules in SECOND.items():
                    for name, rule in rules.items():
                        seed = f"{answer.id}{place}{name}"
                        text = rule(statement.text, answer.context, random.Random(seed))
                        if text is not None and text != statement.text:
                            yield Changed(kind, name, answer.id, statement.text, text)


class Flags:
    """Whether a sentence is flagged: by the stage alone, or by a whole detector shown the one sentence."""

    def __init__(self, answers: Iterable[Answer], detector: Detector | None) -> None:
        self._contexts = {answer.id: answer.context for answer in answers}
        self._indexes = {name: ContextIndex.from_context(context) for name, context in self._contexts.items()}
        self._detector = detector

    def flagged(self, answer: str, text: str) -> bool:
        """Whether a text is flagged in place of a statement of this answer."""
        if self._detector is None:
            return contradiction_score(text, self._indexes[answer]) > 0
        return self._detector.flag(self._contexts[answer], [text])[0] >= self._detector.threshold


def show(title: str, flags: Iterable[bool]) -> None:
    found = list(flags)
    print(f"{title:<40}{sum(found):>5} of {len(found):>4}{sum(found) / max(1, len(found)):>8.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--half", choices=("tuning", "held-back", "both"), default="both")
    parser.add_argument("--detector", help="a whole detector instead of the stage alone")
    parser.add_argument("--misses", help="also print what is missed of this rule or kind")
    options = parser.parse_args()
    answers = halves(read_released(options.data))[options.half]
    flags = Flags(answers, open_detector(options.detector, DetectorOptions()) if options.detector else None)
    by_label: dict[str, list[bool]] = defaultdict(list)
    start = time.process_time()
    for answer in answers:
        for statement in answer.statements:
            by_label[statement.label or "no label"].append(flags.flagged(answer.id, statement.text))
    seconds = time.process_time() - start
    for label, flagged in sorted(by_label.items()):
        show(f"untouched, {label}", flagged)
    suite = [Changed(each.kind, "suite", each.answer, each.original, each.text) for each in perturb(answers)]
    changed = [*suite, *second_set(answers)]
    rules: dict[tuple[str, str], list[tuple[Changed, bool]]] = defaultdict(list)
    for each in changed:
        rules[each.kind, each.rule].append((each, flags.flagged(each.answer, each.text)))
    for (kind, rule), tried in rules.items():
        show(f"{kind}, {rule}", (flagged for _, flagged in tried))
        for each, found in tried:
            if not found and options.misses in (kind, rule):
                print(f"    {each.original}\n    {each.text}\n")
    print(f"{seconds / sum(map(len, by_label.values())) * 1e3:.2f} ms a statement, contexts indexed beforehand")


if __name__ == "__main__":
    main()
