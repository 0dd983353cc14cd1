"""How the claims of a publication are shown: those with one verdict in a table of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from voirdire.documents.cells import plain_table
from voirdire.documents.document import Section, Table
from voirdire.papers.claims import ClaimOutcome, ClaimVerdict
from voirdire.text.counting import counted


def claims_sections(
    outcomes: Sequence[ClaimOutcome[Any]],
    verdicts: Sequence[str],
    recomputed: Callable[[ClaimOutcome[Any]], str],
    defined: Sequence[str] | None = None,
) -> Iterator[Section]:
    """A section for each verdict that a claim got.

    Args:
        outcomes: all of them.
        verdicts: in the order in which they are shown.
        recomputed: how a recomputed value is shown.
        defined: the verdicts whose claims are shown with what exactly was computed; `None` for all.
    """
    heads = ("claim", "says", "paper", "recomputed", "definition", "note")
    for verdict in verdicts:
        rows = [
            (
                each.claim.id,
                f"{each.claim.says} ({each.claim.section})",
                printed(each),
                recomputed(each),
                each.definition if defined is None or verdict in defined else "",
                each.note,
            )
            for each in outcomes
            if each.verdict == verdict
        ]
        if rows:
            table = plain_table(f"claims-{verdict.replace(' ', '-')}", heads, rows, numbers=0)
            yield Section(table.id, f"{verdict.capitalize()}: {len(rows)}", (table,))


def how_many_hold(outcomes: Sequence[ClaimOutcome[Any]]) -> str:
    """The conclusion, without a full stop: of the claims of a publication, those that its data bear out."""
    hold = sum(each.verdict in _HOLD for each in outcomes)
    return f"{hold} of {counted(len(outcomes), 'claim')} of the paper hold in its own data"


def failing(outcomes: Sequence[ClaimOutcome[Any]], most: int = 12) -> Table:
    """The claims that their data do not bear out, the first ones by name."""
    broken = [each for each in outcomes if each.verdict in _FAIL]
    rows = ((each.claim.id, each.claim.says) for each in broken[:most])
    caption = f"and {len(broken) - most} more" if len(broken) > most else ""
    return plain_table("failing", ("claim", "that does not hold"), rows, numbers=0, caption=caption)


_HOLD = (ClaimVerdict.REPRODUCED, ClaimVerdict.OTHER_DEFINITION, ClaimVerdict.CONSISTENT)
_FAIL = (ClaimVerdict.NOT_REPRODUCED, ClaimVerdict.NOT_CONSISTENT)


def printed(outcome: ClaimOutcome[Any]) -> str:
    """What the paper prints."""
    published = outcome.claim.published
    return f"{published:,}" if isinstance(published, int) else outcome.claim.printed
