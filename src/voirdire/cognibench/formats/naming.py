"""Every answer of a data set gets an id of its own, however many there are."""

from __future__ import annotations

from array import array
from dataclasses import replace

from voirdire.cognibench.formats.problems import Problem, Tell
from voirdire.detectors.records import Answer

_BITS = (1 << 64) - 1


class Names:
    """Ids that are taken. One that comes again gets a number: "q7", then "q7#2"."""

    def __init__(self, tell: Tell) -> None:
        """`tell` is told of every id that was changed."""
        self._tell = tell
        self._taken = Seen()

    def own(self, answer: Answer) -> Answer:
        """The answer under an id that no earlier one has."""
        own, number = answer.id, 1
        while not self._taken.add(own):
            number += 1
            own = f"{answer.id}#{number}"
        if own == answer.id:
            return answer
        self._tell(Problem("renamed", answer.id, f"now {own}"))
        return replace(answer, id=own)


class Seen:
    """Texts that were met, at some twenty bytes each: 64 bits of a hash, in a table with open addresses.

    Two of a million texts are taken for the same with a chance of 3 in a hundred million.
    """

    def __init__(self) -> None:
        self._slots = array("Q", bytes(8 * 1024))
        self._count = 0

    def add(self, text: str) -> bool:
        """Whether the text is new; it is known from now on."""
        if 5 * self._count >= 3 * len(self._slots):
            self._grow()
        code = (hash(text) & _BITS) or 1
        place = self._place(code)
        if self._slots[place]:
            return False
        self._slots[place] = code
        self._count += 1
        return True

    def _place(self, code: int) -> int:
        """Where the code stands, or would."""
        slots, last = self._slots, len(self._slots) - 1
        place = code & last
        while slots[place] and slots[place] != code:
            place = (place + 1) & last
        return place

    def _grow(self) -> None:
        earlier = self._slots
        self._slots = array("Q", bytes(2 * len(earlier) * earlier.itemsize))
        for code in earlier:
            if code:
                self._slots[self._place(code)] = code
