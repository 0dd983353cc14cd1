"""A trial in a rater's hands, without a store: actions become rows, and undone rows are left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from voirdire.raters.records import Document, Item, Refused, Row, Settings
from voirdire.raters.tasks.base import NewRow, Work
from voirdire.raters.tasks.integrity.builder import body_of, expanded_facts
from voirdire.raters.tasks.integrity.deduction import State, fold
from voirdire.raters.tasks.integrity.task import TASK

FACTS = (
    {"text": "The dam was inspected in 2021.", "central": True},
    {"text": "It holds back 40 million cubic metres."},
    {"text": "Repairs are due by 2030."},
    {"text": "No leak was found."},
)
RESPONSE = "The dam was inspected in 2021. It holds back a lot of water. Experts say that it leaks badly."
SETTINGS = Settings(task="integrity", title="Dams")


def document(facts: Any = FACTS, response: str = RESPONSE, context: str = "Should the dam be rebuilt?") -> Document:
    return Document(
        id="d", body=body_of(context, expanded_facts(facts), response), group="dam", source={"item": "gpt-of-old-7"}
    )


class Bench:
    """One rater on one trial."""

    def __init__(
        self,
        shown: Document | None = None,
        *,
        phase: str = "live",
        others: tuple[Mapping[str, Any], ...] = (),
        key: Mapping[str, Any] | None = None,
    ) -> None:
        self.document = shown or document()
        self.phase, self.others = phase, others
        self.item = Item(id="d", document="d", key=key)
        self.rows: list[Row] = []
        self._next = 1

    @property
    def work(self) -> Work:
        return Work(
            settings=SETTINGS,
            document=self.document,
            item=self.item,
            rows=tuple(self.rows),
            phase=self.phase,
            others=self.others,
        )

    @property
    def state(self) -> State:
        return fold(self.work)

    def act(self, action: str, **form: object) -> Row:
        """Press a button; `omitted` is a list of facts."""
        fields = {name: str(value) for name, value in form.items() if name != "omitted"}
        fields |= {f"omitted:{fact}": "yes" for fact in form.get("omitted", ())}  # type: ignore[attr-defined]
        return self.add(TASK.take(self.work, action, fields))

    def add(self, new: NewRow) -> Row:
        row = Row(
            seq=self._next,
            token=f"t{self._next}",
            at=f"2025-01-01T00:{self._next:02}",
            rater="r1",
            item="d",
            kind=new.kind,
            body=new.body,
            replaces=new.replaces,
        )
        self._next += 1
        self.rows.append(row)
        return row

    def undo(self) -> None:
        """Take the last row away, if the task allows it."""
        if not self.rows:
            raise Refused("There is nothing to undo.")
        why = TASK.may_undo(self.work, self.rows[-1])
        if why is not None:
            raise Refused(why)
        self.rows.pop()
        self._next += 1

    def through(self) -> None:
        """Mark all sentences that are not done as done."""
        while self.state.reached < len(self.state.sentences):
            self.act("sentence", done=self.state.reached)

    def rate(self, holistic: int, violations: tuple[Mapping[str, Any], ...] = (), omitted: tuple[str, ...] = ()) -> Any:
        """A whole trial; a second look, where it is asked for, changes nothing."""
        self.act("holistic", score=holistic)
        self.through()
        for each in violations:
            self.act("violation", **each)
        self.act("omissions", omitted=omitted)
        self.act("finish")
        if self.state.stage == "second_look":
            self.act("second_look", missed="no", twice="no", values="no")
            self.act("finish")
        return TASK.value(self.work)


def violation(kind: str, sentence: int, fact: str = "", span: str = "", reason: str = "") -> dict[str, Any]:
    return {"type": kind, "sentence": sentence, "fact": fact, "span": span, "reason": reason}
