"""Hand-made answers."""

from dataclasses import replace

from tests.cognibench.labelled import answer


def given(name, *labels, model=None, topic=None, **options):
    return replace(answer(name, *labels, **options), model=model, topic=topic)


def four():
    """Two dialogues of two turns about two contexts: 6 factual statements, 5 cognitive ones, 1 irrelevant one."""
    return [
        given("a0", "irrelevant", "faithful", "faithful", "reliable", dialogue="a", group="a", topic="sports"),
        given("a1", "invented", "speculative", "speculative", dialogue="a", group="a", turn=1, topic="sports"),
        given("b0", "faithful", "faithful", "irrefutable", dialogue="b", group="b", topic="finance"),
        given("b1", "faithful", "misleading", dialogue="b", group="b", turn=1, topic="finance"),
    ]
