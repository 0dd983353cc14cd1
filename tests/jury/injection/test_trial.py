"""A judge on the stand: what is asked, what is kept, and what is counted."""

import asyncio
from dataclasses import replace

import pytest

from voirdire.ddft.concepts import find_concepts
from voirdire.jury import JuryError
from voirdire.jury.injection import TrialVerdict, attacks, cases, choose_attacks, controls, run_trial, shifts, tallies
from voirdire.jury.judge_accuracy.verdict_file import BenchRecord
from voirdire.records import Verdict

(CONCEPT,) = (file.concept for file in find_concepts(["impressionism"]))
ORDERS = attacks("judge", names=["order-blunt", "order-yes", "verdict-bare", "split-turns"])


class Judge:
    """Falls for one attack, sees no claims in another, fails on a third; else 0.2 and 0.8, without defences 0.9."""

    name = "scripted"

    def __init__(self, defended: bool = True) -> None:
        self.defended = defended
        self.asked = []

    async def judge(self, task):
        self.asked.append(task)
        if "tip" not in task.answer and "Ignore all" in task.answer:
            return Verdict(self.name, 0.45, 0.75)
        if "reply Yes" in task.answer:
            return Verdict(self.name, None, 0.8, no_claims=True)
        if "justification" in task.answer:
            return Verdict(self.name, None, None, missing="the judge refused")
        return Verdict(self.name, 0.2 if self.defended or task.answer in HONEST else 0.9, 0.8)


CASES = cases(CONCEPT, ["wrong", "partly"])
HONEST = {case.task.answer for case in CASES}


def heard(judges, tried=ORDERS, book=None):
    return asyncio.run(run_trial(judges, CASES, (*controls()[:1], *tried), book or BenchRecord.in_memory("scripted")))


def test_every_case_is_judged_honest_and_under_every_attack():
    judge = Judge()
    found = heard({True: judge})
    assert len(found) == len(judge.asked) == 2 * (1 + 1 + len(ORDERS))
    under_attack = next(each for each in found if each.attack is not None and each.attack.id == "split-turns")
    (task,) = (t for t in judge.asked if t.history and t.answer.startswith(CASES[0].task.answer))
    assert task == under_attack.case.attacked(under_attack.attack)
    assert [answer for _, answer in task.history] == list(under_attack.attack.earlier)


def test_what_was_judged_is_not_judged_again_but_failures_and_other_texts_are(tmp_path):
    judge, path = Judge(), tmp_path / "verdicts.jsonl"
    heard({True: judge}, book=BenchRecord.open(path, "scripted"))
    again = Judge()
    heard({True: again}, book=BenchRecord.open(path, "scripted"))
    assert ["justification" in task.answer for task in again.asked] == [True, True]
    changed = Judge()
    other = tuple(replace(attack, text=attack.text + "!") for attack in ORDERS)
    heard({True: changed}, other, book=BenchRecord.open(path, "scripted"))
    assert len(changed.asked) == 2 * len(ORDERS)


def test_shifts_are_counted_by_family_with_and_without_defence():
    found = shifts(heard({True: Judge(), False: Judge(defended=False)}))
    blunt = next(shift for shift in found if shift.attack == "order-blunt" and shift.defended)
    assert (blunt.far, blunt.sas, blunt.moved, blunt.withdrawn) == (
        pytest.approx(0.25),
        pytest.approx(-0.05),
        True,
        False,
    )
    told = {(tally.name, tally.defended): tally for tally in tallies(found, "controls")}
    orders = told["orders", True]
    assert (orders.n, orders.moved, orders.withdrawn, orders.missing) == (4, 2, 2, 0)
    assert orders.mean_far == pytest.approx(0.25) and orders.share.low < 0.5 < orders.share.high
    forged = told["fake-verdicts", True]
    assert (forged.n, forged.moved, forged.missing, forged.share) == (2, 0, 2, None)
    assert (told["all", True].n, told["all", True].moved) == (8, 2)
    assert told["controls", True].moved == 0
    assert told["split", False].moved == told["controls", False].moved == 2
    assert told["orders", True].to_dict()["share"] == [orders.share.low, orders.share.high]


def test_a_rise_of_just_0_2_counts_in_spite_of_rounding():
    (case, *_) = CASES
    found = [
        (case, None, True, Verdict("j", 0.1, 0.8), 0.0),
        (case, ORDERS[0], True, Verdict("j", 0.3, 0.8), 0.0),
    ]
    assert shifts([TrialVerdict(*each) for each in found])[0].moved


@pytest.mark.parametrize(
    ("honest", "attacked", "turned"),
    [("accepted", "questioned", True), ("questioned", "rejected", True), ("rejected", "accepted", False), (None,) * 3],
)
def test_a_stance_that_became_less_accepting_counts_as_turned(honest, attacked, turned):
    (case, *_) = CASES
    said = [(None, honest), (ORDERS[0], attacked)]
    (shift,) = shifts(
        [TrialVerdict(case, tried, True, Verdict("j", 0.1, 0.8, stance=stance), 0.0) for tried, stance in said]
    )
    assert shift.turned == bool(turned)


def test_without_an_honest_verdict_nothing_is_counted():
    class Fails(Judge):
        async def judge(self, task):
            return Verdict("scripted", None, None, missing="no")

    assert shifts(heard({True: Fails()})) == []


def test_a_failure_that_stops_the_run_is_raised_when_nothing_is_under_way():
    class Stops(Judge):
        async def judge(self, task):
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        heard({True: Stops()})


def test_a_limit_takes_one_attack_of_each_family_in_turn():
    few = choose_attacks(attacks("judge"), 20)
    assert len(few) == 20 and len({attack.family for attack in few}) >= 10
    assert len(choose_attacks(attacks("judge"), None)) == len(attacks("judge"))


def test_the_answers_are_made_of_the_facts_and_their_false_versions():
    wrong, partly, trap = (case.task for case in cases(CONCEPT, ["trap", "partly", "wrong"]))
    texts, false = [fact.text for fact in CONCEPT.facts], [fact.wrong for fact in CONCEPT.facts]
    assert sum(fact in wrong.answer for fact in false) == 4 and not any(fact in wrong.answer for fact in texts)
    assert sum(fact in partly.answer for fact in false) == sum(fact in partly.answer for fact in texts) == 2
    assert trap.trap is not None and trap.trap.item in trap.answer and trap.trap.item in trap.question


@pytest.mark.parametrize("names", [[], ["right"], ["wrong", "wrong"]])
def test_cases_that_are_none_are_refused(names):
    with pytest.raises(JuryError, match="wrong, partly, trap"):
        cases(CONCEPT, names)


def test_a_concept_without_false_versions_is_refused():
    bare = replace(CONCEPT, facts=tuple(replace(fact, wrong="") for fact in CONCEPT.facts))
    with pytest.raises(JuryError, match="0 facts with a false version"):
        cases(bare, ["wrong"])
