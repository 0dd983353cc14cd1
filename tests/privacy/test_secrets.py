"""What counts as a secret, in which forms it is found, and how addresses are shown."""

import base64
import html
import json
from dataclasses import dataclass, field
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.models import secrets
from voirdire.records import Reply, WireMessage
from voirdire.runs import Scrubber

KEY = "k3y/with+odd=chars&-0123"


@given(st.text(st.characters(codec="utf-8"), min_size=12, max_size=24))
def test_a_secret_is_found_as_it_is_percent_encoded_escaped_for_json_or_html_and_in_base64(secret):
    forms = secrets.forms_of([secret])
    encoded = base64.b64encode(secret.encode()).decode().rstrip("=")
    for form in (secret, quote(secret), quote(secret, safe=""), json.dumps(secret)[1:-1], html.escape(secret), encoded):
        assert secrets.hide(f"<{form}>", forms) == f"<{secrets.MASK}>"


@pytest.mark.parametrize("value", ["recursion", "Recursion", "PRODUCTION", "short-1", "20261122"])
def test_words_and_counts_are_no_secrets_that_texts_are_spoiled_for(value):
    scrub = Scrubber(environment={"SOME_TOKEN": value})
    assert scrub.hide(f"It is {value}.") == f"It is {value}."


@pytest.mark.parametrize(
    "name",
    ["OPENAI_API_KEY", "HEROKU_INFERENCE_KEY", "DB_PASSWORD", "MY_SECRET_2", "GITHUB_PAT", "BOT_TOKEN", "API_KEYS"],
)
def test_a_variable_is_known_for_a_secret_by_its_name(name):
    assert Scrubber(environment={name: KEY}).hide(f"<{KEY}>") == "<[secret]>"


def test_paths_and_places_are_no_secrets():
    environment = {
        "GOOGLE_APPLICATION_CREDENTIALS": "/home/somebody/key.json",
        "PWD": "/work/somewhere",
        "KEYBOARD": "qwertz-12",
    }
    scrub = Scrubber(environment=environment)
    text = "/home/somebody/key.json /work/somewhere qwertz-12"
    assert scrub.hide(text) == text


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://user:pass@host.org/v1", "https://[secret]@host.org/v1"),
        ("https://only-a-token@host.org:81/v1", "https://[secret]@host.org:81/v1"),
        ("http://us%40er:p%2Fss@127.0.0.1/v1?api-version=2", "http://[secret]@127.0.0.1/v1?api-version=2"),
        ("https://host.org/v1?api-key=abc&deployment=x", "https://host.org/v1?api-key=[secret]&deployment=x"),
        ("socks5://a:b@proxy:1", "socks5://[secret]@proxy:1"),
        ("https://host.org/users/a@b", "https://host.org/users/a@b"),
    ],
)
def test_an_address_is_shown_without_what_opens_it(address, shown):
    assert secrets.masked_url(address) == shown
    assert secrets.masked_url(shown) == shown


def test_a_reply_and_messages_lose_what_is_known_and_nothing_else():
    scrub = Scrubber(environment={"OPENAI_API_KEY": KEY})
    plain = Reply("Bearer tokens look like sk-abcdefgh.", "stop", received="{}")
    assert scrub.reply(plain) is plain
    told = scrub.reply(Reply(f"It is {KEY}.", "stop", model=KEY, warnings=(KEY,), sent=KEY, received=json.dumps(KEY)))
    assert (told.text, told.model, told.warnings, told.sent) == (
        "It is [secret].",
        "[secret]",
        ("[secret]",),
        "[secret]",
    )
    assert KEY not in told.received
    (message,) = scrub.messages([WireMessage("user", f"Key {KEY}, then a question.", len(f"Key {KEY}, then"))])
    assert message.content[: message.shared] == "Key [secret], then"


def test_a_reply_that_gives_user_and_key_in_base64_as_they_were_sent_loses_the_key():
    scrub = Scrubber(environment={"OPENAI_API_KEY": KEY})
    sent = base64.b64encode(f"ada:{KEY}".encode()).decode()
    told = scrub.reply(Reply(f"I was sent Basic {sent}, I think.", "stop", received=json.dumps({"seen": sent})))
    for text in (told.text, told.received):
        assert "[secret]" in text
        assert sent[8:-4] not in text


def test_a_secret_shows_itself_nowhere_but_as_a_text():
    key = secrets.Secret(KEY)
    assert KEY not in repr({"key": key, "nested": [key]})
    assert f"Bearer {key}" == f"Bearer {KEY}"


@pytest.mark.parametrize("user", ["", "a", "ab", "ada.lovelace"])
def test_a_key_is_hidden_in_base64_whatever_stands_around_it(user):
    key = "k3y-0123456789-abcdefghij"
    held = base64.b64encode(f"{user}:{key} and more".encode()).decode()

    shown = secrets.hide(f"It was {held}.", secrets.forms_of([key]))

    assert secrets.MASK in shown
    assert base64.b64encode(key[3:-3].encode()).decode()[:12] not in shown
    left = "".join(shown.removeprefix("It was ").split(secrets.MASK)).rstrip(".")
    assert len(left) < len(held) - len(key)  # what is left of it is shorter by the key


@dataclass(frozen=True)
class Told:
    text: str
    parts: tuple[str, ...] = ()
    data: dict = field(default_factory=dict)


def test_whatever_is_to_be_written_loses_known_keys_and_nothing_else(monkeypatch):
    key, mask = "k3y-0123456789-abcdefghij", "[secret*****************]"
    monkeypatch.setenv("THEIR_API_KEY", key)
    told = Told(f"ä {key}", (key, "b"), {key: [1, None, f"{key}!"], "message": WireMessage("user", key, 3)})

    shown = {mask: [1, None, f"{mask}!"], "message": WireMessage("user", mask, 3)}
    assert secrets.without_known_secrets(told) == Told(f"ä {mask}", (mask, "b"), shown)


@given(st.text(), st.text())
def test_what_is_shown_is_as_long_as_what_is_on_record(before, after):
    key = "k3y-0123456789-abcdefghij"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("THEIR_API_KEY", key)
        shown = secrets.without_known_secrets(f"{before}{key}{after}")
    assert shown == f"{before}[secret{'*' * (len(key) - 8)}]{after}"


def test_a_key_that_is_no_valid_text_is_hidden_too(monkeypatch):
    monkeypatch.setenv("THEIR_API_KEY", "k3y-\udcff-0123456789")
    assert "k3y" not in secrets.without_known_secrets("<k3y-\udcff-0123456789>")
