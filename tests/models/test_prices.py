import pytest

from voirdire.models import ModelOptions, parse_spec, price_of, price_usd
from voirdire.models.specs import HOSTED
from voirdire.records import Usage

MILLION = Usage(input_tokens=1_000_000, output_tokens=1_000_000)


@pytest.fixture(autouse=True)
def no_redirection(monkeypatch):
    for provider in HOSTED.values():
        if provider.base_url_env:
            monkeypatch.delenv(provider.base_url_env, raising=False)


def price(spec, usage=MILLION, **options):
    return price_of(parse_spec(spec), usage, ModelOptions(**options))


@pytest.mark.parametrize(
    "spec",
    [
        "openai/gpt-4o",
        "openai-responses/gpt-4o",
        "azure/gpt-4o",
        "anthropic/claude-sonnet-4-5",
        "google/gemini-2.5-flash",
        "mistral/mistral-large-latest",
    ],
)
def test_the_list_knows_the_usual_models(spec):
    assert price(spec) > 0


def test_a_price_of_the_list():
    assert price("openai/gpt-4o") == pytest.approx(2.50 + 10.00)  # USD per million in, out; unchanged since 2024-10


def test_cached_input_costs_less():
    assert price("openai/gpt-4o", Usage(1_000, 0, cached_tokens=900)) < price("openai/gpt-4o", Usage(1_000, 0))


def test_reasoning_tokens_are_part_of_the_output_and_not_paid_twice():
    assert price("openai/gpt-5", Usage(0, 1_000, reasoning_tokens=800)) == price("openai/gpt-5", Usage(0, 1_000))


@pytest.mark.parametrize("spec", ["openai/no-such-model", "vllm/gpt-4o"])
def test_what_the_list_does_not_know_is_unknown_and_not_free(spec):
    assert price(spec) is None


def test_usage_that_contradicts_itself_has_no_price():
    assert price_usd("openai", "gpt-4o", Usage(10, 0, cached_tokens=20)) is None


@pytest.mark.parametrize("spec", ["local/gpt-5.1", "simulated/subject"])
def test_own_models_cost_nothing(spec):
    assert price(spec) == 0.0


@pytest.mark.parametrize("spec", ["openai-api/gpt-5.1", "openai/gpt-5.1", "anthropic/claude-sonnet-4-5"])
def test_a_server_at_a_base_url_is_not_billed_at_the_price_of_its_models_namesake(spec):
    assert price(spec, base_url="http://127.0.0.1:8000/v1") == 0.0


@pytest.mark.parametrize("spec", ["local/x", "simulated/subject", "openai-api/x", "openai/gpt-4o", "openai/no-such"])
def test_the_users_price_goes_first(spec):
    assert price(spec, base_url="http://127.0.0.1:8000/v1", price_per_million=(2.0, 3.0)) == 5.0
    assert price(spec, price_per_million=(0.5, 0.0)) == 0.5


def test_azure_keeps_its_price_at_its_own_address():
    assert price("azure/gpt-4o", base_url="https://me.openai.azure.com/openai/v1") == price("azure/gpt-4o")
    assert price("azure/gpt-4o", base_url="http://127.0.0.1:8000/openai/v1") == 0.0


def test_an_address_from_the_environment_has_no_known_price(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:8000/v1")
    assert price("openai/gpt-4o") is None
    assert price("openai/gpt-4o", price_per_million=(1.0, 1.0)) == 2.0
