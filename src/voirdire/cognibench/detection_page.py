"""The report on answers that no run holds: what a detector flags, beside the nearest passage of the context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from voirdire.cognibench.detection import Count, DetectedAnswer, Finding, Quoter
from voirdire.cognibench.detection_report import marked_pieces, notes
from voirdire.cognibench.detection_workers import DetectTask, detect_items
from voirdire.cognibench.formats import BadEntriesError, Problems, iter_entries
from voirdire.cognibench.records import CognibenchError
from voirdire.data.manifests import sha256
from voirdire.detectors.base import USUAL_DETECTOR, Detector, Trials, held_out_at
from voirdire.detectors.flag_counts import USUAL_ERRORS
from voirdire.detectors.lexical import LexicalDetector
from voirdire.documents.cells import cautions, text
from voirdire.documents.document import (
    Block,
    Bullets,
    Column,
    Document,
    Exchange,
    Figure,
    Figures,
    Filter,
    Mark,
    Reading,
    Readings,
    Remark,
    Section,
    Table,
    Text,
)
from voirdire.runs import made_with
from voirdire.stats.clustered import Estimate, share
from voirdire.text.counting import counted
from voirdire.text.shortening import beginning

LISTED = 50
"""Flagged sentences in the table."""
SHOWN = 2_000
"""Answers on the page."""
_IN_VIEW = 3
"""Flagged sentences above the table."""
_PASSAGE = 400
"""Characters of a passage that are quoted."""
_FLAGGED = Filter("flagged", "with a flagged sentence", "A sentence of it is flagged as not supported by the context.")
_NO_INTERVAL = "an interval needs three contexts"
_METHODS: Mapping[str, str] = {
    "jackknife-t": "Student's t on the logit scale; the variance is a jackknife over contexts, averaged with the "
    "binomial one",
    "binomial-t": "Student's t on the logit scale, binomial variance",
    "exact": "Clopper and Pearson",
}
"""By what `clustered_share` calls it, how the interval was made."""
_COLUMNS = (
    Column("score", "score", numeric=True),
    Column("answer", "answer"),
    Column("sentence", "sentence"),
    Column("why", "why"),
    Column("passage", "nearest in the context"),
)


def data_document(path: Path, detector: Detector | None = None, *, task: DetectTask | None = None) -> Document:
    """Check a file of answers, and report on it.

    Args:
        path: JSON Lines, JSON, CSV, Parquet, or whatever else `formats.iter_entries` reads.
        detector: who checks; that of the task without.
        task: how the file is read and checked; the usual detector with its own threshold without.

    Raises:
        CognibenchError: the file can't be read, or holds no sentence that can be checked.
    """
    task = task or DetectTask(USUAL_DETECTOR)
    opened = detector or task.open()
    bar = opened.threshold if task.options.threshold is None else task.options.threshold
    problems, count = Problems(labels=False), Count()
    entries = iter_entries(path, tell=problems, plain=task.plain)
    try:
        answers = list(detect_items(entries, task, detector=opened, tell=problems, count=count))
    except BadEntriesError as error:
        raise CognibenchError(error.with_advice) from None
    if not count.scored:
        raise CognibenchError(f"{path} holds no sentence that {opened.name} can check, so that there is no report.")
    result = _share(answers)
    worst = sorted(
        ((each, finding) for each in answers for finding in each.flagged), key=lambda pair: -(pair[1].score or 0.0)
    )
    return Document(
        f"Answers of {path.name}",
        f"Checked by {opened.name}, sentence by sentence, against their context",
        (
            Section("verdict", "Verdict", tuple(_verdict(count, result, opened, bar, problems))),
            *([Section("flagged", "Flagged sentences", tuple(_flagged(worst, opened)))] if worst else []),
            Section("answers", "Answers to read", tuple(_readings(answers, opened))),
        ),
        provenance=(
            ("File", path.name),
            ("SHA-256", sha256(path) if path.is_file() else "a folder"),
            ("Detector", f"{opened.name}, flagging from {bar:g} on"),
            ("voirdire", str(made_with()["versions"]["voirdire"])),
        ),
        data={
            "file": path.name,
            "detector": opened.name,
            "threshold": bar,
            "sentences": count.scored,
            "flagged": count.flagged,
            "share": count.share,
            "interval": None if result.interval is None else list(result.interval[:2]),
            "answers": [each.as_dict() for each in answers],
        },
    )


def _share(answers: Sequence[DetectedAnswer]) -> Estimate:
    """The share of sentences that are flagged, clustered by context."""
    rows = [
        (finding.flagged, each.answer.group)
        for each in answers
        for finding in each.findings
        if finding.score is not None
    ]
    flags, groups = zip(*rows, strict=True)
    return share(flags, groups)


def _verdict(count: Count, result: Estimate, detector: Detector, bar: float, problems: Problems) -> Iterator[Block]:
    span = None if result.interval is None else (100 * result.interval.low, 100 * result.interval.high)
    ends = "" if span is None else f"{span[0]:.1f} to {span[1]:.1f} %"
    flagged = f"{count.flagged:,} of {counted(count.scored, 'sentence')}"
    yield Text(
        f"{detector.name} flags {flagged}: {100 * (count.share or 0.0):.1f} %, in "
        f"{counted(count.answers_flagged, 'answer')} of {count.answers:,}.",
        "strong",
    )
    yield Figures(
        (
            Figure(
                "sentences flagged",
                f"{100 * (count.share or 0.0):.1f} %",
                ends or "no interval",
                f"{flagged}; {'95 % by contexts' if ends else _NO_INTERVAL}",
                ends=span,
                value=100 * (count.share or 0.0),
            ),
            Figure("answers with one", f"{count.answers_flagged:,} of {count.answers:,}", value=count.answers_flagged),
        )
    )
    if result.interval is not None:
        yield Text(
            f"The interval ({_METHODS[result.interval.method]}) covers only which answers were drawn, not "
            f"{detector.name}'s errors."
        )
    yield from map(Text, notes(count, detector.name, None, held_out_at(detector, bar)))
    yield Text(_what_a_flag_is(detector, bar))
    yield from cautions(problems.sentences())


def _what_a_flag_is(detector: Detector, bar: float) -> str:
    """What to make of one, and how many were wrong where others tried the detector."""
    says = "A flag is a suspicion that the context doesn't support a sentence, and no proof that it is false."
    trials: Trials | None = getattr(detector, "trials", None)
    if trials is None or bar != trials.threshold:
        return says
    counts = trials.counts
    flags, rare = counts.hits + counts.false_alarms, cast(float, counts.precision_at(USUAL_ERRORS))
    return (
        f"{says} On answers of {counted(trials.sets, 'bot')} written to test it and since used to tune it, where "
        f"{counts.wrong:,} of {counts.wrong + counts.right:,} sentences were wrong, {counts.false_alarms:,} of the "
        f"{flags:,} that {detector.name} flagged were supported; "
        f"where {100 * USUAL_ERRORS:.0f} % are wrong, that would be {100 * (1 - rare):.0f} % of the flags."
    )


def _flagged(worst: Sequence[tuple[DetectedAnswer, Finding]], detector: Detector) -> Iterator[Block]:
    """The worst few in full view, and all that are listed in a table, which folds as other tables do."""
    if len(worst) > _IN_VIEW:
        first = [f"{each.answer.id}: “{beginning(finding.statement.text, _TITLE)}”" for each, finding in worst]
        yield Text("The highest scores:")
        yield Bullets(tuple(first[:_IN_VIEW]))
    yield _table(worst, detector)


def _table(worst: Sequence[tuple[DetectedAnswer, Finding]], detector: Detector) -> Table:
    rows = tuple(
        {
            "score": text("" if finding.score is None else f"{finding.score:.2f}"),
            "answer": text(each.answer.id),
            "sentence": text(finding.statement.text),
            "why": text("; ".join(_reasons(detector, finding, each.answer.context))),
            "passage": text(_nearest(detector, finding.statement.text, each.answer.context) or "nothing alike"),
        }
        for each, finding in worst[:LISTED]
    )
    more = len(worst) - LISTED
    caption = f"The {LISTED} with the highest scores; {more:,} more are marked in their answers." if more > 0 else ""
    return Table("flagged", _COLUMNS, rows, "Each with the nearest passage", caption)


def _readings(answers: Sequence[DetectedAnswer], detector: Detector) -> Iterator[Block]:
    first = sorted(answers, key=lambda each: (not each.flagged, -(each.score or 0.0)))[:SHOWN]
    shown = f"{SHOWN:,} of {len(answers):,} answers" if len(answers) > SHOWN else "All answers"
    yield Text(f"{shown}: those with a flag first, then by the mean of their two highest scores.")
    mark = Mark("flagged", "flagged", "bad", "flagged as not supported by the context")
    readings = tuple(
        Reading(
            each.answer.id,
            beginning(each.answer.question, _TITLE) or each.answer.id,
            {} if each.answer.model is None else {"model": each.answer.model},
            (Exchange("", each.answer.question or None, marked_pieces(each), tuple(_remarks(each, detector))),),
            _summary(each),
            each.answer.context,
            (_FLAGGED.id,) if each.flagged else (),
        )
        for each in first
    )
    models = (("model", "model"),) if any(each.facets for each in readings) else ()
    yield Readings("answers", readings, "answers", models, (_FLAGGED,), (mark,))


def _summary(answer: DetectedAnswer) -> str:
    """What tells an answer from others to the same question: its id, and its flagged sentence of the highest score."""
    summary = f"{answer.answer.id}: {len(answer.flagged)} of {counted(answer.statements, 'sentence')} flagged"
    if not answer.flagged:
        return summary
    worst = max(answer.flagged, key=lambda each: each.score or 0.0)
    return f"{summary}: “{beginning(worst.statement.text, _LINE)}”"


def _remarks(answer: DetectedAnswer, detector: Detector) -> Iterator[Remark]:
    """The score of each flagged sentence, the passage that it was held against, and why it is flagged."""
    context = answer.answer.context
    for each in answer.flagged:
        score = () if each.score is None else (("score", f"{each.score:.2f}"),)
        passage = _nearest(detector, each.statement.text, context)
        quote = [f"nearest in the context: “{passage}”"] if passage else []
        why = "; ".join([*quote, *_reasons(detector, each, context)])
        yield Remark(f"“{beginning(each.statement.text, _TITLE)}”", score, why)


_TITLE = 100
"""Characters of a question that head an answer."""
_LINE = 60
"""Characters of a flagged sentence in the list of answers."""


def _reasons(detector: Detector, finding: Finding, context: str) -> Sequence[str]:
    """Why a sentence is flagged, beside its passage."""
    if isinstance(detector, Quoter):
        return detector.reasons_beside(context, [finding.statement.text])[0]
    return finding.reasons


def _nearest(detector: Detector, sentence: str, context: str) -> str:
    """What the detector has held a sentence against, where it can say that, else what is nearest by its words."""
    quoter = detector if isinstance(detector, Quoter) else LexicalDetector()
    return beginning(quoter.closest(context, [sentence])[0], _PASSAGE)
