"""Labelling runs written as a session would leave them, without asking anybody."""

import asyncio

from tests.cognibench.dynamics.examples import given
from voirdire.cognibench.formats.jsonl import write_jsonl
from voirdire.cognibench.labelling.records import ANSWERS, INSTRUMENT, NOTE, plan_as_dict
from voirdire.detectors.contrastive import Contrast
from voirdire.detectors.labelling.records import JudgedStatement, LabelPlan
from voirdire.detectors.records import hallucinated, type_of
from voirdire.runs import RunFolder

HOSTILE = "</script><img src=x onerror=alert(1)>"


def judged(label, votes=None, why=""):
    """What was found on a statement; without votes, five that agree."""
    if votes is None:
        votes = ("hallu" if label and hallucinated(label) else "faithful",) * 5
    kind = type_of(label) if label else None
    return JudgedStatement(
        votes,
        None if label is None else hallucinated(label),
        label,
        kind,
        tiers=(label,) if kind == "cognitive" else (),
        why=why,
    )


def answers():
    """Eight answers about four contexts, labelled by people but for the last two."""
    found = []
    for number in range(3):
        found += [
            given(
                f"a{number}_0", "faithful", "faithful", "reliable", dialogue=f"a{number}", group=f"g{number}", topic="t"
            ),
            given(
                f"a{number}_1", "invented", "speculative", dialogue=f"a{number}", group=f"g{number}", turn=1, topic="t"
            ),
        ]
    return [*found, given("b_0", None, None, group="g3", model="m"), given("b_1", None, turn=1, group="g3", model="m")]


def labels_of(answer):
    """The labels that people gave, "irrefutable" where there are none."""
    return [statement.label or "irrefutable" for statement in answer.statements]


def labelled_run(path, data=None, found=None, *, model="openai/labeller", plan=None, seen=(), reasons=()):
    """Write a run.

    Args:
        path: of its folder.
        data: the answers.
        found: by an answer's id, what was found on its statements; others agree with people; `None`: not labelled yet.
        model: who labelled.
        plan: how.
        seen: groups that an example of the prompt comes from.
        reasons: why votes are missing, told of every answer with a statement that has no label.
    """
    data, found = answers() if data is None else data, found or {}
    contrasts = tuple(Contrast("It rained.", "It was dry.", "faithful", "invented", source_group=each) for each in seen)
    plan = plan or LabelPlan(contrasts=contrasts)
    manifest = {
        "instrument": INSTRUMENT,
        "model": model,
        "plan": plan_as_dict(plan),
        "answers": len(data),
        "answers_sha256": "0" * 64,
        "base_url": None,
        "seed": 0,
        "prompts": {"cognibench_label": "1" * 64},
        "info": {"time": "2026-01-01T00:00:00+00:00", "versions": {"voirdire": "0"}},
    }

    async def write():
        with RunFolder.create(path, manifest) as folder:
            write_jsonl(data, folder.path / ANSWERS)
            for answer in data:
                own = found.get(answer.id, [judged(label) for label in labels_of(answer)])
                if own is not None:
                    await folder.journal.note(answer.id, 0, NOTE, body(own, reasons))

    asyncio.run(write())
    return path


def body(own, reasons):
    lacking = any(each.label is None for each in own)
    return {
        "judged": [each.as_dict() for each in own],
        "repairs": 0,
        "reasons": list(reasons) if lacking else [],
        "failed_calls": 0,
        "addresses": [],
        "echoes": [],
    }
