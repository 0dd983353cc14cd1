"""Entries of a file, a few at a time, each answer with an id of its own; and what could not be read."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from voirdire.cognibench.records import CognibenchError
from voirdire.data.files import FileError, whole_text
from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.rows import Part, is_parquet, line_part, parquet_rows, text_lines
from voirdire.detectors.records import Answer

ProblemKind = Literal[
    "unplaced",
    "two labels",
    "no label",
    "lists disagree",
    "renamed",
    "outside",
    "not held",
    "left out",
    "in dispute",
    "unrated",
]

_SAYS: dict[ProblemKind, str] = {
    "unplaced": "Labels that stand on no sentence of their answer",
    "two labels": "Sentences with two labels, of which the graver one was taken",
    "no label": "Labelled answers in which a sentence has no label",
    "lists disagree": "Answers whose lists disagree with their sentence_label_dict, which was taken",
    "renamed": "Ids that were there already and were given a number",
    "outside": "Answers with words that stand in none of the statements given",
    "not held": "Answers that could not be written as they are",
    "left out": "Entries that could not be used and were left out",
    "in dispute": "Statements in dispute, which have no label until an adjudicator settles them, so that figures by "
    "the other labels may be off in an unknown direction",
    "unrated": "Statements without a label, since some of their ratings are not there yet",
}
_SHOWN = 3
SHOWN_BAD = 10
"""Entries that can't be used and are named."""


class DataWarning(UserWarning):
    """Something in a data set was not read as it stands."""


class Problem(NamedTuple):
    """Something that was not read as it stands."""

    kind: ProblemKind
    answer: str
    """Id of the answer."""
    says: str
    """What it was, for the user."""


Tell = Callable[[Problem], None]
"""Who is told of problems as they are met."""


class Reading(NamedTuple):
    """A data set that was read."""

    answers: list[Answer]
    problems: tuple[Problem, ...]


class Problems:
    """Told of problems, it counts them all and keeps the first few of each kind."""

    def __init__(self) -> None:
        self._met: dict[ProblemKind, list[Problem]] = {}
        self._counts: Counter[ProblemKind] = Counter()

    def __call__(self, problem: Problem) -> None:
        """Be told of a problem."""
        self.add(problem)

    def add(self, problem: Problem, times: int = 1) -> None:
        """Be told of a problem that was met so often."""
        self._counts[problem.kind] += times
        first = self._met.setdefault(problem.kind, [])
        if len(first) < (SHOWN_BAD if problem.kind == "left out" else _SHOWN):
            first.append(problem)

    def sentences(self) -> list[str]:
        """One sentence per kind of problem, with the first few of them."""
        return [self._sentence(kind, met) for kind, met in self._met.items()]

    def as_list(self) -> list[tuple[ProblemKind, str, str, int]]:
        """Kind, answer, words and how often: what `add` must be told to know the same."""
        return [
            (*problem, self._counts[kind] - len(met) + 1 if place == 0 else 1)
            for kind, met in self._met.items()
            for place, problem in enumerate(met)
        ]

    def _sentence(self, kind: ProblemKind, met: list[Problem]) -> str:
        if kind == "left out":
            head = f"{_SAYS[kind]}: {self._counts[kind]:,}."
            return list_first(head, [f"{each.answer}: {each.says}." for each in met], self._counts[kind])
        first = "; ".join(f"{each.answer}: {each.says}" for each in met)
        more = self._counts[kind] - len(met)
        return f"{_SAYS[kind]}: {self._counts[kind]:,} ({first}{f'; and {more:,} more' if more else ''})."


def list_first(head: str, lines: Sequence[str], count: int) -> str:
    """A sentence, and below it a line for each of the first few of so many."""
    more = count - len(lines)
    return "\n".join([head, *lines, *([f"And {more:,} more."] * (more > 0))])


def ignore(problem: Problem) -> None:
    """Tell nobody."""


def summarise_problems(problems: Iterable[Problem]) -> list[str]:
    """One sentence per kind of problem, with the first few of them."""
    met = Problems()
    for each in problems:
        met(each)
    return met.sentences()


MAX_LINE = 20_000_000
"""Characters; a file without line breaks is no JSON Lines, and must not fill the memory."""


class Entry(NamedTuple):
    """A JSON object of a file."""

    where: str
    """"log.jsonl, line 3": how errors name it."""
    number: int
    """From 1."""
    fields: Mapping[str, Any]
    fault: str | None = None
    """Why it is no object: half a sentence. It has no fields then."""


class BadEntriesError(CognibenchError):
    """Entries that can't be used: a sentence names the first of them."""

    def __init__(self, bad: Sequence[tuple[Entry, str]]) -> None:
        self.says = bad[0][1]
        """Why the first can't be used: half a sentence."""
        self.bad = tuple(sorted(((entry.number, entry.where, says) for entry, says in bad)))
        lines = [f"{where}: {says}." for _, where, says in self.bad[:SHOWN_BAD]]
        several = list_first(f"{len(self.bad):,} entries can't be used.", lines, len(self.bad))
        super().__init__(lines[0] if len(lines) == 1 else several)


def read_entries(path: Path, part: Part | None = None) -> Iterator[Entry]:
    """The objects of a JSON Lines file or the rows of a `.parquet` file, one at a time; of a `.json` file, its list's.

    A line that is no object has a `fault`.

    Args:
        path: of the file.
        part: the rows wanted of JSON Lines or Parquet; `None` for all of them.

    Raises:
        CognibenchError: the file can't be read.
    """
    try:
        if is_parquet(path):
            for number, row in parquet_rows(path, part):
                yield Entry(f"{path}, row {number}", number, row)
        elif path.suffix.lower() == ".json":
            yield from _document(path)
        else:
            yield from _objects(path, text_lines(path, MAX_LINE) if part is None else line_part(path, part, MAX_LINE))
    except FileError as error:
        raise CognibenchError(str(error)) from error


def _objects(path: Path, lines: Iterator[tuple[int, str]]) -> Iterator[Entry]:
    for number, line in lines:
        where = f"{path}, line {number}"
        try:
            fields = parse_json(line, halves="replace")
        except JsonError as error:
            yield Entry(where, number, {}, f"it is no JSON ({error}); expected one object per line")
            continue
        yield _entry(where, number, fields)


def _document(path: Path) -> Iterator[Entry]:
    try:
        whole = parse_json(whole_text(path), halves="replace")
    except JsonError as error:
        raise CognibenchError(f"{path} is no JSON ({error}); one object per line belongs in a .jsonl file.") from None
    for number, fields in enumerate(whole if isinstance(whole, list) else [whole], start=1):
        yield _entry(f"{path}, entry {number}", number, fields)


def _entry(where: str, number: int, fields: Any) -> Entry:
    if not isinstance(fields, Mapping):
        return Entry(where, number, {}, f"a JSON object is expected, not a {type(fields).__name__}")
    return Entry(where, number, fields)


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
