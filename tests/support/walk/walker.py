"""Walk some commands in this process: python -m tests.support.walk.walker FOLDER SERVER COMMAND...

Each case is one line of JSON, written when it begins and again when it ends, so that an abort says where it was.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

import typer

from tests.cli.here import voirdire
from tests.support.walk.bases import BASES, PORT, SERVER, copy
from tests.support.walk.values import Case, set_traps, values_by_parameter
from voirdire.cli import app

SECONDS = 20
TREE = typer.main.get_command(app)
"""Made once, where the command makes it for each call."""
_NOBODY = 65534


class TooLong(BaseException):
    """A command that does not end."""


def commands(command: Any = None, above: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """All commands of the tree, with the words that call them."""
    command = command or TREE
    for name, each in command.commands.items():
        if hasattr(each, "commands"):
            yield from commands(each, (*above, name))
        else:
            yield " ".join((*above, name)), each


def calls(name: str, command: Any, server: str, only: slice = slice(None)) -> Iterator[tuple[list[str], Case]]:
    """Every call of a command with one value changed."""
    given, options = ([_named(word, server) for word in part] for part in BASES[name])
    place = 0
    for parameter, values in values_by_parameter(command.params):
        for case in values[only]:
            if parameter.param_type_name == "argument":
                yield [*name.split(), *given[:place], *_flat(case), *given[place + 1 :], *options], case
            else:
                yield [*name.split(), *given, *_changed(options, parameter.opts, case.value)], case
        place += parameter.param_type_name == "argument"


def base_call(name: str, server: str) -> list[str]:
    """The call of a command that works."""
    return [*name.split(), *(_named(word, server) for part in BASES[name] for word in part)]


def _named(word: str, server: str) -> str:
    return str(urlsplit(server).port) if word == PORT else word.replace(SERVER, server)


def wrong_with(line: dict[str, Any]) -> str | None:
    """What a case shows that no command may do; `None` where all is well."""
    if line["code"] is None or "Traceback" in line["err"] or "[Errno" in line["err"]:
        return str(line["err"])
    if line["code"] == 0 and line["refused"]:
        return "It was accepted."
    if line["code"] != 0 and not line["err"].strip() and not line["out"]:
        return f"It ended with {line['code']}, without a word."
    return None


def _flat(case: Case) -> list[str]:
    return [case.value] if not case.value.startswith("-") else ["--", case.value]


def _changed(options: list[str], names: list[str], value: str) -> list[str]:
    kept = list(options)
    for name in names:
        while name in kept:
            place = kept.index(name)
            del kept[place : place + 2]
    return [*kept, f"{names[-1]}={value}" if names[-1].startswith("--") else f"{names[-1]}{value}"]


def call(arguments: list[str], case: Case, home: str) -> dict[str, Any]:
    """Make one call, and say how it ended."""
    began = time.monotonic()
    os.chdir(home)
    with _limited(), _as_nobody(case.nobody):
        try:
            with patch("voirdire.cli.app", TREE):
                done = voirdire(*arguments, check=False)
        except TooLong:
            return {"code": None, "out": 0, "err": f"It took more than {SECONDS} seconds.", "seconds": SECONDS}
    return {
        "code": done.returncode,
        "out": len(done.stdout),
        "err": done.stderr[-3000:],
        "seconds": round(time.monotonic() - began, 2),
    }


@contextmanager
def _limited() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TooLong

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


@contextmanager
def _as_nobody(wanted: bool) -> Iterator[None]:
    """Without root's rights, to whom permissions say nothing."""
    if not wanted or os.geteuid() != 0:
        yield
        return
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def _give(folder: Path) -> None:
    """Let anyone use what is in a folder, but for what is locked or sealed."""
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o777 if path.is_dir() else 0o666)
    set_traps(folder)
    for name, mode in (("locked", 0o000), ("sealed", 0o555)):
        if not (folder / name / "run").exists():
            shutil.copytree(folder / "run", folder / name / "run")
        for path in (folder / name).rglob("*"):
            path.chmod(0o555 if path.is_dir() else 0o444)
        (folder / name).chmod(mode)


def main(folder: str, server: str, *names: str) -> None:
    """Walk these commands."""
    master, work = Path(folder) / "master", Path(folder) / "-".join(names[0].split())
    os.environ.update({"OPENAI_API_KEY": "k", "HOME": str(work), "BROWSER": "true"})
    for name, command in commands():
        if name not in names:
            continue
        copy(master, work)
        _give(work)
        base = base_call(name, server)
        _tell({"base": base} | call(base, Case(""), str(work)))
        for number, (arguments, case) in enumerate(calls(name, command, server)):
            if number % 10 == 0:
                copy(master, work)
                _give(work)
            _tell({"argv": arguments})
            _tell(
                {"argv": arguments, "refused": case.refused, "nobody": case.nobody} | call(arguments, case, str(work))
            )


def _tell(line: dict[str, Any]) -> None:
    sys.__stdout__.write(json.dumps(line) + "\n")
    sys.__stdout__.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
