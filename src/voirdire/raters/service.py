"""The desk between pages and the project's file: what raters and the organiser do, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from voirdire.raters.qualifying import Qualified
from voirdire.raters.questions import questions_of
from voirdire.raters.records import ORGANISER, Question, Rater, RatersError, Refused
from voirdire.raters.resolution import is_disputed
from voirdire.raters.store import Stale, Store, Transaction
from voirdire.raters.tasks import open_task
from voirdire.raters.tasks.base import NewRow, Task, Work
from voirdire.raters.undo import IMPORTED, QUESTION, READ, REPLY, RETAKE, UNDO
from voirdire.raters.views import Look, Next, Viewer

MAX_TEXT = 20_000
"""Characters of a question or a reply."""


class Sent(NamedTuple):
    """What a page sends."""

    action: str
    form: Mapping[str, str]
    token: str
    """Made with the page: sent twice, it is done once."""
    seen: int
    """`Look.seen` of what the page was made of."""
    seconds: float = 0.0


class Acted(NamedTuple):
    """What came of it."""

    look: Look
    """The item as it stands now."""
    going: Next | None
    """Where the rater goes from here; `None` where they stay: it is not complete, was taken up again, or has feedback
    to show."""


class RatingService:
    """All that raters and the organiser do with an open project."""

    def __init__(self, store: Store, task: Task | None = None) -> None:
        """Sit down at `store`.

        Args:
            store: of the project.
            task: another one than the settings name.
        """
        self.store = store
        self.settings = store.read.settings()
        self.task = task or open_task(self.settings.task)
        self.viewer = Viewer(self.settings, self.task, store.read.items())

    # --- looking ---

    def look(self, rater: Rater, item: str) -> Look:
        """An item as it stands for a rater.

        Raises:
            NotYours: it is not in their hands.
        """
        return self.viewer.look(self.store.read, rater, item)

    def qualified(self, rater: Rater) -> Qualified:
        """How a rater stands with the practice items."""
        return self.viewer.qualified(self.store.read, rater)

    def next(self, rater: Rater) -> Next:
        """Where a rater goes from here; changes nothing."""
        return self.viewer.next(self.store.read, rater)

    def questions(self, rater: Rater | None = None) -> tuple[Question, ...]:
        """Questions and replies, oldest first: one rater's, or all."""
        return questions_of(self.store.read.questions(None if rater is None else rater.id))

    # --- doing ---

    async def act(self, rater: Rater, item: str, sent: Sent) -> Acted:
        """Do what a page asks; return once it is on disk.

        Raises:
            NotYours: the item is not in their hands.
            Stale: it was changed elsewhere since the page was made.
            Refused: it does not fit how things stand.
            NotSaved: it can't be written.
        """
        return await self.store.write(lambda transaction: self._act(transaction, rater, item, sent))

    async def take_next(self, rater: Rater) -> Next:
        """Where a rater goes from here; hands out another document where nothing is in their hands.

        Raises:
            NotSaved: it can't be written.
        """
        return await self.store.write(lambda transaction: self._take_next(transaction, rater))

    async def ask(self, rater: Rater, item: str, text: str, token: str) -> None:
        """Put a question to the organiser.

        Raises:
            NotYours: the item is not in their hands.
            RatersError: nothing is asked, or it is too long.
            NotSaved: it can't be written.
        """
        text = _checked(text)

        def work(transaction: Transaction) -> None:
            rated = self.viewer.look(transaction, rater, item).value is not None
            if not transaction.known(rater.id, token):
                transaction.add(rater.id, item, NewRow(QUESTION, {"text": text, "afterwards": rated}), token=token)

        await self.store.write(work)

    async def mark_read(self, rater: Rater) -> None:
        """Note that a rater has read the replies that there are."""
        await self.store.write(lambda transaction: transaction.add(rater.id, "", NewRow(READ, {})))

    async def retake(self, rater: Rater) -> None:
        """Begin the practice items anew, where all are rated and too few are right; otherwise nothing happens."""

        def work(transaction: Transaction) -> None:
            stands = self.viewer.qualified(transaction, rater)
            if stands.passed or not stands.complete or rater.role != "rater":
                return
            row = transaction.add(rater.id, "", NewRow(RETAKE, {}))
            for item in self.viewer.deck.practice:
                transaction.settle(rater.id, item.id, None, row.seq)

        await self.store.write(work)

    async def reply(self, question: int, text: str, token: str) -> None:
        """Answer a question, as the organiser.

        Raises:
            RatersError: nothing is said, it is too long, or there is no such question.
            NotSaved: it can't be written.
        """
        text = _checked(text)

        def work(transaction: Transaction) -> None:
            asked = {each.seq: each for each in questions_of(transaction.questions())}
            if question not in asked:
                raise RatersError(f"There is no question {question}.")
            if not transaction.known(ORGANISER, token):
                transaction.add(ORGANISER, asked[question].item, NewRow(REPLY, {"text": text}, question), token=token)

        await self.store.write(work)

    async def release(self, rater: str, document: str, item: str = "") -> None:
        """Take a document back from a rater (an item from an adjudicator), so that another gets it.

        What they have rated of it stays and counts; they can't change it any more, and are not handed it again.

        Raises:
            RatersError: it is not in their hands, or all of it is rated.
            NotSaved: it can't be written.
        """
        items = [item] if item else [each.id for each in self.viewer.deck.items.get(document, ())]

        def work(transaction: Transaction) -> None:
            if len(transaction.values_of(rater, items)) == len(items):
                raise RatersError("All of that is rated, so that it can't be taken back.")
            if not transaction.release(rater, document, item):
                raise RatersError("That is not in this rater's hands.")

        await self.store.write(work)

    # --- inside a transaction ---

    def _act(self, transaction: Transaction, rater: Rater, item: str, sent: Sent) -> Acted:
        look = self.viewer.look(transaction, rater, item)
        if not transaction.known(rater.id, sent.token):
            if look.locked is not None:
                raise Refused(look.locked)
            if sent.seen != look.seen:
                raise Stale("This was changed in another tab or window since the page was opened: nothing was saved.")
            row = self._undo(look.work) if sent.action == UNDO else self.task.take(look.work, sent.action, sent.form)
            transaction.add(rater.id, item, row, token=sent.token, seconds=sent.seconds)
            look = self._settle(transaction, rater, item)
        if look.value is None or sent.action == UNDO:
            return Acted(look, None)
        going = self._take_next(transaction, rater)  # now, so that no page has to be loaded to be handed the next
        return Acted(look, going if look.work.phase == "live" else None)

    def _undo(self, work: Work) -> NewRow:
        if not work.rows or work.rows[-1].kind == IMPORTED:
            raise Refused("There is nothing to undo here.")
        refused = self.task.may_undo(work, work.rows[-1])
        if refused is not None:
            raise Refused(refused)
        return NewRow(UNDO, {}, work.rows[-1].seq)

    def _settle(self, transaction: Transaction, rater: Rater, item: str) -> Look:
        """Keep how the item stands after a row was added, and whether it needs a third person now."""
        look = self.viewer.look(transaction, rater, item)
        transaction.settle(rater.id, item, look.value, look.work.rows[-1].seq if look.work.rows else 0)
        if rater.role == "rater" and look.work.item.pool == "live":
            transaction.dispute(item, is_disputed(self.task, self.settings, transaction.values(item)))
        return look

    def _take_next(self, transaction: Transaction, rater: Rater) -> Next:
        while (going := self.viewer.next(transaction, rater)).state == "ready":
            transaction.assign(rater.id, going.document, going.item)
        return going


def _checked(text: str) -> str:
    text = text.strip()
    if not text:
        raise RatersError("There is nothing in the text field.")
    if len(text) > MAX_TEXT:
        raise RatersError(f"That is {len(text):,} characters long; at most {MAX_TEXT:,} can be sent.")
    return text
