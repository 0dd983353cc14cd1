"""References, and answers to label, for the tests of generation and diagnosis: all of it invented here."""

from voirdire.cognibench.generation.references import Reference
from voirdire.detectors import Answer, Label, Statement

FERRY = Reference(
    "ferry",
    "The Halden ferry crossed the Sund between Halden and Morvik from 1887 until 1964. It was founded by Ingrid Aas, a "
    "widow who sold a fishing boat to buy a steam engine. The crossing took 40 minutes in calm weather. In the winter "
    "of 1902 the Sund froze for 23 days, and the post was carried over the ice on sledges. The wheelhouse stands in "
    "the museum of Morvik.",
    "ports",
)
COURT = Reference(
    "court",
    "The court of Morvik sat on the first Monday of each month. Its judge was elected by the tenants of the valley, "
    "and served for seven years. Appeals went to Halden.",
    "law",
)
BAKERY = Reference("bakery", "Bread is baked in the stone oven of Lysvik. It is sold at dawn.", "food")


def labelled(reference: Reference, *said: tuple[str, Label | None], turn: int = 0) -> Answer:
    """An answer about a reference, from its sentences and their labels."""
    statements, text = [], ""
    for sentence, label in said:
        start = len(text) + bool(text)
        text = f"{text} {sentence}".strip()
        statements.append(Statement(sentence, start, start + len(sentence), label))
    return Answer(
        id=f"{reference.id}_{turn}",
        dialogue=reference.id,
        group=reference.id,
        context=reference.text,
        question="What do you know about it?",
        text=text,
        statements=tuple(statements),
        turn=turn,
        topic=reference.topic,
    )
