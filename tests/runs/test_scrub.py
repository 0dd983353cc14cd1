"""Secrets never reach the journal or the screen."""

from __future__ import annotations

import pytest

from voirdire.runs import Scrubber

PLANTED = "planted-secret-0123456789"


@pytest.mark.parametrize(
    "text",
    [
        f"401 for https://api.example.com/v1?key={PLANTED}&x=1",
        f"GET https://user:{PLANTED}@example.com/ failed",
        f"headers: {{'Authorization': 'Bearer {PLANTED}', 'Accept': '*/*'}}",
        f"Authorization: Basic {PLANTED}",
        f"authorization={PLANTED}",
        f'{{"x-api-key": "{PLANTED}"}}',
        f"x-goog-api-key: {PLANTED}",
        f"api_key='{PLANTED}'",
        f"Incorrect API key provided: sk-{PLANTED}.",
        f"sent with bearer {PLANTED}",
        f"AIza{PLANTED}",
        f"a token eyJhbGciOiJIUzI1NiJ9.{PLANTED}.{PLANTED}",
    ],
)
def test_what_looks_like_a_key_is_hidden_wherever_it_stands(text: str) -> None:
    cleaned = Scrubber(environment={})(text)
    assert PLANTED not in cleaned
    assert "[secret]" in cleaned


def test_values_of_key_variables_are_hidden_whatever_they_look_like() -> None:
    environment = {"OPENAI_API_KEY": "open sesame", "MY_LOGIN": "friend-and-enter", "HOME": "/home/somebody"}
    scrub = Scrubber(["MY_LOGIN"], environment)
    assert scrub("open sesame, friend-and-enter, /home/somebody") == "[secret], [secret], /home/somebody"


def test_a_key_that_begins_with_another_leaves_no_rest() -> None:
    environment = {"A_API_KEY": "abcdefgh", "B_API_KEY": "abcdefghijkl"}
    assert Scrubber(environment=environment)("<abcdefghijkl>") == "<[secret]>"


def test_a_short_value_is_no_secret() -> None:
    assert Scrubber(environment={"LOCAL_API_KEY": "x"})("expected") == "expected"


def test_ordinary_errors_stay_readable() -> None:
    text = "The model 'gpt-9' does not exist (404, code invalid_api_key, risk-averse) at https://api.example.com/v1."
    assert Scrubber(environment={})(text) == text


def test_an_endless_error_page_is_cut_after_its_secrets_are_hidden() -> None:
    secret = "sk-" + "a" * 100
    cleaned = Scrubber(environment={})("x" * 1950 + " " + secret + "y" * 10_000)
    assert len(cleaned) <= 2000
    assert "sk-a" not in cleaned
