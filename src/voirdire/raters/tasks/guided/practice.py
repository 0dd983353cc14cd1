"""Practice items that a guide brings: what is rated, what is right, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from voirdire.errors import shown
from voirdire.raters.records import Document, Item, Pool, RatersError
from voirdire.raters.tasks.base import Materials

if TYPE_CHECKING:
    from voirdire.raters.tasks.guided.task import GuidedTask

_PRACTICE: Pool = "practice"
_FIELDS = ("context", "history", "prompt", "choices", "reference", "answer", "answers", "right", "why")
_MAX_ITEMS = 100
_PAIR = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeItem:
    """An answer, or two of them, as a guide has it."""

    right: Any
    """As the kind of task has it: a label, a score, which of the two, the words to be marked."""
    why: str
    context: tuple[str, ...] = ()
    """Passages."""
    history: tuple[tuple[str, str], ...] = ()
    """What was asked and answered before."""
    prompt: str = ""
    choices: tuple[str, ...] = ()
    reference: str = ""
    answer: str = ""
    answers: tuple[str, ...] = ()
    """Of a pair."""


def read_items(given: Any) -> tuple[PracticeItem, ...]:
    """The practice items of a guide's file; whether what is right can be right is for the task to say.

    Raises:
        RatersError: a field is unknown, missing, or can't be used.
    """
    if not _is_list(given) or len(given) > _MAX_ITEMS:
        raise RatersError(f"practice must be a list of at most {_MAX_ITEMS} items.")
    return tuple(_read(each, f"practice item {number}") for number, each in enumerate(given, start=1))


def _read(fields: Any, where: str) -> PracticeItem:
    if not isinstance(fields, Mapping):
        raise RatersError(f"{where} must have fields: answer, right, why …")
    if lacking := [name for name in ("right", "why") if name not in fields]:
        raise RatersError(
            f"{where} has no {' and no '.join(lacking)}: right is what is to be answered, why is told to those who "
            "answered otherwise."
        )
    for name in fields:
        if name not in _FIELDS:
            raise RatersError(f"{where} has no field {shown(str(name))}; it has {', '.join(_FIELDS)}.")
    history = fields.get("history") or ()
    if not _is_list(history) or not all(_is_list(each) and len(each) == _PAIR for each in history):
        raise RatersError(f"history of {where} must be a list of pairs: what was asked, and what was answered.")
    item = PracticeItem(
        right=_plain(fields["right"]),
        why=_text(fields, "why", where),
        context=_texts(fields.get("context"), "context", where),
        history=tuple((str(asked), str(answer)) for asked, answer in history),
        prompt=_text(fields, "prompt", where),
        choices=_texts(fields.get("choices"), "choices", where),
        reference=_text(fields, "reference", where),
        answer=_text(fields, "answer", where),
        answers=_texts(fields.get("answers"), "answers", where),
    )
    if not item.why:
        raise RatersError(f"{where} must say why that is right.")
    return item


def _text(fields: Mapping[str, Any], name: str, where: str) -> str:
    value = fields.get(name)
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        return "" if value is None else str(value).strip()
    raise RatersError(f"{name} of {where} must be a text; put it into quotes.")


def _texts(value: Any, name: str, where: str) -> tuple[str, ...]:
    """One text, or a list of them."""
    several = value if _is_list(value) else [value]
    return tuple(text for each in several if (text := _text({name: each}, name, where)))


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _plain(value: Any) -> Any:
    """As JSON can hold it: YAML also has dates."""
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if _is_list(value):
        return [_plain(each) for each in value]
    return value if value is None or isinstance(value, str | int | float) else str(value)


def practice(task: GuidedTask) -> Materials:
    """The items of a task's guide, each with its key: the right rating, and why.

    Raises:
        RatersError: an item lacks what is rated, or what is right is no answer that can be given.
    """
    made = list(_made(task))
    return Materials(tuple(document for document, _ in made), tuple(item for _, item in made))


def _made(task: GuidedTask) -> Iterator[tuple[Document, Item]]:
    for number, each in enumerate(task.guide.practice, start=1):
        name = f"{_PRACTICE}-{number}"
        pair = task.kind == "preference"
        if pair and len(each.answers) != _PAIR:
            raise RatersError(f"practice item {number} must have two answers.")
        if not pair and not each.answer:
            raise RatersError(f"practice item {number} must have an answer.")
        body = {
            "passages": list(each.context),
            "history": [list(exchange) for exchange in each.history],
            "prompt": each.prompt,
            "reference": each.reference,
            "choices": list(each.choices),
            "output": "" if pair else each.answer,
            "outputs": list(each.answers) if pair else [],
            "flags": [],
        }
        document = Document(id=name, body=body, group=name, source={"item": name}, stratum=_PRACTICE)
        try:
            right = task.right_answer(each.right, document)
        except RatersError as error:
            raise RatersError(f"practice item {number}: {error}") from None
        key = {**task.settled({"status": "answered", **right}), "why": each.why}
        yield document, Item(id=name, document=name, pool=_PRACTICE, key=key)
