"""What is asked and answered: real texts from the shared data, and phrasing of ours around them."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.accuracy.planted.study import LETTERS, Item

Pair = dict[str, Any]
Row = TypeVar("Row")
REFUSAL = re.compile(r"(?i)\b(sorry|apologi[sz]e|as an ai|language model|i cannot|i can't|unable to|cannot provide)")
ADDRESS = re.compile(r"(?i)\b(output \(|model_[12]|grader|evaluator|judge|score|rating|\[\[)")
FENCE = "`" * 3


def shared() -> Path:
    """The folder of the shared data: `VOIRDIRE_SHARED`, or ../shared beside the repository."""
    beside = Path(__file__).resolve().parents[4] / "shared"
    return Path(os.environ.get("VOIRDIRE_SHARED", beside)) / "data"


@cache
def alpaca_items() -> list[Pair]:
    """AlpacaEval's 805 instructions with the baseline's outputs."""
    return _lines(shared() / "evals/alpacaeval/items.jsonl.gz")


@cache
def alpaca_rows(model: str, judge: str = "weighted_alpaca_eval_gpt4_turbo") -> list[Pair]:
    """One model's outputs and a judge's preferences."""
    return _lines(shared() / f"evals/alpacaeval/{model}.{judge}.jsonl.gz")


@cache
def alpaca_outputs(model: str) -> dict[int, str]:
    """Item to output."""
    return {row["item"]: row["output"] for row in alpaca_rows(model)}


@cache
def open_instructions(models: tuple[str, ...]) -> list[Item]:
    """AlpacaEval's instructions to which all these models gave a whole answer that refuses nothing."""
    kept = []
    seen: set[str] = set()
    for row in alpaca_items():
        outputs = [alpaca_outputs(model).get(row["item"], "") for model in models]
        if all(map(_whole, outputs)) and len(set(outputs)) == len(outputs) and not ADDRESS.search(row["instruction"]):
            if seen.isdisjoint(outputs) and len(row["instruction"]) < 1500:
                kept.append(Item(f"{row['item']:04d}", row["instruction"], dataset=row["dataset"]))
                seen.update(outputs)
    return unlike(kept, lambda item: item.question)


@cache
def claims() -> list[Pair]:
    """Pairs of evidence and claim whose label is sure, from Wikipedia and from science questions."""
    wanted = {"fm2_dev", "scitail_dev", "rte_train"}
    rows = [row for row in _entailment() if row["source"] in wanted and 60 <= len(row["evidence"]) <= 600]
    return unlike([row for row in rows if 25 <= len(row["claim"]) <= 160], lambda row: str(row["evidence"]))


@cache
def passages() -> list[list[Pair]]:
    """Sentences with three claims each: one supported, one contradicted, one neither."""
    groups: dict[str, dict[str, Pair]] = defaultdict(dict)
    for row in _entailment():
        if row["source"] == "mnli_dev" and len(row["evidence"]) > 60:
            groups[row["evidence"]][row["label"]] = row
    whole = [group for group in groups.values() if {"supported", "contradicted", "unsupported"} <= group.keys()]
    return [[group[label] for label in ("supported", "contradicted", "unsupported")] for group in whole]


def unlike(rows: list[Row], text: Callable[[Row], str]) -> list[Row]:
    """The rows without those that share half of their runs of three words with an earlier one."""
    kept: list[Row] = []
    runs: list[set[tuple[str, ...]]] = []
    where: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for row in rows:
        words = re.findall(r"\w+", text(row).lower())
        own = {tuple(words[place : place + 3]) for place in range(max(1, len(words) - 2))}
        shared_with = Counter(number for run in own for number in where[run])
        if all(count / min(len(own), len(runs[number])) < 0.5 for number, count in shared_with.items()):
            for run in own:
                where[run].append(len(kept))
            kept.append(row)
            runs.append(own)
    return kept


def choice_items(count: int, rng: random.Random, prefix: str = "q") -> list[Item]:
    """Which of four statements does the passage support? The key is at any place as often."""
    supported = [row for row in claims() if row["label"] == "supported"]
    unique = list({row["evidence"]: row for row in supported}.values())
    chosen = rng.sample(unique, count)
    spare = [row["claim"] for row in unique if row not in chosen] or [row["claim"] for row in unique]
    places = [place % 4 for place in range(count)]
    rng.shuffle(places)
    items = []
    for number, (row, place) in enumerate(zip(chosen, places, strict=True), 1):
        near = sorted(rng.sample(spare, 24), key=lambda text: abs(len(text) - len(row["claim"])))
        options = near[:3]
        options.insert(place, row["claim"])
        question = f"{row['evidence']}\n\n{rng.choice(_ASKED)}"
        items.append(Item(f"{prefix}{number:04d}", question, LETTERS[place], tuple(options), dataset=row["source"]))
    return items


def short_items(count: int, rng: random.Random, prefix: str = "s") -> list[Item]:
    """A sentence with a year, a figure or a name taken out, which the prompt names nowhere."""
    found: list[Item] = []
    rows = list({row["evidence"]: row for row in claims() if len(row["evidence"]) < 330}.values())
    rng.shuffle(rows)
    for row in rows:
        match = rng.choice(list(_GAP.finditer(row["evidence"])) or [None])
        if match is None or row["evidence"].count(match[0]) != 1 or match.start() < 12:
            continue
        gapped = row["evidence"][: match.start()] + "____" + row["evidence"][match.end() :]
        if any(word.lower() in gapped.lower() for word in match[0].split()):
            continue
        found.append(Item(f"{prefix}{len(found) + 1:04d}", gapped, match[0], dataset=row["source"]))
        if len(found) == count:
            return found
    raise ValueError(f"only {len(found)} of {count} items")


def passage_items(count: int, rng: random.Random, prefix: str = "p") -> list[Item]:
    """Three claims on each of `count` / 3 passages: supported, contradicted, or neither. The passage is the cluster."""
    items: list[Item] = []
    for number, group in enumerate(rng.sample(passages(), count // 3), 1):
        for row in group:
            question = f"Passage: {row['evidence']}\n\nClaim: {row['claim']}\n\nWhat does the passage say of the claim?"
            options = ["It supports the claim.", "It contradicts the claim.", "It leaves the claim open."]
            right = options[("supported", "contradicted", "unsupported").index(row["label"])]
            rng.shuffle(options)
            letter = LETTERS[options.index(right)]
            key = f"{prefix}{number:03d}-{len(items) % 3 + 1}"
            items.append(Item(key, question, letter, tuple(options), cluster=f"passage-{number:03d}", dataset="nli"))
    return items


def choice_output(item: Item, letter: str, rng: random.Random, style: int) -> str:
    """A short argument that ends in a letter, in the words of one of several models."""
    text = item.choices[LETTERS.index(letter)].rstrip(".")
    others = [each for each in LETTERS[: len(item.choices)] if each != letter]
    words = item.question.split()
    topic = " ".join(words[: rng.randint(5, 9)]).rstrip(".,;:")
    first = rng.choice(_OPENINGS[style % len(_OPENINGS)]).format(topic=topic)
    second = rng.choice(_MIDDLES[style % len(_MIDDLES)]).format(text=text, other=rng.choice(others), letter=letter)
    return f"{first} {second}\n\nANSWER: {letter}"


def short_output(item: Item, answer: str, rng: random.Random, style: int) -> str:
    """A sentence or two that end in a short answer."""
    before, _, after = item.question.partition("____")
    words = f"{' '.join(before.split()[-7:])} {answer} {' '.join(after.split()[:7])}".strip().rstrip(".,;")
    said = rng.choice(_FILLED[style % len(_FILLED)]).format(words=words)
    return f"{said} {rng.choice(_SURE)}\n\nAnswer: {answer}"


def other_answer(item: Item, rng: random.Random, pool: list[str]) -> str:
    """A wrong short answer of the same kind as the right one."""
    if item.target.isdigit():
        near = int(item.target) + rng.choice([-12, -7, -5, -3, -2, -1, 1, 2, 3, 4, 6, 10])
        return str(near if near > 0 else int(item.target) + 3)
    while True:
        other = rng.choice(pool)
        if not other.isdigit() and other != item.target and item.target not in other and other not in item.target:
            return other


def _whole(output: str) -> bool:
    text = output.strip()
    ends = bool(re.search(r"[.!?]\W?$", text)) and text.count(FENCE) % 2 == 0
    return 60 < len(text) < 3500 and ends and not REFUSAL.search(text) and not ADDRESS.search(text)


@cache
def _entailment() -> list[Pair]:
    return _lines(shared() / "entailment/train.jsonl.gz")


def _lines(path: Path) -> list[Pair]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


_GAP = re.compile(
    r"\b1[5-9]\d\d\b|\b20[0-2]\d\b|(?<=[a-z] )\b\d{2,3}\b(?!%|[.,]\d)|(?<=[a-z] )[A-Z][a-z]{3,}(?: [A-Z][a-z]{3,})?\b"
)
_ASKED = (
    "Which statement does the passage support?",
    "Which of these follows from the text?",
    "According to the text, which statement is true?",
    "What can be concluded from this?",
    "Which claim is backed by the passage above?",
)
_OPENINGS = (
    (
        "The text begins with “{topic}”, so I look for a statement about that.",
        "I compare each option with the passage on “{topic}”.",
        "What matters here is the part that reads “{topic}”.",
        "Reading from “{topic}” on, most options are about something else.",
    ),
    (
        "Let me go through this step by step. The passage is about “{topic}”.",
        "First, the subject: “{topic}”.",
        "The key phrase is “{topic}”.",
    ),
    (
        "“{topic}” is what the passage tells us.",
        "From “{topic}” we can rule out several options.",
        "The passage says “{topic}”, and more.",
    ),
)
_MIDDLES = (
    (
        "Option {letter} says that {text}, which is what the passage states. Option {other} has no basis in it.",
        "Only one of them fits: {text}. Nothing is said that would make {other} right.",
        "That leaves {letter}: {text}.",
    ),
    (
        "Next, I check the options one at a time. {other} brings in what is not mentioned; {letter} ({text}) agrees.",
        "The statement that matches is “{text}”. I considered {other} and rejected it.",
    ),
    (
        "{text} fits best.",
        "So the best option is {letter}, because {text}.",
        "I would exclude {other}; {text} is the one that stays.",
    ),
)
_FILLED = (
    ("The sentence should read “{words}”.", "With the gap filled: {words}.", "I believe it is “{words}”."),
    ("Completing the sentence gives “{words}”, which is consistent with what I know.", "The missing part: {words}."),
    ("{words}.", "It reads: {words}.", "Filled in, that is {words}."),
)
_SURE = (
    "I recall this from general knowledge.",
    "Nothing else fits the grammar of the sentence.",
    "The rest of the sentence points the same way.",
    "That is the detail which the context calls for.",
    "Other options would contradict the remaining words.",
    "I have no doubt about the kind of word that is missing.",
    "The surrounding words leave little room for anything else.",
    "It matches the time and the place that are described.",
    "This agrees with what is commonly reported.",
    "I weighed two alternatives and dropped the other one.",
    "The tone of the sentence suggests a plain fact.",
    "It is the most natural reading.",
)
