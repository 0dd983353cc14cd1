"""The size of a data set (CogniBench, Table 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from voirdire.cognibench.dynamics._estimates import Estimate, mean
from voirdire.data.plain import as_plain
from voirdire.detectors.records import Answer
from voirdire.text.scripts import count_words


class Length(NamedTuple):
    """Lengths in words."""

    least: int
    most: int
    mean: Estimate

    def as_dict(self) -> dict[str, Any]:
        """The lengths as plain values."""
        return {"min": self.least, "max": self.most, "mean": self.mean.as_dict()}


class Basics(NamedTuple):
    """What Table 2 counts."""

    responses: int
    conversations: int
    groups: int
    """Contexts."""
    sentences: int
    labelled_sentences: int
    context_words: Length | None
    """Over responses, as the paper's average is; `None` without any."""
    response_words: Length | None
    sentences_per_response: Estimate

    def as_dict(self) -> dict[str, Any]:
        """The counts as plain values."""
        return {
            **{name: getattr(self, name) for name in self._fields[:5]},
            "context_words": as_plain(self.context_words),
            "response_words": as_plain(self.response_words),
            "sentences_per_response": self.sentences_per_response.as_dict(),
        }


def basics(answers: Sequence[Answer]) -> Basics:
    """Count responses, conversations, sentences and words (CogniBench, Table 2); words as `count_words` has them."""
    groups = [answer.group for answer in answers]
    sentences = [len(answer.statements) for answer in answers]
    return Basics(
        responses=len(answers),
        conversations=len({answer.dialogue for answer in answers}),
        groups=len(set(groups)),
        sentences=sum(sentences),
        labelled_sentences=sum(s.label is not None for answer in answers for s in answer.statements),
        context_words=_length([answer.context for answer in answers], groups),
        response_words=_length([answer.text for answer in answers], groups),
        sentences_per_response=mean(sentences, groups),
    )


def _length(texts: Sequence[str], groups: Sequence[str]) -> Length | None:
    words = [count_words(text) for text in texts]
    return Length(min(words), max(words), mean(words, groups)) if words else None
