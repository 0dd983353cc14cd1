"""What generative detectors have in common: they are shown an answer once, and what they write is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import nan
from pathlib import Path
from string import Template
from typing import NamedTuple, Protocol

from voirdire.data.prompt_files import load_prompt
from voirdire.detectors.base import DetectorOptions
from voirdire.detectors.neural._texts import locate
from voirdire.detectors.records import DetectorError, Exchange, Passage, Texts, as_passage
from voirdire.errors import not_installed

Chat = list[dict[str, str]]
"""Messages with "role" and "content"."""


class WritingTask(NamedTuple):
    """What a model is asked to write."""

    prompt: Chat | str
    """Messages; or the whole text, to be sent as it stands."""
    max_tokens: int


class GeneratedText(NamedTuple):
    """The text that a model wrote for one task."""

    text: str
    complete: bool
    """`False`: cut at the limit of tokens."""
    failure: str | None = None
    """Why nothing was written, in a sentence."""


class Writer(Protocol):
    """A model that writes: loaded here, or served elsewhere."""

    def write(self, tasks: Sequence[WritingTask]) -> list[GeneratedText]:
        """One text a task, in their order."""
        ...


SERVED = "openai-api/"
PROMPT_FILE = "prompt.txt"
"""In a local model's folder: the words that it was trained on, with $context, $question, $answer and $dialogue."""


class ReplyScores(NamedTuple):
    """Scores for the sentences of an answer, read from a reply."""

    scores: list[float]
    unplaced: tuple[str, ...] = ()
    """What it names that could not be found in the answer."""
    fault: str | None = None
    """Why it can't be read; then every score is NaN."""


class Style(NamedTuple):
    """How one family of detectors is asked and read."""

    kind: str
    prompt: str
    """Name of the packaged prompt."""
    values: Callable[[Passage], Mapping[str, str]]
    """What stands in its places."""
    read: Callable[[Passage, GeneratedText], ReplyScores]
    max_tokens: Callable[[Passage], int]


class GenerativeDetector:
    """Asks a model once an answer."""

    def __init__(self, name: str, writer: Writer, style: Style, *, words: str | None = None, threshold: float = 0.5):
        """Wrap a writer.

        Args:
            name: as it was opened.
            writer: the model.
            style: how it is asked and read.
            words: a prompt of the model's own, instead of the packaged one.
            threshold: scores are 0 or 1, so that any in (0, 1] is the same.
        """
        self.name = name
        self.threshold = threshold
        self.unplaced: tuple[str, ...] = ()
        """What the model named in the last call that could not be found in the answers."""
        self.faults: tuple[str, ...] = ()
        """Why answers of the last call have no scores; one sentence each."""
        self._writer = writer
        self._style = style
        self._words = words

    def flag(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[float]:
        """See `Detector.flag`."""
        return self.flag_many([as_passage(context, sentences, dialogue)])[0]

    def flag_many(self, passages: Sequence[Passage]) -> list[list[float]]:
        """See `Detector.flag_many`.

        Raises:
            DetectorError: no answer at all could be judged because every call failed.
        """
        with_sentences = [passage for passage in passages if passage.sentences]
        written = self._writer.write([self._task(passage) for passage in with_sentences])
        failures = [each.failure for each in written if each.failure]
        if failures and len(failures) == len(written):
            raise DetectorError(f"{self.name} judged nothing: {failures[0]}")
        readings = [self._read(passage, each) for passage, each in zip(with_sentences, written, strict=True)]
        self.unplaced = tuple(text for reading in readings for text in reading.unplaced)
        self.faults = tuple(reading.fault for reading in readings if reading.fault)
        results = iter(readings)
        return [next(results).scores if passage.sentences else [] for passage in passages]

    def _task(self, passage: Passage) -> WritingTask:
        values = self._style.values(passage)
        prompt = (
            chat(self._style.prompt, values) if self._words is None else Template(self._words).safe_substitute(values)
        )
        return WritingTask(prompt, self._style.max_tokens(passage))

    def _read(self, passage: Passage, written: GeneratedText) -> ReplyScores:
        if written.failure is not None:
            return unreadable(passage, written.failure)
        return self._style.read(passage, written)


def chat(prompt: str, values: Mapping[str, str]) -> Chat:
    """The messages of a packaged prompt with its places filled in."""
    messages = load_prompt(prompt).messages(**values)
    return [{"role": each.role, "content": "".join(map(str, each.parts))} for each in messages]


def question_and_answer(passage: Passage) -> dict[str, str]:
    """What fills the places of a prompt that asks about one answer, and not about a dialogue."""
    question = passage.dialogue[-1].user if passage.dialogue else ""
    return {"context": passage.context, "question": question, "answer": locate(passage).text}


def unreadable(passage: Passage, fault: str) -> ReplyScores:
    """No score for any sentence."""
    return ReplyScores([nan] * len(passage.sentences), fault=fault)


def whole_scores(listed: Sequence[int], size: int) -> list[float]:
    """Scores from a whole list: 1 for the sentences that it names, 0 for the others."""
    return [float(place in set(listed)) for place in range(size)]


def cut_scores(listed: Sequence[int], size: int) -> list[float]:
    """Scores from a list that was cut: 1 for what it names, 0 for what it has passed over, NaN for the rest.

    A list in the answer's order has passed over what stands before its last entry; one in another order has not.

    Args:
        listed: the sentences named, in the order in which they were.
        size: how many sentences there are.
    """
    passed = max(listed, default=0) if list(listed) == sorted(listed) else 0
    return [1.0 if place in set(listed) else 0.0 if place < passed else nan for place in range(size)]


def open_generative(style: Style, model: str, options: DetectorOptions) -> GenerativeDetector:
    """Open a generative detector on a local model, or on one that an OpenAI-compatible server offers.

    Raises:
        DetectorError: the model can't be opened, or torch is not installed and the model is a local one.
    """
    name = f"{style.kind}:{model}"
    threshold = 0.5 if options.threshold is None else options.threshold
    return GenerativeDetector(
        name, _open_writer(name, style, model, options), style, words=_own_words(model), threshold=threshold
    )


def _open_writer(name: str, style: Style, model: str, options: DetectorOptions) -> Writer:
    if model.startswith(SERVED):
        from voirdire.detectors.generative._served import ServedWriter

        return ServedWriter(name, model, style.prompt, options)
    try:
        from voirdire.detectors.generative._transformers import LocalWriter
    except ModuleNotFoundError as error:
        raise DetectorError(
            f"{not_installed(name, error.name, 'torch')} "
            f"Or serve the model elsewhere and name it {style.kind}:{SERVED}NAME."
        ) from error
    return LocalWriter(model, options)


def _own_words(model: str) -> str | None:
    path = Path(model) / PROMPT_FILE
    return path.read_text(encoding="utf-8") if path.is_file() else None
