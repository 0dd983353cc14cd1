"""Between pages and the project's file: what raters and the organiser do, and what comes of it; the people's links."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from voirdire.raters.decisions import DECIDE, decision, how_decided, show_ties
from voirdire.raters.flow import PracticeResult, own_order, practice_result, queue_of, since_retake
from voirdire.raters.project_loader import is_disputed, value_of, work_of
from voirdire.raters.records import ORGANISER, How, Item, Question, Rater, RatersError, Refused, Row, Settings
from voirdire.raters.rows import (
    IMPORTED,
    QUESTION,
    READ,
    REPLY,
    RETAKE,
    UNDO,
    awaits_decision,
    decision_of,
    has_sight,
    last_of,
    questions_of,
    undone_last,
    unsent_text,
)
from voirdire.raters.store import Reader, Stale, Store, Transaction
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import NewRow, Task, Work


class NotAssigned(RatersError):
    """No such item is assigned to this rater; they don't learn whether there is one at all."""


class ItemState(NamedTuple):
    """An item that is assigned to a rater, at one moment."""

    work: Work
    value: Mapping[str, Any] | None
    """The rating, where it is complete."""
    seen: int
    """The last row that changed it: what a page made of this knows of."""
    locked: str | None
    """Why nothing can be changed any more, if so."""
    tie: How | None = None
    """Of an adjudicator's item on which no label has a majority, until they decide: they see what raters said, and have
    kept their own rating so far, or changed it."""
    decision: Row | None = None
    """Theirs, where it stands."""
    undone: Row | None = None
    """What they have undone last, where nothing was done to the item since."""
    undone_last_of_all: bool = False
    """Whether that is what they did last of all."""
    unsent_text: Row | None = None
    """What they have undone with the text in it, where nothing that takes such a text was done to the item since."""


class NextStep(NamedTuple):
    """Where a rater goes from here."""

    state: Literal["item", "ready", "not passed", "finished", "waiting"]
    """"ready": nothing is assigned to them, and `document` can be handed out; "waiting": an adjudicator, and no
    disagreement is open."""
    item: str = ""
    document: str = ""


class Viewer:
    """Looks at a project for its raters; reads by whichever reader or transaction it is given."""

    def __init__(self, settings: Settings, task: Task, items: list[Item]) -> None:
        """Know what never changes: the settings, the task and the items."""
        self.settings = settings
        self.task = task
        self.queue = queue_of(items, settings)
        self._passed: set[str] = set()
        self._orders: dict[str, tuple[str, ...]] = {}

    def item(self, item: str) -> Item:
        """The item of this id.

        Raises:
            NotAssigned: there is none.
        """
        try:
            return self.queue.by_id[item]
        except KeyError:
            raise NotAssigned("No such item is assigned to you.") from None

    def item_state(self, reader: Reader, rater: Rater, item_id: str) -> ItemState:
        """An item as it stands for a rater.

        Raises:
            NotAssigned: it is not assigned to them.
        """
        item = self.item(item_id)
        if not self._is_theirs(reader, rater, item):
            raise NotAssigned("No such item is assigned to you.")
        phase = self.queue.phase_of(item)
        rows = reader.rows(rater=rater.id, item=item.id)
        sighted = has_sight(rows)
        if phase == "practice":
            rows = since_retake(rows, reader.retakes(rater.id))
        work = work_of(self.settings, reader.document(item.document), item, rows, phase, rater.id)
        value = value_of(self.task, work)
        if sighted or self._sees_others(rater, phase, value):
            others = reader.values(item.id, but=rater.id)
            work = work_of(self.settings, work.document, item, rows, phase, rater.id, others)
        return ItemState(
            work,
            value,
            last_of(rows),
            self._lock(reader, rater, work, value),
            how_decided(self.task, work, rows) if value is not None and awaits_decision(rows) else None,
            decision_of(rows),
            undone := undone_last(rows),
            undone is not None and reader.last_item(rater.id) == item.id,
            unsent_text(rows),
        )

    def practice_result(self, reader: Reader, rater: Rater) -> PracticeResult:
        """How a rater stands with the practice items."""
        values = reader.values_of(rater.id, (item.id for item in self.queue.practice))
        tries = 1 + len(reader.retakes(rater.id))
        return practice_result(self.settings, self.queue.practice, values, self.task.differ, tries)

    def next(self, reader: Reader, rater: Rater) -> NextStep:
        """Where a rater goes from here."""
        if rater.role == "rater" and not self._has_passed(reader, rater):
            rated = reader.values_of(rater.id, (item.id for item in self.queue.practice))
            unrated = next((item.id for item in self.queue.practice if item.id not in rated), None)
            return NextStep("not passed") if unrated is None else NextStep("item", unrated)
        if (item := reader.open_item(rater.id)) is not None:
            return NextStep("item", item)
        if rater.role == "adjudicator":
            dispute = next(iter(self.free_disputes(reader, rater)), None)
            return NextStep("waiting") if dispute is None else NextStep("ready", dispute, self.item(dispute).document)
        document = self._next_document(reader, rater)
        return NextStep("finished") if document is None else NextStep("ready", document=document)

    def free_disputes(self, reader: Reader, rater: Rater) -> list[str]:
        """The items on which raters differ that an adjudicator may take, in their order."""
        free = reader.free_disputes(rater.id)
        if not self.settings.shuffled:
            return free
        order = self._order(rater)
        return sorted(free, key=lambda item: (order.index(self.item(item).document), self.item(item).place))

    def _order(self, rater: Rater) -> tuple[str, ...]:
        if rater.id not in self._orders:
            self._orders[rater.id] = own_order(self.queue, self.settings, rater.id)
        return self._orders[rater.id]

    def _next_document(self, reader: Reader, rater: Rater) -> str | None:
        """First what is for calibration, which everybody gets; then what somebody has begun and wants another rater.

        So pairs are complete early. New documents come last, in their order. Where each rater has an order of their
        own, it alone decides: else whoever begins second would get the order of whoever began first.
        """
        if self.queue.calibration:
            calibration_left = self.queue.calibration - reader.documents_ever_assigned(rater.id)
            if calibration_left:
                return min(calibration_left, key=self._order(rater).index)
        wanted, begin = self.settings.raters_per_item, len(self.queue.calibration)
        if not self.settings.shuffled:
            return reader.free_document(rater.id, wanted, begin)
        free = reader.free_documents(rater.id, wanted, begin)
        return next((document for document in self._order(rater) if document in free), None)

    def _has_passed(self, reader: Reader, rater: Rater) -> bool:
        """Once passed, always passed: practice ratings are locked, and nobody begins anew after passing."""
        if rater.id not in self._passed and (not self.queue.practice or self.practice_result(reader, rater).passed):
            self._passed.add(rater.id)
        return rater.id in self._passed

    def _is_theirs(self, reader: Reader, rater: Rater, item: Item) -> bool:
        if item.pool == "practice":
            return rater.role == "rater"
        return reader.holds(rater.id, item.document, item.id)

    def _sees_others(self, rater: Rater, phase: str, value: Mapping[str, Any] | None) -> bool:
        """Adjudicators, where they decide; in calibration everybody, once they have rated."""
        if rater.role == "adjudicator":
            return self.settings.gold == "adjudicated"
        return phase == "calibration" and value is not None

    def _lock(self, reader: Reader, rater: Rater, work: Work, value: Mapping[str, Any] | None) -> str | None:
        if value is None or not self.is_closed(reader, rater, work.item):
            return None
        if work.phase != "live":
            return f"Ratings in {work.phase} stay as they were first given: feedback has been shown."
        return "This item is closed: it has all the ratings that it needs, and an adjudicator is at work."

    def is_closed(self, reader: Reader, rater: Rater, item: Item) -> bool:
        """Whether a rating of theirs stays as it is."""
        return rater.role == "rater" and (
            self.queue.phase_of(item) != "live" or reader.is_in_use(item.id, self.settings.raters_per_item)
        )


MAX_TEXT = 20_000
"""Characters of a question or a reply."""


class Submission(NamedTuple):
    """What a page sends."""

    action: str
    form: Mapping[str, str]
    token: str
    """Made with the page: sent twice, it is done once."""
    seen: int
    """`ItemState.seen` of what the page was made of."""
    seconds: float = 0.0


class Outcome(NamedTuple):
    """What came of it."""

    item_state: ItemState
    """The item as it stands now."""
    going: NextStep | None
    """Where the rater goes from here; `None` where they stay: it is not complete, or was taken up again. Feedback on it
    stands on the next page."""


class RatingService:
    """All that raters and the organiser do with an open project."""

    def __init__(self, store: Store) -> None:
        """Work on the project of `store`."""
        self.store = store
        self.settings = store.read.settings()
        self.task = task_of(self.settings)
        self.viewer = Viewer(self.settings, self.task, store.read.items())

    # --- looking ---

    def item_state(self, rater: Rater, item: str) -> ItemState:
        """An item as it stands for a rater.

        Raises:
            NotAssigned: it is not assigned to them.
        """
        return self.viewer.item_state(self.store.read, rater, item)

    def practice_result(self, rater: Rater) -> PracticeResult:
        """How a rater stands with the practice items."""
        return self.viewer.practice_result(self.store.read, rater)

    def next(self, rater: Rater) -> NextStep:
        """Where a rater goes from here; changes nothing."""
        return self.viewer.next(self.store.read, rater)

    def questions(self, rater: Rater | None = None) -> tuple[Question, ...]:
        """Questions and replies, oldest first: one rater's, or all."""
        return questions_of(self.store.read.questions(None if rater is None else rater.id))

    # --- doing ---

    async def act(self, rater: Rater, item: str, sent: Submission) -> Outcome:
        """Do what a page asks; return once it is on disk.

        Raises:
            NotAssigned: the item is not assigned to them.
            Stale: it was changed elsewhere since the page was made.
            Refused: it does not fit how things stand.
            NotSaved: it can't be written.
        """
        return await self.store.write(lambda transaction: self._act(transaction, rater, item, sent))

    async def take_next(self, rater: Rater) -> NextStep:
        """Where a rater goes from here; hands out another document where nothing is assigned to them.

        Raises:
            NotSaved: it can't be written.
        """
        return await self.store.write(lambda transaction: self._take_next(transaction, rater))

    async def take(self, rater: Rater, item: str) -> None:
        """Hand an adjudicator an item that waits, of their own choice.

        Raises:
            Refused: it does not wait: somebody else has it, or raters agree by now.
            NotSaved: it can't be written.
        """

        def work(transaction: Transaction) -> None:
            if transaction.holds(rater.id, self.viewer.item(item).document, item):
                return  # a button pressed twice
            if rater.role != "adjudicator" or item not in transaction.free_disputes(rater.id):
                raise Refused("This item no longer waits: somebody else has it, or the raters agree by now.")
            transaction.assign(rater.id, self.viewer.item(item).document, item)

        await self.store.write(work)

    async def ask(self, rater: Rater, item: str, text: str, token: str) -> None:
        """Put a question to the organiser.

        Raises:
            NotAssigned: the item is not assigned to them.
            RatersError: nothing is asked, or it is too long.
            NotSaved: it can't be written.
        """
        text = _checked(text)

        def work(transaction: Transaction) -> None:
            rated = self.viewer.item_state(transaction, rater, item).value is not None
            if not transaction.known(rater.id, token):
                transaction.add(rater.id, item, NewRow(QUESTION, {"text": text, "afterwards": rated}), token=token)

        await self.store.write(work)

    async def mark_read(self, rater: Rater) -> None:
        """Note that a rater has read the replies that there are."""
        await self.store.write(lambda transaction: transaction.add(rater.id, "", NewRow(READ, {})))

    async def retake(self, rater: Rater) -> None:
        """Begin the practice items anew, where all are rated and too few are right; otherwise nothing happens."""

        def work(transaction: Transaction) -> None:
            practice = self.viewer.practice_result(transaction, rater)
            if practice.passed or not practice.complete or rater.role != "rater":
                return
            row = transaction.add(rater.id, "", NewRow(RETAKE, {}))
            for item in self.viewer.queue.practice:
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
            questions = {each.seq: each for each in questions_of(transaction.questions())}
            if question not in questions:
                raise RatersError(f"There is no question {question}.")
            if not transaction.known(ORGANISER, token):
                transaction.add(
                    ORGANISER, questions[question].item, NewRow(REPLY, {"text": text}, question), token=token
                )

        await self.store.write(work)

    async def release(self, rater: str, document: str, item: str = "") -> None:
        """Take a document back from a rater (an item from an adjudicator), so that another gets it.

        What they have rated of it stays and counts; they can't change it any more, and are not handed it again.

        Raises:
            RatersError: it is not assigned to them, or all of it is rated.
            NotSaved: it can't be written.
        """
        items = [item] if item else [each.id for each in self.viewer.queue.items.get(document, ())]

        def work(transaction: Transaction) -> None:
            if len(transaction.values_of(rater, items)) == len(items):
                raise RatersError("All of that is rated, so that it can't be taken back.")
            if not transaction.release(rater, document, item):
                raise RatersError("That is not assigned to this rater.")

        await self.store.write(work)

    # --- inside a transaction ---

    def _act(self, transaction: Transaction, rater: Rater, item: str, sent: Submission) -> Outcome:
        item_state = self.viewer.item_state(transaction, rater, item)
        if not transaction.known(rater.id, sent.token):
            if item_state.locked is not None:
                raise Refused(item_state.locked)
            if sent.seen != item_state.seen:
                raise Stale(
                    "This was changed in another tab or window since the page was opened, and that stands: "
                    "what you chose here was not saved."
                )
            row = self._row(item_state, sent)
            transaction.add(rater.id, item, row, token=sent.token, seconds=sent.seconds)
            self._settle(transaction, rater, item)
            show_ties(transaction, self.task, self.settings, item)
            before, item_state = item_state, self.viewer.item_state(transaction, rater, item)
            if item_state.tie and before.tie and sent.action != UNDO and item_state.value == before.value:
                transaction.add(rater.id, item, decision(item_state.tie))  # whoever says the same again has decided
                self._settle(transaction, rater, item)
                item_state = self.viewer.item_state(transaction, rater, item)
        if item_state.value is None or sent.action == UNDO or item_state.tie is not None:
            return Outcome(item_state, None)
        going = self._take_next(transaction, rater)  # now, so that no page has to be loaded to be handed the next
        return Outcome(item_state, going)

    def _row(self, item_state: ItemState, sent: Submission) -> NewRow:
        """What a page's action adds."""
        if sent.action == UNDO:
            return self._undo(item_state)
        if sent.action != DECIDE:
            return self.task.take(item_state.work, sent.action, sent.form)
        if item_state.tie is None:
            raise Refused("There is nothing to decide here; load the page again.")
        return decision(item_state.tie)

    def _undo(self, item_state: ItemState) -> NewRow:
        if item_state.decision is not None:
            return NewRow(UNDO, {}, item_state.decision.seq)
        work = item_state.work
        if not work.rows or work.rows[-1].kind == IMPORTED:
            raise Refused("There is nothing to undo here.")
        refused = self.task.may_undo(work, work.rows[-1])
        if refused is not None:
            raise Refused(refused)
        return NewRow(UNDO, {}, work.rows[-1].seq)

    def _settle(self, transaction: Transaction, rater: Rater, item: str) -> None:
        """Keep how the item stands after a row was added, and whether it needs a third person now."""
        state = self.viewer.item_state(transaction, rater, item)
        last = state.decision or next(reversed(state.work.rows), None)
        complete = state.value if state.tie is None else None
        transaction.settle(rater.id, item, complete, 0 if last is None else last.seq)
        if rater.role == "rater" and state.work.item.pool == "live":
            transaction.dispute(item, is_disputed(self.task, self.settings, transaction.values(item)))

    def _take_next(self, transaction: Transaction, rater: Rater) -> NextStep:
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


class Link(NamedTuple):
    """Who gets in where."""

    name: str
    role: str
    address: str


def links_of(store: Store, base: str) -> list[Link]:
    """The links of a project: the organiser's first."""
    base = base.rstrip("/")
    own = Link(ORGANISER, ORGANISER, f"{base}/o/{store.read.meta('organiser')}/")
    return [own, *(Link(each.rater.name, each.rater.role, f"{base}/w/{each.secret}/") for each in store.links())]


def keep_address(path: Path, base: str) -> None:
    """Remember in a project where it is served, for whoever asks for its links."""
    with Store.open(path) as store:
        asyncio.run(store.write(lambda transaction: transaction.keep_address(base)))


def change_links(
    store: Store, *, raters: Sequence[str] = (), adjudicators: Sequence[str] = (), renew: Sequence[str] = ()
) -> None:
    """Add people and renew links; all of it, or nothing. A server that is at work on the project goes by it at once.

    Args:
        store: of the project.
        raters: names to add.
        adjudicators: names to add.
        renew: names, or "organiser", whose links end and are made anew.

    Raises:
        RatersError: a name can't be taken (see `Transaction.add_rater`), or nobody has it.
    """

    def work(transaction: Transaction) -> None:
        for name in raters:
            transaction.add_rater(name, "rater")
        for name in adjudicators:
            transaction.add_rater(name, "adjudicator")
        ids = {rater.name: rater.id for rater in transaction.raters()} | {ORGANISER: ORGANISER}
        for name in renew:
            if name not in ids:
                raise RatersError(f"There is no rater {name!r}; there are {', '.join(sorted(ids))}.")
            transaction.new_secret(ids[name])

    if raters or adjudicators or renew:
        asyncio.run(store.write(work))
