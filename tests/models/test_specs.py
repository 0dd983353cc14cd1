import pytest

from voirdire.models import SpecError, parse_spec
from voirdire.models.specs import HOSTED, Spec


@pytest.mark.parametrize(
    ("text", "provider", "name"),
    [
        ("openai/gpt-5", "openai", "gpt-5"),
        (" anthropic/claude-sonnet-4-5 ", "anthropic", "claude-sonnet-4-5"),
        ("openrouter/meta-llama/llama-3.3-70b", "openrouter", "meta-llama/llama-3.3-70b"),
        ("local//models/x.gguf", "local", "/models/x.gguf"),
        ("simulated/subject?accuracy=0.9..0.5", "simulated", "subject?accuracy=0.9..0.5"),
    ],
)
def test_a_spec_is_cut_at_its_first_slash(text, provider, name):
    assert parse_spec(text) == Spec(provider, name)


def test_a_spec_is_given_back_as_text():
    assert str(parse_spec("openrouter/a/b")) == "openrouter/a/b"


@pytest.mark.parametrize("text", ["gpt-5", "", "/gpt-5", "openai/", "openai/ "])
def test_what_is_no_spec_is_refused_with_an_example(text):
    with pytest.raises(SpecError, match="write PROVIDER/NAME, for example openai/gpt-5"):
        parse_spec(text)


def test_a_colon_for_the_slash_is_recognised():
    with pytest.raises(SpecError, match=r"did you mean openai/gpt-5\?"):
        parse_spec("openai:gpt-5")


def test_an_unknown_provider_gets_the_nearest_name():
    with pytest.raises(SpecError, match=r"did you mean anthropic/claude\?"):
        parse_spec("antropic/claude")


def test_a_provider_like_no_other_gets_the_list():
    with pytest.raises(SpecError, match=r"known are openai, .*local, simulated"):
        parse_spec("qqqqqqqq/x")


def test_registered_providers_are_known():
    assert parse_spec("inspect/openai/gpt-5", ["inspect"]) == Spec("inspect", "openai/gpt-5")


def test_providers_that_only_pydantic_ai_names_are_known():
    assert "github-copilot" not in HOSTED
    assert parse_spec("github-copilot/gpt-5").provider == "github-copilot"


@pytest.mark.parametrize("name", sorted(HOSTED.keys() - {"openai-api"}))
def test_every_provider_of_the_table_exists_in_pydantic_ai(name):
    from pydantic_ai.providers import infer_provider_class

    try:
        infer_provider_class(HOSTED[name].engine)
    except ImportError as error:
        assert "pip install" in str(error)


@pytest.mark.parametrize("name", ["sk-proj-abcdefghijklmnop", "hf_abcdefghijklmnopqrstuvwx", "my-own-key-0123456789"])
def test_a_key_in_the_place_of_a_models_name_is_refused_and_not_repeated(name, monkeypatch):
    monkeypatch.setenv("THEIR_API_KEY", "my-own-key-0123456789")

    with pytest.raises(SpecError, match="looks like a key") as error:
        parse_spec(f"openai-api/{name}")

    assert name not in str(error.value)
    assert parse_spec("openai-api/meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8").name.endswith("FP8")


def test_a_simulated_model_s_name_alone_leads_to_its_spec():
    with pytest.raises(SpecError, match=r"did you mean simulated/steady\?$"):
        parse_spec("steady")
    with pytest.raises(SpecError, match=r"did you mean openai/gpt-4\?$"):
        parse_spec("openai:gpt-4")
