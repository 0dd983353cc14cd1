import asyncio

import pandas as pd
import pytest

from tests.cli.here import voirdire_json
from voirdire.ddft import results
from voirdire.ddft.exported_tables import Tables, build_tables, judged_turns, turns_of
from voirdire.ddft.judging import answer_hash
from voirdire.jury import Decision
from voirdire.records import Consensus, ModelIdentity, Reply, Settings, Slot, Verdict
from voirdire.runs import CallRow, Journal

DIALOGUE = "m|recursion|0.5|0"


def call(turn, text, key=None):
    return CallRow(
        key=key or f"key-{turn}-{text}",
        attempt=1,
        slot=Slot(DIALOGUE, turn, "subject"),
        identity=ModelIdentity("m", "simulated", "m"),
        messages=(),
        settings=Settings(10),
        output_mode="text",
        schema=None,
        seed=1,
        started_at="2026-01-01T00:00:00+00:00",
        seconds=0.1,
        reply=Reply(text, "stop"),
    )


def turn_note(answer, trap=None, error=None):
    return {
        "model": "m", "concept": "recursion", "level": 0.5, "sample": 0, "question": "What?",
        "question_source": "template", "question_notes": ["a note"], "trap": trap,
        "answer_sha256": answer_hash(answer), "finish_reason": "stop", "error": error,
    }  # fmt: skip


def decided(far, answer=None):
    verdict = Verdict("j", far=far, sas=0.8, stance="rejected")
    body = Decision((verdict,), Consensus(far, 0.8, False, "rejected", 1)).body()
    return body | {"answer_sha256": answer_hash(answer)}


@pytest.fixture
def journal(tmp_path):
    with Journal.open(tmp_path / "journal.sqlite") as opened:
        yield opened


def write(journal, *steps):
    async def all_of_it():
        for step in steps:
            await (journal.commit(step) if isinstance(step, CallRow) else journal.note(*step))

    asyncio.run(all_of_it())
    return build_tables(journal)


def test_turns_verdicts_and_scores_come_from_the_journal_alone(journal):
    trap = ["expert", "Professor X", "does not exist"]
    made = write(
        journal,
        call(4, "No."),
        (DIALOGUE, 4, "turn", turn_note("No.", trap)),
        (DIALOGUE, 4, "verdicts/panel", decided(1.0, "No.")),
        (DIALOGUE, 4, "stance", {"stance": "rejected", "basis": "jury", "jury": "panel"}),
    )
    (turn,) = made.turns.to_dict("records")
    assert (turn["answer"], turn["trap_item"], turn["stance_at_4"]) == ("No.", "Professor X", "rejected")
    assert made.scores.loc[0, ["jury", "far", "sas", "stance"]].tolist() == ["panel", 1.0, 0.8, "rejected"]
    assert made.verdicts.loc[0, ["judge", "far"]].tolist() == ["j", 1.0]
    ((record,),) = turns_of(made.turns)
    assert record.trap.item == "Professor X"
    assert record.dialogue == DIALOGUE


def test_of_several_replies_the_one_that_the_turn_names_stands(journal):
    made = write(journal, call(1, "first"), call(1, "second"), (DIALOGUE, 1, "turn", turn_note("first")))
    assert made.turns.loc[0, "answer"] == "first"


def test_a_failed_turn_has_no_answer_but_is_there(journal):
    made = write(journal, (DIALOGUE, 1, "turn", turn_note(None, error="server: down")))
    assert pd.isna(made.turns.loc[0, "answer"])
    assert made.turns.loc[0, "error"] == "server: down"
    ((record,),) = turns_of(made.turns)
    assert record.answer is None


def test_turns_beyond_those_last_held_are_left_out(journal):
    made = write(
        journal,
        *(
            step
            for n in (1, 2)
            for step in ((DIALOGUE, n, "turn", turn_note(None)), (DIALOGUE, n, "verdicts/p", decided(0.5)))
        ),
        (DIALOGUE, 0, "held", {"answers": [None], "complete": True, "interviewer_failed": None}),
    )
    assert made.turns["turn"].tolist() == [1]
    assert made.scores["turn"].tolist() == [1]


def test_an_empty_journal_gives_empty_tables(journal):
    made = build_tables(journal)
    assert [len(table) for table in made] == [0, 0, 0]


def test_a_verdict_on_an_answer_that_was_given_anew_does_not_stand(journal):
    made = write(
        journal,
        call(1, "new"),
        (DIALOGUE, 1, "turn", turn_note("new")),
        (DIALOGUE, 1, "verdicts/first", decided(0.2, "old")),
        (DIALOGUE, 1, "verdicts/second", decided(0.9, "new")),
    )
    assert made.scores[["jury", "far"]].to_numpy().tolist() == [["second", 0.9]]


def test_what_a_jury_decided_on_each_answer_that_stands_is_told_without_tables(journal):
    steps = [call(1, "old"), call(1, "new"), (DIALOGUE, 1, "turn", turn_note("new"))]
    steps += [(DIALOGUE, 2, "turn", turn_note(None, error="timeout"))]
    write(journal, *steps, (DIALOGUE, 1, "verdicts/first", decided(0.2, "old")))
    write(journal, (DIALOGUE, 1, "verdicts/second", decided(0.9, "new")))

    seen = {
        jury: [
            (row["answer"], row["error"], each and each["consensus"]["far"])
            for row, each in judged_turns(journal, jury)
        ]
        for jury in ("first", "second")
    }
    assert seen["first"] == [("new", None, None), (None, "timeout", None)]
    assert seen["second"] == [("new", None, 0.9), (None, "timeout", None)]


def test_a_result_is_the_same_whether_its_tables_are_made_at_once_or_read_again(tmp_path, monkeypatch):
    def held(name):
        return voirdire_json("run", "-m", "simulated/fading", "--concepts", "recursion", "-o", tmp_path / name)

    at_once = held("few")
    monkeypatch.setattr(results, "_FEW_CALLS", 0)
    assert held("many") | {"run": at_once["run"]} == at_once
    for name in Tables._fields:
        few, many = ((tmp_path / run / f"{name}.parquet").read_bytes() for run in ("few", "many"))
        assert few == many
