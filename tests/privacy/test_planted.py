"""Keys that were planted everywhere, looked for in every file, line and log that a run leaves behind."""

import base64
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, quote_plus

import pytest

from tests.privacy.echoing import echoing

USUAL = "zq7-PLANTED+usual/key=with&odd-91"
UNUSUAL = "open.sesame.PLANTED.55"
OTHER = "PLANTED-token-of-another-tool-17"
USER, PASSWORD = "planted-user-55", "PLANTED-p@ss/word-77"
PROXY = "PLANTED-proxy-pw-33"
PLANTED = {"usual": USUAL, "unusual": UNUSUAL, "other": OTHER, "password": PASSWORD, "proxy": PROXY}
PLANTED["other password"] = "PLANTED-password-2"
ENVIRONMENT = {
    "OPENAI_API_KEY": USUAL,
    "VOIRDIRE_DOOR": UNUSUAL,
    "SOME_BOT_TOKEN": OTHER,
    "HTTPS_PROXY": f"http://somebody:{PROXY}@proxy.invalid:3128",
}
BOX = f"{USER}:{quote(PASSWORD, safe='')}"


class Left(NamedTuple):
    """What was left behind."""

    folder: Path
    shown: set[str]
    """What the server was shown."""
    address: tuple[str, int]
    ended: dict[str, int]
    """How each command ended."""
    said: str


PRESET = """extends: sound
description: A judge that has a key of its own.
levels: [0.5]
roles:
  judge: {api_key_env: VOIRDIRE_DOOR, base_url: "%s"}
"""


def forms(secret):
    """What a secret may look like on its way."""
    escaped = json.dumps(secret)[1:-1]
    found = {secret, escaped, quote(secret), quote(secret, safe="")}
    pair = f"{USER}:{secret}"
    found |= {base64.b64encode(each.encode()).decode().rstrip("=") for each in (secret, pair)}
    return found


@pytest.fixture(scope="module")
def left(tmp_path_factory):
    """A folder with all that a run and what is made of it left behind, and what the server was shown."""
    folder = tmp_path_factory.mktemp("planted")
    with echoing() as server:
        root = f"127.0.0.1:{server.server_address[1]}/v1"
        (folder / "judged.yaml").write_text(PRESET % f"http://{root}")
        (folder / "answers.jsonl").write_text(
            '{"id": "a", "context": "It rained in May.", "answer": "It rained in June. It was wet.", '
            '"labels": {"It rained in June.": "invented", "It was wet.": "reliable"}}\n'
        )
        base = ["--base-url", f"http://{BOX}@{root}", "--timeout", "20"]
        once = ["--concepts", "recursion", "--levels", "0.5"]
        run = str(folder / "talks")
        held = ["run", "-m", "openai-api/talks", "--jury", "json:openai-api/talks-judge,reference", *once]
        own_key = ["--jury", "json:openai-api/401-judge", "--preset", str(folder / "judged.yaml")]
        labelled = ["label", str(folder / "answers.jsonl"), "--labeller", "openai-api/talks-labels"]
        commands = {
            "held": [*held, "-o", run, *base],
            "gone on with": [*held, "-o", run, "--base-url", f"http://another:PLANTED-password-2@{root}"],
            "refused": ["run", "-m", "openai-api/talks-too", *once, *own_key, "-o", f"{run}-no", *base],
            **{f"check {status}": ["models", "check", f"openai-api/{status}-x", *base] for status in (307, 400, 404)},
            "check no address": ["models", "check", "openai-api/talks", "--base-url", f"{BOX}@{root}"],
            "check query": [
                "models",
                "check",
                "openai-api/talks",
                "--base-url",
                f"http://{root}?key={quote_plus(USUAL)}",
            ],
            "labelled": [*labelled, "--votes", "1", "--min-votes", "1", "-o", str(folder / "labels"), *base],
            "judged again": ["score", run, "--jury", "json:openai-api/again"],
            "show": ["show", run, "--texts"],
            "report": ["report", run, "-o", str(folder / "report.html")],
            **{to: ["export", run, "--to", to, "-o", str(folder / to)] for to in ("parquet", "csv", "jsonl")},
            "raters": ["rate", "new", str(folder / "project"), "--task", "ddft", "--from", run, "--rater", "Ana"],
            "redact": ["redact", run, "-o", str(folder / "copy")],
        }
        done = subprocess.run(
            [sys.executable, "-m", "tests.privacy.watched", str(folder)],
            input=json.dumps(list(commands.values())),
            env=os.environ | ENVIRONMENT | {"TMPDIR": str(folder)},
            capture_output=True,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        assert done.returncode == 0, done.stderr
        (folder / "stdout.txt").write_text(done.stdout + done.stderr)
        codes = [code for *_, code in json.loads((folder / "codes.json").read_text())]
        ended = dict(zip(commands, codes, strict=True))
        yield Left(folder, set(server.authorized), server.server_address, ended, (folder / "said.txt").read_text())


def test_every_command_ended_as_it_should(left):
    refused = {"refused": 3, "judged again": 1, "labelled": 3}
    refused |= {name: 1 for name in left.ended if name.startswith("check")}
    refused |= {"check query": 0, "check no address": 2}
    assert left.ended == {name: refused.get(name, 0) for name in left.ended}


def test_the_server_was_shown_the_keys_and_repeated_them(left):
    pair = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
    assert left.shown == {f"Basic {pair}", f"Bearer {UNUSUAL}", f"Bearer {USUAL}"}
    assert "My key is" in left.said


@pytest.mark.parametrize("name", PLANTED)
def test_no_file_log_trace_or_line_holds_a_planted_key(left, name):
    files = {path: path.read_bytes() for path in left.folder.rglob("*") if path.is_file()}
    looked_at = {path.name for path in files}
    assert {"journal.sqlite", "run.json", "log.txt", "spans.txt", "report.html", "turns.csv", "project"} <= looked_at
    assert not {
        (path.name, form) for path, data in files.items() for form in forms(PLANTED[name]) if form.encode() in data
    }


def test_an_address_is_shown_without_its_credentials(left):
    asked = json.loads((left.folder / "talks" / "run.json").read_text())
    assert asked["base_url"] == f"http://[secret]@{left.address[0]}:{left.address[1]}/v1"
    assert asked["base_url"] in asked["info"]["command"]
    assert "The address must look like http://HOST:PORT/v1" in left.said


def test_what_a_model_says_of_a_key_stands_in_the_journal_without_it(left):
    with sqlite3.connect(left.folder / "talks" / "journal.sqlite") as journal:
        (reply, reported, received), *_ = journal.execute("SELECT reply, reported_model, received FROM calls")
    assert "My key is" in reply
    assert all("[secret]" in text for text in (reply, reported, received))


def test_tracebacks_with_local_variables_show_no_key(left):
    frames = (left.folder / "frames.txt").read_text()
    assert all(f"spec = '{name}'" in frames for name in ("openai-api/401-frames", "groq/x", "azure/x"))
    assert "ModelOptions(api_key_env='VOIRDIRE_DOOR'" in frames


def test_nothing_was_looked_up_or_connected_to_but_the_server(left):
    reached = json.loads((left.folder / "network.json").read_text())
    assert {where for _, where in reached if "no.invalid" not in where} == {str(tuple(left.address))}


def test_a_key_in_an_address_reaches_the_server(left):
    """As a parameter of the address, which the libraries above the wire never see."""
    assert "openai-api/talks, which calls itself" in left.said


def test_a_run_goes_on_with_other_credentials_and_asks_for_them_where_they_are_needed(left):
    assert left.ended["gone on with"] == 0
    assert left.ended["judged again"] == 1
    assert "[secret]@127.0.0.1" in left.said
