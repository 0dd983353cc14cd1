"""What every detector is, and how one is opened by name."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from voirdire.data.bounds import MAX_COUNT, check_bounds
from voirdire.detectors.flag_counts import FlagCounts
from voirdire.detectors.records import DetectorError, Exchange, Passage, Require, Texts
from voirdire.errors import not_installed
from voirdire.text.counting import listed
from voirdire.text.suggestion import suggestion


class Detector(Protocol):
    """Marks the sentences of an answer that its evidence does not carry."""

    name: str
    """As it was opened: "lexical", "nli:MODEL" …"""
    threshold: float
    """A sentence whose score reaches it is flagged."""

    def flag(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[float]:
        """Score the sentences of one answer. Detectors that compare words give small talk 0; others may score it.

        What `voirdire detect` gives is what that function gives: which sentences are flagged, and why.

        Args:
            context: the evidence: a text, or several.
            sentences: of the answer, in order; a text alone is one sentence.
            dialogue: oldest turn first; the last is the answer that the sentences stand in. May be empty.

        Returns:
            One score a sentence in [0, 1], higher for less supported ones; NaN where the detector can't say.
        """
        ...

    def flag_many(self, passages: Sequence[Passage]) -> list[list[float]]:
        """Score many answers, batched where that is faster; the same scores as `flag` gives one by one."""
        ...


class HeldOut(NamedTuple):
    """How good a detector was on answers that it was not made on; its `held_out`, if it has any."""

    threshold: float
    """The one that was judged."""
    f1: float
    """Over words."""
    low: float
    """The interval's ends."""
    high: float
    source: str
    """Which answers."""


def held_out_at(detector: Detector, threshold: float) -> HeldOut | None:
    """What is known of a detector's errors where this threshold is used; `None` where nothing is."""
    known: HeldOut | None = getattr(detector, "held_out", None)
    return known if known is not None and known.threshold == threshold else None


@dataclass(frozen=True, slots=True)
class Trials:
    """How a detector did on answers that others wrote to test it (docs/which-detector.md)."""

    sets: int
    counts: FlagCounts
    threshold: float


class OneByOne:
    """For detectors that gain nothing from batches: `flag_many` calls `flag`."""

    def flag(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[float]:
        """See `Detector.flag`."""
        raise NotImplementedError

    def flag_many(self, passages: Sequence[Passage]) -> list[list[float]]:
        """See `Detector.flag_many`."""
        return [self.flag(*passage) for passage in passages]


@dataclass(frozen=True, slots=True)
class DetectorOptions:
    """How a detector is opened. Each uses what concerns it."""

    device: str = "auto"
    """"cpu", "cuda", "cuda:1", "mps", or "auto"."""
    batch_size: int = 16
    threshold: float | None = None
    """`None`: the detector's own."""
    contradiction: bool = True
    """Whether lexical detectors also compare numbers, names and polarity with the best-matching context sentence."""
    not_entailed: bool = False
    """For NLI: flag what is not entailed, instead of what is contradicted."""
    require: Require = "grounded"
    base_url: str | None = field(default=None, repr=False)
    """Server of `openai-api/` models."""
    folder: Path | None = None
    """Run folder of detectors that make model calls; `None` keeps none."""
    seed: int = 0

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        check_bounds("batch_size", self.batch_size, 1, MAX_COUNT, DetectorError, whole=True)


def check_threshold(threshold: float | None) -> None:
    """See that a threshold is a score; `None` is the detector's own.

    Raises:
        DetectorError: it is not, so that nothing or all would be flagged.
    """
    check_bounds("threshold", threshold, 0, 1, DetectorError)


@dataclass(frozen=True, slots=True)
class DetectorKind:
    """A kind of detector, and where it is made."""

    says: str
    """One line for the user."""
    factory: str
    """"module:function"; the function takes (model, options) and returns a detector."""
    model: str | None = None
    """What stands behind the colon; `None` when nothing does."""
    needs: str | None = None
    """The extra that must be installed."""
    keeps_calls: bool = False
    """Whether it calls models in a way that a run folder can keep."""


USUAL_DETECTOR = "lexical"
"""The one that is asked where nobody names any."""

KINDS: dict[str, DetectorKind] = {
    "lexical": DetectorKind("words that the context lacks", "voirdire.detectors.lexical:open_lexical"),
    "entailment": DetectorKind(
        "words and a small model that reads, together",
        "voirdire.detectors.entailment:open_entailment",
        needs="entailment",
    ),
    "lexical-learned": DetectorKind(
        "a small trained model over such features", "voirdire.detectors.learned:open_learned", "FOLDER, optional"
    ),
    "type": DetectorKind(
        "cognitive statements (a trained classifier)", "voirdire.detectors.learned:open_type", "FOLDER, optional"
    ),
    "everything": DetectorKind("every statement (a baseline)", "voirdire.detectors.trivial:open_everything"),
    "later-turns": DetectorKind("all turns but the first (a baseline)", "voirdire.detectors.trivial:open_later_turns"),
    "chance": DetectorKind("a seeded coin (a baseline)", "voirdire.detectors.trivial:open_chance"),
    "llm": DetectorKind(
        "what a model finds, asked once a turn",
        "voirdire.detectors.labelling.detector:open_llm",
        "SPEC",
        keeps_calls=True,
    ),
    "nli": DetectorKind(
        "contradicted sentences, by an NLI model", "voirdire.detectors.neural.nli:open_nli", "MODEL", "torch"
    ),
    "selfcheck-nli": DetectorKind(
        "SelfCheckGPT's NLI score", "voirdire.detectors.neural.nli:open_selfcheck", "MODEL", "torch"
    ),
    "minicheck": DetectorKind(
        "MiniCheck's support score", "voirdire.detectors.neural.minicheck:open_minicheck", "MODEL", "torch"
    ),
    "encoder": DetectorKind("an encoder trained here", "voirdire.detectors.neural.nli:open_encoder", "FOLDER", "torch"),
    "lettucedetect": DetectorKind(
        "LettuceDetect's spans", "voirdire.detectors.neural.lettuce:open_lettuce", "MODEL, optional", "lettucedetect"
    ),
    "cognidet": DetectorKind(
        "a generative detector that lists sentences",
        "voirdire.detectors.generative.cognidet:open_cognidet",
        "MODEL",
        "torch",
        keeps_calls=True,
    ),
    "ragtruth": DetectorKind(
        "RAGTruth's generative spans", "voirdire.detectors.generative.ragtruth:open_ragtruth", "MODEL", "torch", True
    ),
    "fava": DetectorKind("FAVA's tagged edits", "voirdire.detectors.generative.fava:open_fava", "MODEL", "torch", True),
}


def check_run_folder(names: Sequence[str], folder: Path | None) -> None:
    """See that a run folder is only named where the calls of one of these detectors can be kept there.

    Raises:
        DetectorError: none of them makes such calls.
    """
    kinds = [KINDS.get(name.partition(":")[0]) for name in names]
    if folder is not None and all(kind is not None and not kind.keeps_calls for kind in kinds):
        make = "makes" if len(names) == 1 else "make"
        raise DetectorError(f"{listed(names)} {make} no calls that a run folder could keep: leave out --run.")


def open_detector(name: str, options: DetectorOptions | None = None) -> Detector:
    """Open a detector by name: KIND or KIND:MODEL. What it needs is imported only now.

    Raises:
        DetectorError: there is none of this name, its model is missing, or what it needs is not installed.
    """
    kind, _, model = name.partition(":")
    known = KINDS.get(kind)
    if known is None:
        raise DetectorError(f"There is no detector {kind!r}; {suggestion(kind, KINDS)}")
    if known.model is None and model:
        raise DetectorError(f"{kind} takes no model; {name!r} was given.")
    if known.model is not None and not model and "optional" not in known.model:
        raise DetectorError(f"{kind} needs a model: {kind}:{known.model}.")
    factory = cast(
        Callable[[str, DetectorOptions], Detector], import_function(known.factory, name, known.needs or "torch")
    )
    return factory(model, options or DetectorOptions())


def import_function(place: str, what: str, extra: str) -> Any:
    """The function at `MODULE:FUNCTION`.

    Raises:
        DetectorError: `what` needs a package that is not installed, and comes with this extra.
    """
    module, _, function = place.partition(":")
    try:
        return getattr(importlib.import_module(module), function)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("voirdire"):
            raise
        raise DetectorError(not_installed(what, error.name, extra)) from error
