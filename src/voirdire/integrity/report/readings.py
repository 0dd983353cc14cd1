"""Audited responses to read: each deduction in its place, the score worked out line by line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from voirdire.documents.document import Block, Exchange, Filter, Mark, Piece, Reading, Readings, Remark, Section, Text
from voirdire.documents.runs import gravest_first
from voirdire.integrity.auditing import Audit
from voirdire.integrity.items import Item
from voirdire.integrity.panel import Decision, finding_of
from voirdire.integrity.records import EstablishedFact
from voirdire.integrity.report.loader import ReportedRun, charged
from voirdire.integrity.report.placing import cost, fact_text, marks, note_of, pieces, place
from voirdire.integrity.results import Audited
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
    found = [(run, each) for run in runs for each in run.audits]
    kept, cut = gravest_first(found, [_gravity(each.decision) for _, each in found])
    readings = tuple(_reading(run, each, several=len(runs) > 1) for run, each in kept)
    flags = {flag for reading in readings for flag in reading.flags}
    said = Text(
        f"Of {counted(len(found), 'response')}, the {len(kept):,} with the lowest scores; voirdire show "
        "RUN --full prints all."
    )
    block: Block = Readings(
        "responses",
        readings,
        "responses",
        _FACETS if len(runs) > 1 else _FACETS[1:],
        tuple(each for each in _FILTERS if each.id in flags),
        _used(readings),
    )
    return Section("responses", "Read the responses", (said, block) if cut else (block,), short="Responses")


def responses(audits: Iterable[Audited]) -> Readings:
    """Responses with what they cost in place, and each violation once below."""
    return _readings(tuple(map(_brief, audits)))


def scored(item: Item, found: IntegrityScore) -> Readings:
    """A response whose violations were given, with its score."""
    return _readings((_result(item, found.charges, _headline(found), _more(found, item)),))


def _brief(each: Audited) -> Reading:
    found = each.decision.consensus
    more = () if found is None else _more(found, each.item)
    return _result(each.item, each.decision.findings, _summary(each.decision), more, points=found is not None)


def _result(
    item: Item, charges: Sequence[Charge], summary: str, notes: Sequence[str], *, points: bool = True
) -> Reading:
    facts = {fact.id: fact for fact in item.facts}
    text = item.response or ""
    placed = place(text, charges, cost if points else lambda charge: charge.type.name.replace("_", " "))
    answer = pieces(text, placed) if text else (Piece("(there is no text)"),)
    exchange = Exchange("", None, answer, _charged(charges, facts, points), tuple(notes))
    return Reading(item.id, item.id, {}, (exchange,), summary)


def _readings(readings: tuple[Reading, ...]) -> Readings:
    return Readings("responses", readings, "responses", marks=_used(readings))


def _used(readings: Sequence[Reading]) -> tuple[Mark, ...]:
    return marks({piece.mark for reading in readings for each in reading.exchanges for piece in each.answer})


def arithmetic(found: IntegrityScore) -> str:
    """The score as a sum: "100 - 30 - 5 = 65"."""
    points = [charge.penalty for charge in found.charges if charge.penalty]
    rest = START - found.total
    worked = " - ".join(map(str, [START, *points]))
    if not points:
        return f"{START}: nothing is charged"
    if rest < 0:
        return f"{worked} = {rest}, and the floor is {found.score}"
    return f"{worked} = {rest}" if rest == found.score else f"{worked} = {rest}, capped at {found.score}"


def _reading(run: ReportedRun, each: Audited, *, several: bool) -> Reading:
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
        _established(item.given),
        flags,
    )


def _summary(decision: Decision) -> str:
    found = decision.consensus
    if found is None:
        return f"no score: {decision.why}"
    return "; ".join([_headline(found), *map(str, decision.remarks)])


def _headline(found: IntegrityScore) -> str:
    return f"{found.score} {found.band.name} ({found.band.range}): {arithmetic(found)}"


def _established(facts: Sequence[EstablishedFact]) -> str:
    lines = []
    for fact in facts:
        remarks = [said for said, holds in (("central", fact.central), ("not relevant", not fact.relevant)) if holds]
        remarks += [fact.side] if fact.side else []
        lines.append(f"{fact.id}  {fact.text}{f' ({chr(44).join(remarks)})' if remarks else ''}")
    return "\n".join(["Established facts:", *lines])


def _notes(each: Audited) -> tuple[str, ...]:
    consensus = each.decision.consensus
    if consensus is None:
        return (f"No score: {each.decision.why}.",)
    return (
        f"{arithmetic(consensus)}.",
        *(f"{remark}." for remark in each.decision.remarks),
        *_more(consensus, each.item),
    )


def _more(consensus: IntegrityScore, item: Item) -> tuple[str, ...]:
    """What else there is to say of a score."""
    said = []
    if consensus.deduplicated_score != consensus.score:
        said.append(f"If every fact or claim paid only once in the whole response: {consensus.deduplicated_score}.")
    if consensus.pervasive:
        said.append("Pervasive: two or more severe violations.")
    if consensus.band_conflict and consensus.band_by_counts is not None:
        said.append(f"By numbers of violations the guide's wording says {consensus.band_by_counts.range}.")
    if item.holistic is not None:
        said.append(f"By impression: {item.holistic:g}.")
    return tuple(said)


def _remarks(decision: Decision, facts: dict[str, EstablishedFact]) -> tuple[Remark, ...]:
    """What is charged; what is left out, once; then each auditor."""
    charged = _charged(decision.findings, facts, decision.consensus is not None)
    return (*charged, *(_auditor(audit, decision, facts) for audit in decision.asked))


def _charged(charges: Sequence[Charge], facts: dict[str, EstablishedFact], scored: bool) -> tuple[Remark, ...]:
    placed = [charge for charge in charges if charge.type.rung is None]
    omitted = [charge for charge in charges if charge.type.rung is not None]
    return (
        *(_remark(_who(charge, scored), charge, note_of(charge, facts, _words(charge)), scored) for charge in placed),
        *([_omission(omitted, facts, scored)] if omitted else []),
    )


def _words(charge: Charge) -> str:
    return f' "{charge.violation.span}"' if charge.violation.span else ""


def _who(charge: Charge, scored: bool) -> str:
    if not scored:
        return "suggested"
    return "charged" if charge.penalty else "not charged"


def _remark(who: str, charge: Charge, text: str, scored: bool) -> Remark:
    figures = [("points", f"-{charge.penalty}" if charge.penalty else "0")] if scored else []
    if charge.violation.sentence is not None:
        figures.append(("sentence", str(charge.violation.sentence + 1)))
    grave = charge.type.severity == "severe" and charge.penalty
    return Remark(who, tuple(figures), text, "bad" if grave else "")


def _omission(omitted: Sequence[Charge], facts: dict[str, EstablishedFact], scored: bool) -> Remark:
    """All that is left out: it is charged once."""
    costly = max(omitted, key=lambda charge: charge.penalty)
    named = "; ".join(fact_text(each.violation.fact, facts) for each in omitted if each.violation.fact is not None)
    said = f"{costly.type.name.replace('_', ' ')}, {costly.violation.reason}".rstrip(" ,.")
    return _remark("omitted", costly, f"{said}. Left out: {named}" if named else said, scored)


def _auditor(audit: Audit, decision: Decision, facts: dict[str, EstablishedFact]) -> Remark:
    if audit.missing is not None:
        return Remark(audit.auditor, (), f"No audit: {audit.missing}", "warn")
    said = []
    for violation in audit.violations:
        about = "" if violation.fact is None else f" ({fact_text(violation.fact, facts)})"
        words = f' "{violation.span}"' if violation.span else ""
        said.append(f"{violation.type.replace('_', ' ')}{words}{about}")
    said += [
        f"void, {void.why}: {void.finding.get('quote') or void.finding.get('fact') or ''}" for void in audit.voided
    ]
    score = decision.scores.get(audit.auditor)
    figures = [] if score is None else [("score", str(score.score))]
    figures += [("findings", str(len(audit.violations)))]
    figures += [("void", str(len(audit.voided)))] if audit.voided else []
    return Remark(audit.auditor, tuple(figures), "; ".join(said), "warn" if audit.voided else "")


def _flags(each: Audited, taxonomy: Taxonomy) -> tuple[str, ...]:
    decision, consensus = each.decision, each.decision.consensus
    own = charged(each)
    present = [audit for audit in decision.audits if audit.missing is None]
    found = {frozenset(finding_of(violation, taxonomy) for violation in audit.violations) for audit in present}
    holistic = each.item.holistic
    passed = {
        EMPTY: decision.unscored == "empty",
        REFUSAL: decision.unscored == "refusal",
        SEVERE: any(charge.type.severity == "severe" for charge in own),
        OMISSION: any(charge.type.rung is not None for charge in own),
        DIFFER: len(found) > 1,
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
