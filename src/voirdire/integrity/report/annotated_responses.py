"""Audited responses to read: each deduction in its place, the score worked out line by line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from voirdire.documents.document import Block, Exchange, Filter, Mark, Piece, Reading, Readings, Remark, Section, Text
from voirdire.documents.run_description import gravest_first
from voirdire.integrity.auditing import Audit
from voirdire.integrity.items import Item
from voirdire.integrity.panel import Decision, finding_of
from voirdire.integrity.records import EstablishedFact
from voirdire.integrity.report.loader import ReportedRun, charges_of
from voirdire.integrity.report.placing import cost, fact_text, marks, note_of, pieces, place
from voirdire.integrity.results import AuditedResponse
from voirdire.integrity.scoring import START, Charge, IntegrityScore
from voirdire.integrity.summary import DIVERGENCE
from voirdire.integrity.taxonomy import Taxonomy
from voirdire.text.counting import counted

EMPTY, REFUSAL, SEVERE, OMISSION, DIFFER, VOID, PROVISIONAL, IMPRESSION, UNSCORED = (
    *("empty", "refusal", "severe", "omission", "differ", "void", "provisional", "impression", "unscored"),
)
_FILTERS = (
    Filter(EMPTY, "empty", "There is no response, and so no score."),
    Filter(REFUSAL, "refusal", "The response declines to answer, and has no score."),
    Filter(SEVERE, "severe", "A fact is denied or invented, or most facts are left out."),
    Filter(OMISSION, "omission", "Facts are left out, and that is charged."),
    Filter(DIFFER, "auditors differ", "The auditors do not all find the same."),
    Filter(VOID, "void findings", "An auditor names words or a fact that are not there."),
    Filter(PROVISIONAL, "rules only", "Only rules have looked: there are findings, and no score."),
    Filter(IMPRESSION, "impression differs", f"The score by impression lies more than {DIVERGENCE:g} points away."),
    Filter(UNSCORED, "no score", "Not judged, declined, empty, or half of the panel or more gave no audit."),
)
_FACETS = (("run", "run"), ("band", "band"))


def readings_section(runs: Sequence[ReportedRun]) -> Section:
    """All responses of the runs; where there are too many, those with the lowest scores."""
    audited = [(run, each) for run in runs for each in run.audits]
    shown, cut = gravest_first(audited, [_gravity(each.decision) for _, each in audited])
    readings = tuple(_reading(run, each, several=len(runs) > 1) for run, each in shown)
    flags = {flag for reading in readings for flag in reading.flags}
    note = Text(
        f"Of {counted(len(audited), 'response')}, the {len(shown):,} with the lowest scores; voirdire show "
        "RUN --texts prints all."
    )
    block: Block = Readings(
        "responses",
        readings,
        "responses",
        _FACETS if len(runs) > 1 else _FACETS[1:],
        tuple(each for each in _FILTERS if each.id in flags),
        _marks_used(readings),
    )
    return Section("responses", "Read the responses", (note, block) if cut else (block,), short="Responses")


def audited_responses(audits: Iterable[AuditedResponse]) -> Readings:
    """Responses with what they cost in place, and each violation once below."""
    return _readings(tuple(map(_brief, audits)))


def scored_response(item: Item, score: IntegrityScore) -> Readings:
    """A response whose violations were given, with its score."""
    return _readings((_result(item, score.charges, _headline(score), _score_notes(score, item)),))


def _brief(each: AuditedResponse) -> Reading:
    score = each.decision.consensus
    more = () if score is None else _score_notes(score, each.item)
    return _result(each.item, each.decision.findings, _summary(each.decision), more, points=score is not None)


def _result(
    item: Item, charges: Sequence[Charge], summary: str, notes: Sequence[str], *, points: bool = True
) -> Reading:
    facts = {fact.id: fact for fact in item.facts}
    text = item.response or ""
    placed = place(text, charges, cost if points else lambda charge: charge.type.name.replace("_", " "))
    answer = pieces(text, placed) if text else (Piece("(there is no text)"),)
    exchange = Exchange("", None, answer, _charge_remarks(charges, facts, points), tuple(notes))
    return Reading(item.id, item.id, {}, (exchange,), summary)


def _readings(readings: tuple[Reading, ...]) -> Readings:
    return Readings("responses", readings, "responses", marks=_marks_used(readings))


def _marks_used(readings: Sequence[Reading]) -> tuple[Mark, ...]:
    return marks({piece.mark for reading in readings for each in reading.exchanges for piece in each.answer})


def score_sum(score: IntegrityScore) -> str:
    """The score as a sum: "100 - 30 - 5 = 65"."""
    points = [charge.penalty for charge in score.charges if charge.penalty]
    rest = START - score.total
    worked = " - ".join(map(str, [START, *points]))
    if not points:
        return f"{START}: nothing is charged"
    if rest < 0:
        return f"{worked} = {rest}, and the floor is {score.score}"
    return f"{worked} = {rest}" if rest == score.score else f"{worked} = {rest}, capped at {score.score}"


def _reading(run: ReportedRun, each: AuditedResponse, *, several: bool) -> Reading:
    item, decision = each.item, each.decision
    facts = {fact.id: fact for fact in item.facts}
    consensus = decision.consensus
    response = item.response or ""
    flags = _flags(each, run.taxonomy)

    def note(charge: Charge) -> str:
        return note_of(charge, facts, "" if consensus is None else f", {cost(charge)}")

    exchange = Exchange(
        "Response",
        item.context or None,
        pieces(response, place(response, decision.findings, note)),
        _remarks(decision, facts),
        _notes(each),
        tuple(flag for flag in flags if flag != PROVISIONAL),
    )
    band = "no score" if consensus is None else consensus.band.name
    return Reading(
        f"{run.name}/{item.id}" if several else item.id,
        item.id,
        {**({"run": run.name} if several else {}), "band": band},
        (exchange,),
        _summary(decision),
        _facts_text(item.source_facts),
        flags,
    )


def _summary(decision: Decision) -> str:
    score = decision.consensus
    if score is None:
        return f"no score: {decision.why}"
    return "; ".join([_headline(score), *map(str, decision.remarks)])


def _headline(score: IntegrityScore) -> str:
    return f"{score.score} {score.band.name} ({score.band.range}): {score_sum(score)}"


def _facts_text(facts: Sequence[EstablishedFact]) -> str:
    lines = []
    for fact in facts:
        remarks = [
            remark for remark, holds in (("central", fact.central), ("not relevant", not fact.relevant)) if holds
        ]
        remarks += [fact.side] if fact.side else []
        lines.append(f"{fact.id}  {fact.text}{f' ({chr(44).join(remarks)})' if remarks else ''}")
    return "\n".join(["Established facts:", *lines])


def _notes(each: AuditedResponse) -> tuple[str, ...]:
    consensus = each.decision.consensus
    if consensus is None:
        return (f"No score: {each.decision.why}.",)
    return (
        f"{score_sum(consensus)}.",
        *(f"{remark}." for remark in each.decision.remarks),
        *_score_notes(consensus, each.item),
    )


def _score_notes(consensus: IntegrityScore, item: Item) -> tuple[str, ...]:
    """What else there is to say of a score."""
    notes = []
    if consensus.deduplicated_score != consensus.score:
        notes.append(f"If every fact or claim paid only once in the whole response: {consensus.deduplicated_score}.")
    if consensus.pervasive:
        notes.append("Pervasive: two or more severe violations.")
    if consensus.band_conflict and consensus.band_by_counts is not None:
        notes.append(f"By numbers of violations the guide's wording says {consensus.band_by_counts.range}.")
    if item.holistic is not None:
        notes.append(f"By impression: {item.holistic:g}.")
    return tuple(notes)


def _remarks(decision: Decision, facts: dict[str, EstablishedFact]) -> tuple[Remark, ...]:
    """What is charged; what is left out, once; then each auditor."""
    charged = _charge_remarks(decision.findings, facts, decision.consensus is not None)
    return (*charged, *(_auditor(audit, decision, facts) for audit in decision.requested_audits))


def _charge_remarks(
    charges: Sequence[Charge], facts: dict[str, EstablishedFact], has_score: bool
) -> tuple[Remark, ...]:
    placed = [charge for charge in charges if charge.type.rung is None]
    omitted = [charge for charge in charges if charge.type.rung is not None]
    return (
        *(
            _remark(_who(charge, has_score), charge, note_of(charge, facts, _words(charge)), has_score)
            for charge in placed
        ),
        *([_omission(omitted, facts, has_score)] if omitted else []),
    )


def _words(charge: Charge) -> str:
    return f' "{charge.violation.span}"' if charge.violation.span else ""


def _who(charge: Charge, has_score: bool) -> str:
    if not has_score:
        return "suggested"
    return "charged" if charge.penalty else "not charged"


def _remark(who: str, charge: Charge, text: str, has_score: bool) -> Remark:
    figures = [("points", f"-{charge.penalty}" if charge.penalty else "0")] if has_score else []
    if charge.violation.sentence is not None:
        figures.append(("sentence", str(charge.violation.sentence + 1)))
    grave = charge.type.severity == "severe" and charge.penalty
    return Remark(who, tuple(figures), text, "bad" if grave else "")


def _omission(omitted: Sequence[Charge], facts: dict[str, EstablishedFact], has_score: bool) -> Remark:
    """All that is left out: it is charged once."""
    costly = max(omitted, key=lambda charge: charge.penalty)
    named = "; ".join(fact_text(each.violation.fact, facts) for each in omitted if each.violation.fact is not None)
    sentence = f"{costly.type.name.replace('_', ' ')}, {costly.violation.reason}".rstrip(" ,.")
    return _remark("omitted", costly, f"{sentence}. Left out: {named}" if named else sentence, has_score)


def _auditor(audit: Audit, decision: Decision, facts: dict[str, EstablishedFact]) -> Remark:
    if audit.missing is not None:
        return Remark(audit.auditor, (), f"No audit: {audit.missing}", "warn")
    clauses = []
    for violation in audit.violations:
        about = "" if violation.fact is None else f" ({fact_text(violation.fact, facts)})"
        words = f' "{violation.span}"' if violation.span else ""
        clauses.append(f"{violation.type.replace('_', ' ')}{words}{about}")
    clauses += [
        f"void, {void.why}: {void.finding.get('quote') or void.finding.get('fact') or ''}" for void in audit.voided
    ]
    score = decision.scores.get(audit.auditor)
    figures = [] if score is None else [("score", str(score.score))]
    figures += [("findings", str(len(audit.violations)))]
    figures += [("void", str(len(audit.voided)))] if audit.voided else []
    return Remark(audit.auditor, tuple(figures), "; ".join(clauses), "warn" if audit.voided else "")


def _flags(each: AuditedResponse, taxonomy: Taxonomy) -> tuple[str, ...]:
    decision, consensus = each.decision, each.decision.consensus
    own = charges_of(each)
    present = [audit for audit in decision.audits if audit.missing is None]
    finding_sets = {frozenset(finding_of(violation, taxonomy) for violation in audit.violations) for audit in present}
    holistic = each.item.holistic
    passed = {
        EMPTY: decision.unscored == "empty",
        REFUSAL: decision.unscored == "refusal",
        SEVERE: any(charge.type.severity == "severe" for charge in own),
        OMISSION: any(charge.type.rung is not None for charge in own),
        DIFFER: len(finding_sets) > 1,
        VOID: any(audit.voided for audit in decision.audits),
        PROVISIONAL: each.provisional,
        IMPRESSION: holistic is not None and consensus is not None and abs(consensus.score - holistic) > DIVERGENCE,
        UNSCORED: consensus is None,
    }
    return tuple(name for name, holds in passed.items() if holds)


def _gravity(decision: Decision) -> float:
    if decision.unscored in ("few_auditors", "refusal", "empty"):
        return START
    return sum(charge.penalty for charge in decision.findings)
