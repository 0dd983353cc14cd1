"""The calls that a labeller makes: what is shown, in which order, and how much may be replied.

What all calls of a run share comes first, for prefix caches: task, standard, examples. Whatever a subject or a user's
file wrote goes in as `Fenced` parts; after the last of them the task is said again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from voirdire.data.packaged_files import names
from voirdire.data.prompt_files import Prompt, load_prompt
from voirdire.detectors.contrastive import Contrast
from voirdire.detectors.labelling.records import LabelPlan
from voirdire.detectors.records import Answer, DetectorError, Require, hallucinated, passage_of
from voirdire.evidence.context import ContextIndex, evidence_pieces
from voirdire.records import ChatRole, Fenced, Message, Request, Settings, Slot
from voirdire.text.counting import counted

_MARK = re.compile(r"<(\s*/?\s*(?:(?:faithful|hallu|irrelevant)\w*\b[^<>]*)?|/?\d+)>", re.IGNORECASE)


GAP = "[…]"
"""Stands where sentences are left out."""


def with_empty_marks(answer: Answer, places: Collection[int]) -> str:
    """The answer's text with `<>` and `</>` around the sentences at these places (CogniBench A.7)."""
    return _marked(answer, places, lambda place: ("<>", "</>"))


def with_numbers(answer: Answer, places: Collection[int]) -> str:
    """The answer's text with `<1>` and `</1>` around the sentence at place 0, and so on."""
    return _marked(answer, places, lambda place: (f"<{place + 1}>", f"</{place + 1}>"))


def escape_marks(text: str) -> str:
    """The text without anything that could be taken for a mark: `<hallu>` becomes `‹hallu›`."""
    return _MARK.sub(r"‹\1›", text) if "<" in text else text


def _marked(answer: Answer, places: Collection[int], marks: Callable[[int], tuple[str, str]]) -> str:
    """The sentences at the places, each with the one before it, which pronouns may need; `GAP` for the others."""
    parts: list[str] = []
    end, left_out = 0, False
    for place, statement in enumerate(answer.statements):
        if place not in places and place + 1 not in places:
            end, left_out = statement.end, True
            continue
        before = f" {GAP} " if left_out else escape_marks(answer.text[end : statement.start])
        opening, closing = marks(place) if place in places else ("", "")
        parts += [before, opening, escape_marks(answer.text[statement.start : statement.end]), closing]
        end, left_out = statement.end, False
    return "".join([*parts, f" {GAP}" if left_out else escape_marks(answer.text[end:])]).strip()


def evidence_for(answer: Answer, plan: LabelPlan, places: Collection[int]) -> str:
    """The evidence for the sentences at these places: all of it, or the sentences of it that match them best."""
    whole = passage_of(answer, plan.history).context
    if plan.retrieve is None:
        return whole
    return best_matching(whole, [answer.statements[place].text for place in sorted(places)], plan.retrieve)


def best_matching(context: str, claims: Collection[str], number: int) -> str:
    """The `number` sentences of the context that match each claim best, in the context's order.

    A sentence matches by its weighted content words in common with the claim; of equal ones, the earlier is taken.
    The context's first sentence is always among them: it says what the context is about.
    """
    sentences = evidence_pieces(context)
    index = ContextIndex.from_sentences(dict.fromkeys(sentences))
    matches = {sentences[0]} if sentences else set()
    for claim in claims:
        matches |= {index.sentences[place].text for place in index.closest(claim, number)}
    chosen = [place for place, sentence in enumerate(sentences) if sentence in matches]
    parts: list[str] = []
    for before, place in zip([-1, *chosen], chosen, strict=False):
        parts += [GAP, sentences[place]] if place > before + 1 else [sentences[place]]
    return " ".join(parts)


PREFIX = "cognibench_"
CHARACTERS_PER_TOKEN = 3.5  # of English prose; low, so that a limit made with it is not too tight
_REPEATED = 1.6  # a repeated sentence may be tokenised otherwise; a model may add a remark
_MARGIN = 150
LINE_TOKENS = 30  # "12. rational yes, grounded yes, irrefutable no"

Parts = tuple[str | Fenced, ...]


def label_request(answer: Answer, plan: LabelPlan, places: Collection[int], slot: Slot) -> Request:
    """Ask for a tag for each of the sentences at these places (CogniBench 3.1, A.7).

    With the form "marks" each sentence is given back between its tags, with "numbers" a line says its number and tag.
    """
    standard = "".join(str(part) for part in _section(f"{PREFIX}require_{plan.require}", "system"))
    temperature = plan.temperature_of(plan.votes)
    if plan.form == "numbers":
        request = _numbered_request("label_numbers", answer, plan, places, slot, temperature, standard=standard)
    else:
        messages = load_prompt(f"{PREFIX}label").messages(
            standard=standard,
            reference=Fenced("reference", evidence_for(answer, plan, places)),
            turn=_turn(answer, with_empty_marks(answer, places)),
        )
        request = Request(slot, messages, Settings(_room(answer, places), temperature=temperature))
    system, user = request.messages
    return replace(request, messages=(system, Message(user.role, _joined(_examples(plan), "\n\n", user.parts))))


def tier_request(answer: Answer, plan: LabelPlan, places: Collection[int], slot: Slot) -> Request:
    """Ask for the rung of each of the statements at these places: the second stage."""
    return _numbered_request("tier", answer, plan, places, slot, plan.temperature_of(plan.tier_votes))


def type_request(answer: Answer, plan: LabelPlan, places: Collection[int], slot: Slot) -> Request:
    """Ask whether each of the statements at these places is factual or cognitive."""
    return _numbered_request("type", answer, plan, places, slot, 0.0)


def request_for_missing(request: Request, number: int) -> Request:
    """A request for what was missing in earlier replies, with a word on why it is asked for once more."""
    again = _section(f"{PREFIX}again", "user")
    *before, last = request.messages
    message = Message(last.role, _joined(last.parts, "\n\n", again))
    return replace(request, slot=replace(request.slot, repair=number), messages=(*before, message))


def prompt_hashes() -> dict[str, str]:
    """SHA-256 of every prompt that a labeller can be shown, by name, for run.json."""
    return {name: load_prompt(name).sha256 for name in names("prompts", ".md") if name.startswith(PREFIX)}


def _numbered_request(
    kind: str,
    answer: Answer,
    plan: LabelPlan,
    places: Collection[int],
    slot: Slot,
    temperature: float,
    **values: str,
) -> Request:
    messages = load_prompt(f"{PREFIX}{kind}").messages(
        reference=Fenced("reference", evidence_for(answer, plan, places)),
        turn=_turn(answer, with_numbers(answer, places)),
        numbers=", ".join(str(place + 1) for place in sorted(places)),
        **values,
    )
    return Request(slot, messages, Settings(_MARGIN + LINE_TOKENS * len(places), temperature=temperature))


def _turn(answer: Answer, marked: str) -> Fenced:
    """Question and answer within one fence: neither is to be trusted more than the other, and fences cost tokens."""
    return Fenced("turn", f"Question: {escape_marks(answer.question) or '(none)'}\n\nAnswer: {marked}")


def _room(answer: Answer, places: Collection[int]) -> int:
    """Tokens for a reply that repeats the sentences."""
    repeated = sum(len(answer.statements[place].text) + len("<faithful></faithful>") for place in places)
    return _MARGIN + round(_REPEATED * repeated / CHARACTERS_PER_TOKEN)


def _examples(plan: LabelPlan) -> Parts:
    if not plan.contrastive:
        return _section(f"{PREFIX}plain", "user")
    worked = _section(f"{PREFIX}worked" if plan.form == "marks" else f"{PREFIX}worked_numbers", "user")
    if plan.contrasts:
        return _joined(_user_examples(plan.contrasts, plan.require), "\n\n", worked)
    boundary = "".join(str(part) for part in _section(f"{PREFIX}require_{plan.require}", "user"))
    packaged = _section(f"{PREFIX}examples", "user", boundary=boundary)
    return _joined(packaged, "\n\n", worked)


def _user_examples(contrasts: Sequence[Contrast], require: Require) -> Parts:
    """A user's examples. Only those whose two labels fall on different sides of the requirement contrast anything."""
    contrary = [each for each in contrasts if hallucinated(each.wrong, require) != hallucinated(each.right, require)]
    if not contrary:
        raise DetectorError(
            f"None of {counted(len(contrasts), 'example')} contrasts a hallucination with a faithful statement under "
            f"{require!r}: give one whose labels fall on either side."
        )
    parts: Parts = _section(f"{PREFIX}given", "user")
    for each in contrary:
        lines = [f"Reference: {escape_marks(each.reference)}", f"Sentence: {escape_marks(each.claim)}"]
        lines += [f"Why it is tagged as it is: {escape_marks(each.reason)}"] if each.reason else []
        tag = "hallu" if hallucinated(each.right, require) else "faithful"
        tag_line = _section(f"{PREFIX}given_right", "user", tag=tag)
        parts = _joined(_joined(parts, "\n\n", (Fenced("example", "\n".join(lines)),)), "\n", tag_line)
    return parts


def _section(name: str, role: ChatRole, /, **values: str | Fenced) -> Parts:
    """The section of a packaged prompt for this role; places without a value are not looked for in other sections."""
    prompt = load_prompt(name)
    only = tuple(section for section in prompt.sections if section[0] == role)
    (message,) = Prompt(prompt.name, prompt.version, prompt.sha256, only).messages(**values)
    return message.parts


def _joined(first: Parts, gap: str, second: Parts) -> Parts:
    """Two sequences of parts as one; neighbouring plain parts become one."""
    joined: list[str | Fenced] = list(first)
    for part in ((gap,) if gap and first else ()) + second:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return tuple(joined)
