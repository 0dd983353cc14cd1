"""From a spec to an open model, and what there is to open."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Literal

from voirdire.errors import install, not_installed
from voirdire.models.base import Model, ModelError, ModelOptions, SpecError
from voirdire.models.batch import Batching, check_batched
from voirdire.models.simulated import simulated_role
from voirdire.models.specs import HOSTED, OWN, Spec, hosted_provider, parse_spec, plugin
from voirdire.records import Settings, WireMessage

Opener = Callable[[str, ModelOptions], Model]
"""Opens a model by the name that stands behind the provider's slash."""

_CLIENT = frozenset(("pydantic_ai", "openai", "aiohttp"))
"""What speaks to hosted models and to servers; every extra for them brings it."""
_DEFAULTS = ModelOptions()
_registered: dict[str, Opener] = {}


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One line of the list of models: a model of voirdire's own, or a provider of hosted ones."""

    spec: str
    """As it is given to `open_model`; "…" stands for a name to fill in."""
    kind: Literal["local", "simulated", "hosted"]
    ready: bool
    """The weights are here, or the key is set, and what runs it is installed."""
    note: str
    size_bytes: int | None = None
    license: str = ""
    key_env: str = ""
    """Environment variables that may hold the key, joined by " or "."""

    @property
    def described(self) -> str:
        """The note, after the size and licence of weights."""
        return f"{self.size_bytes / 1e6:,.0f} MB, {self.license}; {self.note}" if self.size_bytes else self.note


def register(provider: str, opener: Opener) -> None:
    """Make a provider known by name in this process. A second registration replaces the first.

    A package offers one for good by an entry point (`specs.PLUGINS`), as `inspect/…` is.

    Raises:
        ValueError: the name is one of voirdire's own providers or a hosted one.
    """
    if provider in OWN or provider in HOSTED or not provider or "/" in provider:
        raise ValueError(
            f"The provider name {provider!r} can't be registered: choose one that is free, without a slash."
        )
    _registered[provider] = opener


def open_model(spec: str, options: ModelOptions = _DEFAULTS, batching: Batching | None = None) -> Model:
    """Open the model that `spec` names. Nothing is sent to a hosted one yet.

    Args:
        spec: PROVIDER/NAME.
        options: how to reach it.
        batching: ask by batch, and how; `None` asks call by call.

    Raises:
        SpecError: a malformed spec, an unknown provider, a missing key, address, package or file, or a provider
            without batches that is to be asked by batch.
    """
    parsed = parse_spec(spec, _registered)
    if batching is not None:
        check_batched(spec)
        with _needing_client(parsed):
            from voirdire.models.batch import opening
        return opening.open_batched(parsed, options, batching)
    if parsed.provider in _registered:
        return _registered[parsed.provider](parsed.name, options)
    if parsed.provider == "local":
        from voirdire.models import local

        return local.open_local(parsed.name, options)
    if parsed.provider == "simulated":
        from voirdire.models import simulated

        return simulated.open_simulated(str(parsed), options)
    entry_point = None if parsed.provider in HOSTED else plugin(parsed.provider)
    if entry_point is not None:
        opened: Model = entry_point.load()(parsed.name, options)
        return opened
    with _needing_client(parsed):
        from voirdire.models import hosted
    return hosted.open_hosted(parsed, options)


@contextmanager
def _needing_client(spec: Spec) -> Iterator[None]:
    """Import within it what speaks to hosted models.

    Raises:
        SpecError: no extra that brings it is installed: one sentence says which does.
    """
    try:
        yield
    except ImportError as error:
        if error.name is not None and error.name.partition(".")[0] not in _CLIENT:
            raise  # pydantic-ai names no module where a library of its own is missing
        extra = hosted_provider(spec.provider).extra or "openai"
        raise SpecError(not_installed(str(spec), None, extra)) from None


def list_models() -> list[ModelEntry]:
    """What can be opened: local models, simulated ones, then hosted providers, those with a key set first."""
    hosted = sorted(_hosted_entries(), key=lambda entry: not entry.ready)
    return [*_local_entries(), *_simulated_entries(), *hosted]


def _local_entries() -> list[ModelEntry]:
    from voirdire.models import weights
    from voirdire.models.local import can_run_local

    runs = can_run_local()
    needs = "" if runs else f"; needs xllamacpp: {install('local')}"
    entries = [
        ModelEntry(
            spec=f"local/{name}",
            kind="local",
            ready=runs and weights.find(name) is not None,
            note=known.title + needs,
            size_bytes=known.size,
            license=known.licence,
        )
        for name, known in weights.KNOWN.items()
    ]
    return [*entries, ModelEntry("local/PATH.gguf", "local", runs, f"any GGUF file on this machine{needs}")]


def _simulated_entries() -> list[ModelEntry]:
    from voirdire.models import simulated

    note = "a {}; known parameters, offline"
    specs = [f"simulated/{name}" for name in simulated.NAMES]
    return [ModelEntry(spec, "simulated", True, note.format(simulated_role(spec))) for spec in specs]


def _hosted_entries() -> list[ModelEntry]:
    entries = []
    for provider in HOSTED.values():
        has_key = any(os.environ.get(name) for name in provider.key_env)
        variables = " or ".join(provider.key_env)
        if provider.name == "openai-api":
            note = "any OpenAI-compatible server, by its base URL"
        elif not provider.key_env:
            note = "credentials of its own kind"
        elif not provider.key_needed:
            note = f"a server of yours: give --base-url; key, if it wants one, in {variables}"
        else:
            note = f"key in {variables}" + ("" if has_key else ", not set")
        ready = has_key or not provider.key_needed
        if not _installed(provider.library):
            ready, note = False, f"{note}; needs {provider.library}: {provider.install_command}"
        entries.append(ModelEntry(f"{provider.name}/…", "hosted", ready, note, key_env=variables))
    return entries


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of the package that it is in
        return False


_SETTINGS = Settings(max_tokens=16)  # 16 is the least that OpenAI's Responses API takes
_TURNS = 3
_TURN_TOKENS = 8
_SYSTEM_PROMPT = "A clerk at the registry answers questions about the files on the shelves, one after the other. " * 8
_QUESTION = (WireMessage("user", "Reply with the one word: yes"),)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Whether the model answers, and one sentence that says so or says what is wrong."""

    ok: bool
    sentence: str


def check(spec: str, options: ModelOptions = _DEFAULTS, timeout: float = 30.0) -> CheckResult:
    """Make one tiny call (16 tokens) and say what came of it. Not for use inside a running event loop.

    Args:
        spec: the model.
        options: how to reach it.
        timeout: seconds to wait for the answer.
    """
    return asyncio.run(check_async(spec, options, timeout))


async def check_async(spec: str, options: ModelOptions = _DEFAULTS, timeout: float = 30.0) -> CheckResult:
    """`check`, for use inside a running event loop."""
    try:
        model = open_model(spec, options)
    except SpecError as error:
        return CheckResult(False, str(error))
    if model.identity.endpoint == "simulated":  # it answers within a dialogue only, and can't be unreachable
        return CheckResult(True, f"{spec} is simulated: it needs no key and no server.")
    try:
        reply = await model.complete(_QUESTION, _SETTINGS, timeout=timeout)
    except ModelError as error:
        return CheckResult(False, str(error))
    finally:
        await model.aclose()
    called = f", which calls itself {reply.model}," if reply.model and reply.model != model.identity.name else ""
    tokens = reply.usage.input_tokens + reply.usage.output_tokens
    return CheckResult(True, f"{spec}{called} answers ({tokens} tokens for this check).")


async def exact_cost_async(
    spec: str, options: ModelOptions = _DEFAULTS, opener: Callable[[str, ModelOptions], Model] = open_model
) -> CheckResult:
    """What exactness costs: a short dialogue with a local model, timed both ways on this machine.

    Each way the model is loaded first, which is not timed.
    """
    if not spec.startswith("local/"):
        return CheckResult(
            False,
            f"{spec} is not one of local/…: only a model in this process repeats its replies exactly. Others are sent "
            "a seed, and do with it what they do.",
        )
    try:
        usual, _ = await _timed_dialogue(opener(spec, replace(options, exact=False)))
        exact, answers = await _timed_dialogue(opener(spec, replace(options, exact=True)))
        _, repeated = await _timed_dialogue(opener(spec, replace(options, exact=True)))
    except (SpecError, ModelError) as error:
        return CheckResult(False, str(error))
    repeats = "and gave the same answers twice" if answers == repeated else "but did not give the same answers twice"
    return CheckResult(
        answers == repeated,
        f"{spec} took {exact:.1f} s for a dialogue of {_TURNS} short answers with --exact, {repeats}; without, "
        f"{usual:.1f} s ({exact / max(usual, 1e-9):.1f} times as long with it). Exactly, it reads every prompt anew "
        "and answers one call at a time: the longer prompts are, the more that costs.",
    )


async def _timed_dialogue(model: Model) -> tuple[float, list[str]]:
    """Seconds of a dialogue, and the answers. The model is closed at its end."""
    settings = Settings(max_tokens=_TURN_TOKENS)
    messages = [WireMessage("system", _SYSTEM_PROMPT)]
    answers: list[str] = []
    try:
        await model.complete(_QUESTION, _SETTINGS, timeout=3600.0)
        started = time.perf_counter()
        for turn in range(_TURNS):
            messages.append(WireMessage("user", f"What stands on shelf {turn + 1}?"))
            answers.append((await model.complete(messages, settings, seed=turn, timeout=3600.0)).text)
            messages.append(WireMessage("assistant", answers[-1] or "Nothing."))
        return time.perf_counter() - started, answers
    finally:
        await model.aclose()
