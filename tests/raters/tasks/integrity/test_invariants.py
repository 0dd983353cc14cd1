"""Whatever a rater does, in whatever order, these hold."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.raters.tasks.integrity.support import Bench
from voirdire.integrity import score
from voirdire.raters.records import Refused
from voirdire.raters.tasks.integrity.deduction import facts_of
from voirdire.raters.tasks.integrity.rating import score_again
from voirdire.raters.tasks.integrity.task import TASK

SPANS = ["", "", "", "a", "s", "It holds back", "nowhere in it"]
TYPES = ["vagueness", "imprecision", "reframing", "fact_denial", "fact_invention", "editorializing", "omission"]
FACTS = ["", "F1", "F1", "F2", "F4", "F9"]
PICK = st.integers(0, 4)

FORMS = {
    "holistic": st.fixed_dictionaries({"score": st.integers(-1, 101)}),
    "violation": st.fixed_dictionaries(
        {
            "type": st.sampled_from(TYPES),
            "span": st.sampled_from(SPANS),
            "fact": st.sampled_from(FACTS),
            "sentence": st.sampled_from([0, 1, 2, 2, 3]),
        },
        optional={"violation": PICK},
    ),
    "remove": st.fixed_dictionaries({"violation": PICK}),
    "sentence": st.one_of(st.just({}), st.fixed_dictionaries({"done": PICK}), st.fixed_dictionaries({"to": PICK})),
    "omissions": st.fixed_dictionaries(
        {"omitted": st.lists(st.sampled_from(["F1", "F2", "F3"]), max_size=3, unique=True)}
    ),
    "ambiguous": st.fixed_dictionaries(
        {"ambiguous": st.sampled_from(["", "yes"]), "note": st.sampled_from(["", "why"])}, optional={"violation": PICK}
    ),
    "finish": st.just({}),
    "second_look": st.just({"missed": "no", "twice": "yes", "values": "no"}),
    "undo": st.just({}),
}
OFTEN = [*FORMS, *["violation"] * 6, *["finish", "second_look"] * 2]
ACTIONS = st.sampled_from(OFTEN).flatmap(lambda action: st.tuples(st.just(action), FORMS[action]))
BEGIN = [("holistic", {"score": 70}), *[("sentence", {"done": place}) for place in range(3)], ("omissions", {})]


def _fitted(bench: Bench, action: str, form: dict[str, object]) -> dict[str, object]:
    """A number stands for one of the violations that stand; a sentence that is not named is the next."""
    marks = bench.state.marks
    if "violation" in form and action != "remove" and not marks:
        return {name: value for name, value in form.items() if name != "violation"}
    if "violation" in form and marks:
        return {**form, "violation": marks[int(str(form["violation"])) % len(marks)].id}
    return form or ({"done": bench.state.reached} if action == "sentence" else {})


@given(
    st.lists(ACTIONS, min_size=8, max_size=20),
    st.sampled_from([0, 1, 4, 5, 5]),
    st.sampled_from(["live", "live", "calibration"]),
)
def test_any_sequence_of_actions_keeps_the_invariants(actions, begun, phase):
    bench = Bench(phase=phase)
    first = None
    for action, form in [*BEGIN[:begun], *actions]:
        before = bench.state
        try:
            bench.undo() if action == "undo" else bench.act(action, **_fitted(bench, action, form))
        except Refused:
            assert bench.state == before
            continue
        state = bench.state
        first = state.holistic if first is None else first
        assert state.holistic == first, "the holistic score is locked"
        _check_marks(bench)
        _check_value(bench)
        json.dumps([TASK.view(bench.work), [row.body for row in bench.rows]])


def _check_marks(bench: Bench) -> None:
    state = bench.state
    last = {row.body.get("id", row.seq): row.kind for row in bench.rows if row.kind in ("violation", "remove")}
    assert {mark.id for mark in state.marks} == {number for number, kind in last.items() if kind == "violation"}
    assert all(mark.span in state.sentences[mark.sentence] for mark in state.marks)
    plain = [{"type": m.type, "sentence": m.sentence, "span": m.span, "fact": m.fact} for m in state.marks]
    plain += [{"type": "omission", "fact": fact} for fact in state.omitted or ()]
    again = score(plain, facts_of(bench.work))
    assert (again.score, again.band) == (state.score.score, state.score.band)


def _check_value(bench: Bench) -> None:
    state, value = bench.state, TASK.value(bench.work)
    assert (value is None) == (state.stage != "complete")
    if value is None:
        return
    assert value["score"] == state.score.score == max(0, 100 - sum(each["penalty"] for each in value["violations"]))
    assert score_again(value["violations"], [value]).score == value["score"]
    assert abs(value["score"] - value["holistic"]) <= 10 or value["second_look"] is not None
    assert not TASK.differ(value, value)
    assert TASK.settle([value, value, value])["score"] == value["score"]
