"""Model specs, "provider/name": which providers there are, and what each needs."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from voirdire.errors import install
from voirdire.models.base import SpecError
from voirdire.models.simulated import NAMES as SIMULATED
from voirdire.text.suggestion import nearest


@dataclass(frozen=True, slots=True)
class Spec:
    """A parsed model spec; `str()` gives it back."""

    provider: str
    name: str
    """As the provider names the model; it may hold slashes itself."""

    def __str__(self) -> str:
        return f"{self.provider}/{self.name}"


@dataclass(frozen=True, slots=True)
class Provider:
    """A hosted provider: what pydantic-ai calls it, and where its key is looked for."""

    name: str
    engine: str
    """The provider's name in pydantic-ai."""
    key_env: tuple[str, ...] = ()
    """Environment variables that may hold the key, the first one set wins; empty: credentials of its own kind."""
    key_needed: bool = True
    base_url_env: str = ""
    """Environment variable that redirects the provider's client to another address."""
    extra: str = ""
    """The extra of voirdire that brings the provider's library; empty: pydantic-ai names it."""
    library: str = "openai"
    """The module of the provider's library."""

    @property
    def install_command(self) -> str:
        """What installs the library."""
        extra = self.extra or ("openai" if self.library == "openai" else "")
        return install(extra) if extra else f"pip install 'pydantic-ai-slim[{self.engine}]'"


def _provider(
    name: str,
    *key_env: str,
    engine: str = "",
    key_needed: bool = True,
    base_url_env: str = "",
    extra: str = "",
    library: str = "openai",
) -> tuple[str, Provider]:
    return name, Provider(name, engine or name, key_env, key_needed and bool(key_env), base_url_env, extra, library)


HOSTED: dict[str, Provider] = dict(
    [
        # pydantic-ai's own "openai" is the Responses API; most of the field means Chat Completions.
        _provider("openai", "OPENAI_API_KEY", engine="openai-chat", base_url_env="OPENAI_BASE_URL", extra="openai"),
        _provider("openai-responses", "OPENAI_API_KEY", base_url_env="OPENAI_BASE_URL", extra="openai"),
        _provider("openai-api", "OPENAI_API_KEY", engine="", key_needed=False, extra="openai"),
        _provider(
            "anthropic",
            "ANTHROPIC_API_KEY",
            base_url_env="ANTHROPIC_BASE_URL",
            extra="anthropic",
            library="anthropic",
        ),
        _provider("azure", "AZURE_OPENAI_API_KEY"),
        _provider(
            "google",
            "GOOGLE_API_KEY",
            "GEMINI_API_KEY",
            base_url_env="GOOGLE_GEMINI_BASE_URL",
            extra="google",
            library="google.genai",
        ),
        _provider("mistral", "MISTRAL_API_KEY", extra="mistral", library="mistralai"),
        _provider("alibaba", "ALIBABA_API_KEY", "DASHSCOPE_API_KEY"),
        _provider("azure-responses", "AZURE_OPENAI_API_KEY"),
        _provider("bedrock", library="boto3"),
        _provider("cerebras", "CEREBRAS_API_KEY"),
        _provider("cohere", "CO_API_KEY", library="cohere"),
        _provider("crusoe", "CRUSOE_API_KEY"),
        _provider("deepseek", "DEEPSEEK_API_KEY"),
        _provider("fireworks", "FIREWORKS_API_KEY"),
        _provider("github", "GITHUB_API_KEY"),
        _provider("google-cloud", extra="google", library="google.genai"),
        _provider("groq", "GROQ_API_KEY", library="groq"),
        _provider("heroku", "HEROKU_INFERENCE_KEY"),
        _provider("huggingface", "HF_TOKEN", library="huggingface_hub"),
        _provider("litellm"),
        _provider("meta", "META_API_KEY"),
        _provider("moonshotai", "MOONSHOTAI_API_KEY"),
        _provider("nebius", "NEBIUS_API_KEY"),
        _provider("ollama", "OLLAMA_API_KEY", key_needed=False),
        _provider("openrouter", "OPENROUTER_API_KEY"),
        _provider("ovhcloud", "OVHCLOUD_API_KEY"),
        _provider("sambanova", "SAMBANOVA_API_KEY"),
        _provider("snowflake", "SNOWFLAKE_TOKEN"),
        _provider("together", "TOGETHER_API_KEY"),
        _provider("vercel", "VERCEL_AI_GATEWAY_API_KEY", "VERCEL_OIDC_TOKEN"),
        _provider("vllm", "VLLM_API_KEY", key_needed=False),
        _provider("xai", "XAI_API_KEY", library="xai_sdk"),
        _provider("zai", "ZAI_API_KEY"),
    ]
)
"""Hosted providers by name. A name that a later pydantic-ai adds works too; its key is then pydantic-ai's business."""

OWN: tuple[str, ...] = ("local", "simulated")
"""Providers that are part of voirdire."""

PLUGINS = "voirdire.models"
"""Group of the entry points through which installed packages, and our own upper layers, offer further providers."""


def hosted_provider(name: str) -> Provider:
    """What is known of a hosted provider; for one that only pydantic-ai knows, its name alone."""
    return HOSTED.get(name) or Provider(name, name, key_needed=False)


def parse_spec(text: str, registered: Iterable[str] = ()) -> Spec:
    """Take a spec apart at its first slash.

    Args:
        text: "provider/name", for example "openai/gpt-5" or "local//models/x.gguf".
        registered: names of providers that upper layers have added.

    Raises:
        SpecError: no slash, no name, a key in the place of a name, or a provider nobody knows.
    """
    provider, slash, name = (part.strip() for part in text.strip().partition("/"))
    if not slash or not provider or not name:
        simulated = None if slash else nearest(text.strip(), SIMULATED)
        meant = f"simulated/{simulated}" if simulated else ""
        if ":" in text and not slash:
            meant = text.strip().replace(":", "/", 1)
        hint = f"; did you mean {meant}?" if meant else "."
        raise SpecError(
            f"{text!r} is not a model spec: write PROVIDER/NAME, for example openai/gpt-5 or local/smollm2-135m{hint}"
        )
    _check_no_key(provider, name)
    known = (*HOSTED, *OWN, *registered)
    if provider in known or plugin(provider) or _known_to_pydantic_ai(provider):
        return Spec(provider, name)
    close = difflib.get_close_matches(provider.lower(), known, n=1, cutoff=0.6)
    hint = f"did you mean {close[0]}/{name}?" if close else f"known are {', '.join(known)}."
    raise SpecError(f"{text!r} names the provider {provider!r}, which voirdire does not know: {hint}")


def _check_no_key(provider: str, name: str) -> None:
    """A name is recorded with every call: a key in its place must not get that far.

    Raises:
        SpecError: the name is a key, or has one in it.
    """
    from voirdire.models.secrets import is_secret, known_secrets, look_alikes  # they know of the providers listed here

    if provider in OWN:
        return
    if look_alikes(name) != name or any(is_secret(secret) and secret in name for secret in known_secrets()):
        raise SpecError(
            f"What follows {provider}/ looks like a key, not like a model's name: give the model's name there, and the "
            "key in the environment."
        )


def plugin(provider: str) -> EntryPoint | None:
    """The entry point of a provider that is not ours: it names a function of (name, options) that opens a model."""
    return next(iter(entry_points(group=PLUGINS, name=provider)), None)


def _known_to_pydantic_ai(provider: str) -> bool:
    # Slow (it imports pydantic-ai), and therefore asked last: only for names that are not in the table.
    try:
        from pydantic_ai.providers import infer_provider_class
    except ImportError:  # without any extra for hosted models, the table is all that is known
        return False
    try:
        infer_provider_class(provider)
    except ImportError:  # known, but its package is not installed: opening the model says which
        return True
    except Exception:
        return False
    return True
