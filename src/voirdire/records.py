"""The nouns of the whole program, on one page.

Everything here is plain, frozen data: no I/O, no computation beyond small conversions, no import from the
rest of the package. Every other module may import this one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

ChatRole = Literal["system", "user", "assistant"]
TrapKind = Literal["expert", "paper", "statistic", "event", "law"]
Stance = Literal["rejected", "questioned", "accepted"]
FinishReason = Literal["stop", "length", "refusal", "other"]
OutputMode = Literal["text", "json_schema"]
ConceptKind = Literal["established", "current", "contested", "practical"]
ErrorKind = Literal[
    "auth", "bad_request", "not_found", "rate_limit", "server", "connection", "timeout", "unexpected", "interrupted"
]
"""How an attempt failed; "interrupted": whoever stopped the run did not await it."""

TRAP_KINDS: tuple[TrapKind, ...] = ("expert", "paper", "statistic", "event", "law")
STANCES: tuple[Stance, ...] = ("rejected", "questioned", "accepted")

SCORE_DECIMALS = 9
"""Scores are rounded to this when they are made, and before they meet a threshold: the mean of .6, .7 and .8 is not
above .7."""


# --- messages and calls ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fenced:
    """Text written by a subject, to be shown to another model as data and never as an instruction."""

    label: str
    """What the text is, for the reader: "question", "answer" …"""
    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message, before fencing: plain parts are ours, `Fenced` parts come from a subject."""

    role: ChatRole
    parts: tuple[str | Fenced, ...]

    @classmethod
    def of(cls, role: ChatRole, *parts: str | Fenced) -> Message:
        """Build a message from its parts, in order."""
        return cls(role, parts)


@dataclass(frozen=True, slots=True)
class WireMessage:
    """One chat message as it is sent: fences applied, a single string."""

    role: ChatRole
    content: str
    shared: int = field(default=0, compare=False)
    """Characters before the first fence, which other calls begin with as well: where a provider's prefix cache is told
    to break. 0 where nothing is fenced. It is no part of what is sent, and is not kept."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Which call of a run this is. The run itself is the journal that the call is written to."""

    dialogue: str
    turn: int
    role: str
    """Who speaks: "subject", "interviewer", "judge", "check" …"""
    agent: str = ""
    """Which judge, or which sample: tells calls of one role at one turn apart."""
    repair: int = 0
    """0 for the first request, 1, 2 … for each time the model was asked to mend its answer."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a model is asked to do beside the messages. `None` leaves a setting out of the request."""

    max_tokens: int
    temperature: float | None = None
    top_p: float | None = None
    logprobs: int = 0
    """How many alternatives of the first token to ask for; 0 asks for none."""
    reasoning: str | None = None
    """Thinking effort ("low", "medium", "high"), for models that take it."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One atomic, verifiable fact of a concept."""

    id: str
    text: str
    source: str
    wrong: str = ""
    """A plausible false version of the same statement: for simulated subjects and for testing judges."""
    position: str = ""
    """In a contested concept: whose view it is. The text itself attributes the view."""


@dataclass(frozen=True, slots=True)
class Trap:
    """A fabrication for turn 4: something that does not exist, presented as if it did."""

    kind: TrapKind
    item: str
    """The fabricated thing as it must be named in the question: "Professor Ilse Marchetti", "41.7 %" …"""
    description: str
    """One sentence for the judges: what is fabricated."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Stage directions for simulated models. Never sent to a real model and never part of a call's key."""

    concept: str
    facts: tuple[Fact, ...]
    turn: int
    level: float | None = None
    trap: Trap | None = None
    earlier_stance: Stance | None = None
    """At turn 5: the stance the run took the subject to have at turn 4."""
    answer: str | None = None
    """For a simulated judge: the answer to judge."""


@dataclass(frozen=True, slots=True)
class Request:
    """One call to be made: who asks (slot), what is said, and in which form the answer is wanted."""

    slot: Slot
    messages: tuple[Message, ...]
    settings: Settings
    schema: Mapping[str, Any] | None = None
    """JSON schema of the wanted answer; `None` for free text."""
    scene: Scene | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts of one call, as reported by the provider."""

    input_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    """Of the input, read from the provider's prefix cache."""
    cache_write_tokens: int = 0
    """Of the input, written to the provider's prefix cache where that has a price of its own (Anthropic). The journal
    keeps the price, not this number."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered."""

    text: str
    finish_reason: FinishReason
    usage: Usage = Usage()
    model: str = ""
    """The model's name as the provider reported it."""
    logprobs: tuple[tuple[str, float], ...] = ()
    """(token, natural-log probability) of the first token's alternatives, most probable first."""
    warnings: tuple[str, ...] = ()
    """Whatever the provider changed or dropped: an unsupported temperature, a reply cut at the limit …"""
    sent: str = ""
    """Body of the HTTP request as it went out; empty where it can't be seen. Headers are never kept."""
    received: str = ""
    """Body of the HTTP response as it came in."""


@dataclass(frozen=True, slots=True)
class CallFailure:
    """A call that did not end in a reply, after every allowed attempt."""

    kind: ErrorKind
    message: str
    attempts: int


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """What a call's key says about the model: the same identity must mean the same model."""

    spec: str
    endpoint: str
    """Base URL, or "local" / "simulated"; without credentials and query."""
    name: str
    sha256: str | None = None
    """Of the GGUF file, for a local model."""


# --- concepts -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Instance:
    """A real example of a concept that turns 2 and 3 can reach."""

    name: str
    person: str = ""
    date: str = ""
    place: str = ""
    work: str = ""


@dataclass(frozen=True, slots=True)
class Concept:
    """What a subject is examined on."""

    id: str
    name: str
    domain: str
    reference: str
    facts: tuple[Fact, ...]
    instances: tuple[Instance, ...]
    scholars: tuple[str, ...]
    """Real people of the field: a fabricated expert may not carry one of their names."""
    topics: tuple[str, ...]
    """Noun phrases of the field that a fabrication can be about."""
    real: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Real papers, events and laws, by trap kind: a fabrication may not name one of them."""
    aliases: tuple[str, ...] = ()
    """Other names, among them those of the published data."""
    kind: ConceptKind = "established"
    """What counts as right: what is known, what held at a date, who holds which view, or what is to be done."""
    as_of: str = ""
    """The date (ISO) at which the reference holds, told to subjects and judges; needed where `kind` is "current"."""


# --- dialogues, verdicts --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and its answer within a dialogue."""

    model: str
    concept: str
    level: float
    turn: int
    question: str
    answer: str | None
    """`None` when the call failed: the turn is asked but has nothing to score."""
    question_source: str = "llm"
    """"llm", "template" (scripted) or "fallback" (the template, after failing questions of the LLM)."""
    question_notes: tuple[str, ...] = ()
    """What the checks found: a failing question and why, no example to drill into …"""
    trap: Trap | None = None
    finish_reason: str = "stop"
    error: str | None = None
    sample: int = 0
    """Repetition of the same (model, concept, level), from 0."""

    @property
    def dialogue(self) -> str:
        """The name of the dialogue it belongs to."""
        return dialogue_id(self.model, self.concept, self.level, self.sample)


def dialogue_id(model: str, concept: str, level: float, sample: int) -> str:
    """The name of a dialogue within its run."""
    return f"{model}|{concept}|{level:g}|{sample}"


@dataclass(frozen=True, slots=True)
class JudgeTask:
    """All that a judge may know of a turn. The subject's name is not among it."""

    dialogue: str
    turn: int
    concept: str
    question: str
    answer: str
    reference: str | None = None
    level: float | None = None
    trap: Trap | None = None
    history: tuple[tuple[str, str], ...] = ()
    """Earlier (question, answer) pairs of the dialogue, for judges who are shown them."""
    facts: tuple[Fact, ...] = ()
    """The concept's facts: for the reference panel and for simulated judges only."""
    kind: ConceptKind = "established"
    as_of: str = ""
    """The date (ISO) at which the reference holds, where it names one."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one judge said of one turn. A judge that failed has `missing` set and no scores."""

    judge: str
    far: float | None
    sas: float | None
    no_claims: bool = False
    stance: Stance | None = None
    justification: str = ""
    missing: str | None = None
    call_failed: bool = False
    """Whether it is missing because a call failed: such a call is made again later; a reply, whatever it is, stands."""
    repairs: int = 0
    fault: str | None = None
    """What was wrong with the first reply that the judge was asked to mend."""


@dataclass(frozen=True, slots=True)
class Consensus:
    """What the panel said of one turn."""

    far: float | None
    """`None` when the panel found no claims, or when the turn is unscored."""
    sas: float | None
    no_claims: bool
    stance: Stance | None
    judges: int
    """How many judges were present."""
    unscored: str | None = None
    """Why there is no score: below the quorum, or no answer to score."""
