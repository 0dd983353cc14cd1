"""Contrastive examples from recurring errors: a draft, and the reasons that a model writes for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

from voirdire.cognibench.diagnosis.errors import WORD_FOR_WORD, ErrorGroup, ErrorKind
from voirdire.cognibench.diagnosis.matching import Case, Side
from voirdire.data.prompt_files import load_prompt
from voirdire.detectors.contrastive import Contrast
from voirdire.detectors.records import LABELS, Label
from voirdire.evidence import ContextIndex
from voirdire.instruments import Instrument
from voirdire.jury.hostile_answers import find_addresses
from voirdire.jury.structured_replies import Asks, Missing, ParseFault, ask_until_parsed
from voirdire.records import Fenced, Message, Request, Settings, Slot
from voirdire.runs import DEFAULTS, RunOptions, open_run, options_for
from voirdire.text.overlap import content_words
from voirdire.text.sentences import split_sentences

GAP = "[…]"
"""Stands where something is left out."""
_SENTENCES = 2
"""Beside the first one, which says what the context is about."""
_LONG = 50
"""Words; of a longer piece, only so many are shown."""


def excerpt(context: str, claim: str) -> str:
    """The first sentence of a context and the two that share most with the claim, in the context's order.

    Lines are cut apart too: a context without full stops would else be one sentence.
    """
    pieces = [
        " ".join(line.split())
        for sentence in split_sentences(context, layout=True)
        for line in sentence.text.splitlines()
        if content_words(line)
    ]
    index = ContextIndex.from_sentences(dict.fromkeys(pieces))
    best = index.closest(claim, _SENTENCES)
    parts: list[str] = []
    before = -1
    for place in sorted({0, *best}) if index.sentences else ():
        parts += [GAP] if place > before + 1 else []
        parts.append(_cut(index.sentences[place].text))
        before = place
    return " ".join(parts)


def _cut(sentence: str) -> str:
    words = sentence.split()
    return sentence if len(words) <= _LONG else f"{' '.join(words[:_LONG])} {GAP}"


_LONG_STATEMENT = 45
"""Words; a longer statement makes a poor example, and is taken only when there is no other."""
_Error = tuple[ErrorKind, Case]


def draft(errors: Sequence[ErrorGroup], number: int) -> tuple[Contrast, ...]:
    """Draft contrastive examples of the errors that cost most.

    Missed hallucinations and false alarms take turns, so that the prompt shows both sides of the line, and within a
    side the kinds of error, the largest first; what changes no side comes last. Within a kind the most typical comes
    first. Each example is from a dialogue group of its own, as long as there are enough.

    Args:
        errors: of a diagnosis.
        number: of examples, at most; fewer when there are not so many errors.
    """
    missed, alarms, others = (_of_side(errors, side) for side in ("missed", "false alarm", "same side"))
    decisive = sorted((missed, alarms), key=len, reverse=True)
    return tuple(_contrast(*each) for each in _choose([*_interleave(decisive), *others], number))


def _of_side(errors: Sequence[ErrorGroup], side: Side) -> list[_Error]:
    groups = [group for group in errors if group.kind.side == side and group.kind is not WORD_FOR_WORD]
    return _interleave([[(group.kind, case) for case in group.cases] for group in groups])


def _interleave(queues: Sequence[Sequence[_Error]]) -> list[_Error]:
    """One of each queue, then the next of each, and so on."""
    return [each for row in zip_longest(*queues) for each in row if each is not None]


def _choose(queue: Sequence[_Error], number: int) -> list[_Error]:
    """The first ones that are short and from a new group; then from a new group; then any."""
    rules: tuple[Callable[[Case, set[str]], bool], ...] = (
        lambda case, used: case.pair.answer.group not in used and case.pair.statement.words <= _LONG_STATEMENT,
        lambda case, used: case.pair.answer.group not in used,
        lambda case, used: True,
    )
    places: list[int] = []
    used: set[str] = set()
    for rule in rules:
        for place, (_, case) in enumerate(queue):
            if len(places) < number and place not in places and rule(case, used):
                places.append(place)
                used.add(case.pair.answer.group)
    return [queue[place] for place in sorted(places)]


def _contrast(kind: ErrorKind, case: Case) -> Contrast:
    pair = case.pair
    return Contrast(
        reference=excerpt(pair.answer.context, pair.statement.text),
        claim=pair.statement.text,
        wrong=pair.machine,
        right=pair.human,
        reason=kind.reason(case),
        source_group=pair.answer.group,
        error=kind.name,
    )


INSTRUMENT = Instrument(
    name="cognibench-reasons",
    contents="reasons for contrastive examples",
    no_report="it holds the reasons that a diagnosis asked for: report the labelled run itself",
)
"""Described for the rest of the package."""

MAX_WORDS = 40
MAX_TOKENS = 400
REPAIRS = 2
_MAX_QUOTED_REPLY = 2_000
_LABEL_WORDS = re.compile(rf"(?i)\b(?:{'|'.join(LABELS)}|hallucinat\w*|labels?|labell?ed|judgements?)\b")
_MEANS: dict[Label, str] = {
    "irrelevant": "it says nothing of the matter",
    "faithful": "the reference says so",
    "invented": "it states a fact that the reference does not have",
    "misleading": "it is a conclusion that can't sensibly be drawn",
    "speculative": "it is a plausible conclusion that the reference does not bear out",
    "reliable": "it is a conclusion that the reference bears out, though another is possible",
    "irrefutable": "it is the only reasonable conclusion from the reference",
}


@dataclass(frozen=True, slots=True)
class ContrastReasons:
    """Examples with the reasons that a model wrote."""

    contrasts: tuple[Contrast, ...]
    refused: tuple[str, ...]
    """Why a reason is still the rules' one, a sentence for each example concerned."""


async def write_reasons(
    contrasts: Sequence[Contrast],
    spec: str,
    path: Path,
    options: RunOptions = DEFAULTS,
    *,
    base_url: str | None = None,
) -> ContrastReasons:
    """Have a model write the reasons; the calls are recorded in a run folder, and none is made twice.

    Raises:
        SpecError, RunFolderError, RunStopped: before or while asking.
    """
    models = {spec: options_for(spec, base_url)}
    prompts = {name: load_prompt(name).sha256 for name in ("diagnose_reason", "diagnose_repair")}
    manifest = {
        "instrument": INSTRUMENT.name,
        "model": spec,
        "claims": [each.claim for each in contrasts],
        "prompts": prompts,
    }
    async with open_run(path, manifest, models, options) as (_, runner):
        return await with_reasons(contrasts, spec, runner)


async def with_reasons(contrasts: Sequence[Contrast], spec: str, asker: Asks) -> ContrastReasons:
    """As `write_reasons`, with whoever makes the calls."""
    reasoned: list[Contrast] = []
    refused: list[str] = []
    for number, each in enumerate(contrasts, start=1):
        outcome, _ = await ask_until_parsed(
            asker, spec, _request(number, each), _read, _mend, repairs=REPAIRS, who="model", what="reason"
        )
        if isinstance(outcome, Missing):
            reasoned.append(each)
            refused.append(f"Example {number} keeps the reason of the rules: {outcome.why}.")
        else:
            reasoned.append(replace(each, reason=outcome.text))
    return ContrastReasons(tuple(reasoned), tuple(refused))


@dataclass(frozen=True, slots=True)
class _Reason:
    text: str


def _request(number: int, contrast: Contrast) -> Request:
    messages = load_prompt("diagnose_reason").messages(
        words=str(MAX_WORDS),
        reference=Fenced("excerpt", contrast.reference),
        claim=Fenced("statement", contrast.claim),
        wrong=_MEANS[contrast.wrong],
        right=_MEANS[contrast.right],
    )
    return Request(Slot(f"example-{number}", 1, "reasons"), messages, Settings(max_tokens=MAX_TOKENS, temperature=0.0))


def _mend(request: Request, reply: str, problem: str, number: int) -> Request:
    quoted = Fenced("your earlier reply", reply[:_MAX_QUOTED_REPLY] or "(nothing)")
    (again,) = load_prompt("diagnose_repair").messages(problem=problem, reply=quoted)
    *before, last = request.messages
    mended = Message(last.role, (*last.parts, "\n\n", *again.parts))
    return replace(request, slot=replace(request.slot, repair=number), messages=(*before, mended))


def _read(reply: str) -> _Reason | ParseFault:
    text = " ".join(reply.split())
    if not text:
        return ParseFault("it is empty")
    if len(split_sentences(text)) > 1:
        return ParseFault("it has more than one sentence")
    if len(text.split()) > MAX_WORDS:
        return ParseFault(f"it has more than {MAX_WORDS} words")
    if _LABEL_WORDS.search(text):
        return ParseFault("it speaks of labels or judgements")
    if find_addresses(text):
        return ParseFault("it speaks to whoever labels, and must say why the statement is right or wrong")
    return _Reason(text)
