"""Answers to label, and models that label them by script."""

import re

from tests.jury.scripted import fenced_texts, reply
from voirdire.detectors.records import Answer
from voirdire.records import CallFailure
from voirdire.text.sentences import split_sentences

CONTEXT = (
    "The mill at Orrin was built in 1802. It ground oats for three villages. The wheel broke in 1911. "
    "A museum opened in the building in 1975."
)
TEXT = (
    "Sure! The mill was built in 1802. It ground wheat for the whole county.\n\n"
    "Three villages depended on it. The museum made the village famous."
)
FAITHFUL, HALLU, IRRELEVANT = "faithful", "hallu", "irrelevant"
TRUE_TAGS = (IRRELEVANT, FAITHFUL, HALLU, FAITHFUL, HALLU)

_MARKED = re.compile(r"<>(.*?)</>", re.DOTALL)
_NUMBERED = re.compile(r"<(\d+)>(.*?)</\1>", re.DOTALL)


def answer(text=TEXT, labels=(), **changes):
    labels = [*labels, *[None] * 100]
    return made_of(text, split_sentences(text), labels, changes)


def made_of(text, sentences, labels, changes):
    from voirdire.detectors.records import Statement

    given = {
        "id": "mill_0",
        "dialogue": "mill",
        "group": "mill",
        "context": CONTEXT,
        "question": "What is known of the mill?",
        "text": text,
        "statements": tuple(
            Statement(each.text, each.start, each.end, label) for each, label in zip(sentences, labels, strict=False)
        ),
    }
    return Answer(**{**given, **changes})


def marked_in(request):
    """The sentences that a request marks, in order."""
    return _MARKED.findall(fenced_texts(request)[-1])


def numbered_in(request):
    """Number and text of the statements that a request numbers."""
    return [(int(number), text) for number, text in _NUMBERED.findall(fenced_texts(request)[-1])]


def tagged(sentence, tag):
    return f"<{tag}>{sentence}</{tag}>"


def model(tags, *, cognitive=(), tiers=None):
    """A model that tags each sentence as told (by its text), calls some cognitive, and grades them."""

    def said(_, request):
        if request.slot.role == "label" and numbered_in(request):
            return reply("\n".join(f"{number}. {tags[text]}" for number, text in numbered_in(request)))
        if request.slot.role == "label":
            return reply("\n".join(tagged(sentence, tags[sentence]) for sentence in marked_in(request)))
        if request.slot.role == "type":
            return reply(
                "\n".join(
                    f"{number}. {'cognitive' if text in cognitive else 'factual'}"
                    for number, text in numbered_in(request)
                )
            )
        return reply("\n".join(f"{number}. {(tiers or {})[text]}" for number, text in numbered_in(request)))

    return said


def by_text(tags=TRUE_TAGS, text=TEXT):
    return {each.text: tag for each, tag in zip(split_sentences(text), tags, strict=True)}


def failure():
    return CallFailure("server", "The server is out of order.", 3)
