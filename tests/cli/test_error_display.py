"""What the system refuses is a sentence; a terminal that is not UTF-8 shows what it can."""

import errno
import io
import json
import os
import shlex
import signal
import subprocess
import sys
from unittest.mock import patch

import pytest

from tests.cli import command
from tests.cli.here import voirdire
from voirdire.cli._error_display import user_errors


def told(error, capsys):
    with pytest.raises(SystemExit) as end, user_errors():
        raise error
    said = capsys.readouterr().err
    assert end.value.code == 1 and said.startswith("voirdire: ") and said.count("\n") == 1
    return said


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.EACCES, "Change its permissions, or name another place."),
        (errno.ENOSPC, "Free some space, then run the same command again."),
        (errno.EISDIR, "Name a file; this is a folder."),
        (errno.ENOTDIR, "Part of the path is a file, where a folder is needed."),
        (errno.ENAMETOOLONG, "Give a shorter name."),
        (errno.ELOOP, "It is a symbolic link that leads back to itself."),
        (errno.EBADF, "Look whether it exists and who may use it."),
    ],
)
def test_what_the_system_refuses_is_named_with_what_to_do(number, says, capsys):
    said = told(OSError(number, os.strerror(number), "runs/a"), capsys)
    assert said == f"voirdire: runs/a can't be used ({os.strerror(number)}). {says}\n"


@pytest.mark.parametrize(("option", "says"), [("--history", "'none', 'user', 'all'."), ("--engine", "'local', 'ray'.")])
def test_a_word_that_is_no_choice_is_named_with_the_choices(option, says):
    done = voirdire("detect", "answers.jsonl", option, "alll", check=False)
    assert done.stderr.splitlines()[-1] == f"Error: Invalid value for '{option}': 'alll' is not one of {says}"


def test_a_long_name_is_shortened_and_a_missing_one_described(capsys):
    assert len(told(OSError(errno.ENAMETOOLONG, "Too long", "a" * 5000), capsys)) < 400
    assert told(ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused"), capsys).startswith(
        "voirdire: A file or a connection can't be used (Connection refused)."
    )


def test_texts_that_can_not_be_encoded_or_decoded_are_said(capsys):
    assert "can't be written as UTF-8" in told(UnicodeEncodeError("utf-8", "\ud83d", 0, 1, "no"), capsys)
    assert "not valid UTF-8 (byte 7)" in told(UnicodeDecodeError("utf-8", b"\xff", 7, 8, "no"), capsys)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_kill_and_a_lost_terminal_end_as_ctrl_c_does_and_what_was_ignored_stays_so(number, capsys):
    before = signal.getsignal(number)
    with pytest.raises(SystemExit) as end, user_errors():
        os.kill(os.getpid(), number)
    assert end.value.code == 130 and capsys.readouterr().err.startswith("\nInterrupted. Files are as they were before;")
    assert signal.getsignal(number) is before
    signal.signal(number, signal.SIG_IGN)
    try:
        with user_errors():
            os.kill(os.getpid(), number)  # as below nohup
    finally:
        signal.signal(number, before)


def test_a_fault_of_ours_keeps_its_traceback(capsys):
    with pytest.raises(SystemExit), user_errors():
        raise RuntimeError("ours")
    assert "Traceback" in capsys.readouterr().err


def test_a_terminal_that_is_not_utf8_gets_a_table_with_marks_for_what_it_lacks():
    env = {"PYTHONIOENCODING": "latin-1"}
    done = command.voirdire("plan", "-m", "simulated/steady?name=☃", "--preset", "quick", env=env)
    assert "simulated/steady?name=?" in done.stdout and "┃" not in done.stdout and "Traceback" not in done.stderr


def test_json_for_a_terminal_that_is_not_utf8_loses_nothing():
    ascii_only = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    with patch.object(sys, "stdout", ascii_only):
        from voirdire.cli._output import say_json

        say_json({"name": "Åse ☃"})
        ascii_only.flush()
    assert json.loads(ascii_only.buffer.getvalue()) == {"name": "Åse ☃"}


@pytest.mark.skipif(os.geteuid() != 0, reason="permissions bind everyone but root, who gives up its rights here")
@pytest.mark.parametrize("words", ["integrity study", "concepts check", "rate status", "verify"])
def test_a_file_below_a_locked_folder_is_a_sentence(words, tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o700)
    (locked / "file").write_text("{}")
    voirdire(*words.split(), tmp_path / "nothing", check=False)  # imports what it needs, with root's rights
    os.seteuid(65534)
    try:
        done = voirdire(*words.split(), locked / "file", check=False)
    finally:
        os.seteuid(0)
    assert done.returncode == 1 and "Traceback" not in done.stderr and "ermission" in done.stderr + done.stdout


@pytest.mark.parametrize(
    "words",
    [
        "detect {given} -o",
        "report {given} -o",
        "jury sample {given} -o",
        "jury worth {given} --plan -o",
        "integrity import {given} -o",
        "concepts draft --from {given} --writer simulated/judge -o",
        "detectors calibrate lexical --data {given} -o",
        "cognibench diagnose {given} --human-labels {given} --draft",
        "rate new --from {given} --task ddft",
    ],
)
def test_no_folder_is_made_for_a_file_as_its_name_may_be_a_slip(words, tmp_path):
    given = tmp_path / "given.jsonl"
    given.write_text('{"response": "It opened in 1911.", "context": "The bridge opened in 1907."}')
    suffix = {"report": ".html", "concepts": ".yaml"}.get(words.split()[0], ".jsonl")
    done = voirdire(*words.format(given=given).split(), tmp_path / "slip" / f"a{suffix}", check=False)
    assert done.returncode == 1
    assert done.stderr == f"voirdire: There is no folder {tmp_path / 'slip'} for a{suffix}; make it, or name another.\n"
    assert list(tmp_path.iterdir()) == [given]


def test_a_reader_that_leaves_early_changes_no_exit_code(tmp_path):
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        shown = subprocess.run([sys.executable, "-m", "voirdire", "--help"], stdout=closed, stderr=subprocess.PIPE)
        missing = [sys.executable, "-m", "voirdire", "show", str(tmp_path / "none")]
        refused = subprocess.run(missing, stdout=closed, stderr=subprocess.PIPE)

    assert (shown.returncode, shown.stderr) == (0, b"")
    assert refused.returncode == 1


@pytest.mark.parametrize(
    ("redirection", "code", "says"), [(">&-", 0, ""), (">/dev/full", 1, "(No space left on device)")]
)
def test_where_nothing_can_be_printed_there_is_no_traceback(redirection, code, says):
    done = subprocess.run(
        f"{shlex.quote(sys.executable)} -m voirdire --version {redirection}", shell=True, capture_output=True, text=True
    )
    assert done.returncode == code and says in done.stderr and "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == (1 if says else 0)
