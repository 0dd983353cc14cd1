"""`inspect eval voirdire/integrity`: how does an answer treat the facts that it was given as established?"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from voirdire.adapters.inspect._asking import SUBJECT, SampleRecord, answer_of, unanswered
from voirdire.adapters.inspect._audits import deduction_metrics, score_of
from voirdire.adapters.inspect._taking_part import listed, panel, subject, user_errors
from voirdire.adapters.inspect._view import viewer
from voirdire.data import load_prompt
from voirdire.integrity.auditing import RULES
from voirdire.integrity.auditors import cautions, seat_auditors
from voirdire.integrity.facts import as_items, parse_facts, read_facts
from voirdire.integrity.items import Item, checked_items
from voirdire.integrity.panel import Scoring, decide
from voirdire.integrity.taxonomy import load_taxonomy

_STORED = "voirdire.response"


@task
def integrity(
    items: str,
    facts: str | None = None,
    jury: str | list[str] | None = None,
    samples: int = 1,
    max_tokens: int = 1000,
    seed: int = 0,
) -> Task:
    """Answers to questions with established facts, audited by the role `judge`, or by rules.

    Args:
        items: JSON Lines with the question ("context") and its "facts"; a response that stands there is not used.
        facts: a file of facts, for items that bring none.
        jury: auditors beside those in the role `judge`: models of Inspect's, or rules.
        samples: answers to each question: Inspect's epochs.
        max_tokens: of an answer.
        seed: of the calls.
    """
    with user_errors():
        shared = read_facts(Path(facts)) if facts is not None else []
        read = [item for item, _ in checked_items(Path(items), shared, ("context", "facts"))]
    names = panel(listed(jury), RULES).names
    return Task(
        dataset=MemoryDataset([_sample(item) for item in read], name=Path(items).name, location=items),
        solver=informed_answer(max_tokens, seed),
        scorer=audit_panel(listed(jury), seed),
        epochs=samples,
        version=1,
        metadata={"instrument": "integrity", "auditors": list(names), "banner": _banner(names)},
        viewer=viewer("integrity"),
        description="How does an answer treat established facts: stated, blurred, doubted, denied, invented?",
    )


@solver
def informed_answer(max_tokens: int = 1000, seed: int = 0) -> Solver:
    """Answer a question, the established facts being given."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        name, model = subject()
        given = "\n".join(f"- {fact['text']}" for fact in state.metadata["facts"])
        messages = load_prompt("integrity_subject").messages(facts=given, question=state.input_text)
        said = await answer_of(state, SampleRecord({SUBJECT: model}, seed), name, messages, max_tokens)
        state.store.set(_STORED, {"text": said.text, "missing": said.missing})
        return state

    return solve


@scorer(metrics=[deduction_metrics()], name="integrity")
def audit_panel(jury: list[str] | None = None, seed: int = 0) -> Scorer:
    """What a majority of the auditors finds in the answer, and what that costs."""

    async def score(state: TaskState, target: Target) -> Score:
        from voirdire.integrity.results import Audited  # with the run's machinery, which no list of tasks needs

        said = state.store.get(_STORED)
        if said["missing"]:
            return unanswered(said["missing"])
        facts = tuple(parse_facts(state.metadata["facts"]))
        item = Item(str(state.sample_id), said["text"], facts, context=state.input_text)
        judges, scoring = panel(jury or (), RULES), Scoring(load_taxonomy())
        auditors = seat_auditors(judges.names, SampleRecord(judges.models, seed), None, scoring.taxonomy)
        audits = await asyncio.gather(*(auditor.audit(item) for auditor in auditors))
        return score_of(Audited(item, decide(audits, item.facts, item.response, scoring)), _banner(judges.names))

    return score


def _banner(names: Sequence[str]) -> str | None:
    return " ".join(cautions(names)) or None


def _sample(item: Item) -> Sample:
    return Sample(id=item.id, input=item.context, metadata={"facts": as_items(item.given)})
