"""What answers say to their judges, and what verdicts make of it: noted while a run's tables are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from voirdire.jury.hostile_answers import Address, find_addresses, find_echo

Place = tuple[str, int]
"""A dialogue and the number of one of its turns."""


class Hearing:
    """Answers first, verdicts later. Of answers that speak to nobody, which nearly all are, nothing is held."""

    def __init__(self, texts: Callable[[Sequence[int]], Mapping[int, str]]) -> None:
        """Begin with no answer heard.

        Args:
            texts: what replies say, by their numbers.
        """
        self._texts = texts
        self._at: dict[Place, tuple[int, tuple[Address, ...]]] = {}

    def answer(self, place: Place, number: int, text: str) -> bool:
        """Whether an answer speaks to whoever judges it.

        Args:
            place: of the answer.
            number: of the reply that it came with.
            text: of the answer.
        """
        found = find_addresses(text)
        if found:
            self._at[place] = number, found
        return bool(found)

    def justification(self, place: Place, text: str) -> bool:
        """Whether a justification takes such words over; its judge may have read those of an earlier turn, too."""
        dialogue, last = place
        heard = [self._at[at] for turn in range(1, last + 1) if (at := (dialogue, turn)) in self._at]
        told = self._texts([number for number, _ in heard]) if heard else {}
        answers = "\n\n".join(told[number] for number, _ in heard)
        return bool(find_echo(answers, text, [attempt for _, attempts in heard for attempt in attempts]))
