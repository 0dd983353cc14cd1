"""The desk between pages and the project's file: what a rater may see, what comes next, and what an answer does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from voirdire.raters.flow import Deck, deck_of, disputed, held, next_document, next_item, phase_of
from voirdire.raters.qualifying import RETAKE, Qualified, qualified, since_retake
from voirdire.raters.questions import questions_of
from voirdire.raters.reading import value_of, work_of
from voirdire.raters.records import ORGANISER, Item, Question, Rater, RatersError, Refused, Row
from voirdire.raters.standing import ASSIGN, IMPORTED, QUESTION, RELEASE, REPLY, UNDO, last_of
from voirdire.raters.store import Reader, Stale, Store, Transaction
from voirdire.raters.tasks import open_task
from voirdire.raters.tasks.base import NewRow, Work

MAX_TEXT = 20_000
"""Characters of a question or a reply."""


class Sent(NamedTuple):
    """What a page sends."""

    action: str
    form: Mapping[str, str]
    token: str
    """Made with the page: sent twice, it is done once."""
    seen: int
    """The last row of this rater on this item that the page knew of."""
    seconds: float = 0.0


class Acted(NamedTuple):
    """What came of it."""

    row: Row
    work: Work
    """As it stands now."""
    value: Mapping[str, Any] | None
    """The rating, where it is complete."""


class Next(NamedTuple):
    """Where a rater goes from here."""

    state: Literal["item", "not passed", "finished", "waiting"]
    """"waiting": an adjudicator, and no disagreement is open."""
    item: Item | None = None


class Desk:
    """All that raters and the organiser do with an open project."""

    def __init__(self, store: Store) -> None:
        """Sit down at `store`."""
        self.store = store
        self.settings = store.read.settings()
        self.task = open_task(self.settings.task)
        self.deck: Deck = deck_of(store.read.items())

    # --- looking ---

    def work(self, rater: Rater, item: str, reader: Reader | None = None) -> Work:
        """An item in a rater's hands.

        Raises:
            RatersError: there is no such item, or it is not theirs.
        """
        reader = reader or self.store.read
        found = reader.item(item)
        self._check_theirs(reader, rater, found)
        phase = phase_of(found, self.deck, self.settings)
        rows = self._rows(reader, rater, item, phase)
        others = self._others(reader, rater, item, phase)
        work = work_of(self.settings, reader.document(found.document), found, rows, phase, others)
        if phase == "calibration" and value_of(self.task, work) is None:
            return replace(work, others=())  # what others said comes after one's own rating
        return work

    def value(self, work: Work) -> Mapping[str, Any] | None:
        """The rating, where it is complete."""
        return value_of(self.task, work)

    def seen(self, rater: Rater, item: str) -> int:
        """What a page made now knows of."""
        return last_of(self.store.read.rows(rater=rater.id, item=item))

    def locked(self, work: Work) -> str | None:
        """Why nothing can be changed in this item any more, if so."""
        if work.phase != "live" and self.value(work) is not None:
            return f"Ratings in {work.phase} stay as they were first given: feedback has been shown."
        return None

    def qualified(self, rater: Rater) -> Qualified:
        """How a rater stands with the practice items."""
        reader = self.store.read
        retakes = reader.rows(rater=rater.id, kinds=[RETAKE])
        values = {}
        for item in self.deck.practice:
            value = self.value(self.work(rater, item.id, reader))
            if value is not None:
                values[item.id] = value
        return qualified(self.settings, self.deck.practice, values, self.task.differ, 1 + len(retakes))

    def questions(self, rater: Rater | None = None) -> tuple[Question, ...]:
        """Questions and replies: one rater's, or all."""
        found = questions_of(self.store.read.rows(kinds=[QUESTION, REPLY]))
        return found if rater is None else tuple(each for each in found if each.rater == rater.id)

    def documents_of(self, rater: Rater, reader: Reader | None = None) -> tuple[str, ...]:
        """What has been handed to a rater: documents, or an adjudicator's items."""
        reader = reader or self.store.read
        return held(reader.rows(kinds=[ASSIGN, RELEASE])).get(rater.id, ())

    # --- doing ---

    async def act(self, rater: Rater, item: str, sent: Sent) -> Acted:
        """Do what a page asks; return once it is on disk.

        Raises:
            Stale: the item was changed elsewhere since the page was made.
            Refused: it does not fit how things stand.
            RatersError: the item is not theirs, or it can't be written.
        """
        return await self.store.write(lambda transaction: self._act(transaction, rater, item, sent))

    async def ask(self, rater: Rater, item: str, text: str, token: str) -> Row:
        """Put a question to the organiser.

        Raises:
            RatersError: nothing is asked, it is too long, or the item is not theirs.
        """
        body = {"text": _text(text)}

        def work(transaction: Transaction) -> Row:
            if (known := transaction.known(rater.id, token)) is not None:
                return known
            rated = self.value(self.work(rater, item, transaction)) is not None
            return transaction.add(rater.id, item, NewRow(QUESTION, {**body, "afterwards": rated}), token=token)

        return await self.store.write(work)

    async def reply(self, question: int, text: str, token: str) -> Row:
        """Answer a question, as the organiser.

        Raises:
            RatersError: nothing is said, or there is no such question.
        """
        body = {"text": _text(text)}

        def work(transaction: Transaction) -> Row:
            if (known := transaction.known(ORGANISER, token)) is not None:
                return known
            asked = {each.seq: each for each in questions_of(transaction.rows(kinds=[QUESTION, REPLY]))}
            if question not in asked:
                raise RatersError(f"There is no question {question}.")
            return transaction.add(ORGANISER, asked[question].item, NewRow(REPLY, body, question), token=token)

        return await self.store.write(work)

    async def retake(self, rater: Rater) -> None:
        """Begin the practice items anew.

        Raises:
            RatersError: they are not all rated yet, or passed.
        """
        stands = self.qualified(rater)
        if not stands.complete or stands.passed:
            raise RatersError("The practice items can be begun anew once all are rated and too few were right.")

        def work(transaction: Transaction) -> None:
            row = transaction.add(rater.id, "", NewRow(RETAKE, {}))
            for item in self.deck.practice:
                transaction.settle(rater.id, item.id, None, row.seq)

        await self.store.write(work)

    async def release(self, rater: str, document: str) -> None:
        """Take a document back from a rater, as the organiser, so that another gets it."""
        row = NewRow(RELEASE, {"rater": rater, "document": document})
        await self.store.write(lambda transaction: transaction.add(ORGANISER, "", row))

    async def next(self, rater: Rater) -> Next:
        """Where a rater goes from here; hands out another document where the ones they hold are done.

        Raises:
            RatersError: it can't be written.
        """
        complete = self.store.read.complete().get(rater.id, {})
        if rater.role == "adjudicator":
            return await self._next_dispute(rater, complete)
        practice = next((item for item in self.deck.practice if item.id not in complete), None)
        if practice is not None:
            return Next("item", practice)
        if self.deck.practice and not self.qualified(rater).passed:
            return Next("not passed")
        item = next_item(self.documents_of(rater), self.deck, complete)
        while item is None:
            document = await self.store.write(lambda transaction: self._hand_out(transaction, rater))
            if document is None:
                return Next("finished")
            item = next_item([document], self.deck, complete)
        return Next("item", item)

    # --- inside a transaction ---

    def _act(self, transaction: Transaction, rater: Rater, item: str, sent: Sent) -> Acted:
        known = transaction.known(rater.id, sent.token)
        work = self.work(rater, item, transaction)
        if known is not None:
            return Acted(known, work, self.value(work))
        if (locked := self.locked(work)) is not None:
            raise Refused(locked)
        if sent.seen != last_of(transaction.rows(rater=rater.id, item=item)):
            raise Stale("This was changed in another tab or window since the page was opened, so nothing was saved.")
        row = self._undo(work) if sent.action == UNDO else self.task.take(work, sent.action, sent.form)
        written = transaction.add(rater.id, item, row, token=sent.token, seconds=sent.seconds)
        now = self.work(rater, item, transaction)
        value = self.value(now)
        transaction.settle(rater.id, item, value, written.seq)
        return Acted(written, now, value)

    def _undo(self, work: Work) -> NewRow:
        undoable = [row for row in work.rows if row.kind != IMPORTED]
        if not undoable:
            raise Refused("There is nothing to undo here.")
        refused = getattr(self.task, "may_undo", lambda _work, _row: None)(work, undoable[-1])
        if refused is not None:
            raise Refused(refused)
        return NewRow(UNDO, {}, undoable[-1].seq)

    def _hand_out(self, transaction: Transaction, rater: Rater) -> str | None:
        holding = held(transaction.rows(kinds=[ASSIGN, RELEASE]))
        document = next_document(self.deck, self.settings, holding, transaction.raters(), rater.id)
        if document is not None:
            transaction.add(rater.id, "", NewRow(ASSIGN, {"document": document}))
        return document

    async def _next_dispute(self, rater: Rater, complete: Mapping[str, int]) -> Next:
        for item in self.documents_of(rater):
            if item not in complete:
                return Next("item", self.store.read.item(item))
        handed = await self.store.write(lambda transaction: self._hand_dispute(transaction, rater))
        return Next("waiting") if handed is None else Next("item", handed)

    def _hand_dispute(self, transaction: Transaction, rater: Rater) -> Item | None:
        people = {each.id for each in transaction.raters() if each.role == "rater"}
        taken = {item for items in held(transaction.rows(kinds=[ASSIGN])).values() for item in items}
        blind = transaction.all_values(people)
        for item in disputed(self.deck, self.settings, blind, self.task.differ):
            if item.id not in taken:
                transaction.add(rater.id, item.id, NewRow(ASSIGN, {"document": item.document}))
                return item
        return None

    def _check_theirs(self, reader: Reader, rater: Rater, item: Item) -> None:
        if rater.role == "adjudicator":
            theirs = item.id in self.documents_of(rater, reader)
        else:
            theirs = item.pool == "practice" or item.document in self.documents_of(rater, reader)
        if not theirs:
            raise RatersError(f"The item {item.id} has not been handed to you.")

    def _rows(self, reader: Reader, rater: Rater, item: str, phase: str) -> list[Row]:
        rows = reader.rows(rater=rater.id, item=item)
        return since_retake(rows, reader.rows(rater=rater.id, kinds=[RETAKE])) if phase == "practice" else rows

    def _others(self, reader: Reader, rater: Rater, item: str, phase: str) -> list[Mapping[str, Any]]:
        sees = phase == "calibration" or (rater.role == "adjudicator" and self.settings.gold == "adjudicated")
        return [value for other, value in reader.values(item).items() if other != rater.id] if sees else []


def _text(text: str) -> str:
    text = text.strip()
    if not text:
        raise RatersError("There is nothing in the text field.")
    if len(text) > MAX_TEXT:
        raise RatersError(f"That is {len(text):,} characters long; at most {MAX_TEXT:,} can be sent.")
    return text
