"""Was the test itself sound? What each check found, with quotes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, cast

from voirdire.data.json_values import as_plain
from voirdire.ddft.metric_labels import in_full
from voirdire.ddft.report.material import Material
from voirdire.ddft.report.number_format import text_cell
from voirdire.ddft.results import Result
from voirdire.ddft.soundness import NAMED, conclusion
from voirdire.ddft.validity import Check, Status
from voirdire.documents.cells import cautions
from voirdire.documents.document import (
    Block,
    Bullets,
    Cell,
    Column,
    Document,
    Notice,
    Section,
    Table,
    Text,
    Tone,
    detail,
    document,
    more,
)
from voirdire.reason_codes import Reason
from voirdire.text.counting import counted, listed, near_zero

_COUNTS = {"rare_cells"}
"""Checks whose value is a number of turns."""
_NO_SHARES = {"compression_effect", "judge_agreement", "stance_agreement"}
"""Checks whose value is a difference or a coefficient."""
_BY_WORST_MODEL = {"answers_in_prose", "constant_answers", "hoc_monotone", "question_length"}
"""Checks that warn by the worst model, too."""
_BESIDE_GOOD_VALUE = {
    *("agreement_unsure", "agreement_without_interval", "identical_scores"),
    *("copied_judge", "near_copy", "near_copies_alone", "one_stance", "stance_never_varies"),
    *("one_stance_of_all", "rejected_though_false", "accepted_though_right"),
}
"""Why agreement warns or fails whose value alone would pass."""
_OF_AGREEMENT = {*_BESIDE_GOOD_VALUE, "agree_on_most", "agree_on_nothing", "agree_on_nothing_of_model"}
"""Why agreement warns or fails that is not poor by its value."""
_OF_A_MODEL = {"most_of_model", "fewest_of_model"}
"""Which model is the worst, with its share."""
_OF_THE_VALUE = {"rests_on_few": "turns", "stances_alike": "ac1"}
"""What the value of a check is, of one model."""
_GRAVE: tuple[Status, ...] = ("fail", "warn")
_OPEN: tuple[Status, ...] = ("undecided", "not measured")
_OPEN_NAMED = 3
"""Checks that say nothing yet and are named; --all has the others."""
_TONES: dict[Status, Tone] = {"fail": "bad", "warn": "warn", **dict.fromkeys(_OPEN, "quiet"), "pass": "good"}
"""The gravest first."""
_VERBS: dict[Status, str] = {
    "fail": "fails",
    "warn": "warns",
    "undecided": "is undecided",
    "not measured": "is not measured",
    "pass": "passes",
}

_AGREEMENT = "agreement of single judges (intraclass correlation, ICC(2,1))"
_NO_AGREEMENT = {"agreement_not_measurable", "answers_equally_good"}
"""Why agreement on one score has no value."""
_REPEATED = {"cells_with_more_dialogues", "answers_elsewhere"}
"""What repeats where no dialogue does."""
_SMALL = 0.01
"""A share below it is told as how many of how many."""

MEASURED = {
    "concept_named": "dialogues that say which concept is meant",
    "context_delivered": "dialogues that were sent as much text as their level promises",
    "clarification_rate": "first answers that ask what is meant",
    "example_quoted": "quotes of the model's example in third questions that look like a fragment",
    "trap_signalled": "fourth questions with a word that gives the fabrication away",
    "question_length": "questions of 50 words or more",
    "compression_effect": f"mean fall of {in_full('FAR')} from the first level to the last, turns 1 to 3",
    "judge_agreement": f"{_AGREEMENT}: the lower of {in_full('FAR')} and {in_full('SAS')}",
    "stance_agreement": "agreement of judges on the stance towards the fabrication (Gwet's AC1), worst model",
    "rare_cells": "fewest turns behind a model's factual accuracy FAR' or semantic coherence SAS'",
    "hoc_monotone": f"curves of {in_full('FAR')} that fail and pass again",
    "self_judging": "models judged by one of their own family",
    "simulated_judge": "models that a simulated judge scored and can't judge, since they are real",
    "missing_verdicts": "turns that lack a verdict or a score",
    "truncated_responses": "answers cut off at the limit of length",
    "answers_in_prose": "answers that are JSON, markup, tokens, a loop or noise",
    "constant_answers": "answers in the words that the model has for another concept, turns 1 to 3",
    "duplicate_dialogues": "dialogues that repeat another word for word",
    "hostile_answers": "answers that speak to whoever judges them, and verdicts that take it over",
}
"""What a check's value is."""


def checks(material: Material) -> Section:
    """A table of all checks, then what was seen, the gravest first; run by run."""
    blocks: list[Block] = [
        Text(
            "Before a score says anything of a model, the test must have been held as it should. A check that fails "
            "does not say that the model is good or bad: it says that this run can't tell. A warning is to be kept in "
            "mind."
        )
    ]
    for place, run in enumerate(material.report_runs, 1):
        several = len(material.report_runs) > 1
        where = f" in {run.path}" if several else ""
        blocks.append(Notice(f"{tally(run.result, where)}.", _tone(run.result)))
        blocks.append(_table(run.result, f"checks-{place}" if several else "checks", run.path if several else ""))
        blocks += _evidence(run.result, *_TONES)
    return Section("checks", "Was the test sound?", tuple(blocks), "Checks", detail=True)


def checks_document(result: Result) -> Document:
    """The conclusion, what must be said of the jury, how many checks pass, and a line for each that fails or warns.

    For those who ask for more: what every check saw, with quotes.
    """
    grave = [check for status in _GRAVE for check in result.checks if check.status == status]
    grave += [check for check in result.checks if result.lone_judge in check.evidence and check not in grave]
    lines = [Text(f"{check.id} {_VERBS[check.status]}: {_in_brief(check)}.", _TONES[check.status]) for check in grave]
    return document(
        Notice(_outcome(result), _tone(result)),
        *cautions(result.jury_warnings),
        Text(f"{_passed(result.checks)}. Jury {result.jury}; what each means: docs/validity.md."),
        *([Text(str(result.also_judged))] if result.also_judged else []),
        more("What every check saw, with intervals and quotes", *lines),
        detail("evidence", *_evidence(result, *_TONES), title="What was seen"),
    )


def tally(result: Result, where: str = "") -> str:
    """Whether to rely on the figures, what the run lacks, and how many checks say what; no full stop ends it."""
    counts = Counter(check.status for check in result.checks)
    text = f"{counts['fail']} fail, {counts['warn']} warn, {counts['pass']} pass"
    text += "".join(f", {counts[status]} {status}" for status in _OPEN if counts[status])
    return f"{_outcome(result)} Of {counted(len(result.checks), 'check')}{where}, {text}"


def _outcome(result: Result) -> str:
    lacks = "" if result.stopped is None else f" {result.stopped}"
    return f"{conclusion(result).sentence}{lacks}"


def _passed(checks: Sequence[Check]) -> str:
    """How many of them pass, and which say nothing yet."""
    passing = sum(check.status == "pass" for check in checks)
    still = [(status, [check.id for check in checks if check.status == status]) for status in _OPEN]
    passed = f"{passing} of {counted(len(checks), 'check')} {'passes' if passing == 1 else 'pass'}"
    not_yet = (
        f"{len(ids)} {'is' if len(ids) == 1 else 'are'} {status} ({listed(ids, _OPEN_NAMED)})"
        for status, ids in still
        if ids
    )
    return listed([passed, *not_yet])


def checks_data(result: Result) -> dict[str, Any]:
    """What was checked, ready for JSON."""
    return {
        "run": str(result.path),
        "jury": result.jury,
        "other_juries": as_plain(result.other_juries),
        "conclusion": conclusion(result).as_dict(),
        "rubric_unread": as_plain(result.rubric_unread),
        "complete": result.complete,
        "stopped": result.stopped,
        "checks": as_plain(result.checks),
    }


def failures(result: Result) -> Iterator[Block]:
    """One line where a check fails."""
    failed = result.failed_checks
    if failed:
        many = counted(len(failed), "check")
        see = f"voirdire validate {result.path}{result.jury_option}"
        yield Text(f"Validity: {many} failed ({', '.join(failed)}): {see}", "bad")


def _evidence(result: Result, *statuses: Status) -> Iterator[Block]:
    for status in statuses:
        for check in result.checks:
            if check.status == status:
                yield Text(f"{check.id} {_VERBS[status]}: {_in_words(check)}", _TONES[status])
                yield Bullets(tuple(map(str, check.evidence)))


def _in_words(check: Check) -> str:
    """Its value with the interval, and what that is."""
    if check.value is None:
        return _without_value(check)
    low, high = ("", "") if check.interval is None else (_cell(check, end).shown for end in check.interval)
    value = f"{_cell(check, check.value).shown}{f' ({low} to {high})' if low else ''}"
    counts = "" if check.count is None else f"{check.count[0]:,} of {check.count[1]:,}, "
    figure, last = _deciding(check), _beside(check)
    first = f"{figure}, which decides; " if figure else ""
    if any(each.code == "mostly_without_claims" for each in check.evidence):
        last += "; only a warning, since the jury finds no claim in most of these"
    return f"{first}{counts}{value}{' over all models' if first else ''} · {_measured(check)}{last}"


def _in_brief(check: Check) -> str:
    """The one figure that decides, whom it concerns, and what it is."""
    if check.value is None:
        return _without_value(check)
    again = next((why for why in check.evidence if why.code in _REPEATED), None)
    if again is not None and not check.value:
        return str(again).removesuffix(".")
    value = _cell(check, check.value).shown
    if check.count is not None and 0 < check.value < _SMALL:
        value = f"{check.count[0]:,} of {check.count[1]:,}"
    whys = [str(why).removesuffix(".") for why in check.evidence if why.code in _BESIDE_GOOD_VALUE]
    deciding = _spared_judges(check) or _deciding(check)
    return ". ".join([f"{deciding or value}{_of_models(check)} · {_measured(check)}", *whys[:1]])


def _spared_judges(check: Check) -> str:
    """Which judges gave no verdict at all, where the others' verdicts do."""
    whys = (why for why in check.evidence if why.code == "missing_of_judge" and why["verdicts"] == why["of"])
    silent = listed([str(why["judge"]) for why in whys], NAMED)
    return f"{silent} gave no verdict, and the others decide" if silent and check.status == "warn" else ""


def _of_models(check: Check) -> str:
    """Whose turns are few, on whose stances judges differ most, or which models do not move, where these are few."""
    few = {
        str(why["model"]): None
        for why in check.evidence
        if why.code in _OF_THE_VALUE and why[_OF_THE_VALUE[why.code]] == check.value
    }
    still = [str(why["model"]) for why in check.evidence if why.code in ("model_does_not_move", "model_may_move")]
    names = [*few, *still]
    return f" ({'not ' if still else ''}{listed(names)})" if 0 < len(names) <= NAMED else ""


def _measured(check: Check) -> str:
    """What a check's value is; of agreement on one score alone which, and why not the other."""
    lacking = [why for why in check.evidence if why.code in _NO_AGREEMENT]
    if len(lacking) != 1:
        return MEASURED[check.id]
    (known,) = {"FAR", "SAS"} - {str(lacking[0]["score"])}
    return f"{_AGREEMENT}: {in_full(known)} alone. {str(lacking[0]).removesuffix('.')}"


def _without_value(check: Check) -> str:
    why = str(check.evidence[0]).removesuffix(".") if check.evidence else ""
    return f"{why} · {_measured(check)}" if why else _measured(check)


def _deciding(check: Check) -> str:
    """The figure that decides, where it is not the value."""
    if check.status not in _GRAVE:
        return ""
    for why in check.evidence:
        if why.code == "models_that_move":
            hits, of = (cast(int, why[name]) for name in ("hits", "of"))
            move = "moves" if 1 in (hits, of) else "move"
            return f"{hits} of {counted(of, 'model')} {move} by more than chance"
        if why.code in _OF_A_MODEL:
            return f"{_share(why)} in {why['model']}" if _decided_by_a_model(check) else ""
    return ""


def _beside(check: Check) -> str:
    """What only adds to the value."""
    if check.status not in _GRAVE:
        return ""
    for why in check.evidence:
        if why.code in _OF_A_MODEL and not _decided_by_a_model(check):
            return f"; {why.code.partition('_')[0]} in {why['model']}, {_share(why)}"
        if why.code in _OF_AGREEMENT:
            return f"; {str(why).removesuffix('.')}"
    return ""


def _decided_by_a_model(check: Check) -> bool:
    return bool(check.models) if check.status == "fail" else check.id in _BY_WORST_MODEL


def _share(worst: Reason) -> str:
    hits, of = (cast(int, worst[name]) for name in ("hits", "of"))
    return f"{100 * hits / of:.1f} %"


def _tone(result: Result) -> Tone:
    failed, warned = (any(check.status == status for check in result.checks) for status in _GRAVE)
    outcome = conclusion(result)
    if outcome.state == "not sound":
        return "bad"
    if failed or not result.complete or outcome.reservations:
        return "warn"
    return "info" if warned or outcome.simulated else "good"


def _table(result: Result, id: str, title: str) -> Table:
    columns = (
        Column("check", "check"),
        Column("status", "finding"),
        Column("value", "value", numeric=True),
        Column("count", "counted", numeric=True, help="How many of how many"),
        Column("low", "from", numeric=True, help="Lower end of the 95 % interval, over concepts"),
        Column("high", "to", numeric=True, help="Upper end"),
        Column("measured", "what the value is"),
    )
    return Table(id, columns, tuple(_row(check) for check in result.checks), title)


def _row(check: Check) -> dict[str, Cell]:
    low, high = check.interval or (None, None)
    return {
        "check": text_cell(check.id),
        "status": text_cell(check.status, _TONES[check.status]),
        "value": _cell(check, check.value),
        "count": text_cell("–" if check.count is None else f"{check.count[0]:,} of {check.count[1]:,}"),
        "low": _cell(check, low),
        "high": _cell(check, high),
        "measured": text_cell(_measured(check)),
    }


def _cell(check: Check, value: float | None, missing: str = "–") -> Cell:
    if value is None:
        return Cell(None, missing, "quiet")
    if check.id in _COUNTS:
        return Cell(value, f"{value:.0f}")
    if check.id in _NO_SHARES:
        return Cell(value, near_zero(value))
    return Cell(value, "under 0.1 %" if 0 < value < 0.0005 else f"{100 * value:z.1f} %")
