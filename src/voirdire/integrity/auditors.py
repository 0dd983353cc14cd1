"""Who audits: the rules, or models; opened by name."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import get_context
from typing import Protocol

from voirdire.evidence.entailment import EntailmentError, packaged_model
from voirdire.integrity.auditing import RULES, UNSPACED, Audit
from voirdire.integrity.items import Item
from voirdire.integrity.llm_auditor import LLMAuditor
from voirdire.integrity.records import EstablishedFact, IntegrityError
from voirdire.integrity.rules import PreparedFacts, inspect_response
from voirdire.integrity.taxonomy import Taxonomy
from voirdire.jury.structured_replies import Asks
from voirdire.models import parse_spec
from voirdire.text.counting import named_twice
from voirdire.text.scripts import is_unspaced
from voirdire.text.sentences import split_sentences

_FEW = 300
"""Responses that are audited sooner than other processes are up."""

PROVISIONAL = (
    "Only rules have looked: they compare words and figures and understand nothing. Their findings are places to look "
    "at, so there is no score and no band. docs/integrity-rules.md says what the rules find and miss."
)
LOCAL = (
    "A small local model sits on the panel. Measured on 20 sentences, Qwen2.5-Coder-1.5B found none of 12 planted "
    "violations: that it finds nothing says nothing (docs/integrity.md)."
)


class Auditor(Protocol):
    """Whoever audits responses."""

    @property
    def name(self) -> str:
        """How its findings are recorded; distinct within a panel."""
        ...

    async def audit(self, item: Item) -> Audit:
        """Its findings on one response. An auditor that fails says so in `missing` and does not raise."""
        ...


class RulesAuditor:
    """The rules, run in other processes where there are any, so that all cores work."""

    name = RULES

    def __init__(self, executor: Executor | None, *, entailment: bool = False) -> None:
        """Open the rules, alone or with the entailment model that comes with the package."""
        self._executor = executor
        self._entailment = entailment

    async def audit(self, item: Item) -> Audit:
        """What the rules suggest."""
        if self._executor is None:
            return audit_by_rules(item, self._entailment)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, audit_by_rules, item, self._entailment)


class ModelAuditor:
    """A language model, shown the response sentence by sentence."""

    def __init__(self, asker: Asks, spec: str, taxonomy: Taxonomy) -> None:
        self.name = spec
        self._auditor = LLMAuditor(asker, spec, taxonomy)

    async def audit(self, item: Item) -> Audit:
        """What the model finds, verified."""
        sentences = [piece.text for piece in split_sentences(item.response or "", layout=True)]
        return await self._auditor.audit(item.id, sentences, item.facts, item.context)


def audit_by_rules(item: Item, entailment: bool = False) -> Audit:
    """What the rules suggest of one response; nothing where no space separates the words that they would compare.

    Args:
        item: the response and its facts.
        entailment: whether the packaged model reads what the rules find nothing in.

    Raises:
        EntailmentError: the model is asked for and can't be used.
    """
    if any(is_unspaced(text) for text in (item.response or "", *(fact.text for fact in item.source_facts))):
        return Audit(RULES, missing=UNSPACED)
    model = packaged_model() if entailment else None
    inspection = inspect_response(item.response or "", _prepare_facts(item.facts, item.context), model=model)
    return Audit(RULES, tuple(inspection.violations), coverage=tuple(each.as_dict() for each in inspection.coverage))


@lru_cache(maxsize=64)
def _prepare_facts(facts: tuple[EstablishedFact, ...], context: str) -> PreparedFacts:
    """Many responses speak of one case: its facts are made ready once in each process."""
    return PreparedFacts.of(facts, context)


def installed_entailment() -> str | None:
    """SHA-256 of the weights of the entailment model that the rules can ask; `None` where it is not installed."""
    try:
        return packaged_model().sha256
    except EntailmentError:
        return None


def cautions(names: Iterable[str]) -> list[str]:
    """What must be said wherever findings of these auditors are shown."""
    named = set(names)
    sentences = [PROVISIONAL] if named == {RULES} else []
    return sentences + ([LOCAL] if any(name.startswith("local/") for name in named) else [])


def check_auditors(names: Sequence[str]) -> list[str]:
    """The models that a panel of auditors asks, before anything is opened.

    Raises:
        IntegrityError: nobody, or one named twice.
        SpecError: a name that is no model's.
    """
    if not names:
        raise IntegrityError(f"Nobody was named to audit; name {RULES!r}, or models as PROVIDER/NAME.")
    if (twice := named_twice(names)) is not None:
        raise IntegrityError(f"The auditor {twice} is named more than once; name each auditor once.")
    specs = [name for name in names if name != RULES]
    for spec in specs:
        parse_spec(spec)
    return specs


def open_auditors(
    names: Iterable[str], asker: Asks, executor: Executor | None, taxonomy: Taxonomy, *, entailment: bool = False
) -> list[Auditor]:
    """The auditors of these names; with `entailment` the rules ask the packaged model, too."""
    return [
        RulesAuditor(executor, entailment=entailment) if name == RULES else ModelAuditor(asker, name, taxonomy)
        for name in names
    ]


@contextmanager
def worker_processes(items: int) -> Iterator[ProcessPoolExecutor | None]:
    """A process for each core, for the rules, each started when it is first needed; none for few responses."""
    if items < _FEW:
        yield None
        return
    with ProcessPoolExecutor(max_workers=os.cpu_count() or 1, mp_context=get_context("spawn")) as executor:
        yield executor
