"""What the labels are and mean, and what is hallucinated under each requirement (CogniBench 2.1, 2.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from voirdire.cognibench.dynamics.tables import failing
from voirdire.cognibench.report.loader import ReportedRun, Share
from voirdire.detectors.records import LABELS, REQUIREMENTS, Label, Require, hallucinated, type_of
from voirdire.documents.cells import count, percent, share_cells, share_columns, text
from voirdire.documents.document import Bullets, Cell, Chart, Column, Mark, Section, Table, Text, Tone
from voirdire.documents.drawing import Point, named_shares
from voirdire.documents.run_description import with_run

UNDECIDED = "undecided"

LABEL_MEANINGS: dict[Label, str] = {
    "irrelevant": "Says nothing that the context could support: a greeting, an offer, a question back.",
    "faithful": "Repeats what the context says, or follows from it.",
    "invented": "Stated as a fact, but the context does not say it, or says otherwise.",
    "misleading": "A conclusion or opinion that cannot reasonably be believed from what is given, or leads astray.",
    "speculative": "Reasonable to believe, but the context does not support it.",
    "reliable": "Supported by the context; a matter of view remains, or another reading is possible.",
    "irrefutable": "The only reasonable conclusion from the context, free of anybody's view.",
}
_TONES: dict[Label, Tone] = {
    "irrelevant": "quiet",
    "faithful": "good",
    "invented": "bad",
    "misleading": "bad",
    "speculative": "warn",
    "reliable": "info",
    "irrefutable": "good",
}
_USES: dict[Require, str] = {
    "rational": "Entertainment: invented characters, storytelling. A conclusion may go beyond what is known, as long "
    "as it does not mislead.",
    "grounded": "Assistants that search, summarise and explain: what they conclude must be supported by what they were "
    "given. This is the standard of the paper, and the default here.",
    "irrefutable": "Decisions that weigh on lives and livelihoods: medicine, courts, trading. No other reasonable "
    "reading may be left.",
}


def marks(labels: Sequence[Label | None]) -> tuple[Mark, ...]:
    """The marks of those labels that occur, `None` for what is undecided."""
    own = tuple(Mark(label, label, _TONES[label], LABEL_MEANINGS[label]) for label in LABELS if label in labels)
    lacking = Mark(UNDECIDED, UNDECIDED, "quiet", "Has no label: votes or gradings are missing that could decide it.")
    return (*own, lacking) if None in labels else own


def labels_section(runs: Sequence[ReportedRun]) -> Section:
    """How often each label was given, and what would be hallucinated under each requirement."""
    return Section(
        "tiers",
        "What the answers are made of",
        (
            with_run(
                Table(
                    "requirements",
                    (
                        Column("require", "required of conclusions"),
                        *share_columns("statements", "statements"),
                        Column("n", "of", numeric=True, help="statements with a label, which the shares are of"),
                        *_range_columns(runs, "statements"),
                        Column("fails", "counts as hallucinated"),
                    ),
                    (),
                    "Hallucinated, by what is required",
                    "The run's own requirement is marked. Intervals are 95 %, clustered by context; there are none "
                    "with fewer than three contexts." + _ungraded(runs),
                ),
                {run.name: [_required(run, require) for require in REQUIREMENTS] for run in runs},
            ),
            with_run(
                Table(
                    "requirements-words",
                    (
                        Column("require", "required of conclusions"),
                        *share_columns("words", "words"),
                        *_range_columns(runs, "words"),
                    ),
                    (),
                    "The same, in words",
                ),
                {run.name: [_required_words(run, require) for require in REQUIREMENTS] for run in runs},
            ),
            with_run(
                Table(
                    "labels",
                    (
                        Column("label", "label"),
                        Column("type", "type"),
                        Column("statements", "statements", numeric=True),
                        *share_columns("share", "of all with a label"),
                        *share_columns("of_type", "of its type"),
                    ),
                    (),
                    "Labels",
                    _ungraded(runs).strip(),
                ),
                {run.name: [*(_label(run, label) for label in LABELS), *_undecided(run)] for run in runs},
            ),
            *_charts(runs),
        ),
        short="Labels",
    )


def meaning_section() -> Section:
    """What each label means, and which use needs which requirement."""
    columns = (Column("label", "label"), Column("type", "type"), Column("meaning", "what it says of a statement"))
    rows = [
        {"label": text(each, _TONES[each]), "type": text(type_of(each)), "meaning": text(LABEL_MEANINGS[each])}
        for each in LABELS
    ]
    return Section(
        "meaning",
        "What the labels mean, and which use needs what",
        (
            Text(
                "Factual statements repeat the context and are faithful or invented. Cognitive ones conclude, judge or "
                "explain; as a court weighs an inference, three questions are asked in order, and the first no ends "
                "it: is it rational, is it grounded in what is given, is it the only reasonable reading?"
            ),
            Table("meanings", columns, tuple(rows)),
            Bullets(tuple(f"{require}: {use}" for require, use in _USES.items())),
            Text(
                "This is a diagnosis of answers, not a ranking of models: what is required depends on the use, and "
                "labels are as good as whoever gave them."
            ),
        ),
        short="Meaning",
    )


def _ungraded(runs: Sequence[ReportedRun]) -> str:
    """Why figures of conclusions are missing."""
    return "".join(f" {sentence}" for sentence in dict.fromkeys(run.summary.ungraded for run in runs) if sentence)


def _required(run: ReportedRun, require: Require) -> dict[str, Cell]:
    share = run.hallucinated_statements(require)
    return {
        "require": _requirement(run, require),
        **share_cells("statements", share),
        "n": count(share.n or None),
        **_range_cells("statements", share),
        "fails": text(", ".join(failing(require))),
    }


def _required_words(run: ReportedRun, require: Require) -> dict[str, Cell]:
    share = run.hallucinated_words(require)
    return {"require": _requirement(run, require), **share_cells("words", share), **_range_cells("words", share)}


def _requirement(run: ReportedRun, require: Require) -> Cell:
    own = require == run.require
    return Cell(require, f"{require} (this run)" if own else require, "info" if own else "")


def _range_columns(runs: Sequence[ReportedRun], key: str) -> tuple[Column, ...]:
    """Where statements lack a label: what the share could be with labels for all."""
    if not any(run.summary.lacking for run in runs):
        return ()
    help = f"the share of all {key}, if none or all of the statements without a label were hallucinated"
    return (
        Column(f"{key}_lowest", "at least", numeric=True, help=help),
        Column(f"{key}_highest", "at most", numeric=True),
    )


def _range_cells(key: str, result: Share) -> dict[str, Cell]:
    lowest, highest = result.could_be or (result.value, result.value)
    return {f"{key}_lowest": percent(lowest), f"{key}_highest": percent(highest)}


def _label(run: ReportedRun, label: Label) -> dict[str, Cell]:
    kin = [each for each in LABELS if type_of(each) == type_of(label)]
    return {
        "label": text(label, "warn" if hallucinated(label, run.require) else ""),
        "type": text(type_of(label)),
        "statements": count(run.summary.labels[label]),
        **share_cells("share", run.share_of_label(label)),
        **(share_cells("of_type", run.share_of_label(label, among=kin)) if len(kin) > 1 else _empty("of_type")),
    }


def _undecided(run: ReportedRun) -> list[dict[str, Cell]]:
    return [
        {
            "label": text(UNDECIDED, "warn"),
            "type": text(kind or "not known"),
            "statements": count(number),
            **_empty("share"),
            **_empty("of_type"),
        }
        for kind, number in run.summary.lacking_by_type.items()
    ]


def _empty(key: str) -> dict[str, Cell]:
    return {f"{key}{end}": Cell(None, "") for end in ("", "_low", "_high")}


def _charts(runs: Sequence[ReportedRun]) -> list[Chart]:
    points_by_run = {run.name: [_point(run, label) for label in LABELS] for run in runs if run.decided}
    farthest = max((point.high or point.value or 0 for points in points_by_run.values() for point in points), default=1)
    top = math.ceil(5 * farthest) / 5
    panels = [
        named_shares(points, list(LABELS), "share of statements with a label, by label", {}, top=top).panel(
            name if len(runs) > 1 else None
        )
        for name, points in points_by_run.items()
    ]
    note = "With 95 % intervals, clustered by context."
    return [Chart("label-shares", tuple(panels), "Shares of the labels", note)] if panels else []


def _point(run: ReportedRun, label: Label) -> Point:
    share = run.share_of_label(label)
    low, high = (None, None) if share.interval is None else share.interval[:2]
    return Point(label, "", share.value, low, high, share.n)
