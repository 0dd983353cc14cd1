"""Whose ratings have come from elsewhere, and which of them are new: pure, over what the project holds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from voirdire.raters.exchange.records import Entry, ExchangeError
from voirdire.raters.records import Rater, Role

Standing = Callable[[Rater], Mapping[str, Mapping[str, Any]]]
"""From a rater to their complete ratings, by item."""
Sent = Callable[[Rater, Entry], bool]
"""Whether a rating has come from this very file before, whatever the rater has made of it since."""


class Arrivals(NamedTuple):
    """What an import adds."""

    people: dict[str, Role]
    """Raters that the project does not have, by name."""
    new: list[tuple[str, Entry]]
    """(rater's name, rating)."""
    known: int
    """Ratings that stand there already."""


def arrivals(
    entries: Iterable[Entry], raters: Sequence[Rater], standing: Standing, sent: Sent, rater: str | None
) -> Arrivals:
    """Tell new ratings from known ones.

    Args:
        entries: of a file, in its order.
        raters: of the project.
        standing: what stands there.
        sent: what has come before.
        rater: whose ratings they are, whatever the file says; `None` to go by the file.

    Raises:
        ExchangeError: it is not said whose a rating is, two are of the same item by the same person, a rating differs
            from the one that stands, or somebody has another role in the project.
    """
    by_name = {each.name: each for each in raters}
    spelt = {name.casefold(): name for name in by_name}
    there = {name: standing(each) for name, each in by_name.items()}
    found = Arrivals({}, [], 0)
    met: dict[tuple[str, str], str] = {}
    known = 0
    for entry in entries:
        given = _name(entry, rater, raters, spelt)
        name = spelt.setdefault(given.casefold(), given)
        before = met.setdefault((name, entry.item), entry.where)
        if before != entry.where:
            raise ExchangeError(f"{entry.where}: {name} has rated {entry.item} already, at {before}; keep one of them.")
        who = by_name.get(name)
        _check_role(entry, name, found.people.get(name) if who is None else who.role)
        stands = there.get(name, {}).get(entry.item)
        if stands == entry.value or (who is not None and sent(who, entry)):
            known += 1
        elif stands is None:
            found.new.append((name, entry))
            if who is None:
                found.people.setdefault(name, entry.role or "rater")
        else:
            raise ExchangeError(
                f"{entry.where}: {name} has rated {entry.item} otherwise in the project; nothing is written over. "
                "Take it out of the file, or import it under another name with --rater."
            )
    return found._replace(known=known)


def token_of(digest: str, name: str, entry: Entry) -> str:
    """Names a row by where it comes from, so that the same file sent twice adds nothing.

    Args:
        digest: SHA-256 of the file.
        name: the rater's.
        entry: the rating.
    """
    return "import-" + hashlib.sha256("\0".join((digest, name, entry.item)).encode()).hexdigest()[:32]


def _name(entry: Entry, rater: str | None, raters: Sequence[Rater], spelt: Mapping[str, str]) -> str:
    name = (entry.rater if rater is None else rater) or ""
    if not name.strip():
        raise ExchangeError(f"{entry.where}: it is not said who has rated; say so with --rater.")
    name = name.strip()
    known = next((each for each in raters if each.id == name), None)
    if known is not None and name.casefold() not in spelt:
        raise ExchangeError(
            f"{entry.where}: {name} is no rater's name here, but stands for {known.name}; say whose ratings these are "
            "with --rater, or export them with --names."
        )
    return name


def _check_role(entry: Entry, name: str, role: Role | None) -> None:
    if role is not None and entry.role is not None and entry.role != role:
        raise ExchangeError(
            f"{entry.where}: {name} is here as {entry.role}, and as {role} elsewhere; give another name."
        )
