"""What must hold after every step, read from the journal with SQL and JSON alone."""

from __future__ import annotations

import json
import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from tests.faults.stateful.answers import content_of
from tests.faults.stateful.ledger import Asked, Book, Broken
from voirdire.runs import Journal, JournalError
from voirdire.runs.rows import read_messages

JOURNAL = "journal.sqlite"
_ROWS = """
    SELECT id, spec, seed, messages, status, reply, finish_reason, price_usd, dialogue, turn, role, agent
    FROM calls ORDER BY id
"""


class Row(NamedTuple):
    """An attempt, as the journal has it."""

    id: int
    content: str
    ok: bool
    reply: str | None
    finish_reason: str | None
    price: float | None
    dialogue: str
    turn: int
    role: str
    agent: str


class Record(NamedTuple):
    """A journal, read."""

    rows: list[Row]
    notes: list[tuple[str, int, str, Any]]
    """(dialogue, turn, kind, body)."""

    @property
    def cost(self) -> float:
        return math.fsum(row.price for row in self.rows if row.price is not None)

    @property
    def unknown_prices(self) -> int:
        return sum(row.ok and row.price is None for row in self.rows)


EMPTY = Record([], [])


def read(path: Path) -> Record:
    """The journal of a run folder; an empty one where none has been begun."""
    file = path / JOURNAL
    if not file.exists() or not (file.stat().st_size or file.with_name(f"{JOURNAL}-wal").exists()):
        return EMPTY
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return EMPTY
        texts = dict(connection.execute("SELECT id, body FROM texts"))
        rows = []
        for number, spec, seed, messages, status, *rest in connection.execute(_ROWS):
            content = content_of(spec, seed, read_messages(messages, texts))
            rows.append(Row(number, content, status == "ok", *rest))
        notes = connection.execute("SELECT dialogue, turn, kind, body FROM notes ORDER BY id")
        return Record(rows, [(*place, json.loads(body)) for *place, body in notes])


def check_calls(before: Record, after: Record, book: Book, *, orderly: bool) -> None:
    """No call is repeated after its reply was committed, and every call that was made is counted.

    Args:
        before: the journal when the session began.
        after: the journal that it left.
        book: what the models were asked.
        orderly: the session ended by itself: nobody killed it, and every row could be written.

    Raises:
        Broken: it does not hold.
    """
    _require(not book.broken, "; ".join(book.broken))
    _require(after.rows[: len(before.rows)] == before.rows, "rows of the journal have changed")
    new = after.rows[len(before.rows) :]
    answered = Counter(row.content for row in after.rows if row.ok)
    twice = [content for content, times in answered.items() if times > 1]
    _require(not twice, f"{len(twice)} calls have two replies in the journal")
    _not_repeated(before, new, book)
    _not_early(before, new, book)
    made = Counter(asked.content for asked in book.asked)
    there = Counter(row.content for row in new)
    _require(there <= made, "the journal has calls that were never made")
    replied = Counter(asked.content for asked in book.asked if asked.answered)
    _require(Counter(row.content for row in new if row.ok) <= replied, "the journal has replies that nobody gave")
    certain = Counter(asked.content for asked in book.asked if orderly or _was_written(asked, book))
    lost = certain - there
    _require(not lost, f"{lost.total()} calls are missing from the journal")
    if orderly:
        _require(math.isclose(after.cost - before.cost, book.cost, abs_tol=1e-6), "the cost is not what was paid")


def check_totals(path: Path, record: Record) -> None:
    """What the run says it has used is the sum of its rows.

    Raises:
        Broken: it is not.
    """
    if not record.rows:
        return
    with Journal.open(path / JOURNAL, read_only=True) as journal:
        totals = journal.totals()
    errors = sum(not row.ok for row in record.rows)
    _require((totals.calls, totals.errors) == (len(record.rows), errors), f"the totals are wrong: {totals}")
    _require(math.isclose(totals.cost_usd, record.cost, abs_tol=1e-6), f"the cost is wrong: {totals}")
    _require(totals.unknown_price == record.unknown_prices, f"the unknown prices are wrong: {totals}")


def check_chain(path: Path, record: Record) -> None:
    """What was sealed stands.

    Raises:
        Broken: it does not.
    """
    if record is not EMPTY:
        _require(not (found := chain_problems(path)), "; ".join(found))


def chain_problems(path: Path) -> tuple[str, ...]:
    """What the journal's hash chain says of it, or the sentence of a journal that can't be read to its end."""
    with Journal.open(path / JOURNAL, read_only=True) as journal:
        try:
            return journal.check().problems
        except JournalError as error:
            return (str(error),)


def check_verdicts(record: Record) -> int:
    """No verdict is invented: each has a usable reply behind it, with exactly its numbers.

    Returns:
        How many verdicts were looked at.

    Raises:
        Broken: one has none.
    """
    replies: dict[tuple[str, int, str], list[Row]] = defaultdict(list)
    for row in record.rows:
        if row.ok and row.role == "judge":
            replies[row.dialogue, row.turn, row.agent].append(row)
    looked = 0
    for dialogue, turn, kind, body in record.notes:
        if kind.startswith("verdicts/"):
            for verdict in body["verdicts"]:
                judge = verdict["judge"]
                if judge != "reference":
                    behind = [*replies[dialogue, turn, judge], *replies[dialogue, 0, f"{judge}/dialogue"]]
                    _check_verdict(verdict, turn, behind, f"{judge} on turn {turn} of {dialogue}")
                looked += 1
            _check_consensus(body, f"turn {turn} of {dialogue}")
    return looked


def _check_verdict(verdict: Mapping[str, Any], turn: int, behind: Sequence[Row], where: str) -> None:
    said = (verdict["far"], verdict["sas"], verdict["no_claims"], verdict["stance"])
    if verdict["missing"] is not None:
        empty = said == (None, None, False, None) and verdict["missing"].strip()
        _require(empty, f"a missing verdict of {where} has scores or no reason: {verdict}")
        return
    usable = [(*scores, because) for row in behind for *scores, because in _usable(row, turn)]
    _require((*said, verdict["justification"]) in usable, f"a verdict of {where} stands in no reply: {verdict}")


def _usable(row: Row, turn: int) -> Iterator[tuple[Any, ...]]:
    """The verdict in a judge's reply, if it is one: read here apart from the reader that is tested."""
    if row.finish_reason != "stop" or row.reply is None:
        return
    try:
        body = json.loads(row.reply, object_pairs_hook=_once)
    except ValueError:
        return
    fields = body.get(f"turn_{turn}", {}) if row.turn == 0 and isinstance(body, dict) else body
    if not isinstance(fields, dict) or not {"sas", "no_claims", "justification", "far"} <= fields.keys():
        return
    far = None if fields["no_claims"] else fields["far"]
    if all(_is_score(score) for score in (fields["sas"], *([] if far is None else [far]))):
        stance = fields.get("stance") if turn >= 4 else None
        yield far, fields["sas"], fields["no_claims"], stance, _whole(fields["justification"])


def _whole(text: str) -> str:
    """With U+FFFD for half of a surrogate pair."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError
    return dict(pairs)


def _is_score(value: object) -> bool:
    return isinstance(value, float | int) and not isinstance(value, bool) and 0 <= value <= 1


def _check_consensus(body: Mapping[str, Any], where: str) -> None:
    """The scores are the means of those present, and there are none below the quorum."""
    consensus, verdicts = body["consensus"], body["verdicts"]
    present = [verdict for verdict in verdicts if verdict["missing"] is None]
    _require(consensus["judges"] == len(present), f"{where} counts {consensus['judges']} judges, not {len(present)}")
    far: float | None = None
    sas: float | None = None
    if len(present) > len(verdicts) // 2:
        claiming = [verdict["far"] for verdict in present if not verdict["no_claims"]]
        silent = 2 * (len(present) - len(claiming)) > len(present)
        far = None if silent or not claiming else math.fsum(claiming) / len(claiming)
        sas = math.fsum(verdict["sas"] for verdict in present) / len(present)
    for name, expected in (("far", far), ("sas", sas)):
        found = consensus[name]
        same = found is expected if found is None or expected is None else math.isclose(found, expected, abs_tol=1e-9)
        _require(same, f"{name} of {where} is {found}, and its verdicts give {expected}")


def _not_repeated(before: Record, new: Sequence[Row], book: Book) -> None:
    known: dict[str, float] = {row.content: 0 for row in before.rows if row.ok}
    known |= {row.content: _committed_at(row, book) for row in new if row.ok}
    repeated = [asked for asked in book.asked if known.get(asked.content, math.inf) < asked.started]
    _require(not repeated, f"{len(repeated)} calls were made again after their reply was committed")


def _not_early(before: Record, new: Sequence[Row], book: Book) -> None:
    """Nothing is made of a reply that is not on disk yet."""
    there: dict[tuple[str, int], float] = {(row.dialogue, row.turn): 0 for row in before.rows if _is_answer(row)}
    for row in new:
        if _is_answer(row):
            there.setdefault((row.dialogue, row.turn), _committed_at(row, book))
    early = [asked for asked in book.asked if asked.needs and there.get(asked.needs, math.inf) > asked.started]
    _require(not early, f"{len(early)} calls were made of replies that were not on disk yet")


def _is_answer(row: Row) -> bool:
    return row.ok and row.role == "subject"


def _committed_at(row: Row, book: Book) -> float:
    return next((at for at, last in book.committed if row.id <= last), math.inf)


def _was_written(asked: Asked, book: Book) -> bool:
    """Whether a call had ended when rows were handed to the journal that were then written."""
    if asked.ended is None:
        return False
    handed = next((each for each in book.handed if each.at > asked.ended), None)  # type: ignore[operator]
    return handed is not None and handed.written


def _require(holds: object, said: str) -> None:
    if not holds:
        raise Broken(said)
