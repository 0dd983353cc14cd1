"""Strategies: how sequences are drawn, and shrink."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.faults.stateful.sequence import (
    CALL_EVENTS,
    CALL_FAULTS,
    DAMAGE,
    JUDGE_HALF,
    JUDGE_KEEPS,
    SUBJECT_KEEPS,
    WRITE_FAULTS,
    Damage,
    Kept,
    Look,
    Remove,
    Sequence,
    Session,
    Step,
    World,
)
from tests.faults.stateful.study import OTHER_JURIES, REPAIRS, TURNS

_MOST_STEPS = 5
_CALLS = 30
"""So many are asked at one level when nothing goes wrong."""
_WRITES = 90
"""Statements and writes of a session that asks about half of that."""

_FILES = ("journal.sqlite", "journal.sqlite", "run.json", "concepts/*.yaml", "*.parquet")
_MADE = ("turns.parquet", "verdicts.parquet", "scores.parquet", ".tables", ".lock")

_numbers = st.sampled_from(range(1, _CALLS + 1)) | st.sampled_from(range(1, 9))
"""Sessions are short where one before them came far."""
_shares = st.sampled_from((0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0))
_calls = st.tuples(_numbers, st.sampled_from((*CALL_FAULTS, *CALL_EVENTS)))
_writes = st.tuples(st.sampled_from(range(1, _WRITES + 1)), st.sampled_from(WRITE_FAULTS), _shares)

_one, _other = (
    st.lists(_calls, min_size=least, max_size=5).map(lambda drawn: tuple(sorted(drawn))) for least in (0, 2)
)


def _sessions(juries: st.SearchStrategy[int | None]) -> st.SearchStrategy[Session]:
    return st.builds(
        Session,
        jury=juries,
        connections=st.sampled_from((3, 1, 8)),
        eager=st.booleans(),
        max_calls=st.sampled_from((None, None, None, None, 2, 7, 12, 20)),
        max_cost=st.sampled_from((None, None, None, None, None, 0.0, 0.1, 0.4)),
        at_calls=_one | _other,
        at_write=st.one_of(_writes, _writes, st.none()),
        tables=st.sampled_from((False, False, False, True)),
    )


_holds = _sessions(st.none())
_scores = _sessions(st.integers(0, len(OTHER_JURIES) - 1))
_looks = st.builds(Look, whole=st.sampled_from((False,) * 7 + (True,)))
_removals = st.builds(Remove, st.lists(st.sampled_from(_MADE), min_size=1, max_size=3, unique=True).map(tuple))
_damage = st.builds(
    Damage,
    file=st.sampled_from(_FILES),
    kind=st.sampled_from(DAMAGE),
    where=st.floats(0, 1),
    then=st.sampled_from(("look", "hold")),
)
_steps: st.SearchStrategy[Step] = st.sampled_from(
    [*[_holds] * 10, *[_scores] * 3, *[_looks] * 1, *[_removals] * 1, *[_damage] * 3]
).flatmap(lambda drawn: drawn)

_dialogues = st.integers(0, 3)
_turns = st.integers(1, TURNS)
_kept_by_judge = st.builds(
    Kept,
    role=st.just("judge"),
    who=st.integers(0, 1),
    dialogue=_dialogues,
    turn=_turns,
    kind=st.sampled_from((*JUDGE_KEEPS, JUDGE_HALF)),
    repairs=st.integers(1, REPAIRS + 1),
)
_kept_by_subject = st.builds(
    Kept,
    role=st.just("subject"),
    who=st.just(0),
    dialogue=_dialogues,
    turn=_turns,
    kind=st.sampled_from(SUBJECT_KEEPS),
)
_kept = st.lists(_kept_by_judge | _kept_by_subject, min_size=1, max_size=2).map(tuple)


@st.composite
def _worlds(draw: st.DrawFn) -> World:
    """Two of three keep nothing that is not an answer: there, every run must end as the one without faults."""
    kept = draw(st.sampled_from((False, False, True)))
    granularity = draw(st.sampled_from(("turn", "turn", "dialogue")))
    return World(draw(st.sampled_from((1, 1, 2))), granularity, _of(granularity, draw(_kept)) if kept else ())


def _of(granularity: str, kept: tuple[Kept, ...]) -> tuple[Kept, ...]:
    """A judge who is asked once per dialogue is asked at turn 0."""
    if granularity == "turn":
        return kept
    return tuple(Kept(k.role, k.who, k.dialogue, 0 if k.role == "judge" else k.turn, k.kind, k.repairs) for k in kept)


def sequences() -> st.SearchStrategy[Sequence]:
    """Worlds with two to five steps in them."""
    return st.builds(Sequence, _worlds(), st.lists(_steps, min_size=2, max_size=_MOST_STEPS).map(tuple))
