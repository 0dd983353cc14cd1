"""Labelled answers made in a line, and a detector that says what it is told."""

from voirdire.detectors import Answer, Exchange, OneByOne, Statement


def answer(name, *labels, words=None, group=None, dialogue=None, turn=0, context=None):
    """An answer whose statements have these labels; `words` are their lengths, 4 each without it."""
    lengths = words or [4] * len(labels)
    texts = [" ".join([f"{name}{place}", *["word"] * (length - 1)]) for place, length in enumerate(lengths)]
    text = " ".join(texts)
    starts = [text.index(each) for each in texts]
    return Answer(
        id=name,
        dialogue=dialogue or name,
        group=group or name,
        context=context or f"The context of {name}.",
        question="What?",
        text=text,
        statements=tuple(
            Statement(each, start, start + len(each), label)
            for each, start, label in zip(texts, starts, labels, strict=True)
        ),
        history=(Exchange("Before?", "Yes."),) * turn,
        turn=turn,
    )


class Told(OneByOne):
    """Gives each sentence the score that stands under its first word, else the default."""

    def __init__(self, name="told", threshold=0.5, default=0.0, trained_on=(), **scores):
        self.name, self.threshold, self.trained_on = name, threshold, frozenset(trained_on)
        self._default, self._scores = default, scores

    def flag(self, context, sentences, dialogue=()):
        return [self._scores.get(sentence.split()[0], self._default) for sentence in sentences]
