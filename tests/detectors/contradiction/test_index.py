from itertools import permutations

from voirdire.detectors.contradiction.index import ContextIndex

CONTEXT = (
    "Rivers, bridges, traders, towns, iron and salt made the valley rich. Rivers flooded the valley. Rivers and "
    "bridges froze. Rivers, bridges and traders left. Rivers, bridges, traders and towns grew. Rivers, bridges, "
    "traders, towns and iron stayed."
)


def test_what_sentences_carry_does_not_depend_on_the_order_in_which_words_are_asked_for():
    index = ContextIndex.of(CONTEXT)
    stems = ["river", "bridge", "trader", "town", "iron", "salt"]
    found = {tuple(sorted(index.carried(order).items())) for order in permutations(stems)}
    assert len(found) == 1  # to the last digit
