"""Which providers take batches, and what asking by batch is made of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from voirdire.models.base import SpecError


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """One request, as the ordinary call would have sent it."""

    id: str
    """Made of the body alone, so that a later session finds the request again in a batch that was sent off."""
    body: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request, in the form of the HTTP response that the ordinary call would have had."""

    status: int
    body: str
    batch: str = ""
    """The provider's id of the batch that it came by; empty if it came by none."""

    @property
    def usable(self) -> bool:
        """Whether it is a reply, and no error."""
        return 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class BatchRecord:
    """A batch as the ledger has it."""

    name: str
    """Our own; the provider's batch carries it where it can."""
    endpoint: str
    """The API's root, without credentials."""
    at: str
    """When it was about to be sent off (ISO, UTC)."""
    requests: tuple[str, ...]
    """Ids of the requests in it."""
    id: str | None = None
    """The provider's; `None` if a session ended before it knew whether the batch had arrived."""


class Ledger(Protocol):
    """Where batches are written down durably, so that no request is sent, and paid, twice."""

    def records(self) -> Sequence[BatchRecord]:
        """Every batch that was sent off, or may have been, in order."""
        ...

    async def intend(self, record: BatchRecord) -> None:
        """Write a batch down before it is sent off."""
        ...

    async def sent(self, name: str, batch: str | None) -> None:
        """Write down the provider's id of it, or `None` if the provider did not take it."""
        ...


@dataclass(frozen=True, slots=True)
class Pace:
    """How long to wait, in seconds."""

    quiet: float = 2.0
    """A batch is sent off when no request has been added for so long."""
    first: float = 5.0
    """Before a batch is looked at again; half as much longer each time."""
    most: float = 60.0
    """No wait is longer."""

    def waits(self) -> Iterator[float]:
        """The waits between looks, without end."""
        wait = self.first
        while True:
            yield wait
            wait = min(self.most, wait * 1.5)


@dataclass(frozen=True, slots=True)
class Batching:
    """How a run asks by batch."""

    ledger: Ledger
    say: Callable[[str], None]
    """Told what is sent off, and what comes back."""
    pace: Pace = field(default_factory=Pace)


@dataclass(frozen=True, slots=True)
class State:
    """How a batch is doing at the provider."""

    id: str
    ended: bool
    unlisted: Answer
    """What holds for a request that the results do not name."""
    results: Collection[str] = ()
    """Addresses of the files with results, relative to the API's root."""


class Claims:
    """Batches of earlier sessions at one endpoint, by the requests in them; of several, the last one has it."""

    def __init__(self, records: Iterable[BatchRecord], endpoint: str) -> None:
        self._records = {
            custom_id: record for record in records if record.endpoint == endpoint for custom_id in record.requests
        }
        self._collected: set[str] = set()

    def of(self, custom_id: str) -> BatchRecord | None:
        """The batch that may answer a request."""
        return self._records.get(custom_id)

    def drop(self, custom_id: str) -> None:
        """The request has its answer, or its batch has none for it."""
        self._records.pop(custom_id, None)

    def begin(self, record: BatchRecord) -> bool:
        """Whether the batch is not being collected yet; from now on it is."""
        if record.name in self._collected:
            return False
        self._collected.add(record.name)
        return True

    def end(self, record: BatchRecord) -> None:
        """The batch is no longer being collected."""
        self._collected.discard(record.name)


_HALF = 0.5
BATCHED: dict[str, float] = {
    # "50% cost discount compared to synchronous APIs": OpenAI's guide to its Batch API, November 2026.
    "openai": _HALF,
    "openai-responses": _HALF,
    # "All usage is charged at 50% of the standard API prices": Anthropic's page on batch processing, November 2026.
    "anthropic": _HALF,
    # "at a 50% discount": Mistral's page on batch processing, November 2026.
    "mistral": _HALF,
    # A server of one's own, or a paid one: its price is what the user says it is.
    "openai-api": 0.0,
}
"""Share of the price that a batch saves, by provider."""


def batch_discount(provider: str) -> float:
    """The share of the price, from 0 to 1, that this provider's batches save; 0 where it has none."""
    return BATCHED.get(provider, 0.0)


def check_batched(spec: str) -> None:
    """See that a model (PROVIDER/NAME) can be asked by batch.

    Raises:
        SpecError: its provider takes no batches, or none that voirdire can send.
    """
    provider = spec.partition("/")[0].strip()
    if provider not in BATCHED:
        raise SpecError(
            f"{spec} can't be asked by batch, as voirdire knows no batch endpoint of {provider}: "
            f"leave out --batch, or take a model of {', '.join(BATCHED)}."
        )
