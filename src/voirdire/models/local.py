"""GGUF models in this process, through the llama.cpp server that xllamacpp brings.

The server starts at the first call and is shared by all models of the same file and options. While it loads
(half a second for SmolLM2, seconds for larger files) xllamacpp holds Python's lock, so that the event loop stands
still even though the loading happens in a thread of its own.

Replies repeat exactly, for the same messages and seed, only with `ModelOptions.exact`: one slot, a fixed number
of threads and no cache of prompts. Without it, what else the server works on changes the last digits of its sums,
and with them now and then a token.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from secrets import token_hex
from typing import Any

from voirdire.errors import not_installed
from voirdire.models import weights
from voirdire.models.base import Model, ModelError, ModelOptions, SpecError
from voirdire.models.gguf import GgufError, check_gguf
from voirdire.models.llama_server import SLOT_CONTEXT, check_loads, start_server
from voirdire.records import ModelIdentity, OutputMode, Reply, Scene, Settings, Usage, WireMessage

NEEDED_TO_RUN = not_installed("Running it", "xllamacpp", "local")
"""Said of weights that are here and can't be used yet."""


def can_run_local() -> bool:
    """Whether what runs GGUF files is installed."""
    return find_spec("xllamacpp") is not None


def open_local(name: str, options: ModelOptions) -> Model:
    """Open "local/NAME": known weights, or a path to a GGUF file. The weights are not loaded before the first call.

    Raises:
        SpecError: no such weights, not fetched yet, or xllamacpp is not installed.
    """
    if not can_run_local():
        raise SpecError(not_installed(f"The model local/{name}", "xllamacpp", "local"))
    path = weights.find(name)
    if path is None and name in weights.KNOWN:
        raise SpecError(f"The weights {name} are not on this machine: fetch them with voirdire models pull {name}.")
    if path is None:
        raise SpecError(f"There is no file {name}: local/ takes the path of a .gguf file, or a known name.")
    if name not in weights.KNOWN:
        _check_header(path)
    label = name if name in weights.KNOWN else path.name
    identity = ModelIdentity(spec=f"local/{name}", endpoint="local", name=label, sha256=weights.sha256_of(path))
    slots = 1 if options.exact else max(1, options.parallel)
    return LocalModel(identity, _ServerKey(path, label, slots, options.exact), options.price_per_million or (0.0, 0.0))


def _check_header(path: Path) -> None:
    """Look at a file of the user's before llama.cpp does."""
    try:
        check_gguf(path)
    except GgufError as error:
        raise SpecError(f"{path} is no GGUF file that can be used: {error}.") from None
    except OSError as error:
        raise SpecError(f"{path} can't be read: {error.strerror or error}.") from None


class LocalModel:
    """A model on the in-process server. At most as many calls as the server has slots are sent to it at once."""

    def __init__(self, identity: ModelIdentity, server: _ServerKey, price_per_million: tuple[float, float]) -> None:
        self._identity = identity
        self._key = server
        self._price = price_per_million
        self._client: Model | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def identity(self) -> ModelIdentity:
        """The file's name and SHA-256."""
        return self._identity

    def output_mode(self, schema: Mapping[str, Any] | None) -> OutputMode:
        """A schema is always enforced, by a grammar: the reply can't be of another form (but may be cut short)."""
        return "text" if schema is None else "json_schema"

    def price(self, usage: Usage) -> float:
        """Zero, or what the options say."""
        into, out = self._price
        return (usage.input_tokens * into + usage.output_tokens * out) / 1e6

    async def complete(
        self,
        messages: Sequence[WireMessage],
        settings: Settings,
        *,
        schema: Mapping[str, Any] | None = None,
        seed: int = 0,
        timeout: float = 120.0,
        scene: Scene | None = None,
    ) -> Reply:
        """Make one call; the timeout counts from when a slot is free.

        Raises:
            ModelError: the weights can't be loaded, the messages are longer than the context, or the time is up.
        """
        self._enter_loop()
        client = await self._started()
        async with self._slots:
            try:
                return await client.complete(messages, settings, schema=schema, seed=seed, timeout=timeout, scene=scene)
            except ModelError as error:
                raise self._clearer(error) from None

    async def aclose(self) -> None:
        """Close the connection, and the server once no other model uses it."""
        self._enter_loop()
        async with self._starting:
            if self._client is not None:
                await self._client.aclose()
                self._client = None
                await asyncio.to_thread(_servers.release, self._key)

    def _enter_loop(self) -> None:
        """Locks belong to one event loop: make new ones where the model goes on in another."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop = loop
            self._starting = asyncio.Lock()
            self._slots = asyncio.Semaphore(self._key.slots)

    async def _started(self) -> Model:
        async with self._starting:
            if self._client is None:
                self._client = await asyncio.to_thread(self._connect)
            return self._client

    def _connect(self) -> Model:
        """Start the server, and import what speaks to it: each may take seconds, in which Ctrl-C must be heard."""
        from voirdire.models import hosted

        server = _servers.acquire(self._key)
        return hosted.openai_compatible(
            spec=self._identity.spec,
            name=self._key.label,
            base_url=server.base_url,
            api_key=server.api_key,
            identity=self._identity,
            price=self._price,
            force_json_schema=True,
            extra_body={"cache_prompt": not self._key.exact},
        )

    def _clearer(self, error: ModelError) -> ModelError:
        """llama.cpp advises to raise the context's size, which is not the user's to set."""
        if error.status != 400 or "context size" not in str(error):
            return error
        return ModelError(
            "bad_request",
            f"{self._identity.spec}: the messages are longer than the model's context (at most {SLOT_CONTEXT} tokens): "
            "take a shorter reference, or a preset with a smaller max_tokens.",
            status=400,
        )


@dataclass(frozen=True, slots=True)
class _ServerKey:
    """What tells servers apart."""

    path: Path
    label: str
    slots: int
    exact: bool


class _Server:
    """A running llama.cpp server. It ends when this object goes."""

    def __init__(self, key: _ServerKey) -> None:
        self.api_key = token_hex(16)
        self.users = 0
        check_loads(key.path)
        try:
            self._server = start_server(key.path, key.label, key.slots, key.exact, self.api_key)
        except RuntimeError as error:
            raise ModelError(
                "unexpected",
                f"llama.cpp can't load {key.path}: it is not a GGUF file that this version of xllamacpp knows, "
                "or there is too little memory.",
            ) from error
        self.base_url = f"{self._server.listening_address}/v1"


class _Servers:
    """The servers of this process, each with the number of models that use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[_ServerKey, _Server] = {}

    def acquire(self, key: _ServerKey) -> _Server:
        """The server for this key, started if it is not running. Blocks while it loads."""
        with self._lock:
            if key not in self._running:
                self._running[key] = _Server(key)
            self._running[key].users += 1
            return self._running[key]

    def release(self, key: _ServerKey) -> None:
        """One user less; the last one out ends the server."""
        with self._lock:
            self._running[key].users -= 1
            if self._running[key].users == 0:
                del self._running[key]


_servers = _Servers()
