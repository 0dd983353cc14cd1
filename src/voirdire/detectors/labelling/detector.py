"""The detector `llm:SPEC`: the labeller's first stage with one sample."""

from __future__ import annotations

import hashlib
import json
import math
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from voirdire.data.json_values import as_object
from voirdire.detectors.base import DetectorOptions
from voirdire.detectors.labelling.labeller import Labeller
from voirdire.detectors.labelling.prompting import prompt_hashes
from voirdire.detectors.labelling.records import LabelPlan, Vote
from voirdire.detectors.labelling.replies import is_hallucinated
from voirdire.detectors.records import Answer, DetectorError, Exchange, Passage, Statement, Texts, as_passage
from voirdire.models import parse_spec
from voirdire.runs import DEFAULTS, at_once, is_local, open_run, options_for, run_blocking, run_workers

RETRIEVED = 3
"""Context sentences that a local model is shown for each sentence: it reads slowly, and has a short window. It is also
asked for numbered lines, without examples: small models lose sentences that they are to repeat, and copy the order of
an example's tags."""


class ModelDetector:
    """Asks a model once about all sentences of an answer; 1 for those it calls hallucinations, 0 for the others."""

    threshold = 0.5

    def __init__(self, spec: str, options: DetectorOptions) -> None:
        self.name = f"llm:{spec}"
        self.faults: tuple[str, ...] = ()
        """Why sentences of the last call have no score."""
        self._spec = spec
        self._options = options
        self._plan = LabelPlan(
            votes=1,
            require=options.require,
            tiers=False,
            retrieve=RETRIEVED if is_local(spec) else None,
            form="numbers" if is_local(spec) else "marks",
            contrastive=not is_local(spec),
        )

    def flag(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[float]:
        """See `Detector.flag`. NaN where the model refused, failed, or left a sentence out."""
        (scores,) = self.flag_many([as_passage(context, sentences, dialogue)])
        return scores

    def flag_many(self, passages: Sequence[Passage]) -> list[list[float]]:
        """See `Detector.flag_many`. With a folder, what the model said once is not asked again.

        Raises:
            SpecError: there is no such model.
            RunFolderError: the folder holds another run.
            DetectorError: the calls were stopped.
        """
        self.faults = ()
        return run_blocking(self._flag_many(passages)) if passages else []

    async def _flag_many(self, passages: Sequence[Passage]) -> list[list[float]]:
        scores: list[list[float]] = [[] for _ in passages]
        faults: list[tuple[str, ...]] = [() for _ in passages]
        queue = iter(enumerate(passages))

        async def work(labeller: Labeller) -> None:
            for number, passage in queue:
                votes, samples = await labeller.vote(_answer(passage))
                faults[number] = tuple(reason for sample in samples for reason in sample.reasons)
                scores[number] = [_score(each, self._plan.votes_needed) for each in votes]

        models = {self._spec: options_for(self._spec, self._options.base_url)}
        with _folder(self._options.folder, self.name) as path:
            async with open_run(path, self._manifest(), models, DEFAULTS, seed=self._options.seed) as (_, runner):
                labeller = Labeller(runner, self._spec, self._plan)
                workers = min(len(passages), at_once(self._spec, DEFAULTS.connections))
                stopped = await run_workers([work(labeller) for _ in range(workers)], runner)
        if stopped is not None:
            raise DetectorError(f"{self.name} was stopped: {stopped}")
        self.faults = tuple(reason for each in faults for reason in each)
        return scores

    def _manifest(self) -> dict[str, Any]:
        return {
            "instrument": "detector",
            "detector": self.name,
            "plan": as_object(self._plan),
            "base_url": self._options.base_url,
            "seed": self._options.seed,
            "prompts": prompt_hashes(),
        }


def open_llm(model: str, options: DetectorOptions) -> ModelDetector:
    """Open `llm:SPEC`. Nothing is sent yet.

    Raises:
        SpecError: the spec is none.
    """
    parse_spec(model)
    return ModelDetector(model, options)


@contextmanager
def _folder(folder: Path | None, name: str) -> Iterator[Path]:
    """A folder of the detector's own within the one that was given, or else one that goes at the end."""
    own = re.sub(r"[^A-Za-z0-9.-]+", "-", name)
    if folder is not None:
        yield folder / own
        return
    with tempfile.TemporaryDirectory(prefix="voirdire-") as temporary:
        yield Path(temporary) / own


def _answer(passage: Passage) -> Answer:
    """A passage as an answer that can be labelled; equal passages get the same id, and so the same calls."""
    last = passage.dialogue[-1] if passage.dialogue else Exchange("", "")
    text, statements = _text_and_statements(last.assistant, passage.sentences)
    digest = hashlib.sha256(json.dumps([passage.context, last.user, text, passage.sentences]).encode()).hexdigest()
    return Answer(
        id=digest[:32],
        dialogue=digest[:32],
        group=digest[:32],
        context=passage.context,
        question=last.user,
        text=text,
        statements=statements,
    )


def _text_and_statements(text: str, sentences: Sequence[str]) -> tuple[str, tuple[Statement, ...]]:
    """The answer's text with its sentences in place; made of the sentences where they do not stand in it in order."""
    statements = _statements(text, sentences)
    if statements is not None:
        return text, statements
    joined = " ".join(sentences)
    return joined, _statements(joined, sentences) or ()


def _statements(text: str, sentences: Sequence[str]) -> tuple[Statement, ...] | None:
    statements: list[Statement] = []
    end = 0
    for sentence in sentences:
        start = text.find(sentence, end)
        if start < 0:
            return None
        end = start + len(sentence)
        statements.append(Statement(sentence, start, end))
    return tuple(statements)


def _score(votes: Sequence[Vote | None], threshold: int) -> float:
    flagged = is_hallucinated(votes, threshold)
    return math.nan if flagged is None else float(flagged)
