"""What each task makes of people's own answers is taken back by an import as it is."""

import pytest

from tests.raters.exchange import examples
from voirdire.raters.exchange.field_checks import check_value
from voirdire.raters.records import Row
from voirdire.raters.tasks import open_task
from voirdire.raters.tasks.base import Work


def answered(project, item, *actions):
    """The value after these (action, fields)."""
    task, item = open_task(project.settings.task), project.items[item]
    rows = ()
    for seq, (action, form) in enumerate(actions, start=1):
        work = Work(settings=project.settings, document=project.documents[item.document], item=item, rows=rows)
        kind, body, replaces = task.take(work, action, form)
        row = Row(seq=seq, token=str(seq), at="", rater="r1", item=item.id, kind=kind, body=body, replaces=replaces)
        rows = (*rows, row)
    return task.value(Work(settings=project.settings, document=project.documents[item.document], item=item, rows=rows))


def step(question, answer):
    return ("answer", {"question": question, "answer": answer, "reason": " <b>so</b> "})


ENTERED = {
    "ladder": (
        examples.statements(),
        "a_1#0",
        [step("irrelevant", "no"), step("type", "factual"), step("faithful", "no")],
    ),
    "class": (examples.statements(mode="independent"), "a_1#0", [step("label", "reliable")]),
    "turn": (
        examples.turns("Dr. X"),
        "k",
        [("rate", {"far": "none", "sas": "0.3", "stance": "rejected", "comment": "=1"})],
    ),
    "response": (
        examples.responses(),
        "r0",
        [
            ("holistic", {"score": "95"}),
            ("violation", {"type": "fact_denial", "span": "opened  around", "fact": "F1", "reason": "Not so."}),
            ("violation", {"type": "vagueness", "span": ""}),
            ("ambiguous", {"violation": "3", "ambiguous": "yes", "note": "Or is it?"}),
            ("sentence", {"done": "0"}),
            ("sentence", {"done": "1"}),
            ("omissions", {"omitted:F 2": "on", "reason": "No lanes."}),
            ("ambiguous", {"ambiguous": "yes", "note": "Hard."}),
            ("finish", {}),
            ("second_look", {"missed": "no", "twice": "yes", "values": "no", "note": "Hm."}),
            ("finish", {}),
        ],
    ),
}


@pytest.mark.parametrize("task", ENTERED)
def test_a_value_that_was_entered_here_is_taken_back_as_it_is(task):
    project, item, actions = ENTERED[task]
    value = answered(project, item, *actions)
    assert value is not None
    assert check_value(value, project, project.items[item]) == value
