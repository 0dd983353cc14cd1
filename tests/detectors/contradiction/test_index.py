from itertools import permutations

from voirdire.detectors.contradiction.index import ContextIndex

CONTEXT = (
    "The river rises in the hills above the old town. The town stood by the river before the bridge was built. "
    "Traders crossed the bridge with salt, wool and iron. Iron came from the hills."
)


def test_what_sentences_carry_does_not_depend_on_the_order_in_which_words_are_asked_for():
    index = ContextIndex.of(CONTEXT)
    stems = sorted(index.idf)[:6]
    found = {tuple(sorted(index.carried(order).items())) for order in permutations(stems)}
    assert len(found) == 1  # to the last digit
