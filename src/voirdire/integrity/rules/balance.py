"""The balance of words between the facts for a conclusion and those against it."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.integrity.records import Side, Violation
from voirdire.integrity.rules.matched_response import Reading
from voirdire.text.counting import counted

LOPSIDED = 0.2  # the lesser side has less than this share of the words on facts of either side
ENOUGH = 25  # words on facts of either side; fewer show nothing


def words_by_side(reading: Reading) -> dict[Side, int]:
    """Words of the clauses that are about facts of each side; a clause counts for the fact it is most about."""
    counts: dict[Side, int] = {"for": 0, "against": 0}
    if not any(leaf.fact.side for leaf in reading.prepared.leaves):
        return counts
    for sentence in reading.sentences:
        side: Side | None = None
        for start, end in sentence.clauses:
            stated = reading.figures_stated_in(sentence, start, end)
            about = reading.about(sentence.keys_in(start, end))
            leaf = reading.prepared.by_id[sorted(stated)[0]] if stated else next(iter(about), None)
            side = leaf.fact.side if leaf is not None else side  # what follows a fact in its sentence goes with it
            if side is not None:
                counts[side] += len(sentence.words_in(start, end))
    return counts


def balance_violations(reading: Reading, counts: dict[Side, int]) -> Iterator[Violation]:
    """Selective emphasis, where both sides have facts and one gets nearly all the words."""
    sides = {leaf.fact.side for leaf in reading.prepared.leaves if leaf.fact.relevant}
    total = sum(counts.values())
    if not {"for", "against"} <= sides or total < ENOUGH or min(counts.values()) >= LOPSIDED * total:
        return
    reason = f"{counted(counts['for'], 'word')} on facts for the conclusion, {counts['against']} on facts against it."
    yield Violation("selective_emphasis", None, None, None, reason, "rules", 0.5)
