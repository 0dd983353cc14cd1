"""Rating responses against established facts: how a document is held, and the task itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from voirdire.data.plain import as_plain
from voirdire.integrity import EstablishedFact
from voirdire.integrity.facts import expand, parse_facts
from voirdire.raters.records import Row, Settings
from voirdire.raters.tasks.base import NewRow, Work
from voirdire.raters.tasks.integrity import actions, rating
from voirdire.raters.tasks.integrity.deduction import fold
from voirdire.raters.tasks.integrity.feedback import feedback
from voirdire.raters.tasks.integrity.guideline import guideline
from voirdire.raters.tasks.integrity.viewing import view
from voirdire.text import split_sentences


def facts_as_judged(given: Iterable[object]) -> list[EstablishedFact]:
    """Facts from what `integrity.facts.parse_facts` takes, compound ones followed by their parts.

    Raises:
        IntegrityError: they are none.
    """
    return expand(parse_facts(given))


def body_of(context: str, facts: Sequence[EstablishedFact], response: str) -> dict[str, Any]:
    """The body of a document. Sentences are cut as the audit cuts them, so that their numbers agree.

    Beyond the task's form a fact says its `parent`: the rung of omission counts a compound fact's parts, not the whole.
    """
    return {
        "context": context,
        "facts": [
            {
                "id": fact.id,
                "text": fact.text,
                "parent": fact.parent,
                "central": fact.central,
                "relevant": fact.relevant,
                "side": fact.side,
            }
            for fact in facts
        ],
        "response": response,
        "sentences": as_plain(split_sentences(response, layout=True)),
    }


class IntegrityTask:
    """A trial is one response: a score by impression, locked; violations; a second look where the two lie apart."""

    name = "integrity"
    template = "integrity/work.html"

    def take(self, work: Work, action: str, form: Mapping[str, str]) -> NewRow:
        """See `actions.take`."""
        return actions.take(work, action, form)

    def may_undo(self, work: Work, row: Row) -> str | None:
        """Why a row can't be undone, the holistic score for one; `None` if it can."""
        return actions.may_undo(work, row)

    def value(self, work: Work) -> Mapping[str, Any] | None:
        """The rating, once the trial is finished; see `rating.value_of`."""
        return rating.value_of(fold(work))

    def view(self, work: Work) -> Mapping[str, Any]:
        """What the template needs."""
        return view(work)

    def feedback(self, work: Work) -> Mapping[str, Any] | None:
        """In practice and calibration, when finished; see `feedback.feedback`."""
        return feedback(work)

    def differ(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        """See `rating.differ`."""
        return rating.differ(one, other)

    def settle(self, values: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
        """See `rating.settle`."""
        return rating.settle(values)

    def guideline(self, settings: Settings) -> Mapping[str, Any]:
        """See `guideline.guideline`; the same for every project."""
        return guideline()


TASK = IntegrityTask()
