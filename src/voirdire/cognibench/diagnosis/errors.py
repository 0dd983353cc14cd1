"""Recurring errors of a labeller: rules that put every wrong label into one group, and say why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from voirdire.cognibench.diagnosis.matching import Case, CaseEvidence, LabelPair, Side
from voirdire.detectors.records import Require, type_of

BEYOND = 0.3
"""Share of a statement's content words that the context lacks, from which on it says something of its own. In the
human labels of cognibench_dev 80 % of the faithful statements lie below, 95 % of the invented ones above."""
REWORDED = 0.25
"""Share of its content words that the best three neighbouring sentences lack, from which on a statement is reworded."""


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """A recurring error: its name, what it is, how it is recognised, and why the right label is right."""

    name: str
    title: str
    says: str
    """Its definition, for the user."""
    side: Side
    holds: Callable[[Case], bool]
    """Whether a wrong label of this side is such an error, when none before it in `ERRORS` holds."""
    reason: Callable[[Case], str]
    """Why the human label is right, as a draft for the user to edit."""


def _contradicted(case: Case) -> str:
    contradiction = case.contradictions[0]
    theirs = _quoted(contradiction.evidence) if contradiction.evidence else "otherwise"
    return f"The reference says {theirs}, not {_quoted(contradiction.claim)}."


def _missing_from_context(case: Case) -> str:
    words = case.new[:3] or _longest(case.grounds.words.new_words(case.pair.statement.text))
    return f"The reference does not speak of {_join(words)}; whether it is true elsewhere does not count."


def _judged(case: Case) -> str:
    if case.judgement is None:
        return "It makes no claim that the reference could bear out or contradict."
    return f"It only adds a judgement ({_quoted(case.judgement)}) to what the reference bears out."


def _graded(case: Case) -> str:
    return {
        "misleading": "It can't sensibly be concluded, and misleads whoever believes it.",
        "speculative": "It is plausible, but nothing in the reference bears it out.",
        "reliable": "The reference bears it out, but another reading is possible.",
        "irrefutable": "It is the only reasonable conclusion from the reference.",
    }.get(case.pair.human, "")


def _typed(case: Case) -> str:
    return {
        "irrelevant": "It says nothing of the matter.",
        "factual": "It reports a fact that can be looked up in the reference, and draws no conclusion.",
        "cognitive": "It does not repeat the reference, but concludes, explains or judges.",
    }[type_of(case.pair.human)]


def _fixed_reason(text: str) -> Callable[[Case], str]:
    return lambda case: text


WORD_FOR_WORD = ErrorKind(
    "word-for-word",
    "the context has this sentence word for word: the human label may be wrong",
    "people call a hallucination what is a sentence of the context; no example is drafted from it",
    "missed",
    lambda case: case.word_for_word,
    _fixed_reason("The context has this sentence word for word: the human label may be wrong."),
)
ERRORS: tuple[ErrorKind, ...] = (
    WORD_FOR_WORD,
    ErrorKind(
        "waved-through",
        "claim waved through as irrelevant",
        "a hallucination was taken for a remark that says nothing of the matter",
        "missed",
        lambda case: case.pair.machine == "irrelevant",
        _fixed_reason("It is no empty remark but makes a claim, which the reference does not bear out."),
    ),
    ErrorKind(
        "contradiction",
        "contradiction missed",
        "a hallucination whose number, name or polarity differs from a sentence of the context passed",
        "missed",
        lambda case: bool(case.contradictions),
        _contradicted,
    ),
    ErrorKind(
        "beyond-context",
        "true in the world, perhaps, but not in the context",
        "a hallucination passed though it brings in names, numbers or words that the context lacks",
        "missed",
        lambda case: bool(case.new) or case.novelty.anywhere >= BEYOND,
        _missing_from_context,
    ),
    ErrorKind(
        "invention",
        "invented statement taken for a sound one",
        "a factual hallucination passed that is made of the context's own words",
        "missed",
        lambda case: case.pair.human == "invented",
        _fixed_reason("The reference has these words, but does not say this."),
    ),
    ErrorKind(
        "leap",
        "unsupported conclusion taken for a sound one",
        "a cognitive hallucination passed that is made of the context's own words",
        "missed",
        lambda case: True,
        _fixed_reason("The reference has these words, but does not say or imply what is made of them."),
    ),
    ErrorKind(
        "filler",
        "evaluative filler called a hallucination",
        "an irrelevant statement, or a reliable one with an evaluative word, was flagged",
        "false alarm",
        lambda case: case.pair.human == "irrelevant" or (case.pair.human == "reliable" and bool(case.judgement)),
        _judged,
    ),
    ErrorKind(
        "deduction",
        "sound deduction called a hallucination",
        "another cognitive statement that the context bears out was flagged",
        "false alarm",
        lambda case: type_of(case.pair.human) == "cognitive",
        _fixed_reason("It is not said in these words, but follows from what the reference says."),
    ),
    ErrorKind(
        "paraphrase",
        "paraphrase called a hallucination",
        "a faithful statement was flagged that says it in other words",
        "false alarm",
        lambda case: case.novelty.window >= REWORDED,
        _fixed_reason("It says in other words what the reference says."),
    ),
    ErrorKind(
        "repetition",
        "plain repetition called a hallucination",
        "a faithful statement was flagged though it nearly repeats the context",
        "false alarm",
        lambda case: True,
        _fixed_reason("The reference says so nearly word by word."),
    ),
    ErrorKind(
        "type",
        "type confused",
        "factual, cognitive or irrelevant taken for another of the three, without a change of sides",
        "same side",
        lambda case: type_of(case.pair.machine) != type_of(case.pair.human),
        _typed,
    ),
    ErrorKind(
        "tier",
        "tier confused",
        "a cognitive statement on another rung of the ladder, without a change of sides",
        "same side",
        lambda case: True,
        _graded,
    ),
)
"""In the order in which they are tried: a wrong label belongs to the first of its side that holds."""


def kind_of(case: Case) -> ErrorKind:
    """The one recurring error that a wrong label is."""
    return next(kind for kind in ERRORS if kind.side == case.side and kind.holds(case))


def _quoted(text: str) -> str:
    return f"“{text}”"


def _longest(words: list[str]) -> tuple[str, ...]:
    """The three longest words, which tend to say most, as they follow each other."""
    longest = sorted(words, key=len, reverse=True)[:3]
    return tuple(word for word in words if word in longest)


def _join(words: tuple[str, ...]) -> str:
    if not words:
        return "this"
    return " or ".join(filter(None, [", ".join(map(_quoted, words[:-1])), _quoted(words[-1])]))


EXAMPLES = 3
"""Statements of each group in the JSON."""


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """All errors of one kind."""

    kind: ErrorKind
    cases: tuple[Case, ...]
    """The most typical first."""
    words: int
    share: float
    """Of all wrong labels, in [0, 1]."""

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON, with the most typical cases."""
        return {
            "name": self.kind.name,
            "title": self.kind.title,
            "definition": self.kind.says,
            "side": self.kind.side,
            "statements": len(self.cases),
            "words": self.words,
            "share": self.share,
            "examples": [
                {
                    "id": case.pair.answer.id,
                    "group": case.pair.answer.group,
                    "statement": case.pair.statement.text,
                    "start": case.pair.statement.start,
                    "machine": case.pair.machine,
                    "human": case.pair.human,
                    "why": self.kind.reason(case),
                }
                for case in self.cases[:EXAMPLES]
            ],
        }


def group_errors(pairs: Sequence[LabelPair], require: Require) -> tuple[ErrorGroup, ...]:
    """Put every wrong label into its group; the largest group first, those without a case left out."""
    grounds: dict[str, CaseEvidence] = {}
    cases: dict[str, list[Case]] = {kind.name: [] for kind in ERRORS}
    wrong = [pair for pair in pairs if pair.machine != pair.human]
    for pair in wrong:
        context = pair.answer.context
        if context not in grounds:
            grounds[context] = CaseEvidence.of(context)
        case = Case(pair, grounds[context], require)
        cases[kind_of(case).name].append(case)
    groups = [
        ErrorGroup(
            kind,
            _typical(cases[kind.name]),
            words=sum(case.pair.statement.words for case in cases[kind.name]),
            share=len(cases[kind.name]) / len(wrong),
        )
        for kind in ERRORS
        if cases[kind.name]
    ]
    return tuple(sorted(groups, key=lambda group: -len(group.cases)))


def _typical(cases: Sequence[Case]) -> tuple[Case, ...]:
    """Cases, the most typical first, each from another dialogue's group before one comes twice.

    Typical is what lies near the medians of length and of new words, each distance counted in its own median; equal
    ones stand in the order of id and place.
    """
    far_in_length = _distances([float(case.pair.statement.words) for case in cases])
    far_in_words = _distances([case.novelty.anywhere for case in cases])
    order = sorted(range(len(cases)), key=lambda at: (far_in_length[at] + far_in_words[at], _place(cases[at])))
    counts: dict[str, int] = {}
    turn: dict[int, int] = {}
    for at in order:
        group = cases[at].pair.answer.group
        turn[at] = counts[group] = counts.get(group, 0) + 1
    return tuple(cases[at] for at in sorted(order, key=lambda at: turn[at]))


def _distances(values: Sequence[float]) -> list[float]:
    """How far each value lies from the median, in medians; values are positive."""
    middle = median(values) if values else 1.0
    return [abs(value - middle) / middle for value in values]


def _place(case: Case) -> tuple[str, int]:
    return case.pair.answer.id, case.pair.statement.start
