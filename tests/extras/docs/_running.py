"""Running a documented command as a reader would, in a scratch folder that holds what it names."""

from __future__ import annotations

import fcntl
import hashlib
import importlib
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import traceback
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from importlib.metadata import entry_points
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.cli.here import voirdire
from tests.extras.docs import _table
from tests.extras.docs._collect import Block, Command
from tests.extras.docs._inputs import BY_HAND, INPUTS, INPUTS_ON_PAGE
from voirdire.models import hosted
from voirdire.models.base import Model, ModelOptions
from voirdire.models.specs import Spec

_OUT = ("-o", "--out", "--output")
_SHELL = ("|", ">", "<", ";")
_RUNNABLE = ("voirdire", "python -m benchmarks.", "inspect", "echo")
"""What may be started here. Nothing else is, whatever the documentation says: a page that tells its readers to install
something must not install it into the environment of whoever runs the tests."""


@contextmanager
def hosted_models_at(root: str) -> Iterator[None]:
    """Hosted providers are the server at `root`, no other address can be reached, and no browser opens.

    Addresses are not put into the environment: that would make prices unknown, which `--max-cost` refuses.
    """
    keys = {f"{name}_API_KEY": "test" for name in ("OPENAI", "ANTHROPIC", "MISTRAL")} | {"VLLM_KEY": "test"}
    addresses = {"openai": f"{root}/v1", "anthropic": root, "mistral": root}
    open_hosted, look_up = hosted.open_hosted, socket.getaddrinfo

    def redirected(spec: Spec, options: ModelOptions) -> Model:
        return open_hosted(spec, replace(options, base_url=options.base_url or addresses.get(spec.provider)))

    def on_this_machine(host: Any, *more: Any, **named: Any) -> Any:
        if host not in ("127.0.0.1", "localhost", "::1", None):
            raise AssertionError(f"A documented command looks for {host!r}: these tests have no network.")
        return look_up(host, *more, **named)

    with (
        patch.dict(os.environ, keys),
        patch.object(hosted, "open_hosted", redirected),
        patch.object(socket, "getaddrinfo", on_this_machine),
        patch.object(webbrowser, "open", lambda *_, **__: True),
    ):
        yield


class Workshop:
    """A page's scratch folder, the store that pages share, and the server."""

    def __init__(self, page: str, folder: Path, store: Path, root: str) -> None:
        """Take an empty folder, the store's folder, and the server's root."""
        self._page, self._folder, self._store, self._root = page, folder, store, root

    def run(self, command: Command) -> subprocess.CompletedProcess[str]:
        """Run it; exit code and what was printed."""
        parts = command.required.split(" && ")
        if not all(part.startswith(_RUNNABLE) for part in parts):
            raise AssertionError(f"{command.text!r} is no command to run in a test: put it into _table.ELSEWHERE.")
        for part in parts:
            done = self._run_one(self._filled_in(part))
            if done.returncode:
                break
        return done

    def _run_one(self, text: str) -> subprocess.CompletedProcess[str]:
        words = shlex.split(text)
        for word in self._named(words):
            self._provide(word)
        for beginning, do in BY_HAND.items():
            if text.startswith(beginning):
                do(self._folder)
        if words[0] == "echo" or any(sign in words for sign in _SHELL):
            return self._in_a_shell(text)
        if words[0] == "inspect":
            return self._inspected(words[1:])
        if words[:2] == ["python", "-m"]:
            return self._measured(words[2], words[3:])
        if words[1:2] == ["run"] and "-o" in words:
            return self._held_once(words)
        with _working_in(self._folder):
            return voirdire(*words[1:], check=False)

    def _held_once(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        """Hold a run, or take it from the store if another page has held the very same."""
        kept = self._store / f"held-{hashlib.sha256(shlex.join(words).encode()).hexdigest()[:16]}"
        run = self._folder / words[words.index("-o") + 1]
        with locked(kept):
            if kept.exists() and not run.exists():
                shutil.copytree(kept, run)
                return subprocess.CompletedProcess(words, 0, "", "")
            through_inspect = any(word.startswith("inspect/") for word in words)
            with _working_in(self._folder), patch.dict(os.environ, self._addresses() if through_inspect else {}):
                done = voirdire(*words[1:], check=False)
            if done.returncode == 0 and not kept.exists():
                shutil.copytree(run, kept)
            return done

    def _filled_in(self, text: str) -> str:
        here = {word: meant for (page, word), meant in _table.ON_PAGE.items() if page == self._page}
        known = _table.PLACEHOLDERS | here
        text = " ".join(known.get(word, word) for word in text.split(" "))
        for documented, meant in (*_table.MODELS.items(), *_table.SMALLER.items()):
            text = text.replace(documented, meant)
        if text.startswith("voirdire run") and self._page not in _table.WHOLE:
            text += "" if any(option in text for option in _table.CHOSEN) else f" {_table.FEW}"
        return self._redirected(text)

    def run_python(self, block: Block) -> subprocess.CompletedProcess[str]:
        """Run a snippet, with what the page takes as known, and the tests that it defines."""
        text = block.text
        for documented, meant in _table.MODELS.items():
            text = text.replace(documented, meant)
        for name in re.findall(r"\"([^\"\n]+)\"", text):
            if name in INPUTS:
                self._provide(name)
        known = {"__name__": "snippet", **_table.GIVEN.get(self._page, {})}
        with _working_in(self._folder):
            try:
                exec(compile(self._redirected(text), "snippet", "exec"), known)
                for name in [each for each in known if each.startswith("test_")]:
                    known[name]()  # type: ignore[operator]
            except Exception:
                return subprocess.CompletedProcess(text, 1, "", traceback.format_exc())
        return subprocess.CompletedProcess(text, 0, "", "")

    def _redirected(self, text: str) -> str:
        for address in _table.ADDRESSES:
            text = text.replace(address, f"{self._root}/v1")
        return text

    def _named(self, words: list[str]) -> list[str]:
        """Words that name something that must be there: known inputs that are not what the command makes."""
        made = {words[at + 1] for at, word in enumerate(words[:-1]) if word in _OUT or word == ">"}
        known = INPUTS.keys() | {word for page, word in INPUTS_ON_PAGE if page == self._page}
        return [word for word in words if word in known and word not in made]

    def _provide(self, name: str) -> None:
        target = self._folder / name
        if target.exists():
            return
        key = f"{self._page}:{name}" if (self._page, name) in INPUTS_ON_PAGE else name
        source = self._store / key.strip("/").replace("/", "--")
        make = INPUTS_ON_PAGE.get((self._page, name)) or INPUTS[name]
        with locked(source):
            if not source.exists():
                room = self._store / f"{source.name}.room"
                room.mkdir()
                make(room / "made")
                (room / "made").rename(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        elif target.suffix == ".yaml":
            target.write_text(self._redirected(source.read_text(encoding="utf-8")), encoding="utf-8")
        else:
            shutil.copy(source, target)

    def _inspected(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        """Inspect's own command, in this process: it takes seconds to load."""
        (inspect,) = entry_points(group="console_scripts", name="inspect")
        with patch.dict(os.environ, self._addresses()):
            return self._called(inspect.load(), ["inspect", *words])

    def _measured(self, name: str, options: list[str]) -> subprocess.CompletedProcess[str]:
        """A benchmark, in this process, with what it holds to be large made small."""
        with ExitStack() as smaller:
            benchmark = importlib.import_module(name)
            for each, constants in _table.CONSTANTS.items():
                if each in sys.modules:
                    smaller.enter_context(patch.multiple(sys.modules[each], **constants))
            return self._called(benchmark.main, [name, *options])

    def _called(self, main: Callable[[], object], words: list[str]) -> subprocess.CompletedProcess[str]:
        said = StringIO()
        with (
            _working_in(self._folder),
            patch.object(sys, "argv", words),
            redirect_stdout(said),
            redirect_stderr(said),
        ):
            try:
                main()
            except SystemExit as end:
                return subprocess.CompletedProcess(words, end.code or 0, "", said.getvalue())
        return subprocess.CompletedProcess(words, 0, said.getvalue(), "")

    def _addresses(self) -> dict[str, str]:
        return {"OPENAI_BASE_URL": f"{self._root}/v1", "ANTHROPIC_BASE_URL": self._root}

    def _in_a_shell(self, text: str) -> subprocess.CompletedProcess[str]:
        search = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = os.environ | {"PATH": search, "OPENBLAS_NUM_THREADS": "1", **self._addresses()}
        return subprocess.run(
            ["bash", "-c", text], cwd=self._folder, env=environment, capture_output=True, text=True, timeout=120
        )


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """One process of the tests at a time."""
    with path.with_name(f"{path.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
