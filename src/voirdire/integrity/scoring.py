"""From violations to a score: 100, less what each violation costs. The arithmetic is here, and nowhere else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar

from voirdire.data.json_values import as_plain
from voirdire.integrity.facts import expand, parse_facts
from voirdire.integrity.items import read_violation
from voirdire.integrity.omission import TWO, omission_rung
from voirdire.integrity.records import EstablishedFact, IntegrityError, Violation
from voirdire.integrity.taxonomy import PERVASIVE, Band, Taxonomy, ViolationType, load_taxonomy
from voirdire.text.overlap import words
from voirdire.text.sentences import split_sentences

Critical = Literal["sum", "cap29"]
START = 100
SEVERE_FOR_PERVASIVE = 2  # guide, "Pervasive distortion": two or more severe violations
CAP = 29  # the highest score of the guide's lowest band


class Charge(NamedTuple):
    """A violation, and what it costs."""

    violation: Violation
    type: ViolationType
    penalty: int
    dropped: str | None = None
    """Why it costs nothing, where another violation has been charged for the same."""

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "type": self.type.name,
            "severity": self.type.severity,
            "penalty": self.penalty,
            "sentence": self.violation.sentence,
            "span": self.violation.span,
            "fact": self.violation.fact,
            "reason": self.violation.reason,
            "source": self.violation.source,
            "confidence": self.violation.confidence,
            "dropped": self.dropped,
        }


@dataclass(frozen=True, slots=True)
class IntegrityScore:
    """What a response scores, and how that comes about."""

    score: int
    total: int
    """Points subtracted, before the floor at 0."""
    band: Band
    charges: tuple[Charge, ...]
    """Every violation in the order given, those that cost nothing included."""
    by_sentence: dict[int | None, int]
    """Points by sentence; under `None` what concerns the whole response."""
    by_fact: dict[str | None, int]
    """Points by fact; under `None` what concerns none."""
    deduplicated_score: int
    """If every fact (or claim, where there is no fact) paid only for the gravest violation in the whole response: how
    much of the total rests on one point being charged again and again."""
    pervasive: bool
    """Two or more severe violations."""
    counts: dict[str, int]
    """Charged violations by severity."""
    band_by_counts: Band | None
    """By the guide's wording in numbers of violations; `None` where it says nothing."""
    per_100_words: float | None
    """Charged violations per 100 words of the response, where that is known."""

    @property
    def band_conflict(self) -> bool:
        """Whether the guide's two ways to name a band disagree."""
        return self.band_by_counts is not None and self.band_by_counts != self.band

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "score": self.score,
            "total": self.total,
            "band": self.band.name,
            "band_range": self.band.range,
            "band_by_counts": None if self.band_by_counts is None else self.band_by_counts.range,
            "band_conflict": self.band_conflict,
            "pervasive": self.pervasive,
            "deduplicated_score": self.deduplicated_score,
            "counts": self.counts,
            "per_100_words": self.per_100_words,
            "by_sentence": [{"sentence": at, "points": points} for at, points in self.by_sentence.items()],
            "by_fact": [{"fact": fact, "points": points} for fact, points in self.by_fact.items()],
            "violations": as_plain(self.charges),
        }


def score(
    violations: Iterable[Violation | Mapping[str, Any]],
    facts: Sequence[EstablishedFact | Mapping[str, Any] | str] = (),
    *,
    response: str | None = None,
    taxonomy: Taxonomy | None = None,
    critical: Critical = "sum",
    editorializing: int = 0,
) -> IntegrityScore:
    """Score a response by its violations.

    Charged once per sentence, fact (or claim, where it concerns no fact) and type; of violations of the same words and
    the same fact only the gravest counts. Omissions are charged once per response, on one rung: that which the facts
    they name give, or else the gravest that was named.

    Args:
        violations: as found, or as mappings with type, sentence, span, fact; types may be named by their aliases.
        facts: the established facts, or what `parse_facts` makes such of (compound ones are then split); needed to
            settle the rung of omissions that name their facts.
        response: for violations per 100 words.
        taxonomy: a team's own; the guide's without it.
        critical: what two or more severe violations do: "sum" lets the sum stand, "cap29" also caps the score at 29
            (the guide leaves it open).
        editorializing: points for a neutral inference that adds nothing, 0 or 5 (the guide leaves it open).

    Raises:
        IntegrityError: an unknown type, a fact that is not among `facts`, or an option that is not one.
    """
    if critical not in ("sum", "cap29"):
        raise IntegrityError(f"critical is 'sum' or 'cap29'; {critical!r} was given.")
    known = (taxonomy or load_taxonomy()).with_editorializing(editorializing)
    established = _read_facts(facts)
    parsed = _read_violations(violations, response, established)
    charges = _charges([(violation, known.type_of(violation.type)) for violation in parsed], established, known)
    counted = [charge for charge in charges if charge.dropped is None and charge.type.family != PERVASIVE]
    total = sum(charge.penalty for charge in counted)
    counts = Counter(charge.type.severity for charge in counted if charge.penalty)
    pervasive = counts["severe"] >= SEVERE_FOR_PERVASIVE
    result = max(0, START - total)
    if pervasive and critical == "cap29":
        result = min(result, CAP)
    return IntegrityScore(
        score=result,
        total=total,
        band=known.band_of(result),
        charges=tuple(charges),
        by_sentence=_points(counted, lambda charge: charge.violation.sentence),
        by_fact=_points(counted, lambda charge: charge.violation.fact),
        deduplicated_score=max(0, START - _deduplicated(counted)),
        pervasive=pervasive,
        counts={severity: counts[severity] for severity in ("minor", "moderate", "severe")},
        band_by_counts=known.band_by_counts(counts["minor"], counts["moderate"], counts["severe"]),
        per_100_words=_per_100_words(counted, response),
    )


def _read_facts(facts: Sequence[EstablishedFact | Mapping[str, Any] | str]) -> list[EstablishedFact]:
    ready = [fact for fact in facts if isinstance(fact, EstablishedFact)]
    return ready if len(ready) == len(facts) else expand(parse_facts(facts))


def _read_violations(
    violations: Iterable[Violation | Mapping[str, Any]], response: str | None, facts: Sequence[EstablishedFact]
) -> list[Violation]:
    sentences = [piece.text for piece in split_sentences(response or "", layout=True)] if response else []
    try:
        return [each if isinstance(each, Violation) else read_violation(each, sentences, facts) for each in violations]
    except (ValueError, KeyError) as error:
        why = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise IntegrityError(f"A violation can't be read: {why}.") from error


def _charges(
    violations: Sequence[tuple[Violation, ViolationType]], facts: Sequence[EstablishedFact], taxonomy: Taxonomy
) -> list[Charge]:
    _check_facts(violations, facts)
    settled = _omission_type(violations, facts, taxonomy)
    charges: list[Charge] = []
    for violation, kind in violations:
        charge = Charge(violation, kind, kind.penalty)
        if kind.rung is not None:
            charge = _omission_charge(charge, settled, any(earlier.type.rung is not None for earlier in charges))
        charges.append(charge)
    return _charge_once(charges)


def _check_facts(violations: Sequence[tuple[Violation, ViolationType]], facts: Sequence[EstablishedFact]) -> None:
    known = {fact.id for fact in facts}
    for violation, _ in violations:
        if facts and violation.fact is not None and violation.fact not in known:
            listed = ", ".join(sorted(known))
            raise IntegrityError(
                f"A violation names the fact {violation.fact!r}, which is not among the facts: {listed}."
            )


def _omission_type(
    violations: Sequence[tuple[Violation, ViolationType]], facts: Sequence[EstablishedFact], taxonomy: Taxonomy
) -> ViolationType | None:
    """The one omission that is charged: what the named facts give, or the gravest type given without a fact."""
    omissions = [(violation, kind) for violation, kind in violations if kind.rung is not None]
    named = {violation.fact for violation, _ in omissions if violation.fact is not None}
    as_typed = [(violation, kind) for violation, kind in omissions if violation.fact is None or not facts]
    rungs = [omission_rung(facts, named) if facts else 0, *(kind.rung or 0 for _, kind in as_typed)]
    if max(rungs) == 1 and len({_subject(violation) or place for place, (violation, _) in enumerate(as_typed)}) >= TWO:
        rungs.append(TWO)
    # A team's taxonomy may have fewer rungs: the gravest that is not above the one reached is charged.
    reached = [kind for kind in taxonomy.types.values() if kind.rung is not None and kind.rung <= max(rungs)]
    return max(reached, key=lambda kind: kind.rung or 0, default=None)


def _omission_charge(charge: Charge, settled: ViolationType | None, charged: bool) -> Charge:
    if settled is None:
        return charge._replace(penalty=0, dropped="the fact left out is not relevant, or the taxonomy has no such rung")
    if charged:
        return charge._replace(type=settled, penalty=0, dropped="omissions are charged once per response")
    return charge._replace(type=settled, penalty=settled.penalty)


def _charge_once(charges: Sequence[Charge]) -> list[Charge]:
    """Drop what has been charged: the same type for the same fact in a sentence; less grave ones on the same words."""
    settled: list[Charge] = list(charges)
    by_gravity = sorted(range(len(charges)), key=lambda place: (-charges[place].penalty, place))
    charged: list[Charge] = []
    for place in by_gravity:
        charge = charges[place]
        if charge.dropped is None and charge.type.rung is None:
            reason = next((reason for other in charged if (reason := _same(charge, other)) is not None), None)
            if reason is None:
                charged.append(charge)
            else:
                settled[place] = charge._replace(penalty=0, dropped=reason)
    return settled


def _same(charge: Charge, other: Charge) -> str | None:
    """Why `charge` is already paid for by `other`, if it is."""
    one, two = charge.violation, other.violation
    if one.sentence != two.sentence:
        return None
    if charge.type == other.type and _subject(one) is not None and _subject(one) == _subject(two):
        return f"this {charge.type.name} has been charged in this sentence"
    same_fact = one.fact == two.fact or one.fact is None or two.fact is None
    if same_fact and one.span is not None and one.span == two.span:
        return f"the same words are charged as {other.type.name}"
    return None


def _subject(violation: Violation) -> str | None:
    """What a violation is about: its fact, or the words that make its claim."""
    return violation.fact if violation.fact is not None else violation.span


def _deduplicated(counted: Sequence[Charge]) -> int:
    """The total if every fact or claim paid once in the whole response; what names neither pays as it stands."""
    gravest: dict[str, int] = {}
    nameless = 0
    for charge in counted:
        subject = _subject(charge.violation)
        if subject is None:
            nameless += charge.penalty
        else:
            gravest[subject] = max(gravest.get(subject, 0), charge.penalty)
    return nameless + sum(gravest.values())


_Place = TypeVar("_Place", int | None, str | None)


def _points(charges: Iterable[Charge], place: Callable[[Charge], _Place]) -> dict[_Place, int]:
    points: dict[_Place, int] = {}
    for charge in charges:
        if charge.penalty:
            points[place(charge)] = points.get(place(charge), 0) + charge.penalty
    return points


def _per_100_words(counted: Sequence[Charge], response: str | None) -> float | None:
    length = 0 if response is None else len(words(response))
    return 100 * sum(charge.penalty > 0 for charge in counted) / length if length else None
