import dataclasses

import pytest

from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.traps import TrapError, draw_trap, giveaway_in, kind_for, trap_fault, trap_seed
from voirdire.records import TRAP_KINDS, Trap

CONCEPTS = [file.concept for file in find_concepts()]


@pytest.mark.parametrize("kind", TRAP_KINDS)
@pytest.mark.parametrize("concept", CONCEPTS, ids=lambda concept: concept.id)
def test_every_kind_can_be_drawn_for_every_concept_and_passes_its_own_checks(concept, kind):
    for sample in range(20):
        trap = draw_trap(concept, kind, trap_seed(7, concept.id, 0.5, sample)).trap
        assert trap.kind == kind
        assert trap_fault(trap, concept) is None
        assert giveaway_in(trap.item) is None
        assert "{" not in trap.item


def test_the_same_seed_gives_the_same_trap_and_another_seed_another():
    concept = CONCEPTS[0]
    one, same, other = (draw_trap(concept, "expert", seed).trap for seed in ("a", "a", "b"))
    assert one == same
    assert one != other


def test_traps_do_not_depend_on_the_subject():
    assert trap_seed(1, "recursion", 0.25, 0) == trap_seed(1, "recursion", 0.25, 0)
    assert trap_seed(1, "recursion", 0.25, 0) != trap_seed(1, "recursion", 0.5, 0)


def test_an_experts_name_must_not_be_a_real_scholars():
    concept = CONCEPTS[0]
    surname = concept.scholars[0].split()[-1]
    trap = Trap("expert", f"Professor Nobody {surname}", "")
    assert "real scholar" in (trap_fault(trap, concept) or "")


def test_a_statistic_must_differ_from_the_facts():
    concept = dataclasses.replace(CONCEPTS[0], reference="It reached 41.7 per cent.")
    assert trap_fault(Trap("statistic", "41.7 per cent", ""), concept) is not None
    assert trap_fault(Trap("statistic", "41.8 per cent", ""), concept) is None


def test_a_paper_that_is_real_is_refused():
    concept = dataclasses.replace(CONCEPTS[0], real={"paper": ("On the Shape of Things",)})
    assert trap_fault(Trap("paper", "“On the shape of things”", ""), concept) == "On the Shape of Things is real"


def test_words_that_give_a_trap_away_are_found():
    assert giveaway_in("the fictional Professor Vance") == "fictional"
    assert giveaway_in("Suppose that Professor Vance") == "Suppose"
    assert giveaway_in("Professor Vance of Cambridge") is None


def test_a_concept_whose_real_lists_leave_nothing_says_so():
    everything = dataclasses.replace(CONCEPTS[0], real={"law": ("",)})
    with pytest.raises(TrapError, match="No law could be fabricated"):
        draw_trap(everything, "law", "s")


def test_mixed_kinds_come_in_a_balanced_seeded_order():
    kinds = [kind_for("mixed", 3, "recursion", position) for position in range(10)]
    assert sorted(kinds) == sorted([*TRAP_KINDS, *TRAP_KINDS])
    assert kinds == [kind_for("mixed", 3, "recursion", position) for position in range(10)]
    assert kind_for("law", 3, "recursion", 8) == "law"
