"""Answers made on the spot, with labels."""

from voirdire.detectors.records import Answer, Statement

FAITHFUL, INVENTED = "The tower {n} is {m} metres high.", "It is loved by everyone who has seen tower {n}."


def answer(number, labels=("faithful", "invented"), *, group=None, sentences=None):
    """An answer of one sentence per label; without `sentences`, what it says fits the label."""
    texts = sentences or [
        (INVENTED if label == "invented" else FAITHFUL).format(n=number, m=100 + number) for label in labels
    ]
    text = " ".join(texts)
    statements, end = [], 0
    for sentence, label in zip(texts, labels, strict=True):
        start = text.index(sentence, end)
        end = start + len(sentence)
        statements.append(Statement(sentence, start, end, label))
    return Answer(
        id=f"{number}_0",
        dialogue=str(number),
        group=group or f"g{number:03}",
        context=f"The tower {number} stands in a town and is {100 + number} metres high.",
        question="What of the tower?",
        text=text,
        statements=tuple(statements),
    )


def answers(count, labels=("faithful", "invented")):
    return [answer(number, labels) for number in range(count)]
