import subprocess
import sys

import pytest

from voirdire.models import ModelOptions, SpecError, list_models, open_model, register, registry
from voirdire.models.specs import HOSTED


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    for provider in HOSTED.values():
        for name in (*provider.key_env, provider.base_url_env):
            if name:
                monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(registry, "_registered", {})


def refused(spec, **options) -> str:
    with pytest.raises(SpecError) as caught:
        open_model(spec, ModelOptions(**options))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_importing_the_package_loads_no_provider_library():
    code = (
        "import sys, voirdire.models; "
        "heavy = {'pydantic_ai', 'openai', 'httpx2', 'genai_prices', 'xllamacpp', 'pandas'} & set(sys.modules); "
        "sys.exit(', '.join(sorted(heavy)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("spec", "variable"),
    [
        ("openai/gpt-5", "OPENAI_API_KEY"),
        ("openai-responses/gpt-5", "OPENAI_API_KEY"),
        ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("google/gemini-2.5-flash", "GOOGLE_API_KEY or GEMINI_API_KEY"),
        ("mistral/mistral-large-latest", "MISTRAL_API_KEY"),
        ("azure/gpt-4o", "AZURE_OPENAI_API_KEY"),
    ],
)
def test_a_missing_key_is_one_sentence_with_the_variable(spec, variable):
    assert f"{spec} needs a key: set the environment variable {variable}," in refused(spec)


def test_a_variable_named_by_the_user_must_be_set():
    assert "MY_KEY" in refused("openai/gpt-5", api_key_env="MY_KEY")


def test_a_compatible_server_needs_an_address():
    assert "openai-api/m needs the base URL of its server" in refused("openai-api/m")


def test_an_address_needs_its_scheme():
    assert "must begin with http:// or https://" in refused("openai-api/m", base_url="127.0.0.1:8000/v1")


def test_azure_needs_an_endpoint_and_an_api_version(monkeypatch):
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "x")
    monkeypatch.delenv("AZURE_OPENAI_ENDPOINT", raising=False)
    monkeypatch.delenv("OPENAI_API_VERSION", raising=False)
    assert "set AZURE_OPENAI_ENDPOINT" in refused("azure/gpt-4o")
    assert "set OPENAI_API_VERSION" in refused("azure/gpt-4o", base_url="https://me.openai.azure.com")


def test_a_missing_package_is_named_with_the_command_that_installs_it(monkeypatch):
    # As if the package were not there, whether it is or not.
    monkeypatch.setitem(sys.modules, "groq", None)
    monkeypatch.delitem(sys.modules, "pydantic_ai.providers.groq", raising=False)
    monkeypatch.setenv("GROQ_API_KEY", "x")
    assert refused("groq/llama-3.3-70b-versatile") == (
        "groq/llama-3.3-70b-versatile needs a package that is not installed: pip install 'pydantic-ai-slim[groq]'."
    )


@pytest.mark.parametrize(
    ("spec", "extra"),
    [
        ("anthropic/claude-opus-4-1", "anthropic"),
        ("google/gemini-2.5-pro", "google"),
        ("google-cloud/gemini-2.5-pro", "google"),
        ("mistral/mistral-large-latest", "mistral"),
    ],
)
def test_a_provider_whose_library_is_an_extra_names_the_extra(monkeypatch, spec, extra):
    provider = HOSTED[spec.partition("/")[0]]
    module = {"google-cloud": "google_cloud"}.get(provider.name, provider.name)
    monkeypatch.setitem(sys.modules, f"pydantic_ai.providers.{module}", None)
    for name in provider.key_env[:1]:
        monkeypatch.setenv(name, "x")
    assert refused(spec) == f"{spec} needs a package that is not installed: pip install 'voirdire[{extra}]'."


@pytest.mark.parametrize("package", ["pydantic_ai", "openai", "aiohttp"])
def test_without_any_extra_for_hosted_models_the_one_that_is_needed_is_named(package):
    needed = {"openai/gpt-5.1": "openai", "groq/llama": "openai", "anthropic/claude-opus-4-1": "anthropic"}
    program = (
        f"import sys; sys.modules[{package!r}] = None; from voirdire.models import SpecError, open_model\n"
        f"for spec in {list(needed)!r}:\n"
        "    try: open_model(spec)\n"
        "    except SpecError as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert said.splitlines() == [
        f"{spec} needs a package that is not installed: pip install 'voirdire[{extra}]'."
        for spec, extra in needed.items()
    ]


def test_a_provider_without_an_address_of_choice_says_so(monkeypatch):
    monkeypatch.setenv("DEEPSEEK_API_KEY", "x")
    message = refused("deepseek/deepseek-chat", base_url="http://user:pass@127.0.0.1:1/v1")
    assert "takes no base URL, but http://127.0.0.1:1/v1 was given" in message


def test_a_provider_that_knows_its_own_needs_says_them(monkeypatch):
    monkeypatch.delenv("OLLAMA_BASE_URL", raising=False)
    assert refused("ollama/llama3").startswith("ollama/llama3 can't be opened: ")


def test_upper_layers_add_providers_by_name():
    opened = []
    register("inspect", lambda name, options: opened.append((name, options.base_url)))
    open_model("inspect/openai/gpt-5", ModelOptions(base_url="http://x"))
    assert opened == [("openai/gpt-5", "http://x")]


@pytest.mark.parametrize("name", ["openai", "local", "", "a/b"])
def test_a_name_that_is_taken_or_malformed_can_not_be_registered(name):
    with pytest.raises(ValueError, match="can't be registered"):
        register(name, lambda name, options: None)


def test_simulated_models_open_by_name():
    assert open_model("simulated/steady").identity.endpoint == "simulated"


def test_the_list_says_what_is_ready(monkeypatch, tmp_path):
    monkeypatch.setenv("VOIRDIRE_MODELS", str(tmp_path))
    monkeypatch.setenv("MISTRAL_API_KEY", "a-secret-key")
    entries = {entry.spec: entry for entry in list_models()}
    local = entries["local/smollm2-135m"]
    assert (local.ready, local.size_bytes, local.license) == (False, 98_362_432, "Apache-2.0")
    assert entries["simulated/steady"].ready
    assert entries["mistral/…"].ready
    assert not entries["openai/…"].ready
    assert entries["openai/…"].key_env == "OPENAI_API_KEY"
    assert "not set" in entries["openai/…"].note
    assert entries["openai-api/…"].ready
    assert "a-secret-key" not in repr(entries)


def test_a_hosted_model_is_ready_only_where_its_library_is_installed(monkeypatch):
    monkeypatch.setattr("voirdire.models.registry.find_spec", lambda _: None)
    hosted = {entry.spec: entry for entry in list_models() if entry.kind == "hosted"}
    assert not any(entry.ready for entry in hosted.values())
    assert hosted["bedrock/…"].note.endswith("; needs boto3: pip install 'pydantic-ai-slim[bedrock]'")
    assert hosted["google-cloud/…"].note.endswith("; needs google.genai: pip install 'voirdire[google]'")
    assert hosted["vllm/…"].note.endswith("; needs openai: pip install 'voirdire[openai]'")


def test_credentials_that_a_provider_s_library_does_not_find_are_told_in_a_sentence(monkeypatch):
    monkeypatch.setattr("pydantic_ai.providers.google_cloud.Client", _without_credentials)
    with pytest.raises(SpecError, match=r"^google-cloud/x can't be opened: none were found$"):
        open_model("google-cloud/x")


def _without_credentials(**_):
    raise RuntimeError("none were found")


def test_the_list_puts_local_models_first_and_providers_with_a_key_before_those_without(monkeypatch):
    monkeypatch.setenv("ZAI_API_KEY", "x")
    entries = list_models()
    assert entries[0].kind == "local"
    specs = [entry.spec for entry in entries]
    assert specs.index("zai/…") < specs.index("openai/…")


def test_a_local_model_is_ready_only_where_it_can_run(monkeypatch):
    monkeypatch.setattr("voirdire.models.local.find_spec", lambda _: None)
    local = [entry for entry in list_models() if entry.kind == "local"]
    assert local and not any(entry.ready for entry in local)
    assert all("pip install 'voirdire[local]'" in entry.note for entry in local)
