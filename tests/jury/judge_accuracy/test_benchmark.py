from __future__ import annotations

import asyncio
import json
import math
from collections import Counter
from pathlib import Path

import pytest

from voirdire.jury.judge_accuracy.benchmark import (
    BenchRecordError,
    PublishedDataError,
    PublishedTurn,
    judge_turns,
    read_labels,
    sample_turns,
    summarise,
    task_of,
)
from voirdire.records import Concept, Fact, JudgeTask, Verdict

RIVER = Concept(
    id="river", name="River", domain="Geography", reference="A river is a stream of fresh water.",
    facts=(Fact("r1", "Rivers flow.", "x"),), instances=(), scholars=(), topics=(),
)  # fmt: skip
CONCEPTS = {"river": RIVER, "lake": RIVER}


def _turn(model: str = "m", concept: str = "river", level: float = 0.0, turn: int = 1, **more: object) -> PublishedTurn:
    fields = {"question": "What is it?", "response": "A stream.", "far": 0.5, "sas": 0.5} | more
    return PublishedTurn(model, concept, level, turn, **fields)  # type: ignore[arg-type]


def _turns(n: int = 40) -> list[PublishedTurn]:
    """`n` turns of eight dialogues; the published FAR rises with the number in the answer."""
    return [
        _turn(
            f"m{i % 8}", "river" if i % 2 else "lake", turn=1 + i // 8, response=f"Point {i}.", far=i / n, sas=1 - i / n
        )
        for i in range(n)
    ]


class _Scripted:
    """A judge who scores by the number in the answer, and can fail or be stopped after some calls."""

    name = "scripted"

    def __init__(self, n: int = 40, stop_after: int | None = None, fail: bool = False) -> None:
        self.asked: list[str] = []
        self._n, self._stop_after, self._fail = n, stop_after, fail

    async def judge(self, task: JudgeTask) -> Verdict:
        if len(self.asked) == self._stop_after:
            raise KeyboardInterrupt
        self.asked.append(task.answer)
        if self._fail:
            return Verdict(self.name, None, None, missing="bad JSON")
        value = int(task.answer.strip(".").split()[-1]) / self._n
        return Verdict(self.name, value, 1 - value)


# --- sampling -------------------------------------------------------------------------------------------


def test_a_sample_is_even_over_concepts_ordered_by_concept_and_repeatable() -> None:
    turns = [_turn(f"m{i}", concept) for concept in ("lake", "river", "sea") for i in range(30)]
    chosen = sample_turns(turns, 31, seed=5)
    assert sorted(Counter(turn.concept for turn in chosen).values()) == [10, 10, 11]
    assert [turn.concept for turn in chosen] == sorted(turn.concept for turn in chosen)
    assert chosen == sample_turns(list(reversed(turns)), 31, seed=5)
    assert chosen != sample_turns(turns, 31, seed=6)
    assert len(set(chosen)) == 31


def test_all_turns_are_kept_when_none_or_too_many_are_asked_for() -> None:
    turns = _turns()
    assert sorted(map(str, sample_turns(turns))) == sorted(map(str, turns)) == sorted(map(str, sample_turns(turns, 99)))


def test_a_sample_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="give at least 1"):
        sample_turns(_turns(), 0)


# --- judging --------------------------------------------------------------------------------------------


def test_a_judge_is_shown_our_reference_and_neither_score_nor_trap() -> None:
    task = task_of(_turn("secret-model", far=0.123), RIVER)
    assert (task.concept, task.reference, task.facts) == ("River", RIVER.reference, RIVER.facts)
    assert task.trap is None
    assert "0.123" not in str(task)


def test_a_stopped_bench_goes_on_where_it_was(tmp_path: Path) -> None:
    record, turns = tmp_path / "deep" / "record.jsonl", sample_turns(_turns())
    first = _Scripted(stop_after=15)
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(judge_turns(turns, first, CONCEPTS, record=record))
    with record.open("a", encoding="utf-8") as file:
        file.write('{"judge": "scripted", "turn"')  # a kill in the middle of a line
    second = _Scripted()
    judged = asyncio.run(judge_turns(turns, second, CONCEPTS, record=record))
    assert first.asked + second.asked == [turn.response for turn in turns]
    assert [each.verdict for each in judged] == [
        each.verdict for each in asyncio.run(judge_turns(turns, _Scripted(), CONCEPTS))
    ]
    third = _Scripted()
    asyncio.run(judge_turns(turns, third, CONCEPTS, record=record))
    assert third.asked == []


def test_failures_are_asked_again_and_other_judges_lines_are_left_alone(tmp_path: Path) -> None:
    record, turns = tmp_path / "record.jsonl", _turns(8)
    asyncio.run(judge_turns(turns, _Scripted(fail=True), CONCEPTS, record=record))
    again = _Scripted()
    asyncio.run(judge_turns(turns, again, CONCEPTS, record=record))
    assert len(again.asked) == 8
    other = _Scripted()
    other.name = "other"
    asyncio.run(judge_turns(turns, other, CONCEPTS, record=record))
    assert len(other.asked) == 8


def test_a_record_that_is_something_else_is_refused(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    record.write_text('{"hello": 1}\n')
    with pytest.raises(BenchRecordError, match=r"Line 1 of .* is no record of a verdict"):
        asyncio.run(judge_turns(_turns(2), _Scripted(), CONCEPTS, record=record))


def test_an_unknown_concept_is_named_before_anything_is_judged() -> None:
    judge = _Scripted()
    with pytest.raises(PublishedDataError, match="'volcano'"):
        asyncio.run(judge_turns([*_turns(2), _turn(concept="volcano")], judge, CONCEPTS))
    assert judge.asked == []


def test_progress_is_told_after_each_turn() -> None:
    told: list[tuple[int, int]] = []
    asyncio.run(judge_turns(_turns(3), _Scripted(), CONCEPTS, progress=lambda done, total: told.append((done, total))))
    assert told == [(1, 3), (2, 3), (3, 3)]


# --- results --------------------------------------------------------------------------------------------


def test_a_judge_that_ranks_as_the_panel_did_correlates_perfectly() -> None:
    result = summarise("scripted", asyncio.run(judge_turns(_turns(), _Scripted(), CONCEPTS)))
    assert result.far.rho == pytest.approx(1.0)
    assert result.sas.rho == pytest.approx(1.0)
    assert (result.far.n, result.turns, result.missing, result.no_claims) == (40, 40, 0, 0)
    assert result.seconds_per_call >= 0


def test_missing_values_on_either_side_leave_the_pair_out() -> None:
    turns = [*_turns(), _turn(response="Point 3.", far=None)]
    judged = asyncio.run(judge_turns(turns, _Scripted(), CONCEPTS))
    judged[0] = judged[0]._replace(verdict=Verdict("scripted", None, 0.4, no_claims=True))
    judged[1] = judged[1]._replace(verdict=Verdict("scripted", None, None, missing="timeout"))
    result = summarise("scripted", judged)
    assert (result.far.n, result.sas.n) == (38, 40)
    assert (result.no_claims, result.missing) == (1, 1)


def test_asking_is_compared_on_first_answers_by_rule_and_by_hand() -> None:
    asks = ("Which concept do you mean?", "Please tell me the concept.", "I don't see a concept in your message.")
    turns = [
        _turn(f"m{i}", response=text) for i, text in enumerate([*asks, "Water flows.", "Rivers bend.", "They end."])
    ]
    turns.append(_turn("m9", turn=2, response=asks[0]))
    silent = [True, True, False, False, False, False, False]
    judged = [
        each._replace(verdict=Verdict("j", None if no else 0.5, 0.5, no_claims=no))
        for each, no in zip(asyncio.run(judge_turns(turns, _Fixed(), CONCEPTS)), silent, strict=True)
    ]
    result = summarise(
        "j", judged, {("m0", "river", 0.0): True, ("m2", "river", 0.0): False, ("m3", "river", 0.0): False}
    )
    assert result.asks.n == 6
    assert 0 < result.asks.rho < 1
    assert result.asks_by_hand.n == 3
    assert result.asks_by_hand.rho == pytest.approx(1.0)
    assert summarise("j", judged).asks_by_hand.n == 0


class _Fixed:
    name = "fixed"

    async def judge(self, task: JudgeTask) -> Verdict:
        return Verdict(self.name, 0.5, 0.5)


def test_results_are_plain_data() -> None:
    result = summarise("fixed", asyncio.run(judge_turns(_turns(), _Fixed(), CONCEPTS)))
    assert math.isnan(result.far.rho)
    plain = result.to_dict()
    assert plain["far"]["rho"] is None
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain


def test_hand_labels_are_read_by_dialogue(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("model,concept,level,label\nm,ma,0.5,asks\nm,ma,1,neither\n")
    assert read_labels(path) == {("m", "ma", 0.5): True, ("m", "ma", 1.0): False}


def test_a_table_without_the_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(PublishedDataError, match="columns model"):
        read_labels(path)
