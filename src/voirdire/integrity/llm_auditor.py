"""An auditor that is a language model: it finds, it does not count."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from voirdire.data.prompt_files import load_prompt
from voirdire.integrity.auditing import Audit, omissions, verify_findings
from voirdire.integrity.records import EstablishedFact
from voirdire.integrity.taxonomy import Taxonomy, ViolationType
from voirdire.jury.structured_replies import (
    Asks,
    Missing,
    ParseFault,
    Unusable,
    ask_until_parsed,
    field_of,
    join_missing,
    only_object,
)
from voirdire.records import Fenced, Message, Request, Settings, Slot

SENTENCES_PER_CALL = 30
"""A longer response is audited in parts; what is covered is put together before omissions are judged."""
MAX_TOKENS = 4000
REPAIRS = 2
_MAX_QUOTED_REPLY = 4000


@dataclass(frozen=True, slots=True)
class _Part:
    """What one call said."""

    findings: list[Mapping[str, Any]]
    covered: frozenset[str]


class LLMAuditor:
    """Asks one model for the violations in a response, sentence by sentence, and verifies what it says."""

    def __init__(self, asker: Asks, spec: str, taxonomy: Taxonomy, *, name: str | None = None) -> None:
        self.name = name or spec
        self._asker = asker
        self._spec = spec
        self._taxonomy = taxonomy

    async def audit(
        self, item: str, sentences: Sequence[str], facts: Sequence[EstablishedFact], context: str = ""
    ) -> Audit:
        """Audit one response. A part that can't be had makes the whole audit missing.

        Raises:
            Exception: only what the asker raises to stop the whole run.
        """
        starts = range(0, max(1, len(sentences)), SENTENCES_PER_CALL)
        outcomes = await asyncio.gather(*(self._part(item, sentences, facts, context, start) for start in starts))
        repairs = sum(number for _, number in outcomes)
        without = [outcome for outcome, _ in outcomes if isinstance(outcome, Missing)]
        if without:
            missing = join_missing(without)
            return Audit(self.name, missing=missing.why, call_failed=missing.call_failed, repairs=repairs)
        parts = [outcome for outcome, _ in outcomes if isinstance(outcome, _Part)]
        findings, voided = verify_findings(
            [finding for part in parts for finding in part.findings], sentences, facts, self._taxonomy, self.name
        )
        covered = frozenset[str]().union(*(part.covered for part in parts))
        return Audit(
            self.name,
            (*findings, *omissions(facts, covered, self.name)),
            tuple(voided),
            tuple(_coverage(fact.id, covered) for fact in facts),
            repairs=repairs,
        )

    async def _part(
        self, item: str, sentences: Sequence[str], facts: Sequence[EstablishedFact], context: str, start: int
    ) -> tuple[_Part | Missing, int]:
        request = audit_request(item, sentences, facts, context, self._taxonomy, start, self.name)
        return await ask_until_parsed(
            self._asker,
            self._spec,
            request,
            read_part,
            repair_with("audit_repair"),
            repairs=REPAIRS,
            who="auditor",
            what="audit",
        )


def audit_request(
    item: str,
    sentences: Sequence[str],
    facts: Sequence[EstablishedFact],
    context: str,
    taxonomy: Taxonomy,
    start: int,
    auditor: str,
) -> Request:
    """The call that audits `SENTENCES_PER_CALL` sentences from `start`. The whole of them is data, and fenced."""
    part = sentences[start : start + SENTENCES_PER_CALL]
    numbered = "\n".join(f"[{start + place}] {_single_line(sentence)}" for place, sentence in enumerate(part, start=1))
    types = _types(taxonomy)
    messages = load_prompt("audit").messages(
        types="\n".join(f"- {kind.name}: {kind.says}" for kind in types),
        facts=Fenced("facts", fact_lines(facts) or "(none were given)"),
        context=Fenced("question", context or "(none was given)"),
        response=Fenced("response", numbered),
        first=str(start + 1),
        last=str(start + len(part)),
    )
    return Request(
        slot=Slot(item, start // SENTENCES_PER_CALL + 1, "auditor", auditor),
        messages=messages,
        settings=Settings(max_tokens=MAX_TOKENS, temperature=0.0),
        schema=_schema(types),
    )


def fact_lines(facts: Sequence[EstablishedFact]) -> str:
    """A line for each fact, with its id: the words of a user's file, to be fenced."""
    return "\n".join(f"{_single_line(fact.id)}: {_single_line(fact.text)}" for fact in facts)


def read_part(text: str) -> _Part | ParseFault:
    """What a reply says of its sentences, or what is wrong with its form. Whether it is true is checked elsewhere."""
    try:
        fields = only_object(text)
        findings = field_of(fields, "findings")
        covered = field_of(fields, "covered")
        if not isinstance(findings, list) or not all(isinstance(each, dict) for each in findings):
            raise Unusable("findings must be a list of objects")
        if not isinstance(covered, list) or not all(isinstance(each, str) for each in covered):
            raise Unusable("covered must be a list of fact ids")
        return _Part([_finding(each) for each in findings], frozenset(covered))
    except Unusable as fault:
        return ParseFault(str(fault))


def audit_hashes() -> dict[str, str]:
    """SHA-256 of the prompts an auditor is shown, by name, for run.json."""
    return {name: load_prompt(name).sha256 for name in ("audit", "audit_repair")}


def _coverage(fact: str, covered: frozenset[str]) -> dict[str, Any]:
    return {"fact": fact, "status": "stated" if fact in covered else "missing", "sentence": None, "evidence": ""}


def _single_line(text: str) -> str:
    """The text on one line, so that none of it can pass for the next numbered sentence or fact."""
    return " ".join(text.split())


def _finding(fields: Mapping[str, Any]) -> dict[str, Any]:
    finding = {name: field_of(fields, name) for name in ("sentence", "quote", "type", "fact", "reason")}
    sentence, fact = finding["sentence"], finding["fact"]
    if isinstance(sentence, bool) or not isinstance(sentence, int):
        raise Unusable("sentence must be a whole number")
    if not all(isinstance(finding[name], str) for name in ("quote", "type", "reason")):
        raise Unusable("quote, type and reason must be strings")
    if fact is not None and not isinstance(fact, str):
        raise Unusable("fact must be the id of a fact, or null")
    return finding


def _types(taxonomy: Taxonomy) -> list[ViolationType]:
    """What an auditor may find: omissions and pervasiveness follow from the rest."""
    return [kind for kind in taxonomy.types.values() if kind.rung is None and kind.severity != "critical"]


def _schema(types: Sequence[ViolationType]) -> dict[str, Any]:
    finding = {
        "reason": {"type": "string"},
        "sentence": {"type": "integer"},
        "quote": {"type": "string"},
        "type": {"type": "string", "enum": [kind.name for kind in types]},
        "fact": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    }
    return _object(
        {
            "findings": {"type": "array", "items": _object(finding)},
            "covered": {"type": "array", "items": {"type": "string"}},
        }
    )


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def repair_with(prompt: str) -> Callable[[Request, str, str, int], Request]:
    """How a request is made once more, with the faulty reply and this prompt's words on what is wrong with it."""

    def mend(request: Request, reply: str, problem: str, number: int) -> Request:
        quoted = Fenced("your earlier reply", reply[:_MAX_QUOTED_REPLY] or "(nothing)")
        (again,) = load_prompt(prompt).messages(problem=problem, reply=quoted)
        *before, last = request.messages
        mended = Message(last.role, (*last.parts, "\n\n", *again.parts))
        return replace(request, slot=replace(request.slot, repair=number), messages=(*before, mended))

    return mend
