"""An `integrity` run as a log: a sample is a response, with what it lost and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSample
from inspect_ai.model import ModelOutput

from voirdire.adapters.inspect.integrity import SCALES, score_of, summarised
from voirdire.adapters.inspect.log_building import UNKNOWN, Row, Subject, by_model, by_role, calls_of, event_of, span
from voirdire.adapters.inspect.models import to_message
from voirdire.integrity.auditing import RULES
from voirdire.integrity.auditors import cautions
from voirdire.integrity.facts import as_items
from voirdire.integrity.results import AuditedResponse, open_audits
from voirdire.runs import RunFolder
from voirdire.text.counting import counted

INSTRUMENT = "integrity"


def subjects(run: Path, manifest: Mapping[str, Any], _: str | None = None) -> list[Subject]:
    """What the log of a run is made of; who wrote the responses is not known.

    Raises:
        IntegrityError: the run is of another instrument.
    """
    taxonomy, audits = open_audits(run)
    banner = " ".join(cautions(manifest["auditors"])) or None
    with RunFolder.open(run, read_only=True) as folder:
        calls = calls_of(folder.journal)
    samples = [_sample(each, calls.get(each.item.id, ()), banner) for each in audits]
    lacking = manifest["items"] - len(samples)
    return [
        Subject(
            instrument=INSTRUMENT,
            scales=SCALES,
            solver="informed_answer",
            model=UNKNOWN,
            manifest=manifest,
            samples=samples,
            calls=[row for rows in calls.values() for row in rows],
            metrics=summarised((sample.scores[INSTRUMENT] for sample in samples if sample.scores), taxonomy),
            group="deductions",
            judges=[name for name in manifest["auditors"] if name != RULES],
            about={"instrument": INSTRUMENT, "auditors": manifest["auditors"], "banner": banner},
            stopped=f"{counted(lacking, 'response is', 'responses are')} not audited yet." if lacking else None,
        )
    ]


def _sample(audited: AuditedResponse, calls: Sequence[Row], banner: str | None) -> EvalSample:
    item, when = audited.item, span(calls)
    response = item.response or ""
    messages = [("user", item.context), ("assistant", response)]
    return EvalSample(
        id=item.id,
        epoch=1,
        input=item.context or response,
        target="",
        messages=[to_message(role, content) for role, content in messages if content],
        output=ModelOutput.from_content(UNKNOWN, response),
        scores={INSTRUMENT: score_of(audited, banner)},
        metadata={"facts": as_items(item.source_facts), "holistic": item.holistic},
        events=[] if when is None else [event_of(row, when[0]) for row in calls],
        model_usage=by_model(calls),
        role_usage=by_role(calls),
        started_at=None if when is None else when[0].isoformat(),
        completed_at=None if when is None else when[1].isoformat(),
        uuid=item.id,
    )
