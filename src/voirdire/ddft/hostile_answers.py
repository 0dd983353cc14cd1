"""What answers say to their judges, and what verdicts make of it: noted while a run's tables are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from voirdire.jury.hostile_answers import Address, find_addresses, find_echo

Place = tuple[str, int]
"""A dialogue and the number of one of its turns."""


class HostileAnswers:
    """Answers that speak to their judges, and whether a justification repeats them. Add answers first, then ask.

    Other answers, which are nearly all, are not stored.
    """

    def __init__(self, texts: Callable[[Sequence[int]], Mapping[int, str]]) -> None:
        """Begin with no answer heard."""
        self._texts = texts
        self._at: dict[Place, tuple[int, tuple[Address, ...]]] = {}

    def add_answer(self, place: Place, number: int, text: str) -> bool:
        """Whether an answer speaks to whoever judges it."""
        addresses = find_addresses(text)
        if addresses:
            self._at[place] = number, addresses
        return bool(addresses)

    def is_echoed(self, place: Place, text: str) -> bool:
        """Whether a justification takes such words over; its judge may have read those of an earlier turn, too."""
        dialogue, last = place
        earlier = [self._at[at] for turn in range(1, last + 1) if (at := (dialogue, turn)) in self._at]
        texts = self._texts([number for number, _ in earlier]) if earlier else {}
        answers = "\n\n".join(texts[number] for number, _ in earlier)
        return bool(find_echo(answers, text, [attempt for _, attempts in earlier for attempt in attempts]))
