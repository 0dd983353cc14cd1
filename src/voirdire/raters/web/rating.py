"""A rater's pages, their addresses, and what they are told of their own work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from voirdire.raters.flow import Queue
from voirdire.raters.records import Item, Rater, Refused, Row
from voirdire.raters.rows import TEXT_FIELDS
from voirdire.raters.service import ItemState, NextStep, NotAssigned, RatingService
from voirdire.raters.timing import duration
from voirdire.raters.web.pages import pages_of, rater_of, read_form, sent_of, service_of, token_of

_MAX_DIGITS = 9


class Addresses:
    """The addresses of one rater's pages."""

    def __init__(self, base: str, queue: Queue) -> None:
        """Addresses under `base`, "/w/SECRET", for the items of `queue`."""
        self.base = base
        self._queue = queue

    def number(self, item: str) -> int:
        """The number of an item, from 1."""
        return self._queue.numbers[item]

    def item(self, item: str, after: str | None = None) -> str:
        """The page of an item.

        Args:
            item: its id.
            after: the item that was left for it.
        """
        query = "" if after is None else f"?after={self.number(after)}"
        return f"{self.base}/item/{self.number(item)}{query}"

    def next(self, after: str) -> str:
        """The page that leads on, from the item `after`."""
        return f"{self.base}/next?after={self.number(after)}"

    def item_named(self, number: str) -> str | None:
        """The id of the item of this number; `None` where there is none."""
        if not (number.isascii() and number.isdecimal() and len(number) <= _MAX_DIGITS):
            return None
        place = int(number) - 1
        return self._queue.order[place] if 0 <= place < len(self._queue.order) else None

    def item_at(self, number: str) -> str:
        """The id of the item of this number.

        Raises:
            NotAssigned: there is none.
        """
        name = self.item_named(number)
        if name is None:
            raise NotAssigned("No such item is assigned to you.")
        return name


class Overview(NamedTuple):
    """Where a rater stands with live items."""

    rated: int
    items: int
    """Live items of the project, whoever rates them."""
    may_come: int | None
    """At most so many more; `None` for adjudicators: nobody knows on how many items raters will differ."""
    waiting: int | None
    """Items on which raters differ and that nobody decides yet; `None` for raters."""
    in_hand: int
    """Handed out to them and not rated yet; more may follow."""
    time: str
    """So far, idle time left out; practice included."""
    pace: tuple[str, str]
    """What the guide reckons with for one item: from, to."""
    certain: bool = False
    """Whether all live items come to them."""


class FinishedItem(NamedTuple):
    """A finished item in a list."""

    path: str
    what: str
    how: str
    practice: bool
    closed: bool
    """Whether it can't be changed any more."""


def overview(service: RatingService, rater: Rater) -> Overview:
    """Where a rater stands."""
    reader, queue = service.store.read, service.viewer.queue
    paces = [phase.seconds for phase in service.task.effort(service.settings.mode).phases]
    return Overview(
        rated=reader.rated(rater.id),
        items=sum(len(queue.items[document]) for document in queue.live),
        may_come=_may_come(service, rater) if rater.role == "rater" else None,
        waiting=len(reader.free_disputes(rater.id)) if rater.role == "adjudicator" else None,
        in_hand=reader.in_hand(rater.id),
        time=duration(sum(row.seconds for row in reader.rows(rater=rater.id))),
        pace=(duration(min(each.low for each in paces)), duration(max(each.high for each in paces))),
        certain=_rates_all(service),
    )


class Place(NamedTuple):
    """Where an item stands among all that a rater gets."""

    number: int
    """From 1, in the order in which they were handed out."""
    of: int | None
    """`None` for adjudicators: nobody knows on how many items raters will differ yet."""
    most: bool
    """Whether `of` is only the most that there can be: others may be faster."""
    waiting: int = 0
    """For adjudicators: how many others wait by now, begun or not."""


def place_of(service: RatingService, rater: Rater, item: Item) -> Place:
    """The number of an item among all that a rater gets: of practice items, or of live ones."""
    reader, practice = service.store.read, service.viewer.queue.practice
    if item.pool == "practice":
        return Place(practice.index(item) + 1, len(practice), False)
    number, handed = reader.handed_until(rater.id, item.id), reader.handed(rater.id)
    if rater.role == "adjudicator":
        begun = [each for each in reader.open_items(rater.id) if each != item.id]
        return Place(number, None, False, len(begun) + len(reader.free_disputes(rater.id)))
    of = handed + _may_come(service, rater)
    return Place(number, of, of > handed and not _rates_all(service))


def _rates_all(service: RatingService) -> bool:
    """Whether each rater gets each item: there are no more raters than ratings of an item."""
    raters = sum(each.role == "rater" for each in service.store.read.raters())
    return service.settings.raters_per_item >= raters


def all_rated(service: RatingService) -> bool:
    """Whether nothing is left for any of the raters."""
    raters = [each for each in service.store.read.raters() if each.role == "rater"]
    return not any(service.store.read.in_hand(each.id) or _may_come(service, each) for each in raters)


def _may_come(service: RatingService, rater: Rater) -> int:
    settings = service.settings
    return service.store.read.may_come(rater.id, settings.raters_per_item, settings.calibration)


def finished_items(service: RatingService, rater: Rater, addresses: Addresses) -> list[FinishedItem]:
    """What a rater has rated, the last first: where it is, what it was, and how it was rated."""
    reader, task = service.store.read, service.task
    names = reader.complete(rater.id)
    values = reader.values_of(rater.id, names)
    items = [service.viewer.item(name) for name in names]
    documents = [reader.document(item.document) for item in items]
    return [
        FinishedItem(
            addresses.item(item.id),
            task.item_in_line(document, item),
            task.quoted_in_words(document, values[item.id]),
            item.pool == "practice",
            service.viewer.is_closed(reader, rater, item),
        )
        for item, document in zip(items, documents, strict=True)
    ]


def in_words(service: RatingService, item_id: str) -> str:
    """An item in a line."""
    item = service.viewer.item(item_id)
    return service.task.item_in_line(service.store.read.document(item.document), item)


class WaitingItem(NamedTuple):
    """An item on which raters differ, in an adjudicator's list."""

    number: int
    path: str
    what: str


_LISTED = 200
"""Waiting items that are listed; the count is of all."""
_SHOWN = 90
"""Characters of an item's text where its rating is said to be saved."""


class PreviousItem(NamedTuple):
    """The item that a rater has just left."""

    path: str
    name: str
    """Its number in the rater's own order: "answer 7"."""
    what: str
    """Its text, shortened."""
    says: str
    """Its rating in words; "" while it is incomplete."""
    seen: int
    """The last row that changed it."""
    undo: bool
    """Whether what was done can be undone."""
    why: str | None
    """Of a practice item that was right: why it is."""
    feedback: Mapping[str, Any] | None
    """Of one that was wrong, and in calibration: what is to be told."""


async def home(request: Request) -> Response:
    """Where a rater stands, and the way on."""
    return _with_overview(request, "home.html")


async def go_on(request: Request) -> Response:
    """Lead to the item that a rater is to rate, or say how things stand; POST first assigns the next document."""
    service, rater = service_of(request), rater_of(request)
    going = await service.take_next(rater) if request.method == "POST" else service.next(rater)
    if going.state == "item":
        return RedirectResponse(_addresses(request).item(going.item), 303)
    template = "begin.html" if going.state == "ready" else "pause.html"
    after = _addresses(request).item_named(request.query_params.get("after", ""))
    previous = _previous_item(request, rater, after)
    wrong = _wrong_items(request, rater) if going.state == "not passed" else []
    return pages_of(request).show(
        template,
        state=going.state,
        left=previous,
        wrong=wrong,
        all_rated=all_rated(service),
        **_frame(request, rater),
        **_progress(service, rater),
    )


async def item(request: Request) -> Response:
    """The page of an item; `after` names the item that was left, `asked` says that a question was sent."""
    rater, addresses, query = rater_of(request), _addresses(request), request.query_params
    item_state = service_of(request).item_state(rater, addresses.item_at(request.path_params["number"]))
    message = "Your question is with the organiser." if "asked" in query else ""
    return _work_page(request, rater, item_state, message=message, after=addresses.item_named(query.get("after", "")))


async def act(request: Request) -> Response:
    """Take an answer, and show what comes of it: the item as it stands now, or the next one."""
    service, rater, item_id = service_of(request), rater_of(request), _item_of(request)
    form = await read_form(request)
    sent = sent_of(form)
    try:
        outcome = await service.act(rater, item_id, sent)
    except Refused as refused:
        unsaved = {**sent.form, "action": sent.action}
        return _work_page(
            request, rater, service.item_state(rater, item_id), message=str(refused), unsaved=unsaved, status=409
        )
    if outcome.going is None:
        return _back_to(request, rater, outcome.item_state)
    return _leave(request, rater, item_id, outcome.going)


async def ask(request: Request) -> Response:
    """Put a question to the organiser."""
    service, rater, item_id = service_of(request), rater_of(request), _item_of(request)
    form = await read_form(request)
    await service.ask(rater, item_id, form.get("text", ""), token_of(form))
    if _is_htmx(request):
        return _work_page(
            request, rater, service.item_state(rater, item_id), message="Your question is with the organiser."
        )
    return RedirectResponse(f"{_addresses(request).item(item_id)}?asked=1", 303)


async def inbox(request: Request) -> Response:
    """Questions and replies; POST notes that they were read."""
    service, rater, addresses = service_of(request), rater_of(request), _addresses(request)
    if request.method == "POST":
        await service.mark_read(rater)
        return RedirectResponse(f"{_addresses(request).base}/inbox", 303)
    questions = [
        {"question": each, "what": in_words(service, each.item), "path": addresses.item(each.item)}
        for each in reversed(service.questions(rater))
    ]
    return pages_of(request).show("inbox.html", questions=questions, **_frame(request, rater))


async def finished(request: Request) -> Response:
    """What a rater has rated, to look at again, to change or to ask about."""
    rater = rater_of(request)
    items = finished_items(service_of(request), rater, _addresses(request))
    return pages_of(request).show("finished.html", items=items, **_frame(request, rater))


async def waiting(request: Request) -> Response:
    """What waits for an adjudicator: what they have begun, and what they may take."""
    service, rater, addresses = service_of(request), rater_of(request), _addresses(request)
    reader = service.store.read

    def listed(items: Sequence[str]) -> list[WaitingItem]:
        return [WaitingItem(addresses.number(item), addresses.item(item), in_words(service, item)) for item in items]

    free = service.viewer.free_disputes(reader, rater)
    return pages_of(request).show(
        "waiting.html",
        begun=listed(reader.open_items(rater.id)),
        free=listed(free[:_LISTED]),
        count=len(free),
        all_rated=all_rated(service),
        **_frame(request, rater),
    )


async def take(request: Request) -> Response:
    """Hand an adjudicator the item that they chose."""
    form = await read_form(request)
    item = _addresses(request).item_at(form.get("item", ""))
    await service_of(request).take(rater_of(request), item)
    return RedirectResponse(_addresses(request).item(item), 303)


async def guide(request: Request) -> Response:
    """The guideline on a page of its own, and the way on."""
    return _with_overview(request, "guide.html")


async def retake(request: Request) -> Response:
    """Begin the practice items anew."""
    await service_of(request).retake(rater_of(request))
    return RedirectResponse(f"{_addresses(request).base}/next", 303)


ROUTES = [
    Route("/", home),
    Route("/next", go_on, methods=["GET", "POST"]),
    Route("/item/{number}", item),
    Route("/item/{number}/act", act, methods=["POST"]),
    Route("/item/{number}/ask", ask, methods=["POST"]),
    Route("/inbox", inbox, methods=["GET", "POST"]),
    Route("/finished", finished),
    Route("/waiting", waiting),
    Route("/take", take, methods=["POST"]),
    Route("/guide", guide),
    Route("/retake", retake, methods=["POST"]),
]


def _addresses(request: Request) -> Addresses:
    return Addresses(f"/w/{request.path_params['secret']}", service_of(request).viewer.queue)


def _item_of(request: Request) -> str:
    return _addresses(request).item_at(request.path_params["number"])


def _is_htmx(request: Request) -> bool:
    return "hx-request" in request.headers


def _with_overview(request: Request, template: str) -> Response:
    """A page that leads on to rating, by what a rater has done and has before them."""
    service, rater = service_of(request), rater_of(request)
    return pages_of(request).show(
        template, overview=overview(service, rater), **_frame(request, rater), **_progress(service, rater)
    )


def _frame(request: Request, rater: Rater) -> dict[str, Any]:
    """What every page of a rater shows."""
    addresses, replies = _addresses(request), service_of(request).store.read.new_replies(rater.id)
    return {"base": addresses.base, "rater": rater, "replies": replies, "item_path": addresses.item}


def _progress(service: RatingService, rater: Rater) -> dict[str, Any]:
    practises = bool(service.viewer.queue.practice) and rater.role == "rater"
    return {
        "rated": service.store.read.rated(rater.id),
        "qualified": service.practice_result(rater) if practises else None,
    }


def _work_page(
    request: Request,
    rater: Rater,
    item_state: ItemState,
    message: str = "",
    unsaved: Mapping[str, str] | None = None,
    after: str | None = None,
    status: int = 200,
) -> Response:
    """The page of an item; for htmx only the part that changes."""
    service, addresses, work = service_of(request), _addresses(request), item_state.work
    return pages_of(request).show(
        "_item_update.html" if _is_htmx(request) else "rating_frame.html",
        status,
        work=work,
        view=service.task.view(work),
        value=item_state.value,
        feedback=service.task.feedback(work),
        locked=item_state.locked,
        tie=item_state.tie,
        answered_by_others=not all(map(service.task.no_answer, work.others)),
        seen=item_state.seen,
        message=message,
        refused=unsaved is not None,
        undone=item_state.undone if item_state.undone_last_of_all else None,
        unsaved=_typed(item_state.unsent_text) if unsaved is None else unsaved,
        left=_previous_item(request, rater, after),
        number=addresses.number(work.item.id),
        place=(place := place_of(service, rater, work.item)),
        begins=work.phase != "practice" and place.number == 1 and not work.rows and rater.role == "rater",
        path=addresses.item(work.item.id),
        questions=[each for each in service.questions(rater) if each.item == work.item.id],
        **_frame(request, rater),
        **_progress(service, rater),
    )


def _typed(undone: Row | None) -> dict[str, str]:
    """What was written with an answer that is undone: it is shown again, as what a refused form held."""
    written = {} if undone is None else {name: undone.body.get(name) for name in TEXT_FIELDS}
    texts = {name: text for name, text in written.items() if text}
    return {"action": undone.kind, **texts} if undone is not None and texts else {}


def _previous_item(request: Request, rater: Rater, after: str | None) -> PreviousItem | None:
    """What was done last, by its item; `None` where nothing was, or where that item is no longer theirs."""
    if after is None:
        return None
    service = service_of(request)
    try:
        state = service.item_state(rater, after)
    except NotAssigned:
        return None
    if not state.work.rows:
        return None
    work, key = state.work, state.work.item.key
    right = key is not None and state.value is not None and not service.task.differ(state.value, key)
    return PreviousItem(
        path=_addresses(request).item(after),
        name=_name_of(service, rater, work.item),
        what=service.task.item_in_line(work.document, work.item, _SHOWN),
        says="" if state.value is None else service.task.quoted_in_words(work.document, state.value),
        seen=state.seen,
        undo=state.locked is None,
        why=str(key.get("why", "")) if right and key is not None else None,
        feedback=None if right else service.task.feedback(work),
    )


def _name_of(service: RatingService, rater: Rater, item: Item) -> str:
    """An item as the heading of its page names it."""
    practice = "practice " if item.pool == "practice" else ""
    return f"{practice}{service.task.nouns.item} {place_of(service, rater, item).number}"


def _wrong_items(request: Request, rater: Rater) -> list[PreviousItem]:
    """The practice items that a rater had wrong."""
    items = (_previous_item(request, rater, item.id) for item in service_of(request).viewer.queue.practice)
    return [each for each in items if each is not None and each.feedback is not None]


def _back_to(request: Request, rater: Rater, item_state: ItemState) -> Response:
    """The item again, as it stands now."""
    path = _addresses(request).item(item_state.work.item.id)
    if not _is_htmx(request):
        return RedirectResponse(path, 303)
    response = _work_page(request, rater, item_state)
    response.headers["HX-Push-Url"] = path
    return response


def _leave(request: Request, rater: Rater, previous: str, going: NextStep) -> Response:
    """On to where the rater goes from here; htmx is shown the item at once, without asking again."""
    addresses = _addresses(request)
    path = addresses.item(going.item, after=previous) if going.state == "item" else addresses.next(after=previous)
    if not _is_htmx(request):
        return RedirectResponse(path, 303)
    if going.state != "item":
        return Response(headers={"HX-Redirect": path})
    response = _work_page(request, rater, service_of(request).item_state(rater, going.item), after=previous)
    response.headers["HX-Push-Url"] = path
    return response
