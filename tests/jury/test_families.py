import pytest

from voirdire.jury.families import family_of


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("gpt-5", "openai"),
        ("openai/gpt-5.1", "openai"),
        ("o3", "openai"),
        ("o4-mini", "openai"),
        ("openai/o1-preview", "openai"),
        ("gpt-oss-120b", "openai"),
        ("groq/openai/gpt-oss-20b", "openai"),
        ("chatgpt-4o-latest", "openai"),
        ("claude-haiku-4-5", "anthropic"),
        ("openrouter/anthropic/claude-sonnet-4", "anthropic"),
        ("bedrock/us.anthropic.claude-opus-4-1-20250805-v1:0", "anthropic"),
        ("deepseek-v3.1", "deepseek"),
        ("groq/deepseek-r1-distill-llama-70b", "deepseek"),
        ("google-gla/gemini-2.5-pro", "google"),
        ("local/gemma-3-270m", "google"),
        ("Llama-4-Maverick-17B-128E-Instruct-FP8", "meta"),
        ("together/meta-llama/Meta-Llama-3-8B", "meta"),
        ("mistral-medium-2505", "mistral"),
        ("mistral/magistral-small", "mistral"),
        ("open-mixtral-8x7b", "mistral"),
        ("grok-4-fast-non-reasoning", "xai"),
        ("Phi-4", "microsoft"),
        ("ollama/phi3", "microsoft"),
        ("local/qwen2.5-coder-1.5b", "alibaba"),
        ("logprob:local/qwen2.5-coder-1.5b", "alibaba"),
        ("json:openai/gpt-5.1#2", "openai"),
        ("local/smollm2-135m", "huggingface"),
        ("local//models/meta-llama/SmolLM2.gguf", "huggingface"),
        ("openai/an-unheard-of-name", "openai"),
    ],
)
def test_a_model_is_told_by_its_name_wherever_it_is_hosted(name, family):
    assert family_of(name) == family


@pytest.mark.parametrize(
    "name",
    [
        "reference",
        "scripted",
        "simulated/steady",
        "json:simulated/judge?name=gpt-5.1&noise=0.1",
        "somebody/modelo3",
        "solo1",
        "alphabet",
        "openai-api/my-own",
        "",
    ],
)
def test_simulated_scripted_and_unknown_names_have_no_family(name):
    assert family_of(name) is None
